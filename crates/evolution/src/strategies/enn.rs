//! Evolving neural networks as in Kissling's RustENN (2025): networks are copied in proportion to their scores and
//! changed by mutation alone. Shares of the population are kept for random old networks, new networks and past
//! champions.

use super::layers::broken;
use crate::params::{
    ACTIVATIONS, POPULATION, StrategyInfo, StrategyParams, checked_activations, checked_population,
    default_of_experiment, from_0, made_by, must,
};
use crate::strategy::{Host, Results, Strategy};
use crate::{Activation, Graph, MutationWeights, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::Whole, CHANCE, Described, FROM_0, KeyError, key};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of ENN. Shares are parts of the population; the rest is filled with children in proportion to score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnnParams {
    /// The number of networks.
    pub population: usize,
    /// The activation function of hidden nodes: a name of [`Activation::NAMES`].
    pub activation: String,
    /// Alpha of `elu`, or the steepness of `steep`, `bilateral` and `unilateral`; the others ignore it.
    pub alpha: f64,
    /// The activation function of outputs.
    pub output: String,
    /// Weights and biases stay within ±limit.
    pub limit: f64,
    /// The lowest number of mutations of a child.
    pub mutations_min: usize,
    /// The highest number of mutations of a child. All numbers from the lowest to the highest are equally likely.
    pub mutations_max: usize,
    /// Parents are drawn in proportion to score raised to this power.
    pub exponent: f64,
    /// The share of elites: the best networks stay unchanged.
    pub elites: f64,
    /// The share of mutated copies of random networks of the last generation, whatever their scores.
    pub random_old: f64,
    /// The share of new random networks.
    pub newcomers: f64,
    /// The share of mutated copies of past champions.
    pub past_champions: f64,
    /// How often each kind of mutation is chosen, relative to the others.
    pub weights: MutationWeights,
}

/// The highest number of mutations, so that a typing error cannot stop the run.
const MOST_MUTATIONS: usize = 10_000;

const KEYS: &[Described] = &[
    key("population", "number of networks; at least 3 with the schedule circular", POPULATION),
    key("activation", "activation function of hidden nodes", ACTIVATIONS),
    key("alpha", "alpha of elu, steepness of steep, bilateral and unilateral", FROM_0),
    key("output", "activation function of outputs", ACTIVATIONS),
    key("limit", "weights and biases stay within ±limit; above 0", FROM_0),
    key(
        "mutations_min",
        "lowest number of mutations of a child, not above mutations_max",
        Whole(0.0, MOST_MUTATIONS as f64),
    ),
    key(
        "mutations_max",
        "highest number of mutations of a child; all numbers are equally likely",
        Whole(0.0, MOST_MUTATIONS as f64),
    ),
    key("exponent", "parents are drawn in proportion to score raised to this power", FROM_0),
    key("elites", "share of the population: the best networks, unchanged; all shares together are at most 1", CHANCE),
    key("random_old", "share of the population: random networks of the last generation, mutated", CHANCE),
    key("newcomers", "share of the population: new random networks", CHANCE),
    key("past_champions", "share of the population: champions of earlier generations, mutated", CHANCE),
    key("weights.change_weight", "how often a weight is replaced by a random one, relative to other mutations", FROM_0),
    key("weights.change_bias", "how often a bias is replaced by a random one, relative to other mutations", FROM_0),
    key("weights.shift_weight", "how often a weight is moved, relative to other mutations", FROM_0),
    key("weights.shift_bias", "how often a bias is moved, relative to other mutations", FROM_0),
    key("weights.add_edge", "how often two nodes are connected, relative to other mutations", FROM_0),
    key("weights.add_node", "how often a node is added, relative to other mutations", FROM_0),
    key("weights.remove_edge", "how often a connection is removed, relative to other mutations", FROM_0),
    key("weights.remove_node", "how often a node is removed, relative to other mutations", FROM_0),
];

default_of_experiment!(EnnParams, "nim-2x4");

