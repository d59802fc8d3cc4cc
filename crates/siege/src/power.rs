//! Simulates power cuts. A training is recorded call by call. Then the files are built as a cut at some moment would
//! leave them: everything that was synced, and a random part of the rest. The run must be whole up to some generation,
//! must have all generations that were committed before the last sync of the log, and must continue to the same end.

mod cut;
mod recording;

use crate::Attack;
use crate::cases::{Case, Siege};
use crate::compare::{generations, same_runs};
use crate::crashpoints::leave_hot;
use crate::figures::Figures;
use crate::gamete::finish;
use crate::shim::{Shim, library};
use chance::{Rng, rng_for};
use cut::{ALL, Luck, left, put};
use recording::{Recording, Step, apply_to_names};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A training during which SQLite copies the log into the file several times (checkpoints).
const TRAINING: &str = "train nim-2x4-neat --seed 5 --generations 220 --set stop.solved=false \
    --set strategy.neat.population=60 --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json";
/// Resumes the run to the same end.
const RESUME: &str = "resume x --generations 220 --json";
/// The same training; it replaces the run that is there.
const FORCED: &str = "train nim-2x4-neat --seed 5 --generations 220 --set stop.solved=false \
    --set strategy.neat.population=60 --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json --force";

/// The trainings that are recorded: a new run, a resumed run, and runs that replace a finished or a killed run.
const SCENES: [Scene; 4] = [
    Scene { name: "a new run", before: Before::Nothing, words: TRAINING },
    Scene { name: "a resumed run", before: Before::Same("--seed 5 --generations 100"), words: RESUME },
    Scene { name: "a run that replaces another", before: Before::Other("--seed 6 --generations 4"), words: FORCED },
    Scene {
        name: "a run that replaces a killed one",
        before: Before::Killed("--seed 6 --generations 100000"),
        words: FORCED,
    },
];

/// A training that is recorded.
struct Scene {
    name: &'static str,
    before: Before,
    words: &'static str,
}

