//! Evaluates positions by a network, for searches.

use crate::game_history::mix;
use crate::prepared_network::FoldedScratch;
use crate::{Evaluator, PreparedNetwork, Seating};
use evolution::{LANES, Lanes, Scratch};
use games::{Counters, Game};

/// An evaluator whose values are the output of a network.
pub struct NetworkEvaluator<'a, G: Game> {
    seating: &'a Seating<G>,
    prepared: &'a PreparedNetwork,
    scratch: &'a mut EvalScratch,
    /// Whether values are remembered.
    remembers: bool,
    /// Whether values after a move are computed from the position before it.
    follows: bool,
}

/// Scratch memory for evaluations, which is used again and again.
#[derive(Default)]
pub struct EvalScratch {
    pub(crate) scratch: Scratch,
    pub(crate) inputs: Vec<Lanes>,
    /// By [`View`].
    folded: [FoldedScratch; 2],
    memory: Memory,
    /// The number of positions that were evaluated.
    pub(crate) judged: u64,
}

/// As which side a network sees a position: as the mover, or, for a balanced value, as the other side.
#[derive(Clone, Copy)]
enum View {
    Mover,
    Other,
}

impl EvalScratch {
    /// Forgets all values, as at the beginning of a game, so that the work for a game depends on that game alone.
    pub fn forget(&mut self) {
        self.memory.epoch += 1;
    }
}

/// A cache of values, by network and position. A cached value is always right, so that losing an entry changes no
/// result.
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
    /// The number of values: they fit into the processor's cache.
    const ENTRIES: usize = 1 << 14;

    #[inline]
    fn entry(&mut self, key: u64) -> &mut Remembered {
        &mut self.entries[key as usize % Memory::ENTRIES]
    }
}

