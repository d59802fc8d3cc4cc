//! Suites: sets of test positions that ask for the same thing.

use serde::{Deserialize, Serialize};

/// A set of test positions that all ask for the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Suite {
    /// The other side threatens to win at once; the answer prevents it.
    #[serde(rename = "sk")]
    SaveKing,
    /// A move wins at once; the answer is that move.
    #[serde(rename = "mk")]
    TakeKing,
    /// Pieces can be captured; the answer loses as little as possible.
    #[serde(rename = "sp")]
    SavePieces,
    /// Captures of different value are free; the answer is the best of them.
    #[serde(rename = "mp")]
    TakePieces,
    /// One move wins a man by force and is not a capture itself.
    #[serde(rename = "quiet")]
    QuietShot,
    /// One of several captures wins a man by force.
    #[serde(rename = "captures")]
    CapturingShot,
}

impl Suite {
    /// The tests of Sebastianelli (2024), in his order. "King" means any piece whose capture ends the game.
    pub const KINGS_AND_PIECES: &'static [Suite] =
        &[Suite::SaveKing, Suite::TakeKing, Suite::SavePieces, Suite::TakePieces];
    /// Combinations that win a man, for games in which captures are forced.
    pub const SHOTS: &'static [Suite] = &[Suite::QuietShot, Suite::CapturingShot];

    /// The short name.
    pub fn name(self) -> &'static str {
        match self {
            Suite::SaveKing => "sk",
            Suite::TakeKing => "mk",
            Suite::SavePieces => "sp",
            Suite::TakePieces => "mp",
            Suite::QuietShot => "quiet",
            Suite::CapturingShot => "captures",
        }
    }

    /// The names of several suites, separated by commas.
    pub fn names(suites: &[Suite]) -> String {
        suites.iter().map(|suite| suite.name()).collect::<Vec<_>>().join(", ")
    }

    /// What the suite asks for, in words.
    pub fn about(self) -> &'static str {
        match self {
            Suite::SaveKing => "save the king",
            Suite::TakeKing => "capture the king",
            Suite::SavePieces => "save pieces by value",
            Suite::TakePieces => "capture pieces by value",
            Suite::QuietShot => "win a man by a quiet move",
            Suite::CapturingShot => "win a man by capturing",
        }
    }

    /// What a player did in solved positions, in words.
    pub fn solved(self) -> &'static str {
        match self {
            Suite::SaveKing => "kings saved",
            Suite::TakeKing => "kings captured",
            Suite::SavePieces => "pieces saved",
            Suite::TakePieces => "pieces captured",
            Suite::QuietShot => "quiet shots found",
            Suite::CapturingShot => "captures found",
        }
    }

    /// The points for solving the whole suite; `None` if every position counts the same.
    pub fn points(self) -> Option<f64> {
        match self {
            Suite::SaveKing | Suite::TakeKing => Some(10.0),
            Suite::SavePieces | Suite::TakePieces => Some(5.0),
            Suite::QuietShot | Suite::CapturingShot => None,
        }
    }
}
