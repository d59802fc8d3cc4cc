//! Proves which material a side can win by force: plain alpha-beta search that never stops in the middle of an
//! exchange.

use games::Game;

/// The value of a win, which is more than all material.
pub const WON: f32 = 2.0;

/// A plain alpha-beta search, with one vector of moves as a stack.
pub struct Proof<'a, G: Game> {
    stack: Vec<G::Move>,
    /// The number of positions that may still be visited.
    left: u64,
    /// Called now and then to learn whether to give up.
    gives_up: &'a dyn Fn() -> bool,
}

impl<G: Game> Default for Proof<'_, G> {
    fn default() -> Self {
        Proof { stack: Vec::new(), left: u64::MAX, gives_up: &|| false }
    }
}

/// The number of positions between two calls of `gives_up`.
const ASKS_EVERY: u64 = 1024;

impl<'a, G: Game> Proof<'a, G> {
    /// A proof that gives up when this function returns true.
    pub fn patient(gives_up: &'a dyn Fn() -> bool) -> Proof<'a, G> {
        Proof { gives_up, ..Proof::default() }
    }

    /// Limits the number of positions that are visited from now on.
    pub fn limit(&mut self, positions: u64) {
        self.left = positions;
    }

    /// Whether the limit was reached or the proof gave up. Values since the limit was set then mean nothing.
    pub fn gave_up(&self) -> bool {
        self.left == 0
    }

    /// Counts a position, and returns whether to go on.
    fn goes_on(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left.is_multiple_of(ASKS_EVERY) && (self.gives_up)() {
            self.left = 0;
        }
        self.left > 0
    }

    /// The material that the side to move can force, or [`WON`] if it wins: all moves for `plies` plies, then captures,
    /// which a side may decline unless they are forced. The value is exact between `alpha` and `beta`, otherwise a
    /// bound.
    pub fn value(&mut self, game: &G, plies: u32, mut alpha: f32, beta: f32) -> f32 {
        if let Some(outcome) = game.outcome() {
            return WON * outcome.value_for(game.side_to_move());
        }
        if !self.goes_on() {
            return 0.0;
        }
        let mut best = f32::NEG_INFINITY;
        if plies == 0 {
            // A side that must capture cannot stop here.
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
