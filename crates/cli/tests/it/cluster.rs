//! Trainings and labs that are shared by several processes through a real NATS server. Whatever happens to the
//! processes, the run is the one that a single process makes.

mod faults;

use super::*;
use rusqlite::Connection;
use rusqlite::types::Value as Stored;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Child;
use std::time::{Duration, Instant};

/// A NATS server with a folder of its own. It ends with the test.
struct Nats {
    folder: tempfile::TempDir,
    port: u16,
    /// The port of its own description, over HTTP.
    http: u16,
    words: String,
    server: Option<Child>,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A process that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Nats {
    /// A server with JetStream.
    fn new() -> Nats {
        Nats::with("-js")
    }

    /// A server with these arguments, on a free port.
    fn with(words: &str) -> Nats {
        let mut nats = Nats::stopped();
        nats.words = words.to_string();
        nats.start();
        nats
    }

    /// A server that is not started yet.
    fn stopped() -> Nats {
        let [port, http] = [(), ()].map(|()| free_port());
        Nats { folder: tempfile::tempdir().unwrap(), port, http, words: String::new(), server: None }
    }

    fn start(&mut self) {
        let path = format!("{}:/usr/sbin:/usr/local/sbin", std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("nats-server");
        command.env("PATH", path).args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        command.args(["-m", &self.http.to_string()]).args(self.words.split_whitespace());
        // A file with the configuration names the folder itself.
        if !self.words.contains("-c ") {
            command.arg("-sd").arg(self.folder.path());
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let server = command.spawn().expect("nats-server is needed: `apt-get install nats-server`");
        self.server = Some(server);
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts a worker with one thread.
    fn worker(&self, gamete: &Gamete, name: &str) -> Running {
        let words = format!("worker {} --threads 1 --name {name}", self.address());
        Running(gamete.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// The server's description of its streams.
    fn state(&self, question: &str) -> Value {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", self.http)).unwrap();
        stream.write_all(format!("GET /jsz{question} HTTP/1.0\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    }

    /// How many servers keep each stream.
    fn stream_replicas(&self) -> Vec<u64> {
        let state = self.state("?accounts=true&streams=true&config=true");
        let streams = state["account_details"][0]["stream_detail"].as_array().unwrap_or_else(|| panic!("{state}"));
        streams.iter().map(|stream| stream["config"]["num_replicas"].as_u64().unwrap()).collect()
    }

    /// The number of messages in all streams.
    fn messages(&self) -> u64 {
        let state = self.state("");
        assert_eq!(state["streams"], 3, "{state}");
        state["messages"].as_u64().unwrap_or_else(|| panic!("{state}"))
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The content of a run file, without times: every table with its rows as text.
fn content(file: &Path) -> Vec<(String, Vec<String>)> {
    let database = Connection::open(file).unwrap();
    let mut statement = database.prepare("select name from sqlite_master where type = 'table' order by name").unwrap();
    let tables: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let of_table = |table: String| {
        let mut statement = database.prepare(&format!("select * from {table}")).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_string).collect();
        let rows = statement.query_map([], |row| {
            let kept = names
                .iter()
                .enumerate()
                .filter(|(_, name)| !["created", "seconds", "cpu_seconds", "checksum"].contains(&name.as_str()));
            Ok(kept.map(|(place, name)| format!("{name}={:?}", row.get::<_, Stored>(place).unwrap())).collect())
        });
        let mut rows: Vec<String> = rows.unwrap().map(|row: Result<Vec<String>, _>| row.unwrap().join(" ")).collect();
        rows.sort();
        (table, rows)
    };
    tables.into_iter().map(of_table).collect()
}

#[track_caller]
fn check_equal(one: &Path, other: &Path) {
    let (one, other) = (content(one), content(other));
    assert_eq!(one.len(), other.len());
    for ((table, rows), (_, others)) in one.iter().zip(&other) {
        assert_eq!(rows.len(), others.len(), "{table}");
        for (row, other) in rows.iter().zip(others) {
            assert!(row == other, "{table}:\n{:.600}\n{:.600}", row, other);
        }
    }
}

/// Compares all runs of two folders of labs. Returns their number.
#[track_caller]
fn check_equal_labs(gamete: &Gamete, one: &str, other: &str) -> usize {
    let files = std::fs::read_dir(gamete.folder().join(one)).unwrap().map(|entry| entry.unwrap().path());
    let runs: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|ending| ending == "db")).collect();
    assert!(!runs.is_empty(), "{one} has no runs");
    for run in &runs {
        check_equal(run, &gamete.folder().join(other).join(run.file_name().unwrap()));
    }
    runs.len()
}

const MINICHESS: &str = "minichess --seed 3 --generations 4 --set strategy.neat.population=24 --set schedule.circular.opponents=8 --set record.past_games=4 --set record.growth_games=4 --set record.final_games=0";
const DRAUGHTS: &str = "draughts --seed 3 --generations 2 --set strategy.neat.population=14 --set schedule.circular.opponents=4 --set record.past_games=2 --set record.growth_games=2 --set record.final_games=0";

#[test]
fn a_shared_training_is_the_one_of_one_machine() {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    let address = nats.address();
    for (experiment, name) in [(MINICHESS, "chess"), (DRAUGHTS, "draughts")] {
        gamete.json(&format!("train {experiment} --name {name}-alone"));
    }
    let mut workers = vec![nats.worker(&gamete, "a")];
    for (experiment, name) in [(MINICHESS, "chess"), (DRAUGHTS, "draughts")] {
        gamete.json(&format!("train {experiment} --name {name}-1 --on {address}"));
    }
    workers.extend(["b", "c"].map(|name| nats.worker(&gamete, name)));
    for (experiment, name) in [(MINICHESS, "chess"), (DRAUGHTS, "draughts")] {
        gamete.json(&format!("train {experiment} --name {name}-3 --on {address} --verify 0.3"));
        let file = |name: String| gamete.folder().join(format!("runs/{name}.db"));
        for other in ["1", "3"] {
            check_equal(&file(format!("{name}-alone")), &file(format!("{name}-{other}")));
        }
    }
    let listed = gamete.ok(&format!("workers {address} --json"));
    assert_eq!(listed.lines().count(), 3, "{listed}");
    // Without --keep nothing of a finished training stays.
    assert_eq!(nats.messages(), 0);
}

/// A series of tournaments: each network plays in all of them before its values change.
const SERIES: &str = "minichess-tt1 --seed 3 --generations 3 --set strategy.series.neat.population=8 --set strategy.series.tournaments=2 --set record.past_games=2";

/// Trains experiments alone and with these numbers of workers, and compares the runs.
fn check_shared(experiments: &[(&str, &str)], workers: &[usize]) {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    for (name, experiment) in experiments {
        gamete.json(&format!("train {experiment} --name {name}-alone"));
    }
    let mut there: Vec<Running> = Vec::new();
    for count in workers {
        there.extend((there.len()..*count).map(|number| nats.worker(&gamete, &format!("w{number}"))));
        for (name, experiment) in experiments {
            let begun = Instant::now();
            gamete.json(&format!("train {experiment} --name {name}-{count} --on {}", nats.address()));
            println!("{name} with {count} workers: {:.1} s", begun.elapsed().as_secs_f64());
            let file = |ending: &str| gamete.folder().join(format!("runs/{name}-{ending}.db"));
            check_equal(&file("alone"), &file(&count.to_string()));
        }
    }
}

#[test]
fn a_shared_series_is_the_one_of_one_machine() {
    check_shared(&[("series", SERIES)], &[1, 3, 8]);
}

/// Takes some minutes: `cargo test --release --test program -- --ignored --nocapture long_shared`.
#[test]
#[ignore = "takes some minutes"]
fn long_shared_trainings_are_those_of_one_machine() {
    let experiments = [
        ("minichess", "minichess --seed 1 --generations 20"),
        ("draughts", "draughts --seed 1 --generations 6"),
        ("series", "minichess-tt1 --seed 1 --generations 20"),
    ];
    check_shared(&experiments, &[1, 3, 8]);
}

/// Runs a lab alone and with these numbers of workers, and compares all runs.
fn check_shared_lab(text: &str, workers: &[usize]) -> usize {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    std::fs::write(gamete.folder().join("small.toml"), text).unwrap();
    gamete.ok("lab run small.toml --out alone");
    let mut there: Vec<Running> = Vec::new();
    let mut members = 0;
    for count in workers {
        there.extend((there.len()..*count).map(|number| nats.worker(&gamete, &format!("w{number}"))));
        let begun = Instant::now();
        gamete.ok(&format!("lab run small.toml --out with-{count} --on {}", nats.address()));
        println!("the lab with {count} workers: {:.1} s", begun.elapsed().as_secs_f64());
        members = check_equal_labs(&gamete, "alone", &format!("with-{count}"));
    }
    members
}

/// A lab with an experiment for every strategy.
const EVERY_STRATEGY: &str = r#"
seeds = 1
measures = ["grade"]
last = 2

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 10, strategy.enn.population = 60 }

[[configuration]]
experiment = "nim-2x4-neat"
set = { stop.generations = 10 }

[[configuration]]
experiment = "nim-2x4-ga"
set = { stop.generations = 10 }

[[configuration]]
experiment = "nim-2x4-random"
set = { stop.generations = 10 }

[[configuration]]
experiment = "nim-2x4-cma-es"
set = { stop.generations = 10 }

[[configuration]]
experiment = "nim-2x4-openai-es"
set = { stop.generations = 10 }

[[configuration]]
experiment = "nim-2x4-td"
set = { stop.generations = 10 }

[[configuration]]
group = "chess"
experiment = "minichess-tt1"
set = { stop.generations = 3, strategy.series.neat.population = 8, strategy.series.tournaments = 2, record.past_games = 2 }

[[configuration]]
group = "chess"
experiment = "minichess-bootstrap"
set = { stop.generations = 2, player.depth = 1, schedule.self-play.games = 10, record.past_games = 2, record.final_games = 2, record.strength_every = 0 }

[[configuration]]
group = "draughts"
experiment = "draughts-blondie24"
set = { stop.generations = 2, player.depth = 1, strategy.blondie.population = 6, schedule.opens.games = 2, record.past_games = 2, record.growth_games = 2, record.final_games = 2 }
"#;

#[test]
fn a_shared_lab_with_every_strategy_is_the_one_of_one_machine() {
    let lab: Vec<&str> =
        EVERY_STRATEGY.split("experiment = \"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    // No strategy is missing.
    let strategy = |name: &str| {
        let text = std::fs::read_to_string(workspace().join(format!("crates/experiments/texts/{name}.toml"))).unwrap();
        let begin = text.lines().find_map(|line| line.strip_prefix("[strategy.")).unwrap().to_string();
        begin.split(']').next().unwrap().to_string()
    };
    let found: std::collections::BTreeSet<String> = lab.iter().map(|name| strategy(name)).collect();
    let listed = Gamete::new().ok("list strategies --json");
    let all: std::collections::BTreeSet<String> = listed
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].as_str().unwrap().to_string())
        .collect();
    assert_eq!(found, all);
    assert_eq!(check_shared_lab(EVERY_STRATEGY, &[3]), all.len());
}

/// Takes some minutes: `cargo test --release --test program -- --ignored --nocapture the_thesis_on_nim`.
#[test]
#[ignore = "takes some minutes"]
fn the_thesis_on_nim_is_the_one_of_one_machine() {
    // Two seeds of each of its twenty small configurations.
    let text = std::fs::read_to_string(workspace().join("crates/lab/labs/nim-thesis.toml")).unwrap();
    let small = text.split("# Larger attempts.").next().unwrap().replace("seeds = 10 ", "seeds = 2 ");
    assert_eq!(check_shared_lab(&small, &[1, 3, 8]), 40);
    check_shared_lab(EVERY_STRATEGY, &[1, 3, 8]);
}

/// A lab of two members that are trained in a moment.
const SMALL_LAB: &str = r#"
seeds = 2
measures = ["grade"]
last = 2

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 5, strategy.enn.population = 60 }
"#;

/// A member that failed stays failed, because it may have taken machines down, until the user asks for it.
#[test]
fn failed_members_stay_failed_until_the_user_asks() {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    std::fs::write(gamete.folder().join("small.toml"), SMALL_LAB).unwrap();
    gamete.ok("lab run small.toml --out alone");
    let words = format!("lab run small.toml --out shared --on {}", nats.address());
    let _worker = nats.worker(&gamete, "a");
    gamete.ok(&words);
    let folder = gamete.folder().join("shared");
    let member = "nim-2x4-c1-seed-2";
    let (run, failure) = (folder.join(format!("{member}.db")), folder.join(format!("failed/{member}.txt")));
    std::fs::remove_file(&run).unwrap();
    std::fs::create_dir_all(folder.join("failed")).unwrap();
    std::fs::write(&failure, "three workers died with it\n").unwrap();
    let output = gamete.run(&words);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed} {}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains(&format!("failed: {member}: three workers died with it")), "{printed}");
    assert!(printed.contains("the same command with --retry-failed tries failed members again"), "{printed}");
    assert!(!run.exists() && failure.exists());
    gamete.ok(&format!("{words} --retry-failed"));
    assert!(!failure.exists());
    check_equal_labs(&gamete, "alone", "shared");
    let output = gamete.run("lab run small.toml --retry-failed");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--on <ADDRESS>"));
}

#[test]
fn trainings_that_cannot_be_shared_say_why() {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    let check = |words: &str, sentence: &str| {
        let output = gamete.run(&format!("train {words} --on {}", nats.address()));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains(sentence), "{said}");
    };
    check("nim-2x4 --generations 2", "nim-2x4 is trained on this machine only: its game is so small");
    check(
        "minichess-td --generations 1 --set record.final_games=0",
        "minichess-td is trained on this machine only: its network learns from its own games",
    );
}

/// Sends a signal to a process.
fn signal(name: &str, process: &Running) {
    assert!(Command::new("kill").args([name, &process.0.id().to_string()]).status().unwrap().success());
}

/// How often each part was killed or put to sleep.
#[derive(Debug, Default)]
struct Kills {
    workers: usize,
    servers: usize,
    coordinators: usize,
    sleeps: usize,
}

/// Lets two workers share a training while workers, the server and the coordinator are killed by turns, and, if
/// `freezes`, workers sleep for longer than the server waits for them. The run must be that of one machine. Returns the
/// number of kills.
fn chaos(generations: u64, turns: usize, freezes: bool) -> Kills {
    let (mut nats, gamete) = (Nats::new(), Gamete::new());
    let experiment = MINICHESS.replace("--generations 4", &format!("--generations {generations}"));
    gamete.json(&format!("train {experiment} --name alone"));
    let mut rng = moments();
    let words = format!("train {experiment} --name shared --on {} --json", nats.address());
    let start = || Running(gamete.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let mut coordinator = start();
    let mut workers = ["a", "b"].map(|name| nats.worker(&gamete, name));
    // What is started while the server is away ends with an error, and is started again. Whether the training is over.
    let start_again = |coordinator: &mut Running, workers: &mut [Running; 2], nats: &Nats| {
        for worker in workers {
            if worker.0.try_wait().unwrap().is_some() {
                *worker = nats.worker(&gamete, "again");
            }
        }
        match coordinator.0.try_wait().unwrap() {
            Some(status) if status.success() => return true,
            Some(_) => *coordinator = start(),
            None => {}
        }
        false
    };
    let mut kills = Kills::default();
    for turn in 0..turns {
        std::thread::sleep(Duration::from_millis(200 + rng.below(600) as u64));
        if start_again(&mut coordinator, &mut workers, &nats) {
            break;
        }
        // In long tests most of the turns kill workers.
        match turn % if freezes { 12 } else { 3 } {
            1 => {
                coordinator.0.kill().unwrap();
                coordinator.0.wait().unwrap();
                coordinator = start();
                kills.coordinators += 1;
            }
            2 => {
                nats.kill();
                std::thread::sleep(Duration::from_millis(500));
                nats.start();
                kills.servers += 1;
            }
            3 if freezes => {
                signal("-STOP", &workers[turn % 2]);
                std::thread::sleep(Duration::from_secs(12));
                signal("-CONT", &workers[turn % 2]);
                kills.sleeps += 1;
            }
            _ => {
                // What is dropped is killed by SIGKILL.
                drop(std::mem::replace(&mut workers[turn % 2], nats.worker(&gamete, &format!("c{turn}"))));
                kills.workers += 1;
            }
        }
    }
    while !start_again(&mut coordinator, &mut workers, &nats) {
        std::thread::sleep(Duration::from_millis(100));
    }
    // The run is finished, so that the same command refuses to replace it.
    gamete.refused(&words.replace(" --json", ""), "exists already");
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
    kills
}

#[test]
fn a_shared_training_survives_deaths() {
    let kills = chaos(60, 6, false);
    assert!(kills.workers >= 1 && kills.coordinators >= 1, "the training was over before anything was killed");
}

/// Takes some minutes: `cargo test --release --test program -- --ignored --nocapture a_shared_training_survives_many`. A
/// faster machine may need more generations in the variable `GAMETE_TEST_GENERATIONS`, so that enough is killed.
#[test]
#[ignore = "takes some minutes"]
fn a_shared_training_survives_many_deaths() {
    let generations = std::env::var("GAMETE_TEST_GENERATIONS").map_or(500, |text| text.parse().unwrap());
    let kills = chaos(generations, 140, true);
    println!("{kills:?}");
    let Kills { workers, servers, coordinators, sleeps } = kills;
    assert!(workers >= 100 && servers >= 10 && coordinators >= 5 && sleeps >= 1, "the training was over too early");
}

const LAB: &str = r#"
seeds = 2
measures = ["grade"]
last = 5

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 60, strategy.enn.population = 60 }

[[configuration]]
experiment = "minichess"
group = "minichess"
set = { stop.generations = 3, strategy.neat.population = 20, schedule.circular.opponents = 4, record.past_games = 2, record.growth_games = 2, record.final_games = 4 }
"#;

#[test]
fn a_shared_lab_is_the_one_of_one_machine() {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    std::fs::write(gamete.folder().join("small.toml"), LAB).unwrap();
    gamete.ok("lab run small.toml --out alone");
    let words = format!("lab run small.toml --out shared --on {} --json", nats.address());
    let start = || Running(gamete.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let mut rng = moments();
    let mut moment = || std::thread::sleep(Duration::from_millis(500 + rng.below(2000) as u64));
    let coordinator = start();
    let worker = nats.worker(&gamete, "a");
    let _other = nats.worker(&gamete, "b");
    moment();
    drop(worker);
    moment();
    drop(coordinator);
    let done: Value = serde_json::from_str(gamete.ok(&words).lines().last().unwrap()).unwrap();
    assert_eq!((&done["finished"], &done["failed"]), (&Value::from(4), &Value::from(Vec::<Value>::new())));
    check_equal_labs(&gamete, "alone", "shared");
    gamete.ok("lab report shared");
    assert_eq!(nats.messages(), 0);
}

#[test]
fn wrong_servers_are_refused_in_one_sentence() {
    let gamete = Gamete::new();
    let nowhere = format!("nats://127.0.0.1:{}", free_port());
    let both = |address: &str, sentence: &str| {
        for words in [format!("worker {address}"), format!("train minichess --on {address}")] {
            gamete.refused(&words, sentence);
        }
    };
    both("127.0.0.1:4222", "it must be nats://HOST:PORT or tls://HOST:PORT");
    both("nats://a:b@127.0.0.1", "names and passwords do not belong in the address");
    both(&nowhere, &format!("cannot reach a NATS server at {nowhere}"));
    gamete.refused(&format!("workers {nowhere}"), &format!("cannot reach a NATS server at {nowhere}"));
    both(&Nats::with("").address(), "has no JetStream");
    let closed = Nats::with("-js --user me --pass secret");
    both(&closed.address(), "refuses this user");
    gamete.refused(&format!("worker {nowhere} --creds none.creds"), "none.creds");
    let output = gamete.run("train minichess --verify 0.5");
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("--on <ADDRESS>"));
    let output = gamete.run(&format!("train minichess --on {nowhere} --verify 2"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("it is not a number from 0 to 1"));
    // The right user and password are let in; they come from the environment.
    let mut command = gamete.command(&format!("workers {}", closed.address()));
    let output = command.env("GAMETE_NATS_USER", "me").env("GAMETE_NATS_PASSWORD", "secret").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut command = gamete.command(&format!("worker {}", closed.address()));
    let output = command.env("GAMETE_NATS_USER", "me").env("GAMETE_NATS_PASSWORD", "wrong").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("refuses this user") && !said.contains("wrong"), "{said}");
}
