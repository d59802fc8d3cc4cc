//! Networks and runs as pictures.

use super::Gamete;

#[test]
fn networks_are_exported_as_pictures() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --seed 1 --generations 12 --set stop.solved=false --name a");
    let svg = gamete.ok("export a@12 --format svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains(">matches in stack 2</text>") && svg.contains("champion of generation 12"), "{svg}");
    let dot = gamete.ok("export a --format dot");
    assert!(dot.contains("digraph network {") && dot.contains("label=\"matches in stack 1\""), "{dot}");
    let edges = gamete.json("show a")["champion"]["edges"].as_u64();
    if let Some(edges) = edges {
        assert_eq!((svg.matches("<line ").count() as u64, dot.matches(" -> ").count() as u64), (edges, edges));
    }
    let output = gamete.run("export a --format svg --out a.svg");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("written to a.svg") && !said.contains("play against"), "{said}");
    assert_eq!(std::fs::read_to_string(gamete.folder().join("a.svg")).unwrap(), svg);
    gamete.refused("export a@13 --format svg", "it has 1 to 12");
}

#[test]
fn a_run_is_drawn_as_figures() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4-neat --seed 1 --generations 6 --set stop.solved=false --name a");
    gamete.ok("show a --figures drawn/here");
    let drawn = gamete.folder().join("drawn/here");
    for name in ["grade", "score", "hidden", "edges", "turns", "species", "cost"] {
        let picture = std::fs::read_to_string(drawn.join(format!("{name}.svg"))).unwrap();
        assert!(picture.contains("<svg") && picture.contains("Run a: experiment nim-2x4-neat"), "{name}");
        assert!(std::fs::read(drawn.join(format!("{name}.png"))).unwrap().starts_with(b"\x89PNG"), "{name}");
    }
    // There is a file with the name of the folder.
    std::fs::write(gamete.folder().join("taken"), "").unwrap();
    let output = gamete.run("show a --figures taken");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot make the folder taken"));
}
