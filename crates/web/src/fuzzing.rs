//! Access for the fuzz targets in `crates/fuzzing`: the whole router, called without a socket.

use crate::guard::Gate;
use crate::jobs::Jobs;
use crate::{App, PORT, router};
use axum::Router;
use std::net::Ipv4Addr;
use std::path::PathBuf;

/// The host header that requests must have.
pub const HOST: &str = "127.0.0.1:4263";

/// The router of a server for runs and endgame tables in these folders; with a token, requests must bring it.
pub fn all_routes(runs: PathBuf, tables: PathBuf, token: Option<&str>) -> Router {
    let gate = Gate::new((Ipv4Addr::LOCALHOST, PORT).into(), token.map(str::to_string));
    router(App::new(Jobs::new(runs, tables, lab::Machine::threads(1))), gate)
}
