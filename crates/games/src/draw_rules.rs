//! When a game is drawn because of more than its position.

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
    /// The position says it all.
    pub const NONE: DrawRules =
        DrawRules { most_plies: u32::MAX, repetitions: 0, quiet_plies: 0, blocked_draws: false };
}
