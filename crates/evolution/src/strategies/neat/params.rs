//! The parameters of NEAT, their checks, and the first genomes.

use super::Neat;
use crate::neat::{
    Blueprint, ConnectionGene, CrossoverSettings, Genome, Innovations, Layout, MutationSettings, NodeGene,
    SpeciesSettings, Status,
};
use crate::params::{
    ACTIVATIONS, POPULATION, StrategyInfo, StrategyParams, chance, checked_activations, checked_population,
    default_of_experiment, made_by, must,
};
use crate::{Activation, Footprint, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::*, CHANCE, Described, FROM_0, KeyError, WHOLE, key};
use serde::{Deserialize, Serialize};

/// The parameters of NEAT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeatParams {
    /// The number of networks.
    pub population: usize,
    /// The activation function of hidden nodes: a name of [`Activation::NAMES`].
    pub activation: String,
    /// The activation function of outputs.
    pub output: String,
    /// The steepness of `steep`, `bilateral` and `unilateral`, or alpha of `elu`.
    pub steepness: f64,
    /// Where biases are: `nodes` means that each node has its own, `input` that an additional input is always 1.
    pub bias: Bias,
    /// The first genomes.
    pub start: StartParams,
    /// How genomes mutate.
    pub mutation: MutationSettings,
    /// How genomes are crossed.
    pub crossover: CrossoverSettings,
    /// How genomes are divided into species.
    pub species: SpeciesSettings,
    /// Which genomes become parents or stay.
    pub selection: SelectionSettings,
}

/// Where biases are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bias {
    /// Every node gene has its own bias.
    Nodes,
    /// An additional input is always 1.
    Input,
}

/// The first genomes: every input is connected to every output, or there are hidden nodes between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartParams {
    /// Weights and biases begin within ±range.
    pub range: f64,
    /// The lowest number of hidden nodes.
    pub hidden_min: usize,
    /// The highest number of hidden nodes. All numbers from the lowest to the highest are equally likely.
    pub hidden_max: usize,
    /// The probability of each connection, if there are hidden nodes.
    pub density: f64,
    /// Whether every genome is mutated once before its first game.
    pub mutated: bool,
}

/// Which genomes become parents or stay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionSettings {
    /// The share of the best of each species that become parents.
    pub parents: f64,
    /// Whether parents stay in the next generation.
    pub parents_stay: bool,
    /// Species with more members than this keep their champion unchanged. A number above the population keeps none.
    pub champions_above: usize,
}

const MOST_TRIES: usize = 10_000;

