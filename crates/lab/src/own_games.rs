//! Games of other crates.

use crate::growth::{HasPieces, MeasuringPlies};
use crate::network_pictures::{Draw, LookInto};
use crate::training::{LookAtRun, Resume, Train};
use games::Game;

/// Makes a game of another crate known to trainings, and to all that lies below.
pub fn register<G: Game>() {
    players::register::<G>();
    HasPieces::add_game::<G>();
    MeasuringPlies::add_game::<G>();
    Draw::add_game::<G>();
    LookInto::add_game::<G>();
    LookAtRun::add_game::<G>();
    Resume::add_game::<G>();
    Train::add_game::<G>();
}
