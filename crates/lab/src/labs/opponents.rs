//! The opponents that the experiments of a lab ask for.

use super::folder::LabFolder;
use crate::Error;
use crate::opponents::Opponents;
use players::Engines;
use std::sync::Arc;

/// Why opponents that the experiments of a lab ask for cannot play on this machine: a sentence for each.
pub fn skipped_opponents(folder: &LabFolder, engines: &Arc<Engines>) -> Result<Vec<String>, Error> {
    let mut sentences = Vec::new();
    for (_, member) in folder.members() {
        for sentence in Opponents::of(&folder.experiment(&member)?, folder.path(), engines)?.skipped {
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
    }
    Ok(sentences)
}
