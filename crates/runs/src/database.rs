//! SQLite and its files, with its complaints in our words.

use crate::Error;
use crate::open_files::{Database, open_database};
use crate::sqlite_words::{DAMAGED_DESCRIPTION, is_unsupported, what_is_wrong};
use rusqlite::types::Type;
use rusqlite::{ErrorCode, OpenFlags};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Opens a database; makes it where `write` says so, and waits so long for whoever holds it.
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

/// A row that is not what was written.
#[derive(Debug)]
pub(crate) struct Damaged {
    /// What it is called.
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

/// What a database complains of when it is none, or damaged.
pub(crate) fn broken(path: &Path, error: rusqlite::Error) -> Error {
    let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
    if let rusqlite::Error::FromSqlConversionFailure(_, _, source) = &error
        && let Some(damaged) = source.downcast_ref::<Damaged>()
    {
        return Error::Damaged { file: path.to_path_buf(), what: damaged.to_string() };
    }
    match (error.sqlite_error_code(), &error) {
        (Some(ErrorCode::NotADatabase), _) => not_a_run("it is no database"),
        (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => Error::Held { file: path.to_path_buf() },
        (Some(ErrorCode::DatabaseCorrupt), _) => not_a_run("it is damaged or cut short"),
        (_, rusqlite::Error::QueryReturnedNoRows) => not_a_run("its table `run`, which says what the run is, is empty"),
        _ if is_unsupported(&error) => not_a_run(DAMAGED_DESCRIPTION),
        _ => match what_is_wrong(&error) {
            Some(what) => Error::Damaged { file: path.to_path_buf(), what },
            None => Error::Database { file: path.to_path_buf(), source: error },
        },
    }
}

/// What a database complains of when it is made; nothing of it stays.
pub(crate) fn cannot_make(path: &Path, error: rusqlite::Error) -> Error {
    match cannot_write(path, error, 0) {
        Error::DiskFull { file, .. } => Error::NoRoom { file },
        error => error,
    }
}

/// What a database complains of when it is written to; `generation` is the last one that is safe.
pub(crate) fn cannot_write(path: &Path, error: rusqlite::Error, generation: u64) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::DiskFull { file: path.to_path_buf(), generation },
        // A file that may not grow any more, by quota or limit, is a full disk to us.
        Some(ErrorCode::SystemIoFailure) if is_write_failure(&error) => {
            Error::DiskFull { file: path.to_path_buf(), generation }
        }
        _ => broken(path, error),
    }
}

fn is_write_failure(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE};
    const GROWING: [i32; 3] = [SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE];
    matches!(error, rusqlite::Error::SqliteFailure(inner, _) if GROWING.contains(&inner.extended_code))
}

/// Whether a database's file is shorter than its pages are. With a write-ahead log beside it, the log may hold the rest.
/// The file is not opened for it: see [`open_files`](crate::open_files).
pub(crate) fn is_cut_short(path: &Path, database: &Database) -> rusqlite::Result<bool> {
    let number = |name: &str| database.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let bytes = number("page_count")?.saturating_mul(number("page_size")?);
    if std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Ok(false);
    }
    // Taken last: meanwhile the file may have grown, never its pages before the file.
    Ok(std::fs::metadata(path).is_ok_and(|file| (file.len() as i64) < bytes))
}

/// A file that SQLite keeps beside a database: its log, say. It lies beside the real file, whatever links lead there.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()).into_os_string();
    name.push(ending);
    name.into()
}

/// Takes the log that a killed run has left into its file: its last generations may be in the log alone, which can then go
/// without a loss. A file that is no database or is damaged stays as it is.
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

/// Removes what a killed run may have left beside its file.
pub(crate) fn remove_logs(path: &Path) -> Result<(), Error> {
    ["-wal", "-shm", "-journal"].iter().try_for_each(|ending| remove(&beside(path, ending)))
}

/// Removes a file, if it is there.
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
    fn what_is_in_the_log_alone_outlives_the_log() {
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
        // What is no database is about to be replaced, and so is what is not there.
        std::fs::write(&killed, "a letter").unwrap();
        std::fs::write(beside(&killed, "-wal"), "another").unwrap();
        fold_log(&killed, Duration::from_secs(5)).unwrap();
        fold_log(&folder.path().join("none.db"), Duration::from_secs(5)).unwrap();
    }
}
