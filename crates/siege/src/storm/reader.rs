//! A reader beside a training: notes how many generations were committed, as pages and other programs would see them.

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

/// How a reader looks at run files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// Nobody looks.
    None,
    /// One connection for each file, held open all the time.
    Held,
    /// A connection for each look, as `gamete serve` and outside programs make them.
    Again,
    /// A command of the program itself, again and again.
    Program,
}

impl Look {
    /// All ways.
    pub const ALL: [Look; 4] = [Look::None, Look::Held, Look::Again, Look::Program];
}

/// Generations of each file that were seen, or what was wrong.
type Seen = Result<BTreeMap<PathBuf, u64>, String>;

/// A reader at work.
pub struct Reader {
    end: Arc<AtomicBool>,
    thread: JoinHandle<Seen>,
}

impl Reader {
    /// Begins to read all run files in `runs` of this folder, and in the folders below it. The program lists them by these
    /// words.
    pub fn begin(look: Look, list: &'static str, gamete: &Gamete, folder: &Path) -> Reader {
        let end = Arc::new(AtomicBool::new(false));
        let (gamete, folder, ended) = (gamete.clone(), folder.to_path_buf(), Arc::clone(&end));
        let thread = std::thread::spawn(move || read(look, list, &gamete, &folder, &ended));
        Reader { end, thread }
    }

    /// Ends it: how many generations of each file had been committed.
    pub fn end(self) -> Seen {
        self.end.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_else(|_| Err("siege: a reader broke down".to_string()))
    }
}

fn read(look: Look, list: &str, gamete: &Gamete, folder: &Path, ended: &AtomicBool) -> Seen {
    let runs = folder.join("runs");
    let mut seen: BTreeMap<PathBuf, u64> = BTreeMap::new();
    let mut held: BTreeMap<PathBuf, Connection> = BTreeMap::new();
    let mut note = |file: PathBuf, count: u64| {
        let seen = seen.entry(file).or_default();
        *seen = count.max(*seen);
    };
    while !ended.load(Ordering::Relaxed) {
        match look {
            Look::None => {}
            Look::Program => {
                for (file, count) in listed(&gamete.run(folder, list))? {
                    note(folder.join(file), count);
                }
            }
            Look::Held | Look::Again => {
                for file in run_files(&runs).into_iter().map(|file| runs.join(file)) {
                    let connection = match held.remove(&file) {
                        Some(connection) => Ok(connection),
                        None => open(&file),
                    };
                    let counted = connection.and_then(|connection| Ok((played(&connection)?, connection)));
                    match counted {
                        Ok((count, connection)) => {
                            note(file.clone(), count);
                            if look == Look::Held {
                                held.insert(file, connection);
                            }
                        }
                        Err(error) if passes(&error) || !file.exists() => {}
                        Err(error) => {
                            return Err(format!("unreadable beside a training: {}: {error}", file.display()));
                        }
                    }
                }
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(seen)
}

/// The files and generations that a command listed. Whatever reads beside a training is not refused, and finds no damage.
fn listed(answer: &Answer) -> Result<Vec<(String, u64)>, String> {
    answer.check_manners()?;
    if !matches!(answer.code, Some(0 | 1)) {
        return Err(format!("unreadable beside a training: `{}`: {}", answer.words, answer.end()));
    }
    let mut found = Vec::new();
    for line in answer.stdout.lines() {
        let line: Value =
            serde_json::from_str(line).map_err(|error| format!("no JSON: `{}`: {error}", answer.words))?;
        let Some(file) = line["file"].as_str() else { continue };
        // A file that was listed may be gone when it is looked at, and is then told as an error.
        if line["intact"] == false && line["error"].is_null() {
            return Err(format!("damaged beside a training: {line}"));
        }
        let count = if line["generation"].is_null() { &line["generations"] } else { &line["generation"] };
        found.extend(count.as_u64().map(|count| (file.to_string(), count)));
    }
    Ok(found)
}

/// Whether an error is of a file that is busy for a moment, or gone again.
fn passes(error: &rusqlite::Error) -> bool {
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
    fn damage_and_refusals_beside_a_training_are_failures() {
        let answer = |code, stdout: &str| Answer { code: Some(code), stdout: stdout.to_string(), ..Answer::default() };
        let listed = |code, stdout| listed(&answer(code, stdout));
        assert_eq!(listed(0, r#"{"file":"runs/x.db","generation":7}"#), Ok(vec![("runs/x.db".to_string(), 7)]));
        assert_eq!(listed(0, r#"{"file":"runs/x/a.db","generations":3,"intact":true}"#).unwrap()[0].1, 3);
        assert!(listed(1, r#"{"file":"runs/x.db","generations":3,"intact":false}"#).is_err());
        assert!(listed(2, "").is_err() && listed(0, "text").is_err());
    }

    #[test]
    fn only_files_that_are_busy_or_gone_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.db");
        assert!(passes(&open(&file).unwrap_err()), "there is no such file");
        std::fs::write(&file, "This is no database, but a letter.".repeat(200)).unwrap();
        let error = open(&file).and_then(|connection| played(&connection)).unwrap_err();
        assert!(!passes(&error), "{error}");
    }
}
