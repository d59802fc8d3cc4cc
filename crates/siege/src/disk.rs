//! Disk: full, read-only, failing, slow or gone while something is written. The program says so in a sentence with exit
//! code 2; the run is whole up to some generation, goes on to the same end when there is room again, and old files stay.

mod full;

use crate::Attack;
use crate::cases::{Case, Siege, copy_folder};
use crate::compare::{generations, same_runs};
use crate::figures::Figures;
use crate::gamete::{Answer, PATIENCE, finish};
use crate::shim::{Shim, calls, library};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is trained. It writes for about half a second, and folds its log in several times.
const TRAINING: &str = "train nim-2x4-neat --seed 5 --generations 60 --set stop.solved=false --set strategy.neat.population=60 \
     --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json";
/// The same after some generations.
const BEGUN: &str = "train nim-2x4-neat --seed 5 --generations 20 --set stop.solved=false --set strategy.neat.population=60 \
     --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json";
/// Goes on to the same end.
const RESUME: &str = "resume x --generations 60 --json";

/// Reasons by number, as Linux counts them: no room, a fault, read-only, no right, over the quota.
const REASONS: [(i32, &str); 5] =
    [(28, "no room"), (5, "a fault"), (30, "read-only"), (13, "no right"), (122, "over quota")];

/// Breaks disks until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let most = if siege.share { 24 } else { u64::MAX };
    siege.cases(Attack::Disk, until, most, |case| match case.number % 8 {
        0 => vanishing(case),
        1 => full::small_disk(case),
        2 => full::limited_file(case),
        3 => slow(case),
        4 => export(case),
        _ => failing(case),
    })
}

/// A folder in which nothing went wrong, with a letter for each call in `calls`, and one with a run of 20 generations.
fn reference(siege: &Siege) -> Result<PathBuf, String> {
    siege.once("disk", |folder| {
        let told = |error: std::io::Error| format!("siege: {error}");
        std::fs::create_dir_all(folder.join("runs")).map_err(told)?;
        let mut command = siege.gamete.command(folder, TRAINING);
        Shim::Count.put(&library(siege)?, &mut command, &folder.join("runs"), &folder.join("calls"))?;
        finish(command, TRAINING).check_success()?;
        let begun = folder.join("begun");
        std::fs::create_dir_all(&begun).map_err(told)?;
        siege.gamete.run(&begun, BEGUN).check_success()
    })
}

/// What a training that says that all is well has stored is all of it; one that was refused says why. Whoever has neither a
/// whole run nor a reason is told.
fn check_said(siege: &Siege, answer: &Answer, folder: &Path, reference: &Path) -> Result<(), String> {
    answer.check_manners()?;
    match answer.code {
        // Before anything goes on, which would mend what was never stored.
        Some(0) => same_runs(&reference.join("runs"), &folder.join("runs"), &siege.except)
            .map_err(|error| format!("says that all is well: {error}")),
        _ => answer.check_refusal(),
    }
}

