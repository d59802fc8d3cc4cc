//! A load generator: simulated workers answer tasks at once or after a pause, by the real messages and with real sizes.
//! It shows how many workers a coordinator and a server can keep busy.

use crate::coordinator::{Coordinator, CoordinatorOptions};
use crate::crew::WorkerState;
use crate::job::{Event, Job};
use crate::link::{Link, runtime};
use crate::program::Program;
use crate::protocol::{
    BEAT, BEATS, Note, ObjectName, Outcome, Queue, Task, TaskResult, Work, bytes_of, notes_of, read, results_of,
};
use crate::puller::Puller;
use crate::worker::random_number;
use crate::{Error, Server};
use arena::{GameRecord, SharedGame, SharedRecords};
use async_nats::jetstream::AckKind;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

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
    /// The share of their time in which the workers did tasks.
    pub busy: f64,
    /// The seconds of processor time that the coordinator used for each second; `None` where the system does not say it.
    pub cores: Option<f64>,
    /// The coordinator's memory in kB after a tenth of the time, and at the end.
    pub memory: [Option<u64>; 2],
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
    let (tell, stopped) = (Arc::new(|_: &str| ()), Box::new(|| false));
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
    let (mut bytes, mut busy, mut memory) = ([0; 2], 0.0, None);
    let (begun, cpu) = (Instant::now(), cpu_seconds());
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
        if memory.is_none() && begun.elapsed().as_secs_f64() > 0.1 * options.seconds {
            memory = resident_memory();
        }
        if let Some(Event::Done { task, outcome, seconds }) = job.next(Duration::from_millis(100))? {
            busy += f64::from(seconds);
            bytes[1] = bytes_of(&outcome).len();
            delays += asked.remove(&task).map_or(0.0, |asked: Instant| asked.elapsed().as_secs_f64());
            tasks += 1;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let cores = cpu_seconds().zip(cpu).map(|(now, before)| (now - before) / seconds);
    let memory = [memory, resident_memory()];
    job.end(false);
    Ok(LoadReport {
        workers,
        tasks,
        seconds,
        tasks_per_second: tasks as f64 / seconds,
        mean_milliseconds: 1000.0 * delays / tasks.max(1) as f64,
        busy: busy / (workers as f64 * seconds),
        cores,
        memory,
        bytes,
    })
}

/// The seconds of processor time that this process has used; `None` where the system does not say it.
fn cpu_seconds() -> Option<f64> {
    let text = runs::read_text("/proc/self/stat".as_ref()).ok()?;
    // The name of the program may hold spaces. After it, the 12th and 13th words are times in hundredths of a second.
    let words: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    Some((words.get(11)?.parse::<f64>().ok()? + words.get(12)?.parse::<f64>().ok()?) / 100.0)
}

/// The memory of this process in kB; `None` where the system does not say it.
fn resident_memory() -> Option<u64> {
    let text = runs::read_text("/proc/self/status".as_ref()).ok()?;
    text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
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

/// The outcome of a task; `None` kills the worker.
pub(crate) type Answer = Arc<dyn Fn(&Task) -> Option<Outcome> + Send + Sync>;

/// One simulated worker. It ends with an error of the connection, or with a task without an outcome, as if the task had
/// killed it.
pub(crate) async fn simulate(link: Link, name: String, pause: Duration, outcome: Answer) -> Result<(), Error> {
    let (telling, state) = (link.client.clone(), state(&name));
    let process = state.process;
    let state = serde_json::to_vec(&state).expect("a state can be written");
    let beats = async move {
        loop {
            let _ = telling.publish(BEATS, state.clone().into()).await;
            tokio::time::sleep(BEAT).await;
        }
    };
    // Like a real worker, it fetches a task while it does another one.
    let turn = Semaphore::new(1);
    let lane = || answer_tasks(&link, &name, process, pause, &outcome, &turn);
    tokio::select! {
        () = beats => Ok(()),
        done = lane() => done,
        done = lane() => done,
    }
}

/// Answers tasks, one after the other, each when it is the turn of this part of the worker.
async fn answer_tasks(
    link: &Link,
    name: &str,
    process: u64,
    pause: Duration,
    outcome: &Answer,
    turn: &Semaphore,
) -> Result<(), Error> {
    let mut tasks = Puller::open(link, Queue::Games, &Program::this().kind()).await?;
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| Error::server("a message", error);
    loop {
        let Some(message) = tasks.next().await? else { continue };
        let Some(task) = read::<Task>(&message.payload) else { continue };
        if task.verifies.as_deref() == Some(name) {
            message.ack_with(AckKind::Nak(Some(Duration::from_millis(200)))).await.map_err(failed)?;
            continue;
        }
        let permit = turn.acquire().await;
        let delivered = message.info().map_or(1, |info| info.delivered);
        if delivered > 1 {
            let note = Note { task: task.name(), worker: name.to_string(), process, delivered, line: None };
            let _ = link.client.publish(notes_of(&task.job), bytes_of(&note).into()).await;
            let _ = link.client.flush().await;
        }
        let begun = Instant::now();
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        let seconds = begun.elapsed().as_secs_f32();
        let Some(outcome) = outcome(&task) else { return Ok(()) };
        drop(permit);
        let (hash, worker) = (outcome.hash(), name.to_string());
        let result = TaskResult { task: task.name(), worker, seconds, outcome, hash };
        link.publish(&results_of(&task.job), bytes_of(&result)).await?;
        tasks.acknowledge(&message).await;
    }
}

fn state(name: &str) -> WorkerState {
    WorkerState {
        name: name.to_string(),
        process: random_number(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        threads: 1,
        cores: 1,
        doing: Vec::new(),
        tasks: 0,
        games: 0,
        seconds: 0.0,
        error: None,
        leaves: false,
    }
}
