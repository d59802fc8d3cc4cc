//! A temporary folder that is deleted at the end, or, if its process was killed, by the next one.

use crate::Error;
use runs::RunLock;
use std::path::Path;
use tempfile::TempDir;

/// The beginning of the folder's name.
const PREFIX: &str = "gamete-work-";
/// What is locked in it as long as its process lives.
const LOCKED: &str = "work";
/// How often a new folder is tried. Another process can take a folder that is not locked yet for one that was left.
const TRIES: usize = 3;

/// A temporary folder with a lock. Folders that killed processes have left are deleted when a new one is made.
pub(crate) struct Workplace {
    // The lock ends before the folder is deleted.
    _lock: RunLock,
    folder: TempDir,
}

impl Workplace {
    /// Makes a folder in the system's folder of temporary files.
    pub fn new() -> Result<Workplace, Error> {
        Workplace::within(&std::env::temp_dir())
    }

    fn within(parent: &Path) -> Result<Workplace, Error> {
        sweep(parent);
        let mut tried = 1;
        loop {
            let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent);
            let folder = made.map_err(|error| Error::Here(format!("no temporary folder: {error}")))?;
            match RunLock::take(&folder.path().join(LOCKED)) {
                Ok(lock) => return Ok(Workplace { _lock: lock, folder }),
                Err(_) if tried < TRIES => tried += 1,
                Err(error) => return Err(Error::Here(error.to_string())),
            }
        }
    }

    /// A folder in it, which is deleted earlier.
    pub fn folder(&self) -> Result<TempDir, Error> {
        tempfile::tempdir_in(self.folder.path()).map_err(|error| Error::Here(format!("no temporary folder: {error}")))
    }
}

/// Deletes the folders whose processes were killed: they have a lock that nobody holds. Folders of other users stay.
fn sweep(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && entry.path().join(format!(".{LOCKED}.lock")).exists();
        if is_ours && let Ok(lock) = RunLock::take(&entry.path().join(LOCKED)) {
            let _ = std::fs::remove_dir_all(entry.path());
            drop(lock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_processes_are_deleted() {
        let parent = tempfile::tempdir().unwrap();
        let names = || std::fs::read_dir(parent.path()).unwrap().count();
        let alive = Workplace::within(parent.path()).unwrap();
        let inner = alive.folder().unwrap();
        // A killed process leaves its files, and a lock that nobody holds.
        let left = parent.path().join(format!("{PREFIX}left"));
        std::fs::create_dir(&left).unwrap();
        runs::write_whole(&left.join("a.db"), b"half").unwrap();
        runs::write_whole(&left.join(format!(".{LOCKED}.lock")), b"").unwrap();
        std::fs::create_dir(parent.path().join("gamete-other")).unwrap();
        let next = Workplace::within(parent.path()).unwrap();
        assert!(!left.exists() && inner.path().exists());
        assert_eq!(names(), 3);
        drop((inner, alive, next));
        assert_eq!(names(), 1);
    }
}
