//! Kills work with SIGKILL at random moments and resumes it, again and again, until it is done. The result must equal
//! that of work that was never killed, and after each kill every generation that a reader has seen must still be there.

mod reader;
mod victims;

use crate::Attack;
use crate::cases::{Case, Siege};
use crate::compare::{generations, same_runs};
use crate::figures::Figures;
use crate::gamete::{PATIENCE, Running};
use reader::{ReadMode, Reader};
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::time::{Duration, Instant};
use victims::{VICTIMS, Victim};

/// Kills one kind of work after the other until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let most = if siege.share { VICTIMS.len() as u64 } else { u64::MAX };
    siege.cases(Attack::Storm, until, most, |case| {
        if case.number == 1 {
            let unknown = unknown_strategies(siege, &case.folder);
            case.check(unknown);
        }
        let victim = &VICTIMS[(case.number - 1) as usize % VICTIMS.len()];
        let round = (case.number - 1) / VICTIMS.len() as u64;
        // Three seeds are enough, because cases differ in the moments of the kills.
        let result = kill_until_done(case, victim, 1 + round % 3);
        result.map_err(|error| format!("{error} (killed: {})", victim.name))
    })
}

/// Fails if no training of `VICTIMS` uses one of the program's strategies.
fn unknown_strategies(siege: &Siege, folder: &Path) -> Result<(), String> {
    let listed = siege.gamete.run(folder, "list strategies --json");
    listed.check_success()?;
    let mut unknown = Vec::new();
    for line in listed.stdout.lines() {
        let strategy: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("list strategies: {error}"))?;
        if !VICTIMS.iter().any(|victim| victim.strategy == strategy["name"].as_str()) {
            unknown.push(strategy["name"].to_string());
        }
    }
    match unknown.is_empty() {
        true => Ok(()),
        false => Err(format!("strategies without a training: {}; add one to VICTIMS", unknown.join(", "))),
    }
}

/// Kills the work several times, finishes it, and compares it with the work that was never killed.
fn kill_until_done(case: &mut Case, victim: &Victim, seed: u64) -> Result<(), String> {
    let siege = case.siege;
    let reference = victim.reference(siege, seed)?;
    let read = |name: &str| std::fs::read_to_string(reference.join(name)).unwrap_or_default();
    let time = Duration::from_secs_f64(read("seconds").parse().unwrap_or(1.0));
    let kills = if siege.share { 3 } else { 4 + case.rng.below(9) };
    for _ in 0..kills {
        // If the work ended before the kill, it is done.
        if !kill_once(case, victim, seed, time)? {
            break;
        }
    }
    let answer = siege.gamete.run(&case.folder, &victim.command(&case.folder, seed)?);
    answer.check_success().map_err(|error| format!("cannot continue: {error}"))?;
    let (expected, found) = (read("result"), victim.result(&answer)?);
    if expected != found {
        return Err(format!("another result: {}", first_difference(&expected, &found)));
    }
    same_runs(&reference.join("runs"), &case.folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(&case.folder, "check --all");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

fn first_difference(expected: &str, found: &str) -> String {
    let differing = expected.lines().zip(found.lines()).find(|(one, two)| one != two);
    differing.map_or_else(String::new, |(one, two)| format!("{} became {}", short(one), short(two)))
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Starts or resumes the work, kills it, and checks the generations that are left; returns whether it was killed before
/// its end.
fn kill_once(case: &mut Case, victim: &Victim, seed: u64, time: Duration) -> Result<bool, String> {
    let mode = ReadMode::ALL[case.rng.below(ReadMode::ALL.len())];
    // Labs and populations are not listed by `runs`.
    let list = if victim.is_group() { "check --all --json" } else { "runs --json" };
    let reader = Reader::begin(mode, list, &case.siege.gamete, &case.folder);
    let mut running = case.siege.gamete.start(&case.folder, &victim.command(&case.folder, seed)?)?;
    wait_for_moment(case, &mut running, time);
    let way = if victim.is_group() { case.rng.below(3) } else { 0 };
    let killed = match way {
        // Only the process that was started. Its members must notice that it is gone, and end.
        0 => running.signal(Signal::KILL),
        1 => running.kill_group(),
        _ if victim.members_may_be_killed() => kill_member(case, &running),
        _ => running.kill_group(),
    };
    case.count("kills", u64::from(killed));
    case.count("too late to kill", u64::from(!killed));
    let answer = running.wait(PATIENCE);
    let seen = reader.end().map_err(|error| format!("{error} ({mode:?})"))?;
    // A process that ended by itself must have ended properly. A lab with a killed member ends with exit code 1.
    let by_kill = answer.signal == Some(Signal::KILL.as_raw()) && !answer.timed_out;
    if !by_kill && (way != 2 || answer.code != Some(1)) {
        answer.check_proper_end()?;
        if way != 2 {
            answer.check_success().map_err(|error| format!("cannot continue: {error}"))?;
        }
    }
    for (file, seen) in seen {
        let left = if file.exists() { generations(&file, &case.folder)? } else { 0 };
        if left < seen {
            let file = file.display();
            return Err(format!(
                "generations lost: {file} had {seen} generations, and {left} after the kill ({mode:?})"
            ));
        }
        case.count("generations seen before kills", seen);
    }
    Ok(killed)
}

/// Waits for a random moment: any moment, one soon after the start, or one when a certain file appears or disappears.
fn wait_for_moment(case: &mut Case, running: &mut Running, time: Duration) {
    let begun = Instant::now();
    let until = match case.rng.below(8) {
        0..=3 => case.moment(time.mul_f64(0.5)),
        4 => case.moment(Duration::from_millis(40)),
        event => {
            let file = case.folder.join(["runs/x.db-draft", "runs/x.db-wal", "runs/x.db-wal"][event - 5]);
            let appears = event < 7;
            let mut there = false;
            while begun.elapsed() < time.mul_f64(1.5) && !running.has_ended() {
                there |= file.exists();
                if there && (appears || !file.exists()) {
                    break;
                }
                std::thread::sleep(Duration::from_micros(50));
            }
            begun.elapsed() + case.moment(Duration::from_millis(2))
        }
    };
    while begun.elapsed() < until && !running.has_ended() {
        std::thread::sleep((until - begun.elapsed().min(until)).min(Duration::from_millis(5)));
    }
}

/// Kills one of the child processes of this process; returns whether there was one.
fn kill_member(case: &mut Case, running: &Running) -> bool {
    let id = running.id();
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let children: Vec<i32> = children.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match children.is_empty() {
        true => false,
        false => {
            let chosen = Pid::from_raw(children[case.rng.below(children.len())]);
            chosen.is_some_and(|member| kill_process(member, Signal::KILL).is_ok())
        }
    }
}
