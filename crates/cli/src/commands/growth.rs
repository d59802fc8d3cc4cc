//! `gamete growth`: measures how strong the champions of a run became over time, as a table, a curve and a picture.

use crate::arguments::{EnginesArg, JsonArg, RunsArg, TablesArg, ThreadsArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::progress::{self, Teller};
use crate::signals::Stop;
use crate::strengths::{finals, ratings};
use crate::words::count;
use crate::{Done, Failure};
use clap::Args;
use figures::{Axis, Figure, Key, LOOKS, Look, Mark, Panel, Sample, Words, svg};
use lab::{Error, Growth, GrowthParams};
use players::Context;
use runs::{RatedChampion, Ratings};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Measure how strong the champions of a run became over time: Elo, and the last champion's matches
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete growth draughts-1 --depth 4 --picture growth.svg\n  gamete growth minichess-1 --yardstick material:2 --yardstick mcts:1000\n\nChampions and yardsticks play against all yardsticks; champions also play against the two champions\nbefore them. The player random has Elo 0. Then the last champion plays against random, mcts:500, and\nthe champions of a quarter and of half of the run. The results are saved in the run's file, and\n`gamete show` prints them."
)]
pub struct GrowthArgs {
    /// A run's name, or the path of its file
    run: String,
    /// The number of plies that champions look ahead [default: as they were bred]
    #[arg(long, value_name = "D", value_parser = whole::<u32>(0..=64))]
    depth: Option<u32>,
    /// The number of games for each pair of players; an odd number is rounded up, because every opening is played with
    /// both colours
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = whole::<u32>(2..=1_000_000))]
    games: u32,
    /// The number of champions, spread evenly over the run
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = whole::<u16>(2..=1000))]
    champions: u16,
    /// A player that does not learn, to compare with; can be given several times [default: some that fit the game]
    #[arg(long, value_name = "PLAYER")]
    yardstick: Vec<String>,
    /// The seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Draw the curve as SVG into this file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
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

impl Run for GrowthArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, stop: &Stop) -> Result<Done, Failure> {
        let (teller, tables) = (Teller::default(), self.tables.folder());
        let tell = |notice| teller.tell(notice);
        let engines = self.engines.or_commands()?;
        let context = Context { engines, ..Context::new(&self.runs.runs, &tables, &tell) };
        let params = GrowthParams {
            run: &self.run,
            depth: self.depth,
            games: self.games,
            champions: self.champions.into(),
            yardsticks: &self.yardstick,
            seed: self.seed,
            threads: self.threads.count(),
            context: &context,
        };
        stop.set_last_words("ended before all games were played; nothing was saved".to_string());
        let bar = progress::games_bar(0);
        let found = lab::growth(&params, stop, &mut |done, all| {
            bar.set_length(all);
            bar.set_position(done);
        })?;
        bar.finish_and_clear();
        let Some(found) = found else {
            tell!("interrupted; nothing was saved");
            return Ok(Done::Interrupted);
        };
        match self.json.json {
            true => writeln!(out, "{}", json!(found))?,
            false => print(out, &self.run, &found)?,
        }
        if let Some(path) = &self.picture {
            picture(path, &self.run, &found)?;
        }
        Ok(Done::Well)
    }
}

/// Prints everything that was measured.
fn print(out: &mut impl Write, run: &str, growth: &Growth) -> Result<(), Failure> {
    let Growth { ratings: Ratings { champions, yardsticks, depth, games_each }, finals: played, .. } = growth.clone();
    writeln!(out, "{run}: {} in all", count(growth.games, "game"))?;
    ratings(out, &Ratings { champions, yardsticks, depth, games_each })?;
    writeln!(out)?;
    finals(out, &played)?;
    if let Some(why) = &growth.not_kept {
        tell!("the result could not be saved in the run's file: {why}");
    }
    Ok(())
}

