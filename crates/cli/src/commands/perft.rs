//! `gamete perft`: counts move sequences of a given length.

use crate::arguments::{JsonArg, SetupArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::signals::Stop;
use crate::{Done, Failure, words};
use clap::Args;
use serde_json::json;
use std::io::Write;

/// Count the move sequences of a given length (perft)
#[derive(Args)]
#[command(after_help = "Example: gamete perft tic-tac-toe 6 --divide")]
pub struct PerftArgs {
    /// The game
    game: String,
    /// The length of the move sequences, in plies, up to 64
    #[arg(value_parser = whole::<u32>(0..=64))]
    depth: u32,
    /// The position, in the game's notation [default: a start of the game]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Print the count for each first move
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for PerftArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let perft = players::perft(&self.game, self.depth, self.position.as_deref(), &self.setup.setup, self.divide)?;
        if self.json.json {
            writeln!(out, "{}", json!(perft))?;
            return Ok(Done::Well);
        }
        for (mv, nodes) in &perft.divide {
            writeln!(out, "{mv}: {nodes}")?;
        }
        let nodes = words::count(perft.nodes, "position");
        writeln!(out, "{nodes} at depth {} in {:.3} s", perft.depth, perft.seconds)?;
        Ok(Done::Well)
    }
}
