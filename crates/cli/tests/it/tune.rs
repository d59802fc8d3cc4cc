//! The evolution's own parameters, evolved.

use super::*;
use std::time::Duration;

const WORDS: &str = "tune nim-2x4-c1 --set stop.generations=36 --vary strategy.enn.exponent=0.5..4 \
    --vary strategy.enn.population=60..200 --vary strategy.enn.activation=elu|tanh \
    --budget 15 --candidates 4 --seeds 1001-1002 --check 2001-2003 --games 4";

#[test]
fn settings_are_evolved_and_the_best_is_written_with_its_evidence() {
    let gamete = Gamete::new();
    let found = gamete.json(WORDS);
    assert!(found["rounds"].as_u64().unwrap() >= 2, "{found}");
    assert!(found["tried"].as_u64().unwrap() >= 6 && found["spent"].as_f64().unwrap() <= 15.0, "{found}");
    assert_eq!(found["last"].as_array().unwrap().len(), 2, "two of four are left on the last rung");
    let file = gamete.folder().join("runs/nim-2x4-c1-tune/best.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# nim-2x4-c1 with tuned settings.\n#\n# By: gamete tune nim-2x4-c1"), "{text}");
    assert!(text.contains("settings were tried in") && text.contains("# of elu"), "evidence and comments: {text}");
    let exponent = found["values"]["strategy.enn.exponent"].as_f64().unwrap();
    assert!(text.contains(&format!("exponent = {exponent:?}")), "{text}");
    gamete.ok(&format!("train {} --generations 2", file.display()));
    // Killed in between, and on one core, it comes out the same.
    let other = Gamete::new();
    let mut child = other.command(WORDS).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    let again = other.json(&format!("{WORDS} --workers 1"));
    assert_eq!(
        (&found["values"], &found["last"], &found["spent"]),
        (&again["values"], &again["last"], &again["spent"])
    );
    assert_eq!(found["checked"], again["checked"]);
}

#[test]
fn tunings_that_cannot_be_are_refused() {
    let gamete = Gamete::new();
    let vary = "--vary strategy.enn.exponent=0.5..4";
    gamete
        .refused("tune nim-2x4 --vary strategy.enn.exponant=1..2 --budget 50", "did you mean `strategy.enn.exponent`?");
    gamete.refused("tune nim-2x4 --vary strategy.enn.exponent=-2..4 --budget 50", "exponent is -2");
    gamete.refused(&format!("tune nim-2x4 {vary} --budget 2"), "does not last for one round, which takes");
    gamete.refused(
        &format!("tune nim-2x4 {vary} --budget 50 --check 1003-1005"),
        "the seed 1003 is among --seeds and --check",
    );
    gamete.refused(&format!("tune nim-2x4 {vary} --budget 50 --seeds few"), "but a number of seeds from 1 up");
    gamete.refused(&format!("tune nim-2x4 {vary} --budget 50 --name a/b"), "cannot be a run's name");
    assert!(!gamete.folder().join("runs").exists(), "nothing is written");
}
