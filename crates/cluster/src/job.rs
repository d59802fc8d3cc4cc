//! A job: the tasks of one training or one lab. A coordinator asks for them, and every result is taken exactly once.

use crate::Error;
use crate::coordinator::{Coordinator, Inner};
use crate::crew::Crew;
use crate::link::Link;
use crate::protocol::{
    MOST_DEATHS, Note, Outcome, Queue, RESULTS, TASKS, Task, TaskResult, bytes_of, notes_of, owner_of, read, results_of,
};
use async_nats::Subscriber;
use async_nats::jetstream::consumer::pull;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use xxhash_rust::xxh3::xxh3_64;

/// The tasks of one training or one lab, and their results.
pub(crate) struct Job {
    inner: Arc<Inner>,
    id: String,
    results: Option<pull::Stream>,
    notes: Subscriber,
    open: HashMap<String, Open>,
    /// The hashes and workers of results that were taken, in this round and in the one before.
    taken: HashMap<String, Taken>,
    taken_before: HashMap<String, Taken>,
    heard: Instant,
    /// The pulse at which dead workers were looked for.
    looked: u64,
    has_complained: bool,
    owner: JoinHandle<()>,
}

/// A task without a result.
struct Open {
    queue: Queue,
    task: Task,
    /// The first result, if a second worker verifies it.
    first: Option<TaskResult>,
    /// The numbers of its messages in the stream of tasks.
    messages: Vec<u64>,
    /// The workers that have begun it.
    tries: Vec<Try>,
}

/// A worker that has begun a task.
struct Try {
    worker: String,
    process: u64,
    /// Whether the worker did nothing else, as all do that receive the task after another worker.
    is_alone: bool,
}

struct Taken {
    hash: u64,
    worker: String,
}

/// What has happened to a task.
pub(crate) enum Event {
    /// The task has a result.
    Done { task: String, outcome: Outcome, seconds: f32 },
    /// A worker has begun the task, or is that far.
    Note(Note),
}

/// Without any news for this time, the coordinator looks whether the server still has the tasks.
const SILENCE: Duration = Duration::from_secs(15);
/// How many messages are sent before the first of them must be stored.
const AT_ONCE: usize = 500;

impl Job {
    /// Begins a job, or goes on with one whose coordinator has died. Tasks and results from before are deleted, because
    /// the same tasks are asked for again. `what` names the job for users.
    pub fn begin(coordinator: &Coordinator, id: &str, what: &str) -> Result<Job, Error> {
        let inner = Arc::clone(&coordinator.0);
        let (link, owner) = (inner.link.clone(), owner_of(id));
        let begun = inner.runtime.block_on(async {
            let asked =
                tokio::time::timeout(Duration::from_secs(2), link.client.request(owner.clone(), Vec::new().into()));
            if matches!(asked.await, Ok(Ok(_))) {
                return Err(Error::Busy { what: what.to_string() });
            }
            let failed = |error| Error::server("a subscription", error);
            let mut questions = link.client.subscribe(owner).await.map_err(failed)?;
            let notes = link.client.subscribe(notes_of(id)).await.map_err(failed)?;
            let client = link.client.clone();
            let answer = tokio::spawn(async move {
                while let Some(message) = questions.next().await {
                    if let Some(reply) = message.reply {
                        let _ = client.publish(reply, Vec::new().into()).await;
                    }
                }
            });
            purge(&link, &inner.kind, id).await?;
            Ok((notes, answer))
        });
        let (notes, owner) = begun?;
        let (open, taken, taken_before) = Default::default();
        let id = id.to_string();
        let (heard, looked) = (Instant::now(), 0);
        let (results, has_complained) = (None, false);
        Ok(Job { inner, id, results, notes, open, taken, taken_before, heard, looked, has_complained, owner })
    }

    pub fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// The names of the job's objects on the server.
    pub fn objects(&self) -> Result<Vec<String>, Error> {
        self.inner.runtime.block_on(objects_of(&self.inner.link, &self.id))
    }

    /// The number of tasks without a result.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Begins a round, for example a generation. Results of the round before the last one are forgotten.
    pub fn next_round(&mut self) {
        self.taken_before = std::mem::take(&mut self.taken);
    }

    /// Asks for tasks. Returns when the server has stored them.
    pub fn ask(&mut self, queue: Queue, tasks: Vec<Task>) -> Result<(), Error> {
        let numbers = self.inner.runtime.block_on(send(&self.inner, queue, &tasks))?;
        self.heard = Instant::now();
        let open = |(task, number): (Task, u64)| {
            (task.name(), Open { queue, task, first: None, messages: vec![number], tries: Vec::new() })
        };
        self.open.extend(tasks.into_iter().zip(numbers).map(open));
        Ok(())
    }

    /// The next event; `None` if nothing happens for this time.
    pub fn next(&mut self, patience: Duration) -> Result<Option<Event>, Error> {
        let inner = Arc::clone(&self.inner);
        inner.runtime.block_on(self.next_event(patience))
    }

