//! Encoders turn a position into a network's inputs; decoders turn a network's outputs into a move.

use super::Game;

/// Turns positions into a network's inputs, always from the mover's point of view.
pub trait Encoder<G: Game>: Sync {
    /// The name that people type.
    fn name(&self) -> &'static str;
    /// One sentence about the encoder, for lists.
    fn about(&self) -> &'static str;
    /// The number of inputs.
    fn width(&self, setup: &G::Setup) -> usize;
    /// Sets the inputs of one position. There are [`Encoder::width`] inputs, and all are 0 before the call.
    fn encode(&self, setup: &G::Setup, game: &G, inputs: &mut Inputs);
    /// The meaning of an input in a few words of the game, for drawings. No two inputs have the same label.
    fn label(&self, setup: &G::Setup, input: usize) -> String;

    /// Sets the inputs of several positions, which lie side by side for each input: `values` has room for `together`
    /// positions. All are 0 before the call. An encoder overrides this if several positions are less work together.
    fn encode_all(&self, setup: &G::Setup, genes: &[f32], games: &[G], values: &mut [f32], together: usize) {
        for (lane, game) in games.iter().enumerate() {
            self.encode(setup, game, &mut Inputs::new(values, together, lane).with_genes(genes));
        }
    }

    /// Numbers that each network can carry as genes, instead of the values that the setup gives to all networks.
    fn genes(&self) -> &'static [Gene] {
        &[]
    }

    /// The inputs as a sum over facts, for example "a king stands on this square", and over counters; `None` if they are not
    /// such a sum. A move changes few facts, so the inputs after a move are quick to update.
    fn facts(&self) -> Option<&dyn Facts<G>> {
        None
    }
}

/// A number that an encoder needs and that networks can carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gene {
    /// The gene's name.
    pub name: &'static str,
    /// The lowest allowed value.
    pub low: f32,
    /// The highest allowed value.
    pub high: f32,
}

/// Describes positions as sets of facts and as counters. Each fact adds fixed amounts to the inputs, and so does each unit
/// of a counter.
pub trait Facts<G: Game>: Sync {
    /// The number of facts, at most [`FACTS`].
    fn count(&self) -> usize;
    /// The set of facts that are true in a position.
    fn hold(&self, game: &G) -> FactSet;
    /// Calls `tell` with each input that a fact changes, and with the amount.
    fn add(&self, setup: &G::Setup, genes: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32));

    /// The number of counters, at most [`COUNTERS`]. A counter is a small whole number, such as the number of squares that
    /// knights can go to. It is counted anew in every position, because most moves change it.
    fn counters(&self) -> usize {
        0
    }
    /// Counts in a position. All counters are 0 before the call, and their sizes add up to at most 400 after it.
    fn count_in(&self, game: &G, counters: &mut Counters) {
        let _ = (game, counters);
    }
    /// Calls `tell` with each input that a unit of a counter changes, and with the amount.
    fn add_unit(&self, setup: &G::Setup, counter: usize, tell: &mut dyn FnMut(usize, f32)) {
        let _ = (setup, counter, tell);
    }
}

/// A set of up to [`FACTS`] facts.
pub type FactSet = [u64; FACTS / 64];

/// The values of up to [`COUNTERS`] counters.
pub type Counters = [i32; COUNTERS];

/// The largest number of counters.
pub const COUNTERS: usize = 24;

/// The largest number of facts.
pub const FACTS: usize = 384;

/// The place where an encoder writes its inputs. Several positions are evaluated together: their values for the same
/// input lie side by side, and an encoder writes only the values of its own position.
pub struct Inputs<'a> {
    values: &'a mut [f32],
    together: usize,
    lane: usize,
    genes: &'a [f32],
}

impl<'a> Inputs<'a> {
    /// The inputs of position number `lane` among `together` positions.
    pub fn new(values: &'a mut [f32], together: usize, lane: usize) -> Inputs<'a> {
        Inputs { values, together, lane, genes: &[] }
    }

    /// The same inputs, for a network that carries these genes.
    pub fn with_genes(self, genes: &'a [f32]) -> Inputs<'a> {
        Inputs { genes, ..self }
    }

    /// The gene with this number, or `None` if the network does not carry it.
    pub fn gene(&self, number: usize) -> Option<f32> {
        self.genes.get(number).copied()
    }

    /// Sets all inputs of a position by [`Encoder::encode_all`], for encoders whose work is there.
    pub fn set_all<G: Game>(&mut self, encoder: &dyn Encoder<G>, setup: &G::Setup, game: &G) {
        let games = std::slice::from_ref(game);
        encoder.encode_all(setup, self.genes, games, &mut self.values[self.lane..], self.together);
    }

    /// Sets an input.
    #[inline]
    pub fn set(&mut self, input: usize, value: f32) {
        self.values[input * self.together + self.lane] = value;
    }

    /// Adds to an input.
    #[inline]
    pub fn add(&mut self, input: usize, value: f32) {
        self.values[input * self.together + self.lane] += value;
    }
}

/// The inputs of a single position.
pub fn encode<G: Game>(encoder: &dyn Encoder<G>, setup: &G::Setup, game: &G) -> Vec<f32> {
    let mut values = vec![0.0; encoder.width(setup)];
    encoder.encode(setup, game, &mut Inputs::new(&mut values, 1, 0));
    values
}

/// Turns a network's outputs into a move.
pub trait Decoder<G: Game>: Sync {
    /// The name that people type.
    fn name(&self) -> &'static str;
    /// One sentence about the decoder, for lists.
    fn about(&self) -> &'static str;
    /// The number of outputs.
    fn width(&self, setup: &G::Setup) -> usize;
    /// The move that the outputs name. The game is not over in this position.
    fn decode(&self, setup: &G::Setup, game: &G, outputs: &[f32]) -> Attempt<G::Move>;
    /// The text of the move that the outputs name, legal or not; for records of illegal attempts.
    fn attempt_text(&self, setup: &G::Setup, outputs: &[f32]) -> String;
    /// The meaning of an output in a few words of the game, for drawings. No two outputs have the same label.
    fn label(&self, setup: &G::Setup, output: usize) -> String;
}

/// The move that a network tried to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt<M> {
    /// A legal move.
    Legal(M),
    /// An illegal move: in strict play the network loses; in safe play the nearest legal move is made instead.
    Illegal {
        /// The legal move nearest to the attempt.
        nearest: M,
    },
}

/// The index of the highest number; among equal numbers, the lowest index. NaN counts as the lowest.
pub(crate) fn highest(numbers: &[f32]) -> usize {
    let mut best = 0;
    for (place, &number) in numbers.iter().enumerate() {
        if number > numbers[best] || (numbers[best].is_nan() && !number.is_nan()) {
            best = place;
        }
    }
    best
}
