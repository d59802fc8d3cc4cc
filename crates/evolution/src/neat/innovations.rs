//! Innovation numbers: the same split of the same connection, and the same two ends, get the same number in the whole
//! run.

use super::genome::{ConnectionGene, Genome};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// All innovation numbers of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Innovations {
    /// The two ends of each connection, by its number.
    ends: Vec<(u32, u32)>,
    /// The connection that each hidden node split, by the node's number minus the first hidden number.
    splits: Vec<u32>,
    first_hidden: u32,
    number_of_ends: FxHashMap<(u32, u32), u32>,
    node_in: FxHashMap<u32, u32>,
}

/// The saved form.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedInnovations {
    ends: Vec<(u32, u32)>,
    splits: Vec<u32>,
    first_hidden: u32,
}

impl Innovations {
    /// No innovations yet. Hidden nodes will be numbered from `first_hidden`.
    pub fn new(first_hidden: u32) -> Innovations {
        Innovations { first_hidden, ..Innovations::default() }
    }

    /// The number of the connection between these nodes; a new number if there is none yet.
    pub fn connection(&mut self, from: u32, to: u32) -> u32 {
        *self.number_of_ends.entry((from, to)).or_insert_with(|| {
            self.ends.push((from, to));
            self.ends.len() as u32 - 1
        })
    }

    /// The number of the node that splits a connection; a new number if there is none yet.
    pub fn node(&mut self, connection: u32) -> u32 {
        *self.node_in.entry(connection).or_insert_with(|| {
            self.splits.push(connection);
            self.first_hidden + self.splits.len() as u32 - 1
        })
    }

    /// The number of the node that splits a connection, or `None` if it was never split.
    pub fn known_node(&self, connection: u32) -> Option<u32> {
        self.node_in.get(&connection).copied()
    }

    /// The number of connections so far.
    pub fn connections(&self) -> usize {
        self.ends.len()
    }

    /// The number of hidden nodes so far.
    pub fn nodes(&self) -> usize {
        self.splits.len()
    }

    pub(crate) fn save(&self) -> SavedInnovations {
        let Innovations { ends, splits, first_hidden, .. } = self.clone();
        SavedInnovations { ends, splits, first_hidden }
    }

    /// The innovations from a saved population with this first hidden number; the error says what is wrong.
    pub(crate) fn restore(saved: SavedInnovations, first_hidden: u32) -> Result<Innovations, String> {
        let SavedInnovations { ends, splits, first_hidden: found } = saved;
        if found != first_hidden {
            return Err(format!("hidden nodes are numbered from {found}, but it must be {first_hidden}"));
        }
        let most = (u32::MAX - first_hidden) as usize / 2;
        if ends.len() > most || splits.len() > most {
            return Err(format!(
                "{} connections and {} nodes are more than fit into 32 bits",
                ends.len(),
                splits.len()
            ));
        }
        let number_of_ends: FxHashMap<_, _> = ends.iter().copied().zip(0..).collect();
        let node_in: FxHashMap<_, _> = splits.iter().copied().zip(first_hidden..).collect();
        if number_of_ends.len() != ends.len() || node_in.len() != splits.len() {
            return Err("a connection or a node was invented twice".to_string());
        }
        Ok(Innovations { ends, splits, first_hidden, number_of_ends, node_in })
    }

    /// Checks that all genes of a genome have known numbers; the error names one that does not.
    pub(crate) fn checked(&self, genome: &Genome) -> Result<(), String> {
        let end = self.first_hidden + self.splits.len() as u32;
        if let Some(node) = genome.nodes.last().filter(|node| node.number >= end) {
            return Err(format!("node {} has no innovation number", node.number));
        }
        let known = |gene: &&ConnectionGene| self.ends.get(gene.innovation as usize) == Some(&(gene.from, gene.to));
        match genome.connections.iter().find(|gene| !known(gene)) {
            Some(gene) => Err(format!(
                "connection {} from node {} to node {} has no innovation number",
                gene.innovation, gene.from, gene.to
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_innovations_have_equal_numbers_even_after_saving() {
        let mut innovations = Innovations::new(5);
        assert_eq!([(0, 4), (1, 4), (0, 4)].map(|(from, to)| innovations.connection(from, to)), [0, 1, 0]);
        assert_eq!([1, 0, 1].map(|split| innovations.node(split)), [5, 6, 5]);
        let mut restored = Innovations::restore(innovations.save(), 5).unwrap();
        assert_eq!(restored, innovations);
        assert_eq!((restored.connection(1, 4), restored.connection(4, 1), restored.node(7)), (1, 2, 7));
        assert_eq!((restored.known_node(0), restored.known_node(9)), (Some(6), None));
        assert_eq!((restored.connections(), restored.nodes()), (3, 3));
    }

    #[test]
    fn unknown_numbers_are_refused() {
        let check = |ends: &[(u32, u32)], splits: &[u32], first_hidden: u32, why: &str| {
            let saved = SavedInnovations { ends: ends.to_vec(), splits: splits.to_vec(), first_hidden };
            let error = Innovations::restore(saved, 5).unwrap_err();
            assert!(error.contains(why), "{error}");
        };
        check(&[], &[0], u32::MAX, "hidden nodes are numbered from 4294967295, but it must be 5");
        check(&[(0, 4), (0, 4)], &[], 5, "invented twice");
        check(&[(0, 4)], &[0, 0], 5, "invented twice");
    }
}
