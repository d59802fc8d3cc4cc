//! Computes the files that a power cut leaves: everything that was synced, and an arbitrary part of the later changes.
//!
//! Each sector of 512 bytes that was not synced may have reached the disk or not. File names that were not synced may
//! be old or new. On file systems with a journal, changes of names reach the disk in order; on others in any order.

use super::recording::{File, Recording, Step, apply_to_names};
use chance::Rng;
use std::collections::BTreeMap;
use std::path::Path;

const SECTOR: u64 = 512;

/// Which unsynced changes reach the disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// The probability that a sector, or a change of a name, reaches the disk.
    pub share: f64,
    /// Whether changes of names reach the disk in order, and every sync includes the earlier ones, as on file systems
    /// with a journal.
    pub ordered_names: bool,
    /// Whether a file gets its new length although its new bytes are missing; these bytes are then zeros.
    pub zeros: bool,
}

/// All changes reach the disk.
pub const ALL: Luck = Luck { share: 1.0, ordered_names: true, zeros: false };

/// The files after a cut that follows this number of steps: contents by name.
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

/// Writes bytes sector by sector. Each sector is written with the probability `share`.
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

/// Replaces everything in a folder by these files.
pub fn put(files: &BTreeMap<String, Vec<u8>>, folder: &Path) -> Result<(), String> {
    let to_message = |error: std::io::Error| format!("siege: {}: {error}", folder.display());
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(to_message)?;
    files.iter().try_for_each(|(name, content)| std::fs::write(folder.join(name), content).map_err(to_message))
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
    fn synced_data_is_kept() {
        for seed in 0..50 {
            let luck = Luck { share: 0.5, ordered_names: true, zeros: false };
            let files = left(&recording(), 5, luck, &mut rng_for(seed, &[]));
            let (name, content) = files.iter().next().unwrap();
            assert!((name == "run" || name == "draft") && files.len() == 1, "{files:?}");
            // Each sector comes completely from the first or from the second write.
            assert!(
                content.len() == 1024 && content.chunks(512).all(|sector| sector.iter().all(|byte| *byte == sector[0]))
            );
        }
    }

    #[test]
    fn unsynced_data_may_be_missing() {
        let nothing = Luck { share: 0.0, ordered_names: true, zeros: false };
        let rng = &mut rng_for(1, &[]);
        assert!(left(&recording(), 2, nothing, rng).is_empty(), "not even its name has reached the disk");
        assert_eq!(left(&recording(), 5, nothing, rng)["draft"], vec![1; 1024]);
        assert_eq!(left(&recording(), 5, ALL, rng)["run"], vec![2; 1024]);
        let unordered = Luck { ordered_names: false, ..nothing };
        assert!(left(&recording(), 5, unordered, rng).is_empty(), "a file's sync does not sync its name");
    }
}
