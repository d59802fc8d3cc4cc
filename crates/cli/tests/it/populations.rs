//! Several populations of one experiment, and the best champion of all.

use super::*;
use std::time::Duration;

impl Gamete {
    /// The signatures of all populations.
    fn population_signatures(&self, name: &str) -> Vec<(String, String)> {
        let folder = self.folder().join("runs").join(name);
        let printed = self.ok(&format!("runs --runs {} --json", folder.display()));
        let lines = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let signature = |run: &str| {
            let shown = self.json(&format!("show {run} --runs {}", folder.display()));
            shown["generations"].as_array().unwrap().last().unwrap()["signature"].as_str().unwrap().to_string()
        };
        let name = |line: Value| line["run"].as_str().or(line["name"].as_str()).unwrap().to_string();
        lines.map(name).map(|run| (run.clone(), signature(&run))).collect()
    }
}

#[test]
fn the_best_of_several_populations_is_kept() {
    let gamete = Gamete::new();
    let trained = gamete.json("train nim-2x4-c1 --populations 3 --generations 40 --name three");
    assert_eq!((&trained["run"], &trained["generations"]), (&"three".into(), &40.into()));
    let populations = trained["populations"].as_array().unwrap();
    let shares: Vec<f64> = populations.iter().map(|each| each["share"].as_f64().unwrap()).collect();
    assert_eq!(shares.len(), 3);
    assert!(
        shares.is_sorted_by(|one, two| one >= two) && (shares.iter().sum::<f64>() - 1.5).abs() < 1e-9,
        "{shares:?}"
    );
    // The best one is a run like any other, and the first population equals the run of a single population.
    let best = populations[0]["member"].as_str().unwrap();
    let all = gamete.population_signatures("three");
    let signature = |member: &str| all.iter().find(|(name, _)| name == member).unwrap().1.clone();
    assert_eq!(trained["signature"], Value::from(signature(best)));
    let alone = gamete.json("train nim-2x4-c1 --generations 40");
    assert_eq!(alone["signature"], Value::from(signature("population-seed-1")));
    gamete.ok("match run:three random --game nim --games 2");
    gamete.refused("train nim-2x4-c1 --populations 3 --name three", "`three` exists already");
    assert_eq!(gamete.json("resume three")["signature"], trained["signature"]);
}

#[test]
fn a_start_that_was_killed_at_once_does_not_keep_its_name() {
    let gamete = Gamete::new();
    let folder = gamete.folder().join("runs/two");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(".gamete-draft-1-0"), "{").unwrap();
    gamete.json("train nim-2x4-c1 --populations 2 --generations 4 --name two");
    std::fs::create_dir_all(gamete.folder().join("runs/mine")).unwrap();
    std::fs::write(gamete.folder().join("runs/mine/letter.txt"), "text").unwrap();
    gamete.refused("train nim-2x4-c1 --populations 2 --name mine", "`mine` exists already");
}

#[test]
fn islands_come_out_the_same_whatever_happens() {
    let words = "nim-2x4-ga --populations 3 --migrate-every 5 --migrants 2 --generations 60 --set stop.solved=false";
    let gamete = Gamete::new();
    gamete.json(&format!("train {words} --name whole"));
    let whole = gamete.population_signatures("whole");
    // On one core, and killed in the middle.
    let begin = format!("train {words} --name broken --threads 1");
    let mut child = gamete.command(&begin).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(250));
    child.kill().unwrap();
    child.wait().unwrap();
    gamete.json("resume broken --threads 1");
    assert_eq!(whole, gamete.population_signatures("broken"));
    // Migrants change the result.
    gamete.json("train nim-2x4-ga --populations 3 --generations 60 --set stop.solved=false --name apart");
    let apart = gamete.population_signatures("apart");
    assert!(whole.iter().zip(&apart).all(|(one, two)| one.0 == two.0 && one.1 != two.1), "{whole:?} {apart:?}");
    let folder = gamete.folder().join("runs/whole");
    let shown = gamete.ok(&format!("show population-seed-1 --runs {}", folder.display()));
    assert!(shown.contains("migrant"), "{shown}");
}

/// A run with the name of the best one is never lost, and the best one can be continued.
#[test]
fn the_best_takes_nothing_away() {
    let gamete = Gamete::new();
    let generations = |run: &str| gamete.json(&format!("show {run}"))["generations"].as_array().unwrap().len();
    // A dot can be a part of the name.
    let other = gamete.json("train nim-2x4-c1 --generations 3 --name a");
    gamete.json("train nim-2x4-c1 --generations 4 --populations 2 --name a.b");
    assert_eq!((generations("a"), generations("a.b")), (3, 4));
    assert_eq!(gamete.json("resume a")["signature"], other["signature"]);
    // A best run that was continued since is not replaced; neither is any other run.
    gamete.json("train nim-2x4-c1 --generations 6 --populations 2 --name pop");
    gamete.json("resume pop --generations 12");
    gamete.refused(
        "resume pop",
        "runs/pop.db was not replaced, because it was continued since, or is another run; the run of the best",
    );
    assert_eq!(generations("pop"), 12);
    // An island continues with the last champions of the others.
    gamete
        .json("train nim-2x4-ga --populations 2 --migrate-every 3 --generations 6 --set stop.solved=false --name isle");
    gamete.json("resume isle --generations 12");
    assert_eq!(generations("isle"), 12);
}

/// If the time limit stopped all populations, the best one is kept unchanged and not trained further.
#[test]
fn time_is_over_for_all_populations() {
    let gamete = Gamete::new();
    let trained =
        gamete.json("train nim-2x4-c1 --populations 2 --set stop.seconds=0.3 --generations 1000000 --name timed");
    assert_eq!(trained["stopped"], "time", "{trained}");
    let best = trained["populations"][0]["member"].as_str().unwrap();
    let all = gamete.population_signatures("timed");
    assert_eq!(trained["signature"], Value::from(all.iter().find(|(name, _)| name == best).unwrap().1.clone()));
    assert_eq!(gamete.json("resume timed")["signature"], trained["signature"]);
}

#[test]
fn interrupted_populations_say_so() {
    let gamete = Gamete::new();
    let words = "train nim-2x4-c4 --populations 2 --generations 100000 --name long --json";
    let child = gamete.command(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&line["run"], &line["stopped"]), (&"long".into(), &"interrupted".into()));
    gamete.refused("resume long --generations 40", "leave --generations out");
}

/// The kind of a lab is stored in its note and does not depend on its names.
#[test]
fn a_lab_of_one_population_is_a_lab() {
    let gamete = Gamete::new();
    let text = "seeds = 2\n[[configuration]]\nexperiment = \"nim-2x4-c1\"\nname = \"population\"\nset = { stop.generations = 2 }\n";
    std::fs::write(gamete.folder().join("one.toml"), text).unwrap();
    gamete.ok("lab run one");
    gamete.refused("resume one", "`one` is a lab, not a run");
    assert!(!gamete.folder().join("runs/one.db").exists());
}

#[test]
fn populations_that_cannot_be_are_refused() {
    let gamete = Gamete::new();
    let refused = |words: &str, sentence: &str| gamete.refused(words, sentence);
    refused("train nim-2x4-neat --populations 3 --migrate-every 5", "cannot move between populations of neat");
    refused(
        "train nim-2x4-c1 --populations 3 --migrate-every 5 --migrants 9",
        "migration.count is 9, but it must be from 1 to 5",
    );
    assert!(!gamete.folder().join("runs").exists(), "nothing is written");
}
