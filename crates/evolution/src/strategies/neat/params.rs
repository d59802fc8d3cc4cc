//! What can be set for NEAT, whether it can be, and how genomes begin.

use super::Neat;
use crate::neat::{
    Blueprint, ConnectionGene, CrossoverSettings, Genome, Innovations, Layout, MutationSettings, NodeGene,
    SpeciesSettings, Status,
};
use crate::params::{ACTIVATIONS, POPULATION, chance, checked_activations, checked_population, must, StrategyInfo, StrategyParams, default_of_experiment, made_by};
use crate::{Activation, Footprint, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::*, CHANCE, Described, FROM_0, KeyError, WHOLE, key};
use serde::{Deserialize, Serialize};

/// All parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeatParams {
    /// How many networks.
    pub population: usize,
    /// What hidden nodes do with their sums: a name of [`Activation::NAMES`].
    pub activation: String,
    /// What outputs do with their sums.
    pub output: String,
    /// Steepness of `steep`, `bilateral` and `unilateral`, alpha of `elu`.
    pub steepness: f64,
    /// Where biases are: `nodes`, each its own; or `input`, a further input that is always 1.
    pub bias: Bias,
    /// How genomes begin.
    pub start: StartParams,
    /// How they change.
    pub mutation: MutationSettings,
    /// How they mix.
    pub crossover: CrossoverSettings,
    /// When they are of one species.
    pub species: SpeciesSettings,
    /// Who has children.
    pub selection: SelectionSettings,
}

/// Where biases are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bias {
    /// Every node gene has its own.
    Nodes,
    /// A further input is always 1.
    Input,
}

/// How genomes begin: every input joined to every output, or with hidden nodes in between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartParams {
    /// Weights and biases are within ±range.
    pub range: f64,
    /// The fewest hidden nodes.
    pub hidden_min: usize,
    /// The most; each number between them is equally likely.
    pub hidden_max: usize,
    /// The chance of each connection, where there are hidden nodes.
    pub density: f64,
    /// Whether every genome is mutated once before its first game.
    pub mutated: bool,
}

/// Who has children.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionSettings {
    /// The share of each species, the best, that become parents.
    pub parents: f64,
    /// Whether parents stay in the next generation.
    pub parents_stay: bool,
    /// Species with more members keep their champion unchanged; a number above the population keeps none.
    pub champions_above: usize,
}

const MOST_TRIES: usize = 10_000;

