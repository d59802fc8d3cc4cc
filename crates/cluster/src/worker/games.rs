//! Games of a generation, played for a training on another machine.

use super::{Worker, on_a_thread};
use crate::Error;
use crate::protocol::{MOST_TEXT, ObjectName, Outcome, Population, read};
use arena::SharedGame;
use lab::Promise;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use trainer::{ExperimentFile, PartPlayer};
use xxhash_rust::xxh3::xxh3_64;

/// The players of the trainings that the worker has played for last, the newest last.
#[derive(Default)]
pub(super) struct GamePlayers(Vec<GamePlayer>);

struct GamePlayer {
    /// The hash of the experiment.
    experiment: u64,
    /// The population whose networks have entered.
    population: ObjectName,
    player: Box<dyn PartPlayer>,
    /// The last field, because the promise must end after the memory is free.
    _promise: Promise,
}

/// How many trainings are remembered.
const MOST_PLAYERS: usize = 2;

impl GamePlayers {
    fn of(&mut self, population: &ObjectName) -> Option<&mut GamePlayer> {
        self.0.iter_mut().find(|player| player.population == *population)
    }

    /// Lets the networks of a population enter.
    fn enter(
        &mut self,
        generation: u64,
        object: &ObjectName,
        population: Population,
        threads: usize,
    ) -> Result<(), Error> {
        let here = |error: trainer::Error| Error::Here(error.to_string());
        let experiment = xxh3_64(population.experiment.as_bytes());
        let place = self.0.iter().position(|player| player.experiment == experiment);
        let mut player = match place {
            Some(place) => self.0.remove(place),
            None => {
                if population.experiment.len() > MOST_TEXT {
                    return Err(Error::Here("the experiment of a task is longer than allowed".to_string()));
                }
                let file = ExperimentFile::parse("shared", "the experiment of a task", &population.experiment);
                let file = file.map_err(here)?;
                let promise = lab::promised_memory(&file, threads).map_err(|error| Error::Here(error.to_string()))?;
                let player = file.part_player(threads);
                GamePlayer { experiment, population: object.clone(), player, _promise: promise }
            }
        };
        player.player.enter(generation, population.networks).map_err(here)?;
        player.population = object.clone();
        self.0.truncate(MOST_PLAYERS - 1);
        self.0.push(player);
        Ok(())
    }
}

/// Plays games between networks of a population, which is fetched if it is not the last one.
pub(super) async fn play(
    worker: &Arc<Worker>,
    generation: u64,
    population: &ObjectName,
    games: &[SharedGame],
) -> Result<Outcome, Error> {
    let players = || worker.players.lock().unwrap_or_else(PoisonError::into_inner);
    let is_known = players().of(population).is_some();
    let fetched = match is_known {
        true => None,
        false => {
            let bytes = worker.link.get(population).await?;
            let broken = || Error::Here(format!("the object {} is not a population", population.name));
            Some(read::<Population>(&bytes).ok_or_else(broken)?)
        }
    };
    let (worker, population, games) = (Arc::clone(worker), population.clone(), games.to_vec());
    on_a_thread(move || {
        let mut players = worker.players.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetched) = fetched {
            players.enter(generation, &population, fetched, worker.threads)?;
        }
        let player = players.of(&population).ok_or_else(|| Error::Here("a population is missing".to_string()))?;
        let records = player.player.play(&games).map_err(|error| Error::Here(error.to_string()))?;
        worker.games.fetch_add(games.len() as u64, Ordering::Relaxed);
        Ok(Outcome::Played(records))
    })
    .await
}
