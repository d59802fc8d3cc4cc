//! Alpha-beta search: what a position is worth if both sides look so many plies ahead.
//!
//! It returns exactly what plain minimax would, faster: lines that cannot matter are cut off, promising moves come first so
//! that more can be cut off, positions reached in two ways are searched once, and the positions at the bottom are judged in
//! blocks. Every search begins with an empty memory, so that what a player does depends on the game alone.

mod ends;
mod limits;
mod ordering;

pub use ends::plies_to_end;
pub use limits::{Budget, Extend, Limits, MOST_DEPTH, Techniques};

use crate::game_history::{Past, mix};
use crate::transpositions::{Bound, Entry, Transpositions};
use crate::{Evaluator, GameHistory};
use chance::Rng;
use ends::{end_value, judged, shifted};
use games::Game;
use ordering::{Experience, Ranked};

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M> {
    /// The best move.
    pub mv: M,
    /// What the position is worth to the side to move.
    pub value: f32,
    /// How many plies were looked ahead.
    pub depth: u32,
    /// How many positions were visited.
    pub nodes: u64,
}

/// Moves, and what each is worth to whoever makes it.
pub type ValuedMoves<M> = Vec<(M, f32)>;

/// A searcher with its memory.
pub struct Search<G: Game> {
    techniques: Techniques,
    table: Transpositions<G::Move>,
    past: Option<Past>,
    /// The moves of all positions from the root to here, one behind the other.
    moves: Ranked<G::Move>,
    /// The moves at the root.
    root: Vec<G::Move>,
    best_at_root: Option<G::Move>,
    experience: Experience<G::Move>,
    /// Positions that wait to be judged, and their moves.
    leaves: Vec<G>,
    leaf_moves: Vec<G::Move>,
    values: Vec<f32>,
    /// Where it looks on because the mover must capture.
    extend: Extend,
    /// Whether there are so many moves that the last ply, too, is worth remembering.
    wide: bool,
    nodes: u64,
    stops_at: u64,
    /// When the budget is asked next.
    asks_at: u64,
    stopped: bool,
}

impl<G: Game> Default for Search<G> {
    fn default() -> Search<G> {
        Search::new(Techniques::ALL)
    }
}

/// No line of captures is longer.
const MOST_CAPTURES: u32 = 32;

