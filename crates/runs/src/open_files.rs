//! Opens all files of this program, so that run files are opened by SQLite alone.
//!
//! On POSIX systems a process that closes a file loses all its locks on that file, also those that SQLite took through
//! another descriptor. If a training has lost its lock, any reader can remove its write-ahead log, and a kill then
//! loses saved generations. So databases are opened by [`open_database`], lock files by [`open_lock`], and all other
//! files are read by [`read_bytes`], which refuses a database that this process has open. `clippy.toml` forbids every
//! other way outside this file.
#![allow(clippy::disallowed_methods)]

use rusqlite::{Connection, OpenFlags};
use std::collections::HashMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

static OPEN: LazyLock<Mutex<OpenFiles>> = LazyLock::new(Mutex::default);
/// Notified when a file is no longer being read.
static CLOSED: Condvar = Condvar::new();

/// The files that this process has open.
#[derive(Default)]
struct OpenFiles {
    /// For each open database: the number of connections, and the name under which it was opened, without links.
    databases: HashMap<FileId, (usize, PathBuf)>,
    /// For each other file that is being read: the number of readers.
    read: HashMap<FileId, usize>,
}

/// The most bytes of a file that is read as a whole. It is enough for a network of millions of weights.
const MOST_BYTES: u64 = 256 << 20;

/// Identifies a file, whatever its name is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileId(u64, u64);

impl FileId {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        Some(FileId(metadata.dev(), metadata.ino()))
    }

    /// On other systems locks belong to descriptors, so files need not be tracked.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Option<FileId> {
        None
    }
}

/// A connection to a database. As long as it lives, the database is listed in [`OpenFiles`].
pub(crate) struct Database {
    // This field is dropped first, so that the connection is closed before the database leaves the list.
    connection: Connection,
    _known: Known,
}

