//! Writes games as PGN or PDN for other programs: tags, numbered moves and the result.

use super::{kept, result_of};
use crate::Error;
use crate::stepped::Replay;
use games::{Game, GameVisitor, NotationError, Outcome, RecordForm, Side};
use std::fmt::Write;

/// Writes a recorded game as PGN or PDN. `1-0` means that the first side won.
pub fn write_record(run: &str, game: &str, form: RecordForm, replay: &Replay) -> Result<String, Error> {
    let visitor = WriteRecord { run, form, replay };
    visitor.in_game(game)?
}

pub(crate) struct WriteRecord<'a> {
    run: &'a str,
    form: RecordForm,
    replay: &'a Replay,
}

games::by_name!(WriteRecord<'a>, 'a);

impl GameVisitor for WriteRecord<'_> {
    type Output = Result<String, Error>;

    fn visit<G: Game>(self) -> Result<String, Error> {
        let asked = self.form.name().to_uppercase();
        match G::RECORDS {
            Some(form) if form == self.form => WrittenGame::of(self.run, self.replay).write::<G>(form),
            Some(form) => {
                let kept = form.name().to_uppercase();
                Err(Error::parameter("format", format!("games of {} are kept as {kept}, not as {asked}", G::NAME)))
            }
            None => {
                let others: Vec<&str> =
                    kept().into_iter().filter(|&(_, form)| form == self.form).map(|(name, _)| name).collect();
                let others = others.join(", ");
                Err(Error::refused(format!("games of {} are not kept as {asked}; those of {others} are", G::NAME)))
            }
        }
    }
}

/// The most characters in a line of moves.
const MOST_COLUMNS: usize = 80;

/// A whole game, ready to be written.
pub(crate) struct WrittenGame {
    pub event: String,
    pub round: String,
    /// The players of the first and the second side.
    pub players: [String; 2],
    pub start: String,
    pub moves: Vec<String>,
    /// The illegal attempt that ended the game, if there was one.
    pub illegal: Option<String>,
    /// The outcome; `None` if the game is not over.
    pub outcome: Option<Outcome>,
}

impl WrittenGame {
    /// A game of a run's champions.
    fn of(run: &str, replay: &Replay) -> WrittenGame {
        let game = &replay.game;
        let player = |generation: u64| format!("run:{run}@{generation}");
        WrittenGame {
            event: run.to_string(),
            round: format!("{}.{}", game.generation, game.number + 1),
            players: [player(game.first), player(game.second)],
            start: game.start.clone(),
            moves: game.moves.clone(),
            illegal: game.illegal.clone(),
            outcome: Some(match game.outcome.as_str() {
                "first" => Outcome::Win(Side::First),
                "second" => Outcome::Win(Side::Second),
                _ => Outcome::Draw,
            }),
        }
    }

