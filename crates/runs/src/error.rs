//! Everything that can go wrong with runs and files, and that somebody can do something about.

use std::path::{Path, PathBuf};

/// What went wrong: what was found, and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A request or an experiment that cannot be, whatever files there are.
    #[error(transparent)]
    Trainer(trainer::Error),
    /// A parameter of a request that cannot be. The program that was asked knows what the parameter is called there, such
    /// as a flag of the command line.
    #[error("{what}")]
    Parameter {
        /// The parameter's name in the library, such as `plies`.
        parameter: &'static str,
        /// What was found, and what would be right; it makes sense without the name.
        what: String,
    },
    /// A run was asked for, and the name is a lab's.
    #[error("`{lab}` is a lab, not a run; its runs are named as in `{lab}/nim-2x4-seed-1`")]
    ALab {
        /// Its name or path.
        lab: String,
    },
    /// A run was asked for where there are none.
    #[error("there is no run `{run}`: the folder `{}` holds none", folder.display())]
    NoRuns {
        /// The run's name.
        run: String,
        /// The folder.
        folder: PathBuf,
    },
    /// A given run name that is taken.
    #[error("the run `{name}` exists already ({}); choose another name", file.display())]
    RunExists {
        /// The name.
        name: String,
        /// Where it is.
        file: PathBuf,
    },
    /// A name for several populations that a run or a lab has already.
    #[error("`{name}` exists already in {}; choose another name", folder.display())]
    NameTaken {
        /// The name.
        name: String,
        /// The folder of runs.
        folder: PathBuf,
    },
    /// A lab was asked for where there is none.
    #[error("there is no lab in {}", folder.display())]
    NoLab {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// A file of test positions that holds none.
    #[error("there are no questions in the file")]
    NoQuestions,
    /// A file that is no run.
    #[error("{} is not a run: {why}", file.display())]
    NotARun {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// A part of a run that is not what was written.
    #[error("{}: {what}", file.display())]
    Damaged {
        /// The run's file.
        file: PathBuf,
        /// What is wrong.
        what: String,
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
    #[error("{} was written by an older Gamete: its format is {found}, this program reads formats from {oldest} to {known}; read it with that one, or train it again", file.display())]
    OlderRun {
        /// The file.
        file: PathBuf,
        /// The file's format.
        found: i64,
        /// The oldest that can be read.
        oldest: i64,
        /// The newest.
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
    /// No room for a new run.
    #[error("the disk is full: {} could not be made, and nothing is left of it", file.display())]
    NoRoom {
        /// The file that it would have had.
        file: PathBuf,
    },
    /// Another program holds the file.
    #[error("{} is held by another program; close it there", file.display())]
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

impl From<trainer::Error> for Error {
    fn from(error: trainer::Error) -> Error {
        match error {
            // What a run's file said of a champion is told in its own words.
            trainer::Error::Archive(source) => match source.downcast::<Error>() {
                Ok(error) => *error,
                Err(source) => Error::Trainer(trainer::Error::Archive(source)),
            },
            error => Error::Trainer(error),
        }
    }
}

impl Error {
    /// A request that cannot be met, for this reason.
    pub fn refused(what: impl Into<String>) -> Error {
        Error::Trainer(trainer::Error::Refused(what.into()))
    }

    /// A parameter that cannot be, for this reason.
    pub fn parameter(parameter: &'static str, what: impl Into<String>) -> Error {
        Error::Parameter { parameter, what: what.into() }
    }

    /// A text that is no experiment or lab; `place` is the file, with line and column where there are such.
    pub fn experiment(place: String, what: String) -> Error {
        Error::Trainer(trainer::Error::Experiment { place, what })
    }

    /// There is no thing of that name; the nearest name is suggested.
    pub fn unknown(kind: &'static str, found: &str, known: &[&str]) -> Error {
        Error::Trainer(trainer::Error::unknown(kind, found, known))
    }

    /// Something could not be done with a file.
    pub fn file(what: &'static str, file: &Path, source: std::io::Error) -> Error {
        Error::File { what, file: file.to_path_buf(), source }
    }

    /// A file that is not there.
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
