//! The folder of runs: how names become files, and what is in there.

use crate::lock::RunLock;
use crate::run_file::{RunFile, RunInfo};
use crate::{Error, Report};
use std::path::{Path, PathBuf};

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// A process is training it now.
    Training,
    /// It stopped, for this reason.
    Stopped(String),
    /// It was killed, and can be resumed.
    Killed,
}

impl std::fmt::Display for RunState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunState::Training => f.write_str("training"),
            RunState::Stopped(why) => f.write_str(why),
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
    /// What it is, how it stands and its last generation; or why it cannot be read.
    pub content: Result<(RunInfo, RunState, Option<Report>), Error>,
}

/// All runs of a folder, in the order of their names; nothing when there is no such folder.
pub fn list_runs(folder: &Path) -> Result<Vec<RunEntry>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Error::file("cannot read", folder, source)),
    };
    let files = entries.filter_map(|entry| entry.ok()).map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|ending| ending == "db")).collect();
    files.sort();
    let look = |file: PathBuf| {
        let content = RunFile::open(&file).and_then(|run| {
            let info = run.info()?;
            Ok((info.clone(), state(&file, &info), run.last_report()?))
        });
        let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        RunEntry { name, file, content }
    };
    Ok(files.into_iter().map(look).collect())
}

/// How the run in this file stands.
pub(crate) fn state(file: &Path, info: &RunInfo) -> RunState {
    match &info.stopped {
        _ if RunLock::is_taken(file) => RunState::Training,
        Some(why) => RunState::Stopped(why.clone()),
        None => RunState::Killed,
    }
}

/// The file of a run that was given by name or by path.
pub fn run_path(folder: &Path, run: &str) -> Result<PathBuf, Error> {
    let by_path = Path::new(run);
    if run.contains(std::path::MAIN_SEPARATOR) || run.ends_with(".db") {
        return match by_path.exists() {
            true => Ok(by_path.to_path_buf()),
            false => Err(Error::file("cannot read", by_path, std::io::ErrorKind::NotFound.into())),
        };
    }
    let file = folder.join(format!("{run}.db"));
    if file.exists() {
        return Ok(file);
    }
    let entries = list_runs(folder)?;
    let known: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    if known.is_empty() {
        return Err(Error::Refused(format!(
            "there is no run `{run}`: the folder `{}` holds none; `gamete train` makes one",
            folder.display()
        )));
    }
    Err(Error::unknown("run", run, &known))
}

/// Whether a name can be a run's: it becomes a file's name.
pub(crate) fn checked_name(name: &str) -> Result<(), Error> {
    let fine = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.chars().all(fine) {
        return Ok(());
    }
    Err(Error::Refused(format!(
        "`{name}` cannot be a run's name; right would be up to 100 letters, digits, - _ . and +, not beginning with a dot"
    )))
}
