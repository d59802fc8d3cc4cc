//! Independent pieces of work, shared by threads.

use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of threads: as asked for, otherwise one for each core.
pub fn cores(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()))
}

/// A pool of worker threads, or `None` if only one thread is wanted or threads cannot be started.
pub(crate) fn thread_pool(threads: usize) -> Option<ThreadPool> {
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).and_then(Result::ok)
}

/// The number of blocks of work per thread: many, so that all threads end at about the same time.
const BLOCKS: usize = 64;

/// What `make` returns for the places 0, 1, 2, … below `count`, in this order. Every thread of the pool works with what
/// its own call of `begin` returned, and takes the next block of places that no thread has taken.
///
/// Parallel iterators would do the same, but they compile to ten times as much code for every kind of work and game.
pub(crate) fn in_parallel<W, R: Send>(
    pool: Option<&ThreadPool>,
    count: usize,
    begin: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<R> {
    let Some(pool) = pool else {
        let mut worker = begin();
        return (0..count).map(|place| make(&mut worker, place)).collect();
    };
    let length = count.div_ceil(pool.current_num_threads() * BLOCKS).max(1);
    let blocks: Vec<Mutex<Vec<R>>> = (0..count.div_ceil(length)).map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    on_each_thread(pool, &|| {
        let mut worker = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = blocks.get(number) else { break };
            let worker = worker.get_or_insert_with(&begin);
            let places = number * length..((number + 1) * length).min(count);
            let made = places.map(|place| make(worker, place)).collect();
            *block.lock().unwrap_or_else(PoisonError::into_inner) = made;
        }
    });
    blocks.into_iter().flat_map(|block| block.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Compiled once for all kinds of work.
fn on_each_thread(pool: &ThreadPool, work: &(dyn Fn() + Sync)) {
    pool.broadcast(|_| work());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_made_once_and_stays_in_order() {
        for threads in [1, 2, 7] {
            let pool = thread_pool(threads);
            for count in [0, 1, 6, 449, 1000] {
                let begun = AtomicUsize::new(0);
                let begin = || begun.fetch_add(1, Ordering::Relaxed);
                let made = in_parallel(pool.as_ref(), count, begin, |_, place| 3 * place);
                assert_eq!(made, (0..count).map(|place| 3 * place).collect::<Vec<_>>(), "{count} on {threads}");
                assert!(begun.into_inner() <= threads);
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let pool = thread_pool(3);
        let work = || in_parallel(pool.as_ref(), 100, || (), |(), place| assert_ne!(place, 57));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
    }
}
