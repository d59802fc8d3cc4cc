//! What ends of games are worth within a search: more than any judgement, and sooner is better.

use games::{Outcome, Side};

/// The value of having won, less a ply's worth for each that it takes: sooner is better. Far above any judgement, and
/// whole numbers here are exact.
pub(super) const WON: f32 = 16_777_216.0;
/// Judgements stay within it.
pub(super) const MOST_JUDGED: f32 = WON / 2.0;

/// In how many plies a value is a win, or, below 0, a defeat; `None` where it is a judgement or a draw.
pub fn plies_to_end(value: f32) -> Option<i32> {
    let plies = (WON - value.abs()) as i32;
    (value.abs() > MOST_JUDGED).then_some(if value > 0.0 { plies } else { -plies })
}

/// What the end of a game is worth, so many plies ahead, to the side that would move.
pub(super) fn end_value(outcome: Outcome, mover: Side, ply: u32) -> f32 {
    match outcome {
        Outcome::Win(winner) if winner == mover => WON - ply as f32,
        Outcome::Win(_) => ply as f32 - WON,
        Outcome::Draw => 0.0,
    }
}

/// A judgement that stays below every win; what is no number is the worst of them.
#[inline]
pub(super) fn judged(value: f32) -> f32 {
    if value >= -MOST_JUDGED { value.min(MOST_JUDGED) } else { -MOST_JUDGED }
}

/// Wins and defeats told from another ply: values in the table count from their own position.
pub(super) fn shifted(value: f32, plies: f32) -> f32 {
    if value > MOST_JUDGED {
        value - plies
    } else if value < -MOST_JUDGED {
        value + plies
    } else {
        value
    }
}
