//! Graph networks of any shape: nodes in layers, with edges from earlier layers to later ones.
//!
//! The genome and the network are one data structure: the nodes are in the order of computation, and their incoming
//! edges are in one flat list in the same order. A copy is two memory copies, and an evaluation is one pass.

use crate::shape::checked_sizes;
use crate::{Activation, Lanes, NetworkError, Scratch, Shape};
use chance::Rng;
use serde::{Deserialize, Serialize};

/// Nodes in layers; a node can be connected to any node of a later layer.
///
/// Always true: nodes are ordered by layer, and the outputs are the last layer; no layer is empty; an edge comes from
/// an earlier layer than the one it goes to, and no two edges connect the same nodes; every node but an input has an
/// incoming edge, and every hidden node has an outgoing edge, so each is on a path from an input to an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Graph {
    pub(crate) shape: Shape,
    pub(crate) hidden_activation: Activation,
    pub(crate) output_activation: Activation,
    /// Hidden nodes, then outputs. Inputs are layer 0 and have no entry.
    pub(crate) nodes: Vec<Node>,
    /// The incoming edges of the first node, then those of the second, and so on.
    pub(crate) edges: Vec<Edge>,
}

/// A hidden node or an output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Added to the weighted sum of the incoming values.
    pub bias: f32,
    /// The number of the layer, from 1; inputs are layer 0.
    pub layer: u32,
    /// The number of incoming edges.
    pub incoming: u32,
}

/// An edge. Its target follows from its position in the list of edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The node where the edge begins: inputs come first, then the other nodes in their order.
    pub source: u32,
    /// The factor for the source's value.
    pub weight: f32,
}

impl Graph {
    /// Every input is connected to every output, with random weights and biases in [−1, 1).
    pub fn random(shape: Shape, hidden: Activation, output: Activation, rng: &mut Rng) -> Graph {
        Graph::random_within(1.0, shape, hidden, output, rng)
    }

    /// Every input is connected to every output, with random weights and biases in [−range, range).
    pub fn random_within(range: f32, shape: Shape, hidden: Activation, output: Activation, rng: &mut Rng) -> Graph {
        let nodes: Vec<Node> = (0..shape.outputs)
            .map(|_| Node { bias: range * rng.signed_unit(), layer: 1, incoming: shape.inputs as u32 })
            .collect();
        let edges = (0..shape.outputs)
            .flat_map(|_| 0..shape.inputs as u32)
            .map(|source| Edge { source, weight: range * rng.signed_unit() })
            .collect();
        Graph { shape, hidden_activation: hidden, output_activation: output, nodes, edges }
    }

    /// The numbers of inputs and outputs.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The activation function of hidden nodes.
    pub fn hidden_activation(&self) -> Activation {
        self.hidden_activation
    }

    /// The activation function of outputs.
    pub fn output_activation(&self) -> Activation {
        self.output_activation
    }

    /// Hidden nodes in the order of their layers, then outputs.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The incoming edges of the first node, then those of the second, and so on.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The number of nodes between inputs and outputs.
    pub fn hidden(&self) -> usize {
        self.nodes.len() - self.shape.outputs
    }

    /// The number of layers between inputs and outputs.
    pub fn hidden_layers(&self) -> usize {
        self.nodes.last().map_or(0, |output| output.layer as usize - 1)
    }

