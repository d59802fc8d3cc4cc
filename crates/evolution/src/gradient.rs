//! Backpropagation: how a layered network's output depends on each of its weights, one position at a time.

use crate::{LANES, Lanes, Layered, Scratch};

/// The last output of a network with the values of all its nodes, and reusable memory.
#[derive(Default)]
pub(crate) struct Gradient {
    scratch: Scratch,
    inputs: Vec<Lanes>,
    /// The values of all nodes, inputs first, without the wired inputs.
    values: Vec<f32>,
    /// The derivatives of the output by the sums of a layer, and by those of the layer before it.
    slopes: [Vec<f32>; 2],
    by_weight: Vec<f32>,
}

impl Gradient {
    /// The output of a network with one output. It is the same to the last bit as in games.
    pub fn answer(&mut self, network: &Layered, inputs: &[f32]) -> f32 {
        debug_assert_eq!((network.shape().inputs, network.shape().outputs), (inputs.len(), 1));
        self.inputs.clear();
        self.inputs.extend(inputs.iter().map(|&input| {
            let mut lanes = [0.0; LANES];
            lanes[0] = input;
            lanes
        }));
        let answer = network.forward(&self.inputs, &mut self.scratch)[0][0];
        self.values.clear();
        self.values.extend(self.scratch.0.iter().map(|lanes| lanes[0]));
        answer
    }

    /// The derivative of the last output by every weight, in the order of the weights. The network must be the same.
    pub fn by_weight(&mut self, network: &Layered) -> &[f32] {
        let Gradient { values, slopes: [here, before], by_weight, .. } = self;
        let (weights, [hidden, output]) = (network.weights(), network.activations());
        by_weight.resize(weights.len(), 0.0);
        let (mut layer_begins, mut weights_begin) = (values.len() - 1, weights.len());
        here.clear();
        here.push(output.slope(values[layer_begins]));
        for sizes in network.sizes().windows(2).rev() {
            let width = sizes[0] + 1;
            weights_begin -= width * sizes[1];
            let below = &values[layer_begins - sizes[0]..layer_begins];
            layer_begins -= sizes[0];
            before.clear();
            before.resize(sizes[0], 0.0);
            for (node, &slope) in here.iter().enumerate() {
                let at = weights_begin + node * width;
                by_weight[at] = slope;
                let entering = &mut by_weight[at + 1..at + width];
                entering.iter_mut().zip(below).for_each(|(entry, value)| *entry = slope * value);
                // The derivatives by inputs are not needed.
                if layer_begins > 0 {
                    let weights = &weights[at + 1..at + width];
                    before.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += slope * weight);
                }
            }
            before.iter_mut().zip(below).for_each(|(sum, &value)| *sum *= hidden.slope(value));
            std::mem::swap(here, before);
        }
        by_weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    /// Compares with finite differences: each weight is moved a little to both sides. All these activations are smooth;
    /// at the edge of one that is not, differences would mean nothing.
    #[test]
    fn gradients_are_those_of_finite_differences() {
        const STEP: f32 = 1e-2;
        let rng = &mut rng_for(1, &[]);
        for (sizes, wired) in [(&[3, 1][..], 0), (&[5, 4, 1], 0), (&[5, 4, 1], 2), (&[6, 5, 4, 3, 1], 1)] {
            for activations in ["tanh tanh", "sigmoid bilateral:1.5", "elu:1 steep:2", "bilateral:2 identity"] {
                let name = sizes.iter().map(|size| size.to_string()).collect::<Vec<_>>().join("-");
                let random = Layered::random(sizes, wired, 0.8, rng).unwrap();
                let weights: Vec<String> = random.weights().iter().map(|weight| weight.to_string()).collect();
                let text = format!("{name} {wired} {activations} | {}", weights.join(" "));
                let network: Layered = text.parse().unwrap();
                let inputs: Vec<f32> = (0..network.shape().inputs).map(|_| rng.signed_unit()).collect();
                let mut gradient = Gradient::default();
                gradient.answer(&network, &inputs);
                let found = gradient.by_weight(&network).to_vec();
                assert!(found.iter().any(|slope| slope.abs() > 0.1), "{found:?}");
                for (place, slope) in found.iter().enumerate() {
                    let mut moved = |by: f32| {
                        let mut weights = network.weights().to_vec();
                        weights[place] += by;
                        gradient.answer(&network.with_weights(weights, Vec::new()), &inputs)
                    };
                    let plain = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
                    assert!((slope - plain).abs() < 1e-3, "{text}, weight {place}: {slope}, not {plain}");
                }
            }
        }
    }
}
