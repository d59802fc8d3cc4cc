//! Tests of the program as people and scripts use it: a child process, its output and its exit code.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod abandoned;
mod architecture;
mod bad_input;
mod checks;
mod cluster;
mod compatibility;
mod determinism;
mod documentation;
mod draughts;
mod edges;
mod engines;
mod games_page;
mod growth;
mod hostile;
mod journey;
mod labs;
mod learning;
mod matches;
mod minichess;
mod neat;
mod networks;
mod newcomer;
mod populations;
mod serve;
mod strategies;
mod strength;
mod td;
mod tune;

use chance::{Rng, rng_for};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Random numbers for the moments at which a test kills the program. They differ each time. A failed test prints the seed;
/// with this seed in `GAMETE_TEST_SEED`, the moments are the same again.
fn moments() -> Rng {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = match std::env::var("GAMETE_TEST_SEED") {
        Ok(seed) => seed.parse().expect("GAMETE_TEST_SEED is a whole number"),
        Err(_) => now(),
    };
    println!("GAMETE_TEST_SEED={seed} repeats the moments of this test");
    rng_for(seed, &[])
}

/// The folder of the whole project.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// The program in a folder of its own.
struct Gamete {
    folder: tempfile::TempDir,
}

impl Gamete {
    fn new() -> Gamete {
        Gamete { folder: tempfile::tempdir().unwrap() }
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The program with these arguments, not yet started. It is the one that was built with the tests, or that in `GAMETE`.
    fn command(&self, words: &str) -> Command {
        let program = std::env::var_os("GAMETE").map(|path| workspace().join(path));
        let mut command = Command::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_gamete").into()));
        command.args(words.split_whitespace()).current_dir(self.folder()).stdin(Stdio::null());
        command.env_remove("CARGO").env_remove("GAMETE_RUNS").env("NO_COLOR", "1");
        // All tests share the endgame tables, because computing them takes some time.
        command.env("GAMETE_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Runs the program and expects exit code 0. Returns its standard output.
    #[track_caller]
    fn ok(&self, words: &str) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program with `--json`. Returns the last line of its output.
    #[track_caller]
    fn json(&self, words: &str) -> Value {
        let printed = self.ok(&format!("{words} --json"));
        let last = printed.lines().last().unwrap_or_else(|| panic!("{words} printed nothing"));
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{words}: {error}: {last}"))
    }

    /// Runs the program and expects a refusal: exit code 2, no standard output, and a last line with this sentence.
    #[track_caller]
    fn refused(&self, words: &str, sentence: &str) {
        check_refusal(&self.run(words), words, sentence);
    }
}

/// The result of a match without processor times, which differ from time to time.
fn without_times(result: &Value) -> Value {
    let mut result = result.clone();
    for cost in result["costs"].as_array_mut().into_iter().flatten() {
        cost.as_object_mut().and_then(|cost| cost.remove("cpu_milliseconds")).expect("it has a time");
    }
    result
}

#[track_caller]
fn check_refusal(output: &Output, words: &str, sentence: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}: {said}");
    assert!(output.stdout.is_empty(), "{words} printed {}", String::from_utf8_lossy(&output.stdout));
    let last = said.lines().last().unwrap_or_default();
    assert!(last.contains(sentence), "{words}: {last:?} does not say {sentence:?}");
    assert!(!said.contains("panicked"), "{said}");
}
