//! When a search stops, and which techniques it may use.

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth in plies, at least 1.
    pub depth: u32,
    /// The number of positions that may be visited. A search of depth 1 is always completed.
    pub nodes: u64,
    /// Where the search goes deeper because the side to move must capture.
    pub extend: Extend,
}

/// Where a search goes deeper because the side to move must capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extend {
    /// Nowhere: the depth is the same for all moves.
    #[default]
    Off,
    /// Only at leaves: positions in which the side to move must capture are searched on instead of evaluated.
    Leaves,
    /// Everywhere: forced captures do not count as plies.
    Everywhere,
}

impl Extend {
    /// The names in configurations, in the order of the variants.
    pub const NAMES: [&'static str; 3] = ["off", "leaves", "everywhere"];

    /// Returns the variant with this name.
    pub fn named(name: &str) -> Option<Extend> {
        let place = Extend::NAMES.iter().position(|known| *known == name)?;
        Some([Extend::Off, Extend::Leaves, Extend::Everywhere][place])
    }
}

impl Limits {
    /// Only the depth is limited.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, extend: Extend::Off }
    }

    /// Changes where the search goes deeper.
    pub fn extended(self, extend: Extend) -> Limits {
        Limits { extend, ..self }
    }
}

/// The largest depth that can be asked for.
pub const MOST_DEPTH: u32 = 64;

/// A limit that only the caller knows, such as a clock or a stop button.
pub trait Budget: Send {
    /// Called when a search begins.
    fn begin(&mut self);
    /// Whether the search must stop now.
    fn is_spent(&mut self) -> bool;
    /// Whether the budget is likely to end the search, as a clock does and a stop button does not. The search then
    /// deepens in small steps, so that it has a result at any time.
    fn is_expected(&self) -> bool {
        true
    }
}

/// What makes the search fast. Each technique can be switched off to measure its gain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Promising moves are searched first.
    pub ordering: bool,
    /// Transposition table: positions that were searched before are looked up.
    pub table: bool,
    /// Leaves are evaluated in blocks, if the evaluator supports that.
    pub blocks: bool,
    /// Values that networks give are remembered for the length of a game. Decisions of networks that look at most one
    /// ply ahead are remembered for longer, in the decision cache.
    pub memory: bool,
}

impl Techniques {
    /// All of them.
    pub const ALL: Techniques = Techniques { ordering: true, table: true, blocks: true, memory: true };
    /// None of them: plain alpha-beta.
    pub const NONE: Techniques = Techniques { ordering: false, table: false, blocks: false, memory: false };
}
