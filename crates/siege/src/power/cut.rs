//! What a power cut leaves: everything that was synced, and of what came later an arbitrary part.
//!
//! Of writes that were not synced each sector of 512 bytes may have arrived or not. Names that were not synced may be old
//! or new: on file systems with a journal in the order in which they were changed, on others in any.

use super::recording::{File, Recording, Step, apply_to_names};
use chance::Rng;
use std::collections::BTreeMap;
use std::path::Path;

const SECTOR: u64 = 512;

/// How unsynced things arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// The chance that a sector, or a change of a name, has arrived.
    pub share: f64,
    /// Whether names arrive in order, and every sync takes those before it along, as on file systems with a journal.
    pub ordered_names: bool,
    /// Whether a file has its new length where its new bytes are missing: they are zeros.
    pub zeros: bool,
}

/// Everything arrives.
pub const ALL: Luck = Luck { share: 1.0, ordered_names: true, zeros: false };

/// The files after a cut behind so many steps: contents by name.
pub fn left(recording: &Recording, steps: usize, luck: Luck, rng: &mut Rng) -> BTreeMap<String, Vec<u8>> {
    let done = &recording.steps[..steps];
    let names = names_left(recording, done, luck, rng);
    names.into_iter().map(|(name, file)| (name, content_left(recording, done, file, luck, rng))).collect()
}

fn names_left(recording: &Recording, done: &[Step], luck: Luck, rng: &mut Rng) -> BTreeMap<String, File> {
    let is_sync = |step: &Step| match step {
        Step::SyncNames => true,
        Step::Sync(_) => luck.ordered_names,
        _ => false,
    };
    let synced = done.iter().rposition(is_sync).map_or(0, |place| place + 1);
    let mut names = recording.names.clone();
    done[..synced].iter().for_each(|step| apply_to_names(step, &mut names));
    for step in &done[synced..] {
        let arrived = rng.unit() < luck.share;
        if arrived {
            apply_to_names(step, &mut names);
        } else if luck.ordered_names && changes_names(step) {
            break;
        }
    }
    names
}

fn changes_names(step: &Step) -> bool {
    matches!(step, Step::Create(..) | Step::Rename(..) | Step::Remove(_))
}

fn content_left(recording: &Recording, done: &[Step], file: File, luck: Luck, rng: &mut Rng) -> Vec<u8> {
    let synced = done.iter().rposition(|step| *step == Step::Sync(file)).map_or(0, |place| place + 1);
    let mut content = recording.before.get(&file).cloned().unwrap_or_default();
    for (place, step) in done.iter().enumerate() {
        let is_synced = place < synced;
        match step {
            Step::Write(written, offset, bytes) if *written == file => {
                let share = if is_synced { 1.0 } else { luck.share };
                write(&mut content, *offset, bytes, share, luck.zeros, rng);
            }
            Step::Truncate(cut, length) if *cut == file && (is_synced || rng.unit() < luck.share) => {
                content.resize(*length as usize, 0);
            }
            _ => {}
        }
    }
    content
}

/// Writes bytes sector by sector, each with this chance.
fn write(content: &mut Vec<u8>, offset: u64, bytes: &[u8], share: f64, zeros: bool, rng: &mut Rng) {
    let end = offset + bytes.len() as u64;
    let mut from = offset;
    while from < end {
        let to = (from / SECTOR * SECTOR + SECTOR).min(end);
        let arrived = share >= 1.0 || rng.unit() < share;
        if (arrived || zeros) && content.len() < to as usize {
            content.resize(to as usize, 0);
        }
        if arrived {
            content[from as usize..to as usize]
                .copy_from_slice(&bytes[(from - offset) as usize..(to - offset) as usize]);
        }
        from = to;
    }
}

/// Writes files into a folder, in place of all that is there.
pub fn put(files: &BTreeMap<String, Vec<u8>>, folder: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("siege: {}: {error}", folder.display());
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(told)?;
    files.iter().try_for_each(|(name, content)| std::fs::write(folder.join(name), content).map_err(told))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    fn recording() -> Recording {
        let steps = vec![
            Step::Create("draft".to_string(), 1),
            Step::Write(1, 0, vec![1; 1024]),
            Step::Sync(1),
            Step::Rename("draft".to_string(), "run".to_string()),
            Step::Write(1, 0, vec![2; 1024]),
        ];
        let mut recording = Recording::default();
        recording.steps = steps;
        recording
    }

    #[test]
    fn what_was_synced_is_there() {
        for seed in 0..50 {
            let luck = Luck { share: 0.5, ordered_names: true, zeros: false };
            let files = left(&recording(), 5, luck, &mut rng_for(seed, &[]));
            let (name, content) = files.iter().next().unwrap();
            assert!((name == "run" || name == "draft") && files.len() == 1, "{files:?}");
            // Each sector is of the first or of the second write, whole.
            assert!(
                content.len() == 1024 && content.chunks(512).all(|sector| sector.iter().all(|byte| *byte == sector[0]))
            );
        }
    }

    #[test]
    fn what_was_not_synced_may_be_missing() {
        let nothing = Luck { share: 0.0, ordered_names: true, zeros: false };
        let rng = &mut rng_for(1, &[]);
        assert!(left(&recording(), 2, nothing, rng).is_empty(), "not even its name has arrived");
        assert_eq!(left(&recording(), 5, nothing, rng)["draft"], vec![1; 1024]);
        assert_eq!(left(&recording(), 5, ALL, rng)["run"], vec![2; 1024]);
        let unordered = Luck { ordered_names: false, ..nothing };
        assert!(left(&recording(), 5, unordered, rng).is_empty(), "a file's sync does not sync its name");
    }
}
