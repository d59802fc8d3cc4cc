//! Quiescence: below the last ply, a selective search follows captures to their end before it evaluates a position.

use super::super::ends::{MOST_JUDGED, WON, end_value};
use super::super::meter::BudgetRef;
use super::experience::loses;
use super::{Node, Selective, Window};
use crate::Evaluator;
use evolution::LANES;
use games::Game;

/// The largest number of plies below the last one if the side to move need not capture. Deeper lines gain nothing
/// (300 games at 4000 nodes: within 12 Elo of no limit), and networks that know nothing yet would search thousands of
/// captures for one leaf.
pub(in crate::search) const MOST_QUIESCENCE: u32 = 6;
/// The largest number of plies below the last one. Forced captures end by themselves; this only limits the stack.
pub(in crate::search) const MOST_FORCED: u32 = 40;
/// Threats to win at once are answered up to this number of plies below the last one.
const MOST_ANSWERS: u32 = 2;
/// What a capture may gain beyond the captured material: the margin of this number of plies.
const HOPE: f32 = 0.5;

impl<G: Game> Selective<G> {
    /// Searches the moves from `base` on whose positions are evaluated: all moves of the last ply, or captures below
    /// it. `best` is the value so far. Positions are evaluated in blocks, and searched on only if their captures could
    /// still change something.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    pub(super) fn last_ply<E: Evaluator<G>>(
        &mut self,
        game: &G,
        base: usize,
        mut best: (f32, G::Move),
        window: Window,
        node: &Node,
        quiet_since: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> (f32, G::Move) {
        let ply = node.ply;
        let last = self.moves.len();
        let block = evaluator.block().min(LANES);
        let threats = self.selection.threats;
        let mut quiets = 0;
        // Earlier positions belong to plies nearer to the root.
        let waiting = self.leaves.len();
        'moves: for place in base..last {
            let mv = self.moves.next(place);
            let low = window.alpha.max(best.0);
            let is_quiet = game.promise(mv) == 0;
            let left_out = match node.depth {
                0 => {
                    let is_bad = node.standing.is_finite() && loses(self.moves.rank_at(place));
                    is_bad.then_some(f32::NEG_INFINITY)
                }
                _ => self.left_out(game, place, is_quiet, quiets, best.0, low, node),
            };
            let mut next = None;
            match left_out {
                Some(bound) => best.0 = best.0.max(bound),
                None => {
                    quiets += usize::from(is_quiet);
                    let mut after = game.clone();
                    after.play(mv);
                    next = Some(after);
                }
            }
            let known = next.as_ref().and_then(|next| {
                let past = self.past.as_mut().expect("a search begins with a past");
                if let Some(outcome) = past.outcome(next) {
                    return Some(-end_value(outcome, next.side_to_move(), ply + 1));
                }
                let progress = past.remembers() && game.is_progress(mv);
                if past.would_draw(next, progress) {
                    return Some(0.0);
                }
                (threats && next.can_win_at_once()).then_some((ply + 2) as f32 - WON)
            });
            match (known, next) {
                (_, None) => {}
                (Some(value), _) if value > best.0 => best = (value, mv),
                (Some(_), _) => {}
                (None, Some(next)) => {
                    // The side to move must capture or avert a threat, so its position has no value of its own.
                    let is_answer = ply < quiet_since + MOST_ANSWERS && self.is_threatened(&next);
                    if is_answer || self.goes_on(&next) {
                        let window = window.reversed(low);
                        let none = f32::NEG_INFINITY;
                        self.line[ply as usize + 1].before = Some(mv);
                        let value = -self.quiesce(&next, none, window, ply + 1, quiet_since, evaluator, budget);
                        if self.meter.stopped {
                            break;
                        }
                        if value > best.0 {
                            best = (value, mv);
                        }
                    } else if self.is_hopeless(game, &next, node, low, &mut best.0) {
                        // Even with what it captures, the position stays below the window.
                    } else {
                        self.leaves.push((next, mv));
                    }
                }
            }
            let count = self.leaves.len() - waiting;
            if count == block || (place + 1 == last && count > 0) {
                let mut values = [0.0; LANES];
                self.block.clear();
                self.block.extend(self.leaves[waiting..].iter().map(|(next, _)| next.clone()));
                evaluator.values_after(game, &self.block, &mut values[..count]);
                self.meter.nodes += count as u64;
                for (number, &value) in values[..count].iter().enumerate() {
                    let (next, mv) = self.leaves[waiting + number].clone();
                    let standing = self.judged(&next, value);
                    if node.standing.is_finite() {
                        self.margins.see(game, &next, node.standing, -standing);
                    }
                    let low = window.alpha.max(best.0);
                    // The other side gets at least what it has without a move.
                    let value = match -standing > low {
                        true => {
                            let window = window.reversed(low);
                            -self.quiesce(&next, standing, window, ply + 1, quiet_since, evaluator, budget)
                        }
                        false => -standing,
                    };
                    if self.meter.stopped {
                        break 'moves;
                    }
                    if value > best.0 {
                        best = (value, mv);
                        if ply == 0 && value > window.alpha {
                            self.partial = Some((mv, value));
                        }
                        if value >= window.beta {
                            break;
                        }
                    }
                }
                self.leaves.truncate(waiting);
            }
            if best.0 >= window.beta {
                let found = self.moves.moves[base..=place].iter().position(|&mv| mv == best.1);
                if let Some(found) = found.filter(|_| node.depth > 0) {
                    self.reward(game, base + found, base, 1, ply);
                }
                break;
            }
        }
        self.leaves.truncate(waiting);
        best
    }

    /// Whether the position after a capture below the last ply stays below the window, whatever its evaluation says. The
    /// best value is then at least what was to be expected.
    fn is_hopeless(&self, game: &G, next: &G, node: &Node, low: f32, best: &mut f32) -> bool {
        if node.depth > 0 || !self.selection.margins || !node.standing.is_finite() || low <= -MOST_JUDGED {
            return false;
        }
        let (Some(by_material), Some(margin)) = (self.margins.by_material(), self.margins.of::<G>(HOPE)) else {
            return false;
        };
        let (Some(had), Some(has)) = (game.material(), next.material()) else { return false };
        let expected = node.standing + by_material * (-has - had) + margin;
        let is_hopeless = expected <= low;
        if is_hopeless {
            *best = best.max(expected);
        }
        is_hopeless
    }

    /// Quiescence: the value of a position when captures are searched to their end. `standing` is the evaluation of the
    /// position, which the side to move can keep by making no capture; it is minus infinity if it must capture or avert
    /// a threat.
    #[allow(clippy::too_many_arguments, reason = "a search's parameters are what it is")]
    pub(super) fn quiesce<E: Evaluator<G>>(
        &mut self,
        game: &G,
        standing: f32,
        window: Window,
        ply: u32,
        quiet_since: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> f32 {
        self.deepest = self.deepest.max(ply);
        let is_forced = standing == f32::NEG_INFINITY;
        let most = quiet_since + if is_forced { MOST_FORCED } else { MOST_QUIESCENCE };
        if standing >= window.beta || (!is_forced && !self.selection.quiescence) || ply > most {
            return if is_forced { self.evaluated(game, evaluator) } else { standing };
        }
        let base = self.moves.len();
        game.legal_moves(&mut self.moves.moves);
        if !is_forced {
            self.moves.retain(base, |mv| game.promise(mv) > 0);
        }
        if self.moves.len() == base {
            return standing;
        }
        self.meter.nodes += 1;
        if self.meter.is_over(self.best_at_root.is_some(), budget) {
            self.moves.moves.truncate(base);
            return 0.0;
        }
        self.rank(game, base, ply, None);
        let first = self.moves.moves[base];
        let node = Node { depth: 0, ply, standing, improves: false, is_narrow: true };
        let best = self.last_ply(game, base, (standing, first), window, &node, quiet_since, evaluator, budget);
        self.moves.truncate(base);
        best.0
    }

    /// The evaluation of a position, for its side to move.
    pub(super) fn evaluated<E: Evaluator<G>>(&mut self, game: &G, evaluator: &mut E) -> f32 {
        let mut value = [0.0];
        evaluator.values(std::slice::from_ref(game), &mut value);
        self.meter.nodes += 1;
        self.judged(game, value[0])
    }

    /// Whether a leaf must be searched deeper instead of being evaluated.
    #[inline]
    pub(super) fn goes_on(&self, game: &G) -> bool {
        self.selection.quiescence && game.must_capture()
    }
}
