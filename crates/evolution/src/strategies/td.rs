//! TD(λ): one layered network learns by backpropagation to predict how a game will end.
//!
//! The network sees a row of positions, from alternating sides: a value v for one side is −v for the next. The target
//! of each value is the negated value after it, and the target of the last ones is the result. The error of a value
//! changes not only that value but also, weaker by λ with every step back, the values before it. The trace adds up how
//! these values depend on the weights (Sutton 1988; as in TD-Gammon, Tesauro 1992).
//!
//! The weights move when a row ends, so that one network judges the whole row.

use super::layers::{HIDDEN, Layers, RANGE, WIRED, bounded, broken, has_layers, layered, with_weights};
use crate::activation::exp;
use crate::gradient::Gradient;
use crate::params::{StrategyInfo, StrategyParams, above_0, chance, default_of_experiment, made_by, within};
use crate::strategy::{Learner, Results, Strategy};
use crate::{Activation, Footprint, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::Number, CHANCE, Described, KeyError, WHOLE, key};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of TD(λ).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdParams {
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// How many of the last inputs go directly to the output with weight 1.
    pub wired: usize,
    /// Weights and biases begin within ±range.
    pub range: f64,
    /// The share of an error that is passed on with every step back.
    pub lambda: f64,
    /// The learning rate: how far weights move, relative to errors.
    pub rate: f64,
    /// The number of generations after which the rate is halved, and so on; 0 keeps it constant.
    pub rate_halves: u64,
    /// The probability of a random move, for exploration.
    pub exploration: f64,
    /// From this generation on, a position's value is that of the leaf at which the search from it ends; 0: never. A key of
    /// version 0.2.
    #[serde(default, skip_serializing_if = "is_never")]
    pub leaves_from: u64,
}

fn is_never(generation: &u64) -> bool {
    *generation == 0
}

/// The highest allowed rate.
const MOST_RATE: f64 = 10.0;

const KEYS: &[Described] = &[
    HIDDEN,
    WIRED,
    RANGE,
    key(
        "lambda",
        "share of an error that is passed on to the position before, and so on; with 1 all learn from the result alone",
        CHANCE,
    ),
    key("rate", "learning rate: how far weights move, relative to errors; above 0", Number(0.0, MOST_RATE)),
    key("rate_halves", "number of generations after which the rate is halved, and so on; 0 keeps it constant", WHOLE),
    key(
        "exploration",
        "probability of a random move, for exploration; positions before it learn nothing from those after it",
        CHANCE,
    ),
    key(
        "leaves_from",
        "generation from which a position's value is that of the leaf at which the search from it ends, so that the \
         network learns to judge leaves (TD-leaf); before, it learns without search; 0: never; needs \
         player.search=selective",
        WHOLE,
    )
    .or("0"),
];

has_layers!(TdParams);
default_of_experiment!(TdParams, "nim-2x4-td");

impl StrategyParams for TdParams {
    fn info() -> StrategyInfo {
        let about = "one layered network learns by backpropagation from games against itself (TD(λ))";
        StrategyInfo { name: "td", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        1
    }

    fn checked(&self) -> Result<(), KeyError> {
        above_0("range", self.range, 100.0)?;
        above_0("rate", self.rate, MOST_RATE)?;
        within("lambda", self.lambda, 0.0, 1.0)?;
        chance("exploration", self.exploration)
    }

    made_by!(Td of layers);

    /// Includes traces, changes and gradients, which are not saved.
    fn footprint(&self, shape: Shape) -> Footprint {
        let saved = Footprint::of_layers(1, self.layers().sizes(shape), 1).saved;
        Footprint { saved, ..Footprint::of_layers(1, self.layers().sizes(shape), 4) }
    }

    fn learns(&self) -> bool {
        true
    }

    fn learns_leaves(&self) -> bool {
        self.leaves_from > 0
    }
}

/// A network that learns. Its output, from −1 to 1, is the value of a position for the side that sees it.
pub(crate) struct Td {
    params: TdParams,
    network: Arc<Network>,
    /// The number of generations it has learned.
    generations: u64,
    gradient: Gradient,
    /// How the values of this row depend on each weight, seen from the last one; earlier values count less.
    trace: Vec<f32>,
    /// The last value while its target is not known yet.
    awaiting: Option<f32>,
    /// The sum of changes to each weight; applied when the row ends.
    change: Vec<f32>,
}

/// The saved form.
#[derive(Serialize, Deserialize)]
struct Saved<N> {
    generations: u64,
    network: N,
}

impl Td {
    pub(crate) fn create(params: &TdParams, shape: Shape, rng: &mut Rng) -> Td {
        Td::new(params, Network::Layered(params.layers().random(shape, params.range, rng)), 0)
    }

