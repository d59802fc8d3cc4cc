//! Plays a part of a generation's games for a trainer on another machine. Only the networks and numbers travel: starts
//! are drawn again from the experiment's seed.

use super::{conditions_for_scores, stream};
use crate::Error;
use crate::experiment::TypedExperiment;
use arena::{Arena, Entrant, GameHistory, SharedGame, SharedRecords};
use chance::{Rng, rng_for};
use evolution::Network;
use games::Game;
use std::mem::Discriminant;
use std::sync::Arc;

/// Plays games of an experiment for a trainer on another machine.
pub trait PartPlayer: Send {
    /// Takes the networks of a generation: the population, followed by guests. Networks that do not fit the experiment
    /// are refused.
    fn enter(&mut self, generation: u64, networks: Vec<Arc<Network>>) -> Result<(), Error>;
    /// Plays games between the networks that entered last. Games that cannot be played are refused.
    fn play(&mut self, games: &[SharedGame]) -> Result<SharedRecords, Error>;
}

/// A [`PartPlayer`] of a known game.
pub(crate) struct TypedPartPlayer<G: Game> {
    experiment: Arc<TypedExperiment<G>>,
    arena: Arena<G>,
    /// The kind of the experiment's networks, and how many genes each of them carries.
    form: (Option<Discriminant<Network>>, usize),
    entrants: Vec<Entrant>,
    /// The starts that were drawn so far in this generation, and the generator of the next one.
    starts: Vec<GameHistory<G>>,
    rng: Rng,
}

impl<G: Game> TypedPartPlayer<G> {
    pub fn new(experiment: Arc<TypedExperiment<G>>, threads: usize) -> TypedPartPlayer<G> {
        let arena = Arena::new(experiment.seating().clone()).on_threads(threads);
        let rng = rng_for(experiment.seed, &[stream::CREATE]);
        let made = experiment.strategy.create(arena.seating().shape(), &mut rng.clone());
        let example = made.networks().first();
        let form = (
            example.map(|network| std::mem::discriminant(&**network)),
            example.map_or(0, |network| network.genes().len()),
        );
        TypedPartPlayer { experiment, arena, form, entrants: Vec::new(), starts: Vec::new(), rng }
    }
}

impl<G: Game> PartPlayer for TypedPartPlayer<G> {
    fn enter(&mut self, generation: u64, networks: Vec<Arc<Network>>) -> Result<(), Error> {
        let most = self.experiment.strategy.population().saturating_add(self.experiment.guests);
        if networks.len() > most {
            let what = format!("{} networks came, but the experiment has at most {most}", networks.len());
            return Err(Error::Refused(what));
        }
        let shape = self.arena.seating().shape();
        let fits = |network: &Network| {
            network.shape() == shape && (Some(std::mem::discriminant(network)), network.genes().len()) == self.form
        };
        if !self.arena.can_share() || !networks.iter().all(|network| fits(network)) {
            return Err(Error::Refused("the networks that came do not fit the experiment".to_string()));
        }
        self.entrants = self.arena.enter(&networks);
        self.starts.clear();
        self.rng = rng_for(self.experiment.seed, &[stream::START, generation]);
        Ok(())
    }

