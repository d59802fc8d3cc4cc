//! Checks locks under load: trainings are started through the web app while web pages and other programs read the same
//! files. The training's process must hold SQLite's lock from its start on. Without the lock, another program that
//! reads the file removes the log of the running training, and a kill then loses committed generations.

use crate::cases::Case;
use crate::compare::generations;
use crate::gamete::collect;
use crate::server::{Server, ask};
use chance::rng_for;
use serde_json::json;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of clients that ask for runs all the time.
const CLIENTS: u64 = 4;
/// The number of trainings at the same time; the server allows eight.
const AT_ONCE: u64 = 6;
/// The first byte of the range in which SQLite locks a database file. A lock can be on any of 510 bytes from here on.
const SHARED_FIRST: u64 = 0x4000_0002;

/// A training that does not end by itself.
const TRAINING: &str = "train nim-2x4 --seed 3 --generations 1000000 --set stop.solved=false --set strategy.enn.population=40 --set schedule.circular.opponents=10 --print";

/// A Python program that reads every run file again and again, as other programs do, and prints the numbers of
/// generations that it saw.
const OUTSIDE_READER: &str = "
import glob, os, sqlite3, time
passing = ('unable to open database file', 'database is locked')
while True:
    for file in glob.glob('runs/*.db'):
        try:
            connection = sqlite3.connect('file:' + file + '?mode=rw', uri=True, timeout=0.1)
            (seen,) = connection.execute('select coalesce(max(generation), 0) from generation').fetchone()
            connection.close()
            print(file, seen, flush=True)
        except sqlite3.Error as error:
            # A file that is being deleted may be incomplete for a moment.
            if str(error) not in passing and (time.sleep(0.3) or os.path.exists(file)):
                print('error', file, error, flush=True)
    time.sleep(0.005)
";

/// Starts trainings under load, then kills the server.
pub fn storm(case: &mut Case, starts: u64) -> Result<(), String> {
    let toml = case.siege.gamete.run(&case.folder, TRAINING);
    toml.check_success()?;
    std::fs::create_dir_all(case.folder.join("runs")).map_err(|error| format!("siege: {error}"))?;
    let mut server = Server::start(&case.siege.gamete, &case.folder)?;
    let reader = OutsideReader::begin(&case.folder)?;
    let (newest, end) = (AtomicU64::new(1), AtomicBool::new(false));
    let (requests, faults) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let seeds: Vec<u64> = (0..CLIENTS).map(|_| case.rng.below(usize::MAX) as u64).collect();
    let started = std::thread::scope(|scope| {
        for seed in seeds {
            let (host, newest, end, requests, faults) = (&server.host, &newest, &end, &requests, &faults);
            scope.spawn(move || {
                let count = read_pages(host, seed, newest, end, faults);
                requests.fetch_add(count, Ordering::Relaxed);
            });
        }
        let started = start_trainings(case, &server, &toml.stdout, starts, &newest);
        end.store(true, Ordering::Relaxed);
        started
    });
    case.count("requests", requests.into_inner());
    case.failures.extend(faults.into_inner().unwrap_or_default().into_iter().take(3));
    let alive = server.check_alive(&case.folder);
    case.check(alive);
    // The server is killed while trainings and readers are active.
    server.kill();
    case.count("kills", 1);
    let seen = reader.end();
    started?;
    let seen = seen?;
    // Stopped trainings were deleted. The last ones must be there.
    for number in starts.saturating_sub(AT_ONCE) + 1..=starts {
        let name = format!("runs/s-{number}.db");
        let file = case.folder.join(&name);
        let left = if file.exists() { generations(&file, &case.folder)? } else { 0 };
        if !file.exists() {
            case.check(Err(format!("run lost: {name} was in training when the server was killed, and is gone")));
        }
        let seen = seen.get(&name).copied().unwrap_or(0);
        if left < seen {
            case.count("generations lost", seen - left);
            case.check(Err(format!("generations lost: {name} had {seen} generations, and {left} after the kill")));
        }
    }
    Ok(())
}

