//! The memory that a population takes, computed before it is made.

use crate::graph::{Edge, Node};
use crate::layered::weight_count;
use crate::neat::{ConnectionGene, NodeGene};
use crate::{Network, Shape};

/// The memory of a population in bytes, in the first generation. Networks that grow take more later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// A generation: its networks and genomes. While the next generation is bred there are two.
    pub generation: u64,
    /// Additional memory while a generation is bred and saved.
    pub breeding: u64,
    /// The size of a saved generation.
    pub saved: u64,
    /// The number of nodes in each layer, inputs first, if networks have full layers; otherwise empty.
    pub layers: Vec<usize>,
}

/// The overhead of each allocation: the allocator's own memory and unused capacity.
pub(crate) const PIECE: u64 = 24;

/// The number of bytes of `count` values.
pub(crate) fn bytes<T>(count: u64) -> u64 {
    count.saturating_mul(size_of::<T>() as u64)
}

/// The memory of a network without its numbers.
fn bare_network() -> u64 {
    // Two reference counts and two lists.
    bytes::<Network>(1) + bytes::<usize>(3) + 3 * PIECE
}

/// The number of bytes of a saved number: seven bits in each byte.
fn saved_number(number: u64) -> u64 {
    u64::from((u64::BITS - number.max(1).leading_zeros()).div_ceil(7))
}

impl Footprint {
    /// Networks in which every input is connected to every output, without hidden nodes.
    pub fn of_graphs(population: usize, shape: Shape) -> Footprint {
        let population = population as u64;
        let (inputs, outputs) = (shape.inputs as u64, shape.outputs as u64);
        let edges = inputs.saturating_mul(outputs);
        let one = bare_network() + bytes::<Node>(outputs) + bytes::<Edge>(edges);
        let saved =
            16 + edges.saturating_mul(4 + saved_number(inputs)) + outputs.saturating_mul(5 + saved_number(inputs));
        // To be saved, each network is written separately, with spare capacity, so that equal ones are found.
        let apart = 64 + edges.saturating_mul(8) + 2 * PIECE + bytes::<(Vec<u8>, u32, usize, u32)>(2);
        Footprint {
            generation: one.saturating_mul(population),
            breeding: apart.saturating_mul(population),
            saved: saved.saturating_mul(population),
            layers: Vec::new(),
        }
    }

    /// Genomes of NEAT and their networks, with up to `hidden` hidden nodes and `of_each` genomes for each network.
    pub(crate) fn of_genomes(population: usize, shape: Shape, hidden: usize, of_each: u64) -> Footprint {
        let (population, hidden) = (population as u64, hidden as u64);
        let (inputs, outputs) = (shape.inputs as u64 + 1, shape.outputs as u64);
        let nodes = outputs + hidden;
        let connections = inputs.saturating_mul(nodes).saturating_add(hidden.saturating_mul(outputs));
        // Genes are added one after the other, so capacity grows by doubling.
        let genome = 128 + 2 * PIECE + 2 * (bytes::<NodeGene>(nodes) + bytes::<ConnectionGene>(connections));
        let network = bare_network() + bytes::<Node>(nodes) + bytes::<Edge>(connections);
        let saved = 32 + connections.saturating_mul(14) + nodes.saturating_mul(8);
        Footprint {
            generation: genome.saturating_mul(of_each).saturating_add(network).saturating_mul(population),
            // The parents and species of all genomes.
            breeding: population.saturating_mul(128),
            saved: saved.saturating_mul(of_each).saturating_mul(population),
            layers: Vec::new(),
        }
    }

    /// Layered networks with these numbers of nodes, inputs first, that store `numbers` numbers for each weight. The
    /// layers have been checked.
    pub(crate) fn of_layers(population: usize, layers: Vec<usize>, numbers: u64) -> Footprint {
        let population = population as u64;
        let weights = weight_count(&layers).expect("the layers were checked") as u64;
        let numbers = bytes::<f32>(weights).saturating_mul(numbers);
        let sizes = bytes::<usize>(layers.len() as u64);
        Footprint {
            generation: (bare_network() + sizes + 64 + PIECE).saturating_add(numbers).saturating_mul(population),
            breeding: population.saturating_mul(64),
            saved: numbers.saturating_add(64).saturating_mul(population),
            layers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_they_are_saved_in() {
        for (number, length) in [(0, 1), (1, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (u64::MAX, 10)] {
            assert_eq!(saved_number(number), length, "{number}");
            assert_eq!(postcard::to_allocvec(&number).unwrap().len() as u64, length, "{number}");
        }
    }
}
