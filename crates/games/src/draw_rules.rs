//! When a game is drawn because of its past.

/// The rules that look at more than the position. A position does not know how it came about, so whoever lets a game be
/// played counts for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// After so many plies the game is drawn.
    pub most_plies: u32,
    /// A position that comes up so often draws; 0 means that none does. Positions return after four plies at the
    /// earliest, as they do wherever a side moves none but its own pieces.
    pub repetitions: u8,
}

impl DrawRules {
    /// Nothing in its past draws a game.
    pub const NONE: DrawRules = DrawRules { most_plies: u32::MAX, repetitions: 0 };
}
