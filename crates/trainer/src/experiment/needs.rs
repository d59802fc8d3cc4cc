//! Estimates how much memory training uses, before it begins.

use super::TypedExperiment;
use arena::Conditions;
use evolution::Footprint;
use games::Game;

/// An estimate of the most memory that training uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The number of networks in the population.
    pub population: usize,
    /// The size of the saved population in bytes.
    pub saved: u64,
    /// Memory in total, in bytes.
    pub memory: u64,
}

/// Memory of the program without a population, in bytes: code, SQLite's cache, a solver's tables.
const PROGRAM: u64 = 24 << 20;
/// Memory of each thread in bytes: its stack, and, if networks search, the tables of the search.
const THREAD: u64 = 4 << 20;
const SEARCH: u64 = 36 << 20;
/// The number of copies of the saved population while it is written: by the program, on the way to SQLite, and as a
/// row.
const COPIES: u64 = 3;
/// A population uses about a quarter more than the sum of its parts, as the allocator leaves gaps and networks grow.
/// In fifteen trainings of all strategies, with populations from 50 to 50 000, peaks of memory were 0.4 to 0.95 of this
/// estimate; peaks of more than 200 MB were at least 0.6 of it.
const MARGIN: (u64, u64) = (5, 4);

impl<G: Game> TypedExperiment<G> {
    /// Estimates the memory that training of this experiment uses with this number of threads.
    pub fn needs(&self, threads: usize) -> Needs {
        let footprint = self.strategy.footprint(self.seating().shape());
        let memory = bytes_of(self, &footprint, self.seating().tabulated_positions(), threads);
        Needs { population: self.strategy.population(), saved: footprint.saved, memory }
    }
}

/// Estimates the memory of training in bytes; `positions` is the number of tabulated positions.
fn bytes_of<G: Game>(experiment: &TypedExperiment<G>, footprint: &Footprint, positions: usize, threads: usize) -> u64 {
    let Footprint { generation, breeding, saved, layers } = footprint;
    let seating = experiment.seating();
    let population = experiment.strategy.population() as u64;
    let guests = experiment.guests as u64;
    let is_tabulated = positions > 0 && experiment.strategy.remembers() == 0;
    let conditions =
        Conditions { opening_plies: experiment.opening_plies, blunders: experiment.blunders, ..Conditions::default() };
    let each = u64::try_from(experiment.game_count().each()).unwrap_or(u64::MAX);
    // Positions of won games, if the strategy remembers them.
    let kept = if experiment.strategy.remembers() > 0 { WON_POSITIONS * size_of::<G>() as u64 } else { 0 };
    let games = each.saturating_mul(seating.bytes_of_game(&conditions, is_tabulated) + kept);
    // Tables of the last generation are freed only when those of the next one exist.
    let entrants = (if is_tabulated { 2 } else { 1 }) * (population + guests);
    let entrants = entrants.saturating_mul(seating.bytes_of_entrant(layers, if is_tabulated { positions } else { 0 }));
    let numbers = population.saturating_mul(SCORES);
    let parts = [generation.saturating_mul(2), *breeding, COPIES * saved, games, entrants, numbers];
    let parts = parts.iter().fold(0, |sum: u64, part| sum.saturating_add(*part));
    let looks_ahead = experiment.player.depth > 0 || experiment.player.rounds > 0;
    let thread = THREAD + if looks_ahead { SEARCH } else { 0 };
    (parts / MARGIN.1).saturating_mul(MARGIN.0).saturating_add(PROGRAM + thread * threads as u64)
}

/// The number of positions that are kept of a won game: half of the plies of a long game.
const WON_POSITIONS: u64 = 40;
/// Bytes for scores, ranks and shares of each network while the next generation is bred.
const SCORES: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExperimentFile, shipped_experiments};
    use chance::rng_for;
    use games::GameVisitor;

    /// The estimated size of the saved population is not too small, and not much too large, for all built-in
    /// experiments.
    #[test]
    fn sizes_of_saved_populations_are_estimated() {
        struct Visit<'a>(&'a ExperimentFile);
        impl GameVisitor for Visit<'_> {
            type Output = ();
            fn visit<G: Game>(self) {
                let experiment = self.0.typed::<G>().unwrap();
                let shape = experiment.seating().shape();
                let saved = experiment.strategy.create(shape, &mut rng_for(1, &[])).save().len() as u64;
                let Footprint { saved: estimated, .. } = experiment.strategy.footprint(shape);
                assert!(estimated >= saved, "{}: {estimated} estimated, {saved} saved", self.0.name);
                // Genomes may begin with as many hidden nodes and connections as are allowed, but few do.
                let most = if ["neat", "series"].contains(&experiment.strategy.info().name) { 6 } else { 2 };
                assert!(estimated <= most * saved + 1000, "{}: {estimated} estimated, {saved} saved", self.0.name);
                assert!(experiment.needs(1).memory < 4 << 30, "{} fits into the memory of a laptop", self.0.name);
            }
        }
        for (name, text) in shipped_experiments() {
            let file = ExperimentFile::parse(name, name, text).unwrap();
            games::with_built_in(file.game(), Visit(&file)).unwrap();
        }
    }
}
