//! Tests of the messages about invalid experiments.

use super::*;
use crate::shipped::shipped_experiments;

fn text() -> String {
    let (_, text) = shipped_experiments().find(|(name, _)| *name == "nim-2x4-c1").unwrap();
    text.to_string()
}

#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    let changed = text().replacen(from, to, 1);
    assert_ne!(changed, text(), "nothing was replaced");
    let error = ExperimentFile::parse("x", "x.toml", &changed).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}\n{changed}");
}

#[test]
fn messages_name_the_place_of_an_error() {
    check("game = \"nim\"", "game = \"nym\"", "x.toml, line 3, column 8: there is no game `nym`; did you mean `nim`?");
    check("game = \"nim\"", "game = 3", "`game` must be a text in quotes");
    check("sharing = ", "sharink = ", "unknown key `sharink`; did you mean `sharing`?");
    check("sharing = ", "sharink = ", "x.toml, line ");
    check(
        "population = 100",
        "population = \"many\"",
        "found string \"many\", but a whole number from 0 up belongs here",
    );
    check("population = 100", "population = \"many\"", "column 14:");
    check("population = 100", "population = 0", ", column 14: strategy.enn: population is 0");
    check("population = 100", "population = 2", "a population of 2 is too small");
    check("population = 100", "populaton = 100", "unknown key `populaton`; did you mean `population`?");
    check("newcomers = 0.0", "newcomers = 1.2", "newcomers is 1.2, but a share is from 0 to 1");
    check("opponents = 50", "opponents = 51", "opponents is 51, but it must be an even number from 2 to 98");
    check("opponents = 50", "opponents = 100", "opponents is 100, but it must be an even number from 2 to 98");
    check("stacks = [4, 4]", "stacks = [4, 0]", "setup: stack 2 has 0 matches");
    check("stacks = [4, 4]", "stacks = [4, 70000]", "but a whole number from 0 to 65535 belongs here");
    check("start = \"random\"", "start = \"randm\"", "unknown choice `randm`; did you mean `random`?");
    check("start = \"random\"", "", "the key `start` is missing");
    check("head = \"direct\"", "head = \"dirct\"", "player.head is `dirct`, but nim has value, direct, slots");
    check("win = 1.0", "win = 0.5", "scoring.points: win 0.5, draw 0.5 and loss 0: win must be above draw");
    check("win = 1.0", "win = nan", "scoring.points: win NaN");
    check("[scoring.points]", "[scoring.exm]", "unknown choice `exm`; did you mean `exam`?");
    check("depth = 0", "depth = 1", "player.depth is 1, but the head `direct` names moves");
    check("depth = 0", "depth = -1", "a whole number from 0");
    check("rounds = 0", "rounds = 9", "player.rounds is 9, but the head `direct` names moves");
    check("ept = 0", "ept = 6", "player.rounds is 0, but ept and playouts need at least 1 round");
    check(
        "playouts = \"random\"",
        "playouts = \"wild\"",
        "player.playouts is `wild`, but it must be one of random, captures, network",
    );
    check("past_games = 50", "past_games = 51", "past_games is 51, but it must be even");
    check("opening_plies = 0", "opening_plies = 1001", "opening_plies is 1001, but it must be at most 1000");
}

#[test]
fn genes_stay_within_the_encoders_bounds() {
    let check = |key: &str, value: f64, expected: &str| {
        let file = Experiment::shipped("draughts-blondie24").unwrap();
        let error = file.with_json(key, &value.into()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let low =
        "line 44, column 12: strategy.blondie: genes go from 0.5 to 3, but the encoder's king_value is from 1 to 3";
    check("strategy.blondie.gene_low", 0.5, low);
    check("strategy.blondie.gene_high", 3.5, "genes go from 1 to 3.5, but the encoder's king_value is from 1 to 3");
}

#[track_caller]
fn check_set(assignment: &str, expected: &str) {
    let mut file = ExperimentFile::parse("x", "x.toml", &text()).unwrap();
    let found = match file.set(&[assignment]) {
        Ok(()) => file.text().to_string(),
        Err(error) => error.to_string(),
    };
    assert!(found.contains(expected), "{found}");
}

#[test]
fn parameters_can_be_overridden() {
    check_set("strategy.enn.population=500", "population = 500");
    check_set("player.head=value", "head = \"value\"");
    check_set("setup.stacks=[3, 5]", "stacks = [3, 5]");
    check_set("strategy.enn.weights.add_edge=1", "add_edge = 1");
    check_set(
        "strategy.enn.populaton=500",
        "unknown key `strategy.enn.populaton`; did you mean `strategy.enn.population`?",
    );
    check_set("population=500", "did you mean `strategy.enn.population`?");
    check_set("strategy.enn=5", "`strategy.enn` is a table");
    check_set("seed", "KEY=VALUE is needed");
    check_set("seed=x", "seed is \"x\", but it must be a whole number from 0 up");
    check_set("game=go", "there is no game `go`");
    check_set(
        "game=tic-tac-toe",
        "game=tic-tac-toe: setup.stacks, setup.start belong to nim, and tic-tac-toe has no setup keys; ",
    );
}

#[test]
fn values_are_checked_after_all_changes() {
    let mut file = ExperimentFile::parse("x", "x.toml", &text()).unwrap();
    let error = file.set(&["strategy.enn.population=20"]).unwrap_err().to_string();
    assert!(error.starts_with("x.toml, line ") && error.contains("even number from 2 to 18"), "{error}");
    file.set(&["strategy.enn.population=20", "schedule.circular.opponents=10"]).unwrap();
    // The message names the change that is wrong, whatever its position.
    let error = file.set(&["seed=1", "guests=x", "opening_plies=y"]).unwrap_err().to_string();
    assert!(error.starts_with("x.toml: guests is \"x\", but it must be a whole number"), "{error}");
    assert!(file.typed::<games::nim::Nim>().is_ok());
    let error = file.typed::<games::draughts::Draughts>().err().unwrap().to_string();
    assert_eq!(error, "x.toml: the experiment plays nim, but draughts was asked for");
}
