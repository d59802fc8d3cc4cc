//! `gamete lab member`: one member of a lab in a process of its own, as `lab run` starts it.

use crate::arguments::ThreadsArg;
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use lab::{LabFolder, MemberJob};
use runs::Stopped;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Train one member of a lab, as `lab run` does in a process for each
#[derive(Args)]
pub struct LabMemberArgs {
    /// The lab's folder
    folder: PathBuf,
    /// The member's name
    member: String,
    /// Up to so many generations [default: to its end]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    generations: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArg,
}

impl Run for LabMemberArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, _out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        member(&self, stop)
    }
}

/// The command line of one member, as [`LabMemberArgs`] reads it.
pub fn command(program: &Path, job: &MemberJob) -> Command {
    let mut command = Command::new(program);
    command.args(["lab", "member", "--threads", &job.threads.to_string()]);
    if let Some(generations) = job.generations {
        command.args(["--generations", &generations.to_string()]);
    }
    // Names may begin as flags do.
    command.arg("--").arg(job.folder).arg(job.member);
    command
}

/// Trains one member; stops when standard input says so. When that ends, whoever started it is gone, and nobody waits for
/// the generation under way.
fn member(args: &LabMemberArgs, stop: &Stop) -> Result<Done, Failure> {
    let folder = LabFolder::open(&args.folder)?;
    let listening = stop.clone();
    std::thread::spawn(move || {
        // Each line asks to stop when the generation is done.
        for _ in std::io::stdin().lines().map_while(Result::ok) {
            listening.ask();
        }
        listening.end_soon();
    });
    let mut tell = |line: lab::MemberLine| {
        // Whoever listened may be gone; then standard input ends, too.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{}", json!(line)).and_then(|()| out.flush());
    };
    let threads = args.threads.count().unwrap_or(1);
    let stopped = lab::train_member(&folder, &args.member, args.generations, threads, &mut tell, stop)?;
    Ok(if stopped == Stopped::Interrupted { Done::Interrupted } else { Done::Well })
}
