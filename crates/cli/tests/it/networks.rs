//! Networks as they are drawn: by requests of pages, and as pictures.

use super::Gamete;
use super::serve::Served;
use serde_json::{Value, json};

fn count(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[test]
fn networks_are_drawn_and_watched() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --seed 1 --generations 12 --set stop.solved=false --name a");
    let served = Served::new(&gamete);
    // 1. Every shipped champion, in the words of its game.
    for (game, input, position) in [
        ("nim", "matches in stack 1", "3,4"),
        ("tic-tac-toe", "mark on a3", "x../.o./..."),
        ("minichess", "piece on a6", "rnkbnr/pppppp/6/6/PPPPPP/RNKBNR w"),
        ("draughts", "man on 1", "B:W21,K30:B1,K7,12"),
    ] {
        let drawing = served.get(&format!("/api/network?player=champion:{game}"));
        assert_eq!((&drawing["game"], &drawing["nodes"][0]["kind"]), (&json!(game), &json!("input")));
        assert!(drawing["nodes"].as_array().unwrap().iter().any(|node| node["label"] == input), "{game}: {drawing}");
        let layers: u64 = drawing["layers"].as_array().unwrap().iter().map(|layer| layer.as_u64().unwrap()).sum();
        assert_eq!(layers as usize, count(&drawing["nodes"]));
        let look = json!({ "player": format!("champion:{game}"), "game": game, "setup": [], "position": position });
        let values = served.post("/api/network/values", &look);
        assert_eq!(count(&values["values"]), count(&drawing["nodes"]), "{game}");
    }
    // 2. What the network says is what the player says of a position, for the side to move.
    let look = |position: &str| {
        let look = json!({ "player": "run:a@12", "game": "nim", "position": position });
        served.post("/api/network/values", &look)["values"].clone()
    };
    let [one, two] = [look("3,4"), look("1,0")];
    assert!(count(&one) > 2 && one != two, "{one} {two}");
    assert_eq!((&one[0], &one[1]), (&json!(3.0), &json!(4.0)));
    // 3. Generations differ.
    let [first, last] = ["run:a@1", "run:a"].map(|player| served.get(&format!("/api/network?player={player}")));
    assert!(first["origin"].as_str().unwrap().ends_with("champion of generation 1"), "{}", first["origin"]);
    assert!(last["origin"].as_str().unwrap().ends_with("champion of generation 12"));
    assert_ne!(first["edges"], last["edges"]);
    // 4. Whoever has no numbered genomes has no line.
    assert_eq!(served.get("/api/runs/a/ancestry?generation=12"), json!({ "length": 0, "line": [] }));
}

#[test]
fn a_champion_has_a_line_back_to_the_start() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4-neat --seed 1 --generations 30 --set stop.solved=false --name b");
    let served = Served::new(&gamete);
    let ancestry = served.get("/api/runs/b/ancestry?generation=30");
    let line = ancestry["line"].as_array().unwrap();
    assert_eq!(
        (line.len() as u64, &line[0]["genome"]),
        (ancestry["length"].as_u64().unwrap(), &served.get("/api/runs/b/champions/30")["genome"],)
    );
    for pair in line.windows(2) {
        assert_eq!(pair[0]["parents"][0], pair[1]["genome"]);
        assert!(pair[0]["generation"].as_u64() >= pair[1]["generation"].as_u64());
    }
    assert_eq!(line[line.len() - 1]["parents"], json!([0, 0]));
}

#[test]
fn bad_questions_get_a_sentence() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 3 --name a");
    let served = Served::new(&gamete);
    for (path, status, why) in [
        ("/api/network", 400, "missing field `player`"),
        ("/api/network?player=", 400, "is no player"),
        ("/api/network?player=random", 400, "no network to look into"),
        ("/api/network?player=mcts:5", 400, "no network to look into"),
        ("/api/network?player=run:none", 404, "there is no run `none`"),
        ("/api/network?player=run:../a", 400, "cannot be a run's name"),
        ("/api/network?player=run:a@9", 400, "it has 1 to 3"),
        ("/api/network?player=file:/etc/passwd", 400, "pages play against no files"),
        ("/api/runs/none/ancestry?generation=1", 404, "there is no run `none`"),
        ("/api/runs/a/ancestry?generation=9", 404, "has no generation 9"),
        ("/api/runs/a/ancestry?generation=x", 400, "behind the question mark"),
        ("/api/runs/a/ancestry", 400, "missing field `generation`"),
        ("/api/runs/..%2Fa/ancestry?generation=1", 400, "cannot be a run's name"),
    ] {
        served.refused("GET", path, None, status, why);
    }
    let look = |fields: &str| format!("{{\"player\":\"run:a\",\"game\":\"nim\"{fields}}}");
    for (body, status, why) in [
        (look(""), 400, "missing field `position`"),
        (look(",\"position\":\"9,9\""), 400, "9"),
        (look(",\"position\":\"1,2,3\""), 400, "1,2,3"),
        (look(",\"position\":\"\""), 400, "is no position"),
        (look(",\"position\":\"1,2\",\"more\":1"), 400, "unknown field `more`"),
        (look(",\"position\":\"1,2\",\"setup\":[\"x=1\"]"), 400, "x"),
        ("{\"player\":\"run:a\",\"game\":\"draughts\",\"position\":\"1,2\"}".into(), 400, "plays nim, not draughts"),
        ("{\"player\":\"run:a\",\"game\":\"go\",\"position\":\"1,2\"}".into(), 400, "there is no game `go`"),
        ("{\"player\":\"first\",\"game\":\"nim\",\"position\":\"1,2\"}".into(), 400, "no network to look into"),
        ("{\"player\":\"file:x\",\"game\":\"nim\",\"position\":\"1,2\"}".into(), 400, "no files"),
    ] {
        served.refused("POST", "/api/network/values", Some(&body), status, why);
    }
}

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
    // A file stands where the folder should be.
    std::fs::write(gamete.folder().join("taken"), "").unwrap();
    let output = gamete.run("show a --figures taken");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot make the folder taken"));
}
