//! The web app as a process: requests of browsers and other programs, and signals.

use super::Gamete;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that is ended at the end of the test.
pub struct Served<'a> {
    gamete: &'a Gamete,
    pub child: Child,
    /// Its address and port.
    pub host: String,
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Served<'a> {
    pub fn new(gamete: &'a Gamete) -> Served<'a> {
        Served::start(gamete, "serve --no-open --port 0")
    }

    /// Starts a server with these arguments.
    pub fn start(gamete: &'a Gamete, words: &str) -> Served<'a> {
        Served::start_with(gamete, words, &[])
    }

    /// Starts a server with other folders.
    pub fn start_with(gamete: &'a Gamete, words: &str, folders: &[(&str, &Path)]) -> Served<'a> {
        let mut command = gamete.command(words);
        command.envs(folders.iter().copied());
        Served::spawn(gamete, command)
    }

    /// Starts a server with a command.
    pub fn spawn(gamete: &'a Gamete, mut command: Command) -> Served<'a> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim().strip_prefix("http://").unwrap().split('/').next().unwrap().to_string();
        Served { gamete, child, host }
    }

    /// Sends a request unchanged. Returns the whole answer.
    pub fn send(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).unwrap_or("0").parse().unwrap(), answer)
    }

    /// Sends a request without waiting for the answer.
    pub fn begin(&self, path: &str, body: &Value) -> TcpStream {
        let (host, body) = (&self.host, body.to_string());
        let mut stream = TcpStream::connect(host).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json");
        write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        stream
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&str>) -> (u16, Value) {
        let host = &self.host;
        let body = body.map_or(String::new(), |body| {
            format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        });
        let end = if body.is_empty() { "\r\n" } else { "" };
        let (status, answer) =
            self.send(&format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{body}{end}"));
        let content = answer.split_once("\r\n\r\n").map_or("", |(_, content)| content);
        (status, serde_json::from_str(content).unwrap_or(Value::Null))
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask("GET", path, None);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, Some(&body.to_string()));
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    /// Expects that a request is refused with this sentence.
    #[track_caller]
    pub fn refused(&self, method: &str, path: &str, body: Option<&str>, status: u16, why: &str) {
        let (found, answer) = self.ask(method, path, body);
        let said = answer["error"].as_str().unwrap_or_default();
        assert!(found == status && said.contains(why), "{method} {path} {body:?}: {found} {answer}");
    }

    /// Reads events until one satisfies the condition. Returns its data.
    #[track_caller]
    pub(crate) fn hear(&self, path: &str, mut is_right: impl FnMut(&str, &Value) -> bool) -> Value {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.host).unwrap();
        let mut name = String::new();
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.to_string();
            } else if let Some(data) = line.strip_prefix("data: ") {
                let data = serde_json::from_str(data).unwrap();
                if is_right(&name, &data) {
                    return data;
                }
            }
        }
        panic!("{path} ended")
    }

    /// Starts a training of nim-2x4 with this number of generations, which does not stop when it is solved.
    fn train(&self, name: &str, generations: u64) {
        let toml = self.gamete.ok(&format!(
            "train nim-2x4 --seed 3 --generations {generations} --set stop.solved=false --set strategy.enn.population=100 --print"
        ));
        let made = self.post("/api/runs", &json!({ "experiment": "nim-2x4", "toml": toml, "name": name }));
        assert_eq!(made["name"], name);
    }

    /// Waits until the summary of a run satisfies the condition, and returns it.
    #[track_caller]
    fn wait(&self, run: &str, is_right: impl Fn(&Value) -> bool) -> Value {
        self.hear(&format!("/api/runs/{run}/events"), |name, data| name == "detail" && is_right(&data["card"]))
    }

    #[cfg(unix)]
    pub(crate) fn end(mut self, signal: &str) -> Duration {
        let begun = Instant::now();
        let killed = std::process::Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        begun.elapsed()
    }
}

const REFERENCE: &str =
    "train nim-2x4 --seed 3 --generations 2500 --set stop.solved=false --set strategy.enn.population=100 --name whole";

#[test]
fn a_taken_port_is_told() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    assert!(served.host.starts_with("127.0.0.1:"), "{}", served.host);
    let port = served.host.rsplit(':').next().unwrap();
    let output = gamete.run(&format!("serve --no-open --port {port}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("cannot listen on port"), "{said}");
}

#[test]
fn streams_open_with_everything_and_hear_of_other_processes() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let snapshot = served.hear("/api/runs/events", |name, _| name == "runs");
    assert_eq!(snapshot, json!([]));
    // Another process trains; pages receive its events while it trains and when it is done.
    let toml = "train nim-2x4-neat --seed 1 --generations 40 --set stop.solved=false --name other";
    let mut other = gamete.command(toml).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let run = served.hear("/api/runs/events", |name, data| {
        name == "run" && data["name"] == "other" && data["state"] == "generations"
    });
    assert!(other.wait().unwrap().success());
    assert_eq!((&run["generation"], &run["here"], &run["strategy"]), (&json!(40), &json!(false), &json!("neat")));
    let curves = served.hear("/api/runs/other/events", |name, _| name == "curves");
    assert_eq!((&curves["stride"], curves["generation"].as_array().unwrap().len()), (&json!(1), 40));
    let species = served.hear("/api/runs/other/events", |name, _| name == "species");
    assert_eq!(species["generation"].as_array().unwrap().len(), 40);
    let part = served.get("/api/runs/other/curves?from=11&to=20");
    assert_eq!(part["generation"], json!((11..=20).collect::<Vec<u64>>()));
}

