//! The program: all commands, with the games and strategies of Gamete and those that other crates add.

use crate::Done;
use crate::commands::{Cli, Run};
use crate::ending::{Failure, in_words};
use crate::numbers::with_minus;
use crate::plain::{self, Plain};
use crate::signals::{self, Stop};
use clap::{CommandFactory, FromArgMatches};
use evolution::StrategyParams;
use games::Game;
use serde::de::DeserializeOwned;
use std::process::ExitCode;

/// The whole program. Other crates add their games, strategies and experiments before they run it.
///
/// ```no_run
/// # use gamete::evolution::EnnParams as MyParams;
/// # use gamete::games::nim::Nim as MyGame;
/// fn main() -> std::process::ExitCode {
///     gamete::Program::new().game::<MyGame>().strategy::<MyParams>().run()
/// }
/// ```
#[derive(Default)]
#[must_use = "it does nothing until it runs"]
pub struct Program {
    /// Why the program cannot run, for example because two games have the same name.
    refused: Option<String>,
}

impl Program {
    /// Gamete with its own games, strategies and experiments.
    pub fn new() -> Program {
        Program::default()
    }

    /// Adds a game. All commands, the web app, experiments and labs find it by its name.
    pub fn game<G: Game>(self) -> Program {
        if games::names().contains(&G::NAME) {
            return self.refuse(format!("there is a game `{}` already; choose another name", G::NAME));
        }
        lab::register::<G>();
        self
    }

    /// Adds a strategy. Experiments can name it, and its parameters are listed like those of the others.
    pub fn strategy<P: StrategyParams + Default + DeserializeOwned>(self) -> Program {
        match evolution::register::<P>() {
            Ok(()) => self,
            Err(taken) => self.refuse(taken.to_string()),
        }
    }

    /// Adds an experiment, usually with `include_str!`. It can be trained by its name, and the web app offers it. Add its
    /// game and its strategy first.
    pub fn experiment(self, name: &'static str, text: &'static str) -> Program {
        match trainer::register_experiment(name, text) {
            Ok(()) => self,
            Err(error) => self.refuse(error.to_string()),
        }
    }

    /// Runs the command that the command line of the process names.
    pub fn run(self) -> ExitCode {
        if let Some(why) = self.refused {
            tell!("gamete: {why}");
            return ExitCode::from(2);
        }
        signals::survive_file_limits();
        let mut command = with_minus(Cli::command());
        let parsed = Cli::from_arg_matches(&command.get_matches_mut());
        let cli = parsed.unwrap_or_else(|error| error.format(&mut command).exit());
        let out = &mut Plain(std::io::stdout().lock());
        match cli.command.run(out, &Stop::default()) {
            Ok(Done::Well) => ExitCode::SUCCESS,
            Ok(Done::Interrupted) => ExitCode::from(signals::INTERRUPTED),
            Ok(Done::InPart) => ExitCode::FAILURE,
            Err(Failure::Pipe) => ExitCode::SUCCESS,
            Err(Failure::Lab(error)) => {
                tell!("gamete: {}", plain::line(&in_words(&error)));
                ExitCode::from(2)
            }
            Err(Failure::Output(error)) => {
                tell!("gamete: cannot write the output: {error}");
                ExitCode::from(2)
            }
        }
    }

    /// Stores why the program cannot run. The first reason is kept.
    fn refuse(self, why: String) -> Program {
        Program { refused: self.refused.or(Some(why)) }
    }
}
