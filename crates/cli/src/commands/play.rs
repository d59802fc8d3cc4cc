//! `gamete play`: a person at the terminal.

use crate::arguments::{JsonArg, RunsArg, SetupArg, TablesArg};
use crate::commands::{Out, Run};
use crate::progress::Teller;
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use games::{Outcome, Side};
use players::{Context, LiveGame, LiveParams, PlayerSpec};
use std::io::{BufRead, IsTerminal, Write};

/// Play against a player
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete play nim --against run:nim-2x4-1\n  gamete play nim --against perfect --position 3,5,7 --side second"
)]
pub struct PlayArgs {
    /// The game
    game: String,
    /// Whom to play against
    #[arg(long, value_name = "PLAYER")]
    against: String,
    /// Your side: first or second, or what the game calls it, as white or black
    #[arg(long, default_value = "first")]
    side: String,
    /// Where to begin, in the game's notation
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
    /// Where the start, if it is drawn, comes from [default: the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for PlayArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let against: PlayerSpec = self.against.parse()?;
        let (teller, tables) = (Teller::default(), self.tables.folder());
        let tell = |notice| teller.tell(notice);
        let context = Context::new(&self.runs.runs, &tables, &tell);
        let params = LiveParams {
            game: &self.game,
            against: Some(&against),
            position: self.position.as_deref(),
            setup: &self.setup.setup,
            seed: self.seed.unwrap_or_else(any_seed),
            context: &context,
        };
        let game = players::live_game(&params)?;
        let person = side(&*game, &self.side)?;
        play(out, game, person, &self.against, self.json.json)
    }
}

/// A start for a person need not be the same each time.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

const HELP: &str = "Type a move, or: moves (lists all legal ones), hint (a best move),
back (takes your last move back), quit.";

/// The side that a person means: `first` or `second`, or the game's own word for it.
fn side(game: &dyn LiveGame, text: &str) -> Result<Side, Failure> {
    let means = |side: &Side| {
        let names = [Side::name(*side), game.side_name(*side)];
        names.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    Side::BOTH.into_iter().find(means).ok_or_else(|| {
        let own = Side::BOTH.map(|side| game.side_name(side).to_lowercase());
        let own = if own == ["first", "second"] { String::new() } else { format!(", {} or {}", own[0], own[1]) };
        let what = format!("there is no side `{text}` in {}; right would be first or second{own}", game.name());
        Failure::Lab(lab::Error::refused(what))
    })
}

/// Plays until the game is over or the person leaves.
fn play(
    out: &mut impl Write,
    mut game: Box<dyn LiveGame + '_>,
    person: Side,
    opponent: &str,
    json: bool,
) -> Result<Done, Failure> {
    // With --json, standard output is for the result alone.
    let say = |out: &mut dyn Write, text: String| {
        if !json {
            return writeln!(out, "{text}");
        }
        tell!("{text}");
        Ok(())
    };
    say(out, format!("{}: {}", game.name(), game.about()))?;
    say(out, format!("You are {}; {opponent} is {}.", game.side_name(person), game.side_name(!person)))?;
    say(out, HELP.to_string())?;
    let mut lines = std::io::stdin().lock().lines();
    let mut record: Vec<String> = Vec::new();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            let why = game.why_drawn().map_or(String::new(), |why| format!(": {why}"));
            say(out, format!("{}  the game is over{why}", game.position()))?;
            break Some(outcome);
        }
        if game.side() != person {
            let position = game.position();
            match game.answer() {
                Ok(mv) => {
                    say(out, format!("{position}  {opponent} plays {mv}"))?;
                    record.push(mv);
                }
                Err(attempt) => {
                    say(out, format!("{position}  {opponent} tries {attempt}, which is illegal, and loses"))?;
                    break Some(Outcome::Win(person));
                }
            }
            continue;
        }
        if !json {
            let diagram = game.diagram();
            if diagram != game.position() {
                writeln!(out, "\n{diagram}")?;
            }
            write!(out, "{}  your move: ", game.position())?;
            out.flush()?;
        }
        let line = match lines.next() {
            Some(Ok(line)) => line,
            Some(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                say(out, "that is no text; type a move".to_string())?;
                continue;
            }
            Some(Err(error)) => {
                let what = format!("your moves cannot be read: {error}");
                return Err(Failure::Lab(lab::Error::refused(what)));
            }
            None => {
                say(out, "\nno more moves: the game is left unfinished".to_string())?;
                break None;
            }
        };
        if !std::io::stdin().is_terminal() && !json {
            writeln!(out)?;
        }
        match line.trim() {
            "" | "help" | "?" => say(out, HELP.to_string())?,
            "quit" | "q" | "exit" => break None,
            "moves" => say(out, game.moves().join(" "))?,
            "hint" => {
                let hint = game.hint().map(|hint| hint.words);
                say(out, hint.unwrap_or_else(|| "nobody knows a best move here".to_string()))?
            }
            "back" => {
                let taken = game.take_back(2);
                record.truncate(record.len() - taken);
                if taken == 0 {
                    say(out, "there is no move to take back".to_string())?;
                }
            }
            text => match game.play(text) {
                Ok(()) => record.push(text.to_string()),
                Err(error) => say(out, error.to_string())?,
            },
        }
    };
    if json {
        writeln!(
            out,
            "{}",
            serde_json::json!({ "outcome": outcome.map(|outcome| outcome.name()), "side": person, "moves": record })
        )?;
        return Ok(Done::Well);
    }
    match outcome {
        None => {}
        Some(Outcome::Draw) => writeln!(out, "It is a draw.")?,
        Some(Outcome::Win(side)) if side == person => writeln!(out, "You win.")?,
        Some(Outcome::Win(_)) => writeln!(out, "You lose.")?,
    }
    Ok(Done::Well)
}
