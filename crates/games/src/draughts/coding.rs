//! Encoders for draughts, from the mover's point of view: its pieces are positive and its men go down.

use super::board::{SIDE, SQUARES, place};
use super::{Draughts, Setup};
use crate::bits::bits;
use crate::{Encoder, FactSet, Facts, Game, Gene, Inputs, Side};

/// A family of encoders that add up the pieces on single squares or on larger parts of the board.
pub struct Sight {
    name: &'static str,
    about: &'static str,
    view: View,
    /// Whether the last input is the sum of all pieces.
    difference: bool,
}

impl Sight {
    /// One input per square: a man is 1, a king is `king_value`; the other side's pieces are negative.
    pub const SQUARES: Sight = Sight {
        name: "squares",
        about: "one input per square: man 1, king king_value; the other side's negative",
        view: View::Squares,
        difference: false,
    };
    /// The inputs of [`Sight::SQUARES`], then their sum.
    pub const SQUARES_DIFFERENCE: Sight = Sight {
        name: "squares-difference",
        about: "the inputs of squares, then their sum",
        view: View::Squares,
        difference: true,
    };
    /// 91 inputs: the sums of the squares of every part of the board, from 3 by 3 to 8 by 8.
    pub const SUBSQUARES: Sight = Sight {
        name: "subsquares",
        about: "91 inputs: sums of the squares of every part of the board, from 3 by 3 to 8 by 8",
        view: View::Sums,
        difference: false,
    };
    /// The inputs of [`Sight::SUBSQUARES`], then the sum of all pieces.
    pub const SUBSQUARES_DIFFERENCE: Sight = Sight {
        name: "subsquares-difference",
        about: "the inputs of subsquares, then the sum of all pieces",
        view: View::Sums,
        difference: true,
    };
    /// The inputs of [`Sight::SUBSQUARES`], each divided by its number of dark squares.
    pub const SUBSQUARE_MEANS: Sight = Sight {
        name: "subsquare-means",
        about: "the inputs of subsquares, each divided by its number of dark squares",
        view: View::Means,
        difference: false,
    };
}

#[derive(Clone, Copy, PartialEq)]
enum View {
    /// Each square.
    Squares,
    /// Sums over parts of the board.
    Sums,
    /// Sums over parts, divided by the number of dark squares.
    Means,
}

/// The number of square parts of the board with sides from 3 to 8.
const PARTS: usize = 36 + 25 + 16 + 9 + 4 + 1;

/// The squares of each part; small parts first, row by row.
const PART_SQUARES: [u32; PARTS] = {
    let mut parts = [0; PARTS];
    let (mut number, mut side) = (0, 3);
    while side <= SIDE {
        let mut corner = 0;
        let places = SIDE - side + 1;
        while corner < places * places {
            let (top, left) = (corner / places, corner % places);
            let mut square = 0;
            while square < SQUARES {
                let (row, column) = place(square);
                if row >= top && row < top + side && column >= left && column < left + side {
                    parts[number] |= 1 << square;
                }
                square += 1;
            }
            number += 1;
            corner += 1;
        }
        side += 1;
    }
    parts
};

/// The name of a part of the board: its side and its upper left corner, as the mover sees it.
fn part_name(mut part: usize) -> String {
    let mut side = 3;
    let places = |side: usize| SIDE - side + 1;
    while part >= places(side) * places(side) {
        part -= places(side) * places(side);
        side += 1;
    }
    let (row, column) = (part / places(side) + 1, part % places(side) + 1);
    format!("{side}×{side} from row {row}, column {column}")
}

/// The mover's men and kings, then the other side's, as the mover sees them: turned, so that its men go down.
#[inline]
pub(super) fn seen(game: &Draughts) -> [u32; 4] {
    let [own, other] = [game.own(), game.other()];
    let pieces = [own & !game.kings, own & game.kings, other & !game.kings, other & game.kings];
    match game.side_to_move() {
        Side::First => pieces,
        Side::Second => pieces.map(u32::reverse_bits),
    }
}

/// The value of a piece, by its index in [`seen`].
fn worth(piece: usize, king: f32) -> f32 {
    [1.0, king, -1.0, -king][piece]
}

const KING: Gene = Gene { name: "king_value", low: 1.0, high: 3.0 };

