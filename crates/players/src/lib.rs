//! Players by name, and what they are used for: matches, crosstables, games against people, exams, files of games and
//! remarks on games. The champions that are shipped with the program are here, too.
//!
//! ```
//! use players::{Context, PlayerSpec};
//!
//! fn main() -> Result<(), players::Error> {
//!     let player: PlayerSpec = "champion:nim,depth=2".parse()?;
//!     assert_eq!(player.game(Context::nowhere().runs)?, Some("nim"));
//!     Ok(())
//! }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod annotation;
mod champions;
mod context;
mod crosstable;
mod endgames;
mod engine;
mod engine_clock;
mod engines;
mod examination;
mod kinds;
mod ladder;
mod live;
mod match_play;
mod move_cost;
mod network_seat;
mod own_games;
mod perft;
mod player_network;
mod player_spec;
mod portable;
mod records;
mod search_options;
mod seated;
mod solvers;
mod stepped;

pub use annotation::{AnnotationParams, Blunder, Remark, annotate};
pub use champions::{ShippedChampion, shipped_champions};
pub use context::{Context, Notice};
pub use crosstable::{Crosstable, CrosstableParams, MatchWatcher, crosstable, pairs_of};
pub use endgames::{Probe, ProbedMove, endings, probe, unpacked};
pub use engine::{Ending, Engine, GameForm, Refusal, Thought, engine, variant_file};
pub use engine_clock::{EngineClock, EngineLimits};
pub use engines::{Engines, Forfeit, GUARD};
pub use examination::{ExamParams, examine, questions, suites};
pub use kinds::{KindInfo, Needs, NumberInfo, PLAYER_KINDS, PlayerKind};
pub use ladder::{Anchor, Climbed, Ladder, LadderParams, Met, StrengthParams, calibrate, climb, is_perfect, strength};
pub use live::{Hint, LiveGame, LiveMove, LiveParams, LiveView, MOST_LIVE_NODES, live_game, live_game_after};
pub use match_play::{MatchGame, MatchParams, PlayedMatch, play_match};
pub use move_cost::MoveCost;
pub use own_games::register;
pub use perft::{Perft, count as perft_count, perft};
pub use player_network::PlayerNetwork;
pub use player_spec::{PlayerSpec, check_game, players, setup_for};
pub use portable::{Format, PortableNetwork, export, split_generation, stands_for};
pub use records::{CheckedFile, CheckedGame, ReadFile, check_games, read_games, write_record};
pub use runs::Error;
pub use search_options::{Level, SearchOptions};
pub use seated::{SeatParams, Seated};
pub use stepped::{KeptGames, Replay, SteppedGame, Steps, Told, Turn, kept_games, replays, stepped_game};

/// The examples in the book's chapter are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending-player.md")]
struct Extending;
