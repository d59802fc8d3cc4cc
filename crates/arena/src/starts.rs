//! The starts of games: a list if a setup has few starts, otherwise starts are drawn by the game.

use chance::Rng;
use games::{Game, WeightedStarts};

/// The starting positions of a setup.
#[derive(Clone)]
pub enum Starts<G: Game> {
    /// Few enough to list.
    Listed {
        /// All starts.
        games: Vec<G>,
        /// The relative probabilities; `None` if all are equal.
        weights: Option<Vec<f64>>,
    },
    /// Too many to list.
    Drawn(G::Setup),
}

/// Longer lists of starts are not made.
const MOST_LISTED: usize = 1 << 16;

impl<G: Game> Starts<G> {
    /// The starts of a setup.
    pub fn new(setup: &G::Setup) -> Starts<G> {
        match G::starts(setup, MOST_LISTED) {
            Some(list) => Starts::listing(list),
            None => Starts::Drawn(setup.clone()),
        }
    }

    pub(crate) fn listing(list: WeightedStarts<G>) -> Starts<G> {
        let (games, weights): (Vec<G>, Vec<f64>) = list.into_iter().unzip();
        let even = weights.windows(2).all(|pair| pair[0] == pair[1]);
        Starts::Listed { games, weights: (!even).then_some(weights) }
    }

    /// All starts, if they are listed.
    pub fn listed(&self) -> Option<&[G]> {
        match self {
            Starts::Listed { games, .. } => Some(games),
            Starts::Drawn(_) => None,
        }
    }

    /// The relative probability of a listed start.
    pub fn weight(&self, place: usize) -> f64 {
        match self {
            Starts::Listed { weights: Some(weights), .. } => weights[place],
            _ => 1.0,
        }
    }

    /// Draws a start.
    pub fn draw(&self, rng: &mut Rng) -> G {
        match self {
            Starts::Listed { games, .. } => games[self.draw_place(rng)].clone(),
            Starts::Drawn(setup) => G::start(setup, rng),
        }
    }

    /// Draws a start and returns its place in the list. The starts must be listed.
    pub(crate) fn draw_place(&self, rng: &mut Rng) -> usize {
        match self {
            Starts::Listed { games, weights: None } => rng.below(games.len()),
            Starts::Listed { weights: Some(weights), .. } => {
                rng.weighted(weights).expect("some start has a weight above 0")
            }
            Starts::Drawn(_) => unreachable!("starts that are drawn have no places"),
        }
    }
}
