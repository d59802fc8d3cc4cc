//! Exact knowledge of a game: who wins from a position with best play, and after how many plies.

use super::{Game, SetupError};
use crate::Outcome;
use chance::Rng;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The value of a position for the side to move, with best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The side to move loses.
    Lost,
    /// Neither side can force a win.
    Drawn,
    /// The side to move wins.
    Won,
}

impl Value {
    /// The value for the other side.
    pub fn reversed(self) -> Value {
        match self {
            Value::Lost => Value::Won,
            Value::Drawn => Value::Drawn,
            Value::Won => Value::Lost,
        }
    }
}

/// What a solver knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The value for the side to move.
    pub value: Value,
    /// The number of plies to the end, if the winner hurries and the loser delays; `None` if the solver knows only the
    /// value, for example because a draw has no end.
    pub distance: Option<u32>,
}

impl Verdict {
    /// The verdict on a position in which the game is over; `None` if the game goes on.
    pub fn at_end<G: Game>(game: &G) -> Option<Verdict> {
        let value = match game.outcome()? {
            Outcome::Draw => Value::Drawn,
            Outcome::Win(side) if side == game.side_to_move() => Value::Won,
            Outcome::Win(_) => Value::Lost,
        };
        Some(Verdict { value, distance: Some(0) })
    }
}

/// Knows the exact value of positions.
pub trait Solver<G: Game>: Send + Sync {
    /// The verdict on a position, or `None` if the solver does not know it. If the game is over, the distance is 0.
    fn verdict(&self, game: &G) -> Option<Verdict>;

    /// Whether this legal move is perfect, or `None` if the solver cannot say.
    ///
    /// A move is perfect if it keeps a win (however slowly) or a draw, or delays a defeat as long as possible.
    fn perfect(&self, game: &G, mv: G::Move) -> Option<bool> {
        let now = self.verdict(game)?;
        let after = self.verdict(&game.after(mv))?;
        if now.value != Value::Lost {
            return Some(after.value.reversed() == now.value);
        }
        Some(after.distance? + 1 == now.distance?)
    }

    /// Whether an illegal attempt, which loses at once, is perfect: only if every legal move loses at once, too.
    fn illegal_perfect(&self, game: &G) -> Option<bool> {
        match self.verdict(game)? {
            Verdict { value: Value::Lost, distance } => Some(distance? == 1),
            _ => Some(false),
        }
    }
}

/// Computes endgame tables. This takes long, so the caller should save the bytes.
pub trait Endgames<G: Game>: Sync {
    /// The name under which the tables are saved. It must change whenever the bytes change.
    fn name(&self) -> &'static str;
    /// Computes the tables. `progress` receives the finished share and returns whether to go on; if it stops the work,
    /// the result is `None`.
    fn build(&self, progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync)) -> Option<Vec<u8>>;
    /// The number of bytes of the tables. Saved bytes of any other length are invalid.
    fn size(&self) -> usize;
    /// A solver that uses the bytes of [`Endgames::build`].
    fn open(&self, bytes: Vec<u8>) -> Arc<dyn Solver<G>>;
    /// A summary of each ending in the tables.
    fn endings(&self, bytes: &[u8]) -> Vec<Ending>;
    /// A random position from the tables; all are equally likely.
    fn draw(&self, rng: &mut Rng) -> G;
    /// Checks that the tables are correct under `setup`; the error says in one sentence why they are not.
    fn holds(&self, setup: &G::Setup) -> Result<(), SetupError> {
        let _ = setup;
        Ok(())
    }
    /// Whether the tables may contain this position, without reading the tables.
    fn may_know(&self, game: &G) -> bool;
    /// Which positions the tables contain, in words.
    fn about(&self) -> &'static str;
}

/// The statistics of one ending, given by its pieces and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The pieces, the mover's first, as in `KRvK`.
    pub name: String,
    /// The number of positions.
    pub positions: u64,
    /// The number of positions in which the mover wins.
    pub won: u64,
    /// The number of drawn positions.
    pub drawn: u64,
    /// The number of positions in which the mover loses.
    pub lost: u64,
    /// The number of plies of the longest win.
    pub longest_won: u32,
    /// The number of plies of the longest defeat.
    pub longest_lost: u32,
}
