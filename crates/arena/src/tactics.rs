//! Test positions with right answers that are facts: taken from games by seed, proved by looking at every move.
//!
//! The scale is Sebastianelli's (2024): save the king, capture a king that hangs, save pieces by value, capture by value.
//! It works for every game with material; the king stands for whatever ends the game.

use crate::{Choice, Course, Limits, Material, Player, Search};
use chance::{Rng, rng_for};
use games::{Game, Outcome, Setup, parse_move};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt::Write as _;

/// What a test position asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// The other side threatens to win at once: prevent it.
    SaveKing,
    /// A move wins at once: make it.
    TakeKing,
    /// Pieces hang: lose as little as possible.
    SavePieces,
    /// Captures of different value are free: make the best.
    TakePieces,
}

impl Suite {
    /// All of them, in the order of the thesis.
    pub const ALL: [Suite; 4] = [Suite::SaveKing, Suite::TakeKing, Suite::SavePieces, Suite::TakePieces];

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Suite::SaveKing => "sk",
            Suite::TakeKing => "mk",
            Suite::SavePieces => "sp",
            Suite::TakePieces => "mp",
        }
    }

    /// What it asks for, in words.
    pub fn about(self) -> &'static str {
        match self {
            Suite::SaveKing => "save the king",
            Suite::TakeKing => "capture the king",
            Suite::SavePieces => "save pieces, the most valuable first",
            Suite::TakePieces => "capture pieces, the most valuable first",
        }
    }

    /// The points for solving all of it.
    pub fn points(self) -> f64 {
        match self {
            Suite::SaveKing | Suite::TakeKing => 10.0,
            Suite::SavePieces | Suite::TakePieces => 5.0,
        }
    }
}

/// A test position.
#[derive(Clone, Debug, PartialEq)]
pub struct Question<G: Game> {
    /// What it asks for.
    pub suite: Suite,
    /// The position.
    pub game: G,
    /// Every right move.
    pub right: Vec<G::Move>,
}

/// Shares of each suite that were solved, and what they come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TacticsGrades {
    /// Points as a share of all that can be had.
    pub grade: f64,
    /// Points, of 30.
    pub points: f64,
    /// The lower end of their 95 % interval, over such positions.
    pub points_low: f64,
    /// The upper end.
    pub points_high: f64,
    /// Save the king.
    pub sk: f64,
    /// Capture the king.
    pub mk: f64,
    /// Save pieces.
    pub sp: f64,
    /// Capture pieces.
    pub mp: f64,
}

impl TacticsGrades {
    /// The share of a suite.
    pub fn share(&self, suite: Suite) -> f64 {
        match suite {
            Suite::SaveKing => self.sk,
            Suite::TakeKing => self.mk,
            Suite::SavePieces => self.sp,
            Suite::TakePieces => self.mp,
        }
    }
}

/// A test position that was not solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The suite's name.
    pub suite: &'static str,
    /// The position.
    pub position: String,
    /// What was played.
    pub played: String,
    /// What would have been right.
    pub right: Vec<String>,
}

/// Grades a player, whatever draws games under its setup; what it leaves to chance is drawn from a fixed seed. Failures
/// come in the order of the questions.
pub fn grade_tactics<G: Game>(questions: &[Question<G>], player: &mut dyn Player<G>) -> (TacticsGrades, Vec<Failure>) {
    let mut failures = Vec::new();
    let mut counts = [(0.0, 0.0); 4];
    for (number, Question { suite, game, right }) in questions.iter().enumerate() {
        let course = Course::timeless(game.clone());
        player.begin();
        let choice = player.choose(&course, &mut rng_for(0, &[number as u64]));
        let solved = matches!(&choice, Choice::Move(mv) if right.contains(mv));
        let (all, share) = &mut counts[*suite as usize];
        *all += 1.0;
        *share += f64::from(u8::from(solved));
        if !solved {
            let played = match choice {
                Choice::Move(mv) => mv.to_string(),
                Choice::Illegal(attempt) => attempt,
            };
            let right = right.iter().map(|mv| mv.to_string()).collect();
            failures.push(Failure { suite: suite.name(), position: game.to_string(), played, right });
        }
    }
    let [sk, mk, sp, mp] = counts.map(|(all, solved)| if all > 0.0 { solved / all } else { 0.0 });
    let mut grades = TacticsGrades { sk, mk, sp, mp, ..TacticsGrades::default() };
    grades.points = Suite::ALL.iter().map(|&suite| suite.points() * grades.share(suite)).sum();
    // Wilson's interval for each suite, added up as independent ones are (Newcombe 1998).
    let reach = |ends: fn((f64, f64), f64) -> f64| {
        let one = |suite: &Suite| {
            let (all, solved) = counts[*suite as usize];
            (suite.points() * ends(wilson(solved, all), grades.share(*suite))).powi(2)
        };
        Suite::ALL.iter().map(one).sum::<f64>().sqrt()
    };
    let (below, above) = (reach(|(low, _), share| share - low), reach(|(_, high), share| high - share));
    (grades.points_low, grades.points_high) = (grades.points - below, grades.points + above);
    grades.grade = grades.points / Suite::ALL.iter().map(|suite| suite.points()).sum::<f64>();
    (grades, failures)
}

