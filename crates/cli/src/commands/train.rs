//! `gamete train`: breeds a population.

use crate::arguments::{JsonArg, RunsArg, ThreadsArg};
use crate::commands::{Out, Run, populations};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::summary::trained;
use crate::{Done, Failure};
use clap::Args;
use lab::{Islands, TrainOptions};
use std::io::Write;

/// Breed a population
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete train\n  gamete train nim-1-8-c6 --seed 7\n  gamete train nim-2x10 --set strategy.enn.population=1000 --name large\n  gamete train nim-2x4 --print > my.toml\n  gamete train nim-2x4-direct --populations 8 --migrate-every 100\n\n`gamete list experiments` shows what there is; all parameters are in the experiment's file."
)]
pub struct TrainArgs {
    /// An experiment: a path, or the name of one inside the program
    #[arg(default_value = "nim-2x4")]
    pub experiment: String,
    /// Where all chance comes from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Stop after so many generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// Override a parameter by its dotted path, as in player.head=direct; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub runs: RunsArg,
    /// The run's name [default: the experiment's, and a number]
    #[arg(long)]
    pub name: Option<String>,
    /// Replace the run of that name
    #[arg(long, requires = "name")]
    pub force: bool,
    /// Breed so many populations, each with chance of its own, and take the champion that is best in games against the
    /// others'
    #[arg(long, value_name = "N", conflicts_with_all = ["force", "print"], value_parser = clap::value_parser!(u16).range(2..=1000))]
    pub populations: Option<u16>,
    /// Let champions move from each population to the next after every so many generations
    #[arg(long, value_name = "K", requires = "populations", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    pub migrate_every: Option<u64>,
    /// How many champions move each time: those of so many last generations
    #[arg(long, value_name = "N", requires = "migrate_every", default_value_t = 1)]
    pub migrants: u16,
    /// Print the experiment with all its parameters, to be copied and edited, and train nothing
    #[arg(long, conflicts_with = "json")]
    pub print: bool,
    #[command(flatten)]
    pub json: JsonArg,
}

impl Run for TrainArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        let mut experiment = runs::open_experiment(&self.experiment)?;
        let shorthands = [
            self.seed.map(|seed| format!("seed={seed}")),
            self.generations.map(|generations| format!("stop.generations={generations}")),
        ];
        let assignments: Vec<&String> = self.set.iter().chain(shorthands.iter().flatten()).collect();
        experiment.set(&assignments)?;
        if self.print {
            write!(out, "{}", experiment.text())?;
            return Ok(Done::Well);
        }
        if let Some(count) = self.populations {
            let islands = self.migrate_every.map(|every| Islands { every, count: self.migrants.into() });
            let folder = lab::populations(experiment, &self.runs.runs, self.name.as_deref(), count.into(), islands)?;
            return populations::breed(out, &folder, self.threads.count(), &self.runs, self.json.json, stop);
        }
        let options = TrainOptions {
            runs: self.runs.runs.clone(),
            name: self.name,
            force: self.force,
            threads: self.threads.count(),
        };
        let mut progress = Progress::new(stop, &self.runs);
        let summary = lab::train(experiment, &options, &mut progress, stop);
        progress.finish();
        trained(out, summary?, &self.runs, self.json.json)
    }
}
