//! Labs: many runs, with processes that are killed, fail or are interrupted.

use super::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Two configurations from a grid and a third one, with four seeds each.
const LAB: &str = r#"
about = "Which exponent is best?"
seeds = 4
measures = ["grade", "on_policy"]
last = 5
baselines = ["nim-2x4-c1-exponent-1.0"]

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 150 }
grid = { strategy.enn.exponent = [1.0, 2.0] }

[[configuration]]
experiment = "nim-2x4"
name = "ours"
set = { stop.generations = 100 }
"#;

impl Gamete {
    /// The program with a lab's file.
    fn with_lab(text: &str) -> Gamete {
        let gamete = Gamete::new();
        std::fs::write(gamete.folder().join("small.toml"), text).unwrap();
        gamete
    }

    fn lab_folder(&self) -> PathBuf {
        self.folder().join("runs/small")
    }

    /// All tables of the report by name, except those of cost.
    fn tables(&self) -> Vec<(String, String)> {
        let files = std::fs::read_dir(self.lab_folder().join("report/tables")).unwrap();
        let table = |file: std::fs::DirEntry| {
            let name = file.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(file.path()).unwrap())
        };
        let mut found: Vec<(String, String)> = files.map(|file| table(file.unwrap())).collect();
        found.retain(|(name, _)| !name.contains("cost"));
        found.sort();
        found
    }

    /// The signatures of all members, by name.
    fn signatures(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for file in std::fs::read_dir(self.lab_folder()).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|ending| ending == "db") {
                let shown = self.json(&format!("show {}", file.display()));
                let last = shown["generations"].as_array().unwrap().last().unwrap().clone();
                let name = file.file_stem().unwrap().to_string_lossy().into_owned();
                found.push((name, last["signature"].as_str().unwrap().to_string()));
            }
        }
        found.sort();
        found
    }
}

#[test]
fn a_lab_killed_at_any_moment_comes_out_the_same() {
    let whole = Gamete::with_lab(LAB);
    let outcome = whole.json("lab run small.toml --workers 2");
    assert_eq!((&outcome["members"], &outcome["finished"]), (&12.into(), &12.into()), "{outcome}");
    let killed = Gamete::with_lab(LAB);
    // The whole lab takes about a second on two free cores, so at most of these moments it is unfinished on any machine.
    let rng = &mut moments();
    let mut while_it_worked = 0;
    for _ in 0..10 {
        let mut child = killed.command("lab run small.toml --workers 2").stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(rng.below(80) as u64));
        while_it_worked += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(while_it_worked >= 5, "{while_it_worked} of 10 kills found the lab at work");
    let outcome = killed.json("lab run small.toml --workers 2");
    assert_eq!(outcome["finished"], 12, "{outcome}");
    assert_eq!(outcome["failed"], Value::Array(Vec::new()));
    assert_eq!(whole.signatures().len(), 12);
    assert_eq!(whole.signatures(), killed.signatures());
    // The final tables are also equal, byte for byte; cost and times are in separate files.
    let [one, two] = [&whole, &killed].map(|gamete| {
        gamete.ok("lab report small");
        gamete.tables()
    });
    assert!(one.len() >= 6 && one.iter().any(|(name, _)| name == "comparison.csv"), "{one:?}");
    assert_eq!(one, two);
    // Finished members are not trained again.
    let files = || {
        let entries = std::fs::read_dir(killed.lab_folder()).unwrap().map(|entry| entry.unwrap());
        let mut found: Vec<_> =
            entries.map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap())).collect();
        found.retain(|(path, _)| path.extension().is_some_and(|ending| ending == "db"));
        found.sort();
        found
    };
    let before = files();
    let again = killed.json("lab run small.toml");
    assert_eq!((&again["finished"], &again["finished_before"]), (&12.into(), &12.into()));
    assert_eq!(before, files());
}

