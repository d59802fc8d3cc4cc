//! An experiment as it was found: opened by name or path, overridden key by key, checked.

use super::checks::{Problem, problem};
use super::{Experiment, GameCount, Migration};
use crate::error::Error;
use crate::shipped::shipped_experiments;
use crate::{override_key, toml_error};
use games::{Game, GameVisitor};
use serde::de::DeserializeOwned;
use std::path::Path;

/// An experiment as it was found: its name, where it came from, and its text.
#[derive(Clone, Debug)]
pub struct ExperimentFile {
    /// What runs of it are called after.
    pub name: String,
    /// For messages: the path, or the name of what was shipped.
    pub(crate) place: String,
    /// As it was written, with what was overridden since.
    pub(crate) written: Option<String>,
    pub(crate) table: toml::Table,
}

impl Experiment {
    /// Opens an experiment by path, or by the name of one shipped with the program, and checks all of it.
    pub fn open(name: &str) -> Result<ExperimentFile, Error> {
        if shipped_experiments().any(|(shipped, _)| shipped == name) {
            return Experiment::shipped(name);
        }
        let path = Path::new(name);
        if !path.exists() {
            if name.contains('/') || name.ends_with(".toml") {
                return Err(Error::no_file(path));
            }
            return Experiment::shipped(name);
        }
        let text = std::fs::read_to_string(path).map_err(|source| Error::file("cannot read", path, source))?;
        let stem = path.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        ExperimentFile::parse(&stem, name, &text)
    }

    /// Opens an experiment that is shipped with the program.
    pub fn shipped(name: &str) -> Result<ExperimentFile, Error> {
        match shipped_experiments().find(|(shipped, _)| *shipped == name) {
            Some((shipped, text)) => ExperimentFile::parse(shipped, shipped, text),
            None => {
                let known: Vec<&str> = shipped_experiments().map(|(shipped, _)| shipped).collect();
                Err(Error::unknown("experiment", name, &known))
            }
        }
    }
}

impl ExperimentFile {
    /// Reads a text and checks all of it.
    pub fn parse(name: &str, place: &str, text: &str) -> Result<ExperimentFile, Error> {
        let table: toml::Table = read(place, text)?;
        let written = Some(text.to_string());
        let file = ExperimentFile { name: name.to_string(), place: place.to_string(), written, table };
        // Once from the text, so that complaints name line and column.
        file.with_game(CheckText { file: &file, text })??;
        Ok(file)
    }

    /// Overrides one parameter: `KEY=VALUE`, the key as a dotted path, the value in TOML (quotes may be left out).
    pub fn set(&mut self, assignment: &str) -> Result<(), Error> {
        let set = format!("--set {assignment}");
        let (key, value) = override_key::split(assignment).map_err(|what| self.refuse(&format!("{set}: {what}")))?;
        self.put_as(&set, key, value)
    }

    /// Sets one parameter by its dotted path. Whether all values go together is told when all are made.
    pub(crate) fn put(&mut self, key: &str, value: toml::Value) -> Result<(), Error> {
        self.put_as(key, key, value)
    }

    /// The same; complaints begin with what was asked for.
    fn put_as(&mut self, asked: &str, key: &str, value: toml::Value) -> Result<(), Error> {
        let mut table = self.table.clone();
        let told = |what: String| if asked == key { what } else { format!("{asked}: {what}") };
        override_key::put(&mut table, key, value.clone()).map_err(|what| self.refuse(&told(what)))?;
        // In the text, too, so that its comments stay.
        let in_text = |text: &String| override_key::put_in_text(text, key, value.to_string().parse().ok()?);
        let written = self.written.as_ref().and_then(in_text);
        let changed = ExperimentFile { table, written, ..self.clone() };
        changed.with_game(CheckSet { file: &changed, asked })??;
        *self = changed;
        Ok(())
    }

    /// The same experiment with networks that come in from another population.
    pub(crate) fn with_migration(&self, migration: &Migration) -> ExperimentFile {
        let mut table = self.table.clone();
        let written = toml::Value::try_from(migration).expect("a migration can be written");
        table.insert("migration".to_string(), written);
        ExperimentFile { table, written: None, ..self.clone() }
    }

    /// The same experiment where the others are in a folder beside it.
    pub(crate) fn with_migrants_in(&self, folder: &str) -> ExperimentFile {
        let mut moved = self.clone();
        if let Some(toml::Value::String(from)) = moved.table.get_mut("migration").and_then(|each| each.get_mut("from"))
        {
            *from = format!("{folder}/{from}");
            moved.written = None;
        }
        moved
    }

    /// The same experiment for a population that is alone.
    pub(crate) fn without_migration(&self) -> ExperimentFile {
        let mut table = self.table.clone();
        table.remove("migration");
        ExperimentFile { table, written: None, ..self.clone() }
    }

    /// The same experiment with another one's strategy. Whether all goes together is told when all is made.
    pub(crate) fn with_strategy_of(&self, other: &ExperimentFile) -> ExperimentFile {
        let mut table = self.table.clone();
        if let Some(strategy) = other.table.get("strategy") {
            table.insert("strategy".to_string(), strategy.clone());
        }
        ExperimentFile { table, written: None, ..self.clone() }
    }

