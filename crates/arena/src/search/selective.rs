//! Selective search: alpha-beta that looks further where something happens and less far where nothing does.
//!
//! Leaves are not evaluated in the middle of an exchange: captures are searched to their end (quiescence). A side that
//! is so strong that it could pass (null move) is not searched in full, and moves that come late in the order of moves
//! are searched less deep at first (late move reductions). So the value is not that of minimax, but at equal time the
//! search looks several plies deeper than the exact one. With a limit of nodes the move depends only on the options and
//! the moves of the game so far.

mod quiescence;

pub(super) use quiescence::{MOST_FORCED, MOST_QUIESCENCE};

use super::ends::{MOST_JUDGED, plies_to_end, shifted};
use super::found::{Found, ValuedMoves};
use super::limits::{Budget, Limits, Selection};
use super::meter::{BudgetRef, Meter};
use super::ordering::{Experience, Ranked};
use super::step::{root_moves, step};
use super::transpositions::{Bound, Entry, Transpositions};
use crate::game_history::{Mark, Past};
use crate::{Evaluator, GameHistory};
use chance::Rng;
use games::Game;

/// A selective searcher with its transposition table and scratch memory.
pub(super) struct Selective<G: Game> {
    selection: Selection,
    table: Transpositions<G::Move>,
    /// Whether the table contains positions of this game.
    has_begun: bool,
    past: Option<Past>,
    /// The moves of all positions from the root to the current one, in one list.
    moves: Ranked<G::Move>,
    root: Vec<G::Move>,
    best_at_root: Option<G::Move>,
    /// The best move and value of the current depth, as far as it has been searched.
    partial: Option<(G::Move, f32)>,
    experience: Experience<G::Move>,
    /// Positions that wait for their values, and the moves that lead to them.
    leaves: Vec<(G, G::Move)>,
    block: Vec<G>,
    meter: Meter,
    /// The largest distance from the root, in plies.
    deepest: u32,
}

impl<G: Game> Default for Selective<G> {
    fn default() -> Selective<G> {
        Selective {
            selection: Selection::ALL,
            table: Transpositions::default(),
            has_begun: false,
            past: None,
            moves: Ranked::default(),
            root: Vec::new(),
            best_at_root: None,
            partial: None,
            experience: Experience::default(),
            leaves: Vec::new(),
            block: Vec::new(),
            meter: Meter::default(),
            deepest: 0,
        }
    }
}

/// The bounds of a search: a value between them is exact.
#[derive(Clone, Copy)]
struct Window {
    alpha: f32,
    beta: f32,
}

impl Window {
    const ALL: Window = Window { alpha: f32::NEG_INFINITY, beta: f32::INFINITY };

    /// The window of the other side, with values from `low` up.
    fn reversed(self, low: f32) -> Window {
        Window { alpha: -self.beta, beta: -low }
    }

    /// A window without values in it: it only tells whether a value is above `low`.
    fn above(low: f32) -> Window {
        Window { alpha: low, beta: low.next_up() }
    }
}

/// From this depth on, a position may be cut off because the side to move could pass.
const LEAST_NULL_DEPTH: u32 = 3;
/// From this depth on, late moves are searched less deep.
const LEAST_REDUCED_DEPTH: u32 = 3;
/// This number of moves is always searched in full.
const FULL_MOVES: usize = 6;
/// The windows at the root grow by this factor when the value lies outside.
const WIDER: f32 = 4.0;

impl<G: Game> Selective<G> {
    /// The transposition table of the last search.
    pub fn table(&self) -> &Transpositions<G::Move> {
        &self.table
    }

    /// Forgets the last game.
    pub fn forget(&mut self) {
        self.has_begun = false;
    }

