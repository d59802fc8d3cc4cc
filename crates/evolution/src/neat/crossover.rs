//! Crossover: a child has the structure of the fitter parent, and values of both where genes match.

use super::genome::{ConnectionGene, Genome, NodeGene, Status};
use chance::Rng;
use serde::{Deserialize, Serialize};

/// What a child gets where both parents have a gene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crossover {
    /// The value of either, by chance (the paper).
    Random,
    /// The mean of both (Sebastianelli's thesis).
    Average,
}

/// Whose switched-off genes stay off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DisabledFrom {
    /// A gene that is off in either parent, with some chance; else it is on (the paper).
    Either,
    /// A gene is on or off as in the fitter parent (the thesis).
    Fitter,
}

/// How genomes mix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossoverSettings {
    /// The share of children with one parent.
    pub mutation_only: f64,
    /// The chance that the second parent is of another species.
    pub interspecies: f64,
    /// What a child gets where both parents have a gene.
    pub values: Crossover,
    /// The chance that a gene that is off in a parent stays off.
    pub disabled: f64,
    /// Whose genes that are off count.
    pub disabled_from: DisabledFrom,
}

/// Two parents, the fitter first.
pub(crate) struct Fitter<'a>(pub &'a Genome, pub &'a Genome);

/// A child of two parents, with the number given.
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
    // 1. Nodes: both lists are in order, so that one walk finds all pairs.
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
    // 2. Connections, likewise.
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
    // 3. What is off in either may come on, and what is on may go off with it.
    if params.disabled_from == DisabledFrom::Either {
        for place in matching_off {
            let stays_off = rng.unit() < params.disabled;
            connections[place].status = if stays_off { Status::Split } else { Status::On };
        }
    }
    Genome { number, parents: [fitter.number, other.number], nodes, connections }
}
