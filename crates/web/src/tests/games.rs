//! Tests of the page Games: saved games of a run, files of games, and remarks.

use super::Page;
use serde_json::{Value, json};

/// Parameters of a run of Nim with some generations.
pub const NIM: &[&str] = &["seed=3", "stop.generations=30", "stop.solved=false"];

/// All remarks on a game.
#[track_caller]
fn remarks(page: &Page, body: &Value) -> Vec<Value> {
    let sent = page.send("POST", "/api/games/values", &[("accept-encoding", "gzip")], Some(&body.to_string()));
    let (status, headers, text) = page.whole(sent);
    assert!(status == 200 && headers["content-type"] == "application/x-ndjson", "{text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn kept_games_are_found_by_generation() {
    let page = Page::new();
    page.train("a", "nim-2x4", NIM);
    let newest: Value = page.get("/api/runs/a/games");
    let (first, last) = (newest["first"].as_u64().unwrap(), newest["last"].as_u64().unwrap());
    assert!(first <= last && newest["generation"] == last, "{newest}");
    for game in newest["games"].as_array().unwrap() {
        let count = |what: &str| game[what].as_array().unwrap().len();
        assert_eq!((count("moves") + 1, count("written") + 1), (count("positions"), count("positions")), "{game}");
        assert!(game["game"] == "nim" && game["positions"][0] == game["start"] && game["problem"].is_null(), "{game}");
        assert!(game["players"][0].as_str().unwrap().starts_with("run:a@"), "{game}");
    }
    let generation =
        |asked: &str| page.get::<Value>(&format!("/api/runs/a/games?generation={asked}"))["generation"].clone();
    assert_eq!(generation(&first.to_string()), first);
    assert_eq!(generation("0"), first);
    assert_eq!(generation("18446744073709551615"), last);
    page.refused("GET", "/api/runs/none/games", None, 404, "there is no run `none`");
    page.refused("GET", "/api/runs/..%2Fa/games", None, 400, "cannot be a run's name");
    page.refused("GET", "/api/runs/a/games?generation=x", None, 400, "after the question mark");
    page.refused("GET", "/api/runs/a/games?generation=-1", None, 400, "after the question mark");
}

#[test]
fn files_of_games_are_read() {
    let page = Page::new();
    let read = |text: &str, game: Option<&str>| -> Value {
        page.post("/api/games/read", &json!({ "text": text, "game": game }))
    };
    let whole = "[Event \"Club\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 *";
    let found = read(whole, None);
    let game = &found["games"][0];
    assert_eq!(game["players"], json!(["Ann", "Bob"]));
    assert_eq!((&game["title"], &game["side"]), (&json!("game 1: Club"), &json!("first")));
    assert_eq!((&game["moves"], &game["outcome"]), (&json!(["11-15", "23-19", "8-11"]), &Value::Null));
    assert_eq!(game["positions"].as_array().unwrap().len(), 4);
    assert_eq!(game["tags"][3], json!(["GameType", "21"]));
    // Without tags, the moves say which game it is.
    assert_eq!(read("1. 11-15 23-19 2. 8-11 *", None)["games"][0]["game"], "draughts");
    assert_eq!(read("1. a3 a4 2. b3 *", None)["games"][0]["game"], "minichess");
    // A game with an illegal move is shown up to this move.
    let broken = read("1. 11-15 23-19 2. 8-12 *", Some("draughts"));
    let game = &broken["games"][0];
    assert_eq!((game["moves"].as_array().unwrap().len(), game["positions"].as_array().unwrap().len()), (2, 3));
    let problem = game["problem"].as_str().unwrap();
    assert!(problem.starts_with("game 1, move 2 of Black, line 1: `8-12` is no legal move"), "{problem}");
    // A game whose start cannot be read has no positions.
    let lost = read("[GameType \"21\"]\n[FEN \"nonsense\"]\n\n1. 11-15 *", None);
    assert!(lost["games"][0]["problem"].is_string() && lost["games"][0]["positions"] == json!([]), "{lost}");
    // Results are used if the file says what they mean.
    let won = read("[Variant \"minichess\"]\n[Result \"1-0\"]\n\n1. a3 1-0", None);
    assert_eq!(won["games"][0]["outcome"], "first", "{won}");
    // At most 200 games are shown.
    let many = read(&"[GameType \"21\"]\n1. 11-15 *\n\n".repeat(250), None);
    assert_eq!(many["games"].as_array().unwrap().len(), 200);
    assert_eq!(many["note"], "the first 200 of 250 games are shown");
    for (body, status, why) in [
        (json!({ "text": "" }), 400, "there is no game in it"),
        (json!({ "text": "good morning" }), 400, "which game it is (minichess, draughts); choose one of them"),
        (json!({ "text": "good morning", "game": "draughts" }), 400, "`good` is no legal move"),
        (json!({ "text": "1. a3", "game": "go" }), 400, "there is no game `go`"),
        (json!({ "text": "1. 1:1", "game": "nim" }), 400, "games of nim are not kept in files"),
        (json!({ "text": "[White" }), 400, "is not a tag"),
        (json!({ "text": "{ and so on" }), 400, "never ends"),
        (json!({ "text": 7 }), 400, "expected a string"),
        (json!({ "text": "a", "more": 1 }), 400, "unknown field `more`"),
        (json!({ "text": "a".repeat(300_000) }), 413, "too long"),
    ] {
        page.refused("POST", "/api/games/read", Some(&body.to_string()), status, why);
    }
}

#[test]
fn games_are_remarked_on() {
    let page = Page::new();
    page.train("a", "nim-2x4", NIM);
    let nim = |player: &str| json!({ "game": "nim", "start": "3,2", "moves": ["1:3", "2:1", "2:1"], "player": player });
    let found = remarks(&page, &nim("perfect"));
    assert_eq!(found.iter().map(|remark| remark["ply"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!((&found[0]["value"], &found[0]["best"]), (&json!(1.0), &json!("1:1")));
    assert_eq!((&found[1]["value"], &found[1]["blunder"]["better"]), (&json!(-1.0), &json!("1:1")));
    assert_eq!(found.iter().filter(|remark| !remark["blunder"].is_null()).count(), 1);
    // Blunders are the same, whichever player judges the positions.
    for player in ["run:a", "run:a@7,depth=3", "random", "mcts:50", "champion:nim"] {
        let other = remarks(&page, &nim(player));
        assert_eq!(other.len(), 4);
        assert_eq!(other[1]["blunder"]["better"], found[1]["blunder"]["better"], "{player}");
        assert_eq!(other[3]["ends_in"], 0);
    }
    let ask = |change: &dyn Fn(&mut Value)| {
        let mut body = nim("perfect");
        change(&mut body);
        body.to_string()
    };
    let many = vec!["1:1"; 2001];
    for (body, why) in [
        ("{".to_string(), "the body is not valid"),
        ("{}".to_string(), "missing field `game`"),
        (ask(&|body| body["game"] = json!("go")), "there is no game `go`"),
        (ask(&|body| body["start"] = json!("3;2")), "3;2"),
        (ask(&|body| body["moves"][2] = json!("1:9")), "move 3: `1:9` is no legal move"),
        (ask(&|body| body["moves"] = json!(many)), "at most 2000"),
        (ask(&|body| body["setup"] = json!(["stacks=[1,2"])), "a list such as [4, 4]"),
        (ask(&|body| body["player"] = json!("file:/etc/passwd")), "`file` players are not allowed in the web app"),
        (ask(&|body| body["player"] = json!("run:../a")), "cannot be a run's name"),
        (ask(&|body| body["player"] = json!("run:a@99")), "it has 1 to 30"),
        (ask(&|body| body["player"] = json!("run:a,depth=9")), "depth must be at most 8"),
        (ask(&|body| body["player"] = json!("run:a,depth=17,search=selective")), "depth must be at most 16"),
        (ask(&|body| body["player"] = json!("mcts:10001")), "rounds must be at most 10000"),
        (ask(&|body| body["player"] = json!("champion:draughts")), "champion:draughts plays draughts, not nim"),
    ] {
        page.refused("POST", "/api/games/values", Some(&body), 400, why);
    }
    let gone = ask(&|body| body["player"] = json!("run:none"));
    page.refused("POST", "/api/games/values", Some(&gone), 404, "there is no run `none`");
}