/// How often the budget is asked.
const NODES_BETWEEN: u64 = 1024;

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
            nodes: 0,
            stops_at: u64::MAX,
            asks_at: 0,
            stopped: false,
        }
    }

    /// What it uses.
    pub fn techniques(&self) -> Techniques {
        self.techniques
    }

    /// The best move where the game goes on. With a generator, moves of equal value have each their chance.
    pub fn run<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> Found<G::Move> {
        // 1. An empty memory.
        match &mut self.past {
            Some(past) => past.clone_from(history.past()),
            None => self.past = Some(history.past().clone()),
        }
        self.extend = limits.extend;
        self.best_at_root = None;
        self.root.clear();
        history.game().legal_moves(&mut self.root);
        self.experience.begin(limits.depth);
        if limits.depth > 1 || limits.extend == Extend::Everywhere {
            self.table.begin(limits.depth);
        }
        self.wide = limits.depth > 1 && self.root.len() > ordering::FEW;
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        // 2. One ply, two plies, and so on.
        (self.nodes, self.stops_at, self.asks_at, self.stopped) = (0, u64::MAX, 0, false);
        let mut found: Option<Found<G::Move>> = None;
        // Where nothing but the depth limits it, two plies more each time are steps enough.
        let by_depth = limits.nodes == u64::MAX && budget.as_ref().is_none_or(|budget| !budget.is_expected());
        let mut depth = if by_depth && limits.depth > 1 { 2 - limits.depth % 2 } else { 1 };
        while depth <= limits.depth {
            let value = self.visit(history.game(), depth, f32::NEG_INFINITY, f32::INFINITY, 0, evaluator, &mut budget);
            if self.stopped {
                break;
            }
            let mv = self.best_at_root.expect("the game goes on, so there is a move");
            found = Some(Found { mv, value, depth, nodes: self.nodes });
            // A forced end is the truth at any depth.
            if plies_to_end(value).is_some_and(|plies| plies.unsigned_abs() <= depth) {
                break;
            }
            self.stops_at = limits.nodes;
            if self.nodes >= limits.nodes || budget.as_mut().is_some_and(|budget| budget.is_spent()) {
                break;
            }
            depth += if by_depth { 2 } else { 1 };
        }
        let mut found = found.expect("one ply is always looked ahead");
        // 3. Any of the best.
        if let Some(rng) = shuffle {
            rng.shuffle(&mut self.root);
            found.mv = self.first_equal(history.game(), &found, evaluator, &mut budget);
        }
        Found { nodes: self.nodes, ..found }
    }

    /// The first of the moves at the root that is worth as much as the best.
    fn first_equal<E: Evaluator<G>>(
        &mut self,
        game: &G,
        found: &Found<G::Move>,
        evaluator: &mut E,
        budget: &mut Option<&mut (dyn Budget + 'static)>,
    ) -> G::Move {
        self.stopped = false;
        for place in 0..self.root.len() {
            let mv = self.root[place];
            if mv == found.mv {
                break;
            }
            // Only asked whether it is as good.
            let window = [found.value.next_down(), found.value];
            let value = self.value_of(game, mv, found.depth, window, evaluator, budget);
            if self.stopped {
                break;
            }
            if value >= found.value {
                return mv;
            }
        }
        found.mv
    }

    /// What a move at the root is worth, as deep as the best was looked at: exact if it lies in the window, else a bound.
    fn value_of<E: Evaluator<G>>(
        &mut self,
        game: &G,
        mv: G::Move,
        depth: u32,
        [low, high]: [f32; 2],
        evaluator: &mut E,
        budget: &mut Option<&mut (dyn Budget + 'static)>,
    ) -> f32 {
        let (value, next) = self.step(game, mv, 0);
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

    /// What every legal move is worth where the game goes on, each looked at as deep as the best one; those that the limits
    /// leave no room for are left out. With it what [`Search::run`] finds.
    pub fn run_all<E: Evaluator<G>>(
        &mut self,
        history: &GameHistory<G>,
        evaluator: &mut E,
        limits: Limits,
        mut budget: Option<&mut (dyn Budget + 'static)>,
        shuffle: Option<&mut Rng>,
    ) -> (Found<G::Move>, ValuedMoves<G::Move>) {
        let mut found = self.run(history, evaluator, limits, budget.as_deref_mut(), shuffle);
        // As many positions, and as much time, again.
        (self.stops_at, self.stopped) = (self.nodes.saturating_add(limits.nodes), false);
        if let Some(budget) = &mut budget {
            budget.begin();
        }
        // In the order of the rules, which may have been shuffled.
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
            // The best is known, whether or not there is room.
            if !self.stopped || mv == found.mv {
                values.push((mv, value));
            }
        }
        found.nodes = self.nodes;
        (found, values)
    }

    /// The value of a position where the game goes on, at least 1 ply deep: exact if it lies between `alpha` and `beta`,
    /// else a bound.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    fn visit<E: Evaluator<G>>(
        &mut self,
        game: &G,
        depth: u32,
        alpha: f32,
        beta: f32,
        ply: u32,
        evaluator: &mut E,
        budget: &mut Option<&mut (dyn Budget + 'static)>,
    ) -> f32 {
        self.nodes += 1;
        if self.is_over(budget) {
            return 0.0;
        }
        let depth = depth + self.free(game);
        // 1. Perhaps it is known.
        let lookup = self.techniques.table && (depth > 1 || self.wide);
        let (key, context) = if lookup { (game.key(), self.context(depth)) } else { (0, 0) };
        let mut hint = if ply == 0 { self.best_at_root } else { None };
        let known = if lookup { self.table.find(key) } else { None };
        if let Some(entry) = known {
            hint = entry.mv;
            if entry.depth == depth as u8 && entry.context == context && ply > 0 {
                let value = shifted(entry.value, ply as f32);
                match entry.bound {
                    Bound::Exact => return value,
                    Bound::AtLeast if value >= beta => return value,
                    Bound::AtMost if value <= alpha => return value,
                    Bound::AtLeast | Bound::AtMost => {}
                }
            }
        }
        // 2. The moves, ranked.
        let base = self.moves.len();
        match ply {
            0 => self.moves.moves.extend_from_slice(&self.root),
            _ => game.legal_moves(&mut self.moves.moves),
        }
        match self.techniques.ordering {
            true => self.moves.rank(base, |mv| self.experience.rank(game, mv, ply, hint)),
            false => self.moves.rank(base, |_| 0),
        }
        // 3. One after the other.
        let (best, best_move) = if depth == 1 {
            self.judge_leaves(game, base, [alpha, beta], ply, evaluator, budget)
        } else {
            let mut best = (f32::NEG_INFINITY, self.moves.moves[base]);
            let mut low = alpha;
            for place in base..self.moves.len() {
                let mv = self.moves.next(place);
                let (value, next) = self.step(game, mv, ply);
                let value = match value {
                    Ok(value) => value,
                    Err(mark) => {
                        let mut look = |search: &mut Self, low: f32, high: f32| {
                            -search.visit(&next, depth - 1, -high, -low, ply + 1, evaluator, budget)
                        };
                        // Once there is a good one, others are first asked whether they are better; most are not.
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
                if self.stopped {
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
        if self.stopped {
            return 0.0;
        }
        // 4. Remember.
        if ply == 0 {
            self.best_at_root = Some(best_move);
        }
        if lookup {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            let value = shifted(best, -(ply as f32));
            self.table.put(key, Entry { context, value, depth: depth as u8, bound, mv: Some(best_move) });
        }
        best
    }

    /// Makes a move: the value, if the game is over after it, else where to go back to.
    fn step(&mut self, game: &G, mv: G::Move, ply: u32) -> (Result<f32, crate::game_history::Mark>, G) {
        let next = game.after(mv);
        if let Some(outcome) = self.past_mut().outcome(&next) {
            return (Ok(-end_value(outcome, next.side_to_move(), ply + 1)), next);
        }
        let past = self.past_mut();
        let progress = past.remembers() && game.is_progress(mv);
        let mark = past.enter(&next, progress);
        if past.is_draw() {
            past.leave(mark);
            return (Ok(0.0), next);
        }
        (Err(mark), next)
    }

    /// The last ply: all that is after the moves is judged, in blocks.
    fn judge_leaves<E: Evaluator<G>>(
        &mut self,
        game: &G,
        base: usize,
        [alpha, beta]: [f32; 2],
        ply: u32,
        evaluator: &mut E,
        budget: &mut Option<&mut (dyn Budget + 'static)>,
    ) -> (f32, G::Move) {
        let block = if self.techniques.blocks { evaluator.block() } else { 1 };
        let mut best = (f32::NEG_INFINITY, self.moves.moves[base]);
        let last = self.moves.len();
        // Those before wait for the position that led here.
        let waiting = self.leaves.len();
        for place in base..last {
            let mv = self.moves.next(place);
            let next = game.after(mv);
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
            if self.stopped {
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
                self.nodes += count as u64;
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

    /// Whether a position is no place to stop.
    #[inline]
    fn goes_on(&self, game: &G) -> bool {
        self.extend != Extend::Off && game.must_capture()
    }

    /// 1 where the next move is a forced capture that takes no ply, else 0.
    #[inline]
    fn free(&self, game: &G) -> u32 {
        u32::from(self.extend == Extend::Everywhere && game.must_capture())
    }

    /// Tells apart what the past makes of a position within so many plies.
    fn context(&mut self, depth: u32) -> u64 {
        // Captures, of which there may be more, come up against the cap and nothing else of the past.
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

    /// Whether to break off.
    #[inline]
    fn is_over(&mut self, budget: &mut Option<&mut (dyn Budget + 'static)>) -> bool {
        if self.stops_at == u64::MAX && budget.is_none() {
            return false;
        }
        let mut spent = false;
        if self.nodes >= self.asks_at && self.best_at_root.is_some() {
            self.asks_at = self.nodes + NODES_BETWEEN;
            spent = budget.as_mut().is_some_and(|budget| budget.is_spent());
        }
        self.stopped |= spent || self.nodes > self.stops_at;
        self.stopped
    }
}

#[cfg(test)]
mod tests;
