//! Opens SQLite databases, handles the files beside them, and turns SQLite's errors into errors of runs.

use crate::Error;
use crate::open_files::{Database, open_database};
use crate::sqlite_words::{DAMAGED_DESCRIPTION, is_unsupported, what_is_wrong};
use rusqlite::types::Type;
use rusqlite::{ErrorCode, OpenFlags};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Opens a database. With `write` it is created if it does not exist. `patience` is how long later commands wait if
/// another program has locked the file.
pub(crate) fn open(path: &Path, write: bool, patience: Duration) -> Result<Database, Error> {
    let flags = match write {
        true => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        false => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let database = open_database(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let database = database.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) => Error::file("cannot open", path, std::io::ErrorKind::PermissionDenied.into()),
        _ => broken(path, error),
    })?;
    database.busy_timeout(patience).map_err(|error| broken(path, error))?;
    Ok(database)
}

/// The error for a damaged row.
#[derive(Debug)]
pub(crate) struct Damaged {
    /// The name of the row.
    pub what: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is damaged", self.what)
    }
}

impl std::error::Error for Damaged {}

impl From<Damaged> for rusqlite::Error {
    fn from(damaged: Damaged) -> rusqlite::Error {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(damaged))
    }
}

/// The error for a failed reading of a run file: it is not a database, or damaged, or locked.
pub(crate) fn broken(path: &Path, error: rusqlite::Error) -> Error {
    let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
    if let rusqlite::Error::FromSqlConversionFailure(_, _, source) = &error
        && let Some(damaged) = source.downcast_ref::<Damaged>()
    {
        return Error::Damaged { file: path.to_path_buf(), what: damaged.to_string() };
    }
    match (error.sqlite_error_code(), &error) {
        (Some(ErrorCode::NotADatabase), _) => not_a_run("it is not a database"),
        (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => Error::Held { file: path.to_path_buf() },
        (Some(ErrorCode::DatabaseCorrupt), _) => not_a_run("it is damaged or cut short"),
        (_, rusqlite::Error::QueryReturnedNoRows) => not_a_run("its table `run`, which describes the run, is empty"),
        _ if is_unsupported(&error) => not_a_run(DAMAGED_DESCRIPTION),
        _ => match what_is_wrong(&error) {
            Some(what) => Error::Damaged { file: path.to_path_buf(), what },
            None => Error::Database { file: path.to_path_buf(), source: error },
        },
    }
}

/// The error for a run file that could not be created. The caller removes what was written.
pub(crate) fn cannot_make(path: &Path, error: rusqlite::Error) -> Error {
    match cannot_write(path, error, 0) {
        Error::DiskFull { file, .. } => Error::NoRoom { file },
        error => error,
    }
}

/// The error for a run file that another program removed or renamed during the training.
pub(crate) fn disappeared(path: &Path) -> Error {
    let what = "the file was removed or renamed during the training, so the run is not complete".to_string();
    Error::Damaged { file: path.to_path_buf(), what }
}

/// The error for a failed writing to a run file; `generation` is the last one that is saved.
pub(crate) fn cannot_write(path: &Path, error: rusqlite::Error, generation: u64) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::DiskFull { file: path.to_path_buf(), generation },
        // A file that cannot grow because of a quota or a limit is treated like a full disk.
        Some(ErrorCode::SystemIoFailure) if is_write_failure(&error) => {
            Error::DiskFull { file: path.to_path_buf(), generation }
        }
        Some(ErrorCode::ReadOnly) if is_moved(&error) => disappeared(path),
        _ => broken(path, error),
    }
}

/// Whether the file is no longer at the path where SQLite opened it.
fn is_moved(error: &rusqlite::Error) -> bool {
    let moved = rusqlite::ffi::SQLITE_READONLY_DBMOVED;
    matches!(error, rusqlite::Error::SqliteFailure(inner, _) if inner.extended_code == moved)
}

/// Whether SQLite could not make a file longer.
fn is_write_failure(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE};
    const GROWING: [i32; 3] = [SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE];
    matches!(error, rusqlite::Error::SqliteFailure(inner, _) if GROWING.contains(&inner.extended_code))
}

/// Whether the file of a database is shorter than all its pages. If there is a write-ahead log, the rest may be in the
/// log, and the answer is no. The file itself is not opened: see [`open_files`](crate::open_files).
pub(crate) fn is_cut_short(path: &Path, database: &Database) -> rusqlite::Result<bool> {
    let number = |name: &str| database.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let bytes = number("page_count")?.saturating_mul(number("page_size")?);
    if std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Ok(false);
    }
    // The length is read last: the file may have grown in between, and it always grows before its number of pages does.
    Ok(std::fs::metadata(path).is_ok_and(|file| (file.len() as i64) < bytes))
}

/// The path of a file that SQLite keeps beside a database, such as its log. Symbolic links are followed first, because
/// the log is beside the real file.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()).into_os_string();
    name.push(ending);
    name.into()
}

/// Moves the log that a killed run has left into its file. The last generations may be only in the log; afterwards it
/// can be removed without loss. A file that is damaged or not a database stays as it is.
pub(crate) fn fold_log(path: &Path, patience: Duration) -> Result<(), Error> {
    if !path.exists() || !std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Ok(());
    }
    let folded = open(path, false, patience)?
        .query_row("pragma wal_checkpoint(truncate)", [], |row| row.get::<_, i64>(0))
        .map(|is_busy| is_busy != 0);
    match folded {
        Ok(false) => Ok(()),
        Ok(true) => Err(Error::Held { file: path.to_path_buf() }),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Ok(()),
            _ => Err(cannot_make(path, error)),
        },
    }
}

/// Removes the log and journal that a killed run may have left beside its file.
pub(crate) fn remove_logs(path: &Path) -> Result<(), Error> {
    ["-wal", "-shm", "-journal"].iter().try_for_each(|ending| remove(&beside(path, ending)))
}

/// Removes a file if it exists.
pub fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file("cannot remove", path, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "nothing is trained here")]
mod tests {
    use super::*;

    #[test]
    fn rows_in_the_log_are_kept_when_the_log_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [file, killed] = ["one.db", "killed.db"].map(|name| folder.path().join(name));
        let writer = rusqlite::Connection::open(&file).unwrap();
        let rows = "create table row (number integer); insert into row values (1), (2);";
        writer.execute_batch(&format!("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; {rows}")).unwrap();
        for ending in ["", "-wal"] {
            std::fs::copy(beside(&file, ending), beside(&killed, ending)).unwrap();
        }
        fold_log(&killed, Duration::from_secs(5)).unwrap();
        remove_logs(&killed).unwrap();
        let reader = rusqlite::Connection::open(&killed).unwrap();
        assert_eq!(reader.query_row("select count(*) from row", [], |row| row.get::<_, i64>(0)).unwrap(), 2);
        // A file that is not a database, or that does not exist, is no error: it is about to be replaced.
        std::fs::write(&killed, "a letter").unwrap();
        std::fs::write(beside(&killed, "-wal"), "another").unwrap();
        fold_log(&killed, Duration::from_secs(5)).unwrap();
        fold_log(&folder.path().join("none.db"), Duration::from_secs(5)).unwrap();
    }
}
