//! Whoever judges the positions at which a search stops.

use evolution::{LANES, Lanes, Network, Scratch};
use games::Game;

use crate::Seating;

/// Judges positions.
pub trait Evaluator<G: Game> {
    /// How many positions are best judged together.
    const BLOCK: usize;

    /// Values of up to [`Evaluator::BLOCK`] positions where the game goes on, each for its side to move. Any number will
    /// do: searches keep ends of games beyond all of them.
    fn values(&mut self, games: &[G], values: &mut [f32]);
}

/// Counts pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl<G: Game> Evaluator<G> for Material {
    const BLOCK: usize = 1;

    #[inline]
    fn values(&mut self, games: &[G], values: &mut [f32]) {
        for (game, value) in games.iter().zip(values) {
            *value = game.material().unwrap_or(0.0);
        }
    }
}

/// A network whose output is the value.
pub struct NetworkEvaluator<'a, G: Game> {
    seating: &'a Seating<G>,
    network: &'a Network,
    room: &'a mut Room,
}

/// Room for a network to think in, used again and again.
#[derive(Default)]
pub struct Room {
    pub(crate) scratch: Scratch,
    pub(crate) inputs: Vec<Lanes>,
    /// How many positions were judged here.
    pub(crate) judged: u64,
}

impl<'a, G: Game> NetworkEvaluator<'a, G> {
    /// The network must have the seating's shape, and one output.
    pub fn new(seating: &'a Seating<G>, network: &'a Network, room: &'a mut Room) -> NetworkEvaluator<'a, G> {
        NetworkEvaluator { seating, network, room }
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<'_, G> {
    const BLOCK: usize = LANES;

    fn values(&mut self, games: &[G], values: &mut [f32]) {
        let Room { scratch, inputs, judged } = &mut *self.room;
        self.seating.encode(games, inputs);
        let answers = &self.network.forward(inputs, scratch)[0];
        values.copy_from_slice(&answers[..games.len()]);
        *judged += games.len() as u64;
    }
}
