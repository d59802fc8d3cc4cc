//! Networks in full layers, every node joined to all of the layer before, as in `91-40-10-1`.

use crate::shape::no_number;
use crate::{Activation, LANES, Lanes, NetworkError, Scratch, Shape};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Layers of nodes.
///
/// Kept at all times: at least an input and an output layer, none of them empty; as many weights as the sizes say; all
/// numbers finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Layered {
    /// How many nodes each layer has, inputs first. Wired inputs are not among them.
    sizes: Vec<usize>,
    /// So many more inputs, behind the others, go straight to every output with weight 1.
    wired: usize,
    hidden_activation: Activation,
    output_activation: Activation,
    /// For each layer but the first: for each node its bias, then its weights in the order of the layer before.
    weights: Vec<f32>,
    /// Numbers that its encoder takes instead of those of the setup, where the encoder has such.
    genes: Vec<f32>,
}

/// The most nodes in a layer, and the most layers.
const MOST_NODES: usize = 4096;
const MOST_LAYERS: usize = 16;
/// The most weights and biases: a slip of the finger should not fill the memory.
const MOST_WEIGHTS: usize = 1_000_000;

impl Layered {
    /// Weights and biases random within ±range.
    pub fn random(sizes: &[usize], wired: usize, range: f32, rng: &mut Rng) -> Result<Layered, NetworkError> {
        let count = weight_count(sizes)?;
        Parts {
            sizes: sizes.to_vec(),
            wired,
            hidden_activation: Activation::Tanh,
            output_activation: Activation::Tanh,
            weights: (0..count).map(|_| range * rng.signed_unit()).collect(),
            genes: Vec::new(),
        }
        .try_into()
    }

    /// The same shape with other weights and genes; there must be as many weights.
    pub fn with_weights(&self, weights: Vec<f32>, genes: Vec<f32>) -> Layered {
        assert_eq!(weights.len(), self.weights.len());
        Layered { weights, genes, ..self.clone() }
    }

    /// How many nodes each layer has, inputs first; wired inputs are not among them.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// How many inputs go straight to the outputs.
    pub fn wired(&self) -> usize {
        self.wired
    }

    /// What hidden nodes and outputs do with their sums.
    pub fn activations(&self) -> [Activation; 2] {
        [self.hidden_activation, self.output_activation]
    }

    /// For each layer but the first: for each node its bias, then its weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Numbers that its encoder takes instead of those of the setup.
    pub fn genes(&self) -> &[f32] {
        &self.genes
    }

    /// Numbers of inputs and outputs.
    pub fn shape(&self) -> Shape {
        Shape { inputs: self.sizes[0] + self.wired, outputs: self.sizes[self.sizes.len() - 1] }
    }

    /// Where each layer's weights begin, with the numbers of nodes before and in it; the first computed layer first.
    pub fn layers(&self) -> impl Iterator<Item = (&[f32], usize, usize)> {
        let mut rest = &self.weights[..];
        self.sizes.windows(2).map(move |pair| {
            let (layer, others) = rest.split_at((pair[0] + 1) * pair[1]);
            rest = others;
            (layer, pair[0], pair[1])
        })
    }

    /// The outputs for all lanes.
    pub(crate) fn forward<'s>(&self, inputs: &[Lanes], scratch: &'s mut Scratch) -> &'s [Lanes] {
        debug_assert_eq!(inputs.len(), self.shape().inputs);
        let (shown, wired) = inputs.split_at(self.sizes[0]);
        let values = &mut scratch.0;
        values.clear();
        values.extend_from_slice(shown);
        let mut before = 0;
        let last = self.sizes.len() - 2;
        for (number, (weights, width, _)) in self.layers().enumerate() {
            let here = values.len();
            for node in weights.chunks_exact(width + 1) {
                let mut sums = [node[0]; LANES];
                for (weight, value) in node[1..].iter().zip(&values[before..here]) {
                    for (sum, value) in sums.iter_mut().zip(value) {
                        *sum += weight * value;
                    }
                }
                if number == last {
                    for input in wired {
                        sums.iter_mut().zip(input).for_each(|(sum, value)| *sum += value);
                    }
                }
                values.push(sums);
            }
            let activation = if number == last { self.output_activation } else { self.hidden_activation };
            activation.apply(values[here..].as_flattened_mut());
            before = here;
        }
        &values[before..]
    }
}

