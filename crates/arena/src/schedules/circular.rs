//! Circular pairing: the entrants form a circle, and each plays against those at certain distances.

use super::{Pairing, Schedule, ScheduleInfo};
use chance::Rng;
use games::{Allowed, KeyError, OPEN, key};
use serde::{Deserialize, Serialize};

/// Circular pairing: for each of some distances, every entrant plays against the one that far on in the circle, in two
/// games from the same start, moving first once.
///
/// A distance gives every entrant two opponents. Distances are drawn without repetition from those below half the
/// number of entrants, so that all opponents of an entrant are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Circular {
    /// The number of different opponents of each entrant, with two games against each: an even number, at most
    /// [`Circular::most_opponents`].
    pub opponents: usize,
}

impl Circular {
    pub(super) const INFO: ScheduleInfo = ScheduleInfo {
        name: "circular",
        about: "opponents = N: each network plays against N others, twice each from the same start",
        keys: &[key(
            "opponents",
            "different opponents of each network, two games each from the same start: an even number, \
                    less than the population",
            Allowed::Whole(2.0, OPEN),
        )],
        is_self_play: false,
    };

    /// The largest number of opponents: an even number below the number of entrants.
    pub fn most_opponents(entrants: usize) -> usize {
        entrants.saturating_sub(1) / 2 * 2
    }
}

impl Schedule for Circular {
    fn pairings(&self, entrants: usize, rng: &mut Rng) -> Vec<Pairing> {
        let mut distances: Vec<usize> = (1..=Circular::most_opponents(entrants) / 2).collect();
        rng.shuffle(&mut distances);
        distances.truncate(self.opponents / 2);
        let mut pairings = Vec::with_capacity(distances.len() * entrants * 2);
        for distance in distances {
            for one in 0..entrants {
                let other = if one + distance < entrants { one + distance } else { one + distance - entrants };
                pairings.extend(Pairing::both(one as u32, other as u32, (pairings.len() / 2) as u32));
            }
        }
        pairings
    }

    fn games(&self, entrants: usize) -> u128 {
        entrants as u128 * self.opponents as u128
    }

    fn least_entrants(&self) -> usize {
        3
    }

    fn checked(&self, entrants: usize) -> Result<(), KeyError> {
        let (opponents, most) = (self.opponents, Circular::most_opponents(entrants));
        if opponents == 0 || !opponents.is_multiple_of(2) || opponents > most {
            let what = format!(
                "opponents is {opponents}, but it must be an even number from 2 to {most}, \
                 because a population of {entrants} is paired in a circle"
            );
            return Err(KeyError::new("opponents", what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;
    use std::collections::BTreeSet;

    #[track_caller]
    fn check(entrants: usize, opponents: usize) {
        let pairings = Circular { opponents }.pairings(entrants, &mut rng_for(entrants as u64, &[]));
        assert_eq!(pairings.len(), entrants * opponents);
        let mut met = vec![BTreeSet::new(); entrants];
        let mut opened = vec![0; entrants];
        for two in pairings.chunks(2) {
            let (one, back) = (two[0], two[1]);
            assert_eq!((one.first, one.second, one.start), (back.second, back.first, back.start));
            assert_ne!(one.first, one.second);
            assert!(met[one.first as usize].insert(one.second) && met[one.second as usize].insert(one.first));
            opened[one.first as usize] += 1;
            opened[back.first as usize] += 1;
        }
        assert!(met.iter().all(|others| others.len() == opponents) && opened.iter().all(|&games| games == opponents));
        let starts: BTreeSet<u32> = pairings.iter().map(|pairing| pairing.start).collect();
        assert_eq!(starts, (0..pairings.len() as u32 / 2).collect());
    }

    #[test]
    fn all_have_the_same_number_of_different_opponents() {
        check(100, 50);
        check(100, 98);
        check(99, 98);
        check(3, 2);
        check(7, 4);
    }

    #[test]
    fn the_most_opponents_are_even() {
        assert_eq!([1, 2, 3, 4, 5, 100, 101].map(Circular::most_opponents), [0, 0, 2, 2, 4, 98, 100]);
    }
}
