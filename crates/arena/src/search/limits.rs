//! How a search looks ahead, when it stops, and which techniques it may use.

use std::sync::Arc;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The depth in plies, at least 1.
    pub depth: u32,
    /// The number of positions that may be visited. A search of depth 1 is always completed.
    pub nodes: u64,
    /// Where the exact search goes deeper because the side to move must capture.
    pub extend: Extend,
    /// How the search looks ahead.
    pub method: Method,
    /// The techniques of the selective search.
    pub selection: Selection,
    /// Whether the selective search keeps its transposition table from move to move of a game.
    pub keeps_table: bool,
    /// The size of the selective search's transposition table in bytes; 0 means the usual size.
    pub table_bytes: usize,
}

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// To the same depth everywhere: the value is that of minimax.
    #[default]
    Exact,
    /// Further where something happens, less far where nothing does.
    Selective,
}

impl Method {
    /// The names in configurations, in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["exact", "selective"];

    /// The name in configurations.
    pub fn name(self) -> &'static str {
        Method::NAMES[self as usize]
    }

    /// Returns the variant with this name.
    pub fn named(name: &str) -> Option<Method> {
        let place = Method::NAMES.iter().position(|known| *known == name)?;
        Some([Method::Exact, Method::Selective][place])
    }
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
        Limits {
            depth,
            nodes: u64::MAX,
            extend: Extend::Off,
            method: Method::Exact,
            selection: Selection::ALL,
            keeps_table: false,
            table_bytes: 0,
        }
    }

    /// These limits, and those of a budget.
    pub(super) fn within(self, budget: Option<&(dyn Budget + 'static)>) -> Limits {
        match budget {
            Some(budget) => Limits {
                depth: self.depth.min(budget.most_depth()).max(1),
                nodes: self.nodes.min(budget.most_nodes()),
                table_bytes: budget.table_bytes().unwrap_or(self.table_bytes),
                ..self
            },
            None => self,
        }
    }

    /// Changes how the search looks ahead.
    pub fn by(self, method: Method) -> Limits {
        Limits { method, ..self }
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
    /// The largest depth of the search that begins, in plies.
    fn most_depth(&self) -> u32 {
        MOST_DEPTH
    }
    /// The largest number of positions that the search that begins may visit.
    fn most_nodes(&self) -> u64 {
        u64::MAX
    }
    /// The indices of the only moves at the root that may be searched, in the order of legal moves; `None` means all.
    fn only(&self) -> Option<Arc<[usize]>> {
        None
    }
    /// The size of the selective search's transposition table in bytes; `None` means the usual size.
    fn table_bytes(&self) -> Option<usize> {
        None
    }
    /// Whether the caller wants to hear of every depth that is finished.
    fn hears(&self) -> bool {
        false
    }
    /// Called after every depth, if the caller wants to hear of it.
    fn hear(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// What a search has found at a depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The depth in plies.
    pub depth: u32,
    /// The largest distance from the root of a position that was visited, in plies.
    pub deepest: u32,
    /// The value of the position for the side to move.
    pub value: f32,
    /// The number of positions that were visited.
    pub nodes: u64,
    /// The moves that both sides are expected to make (principal variation), in the game's notation.
    pub line: Vec<String>,
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

/// The selective techniques. Each can be switched off to measure its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Captures are searched to their end below the last ply.
    pub quiescence: bool,
    /// A position in which the side to move could even pass is cut off after a shallow search.
    pub null_move: bool,
    /// Late quiet moves are searched less deep first.
    pub reductions: bool,
    /// Near the last ply, positions and quiet moves are cut off whose values are far from mattering (futility).
    pub margins: bool,
    /// Near the last ply, quiet moves that come very late are not searched.
    pub late_moves: bool,
    /// Captures that lose material come last, and are left out in quiescence.
    pub exchanges: bool,
    /// Moves after which the other side wins at once are refuted without a search, and threats of such a win are answered.
    pub threats: bool,
    /// Positions that a coarse evaluator gives the same value differ a little, by chance.
    pub ties: bool,
    /// Killer moves, answers and history order quiet moves.
    pub history: bool,
    /// The root is searched with a window around the last value first.
    pub aspiration: bool,
    /// Positions that were searched before are looked up.
    pub table: bool,
}

impl Selection {
    /// All techniques.
    pub const ALL: Selection = Selection {
        quiescence: true,
        null_move: true,
        reductions: true,
        margins: true,
        late_moves: true,
        exchanges: true,
        threats: true,
        ties: true,
        history: true,
        aspiration: true,
        table: true,
    };
    /// The names of the techniques, in the order of the fields.
    pub const NAMES: [&'static str; 11] = [
        "quiescence",
        "null-move",
        "reductions",
        "margins",
        "late-moves",
        "exchanges",
        "threats",
        "ties",
        "history",
        "aspiration",
        "transpositions",
    ];
    /// Only quiescence that follows all captures. TD-leaf learns with it.
    pub(crate) const ALL_CAPTURES: Selection = Selection {
        margins: false,
        late_moves: false,
        exchanges: false,
        threats: false,
        ties: false,
        ..Selection::ALL
    };

    /// A copy without the technique of this name; `None` if there is no such technique.
    pub fn without(mut self, name: &str) -> Option<Selection> {
        let Selection {
            quiescence,
            null_move,
            reductions,
            margins,
            late_moves,
            exchanges,
            threats,
            ties,
            history,
            aspiration,
            table,
        } = &mut self;
        let fields = [
            quiescence, null_move, reductions, margins, late_moves, exchanges, threats, ties, history, aspiration,
            table,
        ];
        let place = Selection::NAMES.iter().position(|known| *known == name)?;
        *fields.into_iter().nth(place)? = false;
        Some(self)
    }
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::ALL
    }
}
