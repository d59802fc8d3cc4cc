//! A network prepared for fast evaluation. If a position's inputs are sums over facts (such as "a king on square 5"),
//! the contribution of every fact to the first layer is computed once.
//!
//! The first layer of a position is then a sum over its facts, and after a move, which changes few facts, a few
//! differences. Counters (such as the number of squares in reach) are counted anew in every position, and added. The sums are whole numbers (of 1/65536), which give the same result in any order, so that a position's
//! value does not depend on how it was reached. In tests the values differ by less than 0.002 from those of the network
//! as written.

use crate::Seating;
use evolution::{Activation, Layered, Network};
use games::{Counters, FactSet, Facts, Game};
use std::sync::Arc;

/// A network prepared for fast evaluation under one seating.
#[derive(Clone)]
pub struct PreparedNetwork {
    /// The network itself.
    pub network: Arc<Network>,
    /// The network's fingerprint.
    pub(crate) id: u64,
    pub(crate) folded: Option<Arc<Folded>>,
}

impl PreparedNetwork {
    /// Prepares a network, which must have the seating's shape.
    pub fn new<G: Game>(seating: &Seating<G>, network: &Arc<Network>) -> PreparedNetwork {
        debug_assert_eq!(seating.shape(), network.shape());
        let folded = match (&**network, seating.encoder.facts()) {
            (Network::Layered(layered), Some(facts)) if layered.shape().outputs == 1 => {
                Some(Arc::new(Folded::new(layered, facts, &seating.setup)))
            }
            _ => None,
        };
        PreparedNetwork { network: Arc::clone(network), id: network.fingerprint(), folded }
    }

    /// A network without precomputed sums. Tests and benchmarks compare with it.
    pub fn plain(network: &Arc<Network>) -> PreparedNetwork {
        PreparedNetwork { network: Arc::clone(network), id: network.fingerprint(), folded: None }
    }
}

impl PreparedNetwork {
    /// About how much memory it uses, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let folded = self.folded.as_ref().map_or(0, |folded| {
            let later: usize = folded.layers.iter().map(|layer| layer.biases.len() + layer.weights.len()).sum();
            (folded.rows.len() + folded.units.len() + folded.biases.len() + later) * size_of::<f32>()
        });
        self.network.memory() + folded
    }
}

/// A layered network with one output, whose first layer is precomputed for every fact.
pub(crate) struct Folded {
    /// For each fact, what it adds to every node of the first layer; then, if inputs are wired to the output, what it
    /// adds to their sum. Each row is padded, unless it has one number.
    rows: Vec<i32>,
    /// For each counter, what a unit of it adds; in the same form.
    units: Vec<i32>,
    /// The biases of the first layer.
    biases: Vec<i32>,
    /// The length of a row.
    width: usize,
    /// The index of the wired sum in a row, if there is one.
    wired: Option<usize>,
    /// The layers after the first.
    layers: Vec<Columns>,
    hidden: Activation,
    output: Activation,
}

/// The weights of a layer, in strips of nodes whose sums stay in registers.
struct Columns {
    nodes: usize,
    before: usize,
    biases: Vec<f32>,
    weights: Vec<f32>,
}

/// Scratch memory of a folded network.
#[derive(Default)]
pub(crate) struct FoldedScratch {
    /// The position whose moves were evaluated last: the network, the position's facts for the other side, and their
    /// sum.
    parent: Option<(u64, FactSet)>,
    parent_sum: Vec<i32>,
    sum: Vec<i32>,
    values: [Vec<f32>; 2],
}

/// The unit of the sums.
const UNIT: f32 = 1.0 / 65536.0;
/// The largest contribution of a fact, and of a unit of a counter. With these limits, 64 facts, or 48 facts and 400 units,
/// cannot overflow.
const MOST: f32 = 500.0;
const MOST_OF_UNIT: f32 = 20.0;
/// Rows are padded to a multiple of this number, so that several sums are computed at once.
const TOGETHER: usize = 8;
/// The number of sums of a later layer that are computed together.
const STRIP: usize = 16;

/// A number as a multiple of the unit.
fn whole(value: f32, most: f32) -> i32 {
    (value.clamp(-most, most) / UNIT).round_ties_even() as i32
}

/// The weights between a network's inputs and its first layer.
struct FirstLayer<'a> {
    weights: &'a [f32],
    /// The number of inputs; those after them are wired to the output.
    before: usize,
    nodes: usize,
    /// The length of a row.
    width: usize,
}

