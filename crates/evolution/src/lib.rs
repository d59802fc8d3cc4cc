//! Networks, and the strategies that breed them. This crate does not know games: other programs can use it (package
//! `gamete-evolution`) to breed networks on any fitness function.
//!
//! A [`Strategy`] gives networks and receives their scores, once per generation. An example with a score of its own:
//!
//! ```
//! use chance::rng_for;
//! use evolution::{EnnParams, Network, Results, Shape, StrategyParams};
//!
//! /// How well the network computes XOR: the output should be 1 if exactly one of the inputs is 1, else 0.
//! fn score(network: &Network) -> f64 {
//!     let cases = [([0.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], 0.0)];
//!     let error = |(inputs, wanted): ([f32; 2], f32)| f64::from((network.forward(&inputs)[0] - wanted).powi(2));
//!     4.0 - cases.map(error).iter().sum::<f64>()
//! }
//!
//! fn main() -> Result<(), evolution::KeyError> {
//!     let params = EnnParams { population: 100, ..EnnParams::default() };
//!     params.checked()?;
//!     let mut strategy = params.create(Shape { inputs: 2, outputs: 1 }, &mut rng_for(1, &[0]));
//!     let mut best = 0.0f64;
//!     for generation in 1..=100 {
//!         let scores: Vec<f64> = strategy.networks().iter().map(|network| score(network)).collect();
//!         best = scores.iter().copied().fold(best, f64::max);
//!         strategy.advance(&Results::of(&scores), &mut rng_for(1, &[generation]));
//!     }
//!     assert!(best > 3.5, "{best}");
//!     Ok(())
//! }
//! ```
//!
//! The strategy and its parameters can also be read from text: a [`StrategyConfig`] holds the parameters of any
//! strategy in the [list](strategies()). [`register`] adds strategies of other crates to the list.

mod activation;
mod config;
mod footprint;
mod gradient;
mod graph;
mod graph_text;
mod inheritance;
mod lanes;
mod layered;
mod mutation;
pub mod neat;
mod network;
mod network_text;
mod params;
mod shape;
mod strategies;
mod strategy;
mod wiring;

pub use activation::Activation;
pub use config::StrategyConfig;
pub use footprint::Footprint;
pub use graph::{Edge, Graph, Node};
pub use inheritance::{Inheritance, Way};
pub use lanes::{LANES, Lanes, Scratch};
pub use layered::Layered;
pub use mutation::{Mutation, MutationWeights};
pub use network::Network;
pub use parameters::{Allowed, CHANCE, Described, FROM_0, FROM_1, KeyError, OPEN, WHOLE, key};
pub use params::{ACTIVATIONS, POPULATION, PlainData, StrategyInfo, StrategyParams, checked_population, must};
pub use shape::{NetworkError, Shape};
pub use strategies::*;
pub use strategy::{Champions, Host, Kin, KinEntry, Learner, Lesson, Results, SpeciesEntry, Strategy, Student};
pub use wiring::{WiredEdge, WiredNode, Wiring};
