//! Limits: full disks, little memory, signals, names with control characters, and files with several names.

use super::serve::Served;
use super::{Gamete, check_refusal};
use serde_json::json;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Runs the program under limits of the shell, such as `ulimit -f 0`.
fn limited(gamete: &Gamete, limits: &str, words: &str) -> Output {
    limited_command(gamete, limits, words).output().unwrap()
}

fn limited_command(gamete: &Gamete, limits: &str, words: &str) -> Command {
    let script = format!("{limits}; exec \"$0\" {words}");
    let mut command = Command::new("bash");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_gamete")]).current_dir(gamete.folder());
    command.env_remove("GAMETE_RUNS").env("GAMETE_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    command.stdin(Stdio::null());
    command
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A process that is killed at the end of its test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Started {
    /// Starts a command whose standard error can be read.
    fn new(command: &mut Command) -> Started {
        Started(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Waits for its end. Returns its exit code and its standard error.
    fn ended(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.0.wait().unwrap().code(), said)
    }
}

fn signal(Started(child): &Started, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// A file that a command writes is complete, or as it was before.
#[test]
fn a_full_disk_keeps_the_files_that_were_there() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 6 --set stop.solved=false --name a");
    gamete.ok("export a --out champion.txt");
    gamete.ok("growth a --champions 2 --games 2 --yardstick random --picture growth.svg");
    gamete.ok("show a --figures figures");
    let before = |file: &str| fs::read(gamete.folder().join(file)).unwrap();
    let figure = format!("figures/{}", names(&gamete.folder().join("figures"))[0]);
    let files = ["champion.txt", "growth.svg", &figure];
    let old = files.map(before);
    for words in ["export a --format json --out champion.txt", "show a --figures figures"] {
        let output = limited(&gamete, "ulimit -f 0", words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.lines().last().unwrap_or_default().starts_with("gamete: cannot write "), "{words}: {said}");
    }
    let picture =
        limited(&gamete, "ulimit -f 0", "growth a --champions 2 --games 2 --yardstick random --picture growth.svg");
    assert_eq!(picture.status.code(), Some(2), "{}", String::from_utf8_lossy(&picture.stderr));
    assert_eq!(files.map(before), old);
    let left: Vec<String> = names(gamete.folder()).into_iter().filter(|name| name.starts_with('.')).collect();
    assert!(
        left.is_empty() && names(&gamete.folder().join("figures")).iter().all(|name| !name.starts_with('.')),
        "{left:?}"
    );
    // With enough space the files are replaced, and a pipe is written as usual.
    gamete.ok("export a --format json --out champion.txt");
    assert_ne!(before("champion.txt"), old[0]);
    assert!(!gamete.ok("export a --out /dev/stdout").is_empty());
}

/// If there is no space for a run, no part of it is left behind.
#[test]
fn no_room_for_a_run_leaves_nothing() {
    let gamete = Gamete::new();
    let words = "train nim-2x4 --name none";
    check_refusal(&limited(&gamete, "ulimit -f 0", words), words, "could not be created; no part of it");
    assert!(names(&gamete.folder().join("runs")).is_empty(), "{:?}", names(&gamete.folder().join("runs")));
}

/// A population that does not fit into memory is refused before anything is written.
#[test]
#[cfg(target_os = "linux")]
fn populations_beyond_memory_are_refused() {
    let gamete = Gamete::new();
    let huge = "draughts --set strategy.neat.population=1000000 --set schedule.circular.opponents=2 --set guests=0";
    let large = "nim-2x4-random --set strategy.random-search.population=200000 --set schedule.circular.opponents=2 --set guests=0 --set strategy.random-search.hidden=[100]";
    for (limits, experiment, sentence) in [
        ("ulimit -v 2000000", huge, "a population of 1000000 such networks would be saved in "),
        ("true", huge, "a run's file keeps at most 1.0 GB"),
        ("ulimit -v 400000", large, "a population of 200000 such networks and its games would take about "),
        ("ulimit -d 300000", large, "MB are available; choose a smaller population"),
    ] {
        let words = format!("train {experiment} --name x --threads 1");
        check_refusal(&limited(&gamete, limits, &words), &words, sentence);
        assert!(names(&gamete.folder().join("runs")).is_empty(), "{:?}", names(&gamete.folder().join("runs")));
    }
    // A resumption with less memory is refused as well, and the file is unchanged.
    let some = "train nim-2x4-random --set strategy.random-search.population=20000 --set schedule.circular.opponents=2 --set guests=0 --set strategy.random-search.hidden=[100] --threads 1";
    gamete.ok(&format!("{some} --generations 1 --name some"));
    let before = fs::read(gamete.folder().join("runs/some.db")).unwrap();
    let words = "resume some --generations 2 --threads 1";
    check_refusal(&limited(&gamete, "ulimit -v 120000", words), words, "would take about ");
    assert_eq!(names(&gamete.folder().join("runs")), ["some.db"]);
    assert!(fs::read(gamete.folder().join("runs/some.db")).unwrap() == before, "it was written to");
    // Pages get the same sentence.
    let served = Served::new(&gamete);
    let toml = gamete.ok(&format!("train {huge} --print"));
    let asked = json!({ "experiment": "huge", "toml": toml, "name": "huge" }).to_string();
    served.refused("POST", "/api/runs", Some(&asked), 400, "would be saved in ");
    assert_eq!(names(&gamete.folder().join("runs")), ["some.db"]);
}

/// Trainings that pages start at the same moment do not count on the same memory. Those that fit are started, the others
/// are refused, and the server stays alive.
#[test]
#[cfg(target_os = "linux")]
fn trainings_that_begin_together_share_memory() {
    let gamete = Gamete::new();
    let toml = gamete.ok("train nim-2x4-random --set strategy.random-search.population=70000 --set schedule.circular.opponents=2 --set guests=0 --set strategy.random-search.hidden=[100] --set stop.solved=false --generations 100000 --print");
    let serve = "serve --no-open --port 0 --threads 1";
    let served = Served::spawn(&gamete, limited_command(&gamete, "ulimit -v 3000000", serve));
    let start = |number: usize| {
        let asked = json!({ "experiment": "large", "toml": toml, "name": format!("p{number}") }).to_string();
        served.ask("POST", "/api/runs", Some(&asked))
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|number| scope.spawn(move || start(number))).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let begun: Vec<usize> = (0..8).filter(|number| answers[*number].0 < 300).collect();
    assert!((1..8).contains(&begun.len()), "{answers:?}");
    for (_, answer) in answers.iter().filter(|(status, _)| *status >= 300) {
        let said = answer.to_string();
        assert!(said.contains("are available beside other trainings of this program"), "{said}");
    }
    // Trainings take most of their memory in the first generations.
    let begin = Instant::now();
    let played = |number: &usize| {
        let curves = served.get(&format!("/api/runs/p{number}/curves?from=1&to=9"));
        curves["generation"].as_array().is_some_and(|played| played.len() >= 2)
    };
    while !begun.iter().all(played) {
        assert!(begin.elapsed() < Duration::from_secs(120), "two generations take too long");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The estimate of memory is right: a training that is started under a limit does not exceed it.
#[test]
#[cfg(target_os = "linux")]
fn a_training_that_fits_is_let_in() {
    let gamete = Gamete::new();
    let words = "train nim-2x4-random --set strategy.random-search.population=20000 --set schedule.circular.opponents=2 --set guests=0 --set strategy.random-search.hidden=[50] --set stop.solved=false --threads 1 --generations 2";
    let mut let_in = 0;
    // About 250 MB are needed, and 66 more if another thread than the training's has begun to allocate.
    for megabytes in [100, 200, 300, 400, 600] {
        let output = limited(&gamete, &format!("ulimit -v {}", megabytes * 1024), words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => let_in += 1,
            code => assert!(code == Some(2) && said.contains("of memory, but"), "{megabytes} MB: {code:?} {said}"),
        }
    }
    assert!((1..5).contains(&let_in), "{let_in} of them were let in");
}

/// An experiment in which a generation takes a minute or more.
const SLOW: &str = "minichess-enn --set player.depth=5 --set strategy.enn.population=400";

/// Starts a command that takes long, and waits until it says that it has begun.
fn at_work(gamete: &Gamete, words: &str) -> Started {
    let child = Started::new(&mut gamete.command(words));
    let runs = gamete.folder().join("runs");
    let begun = Instant::now();
    let is_running = |name: &String| name.ends_with(".db");
    while !names(&runs).iter().any(is_running) {
        assert!(begun.elapsed() < Duration::from_secs(30), "{words}");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(700));
    child
}

/// Sends a signal to a command. Returns how long it takes to end, and its standard error.
#[track_caller]
fn ended_by(child: Started, name: &str) -> (Duration, String) {
    let begun = Instant::now();
    signal(&child, name);
    let (code, said) = child.ended();
    assert_eq!(code, Some(130), "{said}");
    (begun.elapsed(), said)
}

#[test]
#[cfg(unix)]
fn a_training_ends_within_seconds_of_a_signal() {
    let gamete = Gamete::new();
    let child = at_work(&gamete, &format!("train {SLOW} --name slow"));
    let (took, said) = ended_by(child, "-TERM");
    assert!(took < Duration::from_secs(6), "{took:?}");
    let words = "runs/slow.db is complete up to generation 0; continue with: gamete resume slow";
    assert!(said.contains(words), "{said}");
    // The run continues, and it also ends when its terminal is closed.
    let child = at_work(&gamete, "resume slow");
    let (took, said) = ended_by(child, "-HUP");
    assert!(took < Duration::from_secs(6) && said.contains(words), "{took:?}: {said}");
    assert_eq!(gamete.json("runs")["state"], "killed");
    // The first Ctrl-C lets the generation finish, the second does not.
    let child = at_work(&gamete, "resume slow");
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(500));
    let (took, said) = ended_by(child, "-INT");
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(said.contains("Ctrl-C again stops at once") && said.contains(words), "{said}");
}

/// The number of processes whose command line names this folder.
#[cfg(target_os = "linux")]
fn processes_of(folder: &Path) -> usize {
    let folder = folder.display().to_string();
    let command = |process: &str| fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    names(Path::new("/proc")).iter().filter(|name| String::from_utf8_lossy(&command(name)).contains(&folder)).count()
}

/// A lab, a tuning, a match and a measurement end as well, and with them the processes of all members.
#[test]
#[cfg(target_os = "linux")]
fn long_commands_end_within_seconds_of_a_signal() {
    let gamete = Gamete::new();
    gamete.ok("train minichess-enn --set strategy.enn.population=30 --set schedule.circular.opponents=2 --generations 2 --name a");
    let toml = gamete.ok(&format!("train {SLOW} --print"));
    fs::write(gamete.folder().join("slow.toml"), toml).unwrap();
    let lab = "about = \"slow\"\nseeds = 2\nmeasures = [\"past_share\"]\nlast = 1\n\n[[configuration]]\nexperiment = \"slow.toml\"\n";
    fs::write(gamete.folder().join("slow-lab.toml"), lab).unwrap();
    let work = [
        // Absolute paths, so that processes can be found by them.
        format!("lab run slow-lab.toml --out {}", gamete.folder().join("runs/lab").display()),
        format!("train slow.toml --populations 2 --name islands --runs {}", gamete.folder().join("runs").display()),
        "match mcts:1000000 mcts:999999 --game draughts --games 2".to_string(),
        "growth a --depth 8 --games 2 --champions 2".to_string(),
        format!(
            "tune slow.toml --vary strategy.enn.exponent=0.5..4 --budget 100000 --candidates 3 --seeds 1-2 --workers 2 --name tuning --runs {}",
            gamete.folder().join("runs").display()
        ),
    ];
    let children: Vec<(&String, Started)> =
        work.iter().map(|words| (words, Started::new(&mut gamete.command(words)))).collect();
    // Wait until six members are training.
    let begun = Instant::now();
    let files = || {
        ["lab", "islands", "tuning"]
            .iter()
            .map(|lab| names(&gamete.folder().join("runs").join(lab)).len())
            .sum::<usize>()
    };
    while processes_of(gamete.folder()) < 9 || files() < 9 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} processes", processes_of(gamete.folder()));
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    let begun = Instant::now();
    children.iter().for_each(|(_, child)| signal(child, "-TERM"));
    for (words, child) in children {
        let (code, said) = child.ended();
        assert_eq!(code, Some(130), "{words}: {said}");
        // A command that is between two games when the signal arrives stops by itself.
        let last = said.lines().last().unwrap_or_default();
        assert!(last.contains("ended before ") || last.contains("interrupted"), "{words}: {said}");
    }
    while processes_of(gamete.folder()) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(7), "{} processes are left", processes_of(gamete.folder()));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(begun.elapsed() < Duration::from_secs(7), "{:?}", begun.elapsed());
}

/// Checks that there are no control characters except ends of lines and tabs.
#[track_caller]
fn check_plain(words: &str, output: &Output) {
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(text);
        let is_obeyed = |c: &char| {
            (c.is_control() && !matches!(c, '\n' | '\t'))
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!text.chars().any(|c| is_obeyed(&c)), "{words}: {text:?}");
    }
}

/// Control characters in names from files are made visible.
#[test]
#[cfg(unix)]
fn control_characters_in_names_are_made_visible() {
    let gamete = Gamete::new();
    let evil = "a\u{1b}[2J\u{7f}\u{9b}31m\u{202e}";
    let path = |name: &str| gamete.folder().join(name);
    // 1. An experiment with such a name, and a run's file.
    fs::write(path(&format!("{evil}.toml")), gamete.ok("train nim-2x4 --generations 3 --print")).unwrap();
    let run = |words: &[&str]| {
        let output = gamete.command("").args(words).output().unwrap();
        check_plain(&words.join(" "), &output);
        output
    };
    assert_eq!(run(&["train", &format!("{evil}.toml"), "--name", "a"]).status.code(), Some(0));
    fs::copy(path("runs/a.db"), path(&format!("runs/{evil}.db"))).unwrap();
    // 2. A lab with such names, games of players with such names, and files of the wrong kind.
    fs::create_dir(path("runs/lab")).unwrap();
    fs::write(path("runs/lab/lab.json"), format!("{{\"lab\":\"{}\", \"x\":1}}", evil.replace('\u{1b}', "\\u001b")))
        .unwrap();
    fs::write(path("game.pdn"), format!("[Event \"{evil}\"]\n[Black \"{evil}\"]\n\n1. 11-15 {evil}\n")).unwrap();
    fs::write(path("bad.toml"), format!("game = \"{}\"\n", evil.replace('\u{1b}', "\\u001b").replace('\u{7f}', "")))
        .unwrap();
    for words in [
        &["runs"][..],
        &["runs", "--json"],
        &["show", "a"],
        &["show", "a", "--json"],
        &["show", evil],
        &["show", &format!("runs/{evil}.db")],
        &["show", &format!("runs/{evil}x.db")],
        &["games", evil],
        &["exam", &format!("run:{evil}")],
        &["export", evil, "--json"],
        &["games", "--check", "game.pdn"],
        &["games", "--check", "game.pdn", "--json"],
        &["train", "bad.toml"],
        &["lab", "report", "lab"],
        &["play", "nim", "--against", evil],
        &["resume", evil, "--generations", "4"],
    ] {
        run(words);
    }
    let listed = String::from_utf8(run(&["runs"]).stdout).unwrap();
    assert!(listed.contains("a\\u001b[2J\\u007f\\u009b31m\\u202e"), "{listed}");
    let line = String::from_utf8(run(&["runs", "--json"]).stdout).unwrap();
    let names: Vec<serde_json::Value> = line.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(names.iter().any(|run| run["name"] == evil || run["run"] == evil), "{line}");
}

/// A run file with two names is one run.
#[test]
#[cfg(unix)]
fn a_run_by_another_name_is_the_same_run() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 3 --set stop.solved=false --name a");
    let path = |name: &str| gamete.folder().join("runs").join(name);
    std::os::unix::fs::symlink("a.db", path("b.db")).unwrap();
    let child = Started::new(&mut gamete.command("resume a --generations 1000000"));
    let begun = Instant::now();
    while !path("a.db-wal").exists() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(10));
    }
    gamete.refused("resume b --generations 1000000", "is being trained by another process");
    gamete.refused("train nim-2x4 --name b --force", "is being trained by another process");
    drop(child);
    gamete.refused("train nim-2x4 --name b --force", "b.db is a link, and a new run would replace the link itself");
    let done = gamete.json("show a")["generations"].as_array().unwrap().len() as u64;
    assert_eq!(gamete.json(&format!("resume b --generations {}", done + 5))["generations"], done + 5);
    fs::hard_link(path("a.db"), path("c.db")).unwrap();
    for name in ["a", "b", "c"] {
        gamete.refused(&format!("resume {name} --generations {}", done + 9), "has 2 names (hard links)");
    }
    fs::remove_file(path("c.db")).unwrap();
    gamete.ok(&format!("resume a --generations {}", done + 9));
}

