//! Trains several populations of one experiment, and chooses the best champion by games between the champions.

use super::comparison::MemberState;
use super::file::{Configuration, Islands, Lab, LabKind};
use super::folder::LabFolder;
use crate::Error;
use chance::rng_for;
use players::{Context, CrosstableParams, MatchWatcher, PlayerSpec, SearchOptions, crosstable, pairs_of};
use runs::{RunFile, RunLock};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use trainer::{ExperimentFile, checked_name, name_from};

/// The stream of random numbers from which the seeds of populations are drawn.
const SEEDS: u64 = 101;
/// Drawn seeds are smaller than this, so that they are easy to read.
const MOST_SEED: usize = 1_000_000_000;

/// Makes a lab of `count` populations. The first has the experiment's own seed, so it equals the run of a plain
/// training. The seeds of the others are drawn from it.
pub fn populations(
    experiment: ExperimentFile,
    runs: &Path,
    name: Option<&str>,
    count: usize,
    islands: Option<Islands>,
) -> Result<LabFolder, Error> {
    let name = match name {
        Some(name) => {
            checked_name(name)?;
            if is_taken(runs, name) {
                return Err(Error::NameTaken { name: name.to_string(), folder: runs.to_path_buf() });
            }
            name.to_string()
        }
        None => free_name(runs, &name_from(&experiment.name)),
    };
    let seed = experiment.value("seed").ok().and_then(toml::Value::as_integer).unwrap_or(0);
    let drawn = |number: usize| rng_for(seed as u64, &[SEEDS, number as u64]).below(MOST_SEED) as u64;
    let seeds = (0..count).map(|number| if number == 0 { seed as u64 } else { drawn(number) }).collect();
    let configuration = Configuration {
        name: "population".to_string(),
        group: String::new(),
        is_baseline: false,
        experiment,
        seeds,
        islands,
    };
    let lab = Lab {
        name: name.clone(),
        kind: LabKind::Populations,
        about: format!("{count} populations of one experiment."),
        measures: vec!["grade".to_string()],
        last: 1,
        configurations: vec![configuration],
    };
    lab.checked(&[]).map_err(Error::refused)?;
    LabFolder::create(&lab, &runs.join(name))
}

/// The first name with a number that neither a run nor a lab has.
fn free_name(runs: &Path, stem: &str) -> String {
    let mut names = (1u64..).map(|number| format!("{stem}-{number}"));
    names.find(|name| !is_taken(runs, name)).expect("there is always another number")
}

/// Whether a run or a lab has this name. A folder with only hidden files remains when the program was killed before it
/// wrote `lab.json`; its name is free.
fn is_taken(runs: &Path, name: &str) -> bool {
    let folder = runs.join(name);
    let is_hidden = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."))
    };
    let is_left = std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.all(is_hidden));
    runs.join(format!("{name}.db")).exists() || (folder.exists() && !is_left)
}

/// A population with the result of its champion against the other champions.
#[derive(Clone, Debug, Serialize)]
pub struct Finalist {
    /// The run's name.
    pub member: String,
    /// The run's seed.
    pub seed: u64,
    /// Its champion's share of points in games against all other champions.
    pub share: f64,
    /// The grade of its newest exam, for information; only games decide which is best.
    pub grade: Option<f64>,
    /// The generation of that exam, if the last generation took none.
    pub older_exam: Option<u64>,
}

/// Plays games between the champions of all finished populations. Returns the populations, the best first; equal ones
/// stay in their order. Returns `None` if it was interrupted. `tell` receives the number of games played and of all.
pub fn finalists(
    folder: &LabFolder,
    games: u32,
    threads: Option<usize>,
    stop: &AtomicBool,
    tell: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Option<Vec<Finalist>>, Error> {
    let comparison = folder.comparison();
    let finished: Vec<_> = comparison.members().filter(|member| member.state == MemberState::Finished).collect();
    let mut found = Vec::new();
    let mut players = Vec::new();
    let mut game = String::new();
    for member in &finished {
        let run = RunFile::open(&member.file)?;
        let content = runs::look_at_run(&run)?;
        let (grade, older_exam) = (content.exam.as_ref().map(|exam| exam.grade()), content.older_exam());
        game = content.info.game;
        found.push(Finalist { member: member.name.clone(), seed: member.seed, share: 0.0, grade, older_exam });
        players.push(PlayerSpec::run(member.file.display().to_string(), None, SearchOptions::default()));
    }
    if found.len() > 1 {
        let context = Context::new(folder.path(), Path::new(""), &|_| ());
        let params = CrosstableParams {
            game: &game,
            players: &players,
            games,
            plies: None,
            seed: 1,
            threads,
            context: &context,
        };
        let all = pairs_of(players.len()).len() as u64 * u64::from(games).next_multiple_of(2);
        let mut watcher = Counting { tell, all, before: 0, now: (0, 0) };
        let table = crosstable(&params, stop, &mut watcher)?;
        if table.interrupted {
            return Ok(None);
        }
        found.iter_mut().zip(table.shares(players.len())).for_each(|(finalist, share)| finalist.share = share);
    }
    // A stable sort: equal ones stay in their order.
    found.sort_by(|one, two| two.share.total_cmp(&one.share));
    Ok(Some(found))
}

/// Counts the games of all matches.
struct Counting<'a> {
    tell: &'a mut (dyn FnMut(u64, u64) + Send),
    all: u64,
    before: u64,
    now: (usize, u64),
}

impl MatchWatcher for Counting<'_> {
    fn begin(&mut self, _: usize) {}

    fn score(&mut self, pair: usize, score: &arena::MatchScore) {
        if pair != self.now.0 {
            self.before += self.now.1;
        }
        self.now = (pair, u64::from(score.games()));
        (self.tell)(self.before + self.now.1, self.all);
    }
}

/// The run beside the folder of several populations, which has the folder's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crowned {
    /// A copy of the best population's run.
    Best(PathBuf),
    /// An existing run that is not a copy of one of the populations, or was resumed since. It was not replaced.
    Kept(PathBuf),
}

/// Copies the best population's run to a file beside the folder, with the folder's name.
pub fn crown(folder: &LabFolder, best: &Finalist, all: &[Finalist]) -> Result<Crowned, Error> {
    let name = folder.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let file = folder.path().with_file_name(format!("{name}.db"));
    let _lock = RunLock::take(&file)?;
    if file.exists() {
        // An existing file may be replaced if one of the populations contains its last generation.
        let last = RunFile::open(&file)?.last_report()?.map(|report| report.signature);
        let holds = |member: &Finalist| match &last {
            Some(last) => RunFile::open(&folder.file(&member.member))?.has_signature(last),
            None => Ok(true),
        };
        if !all.iter().map(holds).collect::<Result<Vec<bool>, Error>>()?.contains(&true) {
            return Ok(Crowned::Kept(file));
        }
    }
    let run = RunFile::open(&folder.file(&best.member))?;
    // The other islands stay in the folder. Their path is changed, so that the copy can be resumed.
    let mut experiment = run.info()?.experiment_file(run.path())?;
    if let Ok(toml::Value::String(from)) = experiment.value("migration.from") {
        experiment = experiment.with_values(&[("migration.from", format!("{name}/{from}").into())])?;
    }
    run.copy_to(&file, &experiment.canonical())?;
    Ok(Crowned::Best(file))
}
