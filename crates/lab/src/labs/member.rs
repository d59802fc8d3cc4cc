//! Trains one member of a lab, in a process of its own, so that a crash does not end the other members.

use super::folder::LabFolder;
use crate::training::{Machine, TrainOptions, Watcher, resume, train};
use crate::{Error, Summary};
use runs::{RunFile, RunLock, Stopped, Times};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use trainer::Report;

/// The progress that a member's process reports, as one line of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberLine {
    /// The number of generations played.
    pub generation: u64,
    /// The number of generations to reach.
    pub aim: u64,
    /// The grade of the last exam; `None` if there was no exam.
    pub grade: Option<f64>,
    /// Seconds of processor time for all generations.
    pub cpu_seconds: f64,
}

/// Trains a member to its end, or to the generation `until`. Reports the progress at most every 200 milliseconds.
pub fn train_member(
    folder: &LabFolder,
    member: &str,
    until: Option<u64>,
    machine: &Machine,
    tell: &mut (dyn FnMut(MemberLine) + Send),
    stop: &AtomicBool,
) -> Result<Stopped, Error> {
    let mut experiment = folder.experiment(member)?;
    if let Some(until) = until {
        // The final matches are played only at the end of the run.
        experiment =
            experiment.with_values(&[("stop.generations", (until as i64).into()), ("record.final_games", 0.into())])?;
    }
    let mut watcher = ProgressReporter { tell, aim: 0, grade: None, last_told: None };
    loop {
        let file = folder.file(member);
        // Another process still trains this run: wait until it stops.
        if RunLock::is_taken(&file) && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(PAUSE);
            continue;
        }
        let trained = if file.exists() {
            folder.checked_run(member, &RunFile::open(&file)?)?;
            let run = file.display().to_string();
            // A run that is solved needs no more generations.
            let until = until.filter(|_| !folder.is_done(member, until));
            resume(folder.path(), &run, until, machine, &mut watcher, stop)
        } else {
            let options = TrainOptions {
                runs: folder.path().to_path_buf(),
                name: Some(member.to_string()),
                force: false,
                machine: machine.clone(),
            };
            train(experiment.clone(), &options, &mut watcher, stop)
        };
        match trained {
            // The process that trained it before was asked to stop, and is still finishing its generation.
            Err(Error::Busy { .. }) if !stop.load(Ordering::Relaxed) => std::thread::sleep(PAUSE),
            Err(Error::Busy { .. }) => return Ok(Stopped::Interrupted),
            // Another process has just made the file: try again.
            Err(Error::RunExists { .. }) => {}
            Err(error) => return Err(error),
            Ok(Summary { finals_broken_off: true, .. }) => return Ok(Stopped::Interrupted),
            Ok(summary) => return Ok(summary.stopped),
        }
    }
}

/// Reports the progress of a training as [`MemberLine`]s.
struct ProgressReporter<'a> {
    tell: &'a mut (dyn FnMut(MemberLine) + Send),
    aim: u64,
    grade: Option<f64>,
    last_told: Option<Instant>,
}

/// The shortest time between two reports.
const EVERY: Duration = Duration::from_millis(200);
/// The pause before another attempt to train a run that is locked.
const PAUSE: Duration = Duration::from_millis(50);

impl Watcher for ProgressReporter<'_> {
    fn begin(&mut self, _: &str, _: &Path, done: u64, generations: u64) {
        self.aim = generations;
        (self.tell)(MemberLine { generation: done, aim: generations, grade: None, cpu_seconds: 0.0 });
    }

    fn generation(&mut self, report: &Report, times: Times) {
        self.grade = report.exam.as_ref().map(|exam| exam.grade()).or(self.grade);
        if self.last_told.is_none_or(|last| last.elapsed() >= EVERY) {
            self.last_told = Some(Instant::now());
            let (generation, cpu_seconds) = (report.generation, times.cpu_seconds);
            (self.tell)(MemberLine { generation, aim: self.aim, grade: self.grade, cpu_seconds });
        }
    }

    fn finals(&mut self, _: u64, _: u64) {}
}
