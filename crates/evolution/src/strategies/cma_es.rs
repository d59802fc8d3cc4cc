//! CMA-ES on the weights of a layered network: networks are drawn from a normal distribution, which moves, widens and
//! turns toward the better half of them. Only ranks count, so the scale of scores does not matter. The mean of the
//! distribution plays, too, at the last place: it is what has been learned, and the champion.
//!
//! Scores of games are noisy, so the mean never comes to rest. With `averaged`, the champion is instead the average of all
//! means, of which later ones count more (Shamir and Zhang 2013): most of the noise is then gone.

mod distribution;
mod eigen;
mod rates;
mod vectors;

use super::layers::{self, HIDDEN, Layers, WIRED, bounded, broken, has_layers, layered, with_weights};
use crate::footprint::bytes;
use crate::inheritance::ranking;
use crate::params::{
    POPULATION, StrategyInfo, StrategyParams, above_0, checked_population, default_of_experiment, made_by, must, within,
};
use crate::strategy::{Results, Strategy};
use crate::{Footprint, Layered, Network, NetworkError, Shape};
use chance::Rng;
use distribution::{Distribution, State};
use parameters::{Allowed::*, Described, KeyError, key};
use rates::Form;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of CMA-ES.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmaEsParams {
    /// The number of networks in each generation: the mean, and the samples, of which the better half count.
    pub population: usize,
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// How many of the last inputs go directly to the output with weight 1.
    pub wired: usize,
    /// The weights and biases of the first mean are within ±range.
    pub range: f64,
    /// The standard deviation of the first samples.
    pub sigma: f64,
    /// Which covariances of weights are learned.
    pub covariance: Covariance,
    /// Whether the last network is the average of all means, and not the last mean. A key of version 0.2.
    #[serde(default, skip_serializing_if = "is_off")]
    pub averaged: bool,
}

fn is_off(switch: &bool) -> bool {
    !switch
}

/// Which covariances of weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covariance {
    /// The covariances of all pairs of weights.
    Full,
    /// Only the variance of each weight.
    Separable,
    /// Full up to 200 weights, separable beyond.
    Auto,
}

/// The highest number of weights for which `auto` is full. With this number and 200 samples, breeding takes about 10 ms
/// a generation, and learning the covariances takes hundreds of generations; both grow at least quadratically.
const MOST_AUTO: usize = 200;
/// The highest number of weights for full covariances, so that a typing error cannot stop the run.
const MOST_FULL: usize = 2000;

const KEYS: &[Described] = &[
    key(
        "population",
        "number of networks: the mean, and those drawn around it in each generation; at least 3",
        POPULATION,
    ),
    HIDDEN,
    WIRED,
    layers::range("weights and biases of the first mean are within ±range; above 0", 100.0),
    key("sigma", "standard deviation of the first networks from the mean", Number(1e-6, 100.0)),
    key(
        "covariance",
        "which covariances of weights are learned",
        Choice(&[
            ("full", "those of all pairs of weights; up to 2000 weights"),
            ("separable", "only the variance of each weight, which is faster"),
            ("auto", "full up to 200 weights, separable beyond"),
        ]),
    ),
    key(
        "averaged",
        "whether the champion is the average of all means so far, of which later ones count more, and not the last mean: \
         scores of games are noisy, and the average is less so",
        Switch,
    )
    .or("false"),
];

has_layers!(CmaEsParams);
default_of_experiment!(CmaEsParams, "nim-2x4-cma-es");

