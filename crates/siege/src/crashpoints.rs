//! Kills a short command with SIGKILL at each of its system calls that write, one after the other. After each kill
//! there must be either no run or a whole run, which continues to the same end.

mod scenes;

use crate::Attack;
use crate::cases::{Case, Siege};
use crate::figures::Figures;
use crate::gamete::finish;
use crate::shim::{Shim, calls, library};
use chance::rng_for;
use scenes::SCENES;
pub use scenes::leave_hot;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::str::FromStr;
use std::time::Instant;

/// The system calls that write, with the names that strace uses.
const WRITING: &str =
    "write,pwrite64,writev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat";

/// A moment at which a process is killed.
#[derive(Clone, Debug, PartialEq)]
struct Point {
    scene: usize,
    method: KillMethod,
}

#[derive(Clone, Debug, PartialEq)]
enum KillMethod {
    /// The shim kills the process before this call.
    Kill(u64),
    /// The shim kills the process in the middle of this call.
    Torn(u64),
    /// strace kills the process when a thread makes its n-th call of this name.
    Strace(String, u64),
}

/// A point is written `SCENE:kill:N`, `SCENE:torn:N` or `SCENE:CALL:N`, as the option `--point` expects it.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.method {
            KillMethod::Kill(at) => write!(f, "{}:kill:{at}", self.scene),
            KillMethod::Torn(at) => write!(f, "{}:torn:{at}", self.scene),
            KillMethod::Strace(name, at) => write!(f, "{}:{name}:{at}", self.scene),
        }
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Point, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let read = || {
            let [scene, name, at] = parts[..] else { return None };
            let (scene, at) = (scene.parse().ok().filter(|scene| *scene < SCENES.len())?, at.parse().ok()?);
            let method = match name {
                "kill" => KillMethod::Kill(at),
                "torn" => KillMethod::Torn(at),
                name => KillMethod::Strace(WRITING.split(',').find(|known| *known == name)?.to_string(), at),
            };
            Some(Point { scene, method })
        };
        read().ok_or_else(|| format!("unknown point {text}; expected SCENE:kill:N, SCENE:torn:N or SCENE:CALL:N"))
    }
}

/// One of this many cases may miss its call, because some calls depend on time, such as those that report progress.
const ONE_MAY_MISS: u64 = 10;

/// Kills at one point after the other, in random order, until all points are done or the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let points = match &siege.point {
        Some(point) => point.parse().and_then(|point: Point| calls_of(siege, point.scene).map(|_| vec![point])),
        None => points(siege),
    };
    let points = match points {
        Ok(points) => points,
        Err(error) => return siege.broken(Attack::Crashpoints, &error),
    };
    let most = if siege.share { 70.min(points.len()) } else { points.len() };
    let mut figures = siege.cases(Attack::Crashpoints, until, most as u64, |case| {
        let number = if siege.point.is_some() { 1 } else { case.number };
        let point = points.get(number as usize - 1).ok_or("siege: there is no such point")?;
        case.point = Some(point.to_string());
        crash(case, point).map_err(|error| format!("{error} ({}, {point})", SCENES[point.scene].name))
    });
    figures.counts.insert("points in all", points.len() as u64);
    if let Err(error) = check_reached(&figures) {
        eprintln!("FAILED crashpoints: {error}");
        figures.fail(&error);
    }
    figures
}

/// Checks that nearly every point was reached, because a case whose call is never made tests nothing.
fn check_reached(figures: &Figures) -> Result<(), String> {
    let missed = figures.counts.get("not reached").copied().unwrap_or(0);
    let most = 2 + figures.cases / ONE_MAY_MISS;
    if missed <= most { Ok(()) } else { Err(format!("not reached: {missed} of {} points", figures.cases)) }
}

