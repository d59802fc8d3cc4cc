//! Whole games as text: PGN for chess and PDN for draughts. Files from elsewhere are replayed and checked.

mod read;
mod text;
mod write;

pub use read::{ReadFile, read_games};
pub(crate) use write::WriteRecord;
pub(crate) use write::WrittenGame;
pub use write::write_record;

use crate::Error;
use crate::stepped::{SteppedGame, Steps};
use games::{Game, GameVisitor, NotationError, Outcome, RecordForm, Setup, Side};
use serde::Serialize;
use std::cmp::Ordering;
use text::Record;

/// A file of games after its games were replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFile {
    /// The games, in the order of the file.
    pub games: Vec<CheckedGame>,
    /// A sentence about what `1-0` means in the file; `None` if it means the same in all files of this game.
    pub meaning: Option<String>,
}

/// A game of a file after it was replayed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedGame {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The line on which the game begins.
    pub line: usize,
    /// The number of plies that could be replayed.
    pub plies: usize,
    /// The result that the file gives.
    pub result: Option<String>,
    /// The side whose points come first in results; `None` if the file does not show which side it is.
    pub first_number_is: Option<&'static str>,
    /// What is wrong with the game, if something is.
    pub problem: Option<String>,
}

/// Replays all games of a text. The kind of game is given by `game`, or by a tag, or by the file's ending (`pdn`).
pub fn check_games(text: &str, game: Option<&str>, ending: Option<&str>) -> Result<CheckedFile, Error> {
    let (games, meaning) = judged(replay_all(text, game, ending, 0)?);
    Ok(CheckedFile { games: games.into_iter().map(|game| game.checked).collect(), meaning })
}

/// Replays all games of a text, and keeps the positions of the first `most` games.
fn replay_all(text: &str, game: Option<&str>, ending: Option<&str>, most: usize) -> Result<Vec<Replayed>, Error> {
    let records = text::split(text).map_err(Error::refused)?;
    if records.is_empty() {
        return Err(Error::refused("there is no game in it: neither tags nor moves were found".to_string()));
    }
    let mut games = Vec::new();
    for (number, record) in (1..).zip(&records) {
        let refuse = |why: String| Error::refused(format!("game {number}{why}"));
        let name = game_of(record, game, ending).map_err(refuse)?.ok_or_else(|| {
            let known: Vec<&str> = kept().iter().map(|&(name, _)| name).collect();
            let untagged = format!("game {number} has neither a Variant nor a GameType tag that says which game it is");
            Error::parameter("game", format!("{untagged} ({})", known.join(", ")))
        })?;
        let replay = ReplayRecord { number, record, stepped: number <= most };
        let replayed = replay.in_game(&name).map_err(|unknown| refuse(format!(": {}", Error::from(unknown))))?;
        games.push(replayed?);
    }
    Ok(games)
}

/// The games that have a file format for whole games, with that format.
fn kept() -> Vec<(&'static str, RecordForm)> {
    games::names().into_iter().filter_map(|name| Some((name, FormOfRecords.in_game(name).ok()??))).collect()
}

pub(crate) struct FormOfRecords;

games::by_name!(FormOfRecords);

impl GameVisitor for FormOfRecords {
    type Output = Option<RecordForm>;

    fn visit<G: Game>(self) -> Option<RecordForm> {
        G::RECORDS
    }
}

/// The name of the game of a record: the one in `wanted`, or the one in its tags, or the one that belongs to the file's
/// ending. Returns `None` if none of them names a game, and an error if the tags contradict the name.
fn game_of(record: &Record, wanted: Option<&str>, ending: Option<&str>) -> Result<Option<String>, String> {
    let variant = record.tag("Variant").map(str::to_lowercase);
    let game_type = record.tag("GameType").map(game_of_type).transpose()?.map(str::to_string);
    let by_ending = || {
        let mut numbered = kept().into_iter().filter(|(_, form)| form.game_type().is_some());
        numbered.find(|(_, form)| ending.is_some_and(|ending| ending.eq_ignore_ascii_case(form.name())))
    };
    let tagged = variant.clone().or_else(|| game_type.clone());
    let named = wanted.map(str::to_string).or(tagged).or_else(|| by_ending().map(|(name, _)| name.to_string()));
    let Some(name) = named else { return Ok(None) };
    for (tag, other) in [("Variant", variant), ("GameType", game_type)] {
        if let Some(other) = other.filter(|other| *other != name) {
            return Err(format!(": its {tag} tag says `{other}`, not {name}"));
        }
    }
    Ok(Some(name))
}

