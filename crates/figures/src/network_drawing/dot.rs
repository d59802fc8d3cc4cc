//! Writes a drawing of a network for Graphviz. Graphviz chooses the positions itself, but keeps the layers.

use super::{NetworkDrawing, NodeKind};
use std::fmt::Write;

pub(super) fn write(drawing: &NetworkDrawing) -> String {
    let mut text = format!("// {}: {}\ndigraph network {{\n", drawing.game, drawing.origin.replace('\n', " "));
    text += "  rankdir=LR; ranksep=2; nodesep=0.05;\n  node [shape=box, fontsize=10, height=0.2];\n";
    text += "  edge [arrowsize=0.4];\n";
    let mut put = |line: String| writeln!(text, "  {line}").expect("text can be written");
    for node in &drawing.nodes {
        let shape = if node.kind == NodeKind::Hidden { ", shape=ellipse" } else { "" };
        put(format!("n{} [label=\"{}\"{shape}];", node.id, quoted(&node.label)));
    }
    for layer in 0..drawing.layers.len() {
        let members: Vec<String> =
            drawing.nodes.iter().filter(|node| node.layer == layer).map(|node| format!("n{}", node.id)).collect();
        let rank = if layer == 0 { "min" } else { "same" };
        put(format!("{{ rank={rank}; {}; }}", members.join("; ")));
    }
    for edge in &drawing.edges {
        let strength = super::svg::strength(edge, drawing);
        let (colour, dashes) = if edge.weight < 0.0 { ("#b34700", ", style=dashed") } else { ("#0072b2", "") };
        put(format!(
            "n{} -> n{} [color=\"{colour}{:02x}\", penwidth={:.2}, tooltip=\"{}\"{dashes}];",
            edge.from,
            edge.to,
            (40.0 + 215.0 * strength) as u8,
            0.4 + 1.8 * strength,
            edge.weight
        ));
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::super::tests::drawn;

    #[test]
    fn all_nodes_and_edges_are_written() {
        let text = super::write(&drawn("graph 6 1 tanh tanh | 1 0.5 0:1 3:-2 | 2 0 6:1 1:3"));
        assert!(
            text.starts_with("// nim: by <hand> & \"eye\"\ndigraph network {\n") && text.ends_with("}\n"),
            "{text}"
        );
        for part in [
            "n0 [label=\"stack 1, digit worth 1\"];",
            "n6 [label=\"hidden 1\", shape=ellipse];",
            "n7 [label=\"value\"];",
            "{ rank=min; n0; n1; n2; n3; n4; n5; }",
            "n3 -> n6 [color=\"#b34700",
            "tooltip=\"-2\", style=dashed];",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches(" -> ").count(), 4);
    }
}
