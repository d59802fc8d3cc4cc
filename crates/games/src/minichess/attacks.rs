//! The squares that pieces reach on a board of six by six, in tables computed by the compiler.
//!
//! A board is the low 36 bits of a number. Square 0 is the upper left one, a6; the numbers go row by row, so square 35
//! is f1. White's pawns move toward lower numbers.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

pub(super) const SIDE: usize = 6;
pub(super) const SQUARES: usize = SIDE * SIDE;

/// One bit for each square.
pub(super) type Bitboard = u64;

/// The squares that a king, a knight, or a capturing pawn of each side reaches.
pub(super) const KING: [Bitboard; SQUARES] =
    leaps(&[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);
pub(super) const KNIGHT: [Bitboard; SQUARES] =
    leaps(&[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
pub(super) const PAWN_CAPTURES: [[Bitboard; SQUARES]; 2] = [leaps(&[(-1, -1), (-1, 1)]), leaps(&[(1, -1), (1, 1)])];

/// The squares from each square to the border: four directions toward higher numbers, then the four opposite ones.
const RAYS: [[Bitboard; SQUARES]; 8] =
    [ray(0, 1), ray(1, 0), ray(1, 1), ray(1, -1), ray(0, -1), ray(-1, 0), ray(-1, -1), ray(-1, 1)];

/// The squares that a rook and a bishop reach on an empty board.
pub(super) const ROOK_LINES: [Bitboard; SQUARES] = lines(&[0, 1, 4, 5]);
pub(super) const BISHOP_LINES: [Bitboard; SQUARES] = lines(&[2, 3, 6, 7]);

/// The squares that a rook reaches, including the first occupied square in each direction.
#[inline]
pub(super) fn rook(square: usize, occupied: Bitboard) -> Bitboard {
    up(0, square, occupied) | up(1, square, occupied) | down(4, square, occupied) | down(5, square, occupied)
}

/// The squares that a bishop reaches, including the first occupied square in each direction.
#[inline]
pub(super) fn bishop(square: usize, occupied: Bitboard) -> Bitboard {
    up(2, square, occupied) | up(3, square, occupied) | down(6, square, occupied) | down(7, square, occupied)
}

/// The squares of a ray toward higher numbers, up to and including the first occupied one.
#[inline]
fn up(way: usize, square: usize, occupied: Bitboard) -> Bitboard {
    let ray = RAYS[way][square];
    // Bit 63, beyond the board, stands for "no blocker".
    let blocker = ((ray & occupied) | 1 << 63).trailing_zeros() as usize;
    if blocker < SQUARES { ray ^ RAYS[way][blocker] } else { ray }
}

/// The squares of a ray toward lower numbers, up to and including the first occupied one.
#[inline]
fn down(way: usize, square: usize, occupied: Bitboard) -> Bitboard {
    let ray = RAYS[way][square];
    match ray & occupied {
        0 => ray,
        blockers => ray ^ RAYS[way][63 - blockers.leading_zeros() as usize],
    }
}

/// The files a to f.
const FILES: [Bitboard; SIDE] = {
    let mut files = [0; SIDE];
    let mut square = 0;
    while square < SQUARES {
        files[square % SIDE] |= 1 << square;
        square += 1;
    }
    files
};
const ALL: Bitboard = (1 << SQUARES) - 1;
/// The squares that a step to the left or to the right can reach.
const NOT_RIGHT: Bitboard = ALL & !FILES[SIDE - 1];
const NOT_LEFT: Bitboard = ALL & !FILES[0];

/// Boards on which the moves of many pieces are computed at once: one board, or several side by side.
pub(super) trait Boards:
    Copy
    + From<Bitboard>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
}

impl Boards for Bitboard {}
impl<const COUNT: usize> Boards for SideBySide<COUNT> {}

/// The same board of several positions. The compiler turns each operation into one on several numbers at a time.
#[derive(Clone, Copy)]
pub(super) struct SideBySide<const COUNT: usize>(pub [Bitboard; COUNT]);

impl<const COUNT: usize> SideBySide<COUNT> {
    /// The number of squares of each board.
    #[inline(always)]
    pub fn sizes(self) -> [f32; COUNT] {
        let mut sizes = [0.0; COUNT];
        for (size, board) in sizes.iter_mut().zip(self.0) {
            *size = board.count_ones() as i32 as f32;
        }
        sizes
    }

    #[inline(always)]
    fn with(mut self, other: Self, compute: impl Fn(Bitboard, Bitboard) -> Bitboard) -> Self {
        // A loop is always inlined, which `array::from_fn` is not.
        for (board, other) in self.0.iter_mut().zip(other.0) {
            *board = compute(*board, other);
        }
        self
    }
}

impl<const COUNT: usize> From<Bitboard> for SideBySide<COUNT> {
    #[inline(always)]
    fn from(board: Bitboard) -> Self {
        SideBySide([board; COUNT])
    }
}
impl<const COUNT: usize> BitAnd for SideBySide<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.with(other, |one, two| one & two)
    }
}
impl<const COUNT: usize> BitOr for SideBySide<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.with(other, |one, two| one | two)
    }
}
impl<const COUNT: usize> BitXor for SideBySide<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.with(other, |one, two| one ^ two)
    }
}
impl<const COUNT: usize> Not for SideBySide<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.with(self, |board, _| !board)
    }
}
impl<const COUNT: usize> Shl<usize> for SideBySide<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: usize) -> Self {
        self.with(self, |board, _| board << by)
    }
}
impl<const COUNT: usize> Shr<usize> for SideBySide<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: usize) -> Self {
        self.with(self, |board, _| board >> by)
    }
}