    /// The number of nodes in each layer, including inputs and outputs.
    pub fn layer_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.hidden_layers() + 2];
        sizes[0] = self.shape.inputs;
        self.nodes.iter().for_each(|node| sizes[node.layer as usize] += 1);
        sizes
    }

    /// The outputs for all lanes.
    pub(crate) fn forward<'s>(&self, inputs: &[Lanes], scratch: &'s mut Scratch) -> &'s [Lanes] {
        debug_assert_eq!(inputs.len(), self.shape.inputs);
        let values = &mut scratch.0;
        values.clear();
        values.extend_from_slice(inputs);
        let hidden = self.hidden();
        let mut edges = self.edges.iter();
        // The nodes of a layer do not depend on each other, so the activation is applied to the whole layer at once.
        for layer in self.nodes.chunk_by(|one, two| one.layer == two.layer) {
            let first = values.len();
            for node in layer {
                let mut sums = [node.bias; crate::LANES];
                for edge in edges.by_ref().take(node.incoming as usize) {
                    let source = &values[edge.source as usize];
                    for (sum, value) in sums.iter_mut().zip(source) {
                        *sum += edge.weight * value;
                    }
                }
                values.push(sums);
            }
            let is_hidden = first < self.shape.inputs + hidden;
            let activation = if is_hidden { self.hidden_activation } else { self.output_activation };
            activation.apply(values[first..].as_flattened_mut());
        }
        &values[self.shape.inputs + hidden..]
    }

    /// The outputs for one position, node by node. This plain version is for tests and benchmarks to compare with.
    pub fn forward_plain(&self, inputs: &[f32]) -> Vec<f32> {
        let mut values = inputs.to_vec();
        let mut first = 0;
        for (place, node) in self.nodes.iter().enumerate() {
            let incoming = &self.edges[first..first + node.incoming as usize];
            first += incoming.len();
            let mut sum =
                [incoming.iter().fold(node.bias, |sum, edge| sum + edge.weight * values[edge.source as usize])];
            let activation = if place < self.hidden() { self.hidden_activation } else { self.output_activation };
            activation.apply(&mut sum);
            values.push(sum[0]);
        }
        values.split_off(self.shape.inputs + self.hidden())
    }

    /// The layer of a node, which may be an input.
    pub(crate) fn layer_of(&self, node: usize) -> u32 {
        match node.checked_sub(self.shape.inputs) {
            None => 0,
            Some(place) => self.nodes[place].layer,
        }
    }
}

/// A graph from outside, not yet checked.
#[derive(Deserialize)]
pub(crate) struct Parts {
    pub shape: Shape,
    pub hidden_activation: Activation,
    pub output_activation: Activation,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

impl TryFrom<Parts> for Graph {
    type Error = NetworkError;

