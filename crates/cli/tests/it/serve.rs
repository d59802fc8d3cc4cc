//! The web app as browsers and strangers reach it: by requests, and by signals.

use super::Gamete;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A server that ends with the test.
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

    /// A server started by these words.
    pub fn start(gamete: &'a Gamete, words: &str) -> Served<'a> {
        Served::start_with(gamete, words, &[])
    }

    /// The same, where other folders are named.
    pub fn start_with(gamete: &'a Gamete, words: &str, folders: &[(&str, &Path)]) -> Served<'a> {
        let mut command = gamete.command(words);
        let mut child =
            command.envs(folders.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim().strip_prefix("http://").unwrap().split('/').next().unwrap().to_string();
        Served { gamete, child, host }
    }

    /// Sends a request as it is; the whole answer.
    pub fn send(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).unwrap_or("0").parse().unwrap(), answer)
    }

    /// Asks something, and does not wait for the answer.
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

    /// Refused by a sentence that says this.
    #[track_caller]
    pub fn refused(&self, method: &str, path: &str, body: Option<&str>, status: u16, why: &str) {
        let (found, answer) = self.ask(method, path, body);
        let said = answer["error"].as_str().unwrap_or_default();
        assert!(found == status && said.contains(why), "{method} {path} {body:?}: {found} {answer}");
    }

    /// Events as they come, until one is right; its data.
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

    /// A training of nim-2x4 that does not stop by itself before so many generations.
    fn train(&self, name: &str, generations: u64) {
        let toml = self.gamete.ok(&format!(
            "train nim-2x4 --seed 3 --generations {generations} --set stop.solved=false --set strategy.enn.population=100 --print"
        ));
        let made = self.post("/api/runs", &json!({ "experiment": "nim-2x4", "toml": toml, "name": name }));
        assert_eq!(made["name"], name);
    }

    /// Waits until a run is in that state, or has so many generations.
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
fn pages_are_inside_the_program_and_guarded() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let host = &served.host;
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    let page = |path: &str, headers: &str| {
        served.send(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n"))
    };
    for path in ["/", "/play", "/new", "/games", "/exam", "/runs/anything"] {
        let (status, answer) = page(path, "");
        assert!(status == 200 && answer.contains("<title>Gamete</title>"), "{path}: {status} {answer}");
        assert!(answer.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{answer}");
        assert!(!answer.contains("http-equiv"), "{answer}");
    }
    let (_, index) = page("/", "");
    let script = index.split("src=\"").nth(1).unwrap().split('"').next().unwrap();
    let (status, code) = page(script, "accept-encoding: gzip\r\n");
    assert!(status == 200 && code.contains("content-encoding: gzip") && code.contains("immutable"), "{status}");
    assert_eq!(page("/nowhere", "").0, 404);
    assert_eq!(page("/assets/../../Cargo.toml", "").0, 404);
    assert_eq!(page("/assets/none.js", "").0, 404);
    // Strangers.
    assert_eq!(served.send("GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").0, 403);
    assert_eq!(page("/api/about", "origin: http://evil.example\r\n").0, 403);
    assert_eq!(page("/api/about", "sec-fetch-site: cross-site\r\n").0, 403);
    let about = served.get("/api/about");
    assert_eq!(about["games"].as_array().unwrap().len(), 4);
    assert_eq!(about["champions"].as_array().unwrap().len(), 4);
    assert!(about["experiments"].as_array().unwrap().len() > 50);
}

#[test]
fn bad_requests_get_a_sentence() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 3 --name a");
    let served = Served::new(&gamete);
    let play = |fields: &str| format!("{{\"game\":\"nim\",\"against\":\"champion:nim\"{fields}}}");
    for (path, body, status, why) in [
        ("/api/play/position", "{".to_string(), 400, "the body is not as expected"),
        ("/api/play/position", "{}".to_string(), 400, "missing field `game`"),
        ("/api/play/position", "{\"game\":7}".to_string(), 400, "expected a string"),
        ("/api/play/position", "{\"game\":\"go\"}".to_string(), 400, "there is no game `go`"),
        ("/api/play/position", play(",\"more\":1"), 400, "unknown field `more`"),
        ("/api/play/position", play(",\"seed\":-1"), 400, "expected u64"),
        ("/api/play/position", play(",\"start\":\"9,9,9\""), 400, "9,9,9"),
        (
            "/api/play/position",
            play(",\"start\":\"3,4\",\"moves\":[\"1:1\",\"3:1\"]"),
            400,
            "move 2: `3:1` is no legal move",
        ),
        ("/api/play/position", play(",\"start\":\"1,0\",\"moves\":[\"1:1\",\"1:1\"]"), 400, "the game is over"),
        ("/api/play/answer", play(",\"start\":\"1,0\",\"moves\":[\"1:1\"]"), 409, "the game is over"),
        ("/api/play/answer", "{\"game\":\"nim\"}".to_string(), 400, "nobody plays against you"),
        (
            "/api/play/answer",
            "{\"game\":\"nim\",\"against\":\"champion:draughts\"}".to_string(),
            400,
            "this network plays draughts, not nim",
        ),
        (
            "/api/play/answer",
            "{\"game\":\"nim\",\"against\":\"file:/etc/passwd\"}".to_string(),
            400,
            "pages play against no files",
        ),
        ("/api/play/answer", "{\"game\":\"nim\",\"against\":\"run:../a\"}".to_string(), 400, "cannot be a run's name"),
        ("/api/play/answer", "{\"game\":\"nim\",\"against\":\"run:a@9\"}".to_string(), 400, "it has 1 to 3"),
        ("/api/play/answer", "{\"game\":\"nim\",\"against\":\"material:3\"}".to_string(), 400, "no pieces to count"),
        (
            "/api/play/answer",
            "{\"game\":\"draughts\",\"against\":\"material:64\"}".to_string(),
            400,
            "depth must be at most 12",
        ),
        (
            "/api/play/answer",
            "{\"game\":\"draughts\",\"against\":\"mcts:4000000000\"}".to_string(),
            400,
            "rounds must be at most",
        ),
        ("/api/play/view", play(",\"setup\":[\"stacks=[1,2\"]"), 400, "a list such as [4, 4]"),
        ("/api/runs", "{\"experiment\":\"x\",\"toml\":\"\"}".to_string(), 400, "the key `game` is missing"),
        ("/api/runs", "{\"experiment\":\"x\",\"toml\":\"game = \"}".to_string(), 400, "x, line 1"),
        (
            "/api/experiments/check",
            "{\"name\":\"x\",\"toml\":\"game = \\\"chess\\\"\"}".to_string(),
            400,
            "there is no game `chess`",
        ),
        ("/api/runs/none/resume", "{}".to_string(), 404, "there is no run `none`"),
        ("/api/runs/a/resume", "{\"generations\":1}".to_string(), 400, "has 3 generations already"),
        ("/api/runs/a/resume", "{\"generations\":18446744073709551615}".to_string(), 400, "too many"),
        (
            "/api/play/answer",
            "{\"game\":\"draughts\",\"against\":\"material:3,nodes=999999999999\"}".to_string(),
            400,
            "nodes must be at most",
        ),
        ("/api/runs/a/growth", "{\"games\":0,\"champions\":3}".to_string(), 400, "games is 0, but it must be from 2"),
    ] {
        served.refused("POST", path, Some(&body), status, why);
    }
    let long = format!("{{\"game\":\"{}\"}}", "x".repeat(300_000));
    served.refused("POST", "/api/play/position", Some(&long), 413, "too long");
    served.refused("POST", "/api/runs/a/pause", None, 409, "is not being trained here");
    served.refused("DELETE", "/api/runs/a/growth", None, 409, "is not being measured");
    served.refused("DELETE", "/api/runs/..%2Fa", None, 400, "cannot be a run's name");
    served.refused("DELETE", "/api/runs/none", None, 404, "there is no run `none`");
    let gone = served.hear("/api/runs/none/events", |name, _| name == "gone");
    assert!(gone["error"].as_str().unwrap().contains("there is no run `none`"), "{gone}");
    served.refused("GET", "/api/runs/a/curves?from=0&to=3", None, 400, "no range of generations");
    served.refused("GET", "/api/runs/a/champions/9", None, 404, "it has 1 to 3");
    served.refused("GET", "/api/runs/a/champions/x", None, 400, "names nothing");
    served.refused("GET", "/api/runs/a/curves", None, 400, "behind the question mark");
    served.refused("GET", "/api/runs/%ff/events", None, 400, "names nothing");
    served.refused("GET", "/api/experiments/nim-2x5", None, 404, "did you mean");
    served.refused("GET", "/api/experiments/..%2f..%2fCargo.toml", None, 404, "there is no experiment");
    served.refused("GET", "/api/nothing", None, 404, "nothing at this address");
    served.refused("PUT", "/api/about", None, 405, "in another way");
    let (status, answer) = served.send(&format!(
        "POST /api/runs/a/pause HTTP/1.1\r\nhost: {}\r\norigin: http://evil.example\r\nconnection: close\r\n\r\n",
        served.host
    ));
    assert!(status == 403 && answer.contains("may not ask"), "{answer}");
    // And it is all still there.
    assert_eq!(served.get("/api/runs/a/champions/3")["player"], "run:a@3");
    assert_eq!(served.ask("DELETE", "/api/runs/a", None).0, 204);
    assert!(!gamete.folder().join("runs/a.db").exists());
}

#[test]
fn a_taken_port_is_told() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let port = served.host.rsplit(':').next().unwrap();
    let output = gamete.run(&format!("serve --no-open --port {port}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("cannot be had"), "{said}");
}

#[test]
fn a_game_is_played_by_requests() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    // The perfect player against the champion, from a position that is lost for who begins.
    let mut moves: Vec<String> = Vec::new();
    let play = |moves: &[String], against: &str| json!({ "game": "nim", "start": "4,4", "moves": moves, "against": against, "person": "first", "seed": 1 });
    let last = loop {
        for against in ["perfect", "champion:nim"] {
            let view = served.post("/api/play/view", &play(&moves, against));
            let answer = served.post("/api/play/answer", &play(&moves, against));
            // It does what it thinks best.
            assert_eq!(view["line"][0], answer["move"], "{view} {answer}");
            moves.push(answer["move"].as_str().unwrap().to_string());
            if !answer["table"]["outcome"].is_null() {
                break;
            }
        }
        let table = served.post("/api/play/position", &play(&moves, "perfect"));
        if !table["outcome"].is_null() {
            break table;
        }
        assert_eq!(table["written"].as_array().unwrap().len(), moves.len());
    };
    assert_eq!((&last["outcome"], &last["why"]), (&json!("second"), &json!("the last match is taken")));
    let hint = served.post("/api/play/hint", &json!({ "game": "nim", "start": "4,3", "against": null }));
    assert_eq!((&hint["move"], hint["words"].as_str().unwrap().starts_with("1:1 wins")), (&json!("1:1"), true));
    // Records name who played.
    let moves = ["9-13", "22-18"];
    let record = json!({ "game": "draughts", "moves": moves, "against": "mcts:9", "person": "second" });
    let record = served.post("/api/play/position", &record)["record"].as_str().unwrap().to_string();
    assert!(
        record.contains("[Black \"mcts:9\"]\n[White \"you\"]") && record.ends_with("1. 9-13 22-18 *\n"),
        "{record}"
    );
    // More moves than anybody can list are counted.
    let many = json!({ "game": "nim", "start": "60000,9", "setup": ["stacks=[60000,9]"], "against": "mcts:50" });
    let table = served.post("/api/play/position", &many);
    assert_eq!((table["legal"].as_u64(), table["moves"].as_array().unwrap().len()), (Some(60_009), 0));
    assert!(served.post("/api/play/answer", &many)["move"].is_string());
}

#[test]
fn streams_open_with_everything_and_hear_of_other_processes() {
    let gamete = Gamete::new();
    let served = Served::new(&gamete);
    let snapshot = served.hear("/api/runs/events", |name, _| name == "runs");
    assert_eq!(snapshot, json!([]));
    // Another process trains; whoever watches hears of it, while it trains and when it is done.
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
    // As if it had never stopped.
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
    // Deep searches of many games: the first generation takes minutes.
    let toml = gamete.ok("train draughts --set player.depth=8 --set strategy.neat.population=200 --print");
    served.post("/api/runs", &json!({ "experiment": "draughts", "toml": toml, "name": "slow" }));
    served.wait("slow", |card| card["state"] == "training");
    let took = served.end("-TERM");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(gamete.json("show slow")["state"], "killed");
}

/// A run whose last champion's matches were broken off has nothing left to train, and yet can be stopped again.
#[test]
fn matches_of_the_last_champion_can_be_stopped_and_gone_on_with() {
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

/// Another run of the same name is another run, from its first generation on.
#[test]
fn a_replaced_run_has_its_own_curves() {
    let gamete = Gamete::new();
    gamete.ok("train nim-2x4 --generations 5 --set stop.solved=false --seed 1 --name a");
    let served = Served::new(&gamete);
    // Somebody watches all the while.
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            // Each event replaces everything from its first place on.
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
