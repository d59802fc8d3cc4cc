//! `gamete lab`: trains many experiments with many seeds, and reports the results.

mod member;
mod report;
mod run;

use crate::commands::{Out, Run, commands, start};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Subcommand;
use lab::{Machine, MemberJob, WorkOptions};

/// The message if the program is ended before all members are done.
pub const LAST_WORDS: &str = "ended before the current generations were done; every run is complete up to the generation before, and the same command continues where it stopped";

/// How members are trained: in processes of this program, on the machine's threads, with its engines.
pub fn work(machine: &Machine) -> Result<WorkOptions, Failure> {
    let program = std::env::current_exe().map_err(Failure::Output)?;
    let engines = machine.engines.definitions();
    let member = Box::new(move |job: &MemberJob| member::command(&program, job, &engines));
    Ok(WorkOptions { member, workers: arena::cores(machine.threads) })
}

commands! {
    /// Train many experiments with many seeds, and compare them
    LabCommand {
        Run(run::LabRunArgs),
        Report(report::LabReportArgs),
        #[command(hide = true)]
        Member(member::LabMemberArgs),
    }
}
