//! Tests of runs: training, watching, champions, and invalid requests.

use super::Page;
use crate::cards::RunCard;
use crate::runs::{Champion, Started};
use crate::watch::RunGone;
use serde_json::{Value, json};

#[test]
fn a_run_is_trained_watched_and_removed() {
    let page = Page::new();
    let nim: Value = page.get("/api/experiments/nim-2x4-neat");
    let with = |toml: &Value, key: &str, value: Value| -> Value {
        page.post("/api/experiments/set", &json!({ "name": "x", "toml": toml, "key": key, "value": value }))
    };
    let short = with(&nim["toml"], "stop.generations", json!(12));
    let short = with(&short["toml"], "stop.solved", json!(false));
    let asked = json!({ "experiment": "nim-2x4-neat", "toml": short["toml"], "name": "a" });
    let Started { name } = page.post("/api/runs", &asked);
    assert_eq!(name, "a");
    let detail: Value =
        page.hear("/api/runs/a/events", |name, data| name == "detail" && data["card"]["state"] == "generations");
    let cards: Vec<RunCard> = page.hear("/api/runs/events", |name, _| name == "runs");
    let [card] = &cards[..] else { panic!("{cards:?}") };
    assert_eq!((card.name.as_str(), card.generation, card.generations, card.here), ("a", 12, 12, false));
    assert_eq!((card.game.as_str(), card.strategy.as_str(), card.error.as_ref()), ("nim", "neat", None));
    assert!(card.grade.is_some() && card.score.is_some() && card.created > 0 && card.rate.is_none());
    let none: Vec<RunCard> = Page::new().hear("/api/runs/events", |name, _| name == "runs");
    assert_eq!(none, []);
    assert!(detail["signature"].is_string() && detail["parameters"].as_str().unwrap().contains("[strategy.neat]"));
    page.refused("POST", "/api/runs", Some(&asked.to_string()), 409, "the run `a` exists already");
    // Its curves, whole and in part, its species, and its champions.
    let curves: Value = page.hear("/api/runs/a/events", |name, _| name == "curves");
    assert_eq!((&curves["stride"], curves["generation"].as_array().unwrap().len()), (&json!(1), 12));
    let series: Vec<&String> = curves["series"].as_object().unwrap().keys().collect();
    let mut keys: Vec<&str> = trainer::Measure::plotted().map(|measure| measure.key).collect();
    keys.sort();
    assert_eq!(series, keys);
    let part: Value = page.get("/api/runs/a/curves?from=3&to=5");
    assert_eq!((&part["generation"], &part["from"]), (&json!([3, 4, 5]), &json!(2)));
    // Species are read less often than curves: the first event may hold fewer generations.
    let is_whole = |data: &Value| data["generation"].as_array().is_some_and(|generations| generations.len() == 12);
    let _: Value = page.hear("/api/runs/a/events", |name, data| name == "species" && is_whole(data));
    let champion: Champion = page.get("/api/runs/a/champions/12");
    assert_eq!((champion.generation, champion.player.as_str()), (12, "run:a@12"));
    assert_eq!((champion.grade, Some(champion.score)), (card.grade, card.score));
    assert!(champion.genome.is_some() && champion.exam.is_some());
    let (status, headers, network) = page.whole(page.send("GET", "/api/runs/a/champions/12/network", &[], None));
    assert_eq!((status, headers["content-disposition"].to_str().unwrap()), (200, "attachment; filename=\"a@12.json\""));
    assert!(network.contains("nim"), "{network}");
    // A page that watches it is informed that it was removed.
    let events = "/api/runs/a/events";
    assert_eq!(page.ask("DELETE", "/api/runs/a", None).0, 204);
    let gone: RunGone = page.hear(events, |name, _| name == "gone");
    assert!(gone.name == "a" && gone.error.unwrap().contains("there is no run `a`"));
}

