//! How a position becomes a network's inputs, and its outputs a move.

use crate::Game;

/// Shows positions to a network, always from the mover's side.
pub trait Encoder<G: Game>: Sync {
    /// The name people type.
    fn name(&self) -> &'static str;
    /// One sentence for lists.
    fn about(&self) -> &'static str;
    /// How many inputs it fills.
    fn width(&self, setup: &G::Setup) -> usize;
    /// Fills the inputs, of which there are [`Encoder::width`].
    fn encode(&self, setup: &G::Setup, game: &G, inputs: &mut [f32]);
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