/// How many weights and biases such layers have; why they cannot be, in one sentence.
pub(crate) fn weight_count(sizes: &[usize]) -> Result<usize, NetworkError> {
    let refuse = |why: String| Err(NetworkError(format!("the layers are {}, but {why}", name(sizes))));
    if !(2..=MOST_LAYERS).contains(&sizes.len()) {
        return refuse(format!("there must be from 2 to {MOST_LAYERS}, inputs and outputs included"));
    }
    if sizes.iter().any(|size| !(1..=MOST_NODES).contains(size)) {
        return refuse(format!("each must have from 1 to {MOST_NODES} nodes"));
    }
    let count = sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum();
    if count > MOST_WEIGHTS {
        return refuse(format!("these have {count} weights and biases; {MOST_WEIGHTS} are the most"));
    }
    Ok(count)
}

/// `91-40-10-1`; of more layers than there can be, the first.
fn name(sizes: &[usize]) -> String {
    let shown = sizes.iter().take(MOST_LAYERS).map(|size| size.to_string());
    let rest = (sizes.len() > MOST_LAYERS).then(|| "…".to_string());
    shown.chain(rest).collect::<Vec<_>>().join("-")
}

/// A network as it comes from outside, not yet trusted.
#[derive(Deserialize)]
struct Parts {
    sizes: Vec<usize>,
    wired: usize,
    hidden_activation: Activation,
    output_activation: Activation,
    weights: Vec<f32>,
    genes: Vec<f32>,
}

impl TryFrom<Parts> for Layered {
    type Error = NetworkError;

    fn try_from(parts: Parts) -> Result<Layered, NetworkError> {
        let Parts { sizes, wired, hidden_activation, output_activation, weights, genes } = parts;
        let wanted = weight_count(&sizes)?;
        let refuse = |why: String| Err(NetworkError(format!("the network cannot be: {why}")));
        if weights.len() != wanted {
            return refuse(format!(
                "{} has {wanted} weights and biases, but {} are given",
                name(&sizes),
                weights.len()
            ));
        }
        if wired > MOST_NODES || genes.len() > MOST_NODES {
            return refuse(format!(
                "it has {wired} inputs wired to the outputs and {} genes, but at most {MOST_NODES} of each are allowed",
                genes.len()
            ));
        }
        let activations = [hidden_activation, output_activation].map(Activation::number);
        if let Some(number) =
            weights.iter().chain(&genes).copied().chain(activations.into_iter().flatten()).find(|x| !x.is_finite())
        {
            return refuse(format!("{number} is not a number"));
        }
        Ok(Layered { sizes, wired, hidden_activation, output_activation, weights, genes })
    }
}

impl fmt::Display for Layered {
    /// `2-3-1 0 tanh tanh | 0.5 1 -1 …`: sizes, wired inputs, activations; the weights; genes, where there are some.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} |", name(&self.sizes), self.wired, self.hidden_activation, self.output_activation)?;
        self.weights.iter().try_for_each(|weight| write!(f, " {weight}"))?;
        if !self.genes.is_empty() {
            write!(f, " |")?;
        }
        self.genes.iter().try_for_each(|gene| write!(f, " {gene}"))
    }
}

