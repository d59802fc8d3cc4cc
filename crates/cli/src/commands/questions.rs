//! `gamete questions`: finds test positions and proves their right answers.

use crate::arguments::JsonArg;
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::signals::Stop;
use crate::{Done, Failure, progress};
use clap::Args;
use serde_json::json;
use std::io::Write;

/// Find test positions with proved answers, in the form that `exam --questions` reads
#[derive(Args)]
#[command(
    after_help = "Example: gamete questions minichess --seed 7 > other.txt; gamete exam run:minichess-1 --questions other.txt"
)]
pub struct QuestionsArgs {
    /// The game
    game: String,
    /// The seed of the random games from which the positions are taken
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// The number of positions for each suite of the game
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u16>(2..=10_000))]
    each: u16,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for QuestionsArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let bar = progress::positions_bar(players::suites(&self.game) as u64 * u64::from(self.each));
        let found =
            players::questions(&self.game, self.seed, self.each.into(), &mut |count| bar.set_position(count as u64));
        bar.finish_and_clear();
        print(out, &found?, self.json.json)?;
        Ok(Done::Well)
    }
}

/// Prints the test positions as text, or as one JSON object each.
fn print(out: &mut impl Write, text: &str, json: bool) -> Result<(), Failure> {
    if !json {
        write!(out, "{text}")?;
        return Ok(());
    }
    for line in text.lines() {
        let parts: Vec<&str> = line.split(" | ").collect();
        if let [suite, position, right] = parts[..] {
            let right: Vec<&str> = right.split(' ').collect();
            writeln!(out, "{}", json!({ "suite": suite, "position": position, "right": right }))?;
        }
    }
    Ok(())
}
