//! Whole games as text: PGN, as chess players keep them, with a tag that names the variant.

use crate::Error;
use crate::replay::Replay;
use games::{Game, GameVisitor, NotationError, Outcome, Setup, Side};
use serde::Serialize;
use std::fmt::Write;

/// A game of a file that was replayed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedGame {
    /// Its number in the file, from 1.
    pub game: usize,
    /// The line on which it begins.
    pub line: usize,
    /// How many plies could be replayed.
    pub plies: usize,
    /// What the file says of the result.
    pub result: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// Replays all games of a text; their game is named by a `Variant` tag, or by whoever calls.
pub fn check_games(text: &str, game: Option<&str>) -> Result<Vec<CheckedGame>, Error> {
    let games = split(text).map_err(Error::Refused)?;
    if games.is_empty() {
        return Err(Error::Refused("there is no game in it: neither tags nor moves were found".to_string()));
    }
    games.iter().enumerate().map(|(number, record)| check(number + 1, record, game)).collect()
}

fn check(number: usize, record: &Record, game: Option<&str>) -> Result<CheckedGame, Error> {
    let named = record.tag("Variant").map(str::to_lowercase);
    let Some(name) = game.map(str::to_string).or_else(|| named.clone()) else {
        return Err(Error::Refused(format!(
            "game {number} has no Variant tag; say with --game which it is ({})",
            with_records().join(", ")
        )));
    };
    let refuse = |why: String| Error::Refused(format!("game {number}: {why}"));
    if let Some(other) = named.filter(|named| *named != name) {
        return Err(refuse(format!("its Variant tag says `{other}`, not {name}")));
    }
    let visitor = Visitor { number, record };
    match games::with_game(&name, visitor) {
        Some(checked) => checked,
        None => Err(refuse(Error::unknown("game", &name, games::names()).to_string())),
    }
}

/// The games that people keep records of.
fn with_records() -> Vec<&'static str> {
    struct HasRecords;
    impl GameVisitor for HasRecords {
        type Output = bool;
        fn visit<G: Game>(self) -> bool {
            G::RECORDS.is_some()
        }
    }
    games::names().iter().copied().filter(|name| games::with_game(name, HasRecords) == Some(true)).collect()
}

struct Visitor<'a> {
    number: usize,
    record: &'a Record,
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<CheckedGame, Error>;

    fn visit<G: Game>(self) -> Result<CheckedGame, Error> {
        let Visitor { number, record } = self;
        if G::RECORDS.is_none() {
            let others = with_records().join(", ");
            return Err(Error::Refused(format!("games of {} are not kept as PGN; those of {others} are", G::NAME)));
        }
        let mut checked =
            CheckedGame { game: number, line: record.line, plies: 0, result: record.result.clone(), problem: None };
        let start = match record.tag("FEN") {
            Some(text) => text.parse::<G>(),
            None => Ok(G::start(&G::Setup::usual(), &mut chance::rng_for(0, &[]))),
        };
        let mut position = match start {
            Ok(position) => position,
            Err(NotationError(why)) => {
                checked.problem = Some(format!("game {number}, line {}: {why}", record.line));
                return Ok(checked);
            }
        };
        let black_began = usize::from(position.side_to_move() == Side::Second);
        for (text, line) in &record.moves {
            match position.read_record_move(text) {
                Ok(mv) => position.play(mv),
                Err(NotationError(why)) => {
                    let ply = checked.plies + black_began;
                    let side = if position.side_to_move() == Side::First { "White" } else { "Black" };
                    checked.problem =
                        Some(format!("game {number}, move {} of {side}, line {line}: {why}", ply / 2 + 1));
                    return Ok(checked);
                }
            }
            checked.plies += 1;
        }
        let tag = record.tag("Result");
        if let (Some(tag), Some(said)) = (tag, &record.result)
            && tag != said
        {
            checked.problem = Some(format!(
                "game {number}, line {}: the tag says {tag}, but behind the moves stands {said}",
                record.line
            ));
        }
        let said = record.result.as_deref().or(tag).and_then(outcome_of);
        if let (Some(outcome), Some(said)) = (position.outcome(), said)
            && outcome != said
        {
            checked.problem = Some(format!(
                "game {number}, line {}: the result is said to be {}, but {position} is {}",
                record.line,
                result_of(said),
                result_of(outcome)
            ));
        }
        Ok(checked)
    }
}

