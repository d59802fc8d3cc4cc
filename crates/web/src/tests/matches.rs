//! Tests of matches that pages start: how they end, and which are refused.

use super::Page;
use crate::match_games::MatchGames;
use crate::matches::{MatchGone, MatchReport, MatchStarted, MatchState};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn asked(game: &str, players: &[&str], games: u32, plies: Option<u32>) -> Value {
    json!({ "game": game, "players": players, "games": games, "plies": plies, "seed": 7 })
}

/// Starts a match; returns its number and the address of its events.
fn start(page: &Page, asked: &Value) -> (u64, String) {
    let MatchStarted { id } = page.post("/api/matches", asked);
    (id, format!("/api/matches/{id}/events"))
}

fn finished(page: &Page, asked: &Value) -> MatchReport {
    let (_, events) = start(page, asked);
    page.hear(&events, |name, data| name == "match" && data["state"] != "playing")
}

fn list(page: &Page) -> Vec<MatchReport> {
    page.get("/api/matches")
}

#[test]
fn a_round_robin_is_reported_pair_by_pair() {
    let page = Page::new();
    let report = finished(&page, &asked("nim", &["random", "first", "perfect"], 20, None));
    assert_eq!((report.state, report.error, report.plies), (MatchState::Finished, None, Some(1)));
    assert_eq!((report.game.as_str(), report.games, report.seed, report.done, report.all), ("nim", 20, 7, 60, 60));
    let pairs: Vec<(usize, usize)> = report.pairs.iter().map(|pair| (pair.one, pair.two)).collect();
    assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
    for pair in &report.pairs {
        assert_eq!(pair.wins + pair.draws + pair.losses, 20);
        assert_eq!(pair.score, f64::from(pair.wins) / 20.0);
        assert!(pair.rating.elo.is_some() || pair.score == 0.0 || pair.score == 1.0);
    }
    let rated: Vec<usize> = report.ratings.unwrap().iter().map(|rated| rated.player).collect();
    assert_eq!(rated, [0, 1, 2]);
    // It is kept until a page removes it.
    let address = format!("/api/matches/{}", report.id);
    assert_eq!(list(&page).len(), 1);
    assert_eq!(page.ask("DELETE", &address, None).0, 204);
    assert!(list(&page).is_empty());
    let gone: MatchGone = page.hear(&format!("{address}/events"), |name, _| name == "gone");
    assert!(gone.id == report.id.to_string() && gone.error.contains("there is no match"), "{}", gone.error);
}

#[test]
fn matches_are_cancelled_at_once_and_two_at_a_time() {
    let page = Page::new();
    // A single move of the first player takes seconds. A game of the others is short, but all their games take minutes.
    let (slow, slow_events) = start(&page, &asked("draughts", &["mcts:100000", "mcts:99999"], 2000, None));
    let (live, live_events) = start(&page, &asked("draughts", &["mcts:100", "random"], 2000, None));
    let some: MatchReport = page.hear(&live_events, |_, data| data["done"].as_u64() > Some(0));
    assert_eq!((some.state, some.all), (MatchState::Playing, 2000));
    let third = asked("nim", &["random", "perfect"], 2, None).to_string();
    page.refused("POST", "/api/matches", Some(&third), 409, "2 matches are being played");
    for (id, events) in [(slow, slow_events), (live, live_events)] {
        let begun = Instant::now();
        assert_eq!(page.ask("DELETE", &format!("/api/matches/{id}"), None).0, 204);
        let over: MatchReport = page.hear(&events, |_, data| data["state"] != "playing");
        assert_eq!(over.state, MatchState::Cancelled);
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
        // Finished games count; the game that was being played does not.
        assert!(id != slow || over.done == 0, "{}", over.done);
    }
    assert_eq!(finished(&page, &asked("nim", &["random", "perfect"], 2, None)).state, MatchState::Finished);
    let states: Vec<MatchState> = list(&page).iter().map(|found| found.state).collect();
    assert_eq!(states, [MatchState::Finished, MatchState::Cancelled, MatchState::Cancelled]);
}

#[test]
fn each_finished_game_of_a_match_is_kept_with_its_moves() {
    let page = Page::new();
    let report = finished(&page, &asked("tic-tac-toe", &["random", "first", "perfect"], 6, None));
    assert_eq!(report.now, None);
    for (pair, score) in report.pairs.iter().enumerate() {
        let address = format!("/api/matches/{}/games", report.id);
        let MatchGames { games, dropped } = page.get(&format!("{address}?pair={pair}"));
        let numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
        assert_eq!((numbers, dropped), ((0..6).collect(), 0));
        let (mut wins, mut losses) = (0, 0);
        for game in &games {
            let shown: Value = page.get(&format!("{address}/{pair}/{}", game.number));
            assert_eq!(shown["moves"].as_array().unwrap().len(), game.plies as usize);
            assert_eq!(shown["positions"].as_array().unwrap().len(), game.plies as usize + 1);
            assert_eq!(shown["outcome"], game.outcome.as_str());
            // The players take turns to have the first side.
            let [one, two] = [score.one, score.two].map(|place| report.players[place].as_str());
            let [first, second] = if game.number.is_multiple_of(2) { [one, two] } else { [two, one] };
            assert_eq!(shown["players"], json!([first, second]));
            let winner = match game.outcome.as_str() {
                "first" => Some(first),
                "second" => Some(second),
                _ => None,
            };
            wins += u32::from(winner == Some(one));
            losses += u32::from(winner == Some(two));
        }
        assert_eq!((wins, losses), (score.wins, score.losses));
    }
    for (path, status, why) in [
        (format!("/api/matches/{}/games?pair=3", report.id), 404, "there is no pair 3"),
        (format!("/api/matches/{}/games", report.id), 400, "missing field `pair`"),
        (format!("/api/matches/{}/games/0/6", report.id), 404, "there is no game 7 of this pair"),
        (format!("/api/matches/{}/games/9/0", report.id), 404, "there is no game 1 of this pair"),
        (format!("/api/matches/{}/games/0/x", report.id), 400, "is not valid"),
        ("/api/matches/99/games?pair=0".to_string(), 404, "there is no match `99`"),
        ("/api/matches/99/games/0/0".to_string(), 404, "there is no match `99`"),
    ] {
        page.refused("GET", &path, None, status, why);
    }
}

