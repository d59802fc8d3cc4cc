//! The number of threads that share games.

/// The number of threads: as asked for, otherwise one for each core.
pub fn cores(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()))
}

/// A pool of worker threads, or `None` if only one thread is wanted or threads cannot be started.
pub(crate) fn thread_pool(threads: usize) -> Option<rayon::ThreadPool> {
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).and_then(Result::ok)
}
