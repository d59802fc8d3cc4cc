//! The number of games that an experiment takes, so that experiments of different sizes can get equally many.

use super::Experiment;

/// The number of games per generation: those of the schedule, and two games of each network against each guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameCount {
    scheduled: u128,
    population: u128,
    guests: u128,
}

impl<S> Experiment<S> {
    /// The number of games per generation.
    pub fn game_count(&self) -> GameCount {
        let population = self.strategy.population() as u128;
        let scheduled = self.schedule.part().games(self.strategy.population());
        // In self-play, games against guests are only for the score; the network does not learn from them.
        let guests = if self.schedule.info().is_self_play { 0 } else { self.guests as u128 };
        GameCount { scheduled, population, guests }
    }
}

impl GameCount {
    /// The number of games of a generation that has all its guests.
    pub fn each(self) -> u128 {
        self.scheduled + 2 * self.population * self.guests
    }

    /// The number of games of the first `generations` generations. Guests are champions of the past: the first
    /// generation has none, the second has one.
    pub fn of(self, generations: u64) -> u128 {
        let generations = u128::from(generations);
        let growing = self.guests.min(generations);
        let visits = growing * growing.saturating_sub(1) / 2 + (generations - growing) * self.guests;
        self.scheduled * generations + 2 * self.population * visits
    }

    /// The smallest number of generations, up to `most`, that takes at least this number of games.
    pub fn generations_for(self, games: u128, most: u64) -> u64 {
        let (mut low, mut high) = (1, most.max(1));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.of(middle) >= games { high = middle } else { low = middle + 1 }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_come_one_after_the_other() {
        let count = GameCount { scheduled: 100, population: 10, guests: 3 };
        let each: Vec<u128> = (1..7).map(|generation| count.of(generation) - count.of(generation - 1)).collect();
        assert_eq!(each, [100, 120, 140, 160, 160, 160]);
        assert_eq!(count.each(), 160);
        for (games, generations) in [(1, 1), (100, 1), (101, 2), (220, 2), (221, 3), (680, 5), (681, 6)] {
            assert_eq!(count.generations_for(games, 1000), generations, "{games}");
        }
        assert_eq!(count.generations_for(1000, 5), 5, "no more than the most");
    }
}
