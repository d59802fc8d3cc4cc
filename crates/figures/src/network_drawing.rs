//! The drawing of a network for the web app and for picture files: the positions of its nodes and their names in the
//! words of the game.

mod dot;
mod layout;
mod svg;

use arena::Seating;
use evolution::{Network, Wiring};
use games::Game;
use serde::Serialize;

/// A network with a position for each node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NetworkDrawing {
    /// The game that the network plays.
    pub game: String,
    /// A sentence about where the network comes from.
    pub origin: String,
    /// A sentence about how positions become inputs.
    pub sight: &'static str,
    /// The inputs, then the hidden nodes, then the outputs. A node's number is its index here.
    pub nodes: Vec<DrawnNode>,
    /// The edges, ordered by the node to which they lead.
    pub edges: Vec<DrawnEdge>,
    /// The number of nodes in each layer, inputs first.
    pub layers: Vec<usize>,
    /// The largest absolute weight.
    pub most: f32,
    /// The number of edges that are not drawn. If there are too many, the weakest are left out.
    pub left_out: usize,
}

/// A node and its position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DrawnNode {
    /// The node's number.
    pub id: usize,
    /// Whether it is an input, a hidden node or an output.
    pub kind: NodeKind,
    /// The number of its layer; inputs are in layer 0.
    pub layer: usize,
    /// The horizontal position, from 0 (left) to 1 (right).
    pub x: f32,
    /// The vertical position, from 0 (top) to 1 (bottom).
    pub y: f32,
    /// The node's name. Inputs and outputs are named in the words of the game.
    pub label: String,
    /// The bias; `None` for inputs.
    pub bias: Option<f32>,
    /// The name of the activation function; `None` for inputs.
    pub activation: Option<String>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// An input, whose value comes from the position.
    Input,
    /// A node between inputs and outputs.
    Hidden,
    /// An output.
    Output,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DrawnEdge {
    /// The number of the node from which it comes.
    pub from: usize,
    /// The number of the node to which it leads.
    pub to: usize,
    /// The weight: the factor for the value of the node from which it comes.
    pub weight: f32,
    /// Whether it leads directly from an input to an output. If there are many such edges, they get a drawing of their
    /// own.
    pub direct: bool,
}

/// The most edges that are drawn. More could not be distinguished, and would make pages slow.
const MOST_EDGES: usize = 20_000;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// SVG, for browsers and print.
    Svg,
    /// DOT, for Graphviz.
    Dot,
}

impl NetworkDrawing {
    /// Lays out a network under the seating it was bred for. `origin` is a sentence about where it comes from.
    pub fn new<G: Game>(network: &Network, seating: &Seating<G>, origin: &str) -> NetworkDrawing {
        let wiring = network.wiring();
        let layers = layers_of(&wiring);
        let places = layout::places(&wiring, &layers);
        let nodes =
            places.iter().enumerate().map(|(id, &(x, y))| DrawnNode { x, y, ..named(id, network, &wiring, seating) });
        let nodes: Vec<DrawnNode> = nodes.collect();
        let mut edges: Vec<DrawnEdge> = wiring
            .edges
            .iter()
            .map(|&evolution::WiredEdge { from, to, weight }| {
                let direct = nodes[from].kind == NodeKind::Input && nodes[to].kind == NodeKind::Output;
                DrawnEdge { from, to, weight, direct }
            })
            .collect();
        let left_out = edges.len().saturating_sub(MOST_EDGES);
        if left_out > 0 {
            edges.sort_by(|one, two| two.weight.abs().total_cmp(&one.weight.abs()));
            edges.truncate(MOST_EDGES);
            edges.sort_by_key(|edge| (edge.to, edge.from));
        }
        let most = edges.iter().fold(0.0, |most: f32, edge| most.max(edge.weight.abs()));
        let (game, origin, sight) = (G::NAME.to_string(), origin.to_string(), seating.sight());
        NetworkDrawing { game, origin, sight, nodes, edges, layers, most, left_out }
    }

