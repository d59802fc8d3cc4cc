//! The limits of the move that an engine thinks about.

use arena::{MOST_DEPTH, Progress};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The limits of the move that an engine thinks about. They are shared between the thread that reads commands and the
/// thread that thinks.
pub struct EngineClock {
    /// The number of the move that the engine thinks about.
    current: AtomicU64,
    /// Moves up to this number are stopped. A stop may come before the engine has begun to think.
    stopped: AtomicU64,
    /// The time that is left was set for moves up to this number.
    hurried: AtomicU64,
    limits: Mutex<EngineLimits>,
    begun: Mutex<Instant>,
    hear: Box<Listener>,
}

/// Receives what an engine has found at a depth, and the time since it began to think.
type Listener = dyn Fn(&Progress, Duration) + Send + Sync;

/// The limits of one move of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineLimits {
    /// The largest depth in plies.
    pub depth: u32,
    /// The largest number of positions.
    pub nodes: u64,
    /// When the move must be made; `None` means that there is no hurry.
    pub deadline: Option<Instant>,
}

impl EngineLimits {
    /// No limits.
    pub const NONE: EngineLimits = EngineLimits { depth: MOST_DEPTH, nodes: u64::MAX, deadline: None };
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
        }
    }

    /// Sets the limits of a move. Moves have the numbers 1, 2, 3 and so on.
    pub fn set(&self, limits: EngineLimits, number: u64) {
        let mut old = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = if self.hurried.load(Ordering::Relaxed) >= number { old.deadline } else { limits.deadline };
        *old = EngineLimits { deadline, ..limits };
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.current.store(number, Ordering::Relaxed);
    }

    /// Sets the time that is left from now on for a move.
    pub fn hurry(&self, left: Option<Duration>, number: u64) {
        let mut limits = self.limits.lock().unwrap_or_else(PoisonError::into_inner);
        limits.deadline = left.map(|left| Instant::now() + left);
        self.hurried.store(number, Ordering::Relaxed);
    }

    /// Whether the time that is left was set while the engine thought.
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

    pub(crate) fn limits(&self) -> EngineLimits {
        *self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the engine must move now.
    pub fn is_spent(&self) -> bool {
        self.is_stopped() || self.limits().deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn hear(&self, progress: &Progress) {
        let begun = *self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        (self.hear)(progress, begun.elapsed());
    }
}
