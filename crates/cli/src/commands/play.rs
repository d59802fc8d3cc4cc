//! `gamete play`: a person plays against a player at the terminal.

use crate::arguments::{EnginesArg, JsonArg, RunsArg, SetupArg, TablesArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::progress::Teller;
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use games::{Outcome, Side};
use players::{Context, LiveGame, LiveParams, LiveView, PlayerSpec};
use std::io::{BufRead, IsTerminal, Write};

/// Play against a player at the terminal
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete play nim --against run:nim-2x4-1\n  gamete play nim --against perfect --position 3,5,7 --side second\n  gamete play minichess --against mcts:500 --side black\n\nDuring the game, `help` lists what can be typed: moves, hint, undo, quit. `gamete list players` shows which\nplayers there are."
)]
pub struct PlayArgs {
    /// The game
    game: String,
    /// The opponent, for example run:nim-2x4-1, mcts:500 or perfect
    #[arg(long, value_name = "PLAYER")]
    against: String,
    /// Your side: first or second, or the game's own word such as white or black
    #[arg(long, default_value = "first")]
    side: String,
    /// The position to begin with, in the game's notation [default: a start of the game]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
    /// The seed of a random start [default: from the clock]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    #[command(flatten)]
    engines: EnginesArg,
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
        let engines = self.engines.or_commands()?;
        let context = Context { engines, ..Context::new(&self.runs.runs, &tables, &tell) };
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

/// Returns a seed from the clock, so that a person gets another start each time.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// The commands that a person can type instead of a move.
const HELP: &str = "Type a move, or one of these commands:
  moves  list all legal moves
  hint   show a best move if a solver knows one, or else what your opponent thinks
  undo   take your last move back, and the answer to it (also: back)
  help   show this list
  quit   leave the game";

/// Finds the side that a person named: `first` or `second`, or the game's own word for it.
fn side(game: &dyn LiveGame, text: &str) -> Result<Side, Failure> {
    let means = |side: &Side| {
        let names = [Side::name(*side), game.side_name(*side)];
        names.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    Side::BOTH.into_iter().find(means).ok_or_else(|| {
        let own = Side::BOTH.map(|side| game.side_name(side).to_lowercase());
        let own = if own == ["first", "second"] { String::new() } else { format!(", {} or {}", own[0], own[1]) };
        let what = format!("there is no side `{text}` in {}; choose first or second{own}", game.name());
        Failure::Lab(lab::Error::refused(what))
    })
}

/// Returns a hint: a proved move if a solver knows one, or else the opponent's opinion. If the opponent has none, it is
/// the move found by counting pieces.
fn hint(game: &mut dyn LiveGame, opponent: &str) -> String {
    let found = game.hint();
    if let Some(hint) = found.as_ref().filter(|hint| hint.is_proved) {
        return hint.words.clone();
    }
    match (opinion(game, opponent), found) {
        (Some(opinion), _) => format!("no solver knows this position; {opinion}"),
        (None, Some(hint)) => format!("no solver knows this position; {}", hint.words),
        (None, None) => format!("no solver knows this position, and {opponent} has no opinion on it"),
    }
}

/// Returns what the opponent would play in the person's place, and why; `None` if it has no opinion.
fn opinion(game: &mut dyn LiveGame, opponent: &str) -> Option<String> {
    let LiveView { value, line, moves } = game.view()?;
    let best = line.first().or_else(|| moves.first().map(|best| &best.written))?;
    let value = value.map_or(String::new(), |value| match value.ends_in {
        Some(plies) if value.value > 0.0 => format!("; it expects that you win in {plies} plies"),
        Some(plies) if value.value < 0.0 => format!("; it expects that you lose in {plies} plies"),
        _ => format!("; it values your position at {:+.2} (-1 is lost, +1 is won)", value.value),
    });
    let line = if line.len() > 1 { format!("; it expects {}", line.join(" ")) } else { String::new() };
    Some(format!("{opponent} would play {best}{value}{line}"))
}

/// Plays until the game is over or the person quits.
fn play(
    out: &mut impl Write,
    mut game: Box<dyn LiveGame + '_>,
    person: Side,
    opponent: &str,
    json: bool,
) -> Result<Done, Failure> {
    // With --json, only the result is printed on standard output.
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
                say(out, "this is not valid text; type a move".to_string())?;
                continue;
            }
            Some(Err(error)) => {
                let what = format!("cannot read your moves: {error}");
                return Err(Failure::Lab(lab::Error::refused(what)));
            }
            None => {
                say(out, "\nend of input: the game is left unfinished".to_string())?;
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
                let words = hint(&mut *game, opponent);
                say(out, words)?
            }
            // The person's last move and the answer to it. The opponent's first move alone cannot be taken back.
            "undo" | "back" | "takeback" if record.len() < 2 => {
                say(out, "you have made no move that could be taken back".to_string())?
            }
            "undo" | "back" | "takeback" => {
                let taken = game.take_back(2);
                let moves = record.split_off(record.len() - taken).join(" and ");
                say(out, format!("taken back: {moves}"))?
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
