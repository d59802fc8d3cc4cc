//! Who meets whom: the contract of a schedule, and the list of those there are.
//!
//! A schedule is one file here and two lines in this one: its `mod` line, and its name in the list below. Experiments,
//! their checks, forms and lists find it there.

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
    /// The place of the other.
    pub second: u32,
    /// Games of a generation with the same number begin from the same start; numbers count from 0 without gaps.
    pub start: u32,
}

impl Pairing {
    /// Two games of the same two from the same start, each opening once.
    pub fn both(one: u32, other: u32, start: u32) -> [Pairing; 2] {
        [Pairing { first: one, second: other, start }, Pairing { first: other, second: one, start }]
    }
}

/// Decides who meets whom in a generation, before its first game.
pub trait Schedule {
    /// All pairings of a generation, by place; the last one has the highest start number. There are at least
    /// [as many entrants](Schedule::least_entrants) as it needs, and the schedule was [checked](Schedule::checked) for
    /// their number.
    fn pairings(&self, entrants: usize, rng: &mut Rng) -> Vec<Pairing>;

    /// How many pairings that makes.
    fn games(&self, entrants: usize) -> u128;

    /// The fewest entrants that it can pair.
    fn least_entrants(&self) -> usize {
        2
    }

    /// Whether its parameters can be, for that many entrants. A refusal begins with the key.
    fn checked(&self, entrants: usize) -> Result<(), KeyError> {
        let _ = entrants;
        Ok(())
    }
}

/// A schedule in words, for lists and forms.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleInfo {
    /// The name people type.
    pub name: &'static str,
    /// One sentence, with what is set.
    pub about: &'static str,
    /// Its parameters.
    pub keys: &'static [Described],
    /// Whether networks play themselves, as one that learns does. Otherwise a population meets, and guests with it.
    pub is_self_play: bool,
}

parts! {
    /// Which schedule, with all its parameters.
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

    /// Names and keys are those of experiments, and as many games are counted as paired.
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
