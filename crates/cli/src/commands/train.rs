//! `gamete train`: breeds a population, or several, and saves every generation.

use crate::arguments::{EnginesArg, JsonArg, OnArg, RunsArg, ThreadsArg};
use crate::commands::{Out, Run, populations};
use crate::ending::with_list_of_keys;
use crate::numbers::{MOST, whole};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::summary::trained;
use crate::{Done, Failure};
use clap::Args;
use lab::{Islands, Machine, Share, TrainOptions};
use std::io::Write;
use std::sync::Arc;
use trainer::ExperimentFile;

/// Breed a population of networks, and save every generation
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete train\n  gamete train nim-1-8-c6 --seed 7\n  gamete train nim-2x10 --set strategy.enn.population=1000 --name large\n  gamete train nim-2x4 --print > my.toml\n  gamete train nim-2x4-direct --populations 8 --migrate-every 100\n  gamete train draughts --on nats://127.0.0.1:4222\n\n`gamete list experiments` shows the experiments inside the program, `gamete list parameters --experiment NAME`\nall parameters of one."
)]
pub struct TrainArgs {
    /// An experiment: the path of a file, or the name of one inside the program
    #[arg(default_value = "nim-2x4")]
    pub experiment: String,
    /// The seed of all random numbers: the same seed gives the same run [default: as in the experiment]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MOST))]
    pub seed: Option<u64>,
    /// Stop after this number of generations [default: as in the experiment]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub engines: EnginesArg,
    /// Override a parameter by its dotted path, for example player.head=direct; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub runs: RunsArg,
    /// The run's name [default: the experiment's name and a number]
    #[arg(long)]
    pub name: Option<String>,
    /// Replace an existing run of that name
    #[arg(long, requires = "name")]
    pub force: bool,
    /// Breed N populations with different seeds, and take the champion that is best in games against the others
    #[arg(long, value_name = "N", conflicts_with_all = ["force", "print"], value_parser = whole::<u16>(2..=1000))]
    pub populations: Option<u16>,
    /// Every K generations, champions move from each population to the next one
    #[arg(long, value_name = "K", requires = "populations", value_parser = whole::<u64>(1..=MOST))]
    pub migrate_every: Option<u64>,
    /// The number of champions that move each time: those of the last N generations
    #[arg(long, value_name = "N", requires = "migrate_every", default_value_t = 1, value_parser = whole::<u16>(0..=65535))]
    pub migrants: u16,
    /// Print the experiment with all its parameters, to edit it, and train nothing
    #[arg(long, conflicts_with = "json")]
    pub print: bool,
    #[command(flatten)]
    pub on: OnArg,
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
        if let Err(error) = experiment.set(&assignments) {
            let error = with_list_of_keys(error.into(), &experiment, &self.experiment, self.set.iter());
            return Err(error.into());
        }
        if self.print {
            write!(out, "{}", experiment.text())?;
            return Ok(Done::Well);
        }
        let engines = self.engines.by_name()?;
        if let Some(count) = self.populations {
            if self.on.is_given() {
                tell!("several populations are trained on this machine only; the server is not used");
            }
            let islands = self.migrate_every.map(|every| Islands { every, count: self.migrants.into() });
            let folder = lab::populations(experiment, &self.runs.runs, self.name.as_deref(), count.into(), islands)?;
            let machine = Machine { threads: self.threads.count(), engines, share: None };
            return populations::breed(out, &folder, &machine, &self.runs, self.json.json, stop);
        }
        let options = TrainOptions {
            runs: self.runs.runs.clone(),
            name: self.name,
            force: self.force,
            machine: Machine { threads: self.threads.count(), engines, share: shared(&self.on, &experiment, stop)? },
        };
        let mut progress = Progress::new(stop, &self.runs);
        // A coordinator that was killed goes on with the same command.
        let begun = match self.on.is_given() && !options.force {
            true => lab::interrupted_run(&experiment, &options)?,
            false => None,
        };
        let summary = match begun {
            Some(run) => lab::resume(&options.runs, &run, None, &options.machine, &mut progress, stop),
            None => lab::train(experiment, &options, &mut progress, stop),
        };
        progress.finish();
        trained(out, summary?, &self.runs, self.json.json)
    }
}

/// The connection to other machines, if the games of this experiment are played there. Says why if they are not.
pub fn shared(on: &OnArg, experiment: &ExperimentFile, stop: &Stop) -> Result<Option<Arc<dyn Share>>, Failure> {
    let coordinator = on.coordinator(stop)?;
    match experiment.why_not_shared() {
        Some(why) if coordinator.is_some() => {
            tell!("{} is trained on this machine only: {why}", experiment.name);
            Ok(None)
        }
        _ => Ok(coordinator.map(|coordinator| Arc::new(coordinator) as Arc<dyn Share>)),
    }
}
