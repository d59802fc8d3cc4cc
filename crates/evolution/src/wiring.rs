//! All nodes and edges of any network by number, for drawings and for showing the values of nodes.

use crate::{Activation, Network};

/// The nodes and edges of a network. Inputs come first, then hidden nodes in the order of computation, then outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Wiring {
    /// The number of inputs.
    pub inputs: usize,
    /// The nodes after the inputs.
    pub nodes: Vec<WiredNode>,
    /// The edges, ordered by the node they lead to, and there in the order of summation.
    pub edges: Vec<WiredEdge>,
}

/// A hidden node or an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WiredNode {
    /// The number of the layer, from 1; inputs are layer 0.
    pub layer: usize,
    /// The first term of its sum.
    pub bias: f32,
    /// Its activation function.
    pub activation: Activation,
}

/// An edge between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WiredEdge {
    /// The number of the node where it begins.
    pub from: usize,
    /// The number of the node where it ends.
    pub to: usize,
    /// The factor for the source's value.
    pub weight: f32,
}

impl Wiring {
    /// The values of all nodes, inputs included. The outputs are the same to the last bit as those of
    /// [`Network::forward`].
    pub fn values(&self, inputs: &[f32]) -> Vec<f32> {
        assert_eq!(inputs.len(), self.inputs);
        let mut values = inputs.to_vec();
        let mut edges = self.edges.iter().peekable();
        for node in &self.nodes {
            let mut sum = [node.bias];
            while let Some(edge) = edges.next_if(|edge| edge.to == values.len()) {
                sum[0] += edge.weight * values[edge.from];
            }
            node.activation.apply(&mut sum);
            values.push(sum[0]);
        }
        values
    }
}

impl Network {
    /// All nodes and edges by number.
    pub fn wiring(&self) -> Wiring {
        let inputs = self.shape().inputs;
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        match self {
            Network::Graph(graph) => {
                let mut rest = graph.edges().iter();
                for (place, node) in graph.nodes().iter().enumerate() {
                    let hidden = place < graph.hidden();
                    let activation = if hidden { graph.hidden_activation() } else { graph.output_activation() };
                    nodes.push(WiredNode { layer: node.layer as usize, bias: node.bias, activation });
                    edges.extend(rest.by_ref().take(node.incoming as usize).map(|edge| WiredEdge {
                        from: edge.source as usize,
                        to: inputs + place,
                        weight: edge.weight,
                    }));
                }
            }
            Network::Layered(layered) => {
                let [hidden, output] = layered.activations();
                let last = layered.sizes().len() - 1;
                let mut before = 0;
                for (number, (weights, width, _)) in layered.layers().enumerate() {
                    let layer = number + 1;
                    let here = inputs + nodes.len();
                    for node in weights.chunks_exact(width + 1) {
                        let to = inputs + nodes.len();
                        let activation = if layer == last { output } else { hidden };
                        nodes.push(WiredNode { layer, bias: node[0], activation });
                        let sources = node[1..].iter().enumerate();
                        edges.extend(sources.map(|(source, &weight)| WiredEdge { from: before + source, to, weight }));
                        if layer == last {
                            // Wired inputs, which follow the others, go directly to every output.
                            let wired = layered.sizes()[0]..inputs;
                            edges.extend(wired.map(|from| WiredEdge { from, to, weight: 1.0 }));
                        }
                    }
                    before = here;
                }
            }
        }
        Wiring { inputs, nodes, edges }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Graph, Layered, Shape};
    use chance::rng_for;

    #[track_caller]
    fn check(network: &Network) {
        let wiring = network.wiring();
        let sizes = network.layer_sizes();
        let in_layers: usize = sizes.iter().sum();
        assert!(wiring.inputs + wiring.nodes.len() >= in_layers, "{sizes:?}");
        for number in 0..20 {
            let rng = &mut rng_for(7, &[number]);
            let inputs: Vec<f32> = (0..wiring.inputs).map(|_| 3.0 * rng.signed_unit()).collect();
            let outputs = network.forward(&inputs);
            let values = wiring.values(&inputs);
            assert_eq!(values.len(), wiring.inputs + wiring.nodes.len());
            assert_eq!((&values[..inputs.len()], &values[values.len() - outputs.len()..]), (&inputs[..], &outputs[..]));
        }
    }

    #[test]
    fn values_are_those_of_the_network() {
        let rng = &mut rng_for(1, &[]);
        for (sizes, wired) in [(&[91, 40, 10, 1][..], 1), (&[5, 3], 2), (&[4, 6, 2], 0)] {
            check(&Network::Layered(Layered::random(sizes, wired, 0.4, rng).unwrap()));
        }
        let shape = Shape { inputs: 6, outputs: 3 };
        check(&Network::Graph(Graph::random(shape, Activation::Tanh, Activation::Sigmoid, rng)));
        check(&"graph 2 1 elu:0.1 identity | 1 0.25 0:0.5 1:-0.125 | 2 -1 2:2 0:1".parse().unwrap());
    }

    #[test]
    fn edges_are_by_number() {
        let network: Network = "layered 2-2-1 1 relu identity | 0 1 0  1 0 -1  0.5 2 3".parse().unwrap();
        let wiring = network.wiring();
        let edges: Vec<_> = wiring.edges.iter().map(|edge| (edge.from, edge.to, edge.weight)).collect();
        let first = [(0, 3, 1.0), (1, 3, 0.0), (0, 4, 0.0), (1, 4, -1.0)];
        assert_eq!(edges, [&first[..], &[(3, 5, 2.0), (4, 5, 3.0), (2, 5, 1.0)]].concat());
        assert_eq!(wiring.values(&[3.0, 0.5, 10.0]), [3.0, 0.5, 10.0, 3.0, 0.5, 18.0]);
    }
}