impl Encoder<Draughts> for Sight {
    fn name(&self) -> &'static str {
        self.name
    }
    fn about(&self) -> &'static str {
        self.about
    }
    fn width(&self, _: &Setup) -> usize {
        self.shown() + usize::from(self.difference)
    }
    fn encode(&self, setup: &Setup, game: &Draughts, inputs: &mut Inputs) {
        let king = inputs.gene(0).unwrap_or(setup.king_value);
        let mut squares = [0.0; SQUARES];
        let mut difference = 0.0;
        for (piece, places) in seen(game).into_iter().enumerate() {
            for square in bits(places) {
                squares[square] = worth(piece, king);
                difference += worth(piece, king);
            }
        }
        if self.view == View::Squares {
            squares.iter().enumerate().for_each(|(square, &worth)| inputs.set(square, worth));
        } else {
            for (number, &part) in PART_SQUARES.iter().enumerate() {
                let sum: f32 = bits(part).map(|square| squares[square]).sum();
                inputs.set(number, sum / self.divisor(part));
            }
        }
        if self.difference {
            inputs.set(self.shown(), difference);
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        match (self.view, input) {
            (_, all) if all == self.shown() => "all pieces".to_string(),
            (View::Squares, square) => format!("square {}", square + 1),
            (View::Sums | View::Means, part) => part_name(part),
        }
    }
    fn genes(&self) -> &'static [Gene] {
        &[KING]
    }
    fn facts(&self) -> Option<&dyn Facts<Draughts>> {
        Some(self)
    }
}

impl Sight {
    /// The number of inputs without the difference.
    fn shown(&self) -> usize {
        if self.view == View::Squares { SQUARES } else { PARTS }
    }

    /// The number by which the sum over a part is divided.
    fn divisor(&self, part: u32) -> f32 {
        if self.view == View::Means { part.count_ones() as f32 } else { 1.0 }
    }
}

/// A fact is a piece on a square: there are 32 facts for each entry of `seen`.
impl Facts<Draughts> for Sight {
    fn count(&self) -> usize {
        4 * SQUARES
    }
    #[inline]
    fn hold(&self, game: &Draughts) -> FactSet {
        let [men, kings, other_men, other_kings] = seen(game).map(u64::from);
        [men | kings << SQUARES, other_men | other_kings << SQUARES, 0, 0, 0, 0]
    }
    fn add(&self, setup: &Setup, genes: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32)) {
        let worth = worth(fact / SQUARES, genes.first().copied().unwrap_or(setup.king_value));
        let square = fact % SQUARES;
        if self.view == View::Squares {
            tell(square, worth);
        } else {
            let parts = PART_SQUARES.iter().enumerate().filter(|(_, part)| **part >> square & 1 == 1);
            parts.for_each(|(number, &part)| tell(number, worth / self.divisor(part)));
        }
        if self.difference {
            tell(self.shown(), worth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup as _, encode};

    #[test]
    fn both_sides_see_the_same_game() {
        let setup = Setup::usual();
        let black: Draughts = "B:W21,K30:B1,K7,12".parse().unwrap();
        let white: Draughts = "W:W32,K26,21:B12,K3".parse().unwrap();
        for encoder in Draughts::ENCODERS {
            assert_eq!(encode(*encoder, &setup, &black), encode(*encoder, &setup, &white), "{}", encoder.name());
        }
    }

    #[test]
    fn parts_are_all_there() {
        let setup = Setup { king_value: 2.0, ..Setup::usual() };
        let game: Draughts = "B:W21,K30:B1,K7,12".parse().unwrap();
        let inputs = encode(&Sight::SUBSQUARES, &setup, &game);
        assert_eq!(inputs.len(), 91);
        // The whole board, and its upper left corner of three by three: squares 1, 5, 6, 9.
        assert_eq!((inputs[90], inputs[0]), (1.0 + 2.0 + 1.0 - 1.0 - 2.0, 1.0));
        assert_eq!(PART_SQUARES[0], 1 | 1 << 4 | 1 << 5 | 1 << 8);
        let names = [0, 7, 36, 90].map(part_name);
        assert_eq!(
            names.each_ref().map(|name| name.as_str()),
            [
                "3×3 from row 1, column 1",
                "3×3 from row 2, column 2",
                "4×4 from row 1, column 1",
                "8×8 from row 1, column 1"
            ]
        );
        assert_eq!(encode(&Sight::SUBSQUARES_DIFFERENCE, &setup, &game)[91], 1.0);
        assert_eq!(encode(&Sight::SUBSQUARE_MEANS, &setup, &game)[0], 0.25);
        let mut own = vec![0.0; 32];
        Sight::SQUARES.encode(&setup, &game, &mut Inputs::new(&mut own, 1, 0).with_genes(&[2.5]));
        assert_eq!((own[6], own[29]), (2.5, -2.5));
    }
}
