//! How genomes change: values, a node in the middle of a connection, a connection between two nodes.

use super::genome::{ConnectionGene, Genome, Layout, NodeGene, Status};
use super::innovations::Innovations;
use crate::activation::exp;
use chance::Rng;
use serde::{Deserialize, Serialize};

/// How far values are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Distribution {
    /// By a normal distribution whose deviation is the power.
    Gaussian,
    /// By anything up to the power, up or down.
    Uniform,
}

/// What becomes of loops. Networks have none in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loops {
    /// A connection that would close one is not added.
    Forbid,
    /// It is added, and then one connection of the loop is switched off for ever (the thesis).
    Retire,
    /// The same, but a later mutation may switch it on again where that closes no loop.
    Reactivate,
}

/// How genomes change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutationSettings {
    /// The chance that a child's values change.
    pub weights: f64,
    /// The chance that a value is moved; else it is drawn anew.
    pub perturb: f64,
    /// How far values are moved.
    pub power: f64,
    /// After so many generations values are moved half as far, after as many more half of that; 0: it stays.
    pub power_halves: u64,
    /// By which distribution.
    pub distribution: Distribution,
    /// Whether values of low-ranking parents' children are moved farther: half the power at the top, one and a half at the
    /// bottom.
    pub power_by_rank: bool,
    /// Weights and biases stay within ±limit.
    pub limit: f64,
    /// The chance of a new node.
    pub add_node: f64,
    /// The chance of new connections.
    pub add_connection: f64,
    /// How many pairs of nodes are then tried.
    pub connection_tries: usize,
    /// Whether each of these tries may add a connection; else the first that can is the last.
    pub every_try: bool,
    /// What becomes of loops.
    pub loops: Loops,
}

impl MutationSettings {
    /// The part of the power that is left in a generation.
    pub(crate) fn fallen(&self, generation: u64) -> f32 {
        match self.power_halves {
            0 => 1.0,
            halves => exp(-std::f32::consts::LN_2 * ((generation.saturating_sub(1)) as f64 / halves as f64) as f32),
        }
    }
}

impl Genome {
    /// Changes structure, then values, each with its chance; `power` scales how far values are moved, new ones are within
    /// ±range.
    pub(crate) fn mutate(
        &mut self,
        layout: &Layout,
        params: &MutationSettings,
        range: f32,
        power: f32,
        innovations: &mut Innovations,
        rng: &mut Rng,
    ) {
        if params.add_node > 0.0 && rng.unit() < params.add_node {
            self.add_node(layout, innovations, rng);
        }
        if params.add_connection > 0.0 && rng.unit() < params.add_connection {
            self.add_connections(layout, params, range, innovations, rng);
        }
        if params.loops != Loops::Forbid {
            if params.loops == Loops::Reactivate {
                self.reactivate(rng);
            }
            self.retire_loops(layout);
        }
        if params.weights > 0.0 && rng.unit() < params.weights {
            self.mutate_values(layout, params, range, power, rng);
        }
    }

    /// Moves or replaces every weight, and every bias where nodes have some.
    pub(crate) fn mutate_values(
        &mut self,
        layout: &Layout,
        params: &MutationSettings,
        range: f32,
        power: f32,
        rng: &mut Rng,
    ) {
        let MutationSettings { perturb, distribution, .. } = *params;
        let (power, limit) = (power * params.power as f32, params.limit as f32);
        let mut change = |value: &mut f32| {
            // One draw says whether; where it is certain, none is needed.
            let moved = if perturb >= 1.0 || rng.unit() < perturb {
                *value
                    + power
                        * match distribution {
                            Distribution::Gaussian => rng.gaussian(),
                            Distribution::Uniform => rng.signed_unit(),
                        }
            } else {
                range * rng.signed_unit()
            };
            *value = moved.clamp(-limit, limit);
        };
        self.connections.iter_mut().for_each(|gene| change(&mut gene.weight));
        if !layout.bias_input {
            self.nodes.iter_mut().for_each(|node| change(&mut node.bias));
        }
    }