/// A message about a file of the wrong kind says what the file is.
#[test]
fn files_that_are_no_text_are_told_so() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 2 --name a");
    fs::write(gamete.folder().join("bytes.toml"), b"game = \"\xff\xfe\"").unwrap();
    let bytes = "bytes.toml is not a text file: its byte 9 is not valid UTF-8";
    for (words, sentence) in [
        ("train bytes.toml", bytes),
        ("lab run bytes.toml", bytes),
        ("play nim --against file:bytes.toml", bytes),
        ("exam random --game minichess --questions bytes.toml", bytes),
        ("train runs/a.db", "a.db is not a text file: it is an SQLite database, like a run"),
        ("exam file:runs/a.db", "a.db is not a text file: it is an SQLite database, like a run"),
    ] {
        gamete.refused(words, sentence);
    }
}

/// A token is required if one is given, also without --host.
#[test]
fn a_token_without_a_host_is_used() {
    let gamete = Gamete::new();
    gamete.refused("serve --no-open --token short", "the token has 5 characters");
    let served = Served::start(&gamete, "serve --no-open --port 0 --token 0123456789abcdef");
    assert!(served.host.starts_with("127.0.0.1:"), "{}", served.host);
    let ask = |host: &str, headers: &str| {
        served.send(&format!("GET /api/about HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n")).0
    };
    let cookie = "cookie: gamete_token=0123456789abcdef\r\n";
    assert_eq!(ask(&served.host, ""), 401);
    assert_eq!(ask(&served.host, cookie), 200);
    // Other host names than this machine's own are refused as usual.
    let other = served.host.replace("127.0.0.1", "evil.example");
    assert_eq!(ask(&other, cookie), 403);
}

