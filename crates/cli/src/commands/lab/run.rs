//! `gamete lab run`: trains all members of a lab, or estimates the time that this would take.

use super::{LAST_WORDS, work};
use crate::arguments::{EnginesArg, JsonArg, OnArg, RunsArg};
use crate::commands::{Out, Run};
use crate::lab_progress::LabProgress;
use crate::numbers::whole;
use crate::signals::Stop;
use crate::words::{count, span};
use crate::{Done, Failure, tables};
use clap::Args;
use cluster::{Coordinator, SharedLab};
use lab::{Estimate, Lab, LabFolder, LabOutcome, Machine};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Train all members of a lab that are not finished
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete lab run nim-thesis --dry-run\n  gamete lab run nim-thesis\n  gamete lab run my-lab.toml --workers 8\n  gamete lab run my-lab.toml --on nats://127.0.0.1:4222\n\nAfter Ctrl-C, or if the program is killed, the same command continues where it stopped. Finished members\nare not trained again. `gamete list labs` shows the labs inside the program."
)]
pub struct LabRunArgs {
    /// A lab: the path of a file, or the name of one inside the program
    lab: String,
    /// The number of processor cores that are used [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    workers: Option<u16>,
    /// List the members and estimate their time by trying each configuration for a moment; train nothing
    #[arg(long)]
    dry_run: bool,
    /// The lab's folder [default: a folder with the lab's name in the folder of runs]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    engines: EnginesArg,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    on: OnArg,
    /// With --on: train members again that failed before. Without it they stay failed, because they may have taken
    /// machines down
    #[arg(long, requires = "on")]
    retry_failed: bool,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for LabRunArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        if self.dry_run { dry_run(out, &self, stop) } else { run(out, &self, stop) }
    }
}

/// What the members may use of this machine.
fn machine(args: &LabRunArgs) -> Result<Machine, Failure> {
    Ok(Machine { threads: args.workers.map(usize::from), engines: args.engines.by_name()?, share: None })
}

/// Returns the lab's folder.
fn folder_of(args: &LabRunArgs, lab: &Lab) -> PathBuf {
    args.out.clone().unwrap_or_else(|| args.runs.runs.join(&lab.name))
}

fn run(out: &mut impl Write, args: &LabRunArgs, stop: &Stop) -> Result<Done, Failure> {
    let lab = Lab::open(&args.lab)?;
    let folder = LabFolder::create(&lab, &folder_of(args, &lab))?;
    let options = work(&machine(args)?)?;
    for sentence in lab::skipped_opponents(&folder, &machine(args)?.engines)? {
        tell!("{sentence}");
    }
    stop.set_last_words(LAST_WORDS.to_string());
    let coordinator = elsewhere(args, &folder, stop)?;
    let mut progress = LabProgress::new(&folder);
    let outcome = match &coordinator {
        Some(coordinator) => {
            let mut shared = SharedLab::new(coordinator, &folder);
            lab::run_lab_elsewhere(&folder, &mut shared, args.retry_failed, &mut progress, stop)
        }
        None => lab::run_lab(&folder, &options, &mut progress, stop),
    };
    progress.finish();
    let outcome = outcome?;
    match args.json.json {
        true => writeln!(out, "{}", json!(outcome))?,
        false => print(out, &outcome, args)?,
    }
    Ok(match outcome.interrupted {
        true => Done::Interrupted,
        false if outcome.failed.is_empty() => Done::Well,
        false => Done::InPart,
    })
}

/// The connection to other machines, if the members are trained there. Says why if they are not.
fn elsewhere(args: &LabRunArgs, folder: &LabFolder, stop: &Stop) -> Result<Option<Coordinator>, Failure> {
    if !args.on.is_given() {
        return Ok(None);
    }
    if let Some(sentence) = lab::why_not_elsewhere(folder)? {
        tell!("{sentence}");
        return Ok(None);
    }
    Ok(args.on.coordinator(stop)?)
}

/// Prints how many members finished and failed, and the command for the report.
fn print(out: &mut impl Write, outcome: &LabOutcome, args: &LabRunArgs) -> Result<(), Failure> {
    let LabOutcome { lab, folder, members, finished, finished_before, failed, interrupted } = outcome;
    let before = match finished_before {
        0 => String::new(),
        before => format!(", {before} of them before"),
    };
    let begun = if *interrupted { "interrupted: " } else { "" };
    writeln!(
        out,
        "{begun}{finished} of {} finished{before}; runs in {}",
        count(*members as u64, "member"),
        folder.display()
    )?;
    for (member, why) in failed {
        writeln!(out, "failed: {member}: {why}")?;
    }
    if *interrupted {
        writeln!(out, "the same command continues where it stopped")?;
    }
    if !failed.is_empty() {
        let command = if args.on.is_given() { "the same command with --retry-failed" } else { "the same command" };
        writeln!(out, "{command} tries failed members again; if a run's file is damaged, remove it first")?;
    }
    let lab = if args.out.is_some() { folder.display().to_string() } else { format!("{lab}{}", args.runs.flag()) };
    writeln!(out, "gamete lab report {lab}")?;
    Ok(())
}

fn dry_run(out: &mut impl Write, args: &LabRunArgs, stop: &Stop) -> Result<Done, Failure> {
    let lab = Lab::open(&args.lab)?;
    let folder = LabFolder::plan(&lab, &folder_of(args, &lab))?;
    stop.set_last_words("ended before all configurations were tried; nothing was trained".to_string());
    let scratch = std::env::temp_dir().join(format!("gamete-lab-{}", std::process::id()));
    let bar = crate::progress::configurations_bar(lab.configurations.len() as u64);
    let found = lab::estimate(&folder, &scratch, &mut |done, _| bar.set_position(done as u64), stop);
    bar.finish_and_clear();
    // The folder holds only trials; if it cannot be removed, that does no harm.
    let _ = std::fs::remove_dir_all(&scratch);
    let found = found?;
    if stop.load(Ordering::Relaxed) {
        tell!(
            "interrupted after {} of {}; nothing was trained",
            found.len(),
            count(lab.configurations.len() as u64, "configuration")
        );
        return Ok(Done::Interrupted);
    }
    if args.json.json {
        found.iter().try_for_each(|estimate| writeln!(out, "{}", json!(estimate)))?;
    } else {
        let row = |estimate: &Estimate| {
            vec![
                estimate.configuration.clone(),
                estimate.members.to_string(),
                estimate.finished.to_string(),
                estimate.generations.to_string(),
                span(estimate.member_seconds),
                span(estimate.seconds_left),
            ]
        };
        let head = ["configuration", "members", "finished", "generations", "CPU, one", "CPU, left"];
        tables::print(out, &head, &found.iter().map(row).collect::<Vec<_>>())?;
        let left: f64 = found.iter().map(|estimate| estimate.seconds_left).sum();
        let members: usize = found.iter().map(|each| each.members - each.finished).sum();
        let workers = work(&machine(args)?)?.workers;
        writeln!(
            out,
            "{} to train: about {} of CPU time, {} on {}; growing networks take more time, runs that stop when solved take less",
            count(members as u64, "member"),
            span(left),
            span(left / workers as f64),
            count(workers as u64, "core")
        )?;
        writeln!(out, "the folder would be {}; nothing was trained", folder.path().display())?;
    }
    Ok(Done::Well)
}
