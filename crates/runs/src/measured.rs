//! What is measured of a run after it was bred: its last champion's matches, and strengths on one scale.

use arena::{MatchScore, Rating};
use serde::{Deserialize, Serialize};

/// The result of a match, for its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MatchResult {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Share of the points, from 0 to 1.
    pub score: f64,
    /// The difference in Elo's points; none at 0 or 100 %.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// Games played.
    pub games: u32,
    /// Whether it was broken off.
    #[serde(skip)]
    pub interrupted: bool,
}

impl MatchResult {
    /// What such a score says.
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
    /// Of which generation.
    pub generation: u64,
    /// How strong, where `random` is 0.
    #[serde(flatten)]
    pub rating: Rating,
}

/// The strength of a player that learns nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RatedYardstick {
    /// The player.
    pub player: String,
    /// How strong, where `random` is 0.
    #[serde(flatten)]
    pub rating: Rating,
}

/// Strengths on one scale, as they are kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Ratings {
    /// Champions through time.
    pub champions: Vec<RatedChampion>,
    /// Players that learn nothing, `random` first.
    pub yardsticks: Vec<RatedYardstick>,
    /// How many plies champions looked ahead; nothing where they played as they were bred.
    pub depth: Option<u32>,
    /// How many games each two played.
    pub games_each: u32,
}

/// A match of the last champion.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Final {
    /// Against whom: a player, or an earlier generation's champion.
    pub opponent: String,
    /// How it came out for the last champion.
    #[serde(flatten)]
    pub result: MatchResult,
}
