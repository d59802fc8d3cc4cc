//! The evolution strategy of Salimans et al. (2017): networks are pairs of opposite steps from one centre. The centre
//! follows the better ones by Adam (Kingma and Ba 2015), as it would follow a gradient. The centre plays, too: it is
//! what has been learned, and the champion.

use super::layers::{self, HIDDEN, Layers, MOST_WEIGHT, WIRED, bounded, broken, has_layers, layered, with_weights};
use crate::footprint::bytes;
use crate::params::{
    POPULATION, StrategyInfo, StrategyParams, above_0, checked_population, default_of_experiment, made_by, must, within,
};
use crate::strategy::{Results, Strategy};
use crate::{Footprint, Layered, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::Number, CHANCE, Described, KeyError, key};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of the evolution strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenaiEsParams {
    /// The number of networks: pairs of opposite steps from the centre, and the centre itself; twice if the number is
    /// even.
    pub population: usize,
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// How many of the last inputs go directly to the output with weight 1.
    pub wired: usize,
    /// The centre's weights and biases begin within ±range.
    pub range: f64,
    /// The standard deviation of networks from the centre.
    pub sigma: f64,
    /// How far each weight of the centre moves in a generation if the directions of all generations agree.
    pub rate: f64,
    /// The share of earlier generations in the mean direction (Adam's first beta).
    pub momentum: f64,
    /// The share of earlier generations in the mean squared direction, by whose root the direction is divided (Adam's
    /// second beta).
    pub scaling: f64,
    /// Weight decay: this multiple of each weight is subtracted from its direction, which is computed from ranks from
    /// −½ to ½.
    pub decay: f64,
}

/// The highest share of earlier generations.
const MOST_KEPT: f64 = 0.9999;
/// Added to the root of the mean squared direction, so that no division is by 0.
const LEAST_SIZE: f64 = 1e-8;

const KEYS: &[Described] = &[
    key(
        "population",
        "number of networks: pairs of opposite steps, and the centre, twice if the number is even",
        POPULATION,
    ),
    HIDDEN,
    WIRED,
    layers::range("weights and biases of the first centre are within ±range; above 0", 100.0),
    key("sigma", "standard deviation of networks from the centre", Number(1e-6, 100.0)),
    key(
        "rate",
        "how far each weight of the centre moves in a generation if all generations agree; above 0",
        Number(0.0, 10.0),
    ),
    key("momentum", "share of earlier generations in the mean direction (Adam's first beta)", Number(0.0, MOST_KEPT)),
    key(
        "scaling",
        "share of earlier generations in the mean squared direction (Adam's second beta)",
        Number(0.0, MOST_KEPT),
    ),
    key("decay", "weight decay: the share of each weight that is subtracted from its direction", CHANCE),
];

has_layers!(OpenaiEsParams);
default_of_experiment!(OpenaiEsParams, "nim-2x4-openai-es");

impl StrategyParams for OpenaiEsParams {
    fn info() -> StrategyInfo {
        let about = "layered networks of one size around a centre, which follows the better of opposite steps (OpenAI's evolution strategy)";
        StrategyInfo { name: "openai-es", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        let rule = "it must be at least 3: the centre and a pair";
        must(self.population >= 3, "population", self.population, rule)?;
        above_0("range", self.range, 100.0)?;
        within("sigma", self.sigma, 1e-6, 100.0)?;
        above_0("rate", self.rate, 10.0)?;
        within("momentum", self.momentum, 0.0, MOST_KEPT)?;
        within("scaling", self.scaling, 0.0, MOST_KEPT)?;
        within("decay", self.decay, 0.0, 1.0)
    }

    made_by!(OpenaiEs of layers);

    fn footprint(&self, shape: Shape) -> Footprint {
        let mut found = Footprint::of_layers(self.population, self.layers().sizes(shape), 1);
        let centre = bytes::<f64>(4 * self.layers().weights(shape) as u64);
        found.breeding = found.breeding.saturating_add(centre);
        found.saved = found.saved.saturating_add(centre);
        found
    }
}

impl OpenaiEsParams {
    /// The number of networks in pairs; the others are the centre.
    fn paired(&self) -> usize {
        (self.population - 1) / 2 * 2
    }
}

/// Pairs of networks, each at two neighbouring places, then their centre.
pub(crate) struct OpenaiEs {
    params: OpenaiEsParams,
    networks: Vec<Arc<Network>>,
    centre: Centre,
}

/// The point around which networks are drawn, and how it has been moving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Centre {
    weights: Vec<f64>,
    /// The mean direction over the last generations.
    directions: Vec<f64>,
    /// The mean squared direction over the last generations.
    squares: Vec<f64>,
    /// How much of the two means is still missing, because the first generations had no earlier ones.
    missing: [f64; 2],
}