    /// Finds a good move; the game must not be over. With a random generator, moves of equal value are equally likely
    /// to come first.
    pub fn run<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> Found<G::Move> {
        let limits = limits.within(budget.as_deref());
        self.begin(history, limits);
        root_moves(history.game(), budget.as_deref(), &mut self.root);
        if let Some(rng) = shuffle {
            rng.shuffle(&mut self.root);
        }
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        let mut found: Option<Found<G::Move>> = None;
        // The mean change of the value from one depth to the next: the unit of the windows.
        let mut unit = 0.0f32;
        for depth in 1..=limits.depth {
            self.partial = None;
            let last = found.map(|found| found.value);
            let value = self.at_root(history.game(), depth, last, unit, evaluator, &mut budget);
            if self.meter.stopped {
                // The first moves of this depth are better known than those of the last one.
                if let (Some((mv, value)), Some(last)) = (self.partial, found) {
                    found = Some(Found { mv, value, ..last });
                }
                break;
            }
            if let Some(last) = last.filter(|last| last.abs() < MOST_JUDGED && value.abs() < MOST_JUDGED) {
                let change = (value - last).abs();
                unit = if unit == 0.0 { change } else { (unit + change) / 2.0 };
            }
            let mv = self.best_at_root.expect("the game goes on, so there is a move");
            let now = Found { mv, value, depth, nodes: self.meter.nodes, deepest: self.deepest };
            now.tell(history.game(), &self.table, &mut budget);
            found = Some(now);
            // A win or defeat within this depth hardly ever changes at greater depth.
            if plies_to_end(value).is_some_and(|plies| plies.unsigned_abs() <= depth) {
                break;
            }
            self.meter.limit(limits.nodes);
            if self.meter.nodes >= limits.nodes || budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
        }
        let found = found.expect("one ply is always looked ahead");
        Found { nodes: self.meter.nodes, deepest: self.deepest, ..found }
    }

    /// Like [`Selective::run`], and also returns the value of every legal move, each searched as deep as the best one.
    /// Moves that the limits leave no nodes or time for are left out.
    pub fn run_all<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> (Found<G::Move>, ValuedMoves<G::Move>) {
        let mut found = self.run(history, evaluator, limits, budget.as_deref_mut(), shuffle);
        self.meter.go_on(limits.nodes);
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        let mut legal = Vec::new();
        history.game().legal_moves(&mut legal);
        let mut values = Vec::with_capacity(legal.len());
        for mv in legal {
            let value = match mv == found.mv {
                true => found.value,
                false => match self.step(history.game(), mv, 0) {
                    (Ok(value), _) => value,
                    (Err(mark), next) => {
                        let value = -self.below(&next, found.depth - 1, Window::ALL, 1, evaluator, &mut budget);
                        self.past_mut().leave(mark);
                        value
                    }
                },
            };
            if !self.meter.stopped || mv == found.mv {
                // The best move stays the best: a reduced search may have undervalued others.
                values.push((mv, value.min(found.value)));
            }
        }
        found.nodes = self.meter.nodes;
        (found, values)
    }

    /// Prepares a search.
    fn begin(&mut self, history: &GameHistory<G>, limits: Limits) {
        self.selection = limits.selection;
        match &mut self.past {
            Some(past) => past.clone_from(history.past()),
            None => self.past = Some(history.past().clone()),
        }
        if !(limits.keeps_table && self.has_begun) {
            match limits.nodes {
                u64::MAX if limits.table_bytes == 0 => self.table.begin(limits.depth),
                nodes => self.table.begin_for_nodes(nodes, limits.table_bytes),
            }
        }
        self.has_begun = true;
        self.experience.begin(limits.depth);
        (self.best_at_root, self.partial) = (None, None);
        (self.meter, self.deepest) = (Meter::default(), 0);
        self.moves.clear();
        self.leaves.clear();
    }

