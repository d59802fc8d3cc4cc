//! Slices of the training of a lab's member. The run file comes from the bucket and goes back there, so that another
//! worker can go on.

use super::{Worker, on_a_thread};
use crate::Error;
use crate::protocol::{MOST_OBJECT, MemberWork, Note, Outcome, Slice, bytes_of, notes_of};
use lab::{Machine, MemberLine, Summary, TrainOptions, Watcher};
use runs::{RunFile, Stopped, Times};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use trainer::{ExperimentFile, Report};
use xxhash_rust::xxh3::xxh3_64;

/// Trains a slice; `None` if the worker was stopped before its end.
pub(super) async fn train(
    worker: &Arc<Worker>,
    job: &str,
    task: &str,
    delivered: i64,
    work: &MemberWork,
) -> Result<Option<Outcome>, Error> {
    let checkpoint = match &work.from {
        Some(object) => Some(worker.link.get(object).await?),
        None => None,
    };
    // The worker reports its progress while it trains.
    let (sender, mut lines) = unbounded_channel::<MemberLine>();
    let (telling, subject) = (Arc::clone(worker), notes_of(job));
    let task = task.to_string();
    let notes = tokio::spawn(async move {
        while let Some(line) = lines.recv().await {
            let (worker, process) = (telling.name.clone(), telling.process);
            let note = Note { task: task.clone(), worker, process, delivered, line: Some(line) };
            let _ = telling.link.client.publish(subject.clone(), bytes_of(&note).into()).await;
        }
    });
    let (training, wanted) = (Arc::clone(worker), work.clone());
    let done = on_a_thread(move || train_here(&training, &wanted, checkpoint, sender)).await;
    let _ = notes.await;
    let Some((summary, finished, file)) = done? else { return Ok(None) };
    let object = format!(
        "{job}/{}/{}-{:016x}-{}",
        work.member,
        summary.generations,
        xxh3_64(&file),
        xxh3_64(worker.name.as_bytes())
    );
    let file = worker.link.put(&object, &file).await?;
    Ok(Some(Outcome::Trained(Slice {
        generation: summary.generations,
        finished,
        signature: summary.signature,
        cpu_seconds: summary.cpu_seconds,
        file,
    })))
}

/// Trains a slice in a temporary folder. Returns its summary, whether the training is finished, and the run file.
fn train_here(
    worker: &Worker,
    work: &MemberWork,
    checkpoint: Option<Vec<u8>>,
    sender: UnboundedSender<MemberLine>,
) -> Result<Option<(Summary, bool, Vec<u8>)>, Error> {
    let here = |error: lab::Error| Error::Here(error.to_string());
    let experiment = ExperimentFile::parse(&work.name, "the experiment of a task", &work.experiment);
    let experiment = experiment.map_err(|error| Error::Here(error.to_string()))?;
    let folder = worker.workplace.folder()?;
    let file = folder.path().join(format!("{}.db", work.member));
    let stop = AtomicBool::new(false);
    let mut watcher =
        SliceWatcher { worker, stop: &stop, until: work.until, aim: 0, grade: None, last_told: None, sender };
    let machine = Machine::threads(1);
    let trained = match checkpoint {
        Some(bytes) => {
            runs::write_whole(&file, &bytes).map_err(here)?;
            let info = RunFile::open(&file).and_then(|run| run.info()).map_err(here)?;
            if info.parameters != experiment.canonical() {
                return Err(Error::Here(format!("the checkpoint of {} belongs to another training", work.member)));
            }
            lab::resume(folder.path(), &work.member, None, &machine, &mut watcher, &stop)
        }
        None => {
            let name = Some(work.member.clone());
            let options = TrainOptions { runs: folder.path().to_path_buf(), name, force: false, machine };
            lab::train(experiment.clone(), &options, &mut watcher, &stop)
        }
    };
    let summary = trained.map_err(here)?;
    let finished = summary.stopped != Stopped::Interrupted && !summary.finals_broken_off;
    if !finished && work.until.is_none_or(|until| summary.generations < until) {
        return Ok(None);
    }
    let copy = folder.path().join("copy.db");
    let whole = RunFile::open(&file).and_then(|run| run.copy_to(&copy, &experiment.canonical()));
    whole.map_err(here)?;
    let bytes = runs::read_bytes_up_to(&copy, MOST_OBJECT as u64).map_err(|error| Error::Here(error.to_string()))?;
    Ok(Some((summary, finished, bytes)))
}

/// Stops a training at the end of its slice, and tells its progress.
struct SliceWatcher<'a> {
    worker: &'a Worker,
    stop: &'a AtomicBool,
    until: Option<u64>,
    aim: u64,
    grade: Option<f64>,
    last_told: Option<Instant>,
    sender: UnboundedSender<MemberLine>,
}

/// The shortest time between two messages about the progress.
const EVERY: Duration = Duration::from_millis(500);

impl Watcher for SliceWatcher<'_> {
    fn begin(&mut self, _: &str, _: &Path, _: u64, generations: u64) {
        self.aim = generations;
    }

    fn generation(&mut self, report: &Report, times: Times) {
        let generation = report.generation;
        if self.worker.is_stopped() || self.until.is_some_and(|until| generation >= until) {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.grade = report.exam.as_ref().map(|exam| exam.grade()).or(self.grade);
        if self.last_told.is_none_or(|last| last.elapsed() >= EVERY) {
            self.last_told = Some(Instant::now());
            let cpu_seconds = times.cpu_seconds;
            let _ = self.sender.send(MemberLine { generation, aim: self.aim, grade: self.grade, cpu_seconds });
        }
    }

    fn finals(&mut self, _: u64, _: u64) {
        if self.worker.is_stopped() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
