//! Genomes: node genes and connection genes. Genes of the same origin have the same number in all genomes.

use crate::Shape;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// The numbering of nodes: inputs first, then the bias if it is an input, then outputs, then hidden nodes in the order
/// in which they were invented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The numbers of inputs and outputs of the network.
    pub shape: Shape,
    /// Whether an additional input, which is always 1, replaces biases; otherwise every node gene has its own bias.
    pub bias_input: bool,
}

impl Layout {
    /// The number of nodes without incoming connections: the inputs, and the bias if it is an input.
    pub fn sources(&self) -> u32 {
        self.shape.inputs as u32 + u32::from(self.bias_input)
    }

    /// The first number of a hidden node.
    pub fn first_hidden(&self) -> u32 {
        self.sources() + self.shape.outputs as u32
    }

    /// The number of the bias, or `None` if it is not an input.
    pub fn bias(&self) -> Option<u32> {
        self.bias_input.then_some(self.shape.inputs as u32)
    }

    /// The numbers of outputs.
    pub fn outputs(&self) -> std::ops::Range<u32> {
        self.sources()..self.first_hidden()
    }
}

/// An output or a hidden node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeGene {
    /// The node's number: the same split of the same connection gives the same number in the whole run.
    pub number: u32,
    /// Added to the weighted sum of the incoming values.
    pub bias: f32,
}

/// A connection between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectionGene {
    /// The connection's number: the same two ends give the same number in the whole run.
    pub innovation: u32,
    /// The node where it begins.
    pub from: u32,
    /// The node where it ends.
    pub to: u32,
    /// The factor for the source's value.
    pub weight: f32,
    /// Whether it is in use.
    pub status: Status,
}

/// Whether a connection is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The connection is in use.
    On,
    /// A node split the connection, so it is off; crossover may switch it on again.
    Split,
    /// The connection was switched off because it closed a loop.
    Retired,
}

/// The genes of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genome {
    /// The genome's number, unique in the run, from 1.
    pub number: u64,
    /// The numbers of its parents: twice the same for a copy, 0 for no parent.
    pub parents: [u64; 2],
    /// The genes of outputs, then of hidden nodes, in the order of their numbers.
    pub nodes: Vec<NodeGene>,
    /// The connection genes in the order of their innovation numbers.
    pub connections: Vec<ConnectionGene>,
}

impl Genome {
    /// The number of genes.
    pub fn genes(&self) -> usize {
        self.nodes.len() + self.connections.len()
    }

    /// Whether it has a gene for this node.
    pub fn has_node(&self, number: u32) -> bool {
        self.nodes.binary_search_by_key(&number, |node| node.number).is_ok()
    }

    /// The index of a connection by its innovation number; the error is the index where it would be inserted.
    pub(crate) fn find(&self, innovation: u32) -> Result<usize, usize> {
        // New connections usually have the highest number.
        match self.connections.last() {
            Some(last) if last.innovation < innovation => Err(self.connections.len()),
            None => Err(0),
            Some(_) => self.connections.binary_search_by_key(&innovation, |gene| gene.innovation),
        }
    }

    /// Adds a connection at its place, unless it is there already.
    pub(crate) fn insert(&mut self, gene: ConnectionGene) {
        if let Err(place) = self.find(gene.innovation) {
            self.connections.insert(place, gene);
        }
    }

    /// Adds a node at its place, unless it is there already.
    pub(crate) fn insert_node(&mut self, gene: NodeGene) {
        if let Err(place) = self.nodes.binary_search_by_key(&gene.number, |node| node.number) {
            self.nodes.insert(place, gene);
        }
    }

    /// A connection that is on and part of a loop, or `None`. Nodes without open incoming connections are removed one
    /// after the other; if nodes remain, there is a loop.
    pub(crate) fn loop_of(&self) -> Option<&ConnectionGene> {
        let on = || self.connections.iter().filter(|gene| gene.status == Status::On);
        let mut waits: FxHashMap<u32, u32> = FxHashMap::default();
        let mut behind: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for gene in on() {
            waits.entry(gene.from).or_insert(0);
            *waits.entry(gene.to).or_insert(0) += 1;
            behind.entry(gene.from).or_default().push(gene.to);
        }
        let mut free: Vec<u32> = waits.iter().filter(|(_, count)| **count == 0).map(|(node, _)| *node).collect();
        while let Some(node) = free.pop() {
            for next in behind.remove(&node).unwrap_or_default() {
                let count = waits.get_mut(&next).expect("it was counted");
                *count -= 1;
                if *count == 0 {
                    free.push(next);
                }
            }
        }
        // Nodes behind a loop remain, too. But every remaining node has a remaining node before it, so walking backward
        // reaches some node twice, and the path between is a loop.
        let waiting = || on().filter(|gene| waits[&gene.from] > 0 && waits[&gene.to] > 0);
        let mut into: FxHashMap<u32, &ConnectionGene> = FxHashMap::default();
        for gene in waiting() {
            into.entry(gene.to).or_insert(gene);
        }
        let mut node = waiting().next()?.to;
        let mut walked = FxHashSet::default();
        while walked.insert(node) {
            node = into[&node].from;
        }
        let (end, mut first) = (node, into[&node]);
        loop {
            let gene = into[&node];
            if gene.innovation < first.innovation {
                first = gene;
            }
            node = gene.from;
            if node == end {
                return Some(first);
            }
        }
    }

    /// Whether there is a path between two nodes along the connections for which `counts` is true.
    pub(crate) fn leads(&self, from: u32, to: u32, counts: impl Fn(&ConnectionGene) -> bool) -> bool {
        let mut reached = vec![from];
        let mut looked = 0;
        while looked < reached.len() {
            let node = reached[looked];
            if node == to {
                return true;
            }
            looked += 1;
            for gene in self.connections.iter().filter(|gene| gene.from == node && counts(gene)) {
                if !reached.contains(&gene.to) {
                    reached.push(gene.to);
                }
            }
        }
        false
    }
}
