//! The exam of any player by name.

use crate::Error;
use crate::player_spec::{FoundPlayer, PlayerSpec, check_game, setup_for};
use arena::{Exam, Examiner};
use games::{Game, GameVisitor};
use std::path::Path;

/// Grades a player; the game must be named where the player does not say it.
pub fn examine(player: &PlayerSpec, game: Option<&str>, setup: &[String], runs: &Path) -> Result<Exam, Error> {
    let found = player.find(runs)?;
    let Some(name) = game.or(found.game()).map(str::to_string) else {
        return Err(Error::Refused(format!(
            "this player plays any game; say which with --game ({})",
            games::names().join(", ")
        )));
    };
    check_game(&name, &[&found])?;
    let visitor = Visitor { found: &found, setup };
    games::with_game(&name, visitor).ok_or_else(|| Error::unknown("game", &name, games::names()))?
}

struct Visitor<'a> {
    found: &'a FoundPlayer,
    setup: &'a [String],
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<Exam, Error>;

    fn visit<G: Game>(self) -> Result<Exam, Error> {
        let setup = setup_for::<G>(&[self.found], self.setup)?;
        let Some(examiner) = Examiner::<G>::new(&setup) else {
            return Err(Error::Refused(format!("there is no exam for {}: it cannot be solved here", G::NAME)));
        };
        let mut seated = self.found.seat::<G>(&setup)?;
        // A network may be asked about a smaller game than it was bred for, not about a larger one.
        seated.fits_starts(examiner.starts())?;
        Ok(examiner.examine(&mut *seated.player))
    }
}
