//! Scoring by exam: the score is the share of perfect moves, so that a solver teaches and not the results.

use super::{Scoring, ScoringInfo};
use crate::GameRecord;
use serde::{Deserialize, Serialize};

/// The score is the share of perfect turns, among those turns of an entrant that could be graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExamScoring {}

impl ExamScoring {
    pub(super) const INFO: ScoringInfo = ScoringInfo {
        name: "exam",
        about: "the share of perfect moves in the games played, according to a solver",
        keys: &[],
        grades_moves: true,
    };
}

impl Scoring for ExamScoring {
    fn scores(&self, entrants: usize, records: &[GameRecord]) -> Vec<f64> {
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
}

#[cfg(test)]
mod tests {
    use super::super::tests::record;
    use super::*;
    use games::Outcome;

    #[test]
    fn the_exam_counts_perfect_moves() {
        let records = [record(0, 1, Outcome::Draw), record(1, 0, Outcome::Draw)];
        assert_eq!(ExamScoring {}.scores(2, &records), [4.0 / 5.0, 4.0 / 5.0]);
    }
}
