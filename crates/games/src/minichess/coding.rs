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
        see(game, |kind, own, _| inputs.add(kind as usize, if own { 1.0 } else { -1.0 }));
    }
    fn label(&self, _: &Setup, input: usize) -> String {
        format!("{}s more", word(KINDS[input]))
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
    fn encode(&self, _: &Setup, game: &Minichess, inputs: &mut Inputs) {
        see(game, |kind, own, square| {
            let sign = if own { 1.0 } else { -1.0 };
            inputs.set(square, sign * value(kind));
            inputs.add(SQUARES + kind as usize, sign);
        });
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        match input.checked_sub(SQUARES) {
            None => Squares.label(setup, input),
            Some(kind) => Material.label(setup, kind),
        }
    }
}

/// The inputs of [`Board`], then counts of attacked pieces, so that a network does not have to learn them.
pub struct Attacks;

impl Attacks {
    /// The number of counts for each kind of piece: the mover's attacked pieces and the other side's; the same two
    /// counts for undefended pieces; and for pieces that a less valuable piece attacks.
    const COUNTS: usize = 6;

    /// Sets the counts, which begin at an input. Returns the squares that each kind of piece attacks or defends: the
    /// mover's, then the other side's.
    fn count(game: &Minichess, begin: usize, inputs: &mut Inputs) -> [[u64; KINDS.len()]; 2] {
        let mover = game.side_to_move();
        let reached = [mover, !mover].map(|side| game.reached(side));
        for (number, side) in [mover, !mover].into_iter().enumerate() {
            let all = |reached: [u64; KINDS.len()]| reached.into_iter().fold(0, |all, squares| all | squares);
            let (defended, attacked) = (all(reached[number]), all(reached[1 - number]));
            for kind in KINDS {
                let pieces = game.sides[side as usize] & game.kinds[kind as usize] & attacked;
                let lesser = KINDS.into_iter().filter(|&attacker| value(attacker) < value(kind));
                let by_lesser = lesser.fold(0, |squares, attacker| squares | reached[1 - number][attacker as usize]);
                let first = begin + Attacks::COUNTS * kind as usize + number;
                inputs.set(first, pieces.count_ones() as f32);
                inputs.set(first + 2, (pieces & !defended).count_ones() as f32);
                inputs.set(first + 4, (pieces & by_lesser).count_ones() as f32);
            }
        }
        reached
    }
}

impl Encoder<Minichess> for Attacks {
    fn name(&self) -> &'static str {
        "attacks"
    }
    fn about(&self) -> &'static str {
        "the inputs of board, then attacked pieces of each kind: in all, undefended, and by a less valuable piece"
    }
    fn width(&self, setup: &Setup) -> usize {
        Board.width(setup) + Attacks::COUNTS * KINDS.len()
    }
    fn encode(&self, setup: &Setup, game: &Minichess, inputs: &mut Inputs) {
        Board.encode(setup, game, inputs);
        Attacks::count(game, Board.width(setup), inputs);
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        let Some(count) = input.checked_sub(Board.width(setup)) else { return Board.label(setup, input) };
        let (kind, what) = (word(KINDS[count / Attacks::COUNTS]), count % Attacks::COUNTS);
        let whose = ["own", "the other's"][what % 2];
        format!("{whose} {kind}s attacked{}", ["", ", undefended", " by a less valuable piece"][what / 2])
    }
}

/// The inputs of [`Planes`], then the counts of [`Attacks`], then the number of squares that pieces reach, so that a
/// network can learn what a piece is worth on each square, in danger and out of it.
pub struct Vision;

impl Vision {
    /// The number of counts of reached squares: for each kind of piece, the mover's and the other side's.
    const REACHED: usize = 2 * KINDS.len();

    /// The first input of the counts of attacked pieces.
    const ATTACKED: usize = SQUARES * KINDS.len();

    /// The first input of the counts of reached squares.
    const REACH: usize = Vision::ATTACKED + Attacks::COUNTS * KINDS.len();
}

impl Encoder<Minichess> for Vision {
    fn name(&self) -> &'static str {
        "vision"
    }
    fn about(&self) -> &'static str {
        "the inputs of planes, then attacked pieces of each kind as in attacks, then squares that each kind can go to"
    }
    fn width(&self, _: &Setup) -> usize {
        Vision::REACH + Vision::REACHED
    }
    fn encode(&self, setup: &Setup, game: &Minichess, inputs: &mut Inputs) {
        Planes.encode(setup, game, inputs);
        let reached = Attacks::count(game, Vision::ATTACKED, inputs);
        let mover = game.side_to_move();
        for (number, side) in [mover, !mover].into_iter().enumerate() {
            for kind in KINDS {
                let free = reached[number][kind as usize] & !game.sides[side as usize];
                // About the size of the other inputs: a rook reaches up to ten squares.
                inputs.set(Vision::REACH + 2 * kind as usize + number, free.count_ones() as f32 / 8.0);
            }
        }
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        if let Some(count) = input.checked_sub(Vision::REACH) {
            let whose = ["own", "the other's"][count % 2];
            return format!("squares that {whose} {}s can go to, in eighths", word(KINDS[count / 2]));
        }
        match input.checked_sub(Vision::ATTACKED) {
            Some(count) => Attacks.label(setup, Board.width(setup) + count),
            None => Planes.label(setup, input),
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
