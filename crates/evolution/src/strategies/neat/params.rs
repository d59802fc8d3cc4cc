//! What can be set for NEAT, whether it can be, and how genomes begin.

use crate::neat::{
    Blueprint, ConnectionGene, CrossoverSettings, Genome, Innovations, Layout, MutationSettings, NodeGene,
    SpeciesSettings, Status,
};
use crate::strategy::{ParamError, StrategyInfo, checked_activations, checked_population};
use crate::{Activation, Shape};
use chance::Rng;
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

impl NeatParams {
    pub(crate) const INFO: StrategyInfo = StrategyInfo {
        name: "neat",
        about: "networks grow from simple ones, mate by innovation numbers, and are protected by species",
    };

    /// Whether the parameters can be; what cannot, in one sentence.
    pub(crate) fn checked(&self) -> Result<(), ParamError> {
        let refuse = |key: &'static str, why: String| Err(ParamError { key, what: format!("{key} is {why}") });
        checked_population(self.population)?;
        checked_activations([("activation", &self.activation), ("output", &self.output)])?;
        let NeatParams { start, mutation, crossover, species, selection, .. } = self;
        for (key, chance) in [
            ("start.density", start.density),
            ("mutation.weights", mutation.weights),
            ("mutation.perturb", mutation.perturb),
            ("mutation.add_node", mutation.add_node),
            ("mutation.add_connection", mutation.add_connection),
            ("crossover.mutation_only", crossover.mutation_only),
            ("crossover.interspecies", crossover.interspecies),
            ("crossover.disabled", crossover.disabled),
        ] {
            if !(0.0..=1.0).contains(&chance) {
                return refuse(key, format!("{chance}, but a chance is from 0 to 1"));
            }
        }
        if !(selection.parents > 0.0 && selection.parents <= 1.0) {
            return refuse(
                "selection.parents",
                format!("{}, but a share of parents is above 0, up to 1", selection.parents),
            );
        }
        for (key, number) in [
            ("steepness", self.steepness),
            ("start.range", start.range),
            ("mutation.limit", mutation.limit),
            ("species.threshold", species.threshold),
        ] {
            if !((number as f32).is_finite() && number as f32 > 0.0) {
                return refuse(key, format!("{number}, but it must be a number above 0, not beyond single precision"));
            }
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
            if !((number as f32).is_finite() && number >= 0.0) {
                return refuse(
                    key,
                    format!("{number}, but it must be a number from 0 up, not beyond single precision"),
                );
            }
        }
        if start.hidden_min > start.hidden_max || start.hidden_max > 1000 {
            let why = format!(
                "{}, with hidden_max {}; they must not fall, and go up to 1000",
                start.hidden_min, start.hidden_max
            );
            return refuse("start.hidden_min", why);
        }
        if !(1..=MOST_TRIES).contains(&mutation.connection_tries) {
            let why = format!("{}, but it must be from 1 to {MOST_TRIES}", mutation.connection_tries);
            return refuse("mutation.connection_tries", why);
        }
        if selection.parents_stay && selection.parents >= 1.0 {
            return refuse("selection.parents", "1 while parents stay, which leaves no room for children".to_string());
        }
        if species.target > self.population {
            let why = format!("{}, but a population of {} cannot have more species", species.target, self.population);
            return refuse("species.target", why);
        }
        if species.least > self.population {
            let why = format!("{}, but the population is {}", species.least, self.population);
            return refuse("species.least", why);
        }
        Ok(())
    }

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