    /// Puts a node into a connection that is on: the first half weighs 1, the second what the whole did.
    pub(crate) fn add_node(&mut self, layout: &Layout, innovations: &mut Innovations, rng: &mut Rng) {
        let splittable = |gene: &ConnectionGene| {
            gene.status == Status::On
                && Some(gene.from) != layout.bias()
                && innovations.known_node(gene.innovation).is_none_or(|node| !self.has_node(node))
        };
        let candidates: Vec<usize> =
            (0..self.connections.len()).filter(|&place| splittable(&self.connections[place])).collect();
        if candidates.is_empty() {
            return;
        }
        let place = candidates[rng.below(candidates.len())];
        let old = self.connections[place];
        self.connections[place].status = Status::Split;
        let node = innovations.node(old.innovation);
        self.insert_node(NodeGene { number: node, bias: 0.0 });
        for (from, to, weight) in [(old.from, node, 1.0), (node, old.to, old.weight)] {
            let innovation = innovations.connection(from, to);
            self.insert(ConnectionGene { innovation, from, to, weight, status: Status::On });
        }
    }

    /// Joins nodes that are not joined, as often as is tried.
    fn add_connections(
        &mut self,
        layout: &Layout,
        params: &MutationSettings,
        range: f32,
        innovations: &mut Innovations,
        rng: &mut Rng,
    ) {
        let sources = layout.sources() as usize;
        for _ in 0..params.connection_tries {
            // From an input or a hidden node, to a hidden node or an output.
            let outputs = layout.shape.outputs;
            let hidden = self.nodes.len() - outputs;
            let from = match rng.below(sources + hidden) {
                place if place < sources => place as u32,
                place => self.nodes[place - sources + outputs].number,
            };
            let to = self.nodes[rng.below(self.nodes.len())].number;
            let weight = range * rng.signed_unit();
            let joined = |gene: &ConnectionGene| gene.from == from && gene.to == to;
            if from == to || self.connections.iter().any(joined) {
                continue;
            }
            // What is off counts as well: it may come on again.
            if params.loops == Loops::Forbid && self.leads(to, from, |_| true) {
                continue;
            }
            let innovation = innovations.connection(from, to);
            self.insert(ConnectionGene { innovation, from, to, weight, status: Status::On });
            if !params.every_try {
                break;
            }
        }
    }

    /// Switches on one of the connections that closed a loop, where that closes none now.
    fn reactivate(&mut self, rng: &mut Rng) {
        let retired: Vec<usize> =
            (0..self.connections.len()).filter(|&place| self.connections[place].status == Status::Retired).collect();
        if retired.is_empty() {
            return;
        }
        let place = retired[rng.below(retired.len())];
        let gene = self.connections[place];
        if !self.leads(gene.to, gene.from, |gene| gene.status == Status::On) {
            self.connections[place].status = Status::On;
        }
    }

    /// Looks for loops backwards from the outputs, and switches off the connection that closes each.
    pub(crate) fn retire_loops(&mut self, layout: &Layout) {
        // A node that is looked at twice on one way closes a loop; one that is done has none behind it. A way may be longer
        // than calls can be nested: each of its nodes has the place of the connection to look at next.
        fn look(genome: &mut Genome, node: u32, done: &mut Vec<u32>) {
            let mut way: Vec<(u32, usize)> = vec![(node, 0)];
            while let Some((node, next)) = way.last_mut() {
                let (node, place) = (*node, *next);
                *next += 1;
                let Some(&gene) = genome.connections.get(place) else {
                    way.pop();
                    done.push(node);
                    continue;
                };
                if gene.to != node || gene.status != Status::On || done.contains(&gene.from) {
                    continue;
                }
                if way.iter().any(|(on_the_way, _)| *on_the_way == gene.from) {
                    genome.connections[place].status = Status::Retired;
                } else {
                    way.push((gene.from, 0));
                }
            }
        }
        let mut done = (0..layout.sources()).collect::<Vec<u32>>();
        for output in layout.outputs() {
            if !done.contains(&output) {
                look(self, output, &mut done);
            }
        }
        // Loops from which no output is reached do no harm, but they may not stay: a later connection could join them.
        let hidden: Vec<u32> = self.nodes.iter().map(|node| node.number).collect();
        for node in hidden {
            if !done.contains(&node) {
                look(self, node, &mut done);
            }
        }
    }
}