    pub(crate) fn restore(params: &TdParams, shape: Shape, bytes: &[u8]) -> Result<Td, NetworkError> {
        let saved: Saved<Network> = postcard::from_bytes(bytes).map_err(broken)?;
        params.layers().checked(shape, 0, &saved.network)?;
        let activations = layered(&saved.network).activations();
        if activations != [Activation::Tanh; 2] {
            return Err(broken(format!(
                "the activations are {} and {}, but both must be tanh",
                activations[0], activations[1]
            )));
        }
        Ok(Td::new(params, saved.network, saved.generations))
    }

    fn new(params: &TdParams, network: Network, generations: u64) -> Td {
        let weights = layered(&network).weights().len();
        Td {
            params: params.clone(),
            network: Arc::new(network),
            generations,
            gradient: Gradient::default(),
            trace: vec![0.0; weights],
            awaiting: None,
            change: vec![0.0; weights],
        }
    }

    /// The current learning rate.
    fn rate(&self) -> f32 {
        let fallen = match self.params.rate_halves {
            0 => 1.0,
            halves => exp(-std::f32::consts::LN_2 * (self.generations as f64 / halves as f64) as f32),
        };
        self.params.rate as f32 * fallen
    }

    /// Adds the error of the last value, times the trace, to the changes.
    fn tell(&mut self, target: f32) {
        if let Some(value) = self.awaiting.take() {
            let error = target - value;
            self.change.iter_mut().zip(&self.trace).for_each(|(change, trace)| *change += error * trace);
        }
    }

    /// Adds the value of these inputs, which was asked for last, to the trace. The older part is now seen from the other
    /// side.
    fn enter(&mut self, inputs: &[f32], value: f32, sign: f32) {
        let lambda = self.params.lambda as f32;
        self.trace.iter_mut().for_each(|trace| *trace *= -lambda);
        let (own, other) = inputs.split_at(layered(&self.network).shape().inputs);
        match other {
            [] => self.add_slopes(sign),
            _ => {
                self.add_slopes(-0.5 * sign);
                self.gradient.answer(layered(&self.network), own);
                self.add_slopes(0.5 * sign);
            }
        }
        self.awaiting = Some(value);
    }

    /// Adds the gradient of the last answer to the trace.
    fn add_slopes(&mut self, weight: f32) {
        let slopes = self.gradient.by_weight(layered(&self.network));
        self.trace.iter_mut().zip(slopes).for_each(|(trace, slope)| *trace += weight * slope);
    }

    /// Moves the weights by the sum of their changes.
    fn change(&mut self) {
        let rate = self.rate();
        let network = layered(&self.network);
        let moved = |(&weight, change): (&f32, &mut f32)| {
            let step = rate * std::mem::take(change);
            if step.is_finite() { bounded(f64::from(weight + step)) } else { weight }
        };
        let weights = network.weights().iter().zip(&mut self.change).map(moved).collect();
        self.network = Arc::new(with_weights(network, weights));
    }
}

impl Strategy for Td {
    fn networks(&self) -> &[Arc<Network>] {
        std::slice::from_ref(&self.network)
    }

    /// Learning happens during the games; only the generation is counted here.
    fn advance(&mut self, _: &Results, _: &mut Rng) {
        self.generations = self.generations.saturating_add(1);
    }

    fn save(&self) -> Vec<u8> {
        let saved = Saved { generations: self.generations, network: &*self.network };
        postcard::to_allocvec(&saved).expect("networks can always be written")
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }
}

impl Learner for Td {
    fn network(&self) -> &Arc<Network> {
        &self.network
    }

