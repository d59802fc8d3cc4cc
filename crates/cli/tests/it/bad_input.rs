//! Every kind of bad input gets one sentence and exit code 2, and no data is lost.

use super::{Gamete, check_refusal};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn words_that_name_nothing() {
    let gamete = Gamete::new();
    gamete.refused("train nim-2x5", "there is no experiment `nim-2x5`; did you mean `nim-2x");
    gamete.refused("train ./none.toml", "there is no file ./none.toml");
    gamete.refused("moves go", "there is no game `go`; there are nim, tic-tac-toe, minichess, draughts");
    gamete.refused("moves nym", "did you mean `nim`?");
    gamete.refused("perft nym 3", "did you mean `nim`?");
    gamete.refused("show nothing", "the folder `runs` holds none; `gamete train` makes one");
    gamete.refused("exam run:nothing", "there is no run `nothing`");
    gamete.refused("exam random", "--game: this player plays any game: nim, tic-tac-toe, minichess, draughts");
    gamete.refused("exam somebody --game nim", "`somebody` is not a player");
    gamete.refused("play nim --against run:", "the run's name is missing");
    gamete.refused("match random file:none --game nim --games 2", "cannot read none");
    gamete.refused("train --set strategy.enn.popultion=5", "did you mean `strategy.enn.population`?");
    gamete.refused("train --set strategy.enn.population=many", "it must be a whole number from 2 to 1000000");
    gamete.refused("resume nothing", "there is no run `nothing`");
    gamete.refused("export nothing", "there is no run `nothing`");
    assert!(!gamete.folder().join("runs").exists(), "nothing was made");
}

#[test]
fn experiments_that_cannot_be() {
    let gamete = Gamete::new();
    gamete.refused("train --set strategy.enn.newcomers=0.9 --set strategy.enn.random_old=0.2", "add up to 1.2");
    gamete.refused("train --set strategy.enn.population=0", "population is 0, but it must be from 2 to 1000000");
    gamete.refused("train --set strategy.enn.population=100000000000", "but it must be from 2 to 1000000");
    gamete.refused(
        "train --set strategy.enn.population=1000000 --set schedule.circular.opponents=999998",
        "games a generation",
    );
    gamete.refused("train --set strategy.enn.alpha=1e39", "alpha is");
    gamete.refused("train --name a.db", "not beginning with a dot or - or ending in .db");
    gamete.refused("train --set schedule.circular.opponents=51", "an even number from 2 to 498");
    gamete.refused("train --set schedule.circular.opponents=500", "an even number from 2 to 498");
    gamete.refused("train --set setup.stacks=[4,0]", "stack 2 has 0 matches");
    gamete.refused("train --set setup.stacks=[4,70000]", "a whole number from 0 to 65535 belongs here");
    gamete.refused("train --set player.encoder=digit", "encoder is `digit`, but nim has counts, digits");
    gamete
        .refused("train --set stop.generations=0", "gamete: nim-2x4: stop.generations is 0, but it must be at least 1");
    gamete.refused("train --name ../x", "`../x` cannot be a run's name");
    gamete.refused(
        "match random random --game nim --games 2 --setup stacks=[]",
        "0 stacks, but Nim is played with 1 to 8",
    );
    gamete.refused("match random random --game nim --games 2 --setup stack=[1]", "did you mean `stacks`?");
    gamete.refused("match random random --game tic-tac-toe --games 2 --setup a=1", "this game has no setup keys");
    let shipped = include_str!("../../../experiments/texts/nim-2x4.toml");
    let check = |from: &str, to: &str, sentence: &str| {
        assert!(shipped.contains(from));
        fs::write(gamete.folder().join("my.toml"), shipped.replacen(from, to, 1)).unwrap();
        gamete.refused("train my.toml", sentence);
    };
    check("game = \"nim\"", "game = \"nym\"", "my.toml, line 3, column 8: there is no game `nym`; did you mean `nim`?");
    check("guests = ", "gests = ", "my.toml, line 5, column 1: unknown key `gests`; did you mean `guests`?");
    check(
        "sharing = true",
        "sharing = 1",
        "my.toml, line 30, column 11: found integer `1`, but true or false belongs here",
    );
    check("[stop]", "[stop", "my.toml, line ");
    check("[strategy.enn]", "[strategy.neat]", "several choices stand here, but exactly one belongs here");
    check("seed = 1", "seed = 99999999999999999999", "whole numbers go up to 9223372036854775807");
    check("opponents = 50", "opponents = 51", "my.toml, line 24, column 13: schedule.circular.opponents is 51");
    check("elites = 0.1", "elites = 1.1", "strategy.enn: elites is 1.1, but a share is from 0 to 1");
}

