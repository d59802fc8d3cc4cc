//! Pages that are closed before they are answered: the server stops computing for them.

use super::Gamete;
use super::serve::Served;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The number of pages that ask at once: more than the server computes for at a time, on any machine that runs tests.
const PAGES: usize = 40;

/// Many pages send a slow request and are closed. After that, another page that has to wait for its turn is answered soon.
#[track_caller]
fn nobody_thinks_on(served: &Served, path: &str, asked: &Value) {
    let pages: Vec<TcpStream> = (0..PAGES).map(|_| served.begin(path, asked)).collect();
    // Wait until the server computes for them.
    std::thread::sleep(Duration::from_millis(300));
    drop(pages);
    let begun = Instant::now();
    served.post("/api/play/answer", &json!({ "game": "nim", "start": "3,4", "against": "champion:nim" }));
    assert!(begun.elapsed() < Duration::from_secs(6), "{path} {asked}: {:?}", begun.elapsed());
}

#[test]
fn thinking_ends_when_the_page_goes() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    // A board full of rooks has too many lines of captures to search them all.
    let rooks = "rrrrrk/rrrrrr/6/6/RRRRRR/RRRRRK w";
    let kings = ["1-6", "32-27", "6-1", "27-32"].repeat(500);
    for (path, asked) in [
        ("/api/play/answer", json!({ "game": "draughts", "against": "mcts:100000" })),
        ("/api/play/view", json!({ "game": "draughts", "against": "mcts:100000" })),
        (
            "/api/games/values",
            json!({ "game": "draughts", "start": "B:WK32,29,30:BK1,3,4", "moves": kings, "player": "mcts:10000" }),
        ),
        (
            "/api/games/values",
            json!({ "game": "minichess", "start": rooks, "moves": ["a2a3", "a5a4", "b2b3", "b5b4"], "player": "random" }),
        ),
        ("/api/exam", json!({ "game": "minichess", "player": "mcts:1000" })),
        ("/api/exam", json!({ "player": "champion:draughts,depth=4" })),
        ("/api/play/hint", json!({ "game": "minichess", "start": rooks })),
        (
            "/api/network/values",
            json!({ "player": "champion:draughts", "game": "draughts", "position": "B:W21,K30:B1,K7,12" }),
        ),
    ] {
        nobody_thinks_on(&served, path, &asked);
    }
    let begun = Instant::now();
    for _ in 0..PAGES {
        assert_eq!(served.get("/api/network?player=champion:draughts")["game"], "draughts");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// The search for captures on a board full of rooks is limited: a blunder that only a longer search shows is not reported.
#[test]
fn proofs_of_blunders_are_bounded() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let asked = |start: &str| {
        let asked = json!({ "game": "minichess", "start": start, "moves": ["a2a3"], "player": "random" });
        let body = asked.to_string();
        let head = format!("POST /api/games/values HTTP/1.1\r\nhost: {}\r\nconnection: close", served.host);
        let length = body.len();
        let request = format!("{head}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
        let (status, answer) = served.send(&request);
        assert!(status == 200 && answer.contains("\"ply\":1"), "{answer}");
        answer.contains("\"blunder\":{")
    };
    assert!(asked("4rk/r5/6/6/R5/5K w"), "a rook that goes where it is taken is a blunder");
    assert!(!asked("rrrrrk/rrrrrr/6/6/RRRRRR/RRRRRK w"), "so it is here, but there is too much to look at");
}

/// Computing endgame tables takes seconds. The computation stops if nobody waits for it any more.
#[test]
fn tables_are_worked_out_for_whoever_waits() {
    let gamete = Gamete::new();
    let tables = gamete.folder().join("tables");
    let served = Served::start_with(&gamete, "serve --no-open --port 0", &[("GAMETE_TABLES", &tables)]);
    let ending = "k5/6/6/6/6/4KR w";
    for (path, asked) in [
        ("/api/play/hint", json!({ "game": "minichess", "start": ending })),
        ("/api/play/answer", json!({ "game": "minichess", "start": ending, "against": "perfect" })),
        ("/api/games/values", json!({ "game": "minichess", "start": ending, "moves": [], "player": "perfect" })),
        ("/api/exam", json!({ "player": "champion:minichess,depth=1,endgames=on" })),
    ] {
        nobody_thinks_on(&served, path, &asked);
    }
    // A match that is cancelled does not wait for tables either.
    let players = ["champion:minichess,depth=1,endgames=on", "random"];
    let asked = json!({ "game": "minichess", "players": players, "games": 2, "seed": 1 });
    let id = served.post("/api/matches", &asked)["id"].clone();
    assert_eq!(served.ask("DELETE", &format!("/api/matches/{id}"), None).0, 204);
    let over = served.hear(&format!("/api/matches/{id}/events"), |_, data| data["state"] != "playing");
    assert_eq!((&over["state"], &over["error"]), (&json!("cancelled"), &Value::Null));
    // One set of tables is computed at a time, so the first would be finished before the others.
    let asked = json!({ "game": "draughts", "start": "B:WK32:BK1,K2", "against": "perfect" });
    assert!(served.post("/api/play/answer", &asked)["move"].is_string());
    let kept: Vec<_> = std::fs::read_dir(&tables).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(kept.len() == 1 && kept[0].to_string_lossy().starts_with("draughts"), "{kept:?}");
}
