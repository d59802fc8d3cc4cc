//! What pieces can be won by force: plain alpha-beta that ends nowhere in the middle of an exchange.

use games::Game;

/// Above all material.
pub const WON: f32 = 2.0;

/// Searches by plain alpha-beta, with one vector of moves as a stack.
pub struct Proof<'a, G: Game> {
    stack: Vec<G::Move>,
    /// How many positions may still be looked at.
    left: u64,
    /// Asked now and then whether to give up.
    gives_up: &'a dyn Fn() -> bool,
}

impl<G: Game> Default for Proof<'_, G> {
    fn default() -> Self {
        Proof { stack: Vec::new(), left: u64::MAX, gives_up: &|| false }
    }
}

/// Whether to give up is asked once in so many positions.
const ASKS_EVERY: u64 = 1024;

impl<'a, G: Game> Proof<'a, G> {
    /// One that gives up when it is told to.
    pub fn patient(gives_up: &'a dyn Fn() -> bool) -> Proof<'a, G> {
        Proof { gives_up, ..Proof::default() }
    }

    /// From here on, no more than so many positions are looked at.
    pub fn limit(&mut self, positions: u64) {
        self.left = positions;
    }

    /// Whether that was not enough, or it was told to give up: then values since the limit was set mean nothing.
    pub fn gave_up(&self) -> bool {
        self.left == 0
    }

    /// Counts a position; whether there is one more to be looked at.
    fn goes_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left.is_multiple_of(ASKS_EVERY) && (self.gives_up)() {
            self.left = 0;
        }
        self.left > 0
    }

    /// The material that the mover can force, [`WON`] where it wins: so many plies of all moves, then captures for as
    /// long as a side likes, or must. Exact between alpha and beta; a bound beyond them.
    pub fn value(&mut self, game: &G, plies: u32, mut alpha: f32, beta: f32) -> f32 {
        if let Some(outcome) = game.outcome() {
            return WON * outcome.value_for(game.side_to_move());
        }
        if !self.goes_on() {
            return 0.0;
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
            let next = game.after(self.stack[place]);
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
