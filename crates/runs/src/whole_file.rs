//! Writes files completely or not at all: under another name first, then moved to their place. After a kill or on a
//! full disk, the old file is still there.

use crate::Error;
use crate::run_file::is_run;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The path of a folder within a folder. It is created if it does not exist.
pub fn folder_for(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let inner = folder.join(name);
    std::fs::create_dir_all(&inner).map_err(|source| Error::file("cannot make the folder", &inner, source))?;
    Ok(inner)
}

/// Writes a file completely or not at all. All files for users, except runs, are written by this function or by
/// [`write_with`].
#[allow(clippy::disallowed_methods, reason = "a draft is not a run")]
pub fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_with(file, |draft| std::fs::write(draft, bytes).map_err(|source| Error::file("cannot write", file, source)))
}

/// Writes a file completely or not at all. `write` receives the path of a draft, which is moved to `file` if it
/// succeeds.
#[allow(clippy::disallowed_methods, reason = "a draft is not a run")]
pub fn write_with<T>(file: &Path, write: impl FnOnce(&Path) -> Result<T, Error>) -> Result<T, Error> {
    let failed = |source| Error::file("cannot write", file, source);
    // 1. The place of the file. A link stays, and its target is replaced. Pipes and terminals are written to directly.
    let place = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let old: Option<Metadata> = std::fs::metadata(&place).ok();
    if old.as_ref().is_some_and(|old| !old.is_file() && !old.is_dir()) {
        return write(file);
    }
    if old.as_ref().is_some_and(Metadata::is_file) && is_run(&place) {
        let what = format!("{} is the file of a run, and is not replaced; choose another file", file.display());
        return Err(Error::refused(what));
    }
    // A rename would replace a read-only file, but it is read-only so that it stays.
    if old.as_ref().is_some_and(|old| old.is_file() && old.permissions().readonly()) {
        return Err(failed(std::io::ErrorKind::PermissionDenied.into()));
    }
    // 2. The draft's name is unique, because other processes and threads may write the same file. It does not contain
    //    the name of the file, which may have the greatest length that the system allows.
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let draft = place.with_file_name(format!(".gamete-draft-{}-{number}", std::process::id()));
    // 3. Without `sync_all`, after a power cut the file could be moved but not yet written.
    let finish = || -> std::io::Result<()> {
        File::options().write(true).open(&draft)?.sync_all()?;
        if let Some(old) = &old {
            std::fs::set_permissions(&draft, old.permissions())?;
        }
        std::fs::rename(&draft, &place)
    };
    let written = write(&draft).and_then(|written| finish().map(|()| written).map_err(failed));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&draft);
        // The error names the file, not the draft, which the user does not know.
        match error {
            Error::File { what, source, .. } => Error::file(what, file, source),
            error => error,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        write_whole(&file, b"old").unwrap();
        let half = |draft: &Path| -> Result<(), Error> {
            std::fs::write(draft, "ne").unwrap();
            Err(Error::file("cannot write", draft, std::io::ErrorKind::StorageFull.into()))
        };
        let said = write_with(&file, half).unwrap_err().to_string();
        assert!(said.starts_with(&format!("cannot write {}", file.display())), "{said}");
        assert_eq!(
            (std::fs::read_to_string(&file).unwrap(), names(folder.path())),
            ("old".into(), vec!["a.txt".into()])
        );
        write_whole(&file, b"new").unwrap();
        assert_eq!(
            (std::fs::read_to_string(&file).unwrap(), names(folder.path())),
            ("new".into(), vec!["a.txt".into()])
        );
        // A folder is not replaced.
        assert!(write_whole(folder.path(), b"x").is_err());
        assert!(write_whole(&folder.path().join("none/a.txt"), b"x").is_err());
        // The longest name that is allowed.
        write_whole(&folder.path().join("x".repeat(255)), b"x").unwrap();
    }

    #[test]
    fn a_run_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = crate::testing::trained(folder.path(), "one", "nim-2x4-c1", &["stop.generations=2"]);
        let before = std::fs::read(&file).unwrap();
        let said = || write_whole(&file, b"new").unwrap_err().to_string();
        assert!(
            said().ends_with("one.db is the file of a run, and is not replaced; choose another file"),
            "{}",
            said()
        );
        // A run is not replaced while this process reads it, either.
        let run = crate::RunFile::open(&file).unwrap();
        assert!(said().contains("is the file of a run"), "{}", said());
        drop(run);
        assert!(std::fs::read(&file).unwrap() == before);
        // Another database may be replaced.
        let other = folder.path().join("other.db");
        rusqlite::Connection::open(&other).unwrap().execute_batch("create table a (b)").unwrap();
        write_whole(&other, b"new").unwrap();
        assert_eq!(std::fs::read(&other).unwrap(), b"new");
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
        write_whole(&file, b"old").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert!(link.is_symlink());
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        // A read-only file stays as it is.
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write_whole(&file, b"newer").is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        // Devices are written to directly.
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        assert!(write_whole(Path::new("/dev/full"), b"x").is_err());
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
