//! `gamete lab`: many runs, unattended, and what came of them.

mod member;
mod report;
mod run;

use crate::commands::{Out, Run, commands, start};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Subcommand;
use lab::{MemberJob, WorkOptions};

/// What is said if the program ends before its members have.
pub const LAST_WORDS: &str = "ended before all generations under way were done; every run is whole up to the generation before, and the same command goes on where it stopped";

/// How members are trained: by this program, on so many cores, or on all.
pub fn work(cores: Option<usize>) -> Result<WorkOptions, Failure> {
    let program = std::env::current_exe().map_err(Failure::Output)?;
    let member = Box::new(move |job: &MemberJob| member::command(&program, job));
    Ok(WorkOptions { member, workers: arena::cores(cores) })
}

commands! {
    /// Run many experiments with many seeds, unattended, and compare them
    LabCommand {
        Run(run::LabRunArgs),
        Report(report::LabReportArgs),
        #[command(hide = true)]
        Member(member::LabMemberArgs),
    }
}
