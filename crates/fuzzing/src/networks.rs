//! Checks networks from outside: as text, as JSON, as bytes, and as exported files.

use evolution::Network;
use evolution::neat::Genome;
use players::{Format, PortableNetwork};
use std::path::Path;

pub fn text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(network) = text.parse::<Network>() {
        check(&network);
    }
}

pub fn json(bytes: &[u8]) {
    if let Ok(network) = serde_json::from_slice::<Network>(bytes) {
        check(&network);
    }
}

pub fn blob(bytes: &[u8]) {
    if let Ok(network) = postcard::from_bytes::<Network>(bytes) {
        check(&network);
    }
}

pub fn file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let place = Path::new("fuzzed");
    let Ok(read) = PortableNetwork::parse(place, text) else { return };
    check(&read.network);
    for format in [Format::Text, Format::Json] {
        let written = read.write(format);
        let again = PortableNetwork::parse(place, &written).expect("what was written can be read");
        assert_eq!(again.network, read.network);
        assert_eq!(again.write(format), written);
    }
}

pub fn genome(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok((blueprint, genome)) = Genome::from_text(text) else { return };
    assert_eq!(Genome::from_text(&genome.to_text(&blueprint)), Ok((blueprint, genome.clone())));
    check(&blueprint.network(&genome));
}

/// Checks a network: text, JSON and bytes restore an equal network, and all ways to evaluate it agree.
pub fn check(network: &Network) {
    assert_eq!(network.to_string().parse().as_ref(), Ok(network));
    let bytes = postcard::to_allocvec(network).expect("a network can be written");
    assert_eq!(postcard::from_bytes::<Network>(&bytes).as_ref(), Ok(network));
    let json = serde_json::to_string(network).expect("a network can be written");
    assert_eq!(&serde_json::from_str::<Network>(&json).expect("what was written can be read"), network);
    let shape = network.shape();
    let sizes = network.layer_sizes();
    assert_eq!(sizes.len(), network.hidden_layers() + 2);
    assert_eq!(sizes[1..sizes.len() - 1].iter().sum::<usize>(), network.hidden());
    let inputs: Vec<f32> = (0..shape.inputs).map(|input| (input % 7) as f32 / 3.0 - 1.0).collect();
    let outputs = network.forward(&inputs);
    let wiring = network.wiring();
    let values = wiring.values(&inputs);
    assert_eq!(outputs.len(), shape.outputs);
    for (plain, fast) in values[values.len() - outputs.len()..].iter().zip(&outputs) {
        assert!(plain.to_bits() == fast.to_bits() || (plain.is_nan() && fast.is_nan()), "{plain} {fast}");
    }
}
