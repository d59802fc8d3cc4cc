//! Whoever can sit at a table: chance, the first move at hand, perfect knowledge, or a network.

use crate::seating::Desk;
use crate::{Decision, Seating};
use chance::Rng;
use evolution::Network;
use games::{Game, Solver, Value};
use std::sync::Arc;

/// Chooses moves.
pub trait Player<G: Game>: Send {
    /// What it does where the game goes on.
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Choice<G::Move>;
}

/// What a player does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// It moves.
    Move(M),
    /// It tries this, in the notation of moves, which is illegal; it loses by it.
    Illegal(String),
}

/// Any legal move, all equally likely.
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        Choice::Move(moves[rng.below(moves.len())])
    }
}

/// The first legal move.
pub struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, game: &G, _: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        Choice::Move(moves[0])
    }
}

/// The best move there is: wins as soon as possible, loses as late as possible; the first among equals.
pub struct Perfect<G: Game>(pub Arc<dyn Solver<G>>);

impl<G: Game> Player<G> for Perfect<G> {
    fn choose(&mut self, game: &G, _: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let worth = |mv: G::Move| {
            let mut next = game.clone();
            next.play(mv);
            let after = self.0.verdict(&next);
            // Without distances, all wins are alike.
            let distance = i64::from(after.distance.unwrap_or(0));
            let value = after.value.reversed();
            (value, if value == Value::Won { -distance } else { distance })
        };
        let mut best = (worth(moves[0]), moves[0]);
        for &mv in &moves[1..] {
            // A win that nobody can measure is as good as any other.
            if best.0 == (Value::Won, 0) {
                break;
            }
            let found = worth(mv);
            if found > best.0 {
                best = (found, mv);
            }
        }
        Choice::Move(best.1)
    }
}

/// A network, seated.
pub struct NetworkPlayer<G: Game> {
    seating: Arc<Seating<G>>,
    network: Arc<Network>,
    desk: Desk<G>,
}

impl<G: Game> NetworkPlayer<G> {
    /// Seats a network, which must have the seating's shape.
    pub fn new(seating: Arc<Seating<G>>, network: Arc<Network>) -> NetworkPlayer<G> {
        debug_assert_eq!(seating.shape(), network.shape());
        NetworkPlayer { seating, network, desk: Desk::default() }
    }
}

impl<G: Game> Player<G> for NetworkPlayer<G> {
    fn choose(&mut self, game: &G, _: &mut Rng) -> Choice<G::Move> {
        match self.seating.decide(&self.network, game, &mut self.desk) {
            Decision::Move(mv) => Choice::Move(mv),
            Decision::Illegal => Choice::Illegal(self.seating.attempt_text(&self.network, game, &mut self.desk)),
        }
    }
}
