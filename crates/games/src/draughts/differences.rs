//! The encoder of differences: how many more men and kings the mover has, in all and on parts of the board.

use super::board::SQUARES;
use super::boards::facts;
use super::{Draughts, Setup};
use crate::bits::ones;
use crate::{Encoder, FactSet, Facts, Inputs};

/// For men and for kings: the number of the mover's less that of the other side's, on the whole board, on each row and on
/// each square. Rows and squares count from each side's own end. A position with the sides exchanged has the opposite
/// numbers, so a network without hidden nodes and bias is balanced by itself. Inputs for large parts of the board make it
/// quick to breed.
pub struct Differences;

/// The kinds of pieces, in the order of the inputs.
const KINDS: [&str; 2] = ["men", "kings"];
/// The number of rows, and of squares in a row.
const ROWS: usize = 8;
const ROW: usize = SQUARES / ROWS;
/// The inputs of a kind of piece: the whole board, rows and squares.
const ROWS_AT: usize = 1;
const SQUARES_AT: usize = ROWS_AT + ROWS;
const OF_KIND: usize = SQUARES_AT + SQUARES;

/// The inputs that a fact changes, and the amount.
fn changes(fact: usize) -> ([usize; 3], f32) {
    let (board, square) = (fact / SQUARES, fact % SQUARES);
    let (kind, square, amount) = match board.checked_sub(KINDS.len()) {
        None => (board, square, 1.0),
        Some(kind) => (kind, SQUARES - 1 - square, -1.0),
    };
    ([0, ROWS_AT + square / ROW, SQUARES_AT + square].map(|input| kind * OF_KIND + input), amount)
}

impl Encoder<Draughts> for Differences {
    fn name(&self) -> &'static str {
        "differences"
    }
    fn about(&self) -> &'static str {
        "how many more men and kings the mover has: in all, by row and by square; fast in searches"
    }
    fn width(&self, _: &Setup) -> usize {
        KINDS.len() * OF_KIND
    }
    fn encode(&self, _: &Setup, game: &Draughts, inputs: &mut Inputs) {
        for fact in ones(&facts(game)) {
            let (changed, amount) = changes(fact);
            changed.into_iter().for_each(|input| inputs.add(input, amount));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        let (kind, part) = (KINDS[input / OF_KIND], input % OF_KIND);
        match part {
            ROWS_AT..SQUARES_AT => format!("more {kind} on row {}", part - ROWS_AT + 1),
            SQUARES_AT.. => format!("more {kind} on {}", part - SQUARES_AT + 1),
            _ => format!("more {kind}"),
        }
    }
    fn facts(&self) -> Option<&dyn Facts<Draughts>> {
        Some(self)
    }
}

/// A fact is a piece on a square.
impl Facts<Draughts> for Differences {
    fn count(&self) -> usize {
        2 * KINDS.len() * SQUARES
    }
    #[inline]
    fn hold(&self, game: &Draughts) -> FactSet {
        facts(game)
    }
    fn add(&self, _: &Setup, _: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32)) {
        let (changed, amount) = changes(fact);
        changed.into_iter().for_each(|input| tell(input, amount));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, encode};
    use chance::rng_for;

    #[test]
    fn the_other_side_sees_the_opposite() {
        let setup = crate::Setup::usual();
        let game = Draughts::start(&setup, &mut rng_for(1, &[]));
        assert!(encode(&Differences, &setup, &game).iter().all(|value| *value == 0.0));
        let game: Draughts = "W:W18,K7:B1,K30".parse().unwrap();
        let one = encode(&Differences, &setup, &game);
        let other = encode(&Differences, &setup, &game.passed().unwrap());
        assert!(one.iter().zip(&other).all(|(one, other)| *one == -*other));
        assert_eq!((one[0], one[OF_KIND]), (0.0, 0.0));
        assert!(one.contains(&1.0));
    }
}
