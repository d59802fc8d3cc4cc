//! Networks, and the strategies that breed them. Nothing here has ever heard of a game.
//!
//! A [`Strategy`] is asked for networks and told their scores, over and over:
//!
//! ```
//! use chance::rng_for;
//! use evolution::{Results, Shape, Strategy, StrategyConfig};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = include_str!("../tests/enn.json");
//! # let config: StrategyConfig = serde_json::from_str(text)?;
//! let shape = Shape { inputs: 2, outputs: 1 };
//! let mut strategy = config.create(shape, &mut rng_for(1, &[0]));
//! for generation in 1..=10 {
//!     let scores: Vec<f64> = strategy.networks().iter().map(|network| network.edges() as f64).collect();
//!     strategy.advance(&Results::of(&scores), &mut rng_for(1, &[generation]));
//! }
//! # Ok(()) }
//! ```

mod activation;
mod gradient;
mod graph;
mod graph_text;
mod inheritance;
mod layered;
mod mutation;
pub mod neat;
mod network;
mod strategies;
mod strategy;
mod wiring;

pub use activation::Activation;
pub use graph::{Edge, Graph, Node};
pub use inheritance::{Inheritance, Way};
pub use layered::Layered;
pub use mutation::{Mutation, MutationWeights};
pub use network::{LANES, Lanes, Network, NetworkError, Scratch, Shape};
pub use strategies::blondie::BlondieParams;
pub use strategies::cma_es::{CmaEsParams, Covariance};
pub use strategies::enn::EnnParams;
pub use strategies::ga::{Crossover, GaParams};
pub use strategies::neat::NeatParams;
pub use strategies::openai_es::OpenaiEsParams;
pub use strategies::random_search::RandomSearchParams;
pub use strategies::series::SeriesParams;
pub use strategies::td::{Td, TdParams};
pub use strategy::{Kin, KinEntry, ParamError, Results, SpeciesEntry, Strategy, StrategyConfig, StrategyInfo};
pub use wiring::{WiredEdge, WiredNode, Wiring};
