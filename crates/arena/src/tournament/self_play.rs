//! Games of one network against itself, from which it learns.
//!
//! The network learns values of the positions after moves, each for the side that is then to move. It learns values of
//! finished positions too, because without search it also evaluates those; their values follow from the rules,
//! including the rules about a game's past. The network chooses moves as it does in matches, with search if the seating
//! says so. It learns with its exact weights, not as a [`PreparedNetwork`], because rounded weights have no gradient.
//!
//! There are two kinds of random moves. A blunder is part of the game and is learned from like any other move: the
//! values are those of a world in which both sides blunder. An exploring move replaces the move that the network chose:
//! the position before it gets the value of the chosen move, and nothing that happens after the exploring move changes
//! the values of positions before it (as in Watkins's Q(λ)).
//!
//! A learner can also learn the values of leaves (TD-leaf; Baxter, Tridgell and Weaver 1998): the value of a position is
//! then that of the quiet position at which the search from it ends, because that is what searches compare.

use super::{Arena, Conditions, GameRecord, MOST_TURNS, renamed};
use crate::decision::SeatScratch;
use crate::search::{Leaf, Limits, Selection};
use crate::{Decision, GameHistory, NetworkEvaluator, Pairing, PreparedNetwork, Seating};
use chance::Rng;
use evolution::Learner;
use games::{Game, Outcome, Side};
use std::sync::atomic::Ordering;

impl<G: Game> Arena<G> {
    /// Plays all pairings, one after the other; the network learns from each game as soon as it is over. The seating
    /// must use the value head (see [`Seating::judges`](crate::Seating::judges)).
    pub fn self_play(
        &self,
        learner: &mut dyn Learner,
        pairings: &[Pairing],
        conditions: &Conditions,
        rng: &mut Rng,
    ) -> Vec<GameRecord> {
        let seating = if learner.searches() { Seating::clone(&self.seating) } else { self.seating.alone() };
        let mut lessons =
            Lessons { arena: self, seating, learner, conditions, scratch: SeatScratch::new(self.techniques), rng };
        let records = pairings.iter().map(|pairing| lessons.game(*pairing)).collect();
        self.judged.fetch_add(lessons.scratch.eval.judged, Ordering::Relaxed);
        records
    }
}

/// A learner with everything it needs to play against itself.
struct Lessons<'a, G: Game> {
    arena: &'a Arena<G>,
    /// How the network chooses moves while it learns.
    seating: Seating<G>,
    learner: &'a mut dyn Learner,
    conditions: &'a Conditions,
    scratch: SeatScratch<G>,
    rng: &'a mut Rng,
}