    /// All parameters in the form in which runs keep them, checked as a whole.
    pub(crate) fn canonical(&self) -> Result<String, Error> {
        self.with_game(Canonical(self))?
    }

    /// How many games it takes; checked as a whole.
    pub(crate) fn game_count(&self) -> Result<GameCount, Error> {
        self.with_game(Counted(self))?
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        self.table.get("game").and_then(|name| name.as_str()).unwrap_or_default()
    }

    /// How many generations it is to have.
    pub(crate) fn aim(&self) -> Option<u64> {
        let generations = override_key::find(&self.table, "stop.generations").ok()?;
        generations.as_integer().and_then(|number| number.try_into().ok())
    }

    /// Everything as text, comments gone.
    pub fn text(&self) -> String {
        toml::to_string(&self.table).expect("a table that was read can be written")
    }

    /// Everything as text after checking that it goes together; as it was written, comments included.
    pub fn checked_text(&self) -> Result<String, Error> {
        self.with_game(CheckWhole(self))??;
        Ok(self.written.clone().unwrap_or_else(|| self.text()))
    }

    /// Everything typed, for a game that the caller knows to be the right one; checked as a whole.
    pub fn typed<G: Game>(&self) -> Result<Experiment<G::Setup>, Error> {
        let experiment: Experiment<G::Setup> = self.shaped::<G::Setup>().map_err(|what| self.refuse(&what))?;
        experiment.checked::<G>().map_err(|problem| self.refuse_at(&problem))?;
        Ok(experiment)
    }

    fn shaped<S: DeserializeOwned>(&self) -> Result<Experiment<S>, String> {
        self.table.clone().try_into().map_err(|error: toml::de::Error| toml_error::explain("", &error).1)
    }

    fn refuse_at(&self, problem: &Problem) -> Error {
        let at = self.written.as_ref().and_then(|text| toml_error::locate(text, &problem.key));
        Error::Experiment { place: at_line(&self.place, at), what: problem.what.clone() }
    }

    pub(crate) fn refuse(&self, what: &str) -> Error {
        Error::Experiment { place: self.place.clone(), what: what.to_string() }
    }

    fn with_game<V: GameVisitor>(&self, visitor: V) -> Result<V::Output, Error> {
        let name = match self.table.get("game") {
            Some(toml::Value::String(name)) => name,
            Some(_) => return Err(self.refuse("`game` must be a text in quotes, such as game = \"nim\"")),
            None => return Err(self.refuse("the key `game` is missing; every parameter must be given")),
        };
        let unknown = || Error::unknown("game", name, games::names());
        games::with_game(name, visitor).ok_or_else(|| self.refuse_at(&problem("game", unknown().to_string())))
    }
}

/// Checks the text of a file, so that complaints can say where.
struct CheckText<'a> {
    file: &'a ExperimentFile,
    text: &'a str,
}

impl GameVisitor for CheckText<'_> {
    type Output = Result<(), Error>;
    fn visit<G: Game>(self) -> Result<(), Error> {
        read::<Experiment<G::Setup>>(&self.file.place, self.text)?;
        CheckWhole(self.file).visit::<G>()
    }
}

/// Checks that everything goes together.
struct CheckWhole<'a>(&'a ExperimentFile);

impl GameVisitor for CheckWhole<'_> {
    type Output = Result<(), Error>;
    fn visit<G: Game>(self) -> Result<(), Error> {
        self.0.typed::<G>().map(|_| ())
    }
}

/// Checks the shape of an experiment after an override. Whether its values go together is told when all are made.
struct CheckSet<'a> {
    file: &'a ExperimentFile,
    asked: &'a str,
}

impl GameVisitor for CheckSet<'_> {
    type Output = Result<(), Error>;
    fn visit<G: Game>(self) -> Result<(), Error> {
        let shaped = self.file.shaped::<G::Setup>();
        shaped.map(|_| ()).map_err(|what| self.file.refuse(&format!("{}: {what}", self.asked)))
    }
}

/// Writes an experiment out as runs keep it.
struct Canonical<'a>(&'a ExperimentFile);

impl GameVisitor for Canonical<'_> {
    type Output = Result<String, Error>;
    fn visit<G: Game>(self) -> Result<String, Error> {
        Ok(written::<G>(&self.0.typed::<G>()?))
    }
}

/// Counts the games of an experiment.
struct Counted<'a>(&'a ExperimentFile);

impl GameVisitor for Counted<'_> {
    type Output = Result<GameCount, Error>;
    fn visit<G: Game>(self) -> Result<GameCount, Error> {
        Ok(self.0.typed::<G>()?.game_count())
    }
}

/// An experiment as runs keep it.
pub(crate) fn written<G: Game>(experiment: &Experiment<G::Setup>) -> String {
    toml::to_string(experiment).expect("an experiment can be written")
}

/// Reads TOML; complaints name file, line and column.
fn read<T: DeserializeOwned>(place: &str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| {
        let (at, what) = toml_error::explain(text, &error);
        Error::Experiment { place: at_line(place, at), what }
    })
}

fn at_line(place: &str, at: Option<(usize, usize)>) -> String {
    match at {
        Some((line, column)) => format!("{place}, line {line}, column {column}"),
        None => place.to_string(),
    }
}
