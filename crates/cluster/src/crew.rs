//! The workers of a server: what each of them is and does. Each worker tells it once a second.

use crate::link::Link;
use crate::protocol::{BEAT, BEATS, GONE};
use crate::{Error, Server};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What a worker is and does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerState {
    /// The worker's name.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// The number of its threads.
    pub threads: usize,
    /// The number of cores of its machine.
    pub cores: usize,
    /// The names of the tasks that it works on.
    pub doing: Vec<String>,
    /// The number of tasks that it has finished.
    pub tasks: u64,
    /// The number of games that it has played for trainings.
    pub games: u64,
    /// Seconds since it was started.
    pub seconds: f64,
    /// The last error; `None` if there was none.
    pub error: Option<String>,
}

/// The workers that were heard lately.
#[derive(Clone, Default)]
pub(crate) struct Crew(Arc<Mutex<BTreeMap<String, (WorkerState, Instant)>>>);

impl Crew {
    /// Listens to workers until the connection ends.
    pub async fn listen(self, link: Link) {
        let Ok(mut beats) = link.client.subscribe(BEATS).await else { return };
        while let Some(message) = beats.next().await {
            if let Ok(state) = serde_json::from_slice::<WorkerState>(&message.payload) {
                let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                all.insert(state.name.clone(), (state, Instant::now()));
                all.retain(|_, (_, heard)| heard.elapsed() < GONE);
            }
        }
    }

    /// The workers that are there, by name.
    pub fn all(&self) -> Vec<WorkerState> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.values().filter(|(_, heard)| heard.elapsed() < GONE).map(|(state, _)| state.clone()).collect()
    }

    /// The number of workers that are there.
    pub fn count(&self) -> usize {
        self.all().len()
    }
}

/// The workers of a server, by name. Listens for two seconds.
pub fn workers(server: &Server) -> Result<Vec<WorkerState>, Error> {
    let runtime = crate::link::runtime()?;
    runtime.block_on(async {
        let link = Link::connect(server, "gamete workers").await?;
        let crew = Crew::default();
        // The connection is open as long as this program listens, so this always ends by the time.
        let _ = tokio::time::timeout(2 * BEAT, crew.clone().listen(link)).await;
        Ok(crew.all())
    })
}