/// The game that a `GameType` tag names, such as `21` or `21,B,8,8,N1,0`.
fn game_of_type(tag: &str) -> Result<&'static str, String> {
    /// The numbers that PDN reserves for all kinds of draughts.
    const DRAUGHTS: std::ops::Range<u32> = 20..50;
    let number = tag.split(',').next().and_then(|number| number.trim().parse().ok());
    let known: Vec<(u32, &str)> =
        kept().into_iter().filter_map(|(name, form)| Some((form.game_type()?, name))).collect();
    if let Some(&(_, name)) = known.iter().find(|&&(known, _)| Some(known) == number) {
        return Ok(name);
    }
    let what = match number {
        Some(number) if DRAUGHTS.contains(&number) => "is another kind of draughts",
        Some(_) => "is another game",
        None => "is not the number of a game",
    };
    let allowed: Vec<String> = known.iter().map(|(number, name)| format!("{number} ({name})")).collect();
    Err(format!(": its GameType tag says `{tag}`, which {what}; it must be {}", allowed.join(" or ")))
}

pub(crate) struct ReplayRecord<'a> {
    number: usize,
    record: &'a Record,
    /// Whether the positions are kept.
    stepped: bool,
}

/// A game that was replayed. What results mean in its file is not known yet.
pub(crate) struct Replayed {
    checked: CheckedGame,
    form: RecordForm,
    sides: [&'static str; 2],
    /// The last position and the outcome; `None` if the game was not played to its end on the board.
    end: Option<(String, Outcome)>,
    /// Whether the game ended because a side cannot move, which is a draw under some rules.
    blocked: bool,
    /// The game with its positions, if they are kept. The outcome and the problem are added at the end.
    stepped: Option<SteppedGame>,
}

games::by_name!(ReplayRecord<'a>, 'a);

impl GameVisitor for ReplayRecord<'_> {
    type Output = Result<Replayed, Error>;

    fn visit<G: Game>(self) -> Result<Replayed, Error> {
        let ReplayRecord { number, record, stepped } = self;
        let Some(form) = G::RECORDS else {
            let known: Vec<&str> = kept().iter().map(|&(name, _)| name).collect();
            let what = format!("games of {} are not kept in files; those of {} are", G::NAME, known.join(", "));
            return Err(Error::refused(what));
        };
        let after_moves = record.result.as_deref();
        let result = decisive(form, after_moves).or(decisive(form, record.tag("Result"))).or(after_moves);
        let mut replayed = Replayed {
            checked: CheckedGame {
                game: number,
                line: record.line,
                plies: 0,
                result: result.map(str::to_string),
                first_number_is: None,
                problem: None,
            },
            form,
            sides: G::SIDES,
            end: None,
            blocked: false,
            stepped: stepped.then(|| read::described::<G>(number, record)),
        };
        match replayed.play::<G>(record) {
            Ok(position) => {
                replayed.end = position.outcome().map(|outcome| (position.to_string(), outcome));
                replayed.blocked = position.is_blocked();
                replayed.checked.problem = replayed.wrong_result(record);
            }
            Err(problem) => replayed.checked.problem = Some(problem),
        }
        Ok(replayed)
    }
}

impl Replayed {
    /// A message with the number and line of the game.
    fn problem(&self, what: &str) -> String {
        format!("game {}, line {}: {what}", self.checked.game, self.checked.line)
    }

    /// Replays the moves of the record, and returns the position after the last one.
    fn play<G: Game>(&mut self, record: &Record) -> Result<G, String> {
        let start = match record.tag("FEN") {
            Some(text) => text.parse::<G>(),
            None => Ok(G::start(&G::Setup::usual(), &mut chance::rng_for(0, &[]))),
        };
        let mut position = start.map_err(|NotationError(why)| self.problem(&why))?;
        if let Some(stepped) = &mut self.stepped {
            (stepped.start, stepped.side) = (position.to_string(), position.side_to_move());
            stepped.steps = Steps::begin(&position);
        }
        let second_began = usize::from(position.side_to_move() == Side::Second);
        for (text, line) in &record.moves {
            let mv = position.read_record_move(text).map_err(|NotationError(why)| {
                let (game, mv) = (self.checked.game, (self.checked.plies + second_began) / 2 + 1);
                let side = self.sides[position.side_to_move() as usize];
                format!("game {game}, move {mv} of {side}, line {line}: {why}")
            })?;
            match &mut self.stepped {
                Some(stepped) => stepped.steps.play(&mut position, mv),
                None => position.play(mv),
            }
            self.checked.plies += 1;
        }
        Ok(position)
    }

