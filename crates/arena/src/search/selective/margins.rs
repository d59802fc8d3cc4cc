//! How much values change within a few plies: the scale of all margins. Evaluators have any scale, so the search learns
//! it from the values that it sees.

use games::Game;

/// What a search has seen of its evaluator's scale.
#[derive(Clone, Copy, Default)]
pub(super) struct Margins {
    /// Over captures: how much the value rose for the side that captured, and what the captured pieces were worth.
    risen: f64,
    material: f64,
    captures: u32,
    /// Over quiet moves: the sum of the sizes of changes.
    drift: f64,
    quiets: u32,
}

/// Margins need at least this number of captures and of quiet moves.
const LEAST_SEEN: u32 = 24;

/// The margin for a ply of depth, in men and in mean changes by a quiet move.
const MEN: f32 = 0.75;
const DRIFTS: f32 = 1.5;

impl Margins {
    /// Learns from a move: the value before it, for the side to move, and the value after it, for the same side.
    pub fn see<G: Game>(&mut self, game: &G, next: &G, before: f32, after: f32) {
        let (Some(had), Some(has)) = (game.material(), next.material()) else { return };
        let won = f64::from(-has - had);
        if won > 0.0 {
            self.risen += f64::from(after - before);
            self.material += won;
            self.captures += 1;
        } else if won == 0.0 {
            self.drift += f64::from((after - before).abs());
            self.quiets += 1;
        }
    }

    /// How much the value rises with material, or `None` if that is not known yet.
    pub fn by_material(&self) -> Option<f32> {
        let known = self.captures >= LEAST_SEEN && self.quiets >= LEAST_SEEN && self.risen > 0.0;
        known.then(|| (self.risen / self.material) as f32)
    }

    /// The change of value that is not to be expected within this number of plies without captures; `None` if the scale is
    /// not known yet.
    pub fn of<G: Game>(&self, plies: f32) -> Option<f32> {
        let man = self.by_material()? * G::MAN;
        let drift = (self.drift / f64::from(self.quiets)) as f32;
        Some(plies * (MEN * man + DRIFTS * drift))
    }
}
