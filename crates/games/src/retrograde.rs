//! Endgame tables worked out backwards from the ends, for any game.
//!
//! All of it counts plies to the end, from the mover's side: an odd number is a win, an even one a defeat. A byte of a table
//! is 0 for a draw, else the plies added to what the table calls its `end`: the byte of a side that has lost already, or 0
//! where a table has no such positions.

use crate::{Ending, Value, Verdict};

/// The plies that a byte stands for; `None` for a draw.
pub(crate) fn plies_of(byte: u8, end: u8) -> Option<usize> {
    (byte > 0).then(|| usize::from(byte - end))
}

/// What a byte says.
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

/// What is known of a group of tables while they are made. Its moves are of two kinds: steps, which stay in the group, and
/// moves that leave it, for tables that are made already.
pub(crate) struct Draft {
    end: u8,
    /// The bytes of the tables; 0 where nothing is known (yet).
    bytes: Vec<Vec<u8>>,
    /// How many moves do not lose as far as is known.
    hopes: Vec<Vec<u8>>,
    /// Plies of the longest defeat by a move out of the group.
    longest: Vec<Vec<u8>>,
    /// Positions by the plies at which they will be decided: table within the group, and number.
    due: Vec<Vec<(u8, u32)>>,
}

/// What the moves of one position come to.
#[derive(Default)]
pub(crate) struct Moves {
    steps: u8,
    soonest: Option<usize>,
    latest: usize,
    safe: bool,
}

/// No ending comes near it.
const MOST_PLIES: usize = 254;
/// Some move certainly does not lose.
const NEVER_LOST: u8 = u8::MAX;
/// Steps are not allowed, as there is something that must be captured.
const NO_STEPS: u8 = u8::MAX - 1;

impl Moves {
    /// One of the moves stays in the group.
    pub fn step(&mut self) {
        self.steps += 1;
    }

    /// One of the moves leads to where the other side is so many plies from the end; `None` for a draw.
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

    /// Whether there is a move that wins at once.
    pub fn wins_at_once(&self) -> bool {
        self.soonest == Some(1)
    }
}

impl Draft {
    /// Empty tables of these lengths.
    pub fn new(lengths: &[usize], end: u8) -> Draft {
        let empty = || lengths.iter().map(|&length| vec![0; length]).collect::<Vec<_>>();
        Draft { end, bytes: empty(), hopes: empty(), longest: empty(), due: vec![Vec::new(); MOST_PLIES + 2] }
    }

    /// Notes what the moves of a position come to; without any it is lost here and now.
    pub fn begin(&mut self, table: usize, number: usize, moves: &Moves, must_capture: bool) {
        self.hopes[table][number] = match must_capture {
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

    /// Goes backwards, ply by ply; `tell_origins` tells, by [`Draft::hear`], all positions from which a step leads to one
    /// that is so many plies from its end. The tables.
    pub fn finish(mut self, tell_origins: impl Fn(&mut Draft, usize, usize, usize)) -> Vec<Vec<u8>> {
        for plies in 0..=MOST_PLIES {
            for (table, number) in std::mem::take(&mut self.due[plies]) {
                let known = &mut self.bytes[usize::from(table)][number as usize];
                if *known == 0 {
                    *known = plies as u8 + self.end;
                    tell_origins(&mut self, table.into(), number as usize, plies);
                }
            }
        }
        assert!(self.due[MOST_PLIES + 1].is_empty(), "an ending takes longer than a byte can say");
        self.bytes
    }

    /// One step from a position, if steps are allowed there, leads to where the other side is so far from the end.
    pub fn hear(&mut self, table: usize, number: usize, plies: usize) {
        let hopes = &mut self.hopes[table][number];
        if self.bytes[table][number] != 0 || *hopes == NO_STEPS {
            return;
        }
        let entry = (table as u8, number as u32);
        if plies.is_multiple_of(2) {
            self.due[plies + 1].push(entry);
        } else if *hopes != NEVER_LOST {
            *hopes -= 1;
            if *hopes == 0 {
                self.due[(plies + 1).max(usize::from(self.longest[table][number]))].push(entry);
            }
        }
    }
}