    /// What is wrong with the result, independently of what `1-0` means in the file; `None` if nothing is.
    fn wrong_result(&self, record: &Record) -> Option<String> {
        let results = self.form.results();
        if let Some(result) = record.result.as_deref().filter(|result| !results.contains(result)) {
            let (form, allowed) = (self.form.name().to_uppercase(), results.join(", "));
            return Some(self.problem(&format!("`{result}` is not a result in {form}; allowed are {allowed}")));
        }
        if let (Some(tag), Some(result)) =
            (decisive(self.form, record.tag("Result")), decisive(self.form, record.result.as_deref()))
            && compared(tag) != compared(result)
        {
            return Some(self.problem(&format!("the tag says {tag}, but the result after the moves is {result}")));
        }
        let (position, outcome) = self.end.as_ref()?;
        let said = self.said()?;
        let draws = *outcome == Outcome::Draw;
        let fits = (said == Ordering::Equal) == draws || (said == Ordering::Equal && self.blocked);
        (!fits).then(|| self.said_otherwise(position, *outcome))
    }

    /// The message that the result contradicts the board.
    fn said_otherwise(&self, position: &str, outcome: Outcome) -> String {
        let end = match outcome {
            Outcome::Win(side) => format!("{} has won", self.sides[side as usize]),
            Outcome::Draw => "nobody has won".to_string(),
        };
        let said = self.checked.result.as_deref().unwrap_or("*");
        self.problem(&format!("the result is said to be {said}, but in {position} {end}"))
    }

    /// Compares the first number of the result with the second; `None` if the result says nothing.
    fn said(&self) -> Option<Ordering> {
        compared(self.checked.result.as_deref()?)
    }

    /// The side whose points come first in the result, according to the end of the game on the board. Returns `None` if
    /// that cannot be seen, or if something else is wrong.
    fn first_number(&self) -> Option<Side> {
        if self.checked.problem.is_some() {
            return None;
        }
        match (self.end.as_ref()?, self.said()?) {
            ((_, Outcome::Win(side)), Ordering::Greater) => Some(*side),
            ((_, Outcome::Win(side)), Ordering::Less) => Some(!*side),
            _ => None,
        }
    }
}

/// The result if it is a win or a draw; `None` for `*`, which in PDN may only separate two games, and for other texts.
fn decisive(form: RecordForm, result: Option<&str>) -> Option<&str> {
    result.filter(|result| *result != "*" && form.results().contains(result))
}

/// Compares the first number of a result with the second; `None` if the result is neither a win nor a draw.
fn compared(result: &str) -> Option<Ordering> {
    match result {
        "1-0" | "2-0" => Some(Ordering::Greater),
        "0-1" | "0-2" => Some(Ordering::Less),
        "1/2-1/2" | "1-1" => Some(Ordering::Equal),
        _ => None,
    }
}

/// The result as Gamete writes it: the points of the first side come first.
fn result_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// Finds out which side's points come first in results, from the games that ended on the board. Games that contradict
/// it get a problem. Also returns a sentence about what `1-0` means.
fn judged(mut games: Vec<Replayed>) -> (Vec<Replayed>, Option<String>) {
    // 1. In formats where files differ, the majority of games decides. `counts` is by the side that comes first.
    let mut counts = [0; 2];
    for side in games.iter().filter(|game| game.form.results_differ()).filter_map(Replayed::first_number) {
        counts[side as usize] += 1;
    }
    let decided = match counts[0].cmp(&counts[1]) {
        Ordering::Greater => Some(Side::First),
        Ordering::Less => Some(Side::Second),
        Ordering::Equal => None,
    };
    // 2. The games of the minority get a problem; if there is no majority, all these games do.
    for game in &mut games {
        let differ = game.form.results_differ();
        let first = if differ { decided } else { Some(Side::First) };
        game.checked.first_number_is = first.map(|side| game.sides[side as usize]);
        let (Some(found), Some((position, outcome))) = (game.first_number(), &game.end) else { continue };
        if first == Some(found) {
            continue;
        }
        let where_so = if differ { format!(" in {}", games_in_words(counts[!found as usize])) } else { String::new() };
        let (said, other) = (game.said_otherwise(position, *outcome), game.sides[!found as usize]);
        game.checked.problem = Some(format!("{said}; 1-0 means that {other} won{where_so}"));
    }
    // 3. The sentence.
    let meaning = games.iter().find(|game| game.form.results_differ()).map(|game| meaning(game.sides, counts, decided));
    (games, meaning)
}

