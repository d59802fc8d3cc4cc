//! The contract of a strategy: a population that is asked for networks and told their scores.

use crate::Network;
use crate::inheritance::Inheritance;
use chance::Rng;
use std::sync::Arc;

/// A population: ask it for networks, tell it their scores. Its genomes are its own business.
pub trait Strategy: Send {
    /// What plays, by place. A network that did not change since the last generation is the same `Arc`.
    fn networks(&self) -> &[Arc<Network>];
    /// Breeds the next generation.
    fn advance(&mut self, results: &Results, rng: &mut Rng);
    /// Everything that [`StrategyParams::restore`](crate::StrategyParams::restore) needs to go on from here.
    fn save(&self) -> Vec<u8>;
    /// Who descends from whom, where that is known.
    fn kin(&self) -> Option<Kin> {
        None
    }
    /// How those did that came into the last generation by each way, where that is known.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }
    /// The genome at a place as one line of text, where genomes are more than their networks.
    fn genome_text(&self, place: usize) -> Option<String> {
        let _ = place;
        None
    }
    /// The place of the network that it has come to, where that is not whichever scored best: a sample that did may have been
    /// lucky.
    fn chosen(&self) -> Option<usize> {
        None
    }
    /// The population as one that networks of another population can join, for strategies that
    /// [take migrants](crate::StrategyParams::takes_migrants).
    fn host(&mut self) -> Option<&mut dyn Host> {
        None
    }
    /// The one network that learns as it plays, for strategies that [learn](crate::StrategyParams::learns).
    fn learner(&mut self) -> Option<&mut dyn Learner> {
        None
    }
}

/// A population that networks of another population can join.
pub trait Host {
    /// Takes in networks of the population's own shape and kind, fewer than it has, in the places of its last.
    fn receive(&mut self, migrants: &[Arc<Network>]);
}

/// A network that learns as it is shown sequences of inputs, such as the positions of a game. It has one output, from −1 to 1:
/// the value of the inputs for the side that sees them. Each row of inputs is seen by the other side than the one before.
pub trait Learner {
    /// The network as it is now.
    fn network(&self) -> &Arc<Network>;
    /// The chance of a random move that it asks for.
    fn exploration(&self) -> f64;
    /// The network's value of these inputs; nothing is learned.
    fn value(&mut self, inputs: &[f32]) -> f32;
    /// The sequence goes on with these inputs: the value before should have been the opposite of the value now.
    fn follow(&mut self, inputs: &[f32]);
    /// The value before should have been the opposite of this one. What follows in the sequence teaches nothing about what was
    /// before, as it did not come about by what the network holds best.
    fn instead(&mut self, worth: f32);
    /// The sequence ends with these inputs, which are worth that much: then the network changes.
    fn end(&mut self, inputs: &[f32], worth: f32);
}

/// Who descends from whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kin {
    /// Every genome, by place.
    pub genomes: Vec<KinEntry>,
    /// Every species.
    pub species: Vec<SpeciesEntry>,
}

/// Where a genome comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KinEntry {
    /// Its number, for the whole run.
    pub number: u64,
    /// Its parents' numbers: the same twice for a copy, 0 for none.
    pub parents: [u64; 2],
    /// Its species' number.
    pub species: u64,
}

/// A species.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeciesEntry {
    /// Its number, for the whole run.
    pub number: u64,
    /// The generation in which it came up.
    pub born: u64,
    /// The number of the genome that others were compared with.
    pub representative: u64,
}

/// What a strategy is told of a generation.
pub struct Results<'a> {
    /// By place; higher is better.
    pub scores: &'a [f64],
    /// The champions of all generations so far, this one's last.
    pub champions: &'a dyn Champions,
    /// By place: inputs of positions in which it was to move in games that it won, the newest first; for strategies that
    /// [ask for them](crate::StrategyParams::remembers).
    pub won: &'a [Vec<Vec<f32>>],
}

impl<'a> Results<'a> {
    /// Scores, and nothing else.
    pub fn of(scores: &'a [f64]) -> Results<'a> {
        static NONE: Vec<Arc<Network>> = Vec::new();
        Results { scores, champions: &NONE, won: &[] }
    }
}

/// The champions of all generations so far: of a long run too many to be held in memory.
pub trait Champions {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them, by place: the first generation's has place 0.
    fn champion(&self, place: usize) -> Arc<Network>;
}

impl Champions for Vec<Arc<Network>> {
    fn count(&self) -> usize {
        self.len()
    }

    fn champion(&self, place: usize) -> Arc<Network> {
        Arc::clone(&self[place])
    }
}