/// Descriptions of all parameters, for NEAT alone and within a series.
pub(crate) const KEYS: &[Described] = &[
    key("population", "number of networks; at least 3 with the schedule circular", POPULATION),
    key("activation", "activation function of hidden nodes", ACTIVATIONS),
    key("output", "activation function of outputs", ACTIVATIONS),
    key("steepness", "steepness of steep, bilateral and unilateral, alpha of elu; above 0", FROM_0),
    key(
        "bias",
        "where biases are",
        Choice(&[("nodes", "every node has its own"), ("input", "an additional input is always 1")]),
    ),
    key("start.range", "new weights and biases are within ±range; above 0", FROM_0),
    key(
        "start.hidden_min",
        "lowest number of hidden nodes of the first genomes, not above hidden_max",
        Whole(0.0, 1000.0),
    ),
    key("start.hidden_max", "highest number of hidden nodes of the first genomes", Whole(0.0, 1000.0)),
    key("start.density", "probability of each connection, if there are hidden nodes", CHANCE),
    key("start.mutated", "whether every genome is mutated once before its first game", Switch),
    key("mutation.weights", "probability that a child's weights and biases mutate", CHANCE),
    key("mutation.perturb", "probability that a value is moved; otherwise it is replaced by a random one", CHANCE),
    key("mutation.power", "how far values are moved", FROM_0),
    key(
        "mutation.power_halves",
        "number of generations after which values move half as far, and so on; 0 keeps the power constant",
        WHOLE,
    ),
    key(
        "mutation.distribution",
        "distribution of the moves",
        Choice(&[
            ("gaussian", "normal, with the power as standard deviation"),
            ("uniform", "uniform, up to the power in both directions"),
        ]),
    ),
    key("mutation.power_by_rank", "whether values move farther in children of low-ranking parents", Switch),
    key("mutation.limit", "weights and biases stay within ±limit; above 0", FROM_0),
    key("mutation.add_node", "probability of a new node", CHANCE),
    key("mutation.add_connection", "probability of new connections", CHANCE),
    key(
        "mutation.connection_tries",
        "number of pairs of nodes that are tried for a new connection",
        Whole(1.0, MOST_TRIES as f64),
    ),
    key("mutation.every_try", "whether every try may add a connection; otherwise only the first possible one", Switch),
    key(
        "mutation.loops",
        "what happens to loops of connections; networks never have any",
        Choice(&[
            ("forbid", "a connection that would close a loop is not added"),
            ("retire", "one connection of the loop is switched off permanently"),
            ("reactivate", "like retire, but the connection may be switched on again if that closes no loop"),
        ]),
    ),
    key("crossover.mutation_only", "share of children with one parent", CHANCE),
    key("crossover.interspecies", "probability that the second parent is from another species", CHANCE),
    key(
        "crossover.values",
        "value of a child's gene that both parents have",
        Choice(&[("random", "the value of a random parent"), ("average", "the mean of both")]),
    ),
    key("crossover.disabled", "probability that a gene that is off in a parent stays off", CHANCE),
    key(
        "crossover.disabled_from",
        "which parent's switched-off genes count",
        Choice(&[
            ("either", "a gene that is off in either parent is off with that probability"),
            ("fitter", "a gene is on or off as in the fitter parent"),
        ]),
    ),
    key("species.excess", "weight of excess connections (beyond the other genome's last one) in the distance", FROM_0),
    key("species.disjoint", "weight of disjoint connections (other connections that only one genome has)", FROM_0),
    key("species.nodes", "weight of nodes that only one genome has", FROM_0),
    key("species.weight", "weight of the mean difference of connection weights", FROM_0),
    key("species.bias", "weight of the mean difference of biases", FROM_0),
    key(
        "species.small",
        "genomes with fewer genes than this are compared without dividing by the number of genes",
        WHOLE,
    ),
    key("species.threshold", "distance from which genomes are in different species; above 0", FROM_0),
    key(
        "species.target",
        "number of species toward which the threshold moves, not above the population; 0 keeps it constant",
        WHOLE,
    ),
    key("species.threshold_step", "how far the threshold moves in a generation", FROM_0),
    key(
        "species.stagnation",
        "generations without improvement after which a species has no children; 0 switches this off",
        WHOLE,
    ),
    key(
        "species.refocus",
        "generations without any improvement after which only the best two species have children; 0 switches this off",
        WHOLE,
    ),
    key("species.least", "species that would get fewer places than this get none; not above the population", WHOLE),
    key("selection.parents", "share of the best of each species that become parents; above 0", CHANCE),
    key("selection.parents_stay", "whether parents stay in the next generation", Switch),
    key("selection.champions_above", "species with more members than this keep their champion unchanged", WHOLE),
];

default_of_experiment!(NeatParams, "nim-2x4-neat");

/// As in the default [`NeatParams`].
impl Default for StartParams {
    fn default() -> StartParams {
        NeatParams::default().start
    }
}

/// As in the default [`NeatParams`].
impl Default for SelectionSettings {
    fn default() -> SelectionSettings {
        NeatParams::default().selection
    }
}

impl StrategyParams for NeatParams {
    fn info() -> StrategyInfo {
        let about = "networks grow from simple ones, are crossed by innovation numbers, and are protected by species";
        StrategyInfo { name: "neat", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_population(self.population)?;
        checked_activations([("activation", &self.activation), ("output", &self.output)])?;
        let NeatParams { start, mutation, crossover, species, selection, .. } = self;
        for (key, number) in [
            ("start.density", start.density),
            ("mutation.weights", mutation.weights),
            ("mutation.perturb", mutation.perturb),
            ("mutation.add_node", mutation.add_node),
            ("mutation.add_connection", mutation.add_connection),
            ("crossover.mutation_only", crossover.mutation_only),
            ("crossover.interspecies", crossover.interspecies),
            ("crossover.disabled", crossover.disabled),
        ] {
            chance(key, number)?;
        }
        let (population, parents) = (self.population, selection.parents);
        must(parents > 0.0 && parents <= 1.0, "selection.parents", parents, "it must be above 0, up to 1")?;
        for (key, number) in [
            ("steepness", self.steepness),
            ("start.range", start.range),
            ("mutation.limit", mutation.limit),
            ("species.threshold", species.threshold),
        ] {
            let right = (number as f32).is_finite() && number as f32 > 0.0;
            must(right, key, number, "it must be a number above 0 in single precision")?;
        }
        for (key, number) in [
            ("mutation.power", mutation.power),
            ("species.excess", species.excess),
            ("species.disjoint", species.disjoint),
            ("species.nodes", species.nodes),
            ("species.weight", species.weight),
            ("species.bias", species.bias),
            ("species.threshold_step", species.threshold_step),
        ] {
            let right = (number as f32).is_finite() && number >= 0.0;
            must(right, key, number, "it must be a number from 0 up in single precision")?;
        }
        let (least, most) = (start.hidden_min, start.hidden_max);
        if least > most || most > 1000 {
            let what = format!(
                "start.hidden_min is {least} and hidden_max {most}, but they must be in order and at most 1000"
            );
            return Err(KeyError::new("start.hidden_min", what));
        }
        let tries = mutation.connection_tries;
        let rule = format_args!("it must be from 1 to {MOST_TRIES}");
        must((1..=MOST_TRIES).contains(&tries), "mutation.connection_tries", tries, rule)?;
        if selection.parents_stay && parents >= 1.0 {
            let why = "selection.parents is 1 and selection.parents_stay is true, which leaves no room for children";
            return Err(KeyError::new("selection.parents", why));
        }
        let rule = format_args!("it must be at most the population, {population}");
        must(species.target <= population, "species.target", species.target, rule)?;
        let rule = format_args!("it must be at most the population, {population}");
        must(species.least <= population, "species.least", species.least, rule)
    }

    made_by!(Neat);

    fn footprint(&self, shape: Shape) -> Footprint {
        Footprint::of_genomes(self.population, shape, self.start.hidden_max, 1)
    }
}

impl NeatParams {
    pub(crate) fn layout(&self, shape: Shape) -> Layout {
        Layout { shape, bias_input: self.bias == Bias::Input }
    }