impl StrategyParams for EnnParams {
    fn info() -> StrategyInfo {
        let about = "shape and weights evolve by mutation alone (a simple relative of NEAT)";
        StrategyInfo { name: "enn", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        checked_activations([("activation", &self.activation), ("output", &self.output)])?;
        let EnnParams { alpha, limit, mutations_min, mutations_max, exponent, .. } = *self;
        must((alpha as f32).is_finite() && alpha >= 0.0, "alpha", alpha, "it must be a number from 0 up")?;
        must((limit as f32).is_finite() && limit as f32 > 0.0, "limit", limit, "it must be a number above 0")?;
        if mutations_min > mutations_max {
            let what =
                format!("mutations_min is {mutations_min}, but it must not be above mutations_max, {mutations_max}");
            return Err(KeyError::new("mutations_min", what));
        }
        let rule = format!("it must be at most {MOST_MUTATIONS}");
        must(mutations_max <= MOST_MUTATIONS, "mutations_max", mutations_max, rule)?;
        from_0("exponent", exponent)?;
        let shares = self.shares();
        for (key, share) in shares {
            must((0.0..=1.0).contains(&share), key, share, "a share is from 0 to 1")?;
        }
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        if sum > 1.0 + 1e-9 {
            let list: Vec<String> = shares.iter().map(|(key, share)| format!("{key} {share}")).collect();
            let what = format!("the shares {} add up to {sum}, but their sum must be at most 1", list.join(", "));
            return Err(KeyError::new("elites", what));
        }
        let weights = self.weights.by_mutation();
        if weights.iter().any(|weight| !(weight.is_finite() && *weight >= 0.0))
            || weights.iter().all(|&weight| weight == 0.0)
        {
            let what = "the weights of mutations must be numbers from 0 up, at least one above 0".to_string();
            return Err(KeyError::new("weights", what));
        }
        Ok(())
    }

    made_by!(Enn);

    fn takes_migrants(&self) -> bool {
        true
    }
}

impl EnnParams {
    fn shares(&self) -> [(&'static str, f64); 4] {
        [
            ("elites", self.elites),
            ("random_old", self.random_old),
            ("newcomers", self.newcomers),
            ("past_champions", self.past_champions),
        ]
    }

    fn newcomer(&self, shape: Shape, rng: &mut Rng) -> Arc<Network> {
        let named = |name| Activation::named(name, self.alpha as f32).expect("the parameters were checked");
        let range = (self.limit as f32).min(1.0);
        Arc::new(Network::Graph(Graph::random_within(range, shape, named(&self.activation), named(&self.output), rng)))
    }

    /// A copy of the parent with a random number of mutations; the parent itself if the number is 0.
    fn child(&self, parent: &Arc<Network>, rng: &mut Rng) -> Arc<Network> {
        let mutations = self.mutations_min + rng.below(self.mutations_max - self.mutations_min + 1);
        if mutations == 0 {
            return Arc::clone(parent);
        }
        let Network::Graph(mut graph) = Network::clone(parent) else { unreachable!("this strategy breeds graphs") };
        for _ in 0..mutations {
            graph.mutate(&self.weights, self.limit as f32, rng);
        }
        Arc::new(Network::Graph(graph))
    }
}

/// Computes whole exponents by multiplication, which is the same on every machine; others by the platform's function.
fn power(base: f64, exponent: f64) -> f64 {
    match exponent {
        _ if exponent.fract() == 0.0 && exponent <= 16.0 => (0..exponent as u32).fold(1.0, |product, _| product * base),
        _ => base.powf(exponent),
    }
}

/// A population of graphs.
pub(crate) struct Enn {
    params: EnnParams,
    shape: Shape,
    networks: Vec<Arc<Network>>,
}

impl Enn {
    pub(crate) fn create(params: &EnnParams, shape: Shape, rng: &mut Rng) -> Enn {
        let networks = (0..params.population).map(|_| params.newcomer(shape, rng)).collect();
        Enn { params: params.clone(), shape, networks }
    }

