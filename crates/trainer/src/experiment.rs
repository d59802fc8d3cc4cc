//! An experiment: one TOML file with all parameters and a seed, which decides a run completely.

mod checks;
mod file;
mod game_count;
mod learning;
mod needs;
#[cfg(test)]
mod tests;

pub(crate) use file::Decode;
pub use file::{ExperimentFile, Rules};
pub use game_count::GameCount;
pub use needs::Needs;

use crate::final_champion::FinalChampion;
use arena::{Method, ScheduleConfig, ScoringConfig, Seating};
use evolution::StrategyConfig;
use games::Game;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// All parameters of a run; `S` is the game's setup. Every key must be given; there are no hidden defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment<S = toml::Table> {
    /// The game's name.
    pub game: String,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// The number of past champions that every network also plays against. They are drawn anew each generation and get
    /// no score.
    pub guests: usize,
    /// Games begin with a random number of random plies, up to this one.
    pub opening_plies: usize,
    /// The probability that a random move replaces a network's move in games for scores.
    pub blunders: f64,
    /// The setup of the game.
    pub setup: S,
    /// How networks see positions and choose moves.
    pub player: PlayerParams,
    /// Which networks play against each other.
    pub schedule: ScheduleConfig,
    /// How games become scores.
    pub scoring: ScoringConfig,
    /// How networks are bred.
    pub strategy: StrategyConfig,
    /// When to stop.
    pub stop: Stop,
    /// What to measure and keep.
    pub record: Record,
    /// Where migrants come from; `None` if the population takes in no networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration: Option<Migration>,
}

impl<S: Serialize> Experiment<S> {
    /// All parameters as TOML, in the form that run files store.
    pub fn canonical(&self) -> String {
        toml::to_string(self).expect("an experiment can be written")
    }
}

/// An experiment of a known game, checked as a whole by [`Experiment::checked`]. It dereferences to the [`Experiment`]
/// that it was made from, and has the seating of its networks.
#[derive(Clone)]
pub struct TypedExperiment<G: Game> {
    experiment: Experiment<G::Setup>,
    seating: Seating<G>,
}

impl<G: Game> TypedExperiment<G> {
    /// The seating of this experiment's networks.
    pub fn seating(&self) -> &Seating<G> {
        &self.seating
    }
}

impl<G: Game> Deref for TypedExperiment<G> {
    type Target = Experiment<G::Setup>;

    fn deref(&self) -> &Experiment<G::Setup> {
        &self.experiment
    }
}

/// How networks see positions and choose moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerParams {
    /// The name of the encoder, which turns positions into inputs.
    pub encoder: String,
    /// The name of the head, which turns outputs into a move.
    pub head: String,
    /// What happens after an illegal attempt; the head `value` makes none.
    pub play: String,
    /// The search depth of the value head, in plies.
    pub depth: u32,
    /// Where the search goes deeper because the side to move must capture.
    pub extend: String,
    /// The number of Monte Carlo rounds per move, instead of a depth; 0 means none.
    pub rounds: u32,
    /// The number of plies after which playouts stop and the network evaluates the position; 0 means that playouts go
    /// to the end of the game.
    pub ept: u32,
    /// How moves in playouts are chosen.
    pub playouts: String,
    /// How the search looks ahead. A key of version 0.2: without it, the search is exact.
    #[serde(default = "exact", skip_serializing_if = "is_exact")]
    pub search: String,
}

fn exact() -> String {
    Method::Exact.name().to_string()
}

fn is_exact(search: &str) -> bool {
    search == Method::Exact.name()
}

/// The values of the experiment `nim-2x4`. Other games have other encoders.
impl Default for PlayerParams {
    fn default() -> PlayerParams {
        let text = experiments::text("nim-2x4").expect("the experiment is shipped");
        let mut table: toml::Table = text.parse().expect("a shipped experiment is TOML");
        let player = table.remove("player").expect("an experiment says how networks see and move");
        player.try_into().expect("a shipped experiment is right")
    }
}

/// When a run stops: as soon as one of these conditions holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// After this number of generations.
    pub generations: u64,
    /// When the champion plays a perfect move in every position.
    pub solved: bool,
    /// After this number of seconds, counted anew each time training is started or resumed; 0 means no limit.
    pub seconds: f64,
    /// When the champion's measured [strength](Record::strength_every) is at least this Elo; 0 means no limit. A key of
    /// version 0.2.
    #[serde(default, skip_serializing_if = "is_none")]
    pub strength: f64,
}

fn is_none(limit: &f64) -> bool {
    *limit == 0.0
}

/// What to measure and keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The number of games of each champion against champions of the past, spread evenly over history: an even number.
    pub past_games: usize,
    /// The number of games of each champion against each of the five champions before it: an even number; 0 plays none.
    pub growth_games: usize,
    /// The number of games of the last champion, when the run is over, against each of `random`, Monte Carlo tree
    /// search, and the champions after a quarter and after half of the run; 0 plays none.
    pub final_games: u32,
    /// The number of generations between exams of the champion.
    pub exam_every: u64,
    /// The number of generations between two games of the champion that are recorded move by move; 0 records none.
    pub games_every: u64,
    /// The number of generations between records of all genomes as text, if the strategy has them; 0 records none.
    pub genomes_every: u64,
    /// More opponents of the last champion when the run is over: players, with spaces between them. A key of version 0.2.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub yardsticks: String,
    /// The number of generations between measurements of the champion's Elo on the game's ladder; 0 measures none. This
    /// and the next three are keys of version 0.2.
    #[serde(default, skip_serializing_if = "Measuring::is_off")]
    pub strength_every: u64,
    /// The number of games of each measurement.
    #[serde(default = "Measuring::games", skip_serializing_if = "Measuring::are_usual_games")]
    pub strength_games: u32,
    /// The number of positions that the champion's search looks at for each move of these games; 0 means that it looks
    /// ahead as in training.
    #[serde(default = "Measuring::nodes", skip_serializing_if = "Measuring::are_usual_nodes")]
    pub strength_nodes: u64,
    /// Which champion the run stands for when it is a player or is exported.
    #[serde(default, rename = "final", skip_serializing_if = "FinalChampion::is_newest")]
    pub final_champion: FinalChampion,
}

/// The usual values of the keys that measure strength.
struct Measuring;

impl Measuring {
    fn is_off(every: &u64) -> bool {
        *every == 0
    }

    fn games() -> u32 {
        60
    }

    fn are_usual_games(games: &u32) -> bool {
        *games == Measuring::games()
    }

    fn nodes() -> u64 {
        1000
    }

    fn are_usual_nodes(nodes: &u64) -> bool {
        *nodes == Measuring::nodes()
    }
}

/// Migration: champions of another population, trained beside this one, join it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Migration {
    /// The run that they come from, in the same folder.
    pub from: String,
    /// The number of generations between two migrations.
    pub every: u64,
    /// The number of migrants: the champions of this many last generations.
    pub count: usize,
}
