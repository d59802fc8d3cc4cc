//! The command line of Gamete: parse, call, print.

/// Prints a line for people on standard error; when nobody listens there, nothing is wrong.
macro_rules! tell {
    ($($words:tt)*) => {{
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod args;
mod curves;
mod growth;
mod labs;
mod parameters;
mod play;
mod populations;
mod progress;
mod serve;
mod show;
mod tables;
mod tune;
mod words;

use args::{Cli, Command, ExportFormat, List};
use clap::Parser;
use lab::{ContestParams, Error, ExamParams, GrowthParams, Home, LiveParams, PlayerSpec, RunFile, TrainOptions};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a command ends with, when it does not fail.
enum Done {
    Well,
    Interrupted,
    /// A part of the work failed, which has been told.
    InPart,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let stop = Arc::new(AtomicBool::new(false));
    if matches!(
        cli.command,
        Command::Train(_)
            | Command::Resume(_)
            | Command::Match(_)
            | Command::Growth(_)
            | Command::Lab(_)
            | Command::Tune(_)
    ) {
        listen_for_interrupts(Arc::clone(&stop));
    }
    match run(cli.command, &stop) {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::Interrupted) => ExitCode::from(130),
        Ok(Done::InPart) => ExitCode::FAILURE,
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(Failure::Lab(error)) => {
            tell!("gamete: {error}");
            ExitCode::from(2)
        }
        Err(Failure::Output(error)) => {
            tell!("gamete: cannot write the output: {error}");
            ExitCode::from(2)
        }
    }
}

/// Why a command failed.
enum Failure {
    Lab(Error),
    /// Whoever read our output has stopped reading: nothing is wrong.
    Pipe,
    Output(std::io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Lab(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Pipe,
            _ => Failure::Output(error),
        }
    }
}

/// A start for a person need not be the same each time.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}

/// Long work is asked to stop by the first Ctrl-C; the second does not ask.
fn listen_for_interrupts(stop: Arc<AtomicBool>) {
    let handler = move || {
        if stop.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        tell!("\nstopping as soon as this generation or game is done; Ctrl-C again stops at once");
    };
    if ctrlc::set_handler(handler).is_err() {
        tell!("gamete: Ctrl-C cannot be caught here; it will end the program at once");
    }
}

fn run(command: Command, stop: &Arc<AtomicBool>) -> Result<Done, Failure> {
    let out = &mut std::io::stdout().lock();
    match command {
        Command::Train(args) => {
            let mut experiment = lab::Experiment::open(&args.experiment)?;
            let shorthands = [
                args.seed.map(|seed| format!("seed={seed}")),
                args.generations.map(|generations| format!("stop.generations={generations}")),
            ];
            for assignment in args.set.iter().chain(shorthands.iter().flatten()) {
                experiment.set(assignment)?;
            }
            if args.print {
                write!(out, "{}", experiment.checked_text()?)?;
                return Ok(Done::Well);
            }
            if args.populations.is_some() {
                return populations::train(out, experiment, &args, stop);
            }
            let options = TrainOptions {
                runs: args.runs.runs.clone(),
                name: args.name,
                force: args.force,
                threads: args.threads.count(),
            };
            let mut progress = progress::Progress::new();
            let summary = lab::train(experiment, &options, &mut progress, stop);
            progress.finish();
            trained(out, summary?, &args.runs, args.json.json)
        }
        Command::Resume(args) if populations::are_meant(&args) => populations::resume(out, &args, stop),
        Command::Resume(args) => {
            let mut progress = progress::Progress::new();
            let threads = args.threads.count();
            let summary = lab::resume(&args.runs.runs, &args.run, args.generations, threads, &mut progress, stop);
            progress.finish();
            let mut summary = summary?;
            // A member of a lab is known by both names.
            if args.run.contains('/') && !args.run.ends_with(".db") {
                summary.run = args.run;
            }
            trained(out, summary, &args.runs, args.json.json)
        }
        Command::Runs(args) => {
            show::runs(out, &args.runs.runs, args.json.json)?;
            Ok(Done::Well)
        }
        Command::Show(args) => {
            let file = RunFile::open(&lab::run_path(&args.runs.runs, &args.run)?)?;
            show::run(out, &file, args.generation, &args.runs, args.json.json)?;
            if let Some(folder) = &args.figures {
                let written = lab::write_run_figures(&file, folder)?;
                tell!("{} figures written to {}, each as SVG and as PNG", written.len() / 2, folder.display());
            }
            Ok(Done::Well)
        }
        Command::Games(args::GamesArgs { check: Some(file), game, json, .. }) => {
            // Old files are not in UTF-8; what is not, is in names and comments.
            let failed = |source| Error::File { what: "cannot read", file: file.clone(), source };
            let text = String::from_utf8_lossy(&std::fs::read(&file).map_err(failed)?).into_owned();
            let ending = file.extension().and_then(|ending| ending.to_str());
            let checked = lab::check_games(&text, game.as_deref(), ending)
                .map_err(|error| Error::Refused(format!("{}: {error}", file.display())))?;
            show::checked(out, &file, &checked, json.json)?;
            Ok(Done::Well)
        }
        Command::Games(args) => {
            let run = args.run.as_deref().unwrap_or_default();
            let file = RunFile::open(&lab::run_path(&args.runs.runs, run)?)?;
            show::games(out, &file, args.generation, args.format, args.json.json)?;
            Ok(Done::Well)
        }
        Command::Exam(args) => {
            let player: PlayerSpec = args.player.parse()?;
            let (teller, tables) = (progress::Teller::default(), args.tables.folder());
            let tell = |notice| teller.tell(notice);
            let home = Home::new(&args.runs.runs, &tables, &tell);
            let questions = args.questions.as_deref().map(read).transpose()?;
            let params = ExamParams {
                player: &player,
                game: args.game.as_deref(),
                setup: &args.setup.setup,
                questions: questions.as_deref(),
                quick: false,
                home: &home,
            };
            let (exam, failures) = lab::examine(&params)?;
            match args.json.json {
                true => {
                    let mut line = json!(exam);
                    if args.failed {
                        line["failed"] = json!(failures);
                    }
                    writeln!(out, "{line}")?;
                }
                false => {
                    show::exam(out, &exam)?;
                    if args.failed {
                        show::failures(out, &exam, &failures)?;
                    }
                }
            }
            Ok(Done::Well)
        }
        Command::Endgames(args) => {
            let (teller, tables) = (progress::Teller::default(), args.tables.folder());
            let tell = |notice| teller.tell(notice);
            let home = Home::new(Path::new(""), &tables, &tell);
            match args.position {
                Some(position) => show::probe(out, &lab::probe(&args.game, &position, &home)?, args.json.json)?,
                None => show::endings(out, &lab::endings(&args.game, &home)?, args.json.json)?,
            }
            Ok(Done::Well)
        }
        Command::Questions(args) => {
            let bar = progress::positions_bar(lab::suites(&args.game) as u64 * u64::from(args.each));
            let found =
                lab::questions(&args.game, args.seed, args.each.into(), &mut |count| bar.set_position(count as u64));
            bar.finish_and_clear();
            show::questions(out, &found?, args.json.json)?;
            Ok(Done::Well)
        }
        Command::Play(args) => {
            let against: PlayerSpec = args.against.parse()?;
            let (teller, tables) = (progress::Teller::default(), args.tables.folder());
            let tell = |notice| teller.tell(notice);
            let home = Home::new(&args.runs.runs, &tables, &tell);
            let params = LiveParams {
                game: &args.game,
                against: Some(&against),
                position: args.position.as_deref(),
                setup: &args.setup.setup,
                seed: args.seed.unwrap_or_else(any_seed),
                most_nodes: None,
                home: &home,
            };
            let game = lab::live_game(&params)?;
            let side = play::side(&*game, &args.side)?;
            play::play(out, game, side, &args.against, args.json.json)
        }
        Command::Serve(args) => serve::serve(out, args),
        Command::Match(args) => {
            let (one, two): (PlayerSpec, PlayerSpec) = (args.one.parse()?, args.two.parse()?);
            let (teller, tables) = (progress::Teller::default(), args.tables.folder());
            let tell = |notice| teller.tell(notice);
            let home = Home::new(&args.runs.runs, &tables, &tell);
            let params = ContestParams {
                game: &args.game,
                players: [&one, &two],
                games: args.games,
                plies: args.plies,
                seed: args.seed,
                setup: &args.setup.setup,
                threads: args.threads.count(),
                home: &home,
            };
            let bar = progress::games_bar(u64::from(args.games).next_multiple_of(2));
            let contest = lab::contest(&params, stop, &mut |score| bar.set_position(u64::from(score.games())))?;
            bar.finish_and_clear();
            match args.json.json {
                true => writeln!(out, "{}", json!(contest))?,
                false => show::contest(out, &args.one, &args.two, &contest)?,
            }
            Ok(if contest.interrupted { Done::Interrupted } else { Done::Well })
        }
        Command::Growth(args) => {
            let (teller, tables) = (progress::Teller::default(), args.tables.folder());
            let tell = |notice| teller.tell(notice);
            let home = Home::new(&args.runs.runs, &tables, &tell);
            let params = GrowthParams {
                run: &args.run,
                depth: args.depth,
                games: args.games,
                champions: args.champions.into(),
                yardsticks: &args.yardstick,
                seed: args.seed,
                threads: args.threads.count(),
                home: &home,
            };
            let bar = progress::games_bar(0);
            let found = lab::growth(&params, stop, &mut |done, all| {
                bar.set_length(all);
                bar.set_position(done);
            })?;
            bar.finish_and_clear();
            let Some(found) = found else {
                tell!("interrupted; nothing was kept");
                return Ok(Done::Interrupted);
            };
            match args.json.json {
                true => writeln!(out, "{}", json!(found))?,
                false => growth::growth(out, &args.run, &found)?,
            }
            if let Some(path) = &args.picture {
                growth::picture(path, &args.run, &found)?;
            }
            Ok(Done::Well)
        }
        Command::Tune(args) => tune::tune(out, args, stop),
        Command::Lab(command) => labs::lab(out, command, stop),
        Command::Moves(args) => {
            let params = LiveParams {
                game: &args.game,
                against: None,
                position: args.position.as_deref(),
                setup: &args.setup.setup,
                seed: 0,
                most_nodes: None,
                home: &Home::nowhere(),
            };
            let game = lab::live_game(&params)?;
            match args.json.json {
                true => {
                    let outcome = game.outcome().map(|outcome| outcome.name());
                    let line = json!({ "moves": game.moves(), "side": game.side(), "outcome": outcome, "position": game.position() });
                    writeln!(out, "{line}")?;
                }
                false => match game.outcome() {
                    Some(games::Outcome::Draw) => writeln!(out, "{}: the game is over, drawn", game.position())?,
                    Some(outcome) => {
                        writeln!(out, "{}: the game is over, {} has won", game.position(), outcome.name())?
                    }
                    None => game.moves().iter().try_for_each(|mv| writeln!(out, "{mv}"))?,
                },
            }
            Ok(Done::Well)
        }
        Command::Perft(args) => {
            let perft = lab::perft(&args.game, args.depth, args.position.as_deref(), &args.setup.setup, args.divide)?;
            if args.json.json {
                writeln!(out, "{}", json!(perft))?;
                return Ok(Done::Well);
            }
            for (mv, nodes) in &perft.divide {
                writeln!(out, "{mv}: {nodes}")?;
            }
            let nodes = words::count(perft.nodes, "position");
            writeln!(out, "{nodes} at depth {} in {:.3} s", perft.depth, perft.seconds)?;
            Ok(Done::Well)
        }
        Command::Export(args) => {
            let format = if args.json { ExportFormat::Json } else { args.format };
            let text = match format {
                ExportFormat::Text => lab::export(&args.runs.runs, &args.run, lab::Format::Text)?,
                ExportFormat::Json => lab::export(&args.runs.runs, &args.run, lab::Format::Json)?,
                ExportFormat::Svg => lab::draw(&args.runs.runs, &args.run, lab::Picture::Svg)?,
                ExportFormat::Dot => lab::draw(&args.runs.runs, &args.run, lab::Picture::Dot)?,
            };
            match args.out {
                None => write!(out, "{text}")?,
                Some(path) => {
                    let failed = |source| Error::File { what: "cannot write", file: path.clone(), source };
                    std::fs::write(&path, text).map_err(failed)?;
                    match format {
                        ExportFormat::Svg | ExportFormat::Dot => tell!("written to {}", path.display()),
                        ExportFormat::Text | ExportFormat::Json => {
                            tell!(
                                "written to {}; play against it with --against file:{}",
                                path.display(),
                                path.display()
                            );
                        }
                    }
                }
            }
            Ok(Done::Well)
        }
        Command::List { what, experiment, json } => {
            list(out, what, experiment.as_deref(), json.json)?;
            Ok(Done::Well)
        }
        Command::Bench(json) => {
            if std::io::stderr().is_terminal() {
                tell!("measuring, some seconds…");
            }
            let mut bench = lab::bench();
            bench.ratios.extend(serve::watching_cost());
            show::bench(out, &bench, json.json)?;
            Ok(Done::Well)
        }
    }
}

/// The text of a file that somebody named.
fn read(file: impl AsRef<Path>) -> Result<String, Error> {
    let file = file.as_ref();
    let failed = |source| Error::File { what: "cannot read", file: file.to_path_buf(), source };
    std::fs::read_to_string(file).map_err(failed)
}

fn trained(out: &mut impl Write, summary: lab::Summary, runs: &args::RunsArg, json: bool) -> Result<Done, Failure> {
    match json {
        true => writeln!(out, "{}", json!(summary))?,
        false => show::summary(out, &summary, runs)?,
    }
    let interrupted = summary.stopped == lab::Stopped::Interrupted || summary.finals_broken_off;
    Ok(if interrupted { Done::Interrupted } else { Done::Well })
}

fn list(out: &mut impl Write, what: List, experiment: Option<&str>, json: bool) -> Result<(), Failure> {
    if experiment.is_some() && !matches!(what, List::Parameters) {
        return Err(Error::Refused("--experiment goes with `gamete list parameters` alone".to_string()).into());
    }
    let pairs =
        |entries: Vec<lab::Entry>| entries.into_iter().map(|e| vec![e.name.to_string(), e.about.to_string()]).collect();
    let about = |text: &str| text.lines().next().unwrap_or("").trim_start_matches("# ").to_string();
    let (head, rows): (&[&str], Vec<Vec<String>>) = match what {
        List::Games => (&["name", "about"], pairs(lab::games())),
        List::Strategies => (&["name", "about"], pairs(lab::strategies())),
        List::Players => (&["name", "about"], pairs(lab::players())),
        List::Champions => {
            let row = |champion: &lab::ShippedChampion| {
                let player = match champion.options {
                    "" => format!("champion:{}", champion.game),
                    options => format!("champion:{},{options}", champion.game),
                };
                vec![player, champion.command.into(), champion.about.into()]
            };
            (&["player", "command", "about"], lab::shipped_champions().iter().map(row).collect())
        }
        List::Schedules => (&["name", "about"], pairs(lab::schedules())),
        List::Encoders => {
            let row = |(game, kind, e): (&str, &str, lab::Entry)| {
                vec![game.into(), kind.into(), e.name.into(), e.about.into()]
            };
            (&["game", "kind", "name", "about"], lab::encoders().into_iter().map(row).collect())
        }
        List::Experiments => {
            let row = |(name, text): (&str, &str)| vec![name.to_string(), about(text)];
            (&["name", "about"], lab::shipped_experiments().map(row).collect())
        }
        List::Labs => {
            let row = |(name, text): (&str, &str)| vec![name.to_string(), about(text)];
            (&["name", "about"], lab::shipped_labs().map(row).collect())
        }
        List::Parameters => {
            let experiment = lab::Experiment::open(experiment.unwrap_or("nim-2x4"))?;
            return parameters::list(out, &experiment.parameters(), json);
        }
    };
    if json {
        for row in rows {
            let object: serde_json::Map<_, _> =
                head.iter().map(|key| key.to_string()).zip(row.into_iter().map(Into::into)).collect();
            writeln!(out, "{}", serde_json::Value::Object(object))?;
        }
        return Ok(());
    }
    tables::print_wrapped(out, &rows)?;
    Ok(())
}
