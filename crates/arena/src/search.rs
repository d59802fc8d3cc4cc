//! Alpha-beta search: finds the best move if both sides look ahead a given number of plies. This file has the exact
//! search; `selective.rs` has the selective one, which looks deeper at equal time.
//!
//! The value of the exact search is exactly that of plain minimax, found faster: lines that cannot change the result are cut off, promising
//! moves are searched first so that more is cut off, positions that are reached in two ways are searched once, and
//! leaves are evaluated in blocks. Every search begins with an empty transposition table, so that a player's move
//! depends on the game alone.

mod ends;
mod found;
mod leaf;
mod limits;
mod meter;
mod ordering;
mod selective;
mod step;
mod transpositions;

pub use ends::plies_to_end;
pub use found::{Found, ValuedMoves};
pub(crate) use leaf::Leaf;
pub use limits::{Budget, Extend, Limits, MOST_DEPTH, Method, Progress, Selection, Techniques};

use crate::game_history::{Past, mix};
use crate::{Evaluator, GameHistory};
use chance::Rng;
use ends::{end_value, judged, shifted};
use games::Game;
use meter::{BudgetRef, Meter};
use ordering::{Experience, Ranked};
use selective::Selective;
use step::{root_moves, step};
use transpositions::{Bound, Entry, Transpositions};

/// An alpha-beta searcher with its transposition table and scratch memory.
pub struct Search<G: Game> {
    techniques: Techniques,
    table: Transpositions<G::Move>,
    past: Option<Past>,
    /// The moves of all positions from the root to the current one, in one list.
    moves: Ranked<G::Move>,
    /// The moves at the root.
    root: Vec<G::Move>,
    best_at_root: Option<G::Move>,
    experience: Experience<G::Move>,
    /// Leaves that are not evaluated yet, and the moves that lead to them.
    leaves: Vec<G>,
    leaf_moves: Vec<G::Move>,
    values: Vec<f32>,
    /// Where the search goes deeper because the side to move must capture.
    extend: Extend,
    /// Whether there are so many moves that even positions of the last ply are worth a table entry.
    wide: bool,
    meter: Meter,
    /// The selective searcher, if it has been needed.
    selective: Option<Box<Selective<G>>>,
}

impl<G: Game> Default for Search<G> {
    fn default() -> Search<G> {
        Search::new(Techniques::ALL)
    }
}

/// An upper bound for the length of a line of captures.
const MOST_CAPTURES: u32 = 32;

impl<G: Game> Search<G> {
    /// A searcher that uses these techniques.
    pub fn new(techniques: Techniques) -> Search<G> {
        Search {
            techniques,
            table: Transpositions::default(),
            past: None,
            moves: Ranked::default(),
            root: Vec::new(),
            best_at_root: None,
            experience: Experience::default(),
            leaves: Vec::new(),
            leaf_moves: Vec::new(),
            values: Vec::new(),
            extend: Extend::Off,
            wide: false,
            meter: Meter::default(),
            selective: None,
        }
    }

    /// Forgets the last game.
    pub fn forget(&mut self) {
        if let Some(selective) = &mut self.selective {
            selective.forget();
        }
    }

    /// The techniques that this searcher uses.
    pub fn techniques(&self) -> Techniques {
        self.techniques
    }

    /// Finds the best move; the game must not be over. With a random generator, one of the best moves is drawn, all
    /// equally likely.
    pub fn run<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> Found<G::Move> {
        if limits.method == Method::Selective {
            let selective = self.selective.get_or_insert_default();
            return selective.run(history, evaluator, limits, budget, shuffle);
        }
        let limits = limits.within(budget.as_deref());
        // 1. Begin with an empty memory.
        match &mut self.past {
            Some(past) => past.clone_from(history.past()),
            None => self.past = Some(history.past().clone()),
        }
        self.extend = limits.extend;
        self.best_at_root = None;
        root_moves(history.game(), budget.as_deref(), &mut self.root);
        self.experience.begin(limits.depth);
        if limits.depth > 1 || limits.extend == Extend::Everywhere {
            self.table.begin(limits.depth);
        }
        self.wide = limits.depth > 1 && self.root.len() > ordering::FEW;
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        // 2. Search with rising depth.
        self.meter = Meter::default();
        let mut found: Option<Found<G::Move>> = None;
        // If only the depth limits the search, its results in between are not needed: steps of two plies are enough.
        let by_depth = limits.nodes == u64::MAX && budget.as_ref().is_none_or(|budget| !budget.is_expected());
        let mut depth = if by_depth && limits.depth > 1 { 2 - limits.depth % 2 } else { 1 };
        while depth <= limits.depth {
            let value = self.visit(history.game(), depth, f32::NEG_INFINITY, f32::INFINITY, 0, evaluator, &mut budget);
            if self.meter.stopped {
                break;
            }
            let mv = self.best_at_root.expect("the game goes on, so there is a move");
            let now = Found { mv, value, depth, nodes: self.meter.nodes, deepest: depth };
            now.tell(history.game(), &self.table, &mut budget);
            found = Some(now);
            // A forced win or defeat within this depth does not change at greater depth.
            if plies_to_end(value).is_some_and(|plies| plies.unsigned_abs() <= depth) {
                break;
            }
            self.meter.limit(limits.nodes);
            if self.meter.nodes >= limits.nodes || budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
            depth += if by_depth { 2 } else { 1 };
        }
        let mut found = found.expect("one ply is always looked ahead");
        // 3. Draw one of the best moves.
        if let Some(rng) = shuffle {
            rng.shuffle(&mut self.root);
            found.mv = self.first_equal(history.game(), &found, evaluator, &mut budget);
        }
        Found { nodes: self.meter.nodes, ..found }
    }

