//! Champions that move from one population to another.

use crate::run_file::RunFile;
use crate::{Error, Stopped};
use evolution::Network;
use std::path::Path;
use std::sync::Arc;

/// The champions of the last generations up to this one, the newest first; nothing while that has not been played. Of a run
/// that stopped earlier, those of its last ones: it gives what it has.
pub fn migrants(file: &Path, generation: u64, count: usize) -> Result<Option<Vec<Arc<Network>>>, Error> {
    // The other population may not have begun.
    if !file.exists() {
        return Ok(None);
    }
    let run = RunFile::open(file)?;
    // In this order: a run that has stopped by then plays no more.
    let over = run.info()?.stopped.is_some_and(Stopped::is_for_good);
    let played = run.last_report()?.map_or(0, |report| report.generation);
    if played == 0 || (played < generation && !over) {
        return Ok(None);
    }
    let newest = played.min(generation);
    let oldest = newest.saturating_sub(count as u64) + 1;
    // Of a run that has fewer, the first comes more than once, so that their number is always the same.
    let wanted = (0..count as u64).map(|back| newest.saturating_sub(back).max(oldest));
    wanted.map(|number| Ok(run.champion(Some(number))?.1)).collect::<Result<_, Error>>().map(Some)
}
