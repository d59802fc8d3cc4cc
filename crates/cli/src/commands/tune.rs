//! `gamete tune`: searches for better parameters of an experiment, by evolution.

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::lab::{LAST_WORDS, work};
use crate::commands::{Out, Run};
use crate::ending::with_list_of_keys;
use crate::lab_progress::LabProgress;
use crate::numbers::{number, whole};
use crate::signals::Stop;
use crate::words::{count, percent};
use crate::{Done, Failure, tables};
use clap::{Args, ValueEnum};
use lab::{Error, Evidence, Judge, LabFolder, LabWatcher, Machine, Range, Ranked, TuneParams, TuneWatcher};
use runs::Stopped;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Search for better parameters of an experiment
#[derive(Args)]
#[command(
    after_help = "Example:\n  gamete tune nim-2x4 --vary strategy.enn.exponent=0.5..4 --vary strategy.enn.elites=0..0.3 --budget 60\n\nEach round trains all candidates for a ninth of a whole run, the better third of them for a third of a run,\nand the best of those to the end. A whole run has as many games as the experiment. Candidates are compared by\ngames between the champions that they bred; the best are the parents of the next round's candidates. At the\nend, the first of the last round is compared with the experiment as it is, on other seeds. The same command\ncontinues where it was interrupted."
)]
pub struct TuneArgs {
    /// An experiment: the path of a file, or the name of one inside the program
    experiment: String,
    /// A parameter that varies: KEY=LOW..HIGH for a number, KEY=ONE|TWO for a choice; can be given several times
    #[arg(long, value_name = "KEY=VALUES", required = true)]
    vary: Vec<String>,
    /// The amount of training, in whole runs of the experiment; at least one round (9 with the defaults); the comparison at
    /// the end is not counted
    #[arg(long, value_name = "RUNS", value_parser = number)]
    budget: f64,
    /// The number of candidates in each round
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = whole::<u16>(3..=1000))]
    candidates: u16,
    /// The seeds with which candidates are compared: A-B, or A,B,C
    #[arg(long, value_name = "A-B", default_value = "1001-1003")]
    seeds: String,
    /// The seeds of the comparison with the experiment as it is, at the end; `none` leaves it out
    #[arg(long, value_name = "A-B", default_value = "2001-2010")]
    check: String,
    /// How candidates are compared
    #[arg(long, value_enum, default_value_t = JudgeArg::Games)]
    judge: JudgeArg,
    /// The number of games between each two champions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = whole::<u32>(2..=100_000))]
    games: u32,
    /// The seed of the random choice of candidates
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Override a parameter for all candidates; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The number of processor cores that are used [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    workers: Option<u16>,
    /// The name of the tuning, and of its folder in the folder of runs [default: the experiment's name and -tune]
    #[arg(long)]
    name: Option<String>,
    /// The file for the experiment with the settings that were found [default: EXPERIMENT-tuned.toml in the tuning's folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum JudgeArg {
    /// By games between the champions that they bred
    Games,
    /// By the grades of their champions; the exam is then no longer an independent test of the result
    Exam,
}

impl Run for TuneArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        tune(out, self, stop)
    }
}

