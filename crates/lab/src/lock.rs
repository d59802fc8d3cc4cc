//! One writer per run: a lock file beside it, held as long as the process lives.

use crate::Error;
use crate::runs::run_name;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The right to write a run. The system gives it back when the process ends, however it ends.
pub(crate) struct RunLock {
    _file: File,
    path: PathBuf,
}

/// How long to wait for a lock that may only be looked at.
const PATIENCE: Duration = Duration::from_millis(300);

impl RunLock {
    /// Takes the right to write the run in this file, or says who has it.
    pub fn take(run: &Path) -> Result<RunLock, Error> {
        let path = lock_path(run);
        let begun = Instant::now();
        loop {
            let opened = File::options().create(true).truncate(false).write(true).open(&path);
            let file = opened.map_err(|source| Error::file("cannot write", &path, source))?;
            match file.try_lock() {
                Ok(()) => {}
                // Whoever only asks whether it is taken holds it for a moment.
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Busy { name: run_name(run) }),
                Err(TryLockError::Error(source)) => return Err(Error::file("cannot lock", &path, source)),
            }
            // Whoever had it before may have removed the file in between: then this lock is on nothing.
            if same_file(&file, &path) {
                return Ok(RunLock { _file: file, path });
            }
        }
    }

    /// Whether somebody writes the run in this file.
    pub fn is_taken(run: &Path) -> bool {
        match File::open(lock_path(run)) {
            Ok(file) => matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)),
            Err(_) => false,
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Best effort: a lock file left behind does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn lock_path(run: &Path) -> PathBuf {
    run.with_file_name(format!(".{}.lock", run_name(run)))
}

#[cfg(unix)]
fn same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn same_file(_: &File, path: &Path) -> bool {
    path.exists()
}
