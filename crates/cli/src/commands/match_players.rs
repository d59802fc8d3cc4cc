//! `gamete match`: two players, many games, both colours.

use crate::arguments::{JsonArg, RunsArg, SetupArg, TablesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::progress::{self, Teller};
use crate::signals::Stop;
use crate::words::{count, grouped, percent};
use crate::{Done, Failure};
use clap::Args;
use players::{Context, MatchParams, PlayerSpec};
use runs::MatchResult;
use serde_json::json;
use std::io::Write;

/// Let two players play a match
#[derive(Args)]
#[command(
    after_help = "Example: gamete match run:nim-2x4-1 random --game nim --games 1000\n         gamete match run:minichess-enn-1,depth=2 material:2 --game minichess --games 400"
)]
pub struct MatchArgs {
    /// A player
    #[arg(value_name = "PLAYER")]
    one: String,
    /// Its opponent
    #[arg(value_name = "PLAYER")]
    two: String,
    /// The game
    #[arg(long)]
    game: String,
    /// How many games; an odd number is rounded up, because every opening is played with both colours
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    games: u32,
    /// How many plies of each opening are drawn at random
    #[arg(long, value_name = "K", default_value_t = 2)]
    plies: usize,
    /// Where the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for MatchArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        let (one, two): (PlayerSpec, PlayerSpec) = (self.one.parse()?, self.two.parse()?);
        let (teller, tables) = (Teller::default(), self.tables.folder());
        let tell = |notice| teller.tell(notice);
        let context = Context::new(&self.runs.runs, &tables, &tell);
        let params = MatchParams {
            game: &self.game,
            players: [&one, &two],
            games: self.games,
            plies: self.plies,
            seed: self.seed,
            setup: &self.setup.setup,
            threads: self.threads.count(),
            context: &context,
        };
        stop.set_last_words("ended before the match was over; nothing of it is kept".to_string());
        let bar = progress::games_bar(u64::from(self.games).next_multiple_of(2));
        let tell = &mut |score: &arena::MatchScore| bar.set_position(u64::from(score.games()));
        let (score, interrupted) = players::play_match(&params, stop, tell)?;
        let result = MatchResult::new(&score, interrupted);
        bar.finish_and_clear();
        match self.json.json {
            true => writeln!(out, "{}", json!(result))?,
            false => print(out, &self.one, &self.two, &result)?,
        }
        Ok(if interrupted { Done::Interrupted } else { Done::Well })
    }
}

/// A match in words.
fn print(out: &mut impl Write, one: &str, two: &str, result: &MatchResult) -> Result<(), Failure> {
    let MatchResult { wins, draws, losses, games, score, .. } = result;
    // Adding 0 makes one zero of two.
    let bound = |elo: Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{:+.0}", elo.round() + 0.0));
    if result.interrupted {
        writeln!(out, "interrupted after {games} games")?;
    }
    let (wins, draws, losses) = (grouped((*wins).into()), grouped((*draws).into()), grouped((*losses).into()));
    writeln!(out, "{one} against {two}")?;
    writeln!(
        out,
        "{wins} won, {draws} drawn, {losses} lost of {}: {}",
        count((*games).into(), "game"),
        percent(*score)
    )?;
    writeln!(
        out,
        "Elo {} (95 % between {} and {})",
        bound(result.elo, "unbounded"),
        bound(result.elo_low, "-∞"),
        bound(result.elo_high, "+∞")
    )?;
    Ok(())
}
