//! What is killed at every call: a new run, a resumed one, one that replaces another, an export, a lab, populations.

use crate::cases::{Siege, copy_folder};
use crate::compare::same_runs;
use crate::gamete::Answer;
use std::path::Path;

/// A short work that writes files.
pub struct Scene {
    /// What it is called in reports.
    pub name: &'static str,
    /// What is done before, in a folder that is then copied.
    before: &'static [&'static str],
    /// Whether the last of these is killed after a moment, so that its log is left.
    is_hot: bool,
    /// What is killed.
    pub words: &'static str,
    /// The folder whose files count.
    pub under: &'static str,
    /// Whether it has processes of its own, which are killed too.
    pub has_members: bool,
    /// What must be true afterwards: siege, the folder, the folder where nobody was killed.
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

/// All of them.
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
    /// Fills a folder with what is there before.
    pub fn prepare(&self, siege: &Siege, folder: &Path) -> Result<(), String> {
        let before = siege.once(&format!("before-{}", self.name.replace(' ', "-")), |folder| {
            let told = |error: std::io::Error| format!("siege: {error}");
            std::fs::create_dir_all(folder.join(self.under)).map_err(told)?;
            std::fs::write(folder.join("small.toml"), LAB).map_err(told)?;
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

/// Trains and kills, so that the last generations are in the log alone.
pub fn leave_hot(siege: &Siege, folder: &Path, words: &str) -> Result<(), String> {
    let mut running = siege.gamete.start(folder, words)?;
    let log = folder.join("runs/x.db-wal");
    for _ in 0..2000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        // The log is not yet folded into the file, so that it holds all of the run.
        if std::fs::metadata(&log).is_ok_and(|log| log.len() > 400_000) {
            running.kill_group();
            return Ok(());
        }
    }
    Err("siege: no log was left".to_string())
}

/// A run goes on, or begins again where there is none, to the end of the one that nobody killed.
fn goes_on(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let words = match folder.join("runs/x.db").exists() {
        true if scene.words.starts_with("train") => "resume x --json",
        _ => scene.words,
    };
    siege.gamete.run(folder, "show x --json").check_manners()?;
    siege.gamete.run(folder, words).check_success().map_err(|error| format!("does not go on: {error}"))?;
    same(siege, folder, reference)
}

fn same(siege: &Siege, folder: &Path, reference: &Path) -> Result<(), String> {
    same_runs(&reference.join("runs"), &folder.join("runs"), &siege.except)?;
    let checked = siege.gamete.run(folder, "check --all");
    checked.check_success().map_err(|error| format!("check finds damage: {error}"))
}

/// Either the old run is there with all its generations, or the new one, which goes on.
fn old_or_new(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let shown = siege.gamete.run(folder, "show x --json");
    shown.check_success().map_err(|error| format!("neither old nor new: {error}"))?;
    let shown = shown.json()?;
    if shown["seed"] == 5 {
        return goes_on(siege, folder, reference, scene);
    }
    let before = siege
        .once(&format!("before-{}", scene.name.replace(' ', "-")), |_| Err("siege: nothing before".to_string()))?;
    // A copy, so that what lies before stays as a kill left it.
    let old = folder.join("old");
    copy_folder(&before.join("runs"), &old)?;
    same_runs(&old, &folder.join("runs"), &siege.except)
        .map_err(|error| format!("the old run is not what it was, and the new one is not there: {error}"))
}

/// Either the old file is there, or the new one, each whole.
fn old_or_new_export(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let before = siege
        .once(&format!("before-{}", scene.name.replace(' ', "-")), |_| Err("siege: nothing before".to_string()))?;
    let read = |folder: &Path| std::fs::read(folder.join("out/n.txt")).unwrap_or_default();
    let found = read(folder);
    match found == read(&before) || found == read(reference) {
        true => Ok(()),
        false => Err(format!("a part of an export: {} bytes are left of it, and the old one is gone", found.len())),
    }
}

fn lab_goes_on(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    again(siege, folder, scene.words)?;
    same(siege, folder, reference)
}

fn populations_go_on(siege: &Siege, folder: &Path, reference: &Path, scene: &Scene) -> Result<(), String> {
    let begun = folder.join("runs/x/lab.json").exists();
    again(siege, folder, if begun { "resume x --json" } else { scene.words })?;
    same(siege, folder, reference)
}

fn again(siege: &Siege, folder: &Path, words: &str) -> Result<Answer, String> {
    let answer = siege.gamete.run(folder, words);
    answer.check_success().map_err(|error| format!("does not go on: {error}"))?;
    Ok(answer)
}
