//! A drawing as a picture that needs nothing else: for browsers, for print, in colour and in grey.

use super::{DrawnEdge, DrawnNode, NetworkDrawing, NodeKind};
use std::fmt::Write;

/// Sizes in pixels: from layer to layer, from node to node at least, room for names at both sides, for a heading, around all.
const ACROSS: f32 = 260.0;
const LEAST_HEIGHT: f32 = 240.0;
const ROW: f32 = 15.0;
const NAMES: f32 = 200.0;
const HEADING: f32 = 44.0;
const MARGIN: f32 = 16.0;

const STYLE: &str = "text { font: 11px system-ui, sans-serif; fill: #1a1f16 } .head { font-size: 13px; font-weight: 600 } \
.more { stroke: #0072b2 } .less { stroke: #b34700; stroke-dasharray: 5 3 } \
circle { fill: #ffffff; stroke: #1a1f16 } .input, .output { fill: #dcf0e2 }";

pub(super) fn write(drawing: &NetworkDrawing) -> String {
    let [main, apart] = drawing.parts();
    let rows = drawing.layers.iter().copied().max().unwrap_or(1) as f32;
    let height = (ROW * rows).max(LEAST_HEIGHT);
    let layers = drawing.layers.len() as f32;
    let width = (ACROSS * (layers - 1.0)).max(2.0 * ACROSS);
    let (wide, part) = (width + 2.0 * NAMES + 2.0 * MARGIN, height + HEADING);
    let tall = part * if apart.is_empty() { 1.0 } else { 2.0 } + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {tall}\" width=\"{wide}\" height=\"{tall}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(&format!("Network for {}: {}", drawing.game, drawing.origin))
    );
    let size = (width, height);
    let title = format!("{}: {}; solid adds, dashed takes away", drawing.game, drawing.origin);
    section(&mut text, drawing, &main, &title, 0.0, size, true);
    if !apart.is_empty() {
        section(&mut text, drawing, &apart, "Straight from inputs to outputs", part, size, false);
    }
    text + "</svg>\n"
}

/// One drawing of some edges, from so far down; with or without hidden nodes.
fn section(
    text: &mut String,
    drawing: &NetworkDrawing,
    edges: &[&DrawnEdge],
    title: &str,
    top: f32,
    (width, height): (f32, f32),
    hidden: bool,
) {
    let place = |node: &DrawnNode| (MARGIN + NAMES + width * node.x, top + HEADING + height * node.y);
    let mut put = |line: String| writeln!(text, "{line}").expect("text can be written");
    put(format!("<text class=\"head\" x=\"{MARGIN}\" y=\"{}\">{}</text>", top + 28.0, escaped(title)));
    // Weak ones first, so that strong ones lie above.
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
                ("input", format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>", x - 9.0, y + 4.0))
            }
            NodeKind::Output => ("output", format!("<text x=\"{}\" y=\"{:.1}\">{name}</text>", x + 9.0, y + 4.0)),
            NodeKind::Hidden => ("hidden", String::new()),
        };
        let bias = node.bias.map_or(String::new(), |bias| format!(", bias {bias}"));
        put(format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{name}{bias}</title></circle>{words}"
        ));
    }
}

/// How strong an edge is, from 0 to 1.
pub(super) fn strength(edge: &DrawnEdge, drawing: &NetworkDrawing) -> f32 {
    if drawing.most > 0.0 { edge.weight.abs() / drawing.most } else { 0.0 }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::drawn;

    #[test]
    fn one_drawing_or_two() {
        let text = super::write(&drawn("graph 6 1 tanh tanh | 1 0.5 0:1 3:-2 | 2 0 6:1 1:3"));
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains("by &lt;hand&gt; &amp; &quot;eye&quot;") && !text.contains("<hand>"), "{text}");
        assert!(text.contains(">stack 2, digit worth 4</text>") && text.contains(">value</text>"));
        assert!(text.contains("<title>stack 2, digit worth 1 → hidden 1: -2</title>"), "{text}");
        let count = |part: &str| text.matches(part).count();
        assert_eq!((count("<line "), count("class=\"less\""), count("<circle"), count("class=\"head\"")), (4, 1, 8, 1));
        // Nothing is asked for from elsewhere.
        assert!(!text.replace("http://www.w3.org/2000/svg", "").contains("http"));
    }

    #[test]
    fn straight_edges_are_drawn_apart_where_they_are_many() {
        let weights = vec!["0.5"; 7 * 2 + 3].join(" ");
        let layered = super::write(&drawn(&format!("layered 6-2-1 0 tanh tanh | {weights}")));
        assert_eq!(layered.matches("class=\"head\"").count(), 1);
        let straight: Vec<String> = (0..6).map(|input| format!("{input}:1")).collect();
        let many = drawn(&format!("graph 6 1 tanh tanh | 1 0 0:1 | 2 0 6:1 {}", straight.join(" ")));
        assert_eq!(super::write(&many).matches("class=\"head\"").count(), 1, "six are few");
        let mut more = many.clone();
        let edge = more.edges[3];
        more.edges.extend([edge; 12]);
        let text = super::write(&more);
        assert_eq!((text.matches("class=\"head\"").count(), text.matches("<line ").count()), (2, 20));
    }
}
