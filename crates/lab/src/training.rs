//! Trains one run from start to stop: it steps the trainer, saves each generation in the run's file, keeps the time and
//! informs a watcher.

use crate::memory::{Promise, promised_memory};
use crate::opponents::Opponents;
use crate::{Error, growth};
use arena::{Exam, Rating, Sharing, cores};
use cpu_time::ProcessTime;
use players::{Engines, Ladder, PortableNetwork, StrengthParams};
use runs::{Final, RunFile, RunInfo, RunLock, Stopped, Times, check_one_name, run_path};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};
use trainer::{AnyTrainer, ExperimentFile, Generation, Measure, Report, Rules, checked_name, name_from};

/// Options of a training that are not part of the experiment.
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// The folder of runs.
    pub runs: PathBuf,
    /// The run's name; with `None` it is the name of the experiment and a number, such as `nim-2x4-3`.
    pub name: Option<String>,
    /// Whether an existing run of that name is replaced.
    pub force: bool,
    /// What the training may use of this machine.
    pub machine: Machine,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        TrainOptions { runs: "runs".into(), name: None, force: false, machine: Machine::default() }
    }
}

/// What a training may use of this machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The number of threads; `None` means one per core.
    pub threads: Option<usize>,
    /// The engines that yardsticks of experiments may name.
    pub engines: Arc<Engines>,
    /// Lets other machines play the games of trainings; `None` if they are played here.
    pub share: Option<Arc<dyn Share>>,
}

/// Lets other machines play the games of trainings.
pub trait Share: fmt::Debug + Send + Sync {
    /// Begins or continues to share a training. Only experiments that
    /// [can be shared](ExperimentFile::why_not_shared) come here.
    fn begin(&self, experiment: &ExperimentFile, run: &str, info: &RunInfo) -> Result<Box<dyn Sharing>, Error>;
}

impl Machine {
    /// This number of threads, and no engines.
    pub fn threads(threads: usize) -> Machine {
        Machine { threads: Some(threads), ..Machine::default() }
    }
}

/// Receives the progress of a training.
pub trait Watcher: Send {
    /// The training begins, or continues after `done` generations; it ends after `generations` in all.
    fn begin(&mut self, run: &str, file: &Path, done: u64, generations: u64);
    /// A generation has been played and saved; `times` is the run's total training time so far.
    fn generation(&mut self, report: &Report, times: Times);
    /// The last generation is saved, and `done` of the `games` final games of the last champion have been played.
    fn finals(&mut self, done: u64, games: u64);
}

/// A watcher that ignores all progress.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn begin(&mut self, _: &str, _: &Path, _: u64, _: u64) {}
    fn generation(&mut self, _: &Report, _: Times) {}
    fn finals(&mut self, _: u64, _: u64) {}
}

/// The result of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The run's name.
    pub run: String,
    /// The run's file.
    pub file: PathBuf,
    /// The experiment's name.
    pub experiment: String,
    /// The seed from which all random numbers are derived.
    pub seed: u64,
    /// The number of generations played in all.
    pub generations: u64,
    /// The first generation whose champion played a perfect move in every position; `None` if there is none.
    pub first_solved: Option<u64>,
    /// Why the training stopped.
    pub stopped: Stopped,
    /// Games played for scores.
    pub games: u64,
    /// Games that were not played because the same two networks had played from the same start before.
    pub reused: u64,
    /// Positions judged by networks.
    pub evaluations: u64,
    /// Seconds of training (wall time).
    pub seconds: f64,
    /// Seconds of processor time.
    pub cpu_seconds: f64,
    /// The champion of the last generation; `None` if no generation has been played.
    pub champion: Option<ChampionSummary>,
    /// The strongest champion, if strength was measured.
    pub strongest: Option<StrongestSummary>,
    /// The exam of the last champion.
    pub exam: Option<Exam>,
    /// The final matches of the last champion; empty if none were played.
    pub finals: Vec<Final>,
    /// Whether the final matches were interrupted; resuming the run plays them.
    pub finals_broken_off: bool,
    /// Why opponents of the experiment are not among the final matches: sentences.
    pub skipped: Vec<String>,
    /// Runs with equal signatures are equal.
    pub signature: String,
}

/// The champion of the last generation.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ChampionSummary {
    /// Its generation.
    pub generation: u64,
    /// Its score.
    pub score: f64,
    /// The number of its hidden nodes.
    pub hidden: u64,
    /// The number of its edges.
    pub edges: u64,
}

/// The champion with the greatest measured strength.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StrongestSummary {
    /// Its generation.
    pub generation: u64,
    /// Its strength, with the interval.
    #[serde(flatten)]
    pub rating: Rating,
}

