//! Games to step through, remarks on them, and exams, as pages ask for them.

use super::Gamete;
use super::serve::Served;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

/// A run of Nim with some generations.
const NIM: &str = "train nim-2x4 --seed 3 --generations 30 --set stop.solved=false --name a";

/// All remarks on a game.
#[track_caller]
fn remarks(served: &Served, body: &Value) -> Vec<Value> {
    let (host, body) = (&served.host, body.to_string());
    let head = format!("POST /api/games/values HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\naccept-encoding: gzip");
    let length = body.len();
    let (status, answer) =
        served.send(&format!("{head}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"));
    assert!(status == 200 && answer.contains("content-type: application/x-ndjson"), "{answer}");
    answer.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn kept_games_are_found_by_generation() {
    let gamete = Gamete::new();
    gamete.ok(NIM);
    let served = Served::new(&gamete);
    let newest = served.get("/api/runs/a/games");
    let (first, last) = (newest["first"].as_u64().unwrap(), newest["last"].as_u64().unwrap());
    assert!(first <= last && newest["generation"] == last, "{newest}");
    for game in newest["games"].as_array().unwrap() {
        let count = |what: &str| game[what].as_array().unwrap().len();
        assert_eq!((count("moves") + 1, count("written") + 1), (count("positions"), count("positions")), "{game}");
        assert!(game["game"] == "nim" && game["positions"][0] == game["start"] && game["problem"].is_null(), "{game}");
        assert!(game["players"][0].as_str().unwrap().starts_with("run:a@"), "{game}");
    }
    assert_eq!(served.get(&format!("/api/runs/a/games?generation={first}"))["generation"], first);
    assert_eq!(served.get("/api/runs/a/games?generation=0")["generation"], first);
    assert_eq!(served.get("/api/runs/a/games?generation=18446744073709551615")["generation"], last);
    served.refused("GET", "/api/runs/none/games", None, 404, "there is no run `none`");
    served.refused("GET", "/api/runs/..%2Fa/games", None, 400, "cannot be a run's name");
    served.refused("GET", "/api/runs/a/games?generation=x", None, 400, "behind the question mark");
    served.refused("GET", "/api/runs/a/games?generation=-1", None, 400, "behind the question mark");
}

#[test]
fn files_of_games_are_read() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let read = |text: &str, game: Option<&str>| served.post("/api/games/read", &json!({ "text": text, "game": game }));
    let whole = "[Event \"Club\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 *";
    let found = read(whole, None);
    let game = &found["games"][0];
    assert_eq!(game["players"], json!(["Ann", "Bob"]));
    assert_eq!((&game["title"], &game["side"]), (&json!("game 1: Club"), &json!("first")));
    assert_eq!((&game["moves"], &game["outcome"]), (&json!(["11-15", "23-19", "8-11"]), &Value::Null));
    assert_eq!(game["positions"].as_array().unwrap().len(), 4);
    assert_eq!(game["tags"][3], json!(["GameType", "21"]));
    // One that breaks off is shown up to there.
    let broken = read("1. 11-15 23-19 2. 8-12 *", Some("draughts"));
    let game = &broken["games"][0];
    assert_eq!((game["moves"].as_array().unwrap().len(), game["positions"].as_array().unwrap().len()), (2, 3));
    let problem = game["problem"].as_str().unwrap();
    assert!(problem.starts_with("game 1, move 2 of Black, line 1: `8-12` is no legal move"), "{problem}");
    // A start that cannot be read leaves nothing to show.
    let lost = read("[GameType \"21\"]\n[FEN \"nonsense\"]\n\n1. 11-15 *", None);
    assert!(lost["games"][0]["problem"].is_string() && lost["games"][0]["positions"] == json!([]), "{lost}");
    // Results count where the file says what they mean.
    let won = read("[Variant \"minichess\"]\n[Result \"1-0\"]\n\n1. a3 1-0", None);
    assert_eq!(won["games"][0]["outcome"], "first", "{won}");
    // No more than some are shown.
    let many = read(&"[GameType \"21\"]\n1. 11-15 *\n\n".repeat(250), None);
    assert_eq!(many["games"].as_array().unwrap().len(), 200);
    assert_eq!(many["note"], "the first 200 of 250 games are shown");
    for (body, status, why) in [
        (json!({ "text": "" }), 400, "there is no game in it"),
        (json!({ "text": "good morning" }), 400, "choose which it is (minichess, draughts)"),
        (json!({ "text": "good morning", "game": "draughts" }), 400, "`good` is no legal move"),
        (json!({ "text": "1. a3", "game": "go" }), 400, "there is no game `go`"),
        (json!({ "text": "1. 1:1", "game": "nim" }), 400, "games of nim are not kept in files"),
        (json!({ "text": "[White" }), 400, "is no tag"),
        (json!({ "text": "{ and so on" }), 400, "never ends"),
        (json!({ "text": 7 }), 400, "expected a string"),
        (json!({ "text": "a", "more": 1 }), 400, "unknown field `more`"),
        (json!({ "text": "a".repeat(300_000) }), 413, "too long"),
    ] {
        served.refused("POST", "/api/games/read", Some(&body.to_string()), status, why);
    }
}

