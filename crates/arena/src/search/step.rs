//! The moves at the root of a search, and one move within it.

use super::ends::end_value;
use super::limits::Budget;
use crate::game_history::{Mark, Past};
use games::Game;

/// Makes a move, `ply` plies from the root. Returns the value for the side that moved if the game is then over, otherwise
/// the mark to return to; and the position after the move.
pub(super) fn step<G: Game>(past: &mut Past, game: &G, mv: G::Move, ply: u32) -> (Result<f32, Mark>, G) {
    let mut next = game.clone();
    next.play(mv);
    if let Some(outcome) = past.outcome(&next) {
        return (Ok(-end_value(outcome, next.side_to_move(), ply + 1)), next);
    }
    let progress = past.remembers() && game.is_progress(mv);
    let mark = past.enter(&next, progress);
    if past.is_draw() {
        past.leave(mark);
        return (Ok(0.0), next);
    }
    (Err(mark), next)
}

/// Lists the moves that a search considers at its root: all legal moves, or those that the budget allows.
pub(super) fn root_moves<G: Game>(game: &G, budget: Option<&(dyn Budget + 'static)>, moves: &mut Vec<G::Move>) {
    moves.clear();
    game.legal_moves(moves);
    let Some(only) = budget.and_then(Budget::only) else { return };
    let allowed: Vec<G::Move> = only.iter().filter_map(|number| moves.get(*number).copied()).collect();
    if !allowed.is_empty() {
        *moves = allowed;
    }
}