/// The run that exists before, given by the arguments in which its training differs. All of it has been synced.
#[derive(PartialEq)]
enum Before {
    Nothing,
    /// The beginning of the same run.
    Same(&'static str),
    /// Another run, which is finished.
    Other(&'static str),
    /// Another run, which was killed while generations were only in its log.
    Killed(&'static str),
}

impl Scene {
    /// Whether the recorded training replaces another run.
    fn replaces(&self) -> bool {
        matches!(self.before, Before::Other(_) | Before::Killed(_))
    }
}

/// A scene that has been recorded.
struct Recorded {
    scene: &'static Scene,
    recording: Recording,
    /// The folder of the training without a power cut.
    folder: PathBuf,
    /// The number of generations after a number of steps if all changes reach the disk. Filled when needed.
    counted: Mutex<BTreeMap<usize, u64>>,
}

/// Simulates power cuts until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let recorded: Result<Vec<Recorded>, String> = SCENES.iter().map(|scene| record(siege, scene)).collect();
    let recorded = match recorded {
        Ok(recorded) => recorded,
        Err(error) => return siege.broken(Attack::Power, &error),
    };
    let point = match siege.point.as_deref().map(|text| read_point(text, &recorded)).transpose() {
        Ok(point) => point,
        Err(error) => return siege.broken(Attack::Power, &error),
    };
    let most = if siege.share { 20 } else { u64::MAX };
    siege.cases(Attack::Power, until, most, |case| {
        // New runs are drawn twice as often as the others. The first cases are cuts after the end of each scene.
        let last = (case.number as usize).checked_sub(1).filter(|place| *place < 2 * SCENES.len());
        let drawn = [0, 0, 1, 2, 3][case.rng.below(5)];
        let scene = last.map_or(drawn, |place| place % SCENES.len());
        let steps = moment(&recorded[scene].recording.steps, &mut case.rng);
        let steps = if last.is_some() { recorded[scene].recording.steps.len() } else { steps };
        let luck = Luck {
            share: [0.0, 0.1, 0.5, 0.9, 1.0][case.rng.below(5)],
            ordered_names: case.rng.below(2) == 0,
            zeros: case.rng.below(3) == 0,
        };
        let luck = last.map_or(luck, |place| Luck { share: 0.0, ordered_names: place < SCENES.len(), zeros: false });
        let (scene, steps) = point.unwrap_or((scene, steps));
        case.point = Some(format!("{scene}:{steps}"));
        cut_power(case, &recorded[scene], steps, luck)
    })
}

/// Parses a point, which is written `SCENE:STEPS`. The number of the case decides everything else.
fn read_point(text: &str, recorded: &[Recorded]) -> Result<(usize, usize), String> {
    let numbers = text.split_once(':').and_then(|(scene, steps)| Some((scene.parse().ok()?, steps.parse().ok()?)));
    let is_there = |(scene, steps): &(usize, usize)| {
        recorded.get(*scene).is_some_and(|recorded| *steps <= recorded.recording.steps.len())
    };
    numbers
        .filter(is_there)
        .ok_or_else(|| format!("unknown point {text}; expected SCENE:STEPS, both within the recordings"))
}

/// Runs the training of a scene under the shim and reads its recording.
fn record(siege: &Siege, scene: &'static Scene) -> Result<Recorded, String> {
    let mut recording = Recording::default();
    let folder = siege.once(&format!("power-{}", scene.name.replace(' ', "-")), |folder| {
        let runs = folder.join("runs");
        std::fs::create_dir_all(&runs).map_err(|error| format!("siege: {error}"))?;
        let words = |differing: &str| TRAINING.replace("--seed 5 --generations 220", differing);
        match scene.before {
            Before::Nothing => {}
            Before::Same(differing) | Before::Other(differing) => {
                siege.gamete.run(folder, &words(differing)).check_success()?;
            }
            Before::Killed(differing) => leave_hot(siege, folder, &words(differing))?,
        }
        recording = Recording::begin(&runs)?;
        let mut command = siege.gamete.command(folder, scene.words);
        let records = folder.join("records");
        Shim::Log.put(&library(siege)?, &mut command, &runs, &records)?;
        finish(command, scene.words).check_success()?;
        recording.read(&runs, &std::fs::read(records).map_err(|error| format!("siege: {error}"))?)
    })?;
    if recording.steps.len() < 100 {
        return Err(format!("no recording: the shim recorded only {} steps of {}", recording.steps.len(), scene.name));
    }
    check_log(&recording).map_err(|error| format!("{error} ({})", scene.name))?;
    Ok(Recorded { scene, recording, folder, counted: Mutex::default() })
}

/// At most this many frames, plus the last transaction, may be in the log without a sync: then SQLite copies the log
/// into the file.
const MOST_FRAMES: u64 = 1000;
/// The bytes of a frame of the log: a header and a page. The second number of the header is above 0 in the last frame
/// of a transaction.
const FRAME: u64 = 24 + 4096;
/// The bytes of the header of the log.
const HEAD_OF_LOG: u64 = 32;

/// Checks that the log never holds more unsynced frames than promised.
fn check_log(recording: &Recording) -> Result<(), String> {
    let (mut frames, mut transaction, mut committed, mut synced) = (0u64, 0u64, 0u64, false);
    let mut names = recording.names.clone();
    for step in &recording.steps {
        apply_to_names(step, &mut names);
        let is_log = |file: &usize| names.get("x.db-wal") == Some(file);
        match step {
            Step::Sync(file) if is_log(file) => (frames, committed, synced) = (0, 0, true),
            Step::Write(file, offset, bytes) if is_log(file) => {
                let Some(head) = frame_head(*offset, bytes) else { continue };
                (frames, transaction) = (frames + 1, transaction + 1);
                if head.iter().any(|byte| *byte != 0) {
                    // A sync is only required once a committed transaction has passed the limit.
                    if committed > MOST_FRAMES {
                        return Err(format!(
                            "log not synced: {committed} pages were committed without a sync, and then {transaction} more"
                        ));
                    }
                    (committed, transaction) = (frames, 0);
                }
            }
            _ => {}
        }
    }
    if synced { Ok(()) } else { Err("log not synced: there was no sync at all".to_string()) }
}

/// The part of a frame's header that shows whether a transaction ends with it; `None` if these bytes do not begin a
/// frame.
fn frame_head(offset: u64, bytes: &[u8]) -> Option<&[u8]> {
    let begins = offset >= HEAD_OF_LOG && (offset - HEAD_OF_LOG).is_multiple_of(FRAME);
    bytes.get(4..8).filter(|_| begins && bytes.len() >= 24)
}

/// Simulates a cut after this number of steps.
fn cut_power(case: &mut Case, recorded: &Recorded, steps: usize, luck: Luck) -> Result<(), String> {
    let kind = if luck.ordered_names { "with a journal" } else { "without order" };
    case.count("cuts", 1);
    let with_details = |error: String| {
        let (name, share) = (recorded.scene.name, luck.share);
        let (head, rest) = error.split_once(": ").unwrap_or((&error, ""));
        format!(
            "{head} on file systems {kind}: {rest} ({name}, cut after step {steps}, share of unsynced data on disk: {share})"
        )
    };
    let files = left(&recorded.recording, steps, luck, &mut case.rng);
    put(&files, &case.folder.join("runs"))?;
    check_left(case, recorded, steps).map_err(with_details)
}

/// The number of steps before the cut: any number, or one soon after a step that is not a write, because those are
/// rare.
fn moment(steps: &[Step], rng: &mut Rng) -> usize {
    if rng.below(2) == 0 {
        return 1 + rng.below(steps.len());
    }
    let is_rare = |place: &usize| !matches!(steps[*place], Step::Write(..));
    let rare: Vec<usize> = (0..steps.len()).filter(is_rare).collect();
    (rare[rng.below(rare.len())] + rng.below(4)).min(steps.len())
}

/// Checks that a whole run with all promised generations is left, or no run if none was promised.
fn check_left(case: &mut Case, recorded: &Recorded, steps: usize) -> Result<(), String> {
    let (siege, folder) = (case.siege, case.folder.clone());
    // After its end, all of a run must be on the disk.
    let promised = match steps == recorded.recording.steps.len() {
        true => count(recorded, steps, &folder)?,
        false => promised(recorded, steps, &folder)?,
    };
    let exists = folder.join("runs/x.db").exists();
    siege.gamete.run(&folder, "runs --json").check_success()?;
    if !exists {
        return match promised {
            None => end(siege, &folder, recorded, TRAINING),
            Some(least) => Err(format!("the run is gone: {least} generations of it were synced")),
        };
    }
    let shown = siege.gamete.run(&folder, "show x --json");
    shown.check_success().map_err(|error| format!("not a run: {error}"))?;
    let shown = shown.json()?;
    let found = shown["generations"].as_array().map_or(0, Vec::len) as u64;
    // A run that was to be replaced must be complete, because all of it had been synced.
    let is_old = recorded.scene.replaces() && shown["seed"] == 6;
    let least = if is_old { count(recorded, 0, &folder)? } else { promised }.unwrap_or(0);
    if found < least {
        return Err(format!("synced generations lost: {found} are left of {least}"));
    }
    if is_old {
        let old = folder.join("old");
        put(&left(&recorded.recording, 0, ALL, &mut rng_for(0, &[])), &old)?;
        same_runs(&old, &folder.join("runs"), &siege.except)
            .map_err(|error| format!("the old run has changed: {error}"))?;
    }
    let all = if is_old { least } else { count(recorded, steps, &folder)?.unwrap_or(0) };
    case.count("most generations lost", all.saturating_sub(found));
    let words = match is_old {
        true => FORCED,
        false => RESUME,
    };
    end(siege, &folder, recorded, words)
}

/// Continues the run to its end and compares it with the run without a power cut.
fn end(siege: &Siege, folder: &Path, recorded: &Recorded, words: &str) -> Result<(), String> {
    siege.gamete.run(folder, words).check_success().map_err(|error| format!("cannot continue: {error}"))?;
    same_runs(&recorded.folder.join("runs"), &folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(folder, "check x");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

/// The number of generations that must be left: those that were committed before the last sync of the log. The log is
/// synced whenever SQLite copies it into the file, by default every 1000 pages. `None` if even the run may be missing.
fn promised(recorded: &Recorded, steps: usize, scratch: &Path) -> Result<Option<u64>, String> {
    let recording = &recorded.recording;
    let is_log = |place: usize, file: usize| recording.file_named("x.db-wal", place) == Some(file);
    let synced = (0..steps).rev().find(|&place| match recording.steps[place] {
        Step::Sync(file) => is_log(place, file),
        _ => false,
    });
    match synced {
        Some(place) if recorded.scene.replaces() && !is_new(recording, place) => Ok(None),
        Some(place) => count(recorded, place, scratch),
        None if recorded.scene.before == Before::Nothing || recorded.scene.replaces() => Ok(None),
        // The run that is resumed must stay.
        None => count(recorded, 0, scratch),
    }
}

/// Whether the new run has its final name after these steps.
fn is_new(recording: &Recording, steps: usize) -> bool {
    recording.steps[..steps].iter().any(|step| matches!(step, Step::Rename(_, to) if to == "x.db"))
}

/// The number of generations after these steps if all changes reach the disk; `None` if there is no run then.
fn count(recorded: &Recorded, steps: usize, scratch: &Path) -> Result<Option<u64>, String> {
    let mut counted = recorded.counted.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = counted.get(&steps) {
        return Ok(Some(*known));
    }
    let files = left(&recorded.recording, steps, ALL, &mut rng_for(0, &[]));
    if !files.contains_key("x.db") {
        return Ok(None);
    }
    let folder = scratch.join("all");
    put(&files, &folder)?;
    let look = scratch.join("look");
    std::fs::create_dir_all(&look).map_err(|error| format!("siege: {error}"))?;
    let found = generations(&folder.join("x.db"), &look)?;
    counted.insert(steps, found);
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recording of transactions with these numbers of pages, and a sync after each transaction in `synced`.
    fn recording(transactions: &[u64], synced: &[usize]) -> Recording {
        let mut recording = Recording::default();
        recording.steps.push(Step::Create("x.db-wal".to_string(), 1));
        let mut place = 0;
        for (number, pages) in transactions.iter().enumerate() {
            for page in 1..=*pages {
                let mut head = vec![0; 24];
                head[7] = u8::from(page == *pages);
                recording.steps.push(Step::Write(1, HEAD_OF_LOG + place * FRAME, head));
                recording.steps.push(Step::Write(1, HEAD_OF_LOG + place * FRAME + 24, vec![1; 64]));
                place += 1;
            }
            if synced.contains(&number) {
                recording.steps.push(Step::Sync(1));
                place = 0;
            }
        }
        recording
    }

    #[test]
    fn a_log_that_is_not_synced_in_time_is_noticed() {
        assert_eq!(check_log(&recording(&[600, 600, 600], &[1])), Ok(()));
        assert_eq!(check_log(&recording(&[1000, 300, 5], &[1])), Ok(()));
        let error = |transactions: &[u64], synced: &[usize]| check_log(&recording(transactions, synced)).unwrap_err();
        assert_eq!(
            error(&[600, 600, 600], &[2]),
            "log not synced: 1200 pages were committed without a sync, and then 600 more"
        );
        assert_eq!(error(&[10, 10], &[]), "log not synced: there was no sync at all");
    }
}
