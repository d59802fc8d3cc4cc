//! `gamete workers`: the workers that wait at a NATS server, and what they do.

use crate::arguments::{CredentialsArg, JsonArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::words::span;
use crate::{Done, Failure, tables};
use clap::Args;
use cluster::WorkerState;
use serde_json::json;
use std::io::Write;

/// List the workers at a NATS server, and what they do
#[derive(Args)]
#[command(after_help = "Example:\n  gamete workers nats://127.0.0.1:4222")]
pub struct WorkersArgs {
    /// The server's address, for example nats://127.0.0.1:4222
    address: String,
    #[command(flatten)]
    credentials: CredentialsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for WorkersArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let server = self.credentials.server(&self.address)?;
        let workers = cluster::workers(&server).map_err(lab::Error::from)?;
        if self.json.json {
            workers.iter().try_for_each(|worker| writeln!(out, "{}", json!(worker)))?;
            return Ok(Done::Well);
        }
        if workers.is_empty() {
            tell!("no worker answers at {}; `gamete worker {}` starts one", server.address(), server.address());
            return Ok(Done::Well);
        }
        let row = |worker: &WorkerState| {
            let doing = match &worker.doing[..] {
                [] => "waits".to_string(),
                [one] => one.clone(),
                [one, more @ ..] => format!("{one} and {} more", more.len()),
            };
            vec![
                worker.name.clone(),
                worker.version.clone(),
                format!("{} of {}", worker.threads, worker.cores),
                worker.tasks.to_string(),
                worker.games.to_string(),
                span(worker.seconds),
                worker.error.clone().unwrap_or(doing),
            ]
        };
        let head = ["worker", "version", "cores", "tasks", "games", "since", "does"];
        tables::print(out, &head, &workers.iter().map(row).collect::<Vec<_>>())?;
        Ok(Done::Well)
    }
}
