//! `gamete check` names everything in a run file that is not as it was written.

use super::Gamete;
use serde_json::Value;

#[test]
fn runs_are_checked_and_salvaged() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4-c1 --generations 20 --name one --seed 4");
    gamete.ok("train nim-2x4-neat --generations 20 --name two --set stop.solved=false");
    let said = gamete.ok("check one");
    assert!(said.contains("one.db: intact; 20 generations, ") && said.contains("all as they were written"), "{said}");
    assert_eq!(gamete.ok("check --all").lines().count(), 2);
    let found = gamete.json("check two");
    assert_eq!((&found["intact"], &found["resumable"], &found["format"]), (&true.into(), &true.into(), &5.into()));
    // One letter of a stored game is changed.
    let file = rusqlite::Connection::open(gamete.folder().join("runs/two.db")).unwrap();
    file.execute("update game set start = '4,3' where generation = 20 and number = 0", []).unwrap();
    drop(file);
    let output = gamete.run("check two");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("two.db: damaged") && said.contains("--salvage"), "{said}");
    let output = gamete.run("check --all --json");
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!([&lines[0]["intact"], &lines[1]["intact"]], [&true, &false]);
    assert_eq!(lines[1]["damaged_rows"], 1, "{}", lines[1]);
    gamete.ok("check two --salvage runs/saved.db");
    assert_eq!(gamete.json("resume saved --generations 25")["generations"], 25);
    gamete.refused("check two --salvage runs/saved.db", "runs/saved.db exists already");
    gamete.refused("check three", "there is no run `three`");
    assert!(!gamete.folder().join("runs/saved.db-draft").exists());
}

/// A file that a command writes does not replace a run.
#[test]
fn no_run_is_replaced_by_an_export() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4-c1 --generations 2 --name one");
    gamete.refused("export one --out runs/one.db", "runs/one.db is the file of a run, and is not replaced");
    assert_eq!(gamete.json("check one")["intact"], true);
}

/// A run that has lost a table is shown as far as possible, and `resume` refuses it before training begins.
#[test]
fn a_run_without_a_table_is_not_resumed() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4-c1 --generations 2 --name one");
    let file = rusqlite::Connection::open(gamete.folder().join("runs/one.db")).unwrap();
    file.execute_batch("drop table game").unwrap();
    drop(file);
    gamete.ok("show one");
    gamete.refused("games one", "one.db: its table `game` is missing");
    let said = String::from_utf8(gamete.run("resume one --generations 4").stderr).unwrap();
    assert!(said.contains("one.db: its table `game` is missing") && !said.contains("going on"), "{said}");
    assert_eq!(gamete.run("check one").status.code(), Some(1));
}

/// A file of games that is not text is refused, and no part of it is printed.
#[test]
fn games_are_not_looked_for_in_other_files() {
    let gamete = Gamete::new();
    std::fs::write(gamete.folder().join("noise.pgn"), [7, 0, 200, 27, 91, 65]).unwrap();
    gamete.refused("games --check noise.pgn", "noise.pgn is not a text file: its byte 1 is a control character");
}