/// The run goes on, or begins again where there is none, and ends as if nothing had happened.
fn check_end(siege: &Siege, folder: &Path, reference: &Path) -> Result<(), String> {
    let words = if folder.join("runs/x.db").exists() { RESUME } else { TRAINING };
    let answer = siege.gamete.run(folder, words);
    answer.check_success().map_err(|error| format!("does not go on: {error}"))?;
    same_runs(&reference.join("runs"), &folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(folder, "check x");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

/// Calls fail: one, some or all from a moment on.
fn failing(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let reference = reference(siege)?;
    let folder = case.folder.clone();
    let resumed = case.rng.below(2) == 0;
    match resumed {
        true => copy_folder(&reference.join("begun"), &folder)?,
        false => std::fs::create_dir_all(folder.join("runs")).map_err(|error| format!("siege: {error}"))?,
    }
    let letters = ["wtsruom", "w", "s", "o", "wo", "r", "u", "t"][case.rng.below(8)];
    let made = calls(&reference.join("calls")).chars().filter(|letter| letters.contains(*letter)).count();
    // Fewer calls are made where a part is done already.
    let at = 1 + case.rng.below((made / if resumed { 2 } else { 1 }).max(1)) as u64;
    let times = if case.rng.below(3) == 0 { 1 } else { u64::from(u32::MAX) };
    let (errno, reason) = REASONS[case.rng.below(REASONS.len())];
    let words = if resumed { RESUME } else { TRAINING };
    let mut command = siege.gamete.command(&folder, words);
    let shim = Shim::Fail { at, times, calls: letters, errno };
    shim.put(&library(siege)?, &mut command, &folder.join("runs"), &folder.join("calls"))?;
    let answer = finish(command, words);
    case.count("failing disks", 1);
    let how =
        format!("{reason} from call {at} of {letters} on, {times} times, {}", if resumed { "resumed" } else { "new" });
    let told = |error: String| format!("{error} ({how})");
    // A fault that is met by nobody, such as of a call to tidy up, may pass.
    case.count("faults that passed", u64::from(answer.code == Some(0)));
    check_said(siege, &answer, &folder, &reference).map_err(told)?;
    let kept = folder.join("runs/x.db");
    if resumed && !kept.exists() {
        return Err(told("old file gone: runs/x.db".to_string()));
    }
    if resumed && generations(&kept, &folder).map_err(told)? < 20 {
        return Err(told("generations lost: there were 20".to_string()));
    }
    siege.gamete.run(&folder, "runs --json").check_success().map_err(told)?;
    check_end(siege, &folder, &reference).map_err(told)
}

/// Every call takes some milliseconds more.
fn slow(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let reference = reference(siege)?;
    let folder = case.folder.clone();
    std::fs::create_dir_all(folder.join("runs")).map_err(|error| format!("siege: {error}"))?;
    let mut command = siege.gamete.command(&folder, TRAINING);
    let microseconds = 1 + case.rng.below(1000) as u64;
    Shim::Slow(microseconds).put(&library(siege)?, &mut command, &folder.join("runs"), &folder.join("calls"))?;
    case.count("slow disks", 1);
    let answer = finish(command, TRAINING);
    answer.check_success()?;
    check_said(siege, &answer, &folder, &reference)
}

/// The file, its log or its folder is renamed or removed while it is trained.
fn vanishing(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let reference = reference(siege)?;
    let folder = case.folder.clone();
    let mut running = siege.gamete.start(&folder, TRAINING)?;
    let log = folder.join("runs/x.db-wal");
    let begun = Instant::now();
    while !log.exists() && begun.elapsed() < PATIENCE && !running.has_ended() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(case.moment(Duration::from_millis(200)));
    let (runs, moved) = (folder.join("runs"), folder.join("moved"));
    let way = case.rng.below(4);
    let (what, done) = match way {
        0 => ("the folder was renamed", std::fs::rename(&runs, &moved)),
        1 => ("the file was removed", std::fs::remove_file(runs.join("x.db"))),
        2 => ("the folder was removed", std::fs::remove_dir_all(&runs)),
        _ => ("the file was renamed", std::fs::rename(runs.join("x.db"), runs.join("y.db"))),
    };
    let in_time = done.is_ok() && !running.has_ended();
    let answer = running.wait(PATIENCE);
    let told = |error: String| format!("{error} ({what})");
    answer.check_manners().map_err(told)?;
    if !in_time {
        return Ok(());
    }
    case.count("vanished files", 1);
    // A training that ended before it could notice has stored all of it, wherever that is now.
    if answer.code == Some(0) && !runs.join("x.db").exists() {
        return Err(told(format!("says that all is well: exit code 0, but there is no file: {}", answer.end())));
    }
    check_said(siege, &answer, &folder, &reference).map_err(told)?;
    // What was moved is put back, with the log that stayed; what was removed begins anew.
    let failed = |error: std::io::Error| told(format!("siege: {error}"));
    if way == 0 {
        if runs.exists() {
            std::fs::remove_dir_all(&runs).map_err(failed)?;
        }
        std::fs::rename(&moved, &runs).map_err(failed)?;
    }
    if way == 3 && runs.join("x.db").exists() {
        std::fs::remove_file(runs.join("y.db")).map_err(failed)?;
    } else if way == 3 {
        std::fs::rename(runs.join("y.db"), runs.join("x.db")).map_err(failed)?;
    }
    check_end(siege, &folder, &reference).map_err(told)
}

/// An export to a full disk keeps the old file.
fn export(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let reference = reference(siege)?;
    let folder = case.folder.clone();
    copy_folder(&reference.join("begun"), &folder)?;
    let out = folder.join("out");
    std::fs::create_dir_all(&out).map_err(|error| format!("siege: {error}"))?;
    siege.gamete.run(&folder, "export x@3 --out out/network.txt").check_success()?;
    let exported =
        |file: PathBuf| std::fs::read(&file).map_err(|error| format!("no export: {}: {error}", file.display()));
    let before = exported(out.join("network.txt"))?;
    siege.gamete.run(&folder, "export x@20 --format json --out expected.txt").check_success()?;
    let after = exported(folder.join("expected.txt"))?;
    let words = "export x@20 --format json --out out/network.txt";
    let mut command = siege.gamete.command(&folder, words);
    let (errno, reason) = REASONS[case.rng.below(REASONS.len())];
    let at = 1 + case.rng.below(3) as u64;
    let shim = Shim::Fail { at, times: u64::from(u32::MAX), calls: "wtsro", errno };
    shim.put(&library(siege)?, &mut command, &out, &folder.join("calls"))?;
    let answer = finish(command, words);
    case.count("failing disks", 1);
    let told = |error: String| format!("{error} (export, {reason} from call {at} on)");
    answer.check_manners().map_err(told)?;
    let expected = match answer.code {
        Some(0) => after,
        _ => answer.check_refusal().map(|()| before).map_err(told)?,
    };
    match exported(out.join("network.txt")).map_err(told)? == expected {
        true => Ok(()),
        false => Err(told(format!("not as it was said: out/network.txt after exit code {:?}", answer.code))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamete::Gamete;

    #[test]
    fn success_without_the_run_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let siege = Siege::new(Gamete::new("gamete".into(), "tables".into()), 1, "scratch".into(), "kept".into());
        let [reference, found] = ["reference", "found"].map(|name| folder.path().join(name));
        for (folder, rows) in [(&reference, "(1), (2)"), (&found, "(1)")] {
            std::fs::create_dir_all(folder.join("runs")).unwrap();
            let file = rusqlite::Connection::open(folder.join("runs/x.db")).unwrap();
            let sql = format!("create table generation (generation integer); insert into generation values {rows}");
            file.execute_batch(&sql).unwrap();
        }
        let answer = |code, stderr: &str| Answer { code: Some(code), stderr: stderr.to_string(), ..Answer::default() };
        let check = |answer: Answer, found: &Path| check_said(&siege, &answer, found, &reference);
        assert_eq!(check(answer(0, ""), &reference), Ok(()));
        assert!(check(answer(0, ""), &found).unwrap_err().starts_with("says that all is well"));
        assert_eq!(check(answer(2, "the disk is full"), &found), Ok(()));
        assert!(check(answer(2, ""), &found).is_err(), "a refusal says why");
    }
}
