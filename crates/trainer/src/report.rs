//! What is known of one generation.

use arena::Exam;
use evolution::Inheritance;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything measured in a generation; one row in the run's file, which adds how long it took. What people see of it over
/// generations is listed in [`MEASURES`](crate::MEASURES).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Counted from 1.
    pub generation: u64,
    /// The champion's score.
    pub best_score: f64,
    /// The mean score.
    pub mean_score: f64,
    /// The champion's share of points against champions of the past; none in the first generation.
    pub past_share: Option<f64>,
    /// The champion's mean result against the five champions before it, from −1 to 1, where that is measured.
    pub growth: Option<f64>,
    /// The champion's exam, where it took one.
    pub exam: Option<Exam>,
    /// The champion's share of perfect turns in the games it was scored by, where a solver can tell.
    pub grade_in_games: Option<f64>,
    /// Turns per game, an illegal attempt included.
    pub mean_turns: f64,
    /// Hidden layers per network.
    pub mean_layers: f64,
    /// Nodes per hidden layer, over the networks that have hidden layers.
    pub mean_nodes: f64,
    /// The champion's place in the population.
    pub champion_place: u64,
    /// How many nodes each of the champion's layers has.
    pub champion_layers: Vec<usize>,
    /// The champion's hidden nodes.
    pub champion_hidden: u64,
    /// The champion's edges.
    pub champion_edges: u64,
    /// The number of its genome, where genomes have one.
    pub champion_genome: Option<u64>,
    /// Games played for scores, all generations together.
    pub games: u64,
    /// Games that were not played because the same two had met before from the same start, all generations together.
    pub reused: u64,
    /// Positions judged by networks, all generations together. One whose judgement was looked up counts again, so that a
    /// resumed run has the same number as one that was not interrupted.
    pub evaluations: u64,
    /// Says all that happened up to here: equal signature, equal run.
    pub signature: String,
    /// Measures without a field, by key ([`Source::Added`](crate::Source::Added)), where they were taken.
    #[serde(flatten)]
    pub added: BTreeMap<&'static str, f64>,
}

/// A species in one generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpeciesReport {
    /// The generation.
    pub generation: u64,
    /// Its number, for the whole run.
    pub species: u64,
    /// The generation in which it came up.
    pub born: u64,
    /// How many members it has.
    pub size: u64,
    /// The score of the best of them.
    pub best_score: f64,
    /// The number of the genome that others were compared with.
    pub representative: u64,
}

/// A genome and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Birth {
    /// Its number, for the whole run.
    pub genome: u64,
    /// The generation in which it first played.
    pub generation: u64,
    /// Its parents: the fitter first; the same twice for a copy, 0 for none.
    pub parents: [u64; 2],
    /// Its species then.
    pub species: u64,
}

/// How those did in one generation that came into it by one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InheritanceReport {
    /// The generation.
    pub generation: u64,
    /// The way, in a word or two.
    pub way: String,
    /// How many there were.
    pub count: u64,
    /// How many of them scored more than their parents, or, elites, ranked higher than before.
    pub improved: u64,
    /// How many stayed in the next generation.
    pub stayed: u64,
    /// By how much their answers differ from their parents' on positions that these remember: the median, where known.
    pub change: Option<f64>,
}

impl InheritanceReport {
    pub(crate) fn new(generation: u64, found: &Inheritance) -> InheritanceReport {
        let Inheritance { way, count, improved, stayed, change } = *found;
        let [count, improved, stayed] = [count, improved, stayed].map(u64::from);
        InheritanceReport {
            generation,
            way: way.name().to_string(),
            count,
            improved,
            stayed,
            change: change.map(f64::from),
        }
    }
}

/// A genome as text, with what it scored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GenomeRecord {
    /// Its place in the population.
    pub place: u64,
    /// Its number.
    pub genome: u64,
    /// Its species.
    pub species: u64,
    /// Its score.
    pub score: f64,
    /// The genome in one line.
    pub text: String,
}

/// A game of the champion, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedGame {
    /// The generation whose champion played.
    pub generation: u64,
    /// Its number within the generation.
    pub number: u64,
    /// The generation whose champion moved first.
    pub first: u64,
    /// The generation whose champion moved second.
    pub second: u64,
    /// The starting position.
    pub start: String,
    /// The moves, in the game's notation.
    pub moves: Vec<String>,
    /// An illegal attempt that ended it.
    pub illegal: Option<String>,
    /// `first`, `second` or `draw`.
    pub outcome: String,
}