#[test]
fn positions_that_cannot_be() {
    let gamete = Gamete::new();
    for position in ["3,x", "1,2,3,4,5,6,7,8,9", "70000", "-1"] {
        gamete.refused(&format!("moves nim --position={position}"), "is no position of Nim");
    }
    gamete.refused("moves tic-tac-toe --position xx./.../...", "2 x and 0 o");
    gamete.refused("moves minichess --position rnbknr/pppppp/6/PPPPPP/RNBKNR", "the side to move, w or b, is missing");
    gamete.refused("train minichess-enn --set setup.start=rnb", "setup: start is neither standard nor diana");
    gamete
        .refused("train minichess-enn --set setup.repetitions=1", "repetitions is 1, but every position comes up once");
    gamete.refused("train minichess-enn --set setup.repetitions=256", "it must be a whole number from 0 to 255");
    gamete.refused(
        "train nim-2x2 --set game=draughts",
        "setup.stacks belongs to nim, and draughts has setup.start, setup.most_plies, ",
    );
    gamete.ok("train nim-2x2 --generations 3 --name small");
    gamete.refused(
        "play nim --against run:small --position 5,5",
        "run:small cannot play here: stack 1 of 5,5 holds 5 matches, but at most 2 are possible",
    );
    gamete.refused(
        "play nim --against run:small --position 1",
        "run:small cannot play here: 1 has 1 stack, but 2 are needed",
    );
    gamete.refused("play tic-tac-toe --against run:small", "run:small plays nim, not tic-tac-toe");
    gamete.refused("exam run:small --setup stacks=[9,9]", "but at most 2 are possible");
    gamete.refused("exam run:small --setup stacks=[60000,60000,60000]", "but 2 are needed");
    gamete.refused(
        "match run:small random --game nim --games 2 --setup stacks=[9,9]",
        "run:small cannot play here: stack ",
    );
    fs::write(gamete.folder().join("line"), "graph 5 1 relu identity | 1 0 0:1 1:1 2:1 3:1 4:1").unwrap();
    gamete.refused("exam file:line --game nim", "a network of 5 inputs and 1 outputs fits no encoder and head");
    gamete.refused("exam run:small@99", "the run `small` has no generation 99; it has 1 to 3");
    gamete.refused("resume small --generations 2", "in all; a number above 3 continues it");
    // After a refused resumption, the file is unchanged, and there is no log beside it.
    assert_eq!(fs::read(gamete.folder().join("runs/small.db")).unwrap()[18..20], [1, 1]);
    gamete.refused(
        "match random random --game minichess --games 2 --plies 100",
        "--plies: 100 random plies at the beginning, but a game has at most 80",
    );
    gamete.refused("games small --generation 99", "the run `small` has no generation 99; it has 1 to 3");
}

#[test]
fn a_name_that_is_taken() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x2 --generations 3 --name mine");
    let before = fs::read(gamete.folder().join("runs/mine.db")).unwrap();
    gamete.refused(
        "train nim-2x2 --generations 5 --name mine",
        "the run `mine` exists already (runs/mine.db); choose another name",
    );
    assert_eq!(fs::read(gamete.folder().join("runs/mine.db")).unwrap(), before);
    // A training that is refused does not replace another run.
    gamete.refused("train nim-2x2 --set setup.stacks=[0] --name mine --force", "stack 1 has 0 matches");
    assert_eq!(fs::read(gamete.folder().join("runs/mine.db")).unwrap(), before);
    gamete.ok("train nim-2x2 --generations 5 --name mine --force");
    assert_eq!(gamete.json("show mine")["generations"].as_array().unwrap().len(), 5);
}

#[test]
fn files_that_are_no_runs() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x2 --generations 300 --name good");
    let good = fs::read(gamete.folder().join("runs/good.db")).unwrap();
    let check = |bytes: &[u8], sentence: &str| {
        fs::write(gamete.folder().join("runs/bad.db"), bytes).unwrap();
        for words in ["show bad", "resume bad", "exam run:bad", "games bad", "export bad"] {
            gamete.refused(words, sentence);
        }
        assert_eq!(fs::read(gamete.folder().join("runs/bad.db")).unwrap(), bytes, "it was changed");
        assert!(gamete.ok("runs").contains("cannot be read: runs/bad.db"), "the list goes on behind it");
    };
    check(b"", "runs/bad.db is not a run: it is empty");
    check(b"hello, this is a text and no database at all, whatever it is called by its name", "it is not a database");
    let mut newer = good.clone();
    // SQLite keeps the user's version at byte 60, and the application's number at byte 68.
    newer[60..64].copy_from_slice(&7u32.to_be_bytes());
    check(&newer, "was written by a newer Gamete: its format is 7, this program reads formats up to 5");
    let mut older = good.clone();
    older[60..64].copy_from_slice(&1u32.to_be_bytes());
    check(
        &older,
        "was written by an older Gamete: its format is 1, this program reads formats from 4 to 5; read it with that version",
    );
    let mut other = good.clone();
    other[68..72].copy_from_slice(&0u32.to_be_bytes());
    check(&other, "it is a database of another program");
    fs::remove_file(gamete.folder().join("runs/bad.db")).unwrap();
    // A file that was cut off anywhere is never resumed.
    for part in [1, 10, 50, 90, 99] {
        fs::write(gamete.folder().join("runs/cut.db"), &good[..good.len() * part / 100]).unwrap();
        gamete.refused("resume cut --generations 400", "is not a run");
    }
    gamete.refused("resume runs", "there is no run `runs`");
    fs::create_dir(gamete.folder().join("folder.db")).unwrap();
    gamete.refused("show folder.db", "folder.db is not a run: it is a folder");
}

