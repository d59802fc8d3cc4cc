//! Networks: what plays. A closed list of kinds, so that a champion outlives whoever bred it.

use crate::{Activation, Graph, LANES, Lanes, Layered, Scratch, Shape};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

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
