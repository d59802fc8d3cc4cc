//! The folder of runs: finds the file of a run by its name, lists all runs, and removes one.

use crate::Error;
use crate::database::{remove, remove_logs};
use crate::lock::{RunLock, run_name};
use crate::run_file::{RunFile, RunInfo, RunState, state};
use arena::Exam;
use std::path::{Path, PathBuf};
use trainer::Report;

/// A run in the folder.
pub struct RunEntry {
    /// The run's name.
    pub name: String,
    /// The run's file.
    pub file: PathBuf,
    /// A summary of the run, or why it cannot be read.
    pub content: Result<RunContent, Error>,
}

/// A summary of a run.
pub struct RunContent {
    /// The description of the run.
    pub info: RunInfo,
    /// Whether it is being trained, and why it stopped if it is not.
    pub state: RunState,
    /// The report of the last generation; `None` if none has been played.
    pub last: Option<Report>,
    /// The newest exam; `None` if no champion has taken one.
    pub exam: Option<Exam>,
    /// The generation whose champion took that exam.
    pub exam_generation: Option<u64>,
}

impl RunContent {
    /// The generation of the newest exam, if the last generation took none.
    pub fn older_exam(&self) -> Option<u64> {
        self.exam_generation.filter(|generation| self.last.as_ref().is_some_and(|last| last.generation > *generation))
    }
}

/// The files of all runs in a folder, ordered by name. The list is empty if there is no such folder. Hidden files are
/// left out.
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

/// All runs in a folder, ordered by name. The list is empty if there is no such folder.
pub fn list_runs(folder: &Path) -> Result<Vec<RunEntry>, Error> {
    let look = |file: PathBuf| {
        let content = RunFile::open(&file).and_then(|run| look_at_run(&run));
        RunEntry { name: run_name(&file), file, content }
    };
    Ok(run_files(folder)?.into_iter().map(look).collect())
}

/// Reads the summary of a run.
pub fn look_at_run(run: &RunFile) -> Result<RunContent, Error> {
    let info = run.info()?;
    let (exam_generation, exam) = run.last_examined()?.unzip();
    Ok(RunContent { state: state(run.path(), &info), info, last: run.last_report()?, exam, exam_generation })
}

/// A key by which `run-2` comes before `run-10`.
fn natural_order(name: &str) -> (String, u64, String) {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (head.to_string(), name[head.len()..].parse().unwrap_or(0), name.to_string())
}

/// Whether a process is training the run in this file now.
pub fn is_trained(file: &Path) -> bool {
    RunLock::is_taken(file)
}

/// The file of a run that is given by its name or its path.
pub fn run_path(folder: &Path, run: &str) -> Result<PathBuf, Error> {
    let by_path = Path::new(run);
    if run.contains(std::path::MAIN_SEPARATOR) || run.ends_with(".db") {
        // The run may be a member of a lab, written as `LAB/MEMBER`.
        let member = folder.join(format!("{run}.db"));
        return match by_path.exists() {
            _ if holds_lab(by_path) => Err(Error::ALab { lab: run.to_string() }),
            true => Ok(by_path.to_path_buf()),
            false if member.is_file() => Ok(member),
            false => Err(Error::why_unreachable(by_path).unwrap_or_else(|| Error::no_file(by_path))),
        };
    }
    found_run(folder, run)
}

/// The file of the run with this name in a folder.
fn found_run(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let file = folder.join(format!("{name}.db"));
    if file.exists() {
        return Ok(file);
    }
    if let Some(why) = Error::why_unreachable(&file) {
        return Err(why);
    }
    // A file name that is not valid text is shown with U+FFFD for the invalid bytes, and can be given in this form.
    let shown: Vec<PathBuf> = match name.contains(char::REPLACEMENT_CHARACTER) {
        true => run_files(folder).unwrap_or_default().into_iter().filter(|file| run_name(file) == name).collect(),
        false => Vec::new(),
    };
    match &shown[..] {
        [] => Err(no_run(folder, name)),
        [one] if one.exists() => Ok(one.clone()),
        [one] => Err(Error::why_unreachable(one).unwrap_or_else(|| no_run(folder, name))),
        several => {
            let what = format!(
                "{} runs are shown as `{name}` because their names are not valid text; rename all but one of them",
                several.len()
            );
            Err(Error::refused(what))
        }
    }
}

