//! A load generator: simulated workers answer tasks at once or after a pause, by the real messages and with real sizes.
//! It shows how many workers a coordinator and a server can keep busy.

use crate::coordinator::{Coordinator, CoordinatorOptions};
use crate::crew::WorkerState;
use crate::job::{Event, Job};
use crate::link::{Link, runtime};
use crate::program::Program;
use crate::protocol::{BEAT, BEATS, ObjectName, Outcome, Queue, Task, TaskResult, Work, bytes_of, read, results_of};
use crate::{Error, Server};
use arena::{GameRecord, SharedGame, SharedRecords};
use async_nats::jetstream::AckKind;
use futures_util::StreamExt;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a load is measured.
#[derive(Clone, Copy, Debug)]
pub struct LoadOptions {
    /// The number of games of each task.
    pub games: usize,
    /// The number of seconds to measure.
    pub seconds: f64,
    /// The number of tasks that wait for each worker, or are being done by it.
    pub ahead: usize,
}

/// The result of a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReport {
    /// The number of workers that were there.
    pub workers: usize,
    /// The number of tasks that were finished.
    pub tasks: u64,
    /// The number of seconds that were measured.
    pub seconds: f64,
    /// Finished tasks for each second.
    pub tasks_per_second: f64,
    /// The mean time from asking for a task to its result, in milliseconds.
    pub mean_milliseconds: f64,
    /// The sizes of the message of a task and of that of its result, in bytes.
    pub bytes: [usize; 2],
}

/// The games of a task, of realistic size.
fn games(count: usize, number: u32) -> Vec<SharedGame> {
    let game = |place: u32| SharedGame {
        first: place % 400,
        second: (place + 7) % 400,
        start: place / 2,
        blunders: Some(u64::from(number) << 32 | u64::from(place)),
    };
    (0..count as u32).map(game).collect()
}

/// Records of draws for these games.
fn drawn(games: &[SharedGame]) -> Outcome {
    let record = |game: &SharedGame| GameRecord {
        first: game.first,
        second: game.second,
        turns: 80,
        perfect: [0; 2],
        graded: [0; 2],
        outcome: games::Outcome::Draw,
    };
    Outcome::Played(SharedRecords { records: games.iter().map(record).collect(), judged: 1000 * games.len() as u64 })
}

/// Asks workers for tasks as fast as they answer, and measures how many they finish. Only simulated workers may be there.
pub fn measure_load(server: &Server, options: LoadOptions) -> Result<LoadReport, Error> {
    let (tell, stopped) = (Box::new(|_: &str| ()), Box::new(|| false));
    let coordinator = Coordinator::connect(server, CoordinatorOptions { verify: 0.0, keep: false, tell, stopped })?;
    let mut job = Job::begin(&coordinator, "load", "the measurement")?;
    // Workers tell once a second that they are there.
    std::thread::sleep(3 * BEAT);
    let workers = coordinator.workers().len();
    if workers == 0 {
        return Err(Error::Here("no simulated worker is there".to_string()));
    }
    let window = workers * options.ahead.max(1);
    let (mut number, mut tasks, mut delays, mut asked) = (0u32, 0u64, 0.0, HashMap::new());
    let mut bytes = [0; 2];
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < options.seconds {
        if job.open() <= window / 2 {
            let missing = window - job.open();
            let more: Vec<Task> =
                (number..number + missing as u32).map(|number| task(&job, options.games, number)).collect();
            number += missing as u32;
            asked.extend(more.iter().map(|task| (task.name(), Instant::now())));
            bytes[0] = bytes_of(&more[0]).len();
            job.ask(Queue::Games, more)?;
            // Hashes of old results would fill the memory.
            job.next_round();
        }
        if let Some(Event::Done { task, outcome, .. }) = job.next(Duration::from_millis(100))? {
            bytes[1] = bytes_of(&outcome).len();
            delays += asked.remove(&task).map_or(0.0, |asked: Instant| asked.elapsed().as_secs_f64());
            tasks += 1;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    job.end(false);
    Ok(LoadReport {
        workers,
        tasks,
        seconds,
        tasks_per_second: tasks as f64 / seconds,
        mean_milliseconds: 1000.0 * delays / tasks.max(1) as f64,
        bytes,
    })
}

fn task(job: &Job, count: usize, number: u32) -> Task {
    let population = ObjectName { name: format!("{}/none", job.id()), hash: 1 };
    let work = Work::Games { generation: 1, population, games: games(count, number) };
    Task { job: job.id().to_string(), verifies: None, work }
}

/// Lets simulated workers answer tasks of games with draws, each after this pause, until `stopped` says `true`.
pub fn simulate_workers(
    server: &Server,
    count: usize,
    pause: Duration,
    stopped: impl Fn() -> bool,
) -> Result<(), Error> {
    runtime()?.block_on(async {
        // One connection carries the messages of many workers, like those of one machine with many cores.
        let mut links = Vec::new();
        for number in 0..count.div_ceil(50) {
            links.push(Link::connect(server, &format!("simulated workers {number}")).await?);
        }
        links[0].prepare(&Program::this().kind()).await?;
        for number in 0..count {
            let link = links[number % links.len()].clone();
            let outcome = Arc::new(move |task: &Task| match &task.work {
                Work::Games { games, .. } => Some(drawn(games)),
                Work::Member(_) => None,
            });
            tokio::spawn(simulate(link, format!("simulated-{number}"), pause, outcome));
        }
        while !stopped() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    })
}

/// The outcome of a task; `None` hands the task back.
pub(crate) type Answer = Arc<dyn Fn(&Task) -> Option<Outcome> + Send + Sync>;

/// One simulated worker. It ends with an error of the connection.
pub(crate) async fn simulate(link: Link, name: String, pause: Duration, outcome: Answer) -> Result<(), Error> {
    let kind = Program::this().kind();
    let queue = link.queue(Queue::Games, &kind).await?;
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| Error::server("a message", error);
    let (telling, state) = (link.client.clone(), state(&name));
    let beats = tokio::spawn(async move {
        loop {
            let _ = telling.publish(BEATS, state.clone().into()).await;
            tokio::time::sleep(BEAT).await;
        }
    });
    let wait = Duration::from_secs(2);
    let done = loop {
        let batch = queue.batch().max_messages(1).expires(wait).messages().await;
        let mut batch = match batch {
            Ok(batch) => batch,
            Err(error) => break Err(Error::server("the queue of tasks", error)),
        };
        let Some(Ok(message)) = batch.next().await else { continue };
        let Some(task) = read::<Task>(&message.payload) else { continue };
        if task.verifies.as_ref() == Some(&name) {
            message.ack_with(AckKind::Nak(Some(Duration::from_millis(200)))).await.map_err(failed)?;
            continue;
        }
        tokio::time::sleep(pause).await;
        match outcome(&task) {
            Some(outcome) => {
                let (hash, worker, seconds) = (outcome.hash(), name.clone(), pause.as_secs_f32());
                let result = TaskResult { task: task.name(), worker, seconds, outcome, hash };
                link.publish(&results_of(&task.job), bytes_of(&result)).await?;
                message.ack().await.map_err(failed)?;
            }
            None => message.ack_with(AckKind::Nak(None)).await.map_err(failed)?,
        }
    };
    beats.abort();
    done
}

fn state(name: &str) -> Vec<u8> {
    let state = WorkerState {
        name: name.to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        threads: 1,
        cores: 1,
        doing: Vec::new(),
        tasks: 0,
        games: 0,
        seconds: 0.0,
        error: None,
    };
    serde_json::to_vec(&state).expect("a state can be written")
}
