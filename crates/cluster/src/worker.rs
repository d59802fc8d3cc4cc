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

/// How long a worker waits for a task before it asks again.
const WAIT: Duration = Duration::from_secs(2);
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
        let mut work = vec![tokio::spawn(Arc::clone(&worker).take(Queue::Games))];
        work.extend((0..options.threads).map(|_| tokio::spawn(Arc::clone(&worker).take(Queue::Members))));
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
    threads: usize,
    /// One permit for each thread. Games take all of them, a member takes one.
    permits: Semaphore,
    /// Where members are trained.
    workplace: Workplace,
    players: Mutex<GamePlayers>,
    stop: AtomicBool,
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
            threads: options.threads,
            permits: Semaphore::new(options.threads),
            workplace: Workplace::new()?,
            players: Mutex::default(),
            stop: AtomicBool::new(false),
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
            let (doing, error) = {
                let state = self.state();
                (state.doing.clone(), state.error.clone())
            };
            let state = WorkerState {
                name: self.name.clone(),
                version: self.program.version.clone(),
                threads: self.threads,
                cores: arena::cores(None),
                doing,
                tasks: self.tasks.load(Ordering::Relaxed),
                games: self.games.load(Ordering::Relaxed),
                seconds: self.begun.elapsed().as_secs_f64(),
                error,
            };
            let state = serde_json::to_vec(&state).expect("a state can be written");
            let _ = self.link.client.publish(BEATS, state.into()).await;
            tokio::time::sleep(BEAT).await;
        }
    }

    /// Takes tasks from a queue, one after the other.
    async fn take(self: Arc<Worker>, queue: Queue) {
        while !self.is_stopped() {
            // The queue is made by the first coordinator. It is opened again after an error.
            let Ok(consumer) = self.link.queue(queue, &self.kind).await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            while !self.is_stopped() {
                let Ok(mut batch) = consumer.batch().max_messages(1).expires(WAIT).messages().await else {
                    tokio::time::sleep(PAUSE).await;
                    break;
                };
                let message = tokio::select! {
                    message = batch.next() => message,
                    () = self.until_stopped() => return,
                };
                match message {
                    Some(Ok(message)) => self.handle(queue, message).await,
                    Some(Err(_)) => {
                        tokio::time::sleep(PAUSE).await;
                        break;
                    }
                    None => {}
                }
            }
        }
    }

    async fn until_stopped(&self) {
        while !self.is_stopped() {
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Does the task of a message, and publishes its result.
    async fn handle(self: &Arc<Worker>, queue: Queue, message: Message) {
        // 1. A message that is no task is deleted.
        let task = read::<Task>(&message.payload).ok_or(Error::Here("a message is not a task".to_string()));
        let task = match task.and_then(Task::checked) {
            Ok(task) => task,
            Err(error) => {
                self.complain(&error);
                let _ = message.ack_with(AckKind::Term).await;
                return;
            }
        };
        let name = task.name();
        // 2. A task that verifies this worker's own result is for another worker. It may come back many times.
        if task.verifies.as_ref() == Some(&self.name) {
            let _ = message.ack_with(AckKind::Nak(Some(PAUSE))).await;
            return;
        }
        let delivered = message.info().map_or(1, |info| info.delivered);
        if delivered > MOST_DELIVERIES && task.verifies.is_none() {
            let why = format!("it was given to a worker {MOST_DELIVERIES} times, and none of them finished it");
            self.answer(&task, &name, Outcome::Failed(why), 0.0, &message).await;
            return;
        }
        // 3. While the work is done, the server hears that this worker lives.
        let note = Note { task: name.clone(), worker: self.name.clone(), line: None };
        let _ = self.link.client.publish(notes_of(&task.job), bytes_of(&note).into()).await;
        self.state().doing.push(name.clone());
        let message = Arc::new(message);
        let telling = Arc::clone(&message);
        let progress = tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROGRESS).await;
                let _ = telling.ack_with(AckKind::Progress).await;
            }
        });
        let wanted = if queue == Queue::Games { self.threads as u32 } else { 1 };
        let permit = self.permits.acquire_many(wanted).await;
        let begun = Instant::now();
        let outcome = self.outcome(&task, &name).await;
        drop(permit);
        // 4. Publish the result; only then the task is deleted.
        match outcome {
            Some(outcome) => self.answer(&task, &name, outcome, begun.elapsed().as_secs_f32(), &message).await,
            None => drop(message.ack_with(AckKind::Nak(None)).await),
        }
        progress.abort();
        let doing = &mut self.state().doing;
        if let Some(place) = doing.iter().position(|each| *each == name) {
            doing.remove(place);
        }
    }

    /// What comes of a task; `None` if it is handed back.
    async fn outcome(self: &Arc<Worker>, task: &Task, name: &str) -> Option<Outcome> {
        let done = match &task.work {
            Work::Games { generation, population, games } => {
                games::play(self, *generation, population, games).await.map(Some)
            }
            Work::Member(work) => members::train(self, &task.job, name, work).await,
        };
        match done {
            Ok(outcome) => outcome,
            // The server is gone: another worker gets the task when it is back.
            Err(Error::Server { .. }) if self.is_stopped() => None,
            Err(error) => {
                self.complain(&error);
                Some(Outcome::Failed(error.to_string()))
            }
        }
    }

    async fn answer(&self, task: &Task, name: &str, outcome: Outcome, seconds: f32, message: &Message) {
        let hash = outcome.hash();
        let result = TaskResult { task: name.to_string(), worker: self.name.clone(), seconds, outcome, hash };
        match self.link.publish(&results_of(&task.job), bytes_of(&result)).await {
            Ok(()) => {
                let _ = message.ack().await;
                self.tasks.fetch_add(1, Ordering::Relaxed);
            }
            // The task is given to a worker again.
            Err(error) => self.complain(&error),
        }
    }
}

/// Runs work that takes long on a thread of its own. A panic becomes an error.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(Error::Here(format!("the worker's program has a fault: {error}"))),
    }
}
