//! Remarks on the moves of a long game, as a page receives them.

use super::Gamete;
use super::serve::Served;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

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
        let player = format!("champion:{game},depth=4");
        let asked = json!({ "game": game, "start": start, "moves": moves, "player": player });
        // The best of several measurements, because other programs may keep the machine busy.
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
