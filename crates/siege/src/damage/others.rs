//! Damage to what lies beside a run's own file: the log of a killed training, files of the format before, labs, populations
//! and exported networks.

use super::forms::flip;
use crate::cases::{Case, Siege, copy_folder};
use crate::compare::{generations, same_runs};
use crate::crashpoints::leave_hot;
use crate::program::workspace;
use crate::server::Server;
use std::path::{Path, PathBuf};

/// A training that is killed, with its last generations in the log alone.
const HOT: &str = "train nim-2x4-c1 --seed 6 --generations 1000000 --set stop.solved=false --name x";
const LAB: &str = "seeds = 2\n[[configuration]]\nexperiment = \"nim-2x4-c1\"\nset = { stop.generations = 3 }\n";

/// Damages one of them.
pub fn damage(case: &mut Case) -> Result<(), String> {
    case.count("damaged files", 1);
    match case.rng.below(5) {
        0 | 1 => hot_log(case),
        2 => old_format(case),
        3 => lab(case),
        _ => network(case),
    }
}

fn told(error: std::io::Error) -> String {
    format!("siege: {error}")
}

/// Flips a bit of a file, or cuts it; what was done, in words.
fn spoil(case: &mut Case, file: &Path) -> Result<String, String> {
    let mut bytes = std::fs::read(file).map_err(told)?;
    let said = match case.rng.below(4) {
        0 => {
            bytes.truncate(case.rng.below(bytes.len()));
            format!("cut to {} bytes", bytes.len())
        }
        _ => flip(&mut bytes, usize::MAX, &mut case.rng),
    };
    std::fs::write(file, bytes).map_err(told)?;
    Ok(format!("{}: {said}", file.file_name().unwrap_or_default().display()))
}

/// What is behind the damage in a log cannot be told from what was never written: the run is whole up to some generation,
/// and goes on to the same end.
fn hot_log(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let hot = siege.once("hot-log", |folder| leave_hot(siege, folder, HOT))?;
    let resumed = |folder: &Path| -> Result<(), String> {
        let last = 5 + generations(&hot.join("runs/x.db"), folder)?;
        let answer = siege.gamete.run(folder, &format!("resume x --generations {last} --json"));
        answer.check_success().map_err(|error| format!("does not go on: {error}"))
    };
    let reference = siege.once("hot-log-resumed", |folder| {
        copy_folder(&hot.join("runs"), &folder.join("runs"))?;
        resumed(folder)
    })?;
    copy_folder(&hot.join("runs"), &case.folder.join("runs"))?;
    let how = spoil(case, &case.folder.join("runs/x.db-wal"))?;
    let told = |error: String| format!("{error} ({how})");
    for words in ["show x --json", "check x", "check --all --json"] {
        siege.gamete.run(&case.folder, words).check_success().map_err(told)?;
    }
    resumed(&case.folder).map_err(told)?;
    same_runs(&reference.join("runs"), &case.folder.join("runs"), &siege.except).map_err(told)
}

/// Files of format 4 have no checksums: damage need not be noticed, but nothing breaks down. An undamaged one is read and
/// goes on.
fn old_format(case: &mut Case) -> Result<(), String> {
    let siege = case.siege;
    let runs = case.folder.join("runs");
    std::fs::create_dir_all(&runs).map_err(told)?;
    let file = runs.join("x.db");
    std::fs::copy(workspace().join("crates").join(data()?).join("format-4.db"), &file).map_err(told)?;
    let is_whole = case.rng.below(8) == 0;
    let how = if is_whole { "as it was".to_string() } else { spoil(case, &file)? };
    let last = 2 + if is_whole { generations(&file, &case.folder)? } else { 100 };
    let resume = format!("resume x --generations {last} --json");
    let salvage = "check x --salvage runs/y.db";
    for words in ["runs --json", "show x --json", "exam run:x --json", "check x", salvage, &resume] {
        let answer = siege.gamete.run(&case.folder, words);
        case.count("questions", 1);
        // Nobody can tell what of it is intact: it is not salvaged.
        let checked = match is_whole {
            true if words == salvage => answer.check_refusal(),
            true => answer.check_success(),
            false => check_manners(&answer),
        };
        checked.map_err(|error| format!("{error} (format 4, {how})"))?;
    }
    Ok(())
}

/// The folder of test data with a file of format 4, whichever crate has it.
fn data() -> Result<PathBuf, String> {
    let crates = std::fs::read_dir(workspace().join("crates")).map_err(told)?;
    let mut data = crates.flatten().map(|entry| PathBuf::from(entry.file_name()).join("tests/data"));
    data.find(|data| workspace().join("crates").join(data).join("format-4.db").exists())
        .ok_or_else(|| "siege: there is no crates/*/tests/data/format-4.db".to_string())
}

fn check_manners(answer: &crate::gamete::Answer) -> Result<(), String> {
    answer.check_manners()?;
    match answer.code {
        Some(0) => Ok(()),
        _ if !answer.end().is_empty() => Ok(()),
        code => Err(format!("no sentence: `{}` ended with {code:?} and said nothing", answer.words)),
    }
}

/// A lab's note or one of its members. The note has no checksum; members have.
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
        check_manners(&answer).map_err(how)?;
    }
    Ok(())
}

/// A folder with a lab of two members and a run of two populations.
fn labs(siege: &Siege) -> Result<PathBuf, String> {
    siege.once("labs", |folder| {
        std::fs::write(folder.join("small.toml"), LAB).map_err(told)?;
        let populations = "train nim-2x4-c1 --populations 2 --generations 3 --set stop.solved=false --name p";
        for words in ["lab run small.toml --workers 1", populations, "lab report runs/small --json", "resume p --json"]
        {
            siege.gamete.run(folder, words).check_success().map_err(|error| format!("reference: {error}"))?;
        }
        Ok(())
    })
}

/// An exported network, as text or JSON, which people may edit: it is read or refused.
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
        check_manners(&answer).map_err(|error| format!("{error} ({how})"))?;
    }
    Ok(())
}