/// The squares that any of a set of rooks reaches, including the first occupied square in each direction.
#[inline(always)]
pub(super) fn all_rooks<B: Boards>(rooks: B, empty: B) -> B {
    slide(rooks, empty, &ONE_LEFT)
        | slide(rooks, empty, &ONE_RIGHT)
        | slide(rooks, empty, &ONE_UP)
        | slide(rooks, empty, &ONE_DOWN)
}

/// The squares that any of a set of bishops reaches, including the first occupied square in each direction.
#[inline(always)]
pub(super) fn all_bishops<B: Boards>(bishops: B, empty: B) -> B {
    let [up_left, up_right, down_left, down_right] = &DIAGONALS;
    slide(bishops, empty, up_left)
        | slide(bishops, empty, up_right)
        | slide(bishops, empty, down_left)
        | slide(bishops, empty, down_right)
}

/// The squares that any of a set of knights reaches.
#[inline(always)]
pub(super) fn all_knights<B: Boards>(knights: B) -> B {
    let near = (knights >> 1 & B::from(NOT_RIGHT)) | (knights << 1 & B::from(NOT_LEFT));
    let far = (knights >> 2 & B::from(NOT_RIGHT & NOT_RIGHT >> 1)) | (knights << 2 & B::from(NOT_LEFT & NOT_LEFT << 1));
    (near >> (2 * SIDE) | near << (2 * SIDE) | far >> SIDE | far << SIDE) & B::from(ALL)
}

/// The squares that any of a set of kings reaches.
#[inline(always)]
pub(super) fn all_kings<B: Boards>(kings: B) -> B {
    let beside = (kings >> 1 & B::from(NOT_RIGHT)) | (kings << 1 & B::from(NOT_LEFT));
    let row = beside | kings;
    beside | row >> SIDE | (row << SIDE & B::from(ALL))
}

/// The squares that any of a set of White's pawns attacks. They move toward lower numbers.
#[inline(always)]
pub(super) fn all_white_pawns<B: Boards>(pawns: B) -> B {
    ((pawns >> 1 & B::from(NOT_RIGHT)) | (pawns << 1 & B::from(NOT_LEFT))) >> SIDE
}

/// The squares that any of a set of Black's pawns attacks.
#[inline(always)]
pub(super) fn all_black_pawns<B: Boards>(pawns: B) -> B {
    ((pawns >> 1 & B::from(NOT_RIGHT)) | (pawns << 1 & B::from(NOT_LEFT))) << SIDE & B::from(ALL)
}