#[test]
fn games_are_remarked_on() {
    let gamete = Gamete::new();
    gamete.ok(NIM);
    let served = Served::new(&gamete);
    let nim = |player: &str| json!({ "game": "nim", "start": "3,2", "moves": ["1:3", "2:1", "2:1"], "player": player });
    let found = remarks(&served, &nim("perfect"));
    assert_eq!(found.iter().map(|remark| remark["ply"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!((&found[0]["value"], &found[0]["best"]), (&json!(1.0), &json!("1:1")));
    assert_eq!((&found[1]["value"], &found[1]["blunder"]["better"]), (&json!(-1.0), &json!("1:1")));
    assert_eq!(found.iter().filter(|remark| !remark["blunder"].is_null()).count(), 1);
    // Whoever thinks whatever of it: blunders are the same.
    for player in ["run:a", "run:a@7,depth=3", "random", "mcts:50", "champion:nim"] {
        let other = remarks(&served, &nim(player));
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
        ("{".to_string(), "the body is not as expected"),
        ("{}".to_string(), "missing field `game`"),
        (ask(&|body| body["game"] = json!("go")), "there is no game `go`"),
        (ask(&|body| body["start"] = json!("3;2")), "3;2"),
        (ask(&|body| body["moves"][2] = json!("1:9")), "move 3: `1:9` is no legal move"),
        (ask(&|body| body["moves"] = json!(many)), "no more than 2000"),
        (ask(&|body| body["setup"] = json!(["stacks=[1,2"])), "a list such as [4, 4]"),
        (ask(&|body| body["player"] = json!("file:/etc/passwd")), "pages play against no files"),
        (ask(&|body| body["player"] = json!("run:../a")), "cannot be a run's name"),
        (ask(&|body| body["player"] = json!("run:a@99")), "it has 1 to 30"),
        (ask(&|body| body["player"] = json!("run:a,depth=9")), "depth must be at most 8"),
        (ask(&|body| body["player"] = json!("mcts:10001")), "rounds must be at most 10000"),
        (ask(&|body| body["player"] = json!("champion:draughts")), "this network plays draughts, not nim"),
    ] {
        served.refused("POST", "/api/games/values", Some(&body), 400, why);
    }
    let gone = ask(&|body| body["player"] = json!("run:none"));
    served.refused("POST", "/api/games/values", Some(&gone), 404, "there is no run `none`");
}

/// The moves of a long game, which begins as usual.
fn long_game(game: &str) -> Vec<&'static str> {
    let lines = include_str!("../long_games.txt").lines().skip_while(|line| *line != game).skip(1);
    lines.take_while(|line| !line.is_empty()).flat_map(str::split_whitespace).collect()
}

#[test]
fn remarks_on_a_long_game_come_one_by_one_and_the_first_at_once() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    for game in ["draughts", "minichess"] {
        let moves = long_game(game);
        assert_eq!(moves.len(), 300);
        let start = served.post("/api/play/position", &json!({ "game": game }))["start"].clone();
        let player = format!("champion:{game},depth=2");
        let asked = json!({ "game": game, "start": start, "moves": moves, "player": player });
        // The best of some, as others may keep the machine busy.
        let tries = (0..5).map(|_| {
            let begun = Instant::now();
            let lines = BufReader::new(served.begin("/api/games/values", &asked)).lines().map(Result::unwrap);
            let remarks = lines.filter(|line| line.starts_with('{'));
            let told = remarks.take(301).map(|line| (begun.elapsed(), serde_json::from_str::<Value>(&line).unwrap()));
            let told: Vec<(Duration, Value)> = told.collect();
            for (ply, (_, remark)) in told.iter().enumerate() {
                assert!(remark["ply"] == ply && remark["value"].is_number(), "{game}: {remark}");
            }
            (told[0].0, told[300].0)
        });
        let (first, all) = tries.min().unwrap();
        assert!(first < Duration::from_millis(300), "{game}: {first:?}");
        assert!(2 * first < all, "{game}: the first after {first:?}, all after {all:?}");
    }
}

#[test]
fn exams_tell_what_was_failed() {
    let gamete = Gamete::new();
    gamete.ok(NIM);
    let served = Served::new(&gamete);
    let exam = |player: &str, game: Option<&str>| served.post("/api/exam", &json!({ "player": player, "game": game }));
    let first = exam("first", Some("nim"));
    let failures = first["failures"].as_array().unwrap();
    assert_eq!(first["failed"], failures.len());
    for failure in failures {
        assert!(failure["suite"] == "play" && failure["legal"] == true && failure["side"] == "first", "{failure}");
        assert!(!failure["right"].as_array().unwrap().contains(&failure["played"]), "{failure}");
    }
    let truth = &first["exam"];
    let (positions, grade) = (truth["positions"].as_f64().unwrap(), truth["all_positions"].as_f64().unwrap());
    assert_eq!(failures.len() as f64, (positions * (1.0 - grade)).round());
    assert_eq!(exam("perfect", Some("tic-tac-toe"))["failures"], json!([]));
    // The same as on the command line, but for searches.
    let network = exam("run:a@1", None);
    assert_eq!(network["game"], "nim");
    assert_eq!(network["exam"], gamete.json("exam run:a@1"));
    let begun = Instant::now();
    let chess = exam("champion:minichess,depth=0", None);
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert!(chess["exam"]["searched"].is_null() && chess["exam"]["positions"] == 800, "{chess}");
    assert!(chess["failures"].as_array().unwrap().iter().any(|failure| failure["side"] == "second"));
    for (body, status, why) in [
        (json!({ "player": "random" }), 400, "`random` plays any game; choose which"),
        (json!({ "player": "random", "game": "go" }), 400, "there is no game `go`"),
        (json!({ "player": "champion:nim", "game": "draughts" }), 400, "this network plays nim, not draughts"),
        (json!({ "player": "perfect", "game": "draughts" }), 400, "cannot take the exam"),
        (json!({ "player": "run:none" }), 404, "there is no run `none`"),
        (json!({ "player": "run:../a" }), 400, "cannot be a run's name"),
        (json!({ "player": "file:/etc/passwd", "game": "nim" }), 400, "pages play against no files"),
        (json!({ "player": "champion:draughts,depth=5" }), 400, "depth must be at most 4"),
        (json!({ "player": "nobody" }), 400, "there are random"),
        (json!({ "player": 7 }), 400, "expected a string"),
    ] {
        served.refused("POST", "/api/exam", Some(&body.to_string()), status, why);
    }
}
