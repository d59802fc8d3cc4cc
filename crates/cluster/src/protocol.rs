//! The messages between coordinators and workers, the names of streams and subjects, and the limits of all sizes. A task
//! holds numbers, networks and the canonical text of an experiment; no code, command or path travels.

use crate::Error;
use arena::{SharedGame, SharedRecords};
use evolution::Network;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// The stream of tasks. A task is deleted when a worker acknowledges it.
pub(crate) const TASKS: &str = "GAMETE_TASKS";
/// The stream of results. A result is deleted when the coordinator of its job acknowledges it.
pub(crate) const RESULTS: &str = "GAMETE_RESULTS";
/// The bucket of populations and run files.
pub(crate) const BUCKET: &str = "GAMETE_OBJECTS";

/// The largest sizes of both streams and of the bucket, in bytes.
pub(crate) const MOST_TASKS: i64 = 256 << 20;
pub(crate) const MOST_RESULTS: i64 = 256 << 20;
pub(crate) const MOST_OBJECTS: i64 = 4 << 30;
/// Messages and objects that nobody has deleted are deleted after this time.
pub(crate) const MOST_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
/// The largest object that is read, in bytes.
pub(crate) const MOST_OBJECT: usize = 1 << 30;
/// The most games of one task. Its message and that of its result are then far below the 1 MB that servers allow.
pub(crate) const MOST_GAMES: usize = 8192;
/// The greatest length of names, and of the text of an experiment, in bytes.
pub(crate) const MOST_NAME: usize = 300;
pub(crate) const MOST_TEXT: usize = 1 << 18;

/// The second of all times below. It is shorter in the tests of this crate, so that they need not wait long.
const SECOND: Duration = Duration::from_millis(if cfg!(test) { 250 } else { 1000 });
/// A task that nobody has acknowledged for this time is given to another worker.
pub(crate) const ACK_WAIT: Duration = SECOND.saturating_mul(10);
/// How often a worker tells the server that it still works on a task.
pub(crate) const PROGRESS: Duration = SECOND.saturating_mul(3);
/// How often a worker tells what it does.
pub(crate) const BEAT: Duration = SECOND;
/// A worker that has not been heard for this time is counted as gone.
pub(crate) const GONE: Duration = SECOND.saturating_mul(5);
/// How many workers may die alone with a task, after its first try, before it counts as failed.
pub(crate) const MOST_DEATHS: usize = 2;
/// How often a task may be given to workers in all, whatever happens to them, before it counts as failed.
pub(crate) const MOST_DELIVERIES: i64 = 20;

/// Workers ask here whether they may work; coordinators answer.
pub(crate) const HELLO: &str = "gamete.hello";
/// A coordinator tells here that it has begun.
pub(crate) const HERE: &str = "gamete.here";
/// Workers tell here what they do.
pub(crate) const BEATS: &str = "gamete.beat";

/// Kinds of tasks. Each has a queue of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    Games,
    Members,
}

impl Queue {
    pub fn name(self) -> &'static str {
        match self {
            Queue::Games => "games",
            Queue::Members => "members",
        }
    }

    /// The name of the consumer for programs of this kind.
    pub fn consumer(self, kind: &str) -> String {
        format!("{}-{kind}", self.name())
    }

    /// The subject of all tasks for programs of this kind.
    pub fn all(self, kind: &str) -> String {
        format!("gamete.task.{kind}.{}.*", self.name())
    }

    /// The subject of the tasks of one job.
    pub fn of_job(self, kind: &str, job: &str) -> String {
        format!("gamete.task.{kind}.{}.{job}", self.name())
    }
}

/// The subject of the results of one job.
pub(crate) fn results_of(job: &str) -> String {
    format!("gamete.result.{job}")
}

/// The subject on which the coordinator of a job answers that it is there.
pub(crate) fn owner_of(job: &str) -> String {
    format!("gamete.owner.{job}")
}

/// The subject on which workers tell the coordinator of a job that they begin a task, and how far they are.
pub(crate) fn notes_of(job: &str) -> String {
    format!("gamete.note.{job}")
}

/// An object in the bucket, with the hash of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ObjectName {
    pub name: String,
    pub hash: u64,
}

/// The networks of one generation, and the experiment they belong to: an object in the bucket.
#[derive(Serialize, Deserialize)]
pub(crate) struct Population {
    pub experiment: String,
    pub networks: Vec<Arc<Network>>,
}

/// What a worker is asked to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub job: String,
    /// A worker whose result is verified, and who must not do the task again; `None` for the first time.
    pub verifies: Option<String>,
    pub work: Work,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Work {
    /// Play these games of a generation.
    Games { generation: u64, population: ObjectName, games: Vec<SharedGame> },
    /// Train a member of a lab.
    Member(MemberWork),
}

/// A slice of the training of a lab's member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MemberWork {
    pub member: String,
    /// The name of the experiment, and its canonical text.
    pub name: String,
    pub experiment: String,
    /// The run file to go on from; `None` at the beginning.
    pub from: Option<ObjectName>,
    /// The generation after which the slice ends; `None` for the end of the training.
    pub until: Option<u64>,
}

