//! The commands and requests that read a run, their answers before the damage, and the judgement of answers after it.

use crate::gamete::{Answer, Gamete};
use crate::server::{Reply, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// JSON fields that depend on time. They are not compared.
const TIMES: [&str; 6] = ["age_seconds", "created", "seconds", "cpu_seconds", "cpu_milliseconds", "age"];
/// The method of requests for a stream of events. The first event counts as the answer.
pub const EVENTS: &str = "EVENTS";
/// Words in output that show that the damage was noticed.
const NOTICED: [&str; 7] =
    ["damaged", "checksum", "cannot be read", "cut short", "is not a run", "\"error\"", "is not what was written"];

/// A run that is damaged.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name of the run.
    pub run: &'static str,
    /// The name of its game.
    pub game: &'static str,
    /// The number of its generations.
    pub generations: u64,
    /// A position of the game.
    pub start: &'static str,
    /// Whether commands that take seconds (exam and growth) are left out.
    pub slow: bool,
}

/// The commands that read a run and one of its generations. Those that write come last and need a copy of the run.
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

/// Whether a command changes the run file, so that it needs a copy.
pub fn writes(words: &str) -> bool {
    words.starts_with("resume") || words.starts_with("growth") || words.contains("--salvage")
}

/// The requests that read a run and one of its generations: method, path and body.
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

/// The answers for the undamaged run. Each is computed when it is first needed.
#[derive(Default)]
pub struct Expected {
    answers: Mutex<BTreeMap<String, String>>,
}

impl Expected {
    /// The output of a command before the damage. `fresh` puts an undamaged copy of the run into `folder`.
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

    /// The answer to a request before the damage. `server` sends the request to a server with an undamaged copy.
    pub fn request(&self, server: impl FnOnce() -> Result<Reply, String>, what: &str) -> Result<String, String> {
        self.known(what, || server().map(|reply| without_times(&reply.body)))
    }

    fn known(&self, key: &str, ask: impl FnOnce() -> Result<String, String>) -> Result<String, String> {
        // The lock is held during the call, so that each question is asked only once.
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers.get(key) {
            return Ok(known.clone());
        }
        let answer = ask()?;
        answers.insert(key.to_string(), answer.clone());
        Ok(answer)
    }
}

/// The exit code and output of a command, without fields that depend on time.
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

/// The judgement of an answer about a damaged run.
#[derive(Debug, PartialEq)]
pub enum Verdict {
    /// The answer is the same as before.
    Same,
    /// The question was refused, or the answer names the damage.
    Noticed,
    /// The answer differs, without a warning; the text shows where.
    Silent(String),
}

/// Judges the output of a command. A crash, a hang or a refusal without a message is an error.
pub fn judge_answer(expected: &str, answer: &Answer) -> Result<Verdict, String> {
    answer.check_proper_end()?;
    let found = fingerprint(answer);
    // The JSON of `check` always contains some of these words, so its exit code decides.
    let by_code = answer.words.starts_with("check") && answer.words.contains("--json");
    let noticed = |text: &str| !by_code && NOTICED.iter().any(|word| text.contains(word));
    Ok(match answer.code {
        _ if found == expected => Verdict::Same,
        Some(0) if !noticed(&answer.stderr) && !noticed(&answer.stdout) => {
            Verdict::Silent(difference(expected, &found))
        }
        Some(0) => Verdict::Noticed,
        _ if answer.stderr.trim().is_empty() && !by_code && !noticed(&answer.stdout) => {
            return Err(format!(
                "no error message: `{}` ended with {:?} and printed nothing",
                answer.words, answer.code
            ));
        }
        _ => Verdict::Noticed,
    })
}

/// Judges the answer of the server. No answer, or a status from 500 up, is an error.
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

/// The parts of two texts where they begin to differ.
fn difference(expected: &str, found: &str) -> String {
    let same = expected.chars().zip(found.chars()).take_while(|(one, two)| one == two).count();
    let part = |text: &str| text.chars().skip(same.saturating_sub(30)).take(90).collect::<String>().replace('\n', " ");
    format!("…{}… became …{}…", part(expected), part(found))
}

/// Sends a request to the server. For `EVENTS` the reply is the first event.
pub fn ask(server: &Server, method: &str, path: &str, body: Option<&Value>) -> Result<Reply, String> {
    if method == EVENTS {
        return server.first_event(path).map(|event| Reply { status: 200, body: event.to_string() });
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
    fn a_changed_answer_without_a_warning_is_silent() {
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
    fn the_exit_code_of_check_decides() {
        let checked = |code, stdout| Answer { words: "check a --json".to_string(), ..answer(code, stdout, "") };
        let expected = fingerprint(&checked(0, r#"{"damaged":[],"checksums":true,"intact":true}"#));
        assert!(matches!(
            judge_answer(&expected, &checked(0, r#"{"damaged":[],"checksums":true}"#)),
            Ok(Verdict::Silent(_))
        ));
        assert_eq!(judge_answer(&expected, &checked(1, r#"{"damaged":["x"],"intact":false}"#)), Ok(Verdict::Noticed));
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