#[test]
fn bad_requests_get_a_sentence() {
    let page = Page::new();
    page.train("a", "nim-2x4", &["stop.generations=3"]);
    let play = |fields: &str| format!("{{\"game\":\"nim\",\"against\":\"champion:nim\"{fields}}}");
    for (path, body, status, why) in [
        ("/api/play/position", "{".to_string(), 400, "the body is not valid"),
        ("/api/play/position", "{}".to_string(), 400, "missing field `game`"),
        ("/api/play/position", "{\"game\":7}".to_string(), 400, "expected a string"),
        ("/api/play/position", "{\"game\":\"go\"}".to_string(), 400, "there is no game `go`"),
        ("/api/play/position", play(",\"more\":1"), 400, "unknown field `more`"),
        ("/api/play/position", play(",\"seed\":-1"), 400, "expected u64"),
        ("/api/play/position", play(",\"start\":\"9,9,9\""), 400, "9,9,9"),
        (
            "/api/play/position",
            play(",\"start\":\"3,4\",\"moves\":[\"1:1\",\"3:1\"]"),
            400,
            "move 2: `3:1` is no legal move",
        ),
        ("/api/play/position", play(",\"start\":\"1,0\",\"moves\":[\"1:1\",\"1:1\"]"), 400, "the game is over"),
        ("/api/play/answer", play(",\"start\":\"1,0\",\"moves\":[\"1:1\"]"), 409, "the game is over"),
        ("/api/play/answer", "{\"game\":\"nim\"}".to_string(), 400, "nobody plays against you"),
        (
            "/api/play/answer",
            "{\"game\":\"nim\",\"against\":\"champion:draughts\"}".to_string(),
            400,
            "champion:draughts plays draughts, not nim",
        ),
        (
            "/api/play/answer",
            "{\"game\":\"nim\",\"against\":\"file:/etc/passwd\"}".to_string(),
            400,
            "`file` players are not allowed in the web app",
        ),
        ("/api/play/answer", "{\"game\":\"nim\",\"against\":\"run:../a\"}".to_string(), 400, "cannot be a run's name"),
        ("/api/play/answer", "{\"game\":\"nim\",\"against\":\"run:a@9\"}".to_string(), 400, "it has 1 to 3"),
        ("/api/play/answer", "{\"game\":\"nim\",\"against\":\"material:3\"}".to_string(), 400, "no pieces to count"),
        (
            "/api/play/answer",
            "{\"game\":\"draughts\",\"against\":\"material:64\"}".to_string(),
            400,
            "depth must be at most 12",
        ),
        (
            "/api/play/answer",
            "{\"game\":\"draughts\",\"against\":\"mcts:4000000000\"}".to_string(),
            400,
            "rounds must be at most",
        ),
        ("/api/play/view", play(",\"setup\":[\"stacks=[1,2\"]"), 400, "a list such as [4, 4]"),
        ("/api/runs", "{\"experiment\":\"x\",\"toml\":\"\"}".to_string(), 400, "the key `game` is missing"),
        ("/api/runs", "{\"experiment\":\"x\",\"toml\":\"game = \"}".to_string(), 400, "x, line 1"),
        (
            "/api/experiments/check",
            "{\"name\":\"x\",\"toml\":\"game = \\\"chess\\\"\"}".to_string(),
            400,
            "there is no game `chess`",
        ),
        ("/api/runs/none/resume", "{}".to_string(), 404, "there is no run `none`"),
        ("/api/runs/a/resume", "{\"generations\":1}".to_string(), 400, "has 3 generations already"),
        ("/api/runs/a/resume", "{\"generations\":18446744073709551615}".to_string(), 400, "too many"),
        (
            "/api/play/answer",
            "{\"game\":\"draughts\",\"against\":\"material:3,nodes=999999999999\"}".to_string(),
            400,
            "nodes must be at most",
        ),
        ("/api/runs/a/growth", "{\"games\":0,\"champions\":3}".to_string(), 400, "games is 0, but it must be from 2"),
    ] {
        page.refused("POST", path, Some(&body), status, why);
    }
    let long = format!("{{\"game\":\"{}\"}}", "x".repeat(300_000));
    page.refused("POST", "/api/play/position", Some(&long), 413, "too long");
    page.refused("POST", "/api/runs/a/pause", None, 409, "is not being trained here");
    page.refused("DELETE", "/api/runs/a/growth", None, 409, "is not being measured");
    page.refused("DELETE", "/api/runs/..%2Fa", None, 400, "cannot be a run's name");
    page.refused("DELETE", "/api/runs/none", None, 404, "there is no run `none`");
    let gone: RunGone = page.hear("/api/runs/none/events", |name, _| name == "gone");
    assert!(gone.error.unwrap().contains("there is no run `none`"));
    page.refused("GET", "/api/runs/a/curves?from=0&to=3", None, 400, "no range of generations");
    page.refused("GET", "/api/runs/a/champions/9", None, 404, "it has 1 to 3");
    page.refused("GET", "/api/runs/a/champions/x", None, 400, "is not valid");
    page.refused("GET", "/api/runs/a/curves", None, 400, "after the question mark");
    page.refused("GET", "/api/runs/%ff/events", None, 400, "is not valid");
    page.refused("GET", "/api/experiments/nim-2x5", None, 404, "did you mean");
    page.refused("GET", "/api/experiments/..%2f..%2fCargo.toml", None, 404, "there is no experiment");
    page.refused("GET", "/api/nothing", None, 404, "nothing at this address");
    page.refused("PUT", "/api/about", None, 405, "does not allow this request method");
    let foreign = page.send("POST", "/api/runs/a/pause", &[("origin", "http://evil.example")], None);
    let (status, _, answer) = page.whole(foreign);
    assert!(status == 403 && answer.contains("may not ask"), "{answer}");
    // The run is still there.
    assert_eq!(page.get::<Champion>("/api/runs/a/champions/3").player, "run:a@3");
    assert_eq!(page.ask("DELETE", "/api/runs/a", None).0, 204);
    assert!(!page.runs().join("a.db").exists());
}
