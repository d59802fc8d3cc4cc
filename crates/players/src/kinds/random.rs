//! `random`: any legal move.

use super::{KindInfo, PlayerKind};
use crate::Error;
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use games::Game;

/// Plays any legal move, all equally likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Random;

impl PlayerKind for Random {
    const INFO: KindInfo =
        KindInfo::plain("random", "any legal move, all equally likely", "Chance: any legal move", "chance");

    fn parse(_: &str, _: &mut SearchOptions) -> Result<Random, String> {
        Ok(Random)
    }

    fn seat<G: Game>(&self, _: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        Ok(Seated::anywhere(arena::Random))
    }
}