/// A position of Nim can have half a million moves: no request may take long or need much memory for it.
#[test]
#[cfg(target_os = "linux")]
fn huge_nim_is_answered_soon() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let huge = ["65535"; 8].join(",");
    let setup = format!("stacks=[{huge}]");
    let begun = Instant::now();
    for path in ["/api/play/position", "/api/play/answer", "/api/play/view", "/api/play/hint"] {
        for setup in [vec![], vec![&setup]] {
            let asked = json!({ "game": "nim", "start": huge, "against": "perfect", "setup": setup, "moves": vec!["8:1"; 2000] });
            served.post(path, &asked);
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let asked = json!({ "game": "nim", "start": huge, "player": "perfect", "moves": vec!["8:1"; 20] }).to_string();
    let why = "legal moves in all its positions, but at most 2000000 are looked at";
    served.refused("POST", "/api/games/values", Some(&asked), 400, why);
    // Many solvers with a million positions at the same time.
    std::thread::scope(|scope| {
        for last in 1..=8 {
            for _ in 0..4 {
                let setup = format!("stacks=[5,5,5,5,5,5,{last}]");
                let asked = json!({ "game": "nim", "start": format!("5,5,5,5,5,5,{last}"), "against": "perfect", "setup": [setup] });
                let served = &served;
                scope.spawn(move || served.post("/api/play/position", &asked));
            }
        }
    });
    let status = fs::read_to_string(format!("/proc/{}/status", served.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let megabytes = peak.trim().split(' ').next().unwrap().parse::<u64>().unwrap() / 1024;
    assert!(megabytes < 300, "{megabytes} MB");
}
