//! The same seed gives the same run: with any number of threads, and if it is killed or interrupted and resumed.

use super::{Gamete, moments};
use std::process::Stdio;
use std::time::{Duration, Instant};

#[track_caller]
fn check_threads(experiment: &str) {
    let gamete = Gamete::new();
    let signature = |threads: u32| gamete.json(&format!("train {experiment} --threads {threads}"))["signature"].clone();
    let alone = signature(1);
    assert_eq!(alone, signature(2), "{experiment} on 2 threads");
    assert_eq!(alone, signature(8), "{experiment} on 8 threads");
}

#[test]
fn any_number_of_threads_gives_the_same_run() {
    // Small enough for decision tables, and large enough that several threads are used.
    check_threads("nim-2x4-c5 --generations 12");
    check_threads("nim-2x4 --generations 60 --set strategy.enn.population=1000 --set stop.solved=false");
    // Too large for decision tables: networks play every game move by move, each game on its own thread.
    check_threads("nim-1-1000 --generations 4 --set setup.stacks=[5000,5000]");
    check_threads("tic-tac-toe --generations 3 --set player.head=slots");
    check_threads("minichess-enn --generations 2");
}

const LONG: &str = "nim-1-8-c3 --seed 5 --generations 3000 --name long";

/// The run without interruptions.
fn left_alone() -> serde_json::Value {
    Gamete::new().json(&format!("train {LONG}"))
}

#[track_caller]
fn check_same(resumed: &serde_json::Value, alone: &serde_json::Value) {
    for field in
        ["signature", "generations", "games", "reused", "evaluations", "champion", "exam", "first_solved", "stopped"]
    {
        assert_eq!(resumed[field], alone[field], "{field}");
    }
}

/// Waits until the run has some more generations than before, so that a signal arrives in the middle of the work.
fn wait_for_progress(gamete: &Gamete) {
    let log = gamete.folder().join("runs/long.db-wal");
    let begun = Instant::now();
    while std::fs::metadata(&log).map_or(0, |log| log.len()) < 50_000 {
        assert!(begun.elapsed() < Duration::from_secs(30), "training does not go on");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The number of generations of the run.
fn generations(gamete: &Gamete) -> u64 {
    gamete.json("runs")["generation"].as_u64().unwrap()
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let alone = left_alone();
    let rng = &mut moments();
    let mut in_the_middle = 0;
    for _ in 0..6 {
        let gamete = Gamete::new();
        for _ in 0..5 {
            let file = gamete.folder().join("runs/long.db");
            let words = if file.exists() { "resume long".to_string() } else { format!("train {LONG}") };
            let mut child = gamete.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(rng.below(150) as u64));
            // SIGKILL: the program cannot clean up.
            child.kill().unwrap();
            child.wait().unwrap();
            if file.exists() && (1..3000).contains(&generations(&gamete)) {
                in_the_middle += 1;
            }
        }
        let file = gamete.folder().join("runs/long.db");
        let resumed = if file.exists() { gamete.json("resume long") } else { gamete.json(&format!("train {LONG}")) };
        check_same(&resumed, &alone);
    }
    assert!(in_the_middle >= 5, "only {in_the_middle} kills fell in the middle of a run");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_130_and_goes_on() {
    let alone = left_alone();
    let gamete = Gamete::new();
    let child =
        gamete.command(&format!("train {LONG} --json")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_progress(&gamete);
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["stopped"], "interrupted");
    assert!((1..3000).contains(&summary["generations"].as_u64().unwrap()));
    check_same(&gamete.json("resume long"), &alone);
}

#[test]
fn a_run_in_steps_is_the_run_in_one() {
    let gamete = Gamete::new();
    let whole = gamete.json("train nim-2x4");
    assert_eq!(whole["stopped"], "solved");
    gamete.json("train nim-2x4 --generations 30 --name steps");
    gamete.json("resume steps --generations 31");
    // The new number of generations is saved: a resumption without a number continues to it.
    gamete.json("resume steps --generations 3000");
    check_same(&gamete.json("resume steps"), &whole);
    // A solved run continues if more generations are asked for.
    let more = whole["generations"].as_u64().unwrap() + 20;
    assert_eq!(gamete.json(&format!("resume steps --generations {more}"))["generations"], more);
    let other = gamete.json("train nim-2x4 --seed 2 --generations 90");
    assert_ne!(other["signature"], whole["signature"]);
}

#[test]
fn the_aim_of_a_resumption_survives_a_kill_and_time_can_be_given_again() {
    let gamete = Gamete::new();
    gamete.json("train nim-2x2 --generations 20 --name long");
    let mut child = gamete
        .command("resume long --generations 1000000")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_progress(&gamete);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = generations(&gamete);
    let child = gamete.command("resume long").stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    std::thread::sleep(Duration::from_millis(300));
    child.unwrap().kill().unwrap();
    assert!(generations(&gamete) > before + 5, "it did not go on");
    let timed = gamete.json("train nim-2x2 --generations 1000000 --name timed --set stop.seconds=0.2");
    let again = gamete.json("resume timed");
    assert_eq!((&timed["stopped"], &again["stopped"]), (&"time".into(), &"time".into()));
    assert!(again["generations"].as_u64() > timed["generations"].as_u64());
}
