//! Power: what a power cut leaves. A training is recorded call by call; then the files are built as a cut at some moment
//! would leave them, with what was synced and a random part of the rest. The run must be whole up to some generation, with
//! at least those that were committed before the log was last synced, and go on to the same end.

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

/// A training whose log is folded in several times.
const TRAINING: &str = "train nim-2x4-neat --seed 5 --generations 220 --set stop.solved=false \
    --set strategy.neat.population=60 --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json";
/// Goes on to the same end.
const RESUME: &str = "resume x --generations 220 --json";
/// Replaces what is there.
const FORCED: &str = "train nim-2x4-neat --seed 5 --generations 220 --set stop.solved=false \
    --set strategy.neat.population=60 --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json --force";

/// What is recorded: a new run, one that goes on, and ones that replace another, which had ended or had been killed.
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

struct Scene {
    name: &'static str,
    before: Before,
    words: &'static str,
}

/// What was there before, by what differs in the words of the training. All of it has been synced.
#[derive(PartialEq)]
enum Before {
    Nothing,
    /// The beginning of the same run.
    Same(&'static str),
    /// Another run, which has ended.
    Other(&'static str),
    /// Another run, which was killed, with generations in its log alone.
    Killed(&'static str),
}

impl Scene {
    fn replaces(&self) -> bool {
        matches!(self.before, Before::Other(_) | Before::Killed(_))
    }
}

/// A scene that has been recorded.
struct Recorded {
    scene: &'static Scene,
    recording: Recording,
    /// Where nobody cut anything.
    folder: PathBuf,
    /// Generations that are there after so many steps if everything arrives, as far as they have been counted.
    counted: Mutex<BTreeMap<usize, u64>>,
}

/// Cuts the power until the time is over.
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
        // New runs twice as often as the others. The first cases are cuts after the end of each.
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

/// A point is written `SCENE:STEPS`, as `--point` takes it; the case decides the rest.
fn read_point(text: &str, recorded: &[Recorded]) -> Result<(usize, usize), String> {
    let numbers = text.split_once(':').and_then(|(scene, steps)| Some((scene.parse().ok()?, steps.parse().ok()?)));
    let is_there = |(scene, steps): &(usize, usize)| {
        recorded.get(*scene).is_some_and(|recorded| *steps <= recorded.recording.steps.len())
    };
    numbers.filter(is_there).ok_or_else(|| format!("there is no point {text}; SCENE:STEPS is one"))
}

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
        let notes = folder.join("notes");
        Shim::Log.put(&library(siege)?, &mut command, &runs, &notes)?;
        finish(command, scene.words).check_success()?;
        recording.read(&runs, &std::fs::read(notes).map_err(|error| format!("siege: {error}"))?)
    })?;
    if recording.steps.len() < 100 {
        return Err(format!("no recording: the shim noted {} steps of {}", recording.steps.len(), scene.name));
    }
    check_log(&recording).map_err(|error| format!("{error} ({})", scene.name))?;
    Ok(Recorded { scene, recording, folder, counted: Mutex::default() })
}

/// The log is synced before it holds more than this many frames and the transaction that was written last: that is when
/// SQLite folds it in.
const MOST_FRAMES: u64 = 1000;
/// A page in the log, with its head. A head's second number is above 0 at the end of a transaction.
const FRAME: u64 = 24 + 4096;
const HEAD_OF_LOG: u64 = 32;

/// The log never holds more that was not synced than is promised.
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
                    // Before this transaction there was no reason to sync.
                    if committed > MOST_FRAMES {
                        return Err(format!(
                            "log not synced: {committed} pages were committed, and then {transaction} more"
                        ));
                    }
                    (committed, transaction) = (frames, 0);
                }
            }
            _ => {}
        }
    }
    if synced { Ok(()) } else { Err("log not synced: not once".to_string()) }
}

/// The part of a frame's head that tells whether a transaction ends with it, where these bytes begin a frame.
fn frame_head(offset: u64, bytes: &[u8]) -> Option<&[u8]> {
    let begins = offset >= HEAD_OF_LOG && (offset - HEAD_OF_LOG).is_multiple_of(FRAME);
    bytes.get(4..8).filter(|_| begins && bytes.len() >= 24)
}

