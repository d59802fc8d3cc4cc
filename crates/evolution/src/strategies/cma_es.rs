//! CMA-ES on the weights of a layered network: networks are drawn from a normal distribution, which moves, widens and turns
//! to where the better half of them are. Only ranks count, so that it does not matter what scores are relative to. Its mean
//! plays, too, in the last place: it is what has been learned, and the champion.

mod distribution;
mod eigen;
mod rates;
mod vectors;

use super::layers::{self, HIDDEN, Layers, WIRED, bounded, broken, has_layers, layered, with_weights};
use crate::footprint::bytes;
use crate::inheritance::ranking;
use crate::params::{POPULATION, above_0, checked_population, must, within, StrategyInfo, StrategyParams, default_of_experiment, made_by};
use crate::strategy::{Results, Strategy};
use crate::{Footprint, Layered, Network, NetworkError, Shape};
use chance::Rng;
use distribution::{Distribution, State};
use parameters::{Allowed::*, Described, KeyError, key};
use rates::Form;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmaEsParams {
    /// How many networks play each generation: the mean, and those that are drawn, of which the better half count.
    pub population: usize,
    /// How many nodes each hidden layer has.
    pub hidden: Vec<usize>,
    /// So many of the last inputs go straight to the output, with weight 1.
    pub wired: usize,
    /// The weights and biases around which the first are drawn are within ±range.
    pub range: f64,
    /// The deviation with which the first are drawn.
    pub sigma: f64,
    /// Which covariances of weights are learned.
    pub covariance: Covariance,
}

/// Which covariances of weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covariance {
    /// Those of every two weights.
    Full,
    /// The variance of each weight alone.
    Separable,
    /// Full up to 200 weights, separable beyond.
    Auto,
}

/// Up to so many weights `auto` is full. With 200 samples of so many weights breeding takes about 10 ms a generation, and
/// hundreds of generations to learn covariances; both grow at least by the square.
const MOST_AUTO: usize = 200;
/// The most weights that full covariances are learned of: a slip of the finger should not take a day.
const MOST_FULL: usize = 2000;

const KEYS: &[Described] = &[
    key("population", "how many networks: the mean, and those drawn around it each generation; at least 3", POPULATION),
    HIDDEN,
    WIRED,
    layers::range("the weights and biases around which the first networks are drawn are within ±range; above 0", 100.0),
    key("sigma", "the deviation with which the first networks are drawn", Number(1e-6, 100.0)),
    key(
        "covariance",
        "which covariances of weights are learned",
        Choice(&[
            ("full", "those of every two weights; up to 2000 weights"),
            ("separable", "the variance of each weight alone, which is faster"),
            ("auto", "full up to 200 weights, separable beyond"),
        ]),
    ),
];

has_layers!(CmaEsParams);
default_of_experiment!(CmaEsParams, "nim-2x4-cma-es");

impl StrategyParams for CmaEsParams {
    fn info() -> StrategyInfo {
        let about = "layered networks of one size, drawn from a distribution that moves, widens and turns to the better half (CMA-ES)";
        StrategyInfo { name: "cma-es", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        let rule = "it must be at least 3: the mean, and two of which one counts";
        must(self.population >= 3, "population", self.population, rule)?;
        above_0("range", self.range, 100.0)?;
        within("sigma", self.sigma, 1e-6, 100.0)
    }

    fn fits(&self, shape: Shape) -> Result<(), KeyError> {
        self.layers().fits(shape)?;
        let weights = self.layers().weights(shape);
        let rule = format_args!("the networks have {weights} weights and biases; up to {MOST_FULL} it can be");
        must(self.covariance != Covariance::Full || weights <= MOST_FULL, "covariance", "full", rule)
    }

    made_by!(CmaEs);

    fn footprint(&self, shape: Shape) -> Footprint {
        let mut found = Footprint::of_layers(self.population, self.layers().sizes(shape), 1);
        let weights = self.layers().weights(shape) as u64;
        // The better half in double precision, and the distribution.
        let better = bytes::<f64>(weights).saturating_mul(self.population as u64 / 2);
        let distribution = match self.form(weights as usize) {
            // Covariances, those that are drawn by, axes, and room to find them.
            Form::Full => bytes::<f64>(weights.saturating_mul(weights)).saturating_mul(4),
            Form::Separable => bytes::<f64>(weights).saturating_mul(8),
        };
        found.breeding = found.breeding.saturating_add(better).saturating_add(distribution);
        found.saved = found.saved.saturating_add(distribution / 3);
        found
    }
}

impl CmaEsParams {
    /// How many are drawn.
    fn samples(&self) -> usize {
        self.population - 1
    }

