//! The results of measurements after the training of a run: matches of its last champion, and strengths on one Elo
//! scale.

use arena::{MatchScore, Rating};
use serde::{Deserialize, Serialize};

/// The result of a match, for its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MatchResult {
    /// The number of games won.
    pub wins: u32,
    /// The number of games drawn.
    pub draws: u32,
    /// The number of games lost.
    pub losses: u32,
    /// The share of points, from 0 to 1.
    pub score: f64,
    /// The difference in Elo; `None` at 0 or 100 %.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end of the 95 % interval.
    pub elo_high: Option<f64>,
    /// The number of games played.
    pub games: u32,
    /// Whether the match was interrupted.
    #[serde(skip)]
    pub interrupted: bool,
}

impl MatchResult {
    /// The result with this score.
    pub fn new(score: &MatchScore, interrupted: bool) -> MatchResult {
        let rating = score.rating();
        MatchResult {
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            score: score.share(),
            elo: rating.elo,
            elo_low: rating.low,
            elo_high: rating.high,
            games: score.games(),
            interrupted,
        }
    }
}

/// A champion's strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RatedChampion {
    /// The champion's generation.
    pub generation: u64,
    /// Its strength in Elo; `random` has 0.
    #[serde(flatten)]
    pub rating: Rating,
}

/// The strength of a yardstick: a player that does not learn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RatedYardstick {
    /// The player's name.
    pub player: String,
    /// Its strength in Elo; `random` has 0.
    #[serde(flatten)]
    pub rating: Rating,
}

/// Strengths on one Elo scale, as they are saved in a run file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ratings {
    /// Champions of several generations.
    pub champions: Vec<RatedChampion>,
    /// Players that do not learn, `random` first.
    pub yardsticks: Vec<RatedYardstick>,
    /// The number of plies that champions looked ahead; `None` if they played as they were bred.
    pub depth: Option<u32>,
    /// The number of games between each two players.
    pub games_each: u32,
}

/// A match of the last champion.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Final {
    /// The opponent: a player, or the champion of an earlier generation.
    pub opponent: String,
    /// The result for the last champion.
    #[serde(flatten)]
    pub result: MatchResult,
}
