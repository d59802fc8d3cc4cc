//! Games of one network against itself, from which it learns.
//!
//! It learns what it uses: the values of positions after moves, each for the side that is then to move, ends of games
//! included, as without looking ahead it judges those too. What ends are worth comes from the rules, and from what of the
//! game's past they look at. It moves as it will move in matches, looking ahead where the seating says so; but it learns as
//! it was written, not as it was [made ready](Mind), whose rounding has no slopes.
//!
//! There are two kinds of random moves. A blunder happens, as it does to others, and is learned from like any move: values
//! are then those of a world where everybody blunders. A move to explore is one that the network would not have made:
//! the position before is worth what the move it chose leads to, and whatever comes after the other one tells nothing about
//! positions before it (as in Watkins's Q(λ)).

use super::{Arena, Conditions, GameRecord, MOST_TURNS, renamed};
use crate::decision::SeatScratch;
use crate::{Decision, GameHistory, Pairing, PreparedNetwork};
use chance::Rng;
use evolution::Learner;
use games::{Game, Outcome, Side};
use std::sync::atomic::Ordering;

impl<G: Game> Arena<G> {
    /// Plays all pairings, one after the other; after each game the network has learned from it. The seating must
    /// [judge](crate::Seating::judges).
    pub fn self_play(
        &self,
        learner: &mut dyn Learner,
        pairings: &[Pairing],
        conditions: &Conditions,
        rng: &mut Rng,
    ) -> Vec<GameRecord> {
        let mut lessons = Lessons { arena: self, learner, conditions, scratch: SeatScratch::new(self.techniques), rng };
        let records = pairings.iter().map(|pairing| lessons.game(*pairing)).collect();
        self.judged.fetch_add(lessons.scratch.room.judged, Ordering::Relaxed);
        records
    }
}

/// Who learns, where, and how.
struct Lessons<'a, G: Game> {
    arena: &'a Arena<G>,
    learner: &'a mut dyn Learner,
    conditions: &'a Conditions,
    scratch: SeatScratch<G>,
    rng: &'a mut Rng,
}

impl<G: Game> Lessons<'_, G> {
    /// One game; when it is over, the network has changed.
    fn game(&mut self, Pairing { first, second, .. }: Pairing) -> GameRecord {
        let mut record =
            GameRecord { first, second, turns: 0, perfect: [0; 2], graded: [0; 2], outcome: Outcome::Draw };
        let mut history = self.arena.draw_start(self.conditions, self.rng);
        let prepared = PreparedNetwork::new(&self.arena.seating, self.learner.network());
        self.scratch.room.forget();
        // The first mover is called first, whatever the start calls it.
        let opens = history.game().side_to_move();
        let outcome = loop {
            let over = history.outcome().or_else(|| (record.turns >= MOST_TURNS).then_some(Outcome::Draw));
            match over {
                // Nobody chose the start.
                None if record.turns == 0 => {}
                None => {
                    let inputs = self.inputs(&history);
                    self.learner.follow(&inputs);
                }
                Some(outcome) => {
                    let inputs = self.inputs(&history);
                    self.learner.end(&inputs, worth(outcome, &history));
                    break outcome;
                }
            }
            let side = if history.game().side_to_move() == opens { Side::First } else { Side::Second };
            record.turns += 1;
            let (mv, by_itself) = self.next_move(&prepared, &history);
            if by_itself {
                self.arena.grade(history.game(), Decision::Move(mv), side, &mut record);
            }
            history.play(mv);
        };
        GameRecord { outcome: renamed(outcome, opens, Side::First), ..record }
    }

    /// A blunder, the network's own move, or one to explore; and whether it is its own.
    fn next_move(&mut self, prepared: &PreparedNetwork, history: &GameHistory<G>) -> (G::Move, bool) {
        if self.rng.unit() < self.conditions.blunders {
            return (self.scratch.any_move(history.game(), self.rng), false);
        }
        let Decision::Move(own) = self.arena.seating.decide(prepared, history, &mut self.scratch) else {
            unreachable!("who judges positions makes legal moves")
        };
        if self.rng.unit() >= self.learner.exploration() {
            return (own, true);
        }
        let after = history.after(own);
        let worth = match after.outcome() {
            Some(outcome) => worth(outcome, &after),
            None => {
                let inputs = self.inputs(&after);
                self.learner.value(&inputs)
            }
        };
        self.learner.instead(worth);
        (self.scratch.any_move(history.game(), self.rng), false)
    }

    /// How the network sees a position that it is about to judge.
    fn inputs(&mut self, history: &GameHistory<G>) -> Vec<f32> {
        self.scratch.room.judged += 1;
        self.arena.seating.inputs(self.learner.network(), history.game())
    }
}

