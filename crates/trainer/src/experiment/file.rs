//! An experiment as text: it can be read and changed key by key, and is always checked as a whole.

use super::{Experiment, GameCount, Migration, Needs, Record, Stop, TypedExperiment};
use crate::descriptions::{SetupKeys, absent_keys};
use crate::error::Error;
use crate::openings::measuring_plies;
use crate::{override_key, toml_error};
use evolution::StrategyConfig;
use games::{Game, GameVisitor, KeyError};
use serde::Deserialize;
use serde::de::Error as _;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use toml::Spanned;
use toml::de::DeTable;

/// An experiment as text, with its name and where it came from. It has been decoded and checked.
#[derive(Clone)]
pub struct ExperimentFile {
    /// The name from which names of runs are made.
    pub name: String,
    /// Where the text came from, for messages: the path, or the name of a built-in experiment.
    pub(crate) place: String,
    /// The text as it was written, including comments, with later changes.
    text: String,
    /// Whether a person wrote the text. Only then messages name lines and columns.
    is_written: bool,
    /// The values of the text.
    table: toml::Table,
    /// The keys that the text leaves out, with the values that they then have.
    absent: Vec<(String, toml::Value)>,
    /// The [`TypedExperiment`] of the game that the text names.
    typed: Arc<dyn AnyExperiment>,
}

/// A [`TypedExperiment`] of any game.
pub(crate) trait AnyExperiment: Any + Send + Sync {
    fn canonical(&self) -> String;
    fn game_count(&self) -> GameCount;
    fn needs(&self, threads: usize) -> Needs;
    fn measuring_plies(&self) -> usize;
    fn is_tabulated(&self) -> bool;
    fn rules(&self) -> Rules<'_>;
}

/// The parts of an experiment that are the same in every game.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// When to stop.
    pub stop: Stop,
    /// What to measure and keep.
    pub record: &'a Record,
    /// Where migrants come from; `None` if the population takes in no networks.
    pub migration: Option<&'a Migration>,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// How networks are bred.
    pub strategy: &'a StrategyConfig,
}

impl<G: Game> AnyExperiment for TypedExperiment<G> {
    fn canonical(&self) -> String {
        Experiment::canonical(self)
    }

    fn game_count(&self) -> GameCount {
        Experiment::game_count(self)
    }

    fn needs(&self, threads: usize) -> Needs {
        TypedExperiment::needs(self, threads)
    }

    fn measuring_plies(&self) -> usize {
        measuring_plies::<G>(&self.setup)
    }

    fn is_tabulated(&self) -> bool {
        self.seating().tabulated_positions() > 0
    }

    fn rules(&self) -> Rules<'_> {
        let Experiment { stop, record, migration, seed, strategy, .. } = &**self;
        Rules { stop: *stop, record, migration: migration.as_ref(), seed: *seed, strategy }
    }
}

impl ExperimentFile {
    /// Reads and checks a text.
    pub fn parse(name: &str, place: &str, text: &str) -> Result<ExperimentFile, Error> {
        let (table, typed) = decode(text).map_err(|fault| fault.at(place, Some(text)))?;
        let (name, place, text) = (name.to_string(), place.to_string(), text.to_string());
        Ok(ExperimentFile { name, place, text, is_written: true, absent: absent_keys(&table), table, typed })
    }

    /// Overrides parameters. Each assignment is `KEY=VALUE`: the key is a dotted path, the value is TOML (quotes may be
    /// left out).
    pub fn set(&mut self, assignments: &[impl AsRef<str>]) -> Result<(), Error> {
        if assignments.is_empty() {
            return Ok(());
        }
        let change = |assignment: &str| {
            let asked = assignment.to_string();
            match override_key::split(assignment) {
                Ok((key, value)) => Ok(Change { asked, key: key.to_string(), value }),
                Err(what) => Err(self.refuse(&format!("{asked}: {what}"))),
            }
        };
        let changes: Result<Vec<Change>, Error> = assignments.iter().map(|each| change(each.as_ref())).collect();
        *self = self.clone().changed(&changes?)?;
        Ok(())
    }

