//! Lets the disk be full, read-only, failing, slow or gone while the program writes. The program must end with an error
//! message and exit code 2. The run must be whole up to some generation and continue to the same end when the disk
//! works again, and old files must stay.

mod full;

use crate::Attack;
use crate::cases::{Case, Siege, copy_folder};
use crate::compare::{generations, same_runs};
use crate::figures::Figures;
use crate::gamete::{Answer, PATIENCE, finish};
use crate::shim::{Shim, calls, library};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The training. It writes for about half a second, and SQLite copies its log into the file several times
/// (checkpoints).
const TRAINING: &str = "train nim-2x4-neat --seed 5 --generations 60 --set stop.solved=false --set strategy.neat.population=60 \
     --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json";
/// The same training, stopped after 20 generations.
const BEGUN: &str = "train nim-2x4-neat --seed 5 --generations 20 --set stop.solved=false --set strategy.neat.population=60 \
     --set schedule.circular.opponents=10 --set record.genomes_every=2 --name x --json";
/// Resumes the run up to generation 60.
const RESUME: &str = "resume x --generations 60 --json";

/// The errors of failing calls: Linux's error numbers (ENOSPC, EIO, EROFS, EACCES, EDQUOT) with their names in reports.
const REASONS: [(i32, &str); 5] =
    [(28, "no room"), (5, "a fault"), (30, "read-only"), (13, "no right"), (122, "over quota")];

/// Tests one kind of broken disk after the other until the time is over.
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

/// The reference folder, in which no call failed. Its file `calls` holds a letter for each call, and its subfolder
/// `begun` a run of 20 generations.
fn reference(siege: &Siege) -> Result<PathBuf, String> {
    siege.once("disk", |folder| {
        let to_message = |error: std::io::Error| format!("siege: {error}");
        std::fs::create_dir_all(folder.join("runs")).map_err(to_message)?;
        let mut command = siege.gamete.command(folder, TRAINING);
        Shim::Count.put(&library(siege)?, &mut command, &folder.join("runs"), &folder.join("calls"))?;
        finish(command, TRAINING).check_success()?;
        let begun = folder.join("begun");
        std::fs::create_dir_all(&begun).map_err(to_message)?;
        siege.gamete.run(&begun, BEGUN).check_success()
    })
}

/// Checks the end of a training: after exit code 0 the whole run must be stored; otherwise there must be an error
/// message.
fn check_exit(siege: &Siege, answer: &Answer, folder: &Path, reference: &Path) -> Result<(), String> {
    answer.check_proper_end()?;
    match answer.code {
        // This is checked before the run is resumed, because that would store what is missing.
        Some(0) => same_runs(&reference.join("runs"), &folder.join("runs"), &siege.except)
            .map_err(|error| format!("false success: {error}")),
        _ => answer.check_refusal(),
    }
}

/// Resumes the run, or starts it again if there is none; at the end it must equal the reference.
fn check_end(siege: &Siege, folder: &Path, reference: &Path) -> Result<(), String> {
    let words = if folder.join("runs/x.db").exists() { RESUME } else { TRAINING };
    let answer = siege.gamete.run(folder, words);
    answer.check_success().map_err(|error| format!("cannot continue: {error}"))?;
    same_runs(&reference.join("runs"), &folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(folder, "check x");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

/// Lets one call fail, or all calls from a certain one on.
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
    // A resumed run makes fewer calls.
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
    let with_details = |error: String| format!("{error} ({how})");
    // The program may ignore some faults, such as that of a call that cleans up.
    case.count("faults that passed", u64::from(answer.code == Some(0)));
    check_exit(siege, &answer, &folder, &reference).map_err(with_details)?;
    let kept = folder.join("runs/x.db");
    if resumed && !kept.exists() {
        return Err(with_details("old file gone: runs/x.db".to_string()));
    }
    if resumed && generations(&kept, &folder).map_err(with_details)? < 20 {
        return Err(with_details("generations lost: there were 20".to_string()));
    }
    siege.gamete.run(&folder, "runs --json").check_success().map_err(with_details)?;
    check_end(siege, &folder, &reference).map_err(with_details)
}

/// Makes every call take up to one millisecond longer.
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
    check_exit(siege, &answer, &folder, &reference)
}

/// Renames or removes the run file or its folder during the training.
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
    // A training that ends at this moment has already looked whether its file is there.
    std::thread::sleep(Duration::from_millis(5));
    let in_time = done.is_ok() && !running.has_ended();
    let answer = running.wait(PATIENCE);
    let with_details = |error: String| format!("{error} ({what})");
    answer.check_proper_end().map_err(with_details)?;
    if !in_time {
        return Ok(());
    }
    case.count("vanished files", 1);
    // Exit code 0 is only allowed if the run file is still there.
    if answer.code == Some(0) && !runs.join("x.db").exists() {
        return Err(with_details(format!("false success: exit code 0, but there is no file: {}", answer.end())));
    }
    check_exit(siege, &answer, &folder, &reference).map_err(with_details)?;
    // Renamed files are put back beside the log that stayed; removed runs start again.
    let failed = |error: std::io::Error| with_details(format!("siege: {error}"));
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
    check_end(siege, &folder, &reference).map_err(with_details)
}

/// Exports to a failing disk; the old file must stay.
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
    let with_details = |error: String| format!("{error} (export, {reason} from call {at} on)");
    answer.check_proper_end().map_err(with_details)?;
    let expected = match answer.code {
        Some(0) => after,
        _ => answer.check_refusal().map(|()| before).map_err(with_details)?,
    };
    match exported(out.join("network.txt")).map_err(with_details)? == expected {
        true => Ok(()),
        false => Err(with_details(format!("wrong export: out/network.txt after exit code {:?}", answer.code))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gamete::Gamete;

    #[test]
    fn exit_code_0_without_the_whole_run_is_a_failure() {
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
        let check = |answer: Answer, found: &Path| check_exit(&siege, &answer, found, &reference);
        assert_eq!(check(answer(0, ""), &reference), Ok(()));
        assert!(check(answer(0, ""), &found).unwrap_err().starts_with("false success"));
        assert_eq!(check(answer(2, "the disk is full"), &found), Ok(()));
        assert!(check(answer(2, ""), &found).is_err(), "a refusal has a message");
    }
}
