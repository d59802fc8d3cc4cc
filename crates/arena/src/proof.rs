//! What pieces can be won by force: plain alpha-beta that ends nowhere in the middle of an exchange.

use games::Game;

/// Above all material.
pub const WON: f32 = 2.0;

/// Searches by plain alpha-beta, with one vector of moves as a stack.
pub struct Proof<G: Game> {
    stack: Vec<G::Move>,
}

impl<G: Game> Default for Proof<G> {
    fn default() -> Proof<G> {
        Proof { stack: Vec::new() }
    }
}

impl<G: Game> Proof<G> {
    /// The material that the mover can force, [`WON`] where it wins: so many plies of all moves, then captures for as
    /// long as a side likes, or must. Exact between alpha and beta; a bound beyond them.
    pub fn value(&mut self, game: &G, plies: u32, mut alpha: f32, beta: f32) -> f32 {
        if let Some(outcome) = game.outcome() {
            return WON * outcome.value_for(game.side_to_move());
        }
        let mut best = f32::NEG_INFINITY;
        if plies == 0 {
            // Who must capture cannot leave it at that.
            if !game.must_capture() {
                best = game.material().unwrap_or(0.0);
            }
            alpha = alpha.max(best);
            if best >= beta {
                return best;
            }
        }
        let base = self.stack.len();
        game.legal_moves(&mut self.stack);
        if plies == 0 {
            let mut kept = base;
            for place in base..self.stack.len() {
                if game.promise(self.stack[place]) > 0 {
                    self.stack.swap(kept, place);
                    kept += 1;
                }
            }
            self.stack.truncate(kept);
        }
        self.stack[base..].sort_unstable_by_key(|&mv| std::cmp::Reverse((game.promise(mv), G::move_slot(mv))));
        for place in base..self.stack.len() {
            let mut next = game.clone();
            next.play(self.stack[place]);
            best = best.max(-self.value(&next, plies.saturating_sub(1), -beta, -alpha));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        best
    }
}
