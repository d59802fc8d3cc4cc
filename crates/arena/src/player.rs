//! Players: random moves, the first move, a solver, material search, Monte Carlo tree search, and networks.

use crate::decision::SeatScratch;
use crate::{
    Budget, Decision, Evaluator as _, GameHistory, Head, Limits, Material, Mobility, MonteCarlo, MonteCarloSettings,
    NetworkEvaluator, Opinion, PreparedNetwork, Search, Seating,
};
use chance::Rng;
use evolution::Network;
use games::{Game, Solver, Value};
use std::sync::Arc;

/// Chooses moves.
pub trait Player<G: Game>: Send {
    /// Called when another game begins, or a position that is unrelated to the last one: the player forgets the last
    /// game.
    fn begin(&mut self) {}

    /// Chooses a move; the game must not be over.
    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move>;

    /// The number of positions that the player has searched so far; for Monte Carlo tree search, the number of rounds.
    fn positions(&self) -> u64 {
        0
    }

    /// The nanoseconds of processor time that other processes have spent for this player so far.
    fn outside_nanoseconds(&self) -> u64 {
        0
    }

    /// The player's own value of a position for its side to move, without search; `None` if it has none. The game must not
    /// be over.
    fn judgement(&mut self, game: &G) -> Option<f32> {
        let _ = game;
        None
    }

    /// The player's opinion of a position, or `None` if it has none. The game must not be over.
    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let _ = (history, rng);
        None
    }
}

/// What a player does in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// A legal move.
    Move(M),
    /// An illegal attempt, in the notation of moves; it loses the game.
    Illegal(String),
}

/// Plays any legal move, all equally likely.
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        history.game().legal_moves(&mut moves);
        Choice::Move(moves[rng.below(moves.len())])
    }
}

/// Plays the first legal move.
pub struct First;

impl<G: Game> Player<G> for First {
    fn choose(&mut self, history: &GameHistory<G>, _: &mut Rng) -> Choice<G::Move> {
        let mut moves = Vec::new();
        history.game().legal_moves(&mut moves);
        Choice::Move(moves[0])
    }
}

/// Plays the best move by a solver: it wins as soon as possible and loses as late as possible, and takes the first of
/// equal moves. Where the solver knows nothing it takes the first move.
pub struct Perfect<G: Game>(pub Arc<dyn Solver<G>>);

