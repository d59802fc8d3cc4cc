//! Requests about a cluster: the workers at a NATS server, and the tasks that are left. This crate connects to no other
//! machine; the program that starts the web app gives it a [`Cluster`] if its user asked for one.

use crate::App;
use crate::refusal::Refusal;
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use serde::Serialize;

/// A server with workers, as the page Runs shows it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct ClusterState {
    /// The server's address.
    pub address: String,
    /// Whether the server answers.
    pub connected: bool,
    /// The workers, by name.
    pub workers: Vec<ClusterWorker>,
    /// The number of tasks that no worker has.
    pub waiting: u64,
    /// The number of tasks that workers have.
    pub begun: u64,
    /// The number of these tasks that were given to a worker again, because the first one did not finish them.
    pub again: u64,
}

/// A worker, as the page Runs shows it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct ClusterWorker {
    /// Its name.
    pub name: String,
    /// The number of its threads.
    pub threads: usize,
    /// The number of cores of its machine.
    pub cores: usize,
    /// The names of the tasks that it works on.
    pub doing: Vec<String>,
    /// The number of tasks that it has finished.
    pub tasks: u64,
    /// The number of games for trainings that it plays in a second.
    pub games_per_second: f64,
    /// Its last error; `None` if there was none.
    pub error: Option<String>,
}

/// A view of a cluster.
pub trait Cluster: Send + Sync {
    /// What is known now.
    fn state(&self) -> ClusterState;
}

/// Answers with the state of the cluster; `None` if there is none.
pub async fn state(State(app): State<App>) -> Result<Json<Option<ClusterState>>, Refusal> {
    let Some(cluster) = app.cluster.clone() else { return Ok(Json(None)) };
    Ok(Json(Some(blocking(move || Ok(cluster.state())).await?)))
}