/// The numbers of the processes that train a member of this name.
fn processes_of(member: &str) -> Vec<String> {
    let numbers = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_of = |number: &String| {
        let words = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == member.as_bytes())
    };
    numbers.filter(|number| number.chars().all(|c| c.is_ascii_digit())).filter(is_of).collect()
}

#[test]
fn the_crash_of_one_member_stops_nobody_else() {
    // One member never ends, so that the test can kill it.
    let endless =
        "[[configuration]]\nexperiment = \"nim-2x4-c4\"\nname = \"endless\"\nset = { stop.generations = 100000 }\n";
    let text = LAB.replace("seeds = 4", "seeds = 1") + endless;
    let gamete = Gamete::with_lab(&text);
    let child = gamete
        .command("lab run small.toml --workers 2 --json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let victim = "endless-seed-1";
    let begun = Instant::now();
    // Wait until it trains.
    while !gamete.lab_folder().join(format!("{victim}.db")).exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
        std::thread::sleep(Duration::from_millis(20));
    }
    let found = processes_of(victim);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(Command::new("kill").args(["-9", &found[0]]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["finished"], 3, "{outcome}");
    assert_eq!(outcome["failed"][0][0], victim);
    let why = outcome["failed"][0][1].as_str().unwrap();
    assert!(why.contains("signal: 9"), "{why}");
}

#[test]
fn ctrl_c_stops_a_lab_without_loss() {
    let gamete = Gamete::with_lab(&LAB.replace("generations = 150", "generations = 100000"));
    let child =
        gamete.command("lab run small.toml --workers 2").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(600));
    // The signal goes to one process only, which must stop its members.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("interrupted: ") && said.contains("continues where it stopped"), "{said}");
    assert!(gamete.signatures().len() >= 2, "two were at work");
}

#[test]
fn a_dry_run_tells_the_cost_and_writes_nothing() {
    let gamete = Gamete::with_lab(LAB);
    let said = gamete.ok("lab run small.toml --dry-run");
    assert!(said.contains("12 members to train: about "), "{said}");
    assert!(said.contains("nim-2x4-c1-exponent-2.0"), "{said}");
    assert!(!gamete.folder().join("runs").exists());
    // Each island is tried without the others.
    let islands =
        LAB.replace("experiment = \"nim-2x4\"", "islands = { every = 1, count = 1 }\nexperiment = \"nim-2x4\"");
    std::fs::write(gamete.folder().join("islands.toml"), islands).unwrap();
    gamete.ok("lab run islands.toml --dry-run");
    let line = gamete.json("lab run small.toml --dry-run");
    assert_eq!(
        (&line["configuration"], &line["members"], &line["generations"]),
        (&"ours".into(), &4.into(), &100.into())
    );
    assert!(line["tried"].as_u64().unwrap() >= 1 && line["member_seconds"].as_f64().unwrap() > 0.0, "{line}");
    // Finished members give the estimate, and nothing is tried.
    gamete.ok("lab run small.toml");
    let line = gamete.json("lab run small.toml --dry-run");
    assert_eq!((&line["finished"], &line["tried"], &line["seconds_left"]), (&4.into(), &0.into(), &0.0.into()));
    assert!(line["member_seconds"].as_f64().unwrap() > 0.0, "{line}");
}