    /// A copy with other values of some parameters, given by their dotted paths. Comments in the text are kept.
    pub fn with_values<K: AsRef<str>>(&self, values: &[(K, toml::Value)]) -> Result<ExperimentFile, Error> {
        self.clone().changed(&changes_to(values))
    }

    /// A copy with the strategy of another experiment, and then with other values of some parameters.
    pub fn with_strategy_of<K: AsRef<str>>(
        &self,
        other: &ExperimentFile,
        values: &[(K, toml::Value)],
    ) -> Result<ExperimentFile, Error> {
        self.with_table("strategy", other.table.get("strategy").cloned()).changed(&changes_to(values))
    }

    /// A copy with another migration, or without any.
    pub fn with_migration(&self, migration: Option<&Migration>) -> Result<ExperimentFile, Error> {
        let migration = migration.map(|each| toml::Value::try_from(each).expect("a migration can be written"));
        self.with_table("migration", migration).changed(&[])
    }

    /// All parameters as TOML, in the form that run files store.
    pub fn canonical(&self) -> String {
        self.typed.canonical()
    }

    /// The numbers of games that training plays.
    pub fn game_count(&self) -> GameCount {
        self.typed.game_count()
    }

    /// An estimate of the most memory that training uses.
    pub fn needs(&self, threads: usize) -> Needs {
        self.typed.needs(threads)
    }

    /// The number of random plies at the beginning of each game that measures a run.
    pub fn measuring_plies(&self) -> usize {
        self.typed.measuring_plies()
    }

