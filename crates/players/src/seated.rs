//! A player that is ready for a game: what it is made from, and which positions it can play.

use crate::Error;
use crate::context::Context;
use crate::endgames::unknown_ending;
use crate::player_network::PlayerNetwork;
use crate::search_options::SearchOptions;
use arena::{Player, Starts, WithEndgames};
use chance::rng_for;
use games::{Game, Solver};
use std::sync::Arc;

/// Everything that a kind of players needs to make a player ready for a game.
pub struct SeatParams<'a, G: Game> {
    /// The setup of the games to be played.
    pub setup: &'a G::Setup,
    /// The search options that were given with the player's name.
    pub options: &'a SearchOptions,
    /// The player's network, as [`crate::PlayerKind::network`] read it; `None` for players without a network.
    pub network: Option<&'a PlayerNetwork>,
    /// The folders of files, and how players are told to stop searching.
    pub context: &'a Context<'a>,
}

/// A player that is ready for a game.
pub struct Seated<G: Game> {
    /// Chooses moves.
    pub player: Box<dyn Player<G>>,
    /// The player as people name it, for messages.
    name: String,
    /// The setup whose positions the player is limited to; `None` if it can play in every setup.
    setup: Option<G::Setup>,
    /// The solver whose positions the player is limited to; `None` if it needs no solver.
    solver: Option<Arc<dyn Solver<G>>>,
}

impl<G: Game> Seated<G> {
    /// A player that can play from any position.
    pub fn anywhere(player: impl Player<G> + 'static) -> Seated<G> {
        Seated { player: Box::new(player), name: "this player".to_string(), setup: None, solver: None }
    }

    /// The same player, with its name.
    pub(crate) fn named(self, name: &str) -> Seated<G> {
        Seated { name: name.to_string(), ..self }
    }

    /// The same player, limited to positions of this setup.
    pub fn only_in(self, setup: G::Setup) -> Seated<G> {
        Seated { setup: Some(setup), ..self }
    }

    /// The same player, limited to positions that this solver knows.
    pub fn only_where(self, solver: Arc<dyn Solver<G>>) -> Seated<G> {
        Seated { solver: Some(solver), ..self }
    }

    /// The same player, which plays from endgame tables where they know a better move.
    pub(crate) fn with_endgames(self, solver: Arc<dyn Solver<G>>) -> Seated<G> {
        Seated { player: Box::new(WithEndgames { player: self.player, solver }), ..self }
    }

    /// Returns an error if the player cannot play from one of these starts. If there are too many starts to list, 100
    /// random ones are checked.
    pub(crate) fn fits_starts(&self, starts: &Starts<G>) -> Result<(), Error> {
        match starts.listed() {
            Some(listed) => listed.iter().try_for_each(|start| self.fits(start)),
            None => (0..100).try_for_each(|number| self.fits(&starts.draw(&mut rng_for(0, &[number])))),
        }
    }

    /// Returns an error if the player cannot play from this position.
    pub(crate) fn fits(&self, game: &G) -> Result<(), Error> {
        if let Some(setup) = &self.setup {
            game.fits(setup).map_err(|error| Error::refused(format!("{} cannot play here: {error}", self.name)))?;
        }
        match &self.solver {
            Some(solver) if solver.verdict(game).is_none() => Err(unknown_ending(game)),
            _ => Ok(()),
        }
    }
}
