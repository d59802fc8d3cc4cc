//! Files that are whole or as they were before: written under another name, then moved to their place. A full disk or a
//! kill keeps the old file.

use crate::Error;
use crate::run_file::is_run;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder within a folder, made where it is missing.
pub fn folder_for(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let inner = folder.join(name);
    std::fs::create_dir_all(&inner).map_err(|source| Error::file("cannot make the folder", &inner, source))?;
    Ok(inner)
}

/// Writes a file. All files that are made for users, but for runs, are written by this function or by [`write_with`].
#[allow(clippy::disallowed_methods, reason = "drafts are no runs")]
pub fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_with(file, |draft| std::fs::write(draft, bytes).map_err(|source| Error::file("cannot write", file, source)))
}

/// Lets somebody write a file, under another name until it is whole.
#[allow(clippy::disallowed_methods, reason = "drafts are no runs")]
pub fn write_with<T>(file: &Path, write: impl FnOnce(&Path) -> Result<T, Error>) -> Result<T, Error> {
    let failed = |source| Error::file("cannot write", file, source);
    // 1. Where the bytes belong: a link stays, and what it leads to is replaced. A pipe or a terminal cannot be.
    let place = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let old: Option<Metadata> = std::fs::metadata(&place).ok();
    if old.as_ref().is_some_and(|old| !old.is_file() && !old.is_dir()) {
        return write(file);
    }
    if old.as_ref().is_some_and(Metadata::is_file) && is_run(&place) {
        let what = format!("{} is the file of a run, and is not replaced; choose another file", file.display());
        return Err(Error::refused(what));
    }
    // Somebody who takes the right to write away wants the file to stay.
    if old.as_ref().is_some_and(|old| old.is_file() && old.permissions().readonly()) {
        return Err(failed(std::io::ErrorKind::PermissionDenied.into()));
    }
    // 2. Other processes and other threads may write the same. A file's name may be as long as names can be.
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let draft = place.with_file_name(format!(".gamete-draft-{}-{number}", std::process::id()));
    // 3. A system that loses power may move the file before it has written it: hence the synchronisation.
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
        // Nobody knows the draft by its name.
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
    fn what_fails_leaves_the_old_file() {
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
        // A folder is no file, and stays.
        assert!(write_whole(folder.path(), b"x").is_err());
        assert!(write_whole(&folder.path().join("none/a.txt"), b"x").is_err());
        // The longest names that there can be.
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
        // Neither while this process reads it.
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
        // A file that nobody may write stays as it is.
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write_whole(&file, b"newer").is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        // What is no file is written to as it is.
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        assert!(write_whole(Path::new("/dev/full"), b"x").is_err());
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
