//! Everything that reads a run: commands and requests, what they answered before the damage, and whether an answer after it
//! is the same or a refusal.

use crate::gamete::{Answer, Gamete};
use crate::server::{Reply, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What differs from time to time.
const TIMES: [&str; 5] = ["age_seconds", "created", "seconds", "cpu_seconds", "age"];
/// A request whose answer does not end: what it tells first is the answer.
pub const EVENTS: &str = "EVENTS";
/// Words of whoever has noticed the damage.
const NOTICED: [&str; 7] =
    ["damaged", "checksum", "cannot be read", "cut short", "is not a run", "\"error\"", "is not what was written"];

/// A run that is damaged.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name.
    pub run: &'static str,
    /// Its game.
    pub game: &'static str,
    /// How many generations it has.
    pub generations: u64,
    /// A position of its game.
    pub start: &'static str,
    /// Whether its exam takes seconds, and is left out.
    pub slow: bool,
}

/// The commands that read a run, with one generation of it. Those that write come last, each for a fresh copy.
pub fn commands(target: Target, generation: u64) -> Vec<String> {
    let Target { run, game, generations, slow, .. } = target;
    let mut all = vec![
        "runs --json".to_string(),
        "check --all --json".to_string(),
        format!("check {run} --json"),
        format!("show {run}"),
        format!("show {run} --json"),
        format!("show {run} --generation {generation} --json"),
        format!("games {run} --json"),
        format!("games {run} --generation {generation} --json"),
        format!("games {run} --generation {generation} --format {}", if game == "minichess" { "pgn" } else { "text" }),
        format!("exam run:{run} --json"),
        format!("exam run:{run}@{generation} --json"),
        format!("export {run}@{generation} --json"),
        format!("export {run} --format svg"),
        format!("match run:{run}@{generation} random --game {game} --games 2 --json"),
        format!("play {game} --against run:{run}@{generation} --side second --seed 1"),
        format!("growth {run} --games 2 --champions 3 --json"),
        format!("resume {run} --generations {} --json", generations + 2),
        format!("check {run} --salvage runs/saved.db"),
    ];
    all.retain(|words| !slow || !(words.starts_with("exam") || words.starts_with("growth")));
    all
}

/// Whether a command changes the file, so that it needs a copy of its own.
pub fn writes(words: &str) -> bool {
    words.starts_with("resume") || words.starts_with("growth") || words.contains("--salvage")
}

/// The requests that read a run, with one generation of it.
pub fn requests(target: Target, generation: u64) -> Vec<(&'static str, String, Option<Value>)> {
    let Target { run, game, generations, slow, .. } = target;
    let player = format!("run:{run}@{generation}");
    let get = |path: String| ("GET", path, None);
    let mut all = vec![
        get(format!("/api/runs/{run}/curves?from=1&to={generations}")),
        get(format!("/api/runs/{run}/champions/{generation}")),
        get(format!("/api/runs/{run}/champions/{generation}/network")),
        get(format!("/api/runs/{run}/ancestry?generation={generation}")),
        get(format!("/api/runs/{run}/games")),
        get(format!("/api/runs/{run}/games?generation={generation}")),
        get(format!("/api/network?player={player}")),
        get(format!("/api/network?player=run:{run}")),
        get("/api/labs".to_string()),
        get("/api/about".to_string()),
        get(format!("/runs/{run}")),
        (EVENTS, "/api/runs/events".to_string(), None),
        (EVENTS, format!("/api/runs/{run}/events"), None),
        ("POST", "/api/exam".to_string(), Some(json!({ "player": player }))),
        (
            "POST",
            "/api/play/answer".to_string(),
            Some(json!({ "game": game, "against": player, "person": "second", "seed": 1 })),
        ),
        ("POST", "/api/play/view".to_string(), Some(json!({ "game": game, "against": player, "seed": 1 }))),
        ("POST", "/api/play/hint".to_string(), Some(json!({ "game": game, "against": player, "seed": 1 }))),
        ("POST", "/api/play/position".to_string(), Some(json!({ "game": game, "against": player, "seed": 1 }))),
        (
            "POST",
            "/api/network/values".to_string(),
            Some(json!({ "player": player, "game": game, "position": target.start })),
        ),
        (
            "POST",
            "/api/games/values".to_string(),
            Some(json!({ "player": player, "game": game, "start": target.start })),
        ),
    ];
    all.retain(|(_, path, _)| !slow || path != "/api/exam");
    all
}

/// Answers of the undamaged run, worked out when they are first asked for.
#[derive(Default)]
pub struct Expected {
    answers: Mutex<BTreeMap<String, String>>,
}

impl Expected {
    /// What this command printed before the damage, in a folder that holds a fresh copy.
    pub fn command(
        &self,
        gamete: &Gamete,
        words: &str,
        fresh: impl FnOnce() -> Result<(), String>,
        folder: &Path,
    ) -> Result<String, String> {
        self.known(words, || {
            fresh()?;
            Ok(fingerprint(&gamete.run(folder, words)))
        })
    }

    /// What this request was answered before the damage.
    pub fn request(&self, server: impl FnOnce() -> Result<Reply, String>, what: &str) -> Result<String, String> {
        self.known(what, || server().map(|reply| without_times(&reply.body)))
    }

    fn known(&self, key: &str, ask: impl FnOnce() -> Result<String, String>) -> Result<String, String> {
        // Held while asking: the same question is asked once.
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers.get(key) {
            return Ok(known.clone());
        }
        let answer = ask()?;
        answers.insert(key.to_string(), answer.clone());
        Ok(answer)
    }
}

