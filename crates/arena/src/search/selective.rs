//! Selective search: alpha-beta that looks further where something happens and less far where nothing does.
//!
//! Leaves are not evaluated in the middle of an exchange: captures are searched to their end (quiescence). A side that
//! is so strong that it could pass (null move) is not searched in full, and moves that come late in the order of moves
//! are searched less deep at first (late move reductions). So the value is not that of minimax, but at equal time the
//! search looks several plies deeper than the exact one. With a limit of nodes the move depends only on the options and
//! the moves of the game so far.

mod experience;
mod margins;
mod quiescence;
mod reductions;

pub(super) use quiescence::{MOST_FORCED, MOST_QUIESCENCE};

use super::ends::{MOST_JUDGED, WON, judged, plies_to_end, shifted};
use super::found::{Found, ValuedMoves};
use super::limits::{Budget, Limits, Selection};
use super::meter::{BudgetRef, Meter};
use super::ordering::Ranked;
use super::step::{root_moves, step};
use super::transpositions::{Bound, Entry, Transpositions};
use crate::game_history::{Mark, Past};
use crate::{Evaluator, GameHistory};
use chance::Rng;
use experience::{Experience, Place, loses};
use games::Game;
use margins::Margins;
use reductions::{late_moves, reduction};

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
    /// Whether the evaluator gives the same value to very many positions, and ties are broken.
    breaks_ties: bool,
    /// The best move and value of the current depth, as far as it has been searched.
    partial: Option<(G::Move, f32)>,
    experience: Experience<G::Move>,
    margins: Margins,
    /// The positions from the root to the current one.
    line: Vec<OnLine<G::Move>>,
    /// The depth that is being searched.
    depth: u32,
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
            breaks_ties: false,
            partial: None,
            experience: Experience::default(),
            margins: Margins::default(),
            line: Vec::new(),
            depth: 0,
            leaves: Vec::new(),
            block: Vec::new(),
            meter: Meter::default(),
            deepest: 0,
        }
    }
}