#[test]
fn the_game_that_is_being_played_is_shown_as_far_as_it_has_gone() {
    let page = Page::new();
    let (id, events) = start(&page, &asked("draughts", &["mcts:3000", "mcts:2999"], 2, None));
    let report: MatchReport = page.hear(&events, |_, data| !data["now"].is_null());
    let now = report.now.unwrap();
    let address = format!("/api/matches/{id}/games/{}/{}", now.pair, now.number);
    let plies = |shown: &Value| shown["moves"].as_array().unwrap().len();
    let early: Value = page.get(&address);
    assert!(early["outcome"].is_null() && plies(&early) > 0, "{early}");
    let begun = Instant::now();
    while plies(&page.get::<Value>(&address)) <= plies(&early) {
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not go on");
    }
    assert_eq!(page.ask("DELETE", &format!("/api/matches/{id}"), None).0, 204);
    let over: MatchReport = page.hear(&events, |_, data| data["state"] != "playing");
    assert_eq!((over.state, over.now), (MatchState::Cancelled, None));
}

#[test]
fn only_the_newest_matches_are_remembered() {
    let page = Page::new();
    for _ in 0..23 {
        finished(&page, &asked("nim", &["random", "perfect"], 2, None));
    }
    let ids: Vec<u64> = list(&page).iter().map(|found| found.id).collect();
    assert_eq!(ids, (4..=23).rev().collect::<Vec<u64>>());
}

#[test]
fn invalid_matches_are_refused_with_a_sentence() {
    let page = Page::new();
    page.train("a", "nim-2x4", &["stop.generations=3"]);
    let many: Vec<String> = (1..=13).map(|rounds| format!("mcts:{rounds}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (asked, status, why) in [
        (asked("nim", &["random"], 2, None), 400, "1 players were named, but a match has 2 to 12"),
        (asked("nim", &many, 2, None), 400, "13 players were named"),
        (asked("nim", &["random", "random"], 2, None), 400, "`random` was named twice"),
        (
            asked("nim", &["random", "perfect"], 3, None),
            400,
            "games is 3, but it must be an even number from 2 to 2000",
        ),
        (asked("nim", &["random", "perfect"], 0, None), 400, "games is 0"),
        (asked("nim", &["random", "perfect"], 4000, None), 400, "games is 4000"),
        (asked("go", &["random", "perfect"], 2, None), 400, "there is no game `go`"),
        (asked("draughts", &["random", "run:a"], 2, None), 400, "run:a plays nim, not draughts"),
        (asked("nim", &["random", "run:b"], 2, None), 404, "there is no run `b`"),
        (asked("nim", &["random", "run:../a"], 2, None), 400, "cannot be a run's name"),
        (asked("nim", &["random", "file:/etc/passwd"], 2, None), 400, "`file` players are not allowed in the web app"),
        (asked("nim", &["random", "engine:/bin/sh"], 2, None), 400, "there is no engine `/bin/sh` on this machine"),
        (asked("nim", &["random", "somebody"], 2, None), 400, "is not a player"),
        (asked("nim", &["random", "material:2"], 2, None), 400, "no pieces to count"),
        (
            asked("minichess", &["random", "material:2"], 2, Some(100)),
            400,
            "100 random plies at the beginning, but a game has at most 80",
        ),
        (json!({ "game": "nim" }), 400, "missing field `players`"),
        (json!({ "game": "nim", "players": ["random", 7], "games": 2, "seed": 1 }), 400, "expected a string"),
        (json!({ "game": "nim", "players": [], "games": 2, "seed": -1 }), 400, "expected u64"),
        (json!({ "game": "nim", "players": [], "games": 2, "seed": 1, "more": 1 }), 400, "unknown field `more`"),
    ] {
        page.refused("POST", "/api/matches", Some(&asked.to_string()), status, why);
    }
    for id in ["7", "x", "-1", "99999999999999999999999"] {
        page.refused("DELETE", &format!("/api/matches/{id}"), None, 404, "there is no match");
    }
    // No match was added to the list.
    assert!(list(&page).is_empty());
}
