//! `first`: the first legal move.

use super::{KindInfo, PlayerKind};
use crate::Error;
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use games::Game;

/// Plays the first legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct First;

impl PlayerKind for First {
    const INFO: KindInfo =
        KindInfo::plain("first", "the first legal move", "The first legal move", "the first legal move");

    fn parse(_: &str, _: &mut SearchOptions) -> Result<First, String> {
        Ok(First)
    }

    fn seat<G: Game>(&self, _: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        Ok(Seated::anywhere(arena::First))
    }
}
