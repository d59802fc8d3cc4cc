//! What a player's moves cost: processor time and positions, so that players can be compared at equal cost.

use arena::{Choice, GameHistory, Opinion, Player};
use chance::Rng;
use cpu_time::ThreadTime;
use games::Game;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a player's moves cost on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveCost {
    /// The number of moves that the player made.
    pub moves: u64,
    /// Milliseconds of processor time for each move. They differ from machine to machine.
    pub cpu_milliseconds: f64,
    /// The number of positions searched for each move; for Monte Carlo tree search, the number of rounds.
    pub positions: f64,
}

/// The sums over all moves and threads of a match.
#[derive(Default)]
pub(crate) struct CostSums {
    moves: AtomicU64,
    nanoseconds: AtomicU64,
    positions: AtomicU64,
}

impl CostSums {
    pub fn mean(&self) -> MoveCost {
        let sum = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        let moves = sum(&self.moves);
        let mean = |total: f64| if moves == 0 { 0.0 } else { total / moves as f64 };
        MoveCost {
            moves,
            cpu_milliseconds: mean(sum(&self.nanoseconds) as f64 / 1e6),
            positions: mean(sum(&self.positions) as f64),
        }
    }
}

/// A player whose moves are measured.
pub(crate) struct Measured<G: Game> {
    pub player: Box<dyn Player<G>>,
    pub sums: Arc<CostSums>,
}

impl<G: Game> Player<G> for Measured<G> {
    fn begin(&mut self) {
        self.player.begin();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let (begun, before, outside) = (ThreadTime::now(), self.player.positions(), self.player.outside_nanoseconds());
        let choice = self.player.choose(history, rng);
        let outside = self.player.outside_nanoseconds().saturating_sub(outside);
        self.sums.nanoseconds.fetch_add(begun.elapsed().as_nanos() as u64 + outside, Ordering::Relaxed);
        self.sums.positions.fetch_add(self.player.positions() - before, Ordering::Relaxed);
        self.sums.moves.fetch_add(1, Ordering::Relaxed);
        choice
    }

    fn positions(&self) -> u64 {
        self.player.positions()
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        self.player.view(history, rng)
    }
}
