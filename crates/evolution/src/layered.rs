//! Layered networks, in which every node is connected to all nodes of the layer before, as in `91-40-10-1`.

use crate::shape::no_number;
use crate::{Activation, LANES, Lanes, NetworkError, Scratch, Shape};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A network with full layers.
///
/// Always true: there is an input layer and an output layer, and no layer is empty; the number of weights fits the
/// sizes; all numbers are finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Layered {
    /// The number of nodes in each layer, inputs first, without the wired inputs.
    sizes: Vec<usize>,
    /// The number of wired inputs. They follow the other inputs and go directly to every output with weight 1.
    wired: usize,
    hidden_activation: Activation,
    output_activation: Activation,
    /// For each layer after the first, and each of its nodes: the bias, then the weights in the order of the layer
    /// before.
    weights: Vec<f32>,
    /// The genes: numbers that the encoder uses instead of the setup's. Empty if the encoder has no genes.
    genes: Vec<f32>,
}

/// The highest number of nodes in a layer, and of layers.
const MOST_NODES: usize = 4096;
const MOST_LAYERS: usize = 16;
/// The highest number of weights and biases, so that a typing error cannot fill the memory.
const MOST_WEIGHTS: usize = 1_000_000;

impl Layered {
    /// A network with random weights and biases in [−range, range).
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

    /// The same network with other weights and genes; the number of weights must be the same.
    pub fn with_weights(&self, weights: Vec<f32>, genes: Vec<f32>) -> Layered {
        assert_eq!(weights.len(), self.weights.len());
        Layered { weights, genes, ..self.clone() }
    }

    /// The number of nodes in each layer, inputs first, without the wired inputs.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of inputs that go directly to the outputs.
    pub fn wired(&self) -> usize {
        self.wired
    }

    /// The activation functions of the hidden nodes and of the outputs.
    pub fn activations(&self) -> [Activation; 2] {
        [self.hidden_activation, self.output_activation]
    }

    /// For each layer after the first, and each of its nodes: the bias, then the weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The genes: numbers that the encoder uses instead of the setup's.
    pub fn genes(&self) -> &[f32] {
        &self.genes
    }

    /// The numbers of inputs and outputs.
    pub fn shape(&self) -> Shape {
        Shape { inputs: self.sizes[0] + self.wired, outputs: self.sizes[self.sizes.len() - 1] }
    }

    /// For each layer after the first: its weights, the number of nodes before it, and its number of nodes.
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

/// The number of weights and biases of a network with these layers; the error says in one sentence why it is not
/// allowed.
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
        return refuse(format!("they have {count} weights and biases; at most {MOST_WEIGHTS} are allowed"));
    }
    Ok(count)
}

/// The layers as text, such as `91-40-10-1`. If there are more layers than allowed, only the first ones are shown.
fn name(sizes: &[usize]) -> String {
    let shown = sizes.iter().take(MOST_LAYERS).map(|size| size.to_string());
    let rest = (sizes.len() > MOST_LAYERS).then(|| "…".to_string());
    shown.chain(rest).collect::<Vec<_>>().join("-")
}

/// A network from outside, not yet checked.
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
        let refuse = |why: String| Err(NetworkError(format!("the network is invalid: {why}")));
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
    /// Writes `2-3-1 0 tanh tanh | 0.5 1 -1 …`: sizes, number of wired inputs, activations; weights; then the genes, if
    /// there are any.
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
                "a layered network is its sizes, number of wired inputs and two activations, then its weights, as in `2-1 0 tanh tanh | 0.5 1 -1`"
                    .to_string(),
            ));
        };
        fn numbers<T: FromStr>(words: impl Iterator<Item = impl AsRef<str>>) -> Result<Vec<T>, NetworkError> {
            let number = |word: &str| word.parse().map_err(|_| no_number(word));
            words.map(|word| number(word.as_ref())).collect()
        }
        let activation = |text: &str| {
            text.parse().map_err(|()| {
                NetworkError(format!("`{text}` is no activation; the activations are {}", Activation::NAMES.join(", ")))
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
        // Hidden nodes: 3, and 1 − 0.5. Output: 0.5 + 2·3 + 3·0.5, plus the wired 10.
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
        // The counts of Chellapilla and Fogel.
        assert_eq!(weights(&[32, 40, 10, 1]), 1741);
        assert_eq!(weights(&[91, 40, 10, 1]), 4101);
    }

    #[test]
    fn invalid_networks_are_refused_with_a_reason() {
        for (text, why) in [
            ("2-0-1 0 tanh tanh | 1", "the layers are 2-0-1, but each must have from 1 to 4096"),
            ("2 0 tanh tanh | 1", "there must be from 2 to 16"),
            ("4096-4096-1 0 tanh tanh | 1", "at most 1000000 are allowed"),
            ("2-1 0 tanh tanh | 1 2", "2-1 has 3 weights and biases, but 2 are given"),
            ("2-1 0 tanh tanh | 1 2 NaN", "NaN is not a number"),
            ("2-1 0 tanh tan | 1 2 3", "`tan` is no activation"),
            ("2-1 0 tanh tanh | 1 2 x", "`x` is in the network where a number is expected"),
            ("2-x 0 tanh tanh | 1 2 3", "`x` is in the network"),
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
