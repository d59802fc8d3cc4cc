//! From records to scores.

use crate::GameRecord;
use games::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// What a score is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// Points of games.
    Points(Points),
    /// The objective grade: the share of perfect moves in the games played. The solver teaches, not the games.
    Exam {},
}

/// What games are worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// A game won.
    pub win: f64,
    /// A game drawn.
    pub draw: f64,
    /// A game lost.
    pub loss: f64,
    /// Whether points taken from an opponent are shared among all who took some.
    pub sharing: bool,
}

impl Points {
    /// A draw is half a win.
    pub const USUAL: Points = Points { win: 1.0, draw: 0.5, loss: 0.0, sharing: false };
}

/// Points of each entrant.
///
/// With `sharing`, the points taken from an opponent are divided by the sum that all took (competitive fitness sharing,
/// Rosin and Belew 1997): beating whom few others beat counts more. Points below 0 are not shared.
pub fn points(entrants: usize, records: &[GameRecord], table: &Points) -> Vec<f64> {
    let &Points { win, draw, loss, sharing } = table;
    let worth = |record: &GameRecord, side: Side| match record.outcome {
        Outcome::Win(winner) if winner == side => win,
        Outcome::Win(_) => loss,
        Outcome::Draw => draw,
    };
    let both =
        |record: &GameRecord| [(Side::First, record.first, record.second), (Side::Second, record.second, record.first)];
    let mut taken_from = vec![0.0; entrants];
    if sharing {
        for record in records {
            for (side, _, opponent) in both(record) {
                taken_from[opponent as usize] += worth(record, side).max(0.0);
            }
        }
    }
    let mut points = vec![0.0; entrants];
    for record in records {
        for (side, place, opponent) in both(record) {
            let worth = worth(record, side);
            let shared = sharing && worth > 0.0;
            points[place as usize] += if shared { worth / taken_from[opponent as usize] } else { worth };
        }
    }
    points
}

/// The share of perfect turns among those of each entrant that could be graded.
pub fn exam_points(entrants: usize, records: &[GameRecord]) -> Vec<f64> {
    let mut perfect = vec![0u64; entrants];
    let mut graded = vec![0u64; entrants];
    for record in records {
        for (side, place) in [record.first, record.second].into_iter().enumerate() {
            perfect[place as usize] += u64::from(record.perfect[side]);
            graded[place as usize] += u64::from(record.graded[side]);
        }
    }
    perfect.iter().zip(graded).map(|(&perfect, graded)| perfect as f64 / graded.max(1) as f64).collect()
}

/// The place of the highest score, the lowest place among equals.
pub fn champion(scores: &[f64]) -> usize {
    let mut best = 0;
    for (place, score) in scores.iter().enumerate() {
        if score.total_cmp(&scores[best]).is_gt() {
            best = place;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(first: u32, second: u32, outcome: Outcome) -> GameRecord {
        GameRecord { first, second, turns: 5, perfect: [3, 1], graded: [3, 2], outcome }
    }

    #[test]
    fn wins_count_one_and_draws_half() {
        let (won, lost) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
        let records = [record(0, 1, won), record(1, 0, won), record(0, 2, lost), record(2, 1, Outcome::Draw)];
        assert_eq!(points(3, &records, &Points::USUAL), [1.0, 1.5, 1.5]);
        let draughts = Points { win: 2.0, draw: 0.0, loss: -1.0, sharing: false };
        assert_eq!(points(3, &records, &draughts), [2.0 - 1.0 - 1.0, -1.0 + 2.0, 2.0]);
    }

    #[test]
    fn sharing_pays_more_for_beating_the_strong() {
        let won = Outcome::Win(Side::First);
        // 3 is beaten by all others, 0 by 2 alone.
        let records = [record(0, 3, won), record(1, 3, won), record(2, 3, won), record(2, 0, won)];
        let shared = points(4, &records, &Points { sharing: true, ..Points::USUAL });
        assert_eq!(shared[0], 1.0 / 3.0);
        assert_eq!(shared[2], 1.0 / 3.0 + 1.0);
        assert_eq!(shared[3], 0.0);
    }

    #[test]
    fn the_exam_counts_perfect_moves() {
        let records = [record(0, 1, Outcome::Draw), record(1, 0, Outcome::Draw)];
        assert_eq!(exam_points(2, &records), [4.0 / 5.0, 4.0 / 5.0]);
    }

    #[test]
    fn the_champion_is_the_first_of_the_best() {
        assert_eq!(champion(&[1.0, 3.0, 2.0, 3.0]), 1);
        assert_eq!(champion(&[0.0]), 0);
    }
}
