//! A worker: it takes tasks from a server until it is stopped.

mod games;
mod members;

use crate::crew::WorkerState;
use crate::link::{Link, runtime};
use crate::program::Program;
use crate::protocol::{
    Answer, BEAT, BEATS, HELLO, HERE, Hello, MOST_DELIVERIES, Note, Outcome, PROGRESS, Queue, Task, TaskResult, Work,
    bytes_of, notes_of, read, results_of,
};
use crate::puller::Puller;
use crate::workplace::Workplace;
use crate::{Error, Server};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use games::GamePlayers;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Options of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The number of threads that it may use.
    pub threads: usize,
    /// Its name, for coordinators and their messages.
    pub name: String,
}

/// While tasks of games are shorter than this, a worker takes the next one before it has finished the last one, so that it
/// never waits for messages. Of longer tasks, another worker may begin the next one earlier.
const SHORT: f32 = 1.0;
/// The pause after an error, and before the next look whether the worker should stop.
const PAUSE: Duration = Duration::from_millis(200);

/// Takes tasks until `stopped` says `true`. Games are then finished; a slice of a lab's member is handed back. An error
/// if a coordinator refuses this program. `tell` receives sentences for the user.
pub fn work(
    server: &Server,
    options: &WorkerOptions,
    tell: &(dyn Fn(&str) + Sync),
    stopped: impl Fn() -> bool,
) -> Result<(), Error> {
    work_as(Program::this(), server, options, tell, stopped)
}

/// Works as this program; tests are other programs.
pub(crate) fn work_as(
    program: Program,
    server: &Server,
    options: &WorkerOptions,
    tell: &(dyn Fn(&str) + Sync),
    stopped: impl Fn() -> bool,
) -> Result<(), Error> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let link = Link::connect(server, &format!("gamete worker {}", options.name)).await?;
        tell(&format!("the worker {} waits for tasks at {}", options.name, server.address()));
        let worker = Worker::new(program, link, options)?;
        let telling = [tokio::spawn(Arc::clone(&worker).say_hello()), tokio::spawn(Arc::clone(&worker).beat())];
        let mut work = vec![
            tokio::spawn(Arc::clone(&worker).take(Queue::Games, false)),
            tokio::spawn(Arc::clone(&worker).take(Queue::Games, true)),
        ];
        work.extend((0..options.threads).map(|_| tokio::spawn(Arc::clone(&worker).take(Queue::Members, false))));
        while !stopped() && worker.state().refused.is_none() {
            tokio::time::sleep(PAUSE).await;
            if let Some(sentence) = worker.state().news.take() {
                tell(&sentence);
            }
        }
        worker.stop.store(true, Ordering::Relaxed);
        for each in work {
            let _ = each.await;
        }
        telling.iter().for_each(|each| each.abort());
        worker.tell_state(true).await;
        let refused = worker.state().refused.take();
        // The last acknowledgements must leave this machine.
        let _ = worker.link.client.flush().await;
        match refused {
            Some(sentence) => Err(Error::OtherProgram(sentence)),
            None => Ok(()),
        }
    })
}

struct Worker {
    program: Program,
    kind: String,
    link: Link,
    name: String,
    /// A random number of this process.
    process: u64,
    threads: usize,
    /// One permit for each thread. Games take all of them, a member takes one.
    permits: Semaphore,
    /// Where members are trained.
    workplace: Workplace,
    players: Mutex<GamePlayers>,
    stop: AtomicBool,
    /// Whether the last task of games was short.
    is_short: AtomicBool,
    tasks: AtomicU64,
    games: AtomicU64,
    begun: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    doing: Vec<String>,
    /// The last error.
    error: Option<String>,
    /// A sentence that the user has not seen yet.
    news: Option<String>,
    /// Why a coordinator refuses this worker.
    refused: Option<String>,
}

