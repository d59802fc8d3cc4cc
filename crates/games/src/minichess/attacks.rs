//! The squares that pieces reach on a board of six by six, in tables computed by the compiler.
//!
//! A board is the low 36 bits of a number. Square 0 is the upper left one, a6; the numbers go row by row, so square 35
//! is f1. White's pawns move toward lower numbers.

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
