//! Search bootstrapping: one layered network learns the values that its own searches find (TreeStrap's idea; Veness,
//! Silver, Uther and Blair 2009). A search sees further than the network, so its value is a better one; the network learns
//! it, and the next search begins from there.
//!
//! All games of a generation are played with the same network. Then it studies their positions in small batches and in
//! random order, with the method Adam (Kingma and Ba 2015): every weight has a step size of its own.

use super::layers::{HIDDEN, Layers, RANGE, bounded, broken, layered, with_weights};
use crate::activation::exp;
use crate::params::{StrategyInfo, StrategyParams, above_0, chance, default_of_experiment, made_by, within};
use crate::strategy::{Lesson, Results, Strategy, Student};
use crate::{Activation, Footprint, Layered, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{
    Allowed::{Number, Whole},
    CHANCE, Described, KeyError, WHOLE, key,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of search bootstrapping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BootstrapParams {
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// Weights and biases begin within ±range.
    pub range: f64,
    /// The share of a position's target that comes from the positions after it and from the result.
    pub lambda: f64,
    /// The learning rate: about how far a weight moves in a step.
    pub rate: f64,
    /// The number of generations after which the rate is halved, and so on; 0 keeps it constant.
    pub rate_halves: u64,
    /// The number of positions in a batch.
    pub batch: usize,
    /// The number of times that each position is studied.
    pub passes: usize,
    /// The probability of a random move, for exploration.
    pub exploration: f64,
}

/// The highest allowed rate.
const MOST_RATE: f64 = 1.0;
/// The largest batch.
const MOST_BATCH: usize = 1 << 16;
/// The largest number of passes.
const MOST_PASSES: usize = 100;

const KEYS: &[Described] = &[
    HIDDEN,
    RANGE,
    key(
        "lambda",
        "share of a position's target that comes from the positions after it and, in the end, from the result; the rest is \
         the value that the search found there",
        CHANCE,
    ),
    key("rate", "learning rate: about how far a weight moves in a step; above 0", Number(0.0, MOST_RATE)),
    key("rate_halves", "number of generations after which the rate is halved, and so on; 0 keeps it constant", WHOLE),
    key("batch", "positions of a step: the weights move once for all of them", Whole(1.0, MOST_BATCH as f64)),
    key("passes", "how often the network studies the positions of a generation", Whole(1.0, MOST_PASSES as f64)),
    key(
        "exploration",
        "probability of a random move, for exploration; positions before it learn nothing from those after it",
        CHANCE,
    ),
];

default_of_experiment!(BootstrapParams, "minichess-bootstrap");

impl BootstrapParams {
    fn layers(&self) -> Layers<'_> {
        Layers { hidden: &self.hidden, wired: 0 }
    }
}

impl StrategyParams for BootstrapParams {
    fn info() -> StrategyInfo {
        let about = "one layered network learns the values that its own searches find, from games against itself";
        StrategyInfo { name: "bootstrap", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        1
    }

    fn checked(&self) -> Result<(), KeyError> {
        above_0("range", self.range, 100.0)?;
        above_0("rate", self.rate, MOST_RATE)?;
        within("lambda", self.lambda, 0.0, 1.0)?;
        within("batch", self.batch as f64, 1.0, MOST_BATCH as f64)?;
        within("passes", self.passes as f64, 1.0, MOST_PASSES as f64)?;
        chance("exploration", self.exploration)
    }

    made_by!(Bootstrap of layers);

    /// Includes the moments of Adam, which are saved, and gradients, which are not.
    fn footprint(&self, shape: Shape) -> Footprint {
        let saved = Footprint::of_layers(1, self.layers().sizes(shape), 3).saved;
        Footprint { saved, ..Footprint::of_layers(1, self.layers().sizes(shape), 5) }
    }

    fn learns(&self) -> bool {
        true
    }

    fn studies(&self) -> bool {
        true
    }
}

/// A network that studies whole generations of games.
pub(crate) struct Bootstrap {
    params: BootstrapParams,
    network: Arc<Network>,
    generations: u64,
    adam: Adam,
}

/// The saved form.
#[derive(Serialize, Deserialize)]
struct Saved<N, A> {
    generations: u64,
    network: N,
    adam: A,
}

/// The method Adam: running means of each weight's gradient and of its square.
#[derive(Clone, Serialize, Deserialize)]
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    /// What is left of the first means, which were 0, in both.
    unlearned: [f32; 2],
}

/// The share of the old means that a step keeps.
const KEPT: [f32; 2] = [0.9, 0.999];

impl Bootstrap {
    pub(crate) fn create(params: &BootstrapParams, shape: Shape, rng: &mut Rng) -> Bootstrap {
        let network = params.layers().random(shape, params.range, rng);
        let zeros = vec![0.0; network.weights().len()];
        let adam = Adam { mean: zeros.clone(), square: zeros, unlearned: [1.0; 2] };
        Bootstrap { params: params.clone(), network: Arc::new(Network::Layered(network)), generations: 0, adam }
    }

    pub(crate) fn restore(params: &BootstrapParams, shape: Shape, bytes: &[u8]) -> Result<Bootstrap, NetworkError> {
        let Saved { generations, network, adam }: Saved<Network, Adam> = postcard::from_bytes(bytes).map_err(broken)?;
        params.layers().checked(shape, 0, &network)?;
        let weights = layered(&network).weights().len();
        if layered(&network).activations() != [Activation::Tanh; 2] {
            return Err(broken("the activations are not tanh"));
        }
        let numbers = adam.mean.iter().chain(&adam.square).chain(&adam.unlearned);
        let is_sound = adam.mean.len() == weights
            && adam.square.len() == weights
            && numbers.clone().all(|number| number.is_finite())
            && adam.square.iter().chain(&adam.unlearned).all(|number| *number >= 0.0);
        if !is_sound {
            return Err(broken("the moments do not fit the network"));
        }
        Ok(Bootstrap { params: params.clone(), network: Arc::new(network), generations, adam })
    }

    /// The current learning rate.
    fn rate(&self) -> f32 {
        let fallen = match self.params.rate_halves {
            0 => 1.0,
            halves => exp(-std::f32::consts::LN_2 * (self.generations as f64 / halves as f64) as f32),
        };
        self.params.rate as f32 * fallen
    }
}

impl Adam {
    /// Moves the weights against the gradient.
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        let [first, second] = KEPT;
        self.unlearned = [self.unlearned[0] * first, self.unlearned[1] * second];
        let [mean_known, square_known] = self.unlearned.map(|unlearned| 1.0 - unlearned);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean = first * *mean + (1.0 - first) * slope;
            *square = second * *square + (1.0 - second) * slope * slope;
            let step = rate * (*mean / mean_known) / ((*square / square_known).sqrt() + 1e-8);
            if step.is_finite() {
                *weight = bounded(f64::from(*weight - step));
            }
        }
    }
}

