//! Descriptions of parameters that people set: what a parameter means, and which values are allowed. Games describe
//! their setups in this way, and strategies their parameters; forms and lists show it. Whether values fit together is
//! checked by the owner of the parameters.
//!
//! ```
//! use parameters::{Allowed, Described, FROM_1, key};
//! const KEYS: &[Described] = &[
//!     key("games", "how many games are played", FROM_1),
//!     key("step", "how far weights move; above 0", Allowed::Number(0.0, 10.0)),
//! ];
//! assert_eq!(KEYS[1].key, "step");
//! ```

/// The description of one key of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Described {
    /// The key, with dots if it is in an inner table.
    pub key: &'static str,
    /// What it means, in one phrase.
    pub about: &'static str,
    /// The allowed values.
    pub allowed: Allowed,
    /// For a key that may be left out: the value that it then has, as TOML. `None` if the key must be given.
    pub absent: Option<&'static str>,
}

impl Described {
    /// The same key, which may be left out; it then has this value, given as TOML.
    pub const fn or(self, absent: &'static str) -> Described {
        Described { absent: Some(absent), ..self }
    }
}

/// The allowed values of a key. Bounds are inclusive; [`OPEN`] stands for no bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// A whole number, with the lowest and the highest value.
    Whole(f64, f64),
    /// Any number, with the lowest and the highest value.
    Number(f64, f64),
    /// True or false.
    Switch,
    /// One of these names, each with an explanation.
    Choice(&'static [(&'static str, &'static str)]),
    /// A text.
    Text,
    /// A list of whole numbers, with the lowest and the highest value of each.
    WholeList(f64, f64),
    /// A list of any numbers.
    NumberList,
}

impl Allowed {
    /// An allowed value as JSON and TOML write it, for tests of described parameters.
    pub fn example(self) -> String {
        match self {
            Allowed::Whole(least, _) => format!("{least}"),
            Allowed::Number(least, most) => format!("{:?}", 1f64.clamp(least, most)),
            Allowed::Switch => "true".to_string(),
            Allowed::Choice(names) => format!("{:?}", names.first().map_or("", |(name, _)| name)),
            Allowed::Text => "\"\"".to_string(),
            Allowed::WholeList(..) | Allowed::NumberList => "[]".to_string(),
        }
    }
}

/// No bound.
pub const OPEN: f64 = f64::INFINITY;

/// A probability or a share.
pub const CHANCE: Allowed = Allowed::Number(0.0, 1.0);
/// Any number from 0 upward.
pub const FROM_0: Allowed = Allowed::Number(0.0, OPEN);
/// Any whole number from 0 upward.
pub const WHOLE: Allowed = Allowed::Whole(0.0, OPEN);
/// Any whole number from 1 upward.
pub const FROM_1: Allowed = Allowed::Whole(1.0, OPEN);

/// A key with its explanation and its allowed values.
pub const fn key(key: &'static str, about: &'static str, allowed: Allowed) -> Described {
    Described { key, about, allowed, absent: None }
}

/// A parameter with a value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The key with the wrong value, or one of several; with dots if it is in an inner table.
    pub key: String,
    /// What was found, and what is allowed.
    pub what: String,
}

impl KeyError {
    /// An error about this key.
    pub fn new(key: impl Into<String>, what: impl Into<String>) -> KeyError {
        KeyError { key: key.into(), what: what.into() }
    }
}

impl std::fmt::Display for KeyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for KeyError {}
