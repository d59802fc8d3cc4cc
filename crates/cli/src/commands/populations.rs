//! `gamete train --populations N` and its resumption: breeds several populations and takes the best champion of all.

use crate::arguments::RunsArg;
use crate::commands::lab::work;
use crate::lab_progress::LabProgress;
use crate::signals::Stop;
use crate::summary::trained;
use crate::words::percent;
use crate::{Done, Failure, grades, progress, tables};
use lab::{Crowned, Finalist, LabFolder, LabKind, Machine};
use runs::Stopped;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// The number of games between the champions of each two populations.
const GAMES: u32 = 100;

/// Whether `gamete resume` with this name means several populations. With a number of generations, the name means the run
/// of the best population, if there is one.
pub fn are_meant(runs: &Path, run: &str, generations: Option<u64>) -> bool {
    let path = runs.join(run);
    let crowned = generations.is_some() && runs.join(format!("{run}.db")).exists();
    !crowned && LabFolder::open(&path).is_ok_and(|lab| lab.kind() == LabKind::Populations)
}

/// Breeds all populations to their ends, plays games between their champions, and keeps the run of the best one.
pub fn breed(
    out: &mut impl Write,
    folder: &LabFolder,
    machine: &Machine,
    runs: &RunsArg,
    json: bool,
    stop: &Stop,
) -> Result<Done, Failure> {
    // 1. All populations, to their ends.
    stop.set_last_words(format!(
        "ended before the current generations were done; every population is complete up to the generation before; continue with: gamete resume {}{}",
        folder.name(),
        runs.flag()
    ));
    let mut bars = LabProgress::new(folder);
    let outcome = lab::run_lab(folder, &work(machine)?, &mut bars, stop);
    bars.finish();
    let outcome = outcome?;
    let interrupted = |out: &mut dyn Write| match json {
        true => writeln!(out, "{}", json!({ "run": outcome.lab, "stopped": Stopped::Interrupted, "lab": outcome })),
        false => Ok(()),
    };
    if outcome.interrupted {
        interrupted(out)?;
        tell!("interrupted; continue with: gamete resume {}{}", outcome.lab, runs.flag());
        return Ok(Done::Interrupted);
    }
    if outcome.finished == 0 {
        let why = outcome.failed.first().map_or("no population finished", |(_, why)| why);
        return Err(lab::Error::refused(why.to_string()).into());
    }
    // 2. Games between their champions.
    let bar = progress::games_bar(0);
    let found = lab::finalists(folder, GAMES, machine.threads, stop, &mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let Some(finalists) = found? else {
        interrupted(out)?;
        tell!("interrupted; play the games between champions with: gamete resume {}{}", outcome.lab, runs.flag());
        return Ok(Done::Interrupted);
    };
    // 3. The run of the best population, as if it had been the only one.
    let file = match lab::crown(folder, &finalists[0], &finalists)? {
        Crowned::Best(file) => file,
        Crowned::Kept(file) => {
            let best = folder.file(&finalists[0].member);
            let what = format!(
                "{} was not replaced, because it was continued since, or is another run; the run of the best population is {}",
                file.display(),
                best.display()
            );
            return Err(lab::Error::refused(what).into());
        }
    };
    let summary = lab::summary(&runs.runs, &file.display().to_string(), machine.threads)?;
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
        let grade = finalist.grade.map_or("-".to_string(), |grade| grades::grade(grade, finalist.older_exam));
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
    trained(out, summary, runs, false)
}
