//! Checks before a training begins whether it fits into memory. A program that uses more memory than there is gets
//! killed, and all other trainings of a server with it.

use crate::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use trainer::{ExperimentFile, Needs};

/// Bytes of address space that the allocator reserves for each thread; they count where address space is limited.
const RESERVED: u64 = 66 << 20;
/// The longest value that SQLite can store, in bytes.
const MOST_SAVED: u64 = 1_000_000_000;

/// Promises a training its memory until it ends. Refuses an experiment whose population needs more memory than is free;
/// the error names both amounts.
pub fn promised_memory(experiment: &ExperimentFile, threads: usize) -> Result<Promise, Error> {
    let Needs { population, saved, memory } = experiment.needs(threads);
    if saved > MOST_SAVED {
        return Err(Error::refused(format!(
            "a population of {population} such networks would be saved in {}, but a run's file keeps at most {}; choose a smaller population or smaller networks",
            in_words(saved),
            in_words(MOST_SAVED)
        )));
    }
    ACCOUNT.promise(memory, threads, limits).map_err(|free| {
        let others = if ACCOUNT.is_empty() { "" } else { " beside other trainings of this program" };
        Error::refused(format!(
            "a population of {population} such networks and its games would take about {} of memory, but {} are available{others}; choose a smaller population, smaller networks or fewer games",
            in_words(memory),
            in_words(free)
        ))
    })
}

/// The promises of this process.
static ACCOUNT: Account = Account(Mutex::new(Promised { bytes: [0; 4], before: [0; 4] }));

/// The memory that trainings were promised when they began. They allocate it later. Without promises, several trainings
/// that begin at the same time would all count on the same free memory.
struct Account(Mutex<Promised>);

/// Numbers of bytes for each of the [`limits`].
struct Promised {
    /// Promised to all trainings that have not ended.
    bytes: [u64; 4],
    /// What the process used when nothing was promised. What it has allocated since then is part of the promises.
    before: [u64; 4],
}

impl Account {
    /// Promises `needed` bytes to a training; the error is the number of bytes that are free.
    fn promise(&'static self, needed: u64, threads: usize, limits: impl FnOnce() -> Limits) -> Result<Promise, u64> {
        let mut promised = self.lock();
        // Read under the lock, so that the same free memory is not promised twice.
        let limits = limits();
        if promised.bytes == [0; 4] {
            promised.before = limits.map(|limit| limit.taken);
        }
        let reserved = [0, 0, RESERVED * threads as u64, 0];
        let free = (0..4).filter_map(|place| {
            let taken = limits[place].taken.saturating_sub(promised.before[place]);
            let to_come = promised.bytes[place].saturating_sub(taken).saturating_add(reserved[place]);
            Some(limits[place].left?.saturating_sub(to_come))
        });
        if let Some(free) = free.min().filter(|free| needed > *free) {
            return Err(free);
        }
        let bytes = reserved.map(|reserved| needed.saturating_add(reserved));
        promised.bytes = std::array::from_fn(|place| promised.bytes[place].saturating_add(bytes[place]));
        Ok(Promise { account: self, bytes })
    }

    fn is_empty(&self) -> bool {
        self.lock().bytes == [0; 4]
    }

    fn lock(&self) -> MutexGuard<'_, Promised> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory promised to one training. It is given back on drop, so also after an error or a panic.
pub struct Promise {
    account: &'static Account,
    bytes: [u64; 4],
}

impl Drop for Promise {
    fn drop(&mut self) {
        let mut promised = self.account.lock();
        promised.bytes = std::array::from_fn(|place| promised.bytes[place].saturating_sub(self.bytes[place]));
    }
}

/// A number of bytes as text, such as `1.5 GB`.
fn in_words(bytes: u64) -> String {
    match bytes as f64 {
        b if b >= 1e15 => "more than 1000 TB".to_string(),
        b if b >= 1e12 => format!("{:.1} TB", b / 1e12),
        b if b >= 1e9 => format!("{:.1} GB", b / 1e9),
        b => format!("{:.0} MB", b / 1e6),
    }
}

/// A limit of the memory of this process.
#[derive(Clone, Copy, Default)]
struct Limit {
    /// The number of bytes that are free; `None` if it is unknown, as on systems other than Linux.
    left: Option<u64>,
    /// The number of bytes under this limit that the process uses.
    taken: u64,
}

/// The limits of the system, of the group of processes, of the process's address space and of its data, in this order.
type Limits = [Limit; 4];

fn limits() -> Limits {
    let status = read("/proc/self/status");
    let [addresses, data] = limits_free(&read("/proc/self/limits"), &status);
    let left = [system_free(&read("/proc/meminfo")), group_free(Path::new("/sys/fs/cgroup")), addresses, data];
    let taken = ["VmRSS:", "VmRSS:", "VmSize:", "VmData:"].map(|word| kilobytes(&status, word).unwrap_or(0));
    std::array::from_fn(|place| Limit { left: left[place], taken: taken[place] })
}

#[allow(clippy::disallowed_methods, reason = "files of the system are not runs")]
fn read(file: impl AsRef<Path>) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

/// Finds the line that begins with `word` in a file such as `/proc/meminfo`; returns its number of kilobytes in bytes.
fn kilobytes(text: &str, word: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(word))?.trim().strip_suffix("kB")?;
    number.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn system_free(meminfo: &str) -> Option<u64> {
    kilobytes(meminfo, "MemAvailable:")
}

/// The bytes that the process's own limits (`ulimit -v`, `ulimit -d`) leave free.
fn limits_free(limits: &str, status: &str) -> [Option<u64>; 2] {
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")].map(|(limit, taken)| {
        let limit: u64 =
            limits.lines().find_map(|line| line.strip_prefix(limit))?.split_whitespace().next()?.parse().ok()?;
        Some(limit.saturating_sub(kilobytes(status, taken).unwrap_or(0)))
    })
}

