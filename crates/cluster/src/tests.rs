//! Tests with a real NATS server: refusals, and workers that compute wrongly, vanish or send nonsense.

use crate::coordinator::{Coordinator, CoordinatorOptions};
use crate::job::{Event, Job};
use crate::link::{Link, runtime};
use crate::load::simulate;
use crate::program::Program;
use crate::protocol::{ACK_WAIT, BEAT, ObjectName, Outcome, Population, Queue, TASKS, Task, Work, bytes_of};
use crate::worker::work_as;
use crate::{Error, Server, WorkerOptions, work};
use arena::{GameRecord, SharedGame, SharedRecords};
use async_nats::jetstream::stream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use trainer::Experiment;

/// A NATS server that ends with the test.
struct Nats {
    server: Server,
    process: Child,
    _folder: tempfile::TempDir,
}

impl Nats {
    fn new() -> Nats {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let path = format!("{}:/usr/sbin:/usr/local/sbin", std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("nats-server");
        command.env("PATH", path).args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]);
        command.arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("nats-server is needed: `apt-get install nats-server`");
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        let server = Server::from_environment(&format!("nats://127.0.0.1:{port}"), None).unwrap();
        Nats { server, process, _folder: folder }
    }

    fn coordinator(&self, verify: f64) -> Coordinator {
        let (tell, stopped) = (Arc::new(|_: &str| ()), Box::new(|| false));
        Coordinator::connect(&self.server, CoordinatorOptions { verify, keep: false, tell, stopped }).unwrap()
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn options(name: &str) -> WorkerOptions {
    WorkerOptions { threads: 1, name: name.to_string() }
}

/// A task with one game; `start` makes tasks different.
fn task(job: &Job, start: u32) -> Task {
    let population = ObjectName { name: format!("{}/none", job.id()), hash: 1 };
    let game = SharedGame { first: 0, second: 1, start, blunders: None };
    Task {
        job: job.id().to_string(),
        verifies: None,
        work: Work::Games { generation: 1, population, games: vec![game] },
    }
}

fn played(turns: u32) -> Outcome {
    let outcome = games::Outcome::Draw;
    let record = GameRecord { first: 0, second: 1, turns, perfect: [0; 2], graded: [0; 2], outcome };
    Outcome::Played(SharedRecords { records: vec![record], judged: 7 })
}

/// A simulated worker in this process: it speaks the real messages, but its outcomes are given.
struct Simulated {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Simulated {
    fn new(nats: &Nats, name: &str, outcome: impl Fn(&Task) -> Option<Outcome> + Send + Sync + 'static) -> Simulated {
        let (stop, server, name) = (Arc::new(AtomicBool::new(false)), nats.server.clone(), name.to_string());
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            runtime().unwrap().block_on(async {
                let link = Link::connect(&server, &name).await.unwrap();
                let worker = tokio::spawn(simulate(link, name, Duration::from_millis(20), Arc::new(outcome)));
                while !stopped.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                worker.abort();
            });
        });
        Simulated { stop, thread: Some(thread) }
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Waits for the results of all open tasks.
fn finish(job: &mut Job) -> Result<Vec<Outcome>, Error> {
    let (mut outcomes, begun) = (Vec::new(), Instant::now());
    while job.open() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the tasks have no results");
        if let Some(Event::Done { outcome, .. }) = job.next(Duration::from_millis(100))? {
            outcomes.push(outcome);
        }
    }
    Ok(outcomes)
}

#[test]
fn another_version_is_refused() {
    let nats = Nats::new();
    let other = Program { version: "9.9.9".to_string(), ..Program::this() };
    let check = |coordinator_first: bool| {
        let first = coordinator_first.then(|| nats.coordinator(0.0));
        let (server, other) = (nats.server.clone(), other.clone());
        let worker = std::thread::spawn(move || work_as(other, &server, &options("old"), &|_| (), || false));
        std::thread::sleep(Duration::from_millis(500));
        let _second = first.is_none().then(|| nats.coordinator(0.0));
        let error = worker.join().unwrap().unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "the worker old was refused: its version of Gamete is 9.9.9, and the coordinator's is {}",
                env!("CARGO_PKG_VERSION")
            )
        );
    };
    check(true);
    check(false);
}

#[test]
fn a_worker_that_computes_wrongly_is_found() {
    let nats = Nats::new();
    let coordinator = nats.coordinator(1.0);
    let mut job = Job::begin(&coordinator, "t1", "a test").unwrap();
    let right = Simulated::new(&nats, "right", |_| Some(played(10)));
    let same = Simulated::new(&nats, "same", |_| Some(played(10)));
    std::thread::sleep(Duration::from_millis(600));
    job.ask(Queue::Games, (0..20).map(|start| task(&job, start)).collect()).unwrap();
    assert_eq!(finish(&mut job).unwrap().len(), 20);
    drop(same);
    let wrong = Simulated::new(&nats, "wrong", |_| Some(played(11)));
    std::thread::sleep(Duration::from_millis(600));
    job.ask(Queue::Games, (20..40).map(|start| task(&job, start)).collect()).unwrap();
    let error = finish(&mut job).unwrap_err().to_string();
    assert!(error.contains("wrong") && (error.contains("right") || error.contains("same")), "{error}");
    assert!(error.contains("computed different results for the task t1/generation-1/games-"), "{error}");
    drop((right, wrong));
}