    pub(crate) fn restore(params: &EnnParams, shape: Shape, bytes: &[u8]) -> Result<Enn, NetworkError> {
        let (distinct, places): (Vec<Arc<Network>>, Vec<u32>) = postcard::from_bytes(bytes).map_err(broken)?;
        if let Some(network) = distinct.iter().find(|network| network.shape() != shape) {
            return Err(broken(format!("a network has {:?} instead of {shape:?}", network.shape())));
        }
        if distinct.iter().any(|network| !matches!(**network, Network::Graph(_))) {
            return Err(broken("a network is layered, but this strategy breeds graphs"));
        }
        let networks: Option<Vec<_>> = places.iter().map(|&number| distinct.get(number as usize).cloned()).collect();
        match networks {
            Some(networks) if networks.len() == params.population => {
                Ok(Enn { params: params.clone(), shape, networks })
            }
            _ => Err(broken(format!("{} places instead of {}", places.len(), params.population))),
        }
    }
}

impl Strategy for Enn {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let Enn { params, shape, networks } = self;
        let size = params.population;
        let count = |share: f64| (share * size as f64).round() as usize;
        let mut next = Vec::with_capacity(size);
        // 1. The elites stay unchanged.
        let elites = count(params.elites).min(size);
        if elites > 0 {
            let mut ranking: Vec<usize> = (0..size).collect();
            ranking.sort_by(|&a, &b| results.scores[b].total_cmp(&results.scores[a]).then(a.cmp(&b)));
            next.extend(ranking[..elites].iter().map(|&place| Arc::clone(&networks[place])));
        }
        // 2. Random old networks, new networks and past champions.
        let random_old = count(params.random_old).min(size - next.len());
        next.extend((0..random_old).map(|_| params.child(&networks[rng.below(size)], rng)));
        let newcomers = count(params.newcomers).min(size - next.len());
        next.extend((0..newcomers).map(|_| params.newcomer(*shape, rng)));
        let champions = results.champions;
        if champions.count() > 0 {
            let past = count(params.past_champions).min(size - next.len());
            next.extend((0..past).map(|_| params.child(&champions.champion(rng.below(champions.count())), rng)));
        }
        // 3. The rest are children in proportion to score, minus the lowest score if that is below 0. If no score is
        // above the lowest, parents are drawn at random.
        let lowest = results.scores.iter().copied().fold(0.0, f64::min);
        let best = results.scores.iter().copied().fold(0.0, f64::max) - lowest;
        let mut total = 0.0;
        let up_to: Vec<f64> = results
            .scores
            .iter()
            .map(|score| {
                // Relative to the best score, so that no exponent gives infinity.
                total += if best > 0.0 { power((score - lowest) / best, params.exponent) } else { 0.0 };
                total
            })
            .collect();
        while next.len() < size {
            let parent = if total > 0.0 {
                let drawn = rng.unit() * total;
                up_to.partition_point(|&sum| sum <= drawn).min(size - 1)
            } else {
                rng.below(size)
            };
            next.push(params.child(&networks[parent], rng));
        }
        *networks = next;
    }

    fn host(&mut self) -> Option<&mut dyn Host> {
        Some(self)
    }

