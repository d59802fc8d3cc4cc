//! Damages other files than run files of the current format: the log of a killed training, files of format 4, labs,
//! populations and exported networks.

use super::forms::flip;
use crate::cases::{Case, Siege, copy_folder};
use crate::compare::{generations, same_runs};
use crate::crashpoints::leave_hot;
use crate::program::workspace;
use crate::server::Server;
use std::path::{Path, PathBuf};

/// A training that is killed while its last generations are only in the log.
const HOT: &str = "train nim-2x4-c1 --seed 6 --generations 1000000 --set stop.solved=false --name x";
const LAB: &str = "seeds = 2\n[[configuration]]\nexperiment = \"nim-2x4-c1\"\nset = { stop.generations = 3 }\n";

/// Damages one of these files and checks how the program reacts.
pub fn damage(case: &mut Case) -> Result<(), String> {
    case.count("damaged files", 1);
    match case.rng.below(5) {
        0 | 1 => hot_log(case),
        2 => old_format(case),
        3 => lab(case),
        _ => network(case),
    }
}

fn to_message(error: std::io::Error) -> String {
    format!("siege: {error}")
}

/// Flips a bit of a file or cuts it, and returns a description of the damage.
fn spoil(case: &mut Case, file: &Path) -> Result<String, String> {
    let mut bytes = std::fs::read(file).map_err(to_message)?;
    let description = match case.rng.below(4) {
        0 => {
            bytes.truncate(case.rng.below(bytes.len()));
            format!("cut to {} bytes", bytes.len())
        }
        _ => flip(&mut bytes, usize::MAX, &mut case.rng),
    };
    std::fs::write(file, bytes).map_err(to_message)?;
    Ok(format!("{}: {description}", file.file_name().unwrap_or_default().display()))
}

/// Damages a log. SQLite cannot distinguish the part of a log after the damage from data that was never written, so the
/// run must be whole up to some generation and continue to the same end.
fn hot_log(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let hot = siege.once("hot-log", |folder| leave_hot(siege, folder, HOT))?;
    let resumed = |folder: &Path| -> Result<(), String> {
        let last = 5 + generations(&hot.join("runs/x.db"), folder)?;
        let answer = siege.gamete.run(folder, &format!("resume x --generations {last} --json"));
        answer.check_success().map_err(|error| format!("cannot continue: {error}"))
    };
    let reference = siege.once("hot-log-resumed", |folder| {
        copy_folder(&hot.join("runs"), &folder.join("runs"))?;
        resumed(folder)
    })?;
    copy_folder(&hot.join("runs"), &case.folder.join("runs"))?;
    let how = spoil(case, &case.folder.join("runs/x.db-wal"))?;
    let with_damage = |error: String| format!("{error} ({how})");
    for words in ["show x --json", "check x", "check --all --json"] {
        siege.gamete.run(&case.folder, words).check_success().map_err(with_damage)?;
    }
    resumed(&case.folder).map_err(with_damage)?;
    same_runs(&reference.join("runs"), &case.folder.join("runs"), &siege.except).map_err(with_damage)
}

/// Damages a file of format 4. It has no checksums, so damage need not be noticed, but no command may crash. An
/// undamaged file must be readable and resumable.
fn old_format(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let runs = case.folder.join("runs");
    std::fs::create_dir_all(&runs).map_err(to_message)?;
    let file = runs.join("x.db");
    std::fs::copy(workspace().join("crates").join(data()?).join("format-4.db"), &file).map_err(to_message)?;
    let is_whole = case.rng.below(8) == 0;
    let how = if is_whole { "as it was".to_string() } else { spoil(case, &file)? };
    let last = 2 + if is_whole { generations(&file, &case.folder)? } else { 100 };
    let resume = format!("resume x --generations {last} --json");
    let salvage = "check x --salvage runs/y.db";
    for words in ["runs --json", "show x --json", "exam run:x --json", "check x", salvage, &resume] {
        let answer = siege.gamete.run(&case.folder, words);
        case.count("questions", 1);
        // Without checksums it is unknown which parts are intact, so the program refuses to salvage the file.
        let checked = match is_whole {
            true if words == salvage => answer.check_refusal(),
            true => answer.check_success(),
            false => check_proper_end(&answer),
        };
        checked.map_err(|error| format!("{error} (format 4, {how})"))?;
    }
    Ok(())
}

