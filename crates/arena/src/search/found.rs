//! What a search finds.

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
