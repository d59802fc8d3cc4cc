//! The local web app: watch populations learn, and play their champions. One program, one address on this machine, no
//! request to anywhere else.
//!
//! Pages hear of everything by events that open with a snapshot. Whoever trains a run, this server or another process, its
//! file is what is looked at; so pages cannot disagree with `gamete show`.
//!
//! A program that serves the runs of a folder:
//!
//! ```
//! use web::{Options, ServeError, Server};
//!
//! fn main() -> Result<(), ServeError> {
//!     let folder = std::env::temp_dir().join("gamete-served");
//!     let (runs, tables) = (folder.join("runs"), folder.join("tables"));
//!     let server = Server::bind(Options { runs, tables, port: Some(0), door: None, threads: None })?;
//!     println!("open {} in a browser", server.address());
//!     // Here it ends at once; a program would end it at Ctrl-C.
//!     server.end_handle().end();
//!     let unfinished = server.run()?;
//!     assert!(unfinished.is_empty());
//!     Ok(())
//! }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[cfg(test)]
mod api_types;
mod bench;
mod cards;
mod command;
mod connections;
mod exam;
mod experiments;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod guard;
mod jobs;
mod labs;
mod matches;
mod networks;
mod pages;
mod play;
mod recorded;
mod refusal;
mod runs;
#[cfg(test)]
mod tests;
mod watch;

pub use bench::watching_cost;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use connections::Patience;
use guard::{Gate, LEAST_TOKEN};
use jobs::Jobs;
use matches::Matches;
use refusal::Refusal;
use std::any::Any;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use watch::Watch;

/// Where the server listens unless it is told otherwise.
const PORT: u16 = 4263;
/// If somebody else listens there, the next ones are tried.
const PORTS_TRIED: u16 = 20;
/// Bodies that are longer are refused.
const MOST_BODY: usize = 256 * 1024;
/// How long running trainings may take to finish their generation when the server ends.
const PATIENCE: Duration = Duration::from_millis(3000);

/// How to serve.
pub struct Options {
    /// The folder of runs.
    pub runs: PathBuf,
    /// The folder of endgame tables.
    pub tables: PathBuf,
    /// Where to listen: a number, 0 for any free one; the usual one or one of the next when not given.
    pub port: Option<u16>,
    /// On which address to listen, and which token to ask for; on this machine alone, and none, when not given.
    pub door: Option<Door>,
    /// How many threads a training uses; all cores when not given.
    pub threads: Option<usize>,
}

/// A door with a key; to other machines, unless its address is this machine's own.
pub struct Door {
    /// The address of this machine to listen on.
    pub host: IpAddr,
    /// What whoever comes in must know.
    pub token: String,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port cannot be had.
    #[error("port {port} cannot be had ({source}); another number, or 0 for any free one, would be right")]
    Port {
        /// The port.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
    /// A token that anybody could guess.
    #[error(
        "the token has {found} characters, but it must have at least {least} letters, digits, - or _, so that nobody guesses it"
    )]
    Token {
        /// How long it is.
        found: usize,
        /// How long it must be.
        least: usize,
    },
    /// Something else did not work.
    #[error("the server cannot run: {0}")]
    Broken(#[from] std::io::Error),
}

/// What every request can reach.
#[derive(Clone)]
struct App {
    jobs: Arc<Jobs>,
    watch: Arc<Watch>,
    matches: Arc<Matches>,
    /// Who may think at the same time.
    thinking: Arc<Semaphore>,
    about: Arc<OnceLock<Arc<experiments::About>>>,
    reports: labs::Reports,
}

impl App {
    fn new(jobs: Arc<Jobs>) -> App {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        App {
            watch: Watch::begin(Arc::clone(&jobs)),
            jobs,
            matches: Arc::default(),
            thinking: Arc::new(Semaphore::new(2 * cores)),
            about: Arc::default(),
            reports: labs::Reports::default(),
        }
    }
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
    app: App,
    runtime: Runtime,
    end: Arc<Notify>,
}

/// Ends a server.
#[derive(Clone)]
pub struct EndHandle(Arc<Notify>);

