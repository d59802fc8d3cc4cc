//! Prints strengths: players on one Elo scale, and the last champion's matches.

use crate::words::{grouped, percent};
use crate::{Failure, curves, tables};
use arena::Rating;
use runs::{Final, RatedChampion, Ratings};
use std::io::Write;

/// An Elo with its interval, in words.
pub fn elo(Rating { elo, low, high }: &Rating) -> String {
    let number = |elo: &Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{elo:.0}"));
    format!("Elo {} (95 % between {} and {})", number(elo, "unbounded"), number(low, "-∞"), number(high, "+∞"))
}

/// Prints the strongest champion of a run.
pub fn strongest(out: &mut impl Write, generation: u64, rating: &Rating) -> Result<(), Failure> {
    Ok(writeln!(out, "strongest: the champion of generation {generation}, {}", elo(rating))?)
}

/// Prints champions and yardsticks on one Elo scale, and the champions as a curve.
pub fn ratings(out: &mut impl Write, ratings: &Ratings) -> Result<(), Failure> {
    let Ratings { champions, yardsticks, depth, games_each } = ratings;
    let depth = depth.map_or("as bred".to_string(), |depth| format!("at depth {depth}"));
    writeln!(
        out,
        "strength on the Elo scale, on which random is 0; champions play {depth}, {games_each} games for each pair"
    )?;
    let row = |name: String, rating: &Rating| {
        let cell =
            |elo: Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{:.0}", elo.round() + 0.0));
        vec![name, cell(rating.elo, "unbounded"), cell(rating.low, "-∞"), cell(rating.high, "+∞")]
    };
    let mut rows: Vec<Vec<String>> = yardsticks.iter().map(|rated| row(rated.player.clone(), &rated.rating)).collect();
    rows.extend(champions.iter().map(|rated| row(format!("generation {}", rated.generation), &rated.rating)));
    tables::print(out, &["player", "Elo", "at least", "at most (95 %)"], &rows)?;
    let point = |rated: &RatedChampion| Some((rated.generation as f64, rated.rating.elo?));
    let points: Vec<(f64, f64)> = champions.iter().filter_map(point).collect();
    if points.len() < 2 {
        return Ok(());
    }
    writeln!(out)?;
    let width = console::Term::stdout().size().1.clamp(40, 100);
    for line in curves::draw("Elo of champions", &points, None, width, 8) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Prints the last champion's matches.
pub fn finals(out: &mut impl Write, finals: &[Final]) -> Result<(), Failure> {
    if finals.is_empty() {
        return Ok(());
    }
    writeln!(out, "the last champion's matches")?;
    let row = |played: &Final| {
        let result = &played.result;
        let bound =
            |elo: Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{:+.0}", elo.round() + 0.0));
        let [won, drawn, lost] = [result.wins, result.draws, result.losses].map(|games| grouped(games.into()));
        vec![
            format!("against {}", played.opponent),
            percent(result.score),
            format!("{won} won, {drawn} drawn, {lost} lost"),
            format!("Elo {} to {}", bound(result.elo_low, "-∞"), bound(result.elo_high, "+∞")),
        ]
    };
    tables::print(out, &[], &finals.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}
