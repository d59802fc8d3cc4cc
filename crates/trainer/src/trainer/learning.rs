//! A generation of TD learning: one network plays against itself and learns from its games.

use super::{GenerationGames, Trainer, stream};
use crate::Error;
use crate::hall_of_fame::Archive;
use arena::{Conditions, Pairing};
use chance::rng_for;
use games::Game;

impl<G: Game> Trainer<G> {
    /// Plays the games of a generation in which one network learns, and scores the changed network. With scoring by
    /// points, the network then plays against its former self and against guests, two games each from the same start,
    /// without blunders. Its score is the mean number of points per game: if a draw counts half a point, more than half
    /// is progress. With scoring by exam, the score is the share of perfect moves among those that it made while
    /// learning.
    pub(super) fn learn(&mut self, generation: u64, archive: &dyn Archive) -> Result<GenerationGames, Error> {
        let seed = self.experiment.seed;
        let rng_of = |stream: u64| rng_for(seed, &[stream, generation]);
        // 1. Prepare the network before learning, and the guests.
        let mut others = self.arena.enter(self.strategy.networks());
        for place in self.hall.sample(self.experiment.guests, &mut rng_of(stream::GUESTS)) {
            others.push(self.hall.entrant(place, &mut self.arena, archive)?);
        }
        // 2. Pair the network with itself. 3. Play the games from which it learns.
        let pairings = self.experiment.schedule.part().pairings(1, &mut rng_of(stream::PAIR));
        let conditions = Conditions { blunders: self.experiment.blunders, ..self.conditions() };
        let rng = &mut rng_of(stream::START);
        let records = match self.strategy.student() {
            Some(student) => self.arena.study(student, &pairings, &conditions, rng),
            None => {
                let learner = self.strategy.learner().expect("the strategy learns");
                self.arena.self_play(learner, &pairings, &conditions, rng)
            }
        };
        self.games += records.len() as u64;
        // 4. Score the network after learning.
        let mut entrants = self.arena.enter(self.strategy.networks());
        let scoring = self.experiment.scoring.part();
        let score = if self.experiment.scoring.info().grades_moves {
            scoring.scores(1, &records)[0]
        } else {
            entrants.extend(others);
            let both = |other: u32| Pairing::both(0, other, other - 1);
            let pairings: Vec<Pairing> = (1..entrants.len() as u32).flat_map(both).collect();
            let rng = &mut rng_of(stream::SCORE);
            let records = self.arena.play(&entrants, &pairings, &self.conditions(), rng);
            scoring.scores(entrants.len(), &records)[0] / records.len() as f64
        };
        Ok(GenerationGames { entrants, records, scores: vec![score], won: Vec::new() })
    }
}
