//! SQLite and its files, with its complaints in our words.

use crate::Error;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// Opens a database; makes it where `write` says so, and waits so long for whoever holds it.
pub(crate) fn open(path: &Path, write: bool, patience: Duration) -> Result<Connection, Error> {
    let flags = match write {
        true => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        false => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let opened = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = opened.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::CannotOpen) => Error::file("cannot open", path, std::io::ErrorKind::PermissionDenied.into()),
        _ => broken(path, error),
    })?;
    connection.busy_timeout(patience).map_err(|error| broken(path, error))?;
    Ok(connection)
}

/// What a database complains of when it is none, or damaged.
pub(crate) fn broken(path: &Path, error: rusqlite::Error) -> Error {
    let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
    match (error.sqlite_error_code(), &error) {
        (Some(ErrorCode::NotADatabase), _) => not_a_run("it is no database"),
        (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => Error::Held { file: path.to_path_buf() },
        (Some(ErrorCode::DatabaseCorrupt), _) => not_a_run("it is damaged or cut short"),
        (_, rusqlite::Error::QueryReturnedNoRows) => not_a_run("it lacks the row that says what it is"),
        _ => Error::Database { file: path.to_path_buf(), source: error },
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

/// Whether a file is shorter than its own header says. With a write-ahead log beside it, the log may hold the rest.
pub(crate) fn is_cut_short(path: &Path) -> bool {
    let log = path.with_extension("db-wal");
    if std::fs::metadata(log).is_ok_and(|log| log.len() > 0) {
        return false;
    }
    let mut header = [0; 100];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    if read.is_err() || !header.starts_with(b"SQLite format 3\0") {
        return false;
    }
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u32::from_be_bytes([header[28], header[29], header[30], header[31]]);
    // Taken last: meanwhile the file may have grown, never the header's number before the file.
    std::fs::metadata(path).is_ok_and(|file| file.len() < u64::from(pages) * page_size)
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file("cannot remove", path, error)),
        _ => Ok(()),
    }
}
