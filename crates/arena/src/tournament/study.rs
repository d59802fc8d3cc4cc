//! Games of one network against itself, whose positions it studies afterwards (search bootstrapping).
//!
//! All games of a generation are played with the same network, so that threads can share them. A search values every
//! position. The network later learns a mixture of this value, of the values of the positions after it, and of the result
//! (the λ-return), so that it judges at once what a search finds out. Only quiet positions are studied: positions whose
//! best move captures something, or in which the other side threatens to win at once, are left to the search.
//!
//! An exploring move replaces the move that the search chose. Nothing that happens after it changes the targets of
//! positions before it.

use super::{Arena, Conditions, GameRecord, MOST_TURNS, renamed};
use crate::decision::SeatScratch;
use crate::search::plies_to_end;
use crate::threads::in_parallel;
use crate::{Decision, GameHistory, NetworkEvaluator, Pairing, PreparedNetwork};
use chance::{Rng, rng_for};
use evolution::{Lesson, Student};
use games::{Game, Outcome, Side};
use std::sync::atomic::Ordering;

/// How the games of a student are played.
struct Terms<'a, G: Game> {
    conditions: &'a Conditions,
    prepared: &'a PreparedNetwork,
    exploration: f64,
    lambda: f32,
    starts: Vec<GameHistory<G>>,
}

/// A position of a game: its inputs if it is studied, the value that the search found, and whether the move that was played
/// is another than the search's.
struct Position {
    inputs: Option<Vec<(u32, f32)>>,
    value: f32,
    explored: bool,
}

impl<G: Game> Arena<G> {
    /// Plays all pairings; then the network studies their positions. The seating must use a value head and an alpha-beta
    /// search.
    pub fn study(
        &self,
        student: &mut dyn Student,
        pairings: &[Pairing],
        conditions: &Conditions,
        rng: &mut Rng,
    ) -> Vec<GameRecord> {
        // 1. Play. Each game has random numbers of its own.
        let prepared = PreparedNetwork::new(&self.seating, student.network());
        let terms = Terms {
            conditions,
            prepared: &prepared,
            exploration: student.exploration(),
            lambda: student.lambda() as f32,
            starts: pairings.iter().map(|_| self.draw_start(conditions, rng)).collect(),
        };
        let seed = rng.below(1 << 62) as u64;
        let played = in_parallel(
            self.pool.as_ref(),
            pairings.len(),
            || SeatScratch::new(self.techniques),
            |scratch: &mut SeatScratch<G>, place| {
                let rng = &mut rng_for(seed, &[place as u64]);
                self.game_to_study(&terms, pairings[place], &terms.starts[place], scratch, rng)
            },
        );
        // 2. Study.
        let (records, lessons): (Vec<GameRecord>, Vec<Vec<Lesson>>) = played.into_iter().unzip();
        student.study(&lessons.concat(), rng);
        records
    }

    fn game_to_study(
        &self,
        terms: &Terms<G>,
        Pairing { first, second, .. }: Pairing,
        start: &GameHistory<G>,
        scratch: &mut SeatScratch<G>,
        rng: &mut Rng,
    ) -> (GameRecord, Vec<Lesson>) {
        let mut record =
            GameRecord { first, second, turns: 0, perfect: [0; 2], graded: [0; 2], outcome: Outcome::Draw };
        let mut history = start.clone();
        let before = scratch.eval.judged;
        scratch.eval.forget();
        let opens = history.game().side_to_move();
        let mut positions = Vec::new();
        let outcome = loop {
            let over = history.outcome().or_else(|| (record.turns >= MOST_TURNS).then_some(Outcome::Draw));
            if let Some(outcome) = over {
                break outcome;
            }
            let game = history.game();
            let SeatScratch { eval, search, .. } = &mut *scratch;
            let remembers = search.techniques().memory;
            let mut evaluator = NetworkEvaluator::new(&self.seating, terms.prepared, eval).remembering(remembers);
            let found = search.run(&history, &mut evaluator, self.seating.limits(), None, None);
            let threatened = game.passed().is_some_and(|passed| passed.can_win_at_once());
            let is_quiet = game.promise(found.mv) == 0 && !threatened;
            let value = plies_to_end(found.value).map_or(found.value.clamp(-1.0, 1.0), |plies| plies.signum() as f32);
            let side = if game.side_to_move() == opens { Side::First } else { Side::Second };
            record.turns += 1;
            let is_blunder = rng.unit() < terms.conditions.blunders;
            let explored = !is_blunder && rng.unit() < terms.exploration;
            let mv = if is_blunder || explored { scratch.any_move(game, rng) } else { found.mv };
            if !is_blunder && !explored {
                self.grade(game, Decision::Move(mv), side, &mut record);
            }
            let inputs = is_quiet.then(|| self.sparse_inputs(terms.prepared, game));
            positions.push(Position { inputs, value, explored });
            history.play(mv);
        };
        self.judged.fetch_add(scratch.eval.judged - before, Ordering::Relaxed);
        let result = match outcome {
            Outcome::Win(winner) if winner == history.game().side_to_move() => 1.0,
            Outcome::Win(_) => -1.0,
            Outcome::Draw => 0.0,
        };
        let record = GameRecord { outcome: renamed(outcome, opens, Side::First), ..record };
        (record, lessons(positions, result, terms.lambda))
    }