/// Wilson's 95 % interval of a share.
fn wilson(part: f64, all: f64) -> (f64, f64) {
    const Z2: f64 = 1.959_963_984_540_054 * 1.959_963_984_540_054;
    if all == 0.0 {
        return (0.0, 1.0);
    }
    let share = part / all;
    let middle = (share + Z2 / (2.0 * all)) / (1.0 + Z2 / all);
    let spread = (Z2 * (share * (1.0 - share) / all + Z2 / (4.0 * all * all))).sqrt() / (1.0 + Z2 / all);
    (middle - spread, middle + spread)
}

/// Questions as text: a line for each, suite, position and right moves between bars.
pub fn write_questions<G: Game>(questions: &[Question<G>]) -> String {
    let mut text = String::new();
    for Question { suite, game, right } in questions {
        let right: Vec<String> = right.iter().map(|mv| mv.to_string()).collect();
        let _ = writeln!(text, "{} | {game} | {}", suite.name(), right.join(" "));
    }
    text
}

/// Reads what was written; what is wrong is told with its line.
pub fn read_questions<G: Game>(text: &str) -> Result<Vec<Question<G>>, String> {
    let read = |line: &str| -> Result<Question<G>, String> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [suite, position, moves] = parts[..] else {
            return Err(format!("{} parts, but suite | position | right moves belong there", parts.len()));
        };
        let Some(suite) = Suite::ALL.into_iter().find(|known| known.name() == suite) else {
            return Err(format!("there is no suite `{suite}`; there are sk, mk, sp, mp"));
        };
        let game: G = position.parse().map_err(|error: games::NotationError| error.to_string())?;
        let right = moves.split_whitespace().map(|mv| parse_move(&game, mv)).collect::<Result<Vec<_>, _>>();
        let right = right.map_err(|error| error.to_string())?;
        if right.is_empty() {
            return Err("no right move".to_string());
        }
        Ok(Question { suite, game, right })
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| read(line).map_err(|why| format!("line {}: {why}", number + 1))).collect()
}

/// Takes so many positions for each suite from games played by seed, half of them with either side to move; `progress`
/// hears how many there are. `None` for games without pieces.
pub fn find_questions<G: Game>(seed: u64, each: usize, progress: &mut dyn FnMut(usize)) -> Option<Vec<Question<G>>> {
    let setup = G::Setup::usual();
    G::start(&setup, &mut rng_for(seed, &[])).material()?;
    let mut found: Vec<Question<G>> = Vec::new();
    let mut known = HashSet::new();
    let mut open = [[each.div_ceil(2), each / 2]; 4];
    for number in 0.. {
        if open.iter().flatten().all(|&left| left == 0) {
            break;
        }
        // One position of a kind from a game, so that they are different.
        let mut taken = [false; 4];
        for game in walk::<G>(&setup, &mut rng_for(seed, &[number])) {
            let side = game.side_to_move() as usize;
            let Some(question) = ask(&game, |suite| open[suite as usize][side] > 0 && !taken[suite as usize]) else {
                continue;
            };
            if known.insert(game) {
                taken[question.suite as usize] = true;
                open[question.suite as usize][side] -= 1;
                found.push(question);
                progress(found.len());
            }
        }
    }
    found.sort_by_key(|question| question.suite as usize);
    Some(found)
}

/// The positions of a game between players who see two plies ahead, when they look; how often they do is drawn.
fn walk<G: Game>(setup: &G::Setup, rng: &mut Rng) -> Vec<G> {
    let mut course = Course::new(G::start(setup, rng), setup, 0);
    let mut search = Search::default();
    let careless = rng.below(4);
    let mut positions = Vec::new();
    while course.outcome().is_none() {
        positions.push(course.game().clone());
        let mv = if rng.below(4) <= careless {
            let mut moves = Vec::new();
            course.game().legal_moves(&mut moves);
            moves[rng.below(moves.len())]
        } else {
            search.run(&course, &mut Material, Limits::depth(2), None, Some(rng)).mv
        };
        course.play(mv);
    }
    positions
}

