//! Growth for people: strengths and matches in tables, strength over generations as a picture, and who made the progress.

use crate::words::{count, grouped, percent};
use crate::{Failure, curves, tables};
use arena::Rating;
use kuva::backend::svg::SvgBackend;
use kuva::plot::LinePlot;
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use lab::{Error, Final, Growth, InheritanceReport, RatedChampion, Ratings};
use std::io::Write;
use std::path::Path;

/// Everything that was measured.
pub fn growth(out: &mut impl Write, run: &str, growth: &Growth) -> Result<(), Failure> {
    let Growth { champions, yardsticks, finals: played, depth, games_each, .. } = growth.clone();
    writeln!(out, "{run}: {} in all", count(growth.games, "game"))?;
    ratings(out, &Ratings { champions, yardsticks, depth, games_each })?;
    writeln!(out)?;
    finals(out, &played)?;
    if let Some(why) = &growth.not_kept {
        tell!("this could not be kept in the run's file: {why}");
    }
    Ok(())
}

/// Champions and players that learn nothing on one scale; champions as a curve, too.
pub fn ratings(out: &mut impl Write, ratings: &Ratings) -> Result<(), Failure> {
    let Ratings { champions, yardsticks, depth, games_each } = ratings;
    let depth = depth.map_or("as bred".to_string(), |depth| format!("at depth {depth}"));
    writeln!(out, "strength on Elo's scale, random is 0; champions {depth}, {games_each} games each two")?;
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

/// The last champion's matches.
pub fn finals(out: &mut impl Write, finals: &[Final]) -> Result<(), Failure> {
    if finals.is_empty() {
        return Ok(());
    }
    writeln!(out, "the last champion's matches")?;
    let row = |played: &Final| {
        let contest = &played.contest;
        let bound =
            |elo: Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{:+.0}", elo.round() + 0.0));
        let result = [contest.wins, contest.draws, contest.losses].map(|games| grouped(games.into()));
        vec![
            format!("against {}", played.opponent),
            percent(contest.score),
            format!("{} won, {} drawn, {} lost", result[0], result[1], result[2]),
            format!("Elo {} to {}", bound(contest.elo_low, "-∞"), bound(contest.elo_high, "+∞")),
        ]
    };
    tables::print(out, &[], &finals.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}

/// Which ways of inheriting made the progress, all generations together; of changes the mean of medians.
pub fn inheritance(out: &mut impl Write, generations: &[InheritanceReport]) -> Result<(), Failure> {
    if generations.is_empty() {
        return Ok(());
    }
    let mut ways: Vec<InheritanceReport> = Vec::new();
    for found in generations {
        match ways.iter_mut().find(|way| way.way == found.way) {
            Some(way) => {
                way.count += found.count;
                way.improved += found.improved;
                way.stayed += found.stayed;
            }
            None => ways.push(found.clone()),
        }
    }
    for way in &mut ways {
        let changes = || generations.iter().filter(|found| found.way == way.way).filter_map(|found| found.change);
        let count = changes().count();
        way.change = (count > 0).then(|| changes().sum::<f64>() / count as f64);
    }
    let all: u64 = ways.iter().map(|found| found.improved).sum();
    let share = |part: u64, of: u64| if of == 0 { "-".to_string() } else { percent(part as f64 / of as f64) };
    let row = |found: &InheritanceReport| {
        vec![
            found.way.clone(),
            grouped(found.count),
            share(found.improved, found.count),
            share(found.improved, all),
            share(found.stayed, found.count),
            found.change.map_or("-".to_string(), |change| format!("{change:.4}")),
        ]
    };
    writeln!(
        out,
        "inheritance: who scored more than their parents (elites: ranked higher than before), by how they came"
    )?;
    let head = ["way", "networks", "improved", "of all improvements", "stayed", "change of answers"];
    tables::print(out, &head, &ways.iter().map(row).collect::<Vec<_>>())?;
    writeln!(out)?;
    Ok(())
}

/// Strength over generations as a picture, with intervals, and with lines for players that learn nothing.
pub fn picture(path: &Path, run: &str, growth: &Growth) -> Result<(), Failure> {
    let drawn = draw(run, growth).map_err(|why| Error::Refused(format!("the picture cannot be drawn: {why}")))?;
    let failed = |source| Error::File { what: "cannot write", file: path.to_path_buf(), source };
    std::fs::write(path, drawn).map_err(failed)?;
    tell!("picture written to {}", path.display());
    let unbounded = growth.champions.iter().filter(|rated| rated.rating.elo.is_none()).count();
    if unbounded > 0 {
        tell!("{} won or lost everything, and so has no place in it", count(unbounded as u64, "champion"));
    }
    Ok(())
}

/// The picture as SVG.
fn draw(run: &str, growth: &Growth) -> Result<String, String> {
    // 1. Champions whose strength has a value, with their intervals, where these have ends.
    let champion = |rated: &RatedChampion| {
        let elo = rated.rating.elo?;
        let (low, high) = (rated.rating.low.unwrap_or(elo), rated.rating.high.unwrap_or(elo));
        Some((rated.generation as f64, elo, low, high))
    };
    let points: Vec<(f64, f64, f64, f64)> = growth.champions.iter().filter_map(champion).collect();
    if points.is_empty() {
        return Err("no champion's strength has a value".to_string());
    }
    let last = points.last().map_or(1.0, |point| point.0);
    let curve = LinePlot::new()
        .with_data(points.iter().map(|point| (point.0, point.1)))
        .with_color("#005caf")
        .with_stroke_width(2.0)
        .with_band(points.iter().map(|point| point.2), points.iter().map(|point| point.3));
    let mut plots = vec![Plot::Line(curve)];
    // 2. A level line for each player that learns nothing, with its name.
    let mut names = Vec::new();
    for rated in &growth.yardsticks {
        let Some(elo) = rated.rating.elo else { continue };
        let level = LinePlot::new().with_data([(0.0, elo), (last, elo)]).with_color("#6e6e6e").with_stroke_width(1.0);
        plots.push(Plot::Line(level.with_dashed()));
        names.push(TextAnnotation::new(rated.player.clone(), last * 0.93, elo).with_color("#505050"));
    }
    let layout = Layout::auto_from_plots(&plots)
        .with_title(format!("{run}: Elo of champions, random is 0"))
        .with_x_label("generation")
        .with_y_label("Elo, with 95 % intervals")
        .with_width(900.0)
        .with_height(540.0);
    let layout = names.into_iter().fold(layout, |layout, name| layout.with_annotation(name));
    Ok(SvgBackend.render_scene(&render_multiple(plots, layout)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::RatedYardstick;

    #[test]
    fn the_picture_shows_everybody() {
        let rating = |elo: Option<f64>| Rating { elo, low: elo.map(|elo| elo - 40.0), high: None };
        let champion = |generation, elo| RatedChampion { generation, rating: rating(elo) };
        let yardstick = |player: &str, elo| RatedYardstick { player: player.to_string(), rating: rating(elo) };
        let growth = Growth {
            champions: vec![champion(1, Some(100.0)), champion(50, None), champion(100, Some(900.0))],
            yardsticks: vec![yardstick("random", Some(0.0)), yardstick("mcts:500", Some(700.0))],
            finals: Vec::new(),
            depth: None,
            games_each: 2,
            games: 10,
            not_kept: None,
        };
        let svg = draw("some-run", &growth).unwrap();
        for part in ["some-run: Elo of champions", "mcts:500", "random", "generation", "<path"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        let nobody = Growth { champions: Vec::new(), yardsticks: Vec::new(), ..growth };
        assert!(draw("some-run", &nobody).is_err());
    }
}