    fn exploration(&self) -> f64 {
        self.params.exploration
    }

    fn value(&mut self, inputs: &[f32]) -> f32 {
        let network = layered(&self.network);
        let (own, other) = inputs.split_at(network.shape().inputs);
        let value = self.gradient.answer(network, own);
        match other {
            [] => value,
            _ => 0.5 * (value - self.gradient.answer(network, other)),
        }
    }

    fn follow(&mut self, inputs: &[f32]) {
        let value = self.value(inputs);
        self.tell(-value);
        self.enter(inputs, value, 1.0);
    }

    fn instead(&mut self, worth: f32) {
        self.tell(-worth);
        self.cut();
    }

    fn end(&mut self, inputs: &[f32], worth: f32) {
        // The value before the end learns directly from the result, not from the network's value of the end.
        self.instead(worth);
        let value = self.value(inputs);
        self.enter(inputs, value, 1.0);
        self.tell(worth);
        self.cut();
        self.change();
    }

    fn searches(&self) -> bool {
        self.params.leaves_from == 0 || self.learns_leaves()
    }

    fn learns_leaves(&self) -> bool {
        self.params.leaves_from > 0 && self.generations + 1 >= self.params.leaves_from
    }

    fn follow_leaf(&mut self, inputs: &[f32], sign: f32) {
        let value = sign * self.value(inputs);
        self.tell(-value);
        self.enter(inputs, value, sign);
    }

    fn follow_known(&mut self, worth: f32) {
        self.tell(-worth);
        let lambda = self.params.lambda as f32;
        self.trace.iter_mut().for_each(|trace| *trace *= -lambda);
        self.awaiting = Some(worth);
    }

    fn cut(&mut self) {
        self.trace.fill(0.0);
        self.awaiting = None;
    }

