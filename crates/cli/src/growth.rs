//! Growth for people: strengths and matches in tables, strength over generations as a picture, and who made the progress.

use crate::words::{count, grouped, percent};
use crate::{Failure, curves, tables};
use lab::{Error, Final, Growth, InheritanceReport, RatedChampion, RatedYardstick, Strength};
use plotters::prelude::*;
use std::io::Write;
use std::path::Path;

/// Everything that was measured.
pub fn growth(out: &mut impl Write, run: &str, growth: &Growth) -> Result<(), Failure> {
    let games = count(growth.games, "game");
    writeln!(out, "{run}: strength on Elo's scale, random is 0, by {games}")?;
    ratings(out, &growth.champions, &growth.yardsticks)?;
    writeln!(out)?;
    finals(out, &growth.finals)?;
    if !growth.kept {
        tell!("not kept in the run's file: it is being trained");
    }
    Ok(())
}

/// Champions and players that learn nothing on one scale; champions as a curve, too.
pub fn ratings(
    out: &mut impl Write,
    champions: &[RatedChampion],
    yardsticks: &[RatedYardstick],
) -> Result<(), Failure> {
    let row = |name: String, strength: &Strength| {
        let cell =
            |elo: Option<f64>, none: &str| elo.map_or(none.to_string(), |elo| format!("{:.0}", elo.round() + 0.0));
        vec![name, cell(strength.elo, "unbounded"), cell(strength.elo_low, "-∞"), cell(strength.elo_high, "+∞")]
    };
    let mut rows: Vec<Vec<String>> =
        yardsticks.iter().map(|rated| row(rated.player.clone(), &rated.strength)).collect();
    rows.extend(champions.iter().map(|rated| row(format!("generation {}", rated.generation), &rated.strength)));
    tables::print(out, &["player", "Elo", "at least", "at most (95 %)"], &rows)?;
    let point = |rated: &RatedChampion| Some((rated.generation as f64, rated.strength.elo?));
    let points: Vec<(f64, f64)> = champions.iter().filter_map(point).collect();
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

/// Which ways of inheriting made the progress.
pub fn inheritance(out: &mut impl Write, ways: &[InheritanceReport]) -> Result<(), Failure> {
    if ways.is_empty() {
        return Ok(());
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
    Ok(())
}

/// The picture as SVG.
fn draw(run: &str, growth: &Growth) -> Result<String, String> {
    let champion = |rated: &RatedChampion| {
        let elo = rated.strength.elo?;
        let (low, high) = (rated.strength.elo_low.unwrap_or(elo), rated.strength.elo_high.unwrap_or(elo));
        Some((rated.generation as f64, elo, low, high))
    };
    let points: Vec<(f64, f64, f64, f64)> = growth.champions.iter().filter_map(champion).collect();
    let level = |rated: &RatedYardstick| Some((rated.player.clone(), rated.strength.elo?));
    let levels: Vec<(String, f64)> = growth.yardsticks.iter().filter_map(level).collect();
    let values = || {
        let of_points = points.iter().flat_map(|&(_, _, low, high)| [low, high]);
        of_points.chain(levels.iter().map(|level| level.1))
    };
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let last = growth.champions.last().map_or(1, |rated| rated.generation) as f64;
    if !(low.is_finite() && high.is_finite()) {
        return Err("nobody's strength has bounds".to_string());
    }
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (900, 540)).into_drawing_area();
        let text = |error: DrawingAreaErrorKind<_>| error.to_string();
        root.fill(&WHITE).map_err(text)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(format!("{run}: Elo of champions, random is 0"), ("sans-serif", 22))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..last * 1.14, (low - 50.0)..(high + 50.0))
            .map_err(text)?;
        let whole = |value: &f64| format!("{value:.0}");
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .label_style(("sans-serif", 15))
            .axis_desc_style(("sans-serif", 16))
            .x_desc("generation")
            .y_desc("Elo, with 95 % intervals")
            .x_label_formatter(&whole)
            .y_label_formatter(&whole)
            .draw()
            .map_err(text)?;
        let grey = RGBColor(110, 110, 110);
        for (player, elo) in &levels {
            chart.draw_series([PathElement::new(vec![(0.0, *elo), (last, *elo)], grey)]).map_err(text)?;
            let style = ("sans-serif", 15).into_font().color(&grey);
            chart.draw_series([Text::new(player.clone(), (last * 1.01, *elo), style)]).map_err(text)?;
        }
        let blue = RGBColor(0, 92, 175);
        let band: Vec<(f64, f64)> =
            (points.iter().map(|p| (p.0, p.3))).chain(points.iter().rev().map(|p| (p.0, p.2))).collect();
        chart.draw_series([Polygon::new(band, blue.mix(0.15))]).map_err(text)?;
        chart.draw_series(LineSeries::new(points.iter().map(|p| (p.0, p.1)), blue.stroke_width(2))).map_err(text)?;
        chart.draw_series(points.iter().map(|p| Circle::new((p.0, p.1), 3, blue.filled()))).map_err(text)?;
        root.present().map_err(text)?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_shows_everybody() {
        let strength = |elo: Option<f64>| Strength { elo, elo_low: elo.map(|elo| elo - 40.0), elo_high: None };
        let champion = |generation, elo| RatedChampion { generation, strength: strength(elo) };
        let yardstick = |player: &str, elo| RatedYardstick { player: player.to_string(), strength: strength(elo) };
        let growth = Growth {
            champions: vec![champion(1, Some(100.0)), champion(50, None), champion(100, Some(900.0))],
            yardsticks: vec![yardstick("random", Some(0.0)), yardstick("mcts:500", Some(700.0))],
            finals: Vec::new(),
            games: 10,
            kept: true,
        };
        let svg = draw("some-run", &growth).unwrap();
        for part in ["some-run: Elo of champions", "mcts:500", "random", "generation", "<polygon"] {
            assert!(svg.contains(part), "{part} is missing");
        }
        let nobody = Growth { champions: Vec::new(), yardsticks: Vec::new(), ..growth };
        assert!(draw("some-run", &nobody).is_err());
    }
}
