//! `gamete ladder`: measures a player against fixed opponents of rising strength.

use crate::arguments::{EnginesArg, GameArg, JsonArg, RunsArg, TablesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::progress::{self, Teller};
use crate::signals::Stop;
use crate::words::{cost_words, count};
use crate::{Done, Failure, strengths};
use clap::Args;
use players::{Climbed, Context, LadderParams, Met, PlayerSpec};
use serde_json::json;
use std::io::Write;

/// Measure a player against fixed opponents of rising strength: one Elo with its 95 % interval
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete ladder champion:minichess\n  gamete ladder run:draughts-1,depth=4 --games 400\n  gamete ladder --calibrate minichess\n\nThe Elo of the opponents is part of the program, and random has 0, so that the scale is the same on every machine. Engines lengthen its upper end where they are installed."
)]
pub struct LadderArgs {
    /// The player, for example champion:minichess or run:draughts-1,depth=4
    #[arg(required_unless_present = "calibrate")]
    player: Option<String>,
    #[command(flatten)]
    game: GameArg,
    /// The number of games; with --calibrate, of each two opponents
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>(2..=1_000_000))]
    games: u32,
    /// The seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Measure the opponents of this game anew, and print them as the file of a new version of the ladder
    #[arg(long, value_name = "GAME", conflicts_with = "player")]
    calibrate: Option<String>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    engines: EnginesArg,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for LadderArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        let (teller, tables) = (Teller::default(), self.tables.folder());
        let tell = |notice| teller.tell(notice);
        let engines = self.engines.or_commands()?;
        let context = Context { engines, ..Context::new(&self.runs.runs, &tables, &tell) };
        stop.set_last_words("ended before all games were played; nothing was saved".to_string());
        if let Some(game) = &self.calibrate {
            let bar = progress::games_bar(1);
            let tell = &mut |done: usize, all: usize| {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
            };
            let found = players::calibrate(game, self.games, self.threads.count(), &context, stop, tell)?;
            bar.finish_and_clear();
            let Some(ladder) = found else { return Ok(Done::Interrupted) };
            writeln!(out, "game = \"{}\"\nversion = {}", ladder.game, ladder.version)?;
            for anchor in &ladder.anchors {
                writeln!(out, "\n[[anchor]]\nplayer = \"{}\"\nelo = {}", anchor.player, anchor.elo)?;
            }
            return Ok(Done::Well);
        }
        let name = self.player.as_deref().unwrap_or_default();
        let player: PlayerSpec = name.parse()?;
        let game = self.game.of(&[(name, &player)], &self.runs.runs)?;
        if players::is_perfect(&player, &game, &context)? {
            match self.json.json {
                true => writeln!(out, "{}", json!({ "game": game, "perfect": true }))?,
                false => writeln!(out, "{name} is perfect: it makes no mistake in any position of {game}")?,
            }
            return Ok(Done::Well);
        }
        let bar = progress::games_bar(u64::from(self.games));
        let threads = self.threads.count();
        let params = LadderParams {
            player: &player,
            game: &game,
            games: self.games,
            seed: self.seed,
            threads,
            context: &context,
        };
        let climbed = players::climb(&params, stop, &mut |games| bar.set_position(games.into()))?;
        bar.finish_and_clear();
        match self.json.json {
            true => {
                let mut answer = json!(climbed);
                answer["perfect"] = false.into();
                writeln!(out, "{answer}")?;
            }
            false => print(out, name, &climbed)?,
        }
        Ok(if climbed.interrupted { Done::Interrupted } else { Done::Well })
    }
}

/// Prints the opponents and the Elo.
fn print(out: &mut impl Write, name: &str, climbed: &Climbed) -> Result<(), Failure> {
    let Climbed { game, version, rating, met, games, cost, interrupted } = climbed;
    writeln!(out, "{name} on the ladder of {game}, version {version}")?;
    if *interrupted {
        writeln!(out, "interrupted after {}", count((*games).into(), "game"))?;
    }
    let width = met.iter().map(|met| met.player.len()).max().unwrap_or(0);
    for Met { player, anchor_elo, result } in met {
        let points = f64::from(result.wins) + 0.5 * f64::from(result.draws);
        writeln!(out, "  {player:width$}  Elo {anchor_elo:5}  {points} of {}", count(result.games.into(), "game"))?;
    }
    writeln!(out, "{}, {}", strengths::elo(rating), count((*games).into(), "game"))?;
    writeln!(out, "{}", cost_words(cost))?;
    Ok(())
}
