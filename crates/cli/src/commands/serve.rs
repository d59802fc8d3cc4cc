//! `gamete serve`: starts the web app, prints its address, and ends it on Ctrl-C.

use crate::arguments::{CredentialsArg, EnginesArg, RunsArg, TablesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::signals::{self, Stop};
use crate::{Done, Failure};
use clap::Args;
use lab::Error;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use web::{Cluster, ClusterState, ClusterWorker, Door, Options, Server};

/// Start the web app: watch populations learn, and play against their champions
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete serve\n  gamete serve --on nats://127.0.0.1:4222\n  gamete serve --host 192.168.1.5 --token $(head -c 12 /dev/urandom | base64 | tr +/ -_)\n\nOnly browsers on this machine can reach the web app, unless --host opens it to others. Everybody who reaches it can start trainings and delete runs, so --host needs a token. Ctrl-C ends it and saves running trainings; `gamete resume` continues them."
)]
pub struct ServeArgs {
    /// The port on 127.0.0.1, or 0 for any free port [default: 4263, or one of the next ports if it is taken]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0..=65535))]
    port: Option<u16>,
    /// Listen on this address of the machine, so that other machines can connect; needs --token
    #[arg(long, value_name = "ADDRESS")]
    host: Option<std::net::IpAddr>,
    /// The secret that browsers must know: at least 16 letters and digits. Without --host it protects against other users
    /// of this machine
    #[arg(long, value_name = "SECRET", env = "GAMETE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    engines: EnginesArg,
    /// Show the workers at this NATS server on the page Runs, for example nats://127.0.0.1:4222
    #[arg(long, value_name = "ADDRESS")]
    on: Option<String>,
    #[command(flatten)]
    credentials: CredentialsArg,
}

impl Run for ServeArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        serve(out, self)
    }
}

/// Serves until Ctrl-C.
fn serve(out: &mut impl Write, args: ServeArgs) -> Result<Done, Failure> {
    let runs = args.runs.runs.clone();
    let door = door(args.host, args.token)?;
    let (tables, threads) = (args.tables.folder(), args.threads.count());
    let options =
        Options { runs: runs.clone(), tables, engines: args.engines.by_name()?, port: args.port, door, threads };
    let failed = |error: web::ServeError| Failure::from(Error::refused(error.to_string()));
    let overview = match &args.on {
        Some(address) => Some(cluster::Overview::connect(&args.credentials.server(address)?).map_err(Error::from)?),
        None => None,
    };
    let mut server = Server::bind(options).map_err(failed)?;
    if let Some(overview) = overview {
        server.show_cluster(Arc::new(Shown(overview)));
    }
    let (address, end) = (server.address(), server.end_handle());
    if signals::listen(move |_| end.end()).is_err() {
        tell!("gamete: Ctrl-C cannot be caught here; it will end the program at once");
    }
    writeln!(out, "{address}")?;
    out.flush()?;
    tell!(
        "Gamete is open at {address} with the runs in {}; Ctrl-C ends it and saves running trainings",
        runs.display()
    );
    if !args.no_open && has_desktop() && open::that_detached(&address).is_err() {
        tell!("no browser could be opened; open the address yourself");
    }
    let unfinished = server.run().map_err(failed)?;
    for name in &unfinished {
        tell!(
            "{name}: the current generation took too long and was interrupted; the file is complete up to the generation before"
        );
    }
    tell!("ended; `gamete resume RUN` continues a training that was stopped");
    Ok(Done::Well)
}

/// The cluster as the page Runs shows it.
struct Shown(cluster::Overview);

impl Cluster for Shown {
    fn state(&self) -> ClusterState {
        let workers = self.0.workers().into_iter().map(|(worker, games_per_second)| {
            let cluster::WorkerState { name, threads, cores, doing, tasks, error, .. } = worker;
            ClusterWorker { name, threads, cores, doing, tasks, games_per_second, error }
        });
        let cluster::TasksLeft { waiting, begun, again } = self.0.tasks();
        let (address, connected) = (self.0.address().to_string(), self.0.is_connected());
        ClusterState { address, connected, workers: workers.collect(), waiting, begun, again }
    }
}

/// Decides who may connect. Other machines may only connect with `--host` and a token. A token without `--host` protects
/// against other users of this machine.
fn door(host: Option<IpAddr>, token: Option<String>) -> Result<Option<Door>, Error> {
    match (host, token) {
        (None, None) => Ok(None),
        (None, Some(token)) => Ok(Some(Door { host: Ipv4Addr::LOCALHOST.into(), token })),
        (Some(host), None) if host.is_loopback() => match host {
            IpAddr::V4(Ipv4Addr::LOCALHOST) => Ok(None),
            _ => Err(Error::refused(format!(
                "--host {host}: for this machine alone, Gamete listens on 127.0.0.1; leave --host out"
            ))),
        },
        (Some(host), None) => Err(Error::refused(format!(
            "--host {host} lets other machines connect, and they can start trainings and delete runs; add --token SECRET, which browsers must then know"
        ))),
        (Some(host), Some(token)) => Ok(Some(Door { host, token })),
    }
}

/// Whether a browser can be opened: standard output is a terminal, and there is a desktop.
fn has_desktop() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal()
        && (!cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY"))
}