/// One cut behind so many steps.
fn cut_power(case: &mut Case, recorded: &Recorded, steps: usize, luck: Luck) -> Result<(), String> {
    let kind = if luck.ordered_names { "with a journal" } else { "without order" };
    case.count("cuts", 1);
    let told = |error: String| {
        let (name, share) = (recorded.scene.name, luck.share);
        let (head, rest) = error.split_once(": ").unwrap_or((&error, ""));
        format!("{head} on file systems {kind}: {rest} ({name}, cut behind step {steps}, {share} of the rest arrived)")
    };
    let files = left(&recorded.recording, steps, luck, &mut case.rng);
    put(&files, &case.folder.join("runs"))?;
    check_left(case, recorded, steps).map_err(told)
}

/// Behind how many steps the power is cut: any, or soon after one that changes names or syncs, of which there are few.
fn moment(steps: &[Step], rng: &mut Rng) -> usize {
    if rng.below(2) == 0 {
        return 1 + rng.below(steps.len());
    }
    let is_rare = |place: &usize| !matches!(steps[*place], Step::Write(..));
    let rare: Vec<usize> = (0..steps.len()).filter(is_rare).collect();
    (rare[rng.below(rare.len())] + rng.below(4)).min(steps.len())
}

/// What is left is a whole run with all that was promised, or nothing where nothing was.
fn check_left(case: &mut Case, recorded: &Recorded, steps: usize) -> Result<(), String> {
    let (siege, folder) = (case.siege, case.folder.clone());
    // A run that has stopped is on the disk.
    let promised = match steps == recorded.recording.steps.len() {
        true => count(recorded, steps, &folder)?,
        false => promised(recorded, steps, &folder)?,
    };
    let exists = folder.join("runs/x.db").exists();
    siege.gamete.run(&folder, "runs --json").check_success()?;
    if !exists {
        return match promised {
            None => end(siege, &folder, recorded, TRAINING),
            Some(least) => Err(format!("a run is gone: it had {least} generations that were synced")),
        };
    }
    let shown = siege.gamete.run(&folder, "show x --json");
    shown.check_success().map_err(|error| format!("not a run: {error}"))?;
    let shown = shown.json()?;
    let found = shown["generations"].as_array().map_or(0, Vec::len) as u64;
    // Of a run that was to be replaced all must be there, as all of it had been synced.
    let is_old = recorded.scene.replaces() && shown["seed"] == 6;
    let least = if is_old { count(recorded, 0, &folder)? } else { promised }.unwrap_or(0);
    if found < least {
        return Err(format!("too much is lost: {found} generations are left, {least} had been synced"));
    }
    if is_old {
        let old = folder.join("old");
        put(&left(&recorded.recording, 0, ALL, &mut rng_for(0, &[])), &old)?;
        same_runs(&old, &folder.join("runs"), &siege.except)
            .map_err(|error| format!("the old run is not what it was: {error}"))?;
    }
    let all = if is_old { least } else { count(recorded, steps, &folder)?.unwrap_or(0) };
    case.count("most generations lost", all.saturating_sub(found));
    let words = match is_old {
        true => FORCED,
        false => RESUME,
    };
    end(siege, &folder, recorded, words)
}

/// Goes on, and compares with the run whose power nobody cut.
fn end(siege: &Siege, folder: &Path, recorded: &Recorded, words: &str) -> Result<(), String> {
    siege.gamete.run(folder, words).check_success().map_err(|error| format!("does not go on: {error}"))?;
    same_runs(&recorded.folder.join("runs"), &folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(folder, "check x");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

/// How many generations must be there: those that had been committed when the log was synced last, which happens
/// whenever it is folded in (by default every 1000 pages). `None` if not even the run must be.
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
        // A run that was there before stays.
        None => count(recorded, 0, scratch),
    }
}

/// Whether the new run has its name.
fn is_new(recording: &Recording, steps: usize) -> bool {
    recording.steps[..steps].iter().any(|step| matches!(step, Step::Rename(_, to) if to == "x.db"))
}

/// Generations after so many steps if everything arrives; `None` where there is no run.
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

    /// Transactions of so many pages, with a sync behind each of these.
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
        let told = |transactions: &[u64], synced: &[usize]| check_log(&recording(transactions, synced)).unwrap_err();
        assert_eq!(told(&[600, 600, 600], &[2]), "log not synced: 1200 pages were committed, and then 600 more");
        assert_eq!(told(&[10, 10], &[]), "log not synced: not once");
    }
}
