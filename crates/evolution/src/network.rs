//! Networks: what plays. A closed list of kinds, so that a champion outlives whoever bred it.

use crate::neat::Genome;
use crate::{Activation, Graph, Layered};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use xxhash_rust::xxh3::xxh3_64;

/// How many positions a network judges at once.
///
/// Eight numbers fill the registers of every processor in use and keep the batches of small games full. The sums of
/// one lane never touch another's, so a position's answer does not depend on its company.
pub const LANES: usize = 8;

/// One number for each of the positions judged at once.
pub type Lanes = [f32; LANES];

/// Room for the values of a network's nodes, used again and again.
#[derive(Clone, Debug, Default)]
pub struct Scratch(pub(crate) Vec<Lanes>);

/// The most inputs of any network. Inputs take no room in a file but do in memory, so that a file must not name more.
pub(crate) const MOST_INPUTS: usize = 1 << 16;
/// The most hidden nodes and outputs together, and the most edges of a graph: numbers of nodes and edges fit into 32 bits.
pub(crate) const MOST_NODES: usize = 1 << 22;
pub(crate) const MOST_EDGES: usize = 1 << 27;

/// Numbers of inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// How many numbers a network is shown.
    pub inputs: usize,
    /// How many numbers it answers.
    pub outputs: usize,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Network {
    /// Nodes in layers, any of them joined to any later one.
    Graph(Graph),
    /// Full layers, each joined to the one before.
    Layered(Layered),
}

impl Network {
    /// Numbers of inputs and outputs.
    pub fn shape(&self) -> Shape {
        match self {
            Network::Graph(graph) => graph.shape(),
            Network::Layered(layered) => layered.shape(),
        }
    }

    /// The outputs for these inputs, of which there must be as many as the [shape](Network::shape) says.
    ///
    /// ```
    /// let network: evolution::Network = "graph 2 1 relu identity | 1 0.5 0:1 1:-2".parse()?;
    /// assert_eq!(network.forward(&[3.0, 1.0]), [1.5]);
    /// # Ok::<(), evolution::NetworkError>(())
    /// ```
    pub fn forward(&self, inputs: &[f32]) -> Vec<f32> {
        let lanes: Vec<Lanes> = inputs.iter().map(|&input| [input; LANES]).collect();
        self.forward_lanes(&lanes, &mut Scratch::default()).iter().map(|lanes| lanes[0]).collect()
    }

    /// The outputs for [`LANES`] positions at once, without allocating: for whoever asks millions of times. `inputs` holds as
    /// many as the shape says.
    pub fn forward_lanes<'s>(&self, inputs: &[Lanes], scratch: &'s mut Scratch) -> &'s [Lanes] {
        match self {
            Network::Graph(graph) => graph.forward(inputs, scratch),
            Network::Layered(layered) => layered.forward(inputs, scratch),
        }
    }

    /// A number that differs, but for rare accidents, where networks differ.
    pub fn fingerprint(&self) -> u64 {
        Network::fingerprint_of(&postcard::to_allocvec(self).expect("networks can always be written"))
    }

    /// The [fingerprint](Network::fingerprint) of the network that these bytes hold, as postcard writes it.
    pub fn fingerprint_of(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }

    /// About how much memory it takes.
    pub fn memory(&self) -> usize {
        match self {
            Network::Graph(graph) => size_of::<Network>() + size_of_val(graph.nodes()) + size_of_val(graph.edges()),
            Network::Layered(layered) => {
                let numbers = layered.weights().len() + layered.genes().len();
                size_of::<Network>() + size_of_val(layered.sizes()) + numbers * size_of::<f32>()
            }
        }
    }

    /// Numbers of its own that an encoder takes instead of those of the setup.
    pub fn genes(&self) -> &[f32] {
        match self {
            Network::Graph(_) => &[],
            Network::Layered(layered) => layered.genes(),
        }
    }

    /// What outputs do with their sums.
    pub fn output_activation(&self) -> Activation {
        match self {
            Network::Graph(graph) => graph.output_activation(),
            Network::Layered(layered) => layered.activations()[1],
        }
    }

    /// How many nodes lie between inputs and outputs.
    pub fn hidden(&self) -> usize {
        match self {
            Network::Graph(graph) => graph.hidden(),
            Network::Layered(layered) => layered.sizes()[1..layered.sizes().len() - 1].iter().sum(),
        }
    }

    /// How many layers lie between inputs and outputs.
    pub fn hidden_layers(&self) -> usize {
        match self {
            Network::Graph(graph) => graph.hidden_layers(),
            Network::Layered(layered) => layered.sizes().len() - 2,
        }
    }

    /// How many edges join nodes.
    pub fn edges(&self) -> usize {
        match self {
            Network::Graph(graph) => graph.edges().len(),
            Network::Layered(layered) => layered.weights().len() - layered.sizes()[1..].iter().sum::<usize>(),
        }
    }

    /// How many nodes each layer has, inputs and outputs included.
    pub fn layer_sizes(&self) -> Vec<usize> {
        match self {
            Network::Graph(graph) => graph.layer_sizes(),
            Network::Layered(layered) => layered.sizes().to_vec(),
        }
    }
}

/// Whether a network of such sizes can be; one sentence if it is too large. Checked before memory is taken for it.
pub(crate) fn checked_sizes(inputs: usize, nodes: usize, edges: usize) -> Result<(), String> {
    if inputs > MOST_INPUTS || nodes > MOST_NODES || edges > MOST_EDGES {
        return Err(format!(
            "it has {inputs} inputs, {nodes} hidden nodes and outputs, and {edges} edges, but at most {MOST_INPUTS}, {MOST_NODES} and {MOST_EDGES} are allowed"
        ));
    }
    Ok(())
}

/// That a word of a network's text is not the number that belongs there.
pub(crate) fn no_number(word: &str) -> NetworkError {
    let is_whole = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    NetworkError(match is_whole {
        true => format!(
            "the number `{word}` in the network is too large: at most {MOST_INPUTS} inputs, {MOST_NODES} hidden nodes and outputs, and {MOST_EDGES} edges are allowed"
        ),
        false => format!("`{word}` stands in the network where a number belongs"),
    })
}

/// Why text or bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkError(pub String);

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NetworkError {}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Network::Graph(graph) => write!(f, "graph {graph}"),
            Network::Layered(layered) => write!(f, "layered {layered}"),
        }
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Network, NetworkError> {
        match text.trim().split_once(' ') {
            Some(("graph", rest)) => Ok(Network::Graph(rest.parse()?)),
            Some(("layered", rest)) => Ok(Network::Layered(rest.parse()?)),
            Some(("genome", _)) => {
                let (blueprint, genome) = Genome::from_text(text).map_err(|error| NetworkError(error.to_string()))?;
                Ok(blueprint.network(&genome))
            }
            _ => {
                let found: String = text.trim().chars().take(20).collect();
                Err(NetworkError(format!(
                    "`{found}` begins no network; right would be `graph`, `layered` or `genome` and its parts"
                )))
            }
        }
    }
}
