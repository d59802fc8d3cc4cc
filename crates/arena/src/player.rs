//! Whoever can sit at a table: chance, the first move at hand, perfect knowledge, a counter of pieces, random play far
//! ahead, or a network.

use crate::decision::SeatScratch;
use crate::{
    Budget, Decision, GameHistory, Head, Limits, Material, MonteCarlo, MonteCarloSettings, NetworkEvaluator, Opinion,
    PreparedNetwork, Search, Seating,
};
use chance::Rng;
use evolution::Network;
use games::{Game, Solver, Value};
use std::sync::Arc;

/// Chooses moves.
pub trait Player<G: Game>: Send {
    /// Another game begins, or a position that has nothing to do with the last: whatever was kept of that is forgotten.
    fn begin(&mut self) {}

    /// What it does where the game goes on.
    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move>;

    /// How it sees a position where the game goes on; nothing where it does not look at all.
    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let _ = (history, rng);
        None
    }
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
    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        history.game().legal_moves(&mut moves);
        Choice::Move(moves[rng.below(moves.len())])
    }
}

/// The first legal move.
pub struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, history: &GameHistory<G>, _: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        history.game().legal_moves(&mut moves);
        Choice::Move(moves[0])
    }
}

/// The best move there is: wins as soon as possible, loses as late as possible; the first among equals. Where nothing
/// is known it takes the first move.
pub struct Perfect<G: Game>(pub Arc<dyn Solver<G>>);

impl<G: Game> Player<G> for Perfect<G> {
    fn choose(&mut self, history: &GameHistory<G>, _: &mut Rng) -> Choice<G::Move> {
        let game = history.game();
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let worth = |mv: G::Move| {
            let after = self.0.verdict(&game.after(mv));
            // Without distances, all wins are alike.
            let distance = i64::from(after.and_then(|after| after.distance).unwrap_or(0));
            let value = after.map_or(Value::Lost, |after| after.value.reversed());
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

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let solver = Arc::clone(&self.0);
        Opinion::solved(history, &*solver, |history| match self.choose(history, rng) {
            Choice::Move(mv) => Some(mv),
            Choice::Illegal(_) => None,
        })
    }
}

/// Any player, with tables of endings that play where they know better: they win as soon as possible, lose as late as
/// possible, and where a draw is best keep it, by the player's own move if that does.
pub struct WithEndgames<G: Game> {
    /// The player.
    pub player: Box<dyn Player<G>>,
    /// The tables.
    pub solver: Arc<dyn Solver<G>>,
}

impl<G: Game> Player<G> for WithEndgames<G> {
    fn begin(&mut self) {
        self.player.begin();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let perfect = |rng: &mut Rng| Perfect(Arc::clone(&self.solver)).choose(history, rng);
        match self.solver.verdict(history.game()).map(|verdict| verdict.value) {
            None => self.player.choose(history, rng),
            Some(Value::Won | Value::Lost) => perfect(rng),
            Some(Value::Drawn) => match self.player.choose(history, rng) {
                Choice::Move(mv) if self.solver.perfect(history.game(), mv) == Some(true) => Choice::Move(mv),
                _ => perfect(rng),
            },
        }
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        Perfect(Arc::clone(&self.solver)).view(history, rng).or_else(|| self.player.view(history, rng))
    }
}

/// Counts pieces so many plies ahead; moves of equal value have each their chance.
pub struct MaterialPlayer<G: Game> {
    search: Search<G>,
    limits: Limits,
    budget: Option<Box<dyn Budget>>,
}

impl<G: Game> MaterialPlayer<G> {
    /// A player within these limits.
    pub fn new(limits: Limits, budget: Option<Box<dyn Budget>>) -> MaterialPlayer<G> {
        MaterialPlayer { search: Search::default(), limits, budget }
    }
}

impl<G: Game> Player<G> for MaterialPlayer<G> {
    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let budget = self.budget.as_deref_mut();
        Choice::Move(self.search.run(history, &mut Material, self.limits, budget, Some(rng)).mv)
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let budget = self.budget.as_deref_mut();
        Some(Opinion::searched(history, &mut self.search, &mut Material, self.limits, budget, Some(rng)))
    }
}

/// Plays on at random, many times, and does what did well.
pub struct MonteCarloPlayer<G: Game> {
    search: MonteCarlo<G>,
    settings: MonteCarloSettings,
    budget: Option<Box<dyn Budget>>,
}

