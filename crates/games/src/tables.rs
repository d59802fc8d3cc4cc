//! Computes endgame tables level by level, on all cores.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

/// The tables that are finished already, by index.
pub(crate) type Made = Vec<RwLock<Vec<u8>>>;

/// Groups of tables whose positions lead to each other, sorted into levels by rank; all other moves lead to lower
/// ranks. A group is a table and the table for the same pieces with the other side to move, whose index `reversed`
/// returns.
pub(crate) fn levels<R: Ord + Copy>(ranks: &[R], reversed: impl Fn(usize) -> usize) -> Vec<Vec<Vec<usize>>> {
    let mut sorted = ranks.to_vec();
    sorted.sort();
    sorted.dedup();
    let group = |place: usize| match reversed(place) {
        other if other == place => Some(vec![place]),
        other => (other > place).then(|| vec![place, other]),
    };
    let level = |rank: R| (0..ranks.len()).filter(|&place| ranks[place] == rank).filter_map(group).collect();
    sorted.into_iter().map(level).collect()
}

/// Computes the tables, `bytes` bytes in total, and joins them. Levels are computed in order, the groups of a level in
/// parallel. `solve` computes the tables of a group from those of earlier levels. `progress` receives the finished
/// share and returns whether to go on; if it stops the work, the result is `None`.
pub(crate) fn make_tables(
    levels: &[Vec<Vec<usize>>],
    bytes: usize,
    solve: impl Fn(&[usize], &Made) -> Vec<Vec<u8>> + Sync,
    progress: &(dyn Fn(f64) -> ControlFlow<()> + Sync),
) -> Option<Vec<u8>> {
    let count = levels.iter().flatten().map(Vec::len).sum();
    let made: Made = (0..count).map(|_| RwLock::default()).collect();
    let (done, broken_off) = (AtomicUsize::new(0), AtomicBool::new(false));
    for groups in levels {
        let next = AtomicUsize::new(0);
        // Only one thread calls `progress` at a time.
        let speak = Mutex::new(());
        let work = || {
            while !broken_off.load(Ordering::Relaxed)
                && let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed))
            {
                let tables = solve(group, &made);
                let length: usize = tables.iter().map(Vec::len).sum();
                for (&place, table) in group.iter().zip(tables) {
                    *made[place].write().expect("no thread has panicked") = table;
                }
                let share = (done.fetch_add(length, Ordering::Relaxed) + length) as f64 / bytes as f64;
                let _turn = speak.lock().expect("`progress` does not panic");
                if progress(share).is_break() {
                    broken_off.store(true, Ordering::Relaxed);
                }
            }
        };
        // Each thread needs up to about 10 MB while it works.
        let helpers = std::thread::available_parallelism().map_or(1, |cores| cores.get()).min(groups.len()).min(8);
        std::thread::scope(|scope| (0..helpers).for_each(|_| drop(scope.spawn(work))));
    }
    let whole = !broken_off.into_inner();
    whole.then(|| made.into_iter().flat_map(|table| table.into_inner().expect("no thread has panicked")).collect())
}
