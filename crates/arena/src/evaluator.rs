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

    /// Whether it gives the same value to very many positions, because it only counts. A selective search then breaks ties.
    fn is_coarse(&self) -> bool {
        false
    }

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

    fn is_coarse(&self) -> bool {
        true
    }

    #[inline]
    fn values(&mut self, games: &[G], values: &mut [f32]) {
        for (game, value) in games.iter().zip(values) {
            *value = game.material().unwrap_or(0.0);
        }
    }
}

/// Evaluates by material and mobility: the number of legal moves, less those that the other side would have if it were to
/// move.
#[derive(Clone, Debug, Default)]
pub struct Mobility<M> {
    /// What a legal move is worth, as a part of the least piece.
    pub worth: f32,
    moves: Vec<M>,
}

impl<M> Mobility<M> {
    /// An evaluator to which a legal move is worth this part of the least piece.
    pub fn new(worth: f32) -> Mobility<M> {
        Mobility { worth, moves: Vec::new() }
    }
}

impl<G: Game> Evaluator<G> for Mobility<G::Move> {
    fn block(&self) -> usize {
        1
    }

    fn values(&mut self, games: &[G], values: &mut [f32]) {
        let mut moves = |game: &G| {
            self.moves.clear();
            game.legal_moves(&mut self.moves);
            self.moves.len() as f32
        };
        for (game, value) in games.iter().zip(values) {
            let more = moves(game) - game.passed().map_or(0.0, |passed| moves(&passed));
            *value = game.material().unwrap_or(0.0) + self.worth * G::MAN * more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::minichess::{Minichess, Step};

    #[test]
    fn mobility_counts_the_moves_of_both_sides() {
        let game: Minichess = "5k/6/6/6/6/K1R3 w".parse().unwrap();
        let value = |worth: f32| {
            let mut value = [0.0];
            Mobility::<Step>::new(worth).values(&[game], &mut value);
            value[0]
        };
        // The rook has nine moves and the king three; the other king has three.
        assert_eq!(value(0.0), game.material().unwrap());
        let more = (value(0.5) - value(0.0)) / (0.5 * Minichess::MAN);
        assert!((more - 9.0).abs() < 1e-3, "{more}");
    }
}