    /// Why other machines cannot play the games of this experiment, as the end of a sentence; `None` if they can.
    pub fn why_not_shared(&self) -> Option<&'static str> {
        let strategy = self.rules().strategy;
        if strategy.learns() {
            Some("its network learns from its own games, one after the other")
        } else if strategy.remembers() > 0 {
            Some("its strategy needs the positions of won games, which are kept where they are played")
        } else if self.typed.is_tabulated() {
            Some("its game is so small that playing it here takes less time than asking another machine")
        } else {
            None
        }
    }

    /// The parts that are the same in every game.
    pub fn rules(&self) -> Rules<'_> {
        self.typed.rules()
    }

    /// The value of a parameter, given by its dotted path. The error says in one sentence why there is none.
    pub fn value(&self, key: &str) -> Result<&toml::Value, String> {
        match self.absent.iter().find(|(absent, _)| absent == key) {
            Some((_, value)) => Ok(value),
            None => override_key::find(&self.table, key),
        }
    }

    /// The dotted paths of all parameters, in the order of the text. Keys that the text leaves out follow the keys of
    /// their table.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys = override_key::paths(&self.table);
        keys.sort_by_cached_key(|key| toml_error::locate(&self.text, key));
        let table = |key: &str| key.rsplit_once('.').map(|(table, _)| table.to_string());
        for (key, _) in &self.absent {
            let last = keys.iter().rposition(|known| table(known) == table(key));
            keys.insert(last.map_or(keys.len(), |last| last + 1), key.clone());
        }
        keys
    }

    /// The dotted paths of the keys that the text leaves out.
    #[cfg(test)]
    pub(crate) fn absent(&self) -> impl Iterator<Item = &String> {
        self.absent.iter().map(|(key, _)| key)
    }

    /// The text with other values. A key that the text leaves out is written only if its value is another one than
    /// without it. `None` if a value cannot be set in the text.
    pub(crate) fn text_with<'a>(&self, values: impl Iterator<Item = (&'a str, &'a toml::Value)>) -> Option<String> {
        let is_said = |(key, value): &(&str, &toml::Value)| {
            !self.absent.iter().any(|(absent, usual)| absent == key && usual == *value)
        };
        override_key::put_in_text(&self.text, values.filter(is_said))
    }

    /// Whether another experiment has the same parameters.
    pub fn is_same(&self, other: &ExperimentFile) -> bool {
        self.canonical() == other.canonical()
    }

    /// The name of the game.
    pub fn game(&self) -> &str {
        self.table.get("game").and_then(|name| name.as_str()).unwrap_or_default()
    }

    /// The name of the strategy.
    pub fn strategy(&self) -> &str {
        let strategies = self.table.get("strategy").and_then(|strategy| strategy.as_table());
        strategies.and_then(|strategies| strategies.keys().next()).map_or("", String::as_str)
    }

    /// The number of generations after which training stops.
    pub fn aim(&self) -> Option<u64> {
        self.value("stop.generations").ok()?.as_integer().and_then(|number| number.try_into().ok())
    }

    /// The text as it was written, including comments, with later changes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The comment at the beginning of the text; empty if there is none.
    pub fn about(&self) -> String {
        let lines = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The experiment for code that is generic over the game; an error if the experiment is for another game.
    pub fn typed<G: Game>(&self) -> Result<Arc<TypedExperiment<G>>, Error> {
        let typed: Arc<dyn Any + Send + Sync> = self.typed.clone();
        let what = || format!("the experiment plays {}, but {} was asked for", self.game(), G::NAME);
        typed.downcast().map_err(|_| self.refuse(&what()))
    }

    /// An error about this experiment as a whole.
    pub fn refuse(&self, what: &str) -> Error {
        Error::Experiment { place: self.place.clone(), what: what.to_string() }
    }

    /// Why the setup does not fit another game; `None` if it has the right keys.
    fn misfit(&self, game: &toml::Value) -> Option<String> {
        let (game, old) = (game.as_str()?, self.game());
        let words = |keys: &[&str]| keys.iter().map(|key| format!("setup.{key}")).collect::<Vec<_>>().join(", ");
        let described = |game: &str| SetupKeys.in_game(game).ok();
        let wanted: Vec<&str> = described(game)?.iter().map(|described| described.key).collect();
        let setup = self.table.get("setup")?.as_table()?;
        let found: Vec<&str> =
            described(old)?.iter().map(|each| each.key).filter(|key| setup.contains_key(*key)).collect();
        let foreign: Vec<&str> = found.iter().copied().filter(|key| !wanted.contains(key)).collect();
        let missing: Vec<&str> = wanted.iter().copied().filter(|key| !found.contains(key)).collect();
        let copy = "change game and setup together in a copy of the experiment's file";
        match (foreign.is_empty(), missing.is_empty()) {
            (true, true) => None,
            (true, false) => {
                Some(format!("{game} needs {}, which the setup of {old} does not have; {copy}", words(&missing)))
            }
            (false, _) => {
                let allowed = if wanted.is_empty() { "no setup keys".to_string() } else { words(&wanted) };
                let belongs = if foreign.len() == 1 { "belongs" } else { "belong" };
                Some(format!("{} {belongs} to {old}, and {game} has {allowed}; {copy}", words(&foreign)))
            }
        }
    }

    /// A copy with another value of a top-level key, or without it. Its text is generated, and it is not checked yet.
    fn with_table(&self, key: &str, value: Option<toml::Value>) -> ExperimentFile {
        let mut table = self.table.clone();
        match value {
            Some(value) => table.insert(key.to_string(), value),
            None => table.remove(key),
        };
        let text = toml::to_string(&table).expect("a table that was read can be written");
        ExperimentFile { text, is_written: false, absent: absent_keys(&table), table, ..self.clone() }
    }

    /// Makes all changes before checking, because some values are valid only together.
    fn changed(self, changes: &[Change]) -> Result<ExperimentFile, Error> {
        for Change { asked, key, .. } in changes {
            let message = |what: String| if asked == key { what } else { format!("{asked}: {what}") };
            self.value(key).map_err(|what| self.refuse(&message(what)))?;
        }
        let text_after = |changes: &[Change]| {
            let values = changes.iter().map(|Change { key, value, .. }| (key.as_str(), value));
            self.text_with(values)
        };
        let keys = || changes.iter().map(|change| &change.key[..]).collect::<Vec<_>>().join(", ");
        let text = text_after(changes).ok_or_else(|| self.refuse(&format!("{} cannot be set one by one", keys())))?;
        let fault = match decode(&text) {
            Ok((table, typed)) => {
                return Ok(ExperimentFile { text, absent: absent_keys(&table), table, typed, ..self });
            }
            Err(fault) => fault,
        };
        // Find the change that caused the error.
        let wrong = |count: usize| match decode(&text_after(&changes[..count])?) {
            Err(Fault::Form(error)) => Some((&changes[count - 1], error)),
            _ => None,
        };
        match &fault {
            Fault::Form(_) if let Some((change, error)) = (1..=changes.len()).find_map(wrong) => {
                let misfit = if change.key == "game" { self.misfit(&change.value) } else { None };
                let explained = || misfit.unwrap_or_else(|| toml_error::explain("", &error).1);
                let explained = || format!("{}: {}", change.asked, explained());
                // For numbers, the message gives the same bounds as lists of parameters.
                Err(self.refuse(&self.out_of_bounds(&change.key, &change.value).unwrap_or_else(explained)))
            }
            // A value that was asked for is not blamed on a line of the file.
            Fault::Values(KeyError { key, what })
                if changes.iter().any(|each| each.key == *key && each.asked != *key) =>
            {
                Err(self.refuse(what))
            }
            _ => Err(fault.at(&self.place, self.is_written.then_some(&text))),
        }
    }
}