/// Every point of every scene, in an order that depends on the seed.
fn points(siege: &Siege) -> Result<Vec<Point>, String> {
    let strace = Command::new("strace").arg("-V").output();
    if !strace.is_ok_and(|output| output.status.success()) {
        return Err("strace is missing: please install it".to_string());
    }
    let mut points = Vec::new();
    for (scene, about) in SCENES.iter().enumerate() {
        let letters = calls_of(siege, scene)?;
        for (at, letter) in (1..).zip(letters.chars()) {
            points.push(Point { scene, method: KillMethod::Kill(at) });
            if letter == 'w' {
                points.push(Point { scene, method: KillMethod::Torn(at) });
            }
        }
        let trace = trace_of(siege, scene)?;
        let (by_strace, by_shim) = (trace.on_files, letters.chars().filter(|letter| "wts".contains(*letter)).count());
        // A lab asks its members for their progress at intervals, so their number of calls depends on time.
        if by_strace != by_shim && !about.has_members {
            let words = about.words;
            return Err(format!(
                "the shim missed calls: strace saw {by_strace} calls on files of `{words}`, the shim {by_shim}"
            ));
        }
        for (name, most) in trace.calls {
            points.extend((1..=most).map(|at| Point { scene, method: KillMethod::Strace(name.clone(), at) }));
        }
    }
    rng_for(siege.seed, &[Attack::Crashpoints as u64]).shuffle(&mut points);
    Ok(points)
}

/// A letter for each call of a scene that the shim saw. The scene's folder, without a kill, is later the reference.
fn calls_of(siege: &Siege, scene: usize) -> Result<String, String> {
    let about = &SCENES[scene];
    let folder = siege.once(&format!("scene-{scene}"), |folder| {
        about.prepare(siege, folder)?;
        let mut command = siege.gamete.command(folder, about.words);
        Shim::Count.put(&library(siege)?, &mut command, &folder.join(about.under), &folder.join("calls"))?;
        finish(command, about.words).check_success().map_err(|error| format!("reference: {error}"))
    })?;
    let letters = calls(&folder.join("calls"));
    if letters.is_empty() { Err(format!("no calls: the shim saw no calls of `{}`", about.words)) } else { Ok(letters) }
}

/// The calls of a scene that strace saw.
#[derive(Debug, PartialEq)]
struct Trace {
    /// The number of calls that write to open files of the scene.
    on_files: usize,
    /// For each name, the number of calls of the thread that makes the most. strace counts the calls of each thread
    /// separately, so the kill at call n comes when the first thread reaches its n-th call.
    calls: BTreeMap<String, u64>,
}

fn trace_of(siege: &Siege, scene: usize) -> Result<Trace, String> {
    let about = &SCENES[scene];
    let folder = siege.once(&format!("traced-{scene}"), |folder| {
        about.prepare(siege, folder)?;
        let trace = format!("trace={WRITING}");
        let words = ["strace", "-f", "-qq", "-y", "-o", "trace", "-e", &trace];
        finish(siege.gamete.command_behind(folder, &words, about.words), about.words).check_success()
    })?;
    let text = std::fs::read_to_string(folder.join("trace")).map_err(|error| format!("siege: no trace: {error}"))?;
    let trace = read_trace(&text, &folder.join(about.under).display().to_string());
    if trace.calls.is_empty() { Err(format!("no calls: strace saw no calls of `{}`", about.words)) } else { Ok(trace) }
}

fn read_trace(text: &str, under: &str) -> Trace {
    // For a call on an open file, strace prints the file's path after the descriptor. A call that another thread
    // interrupted has a second line, marked as resumed, which is not counted.
    let begun = || text.lines().filter(|line| line.contains('(') && !line.contains(" resumed>"));
    let on_files = |line: &&str| line.contains(&format!("<{under}/")) || line.contains(&format!("<{under}>"));
    let on_files = begun().filter(on_files).filter(|line| !line.contains("unlink") && !line.contains("mkdir")).count();
    let mut by_thread: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for line in begun() {
        let (thread, call) = line.split_once(' ').unwrap_or_default();
        let name = call.trim_start().split('(').next().unwrap_or_default();
        *by_thread.entry((thread, name)).or_default() += 1;
    }
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    for ((_, name), made) in by_thread {
        let most = calls.entry(name.to_string()).or_default();
        *most = made.max(*most);
    }
    calls.retain(|name, _| WRITING.split(',').any(|known| known == name));
    Trace { on_files, calls }
}

