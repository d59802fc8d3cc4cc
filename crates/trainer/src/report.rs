//! The report of one generation: everything that was measured.

use arena::Exam;
use evolution::Inheritance;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything measured in a generation: one row of the run file, which also has the time it took.
/// [`MEASURES`](crate::MEASURES) lists what people see of it over generations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The number of the generation, from 1.
    pub generation: u64,
    /// The champion's score.
    pub best_score: f64,
    /// The mean score of the population.
    pub mean_score: f64,
    /// The champion's share of points against champions of the past; `None` in the first generation.
    pub past_share: Option<f64>,
    /// The champion's mean result against the five champions before it, from −1 to 1; `None` if it is not measured.
    pub growth: Option<f64>,
    /// The champion's exam; `None` if it took none in this generation.
    pub exam: Option<Exam>,
    /// The champion's share of perfect turns in its games for scores; `None` if the game has no solver.
    pub grade_in_games: Option<f64>,
    /// The mean number of turns per game, including illegal attempts.
    pub mean_turns: f64,
    /// The mean number of hidden layers per network.
    pub mean_layers: f64,
    /// The mean number of nodes per hidden layer, over the networks that have hidden layers.
    pub mean_nodes: f64,
    /// The champion's place in the population.
    pub champion_place: u64,
    /// The number of nodes in each of the champion's layers.
    pub champion_layers: Vec<usize>,
    /// The number of the champion's hidden nodes.
    pub champion_hidden: u64,
    /// The number of the champion's edges.
    pub champion_edges: u64,
    /// The number of the champion's genome; `None` if the strategy does not number genomes.
    pub champion_genome: Option<u64>,
    /// The number of games played for scores, in all generations so far.
    pub games: u64,
    /// The number of games that were not played because the same two networks had played from the same start before, in
    /// all generations so far.
    pub reused: u64,
    /// The number of positions that networks evaluated, in all generations so far. A cached value counts again, so that
    /// a resumed run has the same number as one that was not interrupted.
    pub evaluations: u64,
    /// A hash of everything that has happened so far. Runs with equal signatures are equal.
    pub signature: String,
    /// Measures without a field of their own, by key ([`Source::Added`](crate::Source::Added)), if they were taken.
    #[serde(flatten)]
    pub added: BTreeMap<&'static str, f64>,
}

/// A species in one generation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpeciesReport {
    /// The generation.
    pub generation: u64,
    /// Its number, unique in the run.
    pub species: u64,
    /// The generation in which it began.
    pub born: u64,
    /// The number of its members.
    pub size: u64,
    /// The best score of its members.
    pub best_score: f64,
    /// The number of the genome with which others are compared.
    pub representative: u64,
}

/// A genome and its parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Birth {
    /// Its number, unique in the run.
    pub genome: u64,
    /// The generation in which it first played.
    pub generation: u64,
    /// Its parents: the one with the higher score first; the same number twice for a copy, 0 for none.
    pub parents: [u64; 2],
    /// Its species at that time.
    pub species: u64,
}

/// How networks did in one generation that came into it in the same way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InheritanceReport {
    /// The generation.
    pub generation: u64,
    /// The way in a word or two, such as `elite` or `safe mutation`.
    pub way: String,
    /// The number of networks.
    pub count: u64,
    /// The number of them that scored more than their parents, or, for elites, that ranked higher than before.
    pub improved: u64,
    /// The number of them that stayed in the next generation.
    pub stayed: u64,
    /// The median difference between their answers and their parents', in positions that the parents remember; `None`
    /// if it is not known.
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

/// A genome as text, with its score.
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

/// A recorded game of the champion.
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
    /// The illegal attempt that ended the game, if one did.
    pub illegal: Option<String>,
    /// `first`, `second` or `draw`.
    pub outcome: String,
}
