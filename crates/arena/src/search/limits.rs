//! When a search stops, and what it may use to get there sooner.

/// When a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many plies it looks ahead, at least 1.
    pub depth: u32,
    /// How many positions it may visit; it always looks one ply ahead.
    pub nodes: u64,
    /// Whether positions in which the mover must capture are not judged: then it looks on until nobody must.
    pub extend: bool,
}

impl Limits {
    /// So many plies, whatever it takes.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, extend: false }
    }

    /// The same, looking on where the mover must capture or not.
    pub fn extended(self, extend: bool) -> Limits {
        Limits { extend, ..self }
    }
}

/// The most plies that can be asked for.
pub const MOST_DEPTH: u32 = 64;

/// A limit that the caller knows: a clock, a button.
pub trait Budget: Send {
    /// A search begins.
    fn begin(&mut self);
    /// Whether it should stop now.
    fn is_spent(&mut self) -> bool;
}

/// What makes the search fast; all can be switched off, to measure what each gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Promising moves first.
    pub ordering: bool,
    /// Positions that were searched before are looked up.
    pub table: bool,
    /// Positions at the bottom are judged in blocks, where the evaluator likes that.
    pub blocks: bool,
    /// What networks said of positions is remembered for as long as a game lasts.
    pub memory: bool,
}

impl Techniques {
    /// All of them.
    pub const ALL: Techniques = Techniques { ordering: true, table: true, blocks: true, memory: true };
    /// Plain alpha-beta.
    pub const NONE: Techniques = Techniques { ordering: false, table: false, blocks: false, memory: false };
}
