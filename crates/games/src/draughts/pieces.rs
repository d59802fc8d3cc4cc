//! An encoder for draughts with separate inputs for men and kings, and for what both sides can do.

use super::board::{Board, DOWN_LEFT, DOWN_RIGHT, SIDE, SQUARES, UP_LEFT, UP_RIGHT, shifted};
use super::coding::seen;
use super::{Draughts, Setup};
use crate::bits::bits;
use crate::{Encoder, Game, Inputs};

/// One input per square for men and one for kings, then counts, moves, threats, and how near the stronger side's kings
/// are.
pub struct Pieces;

/// The indices of the inputs after the 64 of the squares.
const MEN: usize = 2 * SQUARES;
const KINGS: usize = MEN + 1;
const SHARE: usize = MEN + 2;
const EARLY: usize = MEN + 3;
const STEPS: usize = MEN + 4;
const OTHER_STEPS: usize = MEN + 5;
const TAKES: usize = MEN + 6;
const OTHER_TAKES: usize = MEN + 7;
const NEAR: usize = MEN + 8;
/// The first input of the rows of men. The last row has none. These inputs grow as fewer pieces are left.
const LATE_ROWS: usize = MEN + 9;
const WIDTH: usize = LATE_ROWS + SIDE - 1;

/// The number of pieces with which each side begins.
const ARMY: f32 = 12.0;
/// Numbers of pieces are divided by the first, numbers of moves by the second, so that usual values are near 1.
const USUAL_PIECES: f32 = 2.0;
const USUAL_MOVES: f32 = 8.0;
/// The longest way of a king to any square, in steps.
const FARTHEST: f32 = 7.0;

impl Encoder<Draughts> for Pieces {
    fn name(&self) -> &'static str {
        "pieces"
    }
    fn about(&self) -> &'static str {
        "64 inputs: men and kings by square, minus the other side's on the same square as it sees it; then counts, moves, threats, nearness of kings, and rows of men that count more in endgames"
    }
    fn width(&self, _: &Setup) -> usize {
        WIDTH
    }
    fn encode(&self, _: &Setup, game: &Draughts, inputs: &mut Inputs) {
        let [men, kings, other_men, other_kings] = seen(game);
        for (first, own, other) in [(0, men, other_men), (SQUARES, kings, other_kings)] {
            // If both sides have the same piece on the same square, each from its own point of view, the two cancel
            // out.
            let other = other.reverse_bits();
            bits(own & !other).for_each(|square| inputs.set(first + square, 1.0));
            bits(other & !own).for_each(|square| inputs.set(first + square, -1.0));
        }
        let count = |pieces: Board| pieces.count_ones() as f32;
        let (own, other) = (count(men | kings), count(other_men | other_kings));
        inputs.set(MEN, (count(men) - count(other_men)) / USUAL_PIECES);
        inputs.set(KINGS, (count(kings) - count(other_kings)) / USUAL_PIECES);
        inputs.set(SHARE, USUAL_PIECES * (own - other) / (own + other).max(1.0));
        inputs.set(EARLY, (own + other) / (2.0 * ARMY));
        let passed = game.passed().expect("draughts has a position for either side");
        for (steps, takes, game) in [(STEPS, TAKES, game), (OTHER_STEPS, OTHER_TAKES, &passed)] {
            let moves: u32 = game.steppers().iter().map(|steppers| steppers.count_ones()).sum();
            inputs.set(steps, moves as f32 / USUAL_MOVES);
            inputs.set(takes, count(game.takeable()) / USUAL_PIECES);
        }
        let late = 1.0 - (own + other) / (2.0 * ARMY);
        for row in 0..SIDE - 1 {
            let on_row = 0xf << (SQUARES / SIDE * row);
            let difference = count(men & on_row) - count(other_men.reverse_bits() & on_row);
            inputs.set(LATE_ROWS + row, late * difference);
        }
        // The stronger side's kings should come near, and the weaker side should keep away.
        if own > other {
            inputs.set(NEAR, nearness(kings, other_men | other_kings));
        } else if other > own {
            inputs.set(NEAR, -nearness(other_kings, men | kings));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        match input {
            MEN => "men more".to_string(),
            KINGS => "kings more".to_string(),
            SHARE => "share of pieces more".to_string(),
            EARLY => "pieces left".to_string(),
            STEPS => "own moves".to_string(),
            OTHER_STEPS => "the other's moves".to_string(),
            TAKES => "pieces it could take".to_string(),
            OTHER_TAKES => "own pieces under threat".to_string(),
            NEAR => "kings near the weaker side".to_string(),
            square if square < SQUARES => format!("man on {}", square + 1),
            square if square < MEN => format!("king on {}", square - SQUARES + 1),
            row => format!("men on row {}, late", row - LATE_ROWS + 1),
        }
    }
}

