//! Attacks the web app with malformed, slow, huge, cross-site and many requests during a training (`requests.rs`,
//! `slow.rs`), and checks the locks of trainings under load (`locks.rs`).

mod locks;
mod requests;
mod slow;

use crate::Attack;
use crate::cases::{Case, Siege};
use crate::figures::Figures;
use crate::server::{Server, Usage, ask, send, usage};
use chance::rng_for;
use rustix::process::Signal;
use serde_json::json;
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of threads that send requests.
const SENDERS: u64 = 3;
/// The largest growth of a server's memory from before the requests to after them, in kilobytes.
const MORE_MEMORY: u64 = 64 * 1024;
/// The longest time until the numbers of descriptors and threads are as before. Idle threads are kept for ten seconds.
const RELEASE_TIME: Duration = Duration::from_secs(40);

/// Attacks one server after the other until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let most = if siege.share { 2 } else { u64::MAX };
    siege.cases(Attack::Web, until, most, |case| match case.number % 4 {
        2 => hostile_requests(case, if siege.share { 600 } else { 6000 }),
        _ => locks::storm(case, if siege.share { 25 } else { 100 }),
    })
}

/// Sends hostile requests to a server during a training.
fn hostile_requests(case: &mut Case, requests: u64) -> Result<(), String> {
    let gamete = &case.siege.gamete;
    let trained = "train nim-2x4 --generations 6 --set stop.solved=false --name a";
    gamete.run(&case.folder, trained).check_success()?;
    let mut server = Server::start(gamete, &case.folder)?;
    // The first answers load pages and tables, so they come before the first measurement.
    for path in ["/", "/api/about", "/api/runs/a/games"] {
        server.get(path)?;
    }
    let before = usage(server.id()).ok_or("server ended: right after its start")?;
    start_training(case, &server)?;
    let clients = if case.siege.share { 20 } else { 60 };
    let (host, seed) = (server.host.clone(), case.rng.below(usize::MAX) as u64);
    let (sent, faults) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let slow = std::thread::scope(|scope| {
        let slow = scope.spawn(|| slow::visit(&host, clients));
        for sender in 0..SENDERS {
            let (host, sent, faults) = (&host, &sent, &faults);
            scope.spawn(move || {
                let found = send_requests(host, seed, sender, requests / SENDERS, sent);
                if let Ok(mut faults) = faults.lock() {
                    faults.extend(found);
                }
            });
        }
        slow.join().unwrap_or_else(|_| Err("siege: the thread of the slow clients panicked".to_string()))
    });
    case.count("requests", sent.into_inner());
    case.failures.extend(faults.into_inner().unwrap_or_default().into_iter().take(6));
    let slow = slow?;
    case.count("slow visitors", slow.len() as u64);
    let held = slow.iter().filter(|held| held.is_none()).count();
    if held > 0 {
        let most = slow::MOST.as_secs();
        case.check(Err(format!(
            "slow clients kept their connections: {held} of {} for more than {most} s",
            slow.len()
        )));
    }
    let crowded = crowd(case, &server);
    case.check(crowded);
    let alive = server.check_alive(&case.folder);
    case.check(alive);
    let trains = check_training(&server);
    case.check(trains);
    server.post("/api/runs/long/stop", &json!({}))?;
    let back = check_released(&server, before);
    case.check(back);
    let ended = server.end(Signal::TERM, Duration::from_secs(10)).map(|_| ());
    case.check(ended);
    let shown = case.siege.gamete.run(&case.folder, "show a --json");
    shown.check_success()
}

fn start_training(case: &Case, server: &Server) -> Result<(), String> {
    let words = "train nim-2x4 --generations 100000000 --set stop.solved=false --set strategy.enn.population=40 --set schedule.circular.opponents=10 --print";
    let toml = case.siege.gamete.run(&case.folder, words);
    toml.check_success()?;
    let body = json!({ "experiment": "nim-2x4", "toml": toml.stdout, "name": "long" });
    let reply = server.post("/api/runs", &body)?;
    if reply.status == 201 {
        Ok(())
    } else {
        Err(format!("training not started: status {} {}", reply.status, reply.body))
    }
}

/// Checks that the training that was started before the requests still makes progress.
fn check_training(server: &Server) -> Result<(), String> {
    let generation = || server.detail("long").map(|detail| detail["card"].clone());
    let (before, begun) = (generation()?, Instant::now());
    while begun.elapsed() < Duration::from_secs(10) {
        if generation()?["generation"].as_u64() > before["generation"].as_u64() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("training stopped: it is {} at generation {}", before["state"], before["generation"]))
}

/// Sends requests and returns a message for each wrong answer.
fn send_requests(host: &str, seed: u64, sender: u64, requests: u64, sent: &AtomicU64) -> Vec<String> {
    let mut faults = Vec::new();
    for number in 0..requests {
        let request = requests::draw(host, &mut rng_for(seed, &[sender, number]));
        sent.fetch_add(1, Ordering::Relaxed);
        let bytes = &request.bytes;
        match send_and_close(host, bytes) {
            Err(error) => faults.push(format!("{error} ({})", request.name)),
            Ok(reply) => {
                if let Err(error) = request.expected.check(reply.status) {
                    let text: String = reply.body.chars().take(150).collect();
                    faults.push(format!("{error}: {}: {text}", request.name));
                }
            }
        }
    }
    faults
}

/// Sends a request. If its end is missing, the writing side is closed, because otherwise both sides would wait.
fn send_and_close(host: &str, bytes: &[u8]) -> Result<crate::server::Reply, String> {
    match bytes.ends_with(b"}") || bytes.ends_with(b"\r\n\r\n") {
        true => send(host, bytes),
        false => crate::server::send_half(host, bytes),
    }
}

/// Opens more connections than the server allows; after they are closed, it must answer as before.
fn crowd(case: &mut Case, server: &Server) -> Result<(), String> {
    let many: Vec<TcpStream> = (0..700).filter_map(|_| TcpStream::connect(&server.host).ok()).collect();
    case.count("connections at once", many.len() as u64);
    drop(many);
    let begun = Instant::now();
    loop {
        match ask(&server.host, "GET", "/api/runs/a/champions/3", None) {
            Ok(reply) if reply.status == 200 => return Ok(()),
            // It takes a moment until the server notices that the connections are closed.
            _ if begun.elapsed() < Duration::from_secs(10) => std::thread::sleep(Duration::from_millis(100)),
            Ok(reply) => return Err(format!("no answer after many connections: status {}", reply.status)),
            Err(error) => return Err(format!("no answer after many connections: {error}")),
        }
    }
}

/// Checks that the numbers of descriptors and threads return to those before, and that memory has not grown much.
fn check_released(server: &Server, before: Usage) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let now = usage(server.id()).ok_or("server ended: although no requests were sent")?;
        let back = now.descriptors <= before.descriptors + 2 && now.threads <= before.threads + 2;
        if back && now.memory <= before.memory + MORE_MEMORY {
            return Ok(());
        }
        if begun.elapsed() > RELEASE_TIME {
            return Err(format!("resources not released: {before:?} became {now:?} (memory in kB)"));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}
