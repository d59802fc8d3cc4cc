//! `gamete resume`: goes on with a run, or with several populations.

use crate::arguments::{JsonArg, RunsArg, ThreadsArg};
use crate::commands::{Out, Run, populations};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::summary::trained;
use crate::{Done, Failure};
use clap::Args;
use lab::LabFolder;

/// Go on with a run, bit for bit as if it had never stopped
#[derive(Args)]
#[command(after_help = "Examples:\n  gamete resume nim-2x4-1\n  gamete resume nim-2x4-1 --generations 5000")]
pub struct ResumeArgs {
    /// A run's name, or the path of its file
    pub run: String,
    /// Go on to so many generations in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

impl Run for ResumeArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        if populations::are_meant(&self.runs.runs, &self.run, self.generations) {
            if self.generations.is_some() {
                let what = format!(
                    "the populations of `{}` have as many generations as they were begun with; leave --generations out",
                    self.run
                );
                return Err(lab::Error::refused(what).into());
            }
            let folder = LabFolder::open(&self.runs.runs.join(&self.run))?;
            return populations::breed(out, &folder, self.threads.count(), &self.runs, self.json.json, stop);
        }
        let mut progress = Progress::new(stop, &self.runs);
        let threads = self.threads.count();
        let summary = lab::resume(&self.runs.runs, &self.run, self.generations, threads, &mut progress, stop);
        progress.finish();
        let mut summary = summary?;
        // A member of a lab is known by both names.
        if self.run.contains('/') && !self.run.ends_with(".db") {
            summary.run = self.run;
        }
        trained(out, summary, &self.runs, self.json.json)
    }
}