#[test]
fn a_report_is_written_whatever_has_been_run() {
    let gamete =
        Gamete::with_lab(&LAB.replace("seeds = 4", "seeds = 1").replace("= 150", "= 20").replace("= 100 ", "= 20 "));
    gamete.refused("lab report small", "there is no lab in runs/small; `gamete lab run` makes one");
    // A lab that was killed before the first game.
    std::fs::create_dir_all(gamete.lab_folder()).unwrap();
    gamete.refused("lab report runs/small", "there is no lab in runs/small; `gamete lab run` makes one");
    gamete.ok("lab run small.toml");
    let note = std::fs::read(gamete.lab_folder().join("lab.json")).unwrap();
    let empty = gamete.folder().join("runs/empty");
    std::fs::create_dir_all(&empty).unwrap();
    std::fs::write(empty.join("lab.json"), note).unwrap();
    gamete.refused("lab report empty", "there is nothing to report of `small`: no run has finished a generation yet");
    gamete.refused("lab report smal", "there is no lab `smal`; did you mean `small`?");
    let written = gamete.json("lab report small --out paper");
    assert_eq!(written["rows"], 60, "{written}");
    let page = std::fs::read_to_string(gamete.folder().join("paper/report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("Which exponent is best?") && !page.contains("http://localhost"));
    for figure in ["learning-grade.svg", "learning-grade.png", "final-grade.svg", "cost.png"] {
        assert!(gamete.folder().join("paper/figures").join(figure).is_file(), "{figure}");
    }
    // Figures of an earlier report are removed, and no other files.
    let figures = gamete.folder().join("paper/figures");
    std::fs::write(figures.join("mine.svg"), "mine").unwrap();
    let file = gamete.folder().join("small.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(r#"["grade", "on_policy"]"#, r#"["best_score"]"#)).unwrap();
    gamete.ok("lab run small");
    gamete.ok("lab report small --out paper");
    assert!(!figures.join("learning-grade.svg").exists() && figures.join("learning-best-score.svg").exists());
    assert!(figures.join("mine.svg").exists());
    // `runs` lists the lab, and commands accept the names of its runs.
    let runs = gamete.ok("runs");
    assert!(runs.contains("small") && runs.contains("Which exponent is best?"), "{runs}");
    gamete.refused("show small", "`small/nim-2x4-seed-1`; `gamete lab report small` shows its results");
    gamete.refused("resume runs/small", "`runs/small` is a lab, not a run");
    gamete.ok("show small/ours-seed-1");
    let figures = gamete.folder().join("figures");
    gamete.ok(&format!("show runs/small/ours-seed-1.db --figures {}", figures.display()));
    assert!(figures.read_dir().unwrap().count() >= 10);
}

#[test]
fn labs_that_cannot_be_are_refused() {
    let gamete = Gamete::with_lab(LAB);
    let change = |from: &str, to: &str| {
        let changed = LAB.replacen(from, to, 1);
        assert_ne!(changed, LAB);
        std::fs::write(gamete.folder().join("bad.toml"), changed).unwrap();
    };
    gamete.refused("lab run none.toml", "there is no file none.toml");
    gamete.refused("lab run nim-thesi", "there is no lab `nim-thesi`; did you mean `nim-thesis`?");
    change("\"nim-2x4-c1\"", "\"nim-2x4-c0\"");
    gamete.refused("lab run bad.toml", "bad.toml: configuration 1: there is no experiment `nim-2x4-c0`");
    change("strategy.enn.exponent", "strategy.enn.exponant");
    gamete.refused("lab run bad.toml", "unknown key `strategy.enn.exponant`; did you mean `strategy.enn.exponent`?");
    change("[1.0, 2.0]", "[1.0, -2.0]");
    gamete.refused("lab run bad.toml", "exponent is -2");
    change("name = \"ours\"", "name = \"nim-2x4-c1-exponent-2.0\"");
    gamete.refused("lab run bad.toml", "two members are called `nim-2x4-c1-exponent-2.0-seed-1`");
    change("[1.0, 2.0]", "[1, 1.0]");
    gamete.refused("lab run bad.toml", "grid: `nim-2x4-c1-exponent-1` and `nim-2x4-c1-exponent-1.0` are the same");
    change("\"on_policy\"", "\"grade\"");
    gamete.refused("lab run bad.toml", "measures has grade twice, but each belongs there once");
    change("seeds = 4", "");
    gamete.refused("lab run bad.toml", "seeds is missing; a number of seeds from 1 to 100000, a list");
    assert!(!gamete.folder().join("runs").exists(), "nothing is written");
    // A folder that is not a lab, and the folder of another lab.
    std::fs::create_dir(gamete.folder().join("full")).unwrap();
    std::fs::write(gamete.folder().join("full/letter.txt"), "dear").unwrap();
    gamete.refused("lab run small.toml --out full", "the folder full is not empty, and it is not a lab's folder");
    gamete.refused("lab run small.toml --out small.toml", "small.toml is a file, but a folder belongs here");
    let few = LAB.replace("seeds = 4", "seeds = 1").replace("= 150", "= 2").replace("= 100 ", "= 2 ");
    std::fs::write(gamete.folder().join("small.toml"), &few).unwrap();
    gamete.ok("lab run small.toml");
    std::fs::write(gamete.folder().join("small.toml"), LAB).unwrap();
    gamete.refused(
        "lab run small.toml",
        "belongs to another lab: `nim-2x4-c1-exponent-1.0` has stop.generations = 2 there, and 150 here",
    );
    gamete.refused(
        "lab run nim-thesis --out runs/small",
        "it holds the lab `small`, which has no configuration in common with this lab",
    );
    std::fs::write(
        gamete.folder().join("less.toml"),
        &few[..few.find("[[configuration]]\nexperiment = \"nim-2x4\"").unwrap()],
    )
    .unwrap();
    gamete.refused("lab run less.toml --out runs/small", "it holds `ours`, which this lab does not have");
    gamete.refused(
        "lab run runs/small",
        "runs/small is a lab's folder, but the lab's file, such as small.toml, belongs here",
    );
    // The lab's note is damaged, or lost: runs are adopted if they belong to this lab.
    let note = gamete.lab_folder().join("lab.json");
    std::fs::write(&note, "{").unwrap();
    gamete.refused("lab run small.toml", "lab.json is not a lab's note");
    std::fs::remove_file(&note).unwrap();
    gamete.refused("lab run small.toml", "-seed-1.db is another run: it has stop.generations = 2, and this lab ");
    std::fs::write(gamete.lab_folder().join(".lab.json-123"), "{").unwrap();
    std::fs::write(gamete.folder().join("small.toml"), &few).unwrap();
    assert_eq!(gamete.json("lab run small")["finished_before"], 3);
    // A lab with added configurations is the same lab.
    std::fs::write(gamete.folder().join("small.toml"), few.replace("seeds = 1", "seeds = 2")).unwrap();
    let outcome = gamete.json("lab run small.toml");
    assert_eq!((&outcome["finished"], &outcome["finished_before"]), (&6.into(), &3.into()));
    // Trained members are not dropped silently.
    std::fs::write(gamete.folder().join("small.toml"), few.replace("seeds = 1", "seeds = [2, 3]")).unwrap();
    gamete.refused(
        "lab run small.toml",
        "it holds the run `nim-2x4-c1-exponent-1.0-seed-1`, which this lab does not have",
    );
}

/// A run with another seed, or a run that was continued, must not count as a member.
#[test]
fn other_runs_are_not_taken_for_members() {
    let gamete =
        Gamete::with_lab(&LAB.replace("seeds = 4", "seeds = 2").replace("= 150", "= 5").replace("= 100 ", "= 5 "));
    gamete.ok("lab run small.toml");
    std::fs::copy(gamete.lab_folder().join("ours-seed-2.db"), gamete.lab_folder().join("ours-seed-1.db")).unwrap();
    assert_eq!(gamete.json("resume small/ours-seed-2 --generations 9")["run"], "small/ours-seed-2");
    let output = gamete.run("lab run small.toml --json");
    assert_eq!(output.status.code(), Some(1));
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["finished"], 4, "{outcome}");
    let mut failed: Vec<&str> =
        outcome["failed"].as_array().unwrap().iter().map(|each| each[1].as_str().unwrap()).collect();
    failed.sort();
    assert!(failed[0].contains("it has seed = 2, and this lab 1;"), "{failed:?}");
    assert!(failed[1].contains("it has stop.generations = 9, and this lab 5;"), "{failed:?}");
    gamete.ok("lab report small");
    let tables = gamete.tables();
    let runs = &tables.iter().find(|(name, _)| name == "runs.md").unwrap().1;
    assert_eq!(runs.matches("| failed |").count(), 2, "{runs}");
    // No other run is in the report: 4 runs of 5 generations are left.
    let rows = gamete.json("lab report small")["rows"].clone();
    assert_eq!(rows, 20);
    let cost = std::fs::read_to_string(gamete.lab_folder().join("report/tables/cost.csv")).unwrap();
    assert!(cost.contains("nim-2x4-c1") && !cost.contains("ours,2"), "{cost}");
    // After their files are removed, the members are trained again.
    for seed in [1, 2] {
        std::fs::remove_file(gamete.lab_folder().join(format!("ours-seed-{seed}.db"))).unwrap();
    }
    assert_eq!(gamete.json("lab run small.toml")["finished"], 6);
}

#[test]
fn a_member_that_somebody_else_stops_goes_on() {
    let endless = "seeds = 1\n[[configuration]]\nexperiment = \"nim-2x4-c4\"\nname = \"stopped\"\nset = { stop.generations = 100000 }\n";
    let gamete = Gamete::with_lab(endless);
    let child = gamete.command("lab run small --json").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    let trains = |but: &str| loop {
        let there = gamete.lab_folder().join("stopped-seed-1.db").exists();
        let found = processes_of("stopped-seed-1").into_iter().find(|number| number != but);
        match found.filter(|_| there) {
            Some(found) => return found,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing trains it");
    };
    let first = trains("");
    assert!(Command::new("kill").args(["-TERM", &first]).status().unwrap().success());
    trains(&first);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&outcome["failed"], &outcome["interrupted"]), (&Value::Array(Vec::new()), &true.into()), "{outcome}");
}

/// Islands wait for each other. If one fails before the others begin, the others must not begin.
#[test]
fn islands_of_which_one_fails_end() {
    let text = |name: &str| {
        format!(
            "[[configuration]]\nexperiment = \"nim-2x4-ga\"\nname = \"{name}\"\nislands = {{ every = 2, count = 1 }}\nset = {{ stop.generations = 6, stop.solved = false }}\n"
        )
    };
    let gamete = Gamete::with_lab(&format!("seeds = 2\n{}{}", text("one"), text("two")));
    std::fs::create_dir_all(gamete.lab_folder()).unwrap();
    std::fs::write(gamete.lab_folder().join("two-seed-1.db"), "junk").unwrap();
    let output = gamete.run("lab run small --workers 3 --json");
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &outcome["finished"]), (Some(1), &2.into()), "{outcome}");
    assert_eq!(outcome["failed"][0][0], "two-seed-1");
    gamete.ok("lab report small");
    let page = std::fs::read_to_string(gamete.lab_folder().join("report/report.html")).unwrap();
    assert!(page.contains("islands: every 2 generations its champion moves") && page.contains("not independent"));
    std::fs::remove_file(gamete.lab_folder().join("two-seed-1.db")).unwrap();
    assert_eq!(gamete.json("lab run small --workers 1")["finished"], 4);
}

#[test]
fn dots_are_a_part_of_a_labs_name() {
    let gamete = Gamete::new();
    let few = LAB.replace("seeds = 4", "seeds = 1").replace("= 150", "= 2").replace("= 100 ", "= 2 ");
    for name in ["rate-0.5", "rate-0.7"] {
        std::fs::write(gamete.folder().join(format!("{name}.toml")), &few).unwrap();
        gamete.ok(&format!("lab run {name}"));
        gamete.ok(&format!("lab report {name}"));
        assert!(gamete.folder().join(format!("runs/{name}/report/report.html")).is_file());
    }
    std::fs::write(gamete.folder().join("x.db.toml"), &few).unwrap();
    gamete.refused("lab run x.db.toml", "`x.db` cannot be a run's name");
}
