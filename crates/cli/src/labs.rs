//! `gamete lab`: many runs, unattended, and what came of them.

mod progress;

pub use progress::LabProgress;

use crate::args::{LabCommand, LabMemberArgs, LabReportArgs, LabRunArgs};
use crate::words::{count, span};
use crate::{Done, Failure, tables};
use lab::{Estimate, Lab, LabFolder, LabOutcome, Stopped, WorkOptions};
use serde_json::json;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a command of `gamete lab`.
pub fn lab(out: &mut impl Write, command: LabCommand, stop: &Arc<AtomicBool>) -> Result<Done, Failure> {
    match command {
        LabCommand::Run(args) if args.dry_run => dry_run(out, &args, stop),
        LabCommand::Run(args) => run(out, &args, stop),
        LabCommand::Report(args) => report(out, &args),
        LabCommand::Member(args) => member(&args, stop),
    }
}

/// How members are trained: by this program, on so many cores, or on all.
pub fn work(cores: Option<usize>) -> Result<WorkOptions, Failure> {
    let all = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let program = std::env::current_exe().map_err(Failure::Output)?;
    Ok(WorkOptions { program, workers: cores.unwrap_or_else(all) })
}

/// Where the lab is kept.
fn folder_of(args: &LabRunArgs, lab: &Lab) -> std::path::PathBuf {
    args.out.clone().unwrap_or_else(|| args.runs.runs.join(&lab.name))
}

fn run(out: &mut impl Write, args: &LabRunArgs, stop: &AtomicBool) -> Result<Done, Failure> {
    let lab = Lab::open(&args.lab)?;
    let folder = LabFolder::create(&lab, &folder_of(args, &lab))?;
    let options = work(args.workers.map(usize::from))?;
    let mut progress = LabProgress::new(&folder);
    let outcome = lab::run_lab(&folder, &options, &mut progress, stop);
    progress.finish();
    let outcome = outcome?;
    match args.json.json {
        true => writeln!(out, "{}", json!(outcome))?,
        false => told(out, &outcome, args)?,
    }
    Ok(match outcome.interrupted {
        true => Done::Interrupted,
        false if outcome.failed.is_empty() => Done::Well,
        false => Done::InPart,
    })
}

fn told(out: &mut impl Write, outcome: &LabOutcome, args: &LabRunArgs) -> Result<(), Failure> {
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
        writeln!(out, "the same command goes on where it stopped")?;
    }
    if !failed.is_empty() {
        writeln!(out, "the same command tries what failed again; where a run's file is damaged, once that is removed")?;
    }
    let lab = if args.out.is_some() { folder.display().to_string() } else { format!("{lab}{}", args.runs.flag()) };
    writeln!(out, "gamete lab report {lab}")?;
    Ok(())
}

fn dry_run(out: &mut impl Write, args: &LabRunArgs, stop: &AtomicBool) -> Result<Done, Failure> {
    let lab = Lab::open(&args.lab)?;
    let folder = LabFolder::plan(&lab, &folder_of(args, &lab))?;
    let scratch = std::env::temp_dir().join(format!("gamete-lab-{}", std::process::id()));
    let bar = crate::progress::configurations_bar(lab.configurations.len() as u64);
    let found = lab::estimate(&folder, &scratch, &mut |done, _| bar.set_position(done as u64), stop);
    bar.finish_and_clear();
    // It can be thrown away; where that fails, nothing is lost.
    let _ = std::fs::remove_dir_all(&scratch);
    let found = found?;
    if stop.load(Ordering::Relaxed) {
        tell!(
            "interrupted after {} of {}; nothing was run",
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
        let workers = work(args.workers.map(usize::from))?.workers;
        writeln!(
            out,
            "{} to run: about {} of CPU time, {} on {}; networks that grow take more, runs that stop when solved less",
            count(members as u64, "member"),
            span(left),
            span(left / workers as f64),
            count(workers as u64, "core")
        )?;
        writeln!(out, "they would be in {}; nothing was run", folder.path().display())?;
    }
    Ok(Done::Well)
}

fn report(out: &mut impl Write, args: &LabReportArgs) -> Result<Done, Failure> {
    let folder = LabFolder::find(&args.runs.runs, &args.lab)?;
    let into = args.out.clone().unwrap_or_else(|| folder.path().join("report"));
    let written = lab::write_report(&folder.comparison(), &into, &mut |step| tell!("{step}"))?;
    match args.json.json {
        true => writeln!(out, "{}", json!(written))?,
        false => {
            writeln!(
                out,
                "{}, {} and {} of {}",
                written.page.display(),
                count(written.figures.len() as u64 / 2, "figure"),
                count(written.tables.len() as u64 / 2, "table"),
                folder.name()
            )?;
            writeln!(out, "{} in {}", count(written.rows, "generation"), written.generations.display())?;
        }
    }
    Ok(Done::Well)
}

/// Trains one member; stops when standard input ends, because then whoever started it is gone.
fn member(args: &LabMemberArgs, stop: &Arc<AtomicBool>) -> Result<Done, Failure> {
    let folder = LabFolder::open(&args.folder)?;
    let ended = Arc::clone(stop);
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ended.store(true, Ordering::SeqCst);
    });
    let mut tell = |line: lab::MemberLine| {
        // Whoever listened may be gone; then standard input ends, too.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{}", json!(line)).and_then(|()| out.flush());
    };
    let threads = args.threads.count().unwrap_or(1);
    let stopped = lab::train_member(&folder, &args.member, args.generations, threads, &mut tell, stop)?;
    Ok(if stopped == Stopped::Interrupted { Done::Interrupted } else { Done::Well })
}
