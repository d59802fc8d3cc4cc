//! One training on many machines: the games of each generation are played by workers. The population is sent once for
//! each generation, and the games in chunks whose size depends on the time that games take.

use crate::Error;
use crate::coordinator::Coordinator;
use crate::job::{Event, Job};
use crate::protocol::{MOST_GAMES, ObjectName, Outcome, Population, Queue, Task, Work, bytes_of};
use arena::{SharedGame, SharedRecords, Sharing, SharingError};
use evolution::Network;
use lab::Share;
use runs::RunInfo;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use trainer::ExperimentFile;
use xxhash_rust::xxh3::xxh3_64;

/// How long a chunk of games should take, in seconds. Shorter chunks would cost time for messages, longer ones would let
/// workers wait for the last chunk of a generation.
const CHUNK: f64 = 0.4;
/// The shortest time for which a chunk at the end of a generation is worth its messages, in seconds.
const LEAST_CHUNK: f64 = 0.03;

impl Share for Coordinator {
    fn begin(&self, experiment: &ExperimentFile, run: &str, info: &RunInfo) -> Result<Box<dyn Sharing>, lab::Error> {
        let text = format!("{run}\n{}\n{}", info.created, experiment.canonical());
        let job = Job::begin(self, &format!("t{:016x}", xxh3_64(text.as_bytes())), &format!("the run `{run}`"))?;
        Ok(Box::new(SharedTraining { job, experiment: experiment.canonical(), seconds_per_game: None }))
    }
}

struct SharedTraining {
    job: Job,
    /// The canonical text of the experiment.
    experiment: String,
    /// The time that a worker needs for a game; `None` before the first chunk.
    seconds_per_game: Option<f64>,
}

impl Sharing for SharedTraining {
    fn play(
        &mut self,
        generation: u64,
        networks: &[Arc<Network>],
        games: &[SharedGame],
    ) -> Result<SharedRecords, SharingError> {
        if games.is_empty() {
            return Ok(SharedRecords { records: Vec::new(), judged: 0 });
        }
        self.job.next_round();
        // 1. Send the population.
        let population = bytes_of(&Population { experiment: self.experiment.clone(), networks: networks.to_vec() });
        let inner = Arc::clone(self.job.inner());
        let name = format!("{}/generation-{generation}", self.job.id());
        let population = inner.runtime.block_on(inner.link.put(&name, &population))?;
        // 2. Ask for the games.
        let chunks = chunks(games.len(), inner.crew.count(), self.seconds_per_game);
        let mut places: HashMap<String, (usize, usize)> = HashMap::new();
        let mut tasks = Vec::with_capacity(chunks.len());
        let mut first = 0;
        for size in chunks {
            let task = self.task(generation, &population, &games[first..first + size]);
            places.insert(task.name(), (first, size));
            tasks.push(task);
            first += size;
        }
        self.job.ask(Queue::Games, tasks)?;
        // 3. Put the records together, by place.
        let mut records = vec![None; games.len()];
        let mut judged = 0;
        while self.job.open() > 0 {
            let Some(Event::Done { task, outcome, seconds }) = self.job.next(Duration::from_millis(500))? else {
                continue;
            };
            let (first, size) = places[&task];
            match outcome {
                Outcome::Played(played) => {
                    let played = played.checked(&games[first..first + size])?;
                    judged += played.judged;
                    for (place, record) in records[first..].iter_mut().zip(played.records) {
                        *place = Some(record);
                    }
                    let each = f64::from(seconds) / size as f64;
                    self.seconds_per_game = Some(self.seconds_per_game.map_or(each, |mean| 0.8 * mean + 0.2 * each));
                }
                Outcome::Failed(why) => return Err(Error::Task { task, why }.into()),
                Outcome::Trained(_) => {
                    return Err(Error::Task { task, why: "its result is not that of games".to_string() }.into());
                }
            }
        }
        // 4. Nobody needs the population any more.
        if !inner.options.keep {
            let link = inner.link.clone();
            inner.runtime.spawn(async move { link.delete(&name).await });
        }
        let records = records.into_iter().map(|record| record.expect("every game is in a chunk")).collect();
        Ok(SharedRecords { records, judged })
    }
}

impl SharedTraining {
    fn task(&self, generation: u64, population: &ObjectName, games: &[SharedGame]) -> Task {
        let work = Work::Games { generation, population: population.clone(), games: games.to_vec() };
        Task { job: self.job.id().to_string(), verifies: None, work }
    }
}

impl Drop for SharedTraining {
    fn drop(&mut self) {
        self.job.end(false);
    }
}

/// The sizes of the chunks of a generation. They become smaller towards the end, so that all workers end at about the
/// same time.
fn chunks(games: usize, workers: usize, seconds_per_game: Option<f64>) -> Vec<usize> {
    let workers = workers.max(1);
    let games_in = |seconds: f64, each: f64| ((seconds / each.max(1e-9)) as usize).clamp(1, MOST_GAMES);
    let (least, most) = match seconds_per_game {
        Some(each) => (games_in(LEAST_CHUNK, each), games_in(CHUNK, each)),
        None => (1, (games / (8 * workers)).clamp(1, 64)),
    };
    let (mut sizes, mut left) = (Vec::new(), games);
    while left > 0 {
        let size = (left / (3 * workers)).clamp(least, most).min(left);
        sizes.push(size);
        left -= size;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_fit_the_time_that_games_take() {
        let check = |games: usize, workers: usize, each: Option<f64>, first: usize, last: usize| {
            let sizes = chunks(games, workers, each);
            assert_eq!(sizes.iter().sum::<usize>(), games);
            assert_eq!((sizes[0], sizes[sizes.len() - 1]), (first, last), "{sizes:?}");
        };
        check(6000, 2, Some(0.001), 400, 8);
        check(6000, 2, Some(10.0), 1, 1);
        check(6000, 0, None, 64, 1);
        check(3, 8, None, 1, 1);
        check(100_000, 2, Some(0.0), MOST_GAMES, 1696);
        assert!(chunks(0, 2, None).is_empty());
    }
}
