//! `gamete match`: plays many games between two players; each opening is played with both colours.

use crate::arguments::{EnginesArg, GameArg, JsonArg, RunsArg, SetupArg, TablesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::progress::{self, Teller};
use crate::signals::Stop;
use crate::words::{cost_words, count, grouped, percent};
use crate::{Done, Failure};
use clap::Args;
use players::{Context, Forfeit, MatchParams, PlayedMatch, PlayerSpec};
use runs::MatchResult;
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

/// Play a match between two players: wins, draws, losses, and Elo with its 95 % interval
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete match run:nim-2x4-1 random\n  gamete match run:nim-2x4-1 random --plies 0\n  gamete match run:minichess-1,depth=2 material:2 --games 400\n  gamete match mcts:500 random --game draughts\n\nGames begin with 2 random plies, because two players without chance would always repeat one\ngame. In a small game such as Nim these plies often decide the game; with --plies 0 it begins at the start.\n\n`gamete list players` shows which players there are."
)]
pub struct MatchArgs {
    /// The first player, for example run:nim-2x4-1, mcts:500 or random
    #[arg(value_name = "PLAYER")]
    one: String,
    /// The second player
    #[arg(value_name = "PLAYER")]
    two: String,
    #[command(flatten)]
    game: GameArg,
    /// The number of games; an odd number is rounded up, because every opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1..=1_000_000_000))]
    games: u32,
    /// The number of random plies at the beginning of each game; with 0 it begins at the start
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole::<usize>(0..))]
    plies: usize,
    /// The seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    engines: EnginesArg,
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
        let engines = self.engines.or_commands()?;
        let context = Context { engines: Arc::clone(&engines), ..Context::new(&self.runs.runs, &tables, &tell) };
        let game = self.game.of(&[(&self.one, &one), (&self.two, &two)], &self.runs.runs)?;
        let params = MatchParams {
            game: &game,
            players: [&one, &two],
            games: self.games,
            plies: self.plies,
            seed: self.seed,
            setup: &self.setup.setup,
            threads: self.threads.count(),
            context: &context,
        };
        stop.set_last_words("ended before the match was over; nothing was saved".to_string());
        let bar = progress::games_bar(u64::from(self.games).next_multiple_of(2));
        let tell = &mut |score: &arena::MatchScore| bar.set_position(u64::from(score.games()));
        let PlayedMatch { score, interrupted, costs } = players::play_match(&params, stop, tell)?;
        let result = MatchResult::new(&score, interrupted);
        bar.finish_and_clear();
        match self.json.json {
            true => {
                let mut answer = json!(result);
                answer["costs"] = json!(costs);
                answer["forfeits"] = json!(engines.forfeits());
                writeln!(out, "{answer}")?;
            }
            false => {
                print(out, &self.one, &self.two, &result)?;
                if self.plies > 0 {
                    let plies = if self.plies == 1 { "ply" } else { "plies" };
                    writeln!(out, "games begin with {} random {plies}; --plies 0 begins at the start", self.plies)?;
                }
                for (player, cost) in [&self.one, &self.two].into_iter().zip(&costs) {
                    writeln!(out, "{player}: {}", cost_words(cost))?;
                }
                for Forfeit { engine, reason, games } in engines.forfeits() {
                    writeln!(out, "engine {engine} lost {} because {reason}", count(games.into(), "game"))?;
                }
            }
        }
        Ok(if interrupted { Done::Interrupted } else { Done::Well })
    }
}

/// Prints the result of a match.
fn print(out: &mut impl Write, one: &str, two: &str, result: &MatchResult) -> Result<(), Failure> {
    let MatchResult { wins, draws, losses, games, score, .. } = result;
    // Adding 0 turns -0 into 0.
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
