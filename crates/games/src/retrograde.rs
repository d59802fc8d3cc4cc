//! Endgame tables computed backwards from finished games (retrograde analysis), for any game.
//!
//! Distances are plies to the end, seen by the mover: an odd number is a win, an even number is a defeat. A byte of a
//! table is 0 for a draw; otherwise it is the number of plies plus the table's `end`. `end` is the byte for a side that
//! has lost already, or 0 if a table has no such positions.

use crate::{Ending, Value, Verdict};

/// The number of plies that a byte stands for; `None` for a draw.
pub(crate) fn plies_of(byte: u8, end: u8) -> Option<usize> {
    (byte > 0).then(|| usize::from(byte - end))
}

/// The verdict that a byte stands for.
pub(crate) fn verdict_of(byte: u8, end: u8) -> Verdict {
    let value = match plies_of(byte, end) {
        None => Value::Drawn,
        Some(plies) if plies % 2 == 1 => Value::Won,
        Some(_) => Value::Lost,
    };
    Verdict { value, distance: plies_of(byte, end).map(|plies| plies as u32) }
}

/// Counts the verdicts on all positions of an ending.
pub(crate) fn summary(name: String, verdicts: impl Iterator<Item = Verdict>) -> Ending {
    let mut ending = Ending { name, positions: 0, won: 0, drawn: 0, lost: 0, longest_won: 0, longest_lost: 0 };
    for verdict in verdicts {
        let (count, longest) = match verdict.value {
            Value::Won => (&mut ending.won, &mut ending.longest_won),
            Value::Lost => (&mut ending.lost, &mut ending.longest_lost),
            Value::Drawn => (&mut ending.drawn, &mut 0),
        };
        *count += 1;
        *longest = (*longest).max(verdict.distance.unwrap_or(0));
        ending.positions += 1;
    }
    ending
}

/// A group of tables while they are computed. There are two kinds of moves: steps stay in the group; the others lead to
/// tables that are finished already.
pub(crate) struct Draft {
    end: u8,
    /// The bytes of the tables; 0 while a position is undecided.
    bytes: Vec<Vec<u8>>,
    /// The number of moves that are not yet known to lose.
    open_moves: Vec<Vec<u8>>,
    /// The number of plies of the longest defeat by a move out of the group.
    longest: Vec<Vec<u8>>,
    /// Positions to be decided, indexed by the number of plies; each is the table within the group and the position's
    /// number.
    due: Vec<Vec<(u8, u32)>>,
}

/// A summary of the moves of one position.
#[derive(Default)]
pub(crate) struct Moves {
    steps: u8,
    soonest: Option<usize>,
    latest: usize,
    safe: bool,
}

/// The highest distance that fits into a byte; no ending comes near it.
const MOST_PLIES: usize = 254;
/// Marks a position with a move that certainly does not lose.
const NEVER_LOST: u8 = u8::MAX;
/// Marks a position in which steps are not allowed, because a capture is forced.
const NO_STEPS: u8 = u8::MAX - 1;

impl Moves {
    /// Adds a move that stays in the group.
    pub fn step(&mut self) {
        self.steps += 1;
    }

    /// Adds a move out of the group. Afterwards the other side is `plies` from the end; `None` for a draw.
    pub fn leave(&mut self, plies: Option<usize>) {
        match plies {
            Some(plies) if plies % 2 == 1 => self.latest = self.latest.max(plies + 1),
            Some(plies) => {
                self.safe = true;
                self.soonest = Some(self.soonest.map_or(plies + 1, |soonest| soonest.min(plies + 1)));
            }
            None => self.safe = true,
        }
    }

    /// Whether a move wins at once.
    pub fn wins_at_once(&self) -> bool {
        self.soonest == Some(1)
    }
}

impl Draft {
    /// Empty tables of these lengths.
    pub fn new(lengths: &[usize], end: u8) -> Draft {
        let empty = || lengths.iter().map(|&length| vec![0; length]).collect::<Vec<_>>();
        Draft { end, bytes: empty(), open_moves: empty(), longest: empty(), due: vec![Vec::new(); MOST_PLIES + 2] }
    }

    /// Enters the moves of a position. A position without moves is lost now.
    pub fn begin(&mut self, table: usize, number: usize, moves: &Moves, must_capture: bool) {
        self.open_moves[table][number] = match must_capture {
            true => NO_STEPS,
            false if moves.safe => NEVER_LOST,
            false => moves.steps,
        };
        self.longest[table][number] = moves.latest as u8;
        let decided = moves.soonest.or_else(|| (moves.steps == 0 && !moves.safe).then_some(moves.latest));
        if let Some(plies) = decided {
            self.due[plies].push((table as u8, number as u32));
        }
    }

    /// Works backwards, ply by ply, and returns the tables. `note_origins` receives a table, the number of a position in
    /// it and its distance in plies. It must call [`Draft::note_step`] for every position from which a step leads there.
    pub fn finish(mut self, note_origins: impl Fn(&mut Draft, usize, usize, usize)) -> Vec<Vec<u8>> {
        for plies in 0..=MOST_PLIES {
            for (table, number) in std::mem::take(&mut self.due[plies]) {
                let known = &mut self.bytes[usize::from(table)][number as usize];
                if *known == 0 {
                    *known = plies as u8 + self.end;
                    note_origins(&mut self, table.into(), number as usize, plies);
                }
            }
        }
        assert!(self.due[MOST_PLIES + 1].is_empty(), "an ending takes more plies than fit into a byte");
        self.bytes
    }

    /// Enters that a step from this position leads to one where the other side is `plies` from the end. Ignored if
    /// steps are not allowed.
    pub fn note_step(&mut self, table: usize, number: usize, plies: usize) {
        let open_moves = &mut self.open_moves[table][number];
        if self.bytes[table][number] != 0 || *open_moves == NO_STEPS {
            return;
        }
        let entry = (table as u8, number as u32);
        if plies.is_multiple_of(2) {
            self.due[plies + 1].push(entry);
        } else if *open_moves != NEVER_LOST {
            *open_moves -= 1;
            if *open_moves == 0 {
                self.due[(plies + 1).max(usize::from(self.longest[table][number]))].push(entry);
            }
        }
    }
}