fn result_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

fn outcome_of(text: &str) -> Option<Outcome> {
    [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw].into_iter().find(|&o| result_of(o) == text)
}

/// A game as text: tags, moves with their lines, and the result.
#[derive(Debug, Default)]
struct Record {
    line: usize,
    tags: Vec<(String, String)>,
    moves: Vec<(String, usize)>,
    result: Option<String>,
    /// The line of the last tag.
    tagged_until: usize,
}

impl Record {
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }
}

/// Takes a text apart. Comments, variations, move numbers and marks are passed over.
fn split(text: &str) -> Result<Vec<Record>, String> {
    let mut games = Vec::new();
    let mut record = Record::default();
    let mut line = 1;
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut at_line_start = true;
    while let Some(first) = rest.chars().next() {
        let mut taken = first.len_utf8();
        match first {
            '\n' => {}
            c if c.is_whitespace() => {}
            '%' if at_line_start => taken = rest.find('\n').unwrap_or(rest.len()),
            ';' => taken = rest.find('\n').unwrap_or(rest.len()),
            '{' => match rest.find('}') {
                Some(end) => taken = end + 1,
                None => return Err(format!("line {line}: a comment begins with {{ and never ends")),
            },
            '(' => {
                taken =
                    variation(rest).ok_or_else(|| format!("line {line}: a variation begins with ( and never ends"))?
            }
            '[' => {
                // Tags behind moves, or behind an empty line, begin another game.
                if !record.moves.is_empty() || (record.tagged_until + 1 < line && !record.tags.is_empty()) {
                    games.push(std::mem::take(&mut record));
                }
                record.tagged_until = line;
                if record.is_empty() {
                    record.line = line;
                }
                let end = rest.find('\n').unwrap_or(rest.len());
                let (tag, length) = tag(&rest[..end]).ok_or_else(|| {
                    format!("line {line}: `{}` is no tag; right would be such as [White \"name\"]", rest[..end].trim())
                })?;
                record.tags.push(tag);
                taken = length;
            }
            _ => {
                let end = rest[taken..]
                    .find(|c: char| c.is_whitespace() || "{}()[];$".contains(c))
                    .map_or(rest.len(), |end| end + taken);
                let word = &rest[..end];
                taken = word.len();
                if record.is_empty() {
                    record.line = line;
                }
                if RESULTS.contains(&word) {
                    record.result = Some(word.to_string());
                    games.push(std::mem::take(&mut record));
                } else if let Some(mv) = without_number(word) {
                    record.moves.push((mv.to_string(), line));
                }
            }
        }
        let (passed, left) = rest.split_at(taken);
        line += passed.matches('\n').count();
        at_line_start = passed.ends_with('\n');
        rest = left;
    }
    if !record.is_empty() {
        games.push(record);
    }
    Ok(games)
}

