//! The strategy of Blondie24 (Chellapilla and Fogel 1999, 2001): layered networks with a step size for every weight,
//! which mutates, too. Each parent has one child, there is no crossover, and the better half stays.

use super::layers::{self, HIDDEN, Layers, WIRED, bounded, broken, has_layers, layered};
use crate::activation::exp;
use crate::inheritance::{Descent, Inheritance, Way, inheritance, ranking};
use crate::params::{
    POPULATION, StrategyInfo, StrategyParams, above_0, checked_population, default_of_experiment, from_0, made_by, must,
};
use crate::strategy::{Results, Strategy};
use crate::{Footprint, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::*, Described, FROM_0, KeyError, OPEN, key};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of Blondie24's strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlondieParams {
    /// The number of networks: half are parents, half children.
    pub population: usize,
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// How many of the last inputs go directly to the output with weight 1.
    pub wired: usize,
    /// Weights and biases begin within ±range.
    pub range: f64,
    /// The first step sizes.
    pub step: f64,
    /// The first values of the genes, which networks carry for their encoder.
    pub genes: Vec<f64>,
    /// From parent to child a gene moves by this amount up or down, or stays.
    pub gene_step: f64,
    /// The lowest value of a gene.
    pub gene_low: f64,
    /// The highest value of a gene.
    pub gene_high: f64,
}

/// The lowest and the highest step size, so that all numbers stay finite.
const STEPS: (f32, f32) = (1e-5, 10.0);

/// The highest allowed first weights and step sizes.
const MOST: f64 = 10.0;

const KEYS: &[Described] = &[
    key("population", "number of networks, half of them parents: an even number", POPULATION),
    HIDDEN,
    WIRED,
    layers::range("weights and biases begin within ±range; above 0", MOST),
    key("step", "first step sizes, which mutate with the weights; above 0", Number(0.0, MOST)),
    key(
        "genes",
        "first values of the genes, which the encoder uses instead of the setup's: as many as the encoder has, or none",
        NumberList,
    ),
    key("gene_step", "from parent to child a gene moves by this amount up or down, or stays", FROM_0),
    key("gene_low", "lowest value of a gene, within the encoder's bounds", Number(-OPEN, OPEN)),
    key("gene_high", "highest value of a gene, within the encoder's bounds", Number(-OPEN, OPEN)),
];

has_layers!(BlondieParams);
default_of_experiment!(BlondieParams, "draughts-blondie24");

impl StrategyParams for BlondieParams {
    fn info() -> StrategyInfo {
        let about =
            "layered networks with a step size for each weight; one child each, the better half stays (Blondie24)";
        StrategyInfo { name: "blondie", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        let population = self.population;
        checked_population(population)?;
        must(population.is_multiple_of(2), "population", population, "it must be even: half are parents")?;
        above_0("range", self.range, MOST)?;
        above_0("step", self.step, MOST)?;
        from_0("gene_step", self.gene_step)?;
        let (low, high) = (self.gene_low, self.gene_high);
        let right = low.is_finite() && high.is_finite() && low <= high;
        must(
            right,
            "gene_low",
            format_args!("{low} and gene_high {high}"),
            "both must be numbers, and gene_low must not be above gene_high",
        )?;
        self.genes.iter().try_for_each(|gene| {
            let rule = format_args!("each must be from gene_low {low} to gene_high {high}");
            must((low..=high).contains(gene), "genes", format_args!("{gene} among others"), rule)
        })
    }

    made_by!(Blondie of layers);

    /// Every weight also has a step size.
    fn footprint(&self, shape: Shape) -> Footprint {
        Footprint::of_layers(self.population, self.layers().sizes(shape), 2)
    }

    fn genes(&self) -> usize {
        self.genes.len()
    }

    fn gene_bounds(&self) -> Option<(f64, f64)> {
        (!self.genes.is_empty()).then_some((self.gene_low, self.gene_high))
    }
}

/// The parents, then their children.
pub(crate) struct Blondie {
    params: BlondieParams,
    /// Whether this is the first generation.
    first: bool,
    networks: Vec<Arc<Network>>,
    /// The step sizes of each network.
    steps: Vec<Vec<f32>>,
    inheritance: Vec<Inheritance>,
}

impl Blondie {
    pub(crate) fn create(params: &BlondieParams, shape: Shape, rng: &mut Rng) -> Blondie {
        let network = |_| {
            let network = params.layers().random(shape, params.range, rng);
            let genes = params.genes.iter().map(|&gene| gene as f32).collect();
            Arc::new(Network::Layered(network.with_weights(network.weights().to_vec(), genes)))
        };
        let networks: Vec<Arc<Network>> = (0..params.population).map(network).collect();
        let steps = networks.iter().map(|network| vec![params.step as f32; layered(network).weights().len()]).collect();
        Blondie { params: params.clone(), first: true, networks, steps, inheritance: Vec::new() }
    }

