//! Quiescence: below the last ply, a selective search follows captures to their end before it evaluates a position.

use super::super::ends::{end_value, judged};
use super::super::meter::BudgetRef;
use super::{Selective, Window};
use crate::Evaluator;
use evolution::LANES;
use games::Game;

/// The largest number of plies below the last one if the side to move need not capture. Deeper lines gain nothing
/// (300 games at 4000 nodes: within 12 Elo of no limit), and networks that know nothing yet would search thousands of
/// captures for one leaf.
pub(in crate::search) const MOST_QUIESCENCE: u32 = 6;
/// The largest number of plies below the last one. Forced captures end by themselves; this only limits the stack.
pub(in crate::search) const MOST_FORCED: u32 = 40;

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
        ply: u32,
        quiet_since: u32,
        evaluator: &mut E,
        budget: BudgetRef,
    ) -> (f32, G::Move) {
        let last = self.moves.len();
        let block = evaluator.block().min(LANES);
        // Earlier positions belong to plies nearer to the root.
        let waiting = self.leaves.len();
        'moves: for place in base..last {
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
                        // The side to move must capture, so its position has no value of its own.
                        false if self.goes_on(&next) => {
                            let window = window.reversed(window.alpha.max(best.0));
                            let none = f32::NEG_INFINITY;
                            Some(-self.quiesce(&next, none, window, ply + 1, quiet_since, evaluator, budget))
                        }
                        false => None,
                    }
                }
            };
            if self.meter.stopped {
                break;
            }
            match known {
                Some(value) if value > best.0 => best = (value, mv),
                Some(_) => {}
                None => self.leaves.push((next, mv)),
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
                    let standing = judged(value);
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
                self.reward(game, best.1, 1, ply);
                break;
            }
        }
        self.leaves.truncate(waiting);
        best
    }

    /// Quiescence: the value of a position when captures are searched to their end. `standing` is the evaluation of the
    /// position, which the side to move can keep by making no capture; it is minus infinity if it must capture.
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
        let best = self.last_ply(game, base, (standing, first), window, ply, quiet_since, evaluator, budget);
        self.moves.truncate(base);
        best.0
    }

    /// The evaluation of a position, for its side to move.
    pub(super) fn evaluated<E: Evaluator<G>>(&mut self, game: &G, evaluator: &mut E) -> f32 {
        let mut value = [0.0];
        evaluator.values(std::slice::from_ref(game), &mut value);
        self.meter.nodes += 1;
        judged(value[0])
    }

    /// Whether a leaf must be searched deeper instead of being evaluated.
    #[inline]
    pub(super) fn goes_on(&self, game: &G) -> bool {
        self.selection.quiescence && game.must_capture()
    }
}
