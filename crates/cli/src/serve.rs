//! The web app, from the command line: where it is, and how it ends.

use crate::args::ServeArgs;
use crate::{Done, Failure};
use lab::{Error, Ratio};
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use web::{Door, Options, Server};

/// Serves until Ctrl-C.
pub fn serve(out: &mut impl Write, args: ServeArgs) -> Result<Done, Failure> {
    let runs = args.runs.runs.clone();
    let door = door(args.host, args.token)?;
    let (tables, threads) = (args.tables.folder(), args.threads.count());
    let options = Options { runs: runs.clone(), tables, port: args.port, door, threads };
    let failed = |error: web::ServeError| Failure::from(Error::Refused(error.to_string()));
    let server = Server::bind(options).map_err(failed)?;
    let (address, end) = (server.address(), server.end_handle());
    if ctrlc::set_handler(move || end.end()).is_err() {
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

/// Other machines come in only where that was asked for, with a token.
fn door(host: Option<IpAddr>, token: Option<String>) -> Result<Option<Door>, Error> {
    match (host, token) {
        (None, _) => Ok(None),
        (Some(host), None) if host.is_loopback() => match host {
            IpAddr::V4(Ipv4Addr::LOCALHOST) => Ok(None),
            _ => Err(Error::Refused(format!(
                "--host {host}: on this machine alone, Gamete is at 127.0.0.1; leave --host out"
            ))),
        },
        (Some(host), None) => Err(Error::Refused(format!(
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

/// What it costs a training that pages watch it; nothing where no folder can be had for it.
pub fn watching_cost() -> Option<Ratio> {
    let folder = std::env::temp_dir().join(format!("gamete-bench-{}", std::process::id()));
    let measured = std::fs::create_dir(&folder).map_err(Into::into).and_then(|()| web::watching_cost(&folder));
    let _ = std::fs::remove_dir_all(&folder);
    measured.inspect_err(|error| tell!("what watching costs cannot be measured: {error}")).ok()
}
