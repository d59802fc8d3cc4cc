//! The rules of the games, and how a position becomes the inputs of a network. Other programs can use this crate
//! (package `gamete-games`) for the rules, notation, perft counts, endgame tables and solvers alone.
//!
//! A game is one file in this folder and two lines in `lib.rs`: its `mod` line, and its name in the list at the end.
//! The command line, the players, the strategies and the tests find it by its name with [`by_name!`].
//!
//! ```
//! use games::{Game, nim::Nim};
//!
//! fn main() -> Result<(), games::NotationError> {
//!     let mut game: Nim = "3,5,7".parse()?;
//!     let mv = games::parse_move(&game, "3:2")?;
//!     game.play(mv);
//!     assert_eq!(game.to_string(), "3,5,5 second");
//!     Ok(())
//! }
//! ```

mod bits;
mod conformance;
pub mod draughts;
mod draw_rules;
mod game;
pub mod minichess;
pub mod nim;
mod record;
mod registry;
mod retrograde;
mod side;
mod suite;
mod tables;
pub mod tic_tac_toe;

pub use conformance::conformance;
pub use draw_rules::DrawRules;
pub use game::{
    Attempt, COUNTERS, Counters, Decoder, Encoder, Endgames, Ending, FACTS, FactSet, Facts, Game, Gene, Inputs,
    MOVE_SLOTS, NotationError, Protocol, ProtocolForm, Setup, SetupError, Solver, Value, Verdict, WeightedStarts,
    encode, parse_move,
};
pub use parameters::{Allowed, Described, KeyError, OPEN, key};
pub use record::RecordForm;
pub use registry::{
    EachGame, GameTable, GameVisitor, UnknownGame, find_decoder, find_encoder, names, register, with_built_in,
};
pub use side::{Outcome, Side};
pub use suite::Suite;

registry::games![nim::Nim, tic_tac_toe::TicTacToe, minichess::Minichess, draughts::Draughts];
