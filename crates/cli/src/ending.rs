//! How a command ends: its exit code, and the message if it fails.

use lab::Error;
use trainer::ExperimentFile;

/// How a command ended that did not fail.
pub enum Done {
    Well,
    Interrupted,
    /// A part of the work failed; a message about it has been printed.
    InPart,
}

/// Why a command failed.
pub enum Failure {
    Lab(Error),
    /// The program that reads the output has closed the pipe. This is no error.
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

/// Returns the error message for the command line: parameters are named by their flags, and commands that help are
/// named.
pub fn in_words(error: &Error) -> String {
    match error {
        Error::Parameter { parameter, what } => format!("--{parameter}: {what}"),
        Error::RunExists { .. } => format!("{error}, or replace it with --force"),
        Error::NameTaken { name, .. } => format!("{error}, or continue it with `gamete resume {name}`"),
        Error::ALab { lab } => {
            format!("{error}; `gamete lab report {lab}` shows its results, and the command that made it continues it")
        }
        Error::UndefinedEngine { name, .. } => format!("{error}; define it with --engine {name}=COMMAND"),
        Error::NoRuns { .. } => format!("{error}; `gamete train` makes one"),
        Error::NoLab { .. } => format!("{error}; `gamete lab run` makes one"),
        Error::NoQuestions => format!("{error}; `gamete questions` finds some"),
        Error::Damaged { .. } => format!("{error}; `gamete check` says which parts of the run are intact"),
        Error::Held { .. } => format!("{error}, then continue with `gamete resume`"),
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

/// If one of these assignments `KEY=VALUE` has a key that the experiment does not have, adds to the error message the
/// command that lists all keys. `name` is the experiment as it was typed.
pub fn with_list_of_keys(
    error: Error,
    experiment: &ExperimentFile,
    name: &str,
    mut assignments: impl Iterator<Item = impl AsRef<str>>,
) -> Error {
    let is_unknown = |text: &str| text.split_once('=').is_some_and(|(key, _)| experiment.value(key.trim()).is_err());
    if !assignments.any(|text| is_unknown(text.as_ref())) {
        return error;
    }
    let complete = |what: &str| {
        let between = if what.ends_with('?') { " " } else { "; " };
        format!("{what}{between}`gamete list parameters --experiment {name}` lists all keys")
    };
    match error {
        Error::Parameter { parameter, what } => Error::parameter(parameter, complete(&what)),
        error => Error::refused(complete(&error.to_string())),
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
            "`small` is a lab, not a run; its runs are named as in `small/nim-2x4-seed-1`; `gamete lab report small` shows its results, and the command that made it continues it",
        );
        check(
            Error::UndefinedEngine { name: "x".to_string(), known: "no engine is defined".to_string() },
            "there is no engine `x` on this machine: no engine is defined; define it with --engine x=COMMAND",
        );
        check(
            Error::NoRuns { run: "a".to_string(), folder: folder.clone() },
            "there is no run `a`: the folder `runs` holds none; `gamete train` makes one",
        );
        check(Error::NoLab { folder: folder.clone() }, "there is no lab in runs; `gamete lab run` makes one");
        check(
            Error::NameTaken { name: "a".to_string(), folder },
            "`a` exists already in runs; choose another name, or continue it with `gamete resume a`",
        );
        check(Error::NoQuestions, "there are no questions in the file; `gamete questions` finds some");
        let damaged = Error::Damaged { file: file.clone(), what: "the population is damaged".to_string() };
        check(damaged, "runs/a.db: the population is damaged; `gamete check` says which parts of the run are intact");
        check(
            Error::Held { file },
            "runs/a.db is held by another program; close it there, then continue with `gamete resume`",
        );
    }
}
