//! Exact knowledge of a game: who wins from a position with the best play, and how soon.

use crate::Game;

/// What a position is worth to the side to move, with the best play of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The side to move loses.
    Lost,
    /// Nobody can win.
    Drawn,
    /// The side to move wins.
    Won,
}

impl Value {
    /// The same for the other side.
    pub fn reversed(self) -> Value {
        match self {
            Value::Lost => Value::Won,
            Value::Drawn => Value::Drawn,
            Value::Won => Value::Lost,
        }
    }
}

/// What a solver knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who wins.
    pub value: Value,
    /// Plies to the end, when the winner hurries and the loser delays; `None` where the solver knows the value alone.
    pub distance: Option<u32>,
}

/// Knows the truth about positions.
pub trait Solver<G: Game>: Send + Sync {
    /// The truth about one position; also about one where the game is over, at distance 0.
    fn verdict(&self, game: &G) -> Verdict;

    /// Whether this legal move is perfect, or `None` where that cannot be told.
    ///
    /// A move is perfect when it keeps a win (however slowly) or a draw, or puts a defeat off as long as possible.
    fn perfect(&self, game: &G, mv: G::Move) -> Option<bool> {
        let verdict_after = |mv| {
            let mut next = game.clone();
            next.play(mv);
            self.verdict(&next)
        };
        let now = self.verdict(game);
        let after = verdict_after(mv);
        if now.value != Value::Lost {
            return Some(after.value.reversed() == now.value);
        }
        Some(after.distance? + 1 == now.distance?)
    }

    /// Whether an illegal attempt, which loses at once, is perfect: only where every move loses at once as well.
    fn illegal_perfect(&self, game: &G) -> Option<bool> {
        match self.verdict(game) {
            Verdict { value: Value::Lost, distance } => Some(distance? == 1),
            _ => Some(false),
        }
    }
}
