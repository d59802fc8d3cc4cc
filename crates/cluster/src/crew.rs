//! The workers of a server: what each of them is and does. Each worker tells it once a second. A worker that becomes
//! silent without a farewell counts as dead.

use crate::link::Link;
use crate::protocol::{BEAT, BEATS, GONE};
use crate::{Error, Server};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What a worker is and does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerState {
    /// The worker's name.
    pub name: String,
    /// A random number of its process. Two workers may have one name.
    pub process: u64,
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
    /// Whether this is its last message, because its user stops it.
    pub leaves: bool,
}

/// The workers that were heard lately, and those that died.
#[derive(Clone, Default)]
pub(crate) struct Crew(Arc<Mutex<Workers>>);

#[derive(Default)]
struct Workers {
    /// By name and number of the process.
    all: BTreeMap<(String, u64), Heard>,
    /// The newest deaths last.
    dead: Vec<Death>,
    /// The number of pulses: messages of this program to itself, once a second. They stop while the server is away, so
    /// that the silence of workers is only counted while they could be heard.
    pulse: u64,
}

struct Heard {
    state: WorkerState,
    at: Instant,
    pulse: u64,
    /// The games that it plays in a second: a mean in which the last seconds count most.
    games_per_second: f64,
}

impl Heard {
    /// The worker's games in a second, with what it tells now.
    fn speed(&self, now: &WorkerState) -> f64 {
        let (games, seconds) = (now.games.saturating_sub(self.state.games), now.seconds - self.state.seconds);
        if seconds > 0.0 { 0.7 * self.games_per_second + 0.3 * games as f64 / seconds } else { self.games_per_second }
    }
}

/// A worker that became silent.
struct Death {
    process: u64,
    /// When it was heard for the last time.
    pulse: u64,
}

/// A worker that has been silent for this number of pulses is dead.
const SILENT: u64 = 5;
/// Workers that die within this number of pulses die together, for example because a room lost its power.
const TOGETHER: u64 = 2;
/// The most deaths that are remembered.
const MOST_DEATHS: usize = 4096;

impl Crew {
    fn workers(&self) -> MutexGuard<'_, Workers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to workers until the connection ends.
    pub async fn listen(self, link: Link) {
        let pulses = link.client.new_inbox();
        let (Ok(mut beats), Ok(mut heard)) =
            (link.client.subscribe(BEATS).await, link.client.subscribe(pulses.clone()).await)
        else {
            return;
        };
        let mut clock = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                message = beats.next() => match message {
                    Some(message) => if let Ok(state) = serde_json::from_slice(&message.payload) {
                        self.hear(state);
                    },
                    None => return,
                },
                Some(_) = heard.next() => self.tick(),
                _ = clock.tick() => drop(link.client.publish(pulses.clone(), Vec::new().into()).await),
            }
        }
    }

    /// Takes what a worker tells about itself.
    fn hear(&self, state: WorkerState) {
        let mut workers = self.workers();
        let Workers { all, dead, pulse } = &mut *workers;
        // It was asleep, or its connection was lost.
        dead.retain(|death| death.process != state.process);
        let key = (state.name.clone(), state.process);
        match state.leaves {
            true => drop(all.remove(&key)),
            false => {
                let games_per_second = all.get(&key).map_or(0.0, |before| before.speed(&state));
                drop(all.insert(key, Heard { state, at: Instant::now(), pulse: *pulse, games_per_second }));
            }
        }
    }

    /// Takes a pulse, and looks who has become silent.
    fn tick(&self) {
        let mut workers = self.workers();
        let Workers { all, dead, pulse } = &mut *workers;
        *pulse += 1;
        all.retain(|(_, process), heard| {
            let lives = *pulse - heard.pulse < SILENT;
            if !lives {
                dead.push(Death { process: *process, pulse: heard.pulse });
            }
            lives
        });
        let too_many = dead.len().saturating_sub(MOST_DEATHS);
        dead.drain(..too_many);
    }

    /// The number of pulses until now.
    pub fn pulse(&self) -> u64 {
        self.workers().pulse
    }

    /// Whether the worker of this process has died, and no other one at the same time, except the `others`. `false` while
    /// it is too early to say.
    pub fn died_alone(&self, process: u64, others: &[u64]) -> bool {
        let workers = self.workers();
        let Some(death) = workers.dead.iter().find(|death| death.process == process) else { return false };
        let is_other = |other: &Death| other.process != process && !others.contains(&other.process);
        let together = |other: &Death| other.pulse.abs_diff(death.pulse) <= TOGETHER;
        let is_known = workers.pulse >= death.pulse + SILENT + TOGETHER;
        is_known && !workers.dead.iter().any(|other| is_other(other) && together(other))
    }

    /// The workers that are there, by name.
    pub fn all(&self) -> Vec<WorkerState> {
        let workers = self.workers();
        workers.all.values().filter(|heard| heard.at.elapsed() < GONE).map(|heard| heard.state.clone()).collect()
    }

    /// The workers that are there, by name, each with the number of games that it plays in a second.
    pub fn with_speeds(&self) -> Vec<(WorkerState, f64)> {
        let workers = self.workers();
        let there = workers.all.values().filter(|heard| heard.at.elapsed() < GONE);
        there.map(|heard| (heard.state.clone(), heard.games_per_second)).collect()
    }

    /// The number of workers that are there.
    pub fn count(&self) -> usize {
        self.workers().all.values().filter(|heard| heard.at.elapsed() < GONE).count()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn state(process: u64) -> WorkerState {
        WorkerState {
            name: "one-name".to_string(),
            process,
            version: String::new(),
            threads: 1,
            cores: 1,
            doing: Vec::new(),
            tasks: 0,
            games: 0,
            seconds: 0.0,
            error: None,
            leaves: false,
        }
    }

    #[test]
    fn deaths_are_told_from_farewells_and_power_cuts() {
        let crew = Crew::default();
        let pass = |pulses: u64, alive: &[u64]| {
            for _ in 0..pulses {
                alive.iter().for_each(|process| crew.hear(state(*process)));
                crew.tick();
            }
        };
        pass(3, &[1, 2, 3, 4, 5]);
        crew.hear(WorkerState { leaves: true, ..state(5) });
        assert_eq!(crew.count(), 4);
        // Worker 1 dies alone.
        pass(4, &[2, 3, 4]);
        assert!(!crew.died_alone(1, &[]), "it may only be slow");
        pass(4, &[2, 3, 4]);
        assert!(crew.died_alone(1, &[]) && !crew.died_alone(2, &[]) && !crew.died_alone(5, &[]));
        // Workers 2 and 3 die together.
        pass(8, &[4]);
        assert!(!crew.died_alone(2, &[]) && !crew.died_alone(3, &[]));
        assert!(crew.died_alone(2, &[3]), "the other one worked on the same task");
        assert_eq!(crew.count(), 1);
        // Worker 1 was only asleep.
        crew.hear(state(1));
        assert!(!crew.died_alone(1, &[]));
        assert_eq!(crew.count(), 2);
    }
}
