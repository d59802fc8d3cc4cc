//! `gamete lab member`: trains one member of a lab. `lab run` starts such a process for each member.

use crate::arguments::{EnginesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::numbers::{MOST, whole};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use lab::{LabFolder, Machine, MemberJob};
use runs::Stopped;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Train one member of a lab; `lab run` starts such a process for each member
#[derive(Args)]
pub struct LabMemberArgs {
    /// The lab's folder
    folder: PathBuf,
    /// The member's name
    member: String,
    /// Stop after this number of generations [default: the end of the run]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST))]
    generations: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    engines: EnginesArg,
}

impl Run for LabMemberArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, _out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        member(&self, stop)
    }
}

/// Returns the command that trains one member, for [`LabMemberArgs`] to parse.
pub fn command(program: &Path, job: &MemberJob, engines: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(["lab", "member", "--threads", &job.threads.to_string()]);
    if let Some(generations) = job.generations {
        command.args(["--generations", &generations.to_string()]);
    }
    engines.iter().for_each(|engine| {
        command.args(["--engine", engine]);
    });
    // Names can begin with a hyphen, like flags.
    command.arg("--").arg(job.folder).arg(job.member);
    command
}

/// Trains one member. Each line on standard input asks it to stop after the current generation. If standard input ends,
/// the parent process is gone, and this process ends within a few seconds.
fn member(args: &LabMemberArgs, stop: &Stop) -> Result<Done, Failure> {
    let folder = LabFolder::open(&args.folder)?;
    let listening = stop.clone();
    std::thread::spawn(move || {
        for _ in std::io::stdin().lines().map_while(Result::ok) {
            listening.ask();
        }
        listening.end_soon();
    });
    let mut tell = |line: lab::MemberLine| {
        // If the parent process is gone, writing fails; standard input then ends as well.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{}", json!(line)).and_then(|()| out.flush());
    };
    let machine = Machine { threads: args.threads.count().or(Some(1)), engines: args.engines.by_name()?, share: None };
    let stopped = lab::train_member(&folder, &args.member, args.generations, &machine, &mut tell, stop)?;
    Ok(if stopped == Stopped::Interrupted { Done::Interrupted } else { Done::Well })
}
