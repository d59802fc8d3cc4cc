//! The trainings and measurements that run in this server.

use crate::refusal::{Refusal, in_words};
use axum::http::StatusCode;
use lab::{GrowthParams, Machine, Summary, TrainOptions, Watcher};
use players::Context;
use runs::Times;
use serde::Serialize;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use trainer::{ExperimentFile, Report};

/// The largest number of trainings at once; they share the cores.
const MOST_TRAININGS: usize = 8;
/// The largest number of measurements at once.
const MOST_MEASUREMENTS: usize = 4;
/// The answer to requests that come while the server ends.
const CLOSING: &str = "the server is about to end";

/// All trainings and measurements of this server.
pub struct Jobs {
    runs: PathBuf,
    tables: PathBuf,
    machine: Machine,
    inner: Mutex<Inner>,
    /// Notified whenever a training or measurement ends.
    ended: Condvar,
}

#[derive(Default)]
struct Inner {
    trainings: HashMap<String, Arc<Training>>,
    measurements: HashMap<String, Arc<Measurement>>,
    /// Paused runs, with the number of generations they had then; `None` until the training has stopped.
    paused: HashMap<String, Option<u64>>,
    /// By run: the generation in which its last training failed, and why.
    failed: HashMap<String, (u64, String)>,
    /// By run: why its last measurement failed.
    not_measured: HashMap<String, String>,
    /// The number of trainings that have no name yet because their file is being made.
    unnamed: usize,
    closing: bool,
}

/// A running training.
#[derive(Default)]
struct Training {
    stop: Arc<AtomicBool>,
    /// Generations so far.
    generation: AtomicU64,
    finals: Games,
}

/// A running measurement.
#[derive(Default)]
struct Measurement {
    stop: AtomicBool,
    games: Games,
}

/// The progress of a number of games, shared between threads.
#[derive(Default)]
struct Games {
    done: AtomicU64,
    games: AtomicU64,
}

/// The progress of a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct Played {
    /// Games played.
    done: u64,
    /// All games.
    games: u64,
}

impl Games {
    fn set(&self, done: u64, games: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.games.store(games, Ordering::Relaxed);
    }

    fn get(&self) -> Option<Played> {
        let (done, games) = (self.done.load(Ordering::Relaxed), self.games.load(Ordering::Relaxed));
        (games > 0).then_some(Played { done, games })
    }
}

/// What this server does with a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobStatus {
    /// Whether the run is being trained here.
    pub training: bool,
    /// Whether the training was asked to stop.
    pub stopping: bool,
    /// The number of generations after which the run was paused; `None` if it is not paused.
    pub paused: Option<u64>,
    /// The progress of the last champion's final games, while they are played.
    pub finals: Option<Played>,
    /// The generation in which its last training here failed, and why.
    pub failed: Option<(u64, String)>,
    /// The progress of a measurement of its champions, while it runs.
    pub growth: Option<Played>,
    /// Why the last measurement failed.
    pub growth_failed: Option<String>,
}

impl Jobs {
    pub fn new(runs: PathBuf, tables: PathBuf, machine: Machine) -> Arc<Jobs> {
        Arc::new(Jobs { runs, tables, machine, inner: Mutex::default(), ended: Condvar::new() })
    }

    /// The folder of runs.
    pub fn runs(&self) -> &Path {
        &self.runs
    }

