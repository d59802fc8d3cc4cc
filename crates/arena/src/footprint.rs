//! Estimates how much memory the games of a generation use, before they are played.

use crate::tournament::GameRecord;
use crate::{Atlas, Conditions, Entrant, GameHistory, Pairing, Seating, Starts};
use games::{DrawRules, Game};

impl<G: Game> Seating<G> {
    /// Bytes that each network uses when it is prepared to play: the precomputed first layer of a network with these
    /// `layers` (numbers of nodes, inputs first), and in a small game its table for `positions` positions.
    pub fn bytes_of_entrant(&self, layers: &[usize], positions: usize) -> u64 {
        let folded = match (self.encoder.facts(), layers) {
            (Some(facts), [_, later @ ..]) if self.shape().outputs == 1 => {
                // Rows are padded, and have one more entry if inputs are wired to the output.
                let first = (facts.count() + facts.counters() + 1) * (later[0] + 1).next_multiple_of(8);
                first + later.windows(2).map(|pair| (pair[0] + 1) * pair[1] + 32).sum::<usize>()
            }
            _ => 0,
        };
        // Overhead of each list's allocation.
        let pieces = 32 * (3 + 2 * layers.len());
        (size_of::<Entrant>() + pieces + size_of::<u32>() * (folded + positions)) as u64
    }

    /// The number of positions for which each network has a table; 0 if games are played without tables.
    pub fn tabulated_positions(&self) -> usize {
        let timeless = G::draw_rules(&self.setup) == DrawRules::NONE;
        let atlas = if timeless { Atlas::new(&Starts::<G>::new(&self.setup)) } else { None };
        atlas.map_or(0, |atlas| atlas.open())
    }

    /// Bytes that each game uses: its pairing, its record, a share of its start, and, without tables, what is
    /// remembered of it.
    pub fn bytes_of_game(&self, conditions: &Conditions, is_tabulated: bool) -> u64 {
        let noted = size_of::<Pairing>() + size_of::<GameRecord>();
        // Each start is played twice.
        let start = (size_of::<GameHistory<G>>() + 16 * conditions.opening_plies) / 2;
        (match (is_tabulated, conditions.blunders > 0.0) {
            (true, false) => noted + size_of::<u32>() / 2,
            // Its own seed, and the positions that are kept for the winner.
            (_, true) => noted + start + 16 + size_of::<(GameRecord, Vec<G>)>(),
            // Remembered games are in a hash table that doubles when it is full, and in a list.
            (false, false) => noted + start + 8 + size_of::<(GameRecord, Vec<G>)>() + REMEMBERED,
        }) as u64
    }
}

/// Bytes for a remembered game: three numbers and a record in a hash table that is half empty, the numbers again while
/// it is looked up, and again in the list that is saved.
const REMEMBERED: usize = 2 * (24 + size_of::<GameRecord>()) + 2 * 24 + 24;
