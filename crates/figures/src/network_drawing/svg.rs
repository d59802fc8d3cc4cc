//! Writes a drawing of a network as an SVG picture without external files, which can be read in colour and in grey.

use super::{DrawnEdge, DrawnNode, NetworkDrawing, NodeKind};
use crate::lettering::{lines as broken_lines, width as width_of};
use std::fmt::Write;

/// The usual distance of layers. All sizes are in pixels.
const ACROSS: f32 = 260.0;
/// The smallest distance of layers, if there are many.
const LEAST_ACROSS: f32 = 16.0;
/// The width of a picture from which on layers come closer to each other.
const WIDE: f32 = 1600.0;
/// The smallest height of the nodes.
const LEAST_HEIGHT: f32 = 240.0;
/// The distance of nodes in the largest layer.
const ROW: f32 = 15.0;
/// The distance from a node to its name.
const TO_NAME: f32 = 9.0;
/// The height of a line of the heading.
const HEAD_LINE: f32 = 17.0;
/// The margin around the picture.
const MARGIN: f32 = 16.0;

/// The font size of names.
const NAME_SIZE: f32 = 11.0;
/// The font size of the heading.
const HEAD_SIZE: f32 = 13.0;
/// The width of bold letters as a multiple of the known widths of regular ones.
const BOLD: f32 = 1.12;

const STYLE: &str = "text { font: 11px 'DejaVu Sans', Verdana, sans-serif; fill: #1a1f16 } .head { font-size: 13px; font-weight: 600 } \
.more { stroke: #0072b2 } .less { stroke: #b34700; stroke-dasharray: 5 3 } \
circle { fill: #ffffff; stroke: #1a1f16 } .input, .output { fill: #dcf0e2 }";

pub(super) fn write(drawing: &NetworkDrawing) -> String {
    let [main, apart] = drawing.parts();
    let frame = Frame::of(drawing);
    let title = format!("{}: {}; solid adds, dashed takes away", drawing.game, drawing.origin);
    let mut sections = String::new();
    let mut tall = section(&mut sections, drawing, &main, &title, 0.0, &frame, true);
    if !apart.is_empty() {
        tall = section(&mut sections, drawing, &apart, "Straight from inputs to outputs", tall, &frame, false);
    }
    let (wide, tall) = (frame.wide().ceil(), (tall + MARGIN).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {tall}\" width=\"{wide}\" height=\"{tall}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{sections}</svg>\n",
        escaped(&format!("Network for {}: {}", drawing.game, drawing.origin))
    )
}

/// The width and height of the area of the nodes, and the widths of the names at its left and right.
struct Frame {
    left: f32,
    right: f32,
    width: f32,
    height: f32,
}

impl Frame {
    fn of(drawing: &NetworkDrawing) -> Frame {
        let names = |kind: NodeKind| {
            let labels = drawing.nodes.iter().filter(|node| node.kind == kind).map(|node| &node.label);
            labels.map(|label| width_of(label, NAME_SIZE.into()) as f32).fold(0.0, f32::max) + TO_NAME + MARGIN
        };
        let (left, right) = (names(NodeKind::Input), names(NodeKind::Output));
        let steps = drawing.layers.len().saturating_sub(1) as f32;
        let most = (WIDE - left - right).max(2.0 * ACROSS).max(LEAST_ACROSS * steps);
        let rows = drawing.layers.iter().copied().max().unwrap_or(1) as f32;
        Frame {
            left,
            right,
            width: (ACROSS * steps).max(2.0 * ACROSS).min(most),
            height: (ROW * rows).max(LEAST_HEIGHT),
        }
    }

    fn wide(&self) -> f32 {
        self.left + self.width + self.right
    }
}

