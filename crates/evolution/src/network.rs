//! Networks: what plays. The list of kinds is closed, so that a champion can be read without the strategy that bred it.

use crate::{Activation, Graph, LANES, Lanes, Layered, Scratch, Shape};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A network: computes outputs from inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Network {
    /// Nodes in layers; a node can be connected to any node of a later layer.
    Graph(Graph),
    /// Full layers: every node is connected to all nodes of the layer before.
    Layered(Layered),
}

impl Network {
    /// The numbers of inputs and outputs.
    pub fn shape(&self) -> Shape {
        match self {
            Network::Graph(graph) => graph.shape(),
            Network::Layered(layered) => layered.shape(),
        }
    }

    /// The outputs for these inputs. The number of inputs must be that of the [shape](Network::shape).
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

    /// The outputs for [`LANES`] positions at once, without allocating, for code that runs millions of times. The
    /// number of inputs must be that of the shape.
    pub fn forward_lanes<'s>(&self, inputs: &[Lanes], scratch: &'s mut Scratch) -> &'s [Lanes] {
        match self {
            Network::Graph(graph) => graph.forward(inputs, scratch),
            Network::Layered(layered) => layered.forward(inputs, scratch),
        }
    }

    /// A hash of the network: different networks almost always have different fingerprints.
    pub fn fingerprint(&self) -> u64 {
        Network::fingerprint_of(&postcard::to_allocvec(self).expect("networks can always be written"))
    }

    /// The [fingerprint](Network::fingerprint) of the network in these postcard bytes.
    pub fn fingerprint_of(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }

    /// The approximate memory in bytes.
    pub fn memory(&self) -> usize {
        match self {
            Network::Graph(graph) => size_of::<Network>() + size_of_val(graph.nodes()) + size_of_val(graph.edges()),
            Network::Layered(layered) => {
                let numbers = layered.weights().len() + layered.genes().len();
                size_of::<Network>() + size_of_val(layered.sizes()) + numbers * size_of::<f32>()
            }
        }
    }

    /// The genes: numbers that the encoder uses instead of the setup's.
    pub fn genes(&self) -> &[f32] {
        match self {
            Network::Graph(_) => &[],
            Network::Layered(layered) => layered.genes(),
        }
    }

    /// The activation function of the outputs.
    pub fn output_activation(&self) -> Activation {
        match self {
            Network::Graph(graph) => graph.output_activation(),
            Network::Layered(layered) => layered.activations()[1],
        }
    }

    /// The number of nodes between inputs and outputs.
    pub fn hidden(&self) -> usize {
        match self {
            Network::Graph(graph) => graph.hidden(),
            Network::Layered(layered) => layered.sizes()[1..layered.sizes().len() - 1].iter().sum(),
        }
    }

    /// The number of layers between inputs and outputs.
    pub fn hidden_layers(&self) -> usize {
        match self {
            Network::Graph(graph) => graph.hidden_layers(),
            Network::Layered(layered) => layered.sizes().len() - 2,
        }
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        match self {
            Network::Graph(graph) => graph.edges().len(),
            Network::Layered(layered) => layered.weights().len() - layered.sizes()[1..].iter().sum::<usize>(),
        }
    }

    /// The number of nodes in each layer, including inputs and outputs.
    pub fn layer_sizes(&self) -> Vec<usize> {
        match self {
            Network::Graph(graph) => graph.layer_sizes(),
            Network::Layered(layered) => layered.sizes().to_vec(),
        }
    }
}
