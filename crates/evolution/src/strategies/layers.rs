//! What strategies with layered networks have in common.

use crate::layered::weight_count;
use crate::{Layered, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed, Described, KeyError, WHOLE, key};
use std::sync::Arc;

/// The key for the numbers of nodes in hidden layers.
pub(crate) const HIDDEN: Described =
    key("hidden", "number of nodes in each hidden layer; up to 14 layers", Allowed::WholeList(1.0, 4096.0));
/// The key for the number of wired inputs.
pub(crate) const WIRED: Described =
    key("wired", "number of the last inputs that go directly to the output; one other input must remain", WHOLE);
/// The key for the range of first weights, with the strategy's own description.
pub(crate) const fn range(about: &'static str, most: f64) -> Described {
    key("range", about, Allowed::Number(0.0, most))
}
/// The key for the range, with the description of most strategies.
pub(crate) const RANGE: Described = range("weights and biases begin within ±range; above 0", 100.0);

/// Weights stay within ± this value, so that all numbers stay finite.
pub(crate) const MOST_WEIGHT: f64 = 1000.0;

/// The weight clamped to its bounds.
pub(crate) fn bounded(weight: f64) -> f32 {
    weight.clamp(-MOST_WEIGHT, MOST_WEIGHT) as f32
}

/// The layers of a strategy's networks besides inputs and outputs.
pub(crate) struct Layers<'a> {
    /// The number of nodes in each hidden layer.
    pub hidden: &'a [usize],
    /// The number of the last inputs that go directly to the output.
    pub wired: usize,
}

/// Defines `layers` for parameters with the keys [`HIDDEN`] and [`WIRED`].
macro_rules! has_layers {
    ($params:ident) => {
        impl $params {
            fn layers(&self) -> Layers<'_> {
                Layers { hidden: &self.hidden, wired: self.wired }
            }
        }
    };
}

pub(crate) use has_layers;

impl Layers<'_> {
    /// Checks that such networks can have this shape.
    pub fn fits(&self, shape: Shape) -> Result<(), KeyError> {
        if self.wired >= shape.inputs {
            let what =
                format!("wired is {}, but there are {} inputs, and at least one must remain", self.wired, shape.inputs);
            return Err(KeyError::new("wired", what));
        }
        match weight_count(&self.sizes(shape)) {
            Ok(_) => Ok(()),
            Err(error) => Err(KeyError::new("hidden", format!("hidden: {error}"))),
        }
    }

    /// The numbers of nodes in all layers.
    pub fn sizes(&self, shape: Shape) -> Vec<usize> {
        let inputs = shape.inputs.saturating_sub(self.wired);
        [&[inputs], self.hidden, &[shape.outputs]].concat()
    }

    /// The number of weights and biases. The shape [fits](Layers::fits).
    pub fn weights(&self, shape: Shape) -> usize {
        weight_count(&self.sizes(shape)).expect("the layers were checked")
    }

    /// A network with random weights and biases in [−range, range). The shape [fits](Layers::fits).
    pub fn random(&self, shape: Shape, range: f64, rng: &mut Rng) -> Layered {
        Layered::random(&self.sizes(shape), self.wired, range as f32, rng).expect("the layers were checked")
    }

    /// Checks that a network has these layers and this number of genes.
    pub fn checked(&self, shape: Shape, genes: usize, network: &Network) -> Result<(), NetworkError> {
        match network {
            Network::Layered(layered)
                if layered.sizes() == self.sizes(shape)
                    && layered.wired() == self.wired
                    && layered.genes().len() == genes =>
            {
                Ok(())
            }
            _ => Err(broken("a network has other layers or genes than the parameters say")),
        }
    }

    /// Checks that there are `population` networks with these layers and without genes.
    pub fn all_checked(&self, shape: Shape, population: usize, networks: &[Arc<Network>]) -> Result<(), NetworkError> {
        if networks.len() != population {
            return Err(broken(format!("{} networks instead of {population}", networks.len())));
        }
        networks.iter().try_for_each(|network| self.checked(shape, 0, network))
    }

    /// The same check, and all weights must be [within bounds](bounded).
    pub fn all_bounded(&self, shape: Shape, population: usize, networks: &[Arc<Network>]) -> Result<(), NetworkError> {
        self.all_checked(shape, population, networks)?;
        let within = |weight: &f32| f64::from(weight.abs()) <= MOST_WEIGHT;
        match networks.iter().all(|network| layered(network).weights().iter().all(within)) {
            true => Ok(()),
            false => Err(broken("a network has weights beyond ±1000")),
        }
    }
}

