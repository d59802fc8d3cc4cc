//! Scoring by points for won, drawn and lost games.

use super::{Scoring, ScoringInfo};
use crate::GameRecord;
use games::{Allowed, KeyError, Outcome, Side, key};
use serde::{Deserialize, Serialize};

/// The points for each result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Points for a win.
    pub win: f64,
    /// Points for a draw.
    pub draw: f64,
    /// Points for a loss.
    pub loss: f64,
    /// Whether points won against an opponent are divided by the sum that all entrants won against it (competitive
    /// fitness sharing, Rosin and Belew 1997), so that beating an opponent that few others beat counts more. Negative
    /// points are not shared.
    pub sharing: bool,
}

const MOST_POINTS: f64 = 1e6;
const WORTH: Allowed = Allowed::Number(-MOST_POINTS, MOST_POINTS);

impl Points {
    /// A draw is half a win.
    pub const USUAL: Points = Points { win: 1.0, draw: 0.5, loss: 0.0, sharing: false };

    pub(super) const INFO: ScoringInfo = ScoringInfo {
        name: "points",
        about: "win, draw, loss: points of games; sharing = true: beating a network that few others beat counts more",
        keys: &[
            key("win", "points for a game won, above those for a draw", WORTH),
            key("draw", "points for a game drawn", WORTH),
            key("loss", "points for a game lost, not above those for a draw", WORTH),
            key(
                "sharing",
                "whether points won against an opponent are shared among all networks that won some",
                Allowed::Switch,
            ),
        ],
        grades_moves: false,
    };

    fn worth(&self, record: &GameRecord, side: Side) -> f64 {
        match record.outcome {
            Outcome::Win(winner) if winner == side => self.win,
            Outcome::Win(_) => self.loss,
            Outcome::Draw => self.draw,
        }
    }
}

impl Scoring for Points {
    fn scores(&self, entrants: usize, records: &[GameRecord]) -> Vec<f64> {
        let both = |record: &GameRecord| {
            [(Side::First, record.first, record.second), (Side::Second, record.second, record.first)]
        };
        let mut taken_from = vec![0.0; entrants];
        if self.sharing {
            for record in records {
                for (side, _, opponent) in both(record) {
                    taken_from[opponent as usize] += self.worth(record, side).max(0.0);
                }
            }
        }
        let mut points = vec![0.0; entrants];
        for record in records {
            for (side, place, opponent) in both(record) {
                let worth = self.worth(record, side);
                let shared = self.sharing && worth > 0.0;
                points[place as usize] += if shared { worth / taken_from[opponent as usize] } else { worth };
            }
        }
        points
    }

    fn checked(&self) -> Result<(), KeyError> {
        let &Points { win, draw, loss, .. } = self;
        let finite = [win, draw, loss].iter().all(|points| points.abs() <= MOST_POINTS);
        if !finite || win <= draw || draw < loss {
            let what = format!(
                "win {win}, draw {draw} and loss {loss}: win must be above draw, draw must not be below loss, \
                 and all must be from -1000000 to 1000000"
            );
            return Err(KeyError::new("win", what));
        }
        Ok(())
    }

    fn sharing_key(&self) -> Option<&'static str> {
        self.sharing.then_some("sharing")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::record;
    use super::*;

    #[test]
    fn wins_count_one_and_draws_half() {
        let (won, lost) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
        let records = [record(0, 1, won), record(1, 0, won), record(0, 2, lost), record(2, 1, Outcome::Draw)];
        assert_eq!(Points::USUAL.scores(3, &records), [1.0, 1.5, 1.5]);
        let draughts = Points { win: 2.0, draw: 0.0, loss: -1.0, sharing: false };
        assert_eq!(draughts.scores(3, &records), [2.0 - 1.0 - 1.0, -1.0 + 2.0, 2.0]);
    }

    #[test]
    fn sharing_pays_more_for_beating_the_strong() {
        let won = Outcome::Win(Side::First);
        // 3 is beaten by all others, 0 only by 2.
        let records = [record(0, 3, won), record(1, 3, won), record(2, 3, won), record(2, 0, won)];
        let shared = Points { sharing: true, ..Points::USUAL }.scores(4, &records);
        assert_eq!(shared[0], 1.0 / 3.0);
        assert_eq!(shared[2], 1.0 / 3.0 + 1.0);
        assert_eq!(shared[3], 0.0);
    }
}