impl<'a, G: Game> NetworkEvaluator<'a, G> {
    /// An evaluator for a network, which must have the seating's shape and one output.
    pub fn new(
        seating: &'a Seating<G>,
        prepared: &'a PreparedNetwork,
        scratch: &'a mut EvalScratch,
    ) -> NetworkEvaluator<'a, G> {
        NetworkEvaluator { seating, prepared, scratch, remembers: false, follows: true }
    }

    /// Sets whether values are remembered for the length of a game.
    pub fn remembering(self, remembers: bool) -> NetworkEvaluator<'a, G> {
        if remembers && self.scratch.memory.entries.is_empty() {
            self.scratch.memory.entries.resize(Memory::ENTRIES, Remembered::default());
            self.scratch.memory.epoch += 1;
        }
        NetworkEvaluator { remembers, ..self }
    }

    /// Computes every position from scratch. Benchmarks compare with it.
    pub fn from_nothing(self) -> NetworkEvaluator<'a, G> {
        NetworkEvaluator { follows: false, ..self }
    }

    /// Evaluates without the cache. `parent` is the position before all of these, if they have the same.
    fn judge(&mut self, parent: Option<&G>, games: &[G], values: &mut [f32]) {
        self.scratch.judged += games.len() as u64;
        if !self.seating.is_balanced() {
            let follows = self.follows && self.prepared.folded.is_some();
            let passed = parent.filter(|_| follows).and_then(|parent| parent.passed());
            return self.outputs(passed.as_ref(), games, View::Mover, values);
        }
        let passed = |game: &G| game.passed().expect("the balanced head is only for games with passes");
        let parent = parent.filter(|_| self.follows);
        self.outputs(parent.map(passed).as_ref(), games, View::Mover, values);
        let turned: [G; LANES] = std::array::from_fn(|place| passed(&games[place.min(games.len() - 1)]));
        let mut others = [0.0; LANES];
        self.outputs(parent, &turned[..games.len()], View::Other, &mut others[..games.len()]);
        values.iter_mut().zip(others).for_each(|(value, other)| *value = 0.5 * (*value - other));
    }

    /// The network's outputs for positions. `near` is a position with the same side to move that shares most facts with
    /// all of them, if there is one.
    fn outputs(&mut self, near: Option<&G>, games: &[G], view: View, values: &mut [f32]) {
        let EvalScratch { scratch, inputs, folded, .. } = &mut *self.scratch;
        let folded_scratch = &mut folded[view as usize];
        let (Some(folded), Some(facts)) = (&self.prepared.folded, self.seating.encoder.facts()) else {
            self.seating.encode(self.prepared.network.genes(), games, inputs);
            let answers = &self.prepared.network.forward_lanes(inputs, scratch)[0];
            values.copy_from_slice(&answers[..games.len()]);
            return;
        };
        let counters = |game: &G| {
            let mut counters = Counters::default();
            facts.count_in(game, &mut counters);
            counters
        };
        match near {
            Some(near) => {
                folded.enter(self.prepared.id, facts.hold(near), folded_scratch);
                for (game, value) in games.iter().zip(values) {
                    *value = folded.value_after(&facts.hold(game), &counters(game), folded_scratch);
                }
            }
            None => {
                for (game, value) in games.iter().zip(values) {
                    *value = folded.value(&facts.hold(game), &counters(game), folded_scratch);
                }
            }
        }
    }

    fn values_of(&mut self, parent: Option<&G>, games: &[G], values: &mut [f32]) {
        if !self.remembers {
            return self.judge(parent, games, values);
        }
        let epoch = self.scratch.memory.epoch;
        // A single position needs no sorting.
        if let [game] = games {
            let key = mix(game.key() ^ self.prepared.id);
            let entry = self.scratch.memory.entry(key);
            if (entry.key, entry.epoch) == (key, epoch) {
                values[0] = entry.value;
                return;
            }
            self.judge(parent, games, values);
            *self.scratch.memory.entry(key) = Remembered { key, epoch, value: values[0] };
            return;
        }
        // 1. Look up known values.
        let mut keys = [0; LANES];
        let mut fresh: [usize; LANES] = [0; LANES];
        let mut count = 0;
        for (place, game) in games.iter().enumerate() {
            keys[place] = mix(game.key() ^ self.prepared.id);
            let entry = self.scratch.memory.entry(keys[place]);
            if (entry.key, entry.epoch) == (keys[place], epoch) {
                values[place] = entry.value;
            } else {
                fresh[count] = place;
                count += 1;
            }
        }
        // 2. Evaluate the others.
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
            *self.scratch.memory.entry(keys[place]) = Remembered { key: keys[place], epoch, value: values[place] };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameHistory, Head, opening};
    use chance::rng_for;
    use evolution::{Graph, Layered, Network, Shape};
    use games::draughts::Draughts;
    use games::minichess::Minichess;
    use games::{Game, Setup as _};
    use std::sync::Arc;

    /// A balanced value changes its sign with the side to move, and has the same bits whether it is computed from the
    /// position before, in a block, or alone.
    fn check<G: Game>(encoder: &str, network: impl Fn(Shape) -> Network) {
        let seating = Seating::<G>::with_encoder(G::Setup::usual(), encoder).unwrap();
        let seating = seating.with_head(Head::named("balanced", "strict").unwrap());
        let network = Arc::new(network(seating.shape()));
        let prepared = PreparedNetwork::new(&seating, &network);
        let (mut one, mut two) = (EvalScratch::default(), EvalScratch::default());
        let setup = G::Setup::usual();
        for number in 0..20 {
            let rng = &mut rng_for(number, &[]);
            let start = GameHistory::new(G::start(&setup, rng), &setup, 0);
            let history = opening(&start, 1 + number as usize % 9, rng);
            let parent = history.game();
            let mut moves = Vec::new();
            parent.legal_moves(&mut moves);
            let games: Vec<G> = moves.iter().take(LANES).map(|&mv| parent.after(mv)).collect();
            let mut values = vec![0.0; games.len()];
            NetworkEvaluator::new(&seating, &prepared, &mut one).values_after(parent, &games, &mut values);
            assert!(values.iter().any(|value| *value != 0.0));
            for (game, value) in games.iter().zip(&values) {
                let mut evaluator = NetworkEvaluator::new(&seating, &prepared, &mut two).from_nothing();
                let mut alone = [0.0; 2];
                evaluator.values(std::slice::from_ref(game), &mut alone[..1]);
                evaluator.values(&[game.passed().unwrap()], &mut alone[1..]);
                assert_eq!((alone[0].to_bits(), alone[0]), (value.to_bits(), -alone[1]), "{encoder}: {game}");
            }
        }
    }

    #[test]
    fn balanced_values_are_the_same_for_both_sides() {
        let layered = |shape: Shape| {
            Network::Layered(Layered::random(&[shape.inputs, 9, 1], 0, 0.5, &mut rng_for(3, &[])).unwrap())
        };
        let graph = |shape: Shape| {
            Network::Graph(Graph::random(
                shape,
                evolution::Activation::Tanh,
                evolution::Activation::Tanh,
                &mut rng_for(3, &[]),
            ))
        };
        for encoder in ["attacks", "planes", "vision", "pieces", "differences-and-activity", "pieces-and-activity"] {
            check::<Minichess>(encoder, layered);
            check::<Minichess>(encoder, graph);
        }
        check::<Draughts>("pieces", layered);
        check::<Draughts>("pieces", graph);
        assert!(Head::<games::nim::Nim>::named("balanced", "strict").is_err());
    }
}
