//! Decisions that were worked out before. Games of a generation begin alike, and a network does the same wherever it meets
//! a position, so that many decisions need no thought.

use crate::game_history::mix;
use crate::{Decision, GameHistory, PreparedNetwork};
use games::Game;

/// What networks decided, by network, position and plies left; later ones take the places of earlier ones.
pub(crate) struct DecisionCache<M> {
    entries: Vec<Option<Entry<M>>>,
}

#[derive(Clone, Copy)]
struct Entry<M> {
    key: u64,
    decision: Decision<M>,
    /// How many positions were judged for it.
    judged: u32,
}

impl<M: Copy> DecisionCache<M> {
    /// How many decisions are kept: those of a generation of fifty that looks one ply ahead.
    const ENTRIES: usize = 1 << 16;

    pub fn new() -> DecisionCache<M> {
        DecisionCache { entries: Vec::new() }
    }

    /// Under which key a decision is kept where so many of the plies that are left make a difference.
    pub fn key<G: Game<Move = M>>(prepared: &PreparedNetwork, history: &GameHistory<G>, plies: u32) -> u64 {
        let [left, _] = history.past().plies_left();
        mix(mix(history.game().key() ^ prepared.id) ^ u64::from(left.min(plies)))
    }

    /// What was decided, and how many positions were judged for it.
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
