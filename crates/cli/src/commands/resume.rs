//! `gamete resume`: continues a run, or several populations.

use crate::arguments::{EnginesArg, JsonArg, OnArg, RunsArg, ThreadsArg};
use crate::commands::train::shared;
use crate::commands::{Out, Run, populations};
use crate::numbers::{MOST, whole};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::summary::{program, trained};
use crate::words::count;
use crate::{Done, Failure};
use clap::Args;
use lab::{LabFolder, Machine, Summary};
use runs::{RunFile, Stopped};
use std::io::Write;

/// Continue a run; the result is bit for bit the same as without the interruption
#[derive(Args)]
#[command(after_help = "Examples:\n  gamete resume nim-2x4-1\n  gamete resume nim-2x4-1 --generations 5000")]
pub struct ResumeArgs {
    /// A run's name, or the path of its file
    pub run: String,
    /// The total number of generations, including those that are done [default: as the run was started]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub engines: EnginesArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub on: OnArg,
    #[command(flatten)]
    pub json: JsonArg,
}

impl Run for ResumeArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        let machine = Machine { threads: self.threads.count(), engines: self.engines.by_name()?, share: None };
        if populations::are_meant(&self.runs.runs, &self.run, self.generations) {
            if self.generations.is_some() {
                let what = format!(
                    "the populations of `{}` keep the number of generations that they were started with; leave --generations out",
                    self.run
                );
                return Err(lab::Error::refused(what).into());
            }
            if self.on.is_given() {
                tell!("several populations are trained on this machine only; the server is not used");
            }
            let folder = LabFolder::open(&self.runs.runs.join(&self.run))?;
            return populations::breed(out, &folder, &machine, &self.runs, self.json.json, stop);
        }
        let share = match self.on.is_given() {
            true => {
                let file = runs::run_path(&self.runs.runs, &self.run)?;
                let experiment = RunFile::open(&file)?.info()?.experiment_file(&file)?;
                shared(&self.on, &experiment, stop)?
            }
            false => None,
        };
        let machine = Machine { share, ..machine };
        let mut progress = Progress::new(stop, &self.runs);
        let summary = lab::resume(&self.runs.runs, &self.run, self.generations, &machine, &mut progress, stop);
        progress.finish();
        let mut summary = summary?;
        // A member of a lab is named as it was typed, with the lab's name.
        if self.run.contains('/') && !self.run.ends_with(".db") {
            summary.run = self.run;
        }
        if !progress.has_begun()
            && let Some(words) = nothing_to_do(&summary, &self.runs)
        {
            if !self.json.json {
                writeln!(out, "{words}\nrun {} ({})", summary.run, summary.file.display())?;
                return Ok(Done::Well);
            }
            tell!("{words}");
        }
        trained(out, summary, &self.runs, self.json.json)
    }
}

/// Returns why nothing was trained, and how to continue; `None` if the run can simply be resumed again.
fn nothing_to_do(summary: &Summary, runs: &RunsArg) -> Option<String> {
    let done = summary.generations;
    let why = match summary.stopped {
        Stopped::Solved => format!("the run was solved in generation {done}"),
        Stopped::Strength => format!("its champion of generation {done} has the strength at which the run stops"),
        Stopped::Generations => format!("the run has all its {}", count(done, "generation")),
        Stopped::Time | Stopped::Interrupted => return None,
    };
    let (gamete, run, flag) = (program(), &summary.run, runs.flag());
    Some(format!(
        "nothing to do: {why}; `{gamete} resume {run}{flag} --generations N` with N above {done} continues it"
    ))
}