#[test]
fn trainings_are_paused_resumed_and_measured() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    served.train("a", 2500);
    served.wait("a", |card| card["generation"].as_u64() > Some(20));
    served.refused("DELETE", "/api/runs/a", None, 409, "is being trained; stop it first");
    served.refused("POST", "/api/runs/a/resume", Some("{}"), 409, "is being trained already");
    served.post("/api/runs/a/pause", &json!({}));
    let paused = served.wait("a", |card| card["state"] == "paused");
    assert_eq!(paused["card"]["here"], false);
    served.post("/api/runs/a/resume", &json!({ "generations": null }));
    let done = served.wait("a", |card| card["state"] == "generations");
    // The result is the same as without an interruption.
    assert_eq!(done["signature"], gamete.json(REFERENCE)["signature"]);
    let command = done["command"].as_str().unwrap();
    let changed = "--set 'stop.solved=false' --set 'strategy.enn.population=100'";
    assert_eq!(command, format!("gamete train nim-2x4 --seed 3 --generations 2500 {changed}"));
    served.post("/api/runs/a/growth", &json!({ "depth": null, "games": 4, "champions": 3 }));
    let measured = served.hear("/api/runs/a/events", |name, data| name == "detail" && !data["ratings"].is_null());
    assert_eq!(measured["ratings"]["champions"].as_array().unwrap().len(), 3);
    served.post("/api/runs/a/growth", &json!({ "depth": null, "games": 1000, "champions": 90 }));
    assert_eq!(served.ask("DELETE", "/api/runs/a/growth", None).0, 204);
    served.hear("/api/runs/a/events", |name, data| name == "detail" && data["growth"].is_null());
}

#[test]
#[cfg(unix)]
fn signals_save_running_trainings() {
    for signal in ["-INT", "-TERM"] {
        let gamete = Gamete::new();
        let served = Served::new(&gamete);
        served.train("a", 2500);
        served.wait("a", |card| card["generation"].as_u64() > Some(20));
        let took = served.end(signal);
        assert!(took < Duration::from_secs(5), "{took:?}");
        let state = gamete.json("show a")["state"].clone();
        assert_eq!(state, "interrupted", "{signal}");
        assert_eq!(gamete.json("resume a")["signature"], gamete.json(REFERENCE)["signature"]);
    }
}

#[test]
#[cfg(unix)]
fn a_generation_that_takes_too_long_is_given_up_without_loss() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    // Deep searches in many games: the first generation takes minutes.
    let toml = gamete.ok("train draughts --set player.depth=8 --set strategy.neat.population=200 --print");
    served.post("/api/runs", &json!({ "experiment": "draughts", "toml": toml, "name": "slow" }));
    served.wait("slow", |card| card["state"] == "training");
    let took = served.end("-TERM");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(gamete.json("show slow")["state"], "killed");
}

/// A run whose final matches were interrupted has no generation left to train, but can be stopped again.
#[test]
fn matches_of_the_last_champion_can_be_stopped_and_continued() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let toml = gamete.ok("train minichess --generations 1 --set strategy.neat.population=10 --set schedule.circular.opponents=2 --set record.final_games=2000 --print");
    served.post("/api/runs", &json!({ "experiment": "minichess", "toml": toml, "name": "a" }));
    for _ in 0..2 {
        let playing = served.wait("a", |card| card["state"] == "finals");
        assert_eq!(playing["card"]["here"], true);
        served.post("/api/runs/a/stop", &json!({}));
        served.wait("a", |card| card["state"] == "generations" && card["here"] == false);
        served.post("/api/runs/a/resume", &json!({}));
    }
}

/// After a run is replaced by another of the same name, pages get the curves of the new one from its first generation on.
#[test]
fn a_replaced_run_has_its_own_curves() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 5 --set stop.solved=false --seed 1 --name a");
    let served = Served::new(&gamete);
    // A page watches the whole time.
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            // Each event replaces all points from its first place on.
            let mut best: Vec<Value> = Vec::new();
            served.hear("/api/runs/a/events", |name, data| {
                if name == "curves" {
                    best.truncate(data["from"].as_u64().unwrap() as usize);
                    best.extend(data["series"]["best_score"]["mean"].as_array().unwrap().iter().cloned());
                }
                best.len() == 9
            });
            best
        });
        served.hear("/api/runs/a/events", |name, _| name == "curves");
        gamete.ok("train nim-2x4 --generations 9 --set stop.solved=false --seed 2 --name a --force");
        let seen = watching.join().unwrap();
        let asked = served.get("/api/runs/a/curves?from=1&to=9");
        assert_eq!(json!(seen), asked["series"]["best_score"]["mean"]);
    });
}