    async fn next_event(&mut self, patience: Duration) -> Result<Option<Event>, Error> {
        let until = tokio::time::Instant::now() + patience;
        loop {
            if let Some(failed) = self.look_after_dead_workers().await? {
                return Ok(Some(failed));
            }
            let results = match &mut self.results {
                Some(results) => results,
                none => none.insert(open_results(&self.inner.link, &self.id).await?),
            };
            let message = tokio::select! {
                message = results.next() => message,
                Some(note) = self.notes.next() => {
                    if let Some(note) = read::<Note>(&note.payload) {
                        self.heard = Instant::now();
                        self.hear(&note);
                        return Ok(Some(Event::Note(note)));
                    }
                    continue;
                }
                () = tokio::time::sleep_until(until) => {
                    self.look_after_tasks().await?;
                    return Ok(None);
                }
            };
            // After a lost connection, the consumer is opened again.
            let Some(Ok(message)) = message else {
                self.results = None;
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            };
            let result = read::<TaskResult>(&message.payload);
            let event = match result {
                Some(result) => self.take(result).await?,
                None => None,
            };
            // An acknowledgement that is lost only brings the result again.
            let _ = message.ack().await;
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    fn hear(&mut self, note: &Note) {
        if let (Some(open), None) = (self.open.get_mut(&note.task), note.line) {
            let Note { worker, process, delivered, .. } = note.clone();
            open.tries.push(Try { worker, process, is_alone: delivered > 1 });
        }
    }

    /// Lets a task fail with which several workers have died alone, and deletes it, so that it kills no other worker.
    async fn look_after_dead_workers(&mut self) -> Result<Option<Event>, Error> {
        let pulse = self.inner.crew.pulse();
        if pulse == self.looked {
            return Ok(None);
        }
        for (name, open) in self.open.iter().filter(|(_, open)| open.tries.len() >= MOST_DEATHS) {
            let victims = open.victims(&self.inner.crew);
            if victims.len() >= MOST_DEATHS {
                let (task, numbers) = (name.clone(), open.messages.clone());
                let why = format!(
                    "it was given to several workers, and {} of them died while they did nothing else: {}; their machines may say why, for example in the log of their kernel",
                    victims.len(),
                    victims.join(", ")
                );
                let link = &self.inner.link;
                link.patiently(|| link.delete_messages(TASKS, &numbers)).await?;
                self.open.remove(&task);
                return Ok(Some(Event::Done { task, outcome: Outcome::Failed(why), seconds: 0.0 }));
            }
        }
        self.looked = pulse;
        Ok(None)
    }

    /// Takes a result if it is the first one of its task, and otherwise compares it with the first one.
    async fn take(&mut self, result: TaskResult) -> Result<Option<Event>, Error> {
        self.heard = Instant::now();
        let name = result.task.clone();
        if result.hash != result.outcome.hash() {
            return Err(Error::Task { task: name, why: format!("the result of {} is damaged", result.worker) });
        }
        let different = |one: &str, other: &str| {
            Err(Error::Different { task: name.clone(), one: one.to_string(), other: other.to_string() })
        };
        if let Some(Taken { hash, worker }) = self.taken.get(&name).or_else(|| self.taken_before.get(&name)) {
            let is_same = *hash == result.hash || matches!(result.outcome, Outcome::Failed(_));
            return if is_same { Ok(None) } else { different(worker, &result.worker) };
        }
        let Some(open) = self.open.get_mut(&name) else { return Ok(None) };
        let failed = matches!(result.outcome, Outcome::Failed(_));
        match &open.first {
            Some(first) if first.worker == result.worker => return Ok(None),
            Some(first) if !failed && first.hash != result.hash => return different(&first.worker, &result.worker),
            None if !failed && is_verified(&name, self.inner.options.verify) && self.inner.crew.count() > 1 => {
                let task = Task { verifies: Some(result.worker.clone()), ..open.task.clone() };
                open.first = Some(result);
                open.tries.clear();
                open.messages.extend(send(&self.inner, open.queue, &[task]).await?);
                return Ok(None);
            }
            _ => {}
        }
        let Some(Open { tries, first, .. }) = self.open.remove(&name) else { return Ok(None) };
        let TaskResult { worker, seconds, outcome, hash, .. } = first.unwrap_or(result);
        if let Outcome::Failed(why) = outcome {
            let mut by: Vec<String> = tries.into_iter().map(|each| each.worker).chain([worker]).collect();
            by.dedup();
            let outcome = Outcome::Failed(format!("{why} (workers: {})", by.join(", ")));
            return Ok(Some(Event::Done { task: name, outcome, seconds }));
        }
        self.taken.insert(name.clone(), Taken { hash, worker });
        Ok(Some(Event::Done { task: name, outcome, seconds }))
    }

    /// Tells the user if nobody works, and asks for the tasks again if the server has lost them.
    async fn look_after_tasks(&mut self) -> Result<(), Error> {
        let workers = self.inner.crew.count();
        if workers > 0 {
            self.has_complained = false;
        } else if self.heard.elapsed() > Duration::from_secs(3) && !self.open.is_empty() {
            if (self.inner.options.stopped)() {
                return Err(Error::Stopped);
            }
            if !std::mem::replace(&mut self.has_complained, true) {
                (self.inner.options.tell)("no worker answers; waiting for workers");
            }
        }
        if self.heard.elapsed() > SILENCE && !self.open.is_empty() {
            self.heard = Instant::now();
            let Inner { link, kind, .. } = &*self.inner;
            let has_tasks = match link.stream(TASKS).await {
                Ok(stream) => stream.cached_info().state.messages > 0,
                Err(_) => false,
            };
            // Tasks that a dead worker had are given to others before this time. So if a worker has nothing to do, the
            // server does not have the tasks any more: it was killed before its disk had them.
            let is_idle = self.inner.crew.all().iter().any(|worker| worker.doing.is_empty());
            if (!has_tasks || is_idle) && link.prepare(kind).await.is_ok() {
                for Open { queue, task, first, messages, .. } in self.open.values_mut() {
                    let verifies = first.as_ref().map(|first| first.worker.clone());
                    messages.extend(send(&self.inner, *queue, &[Task { verifies, ..task.clone() }]).await?);
                }
            }
        }
        Ok(())
    }

    /// Ends the job. Everything of it on the server is deleted unless it is to be kept; the objects stay if the job is
    /// `interrupted` and will be continued.
    pub fn end(&mut self, interrupted: bool) {
        self.owner.abort();
        if self.inner.options.keep {
            return;
        }
        let Inner { link, kind, runtime, .. } = &*self.inner;
        let id = &self.id;
        // If the server has gone, its limits delete what is left.
        runtime.block_on(async {
            let clean = async {
                let _ = purge(link, kind, id).await;
                let objects = if interrupted { Vec::new() } else { objects_of(link, id).await.unwrap_or_default() };
                for name in objects {
                    link.delete(&name).await;
                }
            };
            let _ = tokio::time::timeout(Duration::from_secs(20), clean).await;
        });
    }
}

impl Open {
    /// The workers that died while they did this task and nothing else, and while no worker died that had another task.
    fn victims(&self, crew: &Crew) -> Vec<String> {
        let all: Vec<u64> = self.tries.iter().map(|each| each.process).collect();
        let is_victim = |each: &&Try| each.is_alone && crew.died_alone(each.process, &all);
        self.tries.iter().filter(is_victim).map(|each| each.worker.clone()).collect()
    }
}

/// The names of the objects of a job.
async fn objects_of(link: &Link, job: &str) -> Result<Vec<String>, Error> {
    let list = link.bucket().await?.list().await.map_err(|error| Error::server("a list of objects", error))?;
    let all: Vec<_> = list.try_collect().await.map_err(|error| Error::server("a list of objects", error))?;
    let is_its = |name: &String| name.strip_prefix(job).is_some_and(|rest| rest.starts_with('/'));
    Ok(all.into_iter().filter(|object| !object.deleted).map(|object| object.name).filter(is_its).collect())
}

/// Whether a task belongs to the share of tasks that are verified. It depends on its name alone.
fn is_verified(task: &str, share: f64) -> bool {
    (xxh3_64(task.as_bytes()) as f64) < share * (u64::MAX as f64)
}

/// Publishes tasks. Returns their numbers in the stream.
async fn send(inner: &Inner, queue: Queue, tasks: &[Task]) -> Result<Vec<u64>, Error> {
    let send = |task: &Task| {
        let (subject, bytes) = (queue.of_job(&inner.kind, &task.job), bytes_of(task));
        async move { inner.link.publish(&subject, bytes).await }
    };
    stream::iter(tasks.iter().map(send)).buffered(AT_ONCE).try_collect().await
}

async fn open_results(link: &Link, job: &str) -> Result<pull::Stream, Error> {
    let open = || async {
        let consumer = link.results(job).await?;
        // Missing heartbeats show within two seconds that the server was started again.
        let results = consumer.stream().expires(Duration::from_secs(4)).heartbeat(Duration::from_secs(1));
        results.messages().await.map_err(|error| Error::server("the results", error))
    };
    link.patiently(open).await
}

/// Deletes the tasks and results of a job.
async fn purge(link: &Link, kind: &str, job: &str) -> Result<(), Error> {
    let purge = || async {
        let failed = |error| Error::server("the deletion of old tasks", error);
        let tasks = link.stream(TASKS).await?;
        for queue in [Queue::Games, Queue::Members] {
            tasks.purge().filter(queue.of_job(kind, job)).await.map_err(failed)?;
        }
        let results = link.stream(RESULTS).await?;
        results.purge().filter(results_of(job)).await.map_err(failed)?;
        // There is no such consumer at the first start.
        let _ = results.delete_consumer(job).await;
        Ok(())
    };
    link.patiently(purge).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_tasks_is_verified() {
        let count = |share| (0..1000).filter(|number| is_verified(&format!("task {number}"), share)).count();
        assert_eq!((count(0.0), count(1.0)), (0, 1000));
        assert!((400..600).contains(&count(0.5)), "{}", count(0.5));
    }
}
