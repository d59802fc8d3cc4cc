//! Registers games of other crates.

use crate::any_trainer::{CreatePartPlayer, CreateTrainer, RestoreTrainer};
use crate::catalogue::{EncodersOf, EntryOf, InfoOf};
use crate::descriptions::SetupKeys;
use crate::experiment::Decode;
use games::Game;

/// Makes a game of another crate available to experiments.
pub fn register<G: Game>() {
    games::register::<G>();
    EncodersOf::add_game::<G>();
    EntryOf::add_game::<G>();
    InfoOf::add_game::<G>();
    Decode::add_game::<G>();
    CreateTrainer::add_game::<G>();
    RestoreTrainer::add_game::<G>();
    CreatePartPlayer::add_game::<G>();
    SetupKeys::add_game::<G>();
}