/// The bytes that the limits of the process's control groups (a container, a service) leave free.
fn group_free(root: &Path) -> Option<u64> {
    let groups = read("/proc/self/cgroup");
    let number = |file: PathBuf| read(file).trim().parse::<u64>().ok();
    // The kernel counts cached files as used, but can free them at once.
    let given_up = |folder: &Path, word: &str| {
        let text = read(folder.join("memory.stat"));
        text.lines().find_map(|line| line.strip_prefix(word)?.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    let mut found: Option<u64> = None;
    for line in groups.lines() {
        let (root, [limit, taken, files]) = match line.splitn(3, ':').collect::<Vec<_>>()[..] {
            ["0", "", _] => (root.to_path_buf(), ["memory.max", "memory.current", "inactive_file "]),
            [_, kinds, _] if kinds.split(',').any(|kind| kind == "memory") => {
                (root.join("memory"), ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "])
            }
            _ => continue,
        };
        // Every enclosing group has a limit, too. Within a container the outer groups are not visible.
        let path = root.join(line.rsplit(':').next().unwrap_or_default().trim_start_matches('/'));
        for folder in path.ancestors().take_while(|folder| folder.starts_with(&root)) {
            if let Some(limit) = number(folder.join(limit)) {
                let taken = number(folder.join(taken)).unwrap_or(0).saturating_sub(given_up(folder, files));
                let left = limit.saturating_sub(taken);
                found = Some(found.map_or(left, |found| found.min(left)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read() {
        assert_eq!(system_free("MemTotal:  100 kB\nMemAvailable:   70 kB\n"), Some(70 << 10));
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max data size             unlimited            unlimited            bytes\n\
                      Max address space         1048576              unlimited            bytes\n";
        assert_eq!(limits_free(limits, "VmSize:\t    24 kB\nVmData:\t 8 kB\n"), [Some(1000 << 10), None]);
        assert_eq!(limits_free("", ""), [None, None]);
        #[cfg(target_os = "linux")]
        assert!(super::limits()[0].left.is_some_and(|free| free > 1 << 20) && super::limits()[2].taken > 1 << 20);
    }

    /// Trainings that begin at the same time do not count on the same memory.
    #[test]
    fn memory_is_promised_once() {
        static ONE: Account = Account(Mutex::new(Promised { bytes: [0; 4], before: [0; 4] }));
        let [mut left, mut taken] = [1000, 50];
        let limits = |left, taken| [Limit { left: Some(left), taken }; 4];
        let ask = |left, taken| ONE.promise(300, 0, || limits(left, taken));
        // 1. Eight ask at once, and three fit.
        let all: Vec<_> = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..8).map(|_| scope.spawn(move || ask(left, taken))).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        let mut promises: Vec<Promise> = all.into_iter().flatten().collect();
        assert_eq!((promises.len(), ask(left, taken).err()), (3, Some(100)));
        // 2. What they have allocated is not counted again.
        (left, taken) = (left - 600, taken + 600);
        assert_eq!(ask(left, taken).err(), Some(100));
        // 3. A training that ends gives its memory back, also after a panic.
        let last = promises.pop();
        let ended = std::thread::spawn(move || {
            let _promise = last;
            panic!("a fault in a training, as this test wants it");
        });
        assert!(ended.join().is_err());
        promises.push(ask(left, taken).ok().unwrap());
        assert!(ask(left, taken).is_err());
        promises.clear();
        assert!(ONE.is_empty());
        assert_eq!(
            ONE.promise(u64::MAX, 1, || [Limit::default(); 4]).map(|_| ()),
            Ok(()),
            "without known limits everything is promised"
        );
    }
}