/// The layered network in a population that [was checked](Layers::checked).
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

/// An error about a saved population.
pub(crate) fn broken(what: impl std::fmt::Display) -> NetworkError {
    NetworkError(format!("the saved population cannot be read: {what}"))
}

/// What tests of such strategies share: scores that depend on the weights alone, with a known optimum.
#[cfg(test)]
pub(crate) mod trial {
    use super::*;
    use crate::strategy::{Results, Strategy};
    use chance::rng_for;
    use std::ops::Range;

    pub const SHAPE: Shape = Shape { inputs: 4, outputs: 1 };

    /// The distance of a network's weights from fixed target weights, all within ±1.
    fn distance(network: &Network) -> f64 {
        let rng = &mut rng_for(77, &[]);
        let square = |weight: &f32| (f64::from(*weight) - f64::from(rng.signed_unit())).powi(2);
        layered(network).weights().iter().map(square).sum::<f64>().sqrt()
    }

    /// Scores: the nearer to the target, the higher.
    pub fn scores(strategy: &dyn Strategy) -> Vec<f64> {
        strategy.networks().iter().map(|network| -distance(network)).collect()
    }

    /// The distance of the nearest network.
    pub fn nearest(strategy: &dyn Strategy) -> f64 {
        scores(strategy).into_iter().fold(f64::INFINITY, |nearest, score| nearest.min(-score))
    }

    /// Breeds these generations with those scores.
    pub fn go_on(strategy: &mut dyn Strategy, generations: Range<u64>) {
        for generation in generations {
            let scores = scores(strategy);
            strategy.advance(&Results::of(&scores), &mut rng_for(2, &[generation]));
        }
    }

    /// The same seed must give the same networks, and a restored strategy must continue like the original. Bytes that
    /// are cut, of another shape or damaged must give an error or a strategy that works, never a panic.
    pub fn check_saving<S: Strategy>(
        create: impl Fn(&mut Rng) -> S,
        restore: impl Fn(Shape, &[u8]) -> Result<S, NetworkError>,
    ) {
        let mut one = create(&mut rng_for(1, &[]));
        let mut again = create(&mut rng_for(1, &[]));
        for generation in 0..6 {
            let mut other = restore(SHAPE, &one.save()).expect("saved bytes can be restored");
            assert_eq!(other.save(), one.save());
            go_on(&mut one, generation..generation + 1);
            go_on(&mut other, generation..generation + 1);
            assert_eq!((other.save(), other.networks()), (one.save(), one.networks()));
            assert_eq!(other.inheritance(), one.inheritance());
        }
        go_on(&mut again, 0..6);
        assert_eq!(again.save(), one.save());
        let bytes = one.save();
        assert_ne!(bytes, create(&mut rng_for(3, &[])).save());
        for shape in [Shape { inputs: 5, outputs: 1 }, Shape { inputs: 4, outputs: 2 }] {
            assert!(restore(shape, &bytes).is_err());
        }
        for length in 0..bytes.len() {
            assert!(restore(SHAPE, &bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
        let rng = &mut rng_for(4, &[]);
        for _ in 0..2000 {
            let mut changed = bytes.clone();
            for _ in 0..=rng.below(4) {
                let place = rng.below(changed.len());
                changed[place] = rng.below(256) as u8;
            }
            if let Ok(mut strategy) = restore(SHAPE, &changed) {
                go_on(&mut strategy, 0..2);
                restore(SHAPE, &strategy.save()).expect("a strategy from damaged bytes can be saved and restored");
            }
        }
    }
}
