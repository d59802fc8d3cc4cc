//! The encoder of differences: how many more pieces of each kind the mover has, in all and on parts of the board.

use super::attacks::{SIDE, SQUARES};
use super::pieces::facts;
use super::{KINDS, Minichess, Setup};
use crate::bits::ones;
use crate::{Encoder, FactSet, Facts, Inputs};

/// For every kind of piece: the number of the mover's pieces less that of the other side's, on the whole board, on each row,
/// on each file and on each square. Rows count from each side's own end, and files from the edge, because the rules know no
/// left and right. A position with the sides exchanged has the opposite numbers, so a network without hidden nodes and bias
/// is balanced by itself. Inputs for large parts of the board make it quick to breed.
pub struct Differences;

/// The number of files of half a board.
const FILES: usize = SIDE / 2;
/// The inputs of a kind of piece: the whole board, rows, files, and squares of one half.
const ROWS_AT: usize = 1;
const FILES_AT: usize = ROWS_AT + SIDE;
const SQUARES_AT: usize = FILES_AT + FILES;
const OF_KIND: usize = SQUARES_AT + SIDE * FILES;

/// The inputs that a fact changes, and the amount.
fn changes(fact: usize) -> ([usize; 4], f32) {
    let (board, square) = (fact / SQUARES, fact % SQUARES);
    let (row, file) = (square / SIDE, square % SIDE);
    let file = file.min(SIDE - 1 - file);
    let (kind, row, amount) = match board.checked_sub(KINDS.len()) {
        None => (board, row, 1.0),
        Some(kind) => (kind, SIDE - 1 - row, -1.0),
    };
    ([0, ROWS_AT + row, FILES_AT + file, SQUARES_AT + row * FILES + file].map(|input| kind * OF_KIND + input), amount)
}

impl Encoder<Minichess> for Differences {
    fn name(&self) -> &'static str {
        "differences"
    }
    fn about(&self) -> &'static str {
        "how many more pieces of each kind the mover has: in all, by row, by file and by square; fast in searches"
    }
    fn width(&self, _: &Setup) -> usize {
        KINDS.len() * OF_KIND
    }
    fn encode(&self, _: &Setup, game: &Minichess, inputs: &mut Inputs) {
        for fact in ones(&facts(game, false)) {
            let (changed, amount) = changes(fact);
            changed.into_iter().for_each(|input| inputs.add(input, amount));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        let (kind, part) = (super::coding::word(KINDS[input / OF_KIND]), input % OF_KIND);
        let file = |file: usize| ["a and f", "b and e", "c and d"][file];
        match part {
            ROWS_AT..FILES_AT => format!("more {kind}s on row {}", part - ROWS_AT + 1),
            FILES_AT..SQUARES_AT => format!("more {kind}s on files {}", file(part - FILES_AT)),
            SQUARES_AT.. => {
                let square = part - SQUARES_AT;
                format!("more {kind}s on row {} of files {}", square / FILES + 1, file(square % FILES))
            }
            _ => format!("more {kind}s"),
        }
    }
    fn facts(&self) -> Option<&dyn Facts<Minichess>> {
        Some(self)
    }
}

/// A fact is a piece on a square.
impl Facts<Minichess> for Differences {
    fn count(&self) -> usize {
        2 * KINDS.len() * SQUARES
    }
    #[inline]
    fn hold(&self, game: &Minichess) -> FactSet {
        facts(game, false)
    }
    fn add(&self, _: &Setup, _: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32)) {
        let (changed, amount) = changes(fact);
        changed.into_iter().for_each(|input| tell(input, amount));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    /// The other side sees the opposite, and a reflected board looks the same.
    #[test]
    fn the_other_side_sees_the_opposite() {
        let setup = <Setup as crate::Setup>::usual();
        let encode = |text: &str| crate::encode(&Differences, &setup, &text.parse().unwrap());
        let one = encode("2k3/6/1p4/3R2/6/K5 w");
        assert_eq!(one, encode("3k2/6/4p1/2R3/6/5K w"));
        let game: Minichess = "2k3/6/1p4/3R2/6/K5 w".parse().unwrap();
        let other = crate::encode(&Differences, &setup, &game.passed().unwrap());
        assert!(one.iter().zip(&other).all(|(one, other)| *one == -*other));
        assert_eq!(one[0], -1.0, "a pawn less");
        assert_eq!(one.iter().filter(|value| **value != 0.0).count(), 2 * 4 + 4);
    }
}
