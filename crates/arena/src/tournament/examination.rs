//! Entrants take the exam: by their decision tables in small games, otherwise by computing every move.

use super::{Arena, Entrant};
use crate::exam::{Tally, share};
use crate::{DecisionTable, Exam, NetworkPlayer, Truth};
use games::Game;
use std::sync::Arc;

impl<G: Game> Arena<G> {
    /// Grades an entrant, or returns `None` if nothing is known about the game. The result equals
    /// [`Examiner::examine`](crate::Examiner::examine), but is found through the entrant's table if it has one.
    pub fn examine(&self, entrant: &Entrant) -> Option<Exam> {
        let examiner = self.examiner.as_ref()?;
        let (Some(encoded_atlas), Some(table)) = (&self.encoded_atlas, &entrant.table) else {
            let seating = match examiner.asks() {
                true => Arc::new(self.seating().alone()),
                false => Arc::clone(self.seating()),
            };
            return Some(examiner.examine(&mut NetworkPlayer::new(seating, Arc::clone(&entrant.prepared.network))));
        };
        let atlas = &encoded_atlas.atlas;
        let perfect = table.perfect();
        let mut tally = Tally::default();
        for (number, &start) in self.start_numbers.iter().enumerate() {
            tally.add(walk_alone(table, start as usize), self.starts().weight(number));
        }
        let all_positions = share(perfect as f64, atlas.open() as f64);
        let truth = Truth { all_positions, on_policy: tally.share(), positions: atlas.open(), sampled: false };
        Some(Exam::Truth(truth))
    }
}

/// Numbers of perfect and of graded turns in the network's game against itself.
fn walk_alone(table: &DecisionTable, start: usize) -> (u32, u32) {
    let (mut position, mut perfect, mut turns) = (start, 0, 0);
    while let Some(step) = table.step(position) {
        turns += 1;
        perfect += u32::from(step.perfect());
        if step.illegal() {
            break;
        }
        position = step.next();
    }
    (perfect, turns)
}