    fn finish(&mut self, worth: f32) {
        self.instead(worth);
        self.change();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::layers::MOST_WEIGHT;
    use chance::rng_for;

    fn params() -> TdParams {
        TdParams {
            hidden: vec![5, 3],
            wired: 1,
            range: 0.7,
            lambda: 0.6,
            rate: 0.1,
            rate_halves: 0,
            exploration: 0.1,
            leaves_from: 0,
        }
    }

    const SHAPE: Shape = Shape { inputs: 4, outputs: 1 };

    fn row(length: usize, rng: &mut Rng) -> Vec<Vec<f32>> {
        (0..length).map(|_| (0..SHAPE.inputs).map(|_| rng.signed_unit()).collect()).collect()
    }

    /// Shows a row that ends with `worth`. At the places of `better`, a better move with that value was not played.
    fn show(td: &mut Td, row: &[Vec<f32>], worth: f32, better: &[(usize, f32)]) {
        let (last, others) = row.split_last().unwrap();
        for (place, inputs) in others.iter().enumerate() {
            better.iter().filter(|(at, _)| *at == place).for_each(|&(_, worth)| td.instead(worth));
            td.follow(inputs);
        }
        td.end(last, worth);
    }

    /// The errors times the traces must add up to the difference from the λ-return: the mean of the values 1, 2, 3 …
    /// steps later, each weaker by λ, and of the result.
    #[test]
    fn traces_equal_lambda_returns() {
        for lambda in [0.0, 0.6, 1.0] {
            let rng = &mut rng_for(2, &[]);
            let params = TdParams { lambda, ..params() };
            let mut td = Td::create(&params, SHAPE, rng);
            let (row, worth, better) = (row(7, rng), -0.8, [(3, 0.25)]);
            let before = td.network().clone();
            let values: Vec<f32> = row.iter().map(|inputs| td.value(inputs)).collect();
            // 1. The plain way: returns computed from the end backward, with one gradient for each.
            let mut expected: Vec<f64> = layered(&before).weights().iter().map(|&weight| weight.into()).collect();
            let mut gradient = Gradient::default();
            let mut come = f64::from(worth);
            for place in (0..row.len()).rev() {
                let next = values.get(place + 1).map(|&next| f64::from(next));
                come = match next {
                    None => come,
                    Some(_) if place + 2 == row.len() => -f64::from(worth),
                    Some(_) if place + 1 == 3 => -0.25,
                    Some(next) => -((1.0 - lambda) * next + lambda * come),
                };
                gradient.answer(layered(&before), &row[place]);
                let error = come - f64::from(values[place]);
                let slopes = gradient.by_weight(layered(&before));
                expected.iter_mut().zip(slopes).for_each(|(sum, &slope)| *sum += 0.1 * error * f64::from(slope));
            }
            // 2. With traces.
            show(&mut td, &row, worth, &better);
            let found = layered(td.network()).weights();
            for (found, expected) in found.iter().zip(&expected) {
                assert!((f64::from(*found) - expected).abs() < 1e-5, "lambda {lambda}: {found}, not {expected}");
            }
            assert_ne!(found, layered(&before).weights());
        }
    }

    /// The same for leaves: a leaf's gradient has the sign of the side to move there, and a known value has none.
    #[test]
    fn traces_of_leaves_equal_lambda_returns() {
        for lambda in [0.0, 0.6, 1.0] {
            let rng = &mut rng_for(2, &[]);
            let params = TdParams { lambda, leaves_from: 1, ..params() };
            let mut td = Td::create(&params, SHAPE, rng);
            let (row, worth, signs, known) = (row(6, rng), -0.8, [1.0, -1.0, -1.0, 1.0, 1.0, -1.0], 3);
            let before = td.network().clone();
            let value = |td: &mut Td, place: usize| match place == known {
                true => 0.5,
                false => signs[place] * td.value(&row[place]),
            };
            let values: Vec<f32> = (0..row.len()).map(|place| value(&mut td, place)).collect();
            let mut expected: Vec<f64> = layered(&before).weights().iter().map(|&weight| weight.into()).collect();
            let mut gradient = Gradient::default();
            let mut come = f64::from(worth);
            for place in (0..row.len()).rev() {
                come = match values.get(place + 1) {
                    None => -come,
                    Some(&next) => -((1.0 - lambda) * f64::from(next) + lambda * come),
                };
                let error = come - f64::from(values[place]);
                if place != known {
                    gradient.answer(layered(&before), &row[place]);
                    let slopes = gradient.by_weight(layered(&before));
                    let step = 0.1 * error * signs[place] as f64;
                    expected.iter_mut().zip(slopes).for_each(|(sum, &slope)| *sum += step * f64::from(slope));
                }
            }
            for (place, inputs) in row.iter().enumerate() {
                match place == known {
                    true => td.follow_known(0.5),
                    false => td.follow_leaf(inputs, signs[place]),
                }
            }
            td.finish(worth);
            for (found, expected) in layered(td.network()).weights().iter().zip(&expected) {
                assert!((f64::from(*found) - expected).abs() < 1e-5, "lambda {lambda}: {found}, not {expected}");
            }
            assert_ne!(layered(td.network()).weights(), layered(&before).weights());
        }
    }

    /// A balanced value is half of the difference between two views, and so is its gradient.
    #[test]
    fn balanced_values_have_the_gradients_of_both_views() {
        let rng = &mut rng_for(5, &[]);
        let params = TdParams { lambda: 0.0, ..params() };
        let mut td = Td::create(&params, SHAPE, rng);
        let (views, worth) = (row(2, rng), 0.9);
        let before = td.network().clone();
        let both = views.concat();
        let values = [0, 1].map(|view| td.value(&views[view]));
        let value = td.value(&both);
        assert_eq!(value, 0.5 * (values[0] - values[1]));
        let mut expected = layered(&before).weights().to_vec();
        let mut gradient = Gradient::default();
        for (view, weight) in [(0, 0.5), (1, -0.5)] {
            gradient.answer(layered(&before), &views[view]);
            let slopes = gradient.by_weight(layered(&before));
            expected.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += 0.1 * weight * (-worth - value) * slope);
        }
        td.follow_leaf(&both, 1.0);
        td.finish(worth);
        for (found, expected) in layered(td.network()).weights().iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
        }
        assert_ne!(layered(td.network()).weights(), layered(&before).weights());
    }

