//! The encoder with one input for every side, kind of piece and square: fast to update after a move, and free of human
//! knowledge.

use super::board::SQUARES;
use super::coding::seen;
use super::{Draughts, Setup};
use crate::bits::bits;
use crate::{Encoder, FactSet, Facts, Inputs};

/// Four boards: the mover's men and kings, and the other side's, as the mover sees them. An input is 1 where such a piece
/// stands.
pub struct Boards;

/// The pieces of a position as a set of facts: fact `board * SQUARES + square` is a piece of a board of [`seen`] there.
#[inline]
pub(super) fn facts(game: &Draughts) -> FactSet {
    let [men, kings, other_men, other_kings] = seen(game).map(u64::from);
    [men | kings << SQUARES, other_men | other_kings << SQUARES, 0, 0, 0, 0]
}

/// The names of the boards, in the order of [`seen`].
const NAMES: [&str; 4] = ["own man", "own king", "the other's man", "the other's king"];

impl Encoder<Draughts> for Boards {
    fn name(&self) -> &'static str {
        "boards"
    }
    fn about(&self) -> &'static str {
        "one input for every side, kind of piece and square; fast in searches"
    }
    fn width(&self, _: &Setup) -> usize {
        NAMES.len() * SQUARES
    }
    fn encode(&self, _: &Setup, game: &Draughts, inputs: &mut Inputs) {
        for (number, board) in seen(game).into_iter().enumerate() {
            bits(board).for_each(|square| inputs.set(number * SQUARES + square, 1.0));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("{} on {}", NAMES[input / SQUARES], input % SQUARES + 1)
    }
    fn facts(&self) -> Option<&dyn Facts<Draughts>> {
        Some(self)
    }
}

/// A fact is a piece on a square; it sets one input.
impl Facts<Draughts> for Boards {
    fn count(&self) -> usize {
        NAMES.len() * SQUARES
    }
    #[inline]
    fn hold(&self, game: &Draughts) -> FactSet {
        facts(game)
    }
    fn add(&self, _: &Setup, _: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32)) {
        tell(fact, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, encode};
    use chance::rng_for;

    /// Facts and inputs say the same, and both sides see the same game.
    #[test]
    fn facts_are_the_inputs() {
        let setup = crate::Setup::usual();
        for number in 0..20 {
            let rng = &mut rng_for(number, &[]);
            let mut game = Draughts::start(&setup, rng);
            for _ in 0..30 {
                let inputs = encode(&Boards, &setup, &game);
                let facts = Boards.hold(&game);
                let mut told = vec![0.0; inputs.len()];
                (0..Boards.count())
                    .filter(|fact| facts[fact / 64] >> (fact % 64) & 1 == 1)
                    .for_each(|fact| Boards.add(&setup, &[], fact, &mut |input, value| told[input] += value));
                assert_eq!(told, inputs);
                let pieces = (game.own() | game.other()).count_ones();
                assert_eq!(inputs.iter().sum::<f32>(), pieces as f32);
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                game = game.after(moves[rng.below(moves.len())]);
            }
        }
    }
}
