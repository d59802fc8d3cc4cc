//! Rules by which a game is drawn because of the moves before the position.

use crate::{Allowed, Described, OPEN, key};

/// The draw rules that need more than the position. A position does not know its past, so the code that plays a game
/// must do the counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// The number of plies after which the game is drawn.
    pub most_plies: u32,
    /// The game is drawn when a position comes up for this number of times; 0 switches the rule off. Positions can
    /// return after four plies at the earliest, because each side moves only its own pieces.
    pub repetitions: u8,
    /// The number of plies without [progress](crate::Game::is_progress) after which the game is drawn; 0 switches the
    /// rule off.
    pub quiet_plies: u32,
    /// Whether the game is drawn if the side to move [cannot move](crate::Game::is_blocked), although the position
    /// alone says that it loses.
    pub blocked_draws: bool,
}

impl DrawRules {
    /// The setup key for the number of plies after which a game is drawn.
    pub(crate) const MOST_PLIES: Described =
        key("most_plies", "number of plies after which the game is drawn", Allowed::Whole(1.0, OPEN));
    /// The setup key for the number of repetitions that draw a game.
    pub(crate) const REPETITIONS: Described = key(
        "repetitions",
        "number of times a position must come up to draw the game: 2 or more; 0 switches the rule off",
        Allowed::Whole(0.0, 255.0),
    );
    /// No draw rules besides the position itself.
    pub const NONE: DrawRules =
        DrawRules { most_plies: u32::MAX, repetitions: 0, quiet_plies: 0, blocked_draws: false };
}