    #[test]
    fn leaves_are_learned_from_a_generation_on() {
        let mut td = Td::create(&TdParams { leaves_from: 3, ..params() }, SHAPE, &mut rng_for(1, &[]));
        let mut learns = Vec::new();
        for _ in 0..4 {
            learns.push((td.searches(), td.learns_leaves()));
            td.advance(&Results::of(&[0.0]), &mut rng_for(4, &[]));
        }
        assert_eq!(learns, [(false, false), (false, false), (true, true), (true, true)]);
        let td = Td::create(&params(), SHAPE, &mut rng_for(1, &[]));
        assert!(td.searches() && !td.learns_leaves());
    }

    #[test]
    fn it_learns_how_rows_end() {
        for seed in 1..=3 {
            let rng = &mut rng_for(seed, &[]);
            let mut td = Td::create(&params(), SHAPE, rng);
            let rows = [row(5, rng), row(4, rng)];
            let worths = [1.0, -1.0];
            for _ in 0..2000 {
                rows.iter().zip(worths).for_each(|(row, worth)| show(&mut td, row, worth, &[]));
            }
            for (row, worth) in rows.iter().zip(worths) {
                for (back, inputs) in row.iter().rev().enumerate() {
                    let sign = if back % 2 == 0 { 1.0 } else { -1.0 };
                    let value = td.value(inputs);
                    assert!((value - sign * worth).abs() < 0.2, "seed {seed}: {value} {back} before {worth}");
                }
            }
        }
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        let params = TdParams { rate_halves: 2, ..params() };
        let go_on = |td: &mut Td, generations: std::ops::Range<u64>| {
            for generation in generations {
                show(td, &row(6, &mut rng_for(3, &[generation])), 1.0, &[(2, 0.5)]);
                td.advance(&Results::of(&[0.0]), &mut rng_for(4, &[]));
            }
        };
        let mut one = Td::create(&params, SHAPE, &mut rng_for(1, &[]));
        go_on(&mut one, 0..4);
        let mut other = Td::restore(&params, SHAPE, &one.save()).unwrap();
        assert!((one.rate() - 0.025).abs() < 1e-6);
        for td in [&mut one, &mut other] {
            go_on(td, 4..8);
        }
        assert_eq!(one.save(), other.save());
        let check = |bytes: &[u8], shape: Shape, why: &str| {
            let error = Td::restore(&params, shape, bytes).err().unwrap().0;
            assert!(error.contains(why), "{error}");
        };
        let bytes = one.save();
        (0..bytes.len()).for_each(|length| check(&bytes[..length], SHAPE, "cannot be read"));
        check(&bytes, Shape { inputs: 6, outputs: 1 }, "a network has other layers or genes");
        let relu = one.network().to_string().replacen("tanh", "relu", 1).parse().unwrap();
        check(&Td::new(&params, relu, 3).save(), SHAPE, "the activations are relu and tanh, but both must be tanh");
    }

    #[test]
    fn numbers_stay_finite_at_any_rate() {
        let params = TdParams { rate: MOST_RATE, range: 100.0, hidden: vec![9; 12], ..params() };
        let rng = &mut rng_for(1, &[]);
        let mut td = Td::create(&params, SHAPE, rng);
        for number in 0..200 {
            show(&mut td, &row(5, rng), if number % 2 == 0 { 1.0 } else { -1.0 }, &[]);
            assert!(layered(td.network()).weights().iter().all(|weight| f64::from(weight.abs()) <= MOST_WEIGHT));
        }
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |params: TdParams, why: &str| {
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        check(TdParams { range: 0.0, ..params() }, "range is 0, but it must be above 0, up to 100");
        check(TdParams { rate: f64::NAN, ..params() }, "rate is NaN, but it must be above 0, up to 10");
        check(TdParams { lambda: 1.5, ..params() }, "lambda is 1.5, but it must be from 0 to 1");
        check(TdParams { exploration: -0.1, ..params() }, "exploration is -0.1, but a chance is from 0 to 1");
        let error = TdParams { wired: 4, ..params() }.layers().fits(SHAPE).unwrap_err().what;
        assert!(error.contains("wired is 4, but there are 4 inputs"), "{error}");
    }
}
