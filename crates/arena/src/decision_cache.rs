//! The decision cache: decisions that were computed before. Games of a generation begin alike, and a network decides
//! the same way whenever it meets a position, so that many decisions can be looked up.

use crate::game_history::mix;
use crate::{Decision, GameHistory, PreparedNetwork};
use games::Game;

/// Decisions by network, position and plies left. New entries overwrite older ones.
pub(crate) struct DecisionCache<M> {
    entries: Vec<Option<Entry<M>>>,
}

#[derive(Clone, Copy)]
struct Entry<M> {
    key: u64,
    decision: Decision<M>,
    /// The number of positions that were evaluated for the decision.
    judged: u32,
}

impl<M: Copy> DecisionCache<M> {
    /// The number of entries: enough for a generation of fifty networks that look one ply ahead.
    const ENTRIES: usize = 1 << 16;

    pub fn new() -> DecisionCache<M> {
        DecisionCache { entries: Vec::new() }
    }

    /// The key of a decision. If more than `plies` plies are left, their number makes no difference.
    pub fn key<G: Game<Move = M>>(prepared: &PreparedNetwork, history: &GameHistory<G>, plies: u32) -> u64 {
        let [left, _] = history.past().plies_left();
        mix(mix(history.game().key() ^ prepared.id) ^ u64::from(left.min(plies)))
    }

    /// The decision, and the number of positions that were evaluated for it.
    #[inline]
    pub fn get(&self, key: u64) -> Option<(Decision<M>, u32)> {
        let entry = (*self.entries.get(key as usize % DecisionCache::<M>::ENTRIES)?)?;
        (entry.key == key).then_some((entry.decision, entry.judged))
    }

    pub fn keep(&mut self, key: u64, decision: Decision<M>, judged: u32) {
        if self.entries.is_empty() {
            self.entries.resize(DecisionCache::<M>::ENTRIES, None);
        }
        self.entries[key as usize % DecisionCache::<M>::ENTRIES] = Some(Entry { key, decision, judged });
    }
}
