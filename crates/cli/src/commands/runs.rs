//! `gamete runs`: lists all runs and labs of a folder.

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::words::span;
use crate::{Done, Failure, ending, grades, tables};
use clap::Args;
use runs::{RunContent, RunState, Stopped};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// List all runs and labs of the folder
#[derive(Args)]
#[command(after_help = "Example: gamete runs --runs experiments/tuesday")]
pub struct RunsArgs {
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for RunsArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        list(out, &self.runs.runs, self.json.json)?;
        Ok(Done::Well)
    }
}

/// Prints all runs and labs of a folder.
fn list(out: &mut impl Write, folder: &Path, json: bool) -> Result<(), Failure> {
    let entries = runs::list_runs(folder)?;
    let labs = if json { Vec::new() } else { lab::list_labs(folder) };
    if entries.is_empty() && labs.is_empty() && !json {
        writeln!(out, "there are no runs in {}; `gamete train` makes one", folder.display())?;
    }
    let mut rows = Vec::new();
    let mut broken = Vec::new();
    for entry in &entries {
        match &entry.content {
            Ok(content @ RunContent { info, state, last, exam, exam_generation }) => {
                let generation = last.as_ref().map_or(0, |report| report.generation);
                let seconds = age(info.created);
                if json {
                    let line = json!({
                        "run": entry.name, "file": entry.file, "experiment": info.experiment, "game": info.game,
                        "strategy": info.strategy, "seed": info.seed, "generation": generation, "exam": exam,
                        "exam_generation": exam_generation, "age_seconds": seconds, "state": state.to_string(),
                    });
                    writeln!(out, "{line}")?;
                    continue;
                }
                let grade = exam.as_ref().map(|exam| grades::grade(exam.grade(), content.older_exam()));
                rows.push(vec![
                    entry.name.clone(),
                    info.game.clone(),
                    info.strategy.clone(),
                    generation.to_string(),
                    grade.unwrap_or("-".to_string()),
                    span(seconds as f64),
                    in_words(state),
                ]);
            }
            Err(error) if json => {
                writeln!(out, "{}", json!({ "run": entry.name, "file": entry.file, "error": ending::in_words(error) }))?
            }
            Err(error) => broken.push(ending::in_words(error)),
        }
    }
    if !rows.is_empty() {
        tables::print(out, &["run", "game", "strategy", "generation", "exam", "age", "state"], &rows)?;
    }
    let row = |folder: lab::LabFolder| {
        let comparison = folder.comparison();
        let states: Vec<_> = comparison.members().map(|member| member.state.words()).collect();
        let of = |words: &str| states.iter().filter(|state| **state == words).count().to_string();
        let about = folder.about().lines().next().unwrap_or_default().to_string();
        vec![folder.name(), states.len().to_string(), of("finished"), of("running"), of("failed"), about]
    };
    let mut in_labs = Vec::new();
    for found in labs {
        match found {
            Ok(folder) => in_labs.push(row(folder)),
            Err(error) => broken.push(ending::in_words(&error)),
        }
    }
    for error in broken {
        writeln!(out, "cannot be read: {error}")?;
    }
    if !in_labs.is_empty() {
        tables::print(out, &["lab", "members", "finished", "running", "failed", "about"], &in_labs)?;
    }
    Ok(())
}

/// The state of a run in words. `--json` prints the word that is stored in the file.
pub fn in_words(state: &RunState) -> String {
    match state {
        RunState::Stopped(Stopped::Generations) => "finished".to_string(),
        RunState::Stopped(Stopped::Strength) => "strong enough".to_string(),
        RunState::Stopped(Stopped::Time) => "time limit".to_string(),
        other => other.to_string(),
    }
}

/// The number of seconds since a time.
fn age(created: i64) -> i64 {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    (now - created).max(0)
}
