//! `gamete serve`: the web app, where it is, and how it ends.

use crate::arguments::{RunsArg, TablesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::signals::{self, Stop};
use crate::{Done, Failure};
use clap::Args;
use lab::Error;
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use web::{Door, Options, Server};

/// Open the web app: watch populations learn, and play their champions
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete serve\n  gamete serve --host 192.168.1.5 --token $(head -c 12 /dev/urandom | base64 | tr +/ -_)\n\nOnly browsers on this machine can reach it, unless --host opens it to others: whoever reaches it can start trainings and delete runs, hence the token. Ctrl-C stops it; running trainings are saved, and `gamete resume` goes on with them."
)]
pub struct ServeArgs {
    /// Where to listen on 127.0.0.1; 0 for any free port [default: 4263, or one of the next]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address of the machine, so that other machines can come in; needs --token
    #[arg(long, value_name = "ADDRESS")]
    host: Option<std::net::IpAddr>,
    /// What browsers must bring: at least 16 letters and digits. Without --host it is asked for on this machine, where other users may be
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
    let options = Options { runs: runs.clone(), tables, port: args.port, door, threads };
    let failed = |error: web::ServeError| Failure::from(Error::refused(error.to_string()));
    let server = Server::bind(options).map_err(failed)?;
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
        tell!("{name}: its generation takes long and was broken off; the file is whole up to the one before");
    }
    tell!("ended; gamete resume RUN goes on with what was stopped");
    Ok(Done::Well)
}

/// Other machines come in only where that was asked for, with a token. A token alone is asked for on this machine, which
/// others may use as well.
fn door(host: Option<IpAddr>, token: Option<String>) -> Result<Option<Door>, Error> {
    match (host, token) {
        (None, None) => Ok(None),
        (None, Some(token)) => Ok(Some(Door { host: Ipv4Addr::LOCALHOST.into(), token })),
        (Some(host), None) if host.is_loopback() => match host {
            IpAddr::V4(Ipv4Addr::LOCALHOST) => Ok(None),
            _ => Err(Error::refused(format!(
                "--host {host}: on this machine alone, Gamete is at 127.0.0.1; leave --host out"
            ))),
        },
        (Some(host), None) => Err(Error::refused(format!(
            "--host {host} lets other machines in, and whoever comes in can start trainings and delete runs; so a token is needed, --token SECRET, which browsers must then bring"
        ))),
        (Some(host), Some(token)) => Ok(Some(Door { host, token })),
    }
}

/// Whether there is somebody to look at a browser here.
fn has_desktop() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal()
        && (!cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY"))
}
