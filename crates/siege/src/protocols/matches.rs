//! Matches against engines that do something wrong. The match must end in time with all its games, and leave no process
//! behind.

use super::bad_engine::{Habit, WORD, said};
use crate::cases::Case;
use crate::gamete::{Answer, PATIENCE, Running};
use crate::server::usage;
use games::Protocol;
use rustix::process::Signal;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// The largest memory of a match, in kilobytes.
const MOST_MEMORY: u64 = 160 * 1024;
/// The longest time until processes are gone after the program that started them.
const RELEASE_TIME: Duration = Duration::from_secs(5);
/// The longest time in which a match ends after SIGTERM, while an engine does not answer.
const LONGEST_END: Duration = Duration::from_secs(20);
/// Messages are not longer than this.
const LONGEST_REASON: usize = 300;

/// Plays a match with an engine of this habit by this protocol.
pub fn play(case: &mut Case, protocol: Protocol, habit: Habit, games: u64) -> Result<(), String> {
    let game = if protocol == Protocol::Hub { "draughts" } else { "minichess" };
    let own = std::env::current_exe().map_err(|error| format!("siege: {error}"))?;
    let (seed, folder) = (case.rng.below(1 << 40), case.folder.clone());
    let engine = format!(
        "engine:'{}' {WORD} {} {game} {seed} {} '{}',seconds=0.05,protocol={}",
        own.display(),
        protocol.name(),
        habit.name(),
        folder.display(),
        protocol.name()
    );
    let threads = 1 + case.rng.below(3);
    let mut command = case.siege.gamete.command(&folder, "match");
    let words = [engine, "random".to_string()];
    command.args(&words).args([
        "--game",
        game,
        "--json",
        "--games",
        &games.to_string(),
        "--threads",
        &threads.to_string(),
    ]);
    let mut running = Running::start(command, &format!("match {} random --game {game} --games {games}", words[0]))?;
    let begun = Instant::now();
    let signal = (habit == Habit::Stubborn).then(|| [Signal::KILL, Signal::TERM][case.rng.below(2)]);
    let mut memory = 0;
    while !running.has_ended() && begun.elapsed() < PATIENCE {
        memory = usage(running.id()).map_or(0, |usage| usage.memory).max(memory);
        // The signal comes when an engine has got a position.
        if signal.is_some() && said(&folder).0 > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    if let Some(signal) = signal {
        running.signal(signal);
    }
    let answer = running.wait(if signal.is_some() { LONGEST_END } else { PATIENCE.saturating_sub(begun.elapsed()) });
    let (lines, engines) = said(&folder);
    let what = ["lines from uci", "lines from cecp", "lines from hub"][protocol as usize];
    case.count(what, lines);
    case.count("bad engines", engines);
    case.count("most kilobytes of a match", memory);
    let with_habit = |error: String| format!("{error} ({} {} seed {seed})", protocol.name(), habit.name());
    let left = check_gone(&folder).map_err(with_habit);
    case.check(left);
    if memory > MOST_MEMORY {
        case.check(Err(with_habit(format!("memory: {memory} KB"))));
    }
    match signal {
        Some(signal) if answer.timed_out => Err(with_habit(format!("hangs: after signal {}", signal.as_raw()))),
        Some(_) => Ok(()),
        None => {
            let forfeits = check_result(&answer, habit, games).map_err(with_habit)?;
            case.count("games", games);
            case.count("forfeits", forfeits);
            Ok(())
        }
    }
}

/// Checks the result of a match and returns the number of games that were lost because of what the engine did wrong.
fn check_result(answer: &Answer, habit: Habit, games: u64) -> Result<u64, String> {
    answer.check_success()?;
    let result = answer.json()?;
    let number = |value: &Value| value.as_u64().unwrap_or(u64::MAX);
    let [played, wins, draws, losses] = ["games", "wins", "draws", "losses"].map(|key| number(&result[key]));
    if played != games || wins + draws + losses != games {
        return Err(format!("wrong counts: {result}"));
    }
    let list = result["forfeits"].as_array().ok_or_else(|| format!("no forfeits: {result}"))?;
    let forfeits: u64 = list.iter().map(|forfeit| number(&forfeit["games"])).sum();
    let is_fine = |reason: &str| !reason.is_empty() && reason.chars().count() <= LONGEST_REASON;
    if let Some(odd) = list.iter().find(|forfeit| !forfeit["reason"].as_str().is_some_and(is_fine)) {
        let text: String = odd.to_string().chars().take(LONGEST_REASON).collect();
        return Err(format!("odd reason: {text}"));
    }
    match habit {
        Habit::Noise if forfeits > 0 => Err(format!("wrong forfeit: {}", list[0])),
        Habit::Hangs if forfeits != games || losses != games => Err(format!("not every game is lost: {result}")),
        _ if forfeits > losses => Err(format!("more forfeits than losses: {result}")),
        _ => Ok(forfeits),
    }
}

/// Checks that no process of this folder is left. A process that has ended and was not waited for by its parent counts
/// as gone.
fn check_gone(folder: &Path) -> Result<(), String> {
    let begun = Instant::now();
    let mut times_gone = 0;
    loop {
        let left = processes_of(folder);
        // A process that is just being started has no arguments for a moment.
        times_gone = if left.is_empty() { times_gone + 1 } else { 0 };
        if times_gone == 10 {
            return Ok(());
        }
        if !left.is_empty() && begun.elapsed() > RELEASE_TIME {
            left.iter().for_each(|&process| kill(process));
            return Err(format!("left behind: {} processes", left.len()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes that have this folder among their arguments.
fn processes_of(folder: &Path) -> Vec<u32> {
    let folder = folder.display().to_string();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let names_it = |process: &u32| {
        let words = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(&folder)
    };
    numbers.filter(|&process| process != std::process::id()).filter(names_it).collect()
}

fn kill(process: u32) {
    if let Some(pid) = rustix::process::Pid::from_raw(process as i32) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, habit: Habit, expected: Result<u64, &str>) {
        let answer = Answer { code: Some(0), stdout: json.to_string(), ..Answer::default() };
        let found = check_result(&answer, habit, 4);
        assert_eq!(
            found.as_ref().map_err(|error| error.split(": ").next().unwrap()),
            expected.as_ref().map_err(|error| *error)
        );
    }

    #[test]
    fn wrong_results_are_noticed() {
        let result = |losses: u64, forfeits: &str| {
            format!("{{\"games\":4,\"wins\":{},\"draws\":0,\"losses\":{losses},\"forfeits\":[{forfeits}]}}", 4 - losses)
        };
        let three = r#"{"engine":"x","reason":"it has ended","games":3}"#;
        check(&result(3, three), Habit::Faults, Ok(3));
        check(&result(3, ""), Habit::Noise, Ok(0));
        check(&result(3, three), Habit::Noise, Err("wrong forfeit"));
        check(&result(3, three), Habit::Hangs, Err("not every game is lost"));
        check(&result(2, three), Habit::Faults, Err("more forfeits than losses"));
        check(&result(3, &three.replace("it has ended", "")), Habit::Faults, Err("odd reason"));
        check("{\"games\":2,\"wins\":2,\"draws\":0,\"losses\":0,\"forfeits\":[]}", Habit::Faults, Err("wrong counts"));
    }

    #[test]
    fn processes_are_found_by_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("sh")
            .args(["-c", "sleep 100; true", &folder.path().display().to_string()])
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while processes_of(folder.path()) != [child.id()] {
            assert!(begun.elapsed() < Duration::from_secs(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(check_gone(folder.path()), Ok(()));
    }
}
