//! One member of a lab, trained in a process of its own: a crash takes nobody along.

use super::folder::LabFolder;
use crate::training::{TrainOptions, Watcher, resume, train};
use crate::{Error, Summary};
use runs::{RunFile, RunLock, Stopped, Times};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use trainer::Report;

/// What a member's process says of its work, one line of JSON now and then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberLine {
    /// Generations played.
    pub generation: u64,
    /// How many there are to be.
    pub aim: u64,
    /// The last grade.
    pub grade: Option<f64>,
    /// Seconds of processor time, all generations together.
    pub cpu_seconds: f64,
}

/// Trains a member to its end, or up to so many generations; tells how far it is, not more often than anybody can read.
pub fn train_member(
    folder: &LabFolder,
    member: &str,
    until: Option<u64>,
    threads: usize,
    tell: &mut (dyn FnMut(MemberLine) + Send),
    stop: &AtomicBool,
) -> Result<Stopped, Error> {
    let mut experiment = folder.experiment(member)?;
    if let Some(until) = until {
        // The last champion's matches belong to the end alone.
        experiment =
            experiment.with_values(&[("stop.generations", (until as i64).into()), ("record.final_games", 0.into())])?;
    }
    let mut watcher = Telling { tell, aim: 0, grade: None, told: None };
    loop {
        let file = folder.file(member);
        // How far it has come is told once nobody trains it any more.
        if RunLock::is_taken(&file) && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(PAUSE);
            continue;
        }
        let trained = if file.exists() {
            folder.checked_run(member, &RunFile::open(&file)?)?;
            let run = file.display().to_string();
            // One that is solved has nothing to add.
            let until = until.filter(|_| !folder.is_done(member, until));
            resume(folder.path(), &run, until, Some(threads), &mut watcher, stop)
        } else {
            let options = TrainOptions {
                runs: folder.path().to_path_buf(),
                name: Some(member.to_string()),
                force: false,
                threads: Some(threads),
            };
            train(experiment.clone(), &options, &mut watcher, stop)
        };
        match trained {
            // Whoever trained it before was told to stop, and is still at its last generation.
            Err(Error::Busy { .. }) if !stop.load(Ordering::Relaxed) => std::thread::sleep(PAUSE),
            Err(Error::Busy { .. }) => return Ok(Stopped::Interrupted),
            // It had just made the file.
            Err(Error::RunExists { .. }) => {}
            Err(error) => return Err(error),
            Ok(Summary { finals_broken_off: true, .. }) => return Ok(Stopped::Interrupted),
            Ok(summary) => return Ok(summary.stopped),
        }
    }
}

struct Telling<'a> {
    tell: &'a mut (dyn FnMut(MemberLine) + Send),
    aim: u64,
    grade: Option<f64>,
    told: Option<Instant>,
}

const EVERY: Duration = Duration::from_millis(200);
const PAUSE: Duration = Duration::from_millis(50);

impl Watcher for Telling<'_> {
    fn begin(&mut self, _: &str, _: &Path, done: u64, generations: u64) {
        self.aim = generations;
        (self.tell)(MemberLine { generation: done, aim: generations, grade: None, cpu_seconds: 0.0 });
    }

    fn generation(&mut self, report: &Report, times: Times) {
        self.grade = report.exam.as_ref().map(|exam| exam.grade()).or(self.grade);
        if self.told.is_none_or(|told| told.elapsed() >= EVERY) {
            self.told = Some(Instant::now());
            let (generation, cpu_seconds) = (report.generation, times.cpu_seconds);
            (self.tell)(MemberLine { generation, aim: self.aim, grade: self.grade, cpu_seconds });
        }
    }

    fn finals(&mut self, _: u64, _: u64) {}
}
