//! The errors of runs and files that a user can do something about.

use std::path::{Path, PathBuf};

/// What went wrong: what was found, and what is allowed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error of the crate `trainer`: an invalid request or experiment, found without reading any run file.
    #[error(transparent)]
    Trainer(trainer::Error),
    /// A parameter of a request has an invalid value. The calling program knows the parameter's name in its own
    /// interface, such as a flag of the command line.
    #[error("{what}")]
    Parameter {
        /// The parameter's name in the library, such as `plies`.
        parameter: &'static str,
        /// What was found, and what is allowed. The text makes sense without the parameter's name.
        what: String,
    },
    /// A player is an engine that nobody has defined on this machine.
    #[error("there is no engine `{name}` on this machine: {known}")]
    UndefinedEngine {
        /// The engine's name.
        name: String,
        /// Which engines are defined.
        known: String,
    },
    /// The given name of a run is the name of a lab.
    #[error("`{lab}` is a lab, not a run; its runs are named as in `{lab}/nim-2x4-seed-1`")]
    ALab {
        /// The lab's name or path.
        lab: String,
    },
    /// A run was asked for in a folder without runs.
    #[error("there is no run `{run}`: the folder `{}` holds none", folder.display())]
    NoRuns {
        /// The run's name.
        run: String,
        /// The folder of runs.
        folder: PathBuf,
    },
    /// The name chosen for a new run is in use.
    #[error("the run `{name}` exists already ({}); choose another name", file.display())]
    RunExists {
        /// The name.
        name: String,
        /// The file of the existing run.
        file: PathBuf,
    },
    /// The name chosen for a training of several populations is in use by a run or a lab.
    #[error("`{name}` exists already in {}; choose another name", folder.display())]
    NameTaken {
        /// The name.
        name: String,
        /// The folder of runs.
        folder: PathBuf,
    },
    /// A folder that should be a lab is not one.
    #[error("there is no lab in {}", folder.display())]
    NoLab {
        /// The folder in which the lab was looked for.
        folder: PathBuf,
    },
    /// A file that should contain test positions contains none.
    #[error("there are no questions in the file")]
    NoQuestions,
    /// A file that is not a run.
    #[error("{} is not a run: {why}", file.display())]
    NotARun {
        /// The file.
        file: PathBuf,
        /// Why it is not a run, or what it is instead.
        why: String,
    },
    /// A part of a run file is damaged: it differs from what was written.
    #[error("{}: {what}", file.display())]
    Damaged {
        /// The run's file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A run that was written by a newer version of Gamete.
    #[error("{} was written by a newer Gamete: its format is {found}, this program reads formats up to {known}", file.display())]
    NewerRun {
        /// The file.
        file: PathBuf,
        /// The file's format.
        found: i64,
        /// The newest format that this program reads.
        known: i64,
    },
    /// A run that was written by a version of Gamete that is too old.
    #[error("{} was written by an older Gamete: its format is {found}, this program reads formats from {oldest} to {known}; read it with that version, or train it again", file.display())]
    OlderRun {
        /// The file.
        file: PathBuf,
        /// The file's format.
        found: i64,
        /// The oldest format that this program reads.
        oldest: i64,
        /// The newest format that this program reads.
        known: i64,
    },
    /// Another process is training this run.
    #[error("the run `{name}` is being trained by another process; wait for it, or stop it first")]
    Busy {
        /// The run's name.
        name: String,
    },
    /// The disk is too full to save the next generation.
    #[error("the disk is full: cannot write to {}; it is complete up to generation {generation} and can be resumed when there is space", file.display())]
    DiskFull {
        /// The run's file.
        file: PathBuf,
        /// The last generation in the file.
        generation: u64,
    },
    /// The disk is too full to create a run.
    #[error("the disk is full: {} could not be created; no part of it was left behind", file.display())]
    NoRoom {
        /// The file that could not be created.
        file: PathBuf,
    },
    /// Another program has locked the file.
    #[error("{} is held by another program; close it there", file.display())]
    Held {
        /// The run's file.
        file: PathBuf,
    },
    /// Any other error of SQLite.
    #[error("{}: {source}", file.display())]
    Database {
        /// The run's file.
        file: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// A file could not be read or written.
    #[error("{what} {}: {source}", file.display())]
    File {
        /// What was tried, such as `cannot read`.
        what: &'static str,
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
}

impl From<trainer::Error> for Error {
    fn from(error: trainer::Error) -> Error {
        match error {
            // An error of a run file that was passed through the trainer becomes the original error again.
            trainer::Error::Archive(source) => match source.downcast::<Error>() {
                Ok(error) => *error,
                Err(source) => Error::Trainer(trainer::Error::Archive(source)),
            },
            error => Error::Trainer(error),
        }
    }
}

impl Error {
    /// Why an existing file cannot be read: a broken link, or an error of the system. Returns `None` if no file has this
    /// name or if it can be read.
    pub(crate) fn why_unreachable(file: &Path) -> Option<Error> {
        match (std::fs::symlink_metadata(file), std::fs::metadata(file)) {
            (Ok(link), Err(source)) if link.is_symlink() && source.kind() == std::io::ErrorKind::NotFound => {
                let to = std::fs::read_link(file).map_or_else(|_| "nothing".into(), |to| to.display().to_string());
                Some(Error::refused(format!("{} is a link to {to}, which does not exist", file.display())))
            }
            (Err(source), _) | (Ok(_), Err(source)) if source.kind() != std::io::ErrorKind::NotFound => {
                Some(Error::file("cannot read", file, source))
            }
            _ => None,
        }
    }

    /// The error for a request that cannot be fulfilled; `what` is the whole message.
    pub fn refused(what: impl Into<String>) -> Error {
        Error::Trainer(trainer::Error::Refused(what.into()))
    }

    /// The error for a parameter with an invalid value; `what` is the whole message.
    pub fn parameter(parameter: &'static str, what: impl Into<String>) -> Error {
        Error::Parameter { parameter, what: what.into() }
    }

    /// The error for a text that is not a valid experiment or lab. `place` is the file, with line and column if they
    /// are known.
    pub fn experiment(place: String, what: String) -> Error {
        Error::Trainer(trainer::Error::Experiment { place, what })
    }

    /// The error for an unknown name. The message suggests the most similar known name.
    pub fn unknown(kind: &'static str, found: &str, known: &[&str]) -> Error {
        Error::Trainer(trainer::Error::unknown(kind, found, known))
    }

    /// The error for a file that could not be read, written or otherwise used; `what` says what was tried.
    pub fn file(what: &'static str, file: &Path, source: std::io::Error) -> Error {
        Error::File { what, file: file.to_path_buf(), source }
    }

    /// The error for a file that does not exist.
    pub fn no_file(file: &Path) -> Error {
        Error::refused(format!("there is no file {}", file.display()))
    }
}

impl From<games::UnknownGame> for Error {
    fn from(unknown: games::UnknownGame) -> Error {
        trainer::Error::from(unknown).into()
    }
}

impl From<games::NotationError> for Error {
    fn from(error: games::NotationError) -> Error {
        Error::refused(error.to_string())
    }
}