    /// The value of the root at a depth. The window is narrow at first, around the last value.
    fn at_root<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        last: Option<f32>,
        unit: f32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> f32 {
        let (Some(last), true) = (last.filter(|last| last.abs() < MOST_JUDGED), self.selection.aspiration) else {
            return self.visit(game, depth, Window::ALL, 0, false, evaluator, budget);
        };
        let (mut below, mut above) = (unit, unit);
        loop {
            // Two failures in a direction open the window in that direction.
            let edge = |distance: f32| if distance > unit * WIDER || unit == 0.0 { f32::INFINITY } else { distance };
            let window = Window { alpha: last - edge(below), beta: last + edge(above) };
            let value = self.visit(game, depth, window, 0, false, evaluator, budget);
            if self.meter.stopped {
                return value;
            }
            if value <= window.alpha && window.alpha.is_finite() {
                below = below.max(unit) * WIDER;
            } else if value >= window.beta && window.beta.is_finite() {
                above = above.max(unit) * WIDER;
            } else {
                return value;
            }
        }
    }

    /// The value of a position with `depth` plies left, which may be 0.
    fn below<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        window: Window,
        ply: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> f32 {
        match depth {
            0 if self.goes_on(game) => self.quiesce(game, f32::NEG_INFINITY, window, ply, ply, evaluator, budget),
            0 => {
                let value = self.evaluated(game, evaluator);
                self.quiesce(game, value, window, ply, ply, evaluator, budget)
            }
            _ => self.visit(game, depth, window, ply, true, evaluator, budget),
        }
    }

    /// The value of a position, searched to `depth`, which is at least 1. The game must not be over. `may_pass` is
    /// false after a null move and at the root.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    fn visit<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        window: Window,
        ply: u32,
        may_pass: bool,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> f32 {
        let Window { alpha, beta } = window;
        self.meter.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.meter.is_over(self.best_at_root.is_some(), budget) {
            return 0.0;
        }
        // 1. Look the position up.
        let key = if self.selection.table { game.key() } else { 0 };
        let mut hint = if ply == 0 { self.best_at_root } else { None };
        if self.selection.table
            && let Some(entry) = self.table.find(key)
        {
            hint = hint.or(entry.mv);
            if ply > 0
                && u32::from(entry.depth) >= depth
                && let Some(value) = entry.value_within(alpha, beta, ply)
            {
                return value;
            }
        }
        // 2. If the side to move is still too strong after passing, its best move is too strong as well.
        if may_pass && let Some(value) = self.null_move(game, depth, beta, ply, evaluator, budget) {
            return value;
        }
        // 3. Generate the moves and rank them.
        let base = self.moves.len();
        match ply {
            0 => self.moves.moves.extend_from_slice(&self.root),
            _ => game.legal_moves(&mut self.moves.moves),
        }
        self.rank(game, base, ply, hint);
        // 4. Search the moves in turn.
        let none = (f32::NEG_INFINITY, self.moves.moves[base]);
        let (best, best_move) = match depth {
            1 => self.last_ply(game, base, none, window, ply, ply, evaluator, budget),
            _ => self.moves_in_turn(game, base, none, depth, window, ply, evaluator, budget),
        };
        self.moves.truncate(base);
        if self.meter.stopped {
            return 0.0;
        }
        // 5. Store the result.
        if ply == 0 {
            self.best_at_root = Some(best_move);
        }
        if self.selection.table {
            let bound = Bound::of(best, alpha, beta);
            // If no move is good enough, none is known to be the best.
            let mv = if bound == Bound::AtMost { hint } else { Some(best_move) };
            let value = shifted(best, -(ply as f32));
            self.table.put(key, Entry { context: 0, value, depth: depth as u8, bound, mv });
        }
        best
    }

