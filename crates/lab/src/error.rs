//! Everything that can go wrong and that somebody can do something about.

use std::path::{Path, PathBuf};

/// What went wrong: what was found, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text that is no experiment.
    #[error("{place}: {what}")]
    Experiment {
        /// The file or the shipped experiment, with line and column where there are such.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// Something was asked for by a name that nobody has.
    #[error("there is no {kind} `{found}`{}", hint(kind, suggestion, known))]
    Unknown {
        /// What kind of thing.
        kind: &'static str,
        /// The name that was given.
        found: String,
        /// The nearest name there is.
        suggestion: Option<String>,
        /// All names there are, if they are few.
        known: Vec<String>,
    },
    /// A run was asked for, and the name is a lab's.
    #[error(
        "`{lab}` is a lab, not a run; `gamete lab report {lab}` tells of it, the command that made it goes on with it, and its runs are named as in `{lab}/nim-2x4-seed-1`"
    )]
    ALab {
        /// Its name or path.
        lab: String,
    },
    /// A run was asked for where there are none.
    #[error("there is no run `{run}`: the folder `{}` holds none; `gamete train` makes one", folder.display())]
    NoRuns {
        /// The run's name.
        run: String,
        /// The folder.
        folder: PathBuf,
    },
    /// A request that cannot be met.
    #[error("{0}")]
    Refused(String),
    /// A given run name that is taken.
    #[error("the run `{name}` exists already ({}); choose another name, or replace it with --force", file.display())]
    RunExists {
        /// The name.
        name: String,
        /// Where it is.
        file: PathBuf,
    },
    /// A file that is no run.
    #[error("{} is not a run: {why}", file.display())]
    NotARun {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// A run of a later Gamete.
    #[error("{} was written by a newer Gamete: its format is {found}, this program reads formats up to {known}", file.display())]
    NewerRun {
        /// The file.
        file: PathBuf,
        /// The file's format.
        found: i64,
        /// The newest that can be read.
        known: i64,
    },
    /// A run of an earlier Gamete.
    #[error("{} was written by an older Gamete: its format is {found}, this program reads {known}; read it with that one, or train it again", file.display())]
    OlderRun {
        /// The file.
        file: PathBuf,
        /// The file's format.
        found: i64,
        /// The one that can be read.
        known: i64,
    },
    /// Another process writes this run.
    #[error("the run `{name}` is being trained by another process; wait for it, or stop it first")]
    Busy {
        /// The run's name.
        name: String,
    },
    /// No room for the next generation.
    #[error("the disk is full: {} could not grow; it is whole up to generation {generation} and can be resumed when there is room", file.display())]
    DiskFull {
        /// The run's file.
        file: PathBuf,
        /// The last generation in it.
        generation: u64,
    },
    /// Another program holds the file.
    #[error("{} is held by another program; close it there, then go on with gamete resume", file.display())]
    Held {
        /// The run's file.
        file: PathBuf,
    },
    /// The database had another complaint.
    #[error("{}: {source}", file.display())]
    Database {
        /// The run's file.
        file: PathBuf,
        /// What it complained about.
        source: rusqlite::Error,
    },
    /// A file could not be read or written.
    #[error("{what} {}: {source}", file.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// With which file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn file(what: &'static str, file: &Path, source: std::io::Error) -> Error {
        Error::File { what, file: file.to_path_buf(), source }
    }

    /// A file that is not there.
    pub(crate) fn no_file(file: &Path) -> Error {
        Error::Refused(format!("there is no file {}", file.display()))
    }

    pub(crate) fn unknown(kind: &'static str, found: &str, known: &[&str]) -> Error {
        const FEW: usize = 12;
        Error::Unknown {
            kind,
            found: found.to_string(),
            suggestion: nearest(found, known).map(str::to_string),
            known: if known.len() <= FEW { known.iter().map(|name| name.to_string()).collect() } else { Vec::new() },
        }
    }
}

/// The known name most like the one found, if any is like it at all.
pub(crate) fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(found, name);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.75).then_some(best)
}

fn hint(kind: &str, suggestion: &Option<String>, known: &[String]) -> String {
    match (suggestion, known.is_empty()) {
        (Some(name), _) => format!("; did you mean `{name}`?"),
        (None, false) => format!("; there are {}", known.join(", ")),
        (None, true) if kind == "run" => "; `gamete runs` shows what there is".to_string(),
        (None, true) => format!("; `gamete list {kind}s` shows what there is"),
    }
}
