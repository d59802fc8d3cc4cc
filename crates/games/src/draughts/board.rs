//! The 32 dark squares of a draughts board as the bits of one number, and how pieces step on them.
//!
//! Bit 0 is square 1. A row has four dark squares. Rows with even numbers have theirs on the odd columns, so a step
//! down to the left adds 4 to the square from an even row, and 3 from an odd row. Reversing the bits turns the board by
//! 180 degrees.

/// A set of squares.
pub(super) type Board = u32;

/// The number of dark squares, and the number of rows.
pub(super) const SQUARES: usize = 32;
pub(super) const SIDE: usize = 8;

const EVEN_ROWS: Board = 0x0f0f_0f0f;
const ODD_ROWS: Board = 0xf0f0_f0f0;
/// Odd rows without their square at the left edge, and even rows without their square at the right edge.
const NOT_LEFT: Board = ODD_ROWS & !0x1010_1010;
const NOT_RIGHT: Board = EVEN_ROWS & !0x0808_0808;

/// The rows on which Black's men and White's men are crowned.
pub(super) const CROWNING: [Board; 2] = [0xf000_0000, 0x0000_000f];

/// A direction. Black's men go down, White's go up.
pub(super) type Direction = u32;
pub(super) const DOWN_LEFT: Direction = 0;
pub(super) const DOWN_RIGHT: Direction = 1;
pub(super) const UP_LEFT: Direction = 2;
pub(super) const UP_RIGHT: Direction = 3;

/// All squares moved one step in direction `D`; squares that leave the board disappear.
#[inline(always)]
pub(super) const fn shifted<const D: Direction>(squares: Board) -> Board {
    match D {
        DOWN_LEFT => (squares & EVEN_ROWS) << 4 | (squares & NOT_LEFT) << 3,
        DOWN_RIGHT => (squares & NOT_RIGHT) << 5 | (squares & ODD_ROWS) << 4,
        UP_LEFT => (squares & EVEN_ROWS) >> 4 | (squares & NOT_LEFT) >> 5,
        _ => (squares & NOT_RIGHT) >> 3 | (squares & ODD_ROWS) >> 4,
    }
}

/// All squares moved one step in a direction that is known only at run time.
#[inline]
pub(super) const fn step(squares: Board, direction: Direction) -> Board {
    match direction {
        DOWN_LEFT => shifted::<DOWN_LEFT>(squares),
        DOWN_RIGHT => shifted::<DOWN_RIGHT>(squares),
        UP_LEFT => shifted::<UP_LEFT>(squares),
        _ => shifted::<UP_RIGHT>(squares),
    }
}

/// The row and the column of a square on the board of eight by eight, both from 0.
pub(super) const fn place(square: usize) -> (usize, usize) {
    let row = square / 4;
    (row, 2 * (square % 4) + 1 - row % 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::bits;

    #[test]
    fn steps_go_where_they_should() {
        for square in 0..SQUARES {
            let (row, column) = place(square);
            for (direction, down, right) in
                [(DOWN_LEFT, 1, -1), (DOWN_RIGHT, 1, 1), (UP_LEFT, -1, -1), (UP_RIGHT, -1, 1)]
            {
                let (to_row, to_column) = (row as i32 + down, column as i32 + right);
                let reached = bits(step(1 << square, direction)).map(place).collect::<Vec<_>>();
                let inside = (0..8).contains(&to_row) && (0..8).contains(&to_column);
                let expected = if inside { vec![(to_row as usize, to_column as usize)] } else { vec![] };
                assert_eq!(reached, expected, "square {square}, direction {direction}");
            }
        }
    }
}
