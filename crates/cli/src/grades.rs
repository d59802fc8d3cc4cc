//! Prints the grades of an exam.

use crate::words::{count, grouped, percent};
use crate::{Failure, tables};
use arena::{Exam, SAMPLED_POSITIONS, ScoredPoints, TacticsExam, TacticsGrades, Truth};
use std::io::Write;

/// Prints the grades of an exam.
pub fn exam(out: &mut impl Write, exam: &Exam) -> Result<(), Failure> {
    titled(out, "exam", exam)
}

/// Prints the grades of an exam of an earlier champion than the last one.
pub fn older_exam(out: &mut impl Write, generation: u64, exam: &Exam) -> Result<(), Failure> {
    titled(out, &format!("exam of generation {generation}"), exam)
}

/// A grade in a table, with its generation if that is not the last one.
pub fn grade(grade: f64, older: Option<u64>) -> String {
    let generation = older.map_or(String::new(), |generation| format!(" (generation {generation})"));
    format!("{}{generation}", percent(grade))
}

fn titled(out: &mut impl Write, title: &str, exam: &Exam) -> Result<(), Failure> {
    match exam {
        Exam::Truth(exam) => truth(out, title, exam),
        Exam::Tactics(exam) => tactics(out, title, exam),
    }
}

/// Prints the points, or the shares of solved test positions, as a table: a row for each suite, a column for each search.
fn tactics(out: &mut impl Write, title: &str, exam: &TacticsExam) -> Result<(), Failure> {
    let TacticsExam { grades, positions, consistency, value_of_turn, searched, endgames } = exam;
    let asked = count(*positions as u64, "test position");
    let most: f64 = grades.shares.keys().filter_map(|suite| suite.points()).sum();
    match (grades.scored, grades.grade_low, grades.grade_high) {
        (Some(ScoredPoints { points, points_low: low, points_high: high }), ..) => {
            writeln!(out, "{title}: {points:.1} of {most:.0} points (95 % between {low:.1} and {high:.1}) on {asked}")?
        }
        (None, low, high) => {
            let [low, high] = [low.unwrap_or(0.0), high.unwrap_or(1.0)].map(percent);
            writeln!(out, "{title}: {} of {asked} solved (95 % between {low} and {high})", percent(grades.grade))?
        }
    }
    let columns: Vec<_> = std::iter::once(grades).chain(searched.iter().map(|column| &column.grades)).collect();
    let mut head = vec!["suite".to_string()];
    let mut all = vec!["all".to_string()];
    if most > 0.0 {
        head.push("of".to_string());
        all.push(format!("{most:.0}"));
    }
    head.push(match (searched.is_empty(), most > 0.0) {
        (false, _) => "alone".to_string(),
        (true, true) => "points".to_string(),
        (true, false) => "solved".to_string(),
    });
    head.extend(searched.iter().map(|column| match (column.depth, column.mcts) {
        (Some(depth), _) => format!("depth {depth}"),
        (None, rounds) => format!("mcts {}", rounds.unwrap_or(0)),
    }));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for suite in grades.shares.keys() {
        let mut row = vec![format!("{} {}", suite.name().to_uppercase(), suite.about())];
        row.extend(suite.points().map(|points| format!("{points:.0}")));
        let share = |grades: &TacticsGrades| grades.shares.get(suite).copied().unwrap_or(0.0);
        row.extend(columns.iter().map(|grades| match suite.points() {
            Some(points) => format!("{:.1}", points * share(grades)),
            None => percent(share(grades)),
        }));
        rows.push(row);
    }
    all.extend(columns.iter().map(|grades| match grades.scored {
        Some(scored) => format!("{:.1}", scored.points),
        None => percent(grades.grade),
    }));
    rows.push(all);
    if consistency.is_some() {
        let agreeing = std::iter::once(*consistency).chain(searched.iter().map(|column| column.consistency));
        let mut row = vec!["same move two plies deeper".to_string()];
        row.extend((most > 0.0).then(String::new));
        row.extend(agreeing.map(|share| share.map_or("–".to_string(), percent)));
        rows.push(row);
    }
    tables::print(out, &head.iter().map(String::as_str).collect::<Vec<_>>(), &rows)?;
    if let Some(value) = value_of_turn {
        writeln!(out, "the turn is worth {value:.2} (values go from −1 to 1; near 0 is best for searches)")?;
    }
    if let Some(share) = endgames {
        writeln!(out, "endgames: {} of moves keep the result that the endgame tables prove", percent(*share))?;
    }
    Ok(())
}

/// Prints the two grades of a solved game: over all positions, and over those of games against itself.
fn truth(out: &mut impl Write, title: &str, exam: &Truth) -> Result<(), Failure> {
    let positions = count(exam.positions as u64, "position");
    let kind = if exam.sampled { "the" } else { "all" };
    writeln!(out, "{title}: {} perfect over {kind} {positions},", percent(exam.all_positions))?;
    if exam.sampled {
        writeln!(out, "      those that the solver knows of {} drawn at random,", grouped(SAMPLED_POSITIONS as u64))?;
    }
    writeln!(out, "      {} of those that come up in games against itself", percent(exam.on_policy))?;
    Ok(())
}