/// Draws strength over generations into a file, with intervals, and with a line for each yardstick.
fn picture(path: &Path, run: &str, growth: &Growth) -> Result<(), Failure> {
    let drawn = draw(run, growth).map_err(|why| Error::refused(format!("the picture cannot be drawn: {why}")))?;
    runs::write_whole(path, drawn.as_bytes())?;
    tell!("picture written to {}", path.display());
    let unbounded = growth.ratings.champions.iter().filter(|rated| rated.rating.elo.is_none()).count();
    if unbounded > 0 {
        tell!(
            "{} won or lost all games, so Elo is unbounded and the picture leaves them out",
            count(unbounded as u64, "champion")
        );
    }
    Ok(())
}

/// Returns the picture as SVG.
fn draw(run: &str, growth: &Growth) -> Result<String, String> {
    // 1. Champions with a bounded strength, and their intervals as far as these are bounded.
    let champion = |rated: &RatedChampion| {
        let elo = rated.rating.elo?;
        let (low, high) = (rated.rating.low.unwrap_or(elo), rated.rating.high.unwrap_or(elo));
        Some((rated.generation, elo, low, high))
    };
    let champions: Vec<(u64, f64, f64, f64)> = growth.ratings.champions.iter().filter_map(champion).collect();
    let Some(&(last, ..)) = champions.last() else {
        return Err("no champion has a bounded strength".to_string());
    };
    let curve = champions.iter().map(|&(generation, elo, ..)| (generation as f64, elo)).collect();
    let band = champions.iter().map(|&(generation, _, low, high)| (generation as f64, low, high)).collect();
    let mut marks = vec![Mark::Band(band, Look::Series(0)), Mark::Line(curve, Look::Series(0))];
    let mut legend = vec![Key { words: "champions".to_string(), look: Look::Series(0), sample: Sample::Line }];
    // 2. A horizontal line for each yardstick.
    let rated = growth.ratings.yardsticks.iter().filter_map(|rated| Some((&rated.player, rated.rating.elo?)));
    let yardsticks: Vec<(&String, f64)> = rated.collect();
    for (place, (player, elo)) in yardsticks.iter().enumerate() {
        let look = Look::Series(1 + place % (LOOKS - 1));
        marks.push(Mark::Line(vec![(0.0, *elo), (last as f64, *elo)], look));
        legend.push(Key { words: format!("{player} ({elo:.0})"), look, sample: Sample::Line });
    }
    let ends = champions.iter().flat_map(|&(_, _, low, high)| [low, high]);
    let figure = Figure {
        name: "growth".to_string(),
        title: format!("{run}: Elo of champions, random is 0"),
        caption: "The area around the curve shows the 95 % intervals.".to_string(),
        x: Axis::generations(last),
        y: Axis::around("Elo".to_string(), ends.chain(yardsticks.iter().map(|(_, elo)| *elo)), None),
        behind: Vec::new(),
        panels: vec![Panel { title: String::new(), marks }],
        legend,
    };
    Ok(svg(&figure, Words::Inside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::Rating;
    use runs::RatedYardstick;

    #[test]
    fn the_picture_shows_everybody() {
        let rating = |elo: Option<f64>| Rating { elo, low: elo.map(|elo| elo - 40.0), high: None };
        let champion = |generation, elo| RatedChampion { generation, rating: rating(elo) };
        let yardstick = |player: &str, elo| RatedYardstick { player: player.to_string(), rating: rating(elo) };
        let growth = Growth {
            ratings: Ratings {
                champions: vec![champion(1, Some(100.0)), champion(50, None), champion(100, Some(900.0))],
                yardsticks: vec![yardstick("random", Some(0.0)), yardstick("mcts:500", Some(700.0))],
                depth: None,
                games_each: 2,
            },
            finals: Vec::new(),
            games: 10,
            not_kept: None,
        };
        let svg = draw("some-run", &growth).unwrap();
        for part in ["some-run: Elo of champions", "mcts:500", "random", "generation", "<path"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        let nobody = Growth {
            ratings: Ratings { champions: Vec::new(), yardsticks: Vec::new(), depth: None, games_each: 2 },
            ..growth
        };
        assert!(draw("some-run", &nobody).is_err());
    }
}