/// How many plies, the first move included, are all looked at in proofs about pieces; captures are followed to the end.
const PROOFS: [u32; 5] = [2, 3, 4, 5, 6];

/// The question that a position is, if it is one of those that are wanted.
fn ask<G: Game>(game: &G, wanted: impl Fn(Suite) -> bool) -> Option<Question<G>> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let question = |suite, right| Some(Question { suite, game: game.clone(), right });
    // Right answers must be few, or chance would find them.
    let few = |count: usize| count > 0 && 3 * count <= moves.len();
    // 1. Win at once.
    let winning: Vec<G::Move> = moves.iter().copied().filter(|&mv| wins(game, mv)).collect();
    if !winning.is_empty() {
        return if few(winning.len()) && wanted(Suite::TakeKing) { question(Suite::TakeKing, winning) } else { None };
    }
    // 2. Or lose at once.
    let mut replies = Vec::new();
    let safe = |mv: &G::Move| {
        let next = after(game, *mv);
        replies.clear();
        next.legal_moves(&mut replies);
        !replies.iter().any(|&reply| wins(&next, reply))
    };
    let safe: Vec<G::Move> = moves.iter().copied().filter(safe).collect();
    if few(safe.len()) {
        return if wanted(Suite::SaveKing) { question(Suite::SaveKing, safe) } else { None };
    }
    if 4 * safe.len() < 3 * moves.len() || !(wanted(Suite::SavePieces) || wanted(Suite::TakePieces)) {
        return None;
    }
    // 3. Pieces: all proofs must agree on which moves are best.
    let now = game.material()?;
    let mut proof = Proof { stack: Vec::new() };
    // Something hangs if the other side, were it to move, could win by captures alone.
    let hangs = game.passed().is_some_and(|passed| proof.value(&passed, 0, -WON, WON) > -now);
    let mut best_moves: Option<Vec<G::Move>> = None;
    let mut suites = vec![Suite::SavePieces, Suite::TakePieces];
    for plies in PROOFS {
        let values: Vec<f32> = moves.iter().map(|&mv| -proof.value(&after(game, mv), plies - 1, -WON, WON)).collect();
        let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let right: Vec<G::Move> =
            moves.iter().zip(&values).filter(|(_, value)| **value == best).map(|(&mv, _)| mv).collect();
        let gains = |(&mv, &value): (&G::Move, &f32)| game.is_capture(mv) && now < value && value < best;
        let takes = best > now && best < WON && right.iter().all(|&mv| game.is_capture(mv));
        suites.retain(|&suite| match suite {
            Suite::TakePieces => takes && moves.iter().zip(&values).any(gains),
            _ => hangs && best <= now && best > -WON,
        });
        if !few(right.len()) || best_moves.as_ref().is_some_and(|known| *known != right) {
            return None;
        }
        if !suites.iter().any(|&suite| wanted(suite)) {
            return None;
        }
        best_moves = Some(right);
    }
    question(suites[0], best_moves?)
}

/// Above all material.
const WON: f32 = 2.0;

fn after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut next = game.clone();
    next.play(mv);
    next
}

fn wins<G: Game>(game: &G, mv: G::Move) -> bool {
    after(game, mv).outcome() == Some(Outcome::Win(game.side_to_move()))
}

/// Searches by plain alpha-beta, with one vector of moves as a stack.
struct Proof<G: Game> {
    stack: Vec<G::Move>,
}

