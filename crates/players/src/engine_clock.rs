//! The limits of the move that an engine thinks about.

use arena::{MOST_DEPTH, Progress};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The limits of the move that an engine thinks about. They are shared between the thread that reads commands and the
/// thread that thinks.
pub struct EngineClock {
    /// The number of the move that the engine thinks about.
    current: AtomicU64,
    /// Moves up to this number are stopped. A stop may come before the engine has begun to think.
    stopped: AtomicU64,
    /// The expected move was made while the engine pondered about moves up to this number.
    hurried: AtomicU64,
    limits: Mutex<EngineLimits>,
    begun: Mutex<Instant>,
    hear: Box<Listener>,
    lines: Mutex<Lines>,
    /// The size of the transposition table in megabytes; 0 means the usual size.
    table_megabytes: AtomicU64,
}

/// The lines of moves that a search tells.
#[derive(Default)]
struct Lines {
    /// Writes a line of moves as the protocol wants it.
    write: Option<Box<LineWriter>>,
    /// The last line of the current move.
    last: Vec<String>,
}

/// Writes a line of moves, given in the game's own notation, as a protocol wants it.
type LineWriter = dyn Fn(&[String]) -> Vec<String> + Send;

/// Receives what an engine has found at a depth, and the time since it began to think.
type Listener = dyn Fn(&Progress, Duration) + Send + Sync;

/// The limits of one move of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineLimits {
    /// The largest depth in plies.
    pub depth: u32,
    /// The largest number of positions.
    pub nodes: u64,
    /// When the move must be made; `None` means that there is no hurry.
    pub deadline: Option<Instant>,
    /// The time that is left from the moment on at which the expected move is made, if the engine ponders; `None` means
    /// that there is no hurry.
    pub after_pondering: Option<Duration>,
    /// The indices of the only legal moves that may be considered; `None` means all.
    pub only: Option<Arc<[usize]>>,
}

impl EngineLimits {
    /// No limits.
    pub const NONE: EngineLimits =
        EngineLimits { depth: MOST_DEPTH, nodes: u64::MAX, deadline: None, after_pondering: None, only: None };
}

impl EngineLimits {
    /// When the move must be made if the expected move is made now.
    fn hurried_deadline(&self) -> Option<Instant> {
        self.after_pondering.map(|left| Instant::now() + left)
    }
}

impl EngineClock {
    /// A clock without limits. `hear` receives what the engine has found at each depth, and the time since it began to
    /// think.
    pub fn new(hear: impl Fn(&Progress, Duration) + Send + Sync + 'static) -> EngineClock {
        EngineClock {
            current: AtomicU64::new(0),
            stopped: AtomicU64::new(0),
            hurried: AtomicU64::new(0),
            limits: Mutex::new(EngineLimits::NONE),
            begun: Mutex::new(Instant::now()),
            hear: Box::new(hear),
            lines: Mutex::default(),
            table_megabytes: AtomicU64::new(0),
        }
    }

    /// Sets the limits of a move. Moves have the numbers 1, 2, 3 and so on.
    pub fn set(&self, limits: EngineLimits, number: u64) {
        {
            // The lock is held while `hurried` is read, so that a `hurry` is seen here or finds these limits.
            let mut current = lock(&self.limits);
            let is_hurried = self.hurried.load(Ordering::Relaxed) >= number;
            let deadline = limits.deadline.or_else(|| limits.hurried_deadline().filter(|_| is_hurried));
            *current = EngineLimits { deadline, ..limits };
        }
        *lock(&self.begun) = Instant::now();
        lock(&self.lines).last.clear();
        self.current.store(number, Ordering::Relaxed);
    }

    /// Tells that the expected move was made while the engine pondered: its clock runs from now on. A clock that runs
    /// already does not begin anew.
    pub fn hurry(&self, number: u64) {
        let mut limits = lock(&self.limits);
        limits.deadline = limits.deadline.or_else(|| limits.hurried_deadline());
        self.hurried.store(number, Ordering::Relaxed);
    }

    /// Whether the expected move was made while the engine pondered.
    pub fn is_hurried(&self) -> bool {
        self.hurried.load(Ordering::Relaxed) >= self.current.load(Ordering::Relaxed)
    }

    /// Ends the thinking about moves up to this number: the engine moves as soon as it has a move.
    pub fn stop(&self, number: u64) {
        self.stopped.fetch_max(number, Ordering::Relaxed);
    }

    /// Whether the current move was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) >= self.current.load(Ordering::Relaxed)
    }

    /// Sets the size of the transposition tables of later searches in megabytes; 0 means the usual size.
    pub fn set_table(&self, megabytes: u64) {
        self.table_megabytes.store(megabytes, Ordering::Relaxed);
    }

    /// The size of transposition tables in bytes; `None` means the usual size.
    pub(crate) fn table_bytes(&self) -> Option<usize> {
        let megabytes = self.table_megabytes.load(Ordering::Relaxed);
        (megabytes > 0).then_some((megabytes as usize).saturating_mul(1 << 20))
    }

    pub(crate) fn limits(&self) -> EngineLimits {
        lock(&self.limits).clone()
    }

    /// Whether the engine must move now.
    pub fn is_spent(&self) -> bool {
        self.is_stopped() || lock(&self.limits).deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Sets how lines of moves are written from now on.
    pub(crate) fn write_lines(&self, write: impl Fn(&[String]) -> Vec<String> + Send + 'static) {
        lock(&self.lines).write = Some(Box::new(write));
    }

    /// The last line of moves that the search for the current move has told, as the protocol writes it.
    pub(crate) fn last_line(&self) -> Vec<String> {
        lock(&self.lines).last.clone()
    }

    pub(crate) fn hear(&self, progress: &Progress) {
        let lines = &mut *lock(&self.lines);
        let line = lines.write.as_ref().map_or_else(|| progress.line.clone(), |write| write(&progress.line));
        lines.last.clone_from(&line);
        (self.hear)(&Progress { line, ..progress.clone() }, lock(&self.begun).elapsed());
    }
}

/// Locks a value. No thread leaves one half changed, so that a panic elsewhere does not matter.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time that is left after these hurries before and after the limits were set.
    fn left(deadline: Option<u64>, hurries: [u64; 2]) -> Option<u64> {
        let clock = EngineClock::new(|_, _| ());
        let begun = Instant::now();
        let deadline = deadline.map(|seconds| begun + Duration::from_secs(seconds));
        let limits = EngineLimits { deadline, after_pondering: Some(Duration::from_secs(100)), ..EngineLimits::NONE };
        (0..hurries[0]).for_each(|_| clock.hurry(1));
        clock.set(limits, 1);
        (0..hurries[1]).for_each(|_| clock.hurry(1));
        clock.limits().deadline.map(|deadline| (deadline - begun).as_secs() / 10 * 10)
    }

    #[test]
    fn pondering_ends_in_time_whenever_the_expected_move_is_made() {
        assert_eq!(left(None, [0, 0]), None);
        assert_eq!(left(None, [1, 0]), Some(100));
        assert_eq!(left(None, [0, 2]), Some(100));
        // A clock that runs is not set anew.
        for hurries in [[0, 0], [1, 0], [0, 1], [2, 2]] {
            assert_eq!(left(Some(50), hurries), Some(50), "{hurries:?}");
        }
    }
}