#[test]
fn folders_that_cannot_be_written() {
    let gamete = Gamete::new();
    fs::write(gamete.folder().join("file"), "").unwrap();
    gamete.refused("train --runs file", "file");
    gamete.refused("train --runs file/below", "cannot make the folder file/below");
    // Not even the administrator of the system can write here.
    #[cfg(target_os = "linux")]
    gamete.refused("train --runs /proc", "cannot write /proc/");
    gamete.ok("train nim-2x2 --generations 3 --name mine");
    gamete.refused("export mine --out file/below", "cannot write file/below");
}

#[test]
fn two_processes_and_one_run() {
    let gamete = Gamete::new();
    let words = "train nim-2x2 --generations 100000000 --name busy --set record.games_every=0";
    let mut child = gamete.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !gamete.folder().join("runs/busy.db").exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "training does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    gamete.refused("resume busy", "the run `busy` is being trained by another process");
    gamete.refused("train nim-2x2 --name busy --force", "the run `busy` is being trained by another process");
    // Reading is allowed.
    assert!(gamete.ok("runs").contains("training"));
    assert!(gamete.ok("show busy").contains("training, "));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(gamete.ok("runs").contains("killed"));
    let done = gamete.json("show busy")["generations"].as_array().unwrap().len() as u64;
    gamete.ok(&format!("resume busy --generations {}", done + 5));
}

/// Files that a killed run left behind must not become a part of the next run of that name.
#[test]
fn a_dead_runs_log_is_not_taken_for_a_new_ones() {
    let gamete = Gamete::new();
    let alone = gamete.json("train nim-2x2 --generations 40 --seed 9 --name alone");
    for words in [
        "train nim-2x2 --generations 40 --seed 9 --name dead",
        "train nim-2x2 --generations 40 --seed 9 --name dead --force",
    ] {
        let mut child = gamete
            .command("train nim-2x2 --generations 100000000 --name dead --force")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while fs::metadata(gamete.folder().join("runs/dead.db-wal")).map_or(0, |log| log.len()) < 10_000 {
            assert!(begun.elapsed() < Duration::from_secs(20), "training does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if !words.contains("--force") {
            fs::remove_file(gamete.folder().join("runs/dead.db")).unwrap();
        }
        let trained = gamete.json(words);
        assert_eq!((&trained["signature"], &trained["generations"]), (&alone["signature"], &40.into()));
        assert_eq!(gamete.json("show dead")["generations"].as_array().unwrap().len(), 40);
    }
}

/// A run that has stopped is a single file, and can be shown from a folder without write permission.
#[test]
fn a_finished_run_is_one_plain_file() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x2 --generations 40 --name done");
    let files: Vec<_> =
        fs::read_dir(gamete.folder().join("runs")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["done.db"]);
    let bytes = fs::read(gamete.folder().join("runs/done.db")).unwrap();
    // Bytes 18 and 19 say whether a log belongs to the file: 1 means no.
    assert_eq!(bytes[18..20], [1, 1]);
    gamete.ok("show done");
    assert_eq!(fs::read_dir(gamete.folder().join("runs")).unwrap().count(), 1, "looking leaves nothing behind");
}

/// A limit on the size of files takes the place of a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_whole_file() {
    let gamete = Gamete::new();
    let program = env!("CARGO_BIN_EXE_gamete");
    let limited = |kilobytes: u32, words: &str| {
        let script = format!("ulimit -f {kilobytes}; exec {program} {words}");
        std::process::Command::new("bash").args(["-c", &script]).current_dir(gamete.folder()).output().unwrap()
    };
    let words = "train nim-2x2 --generations 20000 --name full";
    check_refusal(&limited(400, words), words, "the disk is full");
    let reached = gamete.json("show full")["generations"].as_array().unwrap().len() as u64;
    assert!(reached > 0);
    // With enough space again, the run continues as if nothing had happened.
    let words = format!("--generations {}", reached + 50);
    let resumed = gamete.json(&format!("resume full {words}"));
    let alone = gamete.json(&format!("train nim-2x2 {words}"));
    assert_eq!(resumed["signature"], alone["signature"]);
    // Without any space, no run is created.
    let words = "train nim-2x2 --name none";
    check_refusal(&limited(4, words), words, "the disk is full");
    assert!(!gamete.folder().join("runs/none.db").exists());
}
