//! Who meets whom.

use crate::GameRecord;
use chance::Rng;

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The place of the entrant who moves first.
    pub first: u32,
    /// The place of the other.
    pub second: u32,
    /// Games of a round with the same number begin from the same start; numbers count from 0 without gaps.
    pub start: u32,
}

/// Decides who meets whom next.
pub trait Schedule: Send {
    /// The next round's pairings, by place; empty when the tournament is over.
    fn next_round(&mut self, entrants: usize, played: &[GameRecord], rng: &mut Rng) -> Vec<Pairing>;
}

/// Circular pairing: for each of some distances, every entrant meets the one that far on, in two games from the same
/// start, each opening once.
///
/// A distance gives every entrant two opponents. All distances are drawn from those below half the number of entrants,
/// none twice, so that no two meet again: as many distinct opponents as there are places to meet.
#[derive(Clone, Copy, Debug)]
pub struct Circular {
    /// How many different opponents each entrant meets: an even number, at most [`Circular::most_opponents`].
    pub opponents: usize,
}

impl Circular {
    /// The most opponents that can be asked for: a number that is even and leaves nobody out.
    pub fn most_opponents(entrants: usize) -> usize {
        entrants.saturating_sub(1) / 2 * 2
    }
}

impl Schedule for Circular {
    fn next_round(&mut self, entrants: usize, played: &[GameRecord], rng: &mut Rng) -> Vec<Pairing> {
        if !played.is_empty() {
            return Vec::new();
        }
        let mut distances: Vec<usize> = (1..=Circular::most_opponents(entrants) / 2).collect();
        rng.shuffle(&mut distances);
        distances.truncate(self.opponents / 2);
        let mut pairings = Vec::with_capacity(distances.len() * entrants * 2);
        for distance in distances {
            for one in 0..entrants {
                let other = if one + distance < entrants { one + distance } else { one + distance - entrants };
                let start = (pairings.len() / 2) as u32;
                pairings.push(Pairing { first: one as u32, second: other as u32, start });
                pairings.push(Pairing { first: other as u32, second: one as u32, start });
            }
        }
        pairings
    }
}

/// Round robin: everybody meets everybody else.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobin {
    /// Twice, from the same start, each opening once; otherwise once, and everybody opens as often as not, give or take
    /// one game.
    pub double: bool,
}

impl RoundRobin {
    /// How many games it takes.
    pub fn games(&self, entrants: usize) -> usize {
        let pairs = entrants * entrants.saturating_sub(1) / 2;
        if self.double { 2 * pairs } else { pairs }
    }
}

impl Schedule for RoundRobin {
    fn next_round(&mut self, entrants: usize, played: &[GameRecord], _: &mut Rng) -> Vec<Pairing> {
        if !played.is_empty() {
            return Vec::new();
        }
        let mut pairings = Vec::with_capacity(self.games(entrants));
        let pairs = (0..entrants as u32).flat_map(|one| (one + 1..entrants as u32).map(move |other| (one, other)));
        for (start, (one, other)) in pairs.enumerate() {
            let start = start as u32;
            let both = [Pairing { first: one, second: other, start }, Pairing { first: other, second: one, start }];
            match self.double {
                true => pairings.extend(both),
                // Neighbours alternate.
                false => pairings.push(both[((one + other) % 2) as usize]),
            }
        }
        pairings
    }
}

/// Everybody opens so many games, each against anybody else, and from its own start; both sides score.
#[derive(Clone, Copy, Debug)]
pub struct Opens {
    /// How many games each entrant opens.
    pub games: usize,
}

impl Schedule for Opens {
    fn next_round(&mut self, entrants: usize, played: &[GameRecord], rng: &mut Rng) -> Vec<Pairing> {
        if !played.is_empty() || entrants < 2 {
            return Vec::new();
        }
        let openers = (0..entrants).flat_map(|one| std::iter::repeat_n(one, self.games));
        let pairing = |(start, one): (usize, usize)| {
            let other = rng.below(entrants - 1);
            let other = if other < one { other } else { other + 1 };
            Pairing { first: one as u32, second: other as u32, start: start as u32 }
        };
        openers.enumerate().map(pairing).collect()
    }
}

/// Everybody plays so many games against itself, each from its own start: for one that learns by them.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// How many games.
    pub games: usize,
}

impl Schedule for SelfPlay {
    fn next_round(&mut self, entrants: usize, played: &[GameRecord], _: &mut Rng) -> Vec<Pairing> {
        if !played.is_empty() {
            return Vec::new();
        }
        let players = (0..entrants as u32).flat_map(|one| std::iter::repeat_n(one, self.games));
        players.zip(0..).map(|(one, start)| Pairing { first: one, second: one, start }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;
    use std::collections::BTreeSet;

    #[test]
    fn everybody_opens_as_many_games_against_others() {
        let pairings = Opens { games: 5 }.next_round(15, &[], &mut rng_for(1, &[]));
        assert_eq!(pairings.len(), 75);
        for (number, pairing) in pairings.iter().enumerate() {
            assert_eq!((pairing.first as usize, pairing.start as usize), (number / 5, number));
            assert!(pairing.second != pairing.first && pairing.second < 15);
        }
        let met: BTreeSet<u32> = pairings.iter().map(|pairing| pairing.second).collect();
        assert_eq!(met.len(), 15);
    }

    #[track_caller]
    fn check(entrants: usize, opponents: usize) {
        let pairings = Circular { opponents }.next_round(entrants, &[], &mut rng_for(entrants as u64, &[]));
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
    fn everybody_meets_as_many_distinct_opponents() {
        check(100, 50);
        check(100, 98);
        check(99, 98);
        check(3, 2);
        check(7, 4);
    }

    #[test]
    fn in_a_round_robin_all_meet_all() {
        for entrants in [0, 1, 2, 5, 50] {
            for double in [false, true] {
                let mut robin = RoundRobin { double };
                let pairings = robin.next_round(entrants, &[], &mut rng_for(1, &[]));
                assert_eq!(pairings.len(), robin.games(entrants));
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

    #[test]
    fn in_self_play_nobody_meets_another() {
        let pairings = SelfPlay { games: 3 }.next_round(2, &[], &mut rng_for(1, &[]));
        let found: Vec<[u32; 3]> = pairings.iter().map(|p| [p.first, p.second, p.start]).collect();
        assert_eq!(found, [[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 1, 3], [1, 1, 4], [1, 1, 5]]);
    }

    #[test]
    fn the_most_opponents_are_even() {
        assert_eq!([1, 2, 3, 4, 5, 100, 101].map(Circular::most_opponents), [0, 0, 2, 2, 4, 98, 100]);
    }
}
