//! `gamete games`: recorded games of a run, or a file of games replayed.

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::words::count;
use crate::{Done, Failure, tables};
use clap::{Args, ValueEnum};
use lab::Error;
use runs::RunFile;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show recorded games of a run's champions, or replay a file of games from elsewhere
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete games nim-2x4-1 --generation 20\n  gamete games minichess-enn-1 --format pgn\n  gamete games --check elsewhere.pdn\n\nIn the PDN that is written, 1-0 means that Black, who moves first, won.\nFiles from elsewhere differ in that: --check tells what it means in them, by the\ngames that ended on the board."
)]
pub struct GamesArgs {
    /// A run's name, or the path of its file
    #[arg(required_unless_present = "check")]
    run: Option<String>,
    /// Replay all games of this file and tell what is illegal or ambiguous
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "generation", "format"])]
    check: Option<PathBuf>,
    /// The game that the file holds, where neither its tags nor its ending (.pdn: draughts) say it
    #[arg(long, requires = "check")]
    game: Option<String>,
    /// Of which generation [default: the last]
    #[arg(long, value_name = "N")]
    generation: Option<u64>,
    /// The form of the games
    #[arg(long, value_enum, default_value_t = GameFormat::Text)]
    format: GameFormat,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameFormat {
    /// Turn by turn
    Text,
    /// As chess players keep them
    Pgn,
    /// As players of draughts keep them
    Pdn,
}

impl GameFormat {
    /// The form of whole games in files.
    fn form(self) -> Option<games::RecordForm> {
        match self {
            GameFormat::Text => None,
            GameFormat::Pgn => Some(games::RecordForm::Pgn),
            GameFormat::Pdn => Some(games::RecordForm::Pdn),
        }
    }
}

impl Run for GamesArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        if let Some(file) = &self.check {
            return check(out, file, self.game.as_deref(), self.json.json);
        }
        let run = self.run.as_deref().unwrap_or_default();
        let file = RunFile::open(&runs::run_path(&self.runs.runs, run)?)?;
        print(out, &file, self.generation, self.format, self.json.json)?;
        Ok(Done::Well)
    }
}

/// Replays all games of a file.
fn check(out: &mut Out, file: &Path, game: Option<&str>, json: bool) -> Result<Done, Failure> {
    // Old files are not in UTF-8; what is not, is in names and comments.
    let text = runs::read_old_text(file)?;
    let ending = file.extension().and_then(|ending| ending.to_str());
    let found = players::check_games(&text, game, ending).map_err(|error| match error {
        Error::Parameter { parameter, what } => Error::parameter(parameter, format!("{}: {what}", file.display())),
        error => Error::refused(format!("{}: {error}", file.display())),
    })?;
    print_check(out, file, &found, json)?;
    Ok(Done::Well)
}

/// What came of replaying a file. One thing wrong is the error; several are listed before it.
fn print_check(out: &mut impl Write, file: &Path, checked: &players::CheckedFile, json: bool) -> Result<(), Failure> {
    let players::CheckedFile { games, meaning } = checked;
    if json {
        games.iter().try_for_each(|game| writeln!(out, "{}", json!(game)))?;
    }
    let plies: usize = games.iter().map(|game| game.plies).sum();
    let all = count(games.len() as u64, "game");
    let problems: Vec<&String> = games.iter().filter_map(|game| game.problem.as_ref()).collect();
    let refuse = |what: &str| Err(Failure::Lab(lab::Error::refused(format!("{}: {what}", file.display()))));
    match problems[..] {
        [] => {}
        [problem] => return refuse(problem),
        _ => {
            if !json {
                problems.iter().try_for_each(|problem| writeln!(out, "{problem}"))?;
                meaning.iter().try_for_each(|meaning| writeln!(out, "{meaning}"))?;
            }
            return refuse(&format!("something is wrong with {} of {all}", problems.len()));
        }
    }
    if !json {
        writeln!(out, "{}: {all}, {}, all legal", file.display(), count(plies as u64, "move"))?;
        meaning.iter().try_for_each(|meaning| writeln!(out, "{meaning}"))?;
    }
    Ok(())
}

/// Recorded games, turn by turn.
fn print(
    out: &mut impl Write,
    file: &RunFile,
    generation: Option<u64>,
    format: GameFormat,
    json: bool,
) -> Result<(), Failure> {
    let last = file.last_report()?.map_or(0, |report| report.generation);
    if let Some(wanted) = generation.filter(|wanted| !(1..=last).contains(wanted)) {
        let what = format!("the run `{}` has no generation {wanted}; it has 1 to {last}", file.name());
        return Err(Failure::Lab(lab::Error::refused(what)));
    }
    let replays = players::replays(file, generation)?;
    if replays.is_empty() && !json {
        match generation {
            Some(generation) => tell!("no games of generation {generation} were kept"),
            None => tell!("no games were kept"),
        }
    }
    for replay in &replays {
        if json {
            writeln!(out, "{}", json!(replay))?;
            continue;
        }
        if let Some(form) = format.form() {
            writeln!(out, "{}", players::write_record(&file.name(), &file.info()?.game, form, replay)?)?;
            continue;
        }
        let game = &replay.game;
        writeln!(out, "champion of generation {} against champion of generation {}", game.first, game.second)?;
        let rows: Vec<Vec<String>> = (replay.turns.iter().enumerate())
            .map(|(number, turn)| {
                let note = if turn.legal { "" } else { "illegal, and loses" };
                vec![
                    format!("{:4}.", number + 1),
                    turn.side.name().into(),
                    turn.position.clone(),
                    turn.mv.clone(),
                    note.into(),
                ]
            })
            .collect();
        tables::print(out, &[], &rows)?;
        match game.outcome.as_str() {
            "draw" => writeln!(out, "drawn\n")?,
            winner => writeln!(out, "{winner} wins\n")?,
        }
    }
    Ok(())
}
