//! Every parameter of an experiment, for forms and lists: its meaning, its bounds and its value.

#[cfg(test)]
mod tests;

use crate::ExperimentFile;
use crate::catalogue::{self, Entry};
use crate::descriptions::describe;
use crate::error::Error;
use games::{Allowed, Described};
use serde::Serialize;
use serde_json::Value;

/// A parameter of an experiment: its meaning, its bounds and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Parameter {
    /// The dotted path, such as `strategy.enn.population`.
    pub key: String,
    /// What it means, in one phrase.
    pub about: String,
    /// The kind of value.
    pub kind: Kind,
    /// Its present value.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub value: Value,
    /// The least value, or the least for each number of a list. `about` says if the bound itself is excluded.
    pub min: Option<f64>,
    /// The greatest value, or the greatest for each number of a list.
    pub max: Option<f64>,
    /// The names to choose from; empty if the parameter is not a choice.
    pub choices: Vec<Entry>,
}

/// The kind of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// `true` or `false`.
    Switch,
    /// One of several names.
    Choice,
    /// A text.
    Text,
    /// A list of numbers.
    Numbers,
}

impl ExperimentFile {
    /// Every parameter, in the order of the text.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.keys().into_iter().filter_map(|key| self.parameter(key)).collect()
    }

    /// A copy with one parameter set to a value given as JSON. Comments in the text are kept.
    pub fn with_json(&self, key: &str, value: &Value) -> Result<ExperimentFile, Error> {
        self.value(key).map_err(|what| self.refuse(&what))?;
        let value = match describe(self.game(), key) {
            Some(described) => toml_value(&described, key, value).map_err(|what| self.refuse(&what))?,
            None => return Err(self.refuse(&format!("`{key}` is not a parameter of {}", self.game()))),
        };
        let text = self.text_with([(key, &value)].into_iter());
        let text = text.ok_or_else(|| self.refuse(&format!("`{key}` cannot be changed in this text")))?;
        // Users see the changed text, so that messages name its lines.
        ExperimentFile::parse(&self.name, &self.place, &text)
    }

    /// Why a parameter cannot have this value, in one sentence; `None` if it is no number, or if its
    /// [bounds](Parameter) allow the value.
    pub(crate) fn out_of_bounds(&self, key: &str, value: &toml::Value) -> Option<String> {
        let Parameter { kind, min, max, .. } = self.parameter(key.to_string())?;
        let (number, wanted) = match kind {
            Kind::Whole => (value.as_integer().map(|whole| whole as f64), "a whole number"),
            Kind::Number => (value.as_float().or(value.as_integer().map(|whole| whole as f64)), "a number"),
            Kind::Switch | Kind::Choice | Kind::Text | Kind::Numbers => return None,
        };
        if number.is_some_and(|number| number >= min.unwrap_or(f64::MIN) && number <= max.unwrap_or(f64::MAX)) {
            return None;
        }
        let bounds = match (min, max) {
            (Some(min), Some(max)) => format!(" from {min} to {max}"),
            (Some(min), None) => format!(" from {min} up"),
            (None, Some(max)) => format!(" up to {max}"),
            (None, None) => String::new(),
        };
        Some(format!("{key} is {value}, but it must be {wanted}{bounds}"))
    }

    fn parameter(&self, key: String) -> Option<Parameter> {
        let described = describe(self.game(), &key)?;
        let value = serde_json::to_value(self.value(&key).ok()?).ok()?;
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

/// The names to choose from: those of the game, or those in the description.
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

/// Converts JSON to a TOML value. The error says in one sentence which kind of value is needed.
fn toml_value(described: &Described, key: &str, value: &Value) -> Result<toml::Value, String> {
    let (found, wanted): (Option<toml::Value>, &str) = match described.allowed {
        Allowed::Whole(..) => (whole(value).map(Into::into), "a whole number"),
        Allowed::Number(..) => (value.as_f64().map(Into::into), "a number"),
        Allowed::Switch => (value.as_bool().map(Into::into), "true or false"),
        Allowed::Choice(_) | Allowed::Text => (value.as_str().map(Into::into), "a text"),
        Allowed::WholeList(..) => (list(value, whole), "a list of whole numbers, such as [4, 4],"),
        Allowed::NumberList => (list(value, Value::as_f64), "a list of numbers, such as [1.5],"),
    };
    found.ok_or_else(|| format!("{key} is {value}, but {wanted} belongs here"))
}

/// Accepts whole numbers that are written as 3.0, because some programs have only one kind of number.
fn whole(value: &Value) -> Option<i64> {
    /// Above this, an `f64` cannot represent every whole number.
    const MOST: f64 = (1u64 << 53) as f64;
    let rounded = || value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= MOST);
    value.as_i64().or_else(|| rounded().map(|number| number as i64))
}

fn list<T: Into<toml::Value>>(value: &Value, each: impl Fn(&Value) -> Option<T>) -> Option<toml::Value> {
    let numbers: Option<Vec<T>> = value.as_array()?.iter().map(each).collect();
    numbers.map(Into::into)
}
