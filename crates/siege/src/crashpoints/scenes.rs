//! The commands that are killed at every call: a new run, a resumed run, a run that replaces another, an export, a lab
//! and a training with several populations.

use crate::cases::{Siege, copy_folder};
use crate::compare::same_runs;
use crate::gamete::Answer;
use std::path::Path;

/// A short command that writes files.
pub struct Scene {
    /// The name in reports.
    pub name: &'static str,
    /// The commands that prepare the folder. It is then copied for each case.
    before: &'static [&'static str],
    /// Whether the last of these commands is killed after a moment, so that it leaves a log.
    is_hot: bool,
    /// The arguments of the command that is killed.
    pub words: &'static str,
    /// The folder whose files the shim watches.
    pub under: &'static str,
    /// Whether the command starts processes of its own, which are killed too.
    pub has_members: bool,
    /// The check after the kill. Its arguments: the siege, the folder, the reference folder without a kill, the scene.
    pub check: fn(&Siege, &Path, &Path, &Scene) -> Result<(), String>,
}

const NEW: &str = "train nim-2x4-c1 --seed 5 --generations 3 --set stop.solved=false --name x --json";
const FORCED: &str = "train nim-2x4-c1 --seed 5 --generations 3 --set stop.solved=false --name x --json --force";
const OLD: &str = "train nim-2x4-c1 --seed 6 --generations 2 --set stop.solved=false --name x";
const HOT: &str = "train nim-2x4-c1 --seed 6 --generations 1000000 --set stop.solved=false --name x";
const LAB: &str = "seeds = 2\n[[configuration]]\nexperiment = \"nim-2x4-c1\"\nset = { stop.generations = 2 }\n";

const fn scene(
    name: &'static str,
    before: &'static [&'static str],
    words: &'static str,
    check: fn(&Siege, &Path, &Path, &Scene) -> Result<(), String>,
) -> Scene {
    Scene { name, before, is_hot: false, words, under: "runs", has_members: false, check }
}

/// All scenes.
pub const SCENES: [Scene; 7] = [
    scene("a new run", &[], NEW, goes_on),
    scene("a resumed run", &[NEW], "resume x --generations 5 --json", goes_on),
    scene("a run that replaces another", &[OLD], FORCED, old_or_new),
    Scene { is_hot: true, ..scene("a run that replaces a killed one", &[HOT], FORCED, old_or_new) },
    Scene {
        under: "out",
        ..scene(
            "an export",
            &[NEW, "export x --out out/n.txt"],
            "export x --format json --out out/n.txt",
            old_or_new_export,
        )
    },
    Scene { has_members: true, ..scene("a lab", &[], "lab run small.toml --workers 1 --json", lab_goes_on) },
    Scene {
        has_members: true,
        ..scene(
            "populations",
            &[],
            "train nim-2x4-c1 --populations 2 --generations 2 --name x --json",
            populations_go_on,
        )
    },
];

impl Scene {
    /// Fills a folder with the files that exist before the command starts.
    pub fn prepare(&self, siege: &Siege, folder: &Path) -> Result<(), String> {
        let before = siege.once(&format!("before-{}", self.name.replace(' ', "-")), |folder| {
            let to_message = |error: std::io::Error| format!("siege: {error}");
            std::fs::create_dir_all(folder.join(self.under)).map_err(to_message)?;
            std::fs::write(folder.join("small.toml"), LAB).map_err(to_message)?;
            let (last, first) = match self.is_hot {
                true => self.before.split_last().map_or((None, self.before), |(last, first)| (Some(last), first)),
                false => (None, self.before),
            };
            for words in first {
                siege.gamete.run(folder, words).check_success()?;
            }
            last.map_or(Ok(()), |words| leave_hot(siege, folder, words))
        })?;
        copy_folder(&before, folder)
    }
}

/// Starts a training and kills it, so that the last generations are only in the log.
pub fn leave_hot(siege: &Siege, folder: &Path, words: &str) -> Result<(), String> {
    let mut running = siege.gamete.start(folder, words)?;
    let log = folder.join("runs/x.db-wal");
    for _ in 0..2000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        // At this size SQLite has not yet copied the log into the file, so the log holds the whole run.
        if std::fs::metadata(&log).is_ok_and(|log| log.len() > 400_000) {
            running.kill_group();
            return Ok(());
        }
    }
    Err("siege: no log was left".to_string())
}

/// Resumes the run, or starts it again if there is none; at the end it must equal the run without a kill.
fn goes_on(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let words = match folder.join("runs/x.db").exists() {
        true if scene.words.starts_with("train") => "resume x --json",
        _ => scene.words,
    };
    siege.gamete.run(folder, "show x --json").check_proper_end()?;
    siege.gamete.run(folder, words).check_success().map_err(|error| format!("cannot continue: {error}"))?;
    same(siege, folder, reference)
}

fn same(siege: &Siege, folder: &Path, reference: &Path) -> Result<(), String> {
    same_runs(&reference.join("runs"), &folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(folder, "check --all");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

/// Checks that there is either the old run with all its generations, or the new run, which can be resumed.
fn old_or_new(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let shown = siege.gamete.run(folder, "show x --json");
    shown.check_success().map_err(|error| format!("neither old nor new: {error}"))?;
    let shown = shown.json()?;
    if shown["seed"] == 5 {
        return goes_on(siege, folder, reference, scene);
    }
    let before = siege
        .once(&format!("before-{}", scene.name.replace(' ', "-")), |_| Err("siege: nothing before".to_string()))?;
    // Compare with a copy, because the comparison opens the file and the original must stay as the kill left it.
    let old = folder.join("old");
    copy_folder(&before.join("runs"), &old)?;
    same_runs(&old, &folder.join("runs"), &siege.except)
        .map_err(|error| format!("the old run has changed, and the new one is missing: {error}"))
}

/// Checks that there is either the whole old file or the whole new one.
fn old_or_new_export(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let before = siege
        .once(&format!("before-{}", scene.name.replace(' ', "-")), |_| Err("siege: nothing before".to_string()))?;
    let read = |folder: &Path| std::fs::read(folder.join("out/n.txt")).unwrap_or_default();
    let found = read(folder);
    match found == read(&before) || found == read(reference) {
        true => Ok(()),
        false => Err(format!("partial export: {} bytes were written, and the old file is gone", found.len())),
    }
}

/// Runs the lab again; at the end its members must equal those without a kill.
fn lab_goes_on(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    run_again(siege, folder, scene.words)?;
    same(siege, folder, reference)
}

/// Resumes the populations, or starts them again; at the end they must equal those without a kill.
fn populations_go_on(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let begun = folder.join("runs/x/lab.json").exists();
    run_again(siege, folder, if begun { "resume x --json" } else { scene.words })?;
    same(siege, folder, reference)
}

fn run_again(siege: &Siege, folder: &Path, words: &str) -> Result<Answer, String> {
    let answer = siege.gamete.run(folder, words);
    answer.check_success().map_err(|error| format!("cannot continue: {error}"))?;
    Ok(answer)
}
