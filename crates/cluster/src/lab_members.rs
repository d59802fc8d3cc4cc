//! A lab on many machines. Each member is trained in slices of some seconds; the run file at the end of a slice is the
//! checkpoint from which any worker goes on.

use crate::Error;
use crate::coordinator::Coordinator;
use crate::job::{Event, Job};
use crate::protocol::{MOST_OBJECT, MemberWork, ObjectName, Outcome, Queue, Slice, Task, Work};
use crate::workplace::Workplace;
use lab::{AwayEvent, AwayMember, Elsewhere, LabFolder, MemberLine};
use runs::RunFile;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// How long a slice should take, in seconds. At most one slice is lost when a worker dies.
const SLICE: f64 = 5.0;
/// The number of generations of a slice while nothing is known about their time.
const FIRST_SLICE: u64 = 4;
/// A slice has at most this many times as many generations as the one before it.
const GROWTH: u64 = 16;

/// A lab whose members are trained by workers.
pub struct SharedLab {
    coordinator: Coordinator,
    folder: LabFolder,
    job: Option<Job>,
    waiting: VecDeque<AwayMember>,
    active: HashMap<String, Active>,
    /// The member of each task.
    tasks: HashMap<String, String>,
    /// Checkpoints that were on the server at the beginning.
    found: HashMap<String, (u64, ObjectName)>,
}

/// A member that workers train.
struct Active {
    member: AwayMember,
    from: Option<ObjectName>,
    generation: u64,
    /// The number of generations of the last slice.
    length: u64,
    seconds_per_generation: Option<f64>,
}

impl SharedLab {
    /// A lab whose members are trained by the workers of a coordinator.
    pub fn new(coordinator: &Coordinator, folder: &LabFolder) -> SharedLab {
        let (waiting, active, tasks, found) = Default::default();
        SharedLab { coordinator: coordinator.clone(), folder: folder.clone(), job: None, waiting, active, tasks, found }
    }

    fn job(&mut self) -> &mut Job {
        self.job.as_mut().expect("the work has begun")
    }

    /// Lets workers train as many members as there are places.
    fn fill(&mut self) -> Result<(), Error> {
        while self.active.len() < (2 * self.places()).max(4)
            && let Some(member) = self.waiting.pop_front()
        {
            let (generation, from) = self.checkpoint(&member)?;
            let name = member.name.clone();
            let length = FIRST_SLICE;
            self.active.insert(name.clone(), Active { member, from, generation, length, seconds_per_generation: None });
            self.ask(&name)?;
        }
        Ok(())
    }

    /// The newest checkpoint of a member: on the server, or in the lab's folder.
    fn checkpoint(&mut self, member: &AwayMember) -> Result<(u64, Option<ObjectName>), Error> {
        let here = |error: lab::Error| Error::Here(error.to_string());
        let found = self.found.remove(&member.name);
        if !member.file.exists() {
            return Ok(found.map_or((0, None), |(generation, object)| (generation, Some(object))));
        }
        let run = RunFile::open(&member.file).map_err(here)?;
        let generation = run.last_report().map_err(here)?.map_or(0, |report| report.generation);
        if let Some((newer, object)) = found.filter(|(there, _)| *there > generation) {
            return Ok((newer, Some(object)));
        }
        let workplace = Workplace::new()?;
        let folder = workplace.folder()?;
        let copy = folder.path().join("copy.db");
        run.copy_to(&copy, &member.experiment.canonical()).map_err(here)?;
        let bytes = runs::read_bytes_up_to(&copy, MOST_OBJECT as u64);
        let bytes = bytes.map_err(|error| Error::Here(error.to_string()))?;
        let inner = Arc::clone(&self.coordinator.0);
        let name = format!("{}/{}/{generation}-{:016x}-0", self.job().id(), member.name, xxh3_64(&bytes));
        Ok((generation, Some(inner.runtime.block_on(inner.link.put(&name, &bytes))?)))
    }

    /// Asks for the next slice of a member.
    fn ask(&mut self, name: &str) -> Result<(), Error> {
        let job = self.job().id().to_string();
        let Some(active) = self.active.get_mut(name) else { return Ok(()) };
        let AwayMember { name: member, experiment, .. } = &active.member;
        if let Some(each) = active.seconds_per_generation {
            active.length = ((SLICE / each.max(1e-6)) as u64).clamp(1, active.length.saturating_mul(GROWTH));
        }
        let until = active.generation + active.length;
        // A limit of time is counted anew whenever training goes on, so such a training is one slice.
        let is_last = experiment.rules().stop.seconds > 0.0 || experiment.aim().is_some_and(|aim| until >= aim);
        let work = Work::Member(MemberWork {
            member: member.clone(),
            name: experiment.name.clone(),
            experiment: experiment.canonical(),
            from: active.from.clone(),
            until: (!is_last).then_some(until),
        });
        let task = Task { job, verifies: None, work };
        self.tasks.insert(task.name(), name.to_string());
        self.job().ask(Queue::Members, vec![task])
    }

