//! Champions that move from one population to another.

use crate::run_file::RunFile;
use crate::{Error, Stopped};
use evolution::Network;
use std::path::Path;
use std::sync::Arc;

/// The champions of the last `count` generations up to this one, the newest first; `None` while this generation has not
/// been played. If the run ended earlier, the champions of its last generations are taken instead.
pub fn migrants(file: &Path, generation: u64, count: usize) -> Result<Option<Vec<Arc<Network>>>, Error> {
    // The other population may not have started yet.
    if !file.exists() {
        return Ok(None);
    }
    let run = RunFile::open(file)?;
    // The reason to stop is read before the last report: a run that has stopped plays no more generations in between.
    let over = run.info()?.stopped.is_some_and(Stopped::is_for_good);
    let played = run.last_report()?.map_or(0, |report| report.generation);
    if played == 0 || (played < generation && !over) {
        return Ok(None);
    }
    let newest = played.min(generation);
    let oldest = newest.saturating_sub(count as u64) + 1;
    // A run with too few generations gives its first champion several times, so that there are always `count`
    // champions.
    let wanted = (0..count as u64).map(|back| newest.saturating_sub(back).max(oldest));
    wanted.map(|number| Ok(run.champion(Some(number))?.1)).collect::<Result<_, Error>>().map(Some)
}
