//! Checks what people write: experiments, overrides, players, seeds, ranges, labs and setups.

use lab::{Lab, MemberLine, Range};
use players::{Context, LiveParams, PlayerSpec, live_game};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use trainer::ExperimentFile;

/// The shipped experiment of this name; `nim-2x4` for any other name.
fn shipped(name: &str) -> ExperimentFile {
    static FILES: OnceLock<BTreeMap<&str, ExperimentFile>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let parse = |(name, text)| (name, ExperimentFile::parse(name, name, text).expect("it is shipped"));
        trainer::shipped_experiments().map(parse).collect()
    });
    files.get(name).unwrap_or(&files["nim-2x4"]).clone()
}

fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// Checks a valid experiment: it can be written and read again.
fn check(file: &ExperimentFile) {
    for text in [file.text(), &file.canonical()] {
        let again = ExperimentFile::parse("again", "again", text).expect("what was checked can be read");
        assert_eq!(again.canonical(), file.canonical());
    }
    assert!(!file.parameters().is_empty());
    let _ = (file.about(), file.strategy(), file.game());
}

pub fn experiment(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(file) = ExperimentFile::parse("fuzzed", "fuzzed", text) {
        check(&file);
    }
}

/// Input: a line with the experiment's name, then a line for each override.
pub fn overriding(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (name, rest) = first_line(text);
    let mut file = shipped(name);
    for line in rest.lines().take(4) {
        let _ = file.set(&[line]);
    }
    let _ = file.set(&rest.lines().take(4).collect::<Vec<_>>());
    // A text with several lines may also be one override.
    if rest.contains('\n') {
        let _ = file.set(&[rest]);
    }
    check(&file);
}

/// Input: a line with the experiment's name, a line with the key, then the value as JSON.
pub fn parameter(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (name, rest) = first_line(text);
    let (key, value) = first_line(rest);
    let Ok(value) = serde_json::from_str(value) else { return };
    if let Ok(file) = shipped(name).with_json(key, &value) {
        assert!(file.parameters().iter().any(|parameter| parameter.key == key));
        check(&file);
    }
}

pub fn player(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(player) = text.parse::<PlayerSpec>() {
        assert_eq!(text.parse::<PlayerSpec>().ok(), Some(player.clone()));
        let _ = player.search();
    }
}

pub fn seeds(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(seeds) = lab::seeds(text) else { return };
    assert!(!seeds.is_empty() && seeds.len() <= 100_000);
    if (2..100).contains(&seeds.len()) {
        let listed: Vec<String> = seeds.iter().map(u64::to_string).collect();
        assert_eq!(lab::seeds(&listed.join(",")).ok(), Some(seeds));
    }
}

/// Input: a line with the experiment's name, then the range.
pub fn range(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (name, range) = first_line(text);
    let file = shipped(name);
    if let Ok(range) = Range::parse(&file, range) {
        assert!(!range.key.is_empty());
    }
}

pub fn lab(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // A lab can name experiments by path; the fuzzer must not open devices or other files.
    if text.contains('/') || text.contains('\\') || text.contains(".toml") {
        return;
    }
    if let Ok(lab) = Lab::parse("fuzzed", "fuzzed", text, Path::new("/nonexistent")) {
        assert!(!lab.configurations.is_empty() && lab.last > 0);
        assert!(lab.configurations.iter().all(|each| !each.seeds.is_empty()));
    }
}

pub fn member_line(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(line) = serde_json::from_str::<MemberLine>(text) {
        let written = serde_json::to_string(&line).expect("a line can be written");
        let again: MemberLine = serde_json::from_str(&written).expect("what was written can be read");
        assert_eq!(serde_json::to_string(&again).expect("a line can be written"), written);
    }
}

/// Input: a line with the game's name, then lines: those with `=` change the setup, others are typed in `gamete play`.
pub fn setup(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (game, rest) = first_line(text);
    let overrides: Vec<String> = rest.lines().filter(|line| line.contains('=')).map(str::to_string).collect();
    let context = Context::nowhere();
    let params = LiveParams { game, against: None, position: None, setup: &overrides, seed: 1, context: &context };
    let Ok(mut game) = live_game(&params) else { return };
    for line in rest.lines().filter(|line| !line.contains('=')) {
        let before = game.position();
        match line.trim() {
            "moves" => assert!(game.outcome().is_some() || !game.moves().is_empty()),
            "hint" => drop(game.hint()),
            "back" => drop(game.take_back(2)),
            _ => {}
        }
        if matches!(line.trim(), "moves" | "hint" | "back") {
            continue;
        }
        if game.outcome().is_some() || game.play(line).is_err() {
            assert_eq!(game.position(), before);
        }
    }
    assert!(!game.position().is_empty() && !game.diagram().is_empty());
    let _ = (game.outcome(), game.why_drawn(), game.why_won(), game.written(), game.record(["a", "b"]));
    if game.outcome().is_none() {
        assert!(game.count_moves() > 0);
    }
}