    /// Searches all moves from `base` on, with more than one ply left. Returns the best value with its move.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    fn moves_in_turn<E: Evaluator<G>>(
        &mut self,
        game: &G,
        base: usize,
        mut best: (f32, G::Move),
        depth: u32,
        window: Window,
        ply: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> (f32, G::Move) {
        let Window { alpha, beta } = window;
        let mut low = alpha;
        for place in base..self.moves.len() {
            let mv = self.moves.next(place);
            let value = match self.step(game, mv, ply) {
                (Ok(value), _) => value,
                (Err(mark), next) => {
                    let number = place - base;
                    let reduction = self.reduction(game, mv, number, depth, ply);
                    let mut look = |search: &mut Self, depth: u32, window: Window| {
                        -search.below(&next, depth, window.reversed(low), ply + 1, evaluator, budget)
                    };
                    // After the first move, the others are searched in full only if cheaper searches say that they are
                    // better: a reduced one, then one that only tells whether the value is higher.
                    let better = Window::above(low);
                    let mut value = match number {
                        0 => look(self, depth - 1, window),
                        _ => look(self, depth - 1 - reduction, better),
                    };
                    if reduction > 0 && value > low {
                        value = look(self, depth - 1, better);
                    }
                    if number > 0 && value > low && value < beta {
                        value = look(self, depth - 1, window);
                    }
                    self.past_mut().leave(mark);
                    value
                }
            };
            if self.meter.stopped {
                break;
            }
            if value > best.0 {
                best = (value, mv);
                if ply == 0 && value > alpha {
                    self.partial = Some((mv, value));
                }
                low = low.max(value);
                if value >= beta {
                    self.reward(game, mv, depth, ply);
                    break;
                }
            }
        }
        best
    }

    /// Null move: the value of a position in which the side to move is above `beta` even if it passes. `None` if it is not
    /// above `beta`, or if passing is not tried here.
    fn null_move<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        beta: f32,
        ply: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> Option<f32> {
        let is_tried = self.selection.null_move && depth >= LEAST_NULL_DEPTH && beta.abs() < MOST_JUDGED;
        if !is_tried || !game.may_pass() || self.evaluated(game, evaluator) < beta {
            return None;
        }
        let passed = game.passed()?;
        let left = depth.saturating_sub(3 + depth / 4);
        let mark = self.past_mut().enter(&passed, true);
        let window = Window { alpha: -beta, beta: -beta.next_down() };
        let value = match left {
            0 => -self.below(&passed, 0, window, ply + 1, evaluator, budget),
            _ => -self.visit(&passed, left, window, ply + 1, false, evaluator, budget),
        };
        self.past_mut().leave(mark);
        // A win after passing is not a proof.
        (!self.meter.stopped && value >= beta).then(|| value.min(MOST_JUDGED).max(beta))
    }

    /// The number of plies by which a move is searched less deep at first.
    #[inline]
    fn reduction(&self, game: &G, mv: G::Move, number: usize, depth: u32, ply: u32) -> u32 {
        let is_late = depth >= LEAST_REDUCED_DEPTH && number >= FULL_MOVES;
        if !self.selection.reductions || !is_late || game.promise(mv) > 0 || self.experience.is_killer(mv, ply) {
            return 0;
        }
        1
    }

    fn rank(&mut self, game: &G, base: usize, ply: u32, hint: Option<G::Move>) {
        match self.selection.history {
            true => self.moves.rank(base, |mv| self.experience.rank(game, mv, ply, hint)),
            false => {
                self.moves.rank(base, |mv| if hint == Some(mv) { u32::MAX } else { u32::from(game.promise(mv)) << 24 });
            }
        }
    }

    fn reward(&mut self, game: &G, mv: G::Move, depth: u32, ply: u32) {
        if self.selection.history {
            self.experience.reward(game, mv, depth, ply);
        }
    }

    /// Makes a move, as [`step`] does. A position that has occurred before counts as a draw: who can repeat a position
    /// once can repeat it again.
    fn step(&mut self, game: &G, mv: G::Move, ply: u32) -> (Result<f32, Mark>, G) {
        let past = self.past_mut();
        match step(past, game, mv, ply) {
            (Err(mark), next) if ply > 0 && past.has_returned() => {
                past.leave(mark);
                (Ok(0.0), next)
            }
            stepped => stepped,
        }
    }

    fn past_mut(&mut self) -> &mut Past {
        self.past.as_mut().expect("a search begins with a past")
    }
}

#[cfg(test)]
mod tests;