    /// Takes the end of a slice: the run file of a finished member, or its progress.
    fn take(&mut self, name: String, slice: Slice, seconds: f32) -> Result<AwayEvent, Error> {
        let inner = Arc::clone(&self.coordinator.0);
        if slice.finished {
            let bytes = inner.runtime.block_on(inner.link.get(&slice.file))?;
            self.active.remove(&name);
            self.fill()?;
            return Ok(AwayEvent::Finished(name, bytes));
        }
        let Some(active) = self.active.get_mut(&name) else {
            return Err(Error::Here(format!("a slice of {name} came, which nobody asked for")));
        };
        let generations = slice.generation.saturating_sub(active.generation).max(1);
        active.seconds_per_generation = Some(f64::from(seconds) / generations as f64);
        active.generation = slice.generation;
        let before = active.from.replace(slice.file);
        let aim = active.member.experiment.aim().unwrap_or(0);
        if let Some(before) = before.filter(|_| !inner.options.keep) {
            let link = inner.link.clone();
            inner.runtime.spawn(async move { link.delete(&before.name).await });
        }
        self.ask(&name)?;
        let Slice { generation, cpu_seconds, .. } = slice;
        Ok(AwayEvent::Line(name, MemberLine { generation, aim, grade: None, cpu_seconds }))
    }

    fn next_event(&mut self, patience: Duration) -> Result<Option<AwayEvent>, Error> {
        self.fill()?;
        let Some(event) = self.job().next(patience)? else { return Ok(None) };
        match event {
            Event::Note(note) => Ok(self.tasks.get(&note.task).cloned().map(|member| match note.line {
                Some(line) => AwayEvent::Line(member, line),
                None => AwayEvent::Begun(member),
            })),
            Event::Done { task, outcome, seconds } => {
                let Some(member) = self.tasks.remove(&task) else { return Ok(None) };
                match outcome {
                    Outcome::Trained(slice) => self.take(member, slice, seconds).map(Some),
                    Outcome::Failed(why) => {
                        self.active.remove(&member);
                        self.fill()?;
                        Ok(Some(AwayEvent::Failed(member, why)))
                    }
                    Outcome::Played(_) => {
                        Err(Error::Task { task, why: "its result is not that of a training".to_string() })
                    }
                }
            }
        }
    }

    fn begin_job(&mut self, members: Vec<AwayMember>) -> Result<(), Error> {
        // The name of the job says what the whole lab is.
        let id = format!("l{:016x}", xxh3_64(self.folder.description().as_bytes()));
        let job = Job::begin(&self.coordinator, &id, &format!("the lab `{}`", self.folder.name()))?;
        for object in job.objects()? {
            if let Some((member, generation, hash)) = parsed(&id, &object) {
                let newest = self.found.get(&member).map_or(0, |(newest, _)| *newest);
                if generation >= newest {
                    self.found.insert(member, (generation, ObjectName { name: object, hash }));
                }
            }
        }
        self.job = Some(job);
        self.waiting = members.into();
        self.fill()
    }
}

/// The member, the generation and the hash in the name of a checkpoint: `JOB/MEMBER/GENERATION-HASH-WORKER`.
fn parsed(job: &str, object: &str) -> Option<(String, u64, u64)> {
    let (member, rest) = object.strip_prefix(job)?.strip_prefix('/')?.split_once('/')?;
    let mut parts = rest.split('-');
    let generation = parts.next()?.parse().ok()?;
    let hash = u64::from_str_radix(parts.next()?, 16).ok()?;
    Some((member.to_string(), generation, hash))
}

impl Elsewhere for SharedLab {
    fn begin(&mut self, members: Vec<AwayMember>) -> Result<(), lab::Error> {
        if members.is_empty() {
            return Ok(());
        }
        Ok(self.begin_job(members)?)
    }

    fn next(&mut self, patience: Duration) -> Result<Option<AwayEvent>, lab::Error> {
        Ok(self.next_event(patience)?)
    }

    fn places(&self) -> usize {
        self.coordinator.workers().iter().map(|worker| worker.threads).sum()
    }

    fn end(&mut self, interrupted: bool) {
        if let Some(job) = &mut self.job {
            job.end(interrupted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_checkpoints_are_read() {
        assert_eq!(parsed("l01", "l01/a-seed-1/12-00ff-77"), Some(("a-seed-1".to_string(), 12, 255)));
        for wrong in ["l02/a/12-00ff-7", "l01/a", "l01/a/x-00ff-7", "l01/a/1", "l01"] {
            assert_eq!(parsed("l01", wrong), None, "{wrong}");
        }
    }
}
