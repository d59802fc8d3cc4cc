//! How much memory the games of a generation take, told before they are played.

use crate::tournament::GameRecord;
use crate::{Atlas, Conditions, Entrant, GameHistory, Pairing, Seating, Starts};
use games::{DrawRules, Game};

impl<G: Game> Seating<G> {
    /// Bytes that each network takes when it is ready to play: what is worked out of its first layer beforehand, where it
    /// has layers of so many nodes, inputs first, and, in a small game of so many positions, its table.
    pub fn bytes_of_entrant(&self, layers: &[usize], positions: usize) -> u64 {
        let folded = match (self.encoder.facts(), layers) {
            (Some(facts), [_, later @ ..]) if self.shape().outputs == 1 => {
                // Rows are padded, and there may be one more entry for inputs that go straight to the output.
                let first = (facts.count() + 1) * (later[0] + 1).next_multiple_of(8);
                first + later.windows(2).map(|pair| (pair[0] + 1) * pair[1] + 32).sum::<usize>()
            }
            _ => 0,
        };
        // A piece of memory for each list.
        let pieces = 32 * (3 + 2 * layers.len());
        (size_of::<Entrant>() + pieces + size_of::<u32>() * (folded + positions)) as u64
    }

    /// The positions of a small game for which each network has a table; 0 where games are played move by move.
    pub fn tabulated_positions(&self) -> usize {
        let timeless = G::draw_rules(&self.setup) == DrawRules::NONE;
        let atlas = if timeless { Atlas::new(&Starts::<G>::new(&self.setup)) } else { None };
        atlas.map_or(0, |atlas| atlas.open())
    }

    /// Bytes that each game takes: its pairing and its record, a share of its start, and, where games are played move by
    /// move, what is remembered of it.
    pub fn bytes_of_game(&self, conditions: &Conditions, is_tabulated: bool) -> u64 {
        let noted = size_of::<Pairing>() + size_of::<GameRecord>();
        // Each start is played twice.
        let start = (size_of::<GameHistory<G>>() + 16 * conditions.opening_plies) / 2;
        (match (is_tabulated, conditions.blunders > 0.0) {
            (true, false) => noted + size_of::<u32>() / 2,
            // With its own chance, and the positions that the winner may keep.
            (_, true) => noted + start + 16 + size_of::<(GameRecord, Vec<G>)>(),
            // Who met whom from where is looked up in a table that doubles when it is full, and listed.
            (false, false) => noted + start + 8 + size_of::<(GameRecord, Vec<G>)>() + REMEMBERED,
        }) as u64
    }
}

/// What is remembered of a game: three numbers and a record in a table that is half empty, the numbers once more while it
/// is looked for, and once more when it is listed to be saved.
const REMEMBERED: usize = 2 * (24 + size_of::<GameRecord>()) + 2 * 24 + 24;
