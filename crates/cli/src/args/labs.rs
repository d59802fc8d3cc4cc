//! What people type to run many trainings.

use super::{JsonArg, RunsArg, ThreadsArg};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum LabCommand {
    /// Run all members of a lab that are not done yet
    Run(LabRunArgs),
    /// Write what came of a lab so far: a page, figures, tables, all generations
    Report(LabReportArgs),
    /// Train one member of a lab, as `lab run` does in a process for each
    #[command(hide = true)]
    Member(LabMemberArgs),
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete lab run nim-thesis --dry-run\n  gamete lab run nim-thesis\n  gamete lab run my-lab.toml --workers 8\n\nCtrl-C, and even a kill, loses nothing: the same command goes on where it stopped. Members that are\ndone are not run again. `gamete list labs` shows what there is."
)]
pub struct LabRunArgs {
    /// A lab: a path, or the name of one inside the program
    pub lab: String,
    /// How many processor cores are used [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// Tell what would run, and what it would cost by trying each configuration for a moment; run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The lab's folder [default: one of the lab's name in the folder of runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete lab report nim-thesis\n  gamete lab report runs/nim-thesis --out paper\n\nIt works on a lab that is still running, too. The page report.html needs no other file and no network;\nbeside it are figures/ (SVG and PNG), tables/ (CSV and Markdown), generations.parquet, and files.txt, a list.\nFigures and tables of an earlier report there, which this one does not have, are removed."
)]
pub struct LabReportArgs {
    /// A lab: its name, or the path of its folder
    pub lab: String,
    /// Where to write it [default: the folder `report` in the lab's folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Example:\n  gamete tune nim-2x4 --vary strategy.enn.exponent=0.5..4 --vary strategy.enn.elites=0..0.3 --budget 60\n\nA round trains all candidates for a ninth of a whole run, the better third of them for a third, the best\nof those to the end; a whole run is as many games as the experiment has. Who is better is told by games\nbetween the champions that they bred; the best are the parents of the next round's. In the end the best is\ncompared with the experiment as it is, on other seeds. The same command goes on where it was interrupted."
)]
pub struct TuneArgs {
    /// An experiment: a path, or the name of one inside the program
    pub experiment: String,
    /// What may vary: KEY=LOW..HIGH for numbers, KEY=ONE|TWO for choices; may be given several times
    #[arg(long, value_name = "KEY=VALUES", required = true)]
    pub vary: Vec<String>,
    /// How much training may be spent, in whole runs of the experiment: as many games as it has now; checking is not counted
    #[arg(long, value_name = "RUNS")]
    pub budget: f64,
    /// How many candidates a round has
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u16).range(3..=1000))]
    pub candidates: u16,
    /// The seeds by which candidates are judged: A-B, or A,B,C
    #[arg(long, value_name = "A-B", default_value = "1001-1003")]
    pub seeds: String,
    /// Other seeds, on which the best is compared with the experiment as it is; `none` compares nothing
    #[arg(long, value_name = "A-B", default_value = "2001-2010")]
    pub check: String,
    /// How candidates are judged
    #[arg(long, value_enum, default_value_t = JudgeArg::Games)]
    pub judge: JudgeArg,
    /// Games between each two champions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// Where the choice of candidates comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Override a parameter for all candidates; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// How many processor cores are used [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// What the tuning is called; its folder lies in the folder of runs [default: the experiment's name and -tune]
    #[arg(long)]
    pub name: Option<String>,
    /// Where to write the experiment with the best settings [default: EXPERIMENT-tuned.toml in the tuning's folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum JudgeArg {
    /// By games between the champions that they bred
    Games,
    /// By the grade of their champions in the exam, which then is no longer a test of what was found
    Exam,
}

#[derive(Args)]
pub struct LabMemberArgs {
    /// The lab's folder
    pub folder: PathBuf,
    /// The member's name
    pub member: String,
    /// Up to so many generations [default: to its end]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
}