impl Strategy for Bootstrap {
    fn networks(&self) -> &[Arc<Network>] {
        std::slice::from_ref(&self.network)
    }

    /// Learning happens after the games; only the generation is counted here.
    fn advance(&mut self, _: &Results, _: &mut Rng) {
        self.generations = self.generations.saturating_add(1);
    }

    fn save(&self) -> Vec<u8> {
        let saved = Saved { generations: self.generations, network: &*self.network, adam: &self.adam };
        postcard::to_allocvec(&saved).expect("networks can always be written")
    }

    fn student(&mut self) -> Option<&mut dyn Student> {
        Some(self)
    }
}

impl Student for Bootstrap {
    fn network(&self) -> &Arc<Network> {
        &self.network
    }

    fn exploration(&self) -> f64 {
        self.params.exploration
    }

    fn lambda(&self) -> f64 {
        self.params.lambda
    }

    fn study(&mut self, lessons: &[Lesson], rng: &mut Rng) {
        let rate = self.rate();
        let network = layered(&self.network);
        let mut weights = network.weights().to_vec();
        let mut slopes = Slopes::new(network);
        let mut order: Vec<usize> = (0..lessons.len()).collect();
        for _ in 0..self.params.passes {
            rng.shuffle(&mut order);
            for batch in order.chunks(self.params.batch) {
                slopes.clear();
                batch.iter().for_each(|&place| slopes.add(&weights, &lessons[place]));
                let share = 1.0 / batch.len() as f32;
                slopes.gradient.iter_mut().for_each(|slope| *slope *= share);
                self.adam.step(&mut weights, &slopes.gradient, rate);
            }
        }
        self.network = Arc::new(with_weights(network, weights));
    }
}