    /// Writes each distinct network once, then the index of the network at each place: `(Vec<Network>, Vec<u32>)` in
    /// postcard.
    ///
    /// Networks are the same if their bytes are, so that a population is always written in the same way, however it is
    /// shared in memory. Of networks that share an `Arc`, only the first is written to be compared.
    fn save(&self) -> Vec<u8> {
        let write = |bytes: postcard::Result<Vec<u8>>| bytes.expect("networks can always be written");
        let mut by_address: FxHashMap<*const Network, u32> = FxHashMap::default();
        let mut by_bytes: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
        let mut written = Vec::new();
        let mut number_of = |network: &Arc<Network>| {
            // Most numbers take up to five bytes, so this is enough that the vector does not grow.
            let capacity = 64 + 8 * network.edges() + 8 * network.hidden();
            let bytes = write(postcard::to_extend(&**network, Vec::with_capacity(capacity)));
            let next = by_bytes.len() as u32;
            *by_bytes.entry(bytes).or_insert_with_key(|bytes| {
                written.extend_from_slice(bytes);
                next
            })
        };
        let places: Vec<u32> = (self.networks.iter())
            .map(|network| *by_address.entry(Arc::as_ptr(network)).or_insert_with(|| number_of(network)))
            .collect();
        let mut all = write(postcard::to_allocvec(&(by_bytes.len() as u32)));
        all.append(&mut written);
        all.append(&mut write(postcard::to_allocvec(&places)));
        all
    }
}

impl Host for Enn {
    fn receive(&mut self, migrants: &[Arc<Network>]) {
        let first = self.networks.len() - migrants.len();
        self.networks[first..].clone_from_slice(migrants);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layered;
    use chance::rng_for;

    const SHAPE: Shape = Shape { inputs: 2, outputs: 1 };

    fn params() -> EnnParams {
        let all: std::collections::BTreeMap<String, EnnParams> =
            serde_json::from_str(include_str!("../../tests/enn.json")).unwrap();
        all["enn"].clone()
    }

    fn advance(params: &EnnParams, scores: impl Fn(usize) -> f64) -> (Vec<Arc<Network>>, Vec<Arc<Network>>) {
        let mut enn = Enn::create(params, SHAPE, &mut rng_for(1, &[]));
        let before = enn.networks().to_vec();
        let scores: Vec<f64> = (0..params.population).map(scores).collect();
        let champions = vec![params.newcomer(SHAPE, &mut rng_for(2, &[]))];
        enn.advance(&Results { champions: &champions, ..Results::of(&scores) }, &mut rng_for(3, &[]));
        (before, enn.networks().to_vec())
    }

    #[test]
    fn only_those_that_score_have_children() {
        let (before, after) = advance(&EnnParams { mutations_max: 0, ..params() }, |place| f64::from(place == 7));
        assert!(after.iter().all(|network| Arc::ptr_eq(network, &before[7])));
    }

    #[test]
    fn elites_stay_unchanged_in_order_of_score() {
        let (before, after) = advance(&EnnParams { elites: 0.1, mutations_min: 1, ..params() }, |place| place as f64);
        let best: Vec<_> = before.iter().rev().take(10).collect();
        assert!(after[..10].iter().zip(best).all(|(elite, best)| Arc::ptr_eq(elite, best)));
        assert!(after[10..].iter().all(|child| before.iter().all(|parent| !Arc::ptr_eq(child, parent))));
    }

    #[test]
    fn the_best_has_children_with_any_exponent() {
        for exponent in [0.0, 1.5, 16.0, 400.0, 1e6] {
            let (before, after) =
                advance(&EnnParams { mutations_max: 0, exponent, ..params() }, |place| 50.0 + (place % 90) as f64);
            let best = after.iter().filter(|network| Arc::ptr_eq(network, &before[89])).count();
            assert!(best >= if exponent > 100.0 { 90 } else { 1 } || exponent < 2.0, "{exponent}: {best}");
        }
    }

    #[test]
    fn every_value_stays_within_the_limit() {
        let params = EnnParams { limit: 0.1, mutations_max: 5, ..params() };
        let (before, after) = advance(&params, |_| 1.0);
        for network in before.iter().chain(&after) {
            let Network::Graph(graph) = &**network else { unreachable!("this strategy breeds graphs") };
            assert!(
                graph.edges().iter().all(|edge| edge.weight.abs() <= 0.1)
                    && graph.nodes().iter().all(|node| node.bias.abs() <= 0.1)
            );
        }
    }

    #[test]
    fn shares_are_kept_and_equal_scores_draw_any_parent() {
        let all = EnnParams { mutations_max: 0, random_old: 0.25, newcomers: 0.25, past_champions: 0.25, ..params() };
        let (before, after) = advance(&all, |_| 0.0);
        assert_eq!(after.len(), 100);
        let old = after.iter().filter(|network| before.iter().any(|parent| Arc::ptr_eq(network, parent))).count();
        assert_eq!(old, 50, "a quarter at random and a quarter drawn by score");
        let distinct: std::collections::BTreeSet<_> = after.iter().map(Arc::as_ptr).collect();
        assert!(distinct.len() > 50);
    }

    #[test]
    fn what_is_saved_is_restored() {
        let (_, after) = advance(&params(), |place| place as f64);
        let enn = Enn { params: params(), shape: SHAPE, networks: after.clone() };
        let bytes = enn.save();
        let restored = Enn::restore(&params(), SHAPE, &bytes).unwrap();
        assert_eq!(restored.networks(), after);
        assert_eq!(restored.save(), bytes);
        for length in 0..bytes.len() {
            assert!(Enn::restore(&params(), SHAPE, &bytes[..length]).is_err());
        }
        assert!(Enn::restore(&params(), Shape { inputs: 3, outputs: 1 }, &bytes).is_err());
    }

    #[test]
    fn only_graphs_are_restored() {
        let (_, mut networks) = advance(&params(), |place| place as f64);
        networks[3] = Arc::new(Network::Layered(Layered::random(&[2, 1], 0, 1.0, &mut rng_for(4, &[])).unwrap()));
        let bytes = Enn { params: params(), shape: SHAPE, networks }.save();
        let error = Enn::restore(&params(), SHAPE, &bytes).err().unwrap().to_string();
        assert_eq!(error, "the saved population cannot be read: a network is layered, but this strategy breeds graphs");
    }

    #[track_caller]
    fn check_refused(change: impl Fn(&mut EnnParams), why: &str) {
        let mut params = params();
        change(&mut params);
        let error = params.checked().unwrap_err().what;
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn invalid_parameters_are_refused() {
        params().checked().unwrap();
        check_refused(|p| p.population = 0, "population is 0");
        check_refused(|p| p.activation = "step".into(), "activation is `step`, but the activations are elu");
        check_refused(|p| p.elites = 1.5, "elites is 1.5, but a share is from 0 to 1");
        check_refused(|p| (p.newcomers, p.random_old, p.elites) = (0.5, 0.5, 0.5), "add up to 1.5");
        check_refused(|p| p.mutations_min = 2, "mutations_min is 2");
        check_refused(|p| p.exponent = f64::NAN, "exponent is NaN");
        check_refused(|p| p.population = 2_000_000, "population is 2000000, but it must be from 2 to 1000000");
        check_refused(|p| p.alpha = 1e39, "alpha is 1");
        check_refused(|p| p.limit = 0.0, "limit is 0");
        check_refused(|p| p.alpha = -1.0, "alpha is -1");
        check_refused(|p| p.weights = MutationWeights::all(0.0), "at least one above 0");
        check_refused(|p| p.weights.add_edge = -1.0, "numbers from 0 up");
    }
}