/// The folder with the test file of format 4, relative to `crates`. Any crate may have it.
fn data() -> Result<PathBuf, String> {
    let crates = std::fs::read_dir(workspace().join("crates")).map_err(to_message)?;
    let mut data = crates.flatten().map(|entry| PathBuf::from(entry.file_name()).join("tests/data"));
    data.find(|data| workspace().join("crates").join(data).join("format-4.db").exists())
        .ok_or_else(|| "siege: cannot find crates/*/tests/data/format-4.db".to_string())
}

fn check_proper_end(answer: &crate::gamete::Answer) -> Result<(), String> {
    answer.check_proper_end()?;
    match answer.code {
        Some(0) => Ok(()),
        _ if !answer.end().is_empty() => Ok(()),
        code => Err(format!("no error message: `{}` ended with {code:?} and printed nothing", answer.words)),
    }
}

/// Damages `lab.json` or the run file of a member. `lab.json` has no checksum; run files have.
fn lab(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let before = labs(siege)?;
    copy_folder(&before, &case.folder)?;
    let name = ["small", "p"][case.rng.below(2)];
    let folder = case.folder.join("runs").join(name);
    let members = crate::compare::run_files(&folder);
    let how = match case.rng.below(2) {
        0 => spoil(case, &folder.join("lab.json"))?,
        _ if members.is_empty() => return Err(format!("siege: {name} has no members")),
        _ => {
            let member = folder.join(&members[case.rng.below(members.len())]);
            spoil(case, &member)?
        }
    };
    let how = |error: String| format!("{error} ({name}, {how})");
    let mut server = Server::start(&siege.gamete, &case.folder)?;
    for path in ["/api/labs".to_string(), format!("/api/labs/{name}"), "/api/labs".to_string()] {
        let reply = server.get(&path)?;
        case.count("requests", 1);
        if reply.status == 0 || reply.status >= 500 {
            return Err(how(format!("status {}: GET {path}: {}", reply.status, reply.body)));
        }
    }
    server.check_alive(&case.folder).map_err(how)?;
    server.kill();
    let again = if name == "small" { "lab run small.toml --workers 1 --json" } else { "resume p --json" };
    let report = format!("lab report runs/{name} --json");
    for words in ["runs", "check --all --json", &report, again] {
        let answer = siege.gamete.run(&case.folder, words);
        case.count("questions", 1);
        check_proper_end(&answer).map_err(how)?;
    }
    Ok(())
}

/// A folder with a lab of two members and a training with two populations.
fn labs(siege: &Siege) -> Result<PathBuf, String> {
    siege.once("labs", |folder| {
        std::fs::write(folder.join("small.toml"), LAB).map_err(to_message)?;
        let populations = "train nim-2x4-c1 --populations 2 --generations 3 --set stop.solved=false --name p";
        for words in ["lab run small.toml --workers 1", populations, "lab report runs/small --json", "resume p --json"]
        {
            siege.gamete.run(folder, words).check_success().map_err(|error| format!("reference: {error}"))?;
        }
        Ok(())
    })
}

/// Damages an exported network, as text or JSON. People may edit such files, so they must be read or refused.
fn network(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let before = siege.once("networks", |folder| {
        let trained = "train nim-2x4-c1 --generations 2 --set stop.solved=false --name x";
        for words in [trained, "export x --out net.txt", "export x --format json --out net.json"] {
            siege.gamete.run(folder, words).check_success().map_err(|error| format!("reference: {error}"))?;
        }
        Ok(())
    })?;
    copy_folder(&before, &case.folder)?;
    let file = ["net.txt", "net.json"][case.rng.below(2)];
    let how = spoil(case, &case.folder.join(file))?;
    let (exam, contest) =
        (format!("exam file:{file} --json"), format!("match file:{file} random --game nim --games 2 --json"));
    for words in [&exam, &contest] {
        let answer = siege.gamete.run(&case.folder, words);
        case.count("questions", 1);
        check_proper_end(&answer).map_err(|error| format!("{error} ({how})"))?;
    }
    Ok(())
}
