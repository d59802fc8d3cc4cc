//! Classes of endings by their pieces, and an index for every position of a class.
//!
//! Positions are stored as the mover sees them: the mover is Black; otherwise the board is turned by 180 degrees and
//! the colours change. There is no mirroring, because left and right differ on this board.

use super::super::Draughts;
use super::super::board::{Board, SQUARES};
use crate::Side;
use crate::bits::bits;
use crate::tables::levels;
use std::ops::Range;

/// The highest number of pieces of both sides together.
pub(super) const MOST: usize = 4;

/// An ending: the number of pieces of each kind, the mover's kings and men, then the other side's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class([u8; 4]);

/// The squares of each kind, in the same order.
pub(super) type Boards = [Board; 4];

/// The indices of the mover's kings and men among the kinds.
pub(super) const KINGS: usize = 0;
pub(super) const MEN: usize = 1;

/// The number of squares on which each kind can stand, and the first of them. No man stands on its crowning row.
const SQUARE_COUNT: [usize; 4] = [SQUARES, SQUARES - 4, SQUARES, SQUARES - 4];
const FIRST_SQUARE: [u32; 4] = [0, 0, 0, 4];

/// `CHOOSE[k][n]`: the number of subsets with k of n elements.
const CHOOSE: [[u16; SQUARES + 1]; MOST] = {
    let mut table = [[0; SQUARES + 1]; MOST];
    let mut n = 0;
    while n <= SQUARES {
        table[0][n] = 1;
        let mut k = 1;
        while k < MOST && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

impl Class {
    /// The class of a position. Each side has at least one piece, and both together have at most [`MOST`].
    pub(super) fn of(boards: &Boards) -> Class {
        Class(boards.map(|board| board.count_ones() as u8))
    }

    /// The same pieces with the other side to move.
    fn reversed(self) -> Class {
        let [kings, men, other_kings, other_men] = self.0;
        Class([other_kings, other_men, kings, men])
    }

    /// The number of pieces, and of men among them. Moves that change these numbers lead to a lower rank.
    fn rank(self) -> (u8, u8) {
        (self.0.iter().sum(), self.0[1] + self.0[3])
    }

    /// The number of sets of squares on which a kind can stand.
    fn ways(self, kind: usize) -> usize {
        CHOOSE[usize::from(self.0[kind])][SQUARE_COUNT[kind]].into()
    }

    /// The number of ways to place the pieces, including those with two pieces on one square.
    pub(super) fn length(self) -> usize {
        (0..4).map(|kind| self.ways(kind)).product()
    }

    /// The name of the ending, the mover's pieces first, as in `KMvK`.
    pub(super) fn name(self) -> String {
        let [kings, men, other_kings, other_men] = self.0.map(usize::from);
        ["K".repeat(kings), "M".repeat(men), "v".to_string(), "K".repeat(other_kings), "M".repeat(other_men)].concat()
    }

    /// The index of a position in the table of this class.
    #[inline]
    pub(super) fn number(self, boards: &Boards) -> usize {
        (0..4).fold(0, |number, kind| number * self.ways(kind) + number_of_set(boards[kind] >> FIRST_SQUARE[kind]))
    }
}

/// The index of a set of squares among all sets of the same size, ordered by the value of the board.
#[inline]
fn number_of_set(board: Board) -> usize {
    bits(board).enumerate().map(|(place, square)| usize::from(CHOOSE[place + 1][square])).sum()
}

/// The pieces of a position as the mover sees them.
#[inline]
pub(super) fn seen(game: &Draughts) -> Boards {
    let boards =
        [game.own() & game.kings, game.own() & !game.kings, game.other() & game.kings, game.other() & !game.kings];
    match game.side {
        Side::First => boards,
        Side::Second => boards.map(Board::reverse_bits),
    }
}

/// The position in which `side` is to move and sees these pieces.
pub(super) fn game(boards: &Boards, side: Side) -> Draughts {
    let boards = match side {
        Side::First => *boards,
        Side::Second => boards.map(Board::reverse_bits),
    };
    let mut game = Draughts { sides: [0; 2], kings: boards[0] | boards[2], side };
    game.sides[side as usize] = boards[0] | boards[1];
    game.sides[!side as usize] = boards[2] | boards[3];
    game
}

/// The places of all tables in one array of bytes.
pub(super) struct Layout {
    pub(super) classes: Vec<Class>,
    /// The index at which the table of each class begins, and the total length at the end.
    first: Vec<usize>,
    /// The index of each class, by [`slot`].
    places: [u8; 256],
    /// For each size, all sets of that many squares in the order of their indices.
    sets: [Vec<Board>; MOST],
}

/// A number for a class: no class has more than three pieces of a kind.
fn slot(class: Class) -> usize {
    class.0.iter().fold(0, |slot, &count| slot << 2 | usize::from(count))
}

impl Layout {
    pub(super) fn new() -> Layout {
        let mut classes = Vec::new();
        for pieces in 2..=MOST as u8 {
            for own in (1..pieces).rev() {
                let other = pieces - own;
                for kings in (0..=own).rev() {
                    classes.extend((0..=other).rev().map(|others| Class([kings, own - kings, others, other - others])));
                }
            }
        }
        let (mut first, mut places) = (vec![0], [u8::MAX; 256]);
        for (place, &class) in classes.iter().enumerate() {
            first.push(first[place] + class.length());
            places[slot(class)] = place as u8;
        }
        let mut sets = [vec![0], vec![], vec![], vec![]];
        for size in 1..MOST {
            // Every set with one square less, plus a square above all of its squares.
            let larger = |square: usize| (sets[size - 1].iter().take_while(move |set| **set >> square == 0), square);
            sets[size] =
                (0..SQUARES).map(larger).flat_map(|(sets, square)| sets.map(move |set| set | 1 << square)).collect();
        }
        Layout { classes, first, places, sets }
    }

    #[inline]
    pub(super) fn place(&self, class: Class) -> usize {
        self.places[slot(class)].into()
    }

    /// The range of bytes of a class's table.
    #[inline]
    pub(super) fn table(&self, place: usize) -> Range<usize> {
        self.first[place]..self.first[place + 1]
    }

    pub(super) fn bytes(&self) -> usize {
        self.first[self.classes.len()]
    }

    /// The position with this index; `None` if two pieces are on one square.
    pub(super) fn boards(&self, class: Class, mut number: usize) -> Option<Boards> {
        let mut boards = [0; 4];
        let mut occupied = 0;
        for kind in (0..4).rev() {
            boards[kind] = self.sets[usize::from(class.0[kind])][number % class.ways(kind)] << FIRST_SQUARE[kind];
            number /= class.ways(kind);
            if occupied & boards[kind] != 0 {
                return None;
            }
            occupied |= boards[kind];
        }
        Some(boards)
    }

    pub(super) fn levels(&self) -> Vec<Vec<Vec<usize>>> {
        let ranks: Vec<(u8, u8)> = self.classes.iter().map(|class| class.rank()).collect();
        levels(&ranks, |place| self.place(self.classes[place].reversed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_positions_fit() {
        let layout = Layout::new();
        assert_eq!(layout.classes.len(), 41);
        for &class in &layout.classes {
            for number in 0..class.length() {
                let Some(boards) = layout.boards(class, number) else { continue };
                assert_eq!((Class::of(&boards), class.number(&boards)), (class, number));
                assert_eq!(seen(&game(&boards, Side::Second)), boards);
            }
        }
    }
}
