//! A program: the games and strategies that come with Gamete, those that others add, and all commands.

use crate::Done;
use crate::commands::{Cli, Run};
use crate::ending::{Failure, in_words};
use crate::plain::{self, Plain};
use crate::signals::{self, Stop};
use clap::Parser;
use evolution::StrategyParams;
use games::Game;
use serde::de::DeserializeOwned;
use std::process::ExitCode;

/// The whole program, to which games, strategies and experiments of other crates are added before it runs.
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
    /// Why the program cannot run as it was put together.
    refused: Option<String>,
}

impl Program {
    /// Gamete as it comes.
    pub fn new() -> Program {
        Program::default()
    }

    /// Adds a game: commands, the web app, experiments and labs know it by its name.
    pub fn game<G: Game>(self) -> Program {
        if games::names().contains(&G::NAME) {
            return self.refuse(format!("there is a game `{}` already; choose another name", G::NAME));
        }
        lab::register::<G>();
        self
    }

    /// Adds a strategy: experiments can name it, and its parameters are listed like those of any other.
    pub fn strategy<P: StrategyParams + Default + DeserializeOwned>(self) -> Program {
        match evolution::register::<P>() {
            Ok(()) => self,
            Err(taken) => self.refuse(taken.to_string()),
        }
    }

    /// Adds an experiment, usually by `include_str!`: it can be trained by its name, and the web app offers it. Its game and
    /// its strategy are added first.
    pub fn experiment(self, name: &'static str, text: &'static str) -> Program {
        match trainer::register_experiment(name, text) {
            Ok(()) => self,
            Err(error) => self.refuse(error.to_string()),
        }
    }

    /// Does what the command line of the process asks for.
    pub fn run(self) -> ExitCode {
        if let Some(why) = self.refused {
            tell!("gamete: {why}");
            return ExitCode::from(2);
        }
        signals::survive_file_limits();
        let cli = Cli::parse();
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

    /// The first reason stays.
    fn refuse(self, why: String) -> Program {
        Program { refused: self.refused.or(Some(why)) }
    }
}