impl Deref for Database {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl std::ops::DerefMut for Database {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// Counts as one connection in [`OpenFiles`] as long as it lives.
struct Known(Option<FileId>);

impl Drop for Known {
    fn drop(&mut self) {
        if let Some(file) = self.0 {
            let databases = &mut open_files().databases;
            if let Some((count, _)) = databases.get_mut(&file) {
                *count -= 1;
                if *count == 0 {
                    databases.remove(&file);
                }
            }
        }
    }
}

fn open_files() -> MutexGuard<'static, OpenFiles> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lowers the count of a file by one.
fn forget(files: &mut HashMap<FileId, usize>, file: FileId) {
    if let Some(count) = files.get_mut(&file) {
        *count -= 1;
        if *count == 0 {
            files.remove(&file);
        }
    }
}

/// Opens a database.
pub(crate) fn open_database(path: &Path, flags: OpenFlags) -> rusqlite::Result<Database> {
    // The mutex is held until the database is listed, so that no thread begins to read the file in between.
    let mut open = open_files();
    let id = || std::fs::metadata(path).ok().and_then(|metadata| FileId::of(&metadata));
    // Threads that read the file must close it before SQLite locks it.
    while id().is_some_and(|file| open.read.contains_key(&file)) {
        open = CLOSED.wait(open).unwrap_or_else(PoisonError::into_inner);
    }
    let connection = Connection::open_with_flags(path, flags)?;
    let file = id();
    if let Some(file) = file {
        let name = || std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        open.databases.entry(file).or_insert_with(|| (0, name())).0 += 1;
    }
    Ok(Database { connection, _known: Known(file) })
}

/// The name, without links, under which this process has a file open as a database; `None` if it is not open.
pub(crate) fn open_name(path: &Path) -> Option<PathBuf> {
    let file = FileId::of(&std::fs::metadata(path).ok()?)?;
    open_files().databases.get(&file).map(|(_, name)| name.clone())
}

/// The first 100 bytes of a database, with which SQLite describes the file; `None` if the file is not a database, or if
/// this process has it open as one.
pub(crate) fn description_of(path: &Path) -> Option<[u8; 100]> {
    let bytes = read_bytes_up_to(path, 100).ok()?;
    bytes.try_into().ok().filter(|bytes: &[u8; 100]| bytes.starts_with(b"SQLite format 3\0"))
}

/// Reads a whole file of at most `MOST_BYTES` bytes.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_bytes_up_to(path, MOST_BYTES + 1)?;
    if bytes.len() as u64 > MOST_BYTES {
        let what = format!("it is longer than {MOST_BYTES} bytes, which is the limit");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// Reads at most `most` bytes of a file.
pub fn read_bytes_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Devices and pipes are never databases. They may block their reader, so they are read without holding the mutex.
    if !std::fs::metadata(path)?.is_file() {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let mut open = open_files();
    let file = open_other(path, File::options().read(true), &open)?;
    let id = FileId::of(&file.metadata()?);
    if let Some(id) = id {
        *open.read.entry(id).or_default() += 1;
    }
    // A disk may be slow, so other threads can open their files while this one reads.
    drop(open);
    let done = file.take(most).read_to_end(&mut bytes);
    if let Some(id) = id {
        forget(&mut open_files().read, id);
        CLOSED.notify_all();
    }
    done.map(|_| bytes)
}

/// Opens a file, unless this process has it open as a database.
fn open_other(path: &Path, options: &OpenOptions, open: &OpenFiles) -> io::Result<File> {
    let in_use = || io::Error::other("it is the file of a run in use, not a text file");
    let is_database = |found: &Metadata| FileId::of(found).is_some_and(|file| open.databases.contains_key(&file));
    if is_database(&std::fs::metadata(path)?) {
        return Err(in_use());
    }
    let file = options.open(path)?;
    if is_database(&file.metadata()?) {
        // A database was moved to this path in between. The file is never closed, because closing it would release the
        // locks.
        std::mem::forget(file);
        return Err(in_use());
    }
    Ok(file)
}

/// Opens a lock file, for writing or for reading. For writing it is created if it does not exist. A lock file is always
/// empty: a link or a file with content is refused, because it could be a run.
pub(crate) fn open_lock(path: &Path, write: bool) -> io::Result<File> {
    let foreign = || io::Error::other("it is not a lock file but a link or a file with content; remove it");
    // The mutex is held, so that no thread opens a database in between.
    let open = open_files();
    match std::fs::symlink_metadata(path) {
        // `create_new` does not follow a link that appears in between.
        Err(error) if write && error.kind() == io::ErrorKind::NotFound => return File::create_new(path),
        found if !found.as_ref().is_ok_and(|found| found.is_file() && found.len() == 0) => {
            return Err(found.err().unwrap_or_else(foreign));
        }
        _ => {}
    }
    open_other(path, File::options().read(!write).write(write), &open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunLock;
    use crate::run_file::RunFile;
    use std::path::PathBuf;

    fn trained(folder: &Path) -> PathBuf {
        crate::testing::trained(folder, "one", "nim-2x4-c1", &["stop.generations=2"])
    }

    /// The number of locks that this process has on a file. The kernel's list is read several times: while other tests
    /// lock and unlock files, a reading may miss some lines.
    #[cfg(target_os = "linux")]
    fn locks(file: &Path) -> usize {
        use std::os::unix::fs::MetadataExt;
        let inode = format!(":{} ", std::fs::metadata(file).unwrap().ino());
        let process = format!(" {} ", std::process::id());
        let is_ours = |line: &&str| line.contains("POSIX") && line.contains(&inode) && line.contains(&process);
        let read = |_| std::fs::read_to_string("/proc/locks").unwrap().lines().filter(is_ours).count();
        (0..10).map(read).max().unwrap()
    }

    /// Before its first writing, a training has an empty log. Reading the run must not release the lock of the
    /// training.
    #[cfg(target_os = "linux")]
    #[test]
    fn reading_a_run_does_not_release_the_lock_of_its_training() {
        let folder = tempfile::tempdir().unwrap();
        let file = trained(folder.path());
        let training = RunFile::open_to_write(&file).unwrap();
        training.begin_log_for_test();
        let held = locks(&file);
        assert!(held > 0);
        for _ in 0..3 {
            RunFile::open(&file).unwrap().last_report().unwrap();
            RunFile::glance(&file).unwrap();
            assert!(read_bytes(&file).is_err());
            assert_eq!(locks(&file), held);
        }
        let link = folder.path().join("link.txt");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(read_bytes(&link).unwrap_err().to_string(), "it is the file of a run in use, not a text file");
        assert_eq!(locks(&file), held);
        drop(training);
        assert!(read_bytes(&link).is_ok());
    }

    /// A lock file that is a link to another run is refused, and that run keeps its lock.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_lock_file_that_is_a_link_to_a_run_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = trained(folder.path());
        let other = folder.path().join("other.db");
        std::fs::copy(&file, &other).unwrap();
        let training = RunFile::open_to_write(&file).unwrap();
        training.begin_log_for_test();
        let held = locks(&file);
        assert!(held > 0);
        let lock = folder.path().join(".other.lock");
        let link: [fn(&Path, &Path) -> io::Result<()>; 2] =
            [|run, lock| std::os::unix::fs::symlink(run, lock), |run, lock| std::fs::hard_link(run, lock)];
        for link in link {
            link(&file, &lock).unwrap();
            assert!(!RunLock::is_taken(&other));
            let said = RunLock::take(&other).err().unwrap().to_string();
            assert!(said.contains(".other.lock: it is not a lock file but a link"), "{said}");
            assert_eq!(locks(&file), held);
            std::fs::remove_file(&lock).unwrap();
        }
        let taken = RunLock::take(&other).unwrap();
        assert!(RunLock::is_taken(&other));
        drop(taken);
        assert!(!lock.exists());
    }

    /// A slow reader does not block other files, and a file that is being read is not opened as a database.
    #[test]
    fn a_reader_blocks_only_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = trained(folder.path());
        let other = folder.path().join("other.db");
        std::fs::copy(&file, &other).unwrap();
        let id = FileId::of(&std::fs::metadata(&file).unwrap());
        let Some(id) = id else { return };
        open_files().read.insert(id, 1);
        RunFile::open(&other).unwrap();
        std::thread::scope(|scope| {
            let opening = scope.spawn(|| RunFile::open(&file).map(|_| ()));
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert!(!opening.is_finished());
            forget(&mut open_files().read, id);
            CLOSED.notify_all();
            opening.join().unwrap().unwrap();
        });
    }

    #[test]
    fn endless_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text");
        std::fs::write(&file, "123456").unwrap();
        assert_eq!(read_bytes_up_to(&file, 5).unwrap(), b"12345");
        assert_eq!(read_bytes(&file).unwrap(), b"123456");
        if Path::new("/dev/zero").exists() {
            assert!(read_bytes(Path::new("/dev/zero")).unwrap_err().to_string().contains("longer than"));
        }
    }
}
