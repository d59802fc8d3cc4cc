//! The trait `Strategy`: a population that gives networks and receives their scores.

use crate::Network;
use crate::inheritance::Inheritance;
use chance::Rng;
use std::sync::Arc;

/// A population. It gives networks and receives their scores; its genomes are private.
pub trait Strategy: Send {
    /// The networks, by place. A network that did not change since the last generation is the same `Arc`.
    fn networks(&self) -> &[Arc<Network>];
    /// Breeds the next generation.
    fn advance(&mut self, results: &Results, rng: &mut Rng);
    /// Everything that [`StrategyParams::restore`](crate::StrategyParams::restore) needs to continue from here.
    fn save(&self) -> Vec<u8>;
    /// The parents and the species of all genomes, or `None` if the strategy does not record them.
    fn kin(&self) -> Option<Kin> {
        None
    }
    /// For each way of making networks, how the networks made in that way did in the last generation; empty if not
    /// recorded.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }
    /// The genome at a place as one line of text; `None` if a genome is no more than its network.
    fn genome_text(&self, place: usize) -> Option<String> {
        let _ = place;
        None
    }
    /// The place of the strategy's champion, or `None` for the network with the highest score. Some strategies choose
    /// another one, because the best of many samples may have been lucky.
    fn chosen(&self) -> Option<usize> {
        None
    }
    /// The population as a host for networks of another population; `None` unless the strategy [takes
    /// migrants](crate::StrategyParams::takes_migrants).
    fn host(&mut self) -> Option<&mut dyn Host> {
        None
    }
    /// The network that learns while it plays; `None` unless the strategy [learns](crate::StrategyParams::learns).
    fn learner(&mut self) -> Option<&mut dyn Learner> {
        None
    }
    /// The network that studies the games of a generation; `None` unless the strategy
    /// [studies](crate::StrategyParams::studies).
    fn student(&mut self) -> Option<&mut dyn Student> {
        None
    }
}

/// A network that studies many positions together, after the games in which they came up. Like a [`Learner`], it has one
/// output from −1 to 1.
pub trait Student {
    /// The current network.
    fn network(&self) -> &Arc<Network>;
    /// The probability of a random move that the student asks for.
    fn exploration(&self) -> f64;
    /// The share of a position's target that comes from the positions after it, from 0 to 1.
    fn lambda(&self) -> f64;
    /// Learns from these lessons. Then the network is another one.
    fn study(&mut self, lessons: &[Lesson], rng: &mut Rng);
}

/// A position to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The inputs that are not 0, each with its value.
    pub inputs: Vec<(u32, f32)>,
    /// What the network's output should be.
    pub target: f32,
}

/// A population that networks of another population can join.
pub trait Host {
    /// Replaces the last networks by migrants of the same shape and kind. There must be fewer migrants than places.
    fn receive(&mut self, migrants: &[Arc<Network>]);
}

/// A network that learns from sequences of inputs, such as the positions of a game. It has one output from −1 to 1: the
/// value of the inputs for the side that sees them. Successive rows of inputs are seen by alternating sides.
///
/// A row has as many inputs as the network. If it has twice as many, the value is half of the difference between the
/// network's values of both halves: what the one side sees, and what the other side would see (a balanced value).
pub trait Learner {
    /// The current network.
    fn network(&self) -> &Arc<Network>;
    /// The probability of a random move that the learner asks for.
    fn exploration(&self) -> f64;
    /// The network's value of these inputs, without learning.
    fn value(&mut self, inputs: &[f32]) -> f32;
    /// Continues the sequence with these inputs. The target for the value before is the negated value of these inputs.
    fn follow(&mut self, inputs: &[f32]);
    /// Sets the target for the value before to the negated `worth`. The rest of the sequence teaches nothing about the
    /// positions before, because the move played was not the one that the network prefers.
    fn instead(&mut self, worth: f32);
    /// Ends the sequence with these inputs, whose value is `worth`. Then the network changes.
    fn end(&mut self, inputs: &[f32], worth: f32);

    /// Whether the network chooses its moves by the search of its seating, if that has one. Otherwise it compares the
    /// positions after each move.
    fn searches(&self) -> bool {
        true
    }
    /// Whether a position's value is that of the leaf at which the search from this position ends, so that the network
    /// learns to judge leaves (TD-leaf).
    fn learns_leaves(&self) -> bool {
        false
    }
    /// Like [`Learner::follow`] for a position whose leaf has these inputs. `sign` is 1 if the same side is to move at the
    /// leaf, otherwise −1.
    fn follow_leaf(&mut self, inputs: &[f32], sign: f32);
    /// Like [`Learner::follow_leaf`] for a position whose value is known, because its leaf is a finished game.
    fn follow_known(&mut self, worth: f32);
    /// The rest of the sequence teaches nothing about the positions before, because the move that is played is not the
    /// one that the network prefers.
    fn cut(&mut self);
    /// Ends the sequence with a finished game, whose value is `worth` and which is not learned itself. Then the network
    /// changes.
    fn finish(&mut self, worth: f32);
}

/// The parents and the species of all genomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kin {
    /// All genomes, by place.
    pub genomes: Vec<KinEntry>,
    /// All species.
    pub species: Vec<SpeciesEntry>,
}

/// The origin of a genome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KinEntry {
    /// The genome's number, unique in the run.
    pub number: u64,
    /// The numbers of its parents: twice the same for a copy, 0 for no parent.
    pub parents: [u64; 2],
    /// The number of its species.
    pub species: u64,
}

/// A species.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeciesEntry {
    /// The species' number, unique in the run.
    pub number: u64,
    /// The generation in which the species was formed.
    pub born: u64,
    /// The number of the genome with which others are compared.
    pub representative: u64,
}

/// What a strategy receives about a generation.
pub struct Results<'a> {
    /// The scores, by place; higher is better.
    pub scores: &'a [f64],
    /// The champions of all generations so far, the newest last.
    pub champions: &'a dyn Champions,
    /// By place: inputs of positions in which the network was to move, from games that it won, newest first. Only for
    /// strategies that [ask for them](crate::StrategyParams::remembers).
    pub won: &'a [Vec<Vec<f32>>],
}

impl<'a> Results<'a> {
    /// Results with scores alone.
    pub fn of(scores: &'a [f64]) -> Results<'a> {
        static NONE: Vec<Arc<Network>> = Vec::new();
        Results { scores, champions: &NONE, won: &[] }
    }
}

/// The champions of all generations so far. Those of a long run do not fit into memory.
pub trait Champions {
    /// The number of champions.
    fn count(&self) -> usize;
    /// The champion with this index; 0 is the first generation.
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
