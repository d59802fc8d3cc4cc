//! Works out the tables of a group of classes: first what moves out of it decide, then backwards from there.

use super::super::Path;
use super::super::board::{Board, CROWNING, DOWN_LEFT, DOWN_RIGHT, UP_LEFT, UP_RIGHT, step};
use super::classes::{Boards, Class, KINGS, Layout, MEN, game, seen};
use crate::bits::bits;
use crate::tables::Made;
use crate::{Game, Side};

/// What is known of a group of tables while they are made.
struct Draft<'a> {
    layout: &'a Layout,
    group: &'a [usize],
    /// The bytes of the tables; 0 where nothing is known (yet).
    bytes: Vec<Vec<u8>>,
    /// How many moves do not lose as far as is known.
    hopes: Vec<Vec<u8>>,
    /// The longest defeat by a move out of the group, as a byte of the tables.
    longest: Vec<Vec<u8>>,
    /// Positions by the byte that they will have: table within the group, and number.
    due: Vec<Vec<(u8, u32)>>,
}

/// No ending comes near it.
const MOST_BYTE: usize = u8::MAX as usize;
/// Some move certainly does not lose.
const NEVER_LOST: u8 = u8::MAX;
/// There is a capture, and it is forced: no step may be taken.
const CAPTURES: u8 = u8::MAX - 1;

/// The tables of a group: a class and the same with the other side to move, or a class that is its own reverse.
pub(super) fn solve(layout: &Layout, group: &[usize], made: &Made) -> Vec<Vec<u8>> {
    let empty = || group.iter().map(|&place| vec![0; layout.classes[place].length()]).collect::<Vec<_>>();
    let due = vec![Vec::new(); MOST_BYTE + 2];
    let mut draft = Draft { layout, group, bytes: empty(), hopes: empty(), longest: empty(), due };
    // 1. What moves out of the group decide, and where there is no move.
    for table in 0..group.len() {
        draft.look_out(table, made);
    }
    // 2. Backwards, ply by ply.
    for byte in 1..=MOST_BYTE {
        for (table, number) in std::mem::take(&mut draft.due[byte]) {
            let known = &mut draft.bytes[usize::from(table)][number as usize];
            if *known == 0 {
                *known = byte as u8;
                draft.look_back(usize::from(table), number as usize, byte);
            }
        }
    }
    assert!(draft.due[MOST_BYTE + 1].is_empty(), "an ending takes longer than a byte can say");
    draft.bytes
}

impl Draft<'_> {
    fn class(&self, table: usize) -> Class {
        self.layout.classes[self.group[table]]
    }

    /// Counts the moves of every position, and follows those that leave the group.
    fn look_out(&mut self, table: usize, made: &Made) {
        let class = self.class(table);
        let mut moves: Vec<Path> = Vec::new();
        for number in 0..class.length() {
            let Some(boards) = self.layout.boards(class, number) else { continue };
            let position = game(&boards, Side::First);
            moves.clear();
            position.legal_moves(&mut moves);
            // Without a move it is lost here and now.
            let (mut soonest, mut latest, mut quiet, mut safe) = (usize::MAX, 1, 0, false);
            for &mv in &moves {
                let crowns = boards[MEN] >> mv.from & 1 == 1 && CROWNING[0] >> mv.to & 1 == 1;
                if mv.jumps == 0 && !crowns {
                    quiet += 1;
                    continue;
                }
                let mut next = position;
                next.play(mv);
                let byte = if next.own() == 0 { 1 } else { self.made_before(seen(&next), made) };
                if byte == 0 {
                    safe = true;
                } else if byte % 2 == 1 {
                    safe = true;
                    soonest = soonest.min(byte + 1);
                } else {
                    latest = latest.max(byte + 1);
                }
            }
            let captures = moves.first().is_some_and(|mv| mv.jumps > 0);
            self.hopes[table][number] = if captures {
                CAPTURES
            } else if safe {
                NEVER_LOST
            } else {
                quiet
            };
            self.longest[table][number] = latest as u8;
            if soonest != usize::MAX {
                self.due[soonest].push((table as u8, number as u32));
            } else if quiet == 0 && !safe {
                self.due[latest].push((table as u8, number as u32));
            }
        }
    }

    /// The byte of a position outside the group.
    fn made_before(&self, boards: Boards, made: &Made) -> usize {
        let class = Class::of(&boards);
        made[self.layout.place(class)].read().expect("no maker has failed")[class.number(&boards)].into()
    }

    /// Tells all positions from which a step leads here.
    fn look_back(&mut self, table: usize, number: usize, byte: usize) {
        let boards = self.layout.boards(self.class(table), number).expect("only positions are decided");
        // The mover before was the other side: its table is the other of the group, or the same.
        let before = self.group.len() - 1 - table;
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
                    self.hear(before, earlier.number(&then), byte);
                }
            }
        }
    }

    /// One step from a position, if steps are allowed there, leads to where the other side's byte is this.
    fn hear(&mut self, table: usize, number: usize, byte: usize) {
        let hopes = &mut self.hopes[table][number];
        if self.bytes[table][number] != 0 || *hopes == CAPTURES {
            return;
        }
        let entry = (table as u8, number as u32);
        if byte % 2 == 1 {
            self.due[byte + 1].push(entry);
        } else if *hopes != NEVER_LOST {
            *hopes -= 1;
            if *hopes == 0 {
                self.due[(byte + 1).max(usize::from(self.longest[table][number]))].push(entry);
            }
        }
    }
}