    fn sparse_inputs(&self, prepared: &PreparedNetwork, game: &G) -> Vec<(u32, f32)> {
        let inputs = self.seating.inputs(&prepared.network, game);
        inputs
            .into_iter()
            .enumerate()
            .filter(|(_, value)| *value != 0.0)
            .map(|(input, value)| (input as u32, value))
            .collect()
    }
}

/// The positions to study with their targets, the last one first. `result` is the value of the finished game for the side
/// that would be to move.
fn lessons(positions: Vec<Position>, result: f32, lambda: f32) -> Vec<Lesson> {
    let mut target = result;
    let mut lessons = Vec::with_capacity(positions.len());
    for Position { inputs, value, explored } in positions.into_iter().rev() {
        target = if explored { value } else { (1.0 - lambda) * value - lambda * target };
        lessons.extend(inputs.map(|inputs| Lesson { inputs, target }));
    }
    lessons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Schedule, Seating, SelfPlay};
    use evolution::{BootstrapParams, StrategyParams};
    use games::Setup as _;
    use games::minichess::Minichess;
    use games::tic_tac_toe::TicTacToe;

    #[test]
    fn targets_are_mixtures_of_values_and_the_result() {
        let position = |value: f32, explored: bool| Position { inputs: Some(Vec::new()), value, explored };
        let targets = |positions: Vec<Position>, lambda: f32| -> Vec<f32> {
            lessons(positions, -1.0, lambda).iter().map(|lesson| lesson.target).collect()
        };
        let plain = || vec![position(0.2, false), position(-0.4, false), position(0.6, false)];
        assert_eq!(targets(plain(), 1.0), [1.0, -1.0, 1.0]);
        assert_eq!(targets(plain(), 0.0), [0.6, -0.4, 0.2]);
        assert_eq!(targets(plain(), 0.5), [0.8, -0.6, 0.4]);
        let explored = vec![position(0.2, false), position(-0.4, true), position(0.6, false)];
        assert_eq!(targets(explored, 1.0), [1.0, -0.4, 0.4]);
    }

    /// Threads change nothing, and the network after many games of tic-tac-toe knows who has won.
    #[test]
    fn studying_is_the_same_on_threads() {
        fn study<G: Game>(encoder: &str, threads: usize, generations: u64) -> Vec<u8> {
            let seating = Seating::<G>::with_encoder(G::Setup::usual(), encoder).unwrap();
            let seating = seating.at_depth(2).unwrap().by(Method::Selective);
            let params = BootstrapParams { hidden: vec![8], ..BootstrapParams::default() };
            let mut strategy = params.create(seating.shape(), &mut rng_for(1, &[]));
            let arena = Arena::new(seating).on_threads(threads);
            let pairings = SelfPlay { games: 12 }.pairings(1, &mut rng_for(1, &[]));
            for generation in 0..generations {
                let conditions = Conditions { opening_plies: 4, ..Conditions::default() };
                let student = strategy.student().unwrap();
                let records = arena.study(student, &pairings, &conditions, &mut rng_for(2, &[generation]));
                assert_eq!(records.len(), 12);
            }
            strategy.save()
        }
        assert_eq!(study::<Minichess>("pieces", 1, 2), study::<Minichess>("pieces", 4, 2));
        assert_eq!(study::<TicTacToe>("squares", 1, 3), study::<TicTacToe>("squares", 3, 3));
        assert_ne!(study::<TicTacToe>("squares", 1, 3), study::<TicTacToe>("squares", 1, 2));
    }
}
