//! Exact knowledge of a game: who wins from a position with the best play, and how soon.

use super::{Game, SetupError};
use crate::Outcome;
use chance::Rng;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::Arc;

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
    /// Plies to the end, when the winner hurries and the loser delays; `None` where the solver knows the value alone,
    /// as where a draw has no end.
    pub distance: Option<u32>,
}

impl Verdict {
    /// Of a game that is over; `None` where it goes on.
    pub fn at_end<G: Game>(game: &G) -> Option<Verdict> {
        let value = match game.outcome()? {
            Outcome::Draw => Value::Drawn,
            Outcome::Win(side) if side == game.side_to_move() => Value::Won,
            Outcome::Win(_) => Value::Lost,
        };
        Some(Verdict { value, distance: Some(0) })
    }
}

/// Knows the truth about positions.
pub trait Solver<G: Game>: Send + Sync {
    /// The truth about one position, where it is known; also about one where the game is over, at distance 0.
    fn verdict(&self, game: &G) -> Option<Verdict>;

    /// Whether this legal move is perfect, or `None` where that cannot be told.
    ///
    /// A move is perfect when it keeps a win (however slowly) or a draw, or puts a defeat off as long as possible.
    fn perfect(&self, game: &G, mv: G::Move) -> Option<bool> {
        let now = self.verdict(game)?;
        let after = self.verdict(&game.after(mv))?;
        if now.value != Value::Lost {
            return Some(after.value.reversed() == now.value);
        }
        Some(after.distance? + 1 == now.distance?)
    }

    /// Whether an illegal attempt, which loses at once, is perfect: only where every move loses at once as well.
    fn illegal_perfect(&self, game: &G) -> Option<bool> {
        match self.verdict(game)? {
            Verdict { value: Value::Lost, distance } => Some(distance? == 1),
            _ => Some(false),
        }
    }
}

/// Makes a solver of endings that takes so long to work out that whoever can should keep it.
pub trait Endgames<G: Game>: Sync {
    /// What it is called when it is kept; another name whenever the bytes would be others.
    fn name(&self) -> &'static str;
    /// Works it out; `progress` hears of the share that is done, and says whether to go on. Nothing where it does not.
    fn build(&self, progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync)) -> Option<Vec<u8>>;
    /// How many bytes it is; no other number can be those that were built.
    fn size(&self) -> usize;
    /// The solver that bytes make; they are those that were built.
    fn open(&self, bytes: Vec<u8>) -> Arc<dyn Solver<G>>;
    /// What there is in it.
    fn endings(&self, bytes: &[u8]) -> Vec<Ending>;
    /// A position of an ending, any with the same chance.
    fn draw(&self, rng: &mut Rng) -> G;
    /// Whether what it knows is true under that setup, as one sentence when it is not.
    fn holds(&self, setup: &G::Setup) -> Result<(), SetupError> {
        let _ = setup;
        Ok(())
    }
    /// Whether it may know a position, told without its tables.
    fn may_know(&self, game: &G) -> bool;
    /// Which positions it knows, in words.
    fn about(&self) -> &'static str;
}

/// Which pieces are left, whose turn it is, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The pieces, the mover's first, as in `KRvK`.
    pub name: String,
    /// How many positions there are.
    pub positions: u64,
    /// In how many the mover wins.
    pub won: u64,
    /// In how many nobody does.
    pub drawn: u64,
    /// In how many the mover loses.
    pub lost: u64,
    /// Plies of the longest win.
    pub longest_won: u32,
    /// Plies of the longest defeat.
    pub longest_lost: u32,
}
