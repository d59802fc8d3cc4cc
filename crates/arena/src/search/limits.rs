//! When a search stops, and what it may use to get there sooner.

/// When a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many plies it looks ahead, at least 1.
    pub depth: u32,
    /// How many positions it may visit; it always looks one ply ahead.
    pub nodes: u64,
    /// Where it looks on because the mover must capture.
    pub extend: Extend,
}

/// Where a search looks on because the mover must capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extend {
    /// Nowhere: so many plies, whatever they are.
    #[default]
    Off,
    /// Below the last ply: positions in which the mover must capture are not judged.
    Leaves,
    /// Everywhere: forced captures take no ply.
    Everywhere,
}

impl Extend {
    /// The words for them.
    pub const NAMES: [&'static str; 3] = ["off", "leaves", "everywhere"];

    /// By its word.
    pub fn named(name: &str) -> Option<Extend> {
        let place = Extend::NAMES.iter().position(|known| *known == name)?;
        Some([Extend::Off, Extend::Leaves, Extend::Everywhere][place])
    }
}

impl Limits {
    /// So many plies, whatever it takes.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth, nodes: u64::MAX, extend: Extend::Off }
    }

    /// The same, looking on there.
    pub fn extended(self, extend: Extend) -> Limits {
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
    /// Whether it may well be spent before the search is done, as a clock's is and a button's is not: then a search takes
    /// small steps, so as to have something to show.
    fn is_expected(&self) -> bool {
        true
    }
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
    /// What networks said of positions is remembered for as long as a game lasts, and their decisions, where they look but one
    /// ply ahead, for longer.
    pub memory: bool,
}

impl Techniques {
    /// All of them.
    pub const ALL: Techniques = Techniques { ordering: true, table: true, blocks: true, memory: true };
    /// Plain alpha-beta.
    pub const NONE: Techniques = Techniques { ordering: false, table: false, blocks: false, memory: false };
}
