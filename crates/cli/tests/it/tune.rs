//! `gamete tune`: the search for better parameters of an experiment.

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
    assert_eq!(found["last"].as_array().unwrap().len(), 2, "two of four are left in the last stage");
    let file = gamete.folder().join("runs/nim-2x4-c1-tune/nim-2x4-c1-tuned.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with(
            "# nim-2x4-c1 with tuned settings, which were not shown to be better.\n#\n# By: gamete tune nim-2x4-c1"
        ),
        "{text}"
    );
    assert!(text.contains("settings were tried in") && text.contains("# of elu"), "evidence and comments: {text}");
    let exponent = found["values"]["strategy.enn.exponent"].as_f64().unwrap();
    assert!(text.contains(&format!("exponent = {exponent:?}")), "{text}");
    gamete.ok(&format!("train {} --generations 2", file.display()));
    // If the command is killed, and continued on one core, the result is the same.
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

/// Candidates with larger populations have fewer generations, so that all have equal numbers of games. None is tried twice.
#[test]
fn settings_are_compared_by_equal_numbers_of_games() {
    by_equal_numbers_of_games("nim-2x4-c1", "strategy.enn.population=60|100|200");
    // Guests exist only after the first generation, and are not used in self-play.
    by_equal_numbers_of_games("nim-2x4-c1", "guests=5|20|40");
    by_equal_numbers_of_games("nim-2x4-td", "schedule.self-play.games=20|50|100");
}

#[track_caller]
fn by_equal_numbers_of_games(experiment: &str, vary: &str) {
    let gamete = Gamete::new();
    let words = format!(
        "tune {experiment} --set stop.generations=36 --set stop.solved=false --set guests=5 --vary {vary} --budget 30 \
         --candidates 5 --seeds 1001-1002 --check none --games 4"
    );
    let found = gamete.json(&words);
    assert_eq!((&found["tried"], &found["rounds"]), (&3.into(), &1.into()), "{found}");
    let games = |run: &str| {
        let shown = gamete.json(&format!("show runs/{experiment}-tune/{run}-seed-1001.db"));
        let generations = shown["generations"].as_array().unwrap();
        (generations.len(), generations.iter().map(|each| each["games"].as_u64().unwrap()).max().unwrap())
    };
    let best: Vec<_> =
        found["last"].as_array().unwrap().iter().map(|each| games(each["candidate"].as_str().unwrap())).collect();
    assert!(best.iter().all(|one| one.1.abs_diff(best[0].1) * 10 < best[0].1), "{best:?}");
    assert!(best.iter().any(|one| one.0 != best[0].0), "{best:?}");
}

/// Candidates are named by numbers, so another tuning with the same name may have runs with the same names.
#[test]
fn another_tunings_runs_are_not_judged() {
    let gamete = Gamete::new();
    let words = "tune nim-2x4-c1 --set stop.generations=9 --vary strategy.enn.exponent=0.5..4 --budget 8 --candidates 3 \
        --seeds 1001-1002 --check none --games 2 --name t";
    gamete.ok(words);
    gamete.refused(&format!("{words} --seed 2"), "`c1` has strategy.enn.exponent = ");
    let [own, other] = ["own", "c1"].map(|name| gamete.folder().join(format!("runs/t/{name}-seed-1001.db")));
    std::fs::copy(own, &other).unwrap();
    gamete.refused(words, "c1-seed-1001.db belongs to another tuning: it has strategy.enn.exponent = ");
    std::fs::remove_file(other).unwrap();
    gamete.ok(words);
}

#[test]
fn runs_that_fail_prove_nothing() {
    let gamete = Gamete::new();
    let words = "tune nim-2x4-c1 --set stop.generations=9 --vary strategy.enn.exponent=0.5..4 --budget 8 --candidates 3 \
        --seeds 1001-1002 --check 2001-2002 --games 2 --name t";
    gamete.ok(words);
    for seed in [1001, 1002, 2001, 2002] {
        std::fs::write(gamete.folder().join(format!("runs/t/own-seed-{seed}.db")), "junk").unwrap();
    }
    gamete.refused(words, "the best could not be checked, because its runs or the experiment's own failed");
    // If nothing can be trained at all, the command ends at once.
    for entry in std::fs::read_dir(gamete.folder().join("runs/t")).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|ending| ending == "db") {
            std::fs::write(entry, "junk").unwrap();
        }
    }
    gamete.refused(words, "all runs failed, so nothing can be compared");
}

#[test]
fn tunings_that_cannot_be_are_refused() {
    let gamete = Gamete::new();
    let vary = "--vary strategy.enn.exponent=0.5..4";
    gamete
        .refused("tune nim-2x4 --vary strategy.enn.exponant=1..2 --budget 50", "did you mean `strategy.enn.exponent`?");
    gamete.refused("tune nim-2x4 --vary strategy.enn.exponent=-2..4 --budget 50", "exponent is -2");
    gamete.refused(&format!("tune nim-2x4 {vary} --budget 2"), "it must be at least 9 (one round of 9 candidates");
    gamete.refused(
        &format!("tune nim-2x4 {vary} --budget 50 --check 1003-1005"),
        "--check: the seed 1003 is also used to judge",
    );
    gamete.refused(
        &format!("tune nim-2x4 {vary} --budget 50 --seeds few"),
        "but a range such as 1001-1010, or several such as 1001,1005, belong here",
    );
    gamete.refused(&format!("tune nim-2x4 {vary} --budget 50 --name a/b"), "cannot be a run's name");
    gamete.refused(&format!("tune nim-2x4 {vary} --budget nan"), "the budget is NaN");
    gamete.refused(&format!("tune nim-2x4 {vary} {vary} --budget 50"), "strategy.enn.exponent is to vary twice");
    gamete.refused(&format!("tune nim-2x4 {vary} --budget 50 --out none/x.toml"), "there is no folder none");
    // A file that the user wrote is not replaced.
    let own = gamete.ok("train nim-2x4 --print");
    std::fs::write(gamete.folder().join("mine.toml"), &own).unwrap();
    gamete.refused(&format!("tune mine.toml {vary} --budget 50 --out mine.toml"), "mine.toml is the experiment itself");
    gamete.refused(
        &format!("tune nim-2x4 {vary} --budget 50 --out mine.toml"),
        "mine.toml exists already, and was not written by a tuning",
    );
    assert_eq!(std::fs::read_to_string(gamete.folder().join("mine.toml")).unwrap(), own);
    assert!(!gamete.folder().join("runs").exists(), "nothing is written");
}