impl FirstLayer<'_> {
    /// What each of `count` facts or counters adds to every node. `changes` calls a function with each input that one of them
    /// changes, and with the amount.
    fn rows(&self, count: usize, most: f32, changes: impl Fn(usize, &mut dyn FnMut(usize, f32))) -> Vec<i32> {
        let &FirstLayer { weights, before, nodes, width } = self;
        let mut rows = vec![0; count * width];
        let mut sums = vec![0.0f32; width];
        for (number, row) in rows.chunks_exact_mut(width).enumerate() {
            sums.fill(0.0);
            changes(number, &mut |input, value| {
                if input < before {
                    let inputs = weights.chunks_exact(before + 1).map(|node| node[input + 1]);
                    sums.iter_mut().zip(inputs).for_each(|(sum, weight)| *sum += weight * value);
                } else {
                    sums[nodes] += value;
                }
            });
            row.iter_mut().zip(&sums).for_each(|(entry, &sum)| *entry = whole(sum, most));
        }
        rows
    }
}

impl Folded {
    fn new<G: Game>(network: &Layered, facts: &dyn Facts<G>, setup: &G::Setup) -> Folded {
        let mut layers = network.layers();
        let (weights, before, nodes) = layers.next().expect("there are two layers or more");
        let wired = (network.wired() > 0).then_some(nodes);
        // A single sum needs no padding.
        let width = match nodes + usize::from(wired.is_some()) {
            1 => 1,
            several => several.next_multiple_of(TOGETHER),
        };
        let first = FirstLayer { weights, before, nodes, width };
        let rows = first.rows(facts.count(), MOST, |fact, tell| facts.add(setup, network.genes(), fact, tell));
        let units = first.rows(facts.counters(), MOST_OF_UNIT, |counter, tell| facts.add_unit(setup, counter, tell));
        let mut biases = vec![0; width];
        biases.iter_mut().zip(weights.chunks_exact(before + 1)).for_each(|(bias, node)| *bias = whole(node[0], MOST));
        let layers = layers.map(|(weights, before, nodes)| Columns::new(weights, before, nodes)).collect();
        let [hidden, output] = network.activations();
        Folded { rows, units, biases, width, wired, layers, hidden, output }
    }

    /// Computes the sum over a set of facts.
    fn sum(&self, facts: &FactSet, sum: &mut Vec<i32>) {
        sum.clone_from(&self.biases);
        self.each(facts, |row| sum.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry));
    }

    #[inline]
    fn each(&self, facts: &FactSet, mut tell: impl FnMut(&[i32])) {
        for (word, &held) in facts.iter().enumerate() {
            let mut held = held;
            while held != 0 {
                let fact = word * 64 + held.trailing_zeros() as usize;
                held &= held - 1;
                tell(&self.rows[fact * self.width..][..self.width]);
            }
        }
    }

    /// Adds what counters contribute.
    #[inline]
    fn count(&self, counters: &Counters, sum: &mut [i32]) {
        for (units, &count) in self.units.chunks_exact(self.width).zip(counters) {
            sum.iter_mut().zip(units).for_each(|(sum, unit)| *sum += count * unit);
        }
    }

    /// The value of a position.
    pub fn value(&self, facts: &FactSet, counters: &Counters, scratch: &mut FoldedScratch) -> f32 {
        self.sum(facts, &mut scratch.sum);
        self.count(counters, &mut scratch.sum);
        self.finish(&scratch.sum, &mut scratch.values)
    }

    /// Sets the position whose moves are evaluated next. `parent` has its facts as the other side sees them.
    pub fn enter(&self, id: u64, parent: FactSet, scratch: &mut FoldedScratch) {
        if scratch.parent != Some((id, parent)) {
            self.sum(&parent, &mut scratch.parent_sum);
            scratch.parent = Some((id, parent));
        }
    }

    /// The value of a position after a move from the position that was entered.
    pub fn value_after(&self, facts: &FactSet, counters: &Counters, scratch: &mut FoldedScratch) -> f32 {
        let FoldedScratch { parent, parent_sum, sum, values } = scratch;
        let (_, before) = parent.expect("a position was entered");
        sum.clone_from(parent_sum);
        let gone: FactSet = std::array::from_fn(|word| before[word] & !facts[word]);
        let come: FactSet = std::array::from_fn(|word| facts[word] & !before[word]);
        self.each(&gone, |row| sum.iter_mut().zip(row).for_each(|(sum, entry)| *sum -= entry));
        self.each(&come, |row| sum.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry));
        self.count(counters, sum);
        self.finish(sum, values)
    }

    /// Computes the value from the sums of the first layer.
    fn finish(&self, sum: &[i32], [values, next]: &mut [Vec<f32>; 2]) -> f32 {
        let wired = self.wired.map_or(0.0, |place| sum[place] as f32 * UNIT);
        values.clear();
        values.extend(sum.iter().map(|&sum| sum as f32 * UNIT));
        for layer in &self.layers {
            self.hidden.apply(values);
            layer.sums(values, next);
            std::mem::swap(values, next);
        }
        let mut answer = [values[0] + wired];
        self.output.apply(&mut answer);
        answer[0]
    }
}