/// Asks for the newest runs until `end` is set; returns the number of requests.
fn read_pages(host: &str, seed: u64, newest: &AtomicU64, end: &AtomicBool, faults: &Mutex<Vec<String>>) -> u64 {
    let rng = &mut rng_for(seed, &[]);
    let mut requests = 0;
    while !end.load(Ordering::Relaxed) {
        // One of the three newest runs, so that the one that is just being created is often read.
        let run = newest.load(Ordering::Relaxed).saturating_sub(rng.below(3) as u64).max(1);
        let path = match rng.below(5) {
            0 => format!("/api/runs/s-{run}/curves?from=1&to=100000"),
            1 => format!("/api/runs/s-{run}/champions/1"),
            2 => format!("/api/runs/s-{run}/games"),
            3 => format!("/api/network?player=run:s-{run}"),
            _ => format!("/api/runs/s-{run}/champions/1/network"),
        };
        requests += 1;
        let fault = match ask(host, "GET", &path, None) {
            Ok(reply) if (200..500).contains(&reply.status) => continue,
            Ok(reply) => {
                format!("status {}: GET {path}: {}", reply.status, reply.body.chars().take(150).collect::<String>())
            }
            Err(error) => error,
        };
        if let Ok(mut faults) = faults.lock() {
            faults.push(fault);
        }
    }
    requests
}

/// Starts trainings one after the other, checks their locks, and ends the oldest when there are too many.
fn start_trainings(
    case: &mut Case,
    server: &Server,
    toml: &str,
    starts: u64,
    newest: &AtomicU64,
) -> Result<(), String> {
    for number in 1..=starts {
        newest.store(number, Ordering::Relaxed);
        let name = format!("s-{number}");
        let reply = server.post("/api/runs", &json!({ "experiment": "nim-2x4", "toml": toml, "name": name }))?;
        case.count("starts", 1);
        let checked = match reply.status {
            201 => check_lock(case, server, &name, "just started"),
            status => Err(format!("training not started: status {status} {}", reply.body)),
        };
        case.check(checked);
        if let Some(old) = number.checked_sub(AT_ONCE).filter(|old| *old > 0) {
            let old = format!("s-{old}");
            // Check the lock again after the run has been read for a while.
            let held = check_lock(case, server, &old, "read for a while");
            case.check(held);
            end_training(server, &old)?;
        }
    }
    Ok(())
}

/// Checks that a training holds its lock.
fn check_lock(case: &mut Case, server: &Server, name: &str, when: &str) -> Result<(), String> {
    std::thread::sleep(case.moment(Duration::from_millis(30)));
    match lock_of(&case.folder, name, server.id())? {
        Lock::Held => Ok(()),
        Lock::Missing => {
            case.count("trainings without lock", 1);
            Err(format!("no lock: the training {name} ({when}) of process {} does not hold its lock", server.id()))
        }
        Lock::NoLog => {
            // Either another program has removed the log, or the training has failed.
            case.count("trainings without log", 1);
            let card = server.detail(name)?["card"].clone();
            Err(format!(
                "no log: the training {name} ({when}) has no log; its state is {}, its error {}",
                card["state"], card["failed"]
            ))
        }
    }
}

/// Stops a training and deletes it.
fn end_training(server: &Server, name: &str) -> Result<(), String> {
    // The server refuses to stop a failed training, but deletes it below.
    server.post(&format!("/api/runs/{name}/stop"), &json!({}))?;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        let reply = ask(&server.host, "DELETE", &format!("/api/runs/{name}"), None)?;
        // Status 404: the training was never started.
        if reply.status < 300 || reply.status == 404 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(format!("does not stop: the training {name} still runs 20 s after it was stopped"))
}

/// The state of a training's lock. `NoLog`: there is no log within three seconds, so the lock was not looked for.
enum Lock {
    Held,
    Missing,
    NoLog,
}

