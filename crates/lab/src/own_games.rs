//! Registers games that other crates define.

use crate::growth::HasPieces;
use crate::network_pictures::{Draw, LookInto};
use games::Game;

/// Registers a game of another crate, so that it can be trained and played.
pub fn register<G: Game>() {
    players::register::<G>();
    HasPieces::add_game::<G>();
    Draw::add_game::<G>();
    LookInto::add_game::<G>();
}
