//! Encoders for minichess, from the mover's point of view: its pieces are positive and its pawns go up.

use super::attacks::{SIDE, SQUARES};
use super::{KINDS, Kind, Minichess, Setup};
use crate::bits::bits;
use crate::{Encoder, Game, Inputs, Side};

/// One input per square: the value of the piece on it, positive for the mover's pieces.
pub struct Squares;

/// The values of pieces, which the thesis leaves open: a rook is 1, the others are as chess players count them, and the
/// king is twice a rook.
fn value(kind: Kind) -> f32 {
    match kind {
        Kind::Pawn => 0.2,
        Kind::Knight | Kind::Bishop => 0.6,
        Kind::Rook => 1.0,
        Kind::King => 2.0,
    }
}

/// Calls `tell` for every piece as the mover sees it: its kind, whether it is the mover's, and its square.
#[inline]
fn see(game: &Minichess, mut tell: impl FnMut(Kind, bool, usize)) {
    let mover = game.side_to_move();
    for side in Side::BOTH {
        for kind in KINDS {
            for square in bits(game.sides[side as usize] & game.kinds[kind as usize]) {
                let square = match mover {
                    Side::First => square,
                    Side::Second => TURNED[square],
                };
                tell(kind, side == mover, square);
            }
        }
    }
}

/// The name of a kind of piece.
pub(super) fn word(kind: Kind) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "king"][kind as usize]
}

/// The name of a square as the mover sees it; the mover's side is at the bottom.
pub(super) fn square_name(square: usize) -> String {
    let (file, rank) = super::name(square as u8);
    format!("{file}{rank}")
}

const TURNED: [usize; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = (SIDE - 1 - square / SIDE) * SIDE + square % SIDE;
        square += 1;
    }
    table
};

impl Encoder<Minichess> for Squares {
    fn name(&self) -> &'static str {
        "squares"
    }
    fn about(&self) -> &'static str {
        "one input per square: pawn 0.2, knight and bishop 0.6, rook 1, king 2; the other side's negative"
    }
    fn width(&self, _: &Setup) -> usize {
        SQUARES
    }
    fn encode(&self, _: &Setup, game: &Minichess, inputs: &mut Inputs) {
        see(game, |kind, own, square| inputs.set(square, if own { value(kind) } else { -value(kind) }));
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("piece on {}", square_name(input))
    }
}

/// One input per square and kind of piece: 1 for the mover's piece, −1 for the other side's.
pub struct Planes;

impl Encoder<Minichess> for Planes {
    fn name(&self) -> &'static str {
        "planes"
    }
    fn about(&self) -> &'static str {
        "one input per square and kind of piece: 1 for the mover's, -1 for the other side's"
    }
    fn width(&self, _: &Setup) -> usize {
        SQUARES * KINDS.len()
    }
    fn encode(&self, _: &Setup, game: &Minichess, inputs: &mut Inputs) {
        see(game, |kind, own, square| inputs.set(kind as usize * SQUARES + square, if own { 1.0 } else { -1.0 }));
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("{} on {}", word(KINDS[input / SQUARES]), square_name(input % SQUARES))
    }
}

/// One input per kind of piece: the number of the mover's pieces minus the number of the other side's.
pub struct Material;

impl Encoder<Minichess> for Material {
    fn name(&self) -> &'static str {
        "material"
    }
    fn about(&self) -> &'static str {
        "one input per kind of piece: the mover's number minus the other side's"
    }
    fn width(&self, _: &Setup) -> usize {
        KINDS.len()
    }
    fn encode(&self, _: &Setup, game: &Minichess, inputs: &mut Inputs) {
        count_pieces(game, 0, inputs);
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("{}s more", word(KINDS[input]))
    }
}

/// Sets one input per kind of piece, from `begin` on: the mover's pieces less the other side's.
#[inline]
fn count_pieces(game: &Minichess, begin: usize, inputs: &mut Inputs) {
    let mover = game.side_to_move();
    let [own, other] = [mover, !mover].map(|side| game.sides[side as usize]);
    for kind in KINDS {
        let pieces = game.kinds[kind as usize];
        let more = (pieces & own).count_ones() as i32 - (pieces & other).count_ones() as i32;
        inputs.set(begin + kind as usize, more as f32);
    }
}

/// The inputs of [`Squares`], then those of [`Material`].
pub struct Board;

impl Encoder<Minichess> for Board {
    fn name(&self) -> &'static str {
        "board"
    }
    fn about(&self) -> &'static str {
        "the inputs of squares, then those of material"
    }
    fn width(&self, _: &Setup) -> usize {
        SQUARES + KINDS.len()
    }
    fn encode(&self, setup: &Setup, game: &Minichess, inputs: &mut Inputs) {
        Squares.encode(setup, game, inputs);
        count_pieces(game, SQUARES, inputs);
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        match input.checked_sub(SQUARES) {
            None => Squares.label(setup, input),
            Some(kind) => Material.label(setup, kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_game() {
        let setup = <Setup as crate::Setup>::usual();
        let white: Minichess = "2k3/6/1p4/3R2/6/K5 w".parse().unwrap();
        let black: Minichess = "k5/6/3r2/1P4/6/2K3 b".parse().unwrap();
        for encoder in Minichess::ENCODERS {
            let encode = |game: &Minichess| crate::encode(*encoder, &setup, game);
            assert_eq!(encode(&white), encode(&black), "{}", encoder.name());
            assert!(encode(&white).iter().any(|&input| input > 0.0));
        }
    }
}