#[test]
fn a_task_that_kills_its_workers_fails_and_others_go_on() {
    let nats = Nats::new();
    let coordinator = nats.coordinator(0.0);
    let mut job = Job::begin(&coordinator, "t2", "a test").unwrap();
    let bad = task(&job, 666);
    let name = bad.name();
    let is_bad = move |task: &Task| task.name() == name;
    let died = Arc::new(AtomicUsize::new(0));
    let _workers: Vec<Simulated> = (0..5)
        .map(|number| {
            let (is_bad, died) = (is_bad.clone(), Arc::clone(&died));
            Simulated::new(&nats, &format!("victim-{number}"), move |task| {
                let dies = is_bad(task);
                died.fetch_add(usize::from(dies), Ordering::Relaxed);
                (!dies).then(|| played(3))
            })
        })
        .collect();
    // The coordinator must know the workers before they die.
    std::thread::sleep(3 * BEAT);
    job.ask(Queue::Games, vec![bad]).unwrap();
    let outcomes = finish(&mut job).unwrap();
    let Outcome::Failed(why) = &outcomes[0] else { panic!("{outcomes:?}") };
    assert!(why.contains("2 of them died while they did nothing else: victim-"), "{why}");
    job.ask(Queue::Games, (0..50).map(|start| task(&job, start)).collect()).unwrap();
    assert_eq!(finish(&mut job).unwrap().len(), 50);
    // The task was deleted, so that it killed no other worker.
    std::thread::sleep(ACK_WAIT);
    assert_eq!(died.load(Ordering::Relaxed), 3);
}

#[test]
fn two_coordinators_do_not_run_the_same_job() {
    let nats = Nats::new();
    let [one, two] = [(), ()].map(|()| nats.coordinator(0.0));
    let mut job = Job::begin(&one, "l3", "the lab `x`").unwrap();
    let refused = Job::begin(&two, "l3", "the lab `x`").err().unwrap().to_string();
    assert!(refused.starts_with("the lab `x` is being run by another coordinator"), "{refused}");
    job.end(false);
    assert!(Job::begin(&two, "l3", "the lab `x`").is_ok());
}

#[test]
fn the_stream_of_another_program_is_refused() {
    let nats = Nats::new();
    runtime().unwrap().block_on(async {
        let link = Link::connect(&nats.server, "another program").await.unwrap();
        let subjects = vec!["orders.*".to_string()];
        let config = stream::Config { name: TASKS.to_string(), subjects, ..stream::Config::default() };
        link.jetstream.create_stream(config).await.unwrap();
        let error = link.prepare("kind").await.unwrap_err().to_string();
        assert!(error.contains("GAMETE_TASKS") && error.contains("orders.*"), "{error}");
    });
}

/// Messages that no coordinator would send neither stop a worker nor reach beyond its limits.
#[test]
fn nonsense_is_refused_by_workers() {
    let nats = Nats::new();
    let coordinator = nats.coordinator(0.0);
    let mut job = Job::begin(&coordinator, "t4", "a test").unwrap();
    let (stop, said) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let (server, stopped, heard) = (nats.server.clone(), Arc::clone(&stop), Arc::clone(&said));
    let worker = std::thread::spawn(move || {
        let tell = |sentence: &str| heard.lock().unwrap().push(sentence.to_string());
        work(&server, &options("careful"), &tell, || stopped.load(Ordering::Relaxed))
    });
    let inner = Arc::clone(job.inner());
    let put = |number: u32, bytes: Vec<u8>| {
        let name = format!("t4/object-{number}");
        inner.runtime.block_on(inner.link.put(&name, &bytes)).unwrap()
    };
    let experiment = Experiment::shipped("minichess").unwrap().canonical();
    let mut huge = Experiment::shipped("minichess").unwrap();
    huge.set(&["strategy.neat.population=1000000", "schedule.circular.opponents=100"]).unwrap();
    let huge = huge.canonical();
    let small = |experiment: &str| bytes_of(&Population { experiment: experiment.to_string(), networks: Vec::new() });
    let nim = Experiment::shipped("nim-2x4").unwrap();
    let strangers: Vec<_> = vec![nim.trainer(1).step(&Vec::new()).unwrap().champion];
    let strange = bytes_of(&Population { experiment: experiment.clone(), networks: strangers });
    let subject = Queue::Games.of_job(&inner.kind, "t4");
    inner.runtime.block_on(inner.link.publish(&subject, b"nonsense".to_vec())).unwrap();
    for (number, (object, sentence)) in [
        (b"nonsense".to_vec(), "is not a population"),
        (small("game = \"minichess\""), "the experiment of a task"),
        (small(&experiment), "cannot be played between 0 networks"),
        (small(&huge), "keeps at most"),
        (strange, "do not fit the experiment"),
        (Vec::new(), "is not a population"),
    ]
    .into_iter()
    .enumerate()
    {
        let population = put(number as u32, object);
        let asked = task(&job, number as u32);
        let Work::Games { games, .. } = asked.work else { unreachable!() };
        let asked = Task { work: Work::Games { generation: 1, population, games }, ..asked };
        job.ask(Queue::Games, vec![asked]).unwrap();
        let outcomes = finish(&mut job).unwrap();
        let Outcome::Failed(why) = &outcomes[0] else { panic!("{outcomes:?}") };
        assert!(why.contains(sentence), "{why}");
    }
    stop.store(true, Ordering::Relaxed);
    worker.join().unwrap().unwrap();
    assert!(said.lock().unwrap().iter().any(|sentence| sentence.contains("not a")), "{said:?}");
}
