//! An experiment: everything that decides a run, in one TOML file, with a seed in it.

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

use arena::{ScheduleConfig, ScoringConfig, Seating};
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
    /// All chance comes from it.
    pub seed: u64,
    /// How many past champions, drawn anew each generation, every network also meets; they get no score.
    pub guests: usize,
    /// Games begin after up to so many random plies.
    pub opening_plies: usize,
    /// The chance that a move in games for scores is a random one instead.
    pub blunders: f64,
    /// How the game is set up.
    pub setup: S,
    /// How networks see and move.
    pub player: PlayerParams,
    /// Who meets whom.
    pub schedule: ScheduleConfig,
    /// What a score is made of.
    pub scoring: ScoringConfig,
    /// How networks are bred.
    pub strategy: StrategyConfig,
    /// When to stop.
    pub stop: Stop,
    /// What to measure and keep.
    pub record: Record,
    /// Where networks come in from another population, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration: Option<Migration>,
}

impl<S: Serialize> Experiment<S> {
    /// All parameters in the form in which runs keep them.
    pub fn canonical(&self) -> String {
        toml::to_string(self).expect("an experiment can be written")
    }
}

/// An experiment of a game, checked as a whole by [`Experiment::checked`]. It reads like the [`Experiment`] that it was made
/// of, and knows how the networks sit.
#[derive(Clone)]
pub struct TypedExperiment<G: Game> {
    experiment: Experiment<G::Setup>,
    seating: Seating<G>,
}

impl<G: Game> TypedExperiment<G> {
    /// How networks of this experiment sit at the table.
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

/// How networks see and move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerParams {
    /// How positions become inputs.
    pub encoder: String,
    /// How outputs become a move.
    pub head: String,
    /// What becomes of illegal attempts; `value` makes none.
    pub play: String,
    /// How many plies the value head looks ahead.
    pub depth: u32,
    /// Where it looks on because the mover must capture.
    pub extend: String,
    /// How many Monte Carlo rounds it makes instead; 0 means none.
    pub rounds: u32,
    /// After how many plies playouts stop and the network judges; 0 means that they go to the end.
    pub ept: u32,
    /// How moves of playouts are chosen.
    pub playouts: String,
}

/// As in the experiment `nim-2x4`: other games have other encoders.
impl Default for PlayerParams {
    fn default() -> PlayerParams {
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/nim-2x4.toml"));
        let mut table: toml::Table = text.parse().expect("a shipped experiment is TOML");
        let player = table.remove("player").expect("an experiment says how networks see and move");
        player.try_into().expect("a shipped experiment is right")
    }
}

/// When to stop; whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// After so many generations.
    pub generations: u64,
    /// When the champion is perfect in every position.
    pub solved: bool,
    /// After so many seconds, counted anew each time training is started or resumed; 0 means no limit.
    pub seconds: f64,
}

/// What to measure and keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Games of each champion against champions of the past, spread evenly over history: an even number.
    pub past_games: usize,
    /// Games of each champion against each of the five champions before it: an even number; 0 plays none.
    pub growth_games: usize,
    /// Games of the last champion, when the run is over, against `random`, Monte Carlo, and the champions of a quarter and
    /// of half-way; 0 plays none.
    pub final_games: u32,
    /// Champions take the exam every so many generations.
    pub exam_every: u64,
    /// Two games of the champion are kept, turn by turn, every so many generations; 0 keeps none.
    pub games_every: u64,
    /// All genomes are kept as text every so many generations, where the strategy has such; 0 keeps none.
    pub genomes_every: u64,
}

/// Champions of another population, trained beside this one, that join it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Migration {
    /// The run they come from, in the same folder.
    pub from: String,
    /// After every so many generations.
    pub every: u64,
    /// How many: the champions of so many last generations.
    pub count: usize,
}