impl OpenaiEs {
    pub(crate) fn create(params: &OpenaiEsParams, shape: Shape, rng: &mut Rng) -> OpenaiEs {
        let first = params.layers().random(shape, params.range, rng);
        let weights: Vec<f64> = first.weights().iter().copied().map(f64::from).collect();
        let still = vec![0.0; weights.len()];
        let centre = Centre { weights, directions: still.clone(), squares: still, missing: [1.0; 2] };
        let mut networks: Vec<Arc<Network>> =
            (0..params.paired() / 2).flat_map(|_| centre.pair(params.sigma, &first, rng)).collect();
        networks.resize(params.population, centre.network(&first));
        OpenaiEs { params: params.clone(), networks, centre }
    }

    pub(crate) fn restore(params: &OpenaiEsParams, shape: Shape, bytes: &[u8]) -> Result<OpenaiEs, NetworkError> {
        let (networks, centre): (Vec<Arc<Network>>, Centre) = postcard::from_bytes(bytes).map_err(broken)?;
        params.layers().all_bounded(shape, params.population, &networks)?;
        centre.checked(params.layers().weights(shape)).map_err(broken)?;
        Ok(OpenaiEs { params: params.clone(), networks, centre })
    }

    /// The direction in which the better networks of all pairs lie, in standard deviations. Each pair is weighted by
    /// the difference of its ranks.
    fn lead(&self, scores: &[f64]) -> Vec<f64> {
        let paired = self.params.paired();
        let ranks = centred_ranks(&scores[..paired]);
        let mut lead = vec![0.0; self.centre.weights.len()];
        for (pair, ranks) in self.networks[..paired].chunks_exact(2).zip(ranks.chunks_exact(2)) {
            let [one, two] = [&pair[0], &pair[1]].map(|network| layered(network).weights());
            let times = (ranks[0] - ranks[1]) / (2.0 * self.params.sigma * paired as f64);
            for (number, (one, two)) in lead.iter_mut().zip(one.iter().zip(two)) {
                *number += times * (f64::from(*one) - f64::from(*two));
            }
        }
        lead
    }
}

impl Centre {
    /// Two networks: one is a random step away from the centre, the other the opposite step.
    fn pair(&self, sigma: f64, like: &Layered, rng: &mut Rng) -> [Arc<Network>; 2] {
        let step = |&number: &f64| {
            let step = sigma * f64::from(rng.gaussian());
            (bounded(number + step), bounded(number - step))
        };
        let (one, two) = self.weights.iter().map(step).unzip();
        [one, two].map(|weights| Arc::new(with_weights(like, weights)))
    }

    /// The network at the centre.
    fn network(&self, like: &Layered) -> Arc<Network> {
        Arc::new(with_weights(like, self.weights.iter().copied().map(bounded).collect()))
    }