impl EndHandle {
    /// Asks the server to end.
    pub fn end(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Listens on this machine, and on no other address unless a door is opened.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        if let Some(Door { token, .. }) = &options.door
            && let found = token.chars().count()
            && (found < LEAST_TOKEN || !token.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))
        {
            return Err(ServeError::Token { found, least: LEAST_TOKEN });
        }
        let host = options.door.as_ref().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |door| door.host);
        let listener = listen(host, options.port)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let app = App::new(Jobs::new(options.runs, options.tables, options.threads));
        let gate = Gate::new(address, options.door.map(|door| door.token));
        Ok(Server { listener, address, gate, app, runtime, end: Arc::default() })
    }

    /// Where a browser finds it, with the token where one is needed.
    pub fn address(&self) -> String {
        match self.gate.token() {
            Some(token) => format!("http://{}/?token={token}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    /// What ends it.
    pub fn end_handle(&self) -> EndHandle {
        EndHandle(Arc::clone(&self.end))
    }

    /// Serves until it is asked to end, then stops trainings; the names of those whose generation under way is lost,
    /// because it took too long.
    pub fn run(self) -> Result<Vec<String>, ServeError> {
        let Server { listener, gate, app, runtime, end, .. } = self;
        let router = router(app.clone(), gate);
        let served: Result<(), std::io::Error> = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::select! {
                served = connections::serve(listener, router, Patience::USUAL) => served,
                () = end.notified() => Ok(()),
            }
        });
        app.thinking.close();
        app.matches.close();
        let unfinished = app.jobs.close(PATIENCE);
        // Pages that watch, and players that think, are left alone.
        runtime.shutdown_background();
        served?;
        Ok(unfinished)
    }
}

fn listen(host: IpAddr, port: Option<u16>) -> Result<TcpListener, ServeError> {
    let bind = |port: u16| TcpListener::bind((host, port)).map_err(|source| ServeError::Port { port, source });
    match port {
        Some(port) => bind(port),
        None => (PORT..PORT + PORTS_TRIED).find_map(|port| bind(port).ok()).map_or_else(|| bind(PORT), Ok),
    }
}

fn router(app: App, gate: Gate) -> Router {
    let api = Router::new()
        .route("/about", get(experiments::about))
        .route("/experiments/{name}", get(experiments::experiment))
        .route("/experiments/check", post(experiments::check))
        .route("/experiments/set", post(experiments::set))
        .route("/runs", post(runs::train))
        .route("/runs/events", get(runs::watch_runs))
        .route("/runs/{name}", delete(runs::remove))
        .route("/runs/{name}/events", get(runs::watch_run))
        .route("/runs/{name}/pause", post(runs::pause))
        .route("/runs/{name}/resume", post(runs::resume))
        .route("/runs/{name}/stop", post(runs::stop))
        .route("/runs/{name}/growth", post(runs::measure).delete(runs::stop_measuring))
        .route("/runs/{name}/curves", get(runs::curves))
        .route("/runs/{name}/champions/{generation}", get(runs::champion))
        .route("/runs/{name}/champions/{generation}/network", get(runs::network))
        .route("/runs/{name}/ancestry", get(networks::ancestry))
        .route("/network", get(networks::drawing))
        .route("/network/values", post(networks::values))
        .route("/runs/{name}/games", get(recorded::kept))
        .route("/games/read", post(recorded::read))
        .route("/games/values", post(recorded::values))
        .route("/exam", post(exam::exam))
        .route("/labs", get(labs::list))
        .route("/labs/{name}", get(labs::report))
        .route("/matches", get(matches::list).post(matches::start))
        .route("/matches/{id}", delete(matches::end))
        .route("/matches/{id}/events", get(matches::watch))
        .route("/play/position", post(play::position))
        .route("/play/answer", post(play::answer))
        .route("/play/view", post(play::view))
        .route("/play/hint", post(play::hint))
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this address is asked in another way")
        })
        .fallback(async || Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address"));
    let all = Router::new().nest("/api", api).fallback_service(get(pages::page).with_state(()));
    contained(all.layer(CompressionLayer::new()))
        .layer(axum::middleware::from_fn_with_state(gate, guard::guard))
        .with_state(app)
}

// Whoever builds the program so that a panic ends it would let one request end the server.
#[cfg(not(panic = "unwind"))]
compile_error!("the server contains panics, which needs panic = \"unwind\" in the profile");

/// Requests that cannot harm the others: bodies have a limit, and a fault of ours is told to whoever asked. Threads that
/// requests start contain their faults themselves.
fn contained<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    router
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| Refusal::fault().into_response()))
}