/// What a command printed, without what differs from time to time.
pub fn fingerprint(answer: &Answer) -> String {
    let lines: Vec<String> = answer.stdout.lines().map(without_times).collect();
    format!("{:?}\n{}", answer.code, lines.join("\n"))
}

fn without_times(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) => {
            strip(&mut value);
            value.to_string()
        }
        Err(_) => text.to_string(),
    }
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(object) => {
            TIMES.iter().for_each(|key| drop(object.remove(*key)));
            object.values_mut().for_each(strip);
        }
        Value::Array(values) => values.iter_mut().for_each(strip),
        _ => {}
    }
}

/// What became of a question about a damaged run.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// The answer is what it was.
    Same,
    /// It was refused, or the damage is named.
    Noticed,
    /// Another answer, without a word.
    Silent(String),
}

/// Judges what a command printed; bad manners are an error.
pub fn judge_answer(expected: &str, answer: &Answer) -> Result<Verdict, String> {
    answer.check_manners()?;
    let found = fingerprint(answer);
    // What `check --json` prints always has such words in it; its exit code tells.
    let by_code = answer.words.starts_with("check") && answer.words.contains("--json");
    let noticed = |text: &str| !by_code && NOTICED.iter().any(|word| text.contains(word));
    Ok(match answer.code {
        _ if found == expected => Verdict::Same,
        Some(0) if !noticed(&answer.stderr) && !noticed(&answer.stdout) => {
            Verdict::Silent(difference(expected, &found))
        }
        Some(0) => Verdict::Noticed,
        _ if answer.stderr.trim().is_empty() && !by_code && !noticed(&answer.stdout) => {
            return Err(format!("no sentence: `{}` ended with {:?} and said nothing", answer.words, answer.code));
        }
        _ => Verdict::Noticed,
    })
}

/// Judges what the server answered; a fault of the server is an error.
pub fn judge_reply(expected: &str, reply: &Reply, what: &str) -> Result<Verdict, String> {
    match reply.status {
        0 | 500.. => {
            Err(format!("status {}: {what}: {}", reply.status, reply.body.chars().take(200).collect::<String>()))
        }
        400..500 if !reply.json()["error"].is_null() => Ok(Verdict::Noticed),
        _ => {
            let found = without_times(&reply.body);
            let noticed = found != expected && NOTICED.iter().any(|word| found.contains(word));
            Ok(match found == expected {
                true => Verdict::Same,
                false if noticed => Verdict::Noticed,
                false => Verdict::Silent(difference(expected, &found)),
            })
        }
    }
}

/// Where two texts begin to differ.
fn difference(expected: &str, found: &str) -> String {
    let same = expected.chars().zip(found.chars()).take_while(|(one, two)| one == two).count();
    let part = |text: &str| text.chars().skip(same.saturating_sub(30)).take(90).collect::<String>().replace('\n', " ");
    format!("…{}… became …{}…", part(expected), part(found))
}

/// Asks the server.
pub fn ask(server: &Server, method: &str, path: &str, body: Option<&Value>) -> Result<Reply, String> {
    if method == EVENTS {
        return server.first_event(path).map(|told| Reply { status: 200, body: told.to_string() });
    }
    crate::server::ask(&server.host, method, path, body.map(Value::to_string).as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(code: i32, stdout: &str, stderr: &str) -> Answer {
        Answer { code: Some(code), stdout: stdout.to_string(), stderr: stderr.to_string(), ..Answer::default() }
    }

    #[test]
    fn only_silence_is_a_wrong_answer() {
        let expected = fingerprint(&answer(0, "{\"grade\":0.5,\"seconds\":1}", ""));
        let judge = |code, stdout: &str, stderr: &str| judge_answer(&expected, &answer(code, stdout, stderr));
        assert_eq!(judge(0, "{\"grade\":0.5,\"seconds\":2}", ""), Ok(Verdict::Same));
        assert_eq!(judge(2, "", "the champion of generation 3 is damaged"), Ok(Verdict::Noticed));
        assert!(matches!(judge(0, "{\"grade\":0.6}", ""), Ok(Verdict::Silent(_))));
        assert_eq!(judge(0, "{\"grade\":0.6}", "a row is damaged"), Ok(Verdict::Noticed));
        assert!(judge(2, "", "").is_err(), "a refusal says why");
        assert!(judge(101, "", "thread panicked at x").is_err());
    }

    #[test]
    fn check_must_say_by_its_exit_code_what_it_found() {
        let said = |code, stdout| Answer { words: "check a --json".to_string(), ..answer(code, stdout, "") };
        let expected = fingerprint(&said(0, r#"{"damaged":[],"checksums":true,"intact":true}"#));
        assert!(matches!(
            judge_answer(&expected, &said(0, r#"{"damaged":[],"checksums":true}"#)),
            Ok(Verdict::Silent(_))
        ));
        assert_eq!(judge_answer(&expected, &said(1, r#"{"damaged":["x"],"intact":false}"#)), Ok(Verdict::Noticed));
    }

    #[test]
    fn faults_of_the_server_are_errors() {
        let judge = |status, body: &str| judge_reply("{\"a\":1}", &Reply { status, body: body.to_string() }, "GET /");
        assert_eq!(judge(200, "{\"a\":1}"), Ok(Verdict::Same));
        assert_eq!(judge(404, "{\"error\":\"none\"}"), Ok(Verdict::Noticed));
        assert!(matches!(judge(200, "{\"a\":2}"), Ok(Verdict::Silent(_))));
        assert!(judge(500, "{\"error\":\"disk\"}").is_err() && judge(0, "").is_err());
    }
}