impl Task {
    /// The name of the task: what it computes. Equal names mean equal results.
    pub fn name(&self) -> String {
        let job = &self.job;
        match &self.work {
            Work::Games { generation, population, games } => {
                let games = xxh3_64(&bytes_of(&(population.hash, games)));
                format!("{job}/generation-{generation}/games-{games:016x}")
            }
            Work::Member(MemberWork { member, until: Some(until), .. }) => format!("{job}/{member}/to-{until}"),
            Work::Member(MemberWork { member, until: None, .. }) => format!("{job}/{member}/to-its-end"),
        }
    }

    /// Refuses a task whose sizes are beyond the limits.
    pub fn checked(self) -> Result<Task, Error> {
        let names_fit = is_name(&self.job) && self.verifies.as_ref().is_none_or(|name| name.len() <= MOST_NAME);
        let fits = match &self.work {
            Work::Games { population, games, .. } => is_object(population) && games.len() <= MOST_GAMES,
            Work::Member(MemberWork { member, name, experiment, from, .. }) => {
                trainer::checked_name(member).is_ok()
                    && name.len() <= MOST_NAME
                    && experiment.len() <= MOST_TEXT
                    && from.as_ref().is_none_or(is_object)
            }
        };
        if names_fit && fits {
            Ok(self)
        } else {
            Err(Error::Here("a task was refused: a name or a list in it is longer than allowed".to_string()))
        }
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= MOST_NAME && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_object(object: &ObjectName) -> bool {
    object.name.len() <= 3 * MOST_NAME && !object.name.contains("..")
}

/// What came of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TaskResult {
    /// The task's name.
    pub task: String,
    /// The name of the worker.
    pub worker: String,
    /// The seconds that the work took.
    pub seconds: f32,
    pub outcome: Outcome,
    /// The hash of the part of the outcome that every worker must compute equally.
    pub hash: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Played(SharedRecords),
    Trained(Slice),
    Failed(String),
}

/// The end of a slice of a member's training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slice {
    /// The number of generations played in all.
    pub generation: u64,
    /// Whether the training is finished.
    pub finished: bool,
    /// The run's signature.
    pub signature: String,
    /// Seconds of processor time for all generations.
    pub cpu_seconds: f64,
    /// The run file.
    pub file: ObjectName,
}

impl Outcome {
    /// A hash of the part that every worker must compute equally.
    pub fn hash(&self) -> u64 {
        match self {
            Outcome::Played(records) => xxh3_64(&bytes_of(records)),
            // The file itself holds times.
            Outcome::Trained(Slice { generation, finished, signature, .. }) => {
                xxh3_64(&bytes_of(&(generation, finished, signature)))
            }
            Outcome::Failed(_) => 0,
        }
    }
}

/// What a worker tells a coordinator while it works; nothing is lost if it does not arrive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Note {
    pub task: String,
    pub worker: String,
    /// The random number of the worker's process.
    pub process: u64,
    /// How often the task was given to workers.
    pub delivered: i64,
    /// The progress of a member; `None` when a task begins.
    pub line: Option<lab::MemberLine>,
}

/// A worker's question whether it may work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub name: String,
    pub cores: usize,
    pub program: crate::program::Program,
}

/// The answer: `None` if the worker may work, otherwise a sentence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub refused: Option<String>,
}

/// A value in the form in which it travels.
pub(crate) fn bytes_of<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("messages can always be written")
}

/// A value that has travelled; `None` if the bytes are not such a value.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(games: usize, member: &str) -> Task {
        let population = ObjectName { name: "a/b".to_string(), hash: 7 };
        let game = SharedGame { first: 0, second: 1, start: 2, blunders: None };
        let work = match member {
            "" => Work::Games { generation: 3, population, games: vec![game; games] },
            member => Work::Member(MemberWork {
                member: member.to_string(),
                name: "nim-2x4".to_string(),
                experiment: String::new(),
                from: None,
                until: Some(5),
            }),
        };
        Task { job: "0123".to_string(), verifies: None, work }
    }

    #[test]
    fn tasks_travel_and_keep_their_names() {
        for task in [task(3, ""), task(0, "a-seed-1")] {
            let again: Task = read(&bytes_of(&task)).unwrap();
            assert_eq!((again.name(), &again), (task.name(), &task));
            assert!(again.checked().is_ok());
        }
        assert_ne!(task(3, "").name(), task(4, "").name());
        assert_eq!(task(0, "a-seed-1").name(), "0123/a-seed-1/to-5");
    }

    #[test]
    fn tasks_beyond_the_limits_are_refused() {
        assert!(task(MOST_GAMES + 1, "").checked().is_err());
        assert!(task(0, "../../etc/passwd").checked().is_err());
        let job = "../x".to_string();
        assert!(Task { job, ..task(1, "") }.checked().is_err());
        assert!(read::<Task>(b"").is_none() && read::<Task>(&[255; 40]).is_none());
        assert!(read::<Task>(&[&bytes_of(&task(1, ""))[..], b"x"].concat()).is_none(), "bytes are left over");
    }
}