    fn form(&self, weights: usize) -> Form {
        match self.covariance {
            Covariance::Full => Form::Full,
            Covariance::Separable => Form::Separable,
            Covariance::Auto if weights <= MOST_AUTO => Form::Full,
            Covariance::Auto => Form::Separable,
        }
    }
}

/// Networks, and the distribution that they were drawn from, whose mean is the last of them.
pub(crate) struct CmaEs {
    networks: Vec<Arc<Network>>,
    distribution: Distribution,
}

impl CmaEs {
    pub(crate) fn create(params: &CmaEsParams, shape: Shape, rng: &mut Rng) -> CmaEs {
        let centre = params.layers().random(shape, params.range, rng);
        let mean: Vec<f64> = centre.weights().iter().copied().map(f64::from).collect();
        let form = params.form(mean.len());
        let distribution = Distribution::new(mean, params.sigma, params.samples(), form);
        let samples = (0..params.samples()).map(|_| drawn(&distribution, &centre, rng));
        CmaEs { networks: samples.chain([middle(&distribution, &centre)]).collect(), distribution }
    }

    pub(crate) fn restore(params: &CmaEsParams, shape: Shape, bytes: &[u8]) -> Result<CmaEs, NetworkError> {
        let (networks, state): (Vec<Arc<Network>>, State) = postcard::from_bytes(bytes).map_err(broken)?;
        params.layers().all_bounded(shape, params.population, &networks)?;
        let size = params.layers().weights(shape);
        let distribution = Distribution::restore(state, size, params.samples(), params.form(size)).map_err(broken)?;
        Ok(CmaEs { networks, distribution })
    }
}

/// A new network of the same form as another.
fn drawn(distribution: &Distribution, like: &Layered, rng: &mut Rng) -> Arc<Network> {
    Arc::new(with_weights(like, distribution.sample(rng).into_iter().map(bounded).collect()))
}

/// The network in the middle of all that can be drawn.
fn middle(distribution: &Distribution, like: &Layered) -> Arc<Network> {
    Arc::new(with_weights(like, distribution.mean().iter().copied().map(bounded).collect()))
}

impl Strategy for CmaEs {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    /// Of equal scores the lower place counts as the better; as all places are drawn alike, that favours nothing.
    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let numbers = |place: &usize| {
            let weights = layered(&self.networks[*place]).weights();
            weights.iter().copied().map(f64::from).collect()
        };
        let samples = self.networks.len() - 1;
        let best = &ranking(&results.scores[..samples])[..self.distribution.parents()];
        self.distribution.learn(best.iter().map(numbers).collect());
        for network in &mut self.networks[..samples] {
            *network = drawn(&self.distribution, layered(network), rng);
        }
        self.networks[samples] = middle(&self.distribution, layered(&self.networks[samples]));
    }

    fn chosen(&self) -> Option<usize> {
        Some(self.networks.len() - 1)
    }

