//! Every parameter of an experiment: what it means, what it may be, and what it is; for forms and lists.

mod table;
#[cfg(test)]
mod tests;

use crate::catalogue::{self, Entry};
use crate::error::Error;
use crate::{ExperimentFile, override_key, toml_error};
use games::{Allowed, Described, Game, GameVisitor, Setup};
use serde::Serialize;
use serde_json::Value;

/// A parameter of an experiment: what it means, what it may be, and what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The dotted path, such as `strategy.enn.population`.
    pub key: String,
    /// What it means, in one phrase.
    pub about: String,
    /// What kind of value belongs here.
    pub kind: Kind,
    /// Its present value.
    pub value: Value,
    /// The least it may be, or each number of a list. The words tell where the bound itself is refused.
    pub min: Option<f64>,
    /// The most it may be, or each number of a list.
    pub max: Option<f64>,
    /// What there is to choose from, where it is a choice.
    pub choices: Vec<Entry>,
}

/// What kind of value a parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// True or false.
    Switch,
    /// One of some names.
    Choice,
    /// A text.
    Text,
    /// A list of numbers.
    Numbers,
}

impl ExperimentFile {
    /// Every parameter, in the order of the text.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut keys = override_key::paths(&self.table);
        if let Some(text) = &self.written {
            keys.sort_by_cached_key(|key| toml_error::locate(text, key));
        }
        keys.into_iter().filter_map(|key| self.parameter(key)).collect()
    }

    /// The same experiment with one parameter set to another value: its text is changed in place, with all comments, and
    /// checked as a whole.
    pub fn with_value(&self, key: &str, value: &Value) -> Result<ExperimentFile, Error> {
        override_key::find(&self.table, key).map_err(|what| self.refuse(&what))?;
        let value = match describe(self.game(), key) {
            Some(described) => toml_value(&described, key, value).map_err(|what| self.refuse(&what))?,
            None => return Err(self.refuse(&format!("`{key}` is not a parameter of {}", self.game()))),
        };
        let text = self.written.clone().unwrap_or_else(|| self.text());
        let text = override_key::put_in_text(&text, key, value).expect("the text was read, and has the key");
        ExperimentFile::parse(&self.name, &self.place, &text)
    }

    /// What the comment at the head of the text says; nothing where there is none.
    pub fn about(&self) -> String {
        let text = self.written.as_deref().unwrap_or_default();
        let lines = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The name of its strategy.
    pub fn strategy(&self) -> &str {
        let strategies = self.table.get("strategy").and_then(|strategy| strategy.as_table());
        strategies.and_then(|strategies| strategies.keys().next()).map_or("", String::as_str)
    }

    fn parameter(&self, key: String) -> Option<Parameter> {
        let described = describe(self.game(), &key)?;
        let value = serde_json::to_value(override_key::find(&self.table, &key).ok()?).ok()?;
        let bound = |number: f64| number.is_finite().then_some(number);
        let (kind, min, max) = match described.allowed {
            Allowed::Whole(min, max) => (Kind::Whole, bound(min), bound(max)),
            Allowed::Number(min, max) => (Kind::Number, bound(min), bound(max)),
            Allowed::Switch => (Kind::Switch, None, None),
            Allowed::Choice(_) => (Kind::Choice, None, None),
            Allowed::Text => (Kind::Text, None, None),
            Allowed::WholeList(min, max) => (Kind::Numbers, bound(min), bound(max)),
            Allowed::NumberList => (Kind::Numbers, None, None),
        };
        let choices = choices(self.game(), &described);
        Some(Parameter { key, about: described.about.to_string(), kind, value, min, max, choices })
    }
}

/// What a key means and may be: the game describes its setup, our table all else.
fn describe(game: &str, key: &str) -> Option<Described> {
    struct Keys;
    impl GameVisitor for Keys {
        type Output = &'static [Described];
        fn visit<G: Game>(self) -> &'static [Described] {
            G::Setup::KEYS
        }
    }
    let neat = || table::NEAT_AT.iter().find_map(|table| key.strip_prefix(table));
    let (known, key) = match key.strip_prefix("setup.") {
        Some(rest) => (games::with_game(game, Keys)?, rest),
        None => neat().map_or((table::PARAMETERS, key), |rest| (table::NEAT, rest)),
    };
    known.iter().find(|described| described.key == key).copied()
}

/// What there is to choose from: what the code lists, or what the table does.
fn choices(game: &str, described: &Described) -> Vec<Entry> {
    let of_game = |wanted: &str| {
        let of_all = catalogue::encoders().into_iter();
        of_all.filter(|(of, kind, _)| *of == game && *kind == wanted).map(|(_, _, entry)| entry).collect()
    };
    match (described.key, described.allowed) {
        ("game", _) => catalogue::games(),
        ("player.encoder", _) => of_game("encoder"),
        ("player.head", _) => of_game("head"),
        (_, Allowed::Choice(names)) => names.iter().map(|&(name, about)| Entry { name, about }).collect(),
        _ => Vec::new(),
    }
}

/// The value as TOML has it; why it cannot be, in one sentence.
fn toml_value(described: &Described, key: &str, value: &Value) -> Result<toml_edit::Value, String> {
    let (found, wanted): (Option<toml_edit::Value>, &str) = match described.allowed {
        Allowed::Whole(..) => (whole(value).map(Into::into), "a whole number"),
        Allowed::Number(..) => (value.as_f64().map(Into::into), "a number"),
        Allowed::Switch => (value.as_bool().map(Into::into), "true or false"),
        Allowed::Choice(_) | Allowed::Text => (value.as_str().map(Into::into), "a text"),
        Allowed::WholeList(..) => (list(value, whole), "a list of whole numbers, such as [4, 4],"),
        Allowed::NumberList => (list(value, Value::as_f64), "a list of numbers, such as [1.5],"),
    };
    found.ok_or_else(|| format!("{key} is {value}, but {wanted} belongs here"))
}

/// Whole numbers may come as 3.0, as from programs that know no others.
fn whole(value: &Value) -> Option<i64> {
    /// Beyond it such numbers skip whole ones.
    const MOST: f64 = (1u64 << 53) as f64;
    let rounded = || value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= MOST);
    value.as_i64().or_else(|| rounded().map(|number| number as i64))
}

fn list<T: Into<toml_edit::Value>>(value: &Value, each: impl Fn(&Value) -> Option<T>) -> Option<toml_edit::Value> {
    let numbers: Option<toml_edit::Array> = value.as_array()?.iter().map(each).collect();
    numbers.map(Into::into)
}
