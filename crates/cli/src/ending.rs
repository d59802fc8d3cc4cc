//! How a command ends.

use lab::Error;

/// What a command ends with, when it does not fail.
pub enum Done {
    Well,
    Interrupted,
    /// A part of the work failed, which has been told.
    InPart,
}

/// Why a command failed.
pub enum Failure {
    Lab(Error),
    /// Whoever read our output has stopped reading: nothing is wrong.
    Pipe,
    Output(std::io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Lab(error)
    }
}

impl From<trainer::Error> for Failure {
    fn from(error: trainer::Error) -> Failure {
        Failure::Lab(error.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Pipe,
            _ => Failure::Output(error),
        }
    }
}

/// What went wrong, as the command line says it: parameters are called by their flags.
pub fn in_words(error: &Error) -> String {
    match error {
        Error::Parameter { parameter, what } => format!("--{parameter}: {what}"),
        Error::RunExists { .. } => format!("{error}, or replace it with --force"),
        _ => error.to_string(),
    }
}
