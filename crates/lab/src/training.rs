//! Training from start to stop: a trainer, its file, its clock, and whoever watches.

use crate::memory::{Promise, promised_memory};
use crate::{Error, growth};
use arena::{Exam, cores};
use cpu_time::ProcessTime;
use runs::{Final, RunFile, RunInfo, RunLock, Stopped, Times, check_one_name, run_path};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};
use trainer::{AnyTrainer, ExperimentFile, Report, checked_name, name_from};

/// How to train, beside what the experiment says.
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// The folder of runs.
    pub runs: PathBuf,
    /// The run's name; without one it is called after its experiment and a number.
    pub name: Option<String>,
    /// Replace a run of that name.
    pub force: bool,
    /// How many threads share the work; all cores when not given.
    pub threads: Option<usize>,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        TrainOptions { runs: "runs".into(), name: None, force: false, threads: None }
    }
}

/// Watches a training.
pub trait Watcher: Send {
    /// It begins, or goes on after so many generations, toward so many in all.
    fn begin(&mut self, run: &str, file: &Path, done: u64, generations: u64);
    /// A generation has been played and saved; the run has been trained for so long.
    fn generation(&mut self, report: &Report, times: Times);
    /// The run is over, and so many of so many games of its last champion have been played.
    fn finals(&mut self, done: u64, games: u64);
}

/// Nobody watches.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn begin(&mut self, _: &str, _: &Path, _: u64, _: u64) {}
    fn generation(&mut self, _: &Report, _: Times) {}
    fn finals(&mut self, _: u64, _: u64) {}
}

/// What came of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The run's name.
    pub run: String,
    /// Its file.
    pub file: PathBuf,
    /// The experiment's name.
    pub experiment: String,
    /// The seed of all chance.
    pub seed: u64,
    /// Generations played, in all.
    pub generations: u64,
    /// The first generation whose champion was perfect in every position.
    pub first_solved: Option<u64>,
    /// Why it stopped.
    pub stopped: Stopped,
    /// Games played for scores.
    pub games: u64,
    /// Games that were not played because the same two had met before from the same start.
    pub reused: u64,
    /// Positions judged by networks.
    pub evaluations: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// Seconds of processor time.
    pub cpu_seconds: f64,
    /// The last champion.
    pub champion: Option<ChampionSummary>,
    /// Its grades.
    pub exam: Option<Exam>,
    /// Its matches when the run was over, where the experiment asks for some.
    pub finals: Vec<Final>,
    /// Whether these were broken off; to resume the run plays them.
    pub finals_broken_off: bool,
    /// Equal signature, equal run.
    pub signature: String,
}

/// The last champion.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ChampionSummary {
    /// Of which generation.
    pub generation: u64,
    /// Its score.
    pub score: f64,
    /// Its hidden nodes.
    pub hidden: u64,
    /// Its edges.
    pub edges: u64,
}

/// Trains an experiment from its beginning. `stop` may be set at any time; the generation under way is finished.
pub fn train(
    experiment: ExperimentFile,
    options: &TrainOptions,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Summary, Error> {
    let rules = experiment.rules();
    let info = RunInfo {
        experiment: experiment.name.clone(),
        parameters: experiment.canonical(),
        game: experiment.game().to_string(),
        strategy: rules.strategy.info().name.to_string(),
        seed: rules.seed,
        program: env!("CARGO_PKG_VERSION").to_string(),
        created: SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64),
        stopped: None,
        upgraded: None,
    };
    let threads = cores(options.threads);
    let promise = promised_memory(&experiment, threads)?;
    let (path, lock) = reserve(options, &info.experiment)?;
    let trainer = experiment.trainer(threads);
    let run = RunFile::create(&path, &info, &trainer.population(), trainer.signature())?;
    let work = ActiveRun { run, _lock: lock, info, experiment, trainer, threads, _promise: promise };
    work.go_on(watcher, stop)
}