/// Every parameter, of NEAT alone or in a series.
pub(crate) const KEYS: &[Described] = &[
    key("population", "how many networks; at least 3 where they meet in a circle", POPULATION),
    key("activation", "what hidden nodes do with their sums", ACTIVATIONS),
    key("output", "what outputs do with their sums", ACTIVATIONS),
    key("steepness", "steepness of steep, bilateral and unilateral, alpha of elu; above 0", FROM_0),
    key(
        "bias",
        "where biases are",
        Choice(&[("nodes", "every node has its own"), ("input", "a further input is always 1")]),
    ),
    key("start.range", "new weights and biases are within ±range; above 0", FROM_0),
    key("start.hidden_min", "the fewest hidden nodes of the first genomes, not above hidden_max", Whole(0.0, 1000.0)),
    key("start.hidden_max", "the most hidden nodes of the first genomes", Whole(0.0, 1000.0)),
    key("start.density", "the chance of each connection, where there are hidden nodes", CHANCE),
    key("start.mutated", "whether every genome is mutated once before its first game", Switch),
    key("mutation.weights", "the chance that a child's values change", CHANCE),
    key("mutation.perturb", "the chance that a value is moved; else it is drawn anew", CHANCE),
    key("mutation.power", "how far values are moved", FROM_0),
    key("mutation.power_halves", "after so many generations values move half as far, and so on; 0: it stays", WHOLE),
    key(
        "mutation.distribution",
        "by which distribution values are moved",
        Choice(&[
            ("gaussian", "a normal one whose deviation is the power"),
            ("uniform", "anything up to the power, up or down"),
        ]),
    ),
    key("mutation.power_by_rank", "whether values move farther in children of low-ranking parents", Switch),
    key("mutation.limit", "weights and biases stay within ±limit; above 0", FROM_0),
    key("mutation.add_node", "the chance of a new node", CHANCE),
    key("mutation.add_connection", "the chance of new connections", CHANCE),
    key("mutation.connection_tries", "pairs of nodes that are then tried", Whole(1.0, MOST_TRIES as f64)),
    key("mutation.every_try", "whether each try may add a connection; else the first that can is the last", Switch),
    key(
        "mutation.loops",
        "what becomes of loops; networks have none in any case",
        Choice(&[
            ("forbid", "a connection that would close one is not added"),
            ("retire", "one connection of the loop is switched off for ever"),
            ("reactivate", "the same, but it may come back where that closes no loop"),
        ]),
    ),
    key("crossover.mutation_only", "share of children with one parent", CHANCE),
    key("crossover.interspecies", "the chance that the second parent is of another species", CHANCE),
    key(
        "crossover.values",
        "what a child gets where both parents have a gene",
        Choice(&[("random", "the value of either, by chance"), ("average", "the mean of both")]),
    ),
    key("crossover.disabled", "the chance that a gene that is off in a parent stays off", CHANCE),
    key(
        "crossover.disabled_from",
        "whose genes that are off count",
        Choice(&[
            ("either", "a gene that is off in either parent, with that chance"),
            ("fitter", "a gene is on or off as in the fitter parent"),
        ]),
    ),
    key("species.excess", "what connections beyond the other genome's last one count in differences", FROM_0),
    key("species.disjoint", "what other connections that only one has count", FROM_0),
    key("species.nodes", "what nodes that only one has count", FROM_0),
    key("species.weight", "what the mean difference of weights counts", FROM_0),
    key("species.bias", "what the mean difference of biases counts", FROM_0),
    key("species.small", "genomes with fewer genes are compared without dividing by their number", WHOLE),
    key("species.threshold", "from this difference on genomes are of different species; above 0", FROM_0),
    key("species.target", "the threshold moves toward so many species, not above the population; 0: it stays", WHOLE),
    key("species.threshold_step", "by so much each generation", FROM_0),
    key(
        "species.stagnation",
        "a species that did not improve for so many generations has no children; 0: all have",
        WHOLE,
    ),
    key(
        "species.refocus",
        "if nobody improved for so many generations, the best two species alone have children; 0: never",
        WHOLE,
    ),
    key("species.least", "species that would get fewer places get none; not above the population", WHOLE),
    key("selection.parents", "share of each species, the best, that become parents; above 0", CHANCE),
    key("selection.parents_stay", "whether parents stay in the next generation", Switch),
    key("selection.champions_above", "species with more members keep their champion unchanged", WHOLE),
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
        let about = "networks grow from simple ones, mate by innovation numbers, and are protected by species";
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
        must(parents > 0.0 && parents <= 1.0, "selection.parents", parents, "a share of parents is above 0, up to 1")?;
        for (key, number) in [
            ("steepness", self.steepness),
            ("start.range", start.range),
            ("mutation.limit", mutation.limit),
            ("species.threshold", species.threshold),
        ] {
            let right = (number as f32).is_finite() && number as f32 > 0.0;
            must(right, key, number, "it must be a number above 0, not beyond single precision")?;
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
            must(right, key, number, "it must be a number from 0 up, not beyond single precision")?;
        }
        let (least, most) = (start.hidden_min, start.hidden_max);
        if least > most || most > 1000 {
            let what =
                format!("start.hidden_min is {least}, with hidden_max {most}; they must not fall, and go up to 1000");
            return Err(KeyError::new("start.hidden_min", what));
        }
        let tries = mutation.connection_tries;
        let rule = format_args!("it must be from 1 to {MOST_TRIES}");
        must((1..=MOST_TRIES).contains(&tries), "mutation.connection_tries", tries, rule)?;
        if selection.parents_stay && parents >= 1.0 {
            let why = "1 while parents stay, which leaves no room for children";
            return Err(KeyError::new("selection.parents", why));
        }
        let rule = format_args!("a population of {population} cannot have more species");
        must(species.target <= population, "species.target", species.target, rule)?;
        let rule = format_args!("the population is {population}");
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

    /// How networks are made of genomes.
    pub(super) fn blueprint(&self, layout: Layout) -> Blueprint {
        let named = |name| Activation::named(name, self.steepness as f32).expect("the parameters were checked");
        Blueprint { layout, hidden: named(&self.activation), output: named(&self.output) }
    }

    /// New and replaced values are within ± this.
    pub(crate) fn range(&self) -> f32 {
        (self.start.range as f32).min(self.mutation.limit as f32)
    }

    /// A genome as the first ones are.
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
        // Hidden nodes of the first day stand in the middle of connections from inputs in turn to outputs in turn.
        for number in 0..hidden as u32 {
            let (from, to) =
                (number % layout.shape.inputs as u32, layout.sources() + number % layout.shape.outputs as u32);
            let between = innovations.connection(from, to);
            // A split needs a connection of its own: where that has been split, the half behind the node will do.
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