    /// The folders of runs and endgame tables, and the engines that may play.
    pub fn context(&self) -> Context<'_> {
        Context { engines: Arc::clone(&self.machine.engines), ..Context::new(&self.runs, &self.tables, &|_| ()) }
    }

    /// The number of threads of each training; `None` means one per core.
    pub fn threads(&self) -> Option<usize> {
        self.machine.threads
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What this server does with a run.
    pub fn status(&self, name: &str) -> JobStatus {
        let inner = self.lock();
        let training = inner.trainings.get(name);
        let measurement = inner.measurements.get(name);
        JobStatus {
            training: training.is_some(),
            stopping: training.is_some_and(|training| training.stop.load(Ordering::Relaxed)),
            paused: inner.paused.get(name).copied().flatten(),
            finals: training.and_then(|training| training.finals.get()),
            failed: inner.failed.get(name).cloned(),
            growth: measurement.map(|found| found.games.get().unwrap_or(Played { done: 0, games: 0 })),
            growth_failed: inner.not_measured.get(name).cloned(),
        }
    }

    /// Starts a training; returns the run's name as soon as its file exists.
    pub fn train(self: &Arc<Jobs>, experiment: ExperimentFile, name: Option<String>) -> Result<String, Refusal> {
        let options = TrainOptions { runs: self.runs.clone(), name, force: false, machine: self.machine.clone() };
        self.spawn(move |watcher, stop| lab::train(experiment, &options, watcher, stop))
    }

    /// Resumes a run. `generations` is the new number of generations in all; `None` keeps the experiment's number.
    pub fn resume(self: &Arc<Jobs>, name: &str, generations: Option<u64>) -> Result<(), Refusal> {
        runs::named_run(&self.runs, name)?;
        if self.lock().trainings.contains_key(name) {
            return Err(Refusal::conflict(format!("the run `{name}` is being trained already")));
        }
        let (jobs, run) = (Arc::clone(self), name.to_string());
        let begun =
            self.spawn(move |watcher, stop| lab::resume(&jobs.runs, &run, generations, &jobs.machine, watcher, stop));
        begun.map(|_| ())
    }

    fn spawn(
        self: &Arc<Jobs>,
        work: impl FnOnce(&mut dyn Watcher, &AtomicBool) -> Result<Summary, lab::Error> + Send + 'static,
    ) -> Result<String, Refusal> {
        {
            let mut inner = self.lock();
            if inner.closing {
                return Err(Refusal::conflict(CLOSING));
            }
            if inner.trainings.len() + inner.unnamed >= MOST_TRAININGS {
                let what = format!("{MOST_TRAININGS} trainings are under way; stop or pause one of them first");
                return Err(Refusal::conflict(what));
            }
            inner.unnamed += 1;
        }
        let (sender, receiver) = mpsc::channel();
        let (jobs, training) = (Arc::clone(self), Arc::new(Training::default()));
        let run = move || {
            let stop = Arc::clone(&training.stop);
            let mut watcher = Watching { jobs: Arc::clone(&jobs), training, name: None, file: None, begun: sender };
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut watcher, &stop)));
            watcher.end(match done {
                Ok(done) => done.map_err(Refusal::from),
                Err(_) => Err(Refusal::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "the training failed because of a bug in Gamete; its file is complete",
                )),
            });
        };
        let spawned = std::thread::Builder::new().name("training".to_string()).spawn(run);
        if let Err(error) = spawned {
            self.lock().unnamed -= 1;
            return Err(Refusal::conflict(format!("the training cannot be started: {error}")));
        }
        match receiver.recv() {
            Ok(Ok(name)) => Ok(name),
            Ok(Err(refusal)) => Err(refusal),
            Err(_) => Err(Refusal::conflict("the training ended before it began")),
        }
    }

    /// Asks a training to stop; with `pause` the run is shown as paused.
    pub fn stop(&self, name: &str, pause: bool) -> Result<(), Refusal> {
        let mut inner = self.lock();
        let was_paused = inner.paused.remove(name).is_some();
        match inner.trainings.get(name) {
            Some(training) => {
                training.stop.store(true, Ordering::Relaxed);
                if pause {
                    inner.paused.insert(name.to_string(), None);
                }
                Ok(())
            }
            // A paused run can be stopped: it is then no longer shown as paused.
            None if was_paused && !pause => Ok(()),
            None => Err(Refusal::conflict(format!("the run `{name}` is not being trained here"))),
        }
    }

    /// Removes a run that is neither trained nor measured.
    pub fn remove(&self, name: &str) -> Result<(), Refusal> {
        let mut inner = self.lock();
        if inner.trainings.contains_key(name) {
            return Err(Refusal::conflict(format!("the run `{name}` is being trained; stop it first")));
        }
        if inner.measurements.contains_key(name) {
            return Err(Refusal::conflict(format!("the run `{name}` is being measured; cancel that first")));
        }
        runs::remove_run(&self.runs, name)?;
        inner.paused.remove(name);
        inner.failed.remove(name);
        inner.not_measured.remove(name);
        Ok(())
    }

    /// Starts a measurement of the strengths of a run's champions.
    pub fn measure(self: &Arc<Jobs>, name: &str, asked: MeasureParams) -> Result<(), Refusal> {
        runs::named_run(&self.runs, name)?;
        let measurement = Arc::new(Measurement::default());
        {
            let mut inner = self.lock();
            if inner.closing {
                return Err(Refusal::conflict(CLOSING));
            }
            if inner.measurements.contains_key(name) {
                return Err(Refusal::conflict(format!("the run `{name}` is being measured already")));
            }
            if inner.measurements.len() >= MOST_MEASUREMENTS {
                let what = format!("{MOST_MEASUREMENTS} runs are being measured; cancel one, or wait");
                return Err(Refusal::conflict(what));
            }
            inner.not_measured.remove(name);
            inner.measurements.insert(name.to_string(), Arc::clone(&measurement));
        }
        let (jobs, name, asked_for) = (Arc::clone(self), name.to_string(), name.to_string());
        let run = move || {
            let context = jobs.context();
            let params = GrowthParams {
                run: &name,
                depth: asked.depth,
                games: asked.games,
                champions: asked.champions,
                yardsticks: &[],
                seed: 1,
                threads: jobs.machine.threads,
                context: &context,
            };
            let tell = &mut |done: u64, games: u64| measurement.games.set(done, games);
            let done = catch_unwind(AssertUnwindSafe(|| lab::growth(&params, &measurement.stop, tell)));
            let mut inner = jobs.lock();
            inner.measurements.remove(&name);
            match done {
                Ok(Ok(Some(growth))) => inner.not_measured.extend(growth.not_kept.map(|why| (name.clone(), why))),
                Ok(Ok(None)) => {}
                Ok(Err(error)) => drop(inner.not_measured.insert(name.clone(), in_words(&error))),
                Err(_) => {
                    drop(inner.not_measured.insert(name.clone(), "it failed because of a bug in Gamete".to_string()))
                }
            }
            drop(inner);
            jobs.ended.notify_all();
        };
        let spawned = std::thread::Builder::new().name("measurement".to_string()).spawn(run);
        spawned.map(|_| ()).map_err(|error| {
            self.lock().measurements.remove(&asked_for);
            Refusal::conflict(format!("the measurement cannot be started: {error}"))
        })
    }

    /// Cancels a measurement.
    pub fn stop_measuring(&self, name: &str) -> Result<(), Refusal> {
        match self.lock().measurements.get(name) {
            Some(measurement) => {
                measurement.stop.store(true, Ordering::Relaxed);
                Ok(())
            }
            None => Err(Refusal::conflict(format!("the run `{name}` is not being measured"))),
        }
    }

    /// Stops everything and waits for the end, at most for `patience`. Returns the names of trainings still running.
    pub fn close(&self, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut inner = self.lock();
        inner.closing = true;
        loop {
            // Repeated in each turn, because new trainings get their names while we wait.
            inner.trainings.values().for_each(|training| training.stop.store(true, Ordering::Relaxed));
            inner.measurements.values().for_each(|found| found.stop.store(true, Ordering::Relaxed));
            let left = deadline.saturating_duration_since(Instant::now());
            let busy = !inner.trainings.is_empty() || !inner.measurements.is_empty() || inner.unnamed > 0;
            if !busy || left.is_zero() {
                let mut names: Vec<String> = inner.trainings.keys().cloned().collect();
                names.sort();
                names.extend((0..inner.unnamed).map(|_| "a training that was about to begin".to_string()));
                return names;
            }
            let wait = left.min(Duration::from_millis(50));
            inner = self.ended.wait_timeout(inner, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Parameters of a measurement.
#[derive(Clone, Copy)]
pub struct MeasureParams {
    pub depth: Option<u32>,
    pub games: u32,
    pub champions: usize,
}

/// Follows one training and updates [`Jobs`].
struct Watching {
    jobs: Arc<Jobs>,
    training: Arc<Training>,
    name: Option<String>,
    file: Option<PathBuf>,
    begun: mpsc::Sender<Result<String, Refusal>>,
}

impl Watching {
    /// Lists the training under its name, as soon as the name is known.
    fn named(&mut self, name: &str) {
        if self.name.is_some() {
            return;
        }
        self.name = Some(name.to_string());
        let mut inner = self.jobs.lock();
        inner.unnamed -= 1;
        inner.failed.remove(name);
        inner.paused.remove(name);
        inner.trainings.insert(name.to_string(), Arc::clone(&self.training));
        drop(inner);
        // The request may have been dropped.
        let _ = self.begun.send(Ok(name.to_string()));
    }

    fn end(mut self, done: Result<Summary, Refusal>) {
        if let Ok(summary) = &done {
            self.named(&summary.run);
        }
        let mut inner = self.jobs.lock();
        match (&self.name, done) {
            (Some(name), done) => {
                inner.trainings.remove(name);
                match done {
                    // A run that has come to its end is not paused.
                    Ok(summary) if summary.stopped != runs::Stopped::Interrupted => drop(inner.paused.remove(name)),
                    Ok(summary) => {
                        if let Some(after) = inner.paused.get_mut(name) {
                            *after = Some(summary.generations);
                        }
                    }
                    Err(refusal) => {
                        inner.paused.remove(name);
                        let generation = self.training.generation.load(Ordering::Relaxed);
                        inner.failed.insert(name.clone(), (generation, refusal.what().to_string()));
                    }
                }
            }
            (None, Err(refusal)) => {
                inner.unnamed -= 1;
                let _ = self.begun.send(Err(refusal));
            }
            (None, Ok(_)) => unreachable!("a training that went well has a name"),
        }
        drop(inner);
        self.jobs.ended.notify_all();
    }
}

impl Watcher for Watching {
    fn begin(&mut self, run: &str, file: &Path, done: u64, _: u64) {
        self.training.generation.store(done, Ordering::Relaxed);
        self.file = Some(file.to_path_buf());
        self.named(run);
    }
    fn generation(&mut self, report: &Report, _: Times) {
        self.training.generation.store(report.generation, Ordering::Relaxed);
        // The file was removed, so the training has no use any more.
        if self.file.as_ref().is_some_and(|file| !file.exists()) {
            self.training.stop.store(true, Ordering::Relaxed);
        }
    }
    fn finals(&mut self, done: u64, games: u64) {
        self.training.finals.set(done, games);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A panic in one training is reported, and others can begin as before.
    #[test]
    fn a_panic_in_a_training_is_contained() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = Jobs::new(folder.path().to_path_buf(), folder.path().to_path_buf(), Machine::threads(1));
        let fault = "the training failed because of a bug in Gamete; its file is complete";
        for _ in 0..=MOST_TRAININGS {
            // 1. Before it has a name.
            let refusal = jobs.spawn(|_, _| panic!("a fault, as this test wants it")).unwrap_err();
            assert_eq!(refusal.what(), fault);
            // 2. After it has begun.
            let begun = jobs.spawn(|watcher, _| {
                watcher.begin("a", Path::new("a.db"), 3, 9);
                panic!("a fault, as this test wants it")
            });
            assert_eq!(begun.ok().as_deref(), Some("a"));
            while jobs.status("a").training {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(jobs.status("a").failed, Some((3, fault.to_string())));
        }
        assert!(jobs.close(Duration::from_secs(5)).is_empty());
    }
}