/// A direction: the number of squares of a step, and the squares that a step can reach.
struct Way {
    step: i32,
    mask: Bitboard,
}

const ONE_LEFT: Way = Way { step: -1, mask: NOT_RIGHT };
const ONE_RIGHT: Way = Way { step: 1, mask: NOT_LEFT };
const ONE_UP: Way = Way { step: -(SIDE as i32), mask: ALL };
const ONE_DOWN: Way = Way { step: SIDE as i32, mask: ALL };
const DIAGONALS: [Way; 4] = [
    Way { step: -(SIDE as i32) - 1, mask: NOT_RIGHT },
    Way { step: 1 - SIDE as i32, mask: NOT_LEFT },
    Way { step: SIDE as i32 - 1, mask: NOT_RIGHT },
    Way { step: SIDE as i32 + 1, mask: NOT_LEFT },
];

/// All pieces of a set slide one way, over empty squares and onto the first other one.
#[inline(always)]
fn slide<B: Boards>(pieces: B, empty: B, way: &Way) -> B {
    let shift = |board: B, steps: i32| {
        let by = way.step * steps;
        if by > 0 { board << by as usize } else { board >> -by as usize }
    };
    // In each round, pieces that slid some squares slide twice as far.
    let mask = B::from(way.mask);
    let open = empty & mask;
    let slid = pieces | (open & shift(pieces, 1));
    let far = open & shift(open, 1);
    let slid = slid | (far & shift(slid, 2));
    let farther = far & shift(far, 2);
    let slid = slid | (farther & shift(slid, 4));
    shift(slid, 1) & mask
}

const fn lines(ways: &[usize]) -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut way = 0;
        while way < ways.len() {
            table[square] |= RAYS[ways[way]][square];
            way += 1;
        }
        square += 1;
    }
    table
}

const fn leaps(steps: &[(i32, i32)]) -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut step = 0;
        while step < steps.len() {
            table[square] |= bit_at(square, steps[step].0, steps[step].1);
            step += 1;
        }
        square += 1;
    }
    table
}

const fn ray(down: i32, right: i32) -> [Bitboard; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut far = 1;
        while far < SIDE as i32 {
            table[square] |= bit_at(square, down * far, right * far);
            far += 1;
        }
        square += 1;
    }
    table
}

/// The bit of the square `down` rows and `right` columns away; 0 beyond the border.
const fn bit_at(square: usize, down: i32, right: i32) -> Bitboard {
    let (row, column) = ((square / SIDE) as i32 + down, (square % SIDE) as i32 + right);
    let side = SIDE as i32;
    if row < 0 || row >= side || column < 0 || column >= side { 0 } else { 1 << (row * side + column) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::bits;
    use chance::rng_for;

    /// Sets of pieces reach what their pieces reach one by one.
    #[test]
    fn sets_reach_what_their_pieces_reach() {
        let rng = &mut rng_for(1, &[]);
        for _ in 0..2000 {
            let mut board = || (0..SQUARES).filter(|_| rng.below(4) == 0).fold(0, |board, square| board | 1 << square);
            let (pieces, others): (Bitboard, Bitboard) = (board(), board());
            let occupied = pieces | others;
            let each = |reach: &dyn Fn(usize) -> Bitboard| bits(pieces).fold(0, |all, square| all | reach(square));
            assert_eq!(all_rooks(pieces, !occupied), each(&|square| rook(square, occupied)));
            assert_eq!(all_bishops(pieces, !occupied), each(&|square| bishop(square, occupied)));
            assert_eq!(all_knights(pieces), each(&|square| KNIGHT[square]));
            assert_eq!(all_kings(pieces), each(&|square| KING[square]));
            assert_eq!(all_white_pawns(pieces), each(&|square| PAWN_CAPTURES[0][square]));
            assert_eq!(all_black_pawns(pieces), each(&|square| PAWN_CAPTURES[1][square]));
        }
    }
}
