//! Gamete as a whole program: command line, web app and labs, with games and strategies of one's own beside those that
//! come with it.
//!
//! This is all of `gamete` itself; `examples/own-game` is a program with a game and a strategy of its own.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     gamete::Program::new().run()
//! }
//! ```

/// Prints a line for people on standard error; see [`plain::tell`].
macro_rules! tell {
    ($($words:tt)*) => {
        $crate::plain::tell(format_args!($($words)*))
    };
}

mod arguments;
mod commands;
mod curves;
mod ending;
mod grades;
mod lab_progress;
mod plain;
mod program;
mod progress;
mod signals;
mod strengths;
mod summary;
mod tables;
mod words;

use ending::{Done, Failure};
pub use program::Program;
// What games and strategies of one's own are written with.
pub use {arena, chance, evolution, games, lab, players, runs, trainer};
