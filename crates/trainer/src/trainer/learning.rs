//! A generation of one network that learns as it plays itself.

use super::{GenerationGames, Trainer, stream};
use crate::Error;
use crate::hall_of_fame::Archive;
use arena::{Conditions, Pairing};
use chance::rng_for;
use games::Game;

impl<G: Game> Trainer<G> {
    /// What a generation's games come to, where there is one network: it learns by them, and its score is of what it has
    /// become. Where points count, it meets who it was before, and guests, twice each from the same start, and nobody
    /// blunders; its score is its points by game, so that with half a point for a draw more than half is progress.
    /// Where the exam counts, it is the share of perfect moves among those that it made while it learned.
    pub(super) fn learn(&mut self, generation: u64, archive: &dyn Archive) -> Result<GenerationGames, Error> {
        let seed = self.experiment.seed;
        let rng_of = |stream: u64| rng_for(seed, &[stream, generation]);
        // 1. Who it was before, and guests.
        let mut others = self.arena.enter(self.strategy.networks());
        for place in self.hall.sample(self.experiment.guests, &mut rng_of(stream::GUESTS)) {
            others.push(self.hall.entrant(place, &mut self.arena, archive)?);
        }
        // 2. Whom it meets: itself; 3. the games, by which it learns.
        let pairings = self.experiment.schedule.part().pairings(1, &mut rng_of(stream::PAIR));
        let conditions = Conditions { blunders: self.experiment.blunders, ..self.conditions() };
        let learner = self.strategy.learner().expect("the strategy learns");
        let records = self.arena.self_play(learner, &pairings, &conditions, &mut rng_of(stream::START));
        self.games += records.len() as u64;
        // 4. The score of what it has become.
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