    /// The game as PGN or PDN.
    pub fn write<G: Game>(&self, form: RecordForm) -> Result<String, Error> {
        let result = self.outcome.map_or("*", result_of);
        let kind = match form.game_type() {
            Some(number) => ("GameType", number.to_string()),
            None => ("Variant", G::NAME.to_string()),
        };
        let [first, second] = self.players.clone();
        let mut text = String::new();
        for (name, value) in [
            ("Event", self.event.clone()),
            ("Site", "Gamete".to_string()),
            ("Date", "????.??.??".to_string()),
            ("Round", self.round.clone()),
            (G::SIDES[0], first),
            (G::SIDES[1], second),
            ("Result", result.to_string()),
            kind,
            ("SetUp", "1".to_string()),
            ("FEN", self.start.clone()),
        ] {
            let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
        text.push('\n');
        let mut words = numbered_moves::<G>(self).map_err(|error| Error::refused(error.to_string()))?;
        words.push(result.to_string());
        push_lines(&mut text, &words);
        Ok(text)
    }
}

/// The moves with their numbers, and the illegal attempt at the end as a comment.
fn numbered_moves<G: Game>(game: &WrittenGame) -> Result<Vec<String>, NotationError> {
    let mut position: G = game.start.parse()?;
    let second_began = usize::from(position.side_to_move() == Side::Second);
    let mut words = Vec::new();
    for (ply, mv) in game.moves.iter().enumerate() {
        let number = (ply + second_began) / 2 + 1;
        match position.side_to_move() {
            Side::First => words.push(format!("{number}.")),
            Side::Second if ply == 0 => words.push(format!("{number}...")),
            Side::Second => {}
        }
        let mv = games::parse_move(&position, mv)?;
        words.push(position.record_move(mv));
        position.play(mv);
    }
    if let Some(attempt) = &game.illegal {
        words.push(format!("{{illegal: {attempt}}}"));
    }
    Ok(words)
}

/// Appends words, separated by spaces, in lines of at most [`MOST_COLUMNS`] characters.
fn push_lines(text: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > MOST_COLUMNS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_games;
    use trainer::RecordedGame;

    fn replay(start: &str, moves: &str, outcome: &str) -> Replay {
        let game = RecordedGame {
            generation: 7,
            number: 0,
            first: 7,
            second: 3,
            start: start.to_string(),
            moves: moves.split_whitespace().map(str::to_string).collect(),
            illegal: None,
            outcome: outcome.to_string(),
        };
        Replay { game, turns: Vec::new() }
    }

    /// Writes the game twice into a file and reads the file back. Returns the text of one game.
    #[track_caller]
    fn check(game: &str, form: RecordForm, replay: &Replay, first_number_is: Option<&str>, parts: &[&str]) -> String {
        let text = write_record("a\"b", game, form, replay).unwrap();
        for part in parts {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.lines().all(|line| line.len() <= MOST_COLUMNS));
        let checked = check_games(&[text.clone(), text.clone()].join("\n"), None, None).unwrap();
        assert_eq!(checked.games.len(), 2);
        for game in &checked.games {
            assert_eq!((game.plies, &game.problem), (replay.game.moves.len(), &None));
            assert_eq!(game.first_number_is, first_number_is);
        }
        text
    }

    #[test]
    fn chess_can_be_read_back() {
        let moves = "a6b6 a1a5 b6c6 a5a6 c6b5 a6b6 b5a5 f1f2";
        let parts = ["[Variant \"minichess\"]", "[Event \"a\\\"b\"]", "1... Kb6 2. Ra5 Kc6 3. Ra6"];
        check("minichess", RecordForm::Pgn, &replay("k5/6/6/6/6/R4K b - - 0 1", moves, "draw"), Some("White"), &parts);
    }

    #[test]
    fn draughts_can_be_read_back() {
        // If two captures lead to 27, the whole path is written; if there is only one, the short form.
        let two_ways = replay("B:W6,7,14,15,23,31:B2", "2x9x18x27 31x24", "second");
        let tags =
            "[Black \"run:a\\\"b@7\"]\n[White \"run:a\\\"b@3\"]\n[Result \"0-1\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n";
        let text = check("draughts", RecordForm::Pdn, &two_ways, Some("Black"), &[tags, "\n1. 2x9x18x27 31x24 0-1\n"]);
        assert!(text.contains("[FEN \"B:W6,7,14,15,23,31:B2\"]"), "{text}");
        let short = replay("W:W17,32:B5,6,14", "17x10x1 5-9 32-28", "draw");
        check("draughts", RecordForm::Pdn, &short, None, &["1... 17x1 2. 5-9 32-28 1/2-1/2"]);
        let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        let long = "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24 8-11 26-23 9-14 31-26";
        check("draughts", RecordForm::Pdn, &replay(start, long, "first"), None, &["1. 11-15 23-19 2. 8-11", "1-0"]);
    }

    #[test]
    fn each_game_has_its_own_format() {
        let empty = replay("", "", "draw");
        for (game, form, why) in [
            ("nim", RecordForm::Pgn, "games of nim are not kept as PGN; those of minichess are"),
            ("nim", RecordForm::Pdn, "games of nim are not kept as PDN; those of draughts are"),
            ("draughts", RecordForm::Pgn, "games of draughts are kept as PDN, not as PGN"),
            ("minichess", RecordForm::Pdn, "games of minichess are kept as PGN, not as PDN"),
        ] {
            assert_eq!(write_record("x", game, form, &empty).unwrap_err().to_string(), why);
        }
    }
}