impl<G: Game> MonteCarloPlayer<G> {
    /// A player of these settings, which must ask no network.
    pub fn new(settings: MonteCarloSettings, budget: Option<Box<dyn Budget>>) -> MonteCarloPlayer<G> {
        debug_assert!(!settings.asks_network());
        MonteCarloPlayer { search: MonteCarlo::default(), settings, budget }
    }
}

impl<G: Game> Player<G> for MonteCarloPlayer<G> {
    fn begin(&mut self) {
        self.search.forget();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let budget = self.budget.as_deref_mut();
        Choice::Move(self.search.run(history, &mut Material, &self.settings, budget, rng).mv)
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let budget = self.budget.as_deref_mut();
        self.search.run(history, &mut Material, &self.settings, budget, rng);
        Some(self.search.view(history))
    }
}

/// A network, seated.
pub struct NetworkPlayer<G: Game> {
    seating: Arc<Seating<G>>,
    prepared: PreparedNetwork,
    scratch: SeatScratch<G>,
    /// Its tree, where it looks ahead by playing on.
    tree: MonteCarlo<G>,
    /// Limits of its searches beyond the seating's.
    limits: Option<(Limits, Option<Box<dyn Budget>>)>,
}

impl<G: Game> NetworkPlayer<G> {
    /// Seats a network, which must have the seating's shape.
    pub fn new(seating: Arc<Seating<G>>, network: Arc<Network>) -> NetworkPlayer<G> {
        let prepared = PreparedNetwork::new(&seating, &network);
        NetworkPlayer { seating, prepared, scratch: SeatScratch::default(), tree: MonteCarlo::default(), limits: None }
    }

    /// The same with searches that stop at these limits; the seating must have the value head.
    pub fn limited(self, limits: Limits, budget: Option<Box<dyn Budget>>) -> NetworkPlayer<G> {
        debug_assert!(matches!(self.seating.head, Head::Value));
        NetworkPlayer { limits: Some((limits, budget)), ..self }
    }
}

impl<G: Game> Player<G> for NetworkPlayer<G> {
    fn begin(&mut self) {
        self.scratch.room.forget();
        self.tree.forget();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        if let Some(settings) = &self.seating.monte_carlo {
            let budget = self.limits.as_mut().and_then(|(_, budget)| budget.as_deref_mut());
            let evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, &mut self.scratch.room);
            let mut evaluator = evaluator.remembering(true);
            return Choice::Move(self.tree.run(history, &mut evaluator, settings, budget, rng).mv);
        }
        if let Some((limits, budget)) = &mut self.limits {
            let SeatScratch { room, search, .. } = &mut self.scratch;
            let mut evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, room).remembering(true);
            return Choice::Move(search.run(history, &mut evaluator, *limits, budget.as_deref_mut(), None).mv);
        }
        match self.seating.decide(&self.prepared, history, &mut self.scratch) {
            Decision::Move(mv) => Choice::Move(mv),
            Decision::Illegal => {
                Choice::Illegal(self.seating.attempt_text(&self.prepared.network, history.game(), &mut self.scratch))
            }
        }
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let (limits, mut budget) = match &mut self.limits {
            Some((limits, budget)) => (*limits, budget.as_deref_mut()),
            None => (Limits::depth(self.seating.depth).extended(self.seating.extend), None),
        };
        let SeatScratch { room, search, .. } = &mut self.scratch;
        let mut evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, room).remembering(true);
        let mut view = match (&self.seating.head, &self.seating.monte_carlo) {
            (Head::Value, Some(settings)) => {
                self.tree.run(history, &mut evaluator, settings, budget.take(), rng);
                return Some(self.tree.view(history));
            }
            (Head::Value, None) if limits.depth > 0 => {
                Opinion::searched(history, search, &mut evaluator, limits, budget, None)
            }
            (Head::Value, None) => Opinion::alone(history, &mut evaluator),
            // It names a move, and judges nothing.
            (Head::Moves(..), _) => match self.choose(history, rng) {
                Choice::Move(mv) => Opinion { value: None, line: vec![mv], moves: Vec::new() },
                Choice::Illegal(_) => return None,
            },
        };
        // Where 0 is not the middle, or there are no bounds, its numbers say which move is better, and no more.
        let is_certain = view.value.is_some_and(|value| value.ends_in.is_some());
        if !self.prepared.network.output_activation().is_signed() && !is_certain {
            view.value = None;
        }
        Some(view)
    }
}
