//! A strategy of one's own: a hill climber. One network stays until one of its mutated copies scores more.
//!
//! `cargo run --release --example own_strategy`

use chance::{Rng, rng_for};
use evolution::{
    Activation, Allowed, Described, Graph, KeyError, MutationWeights, Network, NetworkError, POPULATION, Results,
    Shape, Strategy, StrategyConfig, StrategyInfo, StrategyParams, checked_population, key, must,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters: what stands below `[strategy.hill-climber]` in an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HillClimberParams {
    /// How many networks: the best so far, and its copies.
    population: usize,
    /// How often each copy is mutated.
    mutations: usize,
}

/// Every parameter in words, for lists and forms.
const KEYS: &[Described] = &[
    key("population", "how many networks: the best so far, and its copies", POPULATION),
    key("mutations", "how often each copy is mutated", Allowed::Whole(1.0, 100.0)),
];

impl Default for HillClimberParams {
    fn default() -> HillClimberParams {
        HillClimberParams { population: 50, mutations: 2 }
    }
}

impl StrategyParams for HillClimberParams {
    fn info() -> StrategyInfo {
        let about = "one network stays until one of its mutated copies scores more";
        StrategyInfo { name: "hill-climber", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        must((1..=100).contains(&self.mutations), "mutations", self.mutations, "it must be from 1 to 100")
    }

    fn create(&self, shape: Shape, rng: &mut Rng) -> Box<dyn Strategy> {
        let first = Arc::new(Network::Graph(Graph::random(shape, Activation::Tanh, Activation::Identity, rng)));
        Box::new(HillClimber { params: self.clone(), networks: vec![first; self.population] })
    }

    fn restore(&self, shape: Shape, bytes: &[u8]) -> Result<Box<dyn Strategy>, NetworkError> {
        let networks: Vec<Arc<Network>> =
            postcard::from_bytes(bytes).map_err(|error| NetworkError(format!("no saved hill climber: {error}")))?;
        if networks.len() != self.population || networks.iter().any(|network| network.shape() != shape) {
            return Err(NetworkError("the saved hill climber has other networks".to_string()));
        }
        Ok(Box::new(HillClimber { params: self.clone(), networks }))
    }
}

/// The best network so far, then its mutated copies.
struct HillClimber {
    params: HillClimberParams,
    networks: Vec<Arc<Network>>,
}

impl Strategy for HillClimber {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        // Of equal scores the first wins, which is the network that was the best before.
        let best = (0..self.networks.len()).rev().max_by(|&a, &b| results.scores[a].total_cmp(&results.scores[b]));
        let best = Arc::clone(&self.networks[best.unwrap_or(0)]);
        let copy = |_| {
            let mut network = Network::clone(&best);
            if let Network::Graph(graph) = &mut network {
                for _ in 0..self.params.mutations {
                    graph.mutate(&MutationWeights::all(1.0), 4.0, rng);
                }
            }
            Arc::new(network)
        };
        self.networks = std::iter::once(Arc::clone(&best)).chain((1..self.params.population).map(copy)).collect();
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&self.networks).expect("networks can always be written")
    }
}

/// The network should answer the product of its two inputs.
fn score(network: &Network) -> f64 {
    let cases = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-1.0, 1.0], [0.5, -0.5], [-1.0, -1.0]];
    let error = |[x, y]: [f32; 2]| f64::from((network.forward(&[x, y])[0] - x * y).powi(2));
    -cases.map(error).iter().sum::<f64>()
}

/// Registers the strategy, reads its parameters from text, and breeds.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 1. From here on the strategy has a name, and its parameters can be read from text.
    evolution::register::<HillClimberParams>()?;
    let config: StrategyConfig = toml::from_str("[hill-climber]\npopulation = 100\nmutations = 2")?;
    config.checked()?;
    // 2. Ask for networks, tell their scores.
    let mut strategy = config.create(Shape { inputs: 2, outputs: 1 }, &mut rng_for(1, &[0]));
    let mut best = f64::MIN;
    for generation in 1..=200 {
        let scores: Vec<f64> = strategy.networks().iter().map(|network| score(network)).collect();
        best = scores.iter().copied().fold(best, f64::max);
        strategy.advance(&Results::of(&scores), &mut rng_for(1, &[generation]));
    }
    println!("squared error of the best: {:.4}", -best);
    Ok(())
}