/// Whether the process that trains a run holds SQLite's lock on its file, and whether there is a log.
fn lock_of(folder: &Path, name: &str, process: u32) -> Result<Lock, String> {
    let file = folder.join(format!("runs/{name}.db"));
    let begun = Instant::now();
    // The lock must be held as soon as there is a log.
    while !file.with_extension("db-wal").exists() {
        if begun.elapsed() > Duration::from_secs(3) {
            return Ok(Lock::NoLog);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let inode = std::fs::metadata(&file).map_err(|error| format!("siege: {}: {error}", file.display()))?.ino();
    // The list is read for about a second, for two reasons: the kernel writes it in parts, so a lock can be missed, and
    // on a busy machine a process takes its lock late. A lost lock does not come back, as a test below shows.
    for _ in 0..300 {
        let locks = std::fs::read_to_string("/proc/locks").map_err(|error| format!("siege: /proc/locks: {error}"))?;
        if locks.lines().any(|line| is_lock_of(line, process, inode)) {
            return Ok(Lock::Held);
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    Ok(Lock::Missing)
}

/// Whether a line of /proc/locks is a lock of this process on a database with this inode.
fn is_lock_of(line: &str, process: u32, inode: u64) -> bool {
    // 4: POSIX  ADVISORY  READ 8249 fe:00:10011034 1073741826 1073742335
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, "POSIX", _, _, owner, file, from, ..] = words[..] else { return false };
    owner.parse() == Ok(process)
        && file.rsplit(':').next().and_then(|number| number.parse().ok()) == Some(inode)
        && from.parse::<u64>().is_ok_and(|from| (SHARED_FIRST..SHARED_FIRST + 510).contains(&from))
}

/// The running Python program that reads all runs.
struct OutsideReader {
    child: Child,
    stdout: std::thread::JoinHandle<String>,
    stderr: std::thread::JoinHandle<String>,
}

impl OutsideReader {
    fn begin(folder: &Path) -> Result<OutsideReader, String> {
        let mut command = Command::new("python3");
        command.args(["-c", OUTSIDE_READER]).current_dir(folder).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("siege: python3: {error}"))?;
        let stdout = collect(child.stdout.take().ok_or("siege: the outside reader has no standard output")?);
        let stderr = collect(child.stderr.take().ok_or("siege: the outside reader has no standard error")?);
        Ok(OutsideReader { child, stdout, stderr })
    }

    /// Ends the program; returns the number of generations that it saw in each file.
    fn end(mut self) -> Result<BTreeMap<String, u64>, String> {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
        read_seen(&text(self.stdout), &text(self.stderr))
    }
}

/// The largest number of generations that the outside reader saw in each file. It is an error if it saw no file or
/// could not read one.
fn read_seen(stdout: &str, stderr: &str) -> Result<BTreeMap<String, u64>, String> {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for line in stdout.lines() {
        match line.split_once(' ') {
            Some(("error", what)) => return Err(format!("unreadable during a training: {what}")),
            Some((file, count)) => {
                // The kill may have cut the last line, so a smaller number is ignored.
                let seen = seen.entry(file.to_string()).or_default();
                *seen = count.parse().unwrap_or(0).max(*seen);
            }
            None => {}
        }
    }
    match seen.is_empty() {
        false => Ok(seen),
        true => Err(format!("siege: the outside reader saw no runs: {}", stderr.lines().last().unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_are_found_in_proc_locks() {
        let line = "4: POSIX  ADVISORY  READ 8249 fe:00:10011034 1073741826 1073742335";
        assert!(is_lock_of(line, 8249, 10011034));
        assert!(!is_lock_of(line, 8250, 10011034) && !is_lock_of(line, 8249, 10011035));
        assert!(
            !is_lock_of("3: POSIX  ADVISORY  READ 8249 fe:00:10011034 128 128", 8249, 10011034),
            "a lock of the log"
        );
        assert!(!is_lock_of("1: FLOCK  ADVISORY  WRITE 8249 fe:00:10011034 0 EOF", 8249, 10011034));
    }

    /// If a process closes any other handle on the file, it loses its lock and continues without one.
    #[test]
    fn a_dropped_lock_does_not_come_back() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("runs")).unwrap();
        let file = folder.path().join("runs/one.db");
        let training = rusqlite::Connection::open(&file).unwrap();
        training.execute_batch("pragma journal_mode = wal; create table row (number integer)").unwrap();
        let write = || training.execute("insert into row values (1)", []).unwrap();
        write();
        let look = || lock_of(folder.path(), "one", std::process::id()).unwrap();
        assert!(matches!(look(), Lock::Held));
        drop(std::fs::File::open(&file).unwrap());
        std::thread::scope(|scope| {
            let looked = scope.spawn(|| matches!(lock_of(folder.path(), "one", std::process::id()), Ok(Lock::Missing)));
            while !looked.is_finished() {
                write();
                std::thread::sleep(Duration::from_millis(1));
            }
            assert!(looked.join().unwrap(), "the lock was taken again");
        });
    }

    #[test]
    fn an_outside_reader_that_is_refused_is_a_failure() {
        let seen = read_seen("runs/s-1.db 3\nruns/s-1.db 7\nruns/s-2.db 1\nruns/s-1", "").unwrap();
        assert_eq!((seen["runs/s-1.db"], seen["runs/s-2.db"]), (7, 1));
        assert!(read_seen("runs/s-1.db 3\nerror runs/s-1.db disk I/O error\n", "").is_err());
        assert!(read_seen("", "ModuleNotFoundError: No module named '_sqlite3'").unwrap_err().contains("_sqlite3"));
    }
}
