//! Tests of the page Play.

use super::Page;
use crate::play::{Answer, HintAnswer, ShownGame};
use games::Side;
use serde_json::{Value, json};

#[test]
fn a_game_is_played_by_requests() {
    let page = Page::new();
    // The perfect player against the champion, from a position that is lost for the first side.
    let mut moves: Vec<String> = Vec::new();
    let play = |moves: &[String], against: &str| json!({ "game": "nim", "start": "4,4", "moves": moves, "against": against, "person": "first", "seed": 1 });
    let last = loop {
        for against in ["perfect", "champion:nim"] {
            let view: Value = page.post("/api/play/view", &play(&moves, against));
            let answer: Answer = page.post("/api/play/answer", &play(&moves, against));
            // It plays the first move of its line.
            assert_eq!(view["line"][0].as_str(), answer.mv.as_deref(), "{view}");
            assert_eq!(answer.illegal, None);
            moves.extend(answer.mv);
            if answer.table.outcome.is_some() {
                break;
            }
        }
        let table: ShownGame = page.post("/api/play/position", &play(&moves, "perfect"));
        assert_eq!(table.written.len(), moves.len());
        if table.outcome.is_some() {
            break table;
        }
    };
    assert_eq!((last.outcome.as_deref(), last.why.as_deref()), (Some("second"), Some("the last match is taken")));
    let hint: HintAnswer = page.post("/api/play/hint", &json!({ "game": "nim", "start": "4,3", "against": null }));
    assert!(hint.mv.as_deref() == Some("1:1") && hint.words.starts_with("1:1 wins"), "{}", hint.words);
    // Game records name the players.
    let moves = ["9-13", "22-18"];
    let record = json!({ "game": "draughts", "moves": moves, "against": "mcts:9", "person": "second" });
    let record = page.post::<ShownGame>("/api/play/position", &record).record.unwrap();
    assert!(
        record.contains("[Black \"mcts:9\"]\n[White \"you\"]") && record.ends_with("1. 9-13 22-18 *\n"),
        "{record}"
    );
    // More than 300 moves are counted, not listed.
    let many = json!({ "game": "nim", "start": "60000,9", "setup": ["stacks=[60000,9]"], "against": "mcts:50" });
    let table: ShownGame = page.post("/api/play/position", &many);
    assert_eq!((table.legal, table.moves.len()), (60_009, 0));
    assert!(page.post::<Answer>("/api/play/answer", &many).mv.is_some());
}

#[test]
fn a_turn_has_a_move_and_the_value_of_the_judge() {
    let page = Page::new();
    let play = |moves: &[&str]| json!({ "game": "nim", "start": "3,1", "against": "champion:nim", "moves": moves });
    // Taking the whole first stack wins: the other side must take the last match.
    let turn: Value = page.post("/api/play/turn", &json!({ "play": play(&[]), "judge": "perfect" }));
    assert_eq!((&turn["value"]["value"], &turn["move"]), (&json!(1.0), &json!("1:3")), "{turn}");
    assert_eq!(turn["table"]["position"], json!("0,1 second"), "{turn}");
    // Without a judge the value is that of the player. This one only ranks moves.
    let turn: Value = page.post("/api/play/turn", &json!({ "play": play(&[]), "judge": null }));
    assert_eq!((&turn["value"], &turn["move"]), (&Value::Null, &json!("1:3")), "{turn}");
    let over = json!({ "play": play(&["1:3", "2:1"]), "judge": null });
    page.refused("POST", "/api/play/turn", Some(&over.to_string()), 409, "the game is over");
    let nobody = json!({ "play": { "game": "nim", "against": null }, "judge": null });
    page.refused("POST", "/api/play/turn", Some(&nobody.to_string()), 400, "nobody plays");
}

#[test]
fn a_position_is_answered_completely() {
    let page = Page::new();
    let play = json!({ "game": "tic-tac-toe", "against": "perfect", "start": "x../.o./...", "moves": [] });
    let table: ShownGame = page.post("/api/play/position", &play);
    assert_eq!((table.game.as_str(), table.side, table.legal, table.moves.len()), ("tic-tac-toe", Side::First, 7, 7));
    assert_eq!((&table.start, &table.outcome, &table.why, &table.record), (&table.position, &None, &None, &None));
    assert!(table.diagram.contains('o') && table.written.is_empty());
    // The best move first; each in both notations and with its value.
    let view: Value = page.post("/api/play/view", &play);
    let moves = view["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &view["note"]), (7, &Value::Null));
    let value = |of: &Value| of["value"].as_f64().unwrap();
    assert!(moves.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])), "{view}");
    let mut keys: Vec<&String> = moves[0].as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(keys, ["ends_in", "move", "value", "visits", "written"]);
    // Players without an opinion say so.
    let silent: Value = page.post("/api/play/view", &json!({ "game": "nim", "against": "random" }));
    assert_eq!(silent, json!({ "value": null, "line": [], "moves": [], "note": "it has no opinion here" }));
}
