//! The local web app, in which people watch populations learn and play against champions. The server listens on this
//! machine, and pages load nothing from the internet.
//!
//! Pages receive server-sent events. Each stream begins with a snapshot. The server reads what it shows from the runs'
//! files, also for runs that it trains itself, so pages and `gamete show` always agree.
//!
//! A program that serves the runs of a folder:
//!
//! ```
//! use web::{Options, ServeError, Server};
//!
//! fn main() -> Result<(), ServeError> {
//!     let folder = std::env::temp_dir().join("gamete-served");
//!     let (runs, tables) = (folder.join("runs"), folder.join("tables"));
//!     let server = Server::bind(Options { runs, tables, engines: Default::default(), port: Some(0), door: None, threads: None })?;
//!     println!("open {} in a browser", server.address());
//!     // This example ends the server at once; a program would end it at Ctrl-C.
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
mod cluster;
mod command;
mod connections;
mod exam;
mod experiments;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod guard;
mod jobs;
mod labs;
mod match_games;
mod matches;
mod networks;
mod pace;
mod pages;
mod play;
mod recorded;
mod refusal;
mod runs;
#[cfg(test)]
mod tests;
mod watch;

pub use bench::watching_cost;
pub use cluster::{Cluster, ClusterState, ClusterWorker};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use connections::Patience;
use guard::{Gate, LEAST_TOKEN};
use jobs::Jobs;
use matches::Matches;
use players::Engines;
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

/// The default port.
const PORT: u16 = 4263;
/// The number of ports that are tried, from the default port on, if ports are in use.
const PORTS_TRIED: u16 = 20;
/// The longest request body in bytes; longer ones are refused.
const MOST_BODY: usize = 256 * 1024;
/// How long trainings may take to finish their current generation when the server ends.
const PATIENCE: Duration = Duration::from_millis(3000);

/// Options of the server.
pub struct Options {
    /// The folder of runs.
    pub runs: PathBuf,
    /// The folder of endgame tables.
    pub tables: PathBuf,
    /// The engines of other programs that may play.
    pub engines: Arc<Engines>,
    /// The port to listen on, 0 for any free one; `None` means 4263, or one of the next if it is in use.
    pub port: Option<u16>,
    /// The address to listen on and the token to ask for; `None` means 127.0.0.1 without a token.
    pub door: Option<Door>,
    /// The number of threads of each training; `None` means one per core.
    pub threads: Option<usize>,
}

/// An address with a token, which can let other machines in.
pub struct Door {
    /// The address of this machine to listen on.
    pub host: IpAddr,
    /// The token that every browser must bring.
    pub token: String,
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The server cannot listen on the port.
    #[error("cannot listen on port {port}: {source}; choose another port, or 0 for any free one")]
    Port {
        /// The port.
        port: u16,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The token is too short or has other characters than allowed.
    #[error(
        "the token has {found} characters, but it must have at least {least} letters, digits, - or _, so that it cannot be guessed"
    )]
    Token {
        /// The number of its characters.
        found: usize,
        /// The smallest number of characters allowed.
        least: usize,
    },
    /// Another error of the system.
    #[error("the server cannot run: {0}")]
    Broken(#[from] std::io::Error),
}

/// The state that all requests share.
#[derive(Clone)]
struct App {
    jobs: Arc<Jobs>,
    watch: Arc<Watch>,
    matches: Arc<Matches>,
    /// Limits how many requests may search for moves at the same time.
    thinking: Arc<Semaphore>,
    about: Arc<OnceLock<Arc<experiments::About>>>,
    reports: labs::Reports,
    pace: pace::KnownPace,
    /// The cluster that the page Runs shows; `None` if there is none.
    cluster: Option<Arc<dyn Cluster>>,
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
            pace: Arc::default(),
            cluster: None,
        }
    }
}

/// A server that listens on its port; [`Server::run`] answers requests.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
    app: App,
    runtime: Runtime,
    end: Arc<Notify>,
}

/// Ends a running server from another thread.
#[derive(Clone)]
pub struct EndHandle(Arc<Notify>);

impl EndHandle {
    /// Asks the server to end.
    pub fn end(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Starts to listen, on 127.0.0.1 unless the options name another address.
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
        let machine = lab::Machine { threads: options.threads, engines: options.engines, share: None };
        let app = App::new(Jobs::new(options.runs, options.tables, machine));
        let gate = Gate::new(address, options.door.map(|door| door.token));
        Ok(Server { listener, address, gate, app, runtime, end: Arc::default() })
    }

    /// Lets the page Runs show a cluster.
    pub fn show_cluster(&mut self, cluster: Arc<dyn Cluster>) {
        self.app.cluster = Some(cluster);
    }

    /// The address to open in a browser, with the token if one is needed.
    pub fn address(&self) -> String {
        match self.gate.token() {
            Some(token) => format!("http://{}/?token={token}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    /// A handle that ends the server.
    pub fn end_handle(&self) -> EndHandle {
        EndHandle(Arc::clone(&self.end))
    }

    /// Serves until it is asked to end, then stops all trainings. Returns the names of trainings whose last generation
    /// is lost because it took too long.
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
        // Do not wait for open event streams and searches.
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
        .route("/pace", get(pace::pace))
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
        .route("/cluster", get(cluster::state))
        .route("/labs", get(labs::list))
        .route("/labs/{name}", get(labs::report))
        .route("/matches", get(matches::list).post(matches::start))
        .route("/matches/{id}", delete(matches::end))
        .route("/matches/{id}/events", get(matches::watch))
        .route("/matches/{id}/games", get(match_games::list))
        .route("/matches/{id}/games/{pair}/{number}", get(match_games::game))
        .route("/play/position", post(play::position))
        .route("/play/answer", post(play::answer))
        .route("/play/view", post(play::view))
        .route("/play/hint", post(play::hint))
        .route("/play/turn", post(play::turn_of_player))
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not allow this request method")
        })
        .fallback(async || Refusal::new(StatusCode::NOT_FOUND, "there is nothing at this address"));
    let all = Router::new().nest("/api", api).fallback_service(get(pages::page).with_state(()));
    contained(all.layer(CompressionLayer::new()))
        .layer(axum::middleware::from_fn_with_state(gate, guard::guard))
        .with_state(app)
}

// With `panic = "abort"` a panic in one request would end the whole server.
#[cfg(not(panic = "unwind"))]
compile_error!("the server contains panics, which needs panic = \"unwind\" in the profile");

/// Keeps requests from harming others: limits the length of bodies, and answers a panic in a handler with status 500.
/// Threads that requests start must catch their own panics.
fn contained<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    router
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| Refusal::fault().into_response()))
}
