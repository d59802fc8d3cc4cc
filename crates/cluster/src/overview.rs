//! What happens at a server, for somebody who only looks: its workers, and the tasks that are left.

use crate::crew::Crew;
use crate::link::{Link, runtime};
use crate::protocol::{BEAT, TASKS};
use crate::{Error, Server, WorkerState};
use async_nats::connection::State;
use futures_util::TryStreamExt;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A connection that listens to workers, and counts tasks while somebody asks for their numbers.
pub struct Overview {
    link: Link,
    crew: Crew,
    address: String,
    counted: Arc<Mutex<Counted>>,
    // The last field: everything above is used by its threads.
    _runtime: Runtime,
}

/// How many tasks are left at a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TasksLeft {
    /// The tasks that no worker has.
    pub waiting: u64,
    /// The tasks that workers have.
    pub begun: u64,
    /// Those of them that were given to a worker again.
    pub again: u64,
}

struct Counted {
    tasks: TasksLeft,
    /// When somebody asked for the numbers for the last time.
    asked: Instant,
}

/// Without questions for this time, the tasks are not counted.
const INTEREST: Duration = Duration::from_secs(10);

impl Overview {
    /// Connects to a server.
    pub fn connect(server: &Server) -> Result<Overview, Error> {
        let (runtime, crew) = (runtime()?, Crew::default());
        let link = runtime.block_on(Link::connect(server, "gamete serve"))?;
        let counted = Arc::new(Mutex::new(Counted { tasks: TasksLeft::default(), asked: Instant::now() }));
        runtime.spawn(crew.clone().listen(link.clone()));
        let (counting, results) = (link.clone(), Arc::clone(&counted));
        runtime.spawn(async move {
            loop {
                let of = || results.lock().unwrap_or_else(PoisonError::into_inner);
                let is_wanted = of().asked.elapsed() < INTEREST;
                if is_wanted && let Some(tasks) = count(&counting).await {
                    of().tasks = tasks;
                }
                tokio::time::sleep(BEAT).await;
            }
        });
        Ok(Overview { link, crew, address: server.address().to_string(), counted, _runtime: runtime })
    }

    /// The server's address, without credentials.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Whether the server answers.
    pub fn is_connected(&self) -> bool {
        self.link.client.connection_state() == State::Connected
    }

    /// The workers that are there, by name, each with the number of games that it plays in a second.
    pub fn workers(&self) -> Vec<(WorkerState, f64)> {
        self.crew.with_speeds()
    }

    /// How many tasks are left; zero while no coordinator has made the streams.
    pub fn tasks(&self) -> TasksLeft {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.asked = Instant::now();
        counted.tasks
    }
}

/// Counts the tasks of all kinds of programs; `None` if the server does not answer.
async fn count(link: &Link) -> Option<TasksLeft> {
    let stream = link.stream(TASKS).await.ok()?;
    let consumers: Vec<_> = stream.consumers().try_collect().await.ok()?;
    Some(consumers.into_iter().fold(TasksLeft::default(), |sum, consumer| TasksLeft {
        waiting: sum.waiting + consumer.num_pending,
        begun: sum.begun + consumer.num_ack_pending as u64,
        again: sum.again + consumer.num_redelivered as u64,
    }))
}

impl fmt::Debug for Overview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overview").field("address", &self.address).finish_non_exhaustive()
    }
}