    fn save(&self) -> Vec<u8> {
        let all = (&self.networks, self.distribution.state());
        postcard::to_allocvec(&all).expect("networks can always be written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::layers::trial::{self, SHAPE};
    use chance::rng_for;

    fn params(covariance: Covariance) -> CmaEsParams {
        CmaEsParams { population: 13, hidden: vec![2], wired: 1, range: 1.0, sigma: 0.3, covariance }
    }

    const ALL: [Covariance; 3] = [Covariance::Full, Covariance::Separable, Covariance::Auto];

    #[test]
    fn what_is_wanted_is_approached() {
        for covariance in ALL {
            let mut strategy = CmaEs::create(&params(covariance), SHAPE, &mut rng_for(1, &[]));
            let first = trial::nearest(&strategy);
            trial::go_on(&mut strategy, 0..200);
            let last = trial::nearest(&strategy);
            assert!(last < 1e-4 * first, "{covariance:?}: {first} to {last}");
        }
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        for covariance in ALL {
            let params = params(covariance);
            trial::check_saving(
                |rng| CmaEs::create(&params, SHAPE, rng),
                |shape, bytes| CmaEs::restore(&params, shape, bytes),
            );
        }
        // What one form saved is nothing to the other.
        let bytes = CmaEs::create(&params(Covariance::Full), SHAPE, &mut rng_for(1, &[])).save();
        let error = CmaEs::restore(&params(Covariance::Separable), SHAPE, &bytes).err().unwrap().0;
        assert_eq!(error, "the saved population cannot be read: its covariance is none");
    }

    /// What is shown is the mean, and scores of its own do not move it.
    #[test]
    fn the_mean_is_chosen() {
        let mut strategy = CmaEs::create(&params(Covariance::Full), SHAPE, &mut rng_for(1, &[]));
        trial::go_on(&mut strategy, 0..20);
        let place = strategy.chosen().unwrap();
        let shown = layered(&strategy.networks()[place]).weights().to_vec();
        assert!(shown.iter().zip(strategy.distribution.mean()).all(|(one, two)| *one == *two as f32));
        let mut scores = trial::scores(&strategy);
        let mut other = CmaEs::restore(&params(Covariance::Full), SHAPE, &strategy.save()).unwrap();
        strategy.advance(&Results::of(&scores), &mut rng_for(3, &[]));
        scores[place] += 1e9;
        other.advance(&Results::of(&scores), &mut rng_for(3, &[]));
        assert_eq!(strategy.save(), other.save());
    }

    /// With many weights axes are found only now and then; a run that is resumed in between must not notice.
    #[test]
    fn saving_between_axes_changes_nothing() {
        let params = CmaEsParams { population: 7, hidden: vec![10], ..params(Covariance::Full) };
        let mut one = CmaEs::create(&params, SHAPE, &mut rng_for(1, &[]));
        let mut waited = 0;
        for generation in 0..30 {
            let mut other = CmaEs::restore(&params, SHAPE, &one.save()).unwrap();
            trial::go_on(&mut one, generation..generation + 1);
            trial::go_on(&mut other, generation..generation + 1);
            assert_eq!(one.save(), other.save());
            waited += u32::from(one.distribution.is_waiting());
        }
        assert!((15..30).contains(&waited), "{waited}");
    }

    /// Where all are equally good, the distribution neither runs away nor collapses, and numbers stay numbers.
    #[test]
    fn equal_scores_lead_nowhere() {
        for covariance in ALL {
            let mut strategy = CmaEs::create(&params(covariance), SHAPE, &mut rng_for(1, &[]));
            for generation in 0..1000 {
                strategy.advance(&Results::of(&[0.5; 13]), &mut rng_for(2, &[generation]));
            }
            let largest =
                |network: &Arc<Network>| layered(network).weights().iter().fold(0.0f32, |a, b| a.max(b.abs()));
            let largest = strategy.networks().iter().map(largest).fold(0.0, f32::max);
            assert!((0.01..500.0).contains(&largest), "{covariance:?}: {largest}");
            CmaEs::restore(&params(covariance), SHAPE, &strategy.save()).unwrap();
        }
    }

    /// A score that rises for ever drives weights to their bounds, not beyond; and one that asks for less than single
    /// precision has leaves a distribution that can be saved.
    #[test]
    fn numbers_stay_numbers() {
        for covariance in ALL {
            for sign in [1.0, -1.0] {
                let params = params(covariance);
                let mut strategy = CmaEs::create(&params, SHAPE, &mut rng_for(1, &[]));
                let size = |network: &Arc<Network>| {
                    sign * layered(network).weights().iter().map(|&weight| f64::from(weight).abs()).sum::<f64>()
                };
                for generation in 0..1500 {
                    let scores: Vec<f64> = strategy.networks().iter().map(size).collect();
                    strategy.advance(&Results::of(&scores), &mut rng_for(2, &[generation]));
                }
                let restored = CmaEs::restore(&params, SHAPE, &strategy.save()).unwrap();
                let weights = restored.networks().iter().flat_map(|network| layered(network).weights());
                assert!(weights.into_iter().all(|weight| weight.abs() <= 1000.0));
                let reached = size(&restored.networks()[0]);
                assert!(reached > if sign > 0.0 { 5000.0 } else { -1e-6 }, "{covariance:?}: {reached}");
            }
        }
    }

    #[test]
    fn parameters_that_cannot_be() {
        let check = |params: CmaEsParams, why: &str| {
            let error = params.checked().and_then(|()| params.fits(SHAPE)).unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        let params = || params(Covariance::Full);
        assert_eq!(params().checked().and_then(|()| params().fits(SHAPE)), Ok(()));
        check(CmaEsParams { population: 2, ..params() }, "population is 2, but it must be at least 3");
        check(CmaEsParams { range: 0.0, ..params() }, "range is 0, but it must be above 0, up to 100");
        check(CmaEsParams { sigma: 0.0, ..params() }, "sigma is 0, but it must be from 0.000001 to 100");
        check(CmaEsParams { sigma: f64::NAN, ..params() }, "sigma is NaN, but it must be");
        check(CmaEsParams { wired: 4, ..params() }, "wired is 4, but there are 4 inputs");
        let why = "covariance is full, but the networks have 2501 weights and biases; up to 2000 it can be";
        check(CmaEsParams { hidden: vec![500], ..params() }, why);
        assert_eq!(CmaEsParams { hidden: vec![500], covariance: Covariance::Auto, ..params() }.fits(SHAPE), Ok(()));
    }
}
