//! Tests of the page Exam.

use super::Page;
use super::games::NIM;
use players::{Context, ExamParams};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[test]
fn exams_list_failures() {
    let page = Page::new();
    page.train("a", "nim-2x4", NIM);
    let exam = |player: &str, game: Option<&str>| -> Value {
        page.post("/api/exam", &json!({ "player": player, "game": game }))
    };
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
    // The same grades as on the command line, except the grade with search.
    let network = exam("run:a@1", None);
    assert_eq!(network["game"], "nim");
    let (tables, runs) = (page.folder.path().join("tables"), page.runs());
    let context = Context::new(&runs, &tables, &|_| ());
    let player = "run:a@1".parse().unwrap();
    let params =
        ExamParams { player: &player, game: None, setup: &[], questions: None, quick: false, context: &context };
    assert_eq!(network["exam"], json!(players::examine(&params).unwrap().0));
    let begun = Instant::now();
    let chess = exam("champion:minichess,depth=0", None);
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert!(chess["exam"]["searched"].is_null() && chess["exam"]["positions"] == 800, "{chess}");
    assert!(chess["failures"].as_array().unwrap().iter().any(|failure| failure["side"] == "second"));
    for (body, status, why) in [
        (json!({ "player": "random" }), 400, "`random` plays any game; choose which"),
        (json!({ "player": "random", "game": "go" }), 400, "there is no game `go`"),
        (json!({ "player": "champion:nim", "game": "draughts" }), 400, "champion:nim plays nim, not draughts"),
        (json!({ "player": "perfect", "game": "draughts" }), 400, "cannot take the exam"),
        (json!({ "player": "run:none" }), 404, "there is no run `none`"),
        (json!({ "player": "run:../a" }), 400, "cannot be a run's name"),
        (json!({ "player": "file:/etc/passwd", "game": "nim" }), 400, "`file` players are not allowed in the web app"),
        (json!({ "player": "champion:draughts,depth=5" }), 400, "depth must be at most 4"),
        (json!({ "player": "nobody" }), 400, "there are random"),
        (json!({ "player": 7 }), 400, "expected a string"),
    ] {
        page.refused("POST", "/api/exam", Some(&body.to_string()), status, why);
    }
}
