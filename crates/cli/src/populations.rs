//! `gamete train --populations N`: several populations, and the best champion of all.

use crate::args::{ResumeArgs, RunsArg, TrainArgs};
use crate::labs::{LabProgress, work};
use crate::words::percent;
use crate::{Done, Failure, progress, tables};
use lab::{Crowned, ExperimentFile, Finalist, Islands, LabFolder, LabKind, Stopped};
use serde_json::json;
use std::io::Write;
use std::sync::atomic::AtomicBool;

/// How many games the champions of each two populations play.
const GAMES: u32 = 100;

/// Breeds all populations and takes the best champion.
pub fn train(
    out: &mut impl Write,
    experiment: ExperimentFile,
    args: &TrainArgs,
    stop: &AtomicBool,
) -> Result<Done, Failure> {
    let count = usize::from(args.populations.unwrap_or(2));
    let islands = args.migrate_every.map(|every| Islands { every, count: args.migrants.into() });
    let folder = lab::populations(experiment, &args.runs.runs, args.name.as_deref(), count, islands)?;
    breed(out, &folder, args.threads.count(), &args.runs, args.json.json, stop)
}

/// Whether the name to be resumed is that of several populations. With a number of generations it is that of the best one's
/// run, where there is one.
pub fn are_meant(args: &ResumeArgs) -> bool {
    let path = args.runs.runs.join(&args.run);
    let crowned = args.generations.is_some() && args.runs.runs.join(format!("{}.db", args.run)).exists();
    !crowned && LabFolder::open(&path).is_ok_and(|lab| lab.kind() == LabKind::Populations)
}

/// Goes on with several populations.
pub fn resume(out: &mut impl Write, args: &ResumeArgs, stop: &AtomicBool) -> Result<Done, Failure> {
    if args.generations.is_some() {
        let what = format!(
            "the populations of `{}` have as many generations as they were begun with; without --generations would be right",
            args.run
        );
        return Err(lab::Error::Refused(what).into());
    }
    let folder = LabFolder::open(&args.runs.runs.join(&args.run))?;
    breed(out, &folder, args.threads.count(), &args.runs, args.json.json, stop)
}

fn breed(
    out: &mut impl Write,
    folder: &LabFolder,
    threads: Option<usize>,
    runs: &RunsArg,
    json: bool,
    stop: &AtomicBool,
) -> Result<Done, Failure> {
    // 1. All populations, to their ends.
    let mut bars = LabProgress::new(folder);
    let outcome = lab::run_lab(folder, &work(threads)?, &mut bars, stop);
    bars.finish();
    let outcome = outcome?;
    let interrupted = |out: &mut dyn Write| match json {
        true => writeln!(out, "{}", json!({ "run": outcome.lab, "stopped": Stopped::Interrupted, "lab": outcome })),
        false => Ok(()),
    };
    if outcome.interrupted {
        interrupted(out)?;
        tell!("interrupted; go on with: gamete resume {}{}", outcome.lab, runs.flag());
        return Ok(Done::Interrupted);
    }
    if outcome.finished == 0 {
        let why = outcome.failed.first().map_or("no population came to its end", |(_, why)| why);
        return Err(lab::Error::Refused(why.to_string()).into());
    }
    // 2. Games between their champions.
    let bar = progress::games_bar(0);
    let found = lab::finalists(folder, GAMES, threads, stop, &mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let Some(finalists) = found? else {
        interrupted(out)?;
        tell!("interrupted; the games between champions are played by: gamete resume {}{}", outcome.lab, runs.flag());
        return Ok(Done::Interrupted);
    };
    // 3. The best run, as if it had been the only one.
    let file = match lab::crown(folder, &finalists[0], &finalists)? {
        Crowned::Best(file) => file,
        Crowned::Kept(file) => {
            let best = folder.file(&finalists[0].member);
            let what = format!(
                "{} stays as it is, as it has gone on since or is another run; the best of all populations is {}",
                file.display(),
                best.display()
            );
            return Err(lab::Error::Refused(what).into());
        }
    };
    let summary = lab::summary(&runs.runs, &file.display().to_string(), threads)?;
    if json {
        let mut line = json!(summary);
        line["populations"] = json!(finalists);
        line["failed"] = json!(outcome.failed);
        writeln!(out, "{line}")?;
        return Ok(Done::Well);
    }
    for (member, why) in &outcome.failed {
        writeln!(out, "failed: {member}: {why}")?;
    }
    writeln!(out, "champions of {} populations against each other, {GAMES} games for each two:", finalists.len())?;
    let row = |(rank, finalist): (usize, &Finalist)| {
        let grade = finalist.grade.map_or("-".to_string(), percent);
        vec![(rank + 1).to_string(), finalist.member.clone(), percent(finalist.share), grade]
    };
    let rows: Vec<Vec<String>> = finalists.iter().enumerate().map(row).collect();
    tables::print(out, &["", "population", "points", "grade"], &rows)?;
    let level = finalists.iter().filter(|finalist| finalist.share == finalists[0].share).count();
    let best = match level {
        1 => "the best".to_string(),
        level => format!("{level} are equally good; the first of them"),
    };
    writeln!(out, "{best} is kept as {}; all are in {}\n", summary.run, folder.path().display())?;
    crate::trained(out, summary, runs, false)
}
