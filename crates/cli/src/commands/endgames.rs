//! `gamete endgames`: shows what endgame tables know about a game or a position.

use crate::arguments::{JsonArg, TablesArg};
use crate::commands::{Out, Run};
use crate::progress::Teller;
use crate::signals::Stop;
use crate::words::grouped;
use crate::{Done, Failure, tables};
use clap::Args;
use players::Context;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Show what endgame tables know about a game or a position
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete endgames minichess\n  gamete endgames minichess --position \"k5/6/6/6/6/4KR w\""
)]
pub struct EndgamesArgs {
    /// The game
    game: String,
    /// Show who wins in this position, and the result of each move
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for EndgamesArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let (teller, tables) = (Teller::default(), self.tables.folder());
        let tell = |notice| teller.tell(notice);
        let context = Context::new(Path::new(""), &tables, &tell);
        match self.position {
            Some(position) => probe(out, &players::probe(&self.game, &position, &context)?, self.json.json)?,
            None => endings(out, &players::endings(&self.game, &context)?, self.json.json)?,
        }
        Ok(Done::Well)
    }
}

/// Prints all endings of a game as a table.
fn endings(out: &mut impl Write, endings: &[games::Ending], json: bool) -> Result<(), Failure> {
    if json {
        endings.iter().try_for_each(|ending| writeln!(out, "{}", json!(ending)))?;
        return Ok(());
    }
    let longest = |plies: u32, count: u64| if count == 0 { "-".to_string() } else { plies.to_string() };
    let row = |ending: &games::Ending| {
        let numbers = [ending.positions, ending.won, ending.drawn, ending.lost].map(grouped);
        let mut row = vec![ending.name.clone()];
        row.extend(numbers);
        row.extend([longest(ending.longest_won, ending.won), longest(ending.longest_lost, ending.lost)]);
        row
    };
    writeln!(out, "The pieces of the side to move come first; the longest wins and defeats are in plies.")?;
    let head = ["ending", "positions", "won", "drawn", "lost", "longest win", "defeat"];
    tables::print(out, &head, &endings.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

/// Prints what is known about one position.
fn probe(out: &mut impl Write, probe: &players::Probe, json: bool) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", json!(probe))?;
        return Ok(());
    }
    let in_words = |value: &str, plies: Option<u32>| match plies {
        Some(1) if value != "drawn" => format!("{value} in 1 ply"),
        Some(plies) if value != "drawn" => format!("{value} in {plies} plies"),
        _ => value.to_string(),
    };
    writeln!(out, "{}: {}", probe.position, in_words(probe.value, probe.plies))?;
    let row = |mv: &players::ProbedMove| vec![format!("  {}", mv.mv), in_words(mv.value, mv.plies)];
    tables::print(out, &[], &probe.moves.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}