/// Kills at one point, checks the files that are left, and continues the work.
fn crash(case: &mut Case, point: &Point) -> Result<(), String> {
    let (siege, scene) = (case.siege, &SCENES[point.scene]);
    let folder = case.folder.clone();
    scene.prepare(siege, &folder)?;
    let by_shim = |shim: Shim| {
        let mut command = siege.gamete.command(&folder, scene.words);
        shim.put(&library(siege)?, &mut command, &folder.join(scene.under), &folder.join("calls"))?;
        Ok::<_, String>(finish(command, scene.words))
    };
    let answer = match &point.method {
        KillMethod::Kill(at) => by_shim(Shim::Kill(*at))?,
        KillMethod::Torn(at) => by_shim(Shim::Torn(*at))?,
        KillMethod::Strace(name, at) => {
            let (trace, inject) = (format!("trace={name}"), format!("inject={name}:signal=SIGKILL:when={at}"));
            let words = ["strace", "-f", "-qq", "-o", "trace", "-e", &trace, "-e", &inject];
            finish(siege.gamete.command_behind(&folder, &words, scene.words), scene.words)
        }
    };
    // A lab reports that one of its members was killed.
    let member_killed = scene.has_members && answer.printed("SIGKILL");
    let killed = answer.signal == Some(9) || answer.code == Some(137) || member_killed;
    match killed {
        true => case.count("kills", 1),
        false => {
            case.count("not reached", 1);
            answer.check_success()?;
        }
    }
    let reference = siege.once(&format!("scene-{}", point.scene), |_| Err("siege: no reference".to_string()))?;
    check_names(&folder)?;
    (scene.check)(siege, &folder, &reference, scene)
}

/// Checks that every file with the name of a run file is a run.
fn check_names(folder: &Path) -> Result<(), String> {
    let runs = folder.join("runs");
    for file in crate::compare::run_files(&runs) {
        crate::compare::generations(&runs.join(&file), folder)
            .map_err(|error| format!("not a run: {}: {error}", file.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_and_read() {
        for text in ["0:kill:17", "2:torn:3", "6:pwrite64:120"] {
            assert_eq!(text.parse::<Point>().unwrap().to_string(), text);
        }
        for text in ["", "0:kill", "99:kill:1", "0:read:1", "0:kill:x"] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }

    #[test]
    fn calls_are_counted_for_each_thread() {
        let text = "11 pwrite64(3</a/runs/x.db>, \"\", 4) = 4\n12 write(1</b>, \"\", 1 <unfinished ...>\n\
                    11 pwrite64(3</a/runs/x.db>, \"\", 4) = 4\n12 <... write resumed>) = 1\n12 pwrite64(3</a/runs/x.db>) = 4\n\
                    12 unlink(\"/a/runs/x\") = 0\n11 +++ exited with 0 +++\n";
        let trace = read_trace(text, "/a/runs");
        assert_eq!(trace.on_files, 3);
        let expected = [("pwrite64", 2), ("unlink", 1), ("write", 1)].map(|(name, made)| (name.to_string(), made));
        assert_eq!(trace.calls, expected.into());
    }

    #[test]
    fn points_that_are_never_reached_are_a_failure() {
        let mut figures = Figures { cases: 100, ..Figures::new(Attack::Crashpoints) };
        figures.counts.insert("not reached", 12);
        assert_eq!(check_reached(&figures), Ok(()));
        figures.counts.insert("not reached", 13);
        assert!(check_reached(&figures).is_err());
    }
}
