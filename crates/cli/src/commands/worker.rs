//! `gamete worker`: takes tasks of labs and trainings from a NATS server.

use crate::arguments::{CredentialsArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use cluster::WorkerOptions;
use std::sync::atomic::Ordering;

/// Take tasks of labs and trainings from a NATS server, until Ctrl-C
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete worker nats://127.0.0.1:4222\n  gamete worker nats://lab-pc-1:4222 --threads 4 --creds worker.creds\n\nThe server is `nats-server -js`. Work comes from `gamete train EXPERIMENT --on nats://HOST:4222` and\n`gamete lab run LAB --on nats://HOST:4222`. Ctrl-C finishes games that were begun; a slice of a lab's member is\nhanded back. User and password can be in the environment: GAMETE_NATS_USER and GAMETE_NATS_PASSWORD, or\nGAMETE_NATS_TOKEN. docs/cluster.md has more."
)]
pub struct WorkerArgs {
    /// The server's address, for example nats://127.0.0.1:4222
    address: String,
    #[command(flatten)]
    threads: ThreadsArg,
    /// The worker's name, for lists and messages [default: the machine's name and the number of the process]
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    credentials: CredentialsArg,
}

impl Run for WorkerArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, _out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        let server = self.credentials.server(&self.address)?;
        let name = match self.name {
            Some(name) => trainer::checked_name(&name).map(|()| name)?,
            None => usual_name(),
        };
        let options = WorkerOptions { threads: arena::cores(self.threads.count()), name };
        let tell = |sentence: &str| tell!("{sentence}");
        cluster::work(&server, &options, &tell, || stop.load(Ordering::Relaxed)).map_err(lab::Error::from)?;
        Ok(Done::Interrupted)
    }
}

/// The machine's name and the number of this process.
fn usual_name() -> String {
    let machine = runs::read_text("/proc/sys/kernel/hostname".as_ref()).ok();
    let machine = machine.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let machine = machine.map(|name| trainer::name_from(name.trim())).filter(|name| !name.is_empty());
    format!("{}-{}", machine.unwrap_or_else(|| "worker".to_string()), std::process::id())
}