/// Trains an experiment from the beginning. When `stop` is set, the current generation is finished and saved first.
pub fn train(
    experiment: ExperimentFile,
    options: &TrainOptions,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Summary, Error> {
    let rules = experiment.rules();
    if rules.record.strength_every > 0 {
        // A ladder that cannot be read must not end the training at the first measurement.
        Ladder::of(experiment.game())?;
    }
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
    let threads = cores(options.machine.threads);
    let promise = promised_memory(&experiment, threads)?;
    let opponents = Opponents::of(&experiment, &options.runs, &options.machine.engines)?;
    let (path, lock) = reserve(options, &info.experiment)?;
    let trainer = experiment.trainer(threads);
    let run = RunFile::create(&path, &info, &trainer.population(), trainer.signature())?;
    let mut work = ActiveRun { run, _lock: lock, info, experiment, trainer, threads, opponents, _promise: promise };
    work.share(&options.machine)?;
    work.go_on(watcher, stop)
}

/// Resumes a run. `generations` is the new number of generations in all; `None` keeps the experiment's number.
pub fn resume(
    runs: &Path,
    run: &str,
    generations: Option<u64>,
    machine: &Machine,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Summary, Error> {
    let path = run_path(runs, run)?;
    // Check the file before locking it, so that no lock file is made beside a file that is not a run.
    RunFile::open(&path)?.info()?;
    let lock = RunLock::take(&path)?;
    check_one_name(&path)?;
    let run = RunFile::open_to_write(&path)?;
    let mut work = ActiveRun::restore(run, lock, generations, machine)?;
    work.share(machine)?;
    work.go_on(watcher, stop)
}

/// The name of the run that a training with these options began and did not finish: the run of the given name, or else
/// the newest run that is named after the experiment. `None` if there is none, if it has other parameters, or if
/// another process is training it.
pub fn interrupted_run(experiment: &ExperimentFile, options: &TrainOptions) -> Result<Option<String>, Error> {
    let parameters = experiment.canonical();
    let is_unfinished = |name: &String| {
        let file = options.runs.join(format!("{name}.db"));
        let info = RunFile::open(&file).and_then(|run| run.info());
        !RunLock::is_taken(&file)
            && info.is_ok_and(|info| {
                info.parameters == parameters && matches!(info.stopped, None | Some(Stopped::Interrupted))
            })
    };
    if let Some(name) = &options.name {
        checked_name(name)?;
        return Ok(Some(name.clone()).filter(is_unfinished));
    }
    let name_of = |number: u64| format!("{}-{number}", name_from(&experiment.name));
    let there = (1u64..).map(name_of).take_while(|name| options.runs.join(format!("{name}.db")).exists());
    let there: Vec<String> = there.collect();
    Ok(there.into_iter().next_back().filter(is_unfinished))
}

/// Returns the summary of a run as it is now, without training it.
pub fn summary(runs: &Path, run: &str, threads: Option<usize>) -> Result<Summary, Error> {
    let path = run_path(runs, run)?;
    RunFile::open(&path)?.info()?;
    let lock = RunLock::take(&path)?;
    ActiveRun::restore(RunFile::open(&path)?, lock, None, &Machine { threads, ..Machine::default() })?.summary_so_far()
}

/// A run that this process has locked for writing.
struct ActiveRun {
    run: RunFile,
    _lock: RunLock,
    info: RunInfo,
    experiment: ExperimentFile,
    trainer: Box<dyn AnyTrainer>,
    threads: usize,
    opponents: Opponents,
    // The last field: fields are dropped in order, and the promise must end after the memory is free.
    _promise: Promise,
}

impl ActiveRun {
    /// Restores a run from its checkpoint. `generations` replaces the number of generations in all unless it is `None`.
    fn restore(run: RunFile, lock: RunLock, generations: Option<u64>, machine: &Machine) -> Result<ActiveRun, Error> {
        // Read under the lock: another process may have changed the number of generations.
        let info = run.info()?;
        let mut experiment = info.experiment_file(run.path())?;
        let threads = cores(machine.threads);
        let promise = promised_memory(&experiment, threads)?;
        let opponents = Opponents::of(&experiment, run.path().parent().unwrap_or(Path::new(".")), &machine.engines)?;
        let checkpoint = run.checkpoint()?;
        let done = checkpoint.fingerprints.len() as u64;
        if let Some(generations) = generations {
            if generations < done {
                return Err(Error::refused(format!(
                    "the run `{}` has {done} generations already, so it cannot be resumed to {generations} in all; a number above {done} continues it",
                    run.name()
                )));
            }
            // TOML integers are signed; a larger number would make the run's file unreadable.
            let Ok(aim) = i64::try_from(generations) else {
                return Err(Error::refused(format!(
                    "{generations} generations are too many; at most {} are allowed",
                    i64::MAX
                )));
            };
            // A run that reached its aim and is resumed with more generations must not stop again at once.
            let reached = match info.stopped.filter(|_| generations > done) {
                Some(Stopped::Solved) => Some(("stop.solved", false.into())),
                Some(Stopped::Strength) => Some(("stop.strength", 0.0.into())),
                _ => None,
            };
            let values: Vec<_> = [("stop.generations", aim.into())].into_iter().chain(reached).collect();
            experiment = experiment.with_values(&values)?;
        }
        let broken =
            |error: evolution::NetworkError| Error::NotARun { file: run.path().to_path_buf(), why: error.to_string() };
        let trainer = experiment.restore(threads, checkpoint).map_err(broken)?;
        Ok(ActiveRun { run, _lock: lock, info, experiment, trainer, threads, opponents, _promise: promise })
    }

    /// Lets other machines play the games, if that is wanted and possible.
    fn share(&mut self, machine: &Machine) -> Result<(), Error> {
        if let Some(share) = machine.share.as_ref().filter(|_| self.experiment.why_not_shared().is_none()) {
            self.trainer.share(share.begin(&self.experiment, &self.run.name(), &self.info)?);
        }
        Ok(())
    }

    /// The summary of the run as it is saved.
    fn summary_so_far(self) -> Result<Summary, Error> {
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
                Some(report) if rules.strength > 0.0 && strength_of(report) >= rules.strength => {
                    Some(Stopped::Strength)
                }
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
            let mut generation = match self.trainer.step(&self.run) {
                // No machine was there to finish the generation. The run is complete up to the one before.
                Err(trainer::Error::Sharing(_)) if stop.load(Ordering::Relaxed) => break Stopped::Interrupted,
                stepped => stepped?,
            };
            self.measure_strength(&mut generation)?;
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
        let is_whole = matches!(stopped, Stopped::Generations | Stopped::Solved | Stopped::Strength);
        let finals = if is_whole { self.finals(watcher, stop, begun)? } else { Some(Vec::new()) };
        self.summary(last, first_solved, stopped, times, finals)
    }

    /// Measures the champion's strength if that is due. It is not interrupted: a run that was stopped and resumed has
    /// the same measurements as one that was not.
    fn measure_strength(&self, generation: &mut Generation) -> Result<(), Error> {
        let Rules { seed, record, .. } = self.experiment.rules();
        let number = generation.report.generation;
        if record.strength_every == 0 || !number.is_multiple_of(record.strength_every) {
            return Ok(());
        }
        let network = PortableNetwork::of_run(&self.info, self.run.path(), number, &generation.champion)?;
        let (games, nodes) = (record.strength_games, record.strength_nodes);
        let rating = players::strength(network, StrengthParams { games, nodes, seed, threads: self.threads })?;
        let measured = [("strength", rating.elo), ("strength_low", rating.low), ("strength_high", rating.high)];
        let known = measured.into_iter().filter_map(|(key, elo)| Some((key, elo?)));
        generation.report.added.extend(known);
        Ok(())
    }

    /// Adds migrants to the population if they are due before the next generation. Waits until the other run has saved
    /// them; returns `false` if `stop` was set meanwhile.
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
                    let why = "its networks have another form, so they cannot join this population".to_string();
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

    /// Returns the final matches of the last champion, or `None` if they were interrupted. Plays and saves them if the
    /// file has none yet.
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
        let finals = growth::finals(&self.run, games, self.threads, &self.opponents, stop, tell)?;
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
        // If the last generation was saved without an exam, its champion takes the exam now.
        let exam = match last.as_ref().and_then(|report| report.exam.clone()) {
            Some(exam) => Some(exam),
            None => self.trainer.examine_champion(&self.run)?,
        };
        let measures = self.experiment.rules().record.strength_every > 0;
        let strongest = if measures { self.run.strongest()? } else { None };
        Ok(Summary {
            run: self.run.name(),
            file: self.run.path().to_path_buf(),
            experiment: self.info.experiment,
            seed: self.info.seed,
            generations: self.trainer.generation(),
            first_solved,
            strongest: strongest.map(|(generation, rating)| StrongestSummary { generation, rating }),
            stopped,
            games: last.as_ref().map_or(0, |report| report.games),
            reused: last.as_ref().map_or(0, |report| report.reused),
            evaluations: last.as_ref().map_or(0, |report| report.evaluations),
            seconds: times.seconds,
            cpu_seconds: times.cpu_seconds,
            champion,
            exam,
            finals_broken_off: finals.is_none(),
            skipped: self.opponents.skipped,
            finals: finals.unwrap_or_default(),
            signature: format!("{:032x}", self.trainer.signature()),
        })
    }
}

/// The champion's measured strength; far below every Elo if it was not measured in this generation.
fn strength_of(report: &Report) -> f64 {
    Measure::of("strength").and_then(|strength| strength.value(report)).unwrap_or(f64::NEG_INFINITY)
}

fn is_solved(report: &Report) -> bool {
    report.exam.as_ref().is_some_and(|exam| exam.solved())
}

/// Chooses the file of a new run and locks it.
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
        // The lock belongs to the run that the link points to, not to the new run that would replace the link.
        if path.is_symlink() {
            let what = format!(
                "{} is a link, and a new run would replace the link itself; remove it, or choose another name",
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
            // Another process may have made the file before the lock was taken.
            Ok(lock) if !path.exists() => return Ok((path, lock)),
            Ok(_) | Err(Error::Busy { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("there is always another number")
}
