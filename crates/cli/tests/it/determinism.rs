//! Same seed, same run: on any number of threads, killed or interrupted at any moment and resumed, or left alone.

use super::Gamete;
use chance::rng_for;
use std::process::Stdio;
use std::time::Duration;

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
    // Small enough for tables, and so large that threads are really used.
    check_threads("nim-2x4-c5 --generations 12");
    check_threads("nim-2x4 --generations 60 --set strategy.enn.population=1000 --set stop.solved=false");
    // Too large for tables: every game is played out, by networks, on its own thread.
    check_threads("nim-1-1000 --generations 4 --set setup.stacks=[5000,5000]");
    check_threads("tic-tac-toe --generations 3 --set player.head=slots");
}

const LONG: &str = "nim-1-8-c3 --seed 5 --generations 3000 --name long";

/// The run, left alone.
fn left_alone() -> serde_json::Value {
    Gamete::new().json(&format!("train {LONG}"))
}

#[track_caller]
fn check_same(resumed: &serde_json::Value, alone: &serde_json::Value) {
    for field in ["signature", "generations", "games", "champion", "exam", "first_solved", "stopped"] {
        assert_eq!(resumed[field], alone[field], "{field}");
    }
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let alone = left_alone();
    let rng = &mut rng_for(1, &[]);
    for _ in 0..6 {
        let gamete = Gamete::new();
        let mut deaths = 0;
        let resumed = loop {
            let file = gamete.folder().join("runs/long.db");
            let words = if file.exists() { "resume long --json".to_string() } else { format!("train {LONG} --json") };
            let mut child = gamete.command(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(rng.below(300) as u64));
            // SIGKILL: nothing can be tidied up.
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            if output.status.success() {
                break serde_json::from_slice(&output.stdout).unwrap();
            }
            deaths += 1;
            if deaths > 4 && file.exists() {
                break gamete.json("resume long");
            }
        };
        check_same(&resumed, &alone);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_130_and_goes_on() {
    let alone = left_alone();
    let gamete = Gamete::new();
    let child =
        gamete.command(&format!("train {LONG} --json")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["stopped"], "interrupted");
    assert!(summary["generations"].as_u64().unwrap() < 3000);
    check_same(&gamete.json("resume long"), &alone);
}

#[test]
fn a_run_in_steps_is_the_run_in_one() {
    let gamete = Gamete::new();
    let whole = gamete.json("train nim-2x4 --generations 90 --set stop.solved=false");
    gamete.json("train nim-2x4 --generations 30 --set stop.solved=false --name steps");
    gamete.json("resume steps --generations 31");
    let steps = gamete.json("resume steps --generations 90");
    check_same(&steps, &whole);
    let other = gamete.json("train nim-2x4 --seed 2 --generations 90 --set stop.solved=false");
    assert_ne!(other["signature"], whole["signature"]);
}
