//! `gamete tune`: the evolution's own parameters, evolved.

use crate::args::{JudgeArg, TuneArgs};
use crate::labs::{LabProgress, work};
use crate::words::{count, percent};
use crate::{Done, Failure, tables};
use lab::{Error, Evidence, Experiment, Judge, LabFolder, LabWatcher, Range, Ranked, Stopped, TuneParams, TuneWatcher};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub fn tune(out: &mut impl Write, args: TuneArgs, stop: &AtomicBool) -> Result<Done, Failure> {
    // 1. What is wanted.
    let mut experiment = Experiment::open(&args.experiment)?;
    for assignment in &args.set {
        experiment.set(assignment)?;
    }
    experiment.checked_text()?;
    let ranges = args.vary.iter().map(|text| Range::parse(&experiment, text)).collect::<Result<_, Error>>()?;
    let name = args.name.clone().unwrap_or_else(|| format!("{}-tune", experiment.name));
    let params = TuneParams {
        experiment,
        ranges,
        budget: args.budget,
        candidates: args.candidates.into(),
        seeds: lab::seeds(&args.seeds)?,
        check: if args.check == "none" { Vec::new() } else { lab::seeds(&args.check)? },
        judge: match args.judge {
            JudgeArg::Games => Judge::Games,
            JudgeArg::Exam => Judge::Exam,
        },
        games: args.games,
        seed: args.seed,
    };
    let folder = lab::lab_path(&args.runs.runs, &name)?;
    let options = work(args.workers.map(usize::from))?;
    let file = args.out.clone().unwrap_or_else(|| folder.join(format!("{}-tuned.toml", params.experiment.name)));
    if let Some(parent) = args.out.as_ref().and_then(|out| out.parent()).filter(|parent| !parent.as_os_str().is_empty())
        && !parent.is_dir()
    {
        let what = format!("there is no folder {} to write {} to", parent.display(), file.display());
        return Err(Error::Refused(what).into());
    }
    if file.is_dir() {
        return Err(
            Error::Refused(format!("{} is a folder, but a file's name belongs to --out", file.display())).into()
        );
    }
    // What a tuning has written can be replaced by the next one; anything else is somebody's own.
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let is_itself = place(&file).is_some_and(|file| Some(file) == place(Path::new(&args.experiment)));
    if is_itself || std::fs::read(&file).is_ok_and(|bytes| !lab::is_tuned(&String::from_utf8_lossy(&bytes))) {
        let what = match is_itself {
            true => "is the experiment itself",
            false => "exists already, and no tuning has written it",
        };
        return Err(Error::Refused(format!("{} {what}; another --out would be right", file.display())).into());
    }
    // 2. The work.
    let Some(evidence) = lab::tune(&params, &folder, &options, &mut Telling, stop)? else {
        if args.json.json {
            writeln!(out, "{}", json!({ "experiment": params.experiment.name, "stopped": Stopped::Interrupted }))?;
        }
        tell!("interrupted; the same command goes on where it stopped");
        return Ok(Done::Interrupted);
    };
    // 3. What came of it, as a file and in words.
    let command: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    lab::write_whole(&file, evidence.text(&format!("gamete {}", command.join(" ")))?.as_bytes())?;
    match args.json.json {
        true => {
            let mut line = json!(evidence);
            line["file"] = json!(file);
            writeln!(out, "{line}")?;
        }
        false => {
            told(out, &evidence)?;
            writeln!(out, "written to {}; train it with: gamete train {}", file.display(), file.display())?;
        }
    }
    Ok(Done::Well)
}

/// A word as it can be typed again.
fn quoted(word: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn told(out: &mut impl Write, evidence: &Evidence) -> Result<(), Failure> {
    let Evidence { tried, rounds, spent, .. } = evidence;
    writeln!(
        out,
        "{} tried in {}, {spent:.1} whole runs of training; the last rung, by {}:",
        count(*tried as u64, "setting"),
        count(*rounds as u64, "round"),
        evidence.judge
    )?;
    let keys: Vec<&String> = evidence.values.keys().collect();
    let row = |ranked: &Ranked| {
        let values = keys.iter().map(|key| ranked.values.get(*key).map_or(String::new(), |value| value.to_string()));
        [ranked.candidate.clone(), percent(ranked.merit)].into_iter().chain(values).collect()
    };
    let last = |key: &&String| key.rsplit('.').next().unwrap_or(key).to_string();
    let head: Vec<String> =
        ["candidate".to_string(), "merit".to_string()].into_iter().chain(keys.iter().map(last)).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    tables::print(out, &head, &evidence.last.iter().map(row).collect::<Vec<Vec<String>>>())?;
    for (member, why) in &evidence.failed {
        writeln!(out, "failed, and counted as lost: {member}: {why}")?;
    }
    writeln!(out, "{}", evidence.in_words())?;
    Ok(())
}

/// Tells how far a tuning is.
struct Telling;

impl TuneWatcher for Telling {
    fn round(&mut self, round: usize, candidates: usize, spent: f64) {
        tell!("round {round}: {}; {spent:.1} whole runs spent", count(candidates as u64, "candidate"));
    }

    fn rung(&mut self, candidates: usize, part: u64) {
        let whole = match part {
            1 => "a whole run".to_string(),
            part => format!("1/{part} of a run"),
        };
        tell!("{}, {whole} each", count(candidates as u64, "candidate"));
    }

    fn check(&mut self, candidate: &str, seeds: usize) {
        tell!("{candidate} against the experiment as it is, on {seeds} other seeds; that is not counted in the budget");
    }

    fn training(&mut self, folder: &LabFolder) -> Box<dyn LabWatcher> {
        Box::new(LabProgress::quiet(folder))
    }
}