    /// The drawing as text in this format.
    pub fn picture(&self, picture: Picture) -> String {
        match picture {
            Picture::Svg => svg::write(self),
            Picture::Dot => dot::write(self),
        }
    }
}

/// A node with its name, without a position.
fn named<G: Game>(id: usize, network: &Network, wiring: &Wiring, seating: &Seating<G>) -> DrawnNode {
    let node = |kind, label| DrawnNode { id, kind, layer: 0, x: 0.0, y: 0.0, label, bias: None, activation: None };
    let Some(place) = id.checked_sub(wiring.inputs) else { return node(NodeKind::Input, seating.input_label(id)) };
    let hidden = wiring.nodes.len() - network.shape().outputs;
    let named = match place.checked_sub(hidden) {
        None => node(NodeKind::Hidden, format!("hidden {}", place + 1)),
        Some(output) => node(NodeKind::Output, seating.output_label(output)),
    };
    let computes = &wiring.nodes[place];
    DrawnNode {
        layer: computes.layer,
        bias: Some(computes.bias),
        activation: Some(computes.activation.to_string()),
        ..named
    }
}

/// The number of nodes in each layer.
fn layers_of(wiring: &Wiring) -> Vec<usize> {
    let last = wiring.nodes.last().map_or(0, |node| node.layer);
    let mut layers = vec![0; last + 1];
    layers[0] = wiring.inputs;
    wiring.nodes.iter().for_each(|node| layers[node.layer] += 1);
    layers
}

impl NetworkDrawing {
    /// The edges of the main drawing, and the direct edges that get a second drawing because they would hide the
    /// others.
    fn parts(&self) -> [Vec<&DrawnEdge>; 2] {
        let (direct, others): (Vec<_>, Vec<_>) = self.edges.iter().partition(|edge| edge.direct);
        match others.is_empty() || direct.len() <= MANY_DIRECT {
            true => [self.edges.iter().collect(), Vec::new()],
            false => [others, direct],
        }
    }
}

/// If there are more direct edges from inputs to outputs than this, they get a drawing of their own.
const MANY_DIRECT: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use games::nim::{self, Setup, Start};

    pub(super) fn drawn(network: &str) -> NetworkDrawing {
        let setup = Setup { stacks: vec![7, 7], start: Start::Random };
        let seating = Seating::new(setup, &nim::Digits);
        NetworkDrawing::new(&network.parse().unwrap(), &seating, "by <hand> & \"eye\"")
    }

    #[test]
    fn nodes_have_positions_and_names() {
        let drawing = drawn("graph 6 1 tanh tanh | 1 0.5 0:1 3:-2 | 1 -0.5 5:0.25 | 2 0 6:1 7:1 1:3");
        let labels: Vec<&str> = drawing.nodes.iter().map(|node| node.label.as_str()).collect();
        assert_eq!(labels[..2], ["stack 1, digit worth 1", "stack 1, digit worth 2"]);
        assert_eq!(labels[6..], ["hidden 1", "hidden 2", "value"]);
        assert_eq!((drawing.layers, drawing.most, drawing.left_out), (vec![6, 2, 1], 3.0, 0));
        assert!(drawing.nodes.iter().all(|node| (0.0..=1.0).contains(&node.x) && (0.0..=1.0).contains(&node.y)));
        assert_eq!((drawing.nodes[0].x, drawing.nodes[6].x, drawing.nodes[8].x), (0.0, 0.5, 1.0));
        assert_eq!((drawing.nodes[0].bias, drawing.nodes[6].bias), (None, Some(0.5)));
        assert_eq!(
            drawing.edges.iter().map(|edge| edge.direct).collect::<Vec<_>>(),
            [false, false, false, false, false, true]
        );
    }

    #[test]
    fn too_many_edges_are_left_out() {
        let weights = vec!["0.001"; 7 * 3000 + 3001].join(" ");
        let drawing = drawn(&format!("layered 6-3000-1 0 tanh tanh | {weights}"));
        assert_eq!((drawing.edges.len(), drawing.left_out), (MOST_EDGES, 1000));
    }
}
