//! One move within a search.

use super::ends::end_value;
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
