//! Self-play: one network plays against itself and learns from its games.

use super::{Pairing, Schedule, ScheduleInfo, at_least_one_game};
use chance::Rng;
use games::{Allowed, KeyError, OPEN, key};
use serde::{Deserialize, Serialize};

/// Every entrant plays the same number of games against itself, each from a start of its own: for a network that
/// learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlay {
    /// The number of games per generation.
    pub games: usize,
}

impl SelfPlay {
    pub(super) const INFO: ScheduleInfo = ScheduleInfo {
        name: "self-play",
        about: "games = N: one network plays N games against itself and learns from them",
        keys: &[key(
            "games",
            "games of one network against itself in a generation, from which it learns",
            Allowed::Whole(1.0, OPEN),
        )],
        is_self_play: true,
    };
}

impl Schedule for SelfPlay {
    fn pairings(&self, entrants: usize, _: &mut Rng) -> Vec<Pairing> {
        let players = (0..entrants as u32).flat_map(|one| std::iter::repeat_n(one, self.games));
        players.zip(0..).map(|(one, start)| Pairing { first: one, second: one, start }).collect()
    }

    fn games(&self, entrants: usize) -> u128 {
        entrants as u128 * self.games as u128
    }

    fn least_entrants(&self) -> usize {
        1
    }

    fn checked(&self, _: usize) -> Result<(), KeyError> {
        at_least_one_game(self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    #[test]
    fn in_self_play_all_games_are_against_oneself() {
        let pairings = SelfPlay { games: 3 }.pairings(2, &mut rng_for(1, &[]));
        let found: Vec<[u32; 3]> = pairings.iter().map(|p| [p.first, p.second, p.start]).collect();
        assert_eq!(found, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 1, 3], [1, 1, 4], [1, 1, 5]]);
    }
}