impl<G: Game> Player<G> for Perfect<G> {
    fn choose(&mut self, history: &GameHistory<G>, _: &mut Rng) -> Choice<G::Move> {
        let game = history.game();
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let worth = |mv: G::Move| {
            let after = self.0.verdict(&game.after(mv));
            // Without distances all wins are equal.
            let distance = i64::from(after.and_then(|after| after.distance).unwrap_or(0));
            let value = after.map_or(Value::Lost, |after| after.value.reversed());
            (value, if value == Value::Won { -distance } else { distance })
        };
        let mut best = (worth(moves[0]), moves[0]);
        for &mv in &moves[1..] {
            // A win without a known distance cannot be improved.
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

/// A player with endgame tables. In positions that they know it wins as soon as possible, loses as late as possible,
/// and keeps a draw, by the player's own move if that keeps it.
pub struct WithEndgames<G: Game> {
    /// The player.
    pub player: Box<dyn Player<G>>,
    /// The endgame tables.
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

    fn positions(&self) -> u64 {
        self.player.positions()
    }

    fn outside_nanoseconds(&self) -> u64 {
        self.player.outside_nanoseconds()
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        Perfect(Arc::clone(&self.solver)).view(history, rng).or_else(|| self.player.view(history, rng))
    }
}

/// Plays by alpha-beta search for material, or for material and mobility; moves of equal value are equally likely.
pub struct MaterialPlayer<G: Game> {
    search: Search<G>,
    limits: Limits,
    budget: Option<Box<dyn Budget>>,
    /// Counts moves as well, if they are worth something.
    mobility: Option<Mobility<G::Move>>,
    positions: u64,
}

impl<G: Game> MaterialPlayer<G> {
    /// A player with these limits.
    pub fn new(limits: Limits, budget: Option<Box<dyn Budget>>) -> MaterialPlayer<G> {
        MaterialPlayer { search: Search::default(), limits, budget, mobility: None, positions: 0 }
    }

    /// Sets what a legal move is worth, as a part of the least piece.
    pub fn with_mobility(self, worth: f32) -> MaterialPlayer<G> {
        MaterialPlayer { mobility: (worth > 0.0).then(|| Mobility::new(worth)), ..self }
    }
}

impl<G: Game> Player<G> for MaterialPlayer<G> {
    fn begin(&mut self) {
        self.search.forget();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let budget = self.budget.as_deref_mut();
        let (search, limits) = (&mut self.search, self.limits);
        let found = match &mut self.mobility {
            Some(mobility) => search.run(history, mobility, limits, budget, Some(rng)),
            None => search.run(history, &mut Material, limits, budget, Some(rng)),
        };
        self.positions += found.nodes;
        Choice::Move(found.mv)
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let budget = self.budget.as_deref_mut();
        let (search, limits) = (&mut self.search, self.limits);
        Some(match &mut self.mobility {
            Some(mobility) => Opinion::searched(history, search, mobility, limits, budget, Some(rng)),
            None => Opinion::searched(history, search, &mut Material, limits, budget, Some(rng)),
        })
    }
}

/// Plays by Monte Carlo tree search with random playouts.
pub struct MonteCarloPlayer<G: Game> {
    search: MonteCarlo<G>,
    settings: MonteCarloSettings,
    budget: Option<Box<dyn Budget>>,
    rounds: u64,
}

impl<G: Game> MonteCarloPlayer<G> {
    /// A player with these settings, which must not use a network.
    pub fn new(settings: MonteCarloSettings, budget: Option<Box<dyn Budget>>) -> MonteCarloPlayer<G> {
        debug_assert!(!settings.asks_network());
        MonteCarloPlayer { search: MonteCarlo::default(), settings, budget, rounds: 0 }
    }
}

impl<G: Game> Player<G> for MonteCarloPlayer<G> {
    fn begin(&mut self) {
        self.search.forget();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        let budget = self.budget.as_deref_mut();
        let explored = self.search.run(history, &mut Material, &self.settings, budget, rng);
        self.rounds += u64::from(explored.rounds);
        Choice::Move(explored.mv)
    }

    fn positions(&self) -> u64 {
        self.rounds
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let budget = self.budget.as_deref_mut();
        self.search.run(history, &mut Material, &self.settings, budget, rng);
        Some(self.search.view(history))
    }
}

/// A network that plays under a seating.
pub struct NetworkPlayer<G: Game> {
    seating: Arc<Seating<G>>,
    prepared: PreparedNetwork,
    scratch: SeatScratch<G>,
    /// The search tree, if the seating uses Monte Carlo tree search.
    tree: MonteCarlo<G>,
    /// Limits that replace the seating's depth, if any.
    limits: Option<(Limits, Option<Box<dyn Budget>>)>,
    positions: u64,
}

impl<G: Game> NetworkPlayer<G> {
    /// A player from a network, which must have the seating's shape.
    pub fn new(seating: Arc<Seating<G>>, network: Arc<Network>) -> NetworkPlayer<G> {
        let prepared = PreparedNetwork::new(&seating, &network);
        NetworkPlayer {
            seating,
            prepared,
            scratch: SeatScratch::default(),
            tree: MonteCarlo::default(),
            limits: None,
            positions: 0,
        }
    }

    /// How the network sees and moves.
    pub fn seating(&self) -> &Seating<G> {
        &self.seating
    }

    /// Limits the player's searches; the seating must have the value head.
    pub fn limited(self, limits: Limits, budget: Option<Box<dyn Budget>>) -> NetworkPlayer<G> {
        debug_assert!(self.seating.judges());
        NetworkPlayer { limits: Some((limits, budget)), ..self }
    }
}

impl<G: Game> Player<G> for NetworkPlayer<G> {
    fn begin(&mut self) {
        self.scratch.eval.forget();
        self.scratch.search.forget();
        self.tree.forget();
    }

    fn choose(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Choice<G::Move> {
        if let Some(settings) = &self.seating.monte_carlo {
            let budget = self.limits.as_mut().and_then(|(_, budget)| budget.as_deref_mut());
            let evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, &mut self.scratch.eval);
            let mut evaluator = evaluator.remembering(true);
            let explored = self.tree.run(history, &mut evaluator, settings, budget, rng);
            self.positions += u64::from(explored.rounds);
            return Choice::Move(explored.mv);
        }
        if let Some((limits, budget)) = &mut self.limits {
            let SeatScratch { eval, search, .. } = &mut self.scratch;
            let mut evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, eval).remembering(true);
            let found = search.run(history, &mut evaluator, *limits, budget.as_deref_mut(), None);
            self.positions += found.nodes;
            return Choice::Move(found.mv);
        }
        let before = self.scratch.eval.judged;
        let decision = self.seating.decide(&self.prepared, history, &mut self.scratch);
        self.positions += self.scratch.eval.judged - before;
        match decision {
            Decision::Move(mv) => Choice::Move(mv),
            Decision::Illegal => {
                Choice::Illegal(self.seating.attempt_text(&self.prepared.network, history.game(), &mut self.scratch))
            }
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn judgement(&mut self, game: &G) -> Option<f32> {
        // Outputs that are not symmetric around 0 only rank moves.
        let is_judge = self.seating.judges() && self.prepared.network.output_activation().is_signed();
        let mut value = [0.0];
        let mut evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, &mut self.scratch.eval);
        is_judge.then(|| evaluator.values(std::slice::from_ref(game), &mut value));
        is_judge.then_some(value[0])
    }

    fn view(&mut self, history: &GameHistory<G>, rng: &mut Rng) -> Option<Opinion<G::Move>> {
        let (limits, mut budget) = match &mut self.limits {
            Some((limits, budget)) => (*limits, budget.as_deref_mut()),
            None => (self.seating.limits(), None),
        };
        let SeatScratch { eval, search, .. } = &mut self.scratch;
        let mut evaluator = NetworkEvaluator::new(&self.seating, &self.prepared, eval).remembering(true);
        let mut view = match (&self.seating.head, &self.seating.monte_carlo) {
            (Head::Value | Head::Balanced, Some(settings)) => {
                self.tree.run(history, &mut evaluator, settings, budget.take(), rng);
                return Some(self.tree.view(history));
            }
            (Head::Value | Head::Balanced, None) if limits.depth > 0 => {
                Opinion::searched(history, search, &mut evaluator, limits, budget, None)
            }
            (Head::Value | Head::Balanced, None) => Opinion::alone(history, &mut evaluator),
            // A network that names moves has no values.
            (Head::Moves(..), _) => match self.choose(history, rng) {
                Choice::Move(mv) => Opinion { value: None, line: vec![mv], moves: Vec::new() },
                Choice::Illegal(_) => return None,
            },
        };
        // If outputs are not symmetric around 0, or unbounded, they only rank moves.
        let is_certain = view.value.is_some_and(|value| value.ends_in.is_some());
        if !self.prepared.network.output_activation().is_signed() && !is_certain {
            view.value = None;
        }
        Some(view)
    }
}
