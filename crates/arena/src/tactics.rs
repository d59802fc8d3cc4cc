//! Test positions with proved answers: how they are written, and how players are graded on them.

use crate::{Choice, GameHistory, Player};
use chance::rng_for;
use games::{Game, Side, Suite, parse_move};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A test position.
#[derive(Clone, Debug, PartialEq)]
pub struct Question<G: Game> {
    /// The kind of test.
    pub suite: Suite,
    /// The position.
    pub game: G,
    /// Every right move.
    pub right: Vec<G::Move>,
}

/// The shares of solved positions in each suite, and the grade over all suites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct TacticsGrades {
    /// Points as a share of the maximum; if suites have no points, the share of all positions.
    pub grade: f64,
    /// The lower end of the grade's 95 % interval; `None` if suites have points, which have an interval of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade_low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade_high: Option<f64>,
    /// Points, if suites have them.
    #[serde(flatten)]
    pub scored: Option<ScoredPoints>,
    /// The share of solved positions in each suite.
    #[serde(flatten)]
    pub shares: BTreeMap<Suite, f64>,
}

/// Points of an exam. In TypeScript the fields are optional, because they are sent only if suites have points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScoredPoints {
    /// Points of all suites together.
    #[cfg_attr(feature = "ts", ts(as = "Option<f64>", optional))]
    pub points: f64,
    /// The lower end of the 95 % interval of the points.
    #[cfg_attr(feature = "ts", ts(as = "Option<f64>", optional))]
    pub points_low: f64,
    /// The upper end.
    #[cfg_attr(feature = "ts", ts(as = "Option<f64>", optional))]
    pub points_high: f64,
}

/// A position that was not solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Failure {
    /// The name of the suite; [`Failure::PLAY`] if a solver grades every move.
    pub suite: &'static str,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: Side,
    /// The move that was played, or the illegal attempt.
    pub played: String,
    /// Whether it is legal.
    pub legal: bool,
    /// The right moves.
    pub right: Vec<String>,
}

impl Failure {
    /// Takes the place of the suite's name if a solver grades every move.
    pub const PLAY: &'static str = "play";

    pub(crate) fn new<G: Game>(suite: &'static str, game: &G, choice: Choice<G::Move>, right: &[G::Move]) -> Failure {
        let (played, legal) = match choice {
            Choice::Move(mv) => (mv.to_string(), true),
            Choice::Illegal(attempt) => (attempt, false),
        };
        let right = right.iter().map(|mv| mv.to_string()).collect();
        Failure { suite, position: game.to_string(), side: game.side_to_move(), played, legal, right }
    }
}

/// Grades a player on test positions, without the setup's rules for draws. Random numbers come from a fixed seed.
/// Failures are in the order of the questions.
pub fn grade_tactics<G: Game>(questions: &[Question<G>], player: &mut dyn Player<G>) -> (TacticsGrades, Vec<Failure>) {
    let mut failures = Vec::new();
    let mut counts: BTreeMap<Suite, Count> = G::SUITES.iter().map(|&suite| (suite, Count::default())).collect();
    for (number, Question { suite, game, right }) in questions.iter().enumerate() {
        let history = GameHistory::timeless(game.clone());
        player.begin();
        let choice = player.choose(&history, &mut rng_for(0, &[number as u64]));
        let solved = matches!(&choice, Choice::Move(mv) if right.contains(mv));
        let count = counts.entry(*suite).or_default();
        count.asked += 1.0;
        count.solved += f64::from(u8::from(solved));
        if !solved {
            failures.push(Failure::new(suite.name(), game, choice, right));
        }
    }
    (grades(&counts), failures)
}

/// The number of positions of a suite, and of those that were solved.
#[derive(Clone, Copy, Default)]
struct Count {
    asked: f64,
    solved: f64,
}

impl Count {
    fn share(self) -> f64 {
        if self.asked > 0.0 { self.solved / self.asked } else { 0.0 }
    }
}

/// Computes grades from counts.
fn grades(counts: &BTreeMap<Suite, Count>) -> TacticsGrades {
    let shares = counts.iter().map(|(&suite, count)| (suite, count.share())).collect();
    // 1. If suites have no points, all positions count equally.
    let Some(points) = counts.keys().map(|suite| suite.points()).collect::<Option<Vec<f64>>>() else {
        let sum = |of: fn(&Count) -> f64| counts.values().map(of).sum();
        let all = Count { asked: sum(|count| count.asked), solved: sum(|count| count.solved) };
        let (low, high) = wilson(all);
        return TacticsGrades {
            grade: all.share(),
            grade_low: Some(low),
            grade_high: Some(high),
            scored: None,
            shares,
        };
    };
    // 2. Wilson's interval for each suite, combined as for independent shares (Newcombe 1998).
    let weighed = || points.iter().zip(counts.values());
    let sum: f64 = weighed().map(|(points, count)| points * count.share()).sum();
    let reach = |end: fn((f64, f64), f64) -> f64| {
        let one = |(points, &count): (&f64, &Count)| (points * end(wilson(count), count.share())).powi(2);
        weighed().map(one).sum::<f64>().sqrt()
    };
    let (below, above) = (reach(|(low, _), share| share - low), reach(|(_, high), share| high - share));
    let scored = ScoredPoints { points: sum, points_low: sum - below, points_high: sum + above };
    let grade = sum / points.iter().sum::<f64>();
    TacticsGrades { grade, grade_low: None, grade_high: None, scored: Some(scored), shares }
}