impl StrategyParams for CmaEsParams {
    fn info() -> StrategyInfo {
        let about = "layered networks of one size, drawn from a distribution that moves, widens and turns toward the better half (CMA-ES)";
        StrategyInfo { name: "cma-es", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        let rule = "it must be at least 3: the mean and two samples";
        must(self.population >= 3, "population", self.population, rule)?;
        above_0("range", self.range, 100.0)?;
        within("sigma", self.sigma, 1e-6, 100.0)
    }

    fn fits(&self, shape: Shape) -> Result<(), KeyError> {
        self.layers().fits(shape)?;
        let weights = self.layers().weights(shape);
        let rule = format_args!("the networks have {weights} weights and biases, and full needs at most {MOST_FULL}");
        must(self.covariance != Covariance::Full || weights <= MOST_FULL, "covariance", "full", rule)
    }

    made_by!(CmaEs);

    fn footprint(&self, shape: Shape) -> Footprint {
        let mut found = Footprint::of_layers(self.population, self.layers().sizes(shape), 1);
        let weights = self.layers().weights(shape) as u64;
        // The better half in double precision, and the distribution.
        let better = bytes::<f64>(weights).saturating_mul(self.population as u64 / 2);
        let distribution = match self.form(weights as usize) {
            // The covariances, those from which samples are drawn, the axes, and memory to compute them.
            Form::Full => bytes::<f64>(weights.saturating_mul(weights)).saturating_mul(4),
            Form::Separable => bytes::<f64>(weights).saturating_mul(8),
        };
        found.breeding = found.breeding.saturating_add(better).saturating_add(distribution);
        found.saved = found.saved.saturating_add(distribution / 3);
        if self.averaged {
            let average = bytes::<f64>(weights);
            found.breeding = found.breeding.saturating_add(average);
            found.saved = found.saved.saturating_add(average);
        }
        found
    }
}

impl CmaEsParams {
    /// The number of samples.
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

/// The networks, and the distribution from which they were drawn. The last network is its mean, or the average of its means.
pub(crate) struct CmaEs {
    networks: Vec<Arc<Network>>,
    distribution: Distribution,
    average: Option<Average>,
}

/// The average of the means of all generations.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Average {
    generations: u64,
    mean: Vec<f64>,
}

impl Average {
    /// With this number, the last half of the generations has nine tenths of the weight.
    const LATER: f64 = 3.0;

    fn add(&mut self, mean: &[f64]) {
        self.generations = self.generations.saturating_add(1);
        let share = (Average::LATER + 1.0) / (self.generations as f64 + Average::LATER);
        self.mean.iter_mut().zip(mean).for_each(|(average, number)| *average += share * (number - *average));
    }
}

impl CmaEs {
    pub(crate) fn create(params: &CmaEsParams, shape: Shape, rng: &mut Rng) -> CmaEs {
        let centre = params.layers().random(shape, params.range, rng);
        let mean: Vec<f64> = centre.weights().iter().copied().map(f64::from).collect();
        let form = params.form(mean.len());
        let distribution = Distribution::new(mean, params.sigma, params.samples(), form);
        let samples = (0..params.samples()).map(|_| drawn(&distribution, &centre, rng));
        let networks = samples.chain([middle(distribution.mean(), &centre)]).collect();
        let average = params.averaged.then(|| Average { generations: 0, mean: distribution.mean().to_vec() });
        CmaEs { networks, distribution, average }
    }

    pub(crate) fn restore(params: &CmaEsParams, shape: Shape, bytes: &[u8]) -> Result<CmaEs, NetworkError> {
        let ((networks, state), rest): ((Vec<Arc<Network>>, State), _) =
            postcard::take_from_bytes(bytes).map_err(broken)?;
        let average: Option<Average> = match params.averaged {
            true => Some(postcard::from_bytes(rest).map_err(broken)?),
            false => None,
        };
        params.layers().all_bounded(shape, params.population, &networks)?;
        let size = params.layers().weights(shape);
        let distribution = Distribution::restore(state, size, params.samples(), params.form(size)).map_err(broken)?;
        let is_sound = |average: &Average| average.mean.len() == size && average.mean.iter().all(|n| n.is_finite());
        if !average.as_ref().is_none_or(is_sound) {
            return Err(broken("its average is invalid"));
        }
        Ok(CmaEs { networks, distribution, average })
    }
}

/// A new random network with the layers of `like`.
fn drawn(distribution: &Distribution, like: &Layered, rng: &mut Rng) -> Arc<Network> {
    Arc::new(with_weights(like, distribution.sample(rng).into_iter().map(bounded).collect()))
}

/// The network with the weights of a mean.
fn middle(mean: &[f64], like: &Layered) -> Arc<Network> {
    Arc::new(with_weights(like, mean.iter().copied().map(bounded).collect()))
}

impl Strategy for CmaEs {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    /// Among equal scores the lower place counts as the better; all places are drawn in the same way, so this favours
    /// none.
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
        let mean = self.distribution.mean();
        let champion = match &mut self.average {
            Some(average) => {
                average.add(mean);
                &average.mean
            }
            None => mean,
        };
        self.networks[samples] = middle(champion, layered(&self.networks[samples]));
    }