/// Writes one drawing with some edges, below the height `top`, with or without hidden nodes. Returns the height of its
/// lower end.
fn section(
    text: &mut String,
    drawing: &NetworkDrawing,
    edges: &[&DrawnEdge],
    title: &str,
    top: f32,
    frame: &Frame,
    hidden: bool,
) -> f32 {
    let heading = broken_lines(title, (HEAD_SIZE * BOLD).into(), (frame.wide() - 2.0 * MARGIN).into());
    let below = top + 27.0 + HEAD_LINE * heading.len() as f32;
    let place = |node: &DrawnNode| (frame.left + frame.width * node.x, below + frame.height * node.y);
    let mut put = |line: String| writeln!(text, "{line}").expect("text can be written");
    for (number, line) in heading.iter().enumerate() {
        let y = top + 28.0 + HEAD_LINE * number as f32;
        put(format!("<text class=\"head\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escaped(line)));
    }
    // Weak edges are drawn first, so that strong ones are drawn over them.
    let mut sorted = edges.to_vec();
    sorted.sort_by(|one, two| one.weight.abs().total_cmp(&two.weight.abs()));
    for edge in sorted {
        let ((x1, y1), (x2, y2)) = (place(&drawing.nodes[edge.from]), place(&drawing.nodes[edge.to]));
        let strength = strength(edge, drawing);
        put(format!(
            "<line class=\"{}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke-opacity=\"{:.2}\" stroke-width=\"{:.2}\"><title>{} → {}: {}</title></line>",
            if edge.weight < 0.0 { "less" } else { "more" },
            0.12 + 0.88 * strength,
            0.5 + 1.7 * strength,
            escaped(&drawing.nodes[edge.from].label),
            escaped(&drawing.nodes[edge.to].label),
            edge.weight
        ));
    }
    for node in drawing.nodes.iter().filter(|node| hidden || node.kind != NodeKind::Hidden) {
        let (x, y) = place(node);
        let name = escaped(&node.label);
        let (class, words) = match node.kind {
            NodeKind::Input => {
                let x = x - TO_NAME;
                ("input", format!("<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>", y + 4.0))
            }
            NodeKind::Output => {
                ("output", format!("<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>", x + TO_NAME, y + 4.0))
            }
            NodeKind::Hidden => ("hidden", String::new()),
        };
        let bias = node.bias.map_or(String::new(), |bias| format!(", bias {bias}"));
        put(format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{name}{bias}</title></circle>{words}"
        ));
    }
    below + frame.height
}

/// The absolute weight of an edge as a share of the largest one, from 0 to 1.
pub(super) fn strength(edge: &DrawnEdge, drawing: &NetworkDrawing) -> f32 {
    if drawing.most > 0.0 { edge.weight.abs() / drawing.most } else { 0.0 }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::drawn;
    use super::*;

    /// The width of the picture, and the left end, right end and text of each of its lines of text, in DejaVu Sans.
    fn words(picture: &str) -> (f64, Vec<(f64, f64, String)>) {
        let value = |element: &str, name: &str| -> f64 {
            element.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let of = |element: &str| {
            let letters = element[element.find('>').unwrap() + 1..].to_string();
            let size = if element.contains("\"head\"") { HEAD_SIZE * BOLD } else { NAME_SIZE };
            let (x, wide) = (value(element, "x"), width_of(&letters, size.into()));
            if element.contains("\"end\"") { (x - wide, x, letters) } else { (x, x + wide, letters) }
        };
        let elements = picture.split("<text").skip(1).map(|rest| &rest[..rest.find("</text>").unwrap()]);
        (value(picture, "width"), elements.map(of).collect())
    }

    #[test]
    fn long_names_are_not_cut() {
        let mut drawing = drawn("graph 6 1 tanh tanh | 1 0.5 0:1 3:-2 | 2 0 6:1 1:3");
        drawing.nodes[2].label = "how many pieces more of this kind the mover has on the third rank".into();
        drawing.nodes[7].label = "the value of the position for whoever is to move, with a name that goes on".into();
        drawing.origin =
            "a run of a lab with a long name, and an experiment whose name is at least as long, ".repeat(2);
        let (wide, words) = words(&write(&drawing));
        assert_eq!(words.iter().filter(|(.., letters)| letters.starts_with("how many pieces")).count(), 1);
        for (from, to, letters) in words {
            assert!(from >= 8.0 && to <= wide - 8.0, "{letters} from {from} to {to} of {wide}");
        }
    }

    #[test]
    fn many_layers_come_closer() {
        let deep = |layers: usize| {
            let nodes: Vec<String> = (1..=layers).map(|layer| format!("{layer} 0 {}:1", layer + 4)).collect();
            words(&write(&drawn(&format!("graph 6 1 tanh tanh | {}", nodes.join(" | "))))).0
        };
        let [few, more, many, most] = [3, 5, 20, 200].map(deep);
        assert!(few < more && more < 1600.0 && many <= 1600.0, "{few} {more} {many}");
        // Nodes do not overlap.
        assert!(most > 199.0 * 11.0, "{most}");
    }

    #[test]
    fn one_drawing_or_two() {
        let text = write(&drawn("graph 6 1 tanh tanh | 1 0.5 0:1 3:-2 | 2 0 6:1 1:3"));
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains("by &lt;hand&gt; &amp; &quot;eye&quot;") && !text.contains("<hand>"), "{text}");
        assert!(text.contains(">stack 2, digit worth 4</text>") && text.contains(">value</text>"));
        assert!(text.contains("<title>stack 2, digit worth 1 → hidden 1: -2</title>"), "{text}");
        let count = |part: &str| text.matches(part).count();
        assert_eq!((count("<line "), count("class=\"less\""), count("<circle"), count("class=\"head\"")), (4, 1, 8, 1));
        // The picture needs no other files.
        assert!(!text.replace("http://www.w3.org/2000/svg", "").contains("http"));
    }

    #[test]
    fn many_direct_edges_get_a_drawing_of_their_own() {
        let weights = vec!["0.5"; 7 * 2 + 3].join(" ");
        let layered = write(&drawn(&format!("layered 6-2-1 0 tanh tanh | {weights}")));
        assert_eq!(layered.matches("class=\"head\"").count(), 1);
        let straight: Vec<String> = (0..6).map(|input| format!("{input}:1")).collect();
        let many = drawn(&format!("graph 6 1 tanh tanh | 1 0 0:1 | 2 0 6:1 {}", straight.join(" ")));
        assert_eq!(write(&many).matches("class=\"head\"").count(), 1, "six are few");
        let mut more = many.clone();
        let edge = more.edges[3];
        more.edges.extend([edge; 12]);
        let text = write(&more);
        assert_eq!((text.matches("class=\"head\"").count(), text.matches("<line ").count()), (2, 20));
    }
}
