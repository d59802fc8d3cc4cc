//! Tests of drawings of networks and of the ancestry of champions.

use super::Page;
use crate::networks::NodeValues;
use crate::runs::Champion;
use serde_json::{Value, json};

fn count(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[test]
fn networks_are_drawn_and_watched() {
    let page = Page::new();
    page.train("a", "nim-2x4", &["seed=1", "stop.generations=12", "stop.solved=false"]);
    // 1. Every shipped champion, with the labels of its game.
    for (game, input, position) in [
        ("nim", "matches in stack 1", "3,4"),
        ("tic-tac-toe", "mark on a3", "x../.o./..."),
        ("minichess", "own pawn on a6", "rnkbnr/pppppp/6/6/PPPPPP/RNKBNR w"),
        ("draughts", "own man on 1", "B:W21,K30:B1,K7,12"),
    ] {
        let drawing: Value = page.get(&format!("/api/network?player=champion:{game}"));
        assert_eq!((&drawing["game"], &drawing["nodes"][0]["kind"]), (&json!(game), &json!("input")));
        assert!(drawing["nodes"].as_array().unwrap().iter().any(|node| node["label"] == input), "{game}: {drawing}");
        let layers: u64 = drawing["layers"].as_array().unwrap().iter().map(|layer| layer.as_u64().unwrap()).sum();
        assert_eq!(layers as usize, count(&drawing["nodes"]));
        let look = json!({ "player": format!("champion:{game}"), "game": game, "setup": [], "position": position });
        let NodeValues { values } = page.post("/api/network/values", &look);
        assert_eq!(values.len(), count(&drawing["nodes"]), "{game}");
    }
    // 2. The output of the network is the player's value of the position, for the side to move.
    let look = |position: &str| {
        let look = json!({ "player": "run:a@12", "game": "nim", "position": position });
        page.post::<NodeValues>("/api/network/values", &look).values
    };
    let [one, two] = [look("3,4"), look("1,0")];
    assert!(one.len() > 2 && one != two, "{one:?} {two:?}");
    assert_eq!(one[..2], [3.0, 4.0]);
    // 3. Generations differ.
    let [first, last] = ["run:a@1", "run:a"].map(|player| page.get::<Value>(&format!("/api/network?player={player}")));
    assert!(first["origin"].as_str().unwrap().ends_with("champion of generation 1"), "{}", first["origin"]);
    assert!(last["origin"].as_str().unwrap().ends_with("champion of generation 12"));
    assert_ne!(first["edges"], last["edges"]);
    // 4. A strategy without numbered genomes has no ancestry.
    assert_eq!(page.get::<Value>("/api/runs/a/ancestry?generation=12"), json!({ "length": 0, "line": [] }));
    // 5. A champion that claims to have 2⁴⁰ inputs is refused.
    let file = page.runs().join("a.db");
    let run = rusqlite::Connection::open(&file).unwrap();
    let network = "select network from champion where generation = 12";
    let bytes: Vec<u8> = run.query_row(network, [], |row| row.get(0)).unwrap();
    // The kind of network, then the number of inputs as a number of variable length.
    let huge = [&bytes[..1], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x20], &bytes[2..]].concat();
    run.execute("update champion set network = ? where generation = 12", [huge]).unwrap();
    drop(run);
    runs::seal_run(&file).unwrap();
    let (status, answer) = page.ask("GET", "/api/network?player=run:a", None);
    assert!(status >= 400 && answer.to_string().contains("the champion of generation 12 cannot be read"), "{answer}");
    page.get::<Value>("/api/network?player=run:a@1");
}

#[test]
fn a_champion_has_a_line_back_to_the_start() {
    let page = Page::new();
    page.train("b", "nim-2x4-neat", &["seed=1", "stop.generations=30", "stop.solved=false"]);
    let ancestry: Value = page.get("/api/runs/b/ancestry?generation=30");
    let line = ancestry["line"].as_array().unwrap();
    let champion: Champion = page.get("/api/runs/b/champions/30");
    assert_eq!((Some(line.len() as u64), line[0]["genome"].as_u64()), (ancestry["length"].as_u64(), champion.genome));
    for pair in line.windows(2) {
        assert_eq!(pair[0]["parents"][0], pair[1]["genome"]);
        assert!(pair[0]["generation"].as_u64() >= pair[1]["generation"].as_u64());
    }
    assert_eq!(line[line.len() - 1]["parents"], json!([0, 0]));
}

#[test]
fn bad_questions_get_a_sentence() {
    let page = Page::new();
    page.train("a", "nim-2x4", &["stop.generations=3"]);
    for (path, status, why) in [
        ("/api/network", 400, "missing field `player`"),
        ("/api/network?player=", 400, "is not a player"),
        ("/api/network?player=random", 400, "no network to look into"),
        ("/api/network?player=mcts:5", 400, "no network to look into"),
        ("/api/network?player=run:none", 404, "there is no run `none`"),
        ("/api/network?player=run:../a", 400, "cannot be a run's name"),
        ("/api/network?player=run:a@9", 400, "it has 1 to 3"),
        ("/api/network?player=file:/etc/passwd", 400, "`file` players are not allowed in the web app"),
        ("/api/runs/none/ancestry?generation=1", 404, "there is no run `none`"),
        ("/api/runs/a/ancestry?generation=9", 404, "has no generation 9"),
        ("/api/runs/a/ancestry?generation=x", 400, "after the question mark"),
        ("/api/runs/a/ancestry", 400, "missing field `generation`"),
        ("/api/runs/..%2Fa/ancestry?generation=1", 400, "cannot be a run's name"),
    ] {
        page.refused("GET", path, None, status, why);
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
        ("{\"player\":\"file:x\",\"game\":\"nim\",\"position\":\"1,2\"}".into(), 400, "not allowed in the web app"),
    ] {
        page.refused("POST", "/api/network/values", Some(&body), status, why);
    }
}
