//! Matches that pages start: the results equal those of the command line, and matches do not delay the end of the server.

use super::Gamete;
use super::serve::Served;
use serde_json::{Value, json};
use std::time::Duration;

fn asked(game: &str, players: &[&str], games: u32, plies: Option<u32>) -> Value {
    json!({ "game": game, "players": players, "games": games, "plies": plies, "seed": 7 })
}

/// Starts a match. Returns its number and the address of its events.
fn start(served: &Served, asked: &Value) -> (u64, String) {
    let id = served.post("/api/matches", asked)["id"].as_u64().unwrap();
    (id, format!("/api/matches/{id}/events"))
}

fn finished(served: &Served, asked: &Value) -> Value {
    let (_, events) = start(served, asked);
    served.hear(&events, |name, data| name == "match" && data["state"] != "playing")
}

/// The part of a result that `gamete match` also prints.
fn score(of: &Value) -> Value {
    let keys = ["wins", "draws", "losses", "score", "elo", "elo_low", "elo_high"];
    keys.iter().map(|key| (key.to_string(), of[key].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn a_match_comes_out_as_on_the_command_line() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 20 --set stop.solved=false --name a");
    let served = Served::new(&gamete);
    for (game, one, two, games, plies) in [
        ("nim", "run:a@3", "run:a", 200, None),
        ("nim", "run:a", "perfect", 60, Some(2)),
        ("nim", "run:a,mcts=40", "mcts:30", 20, None),
        ("tic-tac-toe", "champion:tic-tac-toe", "random", 100, None),
        ("draughts", "material:2", "random", 6, None),
        ("minichess", "champion:minichess,depth=1", "material:1", 10, Some(3)),
    ] {
        let told = finished(&served, &asked(game, &[one, two], games, plies));
        assert_eq!(
            (&told["state"], &told["error"], &told["ratings"]),
            (&json!("finished"), &Value::Null, &Value::Null)
        );
        let used = &told["plies"];
        let same = gamete.json(&format!("match {one} {two} --game {game} --games {games} --plies {used} --seed 7"));
        assert_eq!(score(&told["pairs"][0]), score(&same), "{told}");
        assert_eq!((told["done"].as_u64(), told["all"].as_u64()), (Some(games.into()), Some(games.into())));
        // The default number of opening plies: none if the setup has random starts, four in large games.
        let usual = match game {
            "nim" => 0,
            "tic-tac-toe" => 1,
            _ => 4,
        };
        assert_eq!(used.as_u64(), Some(plies.unwrap_or(usual).into()), "{game}");
    }
}

#[test]
fn everybody_meets_everybody_on_one_scale() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 40 --set stop.solved=false --name a");
    let served = Served::new(&gamete);
    let players = ["random", "run:a@1", "run:a", "mcts:50"];
    let told = finished(&served, &asked("nim", &players, 40, None));
    let pairs = told["pairs"].as_array().unwrap();
    assert_eq!((pairs.len(), told["done"].as_u64(), told["all"].as_u64()), (6, Some(240), Some(240)));
    for pair in pairs {
        let [one, two] = ["one", "two"].map(|key| players[pair[key].as_u64().unwrap() as usize]);
        // All players use the setup for which one of them was bred.
        let setup = "--setup stacks=[4,4] --setup start=random";
        let same = gamete.json(&format!("match {one} {two} --game nim --games 40 --plies 0 --seed 7 {setup}"));
        assert_eq!(score(pair), score(&same), "{one} {two}");
    }
    let ratings = told["ratings"].as_array().unwrap();
    assert_eq!(ratings.iter().map(|rated| rated["player"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(ratings.iter().filter(|rated| rated["elo"] == 0.0 && rated["elo_low"] == 0.0).count(), 1);
    assert!(ratings[0]["elo"].as_f64() < ratings[3]["elo"].as_f64(), "{ratings:?}");
    // The match is listed until it is removed.
    let list = served.get("/api/matches");
    assert_eq!((list.as_array().unwrap().len(), &list[0]), (1, &told));
    let id = &told["id"];
    assert_eq!(served.ask("DELETE", &format!("/api/matches/{id}"), None).0, 204);
    assert_eq!(served.get("/api/matches"), json!([]));
    let gone = served.hear(&format!("/api/matches/{id}/events"), |name, _| name == "gone");
    assert!(gone["error"].as_str().unwrap().contains("there is no match"), "{gone}");
}

#[test]
#[cfg(unix)]
fn the_end_waits_for_no_match() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    start(&served, &asked("draughts", &["mcts:100000", "mcts:99999"], 2000, None));
    let took = served.end("-TERM");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// A ladder measures a player on a scale with `random` at 0, and chooses opponents that are about as strong.
#[test]
fn a_ladder_measures_a_player() {
    let gamete = Gamete::new();
    let climbed = gamete.json("ladder mcts:20 --game tic-tac-toe --games 300");
    let elo = |field: &str| climbed[field].as_f64().unwrap();
    // The player is an opponent of the ladder, whose Elo is known.
    let own = climbed["met"].as_array().unwrap().iter().find(|met| met["player"] == "mcts:20").unwrap();
    let known = own["anchor_elo"].as_f64().unwrap();
    assert!(
        (elo("elo") - known).abs() < 60.0 && elo("elo_low") < elo("elo") && elo("elo") < elo("elo_high"),
        "{climbed}"
    );
    assert_eq!((&climbed["games"], &climbed["perfect"], &climbed["version"]), (&300.into(), &false.into(), &1.into()));
    assert!(climbed["cost"]["positions"].as_f64().unwrap() > 5.0, "{climbed}");
    // Few games are wasted on opponents that are far away.
    let far = climbed["met"].as_array().unwrap().iter().filter(|met| met["player"] == "random");
    assert!(far.map(|met| met["games"].as_u64().unwrap()).sum::<u64>() <= 20, "{climbed}");
    let mut again = gamete.json("ladder mcts:20 --game tic-tac-toe --games 300 --threads 1");
    again["cost"] = climbed["cost"].clone();
    assert_eq!(again, climbed, "the same seed, the same games");
    // In a solved game, a player without mistakes has no Elo.
    assert_eq!(gamete.json("ladder champion:nim")["perfect"], true);
    let said = gamete.ok("ladder random --game minichess --games 8");
    assert!(
        said.contains("random on the ladder of minichess, version ") && said.contains(" of processor time"),
        "{said}"
    );
    gamete.refused(
        "ladder random --game nim",
        "there is no ladder for nim; there are ladders for tic-tac-toe, minichess",
    );
    gamete.refused("ladder random", "random does not name a game");
    gamete.refused("ladder champion:minichess@7", "champion:minichess@0.1");
}
