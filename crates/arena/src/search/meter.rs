//! Counts the positions of a search, and says when the search must stop.

use super::limits::Budget;

/// The limits of time and stop buttons, as the functions of a search pass them on.
pub(super) type BudgetRef<'a, 'b> = &'a mut Option<&'b mut (dyn Budget + 'static)>;

/// The number of nodes between two checks of the budget.
const NODES_BETWEEN: u64 = 1024;

/// The number of positions that a search has visited, and its limit.
#[derive(Default)]
pub(super) struct Meter {
    pub nodes: u64,
    /// The number of nodes at which the search stops; 0 means that there is no limit.
    most: u64,
    /// The number of nodes at which the budget is checked next.
    asks_at: u64,
    /// Whether the search has been stopped. Its last results are then worthless.
    pub stopped: bool,
}

impl Meter {
    /// Limits the search to this number of nodes from now on. Depth 1 is searched without a limit.
    pub fn limit(&mut self, nodes: u64) {
        self.most = nodes.max(1);
    }

    /// Lets a search that may have been stopped visit this number of nodes more.
    pub fn go_on(&mut self, nodes: u64) {
        self.limit(self.nodes.saturating_add(nodes));
        self.stopped = false;
    }

    /// Whether the search must stop now. The budget is checked only if a move is known.
    #[inline]
    pub fn is_over(&mut self, is_move_known: bool, budget: BudgetRef) -> bool {
        let is_limited = self.most != 0 && self.most != u64::MAX;
        if !is_limited && budget.is_none() {
            return false;
        }
        let mut spent = false;
        if self.nodes >= self.asks_at && is_move_known {
            self.asks_at = self.nodes + NODES_BETWEEN;
            spent = budget.as_mut().is_some_and(|budget| budget.is_spent());
        }
        self.stopped |= spent || (is_limited && self.nodes > self.most);
        self.stopped
    }
}
