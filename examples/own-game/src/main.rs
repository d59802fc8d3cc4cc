//! Gamete with a game and a strategy of one's own.
//!
//! `cargo run --release -- train`, `cargo run --release -- serve`, and everything else that `gamete` can do.

mod connect_four;
mod halves;

use connect_four::ConnectFour;
use gamete::Program;
use halves::HalvesParams;
use std::process::ExitCode;

fn main() -> ExitCode {
    Program::new()
        .game::<ConnectFour>()
        .strategy::<HalvesParams>()
        .experiment("connect-four", include_str!("../experiments/connect-four.toml"))
        .run()
}
