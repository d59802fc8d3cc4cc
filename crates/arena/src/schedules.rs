//! Schedules: which networks of a generation play against each other. This file has the trait and the list of
//! schedules.
//!
//! A schedule is one file in this folder and two lines in this one: its `mod` line, and its name in the list below.
//! Experiments, their checks, forms and lists find it there.

mod circular;
mod opens;
mod round_robin;
mod self_play;

pub use circular::Circular;
pub use opens::Opens;
pub use round_robin::RoundRobin;
pub use self_play::SelfPlay;

use crate::parts::parts;
use chance::Rng;
use games::{Described, KeyError};

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The place of the entrant who moves first.
    pub first: u32,
    /// The place of the other entrant.
    pub second: u32,
    /// The number of the start. Pairings with the same number begin from the same position; numbers count from 0
    /// without gaps.
    pub start: u32,
}

impl Pairing {
    /// Two games between the same entrants from the same start; each moves first in one of them.
    pub fn both(one: u32, other: u32, start: u32) -> [Pairing; 2] {
        [Pairing { first: one, second: other, start }, Pairing { first: other, second: one, start }]
    }
}

/// Decides which entrants play against each other in a generation, before its first game.
pub trait Schedule {
    /// All pairings of a generation, by place; the last one has the highest start number. The caller makes sure that
    /// there are [enough entrants](Schedule::least_entrants) and that [the check](Schedule::checked) succeeded for
    /// their number.
    fn pairings(&self, entrants: usize, rng: &mut Rng) -> Vec<Pairing>;

    /// The number of pairings.
    fn games(&self, entrants: usize) -> u128;

    /// The smallest number of entrants that it can pair.
    fn least_entrants(&self) -> usize {
        2
    }

    /// Checks the parameters for this number of entrants. The error message begins with the key.
    fn checked(&self, entrants: usize) -> Result<(), KeyError> {
        let _ = entrants;
        Ok(())
    }
}

/// A description of a schedule, for lists and forms.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleInfo {
    /// The name that users type.
    pub name: &'static str,
    /// One sentence, which names the parameters.
    pub about: &'static str,
    /// Its parameters.
    pub keys: &'static [Described],
    /// Whether networks play against themselves, for a strategy that learns. Otherwise a population plays, and guests
    /// with it.
    pub is_self_play: bool,
}

parts! {
    /// A schedule with all its parameters.
    ScheduleConfig, Schedule, ScheduleInfo:
    Circular(Circular),
    RoundRobin(RoundRobin),
    Opens(Opens),
    SelfPlay(SelfPlay),
}

fn at_least_one_game(games: usize) -> Result<(), KeyError> {
    if games == 0 { Err(KeyError::new("games", "games is 0, but it must be at least 1")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::written;
    use chance::rng_for;

    /// Names and keys are those of experiments, and the number of games is the number of pairings.
    #[test]
    fn schedules_are_what_they_say() {
        for info in ScheduleConfig::ALL {
            let config: ScheduleConfig = serde_json::from_str(&written(info.name, info.keys)).unwrap();
            assert_eq!(config.info().name, info.name);
            let schedule = config.part();
            for entrants in [schedule.least_entrants(), 6, 7] {
                schedule.checked(entrants).unwrap();
                let pairings = schedule.pairings(entrants, &mut rng_for(1, &[]));
                assert_eq!(pairings.len() as u128, schedule.games(entrants), "{} of {entrants}", info.name);
                assert!(pairings.is_sorted_by_key(|pairing| pairing.start));
                assert!(info.is_self_play || pairings.iter().all(|pairing| pairing.first != pairing.second));
            }
        }
    }
}