    /// Moves the centre by Adam in the direction `lead`, minus the weight decay.
    fn follow(&mut self, lead: &[f64], params: &OpenaiEsParams) {
        let kept = [params.momentum, params.scaling];
        self.missing = [0, 1].map(|mean| self.missing[mean] * kept[mean]);
        let [by_direction, by_square] = self.missing.map(|missing| 1.0 - missing);
        let means = self.directions.iter_mut().zip(&mut self.squares);
        for ((weight, (mean, square)), lead) in self.weights.iter_mut().zip(means).zip(lead) {
            let direction = lead - params.decay * *weight;
            *mean = params.momentum * *mean + (1.0 - params.momentum) * direction;
            *square = params.scaling * *square + (1.0 - params.scaling) * direction * direction;
            let size = (*square / by_square).sqrt() + LEAST_SIZE;
            *weight = (*weight + params.rate * (*mean / by_direction) / size).clamp(-MOST_WEIGHT, MOST_WEIGHT);
        }
    }

    /// Checks that this can be the centre of networks with this number of weights; the error says why not.
    fn checked(&self, weights: usize) -> Result<(), &'static str> {
        // A lead is below 1000 deviations of at least a millionth, so no direction is longer than these limits.
        let within = |numbers: &[f64], most: f64| numbers.len() == weights && numbers.iter().all(|n| n.abs() <= most);
        if !within(&self.weights, MOST_WEIGHT) || !within(&self.directions, 1e12) || !within(&self.squares, 1e24) {
            return Err("its centre is invalid");
        }
        if self.squares.iter().any(|square| *square < 0.0) || !self.missing.iter().all(|n| (0.0..=1.0).contains(n)) {
            return Err("the movement of its centre is invalid");
        }
        Ok(())
    }
}

/// By place, ranks from −½ for the lowest score to ½ for the highest, in equal steps; equal scores share their mean
/// rank.
fn centred_ranks(scores: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&one, &two| scores[one].total_cmp(&scores[two]));
    let mut ranks = vec![0.0; scores.len()];
    let mut below = 0;
    for equals in order.chunk_by(|&one, &two| scores[one] == scores[two]) {
        let mean = below as f64 + (equals.len() - 1) as f64 / 2.0;
        equals.iter().for_each(|&place| ranks[place] = mean / (scores.len() - 1) as f64 - 0.5);
        below += equals.len();
    }
    ranks
}