    fn play(&mut self, games: &[SharedGame]) -> Result<SharedRecords, Error> {
        let conditions = conditions_for_scores(&self.experiment);
        let entrants = self.entrants.len();
        // A generation has at most one start for each game, and all starts before the last one are drawn.
        let most_starts = self.experiment.game_count().each();
        let is_playable = |game: &&SharedGame| {
            (game.first as usize) < entrants
                && (game.second as usize) < entrants
                && u128::from(game.start) < most_starts
                && game.blunders.is_some() == (conditions.blunders > 0.0)
        };
        if let Some(game) = games.iter().find(|game| !is_playable(game)) {
            return Err(Error::Refused(format!("the game {game:?} cannot be played between {entrants} networks")));
        }
        let starts = games.iter().map(|game| game.start as usize + 1).max().unwrap_or(0);
        while self.starts.len() < starts {
            self.starts.push(self.arena.draw_start(&conditions, &mut self.rng));
        }
        Ok(self.arena.play_for_other(&self.entrants, games, &self.starts, &conditions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, ExperimentFile};
    use arena::{Sharing, SharingError};

    /// Other machines: two part players, which take turns with chunks of a few games.
    struct Others {
        players: [Box<dyn PartPlayer>; 2],
        games: usize,
    }

    impl Sharing for Others {
        fn play(
            &mut self,
            generation: u64,
            networks: &[Arc<Network>],
            games: &[SharedGame],
        ) -> Result<SharedRecords, SharingError> {
            for player in &mut self.players {
                player.enter(generation, networks.to_vec())?;
            }
            let (mut records, mut judged) = (Vec::new(), 0);
            for (number, chunk) in games.chunks(7).enumerate() {
                let played = self.players[number % 2].play(chunk)?;
                records.extend(played.records);
                judged += played.judged;
            }
            self.games += games.len();
            Ok(SharedRecords { records, judged })
        }
    }

    fn experiment(name: &str, changes: &[&str]) -> ExperimentFile {
        let mut experiment = Experiment::shipped(name).unwrap();
        experiment.set(changes).unwrap();
        experiment
    }

    /// A training whose games others play equals one whose games are played here: blunders, guests, remembered games,
    /// and counts of evaluations included.
    #[test]
    fn shared_games_change_nothing() {
        for (name, changes) in [
            ("minichess", &["strategy.neat.population=14", "schedule.circular.opponents=4", "guests=2"][..]),
            ("minichess-enn", &["strategy.enn.population=14", "schedule.circular.opponents=4", "blunders=0.0"][..]),
        ] {
            let experiment = experiment(name, changes);
            assert_eq!(experiment.why_not_shared(), None);
            let (mut here, mut shared) = (experiment.trainer(1), experiment.trainer(1));
            let players = [experiment.part_player(1), experiment.part_player(2)];
            shared.share(Box::new(Others { players, games: 0 }));
            let mut champions = Vec::new();
            for _ in 0..3 {
                let [one, other] = [&mut here, &mut shared].map(|trainer| trainer.step(&champions).unwrap());
                assert_eq!(format!("{:?}", one.report), format!("{:?}", other.report), "{name}");
                assert_eq!(one.met, other.met);
                champions.push(one.champion);
            }
            assert_eq!(here.signature(), shared.signature());
        }
    }

    #[test]
    fn experiments_say_why_they_are_not_shared() {
        let check = |name: &str, changes: &[&str], why: &str| {
            let found = experiment(name, changes).why_not_shared().unwrap_or_default();
            assert!(found.contains(why), "{name}: {found}");
        };
        check("nim-2x4", &[], "so small");
        check("minichess-td", &[], "learns from its own games");
    }

    #[test]
    fn games_that_cannot_be_played_are_refused() {
        let experiment = experiment("minichess", &["strategy.neat.population=4", "schedule.circular.opponents=2"]);
        let networks = vec![experiment.trainer(1).step(&Vec::new()).unwrap().champion; 3];
        let mut player = experiment.part_player(1);
        player.enter(1, networks.clone()).unwrap();
        let game = SharedGame { first: 0, second: 1, start: 0, blunders: Some(1) };
        assert_eq!(player.play(&[game]).unwrap().records.len(), 1);
        for wrong in [
            SharedGame { first: 3, ..game },
            SharedGame { second: 9, ..game },
            SharedGame { start: 1000, ..game },
            SharedGame { blunders: None, ..game },
        ] {
            assert!(player.play(&[game, wrong]).is_err(), "{wrong:?}");
        }
        assert!(player.enter(2, vec![Arc::clone(&networks[0]); 40]).is_err(), "more networks than the experiment has");
    }
}
