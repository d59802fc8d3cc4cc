//! Engines of other programs as players: how they are named and started, and how they are asked for moves.

mod cecp;
mod client;
mod hub;
mod player;
mod process;
mod uci;

pub(crate) use player::{EnginePlayer, EngineSettings};

use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The engines that a person at this machine has defined, and how they are started.
#[derive(Debug, Default)]
pub struct Engines {
    /// By name: the command that starts the engine.
    named: BTreeMap<String, String>,
    /// Whether a player may name a command. It must be `false` if players come from files or from other people.
    takes_commands: bool,
    /// The command of this program that starts an engine so that the engine ends with this program, if it has one.
    guard: Option<PathBuf>,
    /// By engine and reason: the number of games that it lost because of what it did wrong.
    forfeits: Mutex<BTreeMap<(String, String), u32>>,
    /// Engines that have been started, with their protocols and options.
    started: Mutex<BTreeSet<String>>,
}

/// Games that an engine lost because it crashed, did not answer or made an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Forfeit {
    /// The engine: its name, or its command.
    pub engine: String,
    /// What it did wrong.
    pub reason: String,
    /// The number of games.
    pub games: u32,
}

/// The name of the command of a guard. It takes the number of this process, and then the engine's own command.
pub const GUARD: &str = "engine-guard";

impl Engines {
    /// Players may name commands, as on the command line.
    pub fn of_command_line() -> Engines {
        Engines { takes_commands: true, ..Engines::default() }
    }

    /// Defines an engine by `NAME=COMMAND`.
    pub fn define(&mut self, definition: &str) -> Result<(), Error> {
        let refuse = |why: String| Err(Error::parameter("engine", format!("`{definition}` {why}")));
        let Some((name, command)) = definition.split_once('=') else {
            return refuse("has no equals sign; expected NAME=COMMAND, as in fairy=fairy-stockfish".to_string());
        };
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || !name.chars().all(allowed) {
            return refuse("has a name with other characters than letters, digits, `-`, `_` and `.`".to_string());
        }
        if let Err(why) = words(command) {
            return refuse(format!("cannot be used: {why}"));
        }
        if self.named.insert(name.to_string(), command.to_string()).is_some() {
            return refuse("defines a name that is defined already".to_string());
        }
        Ok(())
    }

    /// Engines are started by this program's own command [`GUARD`], which lets them end with this program.
    pub fn guarded_by(self, program: PathBuf) -> Engines {
        Engines { guard: Some(program), ..self }
    }

    /// All engines as they were defined: `NAME=COMMAND`.
    pub fn definitions(&self) -> Vec<String> {
        self.named.iter().map(|(name, command)| format!("{name}={command}")).collect()
    }

    /// Whether an engine has this name.
    pub fn has(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// The games that engines lost because of what they did wrong.
    pub fn forfeits(&self) -> Vec<Forfeit> {
        let forfeits = self.forfeits.lock().unwrap_or_else(PoisonError::into_inner);
        let forfeit = |((engine, reason), games): (&(String, String), &u32)| Forfeit {
            engine: engine.clone(),
            reason: reason.clone(),
            games: *games,
        };
        forfeits.iter().map(forfeit).collect()
    }

    fn forfeit(&self, engine: &str, reason: &str) {
        let mut forfeits = self.forfeits.lock().unwrap_or_else(PoisonError::into_inner);
        *forfeits.entry((engine.to_string(), reason.to_string())).or_default() += 1;
    }

    /// Whether an engine has been started before.
    fn has_started(&self, engine: &str) -> bool {
        self.started.lock().unwrap_or_else(PoisonError::into_inner).contains(engine)
    }

    /// Notes that an engine has been started.
    fn note_started(&self, engine: &str) {
        self.started.lock().unwrap_or_else(PoisonError::into_inner).insert(engine.to_string());
    }

    /// The words of the command of an engine, which is given by its name or by its command.
    pub(crate) fn command_of(&self, engine: &str) -> Result<Vec<String>, Error> {
        let command = match self.named.get(engine) {
            Some(command) => command,
            None if self.takes_commands => engine,
            None => {
                let known = match self.named.keys().map(String::as_str).collect::<Vec<_>>().join(", ") {
                    none if none.is_empty() => "no engine is defined".to_string(),
                    names => format!("defined are {names}"),
                };
                return Err(Error::UndefinedEngine { name: engine.to_string(), known });
            }
        };
        let words = words(command).map_err(|why| Error::refused(format!("`{command}` is no command: {why}")))?;
        match is_program(&words[0]) {
            true => Ok(words),
            false => Err(Error::refused(format!("there is no program `{}`; install it, or give its path", words[0]))),
        }
    }

    /// The command that starts an engine.
    fn start(&self, words: &[String]) -> Command {
        let mut command = match &self.guard {
            Some(guard) => {
                let mut command = Command::new(guard);
                command.args([GUARD, &std::process::id().to_string(), "--", &words[0]]);
                command
            }
            None => Command::new(&words[0]),
        };
        command.args(&words[1..]);
        command
    }
}

/// The words of a command, which are separated and quoted as in a shell.
fn words(command: &str) -> Result<Vec<String>, String> {
    match shlex::split(command) {
        None => Err("a quotation mark is missing".to_string()),
        Some(words) if words.first().is_none_or(String::is_empty) => Err("the program is missing".to_string()),
        Some(words) => Ok(words),
    }
}

/// Whether there is such a program: a path, or a name in one of the folders of `PATH`.
fn is_program(program: &str) -> bool {
    if program.contains(std::path::is_separator) {
        return Path::new(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| {
        folder.join(program).is_file() || (cfg!(windows) && folder.join(format!("{program}.exe")).is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_defined_and_found() {
        let mut engines = Engines::default();
        engines.define("shell='/bin/sh' -c \"echo 'a, b'\"").unwrap();
        assert_eq!(engines.command_of("shell").unwrap(), ["/bin/sh", "-c", "echo 'a, b'"]);
        for (definition, why) in [
            ("shell", "has no equals sign"),
            ("=x", "has a name with other characters"),
            ("a b=x", "has a name with other characters"),
            ("shell=x", "defines a name that is defined already"),
            ("x='", "a quotation mark is missing"),
            ("x=", "the program is missing"),
        ] {
            let error = engines.define(definition).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        // Only the command line may name commands.
        let refused = engines.command_of("/bin/sh").unwrap_err();
        assert!(matches!(&refused, Error::UndefinedEngine { name, .. } if name == "/bin/sh"), "{refused}");
        let engines = Engines::of_command_line();
        assert_eq!(engines.command_of("/bin/sh -c x").unwrap(), ["/bin/sh", "-c", "x"]);
        let missing = engines.command_of("no-such-program").unwrap_err().to_string();
        assert!(missing.contains("there is no program `no-such-program`"), "{missing}");
    }
}