impl Strategy for OpenaiEs {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let lead = self.lead(results.scores);
        self.centre.follow(&lead, &self.params);
        let (pairs, rest) = self.networks.split_at_mut(self.params.paired());
        for pair in pairs.chunks_exact_mut(2) {
            let new = self.centre.pair(self.params.sigma, layered(&pair[0]), rng);
            pair.clone_from_slice(&new);
        }
        let centre = self.centre.network(layered(&rest[0]));
        rest.fill(centre);
    }

    fn chosen(&self) -> Option<usize> {
        Some(self.networks.len() - 1)
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&(&self.networks, &self.centre)).expect("networks can always be written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::layers::trial::{self, SHAPE};
    use chance::rng_for;

    fn params() -> OpenaiEsParams {
        OpenaiEsParams {
            population: 21,
            hidden: vec![2],
            wired: 1,
            range: 1.0,
            sigma: 0.1,
            rate: 0.05,
            momentum: 0.9,
            scaling: 0.999,
            decay: 0.0,
        }
    }

    /// The largest difference between two lists of weights.
    fn largest(one: &[f64], other: impl Fn(usize) -> f64) -> f64 {
        one.iter().enumerate().map(|(place, number)| (number - other(place)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn what_is_wanted_is_approached() {
        let mut strategy = OpenaiEs::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let first = trial::nearest(&strategy);
        trial::go_on(&mut strategy, 0..150);
        // Samples with a deviation of 0.1 in each of 11 weights cannot come nearer.
        let last = trial::nearest(&strategy);
        assert!(first > 1.5 && last < 0.3, "{first} to {last}");
    }

    #[test]
    fn pairs_are_opposite() {
        let strategy = OpenaiEs::create(&params(), SHAPE, &mut rng_for(1, &[]));
        for pair in strategy.networks()[..20].chunks(2) {
            let [one, two] = [&pair[0], &pair[1]].map(|network| layered(network).weights());
            assert!(largest(&strategy.centre.weights, |place| f64::from(one[place] + two[place]) / 2.0) < 1e-6);
            assert!(one[0] != two[0]);
        }
    }

    #[test]
    fn the_centre_is_the_champion_and_fills_the_places_after_the_pairs() {
        for (population, centres) in [(21, 1), (20, 2)] {
            let params = OpenaiEsParams { population, ..params() };
            let mut strategy = OpenaiEs::create(&params, SHAPE, &mut rng_for(1, &[]));
            for generation in 0..3 {
                assert_eq!(strategy.networks().len(), population);
                let shown = &strategy.networks()[strategy.chosen().unwrap()];
                assert!(largest(&strategy.centre.weights, |place| f64::from(layered(shown).weights()[place])) < 1e-6);
                assert_eq!(strategy.networks().iter().filter(|network| *network == shown).count(), centres);
                trial::go_on(&mut strategy, generation..generation + 1);
            }
        }
    }

    #[test]
    fn ranks_are_centred_and_equals_share_theirs() {
        assert_eq!(centred_ranks(&[3.0, 1.0, 2.0]), [0.5, -0.5, 0.0]);
        assert_eq!(centred_ranks(&[7.0, 1.0, 7.0, 0.0, 9.0]), [0.125, -0.25, 0.125, -0.5, 0.5]);
        assert_eq!(centred_ranks(&[4.0; 6]), [0.0; 6]);
    }

    /// Adam's first step moves every weight by the rate, whatever the lead. Without a lead only the decay moves
    /// weights.
    #[test]
    fn the_centre_follows() {
        let mut strategy = OpenaiEs::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let before = strategy.centre.weights.clone();
        strategy.advance(&Results::of(&[1.0; 21]), &mut rng_for(2, &[0]));
        assert_eq!(strategy.centre.weights, before);
        let scores = trial::scores(&strategy);
        let lead = strategy.lead(&scores);
        let mut centre = Centre { missing: [1.0; 2], ..strategy.centre.clone() };
        centre.follow(&lead, &params());
        assert!(largest(&centre.weights, |place| before[place] + 0.05 * lead[place].signum()) < 1e-4);
        strategy.params.decay = 1.0;
        for generation in 0..200 {
            strategy.advance(&Results::of(&[1.0; 21]), &mut rng_for(2, &[generation]));
        }
        assert!(largest(&strategy.centre.weights, |_| 0.0) < 0.1, "{:?}", strategy.centre.weights);
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        let params = OpenaiEsParams { decay: 0.01, ..params() };
        trial::check_saving(
            |rng| OpenaiEs::create(&params, SHAPE, rng),
            |shape, bytes| OpenaiEs::restore(&params, shape, bytes),
        );
        let mut strategy = OpenaiEs::create(&params, SHAPE, &mut rng_for(1, &[]));
        strategy.centre.squares[0] = -1.0;
        let error = OpenaiEs::restore(&params, SHAPE, &strategy.save()).err().unwrap().0;
        assert_eq!(error, "the saved population cannot be read: the movement of its centre is invalid");
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |params: OpenaiEsParams, why: &str| {
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        assert_eq!(params().checked(), Ok(()));
        check(OpenaiEsParams { population: 0, ..params() }, "population is 0, but it must be from 2 to 1000000");
        check(OpenaiEsParams { population: 2, ..params() }, "population is 2, but it must be at least 3");
        check(OpenaiEsParams { range: -1.0, ..params() }, "range is -1, but it must be above 0, up to 100");
        check(OpenaiEsParams { sigma: 0.0, ..params() }, "sigma is 0, but it must be from 0.000001 to 100");
        check(OpenaiEsParams { rate: f64::NAN, ..params() }, "rate is NaN, but it must be above 0, up to 10");
        check(OpenaiEsParams { momentum: 1.0, ..params() }, "momentum is 1, but it must be from 0 to 0.9999");
        check(OpenaiEsParams { scaling: -0.1, ..params() }, "scaling is -0.1, but it must be from 0 to 0.9999");
        check(OpenaiEsParams { decay: 1.5, ..params() }, "decay is 1.5, but it must be from 0 to 1");
    }
}