/// Wilson's 95 % interval of a share.
fn wilson(count: Count) -> (f64, f64) {
    const Z2: f64 = 1.959_963_984_540_054 * 1.959_963_984_540_054;
    let (share, all) = (count.share(), count.asked);
    if all == 0.0 {
        return (0.0, 1.0);
    }
    let middle = (share + Z2 / (2.0 * all)) / (1.0 + Z2 / all);
    let spread = (Z2 * (share * (1.0 - share) / all + Z2 / (4.0 * all * all))).sqrt() / (1.0 + Z2 / all);
    (middle - spread, middle + spread)
}

/// Questions as text: one line for each, with suite, position and right moves separated by bars.
pub fn write_questions<G: Game>(questions: &[Question<G>]) -> String {
    let mut text = String::new();
    for Question { suite, game, right } in questions {
        let right: Vec<String> = right.iter().map(|mv| mv.to_string()).collect();
        let _ = writeln!(text, "{} | {game} | {}", suite.name(), right.join(" "));
    }
    text
}

/// Reads questions from text. The error names the line.
pub fn read_questions<G: Game>(text: &str) -> Result<Vec<Question<G>>, String> {
    let read = |line: &str| -> Result<Question<G>, String> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [suite, position, moves] = parts[..] else {
            return Err(format!("found {} parts, but a line has suite | position | right moves", parts.len()));
        };
        let Some(&suite) = G::SUITES.iter().find(|known| known.name() == suite) else {
            return Err(format!("there is no suite `{suite}`; there are {}", Suite::names(G::SUITES)));
        };
        let game: G = position.parse().map_err(|error: games::NotationError| error.to_string())?;
        let right = moves.split_whitespace().map(|mv| parse_move(&game, mv)).collect::<Result<Vec<_>, _>>();
        let right = right.map_err(|error| error.to_string())?;
        if right.is_empty() {
            return Err("the right move is missing".to_string());
        }
        Ok(Question { suite, game, right })
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| read(line).map_err(|why| format!("line {}: {why}", number + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use games::draughts::Draughts;
    use games::minichess::Minichess;

    #[test]
    fn errors_in_questions_name_their_line() {
        let broken = |text: &str| read_questions::<Minichess>(text).unwrap_err();
        assert!(broken("\nsk | k5/6 | a1a2").starts_with("line 2: "));
        assert!(broken("xx | k5/6/6/6/6/R4K w | a1a6").contains("there is no suite `xx`"));
        assert!(broken("mk | k5/6/6/6/6/R4K w | a1b6").contains("no legal move"));
        assert!(broken("mk | k5/6/6/6/6/R4K w |").contains("the right move is missing"));
        assert!(broken("mk").contains("1 parts"));
    }

    #[test]
    fn every_game_has_its_own_suites() {
        let broken = |text: &str| read_questions::<Draughts>(text).unwrap_err();
        let shot = "B:W16,24:B7,11";
        assert!(broken(&format!("mk | {shot} | 11-15")).contains("there is no suite `mk`; there are quiet, captures"));
        assert!(broken(&format!("quiet | {shot} | 11-20")).starts_with("line 1: `11-20` is no legal move"));
        assert!(broken("\nquiet | B:W33:B7 | 7-10").starts_with("line 2: "));
        assert!(broken(&format!("quiet | {shot} |")).contains("the right move is missing"));
    }

    /// Scripts rely on these fields; they can be written and read back.
    #[test]
    fn grades_are_written_both_ways() {
        fn fields<G: Game>() -> Vec<String> {
            let questions = read_questions::<G>(G::QUESTIONS.unwrap()).unwrap();
            let (grades, failures) = grade_tactics(&questions, &mut Random);
            let text = serde_json::to_string(&grades).unwrap();
            assert_eq!(serde_json::from_str::<TacticsGrades>(&text).unwrap(), grades);
            let count = |suite: &Suite| questions.iter().filter(|question| question.suite == *suite).count() as f64;
            let solved: f64 = grades.shares.iter().map(|(suite, share)| share * count(suite)).sum();
            assert_eq!(failures.len(), questions.len() - solved.round() as usize);
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
            let mut fields: Vec<String> = object.keys().cloned().collect();
            fields.sort();
            fields
        }
        assert_eq!(fields::<Minichess>(), ["grade", "mk", "mp", "points", "points_high", "points_low", "sk", "sp"]);
        assert_eq!(fields::<Draughts>(), ["captures", "grade", "grade_high", "grade_low", "quiet"]);
    }

    #[test]
    fn shares_have_intervals() {
        let count = |asked, solved| Count { asked, solved };
        let shots =
            grades(&BTreeMap::from([(Suite::QuietShot, count(10.0, 1.0)), (Suite::CapturingShot, count(30.0, 19.0))]));
        assert_eq!((shots.grade, shots.scored), (0.5, None));
        // 20 of 40 by Wilson.
        assert!((shots.grade_low.unwrap() - 0.352).abs() < 1e-3 && (shots.grade_high.unwrap() - 0.648).abs() < 1e-3);
    }
}