/// The length of a variation, which may hold others and comments.
fn variation(text: &str) -> Option<usize> {
    let (mut depth, mut in_comment, mut to_line_end) = (0, false, false);
    for (place, c) in text.char_indices() {
        match c {
            '\n' => to_line_end = false,
            _ if to_line_end => {}
            ';' if !in_comment => to_line_end = true,
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// `[Name "value"]` and its length; a backslash takes the next character as it is.
fn tag(text: &str) -> Option<((String, String), usize)> {
    let inner = text.strip_prefix('[')?;
    let (name, quoted) = inner.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((place, c)) = characters.next() {
        match c {
            '\\' => value.push(characters.next()?.1),
            '"' => {
                let after = &quoted[place + 1..];
                let close = after.find(']').filter(|&close| after[..close].trim().is_empty())?;
                let length = text.len() - after.len() + close + 1;
                return Some(((name.to_string(), value), length));
            }
            c => value.push(c),
        }
    }
    None
}

/// A word without the number of its move before it; nothing if that, or a mark, is all it is.
fn without_number(word: &str) -> Option<&str> {
    if word.starts_with('$') || word.chars().all(|c| "!?".contains(c)) {
        return None;
    }
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match after.strip_prefix('.') {
        Some(rest) => Some(rest.trim_start_matches('.')).filter(|mv| !mv.is_empty()),
        None if after.is_empty() => None,
        None => Some(word),
    }
}

/// A recorded game as PGN.
pub fn write_pgn(run: &str, game: &str, replay: &Replay) -> Result<String, Error> {
    struct Visitor<'a>(&'a str, &'a Replay);
    impl GameVisitor for Visitor<'_> {
        type Output = Result<String, Error>;
        fn visit<G: Game>(self) -> Result<String, Error> {
            if G::RECORDS.is_none() {
                let others = with_records().join(", ");
                return Err(Error::Refused(format!("games of {} are not kept as PGN; those of {others} are", G::NAME)));
            }
            write_as::<G>(self.0, self.1)
        }
    }
    games::with_game(game, Visitor(run, replay)).ok_or_else(|| Error::unknown("game", game, games::names()))?
}

/// Lines are no longer than this.
const MOST_COLUMNS: usize = 80;

fn write_as<G: Game>(run: &str, replay: &Replay) -> Result<String, Error> {
    let game = &replay.game;
    let unreadable = |error: NotationError| Error::Refused(error.to_string());
    let mut position: G = game.start.parse().map_err(unreadable)?;
    let result = match game.outcome.as_str() {
        "first" => result_of(Outcome::Win(Side::First)),
        "second" => result_of(Outcome::Win(Side::Second)),
        _ => result_of(Outcome::Draw),
    };
    let player = |generation: u64| format!("run:{run}@{generation}");
    let mut text = String::new();
    for (name, value) in [
        ("Event", run.to_string()),
        ("Site", "Gamete".to_string()),
        ("Date", "????.??.??".to_string()),
        ("Round", format!("{}.{}", game.generation, game.number + 1)),
        ("White", player(game.first)),
        ("Black", player(game.second)),
        ("Result", result.to_string()),
        ("Variant", G::NAME.to_string()),
        ("SetUp", "1".to_string()),
        ("FEN", game.start.clone()),
    ] {
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('\n');
    // 1. Moves with their numbers.
    let black_began = usize::from(position.side_to_move() == Side::Second);
    let mut words = Vec::new();
    for (ply, mv) in game.moves.iter().enumerate() {
        let number = (ply + black_began) / 2 + 1;
        match position.side_to_move() {
            Side::First => words.push(format!("{number}.")),
            Side::Second if ply == 0 => words.push(format!("{number}...")),
            Side::Second => {}
        }
        let mv = games::parse_move(&position, mv).map_err(unreadable)?;
        words.push(position.record_move(mv));
        position.play(mv);
    }
    if let Some(attempt) = &game.illegal {
        words.push(format!("{{illegal: {attempt}}}"));
    }
    words.push(result.to_string());
    // 2. In lines.
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > MOST_COLUMNS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RecordedGame;

    #[track_caller]
    fn check_text(text: &str, plies: &[usize], problem: Option<&str>) {
        let checked = check_games(text, Some("minichess")).unwrap();
        assert_eq!(checked.iter().map(|game| game.plies).collect::<Vec<_>>(), plies, "{checked:?}");
        let problems: Vec<&String> = checked.iter().filter_map(|game| game.problem.as_ref()).collect();
        match problem {
            Some(expected) => assert!(problems.len() == 1 && problems[0].contains(expected), "{problems:?}"),
            None => assert!(problems.is_empty(), "{problems:?}"),
        }
    }

    #[test]
    fn games_from_elsewhere_are_replayed() {
        check_text("1. a3 a4 2. Nc3 *", &[3], None);
        check_text("1. a2a3 a5a4 2.b1c3 {a comment; with all} (2. b3 (2. c3)) Nc4 $1 1/2-1/2", &[4], None);
        check_text(
            "[Variant \"minichess\"]\n\n1. a3 ; to the end\n% escaped\n1... a4! 1-0\n\n1. b3 0-1",
            &[2, 1],
            None,
        );
        check_text("[White \"A \\\"B\\\" C\"]\n[FEN \"k5/6/6/6/6/R4K b\"]\n1... Kb6 2. Ra5 *", &[2], None);
        check_text("[FEN \"k5/6/6/6/6/R4K w\"]\n1. Rxa6 1-0", &[1], None);
        check_text("1. a3$1 a4 $2 (1... b4 ; a smile :)\n) 2. Nc3 *", &[3], None);
        check_text("[White \"A\"]\n[Black \"B\"]\n\n[White \"C\"]\n\n1. a3 *", &[0, 1], None);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let illegal = "[Variant \"minichess\"]\n\n1. a3 a4\n2. Nc4 *";
        check_text(illegal, &[2], Some("game 1, move 2 of White, line 4: `Nc4` is no legal move"));
        check_text(illegal, &[2], Some("legal are b3, "));
        check_text("1. a3 a4 *\n1. b3 a3 *", &[2, 1], Some("game 2, move 1 of Black, line 2: `a3` is no legal move"));
        check_text("[FEN \"k5/6/6/6/6/R4K b\"]\n1... Kb6 2. Ra5 Ra1 *", &[2], Some("move 2 of Black"));
        check_text("[FEN \"k5/6/6/6/6/R4K w\"]\n1. Rxa6 0-1", &[1], Some("the result is said to be 0-1"));
        check_text("[Result \"1-0\"]\n1. a3 0-1", &[1], Some("the tag says 1-0, but behind the moves stands 0-1"));
        check_text("[FEN \"k5/6/6/6/R4K w\"]\n1. Rxa6 *", &[0], Some("it has 5 ranks"));
        check_text("[FEN \"N1N2k/6/6/6/6/5K w\"]\n1. Nb4 *", &[0], Some("it could be a6b4 or c6b4"));
        for (text, game, why) in [
            ("", None, "there is no game in it"),
            ("1. a3 *", None, "no Variant tag; say with --game which it is (minichess)"),
            ("[Variant \"chess\"]\n1. e4 *", None, "there is no game `chess`"),
            ("[Variant \"chess\"]\n1. e4 *", Some("minichess"), "its Variant tag says `chess`"),
            ("1. a3 {", Some("minichess"), "line 1: a comment begins"),
            ("\n(1. a3", Some("minichess"), "line 2: a variation begins"),
            ("[White]\n1. a3", Some("minichess"), "`[White]` is no tag"),
        ] {
            let error = check_games(text, game).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let game = RecordedGame {
            generation: 7,
            number: 0,
            first: 7,
            second: 3,
            start: "k5/6/6/6/6/R4K b - - 0 1".into(),
            moves: ["a6b6", "a1a5", "b6c6", "a5a6", "c6b5", "a6b6", "b5a5", "f1f2"].map(str::to_string).into(),
            illegal: None,
            outcome: "draw".into(),
        };
        let replay = Replay { game, turns: Vec::new() };
        let text = write_pgn("a\"b", "minichess", &replay).unwrap();
        assert!(text.contains("[Variant \"minichess\"]") && text.contains("[Event \"a\\\"b\"]"), "{text}");
        assert!(text.contains("1... Kb6 2. Ra5 Kc6 3. Ra6"), "{text}");
        assert!(text.lines().all(|line| line.len() <= MOST_COLUMNS));
        let checked = check_games(&[text.clone(), text].join("\n"), None).unwrap();
        assert!(checked.iter().all(|game| game.plies == 8 && game.problem.is_none()), "{checked:?}");
        let error = write_pgn("x", "nim", &replay).unwrap_err().to_string();
        assert!(error.contains("games of nim are not kept as PGN"), "{error}");
    }
}