    pub(crate) fn restore(params: &BlondieParams, shape: Shape, bytes: &[u8]) -> Result<Blondie, NetworkError> {
        let (first, saved): (bool, Vec<(Network, Vec<f32>)>) = postcard::from_bytes(bytes).map_err(broken)?;
        if saved.len() != params.population {
            return Err(broken(format!("{} networks instead of {}", saved.len(), params.population)));
        }
        for (network, steps) in &saved {
            params.layers().checked(shape, params.genes.len(), network)?;
            if layered(network).weights().len() != steps.len() || !steps.iter().all(|step| step.is_finite()) {
                return Err(broken("the number of step sizes is not the number of weights, or one is not a number"));
            }
        }
        let (networks, steps) = saved.into_iter().map(|(network, steps)| (Arc::new(network), steps)).unzip();
        Ok(Blondie { params: params.clone(), first, networks, steps, inheritance: Vec::new() })
    }

    /// The origin of each network: the better half of the last generation by rank, then a child of each.
    fn descents(&self) -> Vec<Descent> {
        let half = self.networks.len() / 2;
        let descent = |place: usize| match place {
            _ if self.first => Descent { way: Way::First, parents: [place; 2], change: None },
            _ if place < half => Descent { way: Way::Elite, parents: [place; 2], change: None },
            _ => Descent { way: Way::Mutation, parents: [place - half; 2], change: None },
        };
        (0..self.networks.len()).map(descent).collect()
    }

    /// A child of a parent. Its step sizes mutate first; then they decide how far its weights move.
    fn child(&self, parent: usize, rng: &mut Rng) -> (Arc<Network>, Vec<f32>) {
        let network = layered(&self.networks[parent]);
        let count = network.weights().len() as f64;
        let spread = (1.0 / (2.0 * count.sqrt()).sqrt()) as f32;
        let changed = |step: &f32, rng: &mut Rng| (step * exp(spread * rng.gaussian())).clamp(STEPS.0, STEPS.1);
        let steps: Vec<f32> = self.steps[parent].iter().map(|step| changed(step, rng)).collect();
        let moved = |(weight, step): (&f32, &f32)| bounded(f64::from(weight + step * rng.gaussian()));
        let weights = network.weights().iter().zip(&steps).map(moved).collect();
        let BlondieParams { gene_step, gene_low, gene_high, .. } = self.params;
        let gene = |gene: &f32| {
            let way = [-1.0, 0.0, 1.0][rng.below(3)];
            (gene + (way * gene_step) as f32).clamp(gene_low as f32, gene_high as f32)
        };
        let genes = network.genes().iter().map(gene).collect();
        (Arc::new(Network::Layered(network.with_weights(weights, genes))), steps)
    }
}

impl Strategy for Blondie {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let order = ranking(results.scores);
        let parents = &order[..order.len() / 2];
        self.inheritance = inheritance(&self.descents(), results.scores, parents.len());
        let stay = parents.iter().map(|&place| (Arc::clone(&self.networks[place]), self.steps[place].clone()));
        let mut next: Vec<(Arc<Network>, Vec<f32>)> = stay.collect();
        next.extend(parents.iter().map(|&place| self.child(place, rng)));
        (self.networks, self.steps) = next.into_iter().unzip();
        self.first = false;
    }

