//! Whether a training fits into memory, told before it begins: a program that asks for more than there is gets killed, by
//! the system or by itself, and with it all other trainings of a server.

use crate::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use trainer::{ExperimentFile, Needs};

/// Addresses that the allocator reserves for each thread; they count where addresses are limited.
const RESERVED: u64 = 66 << 20;
/// SQLite writes no longer values.
const MOST_SAVED: u64 = 1_000_000_000;

/// Refuses an experiment whose population would take more memory than there is, by a sentence that says both. Otherwise
/// the training is promised its memory until it ends.
pub(crate) fn promised_memory(experiment: &ExperimentFile, threads: usize) -> Result<Promise, Error> {
    let Needs { population, saved, memory } = experiment.needs(threads);
    if saved > MOST_SAVED {
        return Err(Error::refused(format!(
            "a population of {population} such networks would be saved in {}, but a run's file keeps at most {}; a smaller population or smaller networks would fit",
            in_words(saved),
            in_words(MOST_SAVED)
        )));
    }
    ACCOUNT.promise(memory, threads, limits).map_err(|free| {
        let others = if ACCOUNT.is_empty() { "" } else { " beside other trainings of this program" };
        Error::refused(format!(
            "a population of {population} such networks and its games would take about {} of memory, but {} are available{others}; a smaller population, smaller networks or fewer games would fit",
            in_words(memory),
            in_words(free)
        ))
    })
}

/// The memory of this process.
static ACCOUNT: Account = Account(Mutex::new(Promised { bytes: [0; 4], before: [0; 4] }));

/// Memory that trainings were promised when they began. They take it later, so that several which begin at the same time
/// would all count on the same free memory.
struct Account(Mutex<Promised>);

/// Bytes under each of the [`limits`].
struct Promised {
    /// Promised to all trainings that have not ended.
    bytes: [u64; 4],
    /// What the process had taken when nothing was promised; what it has taken since is no longer to come.
    before: [u64; 4],
}

impl Account {
    /// Promises so many bytes to a training, or says how many are free.
    fn promise(&'static self, needed: u64, threads: usize, limits: impl FnOnce() -> Limits) -> Result<Promise, u64> {
        let mut promised = self.lock();
        // Looked at under the lock: nobody else is promised what is free now.
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

/// What a training was promised. It is given back when the training ends, also by an error or a panic.
pub(crate) struct Promise {
    account: &'static Account,
    bytes: [u64; 4],
}

impl Drop for Promise {
    fn drop(&mut self) {
        let mut promised = self.account.lock();
        promised.bytes = std::array::from_fn(|place| promised.bytes[place].saturating_sub(self.bytes[place]));
    }
}

/// A number of bytes in three digits.
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
    /// How many bytes can still be had; `None` where nobody tells, as on systems other than Linux.
    left: Option<u64>,
    /// How many of what is limited the process has taken.
    taken: u64,
}

/// What the system, the group of processes, addresses and data of the process leave.
type Limits = [Limit; 4];

fn limits() -> Limits {
    let status = read("/proc/self/status");
    let [addresses, data] = limits_free(&read("/proc/self/limits"), &status);
    let left = [system_free(&read("/proc/meminfo")), group_free(Path::new("/sys/fs/cgroup")), addresses, data];
    let taken = ["VmRSS:", "VmRSS:", "VmSize:", "VmData:"].map(|word| kilobytes(&status, word).unwrap_or(0));
    std::array::from_fn(|place| Limit { left: left[place], taken: taken[place] })
}

#[allow(clippy::disallowed_methods, reason = "what the system tells of itself is no run")]
fn read(file: impl AsRef<Path>) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

/// The number of kilobytes behind a word of a file such as `/proc/meminfo`, in bytes.
fn kilobytes(text: &str, word: &str) -> Option<u64> {
    let number = text.lines().find_map(|line| line.strip_prefix(word))?.trim().strip_suffix("kB")?;
    number.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn system_free(meminfo: &str) -> Option<u64> {
    kilobytes(meminfo, "MemAvailable:")
}

/// What the process's own limits (`ulimit -v`, `ulimit -d`) leave.
fn limits_free(limits: &str, status: &str) -> [Option<u64>; 2] {
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")].map(|(limit, taken)| {
        let limit: u64 =
            limits.lines().find_map(|line| line.strip_prefix(limit))?.split_whitespace().next()?.parse().ok()?;
        Some(limit.saturating_sub(kilobytes(status, taken).unwrap_or(0)))
    })
}

/// What is left of the memory that a group of processes (a container, a service) may have.
fn group_free(root: &Path) -> Option<u64> {
    let groups = read("/proc/self/cgroup");
    let number = |file: PathBuf| read(file).trim().parse::<u64>().ok();
    // Files that can be given up at once are counted as taken.
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
        // Every group around it has a limit, too. Within a container the outer ones are not seen.
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
    fn what_is_free_is_read() {
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
        // 2. What they have taken is not counted again.
        (left, taken) = (left - 600, taken + 600);
        assert_eq!(ask(left, taken).err(), Some(100));
        // 3. Whoever ends gives its memory back, also by a panic.
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
            "where nobody tells of limits"
        );
    }
}
