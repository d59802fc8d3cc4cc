//! How many threads share games.

/// How many threads share the work: as many as were asked for, otherwise one for each core.
pub fn cores(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()))
}

/// Helpers, where more than one thread is wanted and can be had.
pub(crate) fn crew(threads: usize) -> Option<rayon::ThreadPool> {
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).and_then(Result::ok)
}
