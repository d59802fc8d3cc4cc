//! Mutation of genomes: values change, a node splits a connection, or a connection joins two nodes.

use super::genome::{ConnectionGene, Genome, Layout, NodeGene, Status};
use super::innovations::Innovations;
use crate::activation::exp;
use chance::Rng;
use serde::{Deserialize, Serialize};

/// The distribution of the moves of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Distribution {
    /// Normal, with the power as standard deviation.
    Gaussian,
    /// Uniform, up to the power in both directions.
    Uniform,
}

/// What happens to loops of connections. Networks never have any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loops {
    /// A connection that would close a loop is not added.
    Forbid,
    /// It is added, and then one connection of the loop is switched off permanently (the thesis).
    Retire,
    /// Like `Retire`, but a later mutation may switch the connection on again if that closes no loop.
    Reactivate,
}

/// How genomes mutate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutationSettings {
    /// The probability that a child's values change.
    pub weights: f64,
    /// The probability that a value is moved; otherwise it is replaced by a random one.
    pub perturb: f64,
    /// How far values are moved.
    pub power: f64,
    /// The number of generations after which values are moved half as far, and so on; 0 keeps the power constant.
    pub power_halves: u64,
    /// The distribution of the moves.
    pub distribution: Distribution,
    /// Whether values move farther in children of low-ranking parents: half the power for the best parent, one and a
    /// half for the worst.
    pub power_by_rank: bool,
    /// Weights and biases stay within ±limit.
    pub limit: f64,
    /// The probability of a new node.
    pub add_node: f64,
    /// The probability of new connections.
    pub add_connection: f64,
    /// The number of pairs of nodes that are tried for a new connection.
    pub connection_tries: usize,
    /// Whether every try may add a connection; otherwise only the first possible one is added.
    pub every_try: bool,
    /// What happens to loops.
    pub loops: Loops,
}

impl MutationSettings {
    /// The share of the power that is left in a generation.
    pub(crate) fn fallen(&self, generation: u64) -> f32 {
        match self.power_halves {
            0 => 1.0,
            halves => exp(-std::f32::consts::LN_2 * ((generation.saturating_sub(1)) as f64 / halves as f64) as f32),
        }
    }
}

impl Genome {
    /// Mutates the structure, then the values, each with its probability. `power` scales how far values are moved; new
    /// values are within ±range.
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

    /// Moves or replaces every weight, and every bias if nodes have their own.
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
            // A random number decides, unless the result is certain.
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

    /// Splits a connection that is on by a new node: the first half has weight 1, the second the old weight.
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

    /// Adds connections between unconnected nodes, with the number of tries in the settings.
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
            // Connections that are off count, too, because they may be switched on again.
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

    /// Switches on one random retired connection, if that closes no loop now.
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

    /// Searches for loops backward from the outputs, and switches off the connection that closes each.
    pub(crate) fn retire_loops(&mut self, layout: &Layout) {
        // A node that comes up twice on one path closes a loop; a finished node has none behind it. The path is a list
        // instead of nested calls, because it may be very long; each node on it has the index of the next connection to
        // look at.
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
        // Loops that reach no output do no harm now, but a later connection could join them to one, so they must go,
        // too.
        let hidden: Vec<u32> = self.nodes.iter().map(|node| node.number).collect();
        for node in hidden {
            if !done.contains(&node) {
                look(self, node, &mut done);
            }
        }
    }
}
