//! Evaluators give values to the positions at which a search stops.

use games::Game;

/// Gives values to positions.
pub trait Evaluator<G: Game> {
    /// The number of positions that are best evaluated together. It is 1 if that is no faster, because the next
    /// position may not be needed.
    fn block(&self) -> usize;

    /// The values of up to [`LANES`](evolution::LANES) positions, each for its side to move; no game may be over.
    /// Values may be any numbers: searches keep wins and defeats beyond all of them.
    fn values(&mut self, games: &[G], values: &mut [f32]);

    /// Like [`Evaluator::values`] for positions that all come one move after `parent`; this may be less work.
    fn values_after(&mut self, parent: &G, games: &[G], values: &mut [f32]) {
        let _ = parent;
        self.values(games, values);
    }
}

/// Evaluates by material.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl<G: Game> Evaluator<G> for Material {
    fn block(&self) -> usize {
        1
    }

    #[inline]
    fn values(&mut self, games: &[G], values: &mut [f32]) {
        for (game, value) in games.iter().zip(values) {
            *value = game.material().unwrap_or(0.0);
        }
    }
}
