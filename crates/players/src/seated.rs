//! A player at the table: what it is given when it takes its seat, and which positions it can play.

use crate::Error;
use crate::context::Context;
use crate::endgames::unknown_ending;
use crate::player_network::PlayerNetwork;
use crate::search_options::SearchOptions;
use arena::{Player, Starts, WithEndgames};
use chance::rng_for;
use games::{Game, Solver};
use std::sync::Arc;

/// What there is when a player takes its seat.
pub struct SeatParams<'a, G: Game> {
    /// The setup of the games to be played.
    pub setup: &'a G::Setup,
    /// The options behind the player's name.
    pub options: &'a SearchOptions,
    /// The player's network, as its kind has read it.
    pub network: Option<&'a PlayerNetwork>,
    /// Where files are, and what tells players to stop thinking.
    pub context: &'a Context<'a>,
}

/// A player that has taken its seat.
pub struct Seated<G: Game> {
    /// Chooses moves.
    pub player: Box<dyn Player<G>>,
    /// The setup whose positions it knows; `None` where it knows all.
    setup: Option<G::Setup>,
    /// The solver whose positions it knows; `None` where it knows all.
    solver: Option<Arc<dyn Solver<G>>>,
}

impl<G: Game> Seated<G> {
    /// A player that can play from any position.
    pub fn anywhere(player: impl Player<G> + 'static) -> Seated<G> {
        Seated { player: Box::new(player), setup: None, solver: None }
    }

    /// The same player, which knows only positions of this setup.
    pub fn only_in(self, setup: G::Setup) -> Seated<G> {
        Seated { setup: Some(setup), ..self }
    }

    /// The same player, which knows only positions that this solver knows.
    pub fn only_where(self, solver: Arc<dyn Solver<G>>) -> Seated<G> {
        Seated { solver: Some(solver), ..self }
    }

    /// The same player, with endgame tables that play where they know better.
    pub(crate) fn with_endgames(self, solver: Arc<dyn Solver<G>>) -> Seated<G> {
        Seated { player: Box::new(WithEndgames { player: self.player, solver }), ..self }
    }

    /// Whether it can play games of these starts: from every start, or from some where there are too many to list.
    pub(crate) fn fits_starts(&self, starts: &Starts<G>) -> Result<(), Error> {
        match starts.listed() {
            Some(listed) => listed.iter().try_for_each(|start| self.fits(start)),
            None => (0..100).try_for_each(|number| self.fits(&starts.draw(&mut rng_for(0, &[number])))),
        }
    }

    /// Whether it can play from that position.
    pub(crate) fn fits(&self, game: &G) -> Result<(), Error> {
        if let Some(setup) = &self.setup {
            game.fits(setup).map_err(|error| Error::refused(error.to_string()))?;
        }
        match &self.solver {
            Some(solver) if solver.verdict(game).is_none() => Err(unknown_ending(game)),
            _ => Ok(()),
        }
    }
}