impl Worker {
    fn new(program: Program, link: Link, options: &WorkerOptions) -> Result<Arc<Worker>, Error> {
        Ok(Arc::new(Worker {
            kind: program.kind(),
            program,
            link,
            name: options.name.clone(),
            process: random_number(),
            threads: options.threads,
            permits: Semaphore::new(options.threads),
            workplace: Workplace::new()?,
            players: Mutex::default(),
            stop: AtomicBool::new(false),
            is_short: AtomicBool::new(true),
            tasks: AtomicU64::new(0),
            games: AtomicU64::new(0),
            begun: Instant::now(),
            state: Mutex::default(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Keeps an error for the user and for lists of workers.
    fn complain(&self, error: &Error) {
        let mut state = self.state();
        state.error = Some(error.to_string());
        state.news = Some(error.to_string());
    }

    /// Asks whether it may work: now, and whenever a coordinator begins.
    async fn say_hello(self: Arc<Worker>) {
        let Ok(mut here) = self.link.client.subscribe(HERE).await else { return };
        let hello = Hello { name: self.name.clone(), cores: arena::cores(None), program: self.program.clone() };
        let hello = serde_json::to_vec(&hello).expect("a greeting can be written");
        loop {
            // Without a coordinator there is no answer, and the worker waits for one.
            if let Ok(reply) = self.link.client.request(HELLO, hello.clone().into()).await
                && let Ok(Answer { refused: Some(sentence) }) = serde_json::from_slice(&reply.payload)
            {
                self.state().refused = Some(sentence);
                return;
            }
            if here.next().await.is_none() {
                return;
            }
        }
    }

    /// Tells once a second what it does.
    async fn beat(self: Arc<Worker>) {
        loop {
            self.tell_state(false).await;
            tokio::time::sleep(BEAT).await;
        }
    }

    async fn tell_state(&self, leaves: bool) {
        let (doing, error) = {
            let state = self.state();
            (state.doing.clone(), state.error.clone())
        };
        let state = WorkerState {
            name: self.name.clone(),
            process: self.process,
            version: self.program.version.clone(),
            threads: self.threads,
            cores: arena::cores(None),
            doing,
            tasks: self.tasks.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
            seconds: self.begun.elapsed().as_secs_f64(),
            error,
            leaves,
        };
        let state = serde_json::to_vec(&state).expect("a state can be written");
        let _ = self.link.client.publish(BEATS, state.into()).await;
    }

    /// Takes tasks from a queue, one after the other. If `is_ahead`, it is the second one that takes tasks of games: it
    /// fetches a task while the first one is being done.
    async fn take(self: Arc<Worker>, queue: Queue, is_ahead: bool) {
        while !self.is_stopped() {
            // The queue is made by the first coordinator. It is opened again after an error.
            if let Ok(mut puller) = Puller::open(&self.link, queue, &self.kind).await {
                let _ = self.take_from(&mut puller, queue, is_ahead).await;
                puller.close().await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Takes tasks until the worker is stopped, or until an error.
    async fn take_from(self: &Arc<Worker>, puller: &mut Puller, queue: Queue, is_ahead: bool) -> Result<(), Error> {
        while !self.is_stopped() {
            let may_take = !is_ahead || self.is_short.load(Ordering::Relaxed);
            if !may_take && !puller.has_asked() {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            let message = tokio::select! {
                message = puller.next() => message?,
                () = self.until_stopped() => return Ok(()),
            };
            if let Some(message) = message
                && self.handle(queue, &message).await
            {
                match self.is_stopped() || (is_ahead && !self.is_short.load(Ordering::Relaxed)) {
                    true => drop(message.ack().await),
                    false => puller.acknowledge(&message).await,
                }
            }
        }
        Ok(())
    }

    async fn until_stopped(&self) {
        while !self.is_stopped() {
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Does the task of a message, and publishes its result. Whether the message is to be acknowledged.
    async fn handle(self: &Arc<Worker>, queue: Queue, message: &Message) -> bool {
        // 1. A message that is no task is deleted.
        let task = read::<Task>(&message.payload).ok_or(Error::Here("a message is not a task".to_string()));
        let task = match task.and_then(Task::checked) {
            Ok(task) => task,
            Err(error) => {
                self.complain(&error);
                let _ = message.ack_with(AckKind::Term).await;
                return false;
            }
        };
        let name = task.name();
        // 2. A task that verifies this worker's own result is for another worker. It may come back many times.
        if task.verifies.as_ref() == Some(&self.name) {
            let _ = message.ack_with(AckKind::Nak(Some(PAUSE))).await;
            return false;
        }
        let delivered = message.info().map_or(1, |info| info.delivered);
        if delivered > MOST_DELIVERIES && task.verifies.is_none() {
            let why = format!("it was given to a worker {MOST_DELIVERIES} times, and none of them finished it");
            return self.answer(&task, &name, Outcome::Failed(why), 0.0).await;
        }
        // 3. While the task waits and the work is done, the server hears that this worker lives. A task that comes again
        //    may have killed a worker, so it runs alone: what dies with it then is its own fault.
        let telling = message.clone();
        let progress = tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROGRESS).await;
                let _ = telling.ack_with(AckKind::Progress).await;
            }
        });
        let is_alone = queue == Queue::Games || delivered > 1;
        let permit = self.permits.acquire_many(if is_alone { self.threads as u32 } else { 1 }).await;
        let begun = Instant::now();
        let outcome = match self.is_stopped() {
            true => None,
            false => self.do_now(queue, &task, &name, delivered).await,
        };
        drop(permit);
        let seconds = begun.elapsed().as_secs_f32();
        if queue == Queue::Games {
            self.is_short.store(seconds < SHORT, Ordering::Relaxed);
        }
        // 4. Publish the result; only then the task is deleted.
        let is_done = match outcome {
            Some(outcome) => self.answer(&task, &name, outcome, seconds).await,
            None => {
                let _ = message.ack_with(AckKind::Nak((!self.is_stopped()).then_some(PAUSE))).await;
                false
            }
        };
        progress.abort();
        is_done
    }

    /// Does a task, and tells that it does so. The outcome is `None` if the task is handed back.
    async fn do_now(self: &Arc<Worker>, queue: Queue, task: &Task, name: &str, delivered: i64) -> Option<Outcome> {
        // Games are many and short, so that only those are noted that come again.
        if delivered > 1 || queue == Queue::Members {
            self.note(task, name, delivered).await;
        }
        self.state().doing.push(name.to_string());
        let outcome = self.outcome(task, name, delivered).await;
        let doing = &mut self.state().doing;
        if let Some(place) = doing.iter().position(|each| each == name) {
            doing.remove(place);
        }
        outcome
    }

    /// Tells the coordinator that the task begins.
    async fn note(&self, task: &Task, name: &str, delivered: i64) {
        let (task, name, worker) = (notes_of(&task.job), name.to_string(), self.name.clone());
        let note = Note { task: name, worker, process: self.process, delivered, line: None };
        let _ = self.link.client.publish(task, bytes_of(&note).into()).await;
    }

    /// What comes of a task; `None` if it is handed back.
    async fn outcome(self: &Arc<Worker>, task: &Task, name: &str, delivered: i64) -> Option<Outcome> {
        let done = match &task.work {
            Work::Games { generation, population, games } => {
                games::play(self, *generation, population, games).await.map(Some)
            }
            Work::Member(work) => members::train(self, &task.job, name, delivered, work).await,
        };
        match done {
            Ok(outcome) => outcome,
            // The server was away for too long, or has lost an object: the task is given to a worker again.
            Err(error @ Error::Server { .. }) => {
                self.complain(&error);
                None
            }
            Err(error) => {
                self.complain(&error);
                Some(Outcome::Failed(error.to_string()))
            }
        }
    }

    /// Publishes the outcome of a task. Whether the server has it; otherwise the task is given to a worker again.
    async fn answer(&self, task: &Task, name: &str, outcome: Outcome, seconds: f32) -> bool {
        let hash = outcome.hash();
        let result = TaskResult { task: name.to_string(), worker: self.name.clone(), seconds, outcome, hash };
        match self.link.publish(&results_of(&task.job), bytes_of(&result)).await {
            Ok(_) => {
                self.tasks.fetch_add(1, Ordering::Relaxed);
                true
            }
            Err(error) => {
                self.complain(&error);
                false
            }
        }
    }
}

/// A number that no other process has.
pub(crate) fn random_number() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish()
}

/// Runs work that takes long on a thread of its own. A panic becomes an error.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Error::Here(format!("the worker's program has a fault: {error}"))),
    }
}