fn tune(out: &mut impl Write, args: TuneArgs, stop: &Stop) -> Result<Done, Failure> {
    // 1. The parameters of the tuning.
    let mut experiment = runs::open_experiment(&args.experiment)?;
    let with_list = |error: Error, experiment: &_, texts: &[String]| {
        with_list_of_keys(error, experiment, &args.experiment, texts.iter())
    };
    if let Err(error) = experiment.set(&args.set) {
        return Err(with_list(error.into(), &experiment, &args.set).into());
    }
    let ranges: Result<_, Error> = args.vary.iter().map(|text| Range::parse(&experiment, text)).collect();
    let ranges = ranges.map_err(|error| with_list(error, &experiment, &args.vary))?;
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
    let options = work(&Machine { threads: args.workers.map(usize::from), ..Machine::default() })?;
    let file = args.out.clone().unwrap_or_else(|| folder.join(format!("{}-tuned.toml", params.experiment.name)));
    if let Some(parent) = args.out.as_ref().and_then(|out| out.parent()).filter(|parent| !parent.as_os_str().is_empty())
        && !parent.is_dir()
    {
        let what = format!("there is no folder {} to write {} to", parent.display(), file.display());
        return Err(Error::refused(what).into());
    }
    if file.is_dir() {
        return Err(Error::refused(format!("--out: {} is a folder; give the name of a file", file.display())).into());
    }
    // Only a file that a tuning has written is replaced.
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let is_itself = place(&file).is_some_and(|file| Some(file) == place(Path::new(&args.experiment)));
    if is_itself || runs::read_bytes(&file).is_ok_and(|bytes| !lab::is_tuned(&String::from_utf8_lossy(&bytes))) {
        let what = match is_itself {
            true => "is the experiment itself",
            false => "exists already, and was not written by a tuning",
        };
        return Err(Error::refused(format!("{} {what}; choose another --out", file.display())).into());
    }
    // 2. The work.
    stop.set_last_words(LAST_WORDS.to_string());
    let Some(evidence) = lab::tune(&params, &folder, &options, &mut Telling, stop)? else {
        if args.json.json {
            writeln!(out, "{}", json!({ "experiment": params.experiment.name, "stopped": Stopped::Interrupted }))?;
        }
        tell!("interrupted; the same command continues where it stopped");
        return Ok(Done::Interrupted);
    };
    // 3. The result, as a file and in words.
    let command: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    runs::write_whole(&file, evidence.text(&format!("gamete {}", command.join(" "))).as_bytes())?;
    match args.json.json {
        true => {
            let mut line = json!(evidence);
            line["file"] = json!(file);
            writeln!(out, "{line}")?;
        }
        false => {
            print(out, &evidence)?;
            writeln!(out, "written to {}; train it with: gamete train {}", file.display(), file.display())?;
        }
    }
    Ok(Done::Well)
}

/// Quotes a word of a command line if a shell needs that.
fn quoted(word: String) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Prints the last stage of the tuning and the comparison at its end.
fn print(out: &mut impl Write, evidence: &Evidence) -> Result<(), Failure> {
    let Evidence { tried, rounds, spent, .. } = evidence;
    writeln!(
        out,
        "{} tried in {}, {spent:.1} whole runs of training",
        count(*tried as u64, "setting"),
        count(*rounds as u64, "round")
    )?;
    let merit = match evidence.judge {
        "games" => "share of points against each other",
        _ => "mean grade in the exam",
    };
    writeln!(out, "the last stage ({merit}; `own` is the experiment as it is):")?;
    let keys: Vec<&String> = evidence.values.keys().collect();
    let row = |ranked: &Ranked| {
        let values = keys.iter().map(|key| ranked.values.get(*key).map_or(String::new(), |value| value.to_string()));
        [ranked.candidate.clone(), percent(ranked.merit)].into_iter().chain(values).collect()
    };
    let last = |key: &&String| key.rsplit('.').next().unwrap_or(key).to_string();
    let head: Vec<String> =
        ["candidate".to_string(), if evidence.judge == "games" { "points" } else { "grade" }.to_string()]
            .into_iter()
            .chain(keys.iter().map(last))
            .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    tables::print(out, &head, &evidence.last.iter().map(row).collect::<Vec<Vec<String>>>())?;
    for (member, why) in &evidence.failed {
        writeln!(out, "failed, and counted as lost: {member}: {why}")?;
    }
    writeln!(out, "{}", evidence.in_words())?;
    Ok(())
}

/// Prints the progress of a tuning on standard error.
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
        tell!(
            "comparing {candidate} with the experiment as it is, on {seeds} other seeds; this is not counted in the budget"
        );
    }

    fn training(&mut self, folder: &LabFolder) -> Box<dyn LabWatcher> {
        Box::new(LabProgress::quiet(folder))
    }
}
