//! `gamete moves`: lists the legal moves of a position.

use crate::arguments::{JsonArg, SetupArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use players::{Context, LiveParams};
use serde_json::json;
use std::io::Write;

/// List the legal moves of a position
#[derive(Args)]
#[command(after_help = "Example: gamete moves nim --position 3,5,7")]
pub struct MovesArgs {
    /// The game
    game: String,
    /// The position, in the game's notation [default: a start of the game]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for MovesArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let params = LiveParams {
            game: &self.game,
            against: None,
            position: self.position.as_deref(),
            setup: &self.setup.setup,
            seed: 0,
            context: &Context::nowhere(),
        };
        let game = players::live_game(&params)?;
        match self.json.json {
            true => {
                let outcome = game.outcome().map(|outcome| outcome.name());
                let line = json!({ "moves": game.moves(), "side": game.side(), "outcome": outcome, "position": game.position() });
                writeln!(out, "{line}")?;
            }
            false => match game.outcome() {
                Some(games::Outcome::Draw) => writeln!(out, "{}: the game is over, drawn", game.position())?,
                Some(outcome) => writeln!(out, "{}: the game is over, {} has won", game.position(), outcome.name())?,
                None => game.moves().iter().try_for_each(|mv| writeln!(out, "{mv}"))?,
            },
        }
        Ok(Done::Well)
    }
}