    fn try_from(parts: Parts) -> Result<Graph, NetworkError> {
        let Parts { shape, hidden_activation, output_activation, nodes, edges } = parts;
        let graph = Graph { shape, hidden_activation, output_activation, nodes, edges };
        graph.check().map_err(|why| NetworkError(format!("the network is invalid: {why}")))?;
        Ok(graph)
    }
}

impl Graph {
    /// Checks everything that must always be true; the error says what is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Shape { inputs, outputs } = self.shape;
        // 1. Numbers and sizes.
        for activation in [self.hidden_activation, self.output_activation] {
            if let Some(number) = activation.number().filter(|number| !number.is_finite()) {
                return Err(format!("the activation {activation} has {number}, which is not a number"));
            }
        }
        if inputs == 0 || outputs == 0 || self.nodes.len() < outputs {
            return Err(format!(
                "it has {inputs} inputs, {outputs} outputs and {} nodes, which is too few",
                self.nodes.len()
            ));
        }
        checked_sizes(inputs, self.nodes.len(), self.edges.len())?;
        let incoming: usize = self.nodes.iter().map(|node| node.incoming as usize).sum();
        if incoming != self.edges.len() {
            return Err(format!("its nodes have {incoming} incoming edges, but {} are given", self.edges.len()));
        }
        // 2. Layers: they count from 1 without gaps, and the last one has all outputs and nothing else.
        let (hidden, outputs) = self.nodes.split_at(self.nodes.len() - outputs);
        let mut layer = 0;
        for node in hidden {
            if node.layer != layer && node.layer != layer + 1 || node.layer == 0 {
                return Err(format!(
                    "layer {} follows layer {layer}, but layers must be in order without gaps",
                    node.layer
                ));
            }
            layer = node.layer;
        }
        if let Some(output) = outputs.iter().find(|output| output.layer != layer + 1) {
            return Err(format!("an output is in layer {}, but outputs must be in layer {}", output.layer, layer + 1));
        }
        // 3. Edges.
        let mut outgoing = vec![false; inputs + hidden.len()];
        let mut edges = self.edges.iter();
        // By source: the last node into which an edge was found. Node 0 is an input and has no incoming edges.
        let mut joined_to = vec![0; outgoing.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            let name = inputs + place;
            if !node.bias.is_finite() {
                return Err(format!("the bias of node {name} is {}, which is not a number", node.bias));
            }
            if node.incoming == 0 {
                return Err(format!("node {name} has no incoming edge"));
            }
            for edge in edges.by_ref().take(node.incoming as usize) {
                let source = edge.source as usize;
                if source >= outgoing.len() || self.layer_of(source) >= node.layer {
                    return Err(format!(
                        "an edge goes from node {source} to node {name}, which is not in a later layer"
                    ));
                }
                if std::mem::replace(&mut joined_to[source], name) == name {
                    return Err(format!("two edges go from node {source} to node {name}"));
                }
                if !edge.weight.is_finite() {
                    return Err(format!(
                        "the weight from node {source} to node {name} is {}, which is not a number",
                        edge.weight
                    ));
                }
                outgoing[source] = true;
            }
        }
        match outgoing[inputs..].iter().position(|goes| !goes) {
            Some(place) => Err(format!("node {} has no outgoing edge", inputs + place)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LANES;
    use chance::rng_for;

    /// Two inputs, two hidden nodes in two layers, one output.
    pub(crate) fn small() -> Graph {
        "2 1 relu identity | 1 0.5 0:1 1:-1 | 2 0 2:2 | 3 -0.25 3:1 0:0.5".parse().unwrap()
    }

    #[test]
    fn values_are_computed_by_hand() {
        let mut inputs = [[0.0; LANES]; 2];
        inputs[0] = [0.0, 1.0, 2.0, -1.0, 0.0, 0.0, 0.0, 3.0];
        inputs[1] = [0.0, 1.0, 0.0, 0.0, 1.0, -2.0, 0.0, 1.0];
        let mut scratch = Scratch::default();
        let outputs = small().forward(&inputs, &mut scratch)[0];
        assert_eq!(outputs, [0.75, 1.25, 5.75, -0.75, -0.25, 4.75, 0.75, 6.25]);
    }

    #[test]
    fn outputs_do_not_depend_on_the_other_lanes() {
        let rng = &mut rng_for(1, &[]);
        let shape = Shape { inputs: 5, outputs: 3 };
        let mut graph = Graph::random(shape, Activation::Tanh, Activation::Sigmoid, rng);
        for _ in 0..50 {
            graph.mutate(&crate::MutationWeights::all(1.0), 1.0, rng);
        }
        let inputs: Vec<Lanes> = (0..5).map(|_| std::array::from_fn(|_| rng.signed_unit())).collect();
        let mut scratch = Scratch::default();
        let together = graph.forward(&inputs, &mut scratch).to_vec();
        for lane in 0..LANES {
            let alone: Vec<Lanes> = inputs.iter().map(|values| [values[lane]; LANES]).collect();
            let outputs = graph.forward(&alone, &mut scratch);
            for (alone, together) in outputs.iter().zip(&together) {
                assert_eq!(alone[0].to_bits(), together[lane].to_bits());
            }
            let row: Vec<f32> = inputs.iter().map(|values| values[lane]).collect();
            for (plain, together) in graph.forward_plain(&row).iter().zip(&together) {
                assert_eq!(plain.to_bits(), together[lane].to_bits());
            }
        }
    }

    #[test]
    fn sizes_are_counted() {
        let graph = small();
        assert_eq!((graph.hidden(), graph.hidden_layers(), graph.layer_sizes()), (2, 2, vec![2, 1, 1, 1]));
        assert_eq!(
            Graph::random(graph.shape(), Activation::Relu, Activation::Identity, &mut rng_for(1, &[])).layer_sizes(),
            [2, 1]
        );
    }
}
