//! The list of commands. Each command is one file in this folder: its arguments, its work, and its output.

mod bench;
mod check;
mod endgames;
mod engine;
mod engine_guard;
mod exam;
mod export;
mod games;
mod growth;
mod lab;
mod ladder;
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
mod worker;
mod workers;

use crate::plain::Plain;
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::{Parser, Subcommand};
use std::io::StdoutLock;

/// Breeds neural networks that teach themselves board games, from the rules and the results of games alone.
#[derive(Parser)]
#[command(name = "gamete", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Begin with `gamete train`: it breeds a perfect player of misère Nim in a few seconds.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// A command with its arguments. Its doc comments are the text of `--help`.
pub trait Run {
    /// Whether Ctrl-C lets the command finish its generation or game first, instead of ending the program at once.
    const STOPS_GENTLY: bool = false;

    /// Does the work and prints the result to `out`. Stops early if `stop` is set.
    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure>;
}

/// Standard output, with all control characters made visible: text from files must not control the terminal.
pub type Out = Plain<StdoutLock<'static>>;

/// Defines an enum of commands from a list.
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
        Engine(engine::EngineArgs),
        #[command(hide = true)]
        EngineGuard(engine_guard::EngineGuardArgs),
        Ladder(ladder::LadderArgs),
        Growth(growth::GrowthArgs),
        #[command(subcommand)]
        Lab(lab::LabCommand),
        Tune(tune::TuneArgs),
        Worker(worker::WorkerArgs),
        Workers(workers::WorkersArgs),
        Moves(moves::MovesArgs),
        Perft(perft::PerftArgs),
        Endgames(endgames::EndgamesArgs),
        Questions(questions::QuestionsArgs),
        Export(export::ExportArgs),
        List(list::ListArgs),
        Bench(bench::BenchArgs),
    }
}
