//! The whole program, with this crate's game and strategy, as people use it.

use std::path::Path;
use std::process::Command;

fn start(folder: &Path, words: &str) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_own-game");
    Command::new(program).args(words.split_whitespace()).current_dir(folder).output().unwrap()
}

/// What the program prints; it must end well.
#[track_caller]
fn run(folder: &Path, words: &str) -> String {
    let output = start(folder, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const SMALL: &str = "--set strategy.halves.population=20 --set schedule.circular.opponents=4";

#[test]
fn the_game_is_trained_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| run(folder.path(), words);
    assert!(run("list games").contains("connect-four"));
    assert!(run("list strategies").contains("halves"));
    assert!(run("list experiments").contains("connect-four"));
    // An interrupted run goes on as if it had never stopped.
    run(&format!("train connect-four {SMALL} --generations 3 --name whole"));
    run(&format!("train connect-four {SMALL} --generations 2 --name parts"));
    run("resume parts --generations 3");
    let signature = |name: &str| {
        let shown = run(&format!("show {name} --json"));
        shown.rsplit_once("\"signature\":\"").unwrap().1.split('"').next().unwrap().to_string()
    };
    assert_eq!(signature("whole"), signature("parts"));
    assert!(run("games whole").contains("champion of generation 3"));
    let result = run("match run:whole,depth=2 random --game connect-four --games 20");
    assert!(result.contains("of 20 games"), "{result}");
    // It has no ladder, and the program says so; as an engine it plays.
    let refused = start(folder.path(), "ladder run:whole");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("no ladder for connect-four"), "{said}");
    run("engine run:whole");
    assert_eq!(run("moves connect-four"), "a\nb\nc\nd\ne\nf\ng\n");
    assert!(run("perft connect-four 4 --json").contains("\"nodes\":2401"));
}

/// Members of a lab are processes of the same program, so they know the game, too.
#[test]
fn labs_know_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let lab = r#"
        about = "How many mutations."
        seeds = 2
        measures = ["past_share"]
        [[configuration]]
        name = "bred"
        experiment = "connect-four"
        set = { stop.generations = 2, strategy.halves.population = 20, schedule.circular.opponents = 4 }
        grid = { strategy.halves.mutations = [1, 4] }
    "#;
    std::fs::write(folder.path().join("mutations.toml"), lab).unwrap();
    let told = run(folder.path(), "lab run mutations.toml --workers 2");
    assert!(told.contains("4 of 4 members finished"), "{told}");
}
