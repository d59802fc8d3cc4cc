//! Games of other crates.

use crate::growth::HasPieces;
use crate::network_pictures::{Draw, LookInto};
use games::Game;

/// Makes a game of another crate known to trainings, and to all that lies below.
pub fn register<G: Game>() {
    players::register::<G>();
    HasPieces::add_game::<G>();
    Draw::add_game::<G>();
    LookInto::add_game::<G>();
}