impl<G: Game> Lessons<'_, G> {
    /// Plays one game; the network has changed when it returns.
    fn game(&mut self, Pairing { first, second, .. }: Pairing) -> GameRecord {
        let mut record =
            GameRecord { first, second, turns: 0, perfect: [0; 2], graded: [0; 2], outcome: Outcome::Draw };
        let mut history = self.arena.draw_start(self.conditions, self.rng);
        let prepared = PreparedNetwork::new(&self.arena.seating, self.learner.network());
        self.scratch.eval.forget();
        // In records the entrant that moves first is `Side::First`, whichever side moves first in the start.
        let opens = history.game().side_to_move();
        let learns_leaves = self.learner.learns_leaves();
        let outcome = loop {
            let over = history.outcome().or_else(|| (record.turns >= MOST_TURNS).then_some(Outcome::Draw));
            match over {
                // No move led to the start, so there is nothing to learn from it.
                None if record.turns == 0 || learns_leaves => {}
                None => {
                    let inputs = self.inputs(history.game());
                    self.learner.follow(&inputs);
                }
                Some(outcome) if learns_leaves => {
                    self.learner.finish(worth(outcome, &history));
                    break outcome;
                }
                Some(outcome) => {
                    let inputs = self.inputs(history.game());
                    self.learner.end(&inputs, worth(outcome, &history));
                    break outcome;
                }
            }
            let side = if history.game().side_to_move() == opens { Side::First } else { Side::Second };
            record.turns += 1;
            let (mv, by_itself) = match learns_leaves {
                true => self.next_by_leaf(&prepared, &history),
                false => self.next_move(&prepared, &history),
            };
            if by_itself {
                self.arena.grade(history.game(), Decision::Move(mv), side, &mut record);
            }
            history.play(mv);
        };
        GameRecord { outcome: renamed(outcome, opens, Side::First), ..record }
    }

    /// Returns a blunder, the network's own move, or an exploring move, and whether it is the network's own.
    fn next_move(&mut self, prepared: &PreparedNetwork, history: &GameHistory<G>) -> (G::Move, bool) {
        if self.rng.unit() < self.conditions.blunders {
            return (self.scratch.any_move(history.game(), self.rng), false);
        }
        let Decision::Move(own) = self.seating.decide(prepared, history, &mut self.scratch) else {
            unreachable!("a network with a value head always makes a legal move")
        };
        if self.rng.unit() >= self.learner.exploration() {
            return (own, true);
        }
        let after = history.after(own);
        let worth = match after.outcome() {
            Some(outcome) => worth(outcome, &after),
            None => {
                let inputs = self.inputs(after.game());
                self.learner.value(&inputs)
            }
        };
        self.learner.instead(worth);
        (self.scratch.any_move(history.game(), self.rng), false)
    }

    /// Learns the value of the leaf at which the search from this position ends. Returns a blunder, the network's own
    /// move, or an exploring move, and whether it is the network's own.
    fn next_by_leaf(&mut self, prepared: &PreparedNetwork, history: &GameHistory<G>) -> (G::Move, bool) {
        let seating = &self.seating;
        let SeatScratch { eval, search, .. } = &mut self.scratch;
        let mut evaluator = NetworkEvaluator::new(seating, prepared, eval).remembering(search.techniques().memory);
        let limits = Limits { selection: Selection::ALL_CAPTURES, ..seating.limits() };
        let found = search.run(history, &mut evaluator, limits, None, None);
        match search.leaf(history, &found, &mut evaluator) {
            Leaf::Finished(worth) => self.learner.follow_known(worth),
            Leaf::Quiet { game, plies } => {
                let inputs = self.inputs(&game);
                self.learner.follow_leaf(&inputs, if plies.is_multiple_of(2) { 1.0 } else { -1.0 });
            }
        }
        if self.rng.unit() < self.conditions.blunders {
            return (self.scratch.any_move(history.game(), self.rng), false);
        }
        if self.rng.unit() >= self.learner.exploration() {
            return (found.mv, true);
        }
        self.learner.cut();
        (self.scratch.any_move(history.game(), self.rng), false)
    }

    /// The inputs of a position that the network is about to evaluate; for a balanced value, then its inputs as the other
    /// side sees it.
    fn inputs(&mut self, game: &G) -> Vec<f32> {
        self.scratch.eval.judged += 1;
        let network = self.learner.network();
        let mut inputs = self.seating.inputs(network, game);
        if self.seating.is_balanced() {
            let passed = game.passed().expect("the balanced head is only for games with passes");
            inputs.extend(self.seating.inputs(network, &passed));
        }
        inputs
    }
}

/// The value of a finished game for the side that would be to move.
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
    use crate::{Schedule, SelfPlay};
    use chance::rng_for;
    use evolution::{Shape, Strategy, StrategyParams, TdParams};
    use games::draughts::{self, Draughts};
    use games::minichess::{self, Minichess};
    use games::nim::{self, Nim, Setup, Start};
    use games::tic_tac_toe::{self, TicTacToe};
    use games::{Encoder, Setup as _};

    fn learner(shape: Shape, rate: f64, exploration: f64, seed: u64) -> Box<dyn Strategy> {
        let params = TdParams {
            hidden: vec![12],
            wired: 0,
            range: 0.5,
            lambda: 0.7,
            rate,
            rate_halves: 0,
            exploration,
            leaves_from: 0,
        };
        params.create(shape, &mut rng_for(seed, &[]))
    }

    fn pairings(games: usize) -> Vec<Pairing> {
        SelfPlay { games }.pairings(1, &mut rng_for(1, &[]))
    }

    /// A network that neither explores nor learns plays the same games in self-play as in a tournament.
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

    /// After enough games the network knows who wins in finished positions and in those shortly before, with any seed.
    #[test]
    fn values_become_what_the_rules_say() {
        let setup = Setup { stacks: vec![2, 2], start: Start::Random };
        for seed in 1..=3 {
            let seating = Seating::new(setup.clone(), &nim::Counts);
            let mut strategy = learner(seating.shape(), 0.1, 0.1, seed);
            let arena = Arena::new(seating);
            let td = strategy.learner().unwrap();
            arena.self_play(td, &pairings(3000), &Conditions::default(), &mut rng_for(seed, &[1]));
            // Taking the last match loses. No move leads to 2,2, so that no value is learned for it.
            for (position, expected) in [("0,0", 1.0), ("1,0", -1.0), ("1,1", 1.0), ("2,0", 1.0), ("2,1", 1.0)] {
                let inputs = arena.seating().inputs(td.network(), &position.parse().unwrap());
                let value = td.value(&inputs);
                assert!(value * expected > 0.3, "seed {seed}: {position} is worth {value}, not {expected}");
            }
        }
    }

    /// Blunders and exploring moves are both random, but the network learns different things from them.
    #[test]
    fn blunders_and_exploration_teach_different_things() {
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
            // Only the network's own moves are graded.
            assert_eq!(all[one].0 == 0, blunders == 1.0 || exploration == 1.0);
        }
    }
}