impl<G: Game> Proof<G> {
    /// The material that the mover can force: so many plies of all moves, then captures for as long as a side likes.
    fn value(&mut self, game: &G, plies: u32, mut alpha: f32, beta: f32) -> f32 {
        if let Some(outcome) = game.outcome() {
            return WON * outcome.value_for(game.side_to_move());
        }
        let mut best = f32::NEG_INFINITY;
        if plies == 0 {
            best = game.material().unwrap_or(0.0);
            alpha = alpha.max(best);
            if best >= beta {
                return best;
            }
        }
        let base = self.stack.len();
        game.legal_moves(&mut self.stack);
        if plies == 0 {
            let mut kept = base;
            for place in base..self.stack.len() {
                if game.promise(self.stack[place]) > 0 {
                    self.stack.swap(kept, place);
                    kept += 1;
                }
            }
            self.stack.truncate(kept);
        }
        self.stack[base..].sort_unstable_by_key(|&mv| std::cmp::Reverse((game.promise(mv), G::move_slot(mv))));
        for place in base..self.stack.len() {
            let next = after(game, self.stack[place]);
            best = best.max(-self.value(&next, plies.saturating_sub(1), -beta, -alpha));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        self.stack.truncate(base);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::minichess::Minichess;

    #[track_caller]
    fn check(position: &str, expected: Option<(Suite, &str)>) {
        let game: Minichess = position.parse().unwrap();
        let found = ask(&game, |_| true);
        let text = |question: &Question<Minichess>| {
            question.right.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
        };
        let found = found.map(|question| (question.suite, text(&question)));
        assert_eq!(found, expected.map(|(suite, right)| (suite, right.to_string())), "{position}");
    }

    #[test]
    fn positions_ask_what_they_should() {
        check("k5/6/6/6/6/R4K w", Some((Suite::TakeKing, "a1a6")));
        check("k5/1p4/6/5n/6/R2K2 w", Some((Suite::TakeKing, "a1a6")));
        // A rook attacks the king along the rank, and a knight can come between.
        check("k5/pppp2/6/2N3/PPPP2/K4r w", Some((Suite::SaveKing, "c3b1 c3d1")));
        // A pawn attacks a knight and a pawn: take it, or save the knight.
        let forked = "r1bknr/p1pppp/1pn3/N1P3/PP1PPP/R1BKNR w";
        check(forked, Some((Suite::SavePieces, "c3b4 a3c4 a3c2 a3b1")));
        // The knight can take a rook, or a pawn.
        check("3knn/2pr2/p2p1p/P1N2P/1BPP1K/R1N3 w", Some((Suite::TakePieces, "c3d5")));
        check("rnbknr/pppppp/6/6/PPPPPP/RNBKNR w", None);
    }

    #[test]
    fn questions_are_found_by_seed_and_written_both_ways() {
        let found = find_questions::<Minichess>(3, 4, &mut |_| ()).unwrap();
        assert_eq!(found.len(), 16);
        for suite in Suite::ALL {
            let of_it: Vec<_> = found.iter().filter(|question| question.suite == suite).collect();
            assert_eq!(of_it.len(), 4);
            assert_eq!(of_it.iter().filter(|q| q.game.side_to_move() == games::Side::First).count(), 2);
        }
        assert_eq!(found, find_questions::<Minichess>(3, 4, &mut |_| ()).unwrap());
        assert_ne!(found, find_questions::<Minichess>(4, 4, &mut |_| ()).unwrap());
        assert_eq!(read_questions(&write_questions(&found)), Ok(found));
        assert!(find_questions::<games::nim::Nim>(1, 4, &mut |_| ()).is_none());
    }

    /// What the game ships is what seed 1 finds, of which this finds the first; and some of them are proved again.
    #[test]
    fn the_shipped_questions_are_those_of_seed_1() {
        let shipped = read_questions::<Minichess>(Minichess::QUESTIONS.unwrap()).unwrap();
        assert_eq!(shipped.len(), 800);
        let found = find_questions::<Minichess>(1, 6, &mut |_| ()).unwrap();
        for suite in Suite::ALL {
            let of = |all: &[Question<Minichess>]| -> Vec<Question<Minichess>> {
                all.iter().filter(|question| question.suite == suite).cloned().collect()
            };
            let (shipped, found) = (of(&shipped), of(&found));
            let first = shipped.iter().filter(|question| question.game.side_to_move() == games::Side::First).count();
            assert_eq!((shipped.len(), first), (200, 100));
            // Until one side has its three, both take the same.
            assert_eq!(shipped[..3], found[..3]);
        }
        for question in shipped.iter().step_by(7) {
            assert_eq!(ask(&question.game, |_| true).as_ref(), Some(question));
        }
    }

    #[test]
    fn broken_questions_are_told_with_their_line() {
        let broken = |text: &str| read_questions::<Minichess>(text).unwrap_err();
        assert!(broken("\nsk | k5/6 | a1a2").starts_with("line 2: "));
        assert!(broken("xx | k5/6/6/6/6/R4K w | a1a6").contains("there is no suite `xx`"));
        assert!(broken("mk | k5/6/6/6/6/R4K w | a1b6").contains("no legal move"));
        assert!(broken("mk | k5/6/6/6/6/R4K w |").contains("no right move"));
        assert!(broken("mk").contains("1 parts"));
    }
}
