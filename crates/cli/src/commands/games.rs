//! `gamete games`: recorded games of a run, or a file of games replayed.

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::signals::Stop;
use crate::words::count;
use crate::{Done, Failure, tables};
use clap::{Args, ValueEnum};
use lab::Error;
use runs::RunFile;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Show recorded games of a run's champions, or check a file of games from elsewhere
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete games nim-2x4-1 --generation 20\n  gamete games minichess-1 --diagrams\n  gamete games minichess-1 --format pgn\n  gamete games --check elsewhere.pdn\n\nIn the PDN that Gamete writes, 1-0 means that Black won, because Black moves first.\nFiles from elsewhere differ in that: --check finds out what 1-0 means in them, from\nthe games that ended on the board."
)]
pub struct GamesArgs {
    /// A run's name, or the path of its file
    #[arg(required_unless_present = "check")]
    run: Option<String>,
    /// Replay all games of this file and report illegal and ambiguous moves
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "generation", "format", "diagrams"])]
    check: Option<PathBuf>,
    /// The game of the file, if neither its tags nor its ending (.pdn: draughts) name it
    #[arg(long, requires = "check")]
    game: Option<String>,
    /// The generation whose games are shown [default: the last one with games]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..))]
    generation: Option<u64>,
    /// The form of the games
    #[arg(long, value_enum, default_value_t = GameFormat::Text)]
    format: GameFormat,
    /// Draw the board after every move, not only at the end of each game
    #[arg(long)]
    diagrams: bool,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameFormat {
    /// Move by move, with a diagram of the last position
    Text,
    /// PGN, the usual form for chess programs
    Pgn,
    /// PDN, the usual form for draughts programs
    Pdn,
}

impl GameFormat {
    /// The form of a file of games; `None` for text.
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
        print(out, &file, &self)?;
        Ok(Done::Well)
    }
}

/// Replays all games of a file, and prints what was found.
fn check(out: &mut Out, file: &Path, game: Option<&str>, json: bool) -> Result<Done, Failure> {
    // Old files can contain names and comments that are not in UTF-8.
    let text = runs::read_old_text(file)?;
    let ending = file.extension().and_then(|ending| ending.to_str());
    let found = players::check_games(&text, game, ending).map_err(|error| match error {
        Error::Parameter { parameter, what } => Error::parameter(parameter, format!("{}: {what}", file.display())),
        error => Error::refused(format!("{}: {error}", file.display())),
    })?;
    print_check(out, file, &found, json)?;
    Ok(Done::Well)
}

/// Prints the result of replaying a file. If one game is wrong, that is the error; if several are, they are listed before
/// the error.
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
            return refuse(&format!("{} of {all} are wrong", problems.len()));
        }
    }
    if !json {
        writeln!(out, "{}: {all}, {}, all legal", file.display(), count(plies as u64, "move"))?;
        meaning.iter().try_for_each(|meaning| writeln!(out, "{meaning}"))?;
    }
    Ok(())
}

/// Prints the recorded games of a run.
fn print(out: &mut impl Write, file: &RunFile, args: &GamesArgs) -> Result<(), Failure> {
    let &GamesArgs { generation, format, diagrams, .. } = args;
    let json = args.json.json;
    let last = file.last_report()?.map_or(0, |report| report.generation);
    if let Some(wanted) = generation.filter(|wanted| !(1..=last).contains(wanted)) {
        let what = format!("the run `{}` has no generation {wanted}; it has 1 to {last}", file.name());
        return Err(Failure::Lab(lab::Error::refused(what)));
    }
    let replays = players::replays(file, generation)?;
    if replays.is_empty() && !json {
        let of = generation.map_or(String::new(), |generation| format!(" of generation {generation}"));
        tell!("no games{of} were saved: {}", why_no_games(file, last)?);
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
        let name = file.info()?.game;
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
        match diagrams {
            true => {
                for (row, turn) in rows.iter().zip(&replay.turns) {
                    tables::print(out, &[], std::slice::from_ref(row))?;
                    board(&name, turn).map_or(Ok(()), |board| writeln!(out, "{board}\n"))?;
                }
            }
            false => {
                tables::print(out, &[], &rows)?;
                let last = replay.turns.iter().rfind(|turn| turn.legal).and_then(|turn| board(&name, turn));
                last.map_or(Ok(()), |board| writeln!(out, "{board}"))?;
            }
        }
        match game.outcome.as_str() {
            "draw" => writeln!(out, "drawn\n")?,
            winner => writeln!(out, "{winner} wins\n")?,
        }
    }
    Ok(())
}

/// Why games are missing in a run of `last` generations.
fn why_no_games(file: &RunFile, last: u64) -> Result<String, Failure> {
    let every = file.info()?.experiment_file(file.path())?.rules().record.games_every;
    Ok(match every {
        0 => "record.games_every is 0, so this run saves none".to_string(),
        // The first champion has no opponent.
        1 => "games are saved from generation 2 on (record.games_every is 1)".to_string(),
        _ => format!("games are saved every {every} generations (record.games_every), and this run has {last}"),
    })
}

/// Returns a diagram of the position after a turn; `None` if the game has no diagrams, if the turn was illegal, or if the
/// board is empty.
fn board(game: &str, turn: &players::Turn) -> Option<String> {
    if !turn.legal {
        return None;
    }
    let params = players::LiveParams {
        game,
        against: None,
        position: Some(&turn.position),
        setup: &[],
        seed: 0,
        context: &players::Context::nowhere(),
    };
    let mut live = players::live_game(&params).ok()?;
    live.play(&turn.mv).ok()?;
    let diagram = live.diagram();
    // A board without anything on it, such as the end of Nim, shows nothing.
    let is_empty = diagram.lines().all(|line| line.trim().chars().count() <= 1);
    (diagram != live.position() && !is_empty).then_some(diagram)
}
