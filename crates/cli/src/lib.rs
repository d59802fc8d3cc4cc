//! The whole program Gamete: command line, web app and labs. Other crates can add games and strategies of their own.
//!
//! The program `gamete` consists of these lines; `examples/own-game` is a program with a game and a strategy of its own.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     gamete::Program::new().run()
//! }
//! ```

/// Prints a line on standard error; see [`plain::tell`].
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
mod numbers;
mod plain;
mod program;
mod progress;
mod protocols;
mod signals;
mod strengths;
mod summary;
mod tables;
mod words;

use ending::{Done, Failure};
pub use program::Program;
// The crates with which games and strategies of one's own are written.
pub use {arena, chance, evolution, games, lab, players, runs, trainer};
