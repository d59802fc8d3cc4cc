//! Values of finished games within a search: beyond every evaluation, and the sooner the better for the winner.

use games::{Outcome, Side};

/// The value of a win at the root. Each ply until the end takes 1 from it, so that a quicker win is better. All whole
/// numbers up to this one are exact in an `f32`.
pub(super) const WON: f32 = 16_777_216.0;
/// Evaluations are limited to this size.
pub(super) const MOST_JUDGED: f32 = WON / 2.0;

/// The number of plies to a win, or its negative for a defeat; `None` if the value is an evaluation or a draw.
pub fn plies_to_end(value: f32) -> Option<i32> {
    let plies = (WON - value.abs()) as i32;
    (value.abs() > MOST_JUDGED).then_some(if value > 0.0 { plies } else { -plies })
}

/// The value of a finished game, `ply` plies from the root, for the side that would be to move.
pub(super) fn end_value(outcome: Outcome, mover: Side, ply: u32) -> f32 {
    match outcome {
        Outcome::Win(winner) if winner == mover => WON - ply as f32,
        Outcome::Win(_) => ply as f32 - WON,
        Outcome::Draw => 0.0,
    }
}

/// Limits an evaluation so that it stays below every win; NaN becomes the lowest evaluation.
#[inline]
pub(super) fn judged(value: f32) -> f32 {
    if value >= -MOST_JUDGED { value.min(MOST_JUDGED) } else { -MOST_JUDGED }
}

/// Moves a win or a defeat by a number of plies: values in the table count from their own position, not from the root.
pub(super) fn shifted(value: f32, plies: f32) -> f32 {
    if value > MOST_JUDGED {
        value - plies
    } else if value < -MOST_JUDGED {
        value + plies
    } else {
        value
    }
}
