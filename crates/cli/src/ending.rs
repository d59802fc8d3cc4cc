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

/// What went wrong, as the command line says it: parameters are called by their flags, and commands that help are named.
pub fn in_words(error: &Error) -> String {
    match error {
        Error::Parameter { parameter, what } => format!("--{parameter}: {what}"),
        Error::RunExists { .. } => format!("{error}, or replace it with --force"),
        Error::NameTaken { name, .. } => format!("{error}, or go on with `gamete resume {name}`"),
        Error::ALab { lab } => {
            format!("{error}; `gamete lab report {lab}` tells of it, and the command that made it goes on with it")
        }
        Error::NoRuns { .. } => format!("{error}; `gamete train` makes one"),
        Error::NoLab { .. } => format!("{error}; `gamete lab run` makes one"),
        Error::NoQuestions => format!("{error}; `gamete questions` finds some"),
        Error::Damaged { .. } => format!("{error}; `gamete check` says what of the run is intact"),
        Error::Held { .. } => format!("{error}, then go on with `gamete resume`"),
        Error::Trainer(trainer::Error::Unknown { kind, suggestion: None, known, .. }) if known.is_empty() => {
            match *kind {
                "run" => format!("{error}; `gamete runs` shows what there is"),
                "experiment" | "game" | "lab" => format!("{error}; `gamete list {kind}s` shows what there is"),
                _ => error.to_string(),
            }
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn errors_name_the_commands_that_help() {
        let check = |error: Error, expected: &str| assert_eq!(in_words(&error), expected);
        let (file, folder) = (PathBuf::from("runs/a.db"), PathBuf::from("runs"));
        let many: Vec<String> = (0..20).map(|number| format!("{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let unknown = |kind| Error::unknown(kind, "zzz", &many);
        check(unknown("run"), "there is no run `zzz`; `gamete runs` shows what there is");
        check(unknown("experiment"), "there is no experiment `zzz`; `gamete list experiments` shows what there is");
        check(unknown("member"), "there is no member `zzz`");
        check(Error::unknown("run", "a", &["b"]), "there is no run `a`; there are b");
        check(Error::parameter("plies", "too many"), "--plies: too many");
        check(
            Error::ALab { lab: "small".to_string() },
            "`small` is a lab, not a run; its runs are named as in `small/nim-2x4-seed-1`; `gamete lab report small` tells of it, and the command that made it goes on with it",
        );
        check(
            Error::NoRuns { run: "a".to_string(), folder: folder.clone() },
            "there is no run `a`: the folder `runs` holds none; `gamete train` makes one",
        );
        check(Error::NoLab { folder: folder.clone() }, "there is no lab in runs; `gamete lab run` makes one");
        check(
            Error::NameTaken { name: "a".to_string(), folder },
            "`a` exists already in runs; choose another name, or go on with `gamete resume a`",
        );
        check(Error::NoQuestions, "there are no questions in the file; `gamete questions` finds some");
        let damaged = Error::Damaged { file: file.clone(), what: "the population is damaged".to_string() };
        check(damaged, "runs/a.db: the population is damaged; `gamete check` says what of the run is intact");
        check(
            Error::Held { file },
            "runs/a.db is held by another program; close it there, then go on with `gamete resume`",
        );
    }
}
