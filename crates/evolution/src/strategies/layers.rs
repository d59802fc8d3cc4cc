//! What strategies that breed layered networks have in common.

use crate::layered::weight_count;
use crate::strategy::ParamError;
use crate::{Layered, Network, NetworkError, Shape};
use chance::Rng;

/// What such networks are like beside their inputs and outputs.
pub(crate) struct Layers<'a> {
    /// How many nodes each hidden layer has.
    pub hidden: &'a [usize],
    /// So many of the last inputs go straight to the output.
    pub wired: usize,
}

impl Layers<'_> {
    /// Whether such networks can have that shape.
    pub fn fits(&self, shape: Shape) -> Result<(), ParamError> {
        if self.wired >= shape.inputs {
            let what = format!("wired is {}, but there are {} inputs, and one must be left", self.wired, shape.inputs);
            return Err(ParamError { key: "wired", what });
        }
        match weight_count(&self.sizes(shape)) {
            Ok(_) => Ok(()),
            Err(error) => Err(ParamError { key: "hidden", what: format!("hidden: {error}") }),
        }
    }

    /// The nodes of all layers.
    fn sizes(&self, shape: Shape) -> Vec<usize> {
        let inputs = shape.inputs.saturating_sub(self.wired);
        [&[inputs], self.hidden, &[shape.outputs]].concat()
    }

    /// Weights and biases random within ±range. The shape [fits](Layers::fits).
    pub fn random(&self, shape: Shape, range: f64, rng: &mut Rng) -> Layered {
        Layered::random(&self.sizes(shape), self.wired, range as f32, rng).expect("they were checked")
    }

    /// Whether a network is one of these, and carries so many genes.
    pub fn checked(&self, shape: Shape, genes: usize, network: &Network) -> Result<(), NetworkError> {
        match network {
            Network::Layered(layered)
                if layered.sizes() == self.sizes(shape)
                    && layered.wired() == self.wired
                    && layered.genes().len() == genes =>
            {
                Ok(())
            }
            _ => Err(broken("a network has another form")),
        }
    }
}

/// The network of a population that [was checked](Layers::checked).
pub(crate) fn layered(network: &Network) -> &Layered {
    match network {
        Network::Layered(layered) => layered,
        Network::Graph(_) => unreachable!("this strategy breeds layered networks"),
    }
}

/// The same network with other weights.
pub(crate) fn with_weights(network: &Layered, weights: Vec<f32>) -> Network {
    Network::Layered(network.with_weights(weights, network.genes().to_vec()))
}

/// Why a saved population cannot be.
pub(crate) fn broken(what: impl std::fmt::Display) -> NetworkError {
    NetworkError(format!("the saved population cannot be read: {what}"))
}
