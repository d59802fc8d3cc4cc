//! Arguments that several commands share.

use crate::Failure;
use crate::numbers::whole;
use crate::signals::Stop;
use clap::Args;
use cluster::{Coordinator, CoordinatorOptions, Server};
use lab::Error;
use players::{Engines, PlayerSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[derive(Args)]
pub struct JsonArg {
    /// Print one JSON object per line on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ThreadsArg {
    /// The number of threads that share the work, up to 256; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
}

impl ThreadsArg {
    pub fn count(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

#[derive(Args)]
pub struct SetupArg {
    /// Override a part of the game's setup, for example `start=random`; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub setup: Vec<String>,
}

#[derive(Args)]
pub struct GameArg {
    /// The game [default: the game of the players; run:, champion: and file: know theirs]
    #[arg(long)]
    pub game: Option<String>,
}

impl GameArg {
    /// The game that was asked for, or the one that the players know. Each player is given as typed and as parsed.
    pub fn of(&self, players: &[(&str, &PlayerSpec)], runs: &Path) -> Result<String, Failure> {
        if let Some(game) = &self.game {
            return Ok(game.clone());
        }
        let mut known: Option<(&str, &str)> = None;
        for (name, player) in players {
            match (known, player.game(runs)?) {
                (Some((other, theirs)), Some(game)) if theirs != game => {
                    let what = format!("{other} plays {theirs}, but {name} plays {game}; they cannot meet");
                    return Err(Error::refused(what).into());
                }
                (None, Some(game)) => known = Some((name, game)),
                _ => {}
            }
        }
        let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
        let nobody = match names.as_slice() {
            [one, two] => format!("neither {one} nor {two} names a game"),
            _ => format!("{} does not name a game", names.join(", ")),
        };
        let what = || format!("{nobody}; choose one of {}", games::names().join(", "));
        known.map(|(_, game)| game.to_string()).ok_or_else(|| Error::parameter("game", what()).into())
    }
}

#[derive(Args)]
pub struct EnginesArg {
    /// Define an engine by a name, so that players can be called engine:NAME; can be given several times
    #[arg(long = "engine", value_name = "NAME=COMMAND")]
    engines: Vec<String>,
}

impl EnginesArg {
    /// The engines for a command whose players are typed on the command line: they may also be called engine:COMMAND.
    pub fn or_commands(&self) -> Result<Arc<Engines>, Failure> {
        self.defined(Engines::of_command_line())
    }

    /// The engines for a command whose players come from files or other people.
    pub fn by_name(&self) -> Result<Arc<Engines>, Failure> {
        self.defined(Engines::default())
    }

    fn defined(&self, mut engines: Engines) -> Result<Arc<Engines>, Failure> {
        for definition in &self.engines {
            engines.define(definition)?;
        }
        // Only Linux has a way to let a process end with another one.
        Ok(Arc::new(match std::env::current_exe() {
            Ok(program) if cfg!(target_os = "linux") => engines.guarded_by(program),
            _ => engines,
        }))
    }
}

#[derive(Args)]
pub struct RunsArg {
    /// The folder of runs [default: the environment variable GAMETE_RUNS, or runs]
    #[arg(long, value_name = "DIR", default_value_os_t = usual_runs(), hide_default_value = true)]
    pub runs: PathBuf,
}

/// The folder of runs if the flag is not given. The variable is not read by clap, which would then print `--runs <DIR>` in
/// usage lines as if it were required.
fn usual_runs() -> PathBuf {
    variable("GAMETE_RUNS").unwrap_or_else(|| "runs".into())
}

/// The path in an environment variable; `None` if it is not set, or empty.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl RunsArg {
    /// Returns the flag that a suggested command needs to find the same folder; empty if it needs none.
    pub fn flag(&self) -> String {
        match self.runs == usual_runs() {
            true => String::new(),
            false => format!(" --runs {}", self.runs.display()),
        }
    }
}

#[derive(Args)]
pub struct CredentialsArg {
    /// A file of NATS credentials [default: the environment variables GAMETE_NATS_USER and GAMETE_NATS_PASSWORD, or
    /// GAMETE_NATS_TOKEN, or none]
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
}

impl CredentialsArg {
    /// The server at an address.
    pub fn server(&self, address: &str) -> Result<Server, Error> {
        Ok(Server::from_environment(address, self.creds.as_deref())?)
    }
}

#[derive(Args)]
pub struct OnArg {
    /// Share the work with all workers at this NATS server, for example nats://127.0.0.1:4222
    #[arg(long, value_name = "ADDRESS")]
    on: Option<String>,
    /// With --on: a second worker repeats this share of all tasks, from 0 to 1, and both results must be equal
    #[arg(long, value_name = "SHARE", requires = "on", default_value_t = 0.0, value_parser = share, hide_default_value = true)]
    verify: f64,
    /// With --on: leave messages and files of finished work on the server
    #[arg(long, requires = "on")]
    keep: bool,
    #[command(flatten)]
    credentials: CredentialsArg,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("it is not a number from 0 to 1".to_string()),
    }
}

impl OnArg {
    /// The connection to the server; `None` if the work is done here.
    pub fn coordinator(&self, stop: &Stop) -> Result<Option<Coordinator>, Error> {
        let Some(address) = &self.on else { return Ok(None) };
        let server = self.credentials.server(address)?;
        let stop = stop.clone();
        let options = CoordinatorOptions {
            verify: self.verify,
            keep: self.keep,
            tell: Arc::new(|sentence| tell!("{sentence}")),
            stopped: Box::new(move || stop.load(Ordering::Relaxed)),
        };
        Ok(Some(Coordinator::connect(&server, options)?))
    }

    /// Whether the work is to be shared.
    pub fn is_given(&self) -> bool {
        self.on.is_some()
    }
}

#[derive(Args)]
pub struct TablesArg {
    /// The folder in which endgame tables are saved [default: the environment variable GAMETE_TABLES, or gamete in the
    /// user's cache folder]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TablesArg {
    /// Returns the given folder, or else that of the environment, or else `gamete` in the user's cache folder.
    pub fn folder(&self) -> PathBuf {
        let cache = || variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
        let folder = || cache().unwrap_or_else(std::env::temp_dir).join("gamete");
        self.tables.clone().or_else(|| variable("GAMETE_TABLES")).unwrap_or_else(folder)
    }
}