    fn chosen(&self) -> Option<usize> {
        Some(self.networks.len() - 1)
    }

    fn save(&self) -> Vec<u8> {
        let written = "networks can always be written";
        let all = postcard::to_allocvec(&(&self.networks, self.distribution.state())).expect(written);
        match &self.average {
            Some(average) => postcard::to_extend(average, all).expect(written),
            None => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::layers::trial::{self, SHAPE};
    use chance::rng_for;

    fn params(covariance: Covariance) -> CmaEsParams {
        let averaged = false;
        CmaEsParams { population: 13, hidden: vec![2], wired: 1, range: 1.0, sigma: 0.3, covariance, averaged }
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

    /// The average of noisy means is nearer to the middle than most of them, and does not change the distribution.
    #[test]
    fn the_average_is_calmer_than_the_means() {
        let average = |means: &mut dyn Iterator<Item = f64>| {
            let mut average = Average { generations: 0, mean: vec![7.0] };
            means.for_each(|mean| average.add(&[mean]));
            average.mean[0]
        };
        assert_eq!(average(&mut [5.0].into_iter()), 5.0, "the first mean replaces what was there");
        let rng = &mut rng_for(1, &[]);
        assert!(average(&mut (0..400).map(|_| f64::from(rng.signed_unit()))).abs() < 0.1);
        let late = average(&mut (0..100).map(|number| f64::from(number >= 50)));
        assert!((0.9..0.95).contains(&late), "{late}");
        let plain = params(Covariance::Separable);
        let [mut one, mut two] = [false, true]
            .map(|averaged| CmaEs::create(&CmaEsParams { averaged, ..plain.clone() }, SHAPE, &mut rng_for(1, &[])));
        trial::go_on(&mut one, 0..30);
        trial::go_on(&mut two, 0..30);
        let samples = plain.samples();
        assert!(one.networks[..samples] == two.networks[..samples]);
        assert!(one.networks[samples] != two.networks[samples]);
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        for (covariance, averaged) in ALL.into_iter().flat_map(|covariance| [(covariance, false), (covariance, true)]) {
            let params = CmaEsParams { averaged, ..params(covariance) };
            trial::check_saving(
                |rng| CmaEs::create(&params, SHAPE, rng),
                |shape, bytes| CmaEs::restore(&params, shape, bytes),
            );
        }
        // The saved state of one form cannot be restored as the other.
        let bytes = CmaEs::create(&params(Covariance::Full), SHAPE, &mut rng_for(1, &[])).save();
        let error = CmaEs::restore(&params(Covariance::Separable), SHAPE, &bytes).err().unwrap().0;
        assert_eq!(error, "the saved population cannot be read: its covariance is invalid");
    }

    /// The champion is the mean, and its own score does not move it.
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

    /// With many weights the axes are computed only in some generations; resuming a run between must change nothing.
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

    /// With equal scores the distribution neither runs away nor collapses, and all numbers stay finite.
    #[test]
    fn equal_scores_keep_the_distribution_stable() {
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

    /// A score that rises for ever drives weights to their bounds and not beyond. A score that asks for more than
    /// single precision leaves a distribution that can be saved.
    #[test]
    fn numbers_stay_finite() {
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
    fn invalid_parameters_are_refused() {
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
        let why = "covariance is full, but the networks have 2501 weights and biases, and full needs at most 2000";
        check(CmaEsParams { hidden: vec![500], ..params() }, why);
        assert_eq!(CmaEsParams { hidden: vec![500], covariance: Covariance::Auto, ..params() }.fits(SHAPE), Ok(()));
    }
}