    /// The first move at the root that has the same value as the best one.
    fn first_equal<E: Evaluator<G>>(
        &mut self,
        game: &G,
        found: &Found<G::Move>,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> G::Move {
        self.meter.stopped = false;
        for place in 0..self.root.len() {
            let mv = self.root[place];
            if mv == found.mv {
                break;
            }
            // A null window is enough to learn whether the move is as good.
            let window = [found.value.next_down(), found.value];
            let value = self.value_of(game, mv, found.depth, window, evaluator, budget);
            if self.meter.stopped {
                break;
            }
            if value >= found.value {
                return mv;
            }
        }
        found.mv
    }

    /// The value of a move at the root, searched as deep as the best move: exact if it lies in the window, otherwise a
    /// bound.
    fn value_of<E: Evaluator<G>>(
        &mut self,
        game: &G,
        mv: G::Move,
        depth: u32,
        [low, high]: [f32; 2],
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> f32 {
        let (value, next) = step(self.past_mut(), game, mv, 0);
        let mark = match value {
            Ok(value) => return value,
            Err(mark) => mark,
        };
        let value = match depth + self.free(game) {
            1 if !self.goes_on(&next) => {
                let mut value = [0.0];
                evaluator.values(std::slice::from_ref(&next), &mut value);
                -judged(value[0])
            }
            depth => {
                let left = (depth - 1).max(1 - self.free(&next));
                -self.visit(&next, left, -high, -low, 1, evaluator, budget)
            }
        };
        self.past_mut().leave(mark);
        value
    }

    /// Like [`Search::run`], and also returns the value of every legal move, each searched as deep as the best one.
    /// Moves that the limits leave no nodes or time for are left out.
    pub fn run_all<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> (Found<G::Move>, ValuedMoves<G::Move>) {
        if limits.method == Method::Selective {
            let selective = self.selective.get_or_insert_default();
            return selective.run_all(history, evaluator, limits, budget, shuffle);
        }
        let mut found = self.run(history, evaluator, limits, budget.as_deref_mut(), shuffle);
        // The other moves may use the same number of nodes, and the same time, once more.
        self.meter.go_on(limits.nodes);
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        // The moves in the order of the rules; `run` may have shuffled them.
        self.root.clear();
        history.game().legal_moves(&mut self.root);
        let mut values = Vec::with_capacity(self.root.len());
        for place in 0..self.root.len() {
            let mv = self.root[place];
            let value = match mv == found.mv {
                true => found.value,
                false => {
                    let all = [f32::NEG_INFINITY, f32::INFINITY];
                    self.value_of(history.game(), mv, found.depth, all, evaluator, &mut budget)
                }
            };
            // The best move's value is known even if the limits are reached.
            if !self.meter.stopped || mv == found.mv {
                values.push((mv, value));
            }
        }
        found.nodes = self.meter.nodes;
        (found, values)
    }

    /// The value of a position, searched to `depth`, which is at least 1: exact if it lies between `alpha` and `beta`,
    /// otherwise a bound. The game must not be over.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    fn visit<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        alpha: f32,
        beta: f32,
        ply: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> f32 {
        self.meter.nodes += 1;
        if self.meter.is_over(self.best_at_root.is_some(), budget) {
            return 0.0;
        }
        let depth = depth + self.free(game);
        // 1. Look the position up in the transposition table.
        let lookup = self.techniques.table && (depth > 1 || self.wide);
        let (key, context) = if lookup { (game.key(), self.context(depth)) } else { (0, 0) };
        let mut hint = if ply == 0 { self.best_at_root } else { None };
        let known = if lookup { self.table.find(key) } else { None };
        if let Some(entry) = known {
            hint = entry.mv;
            if entry.depth == depth as u8
                && entry.context == context
                && ply > 0
                && let Some(value) = entry.value_within(alpha, beta, ply)
            {
                return value;
            }
        }
        // 2. Generate the moves and rank them.
        let base = self.moves.len();
        match ply {
            0 => self.moves.moves.extend_from_slice(&self.root),
            _ => game.legal_moves(&mut self.moves.moves),
        }
        match self.techniques.ordering {
            true => self.moves.rank(base, |mv| self.experience.rank(game, mv, ply, hint)),
            false => self.moves.rank(base, |_| 0),
        }
        // 3. Search the moves in turn.
        let (best, best_move) = if depth == 1 {
            self.judge_leaves(game, base, [alpha, beta], ply, evaluator, budget)
        } else {
            let mut best = (f32::NEG_INFINITY, self.moves.moves[base]);
            let mut low = alpha;
            for place in base..self.moves.len() {
                let mv = self.moves.next(place);
                let (value, next) = step(self.past_mut(), game, mv, ply);
                let value = match value {
                    Ok(value) => value,
                    Err(mark) => {
                        let mut look = |search: &mut Self, low: f32, high: f32| {
                            -search.visit(&next, depth - 1, -high, -low, ply + 1, evaluator, budget)
                        };
                        // Principal variation search: after a good move, the others are first searched with a null
                        // window, to learn whether they are better; most are not.
                        let better = low.next_up();
                        let asks = low > alpha && better < beta;
                        let mut value = look(self, low, if asks { better } else { beta });
                        if asks && value >= better && value < beta {
                            value = look(self, low, beta);
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
                    low = low.max(value);
                    if value >= beta {
                        self.experience.reward(game, mv, depth, ply);
                        break;
                    }
                }
            }
            best
        };
        self.moves.truncate(base);
        if self.meter.stopped {
            return 0.0;
        }
        // 4. Store the result.
        if ply == 0 {
            self.best_at_root = Some(best_move);
        }
        if lookup {
            let bound = Bound::of(best, alpha, beta);
            let value = shifted(best, -(ply as f32));
            self.table
                .put(key, Entry { context, value, standing: f32::NAN, depth: depth as u8, bound, mv: Some(best_move) });
        }
        best
    }

    /// The last ply: evaluates the positions after all moves, in blocks.
    fn judge_leaves<E: Evaluator<G>>(
        &mut self,
        game: &G,
        base: usize,
        [alpha, beta]: [f32; 2],
        ply: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> (f32, G::Move) {
        let block = if self.techniques.blocks { evaluator.block() } else { 1 };
        let mut best = (f32::NEG_INFINITY, self.moves.moves[base]);
        let last = self.moves.len();
        // Earlier leaves belong to positions nearer to the root.
        let waiting = self.leaves.len();
        for place in base..last {
            let mv = self.moves.next(place);
            let mut next = game.clone();
            next.play(mv);
            let past = self.past_mut();
            let known = match past.outcome(&next) {
                Some(outcome) => Some(-end_value(outcome, next.side_to_move(), ply + 1)),
                None => {
                    let progress = past.remembers() && game.is_progress(mv);
                    match past.would_draw(&next, progress) {
                        true => Some(0.0),
                        false if self.goes_on(&next) => {
                            let mark = self.past_mut().enter(&next, progress);
                            let low = alpha.max(best.0);
                            let left = 1 - self.free(&next);
                            let value = -self.visit(&next, left, -beta, -low, ply + 1, evaluator, budget);
                            self.past_mut().leave(mark);
                            Some(value)
                        }
                        false => None,
                    }
                }
            };
            if self.meter.stopped {
                break;
            }
            match known {
                Some(value) => {
                    if value > best.0 {
                        best = (value, mv);
                    }
                }
                None => {
                    self.leaves.push(next);
                    self.leaf_moves.push(mv);
                }
            }
            let count = self.leaves.len() - waiting;
            if count == block || (place + 1 == last && count > 0) {
                self.values.resize(block, 0.0);
                self.meter.nodes += count as u64;
                evaluator.values_after(game, &self.leaves[waiting..], &mut self.values[..count]);
                for (&value, &mv) in self.values.iter().zip(&self.leaf_moves[waiting..]) {
                    let value = -judged(value);
                    if value > best.0 {
                        best = (value, mv);
                    }
                }
                self.leaves.truncate(waiting);
                self.leaf_moves.truncate(waiting);
            }
            if best.0 >= beta {
                self.experience.reward(game, best.1, 1, ply);
                break;
            }
        }
        self.leaves.truncate(waiting);
        self.leaf_moves.truncate(waiting);
        best
    }

    /// Whether a leaf must be searched deeper instead of being evaluated.
    #[inline]
    fn goes_on(&self, game: &G) -> bool {
        self.extend != Extend::Off && game.must_capture()
    }

    /// 1 if the next move is a forced capture that does not count as a ply, otherwise 0.
    #[inline]
    fn free(&self, game: &G) -> u32 {
        u32::from(self.extend == Extend::Everywhere && game.must_capture())
    }

    /// A hash of everything in the game's past that can change the value of a position within `depth` plies.
    fn context(&mut self, depth: u32) -> u64 {
        // Extra captures can reach the cap on plies, but no other rule about the past.
        let reach = if self.extend == Extend::Off { depth } else { depth + MOST_CAPTURES };
        let past = self.past_mut();
        let [left, quiet] = past.plies_left();
        let cap = if left > reach { 0 } else { mix(u64::from(left) + 1) };
        let quiet = if quiet > depth { 0 } else { mix(u64::from(quiet) + 1).rotate_left(17) };
        cap ^ quiet ^ past.fingerprint(depth)
    }

    fn past_mut(&mut self) -> &mut Past {
        self.past.as_mut().expect("a search begins with a past")
    }
}

#[cfg(test)]
mod tests;
