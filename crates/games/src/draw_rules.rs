//! When a game is drawn because of more than its position.

use crate::{Allowed, Described, OPEN};

/// The rules that look at more than the position. A position does not know how it came about, so whoever lets a game be
/// played counts for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// After so many plies the game is drawn.
    pub most_plies: u32,
    /// A position that comes up so often draws; 0 means that none does. Positions return after four plies at the
    /// earliest, as they do wherever a side moves none but its own pieces.
    pub repetitions: u8,
    /// After so many plies without [progress](crate::Game::is_progress) the game is drawn; 0 means that it never is.
    pub quiet_plies: u32,
    /// Whether a side that [cannot move](crate::Game::is_blocked) draws, where the position says that it loses.
    pub blocked_draws: bool,
}

impl DrawRules {
    /// The key of a setup that says after how many plies a game is drawn.
    pub(crate) const MOST_PLIES: Described = Described {
        key: "most_plies",
        about: "after so many plies the game is drawn",
        allowed: Allowed::Whole(1.0, OPEN),
    };
    /// The key of a setup that says how often a position must come up.
    pub(crate) const REPETITIONS: Described = Described {
        key: "repetitions",
        about: "a position that comes up so often draws: 0, where none does, or from 2",
        allowed: Allowed::Whole(0.0, 255.0),
    };
    /// The position says it all.
    pub const NONE: DrawRules =
        DrawRules { most_plies: u32::MAX, repetitions: 0, quiet_plies: 0, blocked_draws: false };
}
