//! The list of commands. A command is a file below: its arguments, what it does, and what it prints.

mod bench;
mod check;
mod endgames;
mod exam;
mod export;
mod games;
mod growth;
mod lab;
mod list;
mod match_players;
mod moves;
mod perft;
mod play;
mod populations;
mod questions;
mod resume;
mod runs;
mod serve;
mod show;
mod train;
mod tune;

use crate::plain::Plain;
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::{Parser, Subcommand};
use std::io::StdoutLock;

/// Breeds neural networks that teach themselves board games from the rules and who won.
#[derive(Parser)]
#[command(name = "gamete", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Begin with `gamete train`: it breeds a player of misère Nim that makes no mistakes.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// A command with its arguments. Its documentation is what `--help` says.
pub trait Run {
    /// Whether Ctrl-C asks the command to stop when its generation or game is done, instead of ending it at once.
    const STOPS_GENTLY: bool = false;

    /// Does the work, prints to `out` what came of it, and stops early when `stop` is set.
    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure>;
}

/// Standard output, which no text from outside can use to command the terminal.
pub type Out = Plain<StdoutLock<'static>>;

/// Makes the enum of commands from a list.
macro_rules! commands {
    ($(#[$about:meta])* $all:ident { $($(#[$hint:meta])* $name:ident($args:ty),)+ }) => {
        $(#[$about])*
        #[derive(Subcommand)]
        pub enum $all {
            $($(#[$hint])* $name($args),)+
        }

        impl Run for $all {
            fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
                match self {
                    $($all::$name(command) => start(command, out, stop),)+
                }
            }
        }
    };
}
use commands;

fn start<C: Run>(command: C, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
    if C::STOPS_GENTLY {
        stop.listen();
    }
    command.run(out, stop)
}

commands! {
    /// All commands, in the order in which `--help` lists them.
    Command {
        Train(train::TrainArgs),
        Resume(resume::ResumeArgs),
        Runs(runs::RunsArgs),
        Show(show::ShowArgs),
        Check(check::CheckArgs),
        Games(games::GamesArgs),
        Exam(exam::ExamArgs),
        Play(play::PlayArgs),
        Serve(serve::ServeArgs),
        Match(match_players::MatchArgs),
        Growth(growth::GrowthArgs),
        #[command(subcommand)]
        Lab(lab::LabCommand),
        Tune(tune::TuneArgs),
        Moves(moves::MovesArgs),
        Perft(perft::PerftArgs),
        Endgames(endgames::EndgamesArgs),
        Questions(questions::QuestionsArgs),
        Export(export::ExportArgs),
        List(list::ListArgs),
        Bench(bench::BenchArgs),
    }
}
