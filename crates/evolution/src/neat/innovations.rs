//! Innovation numbers: the same split of the same connection, and the same two ends, get the same number for a whole run.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// All numbers that were given out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Innovations {
    /// The ends of each connection, by its number.
    ends: Vec<(u32, u32)>,
    /// The connection that each hidden node was put into, by the node's number less the first.
    splits: Vec<u32>,
    first_hidden: u32,
    number_of_ends: FxHashMap<(u32, u32), u32>,
    node_in: FxHashMap<u32, u32>,
}

/// How it is saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedInnovations {
    ends: Vec<(u32, u32)>,
    splits: Vec<u32>,
    first_hidden: u32,
}

impl Innovations {
    /// Nothing invented yet; hidden nodes will be numbered from here.
    pub fn new(first_hidden: u32) -> Innovations {
        Innovations { first_hidden, ..Innovations::default() }
    }

    /// The number of the connection between these nodes, which are thereby invented if they were not.
    pub fn connection(&mut self, from: u32, to: u32) -> u32 {
        *self.number_of_ends.entry((from, to)).or_insert_with(|| {
            self.ends.push((from, to));
            self.ends.len() as u32 - 1
        })
    }

    /// The number of the node in the middle of a connection, invented if need be.
    pub fn node(&mut self, connection: u32) -> u32 {
        *self.node_in.entry(connection).or_insert_with(|| {
            self.splits.push(connection);
            self.first_hidden + self.splits.len() as u32 - 1
        })
    }

    /// The number of the node in the middle of a connection, if anybody ever put one there.
    pub fn known_node(&self, connection: u32) -> Option<u32> {
        self.node_in.get(&connection).copied()
    }

    /// How many connections were invented.
    pub fn connections(&self) -> usize {
        self.ends.len()
    }

    /// How many hidden nodes were invented.
    pub fn nodes(&self) -> usize {
        self.splits.len()
    }

    pub(crate) fn save(&self) -> SavedInnovations {
        let Innovations { ends, splits, first_hidden, .. } = self.clone();
        SavedInnovations { ends, splits, first_hidden }
    }

    pub(crate) fn restore(saved: SavedInnovations) -> Innovations {
        let SavedInnovations { ends, splits, first_hidden } = saved;
        let number_of_ends = ends.iter().copied().zip(0..).collect();
        let node_in = splits.iter().copied().zip(first_hidden..).collect();
        Innovations { ends, splits, first_hidden, number_of_ends, node_in }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_gets_the_same_number_also_after_saving() {
        let mut innovations = Innovations::new(5);
        assert_eq!([(0, 4), (1, 4), (0, 4)].map(|(from, to)| innovations.connection(from, to)), [0, 1, 0]);
        assert_eq!([1, 0, 1].map(|split| innovations.node(split)), [5, 6, 5]);
        let mut restored = Innovations::restore(innovations.save());
        assert_eq!(restored, innovations);
        assert_eq!((restored.connection(1, 4), restored.connection(4, 1), restored.node(7)), (1, 2, 7));
        assert_eq!((restored.known_node(0), restored.known_node(9)), (Some(6), None));
        assert_eq!((restored.connections(), restored.nodes()), (3, 3));
    }
}
