//! Random opponents: every network moves first in a number of games, against opponents drawn at random.

use super::{Pairing, Schedule, ScheduleInfo, at_least_one_game};
use chance::Rng;
use games::{Allowed, KeyError, OPEN, key};
use serde::{Deserialize, Serialize};

/// Every entrant moves first in the same number of games, each against a random other one and from a start of its own.
/// Both sides get points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opens {
    /// The number of games in which each entrant moves first.
    pub games: usize,
}

impl Opens {
    pub(super) const INFO: ScheduleInfo = ScheduleInfo {
        name: "opens",
        about: "games = N: each network moves first in N games, against others drawn at random",
        keys: &[key(
            "games",
            "games in which each network moves first, against others drawn at random; both sides score",
            Allowed::Whole(1.0, OPEN),
        )],
        is_self_play: false,
    };
}

impl Schedule for Opens {
    fn pairings(&self, entrants: usize, rng: &mut Rng) -> Vec<Pairing> {
        let openers = (0..entrants).flat_map(|one| std::iter::repeat_n(one, self.games));
        let pairing = |(start, one): (usize, usize)| {
            let other = rng.below(entrants - 1);
            let other = if other < one { other } else { other + 1 };
            Pairing { first: one as u32, second: other as u32, start: start as u32 }
        };
        openers.enumerate().map(pairing).collect()
    }

    fn games(&self, entrants: usize) -> u128 {
        entrants as u128 * self.games as u128
    }

    fn checked(&self, _: usize) -> Result<(), KeyError> {
        at_least_one_game(self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;
    use std::collections::BTreeSet;

    #[test]
    fn all_move_first_in_the_same_number_of_games() {
        let pairings = Opens { games: 5 }.pairings(15, &mut rng_for(1, &[]));
        assert_eq!(pairings.len(), 75);
        for (number, pairing) in pairings.iter().enumerate() {
            assert_eq!((pairing.first as usize, pairing.start as usize), (number / 5, number));
            assert!(pairing.second != pairing.first && pairing.second < 15);
        }
        let met: BTreeSet<u32> = pairings.iter().map(|pairing| pairing.second).collect();
        assert_eq!(met.len(), 15);
    }
}
