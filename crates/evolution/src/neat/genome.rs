//! A genome: node genes and connection genes, each with the number it shares with all genes of the same origin.

use crate::Shape;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Which numbers nodes have: inputs first, then, where the bias is an input, that one, then outputs, then hidden nodes in
/// the order in which they were invented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Inputs and outputs of the network.
    pub shape: Shape,
    /// Whether a further input, which is always 1, stands for biases; else every node gene has its own.
    pub bias_input: bool,
}

impl Layout {
    /// How many nodes only give: inputs, and the bias where it is one.
    pub fn sources(&self) -> u32 {
        self.shape.inputs as u32 + u32::from(self.bias_input)
    }

    /// The first number of a hidden node.
    pub fn first_hidden(&self) -> u32 {
        self.sources() + self.shape.outputs as u32
    }

    /// The bias's number, where it is an input.
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
    /// Its number: the same split of the same connection gives the same number for a whole run.
    pub number: u32,
    /// Added to the sum of what comes in.
    pub bias: f32,
}

/// A connection between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectionGene {
    /// Its number: the same two ends give the same number for a whole run.
    pub innovation: u32,
    /// The node it comes from.
    pub from: u32,
    /// The node it goes to.
    pub to: u32,
    /// What the source's value is multiplied with.
    pub weight: f32,
    /// Whether it is in use.
    pub status: Status,
}

/// Whether a connection is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// It is.
    On,
    /// A node was put into it; it may come back by crossover.
    Split,
    /// It was switched off because it closed a loop.
    Retired,
}

/// What is bred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genome {
    /// Its own number, for the whole run; from 1.
    pub number: u64,
    /// The numbers of its parents: the same twice for a copy, 0 for none.
    pub parents: [u64; 2],
    /// Outputs, then hidden nodes, in the order of their numbers.
    pub nodes: Vec<NodeGene>,
    /// In the order of their innovation numbers.
    pub connections: Vec<ConnectionGene>,
}

impl Genome {
    /// How many genes it has.
    pub fn genes(&self) -> usize {
        self.nodes.len() + self.connections.len()
    }

    /// Whether it has that node gene.
    pub fn has_node(&self, number: u32) -> bool {
        self.nodes.binary_search_by_key(&number, |node| node.number).is_ok()
    }

    /// The place of a connection by its innovation number, or where it would stand.
    pub(crate) fn find(&self, innovation: u32) -> Result<usize, usize> {
        // New ones are the highest, mostly.
        match self.connections.last() {
            Some(last) if last.innovation < innovation => Err(self.connections.len()),
            None => Err(0),
            Some(_) => self.connections.binary_search_by_key(&innovation, |gene| gene.innovation),
        }
    }

    /// Adds a connection at its place; one that is there stays as it is.
    pub(crate) fn insert(&mut self, gene: ConnectionGene) {
        if let Err(place) = self.find(gene.innovation) {
            self.connections.insert(place, gene);
        }
    }

    /// Adds a node at its place.
    pub(crate) fn insert_node(&mut self, gene: NodeGene) {
        if let Err(place) = self.nodes.binary_search_by_key(&gene.number, |node| node.number) {
            self.nodes.insert(place, gene);
        }
    }

    /// A connection that is on and part of a loop, if there is one: nodes that nothing waits for are taken away, one after
    /// the other, and who is left goes round.
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
        // Those behind a loop wait as well. But something that waits comes into everything that waits: whoever walks back
        // comes to a node for the second time, and that way is a loop.
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

    /// Whether there is a way from one node to another along connections that count.
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
