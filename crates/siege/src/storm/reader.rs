//! Reads run files during a training, as web pages and other programs do, and remembers how many generations it saw.

use crate::compare::{played, run_files};
use crate::gamete::{Answer, Gamete};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How run files are read during a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadMode {
    /// They are not read.
    None,
    /// Through one connection for each file, which stays open.
    Held,
    /// Through a new connection each time, as `gamete serve` and other programs do.
    Again,
    /// By a command of the program, again and again.
    Program,
}

impl ReadMode {
    /// All modes.
    pub const ALL: [ReadMode; 4] = [ReadMode::None, ReadMode::Held, ReadMode::Again, ReadMode::Program];
}

/// The number of generations that was seen in each file, or an error.
type Seen = Result<BTreeMap<PathBuf, u64>, String>;

/// A thread that reads run files.
pub struct Reader {
    end: Arc<AtomicBool>,
    thread: JoinHandle<Seen>,
}

impl Reader {
    /// Begins to read all run files in the subfolder `runs` of this folder and below it. `list` is the command for
    /// `ReadMode::Program`.
    pub fn begin(mode: ReadMode, list: &'static str, gamete: &Gamete, folder: &Path) -> Reader {
        let end = Arc::new(AtomicBool::new(false));
        let (gamete, folder, ended) = (gamete.clone(), folder.to_path_buf(), Arc::clone(&end));
        let thread = std::thread::spawn(move || read(mode, list, &gamete, &folder, &ended));
        Reader { end, thread }
    }

    /// Ends the thread; returns the number of generations that it saw in each file.
    pub fn end(self) -> Seen {
        self.end.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_else(|_| Err("siege: the reader panicked".to_string()))
    }
}

fn read(mode: ReadMode, list: &str, gamete: &Gamete, folder: &Path, ended: &AtomicBool) -> Seen {
    let runs = folder.join("runs");
    let mut seen: BTreeMap<PathBuf, u64> = BTreeMap::new();
    let mut held: BTreeMap<PathBuf, Connection> = BTreeMap::new();
    let mut remember = |file: PathBuf, count: u64| {
        let seen = seen.entry(file).or_default();
        *seen = count.max(*seen);
    };
    while !ended.load(Ordering::Relaxed) {
        match mode {
            ReadMode::None => {}
            ReadMode::Program => {
                for (file, count) in listed(&gamete.run(folder, list))? {
                    remember(folder.join(file), count);
                }
            }
            ReadMode::Held | ReadMode::Again => {
                for file in run_files(&runs).into_iter().map(|file| runs.join(file)) {
                    let connection = match held.remove(&file) {
                        Some(connection) => Ok(connection),
                        None => open(&file),
                    };
                    let counted = connection.and_then(|connection| Ok((played(&connection)?, connection)));
                    match counted {
                        Ok((count, connection)) => {
                            remember(file.clone(), count);
                            if mode == ReadMode::Held {
                                held.insert(file, connection);
                            }
                        }
                        Err(error) if is_temporary(&error) || !file.exists() => {}
                        Err(error) => {
                            return Err(format!("unreadable during a training: {}: {error}", file.display()));
                        }
                    }
                }
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(seen)
}

/// The files and numbers of generations that a command listed. A refusal or damage during a training is an error.
fn listed(answer: &Answer) -> Result<Vec<(String, u64)>, String> {
    answer.check_proper_end()?;
    if !matches!(answer.code, Some(0 | 1)) {
        return Err(format!("unreadable during a training: `{}`: {}", answer.words, answer.end()));
    }
    let mut found = Vec::new();
    for line in answer.stdout.lines() {
        let line: Value =
            serde_json::from_str(line).map_err(|error| format!("no JSON: `{}`: {error}", answer.words))?;
        let Some(file) = line["file"].as_str() else { continue };
        // A file can disappear after it was listed. The program then reports an error for it, which is allowed.
        if line["intact"] == false && line["error"].is_null() {
            return Err(format!("damage seen during a training: {line}"));
        }
        let count = if line["generation"].is_null() { &line["generations"] } else { &line["generation"] };
        found.extend(count.as_u64().map(|count| (file.to_string(), count)));
    }
    Ok(found)
}

/// Whether an error means that a file is busy for a moment or has disappeared.
fn is_temporary(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(CannotOpen | DatabaseBusy | DatabaseLocked))
}

fn open(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(Duration::from_millis(100))?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_and_refusals_during_a_training_are_failures() {
        let answer = |code, stdout: &str| Answer { code: Some(code), stdout: stdout.to_string(), ..Answer::default() };
        let listed = |code, stdout| listed(&answer(code, stdout));
        assert_eq!(listed(0, r#"{"file":"runs/x.db","generation":7}"#), Ok(vec![("runs/x.db".to_string(), 7)]));
        assert_eq!(listed(0, r#"{"file":"runs/x/a.db","generations":3,"intact":true}"#).unwrap()[0].1, 3);
        assert!(listed(1, r#"{"file":"runs/x.db","generations":3,"intact":false}"#).is_err());
        assert!(listed(2, "").is_err() && listed(0, "text").is_err());
    }

    #[test]
    fn only_errors_of_busy_or_missing_files_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.db");
        assert!(is_temporary(&open(&file).unwrap_err()), "there is no such file");
        std::fs::write(&file, "This is no database, but a letter.".repeat(200)).unwrap();
        let error = open(&file).and_then(|connection| played(&connection)).unwrap_err();
        assert!(!is_temporary(&error), "{error}");
    }
}
