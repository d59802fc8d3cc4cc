//! A strategy: the better half of the population stays, and the other half becomes its mutated copies.

use gamete::chance::Rng;
use gamete::evolution::{
    Activation, Allowed, Described, Graph, KeyError, MutationWeights, Network, NetworkError, POPULATION, Results,
    Shape, Strategy, StrategyInfo, StrategyParams, checked_population, key, must,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters: what stands below `[strategy.halves]` in an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalvesParams {
    population: usize,
    mutations: usize,
}

const KEYS: &[Described] = &[
    key("population", "how many networks", POPULATION),
    key("mutations", "how often each copy is mutated", Allowed::Whole(1.0, 100.0)),
];

impl Default for HalvesParams {
    fn default() -> HalvesParams {
        HalvesParams { population: 100, mutations: 2 }
    }
}

impl StrategyParams for HalvesParams {
    fn info() -> StrategyInfo {
        let about = "the better half stays, and the other half becomes its mutated copies";
        StrategyInfo { name: "halves", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        must((1..=100).contains(&self.mutations), "mutations", self.mutations, "it must be from 1 to 100")
    }

    fn create(&self, shape: Shape, rng: &mut Rng) -> Box<dyn Strategy> {
        let mut network =
            || Arc::new(Network::Graph(Graph::random(shape, Activation::Tanh, Activation::Identity, rng)));
        Box::new(Halves { mutations: self.mutations, networks: (0..self.population).map(|_| network()).collect() })
    }

    fn restore(&self, shape: Shape, bytes: &[u8]) -> Result<Box<dyn Strategy>, NetworkError> {
        let networks: Vec<Arc<Network>> =
            postcard::from_bytes(bytes).map_err(|error| NetworkError(format!("no saved halves: {error}")))?;
        if networks.len() != self.population || networks.iter().any(|network| network.shape() != shape) {
            return Err(NetworkError("the saved halves have other networks".to_string()));
        }
        Ok(Box::new(Halves { mutations: self.mutations, networks }))
    }
}

/// A population, by place.
struct Halves {
    mutations: usize,
    networks: Vec<Arc<Network>>,
}

impl Strategy for Halves {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let mut ranking: Vec<usize> = (0..self.networks.len()).collect();
        ranking.sort_by(|&a, &b| results.scores[b].total_cmp(&results.scores[a]));
        let (better, worse) = ranking.split_at(ranking.len().div_ceil(2));
        for (&parent, &child) in better.iter().zip(worse) {
            let mut network = Network::clone(&self.networks[parent]);
            if let Network::Graph(graph) = &mut network {
                for _ in 0..self.mutations {
                    graph.mutate(&MutationWeights::all(1.0), 2.0, rng);
                }
            }
            self.networks[child] = Arc::new(network);
        }
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&self.networks).expect("networks can always be written")
    }
}
