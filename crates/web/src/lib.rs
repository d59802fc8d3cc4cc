//! The local web app: watch populations learn, and play their champions. One program, one address on this machine, no
//! request to anywhere else.
//!
//! Pages hear of everything by events that open with a snapshot. Whoever trains a run, this server or another process, its
//! file is what is looked at; so pages cannot disagree with `gamete show`.

mod bench;
mod cards;
mod experiments;
mod guard;
mod matches;
mod pages;
mod play;
mod refusal;
mod runs;
mod studio;
mod watch;

pub use bench::watching_cost;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{delete, get, post};
use matches::Matches;
use refusal::Refusal;
use serde_json::Value;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use studio::Studio;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, Semaphore};
use tower_http::compression::CompressionLayer;
use watch::Watch;

/// Where the server listens unless it is told otherwise.
pub const PORT: u16 = 4263;
/// If somebody else listens there, the next ones are tried.
const PORTS_TRIED: u16 = 20;
/// Bodies that are longer are refused.
const MOST_BODY: usize = 256 * 1024;
/// How long running trainings may take to finish their generation when the server ends.
const PATIENCE: Duration = Duration::from_millis(4000);

/// How to serve.
pub struct Options {
    /// The folder of runs.
    pub runs: PathBuf,
    /// The folder of endgame tables.
    pub tables: PathBuf,
    /// Where to listen: a number, 0 for any free one; the usual one or one of the next when not given.
    pub port: Option<u16>,
    /// How many threads a training uses; all cores when not given.
    pub threads: Option<usize>,
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
    /// Something else did not work.
    #[error("the server cannot run: {0}")]
    Broken(#[from] std::io::Error),
}

/// What every request can reach.
#[derive(Clone)]
struct App {
    studio: Arc<Studio>,
    watch: Arc<Watch>,
    matches: Arc<Matches>,
    /// Who may think at the same time.
    thinking: Arc<Semaphore>,
    about: Arc<OnceLock<Arc<Value>>>,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
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
    /// Listens on this machine, and on no other address.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        let listener = listen(options.port)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let studio = Studio::new(options.runs, options.tables, options.threads);
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        let app = App {
            watch: Watch::begin(Arc::clone(&studio)),
            studio,
            matches: Arc::default(),
            thinking: Arc::new(Semaphore::new(2 * cores)),
            about: Arc::default(),
        };
        Ok(Server { listener, address, app, runtime, end: Arc::default() })
    }

    /// Where a browser finds it.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What ends it.
    pub fn end_handle(&self) -> EndHandle {
        EndHandle(Arc::clone(&self.end))
    }

    /// Serves until it is asked to end, then stops trainings; the names of those whose generation under way is lost,
    /// because it took too long.
    pub fn run(self) -> Result<Vec<String>, ServeError> {
        let Server { listener, address, app, runtime, end } = self;
        let router = router(app.clone(), address.port());
        let served: Result<(), std::io::Error> = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::select! {
                served = axum::serve(listener, router).into_future() => served,
                () = end.notified() => Ok(()),
            }
        });
        app.thinking.close();
        app.matches.close();
        let unfinished = app.studio.close(PATIENCE);
        // Pages that watch, and players that think, are left alone.
        runtime.shutdown_background();
        served?;
        Ok(unfinished)
    }
}

fn listen(port: Option<u16>) -> Result<TcpListener, ServeError> {
    let bind =
        |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|source| ServeError::Port { port, source });
    match port {
        Some(port) => bind(port),
        None => (PORT..PORT + PORTS_TRIED).find_map(|port| bind(port).ok()).map_or_else(|| bind(PORT), Ok),
    }
}

fn router(app: App, port: u16) -> Router {
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
    Router::new()
        .nest("/api", api)
        .fallback_service(get(pages::page).with_state(()))
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(CompressionLayer::new())
        .layer(axum::middleware::from_fn_with_state(port, guard::guard))
        .with_state(app)
}