/// The error for an unknown run. It suggests an existing name; no run file is opened for that.
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

/// The file of a run that is given by its name. The name cannot lead to another folder.
pub fn named_run(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    // Files from elsewhere may have names that `checked_name` would refuse. Only names that could lead to another
    // folder, or that no run can have, are checked.
    if name.is_empty() || name.starts_with('.') || name.len() > 250 || name.contains(['/', '\\', '\0']) {
        trainer::checked_name(name)?;
    }
    found_run(folder, name)
}

/// The name of the file in a lab's folder that describes the lab.
pub const LAB_NOTE: &str = "lab.json";

/// Whether a folder is the folder of a lab.
pub fn holds_lab(folder: &Path) -> bool {
    folder.join(LAB_NOTE).is_file()
}

/// Removes a run, unless it is being trained.
pub fn remove_run(folder: &Path, name: &str) -> Result<(), Error> {
    let file = named_run(folder, name)?;
    let _lock = RunLock::take(&file)?;
    // The run file is removed first: if the next step fails, the files left behind are not taken for a run.
    remove(&file)?;
    remove_logs(&file)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    #[test]
    fn errors_name_existing_files_that_cannot_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
        let said = |name: &str| named_run(folder.path(), name).unwrap_err().to_string();
        // 1. A broken link, and a link to itself.
        symlink("/nowhere/x.db", file(b"link.db")).unwrap();
        symlink(file(b"loop.db"), file(b"loop.db")).unwrap();
        assert!(said("link").ends_with("link.db is a link to /nowhere/x.db, which does not exist"), "{}", said("link"));
        assert!(said("loop").starts_with("cannot read "), "{}", said("loop"));
        let by_path = run_path(folder.path(), &file(b"link.db").display().to_string()).unwrap_err().to_string();
        assert!(by_path.contains("which does not exist"), "{by_path}");
        let listed = list_runs(folder.path()).unwrap();
        let why = listed.into_iter().find(|entry| entry.name == "link").unwrap().content.err().unwrap().to_string();
        assert!(why.ends_with("link.db is a link to /nowhere/x.db, which does not exist"), "{why}");
        assert!(crate::check_run(&file(b"link.db")).unwrap_err().to_string().contains("which does not exist"));
        // 2. A name that is not valid text can be given as it is shown, if no other name is shown in the same way.
        std::fs::write(file(b"a\xff.db"), "x").unwrap();
        assert_eq!(named_run(folder.path(), "a\u{fffd}").unwrap(), file(b"a\xff.db"));
        std::fs::write(file(b"a\xfe.db"), "x").unwrap();
        assert!(said("a\u{fffd}").contains("2 runs are shown as"), "{}", said("a\u{fffd}"));
        // 3. The message spells out characters of names that look alike.
        std::fs::write(file("cafe\u{301}.db".as_bytes()), "x").unwrap();
        std::fs::write(file("nim\u{200b}-1.db".as_bytes()), "x").unwrap();
        assert!(said("café").contains("did you mean `cafe\u{301}`, spelt cafe<U+0301>?"), "{}", said("café"));
        assert!(said("nim-1").contains("spelt nim<U+200B>-1?"), "{}", said("nim-1"));
        std::fs::write(file(b"plain.db"), "x").unwrap();
        assert!(said("plain ").ends_with("did you mean `plain`, and not plain<U+0020>?"), "{}", said("plain "));
        assert!(!said("nim-2").contains("spelt") || said("nim-2").contains("U+200B"), "{}", said("nim-2"));
    }
}
