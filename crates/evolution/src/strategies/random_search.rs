//! Random search: every generation has new random networks; only the best so far stay, to be compared again. It is the
//! baseline that every other strategy should beat.

use super::layers::{self, HIDDEN, Layers, WIRED, broken, has_layers};
use crate::inheritance::{Descent, Inheritance, Way, inheritance, ranking};
use crate::params::{
    POPULATION, StrategyInfo, StrategyParams, above_0, checked_elites, default_of_experiment, made_by,
};
use crate::strategy::{Results, Strategy};
use crate::{Footprint, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Described, FROM_1, KeyError, key};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of random search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomSearchParams {
    /// The number of networks.
    pub population: usize,
    /// The number of elites: the best networks stay unchanged; all others are new.
    pub elites: usize,
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// How many of the last inputs go directly to the output with weight 1.
    pub wired: usize,
    /// Weights and biases are within ±range.
    pub range: f64,
}

const KEYS: &[Described] = &[
    key("population", "number of networks; at least 3 with the schedule circular", POPULATION),
    key(
        "elites",
        "number of the best networks so far that stay, to be compared again; less than the population",
        FROM_1,
    ),
    HIDDEN,
    WIRED,
    layers::range("weights and biases are within ±range; above 0", 100.0),
];

has_layers!(RandomSearchParams);
default_of_experiment!(RandomSearchParams, "nim-2x4-random");

impl StrategyParams for RandomSearchParams {
    fn info() -> StrategyInfo {
        let about = "layered networks of one size, all random; the best so far stay, and nothing is bred (a baseline)";
        StrategyInfo { name: "random-search", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_elites(self.population, self.elites)?;
        above_0("range", self.range, 100.0)
    }

    made_by!(RandomSearch of layers);

    fn footprint(&self, shape: Shape) -> Footprint {
        Footprint::of_layers(self.population, self.layers().sizes(shape), 1)
    }
}

/// The elites by rank, then new networks.
pub(crate) struct RandomSearch {
    params: RandomSearchParams,
    shape: Shape,
    /// Whether this is the first generation, which has no elites.
    first: bool,
    networks: Vec<Arc<Network>>,
    inheritance: Vec<Inheritance>,
}

impl RandomSearch {
    pub(crate) fn create(params: &RandomSearchParams, shape: Shape, rng: &mut Rng) -> RandomSearch {
        let mut search = RandomSearch {
            params: params.clone(),
            shape,
            first: true,
            networks: Vec::with_capacity(params.population),
            inheritance: Vec::new(),
        };
        search.fill(rng);
        search
    }

    pub(crate) fn restore(
        params: &RandomSearchParams,
        shape: Shape,
        bytes: &[u8],
    ) -> Result<RandomSearch, NetworkError> {
        let (first, networks): (bool, Vec<Arc<Network>>) = postcard::from_bytes(bytes).map_err(broken)?;
        params.layers().all_checked(shape, params.population, &networks)?;
        Ok(RandomSearch { params: params.clone(), shape, first, networks, inheritance: Vec::new() })
    }

    /// Adds new networks up to the size of the population.
    fn fill(&mut self, rng: &mut Rng) {
        let RandomSearchParams { population, range, .. } = self.params;
        let layers = self.params.layers();
        let new = |_| Arc::new(Network::Layered(layers.random(self.shape, range, rng)));
        self.networks.extend((self.networks.len()..population).map(new));
    }

    /// The origin of each network.
    fn descents(&self) -> Vec<Descent> {
        let elites = if self.first { 0 } else { self.params.elites };
        let way = |place: usize| if place < elites { Way::Elite } else { Way::First };
        let descent = |place: usize| Descent { way: way(place), parents: [place; 2], change: None };
        (0..self.networks.len()).map(descent).collect()
    }
}

impl Strategy for RandomSearch {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let elites = self.params.elites;
        self.inheritance = inheritance(&self.descents(), results.scores, elites);
        let order = ranking(results.scores);
        self.networks = order[..elites].iter().map(|&place| Arc::clone(&self.networks[place])).collect();
        self.fill(rng);
        self.first = false;
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&(self.first, &self.networks)).expect("networks can always be written")
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::layers::trial::{self, SHAPE};
    use chance::rng_for;

    fn params() -> RandomSearchParams {
        RandomSearchParams { population: 20, elites: 3, hidden: vec![2], wired: 1, range: 1.0 }
    }

    #[test]
    fn the_best_stay_and_all_others_are_new() {
        let mut strategy = RandomSearch::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let first = trial::nearest(&strategy);
        for generation in 0..200 {
            let (scores, before) = (trial::scores(&strategy), strategy.networks().to_vec());
            strategy.advance(&Results::of(&scores), &mut rng_for(2, &[generation]));
            for (rank, &place) in ranking(&scores)[..3].iter().enumerate() {
                assert!(Arc::ptr_eq(&before[place], &strategy.networks()[rank]));
            }
            for network in &strategy.networks()[3..] {
                assert!(!before.contains(network));
            }
            let ways: Vec<_> = strategy.inheritance().iter().map(|found| (found.way, found.count)).collect();
            let expected =
                if generation == 0 { vec![(Way::First, 20)] } else { vec![(Way::First, 17), (Way::Elite, 3)] };
            assert_eq!(ways, expected);
        }
        let last = trial::nearest(&strategy);
        assert!(last < 0.8 * first, "{first} to {last}");
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        trial::check_saving(
            |rng| RandomSearch::create(&params(), SHAPE, rng),
            |shape, bytes| RandomSearch::restore(&params(), shape, bytes),
        );
        let fewer = RandomSearchParams { population: 19, ..params() };
        let bytes = RandomSearch::create(&params(), SHAPE, &mut rng_for(1, &[])).save();
        let error = RandomSearch::restore(&fewer, SHAPE, &bytes).err().unwrap().0;
        assert!(error.contains("20 networks instead of 19"), "{error}");
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |params: RandomSearchParams, why: &str| {
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        assert_eq!(params().checked(), Ok(()));
        check(RandomSearchParams { population: 0, ..params() }, "population is 0, but it must be from 2 to 1000000");
        check(RandomSearchParams { population: 1, ..params() }, "population is 1, but it must be at least 2");
        check(RandomSearchParams { elites: 0, ..params() }, "elites is 0, but it must be from 1 to 19");
        check(RandomSearchParams { elites: 20, ..params() }, "elites is 20, but it must be from 1 to 19");
        check(RandomSearchParams { range: f64::NAN, ..params() }, "range is NaN, but it must be above 0");
    }
}
