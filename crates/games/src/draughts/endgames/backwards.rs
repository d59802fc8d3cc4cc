//! Computes the tables of a group of endings: first the results of moves that leave the group, then backwards from
//! there.

use super::super::Path;
use super::super::board::{Board, CROWNING, DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT, step};
use super::END;
use super::classes::{Boards, Class, KINGS, Layout, MEN, game, seen};
use crate::bits::bits;
use crate::retrograde::{Draft, Moves, plies_of};
use crate::tables::Made;
use crate::{Game, Side};

/// Tables that are computed together: a class and its reverse, or a class that is its own reverse.
pub(super) struct Group<'a> {
    pub layout: &'a Layout,
    pub places: &'a [usize],
}

impl Group<'_> {
    pub fn solve(&self, made: &Made) -> Vec<Vec<u8>> {
        let lengths: Vec<usize> = (0..self.places.len()).map(|table| self.class(table).length()).collect();
        let mut draft = Draft::new(&lengths, END);
        for table in 0..self.places.len() {
            self.note_moves(table, made, &mut draft);
        }
        draft.finish(|draft, table, number, plies| self.note_origins(draft, table, number, plies))
    }

    fn class(&self, table: usize) -> Class {
        self.layout.classes[self.places[table]]
    }

    /// Enters the moves of every position, with the results of those that leave the group.
    fn note_moves(&self, table: usize, made: &Made, draft: &mut Draft) {
        let class = self.class(table);
        let mut moves: Vec<Path> = Vec::new();
        for number in 0..class.length() {
            let Some(boards) = self.layout.boards(class, number) else { continue };
            let position = game(&boards, Side::First);
            moves.clear();
            position.legal_moves(&mut moves);
            let mut found = Moves::default();
            for &mv in &moves {
                let crowns = boards[MEN] >> mv.from & 1 == 1 && CROWNING[0] >> mv.to & 1 == 1;
                if mv.jumps == 0 && !crowns {
                    found.step();
                    continue;
                }
                let next = position.after(mv);
                found.leave(if next.own() == 0 { Some(0) } else { self.made_before(seen(&next), made) });
            }
            draft.begin(table, number, &found, moves.first().is_some_and(|mv| mv.jumps > 0));
        }
    }

    /// The distance in plies of a position outside the group; `None` for a draw.
    fn made_before(&self, boards: Boards, made: &Made) -> Option<usize> {
        let class = Class::of(&boards);
        let table = made[self.layout.place(class)].read().expect("no thread has panicked");
        plies_of(table[class.number(&boards)], END)
    }

    /// Enters this result in all positions from which a step leads here.
    fn note_origins(&self, draft: &mut Draft, table: usize, number: usize, plies: usize) {
        let boards = self.layout.boards(self.class(table), number).expect("only positions are decided");
        // The mover before was the other side: its table is the other one of the group, or the same.
        let before = self.places.len() - 1 - table;
        let earlier = self.class(before);
        let [other_kings, other_men, kings, men] = boards.map(Board::reverse_bits);
        let now = [kings, men, other_kings, other_men];
        let free = !(kings | men | other_kings | other_men);
        for kind in [KINGS, MEN] {
            for square in bits(now[kind]) {
                let piece: Board = 1 << square;
                let mut origins = step(piece, UP_LEFT) | step(piece, UP_RIGHT);
                if kind == KINGS {
                    origins |= step(piece, DOWN_LEFT) | step(piece, DOWN_RIGHT);
                }
                for origin in bits(origins & free) {
                    let mut then = now;
                    then[kind] = then[kind] & !piece | 1 << origin;
                    draft.note_step(before, earlier.number(&then), plies);
                }
            }
        }
    }
}