/// A position on the line from the root to the current one.
#[derive(Clone, Copy)]
struct OnLine<M> {
    /// The evaluation of the position for its side to move; NaN if it is not known, or if the other side threatens to win
    /// at once.
    standing: f32,
    /// The move that led to it; `None` at the root and after a null move.
    before: Option<M>,
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

/// A threat to win at once is answered one ply deeper, up to this number of times the depth of the search.
const MOST_LONGER: u32 = 2;
/// From this depth on, a position may be cut off because the side to move could pass.
const LEAST_NULL_DEPTH: u32 = 2;
/// After a null move, the search is less deep by this number of plies and a third of the depth.
const NULL_REDUCTION: u32 = 3;
/// A move with a history this far from 0 is searched a ply deeper or less deep.
const GOOD_HISTORY: i32 = 4096;
/// Up to this depth, a position whose evaluation is far above the window is cut off.
const MOST_MARGIN_DEPTH: u32 = 6;
/// Up to this depth, quiet moves are not searched if the evaluation is far below the window.
const MOST_FUTILE_DEPTH: u32 = 4;
/// Up to this depth, moves that lose material are not searched.
const MOST_EXCHANGE_DEPTH: u32 = 3;
/// From this depth on, a position without a known best move is searched less deep.
const LEAST_HINT_DEPTH: u32 = 4;
/// The windows at the root grow by this factor when the value lies outside.
const WIDER: f32 = 4.0;
/// The share of a man by which positions differ whose values are equal.
const TIE: f32 = 0.1;
/// The longest line of a search.
const MOST_PLIES: usize = 256;

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
        self.breaks_ties = self.selection.ties && evaluator.is_coarse();
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
            (self.partial, self.depth) = (None, depth);
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
                        self.line[1].before = Some(mv);
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
        self.experience.begin(MOST_PLIES, limits.depth > 1 && self.selection.history);
        if !(limits.keeps_table && self.has_begun) {
            self.margins = Margins::default();
        }
        self.line.clear();
        self.line.resize(MOST_PLIES + 1, OnLine { standing: f32::NAN, before: None });
        (self.best_at_root, self.partial) = (None, None);
        (self.meter, self.deepest) = (Meter::default(), 0);
        self.has_begun = true;
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
        mut depth: u32,
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
        let mut standing = f32::NAN;
        if self.selection.table
            && let Some(entry) = self.table.find_deep(key)
        {
            hint = hint.or(entry.mv);
            standing = entry.standing;
            if ply > 0
                && u32::from(entry.depth) >= depth
                && let Some(value) = entry.value_within(alpha, beta, ply)
            {
                return value;
            }
        }
        // 2. If the other side threatens to win at once, every move must answer that, and the evaluation means nothing.
        let is_threatened = self.is_threatened(game);
        if is_threatened {
            standing = f32::NAN;
            depth += u32::from(ply < MOST_LONGER * self.depth);
        } else if standing.is_nan() && self.needs_standing(depth, game) {
            let mut value = [0.0];
            evaluator.values(std::slice::from_ref(game), &mut value);
            standing = self.judged(game, value[0]);
        }
        self.line[ply as usize].standing = standing;
        let is_narrow = alpha.next_up() >= beta;
        let earlier = ply.checked_sub(2).map(|ply| self.line[ply as usize].standing);
        let improves = earlier.is_some_and(|earlier| standing > earlier);
        // 3. Cut off what is too good even without a move.
        if is_narrow && !standing.is_nan() && beta.abs() < MOST_JUDGED && ply > 0 {
            if self.selection.margins
                && depth <= MOST_MARGIN_DEPTH
                && !game.must_capture()
                && let Some(margin) = self.margins.of::<G>((depth - u32::from(improves && depth > 1)) as f32)
                && standing - margin >= beta
            {
                return standing;
            }
            if may_pass && let Some(value) = self.null_move(game, depth, beta, ply, evaluator, budget) {
                return value;
            }
        }
        // 4. Without a move to begin with, a deep search is not worth its cost yet.
        if depth >= LEAST_HINT_DEPTH && hint.is_none() && self.selection.reductions && ply > 0 {
            depth -= 1;
        }
        // 5. Generate the moves and rank them.
        let base = self.moves.len();
        match ply {
            0 => self.moves.moves.extend_from_slice(&self.root),
            _ => game.legal_moves(&mut self.moves.moves),
        }
        self.rank(game, base, ply, hint);
        // 6. Search the moves in turn.
        let none = (f32::NEG_INFINITY, self.moves.moves[base]);
        let node = Node { depth, ply, standing, improves, is_narrow };
        let (best, best_move) = match depth {
            1 => self.last_ply(game, base, none, window, &node, ply, evaluator, budget),
            _ => self.moves_in_turn(game, base, none, window, &node, evaluator, budget),
        };
        self.moves.truncate(base);
        if self.meter.stopped {
            return 0.0;
        }
        // 7. Store the result.
        if ply == 0 {
            self.best_at_root = Some(best_move);
        }
        if self.selection.table {
            let bound = Bound::of(best, alpha, beta);
            // If no move is good enough, none is known to be the best.
            let mv = if bound == Bound::AtMost { hint } else { Some(best_move) };
            let value = shifted(best, -(ply as f32));
            self.table.put_deep(key, Entry { context: 0, value, standing, depth: depth as u8, bound, mv });
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
        window: Window,
        node: &Node,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> (f32, G::Move) {
        let Window { alpha, beta } = window;
        let &Node { depth, ply, .. } = node;
        let mut low = alpha;
        let mut quiets = 0;
        for place in base..self.moves.len() {
            let mv = self.moves.next(place);
            let is_quiet = game.promise(mv) == 0;
            if let Some(bound) = self.left_out(game, place, is_quiet, quiets, best.0, low, node) {
                best.0 = best.0.max(bound);
                continue;
            }
            quiets += usize::from(is_quiet);
            let value = match self.step(game, mv, ply) {
                (Ok(value), _) => value,
                (Err(mark), next) => {
                    self.line[ply as usize + 1].before = Some(mv);
                    let number = place - base;
                    let reduction = self.reduction(game, mv, is_quiet, number, node);
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
                    self.reward(game, place, base, depth, ply);
                    break;
                }
            }
        }
        best
    }

    /// Whether the move at a place need not be searched. If so, returns an upper bound of its likely value.
    #[allow(clippy::too_many_arguments, reason = "what decides it")]
    fn left_out(
        &self,
        game: &G,
        place: usize,
        is_quiet: bool,
        quiets: usize,
        best: f32,
        low: f32,
        node: &Node,
    ) -> Option<f32> {
        let &Node { depth, ply, standing, improves, .. } = node;
        // Something must be searched, and a defeat may still be averted.
        if ply == 0 || standing.is_nan() || best <= -MOST_JUDGED {
            return None;
        }
        if is_quiet && self.selection.late_moves && quiets >= late_moves(depth, improves) {
            return Some(f32::NEG_INFINITY);
        }
        if is_quiet
            && self.selection.margins
            && depth <= MOST_FUTILE_DEPTH
            && let Some(margin) = self.margins.of::<G>((depth + 1) as f32)
            && standing + margin <= low
        {
            return Some(standing + margin);
        }
        let is_near = self.selection.exchanges && depth <= MOST_EXCHANGE_DEPTH;
        let loses_material = || match is_quiet {
            true => game.loses_by_exchange(self.moves.moves[place]),
            false => loses(self.moves.rank_at(place)),
        };
        (is_near && loses_material()).then_some(f32::NEG_INFINITY)
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
        let is_tried = self.selection.null_move && depth >= LEAST_NULL_DEPTH && game.may_pass();
        if !is_tried || self.line[ply as usize].standing < beta {
            return None;
        }
        let passed = game.passed()?;
        let left = depth.saturating_sub(NULL_REDUCTION + depth / 3);
        let mark = self.past_mut().enter(&passed, true);
        self.line[ply as usize + 1].before = None;
        let window = Window { alpha: -beta, beta: -beta.next_down() };
        let value = match left {
            0 => -self.below(&passed, 0, window, ply + 1, evaluator, budget),
            _ => -self.visit(&passed, left, window, ply + 1, false, evaluator, budget),
        };
        self.past_mut().leave(mark);
        // A win after passing is not a proof.
        (!self.meter.stopped && value >= beta).then(|| value.min(MOST_JUDGED).max(beta))
    }

    /// What the search takes an evaluation for. If ties are broken, every position has its own small share of a man, which
    /// depends on the position alone: so the side with more moves to choose from finds better ones, and a search that only
    /// counts pieces values freedom to move (Beal and Smith 1994).
    #[inline]
    fn judged(&self, game: &G, value: f32) -> f32 {
        if !self.breaks_ties {
            return judged(value);
        }
        let chance = (game.key().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f32 / (1 << 24) as f32;
        judged(value + TIE * G::MAN * (chance - 0.5))
    }

    /// Whether the position's evaluation is used.
    fn needs_standing(&self, depth: u32, game: &G) -> bool {
        let Selection { null_move, margins, late_moves, exchanges, .. } = self.selection;
        let is_used = margins || late_moves || exchanges || (null_move && depth >= LEAST_NULL_DEPTH && game.may_pass());
        is_used && !self.goes_on(game)
    }

    /// Whether the other side would win at once if it were to move.
    fn is_threatened(&self, game: &G) -> bool {
        self.selection.threats && game.passed().is_some_and(|passed| passed.can_win_at_once())
    }

    /// The number of plies by which a move is searched less deep at first.
    #[inline]
    fn reduction(&self, game: &G, mv: G::Move, is_quiet: bool, number: usize, node: &Node) -> u32 {
        let &Node { depth, ply, improves, is_narrow, .. } = node;
        if !self.selection.reductions || !is_quiet {
            return 0;
        }
        let mut plies = reduction(depth, number);
        if plies == 0 {
            return 0;
        }
        plies -= i32::from(self.experience.is_killer(mv, ply as usize));
        plies -= i32::from(!is_narrow);
        plies += i32::from(!improves);
        plies -= self.experience.history(game, mv) / GOOD_HISTORY;
        plies.clamp(0, depth as i32 - 2) as u32
    }

    fn rank(&mut self, game: &G, base: usize, ply: u32, hint: Option<G::Move>) {
        let place = Place { ply: ply as usize, hint, before: self.line[ply as usize].before };
        let exchanges = self.selection.exchanges;
        self.moves.rank(base, |mv| self.experience.rank(game, mv, &place, exchanges));
    }

    /// Learns that the move at `place` caused a cutoff, after those from `base` on.
    fn reward(&mut self, game: &G, place: usize, base: usize, depth: u32, ply: u32) {
        let at = Place { ply: ply as usize, hint: None, before: self.line[ply as usize].before };
        let moves = &self.moves.moves;
        self.experience.reward(game, moves[place], &moves[base..place], depth, &at);
    }

    /// Makes a move, as [`step`] does. A position that has occurred before counts as a draw: who can repeat a position
    /// once can repeat it again.
    fn step(&mut self, game: &G, mv: G::Move, ply: u32) -> (Result<f32, Mark>, G) {
        let threats = self.selection.threats;
        let past = self.past_mut();
        match step(past, game, mv, ply) {
            (Err(mark), next) if ply > 0 && past.has_returned() => {
                past.leave(mark);
                (Ok(0.0), next)
            }
            (Err(mark), next) if threats && next.can_win_at_once() => {
                past.leave(mark);
                (Ok((ply + 2) as f32 - WON), next)
            }
            stepped => stepped,
        }
    }

    fn past_mut(&mut self) -> &mut Past {
        self.past.as_mut().expect("a search begins with a past")
    }
}

/// What the search of a position's moves needs to know about the position.
struct Node {
    /// The number of plies that are left.
    depth: u32,
    /// The distance from the root.
    ply: u32,
    /// The evaluation; NaN if it is not known.
    standing: f32,
    /// Whether the evaluation is better than two plies before.
    improves: bool,
    /// Whether only the side of the window is asked, and not a value.
    is_narrow: bool,
}

#[cfg(test)]
mod tests;