/// The gradient of the squared error over some lessons. Most inputs of a lesson are 0 and are left out.
struct Slopes {
    sizes: Vec<usize>,
    gradient: Vec<f32>,
    /// The values of the nodes of each layer after the inputs, and the derivatives by their sums.
    values: Vec<Vec<f32>>,
    errors: Vec<Vec<f32>>,
}

impl Slopes {
    fn new(network: &Layered) -> Slopes {
        let nodes: Vec<Vec<f32>> = network.sizes()[1..].iter().map(|&size| vec![0.0; size]).collect();
        Slopes {
            sizes: network.sizes().to_vec(),
            gradient: vec![0.0; network.weights().len()],
            values: nodes.clone(),
            errors: nodes,
        }
    }

    fn clear(&mut self) {
        self.gradient.fill(0.0);
    }

    /// Where the weights of a layer begin; the first layer after the inputs has number 0.
    fn begin(&self, layer: usize) -> usize {
        self.sizes.windows(2).take(layer).map(|pair| (pair[0] + 1) * pair[1]).sum()
    }

    /// Adds the gradient of half the squared error of one lesson.
    fn add(&mut self, weights: &[f32], lesson: &Lesson) {
        let layers = self.sizes.len() - 1;
        // 1. The values of all nodes.
        for layer in 0..layers {
            let (begin, width) = (self.begin(layer), self.sizes[layer] + 1);
            let (before, here) = self.values.split_at_mut(layer);
            for (node, value) in here[0].iter_mut().enumerate() {
                let weights = &weights[begin + node * width..][..width];
                *value = weights[0]
                    + match layer {
                        0 => lesson
                            .inputs
                            .iter()
                            .fold(0.0, |sum, &(input, value)| sum + weights[1 + input as usize] * value),
                        _ => weights[1..]
                            .iter()
                            .zip(&before[layer - 1])
                            .fold(0.0, |sum, (weight, value)| sum + weight * value),
                    };
            }
            Activation::Tanh.apply(&mut here[0]);
        }
        // 2. The errors of all nodes, from the output back, and with them the gradient.
        let answer = self.values[layers - 1][0];
        self.errors[layers - 1][0] = (answer - lesson.target) * Activation::Tanh.slope(answer);
        for layer in (0..layers).rev() {
            let (begin, width) = (self.begin(layer), self.sizes[layer] + 1);
            let (before, here) = self.errors.split_at_mut(layer);
            if let Some(before) = before.last_mut() {
                before.fill(0.0);
            }
            for (node, &error) in here[0].iter().enumerate() {
                let at = begin + node * width;
                self.gradient[at] += error;
                if layer == 0 {
                    for &(input, value) in &lesson.inputs {
                        self.gradient[at + 1 + input as usize] += error * value;
                    }
                    continue;
                }
                let entering = &mut self.gradient[at + 1..at + width];
                entering.iter_mut().zip(&self.values[layer - 1]).for_each(|(slope, value)| *slope += error * value);
                let weights = &weights[at + 1..at + width];
                before[layer - 1].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += error * weight);
            }
            if layer > 0 {
                let nodes = before[layer - 1].iter_mut().zip(&self.values[layer - 1]);
                nodes.for_each(|(error, &value)| *error *= Activation::Tanh.slope(value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient::Gradient;
    use chance::rng_for;

    const SHAPE: Shape = Shape { inputs: 6, outputs: 1 };

    fn params() -> BootstrapParams {
        BootstrapParams { hidden: vec![5, 4], batch: 4, passes: 3, ..BootstrapParams::default() }
    }

    fn lessons(count: usize, rng: &mut Rng) -> Vec<Lesson> {
        let lesson = |_| {
            let inputs: Vec<(u32, f32)> = (0..6).filter(|_| rng.below(2) == 1).map(|input| (input, 1.0)).collect();
            let target = if inputs.iter().any(|(input, _)| *input == 3) { 0.6 } else { -0.4 };
            Lesson { inputs, target }
        };
        (0..count).map(lesson).collect()
    }

    /// The gradient is that of the plain backpropagation.
    #[test]
    fn the_gradient_is_that_of_backpropagation() {
        let rng = &mut rng_for(1, &[]);
        for hidden in [vec![5], vec![5, 4], vec![3, 4, 2]] {
            let network = Layers { hidden: &hidden, wired: 0 }.random(SHAPE, 0.8, rng);
            for lesson in lessons(20, rng) {
                let mut inputs = vec![0.0; SHAPE.inputs];
                lesson.inputs.iter().for_each(|&(input, value)| inputs[input as usize] = value);
                let mut plain = Gradient::default();
                let answer = plain.answer(&network, &inputs);
                let mut slopes = Slopes::new(&network);
                slopes.add(network.weights(), &lesson);
                for (found, slope) in slopes.gradient.iter().zip(plain.by_weight(&network)) {
                    assert!((found - (answer - lesson.target) * slope).abs() < 1e-5, "{found}");
                }
            }
        }
    }

    #[test]
    fn it_learns_what_it_studies_and_continues_where_it_was_saved() {
        let rng = &mut rng_for(2, &[]);
        let params = BootstrapParams { rate: 0.02, ..params() };
        let mut one = Bootstrap::create(&params, SHAPE, rng);
        for generation in 0..30 {
            let mut other = Bootstrap::restore(&params, SHAPE, &one.save()).unwrap();
            let lessons = lessons(60, rng);
            for student in [&mut one, &mut other] {
                student.study(&lessons, &mut rng_for(3, &[generation]));
                student.advance(&Results::of(&[0.0]), &mut rng_for(4, &[]));
            }
            assert_eq!(one.save(), other.save());
        }
        let mut gradient = Gradient::default();
        let mut value = |inputs: &[f32]| gradient.answer(layered(&one.network), inputs);
        assert!(value(&[0.0, 1.0, 0.0, 1.0, 0.0, 0.0]) > 0.4 && value(&[0.0, 1.0, 0.0, 0.0, 0.0, 1.0]) < -0.2);
        let bytes = one.save();
        for length in 0..bytes.len() {
            assert!(Bootstrap::restore(&params, SHAPE, &bytes[..length]).is_err());
        }
        assert!(Bootstrap::restore(&params, Shape { inputs: 5, outputs: 1 }, &bytes).is_err());
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |params: BootstrapParams, why: &str| {
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        check(BootstrapParams { rate: 0.0, ..params() }, "rate is 0, but it must be above 0, up to 1");
        check(BootstrapParams { batch: 0, ..params() }, "batch is 0, but it must be from 1 to 65536");
        check(BootstrapParams { passes: 0, ..params() }, "passes is 0, but it must be from 1 to 100");
        check(BootstrapParams { lambda: 2.0, ..params() }, "lambda is 2, but it must be from 0 to 1");
    }
}
