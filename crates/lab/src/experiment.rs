//! An experiment: everything that decides a run, in one TOML file, with a seed in it.

mod checks;
mod file;
mod game_count;
mod learning;
#[cfg(test)]
mod tests;

pub use file::ExperimentFile;
pub(crate) use file::written;
pub(crate) use game_count::GameCount;

use arena::{Circular, Opens, RoundRobin, Schedule, Scoring, SelfPlay};
use evolution::StrategyConfig;
use serde::{Deserialize, Serialize};

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
    pub scoring: Scoring,
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

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleConfig {
    /// Circular pairing.
    Circular(CircularParams),
    /// Everybody meets everybody.
    RoundRobin(RoundRobinParams),
    /// Everybody opens games against anybody.
    Opens(OpensParams),
    /// One network plays itself.
    SelfPlay(SelfPlayParams),
}

impl ScheduleConfig {
    /// The schedule itself.
    pub fn create(self) -> Box<dyn Schedule> {
        match self {
            ScheduleConfig::Circular(CircularParams { opponents }) => Box::new(Circular { opponents }),
            ScheduleConfig::RoundRobin(RoundRobinParams { double }) => Box::new(RoundRobin { double }),
            ScheduleConfig::Opens(OpensParams { games }) => Box::new(Opens { games }),
            ScheduleConfig::SelfPlay(SelfPlayParams { games }) => Box::new(SelfPlay { games }),
        }
    }
}

/// Parameters of circular pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircularParams {
    /// How many different opponents each network meets, twice each.
    pub opponents: usize,
}

/// Parameters of a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobinParams {
    /// Whether two networks meet twice, each opening once, or once.
    pub double: bool,
}

/// Parameters of games that everybody opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpensParams {
    /// How many games each network opens, against others drawn by chance.
    pub games: usize,
}

/// Parameters of games against itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayParams {
    /// How many games make a generation.
    pub games: usize,
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
