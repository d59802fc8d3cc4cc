//! One writer per run: a lock on a file beside the run file, held at most as long as the process lives.

use crate::Error;
use crate::open_files::open_lock;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The exclusive right to write a run. The system releases the lock when the process ends, also after a kill.
pub struct RunLock {
    _file: File,
    path: PathBuf,
}

/// How long to wait for a lock. Another process may hold it for a moment just to see whether it is taken.
const PATIENCE: Duration = Duration::from_millis(300);

impl RunLock {
    /// Takes the lock of the run in this file. Fails with [`Error::Busy`] if another process holds it.
    pub fn take(run: &Path) -> Result<RunLock, Error> {
        let path = lock_path(run);
        let begun = Instant::now();
        loop {
            let file = match open_lock(&path, true) {
                Ok(file) => file,
                // Another process has just created or removed the lock file.
                Err(error) if is_passing(&error) && begun.elapsed() < PATIENCE => continue,
                Err(source) => return Err(Error::file("cannot write", &path, source)),
            };
            match file.try_lock() {
                Ok(()) => {}
                // Another process that calls `is_taken` holds the lock for a moment.
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(10));
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Busy { name: run_name(run) }),
                Err(TryLockError::Error(source)) => return Err(Error::file("cannot lock", &path, source)),
            }
            // The previous owner may have removed the file in between. Then this lock is on a removed file and
            // worthless.
            if same_file(&file, &path) {
                return Ok(RunLock { _file: file, path });
            }
        }
    }

    /// Whether a process holds the lock of the run in this file.
    pub fn is_taken(run: &Path) -> bool {
        match open_lock(&lock_path(run), false) {
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

/// Whether an error can disappear at the next try, because another process created or removed the lock file.
fn is_passing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound)
}

/// The path of the lock file. It is beside the real file, so that a run has one lock for all symbolic links to it.
fn lock_path(run: &Path) -> PathBuf {
    let real = run.canonicalize().unwrap_or_else(|_| {
        // The run file does not exist yet; the path of its folder may contain a link.
        let folder = run.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (folder.canonicalize(), run.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => run.to_path_buf(),
        }
    });
    real.with_file_name(format!(".{}.lock", run_name(&real)))
}

/// Refuses a file that has several names (hard links). SQLite keeps its log beside the name under which it opened the
/// file. A process that opens the file under another name would miss the log and overwrite what is in it.
pub fn check_one_name(run: &Path) -> Result<(), Error> {
    match names_of(run) {
        names @ 2.. => Err(Error::refused(format!(
            "{} has {names} names (hard links), and a run can only be written under one; make a copy of it, or remove the others",
            run.display()
        ))),
        _ => Ok(()),
    }
}

/// The number of names (hard links) of a file; 0 if it does not exist.
#[cfg(unix)]
pub(crate) fn names_of(file: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(file).map_or(0, |found| found.nlink())
}

#[cfg(not(unix))]
pub(crate) fn names_of(_: &Path) -> u64 {
    1
}

/// Whether an open file still is the file at this path.
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

/// The name of the run in this file: the file's name without the ending.
pub(crate) fn run_name(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_run_has_one_lock_for_all_links_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        std::fs::create_dir(&runs).unwrap();
        symlink(&runs, folder.path().join("also")).unwrap();
        let file = runs.join("a.db");
        let by_folder = folder.path().join("also/a.db");
        // Before the run file exists, and after.
        for made in [false, true] {
            if made {
                std::fs::write(&file, "x").unwrap();
                symlink(&file, runs.join("b.db")).unwrap();
            }
            let lock = RunLock::take(&file).unwrap();
            assert!(RunLock::is_taken(&by_folder));
            assert!(matches!(RunLock::take(&by_folder), Err(Error::Busy { .. })));
            assert_eq!(RunLock::is_taken(&runs.join("b.db")), made);
            drop(lock);
            assert!(!RunLock::is_taken(&by_folder));
        }
        check_one_name(&runs.join("b.db")).unwrap();
        std::fs::hard_link(&file, runs.join("c.db")).unwrap();
        let said = check_one_name(&runs.join("c.db")).unwrap_err().to_string();
        assert!(said.contains("c.db has 2 names (hard links)"), "{said}");
    }

    /// A file with two names can be opened while it has no log, and is refused while it has one.
    #[test]
    fn a_file_with_a_log_is_refused_under_a_second_name() {
        use crate::RunFile;
        let folder = tempfile::tempdir().unwrap();
        let file = crate::testing::trained(folder.path(), "one", "nim-2x4-c1", &["stop.generations=2"]);
        let other = folder.path().join("other.db");
        std::fs::hard_link(&file, &other).unwrap();
        drop(RunFile::open(&other).unwrap());
        let refused = |path: &Path| {
            let said = RunFile::open(path).map(|_| ()).unwrap_err().to_string();
            assert!(said.contains("has 2 names (hard links), and its last generations may be in a log"), "{said}");
        };
        // 1. The file is open in this process under the first name.
        let reading = RunFile::open(&file).unwrap();
        refused(&other);
        drop(reading);
        // 2. The file has a log, as during a training.
        std::fs::remove_file(&other).unwrap();
        let training = RunFile::open_to_write(&file).unwrap();
        training.begin_log_for_test();
        std::fs::hard_link(&file, &other).unwrap();
        refused(&other);
        drop(training);
        // 3. The first bytes say that the file has a log, as if another process were training it.
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[18..20].fill(2);
        std::fs::write(&file, bytes).unwrap();
        refused(&other);
    }
}