/// What an end is worth to the side that would be to move.
fn worth<G: Game>(outcome: Outcome, history: &GameHistory<G>) -> f32 {
    match outcome {
        Outcome::Win(winner) if winner == history.game().side_to_move() => 1.0,
        Outcome::Win(_) => -1.0,
        Outcome::Draw => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Schedule, Seating, SelfPlay};
    use chance::rng_for;
    use evolution::{Shape, Strategy, StrategyParams, TdParams};
    use games::draughts::{self, Draughts};
    use games::minichess::{self, Minichess};
    use games::nim::{self, Nim, Setup, Start};
    use games::tic_tac_toe::{self, TicTacToe};
    use games::{Encoder, Setup as _};

    fn learner(shape: Shape, rate: f64, exploration: f64, seed: u64) -> Box<dyn Strategy> {
        let params =
            TdParams { hidden: vec![12], wired: 0, range: 0.5, lambda: 0.7, rate, rate_halves: 0, exploration };
        params.create(shape, &mut rng_for(seed, &[]))
    }

    fn pairings(games: usize) -> Vec<Pairing> {
        SelfPlay { games }.pairings(1, &mut rng_for(1, &[]))
    }

    /// Who neither explores nor changes plays itself as it plays others.
    fn check<G: Game>(setup: G::Setup, encoder: &'static dyn Encoder<G>, depth: u32) {
        let seating = Seating::new(setup, encoder).at_depth(depth).unwrap();
        let mut strategy = learner(seating.shape(), 1e-12, 0.0, 1);
        let mut arena = Arena::new(seating);
        let (entrants, pairings) = (arena.enter(strategy.networks()), pairings(3));
        let expected = arena.play(&entrants, &pairings, &Conditions::default(), &mut rng_for(2, &[]));
        let before = arena.judged();
        let td = strategy.learner().unwrap();
        let found = arena.self_play(td, &pairings, &Conditions::default(), &mut rng_for(2, &[]));
        assert_eq!(found, expected, "{} at depth {depth}", G::NAME);
        let turns: u32 = found.iter().map(|record| record.turns).sum();
        assert!(arena.judged() - before > turns.into());
    }

    #[test]
    fn games_are_those_of_the_network_against_itself() {
        for depth in [0, 2] {
            check::<Nim>(Setup { stacks: vec![4, 4], start: Start::Fixed }, &nim::Counts, depth);
            check::<TicTacToe>(<TicTacToe as Game>::Setup::usual(), &tic_tac_toe::Squares, depth);
            check::<Minichess>(<Minichess as Game>::Setup::usual(), &minichess::Board, depth);
            check::<Draughts>(<Draughts as Game>::Setup::usual(), &draughts::Sight::SQUARES, depth);
        }
    }

    /// After enough games it knows who wins from each end and from the positions before it, whatever the seed.
    #[test]
    fn values_become_what_the_rules_say() {
        let setup = Setup { stacks: vec![2, 2], start: Start::Random };
        for seed in 1..=3 {
            let seating = Seating::new(setup.clone(), &nim::Counts);
            let mut strategy = learner(seating.shape(), 0.1, 0.1, seed);
            let arena = Arena::new(seating);
            let td = strategy.learner().unwrap();
            arena.self_play(td, &pairings(3000), &Conditions::default(), &mut rng_for(seed, &[1]));
            // Who takes the last match loses. Nobody moves to 2,2, so that nothing is learned of it.
            for (position, expected) in [("0,0", 1.0), ("1,0", -1.0), ("1,1", 1.0), ("2,0", 1.0), ("2,1", 1.0)] {
                let inputs = arena.seating().inputs(td.network(), &position.parse().unwrap());
                let value = td.value(&inputs);
                assert!(value * expected > 0.3, "seed {seed}: {position} is worth {value}, not {expected}");
            }
        }
    }

    /// Blunders and explorations are both random moves, but another lesson.
    #[test]
    fn chance_belongs_to_the_lesson() {
        let learned = |blunders: f64, exploration: f64, seed: u64| {
            let seating = Seating::new(Setup::usual(), &nim::Counts);
            let mut strategy = learner(seating.shape(), 0.1, exploration, 1);
            let arena = Arena::new(seating);
            let conditions = Conditions { blunders, ..Conditions::default() };
            let records =
                arena.self_play(strategy.learner().unwrap(), &pairings(20), &conditions, &mut rng_for(seed, &[]));
            (records.iter().map(|record| record.graded[0]).sum::<u16>(), strategy.save())
        };
        let lessons = [(0.0, 0.0, 1), (0.5, 0.0, 2), (0.5, 0.0, 1), (0.0, 0.5, 1), (1.0, 0.0, 1), (0.0, 1.0, 1)];
        let all = lessons.map(|(blunders, exploration, seed)| learned(blunders, exploration, seed));
        for (one, (blunders, exploration, seed)) in lessons.into_iter().enumerate() {
            assert_eq!(all[one], learned(blunders, exploration, seed));
            assert!(all[..one].iter().all(|other| other.1 != all[one].1), "lesson {one}");
            // Only its own moves are graded.
            assert_eq!(all[one].0 == 0, blunders == 1.0 || exploration == 1.0);
        }
    }
}