    fn save(&self) -> Vec<u8> {
        let all: Vec<(&Network, &Vec<f32>)> = self.networks.iter().map(|network| &**network).zip(&self.steps).collect();
        postcard::to_allocvec(&(self.first, all)).expect("networks can always be written")
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    fn params() -> BlondieParams {
        BlondieParams {
            population: 20,
            hidden: vec![6, 3],
            wired: 1,
            range: 0.2,
            step: 0.05,
            genes: vec![2.0],
            gene_step: 0.1,
            gene_low: 1.0,
            gene_high: 3.0,
        }
    }

    const SHAPE: Shape = Shape { inputs: 5, outputs: 1 };

    /// Scores that reward a high gene and a high bias of the output.
    fn scores(strategy: &Blondie) -> Vec<f64> {
        let score = |network: &Arc<Network>| {
            let network = layered(network);
            f64::from(network.genes()[0] + network.weights()[network.weights().len() - 4])
        };
        strategy.networks().iter().map(score).collect()
    }

    #[test]
    fn the_better_half_stays_and_its_children_move() {
        let mut strategy = Blondie::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let first = scores(&strategy).into_iter().fold(f64::MIN, f64::max);
        for generation in 0..60 {
            let scores = scores(&strategy);
            let order = ranking(&scores);
            let before = strategy.networks().to_vec();
            strategy.advance(&Results::of(&scores), &mut rng_for(2, &[generation]));
            for (place, &parent) in order[..10].iter().enumerate() {
                assert!(Arc::ptr_eq(&before[parent], &strategy.networks()[place]));
                assert_ne!(before[parent], strategy.networks()[10 + place]);
            }
        }
        let last = scores(&strategy).into_iter().fold(f64::MIN, f64::max);
        assert!(last > first + 1.0, "{first} to {last}");
        assert!(strategy.networks().iter().all(|network| (1.0..=3.0).contains(&layered(network).genes()[0])));
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        let mut one = Blondie::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let mut other = Blondie::restore(&params(), SHAPE, &one.save()).unwrap();
        for strategy in [&mut one, &mut other] {
            for generation in 0..3 {
                let scores = scores(strategy);
                strategy.advance(&Results::of(&scores), &mut rng_for(2, &[generation]));
            }
        }
        assert_eq!(one.save(), other.save());
        assert_eq!(one.steps, other.steps);
        for (bytes, shape) in [(&one.save()[..9], SHAPE), (&one.save()[..], Shape { inputs: 6, outputs: 1 })] {
            assert!(Blondie::restore(&params(), shape, bytes).is_err());
        }
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |params: BlondieParams, why: &str| {
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        check(BlondieParams { population: 7, ..params() }, "population is 7, but it must be even");
        check(BlondieParams { step: 0.0, ..params() }, "step is 0, but it must be above 0");
        check(BlondieParams { genes: vec![4.0], ..params() }, "genes is 4 among others");
        check(BlondieParams { gene_low: 5.0, ..params() }, "gene_low is 5 and gene_high 3");
        let error = BlondieParams { hidden: vec![40, 0], ..params() }.layers().fits(SHAPE).unwrap_err().what;
        assert!(error.contains("the layers are 4-40-0-1, but each must have"), "{error}");
        let error = params().layers().fits(Shape { inputs: 1, outputs: 1 }).unwrap_err().what;
        assert!(error.contains("wired is 1, but there are 1 inputs"), "{error}");
    }
}
