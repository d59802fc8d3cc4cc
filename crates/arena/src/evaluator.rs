//! Whoever judges the positions at which a search stops.

use games::Game;

/// Judges positions.
pub trait Evaluator<G: Game> {
    /// How many positions are best judged together: one where that costs as much, as then the next may not be needed.
    fn block(&self) -> usize;

    /// Values of up to [`LANES`](evolution::LANES) positions where the game goes on, each for its side to move. Any number will do: searches
    /// keep ends of games beyond all of them.
    fn values(&mut self, games: &[G], values: &mut [f32]);

    /// The same of positions that come after one and the same by a move each: that may be less work.
    fn values_after(&mut self, parent: &G, games: &[G], values: &mut [f32]) {
        let _ = parent;
        self.values(games, values);
    }
}

/// Counts pieces.
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
