//! The folder of runs: how names become files, and what is in there.

use crate::database::remove;
use crate::labs::holds_lab;
use crate::lock::RunLock;
use crate::run_file::{RunFile, RunInfo};
use crate::training::Stopped;
use crate::{Error, Report};
use arena::Exam;
use std::path::{Path, PathBuf};

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// A process is training it now.
    Training,
    /// It stopped, for this reason.
    Stopped(Stopped),
    /// It was killed, and can be resumed.
    Killed,
}

impl std::fmt::Display for RunState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunState::Training => f.write_str("training"),
            RunState::Stopped(why) => f.write_str(why.name()),
            RunState::Killed => f.write_str("killed"),
        }
    }
}

/// A run in the folder.
pub struct RunEntry {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// What is in it, or why it cannot be read.
    pub content: Result<RunContent, Error>,
}

/// What is in a run.
pub struct RunContent {
    /// What it is.
    pub info: RunInfo,
    /// How it stands.
    pub state: RunState,
    /// Its last generation.
    pub last: Option<Report>,
    /// Its newest exam.
    pub exam: Option<Exam>,
}

/// The files of all runs of a folder, in the order of their names; none when there is no such folder. Hidden files are left
/// out.
pub fn run_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Error::file("cannot read", folder, source)),
    };
    let files = entries.filter_map(|entry| entry.ok()).map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|ending| ending == "db")).collect();
    files.retain(|file| !run_name(file).starts_with('.'));
    files.sort_by_cached_key(|file| natural_order(&run_name(file)));
    Ok(files)
}

/// All runs of a folder, in the order of their names; nothing when there is no such folder.
pub fn list_runs(folder: &Path) -> Result<Vec<RunEntry>, Error> {
    let look = |file: PathBuf| {
        let content = RunFile::open(&file).and_then(|run| look_at_run(&run));
        RunEntry { name: run_name(&file), file, content }
    };
    Ok(run_files(folder)?.into_iter().map(look).collect())
}

/// What is in a run, and how it stands.
pub fn look_at_run(run: &RunFile) -> Result<RunContent, Error> {
    let info = run.info()?;
    Ok(RunContent { state: state(run.path(), &info), info, last: run.last_report()?, exam: run.last_exam()? })
}

/// A key by which `run-2` comes before `run-10`.
fn natural_order(name: &str) -> (String, u64, String) {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (head.to_string(), name[head.len()..].parse().unwrap_or(0), name.to_string())
}

/// The name of the run in this file.
pub(crate) fn run_name(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// How the run in this file stands.
pub(crate) fn state(file: &Path, info: &RunInfo) -> RunState {
    match info.stopped {
        _ if RunLock::is_taken(file) => RunState::Training,
        Some(why) => RunState::Stopped(why),
        None => RunState::Killed,
    }
}

/// Whether somebody trains the run in this file now.
pub fn is_trained(file: &Path) -> bool {
    RunLock::is_taken(file)
}

/// The file of a run that was given by name or by path.
pub fn run_path(folder: &Path, run: &str) -> Result<PathBuf, Error> {
    let by_path = Path::new(run);
    if run.contains(std::path::MAIN_SEPARATOR) || run.ends_with(".db") {
        // A member of a lab, as `LAB/MEMBER`.
        let member = folder.join(format!("{run}.db"));
        return match by_path.exists() {
            _ if holds_lab(by_path) => Err(Error::ALab { lab: run.to_string() }),
            true => Ok(by_path.to_path_buf()),
            false if member.is_file() => Ok(member),
            false => Err(Error::no_file(by_path)),
        };
    }
    let file = folder.join(format!("{run}.db"));
    if file.exists() {
        return Ok(file);
    }
    Err(no_run(folder, run))
}

/// That there is no such run, and which there are; their files are not opened for it.
fn no_run(folder: &Path, run: &str) -> Error {
    if holds_lab(&folder.join(run)) {
        return Error::ALab { lab: run.to_string() };
    }
    let names: Vec<String> = run_files(folder).unwrap_or_default().iter().map(|file| run_name(file)).collect();
    match names.is_empty() {
        true => Error::NoRuns { run: run.to_string(), folder: folder.to_path_buf() },
        false => Error::unknown("run", run, &names.iter().map(String::as_str).collect::<Vec<_>>()),
    }
}

/// The file of a run that was given by its name alone: it lies in the folder, whatever the name is.
pub fn named_run(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    // Runs from elsewhere may have names that we would not give; but a name is no way to another folder.
    if name.is_empty() || name.starts_with('.') || name.len() > 250 || name.contains(['/', '\\', '\0']) {
        checked_name(name)?;
    }
    let file = folder.join(format!("{name}.db"));
    if file.exists() { Ok(file) } else { Err(no_run(folder, name)) }
}

/// Removes a run, if nobody writes it.
pub fn remove_run(folder: &Path, name: &str) -> Result<(), Error> {
    let file = named_run(folder, name)?;
    let _lock = RunLock::take(&file)?;
    // The run itself first: what is left of it if the rest fails is no run.
    for ending in ["db", "db-wal", "db-shm", "db-journal"] {
        remove(&file.with_extension(ending))?;
    }
    Ok(())
}

/// Whether a name can be a run's: it becomes a file's name.
pub(crate) fn checked_name(name: &str) -> Result<(), Error> {
    if !name.is_empty()
        && name.len() <= 100
        && !name.starts_with(['.', '-'])
        && !name.ends_with(".db")
        && name.chars().all(fits_a_name)
    {
        return Ok(());
    }
    Err(Error::Refused(format!(
        "`{name}` cannot be a run's name; right would be up to 100 letters, digits, - _ . and +, not beginning with a dot or - or ending in .db"
    )))
}

/// What a run is called after an experiment whose name would not do.
pub(crate) fn name_from(experiment: &str) -> String {
    let mut name: String = experiment.chars().map(|c| if fits_a_name(c) { c } else { '-' }).collect();
    // Room for a number is left, counted in bytes, as names of files are.
    while name.len() > 80 {
        name.pop();
    }
    match name.trim_start_matches(['.', '-']) {
        "" => "run".to_string(),
        name => name.to_string(),
    }
}

fn fits_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}