/// Goes on with a run, up to `generations` in all where that is given.
pub fn resume(
    runs: &Path,
    run: &str,
    generations: Option<u64>,
    threads: Option<usize>,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Summary, Error> {
    let path = run_path(runs, run)?;
    // Looked at first, so that what is no run gets no lock.
    RunFile::open(&path)?.info()?;
    let lock = RunLock::take(&path)?;
    check_one_name(&path)?;
    let run = RunFile::open_to_write(&path)?;
    ActiveRun::restore(run, lock, generations, threads)?.go_on(watcher, stop)
}

/// What came of a run so far. It is not trained on, even if that could be.
pub fn summary(runs: &Path, run: &str, threads: Option<usize>) -> Result<Summary, Error> {
    let path = run_path(runs, run)?;
    RunFile::open(&path)?.info()?;
    let lock = RunLock::take(&path)?;
    ActiveRun::restore(RunFile::open(&path)?, lock, None, threads)?.told()
}

/// A run that this process may write.
struct ActiveRun {
    run: RunFile,
    _lock: RunLock,
    info: RunInfo,
    experiment: ExperimentFile,
    trainer: Box<dyn AnyTrainer>,
    threads: usize,
    // Given back last, when the memory is free again.
    _promise: Promise,
}

impl ActiveRun {
    /// A run as it was left, to go on up to so many generations, where that is given.
    fn restore(
        run: RunFile,
        lock: RunLock,
        generations: Option<u64>,
        threads: Option<usize>,
    ) -> Result<ActiveRun, Error> {
        // Whoever trained it until now may have moved its aim: read under the lock.
        let info = run.info()?;
        let mut experiment = info.experiment_file(run.path())?;
        let threads = cores(threads);
        let promise = promised_memory(&experiment, threads)?;
        let checkpoint = run.checkpoint()?;
        let done = checkpoint.fingerprints.len() as u64;
        if let Some(generations) = generations {
            if generations < done {
                return Err(Error::refused(format!(
                    "the run `{}` has {done} generations already, so it cannot be resumed to {generations} in all; give a number from {done} up",
                    run.name()
                )));
            }
            // More than a file can say would make it unreadable.
            let Ok(aim) = i64::try_from(generations) else {
                return Err(Error::refused(format!(
                    "{generations} generations are too many; at most {} can be",
                    i64::MAX
                )));
            };
            // Who asks for more of a run that has stopped because it is solved wants more.
            let goes_on = generations > done && info.stopped == Some(Stopped::Solved);
            let unsolved = goes_on.then_some(("stop.solved", false.into()));
            let values: Vec<_> = [("stop.generations", aim.into())].into_iter().chain(unsolved).collect();
            experiment = experiment.with_values(&values)?;
        }
        let broken =
            |error: evolution::NetworkError| Error::NotARun { file: run.path().to_path_buf(), why: error.to_string() };
        let trainer = experiment.restore(threads, checkpoint).map_err(broken)?;
        Ok(ActiveRun { run, _lock: lock, info, experiment, trainer, threads, _promise: promise })
    }

    /// What came of it until now.
    fn told(self) -> Result<Summary, Error> {
        let (last, first_solved, finals) = (self.run.last_report()?, self.run.first_solved()?, self.run.finals()?);
        let times = self.run.times()?;
        let stopped = self.info.stopped.unwrap_or(Stopped::Interrupted);
        self.summary(last, first_solved, stopped, times, Some(finals))
    }

    fn go_on(mut self, watcher: &mut dyn Watcher, stop: &AtomicBool) -> Result<Summary, Error> {
        let rules = self.experiment.rules().stop;
        let mut last = self.run.last_report()?;
        let mut first_solved = self.run.first_solved()?;
        let before = self.run.times()?;
        let (clock, processor) = (Instant::now(), ProcessTime::now());
        let times = || Times {
            seconds: before.seconds + clock.elapsed().as_secs_f64(),
            cpu_seconds: before.cpu_seconds + processor.elapsed().as_secs_f64(),
        };
        self.run.set_training(&self.experiment.canonical(), self.trainer.generation())?;
        let mut begun = false;
        let stopped = loop {
            let reason = match &last {
                Some(report) if rules.solved && is_solved(report) => Some(Stopped::Solved),
                _ if self.trainer.generation() >= rules.generations => Some(Stopped::Generations),
                _ if stop.load(Ordering::Relaxed) => Some(Stopped::Interrupted),
                _ if rules.seconds > 0.0 && clock.elapsed().as_secs_f64() >= rules.seconds => Some(Stopped::Time),
                _ => None,
            };
            if let Some(reason) = reason {
                break reason;
            }
            if !begun {
                begun = true;
                watcher.begin(&self.run.name(), self.run.path(), self.trainer.generation(), rules.generations);
            }
            if !self.take_in_migrants(stop)? {
                break Stopped::Interrupted;
            }
            let generation = self.trainer.step(&self.run)?;
            let taken = times();
            self.run.append(&generation, taken)?;
            watcher.generation(&generation.report, taken);
            if first_solved.is_none() && is_solved(&generation.report) {
                first_solved = Some(generation.report.generation);
            }
            last = Some(generation.report);
        };
        self.run.set_stopped(stopped, self.trainer.generation())?;
        let times = times();
        let is_whole = matches!(stopped, Stopped::Generations | Stopped::Solved);
        let finals = if is_whole { self.finals(watcher, stop, begun)? } else { Some(Vec::new()) };
        self.summary(last, first_solved, stopped, times, finals)
    }

    /// Where migrants are due before the next generation, they join it; waits until the other population has bred them.
    /// Whether it was not told to stop meanwhile.
    fn take_in_migrants(&mut self, stop: &AtomicBool) -> Result<bool, Error> {
        let generation = self.trainer.generation();
        let Some(migration) = self.experiment.rules().migration else { return Ok(true) };
        if generation == 0 || !generation.is_multiple_of(migration.every) {
            return Ok(true);
        }
        let file = self.run.path().with_file_name(format!("{}.db", migration.from));
        loop {
            if let Some(migrants) = runs::migrants(&file, generation, migration.count)? {
                if !self.trainer.receive(&migrants) {
                    let why = "its networks have another form, and cannot join another population".to_string();
                    return Err(Error::NotARun { file, why });
                }
                return Ok(true);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The last champion's matches, played and kept if they have not been; nothing if they are broken off.
    fn finals(
        &mut self,
        watcher: &mut dyn Watcher,
        stop: &AtomicBool,
        begun: bool,
    ) -> Result<Option<Vec<Final>>, Error> {
        let (games, known) = (self.experiment.rules().record.final_games, self.run.finals()?);
        if games == 0 || self.trainer.generation() == 0 || !known.is_empty() {
            return Ok(Some(known));
        }
        if !begun {
            let generation = self.trainer.generation();
            watcher.begin(&self.run.name(), self.run.path(), generation, self.experiment.rules().stop.generations);
        }
        let tell = &mut |done: u64, all: u64| watcher.finals(done, all);
        let finals = growth::finals(&self.run, games, self.threads, stop, tell)?;
        if let Some(finals) = &finals {
            self.run.set_finals(finals)?;
        }
        Ok(finals)
    }

    fn summary(
        mut self,
        last: Option<Report>,
        first_solved: Option<u64>,
        stopped: Stopped,
        times: Times,
        finals: Option<Vec<Final>>,
    ) -> Result<Summary, Error> {
        let champion = last.as_ref().map(|report| ChampionSummary {
            generation: report.generation,
            score: report.best_score,
            hidden: report.champion_hidden,
            edges: report.champion_edges,
        });
        // Where the last generation was not examined, its champion is now.
        let exam = match last.as_ref().and_then(|report| report.exam.clone()) {
            Some(exam) => Some(exam),
            None => self.trainer.examine_champion(&self.run)?,
        };
        Ok(Summary {
            run: self.run.name(),
            file: self.run.path().to_path_buf(),
            experiment: self.info.experiment,
            seed: self.info.seed,
            generations: self.trainer.generation(),
            first_solved,
            stopped,
            games: last.as_ref().map_or(0, |report| report.games),
            reused: last.as_ref().map_or(0, |report| report.reused),
            evaluations: last.as_ref().map_or(0, |report| report.evaluations),
            seconds: times.seconds,
            cpu_seconds: times.cpu_seconds,
            champion,
            exam,
            finals_broken_off: finals.is_none(),
            finals: finals.unwrap_or_default(),
            signature: format!("{:032x}", self.trainer.signature()),
        })
    }
}

fn is_solved(report: &Report) -> bool {
    report.exam.as_ref().is_some_and(|exam| exam.solved())
}

/// The file for a new run, and the right to write it.
fn reserve(options: &TrainOptions, experiment: &str) -> Result<(PathBuf, RunLock), Error> {
    let folder = &options.runs;
    std::fs::create_dir_all(folder).map_err(|source| Error::file("cannot make the folder", folder, source))?;
    let file_of = |name: &str| folder.join(format!("{name}.db"));
    if let Some(name) = &options.name {
        checked_name(name)?;
        let path = file_of(name);
        let lock = RunLock::take(&path)?;
        if path.exists() && !options.force {
            return Err(Error::RunExists { name: name.clone(), file: path });
        }
        // The lock is that of the run which the link leads to, and not of the new one.
        if path.is_symlink() {
            let what = format!(
                "{} is a link, and would be replaced itself; remove it, or choose another name",
                path.display()
            );
            return Err(Error::refused(what));
        }
        return Ok((path, lock));
    }
    for number in 1u64.. {
        let path = file_of(&format!("{}-{number}", name_from(experiment)));
        if path.exists() {
            continue;
        }
        match RunLock::take(&path) {
            // Somebody else may have made it since.
            Ok(lock) if !path.exists() => return Ok((path, lock)),
            Ok(_) | Err(Error::Busy { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("there is always another number")
}