/// A sentence about what `1-0` means in a file. `counts` are the numbers of games that ended on the board in which it
/// means a win of the first side, and of the second.
fn meaning(sides: [&str; 2], counts: [usize; 2], decided: Option<Side>) -> String {
    let Some(side) = decided else {
        return match counts[0] {
            0 => "1-0 may mean either: no game that was won was played to its end on the board".to_string(),
            each => format!(
                "1-0 may mean either: in {} that ended on the board it means that {} won, in equally many that {} won",
                games_in_words(each),
                sides[0],
                sides[1]
            ),
        };
    };
    let (agree, disagree) = (counts[side as usize], counts[!side as usize]);
    let won = sides[side as usize];
    format!("1-0 means that {won} won (games that ended on the board: {agree} for this meaning, {disagree} against)")
}

fn games_in_words(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(game: &str, text: &str, plies: &[usize], problem: Option<&str>) {
        let checked = check_games(text, Some(game), None).unwrap().games;
        assert_eq!(checked.iter().map(|game| game.plies).collect::<Vec<_>>(), plies, "{checked:?}");
        let problems: Vec<&String> = checked.iter().filter_map(|game| game.problem.as_ref()).collect();
        match problem {
            Some(expected) => assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}"),
            None => assert!(problems.is_empty(), "{problems:?}"),
        }
    }

    #[test]
    fn games_of_chess_are_replayed() {
        let check = |text: &str, plies: &[usize]| check_text("minichess", text, plies, None);
        check("1. a3 a4 2. Nc3 *", &[3]);
        check("1. a2a3 a5a4 2.b1c3 {a comment; with all} (2. b3 (2. c3)) Nc4 $1 1/2-1/2", &[4]);
        check("[Variant \"minichess\"]\n\n1. a3 ; to the end\n% escaped\n1... a4! 1-0\n\n1. b3 0-1", &[2, 1]);
        check("[White \"A \\\"B\\\" C\"]\n[FEN \"k5/6/6/6/6/R4K b\"]\n1... Kb6 2. Ra5 *", &[2]);
        check("[FEN \"k5/6/6/6/6/R4K w\"]\n1. Rxa6 1-0", &[1]);
        check("1. a3$1 a4 $2 (1... b4 ; a smile :)\n) 2. Nc3 *", &[3]);
        check("[White \"A\"]\n[Black \"B\"]\n\n[White \"C\"]\n\n1. a3 *", &[0, 1]);
    }

    #[test]
    fn games_of_draughts_are_replayed() {
        let check = |text: &str, plies: &[usize]| check_text("draughts", text, plies, None);
        check("1. 11-15 23-19 2. 8-11 22-17 *", &[4]);
        check("1.11-15! 1...23-19 {why; not} 2.8-11 $1 (2. 9-14 (2. 9-13)) 22-17? 1/2-1/2", &[4]);
        check("[GameType \"21,B,8,8,N1,0\"]\r\n\r\n1. 11-15 ; to the end\r\n23-19 2-0\r\n\r\n1. 9-14 1-1", &[2, 1]);
        // Captures in all notations, and squares with leading zeros.
        for capture in ["11x18x27", "11x27", "11-27", "11-18-27", "11:27", "11X27*"] {
            check(&format!("[FEN \"B:W15,23,31:B1,11\"]\n1. {capture} 31x24 2. 01-05 *"), &[3]);
        }
        check("[FEN \"W:W22,32:B1,18\"]\n1... 22x15 2. 1-5 *", &[2]);
        // `*` may separate games, whatever the tag says. A draw is written in two ways.
        check("[Result \"1-0\"]\n1. 11-15 *\n[Result \"1-1\"]\n1. 11-15 1/2-1/2", &[1, 1]);
    }

    #[test]
    fn problems_name_the_game_and_the_line() {
        let check = |text: &str, plies: &[usize], why: &str| check_text("minichess", text, plies, Some(why));
        let illegal = "[Variant \"minichess\"]\n\n1. a3 a4\n2. Nc4 *";
        check(illegal, &[2], "game 1, move 2 of White, line 4: `Nc4` is no legal move");
        check(illegal, &[2], "legal moves: b3, ");
        check("1. a3 a4 *\n1. b3 a3 *", &[2, 1], "game 2, move 1 of Black, line 2: `a3` is no legal move");
        check("[FEN \"k5/6/6/6/6/R4K b\"]\n1... Kb6 2. Ra5 Ra1 *", &[2], "move 2 of Black");
        check("[FEN \"k5/6/6/6/6/R4K w\"]\n1. Rxa6 0-1", &[1], "the result is said to be 0-1");
        check("[FEN \"k5/6/6/6/6/R4K w\"]\n1. Rxa6 0-1", &[1], " White has won; 1-0 means that White won");
        check("[FEN \"k5/6/6/6/6/R4K w\"]\n1. Rxa6 1/2-1/2", &[1], "said to be 1/2-1/2, but in ");
        check("[Result \"1-0\"]\n1. a3 0-1", &[1], "the tag says 1-0, but the result after the moves is 0-1");
        check("1. a3 2-0", &[1], "`2-0` is not a result in PGN; allowed are 1-0, 0-1, 1/2-1/2, *");
        check("[FEN \"k5/6/6/6/R4K w\"]\n1. Rxa6 *", &[0], "it has 5 ranks");
        check("[FEN \"N1N2k/6/6/6/6/5K w\"]\n1. Nb4 *", &[0], "it could be a6b4 or c6b4");

        let check = |text: &str, plies: &[usize], why: &str| check_text("draughts", text, plies, Some(why));
        check("1. 11-15 22-18\n2. 8-11 *", &[2], "game 1, move 2 of Black, line 2: `8-11` is no legal move");
        check("1. 11-15 22-18\n2. 8-11 *", &[2], "legal moves: 15x22");
        check("1. 11-15 *\n1. 11-15 15-19 *", &[1, 1], "game 2, move 1 of White, line 2: `15-19` is no legal move");
        check("[FEN \"B:W6,7,14,15,23,31:B2\"]\n1. 2x27", &[0], "it could be 2x9x18x27 or 2x11x18x27");
        check("[FEN \"B:W33:B1\"]\n1. 1-5", &[0], "there is no square 33");
        check("1. 11 - 15 *", &[0], "`-` is no legal move");
        check("[Result \"1-0\"]\n1. 11-15 0-2", &[1], "the tag says 1-0, but the result after the moves is 0-2");
        // A side without pieces has lost.
        check("[FEN \"B:W18:B15\"]\n1. 15x22 1/2-1/2", &[1], "in W:W:B22 Black has won");
    }

    /// Under some rules, a game in which a side cannot move is a draw. Gamete has this rule as an option.
    #[test]
    fn a_blocked_side_has_lost_or_drawn() {
        let text = |result: &str| format!("[FEN \"B:W32:B19,23,27,28\"]\n1. 19-24 {result}");
        check_text("draughts", &text("1/2-1/2"), &[1], None);
        check_text("draughts", &text("1-0"), &[1], None);
    }

    #[test]
    fn the_game_is_found() {
        let found = |text: &str, game: Option<&str>, ending: Option<&str>| check_games(text, game, ending).map(|_| ());
        for (text, game, ending) in [
            ("[Variant \"Draughts\"]\n1. 11-15 *", None, None),
            ("[GameType \"21\"]\n1. 11-15 *", None, Some("txt")),
            ("[GameType \"21,B,8,8,N1,0\"]\n1. 11-15 *", None, Some("pgn")),
            ("1. 11-15 *", None, Some("PDN")),
            ("1. a3 *", Some("minichess"), Some("pdn")),
        ] {
            assert!(found(text, game, ending).is_ok(), "{text}");
        }
        for (text, game, ending, why) in [
            ("", None, Some("pdn"), "there is no game in it"),
            ("1. a3 *", None, Some("pgn"), "game 1 has neither a Variant nor a GameType tag"),
            ("[Variant \"chess\"]\n1. e4 *", None, None, "there is no game `chess`"),
            ("[Variant \"chess\"]\n1. e4 *", Some("minichess"), None, "its Variant tag says `chess`"),
            ("[GameType \"21\"]\n1. a3 *", Some("minichess"), None, "its GameType tag says `draughts`, not minichess"),
            (
                "[GameType \"25,W,8,8,A0,0\"]\n*",
                None,
                None,
                "game 1: its GameType tag says `25,W,8,8,A0,0`, which is another kind of draughts; it must be 21 (draughts)",
            ),
            ("[GameType \"20\"]\n*", Some("draughts"), None, "which is another kind of draughts"),
            ("[GameType \"50\"]\n*", None, None, "which is another game"),
            ("[GameType \"x\"]\n*", None, None, "which is not the number of a game"),
            ("1. 3:2", Some("nim"), None, "games of nim are not kept in files; those of minichess, draughts are"),
            ("1. a3 {", Some("minichess"), None, "line 1: a comment begins"),
            ("\n(1. a3", Some("minichess"), None, "line 2: a variation begins"),
            ("[White]\n1. a3", Some("minichess"), None, "`[White]` is not a tag"),
        ] {
            let error = found(text, game, ending).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    const BLACK_WINS: &str = "[FEN \"B:W15:B11\"]\n1. 11x18";
    const WHITE_WINS: &str = "[FEN \"W:W15:B11\"]\n1... 15x8";
    const BLACK_BLOCKS: &str = "[FEN \"B:W32:B19,23,27,28\"]\n1. 19-24";
    const UNFINISHED: &str = "1. 11-15";

    #[track_caller]
    fn check_meaning(games: &[(&str, &str)], first: Option<&str>, meaning: &str, problems: &[(usize, &str)]) {
        let text: Vec<String> = games.iter().map(|(moves, result)| format!("{moves} {result}\n")).collect();
        let checked = check_games(&text.join("\n"), None, Some("pdn")).unwrap();
        assert_eq!(checked.meaning.as_deref(), Some(meaning));
        assert!(checked.games.iter().all(|game| game.first_number_is == first), "{checked:?}");
        let found: Vec<(usize, &str)> =
            checked.games.iter().filter_map(|game| Some((game.game, game.problem.as_deref()?))).collect();
        assert_eq!(found.len(), problems.len(), "{found:?}");
        for ((game, why), (expected, part)) in found.iter().zip(problems) {
            assert!(game == expected && why.contains(part), "{found:?}");
        }
    }

    #[test]
    fn results_mean_what_the_board_says() {
        let black = "1-0 means that Black won (games that ended on the board: 3 for this meaning, 0 against)";
        let games = [(BLACK_WINS, "1-0"), (WHITE_WINS, "0-2"), (BLACK_BLOCKS, "2-0"), (UNFINISHED, "0-1")];
        check_meaning(&games, Some("Black"), black, &[]);
        let white = "1-0 means that White won (games that ended on the board: 1 for this meaning, 0 against)";
        check_meaning(&[(UNFINISHED, "1-0"), (WHITE_WINS, "1-0")], Some("White"), white, &[]);
        let either = "1-0 may mean either: no game that was won was played to its end on the board";
        check_meaning(&[(UNFINISHED, "1-0"), (UNFINISHED, "1/2-1/2"), (BLACK_WINS, "*")], None, either, &[]);
        // The tag counts if the result after the moves is `*`.
        let tagged = format!("[Result \"0-1\"]\n{BLACK_WINS}");
        check_meaning(&[(&tagged, "*")], Some("White"), white, &[]);
        // A draw contradicts the board if a side has won.
        let wrong = "game 1, line 1: the result is said to be 1-1, but in W:W:B18 Black has won";
        check_meaning(&[(BLACK_WINS, "1-1")], None, either, &[(1, wrong)]);
    }

    #[test]
    fn games_that_contradict_most_others_are_problems() {
        let most = "1-0 means that White won (games that ended on the board: 2 for this meaning, 1 against)";
        let wrong = "the result is said to be 1-0, but in W:W:B18 Black has won; 1-0 means that White won in 2 games";
        let games = [(WHITE_WINS, "1-0"), (BLACK_WINS, "1-0"), (BLACK_BLOCKS, "0-1")];
        check_meaning(&games, Some("White"), most, &[(2, wrong)]);
        let tie = "1-0 may mean either: in 1 game that ended on the board it means that Black won, in equally many that White won";
        let wrong = [(1, "1-0 means that Black won in 1 game"), (2, "1-0 means that White won in 1 game")];
        check_meaning(&[(WHITE_WINS, "1-0"), (BLACK_WINS, "1-0")], None, tie, &wrong);
    }
}