impl Columns {
    fn new(weights: &[f32], before: usize, nodes: usize) -> Columns {
        // A single node needs no padding.
        let width = if nodes == 1 { 1 } else { nodes.next_multiple_of(STRIP) };
        let mut biases = vec![0.0; width.next_multiple_of(TOGETHER)];
        let mut columns = vec![0.0; before * width];
        for (node, weights) in weights.chunks_exact(before + 1).enumerate() {
            biases[node] = weights[0];
            for (input, &weight) in weights[1..].iter().enumerate() {
                columns[strip_place(node, input, before, width)] = weight;
            }
        }
        Columns { nodes, before, biases, weights: columns }
    }

    /// The sums of this layer, each added up in the order of the nodes before.
    fn sums(&self, before: &[f32], sums: &mut Vec<f32>) {
        sums.clone_from(&self.biases);
        if self.nodes == 1 {
            sums[0] = self.weights.iter().zip(before).fold(sums[0], |sum, (weight, value)| sum + weight * value);
            return;
        }
        let strips = self.weights.as_chunks::<STRIP>().0.chunks_exact(self.before);
        for (sums, columns) in sums.as_chunks_mut::<STRIP>().0.iter_mut().zip(strips) {
            let mut strip = *sums;
            for (column, &value) in columns.iter().zip(before) {
                for (sum, weight) in strip.iter_mut().zip(column) {
                    *sum += weight * value;
                }
            }
            *sums = strip;
        }
    }
}

/// The index of a weight: nodes are in strips, and in each strip the weights from one earlier node are adjacent.
fn strip_place(node: usize, input: usize, before: usize, width: usize) -> usize {
    if width == 1 { input } else { (node / STRIP * before + input) * STRIP + node % STRIP }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EvalScratch, Evaluator, NetworkEvaluator};
    use chance::rng_for;
    use games::draughts::{Draughts, Sight};
    use games::{Encoder as _, Setup as _};

    /// Values after moves and from scratch are equal to the last bit, and close to those of the network as written.
    #[test]
    fn folded_networks_give_the_same_values() {
        let setup = <Draughts as Game>::Setup::usual();
        for (encoder, sizes, wired) in [
            (&Sight::SUBSQUARES, &[91, 40, 10, 1][..], 0),
            (&Sight::SQUARES, &[32, 40, 10, 1], 0),
            (&Sight::SUBSQUARES_DIFFERENCE, &[91, 12, 1], 1),
            (&Sight::SQUARES_DIFFERENCE, &[32, 1], 1),
            (&Sight::SUBSQUARE_MEANS, &[91, 7, 5, 3, 1], 0),
        ] {
            let seating = Seating::new(setup.clone(), encoder);
            let rng = &mut rng_for(1, &[]);
            let network = Layered::random(sizes, wired, 0.3, rng).unwrap();
            let genes = if wired == 1 { vec![1.75] } else { vec![] };
            let network = Arc::new(Network::Layered(network.with_weights(network.weights().to_vec(), genes)));
            let (prepared, plain) = (PreparedNetwork::new(&seating, &network), PreparedNetwork::plain(&network));
            assert!(prepared.folded.is_some());
            let (mut scratch, mut plain_scratch) = (EvalScratch::default(), EvalScratch::default());
            for _ in 0..40 {
                let mut game = Draughts::start(&setup, rng);
                let mut moves = Vec::new();
                loop {
                    moves.clear();
                    game.legal_moves(&mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let after: Vec<Draughts> = moves.iter().take(8).map(|&mv| game.after(mv)).collect();
                    let mut found = [[0.0; 8]; 3];
                    let count = after.len();
                    NetworkEvaluator::new(&seating, &prepared, &mut scratch).values_after(
                        &game,
                        &after,
                        &mut found[0][..count],
                    );
                    NetworkEvaluator::new(&seating, &prepared, &mut scratch).values(&after, &mut found[1][..count]);
                    NetworkEvaluator::new(&seating, &plain, &mut plain_scratch).values(&after, &mut found[2][..count]);
                    assert_eq!(found[0], found[1], "{}: {game}", encoder.name());
                    for (folded, plain) in found[1].iter().zip(&found[2]) {
                        assert!((folded - plain).abs() < 2e-3, "{}: {game}: {folded} and {plain}", encoder.name());
                    }
                    game = after[rng.below(count)];
                }
            }
        }
    }
}