    /// How networks are made from genomes.
    pub(super) fn blueprint(&self, layout: Layout) -> Blueprint {
        let named = |name| Activation::named(name, self.steepness as f32).expect("the parameters were checked");
        Blueprint { layout, hidden: named(&self.activation), output: named(&self.output) }
    }

    /// The range of new and replaced values: they are within ± this.
    pub(crate) fn range(&self) -> f32 {
        (self.start.range as f32).min(self.mutation.limit as f32)
    }

    /// A new genome like the first ones.
    pub(crate) fn newcomer(
        &self,
        layout: &Layout,
        number: u64,
        innovations: &mut Innovations,
        rng: &mut Rng,
    ) -> Genome {
        let StartParams { hidden_min, hidden_max, density, mutated, .. } = self.start;
        let range = self.range();
        let own_bias = !layout.bias_input;
        let node = |number: u32, rng: &mut Rng| NodeGene {
            number,
            bias: if own_bias { range * rng.signed_unit() } else { 0.0 },
        };
        let mut genome = Genome { number, parents: [0; 2], nodes: Vec::new(), connections: Vec::new() };
        for output in layout.outputs() {
            genome.nodes.push(node(output, rng));
        }
        let mut join = |genome: &mut Genome, from: u32, to: u32, rng: &mut Rng| {
            let innovation = innovations.connection(from, to);
            let weight = range * rng.signed_unit();
            genome.insert(ConnectionGene { innovation, from, to, weight, status: Status::On });
        };
        let hidden = hidden_min + rng.below(hidden_max - hidden_min + 1);
        let drawn = |rng: &mut Rng| hidden_max == 0 || density >= 1.0 || rng.unit() < density;
        for from in 0..layout.sources() {
            for to in layout.outputs() {
                if drawn(rng) {
                    join(&mut genome, from, to, rng);
                }
            }
        }
        // The first hidden nodes split connections from each input in turn to each output in turn.
        for number in 0..hidden as u32 {
            let (from, to) =
                (number % layout.shape.inputs as u32, layout.sources() + number % layout.shape.outputs as u32);
            let between = innovations.connection(from, to);
            // A new node must split a connection that was not split before. If this one was, the half behind its node
            // is split.
            let mut middle = innovations.node(between);
            while genome.has_node(middle) {
                let half = innovations.connection(middle, to);
                middle = innovations.node(half);
            }
            genome.insert_node(node(middle, rng));
            let mut join = |from: u32, to: u32, rng: &mut Rng| {
                let innovation = innovations.connection(from, to);
                let weight = range * rng.signed_unit();
                genome.insert(ConnectionGene { innovation, from, to, weight, status: Status::On });
            };
            for from in 0..layout.sources() {
                if drawn(rng) {
                    join(from, middle, rng);
                }
            }
            for to in layout.outputs() {
                if drawn(rng) {
                    join(middle, to, rng);
                }
            }
        }
        if mutated {
            genome.mutate(layout, &self.mutation, range, 1.0, innovations, rng);
        }
        genome
    }
}
