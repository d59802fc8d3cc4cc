//! Round robin: every network plays against every other.

use super::{Pairing, Schedule, ScheduleInfo};
use chance::Rng;
use games::{Allowed, key};
use serde::{Deserialize, Serialize};

/// Round robin: every entrant plays against every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {
    /// Whether two entrants play twice from the same start, each moving first once. Otherwise they play once, and every
    /// entrant moves first in half of its games, give or take one.
    pub double: bool,
}

impl RoundRobin {
    pub(super) const INFO: ScheduleInfo = ScheduleInfo {
        name: "round-robin",
        about: "double = true or false: every network plays against every other, twice or once",
        keys: &[key(
            "double",
            "whether two networks play twice, each moving first once, or only once",
            Allowed::Switch,
        )],
        is_self_play: false,
    };
}

impl Schedule for RoundRobin {
    fn pairings(&self, entrants: usize, _: &mut Rng) -> Vec<Pairing> {
        let mut pairings = Vec::with_capacity(self.games(entrants) as usize);
        let pairs = (0..entrants as u32).flat_map(|one| (one + 1..entrants as u32).map(move |other| (one, other)));
        for (start, (one, other)) in pairs.enumerate() {
            let both = Pairing::both(one, other, start as u32);
            match self.double {
                true => pairings.extend(both),
                // The right to move first alternates between neighbours.
                false => pairings.push(both[((one + other) % 2) as usize]),
            }
        }
        pairings
    }

    fn games(&self, entrants: usize) -> u128 {
        let entrants = entrants as u128;
        entrants * entrants.saturating_sub(1) / if self.double { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;
    use std::collections::BTreeSet;

    #[test]
    fn in_a_round_robin_all_meet_all() {
        for entrants in [0, 1, 2, 5, 50] {
            for double in [false, true] {
                let robin = RoundRobin { double };
                let pairings = robin.pairings(entrants, &mut rng_for(1, &[]));
                assert_eq!(pairings.len() as u128, robin.games(entrants));
                let met: BTreeSet<(u32, u32)> = pairings.iter().map(|p| (p.first, p.second)).collect();
                assert_eq!(met.len(), pairings.len());
                let mut opened = vec![0; entrants];
                pairings.iter().for_each(|p| opened[p.first as usize] += 1);
                let others = entrants.saturating_sub(1);
                let fair = if double { others..=others } else { others / 2..=others.div_ceil(2) };
                assert!(opened.iter().all(|games| fair.contains(games)), "{opened:?}");
                assert!(pairings.iter().all(|p| double || !met.contains(&(p.second, p.first))));
            }
        }
        assert_eq!(RoundRobin { double: true }.games(50), 2450);
    }
}
