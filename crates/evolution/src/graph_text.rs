//! Writes a graph as one line of text, and reads it.
//!
//! `2 1 elu:0.1 identity | 1 0.5 0:1 1:-1 | 2 -0.25 2:0.7` means: two inputs, one output, the activations of hidden
//! nodes and of outputs; then for each node its layer, its bias, and its incoming edges as source:weight.

use crate::graph::Parts;
use crate::shape::no_number;
use crate::{Activation, Edge, Graph, NetworkError, Node, Shape};
use std::{fmt, str::FromStr};

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { inputs, outputs } = self.shape;
        write!(f, "{inputs} {outputs} {} {}", self.hidden_activation, self.output_activation)?;
        let mut edges = self.edges.iter();
        for node in &self.nodes {
            write!(f, " | {} {}", node.layer, node.bias)?;
            for edge in edges.by_ref().take(node.incoming as usize) {
                write!(f, " {}:{}", edge.source, edge.weight)?;
            }
        }
        Ok(())
    }
}

impl FromStr for Graph {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Graph, NetworkError> {
        let mut parts = text.split('|');
        let head: Vec<&str> = parts.next().unwrap_or("").split_whitespace().collect();
        let [inputs, outputs, hidden, output] = head[..] else {
            return Err(NetworkError(format!(
                "the network begins with {} words, but it must begin with its inputs, outputs and two activations, as in `2 1 elu:0.1 identity`",
                head.len()
            )));
        };
        let shape = Shape { inputs: number(inputs)?, outputs: number(outputs)? };
        let mut nodes = Vec::new();
        let mut edges = Vec::new();
        for part in parts {
            let mut words = part.split_whitespace();
            let (Some(layer), Some(bias)) = (words.next(), words.next()) else {
                return Err(NetworkError(format!(
                    "`{}` is no node; expected layer, bias and edges, as in `1 0.5 0:1`",
                    part.trim()
                )));
            };
            let before = edges.len();
            for word in words {
                let Some((source, weight)) = word.split_once(':') else {
                    return Err(NetworkError(format!("`{word}` is no edge; expected source:weight, as in `0:0.5`")));
                };
                edges.push(Edge { source: number(source)?, weight: number(weight)? });
            }
            nodes.push(Node { bias: number(bias)?, layer: number(layer)?, incoming: (edges.len() - before) as u32 });
        }
        Parts { shape, hidden_activation: activation(hidden)?, output_activation: activation(output)?, nodes, edges }
            .try_into()
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, NetworkError> {
    text.parse().map_err(|_| no_number(text))
}

fn activation(text: &str) -> Result<Activation, NetworkError> {
    text.parse().map_err(|()| {
        NetworkError(format!(
            "`{text}` is no activation; the activations are {} (elu with its alpha, the last three with their steepness, as in `elu:0.1`)",
            Activation::NAMES.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MutationWeights, Network};
    use chance::rng_for;

    #[test]
    fn text_and_bytes_go_both_ways() {
        let rng = &mut rng_for(2, &[]);
        let mut graph = Graph::random(Shape { inputs: 3, outputs: 2 }, Activation::Elu(0.1), Activation::Identity, rng);
        for _ in 0..60 {
            graph.mutate(&MutationWeights::all(1.0), 1.0, rng);
            let network = Network::Graph(graph.clone());
            assert_eq!(network.to_string().parse(), Ok(network.clone()));
            let bytes = postcard::to_allocvec(&network).unwrap();
            assert_eq!(postcard::from_bytes::<Network>(&bytes).unwrap(), network);
        }
    }

    #[track_caller]
    fn check(text: &str, why: &str) {
        let error = text.parse::<Network>().unwrap_err().0;
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn text_that_is_no_network() {
        check("", "is not the beginning of a network");
        check("tree 2 1", "`tree 2 1` is not the beginning of a network");
        check("graph 2 1 elu:0.1", "begins with 3 words");
        check("graph 2 1 elu:0.1 identity", "2 inputs, 1 outputs and 0 nodes");
        check("graph 2 1 elu:x identity | 1 0 0:1 1:1", "`elu:x` is no activation");
        check("graph 2 x elu:1 identity | 1 0 0:1 1:1", "`x` is in the network where a number is expected");
        check("graph 2 1 relu identity | 1", "`1` is no node");
        check("graph 2 1 relu identity | 1 0 0:1 1", "`1` is no edge");
        check("graph 2 1 relu identity | 1 0 0:1 0:1", "two edges go from node 0 to node 2");
        check("graph 2 1 relu identity | 1 0 0:1 | 1 0 1:1 | 2 0 2:1", "node 3 has no outgoing edge");
        check("graph 2 1 relu identity | 1 0", "node 2 has no incoming edge");
        check("graph 2 1 relu identity | 1 0 0:1 1:1 7:1", "from node 7 to node 2");
        check(
            "graph 2 1 relu identity | 1 0 0:1 1:1 | 1 0 2:1",
            "an output is in layer 1, but outputs must be in layer 2",
        );
        check("graph 2 1 relu identity | 2 0 0:1 1:1 | 3 0 2:1", "layer 2 follows layer 0");
        check("graph 1 1 relu identity | 1 0 2:1 | 2 0 1:1 0:1", "an edge goes from node 2 to node 1");
        check("graph 1 1 relu identity | 1 NaN 0:1", "the bias of node 1 is NaN");
        check("graph 1 1 relu identity | 1 0 0:inf", "the weight from node 0 to node 1 is inf");
    }

    /// Sizes are refused before memory is allocated.
    #[test]
    fn networks_that_are_too_large() {
        for inputs in [u64::MAX, u64::MAX - 1, 1 << 40, 1 << 32, 65_537] {
            check(&format!("graph {inputs} 1 relu identity | 1 0 0:1"), &format!("it has {inputs} inputs"));
        }
        check(
            "graph 18446744073709551616 1 relu identity | 1 0 0:1",
            "`18446744073709551616` in the network is too large",
        );
        check("graph 1 1 relu identity | 1 0 18446744073709551615:1", "is too large: at most 65536 inputs");
        check("graph 1 18446744073709551615 relu identity | 1 0 0:1", "18446744073709551615 outputs and 1 nodes");
        check("graph 1 1 relu identity | 4294967295 0 0:1", "an output is in layer 4294967295");
        check("graph 1 1 relu identity | 1 0 4294967295:1", "an edge goes from node 4294967295");
        let widest = format!("graph {} 1 relu identity | 1 0 0:1", 1 << 16);
        assert_eq!(widest.parse::<Network>().unwrap().shape().inputs, 1 << 16);
        // As JSON and as bytes.
        let json = widest.parse::<Network>().map(|network| serde_json::to_string(&network).unwrap()).unwrap();
        assert!(serde_json::from_str::<Network>(&json).is_ok());
        let error = serde_json::from_str::<Network>(&json.replace("65536", "1099511627776")).unwrap_err();
        assert!(error.to_string().contains("it has 1099511627776 inputs"), "{error}");
        let bytes = postcard::to_allocvec(&"graph 1 1 relu identity | 1 0 0:1".parse::<Network>().unwrap()).unwrap();
        // The kind of network, then the number of inputs: 2⁴⁰ as a number of variable length.
        let huge = [&bytes[..1], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x20], &bytes[2..]].concat();
        assert!(postcard::from_bytes::<Network>(&huge).is_err());
        let incoming = "1 1 relu identity | 1 0 0:1".parse::<Graph>().unwrap();
        let mut nodes = incoming.nodes.clone();
        nodes[0].incoming = u32::MAX;
        assert!(Graph { nodes, ..incoming }.check().unwrap_err().contains("4294967295 incoming edges"));
    }

    /// A node with many edges is checked in one pass; comparing each edge with each other would take minutes.
    #[test]
    fn many_edges_are_checked_quickly() {
        let edges: Vec<String> = (0..60_000).map(|source| format!("{source}:1")).collect();
        let node = format!(" | 1 0 {}", edges.join(" "));
        let text = format!("graph 60000 1 relu identity{node}");
        assert_eq!(text.parse::<Network>().unwrap().edges(), 60_000);
        check(&format!("{text} 59999:1"), "two edges go from node 59999 to node 60000");
    }
}