impl fmt::Debug for ExperimentFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExperimentFile { name, place, text, .. } = self;
        f.debug_struct("ExperimentFile").field("name", name).field("place", place).field("text", text).finish()
    }
}

/// A parameter to change, with the user's words for messages.
struct Change {
    asked: String,
    key: String,
    value: toml::Value,
}

fn changes_to<K: AsRef<str>>(values: &[(K, toml::Value)]) -> Vec<Change> {
    let change = |(key, value): &(K, toml::Value)| {
        let key = key.as_ref().to_string();
        Change { asked: key.clone(), key, value: value.clone() }
    };
    values.iter().map(change).collect()
}

/// Why a text is not a valid experiment.
pub(crate) enum Fault {
    /// It is not TOML, or a value is missing, unknown or of the wrong kind.
    Form(toml::de::Error),
    /// Its values do not go together.
    Values(KeyError),
}

impl Fault {
    /// The error for users, with line and column if a person wrote the text.
    fn at(self, place: &str, text: Option<&str>) -> Error {
        let (at, what) = match self {
            Fault::Form(error) => toml_error::explain(text.unwrap_or_default(), &error),
            Fault::Values(KeyError { key, what }) => (text.and_then(|text| toml_error::locate(text, &key)), what),
        };
        let place = match at.filter(|_| text.is_some()) {
            Some((line, column)) => format!("{place}, line {line}, column {column}"),
            None => place.to_string(),
        };
        Error::Experiment { place, what }
    }
}

/// Decodes and checks a text: returns its values, and the experiment for the game that it names.
fn decode(text: &str) -> Result<(toml::Table, Arc<dyn AnyExperiment>), Fault> {
    let parsed = DeTable::parse(text).map_err(Fault::Form)?;
    let table = toml::Table::deserialize(toml::Deserializer::from(parsed.clone())).map_err(Fault::Form)?;
    let name = match table.get("game") {
        Some(toml::Value::String(name)) => name,
        Some(_) => {
            let what = "`game` must be a text in quotes, such as game = \"nim\"";
            return Err(Fault::Form(toml::de::Error::custom(what)));
        }
        None => return Err(Fault::Form(toml::de::Error::missing_field("game"))),
    };
    let unknown = |unknown| Fault::Values(KeyError::new("game", Error::from(unknown).to_string()));
    let typed = Decode(parsed).in_game(name).map_err(unknown)??;
    Ok((table, typed))
}

/// Decodes and checks an experiment of a game.
pub(crate) struct Decode<'a>(Spanned<DeTable<'a>>);

games::by_name!(Decode<'a>, 'a);

impl GameVisitor for Decode<'_> {
    type Output = Result<Arc<dyn AnyExperiment>, Fault>;
    fn visit<G: Game>(self) -> Self::Output {
        let experiment = Experiment::<G::Setup>::deserialize(toml::Deserializer::from(self.0)).map_err(Fault::Form)?;
        Ok(Arc::new(experiment.checked::<G>().map_err(Fault::Values)?))
    }
}
