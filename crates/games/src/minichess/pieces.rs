//! The encoder with one input for every piece on every square: fast to update after a move, and free of human knowledge.

use super::attacks::{Bitboard, SIDE, SQUARES};
use super::{KINDS, Minichess, Setup};
use crate::bits::bits;
use crate::{Encoder, FactSet, Facts, Game, Inputs, Side};

/// One input for every side, kind of piece and square, which is 1 if such a piece stands there. The board is seen from the
/// mover's side, and reflected so that the mover's king stands on the left half: the rules know no left and right.
pub struct Pieces;

/// The left half of the board: the files a, b and c.
const LEFT: Bitboard = column(0) | column(1) | column(2);

const fn column(number: usize) -> Bitboard {
    let (mut squares, mut row) = (0, 0);
    while row < SIDE {
        squares |= 1 << (row * SIDE + number);
        row += 1;
    }
    squares
}

/// The board turned so that the upper row becomes the lowest.
fn turned(board: Bitboard) -> Bitboard {
    const ROW: Bitboard = (1 << SIDE) - 1;
    (0..SIDE).fold(0, |turned, row| turned | (board >> (row * SIDE) & ROW) << ((SIDE - 1 - row) * SIDE))
}

/// The board with left and right exchanged.
fn reflected(board: Bitboard) -> Bitboard {
    let pairs = [(0, 5), (1, 4), (2, 3)];
    pairs.iter().fold(0, |reflected, &(left, right)| {
        let by = right - left;
        reflected | (board & column(left)) << by | (board & column(right)) >> by
    })
}

/// The boards of all pieces as the mover sees them: its own kinds, then those of the other side. With `reflects`, left and
/// right are exchanged if the mover's king stands on the right half.
#[inline]
fn boards(game: &Minichess, reflects: bool) -> [Bitboard; 2 * KINDS.len()] {
    let mover = game.side_to_move();
    let own = game.sides[mover as usize];
    let is_right = reflects && own & game.kings() & !LEFT != 0;
    let seen = |board: Bitboard| {
        let board = if mover == Side::First { board } else { turned(board) };
        if is_right { reflected(board) } else { board }
    };
    let (own, kinds) = (seen(own), game.kinds.map(seen));
    std::array::from_fn(|number| match number.checked_sub(KINDS.len()) {
        None => kinds[number] & own,
        Some(kind) => kinds[kind] & !own,
    })
}

/// The pieces of a position as a set of facts: fact `number * SQUARES + square` is a piece of board `number` on a square.
#[inline]
pub(super) fn facts(game: &Minichess, reflects: bool) -> FactSet {
    let mut facts = FactSet::default();
    for (number, board) in boards(game, reflects).into_iter().enumerate() {
        let (word, bit) = (number * SQUARES / 64, number * SQUARES % 64);
        facts[word] |= board << bit;
        if bit + SQUARES > 64 {
            facts[word + 1] |= board >> (64 - bit);
        }
    }
    facts
}

impl Encoder<Minichess> for Pieces {
    fn name(&self) -> &'static str {
        "pieces"
    }
    fn about(&self) -> &'static str {
        "one input for every side, kind of piece and square, with the mover's king on the left half; fast in searches"
    }
    fn width(&self, _: &Setup) -> usize {
        2 * KINDS.len() * SQUARES
    }
    fn encode(&self, _: &Setup, game: &Minichess, inputs: &mut Inputs) {
        for (number, board) in boards(game, true).into_iter().enumerate() {
            bits(board).for_each(|square| inputs.set(number * SQUARES + square, 1.0));
        }
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        let (number, square) = (input / SQUARES, input % SQUARES);
        let whose = if number < KINDS.len() { "own" } else { "the other's" };
        format!(
            "{whose} {} on {}",
            super::coding::word(KINDS[number % KINDS.len()]),
            super::coding::square_name(square)
        )
    }
    fn facts(&self) -> Option<&dyn Facts<Minichess>> {
        Some(self)
    }
}

/// A fact is a piece on a square; it sets one input.
impl Facts<Minichess> for Pieces {
    fn count(&self) -> usize {
        2 * KINDS.len() * SQUARES
    }
    #[inline]
    fn hold(&self, game: &Minichess) -> FactSet {
        facts(game, true)
    }
    fn add(&self, _: &Setup, _: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32)) {
        tell(fact, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflected_games_look_the_same() {
        let setup = <Setup as crate::Setup>::usual();
        let encode = |text: &str| crate::encode(&Pieces, &setup, &text.parse().unwrap());
        let one = encode("2k3/6/1p4/3R2/6/K5 w");
        assert_eq!(one, encode("3k2/6/4p1/2R3/6/5K w"));
        assert_eq!(one, encode("k5/6/3r2/1P4/6/2K3 b"));
        assert_eq!(one.iter().sum::<f32>(), 4.0);
        assert_ne!(one, encode("3k2/6/4p1/3R2/6/5K w"));
    }
}
