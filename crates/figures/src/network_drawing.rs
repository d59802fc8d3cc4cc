//! A network as it is drawn, on pages and in pictures: where nodes lie, what they are called in the game's words, and
//! what they are worth in a position.

mod dot;
mod layout;
mod svg;

use arena::Seating;
use evolution::{Network, Wiring};
use games::Game;
use serde::Serialize;

/// A network with a place for each node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NetworkDrawing {
    /// The game it plays.
    pub game: String,
    /// Where it comes from, in words.
    pub origin: String,
    /// How positions become inputs, in a sentence.
    pub sight: &'static str,
    /// Inputs, hidden nodes, outputs; each node's number is its place here.
    pub nodes: Vec<DrawnNode>,
    /// The edges, by where they lead to.
    pub edges: Vec<DrawnEdge>,
    /// How many nodes each layer has, inputs first.
    pub layers: Vec<usize>,
    /// The greatest weight, whatever its sign.
    pub most: f32,
    /// How many edges are not drawn, the weakest, where there are too many.
    pub left_out: usize,
}

/// A node and its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DrawnNode {
    /// Its number.
    pub id: usize,
    /// What it is for.
    pub kind: NodeKind,
    /// From 0, the inputs.
    pub layer: usize,
    /// From 0, left, to 1, right.
    pub x: f32,
    /// From 0, above, to 1, below.
    pub y: f32,
    /// What it is called: inputs and outputs in the game's words.
    pub label: String,
    /// What its sum begins with; inputs have none.
    pub bias: Option<f32>,
    /// What it does with its sum; inputs do nothing.
    pub activation: Option<String>,
}

/// What a node is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// It is told of the position.
    Input,
    /// It lies between.
    Hidden,
    /// It answers.
    Output,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DrawnEdge {
    /// The node it comes from.
    pub from: usize,
    /// The node it goes to.
    pub to: usize,
    /// What the value of its source is multiplied with.
    pub weight: f32,
    /// Whether it leads from an input straight to an output: where there are many, they are drawn apart.
    pub direct: bool,
}

/// No more edges are drawn: nobody could tell more apart, and pages would be slow.
const MOST_EDGES: usize = 20_000;

/// What a picture is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// For browsers and print.
    Svg,
    /// For Graphviz.
    Dot,
}

impl NetworkDrawing {
    /// Lays out a network that sits as it was bred to; `origin` says in words where it comes from.
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

    /// The drawing as a picture.
    pub fn picture(&self, picture: Picture) -> String {
        match picture {
            Picture::Svg => svg::write(self),
            Picture::Dot => dot::write(self),
        }
    }
}

/// A node with its name, and no place yet.
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

/// How many nodes each layer has.
fn layers_of(wiring: &Wiring) -> Vec<usize> {
    let last = wiring.nodes.last().map_or(0, |node| node.layer);
    let mut layers = vec![0; last + 1];
    layers[0] = wiring.inputs;
    wiring.nodes.iter().for_each(|node| layers[node.layer] += 1);
    layers
}

impl NetworkDrawing {
    /// Edges in the main drawing, and those drawn apart because they are many and would hide the others.
    fn parts(&self) -> [Vec<&DrawnEdge>; 2] {
        let (direct, others): (Vec<_>, Vec<_>) = self.edges.iter().partition(|edge| edge.direct);
        match others.is_empty() || direct.len() <= MANY_DIRECT {
            true => [self.edges.iter().collect(), Vec::new()],
            false => [others, direct],
        }
    }
}

/// More edges straight from inputs to outputs than this are drawn apart.
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
    fn nodes_have_places_and_names() {
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
