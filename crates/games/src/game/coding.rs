//! How a position becomes a network's inputs, and its outputs a move.

use super::Game;

/// Shows positions to a network, always from the mover's side.
pub trait Encoder<G: Game>: Sync {
    /// The name people type.
    fn name(&self) -> &'static str;
    /// One sentence for lists.
    fn about(&self) -> &'static str;
    /// How many inputs it fills.
    fn width(&self, setup: &G::Setup) -> usize;
    /// Sets the inputs, of which there are [`Encoder::width`]; all are 0 before.
    fn encode(&self, setup: &G::Setup, game: &G, inputs: &mut Inputs);
    /// What an input tells, in a few words of the game, for drawings; no two say the same.
    fn label(&self, setup: &G::Setup, input: usize) -> String;

    /// Numbers that a network may carry itself, instead of those that the setup gives to all.
    fn genes(&self) -> &'static [Gene] {
        &[]
    }

    /// The same inputs as a sum over facts, such as that a king stands on a square, where they are one: then a move,
    /// which changes few facts, changes little.
    fn facts(&self) -> Option<&dyn Facts<G>> {
        None
    }
}

/// A number that an encoder needs and that networks may carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gene {
    /// What it is called.
    pub name: &'static str,
    /// The least it may be.
    pub low: f32,
    /// The most it may be.
    pub high: f32,
}

/// Positions as sets of facts, each of which adds its own to the inputs.
pub trait Facts<G: Game>: Sync {
    /// How many there are, at most as many as a [`FactSet`] holds.
    fn count(&self) -> usize;
    /// Which hold in a position.
    fn hold(&self, game: &G) -> FactSet;
    /// Tells what a fact adds to which inputs.
    fn add(&self, setup: &G::Setup, genes: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32));
}

/// A set of up to 128 facts.
pub type FactSet = [u64; 2];

/// Where an encoder writes. Many positions are judged together, the same input of all of them side by side, and each
/// position sees its own inputs only.
pub struct Inputs<'a> {
    values: &'a mut [f32],
    together: usize,
    lane: usize,
    genes: &'a [f32],
}

impl<'a> Inputs<'a> {
    /// The inputs of one of so many positions.
    pub fn new(values: &'a mut [f32], together: usize, lane: usize) -> Inputs<'a> {
        Inputs { values, together, lane, genes: &[] }
    }

    /// The same for a network that carries these numbers itself.
    pub fn with_genes(self, genes: &'a [f32]) -> Inputs<'a> {
        Inputs { genes, ..self }
    }

    /// Such a number, where the network has it.
    pub fn gene(&self, number: usize) -> Option<f32> {
        self.genes.get(number).copied()
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

/// Reads a move out of a network's outputs.
pub trait Decoder<G: Game>: Sync {
    /// The name people type.
    fn name(&self) -> &'static str;
    /// One sentence for lists.
    fn about(&self) -> &'static str;
    /// How many outputs it reads.
    fn width(&self, setup: &G::Setup) -> usize;
    /// What the outputs say, in a position where the game is not over.
    fn decode(&self, setup: &G::Setup, game: &G, outputs: &[f32]) -> Attempt<G::Move>;
    /// What the outputs say in the notation of moves, for records of attempts that are illegal.
    fn attempt_text(&self, setup: &G::Setup, outputs: &[f32]) -> String;
    /// What an output says, in a few words of the game, for drawings; no two say the same.
    fn label(&self, setup: &G::Setup, output: usize) -> String;
}

/// What a network tried to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt<M> {
    /// A legal move.
    Legal(M),
    /// Something else: strict play loses by it, safe play makes the nearest legal move instead.
    Illegal {
        /// The legal move nearest to the attempt.
        nearest: M,
    },
}

/// Which of the numbers is the highest: the lowest place among equals; a number that is none counts as the lowest.
pub(crate) fn highest(numbers: &[f32]) -> usize {
    let mut best = 0;
    for (place, &number) in numbers.iter().enumerate() {
        if number > numbers[best] || (numbers[best].is_nan() && !number.is_nan()) {
            best = place;
        }
    }
    best
}
