//! `perfect`: the best move, if the game or the endgame is solved.

use super::{KindInfo, Needs, PlayerKind};
use crate::Error;
use crate::endgames::{broken_off, endgame_solver};
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use crate::solvers::solver_for;
use games::Game;
use std::sync::Arc;

/// Plays the best move wherever the game or the endgame is solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Perfect;

impl PlayerKind for Perfect {
    const INFO: KindInfo = KindInfo {
        needs: Needs::Solver,
        has_values: true,
        ..KindInfo::plain(
            "perfect",
            "the best move, if the game or the ending is solved",
            "Perfect play",
            "perfect play",
        )
    };

    fn parse(_: &str, _: &mut SearchOptions) -> Result<Perfect, String> {
        Ok(Perfect)
    }

    fn seat<G: Game>(&self, &SeatParams { setup, context, .. }: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        if let Some(solver) = solver_for::<G>(setup, &|| context.is_halted()) {
            return Ok(Seated::anywhere(arena::Perfect(solver)));
        }
        if let Some(solver) = endgame_solver::<G>(setup, context) {
            return Ok(Seated::anywhere(arena::Perfect(Arc::clone(&solver))).only_where(solver));
        }
        if context.is_halted() {
            return Err(broken_off::<G>());
        }
        let wrong_setup = G::ENDGAMES.and_then(|endgames| endgames.holds(setup).err());
        let why = wrong_setup.map_or("the game is not solved with this setup".to_string(), |error| error.to_string());
        Err(Error::refused(format!("`perfect` cannot play {}: {why}", G::NAME)))
    }
}
