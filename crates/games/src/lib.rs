//! The rules of games, and how a position is shown to a network.
//!
//! A game is one file here and two lines in this one: its `mod` line, and its name in the list below. Everything else,
//! the command line, the players, the strategies, the tests, finds it through [`with_game`].
//!
//! ```
//! use games::{Game, nim::Nim};
//! let mut game: Nim = "3,5,7".parse()?;
//! let mv = games::parse_move(&game, "3:2")?;
//! game.play(mv);
//! assert_eq!(game.to_string(), "3,5,5 second");
//! # Ok::<(), games::NotationError>(())
//! ```

mod bits;
mod coding;
mod described;
pub mod draughts;
mod draw_rules;
mod game;
pub mod minichess;
pub mod nim;
mod record;
mod registry;
mod side;
mod solver;
mod suite;
mod tables;
pub mod tic_tac_toe;

pub use coding::{Attempt, Decoder, Encoder, FactSet, Facts, Gene, Inputs, encode};
pub use described::{Allowed, Described, OPEN};
pub use draw_rules::DrawRules;
pub use game::{Game, MOVE_SLOTS, NotationError, Setup, SetupError, WeightedStarts, parse_move};
pub use record::RecordForm;
pub use registry::{GameVisitor, find_decoder, find_encoder};
pub use side::{Outcome, Side};
pub use solver::{Endgames, Ending, Solver, Value, Verdict};
pub use suite::Suite;

registry::games![nim::Nim, tic_tac_toe::TicTacToe, minichess::Minichess, draughts::Draughts];
