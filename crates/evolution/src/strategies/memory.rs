//! The positions that a network remembers, and its outputs for them.

use super::layers::with_weights;
use crate::lanes::{LANES, Lanes, Scratch};
use crate::{Layered, Network};

/// A network's outputs for the positions that it remembers.
pub(crate) struct Memory {
    /// The positions in blocks of lanes, with the number of positions in each block.
    blocks: Vec<(usize, Vec<Lanes>)>,
    answers: Vec<f32>,
}

impl Memory {
    /// The memory of a network; `None` if there are no positions.
    pub fn new(network: &Layered, positions: &[Vec<f32>]) -> Option<Memory> {
        let block = |some: &[Vec<f32>]| {
            let mut inputs = vec![[0.0; LANES]; some[0].len()];
            for (lane, position) in some.iter().enumerate() {
                inputs.iter_mut().zip(position).for_each(|(input, &value)| input[lane] = value);
            }
            (some.len(), inputs)
        };
        let mut memory = Memory { blocks: positions.chunks(LANES).map(block).collect(), answers: Vec::new() };
        let network = with_weights(network, network.weights().to_vec());
        memory.answers = memory.ask(&network, &mut Scratch::default());
        (!positions.is_empty()).then_some(memory)
    }

    /// A network's outputs for each of the positions.
    fn ask(&self, network: &Network, scratch: &mut Scratch) -> Vec<f32> {
        let mut answers = Vec::with_capacity(self.blocks.len() * LANES);
        for (count, inputs) in &self.blocks {
            for output in network.forward_lanes(inputs, scratch) {
                answers.extend_from_slice(&output[..*count]);
            }
        }
        answers
    }

    /// The mean absolute difference between another network's outputs and the remembered ones.
    pub fn change(&self, network: &Network, scratch: &mut Scratch) -> f32 {
        let answers = self.ask(network, scratch);
        let changes = self.answers.iter().zip(&answers).map(|(before, after)| (before - after).abs());
        changes.sum::<f32>() / answers.len() as f32
    }
}
