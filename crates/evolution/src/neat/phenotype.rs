//! Makes the network of a genome: the layer of a node is the longest path from the inputs, and useless nodes are left
//! out.

use super::genome::{Genome, Layout, Status};
use crate::{Activation, Edge, Graph, Network, Node};

/// Makes the network. Nodes that reach no output are left out. Nodes that no input reaches have constant values, which
/// are added to the biases of the nodes behind them.
pub(crate) fn network(genome: &Genome, layout: &Layout, hidden: Activation, output: Activation) -> Network {
    let inputs = layout.shape.inputs;
    let sources = layout.sources() as usize;
    let outputs = sources..sources + layout.shape.outputs;
    let incoming = Incoming::new(genome, layout);
    // 1. All nodes that reach an output, each after the nodes from which its connections come.
    let mut order = Vec::with_capacity(genome.nodes.len());
    let mut seen = vec![false; incoming.places()];
    seen[..sources].fill(true);
    for output in outputs.clone() {
        incoming.visit(output, &mut seen, &mut order);
    }
    // 2. Biases, constants and layers, in the same order.
    let mut bias: Vec<f32> = vec![0.0; incoming.places()];
    let mut constant: Vec<Option<f32>> = vec![None; incoming.places()];
    let mut layer: Vec<u32> = vec![0; incoming.places()];
    if let Some(one) = layout.bias() {
        constant[one as usize] = Some(1.0);
    }
    for &node in &order {
        let mut sum = genome.nodes[node - sources].bias;
        let mut last = None;
        for &(from, weight) in incoming.of(node) {
            match constant[from] {
                // Weights may be very large; the clamp keeps their sum finite.
                Some(value) => sum = (sum + weight * value).clamp(f32::MIN, f32::MAX),
                None => last = last.max(Some(layer[from])),
            }
        }
        bias[node] = sum;
        match last {
            Some(last) => layer[node] = last + 1,
            None if outputs.contains(&node) => {}
            None => {
                let mut value = [sum];
                hidden.apply(&mut value);
                constant[node] = Some(value[0]);
            }
        }
    }
    // 3. Hidden nodes by layer, then outputs, each with its incoming edges.
    order.retain(|&node| constant[node].is_none() && !outputs.contains(&node));
    order.sort_by_key(|&node| layer[node]);
    let last = order.last().map_or(1, |&node| layer[node] + 1);
    outputs.clone().for_each(|output| layer[output] = last);
    order.extend(outputs);
    let mut name: Vec<u32> = (0..incoming.places() as u32).collect();
    order.iter().enumerate().for_each(|(number, &node)| name[node] = (inputs + number) as u32);
    let mut nodes = Vec::with_capacity(order.len());
    let mut edges = Vec::with_capacity(genome.connections.len());
    for &node in &order {
        let before = edges.len();
        let living = incoming.of(node).iter().filter(|(from, _)| constant[*from].is_none());
        edges.extend(living.map(|&(from, weight)| Edge { source: name[from], weight }));
        if edges.len() == before {
            // An output without incoming connections gets an edge with weight 0, because every node needs one.
            edges.push(Edge { source: 0, weight: 0.0 });
        }
        nodes.push(Node { bias: bias[node], layer: layer[node], incoming: (edges.len() - before) as u32 });
    }
    let graph = Graph { shape: layout.shape, hidden_activation: hidden, output_activation: output, nodes, edges };
    debug_assert_eq!(graph.check(), Ok(()));
    Network::Graph(graph)
}

/// The connections that are on, by the node they go to. Nodes are given by index: inputs and bias by number, then node
/// genes.
struct Incoming {
    /// The index at which the connections of each node begin, and the total number at the end.
    first: Vec<u32>,
    /// The index of the source, and the weight.
    connections: Vec<(usize, f32)>,
}

impl Incoming {
    fn new(genome: &Genome, layout: &Layout) -> Incoming {
        let (sources, first_hidden) = (layout.sources() as usize, layout.first_hidden());
        let place = |number: u32| {
            // The indices of inputs and outputs are their numbers.
            if number < first_hidden {
                return number as usize;
            }
            let found = genome.nodes.binary_search_by_key(&number, |node| node.number);
            sources + found.expect("a connection joins nodes of its genome")
        };
        let on = || genome.connections.iter().filter(|gene| gene.status == Status::On);
        let mut first = vec![0; sources + genome.nodes.len() + 1];
        on().for_each(|gene| first[place(gene.to) + 1] += 1);
        (1..first.len()).for_each(|place| first[place] += first[place - 1]);
        let mut next = first.clone();
        let mut connections = vec![(0, 0.0); first[first.len() - 1] as usize];
        for gene in on() {
            let slot = &mut next[place(gene.to)];
            connections[*slot as usize] = (place(gene.from), gene.weight);
            *slot += 1;
        }
        Incoming { first, connections }
    }

    fn places(&self) -> usize {
        self.first.len() - 1
    }

    fn of(&self, place: usize) -> &[(usize, f32)] {
        &self.connections[self.first[place] as usize..self.first[place + 1] as usize]
    }

    /// Appends all nodes that a node needs, then the node. A genome has no loops, but a path may be very long, so this
    /// does not use recursion.
    fn visit(&self, node: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        // The path back from the first node; each node has the number of the next connection to look at.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut next = (!std::mem::replace(&mut seen[node], true)).then_some(node);
        loop {
            way.extend(next.take().map(|node| (node, 0)));
            let Some((node, looked)) = way.last_mut() else { return };
            match self.of(*node).get(*looked) {
                Some(&(from, _)) => {
                    *looked += 1;
                    next = (!std::mem::replace(&mut seen[from], true)).then_some(from);
                }
                None => {
                    order.push(*node);
                    way.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    #[track_caller]
    fn check(genome: &str, expected: &str) {
        let network: Network = genome.parse().unwrap();
        let Shape { inputs, outputs } = network.shape();
        assert_eq!(network.to_string(), format!("graph {inputs} {outputs} relu identity {expected}"));
    }

    #[test]
    fn networks_are_what_genomes_say() {
        check("genome 2 1 nodes relu identity 1 0 0 | 2:0.5 | 0:0>2:1 1:1>2:-1", "| 1 0.5 0:1 1:-1");
        // A split connection is off, its halves are on.
        let split = "genome 2 1 nodes relu identity 1 0 0 | 2:0 3:0.25 | 0:0>2:1:split 1:1>2:-1 2:0>3:1 3:3>2:4";
        check(split, "| 1 0.25 0:1 | 2 0 1:-1 2:4");
        // The bias is an input and becomes a bias of the output.
        check("genome 2 1 input relu identity 1 0 0 | 3:0 | 0:0>3:1 2:2>3:7", "| 1 7 0:1");
        // Node 3 leads nowhere. No input reaches node 4, so its value is its bias. The second output has no
        // connections.
        let odd = "genome 1 2 nodes relu identity 1 0 0 | 1:0.5 2:3 3:0 4:2 | 0:0>1:1 1:0>3:1 2:4>1:10";
        check(odd, "| 1 20.5 0:1 | 1 3 0:0");
        // Nodes with higher numbers may come earlier on a path.
        let back = "genome 1 1 nodes relu identity 1 0 0 | 1:0 2:0 3:0 | 0:0>3:1 1:3>2:1 2:2>1:1 3:0>1:5";
        check(back, "| 1 0 0:1 | 2 0 1:1 | 3 0 2:1 0:5");
    }
}
