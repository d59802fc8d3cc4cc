//! What a search finds.

use super::limits::Progress;
use super::meter::BudgetRef;
use super::transpositions::Transpositions;
use games::Game;
use std::fmt::Display;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M> {
    /// The best move.
    pub mv: M,
    /// The value of the position for the side to move.
    pub value: f32,
    /// The depth that was searched, in plies.
    pub depth: u32,
    /// The number of positions that were visited.
    pub nodes: u64,
    /// The largest distance from the root of a position that was visited, in plies.
    pub deepest: u32,
}

/// Moves, each with its value for the side that makes it.
pub type ValuedMoves<M> = Vec<(M, f32)>;

impl<M: Copy + PartialEq + Display> Found<M> {
    /// Tells a budget about this result, if it wants to hear of it.
    pub(super) fn tell<G: Game<Move = M>>(&self, game: &G, table: &Transpositions<M>, budget: BudgetRef) {
        let Some(budget) = budget.as_mut().filter(|budget| budget.hears()) else { return };
        let line = table.line(game, self.mv, self.depth as usize);
        budget.hear(&Progress {
            depth: self.depth,
            deepest: self.deepest,
            value: self.value,
            nodes: self.nodes,
            line: line.iter().map(|mv| mv.to_string()).collect(),
        });
    }
}
