//! Crossover: a child has the structure of the fitter parent; matching genes get values of both parents.

use super::genome::{ConnectionGene, Genome, NodeGene, Status};
use chance::Rng;
use serde::{Deserialize, Serialize};

/// The value of a child's gene that both parents have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crossover {
    /// The value of a random parent (the paper).
    Random,
    /// The mean of both (Sebastianelli's thesis).
    Average,
}

/// Which parent's switched-off genes stay off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisabledFrom {
    /// A gene that is off in either parent stays off with some probability, otherwise it is on (the paper).
    Either,
    /// A gene is on or off as in the fitter parent (the thesis).
    Fitter,
}

/// How genomes are crossed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossoverSettings {
    /// The share of children with one parent.
    pub mutation_only: f64,
    /// The probability that the second parent is from another species.
    pub interspecies: f64,
    /// The value of a child's gene that both parents have.
    pub values: Crossover,
    /// The probability that a gene that is off in a parent stays off.
    pub disabled: f64,
    /// Which parent's switched-off genes count.
    pub disabled_from: DisabledFrom,
}

/// Two parents, the fitter first.
pub(crate) struct Fitter<'a>(pub &'a Genome, pub &'a Genome);

/// A child of two parents; `number` is its number.
pub(crate) fn crossover(parents: &Fitter, params: &CrossoverSettings, number: u64, rng: &mut Rng) -> Genome {
    let Fitter(fitter, other) = parents;
    let mut mix = |one: f32, two: f32| match params.values {
        Crossover::Random => {
            if rng.below(2) == 0 {
                one
            } else {
                two
            }
        }
        Crossover::Average => 0.5 * (one + two),
    };
    // 1. Nodes. Both lists are in order, so one pass finds all pairs.
    let mut theirs = other.nodes.iter().peekable();
    let mut nodes = Vec::with_capacity(fitter.nodes.len() + 1);
    for node in &fitter.nodes {
        while theirs.next_if(|their| their.number < node.number).is_some() {}
        let bias = match theirs.next_if(|their| their.number == node.number) {
            Some(their) if their.bias != node.bias => mix(node.bias, their.bias),
            _ => node.bias,
        };
        nodes.push(NodeGene { number: node.number, bias });
    }
    // 2. Connections, in the same way.
    let mut matching_off = Vec::new();
    let mut theirs = other.connections.iter().peekable();
    let mut connections = Vec::with_capacity(fitter.connections.len() + 2);
    for gene in &fitter.connections {
        while theirs.next_if(|their| their.innovation < gene.innovation).is_some() {}
        let mut child: ConnectionGene = *gene;
        if let Some(their) = theirs.next_if(|their| their.innovation == gene.innovation) {
            child.weight = mix(gene.weight, their.weight);
            if gene.status == Status::On && their.status == Status::Split {
                matching_off.push(connections.len());
            }
        }
        if gene.status == Status::Split {
            matching_off.push(connections.len());
        }
        connections.push(child);
    }
    // 3. A gene that is off in either parent is on or off by chance.
    if params.disabled_from == DisabledFrom::Either {
        for place in matching_off {
            let stays_off = rng.unit() < params.disabled;
            connections[place].status = if stays_off { Status::Split } else { Status::On };
        }
    }
    Genome { number, parents: [fitter.number, other.number], nodes, connections }
}
