//! A board of draughts with men and kings apart, and what both sides can do in it.

use super::board::{Board, DOWN_LEFT, DOWN_RIGHT, SQUARES, UP_LEFT, UP_RIGHT, shifted};
use super::coding::seen;
use super::{Draughts, Setup};
use crate::bits::bits;
use crate::{Encoder, Game, Inputs};

/// One input per square for men and one for kings, then counts and what can be done.
pub(super) struct Pieces;

/// Inputs behind the 64 of the squares.
const MEN: usize = 2 * SQUARES;
const KINGS: usize = MEN + 1;
const SHARE: usize = MEN + 2;
const EARLY: usize = MEN + 3;
const STEPS: usize = MEN + 4;
const OTHER_STEPS: usize = MEN + 5;
const TAKES: usize = MEN + 6;
const OTHER_TAKES: usize = MEN + 7;
const WIDTH: usize = MEN + 8;

/// How many pieces each side begins with.
const ARMY: f32 = 12.0;
/// Numbers of pieces are told as parts of it, and numbers of moves: so what is usual comes near 1.
const SOME: f32 = 2.0;
const MANY: f32 = 8.0;

impl Encoder<Draughts> for Pieces {
    fn name(&self) -> &'static str {
        "pieces"
    }
    fn about(&self) -> &'static str {
        "64 inputs: men and kings by square, less the other side's on the same square as it sees it; then counts, moves and threats"
    }
    fn width(&self, _: &Setup) -> usize {
        WIDTH
    }
    fn encode(&self, _: &Setup, game: &Draughts, inputs: &mut Inputs) {
        let [men, kings, other_men, other_kings] = seen(game);
        for (first, own, other) in [(0, men, other_men), (SQUARES, kings, other_kings)] {
            // What both have on the same square, each by its own sight, cancels out.
            let other = other.reverse_bits();
            bits(own & !other).for_each(|square| inputs.set(first + square, 1.0));
            bits(other & !own).for_each(|square| inputs.set(first + square, -1.0));
        }
        let count = |pieces: Board| pieces.count_ones() as f32;
        let (own, other) = (count(men | kings), count(other_men | other_kings));
        inputs.set(MEN, (count(men) - count(other_men)) / SOME);
        inputs.set(KINGS, (count(kings) - count(other_kings)) / SOME);
        inputs.set(SHARE, SOME * (own - other) / (own + other).max(1.0));
        inputs.set(EARLY, (own + other) / (2.0 * ARMY));
        let passed = game.passed().expect("either side can be asked");
        for (steps, takes, game) in [(STEPS, TAKES, game), (OTHER_STEPS, OTHER_TAKES, &passed)] {
            let moves: u32 = game.steppers().iter().map(|steppers| steppers.count_ones()).sum();
            inputs.set(steps, moves as f32 / MANY);
            inputs.set(takes, count(game.takeable()) / SOME);
        }
    }
}

impl Draughts {
    /// Pieces of the other side that could be taken at once.
    fn takeable(&self) -> Board {
        let ([down, up], empty, other) = (self.movers(), self.empty(), self.other());
        let down_taken = shifted::<DOWN_LEFT>(down) & shifted::<UP_RIGHT>(empty)
            | shifted::<DOWN_RIGHT>(down) & shifted::<UP_LEFT>(empty);
        let up_taken = shifted::<UP_LEFT>(up) & shifted::<DOWN_RIGHT>(empty)
            | shifted::<UP_RIGHT>(up) & shifted::<DOWN_LEFT>(empty);
        other & (down_taken | up_taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup as _, encode};

    #[test]
    fn counts_moves_and_threats() {
        // Black's man on 14 can be taken by White's on 18, over to 9; Black's king on 1 can step to 5 and 6.
        let game: Draughts = "B:W18,26:BK1,14,15".parse().unwrap();
        let inputs = encode(&Pieces, &Setup::usual(), &game);
        assert_eq!(inputs[SQUARES], 1.0);
        // A man that is the other's mirror image cancels out: 15 of Black and 18 of White.
        assert_eq!((inputs[14], inputs[13], inputs[6]), (0.0, 1.0, -1.0));
        assert_eq!(inputs[MEN..=KINGS], [0.0, 0.5]);
        assert_eq!(inputs[SHARE..=EARLY], [0.4, 5.0 / 24.0]);
        let steps = |text: &str| {
            let mut moves = Vec::new();
            text.parse::<Draughts>().unwrap().legal_moves(&mut moves);
            moves.len() as f32
        };
        assert_eq!(inputs[OTHER_TAKES] * SOME, 2.0);
        assert_eq!(inputs[TAKES] * SOME, 1.0);
        let quiet: Draughts = "B:W32:BK1,13".parse().unwrap();
        let inputs = encode(&Pieces, &Setup::usual(), &quiet);
        assert_eq!(inputs[STEPS] * MANY, steps("B:W32:BK1,13"));
        assert_eq!(inputs[OTHER_STEPS] * MANY, steps("W:W32:BK1,13"));
    }
}
