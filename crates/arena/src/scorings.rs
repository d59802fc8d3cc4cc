//! Scorings: how records of games become scores. This file has the trait and the list of scorings.
//!
//! A scoring is one file in this folder and two lines in this one: its `mod` line, and its name in the list below.

mod exam;
mod points;

pub use exam::ExamScoring;
pub use points::Points;

use crate::GameRecord;
use crate::parts::parts;
use games::{Described, KeyError};

/// Turns the records of a generation into scores.
pub trait Scoring {
    /// The score of each entrant, by place; higher is better.
    fn scores(&self, entrants: usize, records: &[GameRecord]) -> Vec<f64>;

    /// Checks the parameters.
    fn checked(&self) -> Result<(), KeyError> {
        Ok(())
    }

    /// The key that turns sharing of points between entrants on, if it is on. A single network has nothing to share.
    fn sharing_key(&self) -> Option<&'static str> {
        None
    }
}

/// A description of a scoring, for lists and forms.
#[derive(Clone, Copy, Debug)]
pub struct ScoringInfo {
    /// The name that users type.
    pub name: &'static str,
    /// One sentence, which names the parameters.
    pub about: &'static str,
    /// Its parameters.
    pub keys: &'static [Described],
    /// Whether it counts perfect moves instead of results. It then needs a solver that knows every position.
    pub grades_moves: bool,
}

parts! {
    /// A scoring with all its parameters.
    ScoringConfig, Scoring, ScoringInfo:
    Points(Points),
    Exam(ExamScoring),
}

/// The place of the highest score; the lowest place among equal scores.
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
    use crate::parts::written;
    use games::Outcome;

    pub(super) fn record(first: u32, second: u32, outcome: Outcome) -> GameRecord {
        GameRecord { first, second, turns: 5, perfect: [3, 1], graded: [3, 2], outcome }
    }

    /// Names and keys are those of experiments.
    #[test]
    fn scorings_are_what_they_say() {
        for info in ScoringConfig::ALL {
            let config: ScoringConfig = serde_json::from_str(&written(info.name, info.keys)).unwrap();
            assert_eq!(config.info().name, info.name);
            assert_eq!(config.part().scores(2, &[record(0, 1, Outcome::Draw)]).len(), 2);
        }
    }

    #[test]
    fn the_champion_is_the_first_of_the_best() {
        assert_eq!(champion(&[1.0, 3.0, 2.0, 3.0]), 1);
        assert_eq!(champion(&[0.0]), 0);
    }
}