/// How near the kings are to the nearest of the other pieces, on average: 1 means on the same square, 0 as far away as
/// possible. 0 if there are no kings or no other pieces.
fn nearness(kings: Board, others: Board) -> f32 {
    if kings == 0 || others == 0 {
        return 0.0;
    }
    let (mut reached, mut away, mut steps) = (others, kings, 0);
    while away != 0 {
        let [down, up] = [
            shifted::<DOWN_LEFT>(reached) | shifted::<DOWN_RIGHT>(reached),
            shifted::<UP_LEFT>(reached) | shifted::<UP_RIGHT>(reached),
        ];
        steps += away.count_ones();
        reached |= down | up;
        away &= !reached;
    }
    1.0 - steps as f32 / (kings.count_ones() as f32 * FARTHEST)
}

impl Draughts {
    /// The pieces of the other side that can be captured now.
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
        // White's man on 18 can capture Black's man on 14 and land on 9. Black's king on 1 can step to 5 and 6.
        let game: Draughts = "B:W18,26:BK1,14,15".parse().unwrap();
        let inputs = encode(&Pieces, &Setup::usual(), &game);
        assert_eq!(inputs[SQUARES], 1.0);
        // A man that is the mirror image of the other side's man cancels out: 15 of Black and 18 of White.
        assert_eq!((inputs[14], inputs[13], inputs[6]), (0.0, 1.0, -1.0));
        assert_eq!(inputs[MEN..=KINGS], [0.0, 0.5]);
        assert_eq!(inputs[SHARE..=EARLY], [0.4, 5.0 / 24.0]);
        let steps = |text: &str| {
            let mut moves = Vec::new();
            text.parse::<Draughts>().unwrap().legal_moves(&mut moves);
            moves.len() as f32
        };
        assert_eq!(inputs[OTHER_TAKES] * USUAL_PIECES, 2.0);
        assert_eq!(inputs[TAKES] * USUAL_PIECES, 1.0);
        // Black has more pieces. Its only king is three steps away from 15's neighbour 18, and farther from all others.
        assert_eq!(inputs[NEAR], nearness(1, 1 << 17 | 1 << 25));
        assert_eq!((nearness(1, 1 << 5), nearness(1, 1 << 31)), (1.0 - 1.0 / 7.0, 0.0));
        assert_eq!(nearness(1 | 1 << 28, 1 << 31), 1.0 - (7.0 + 6.0) / 14.0);
        // Black has men on its fourth row, White on its fourth and second.
        assert_eq!(inputs[LATE_ROWS..], [0.0, -19.0 / 24.0, 0.0, 19.0 / 24.0, 0.0, 0.0, 0.0]);
        let quiet: Draughts = "B:W32:BK1,13".parse().unwrap();
        let inputs = encode(&Pieces, &Setup::usual(), &quiet);
        assert_eq!(inputs[STEPS] * USUAL_MOVES, steps("B:W32:BK1,13"));
        assert_eq!(inputs[OTHER_STEPS] * USUAL_MOVES, steps("W:W32:BK1,13"));
    }
}