impl FromStr for Layered {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Layered, NetworkError> {
        let parts: Vec<&str> = text.split('|').collect();
        let head: Vec<&str> = parts[0].split_whitespace().collect();
        let ([sizes, wired, hidden, output], 2..=3) = (&head[..], parts.len()) else {
            return Err(NetworkError(
                "a layered network is its sizes, wired inputs and two activations, then its weights, as in `2-1 0 tanh tanh | 0.5 1 -1`"
                    .to_string(),
            ));
        };
        fn numbers<T: FromStr>(words: impl Iterator<Item = impl AsRef<str>>) -> Result<Vec<T>, NetworkError> {
            let number = |word: &str| word.parse().map_err(|_| no_number(word));
            words.map(|word| number(word.as_ref())).collect()
        }
        let activation = |text: &str| {
            text.parse().map_err(|()| {
                NetworkError(format!("`{text}` is no activation; there are {}", Activation::NAMES.join(", ")))
            })
        };
        let sizes = numbers(sizes.split('-'))?;
        weight_count(&sizes)?;
        Parts {
            sizes,
            wired: numbers([wired].into_iter())?[0],
            hidden_activation: activation(hidden)?,
            output_activation: activation(output)?,
            weights: numbers(parts[1].split_whitespace())?,
            genes: numbers(parts.get(2).unwrap_or(&"").split_whitespace())?,
        }
        .try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Network;
    use chance::rng_for;

    #[test]
    fn layers_add_up() {
        let network: Layered = "2-2-1 1 relu identity | 0 1 0  1 0 -1  0.5 2 3 | 1.25".parse().unwrap();
        assert_eq!((network.shape(), network.genes()), (Shape { inputs: 3, outputs: 1 }, &[1.25][..]));
        let mut scratch = Scratch::default();
        // Hidden: 3, and 1 − 0.5; output: 0.5 + 2·3 + 3·0.5, and 10 straight through.
        let answers = network.forward(&[[3.0; LANES], [0.5; LANES], [10.0; LANES]], &mut scratch);
        assert_eq!(answers, [[18.0; LANES]]);
    }

    #[test]
    fn text_goes_both_ways() {
        for sizes in [&[91, 40, 10, 1][..], &[32, 40, 10, 1], &[2, 1]] {
            let network = Layered::random(sizes, 1, 0.2, &mut rng_for(1, &[])).unwrap();
            let genes = vec![2.5];
            let network = Network::Layered(network.with_weights(network.weights().to_vec(), genes));
            assert_eq!(network.to_string().parse(), Ok(network.clone()));
            let bytes = postcard::to_allocvec(&network).unwrap();
            assert_eq!(postcard::from_bytes::<Network>(&bytes).unwrap(), network);
        }
        let weights = |sizes: &[usize]| Layered::random(sizes, 0, 1.0, &mut rng_for(1, &[])).unwrap().weights().len();
        // As Chellapilla and Fogel count them.
        assert_eq!(weights(&[32, 40, 10, 1]), 1741);
        assert_eq!(weights(&[91, 40, 10, 1]), 4101);
    }

    #[test]
    fn what_cannot_be_gets_a_sentence() {
        for (text, why) in [
            ("2-0-1 0 tanh tanh | 1", "the layers are 2-0-1, but each must have from 1 to 4096"),
            ("2 0 tanh tanh | 1", "there must be from 2 to 16"),
            ("4096-4096-1 0 tanh tanh | 1", "1000000 are the most"),
            ("2-1 0 tanh tanh | 1 2", "2-1 has 3 weights and biases, but 2 are given"),
            ("2-1 0 tanh tanh | 1 2 NaN", "NaN is not a number"),
            ("2-1 0 tanh tan | 1 2 3", "`tan` is no activation"),
            ("2-1 0 tanh tanh | 1 2 x", "`x` stands in the network where a number belongs"),
            ("2-x 0 tanh tanh | 1 2 3", "`x` stands"),
            ("2-1 0 tanh", "a layered network is"),
            ("18446744073709551615-1 0 tanh tanh | 1", "each must have from 1 to 4096"),
            ("2-1 18446744073709551615 tanh tanh | 1 2 3", "18446744073709551615 inputs wired to the outputs"),
            (
                "1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1 0 tanh tanh | 1",
                "the layers are 1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-…, but there must be from 2 to 16",
            ),
        ] {
            let error = text.parse::<Layered>().unwrap_err().0;
            assert!(error.contains(why), "{error}");
        }
    }
}
