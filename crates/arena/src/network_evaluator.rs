//! A network that judges the positions at which a search stops.

use crate::game_history::mix;
use crate::prepared_network::FoldedScratch;
use crate::{Evaluator, PreparedNetwork, Seating};
use evolution::{LANES, Lanes, Scratch};
use games::Game;

/// A network whose output is the value.
pub struct NetworkEvaluator<'a, G: Game> {
    seating: &'a Seating<G>,
    prepared: &'a PreparedNetwork,
    room: &'a mut EvalScratch,
    /// Whether values are remembered.
    remembers: bool,
    /// Whether what is after a move is worked out from what was before.
    follows: bool,
}

/// Room for networks to think in, used again and again.
#[derive(Default)]
pub struct EvalScratch {
    pub(crate) scratch: Scratch,
    pub(crate) inputs: Vec<Lanes>,
    folded: FoldedScratch,
    memory: Memory,
    /// How many positions were judged here.
    pub(crate) judged: u64,
}

impl EvalScratch {
    /// Forgets all values, as at the beginning of a game: so the work done for it depends on the game alone.
    pub fn forget(&mut self) {
        self.memory.epoch += 1;
    }
}

/// Values of positions by network; a value is never wrong, so that it makes no difference which are still there.
#[derive(Default)]
struct Memory {
    entries: Vec<Remembered>,
    epoch: u32,
}

#[derive(Clone, Copy, Default)]
struct Remembered {
    key: u64,
    epoch: u32,
    value: f32,
}

impl Memory {
    /// How many values are kept: they fit the processor's nearer memory.
    const ENTRIES: usize = 1 << 14;

    #[inline]
    fn entry(&mut self, key: u64) -> &mut Remembered {
        &mut self.entries[key as usize % Memory::ENTRIES]
    }
}

impl<'a, G: Game> NetworkEvaluator<'a, G> {
    /// The network must have the seating's shape, and one output.
    pub fn new(
        seating: &'a Seating<G>,
        prepared: &'a PreparedNetwork,
        room: &'a mut EvalScratch,
    ) -> NetworkEvaluator<'a, G> {
        NetworkEvaluator { seating, prepared, room, remembers: false, follows: true }
    }

    /// The same, remembering values as long as the game lasts.
    pub fn remembering(self, remembers: bool) -> NetworkEvaluator<'a, G> {
        if remembers && self.room.memory.entries.is_empty() {
            self.room.memory.entries.resize(Memory::ENTRIES, Remembered::default());
            self.room.memory.epoch += 1;
        }
        NetworkEvaluator { remembers, ..self }
    }

    /// The same, working every position out from nothing: the plain way, which benchmarks compare with.
    pub fn from_nothing(self) -> NetworkEvaluator<'a, G> {
        NetworkEvaluator { follows: false, ..self }
    }

    /// Judges without looking into the memory; the parent is the position before, where all have the same.
    fn judge(&mut self, parent: Option<&G>, games: &[G], values: &mut [f32]) {
        self.room.judged += games.len() as u64;
        let EvalScratch { scratch, inputs, folded: room, .. } = &mut *self.room;
        let (Some(folded), Some(facts)) = (&self.prepared.folded, self.seating.encoder.facts()) else {
            self.seating.encode(self.prepared.network.genes(), games, inputs);
            let answers = &self.prepared.network.forward_lanes(inputs, scratch)[0];
            values.copy_from_slice(&answers[..games.len()]);
            return;
        };
        match parent.filter(|_| self.follows).and_then(|parent| parent.passed()) {
            Some(passed) => {
                folded.enter(self.prepared.id, facts.hold(&passed), room);
                for (game, value) in games.iter().zip(values) {
                    *value = folded.value_after(&facts.hold(game), room);
                }
            }
            None => {
                for (game, value) in games.iter().zip(values) {
                    *value = folded.value(&facts.hold(game), room);
                }
            }
        }
    }

    fn values_of(&mut self, parent: Option<&G>, games: &[G], values: &mut [f32]) {
        if !self.remembers {
            return self.judge(parent, games, values);
        }
        let epoch = self.room.memory.epoch;
        // Positions that come one by one need no sorting.
        if let [game] = games {
            let key = mix(game.key() ^ self.prepared.id);
            let entry = self.room.memory.entry(key);
            if (entry.key, entry.epoch) == (key, epoch) {
                values[0] = entry.value;
                return;
            }
            self.judge(parent, games, values);
            *self.room.memory.entry(key) = Remembered { key, epoch, value: values[0] };
            return;
        }
        // 1. What is known.
        let mut keys = [0; LANES];
        let mut fresh: [usize; LANES] = [0; LANES];
        let mut count = 0;
        for (place, game) in games.iter().enumerate() {
            keys[place] = mix(game.key() ^ self.prepared.id);
            let entry = self.room.memory.entry(keys[place]);
            if (entry.key, entry.epoch) == (keys[place], epoch) {
                values[place] = entry.value;
            } else {
                fresh[count] = place;
                count += 1;
            }
        }
        // 2. The rest.
        if count == games.len() {
            self.judge(parent, games, values);
        } else {
            let mut answers = [0.0; LANES];
            let asked: [G; LANES] = std::array::from_fn(|number| games[fresh[number.min(count)]].clone());
            if count > 0 {
                self.judge(parent, &asked[..count], &mut answers[..count]);
            }
            fresh[..count].iter().zip(answers).for_each(|(&place, answer)| values[place] = answer);
        }
        for &place in &fresh[..count] {
            *self.room.memory.entry(keys[place]) = Remembered { key: keys[place], epoch, value: values[place] };
        }
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<'_, G> {
    fn block(&self) -> usize {
        if self.prepared.folded.is_some() { 1 } else { LANES }
    }

    fn values(&mut self, games: &[G], values: &mut [f32]) {
        self.values_of(None, games, values);
    }

    fn values_after(&mut self, parent: &G, games: &[G], values: &mut [f32]) {
        self.values_of(Some(parent), games, values);
    }
}
