//! A parameter that people set, in words: what it means, and what it may be. Games describe their setups so and strategies
//! their parameters; forms and lists show it. Whether values go together is decided by the checks of their owners.
//!
//! ```
//! use parameters::{Allowed, Described, FROM_1, key};
//! const KEYS: &[Described] = &[
//!     key("games", "how many games are played", FROM_1),
//!     key("step", "how far weights move; above 0", Allowed::Number(0.0, 10.0)),
//! ];
//! assert_eq!(KEYS[1].key, "step");
//! ```

/// A key of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Described {
    /// The key, dotted where it stands in a table within.
    pub key: &'static str,
    /// What it means, in one phrase.
    pub about: &'static str,
    /// What it may be.
    pub allowed: Allowed,
}

/// What a key may be. Bounds are inclusive; [`OPEN`] where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// A whole number, from and to.
    Whole(f64, f64),
    /// Any number, from and to.
    Number(f64, f64),
    /// True or false.
    Switch,
    /// One of these names, each with a phrase.
    Choice(&'static [(&'static str, &'static str)]),
    /// A text.
    Text,
    /// A list of whole numbers, each from and to.
    WholeList(f64, f64),
    /// A list of any numbers.
    NumberList,
}

impl Allowed {
    /// A value that is allowed, as JSON and TOML write it; for tests of whatever is described.
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

/// A chance or a share.
pub const CHANCE: Allowed = Allowed::Number(0.0, 1.0);
/// Any number from 0 up.
pub const FROM_0: Allowed = Allowed::Number(0.0, OPEN);
/// Any whole number from 0 up.
pub const WHOLE: Allowed = Allowed::Whole(0.0, OPEN);
/// Any whole number from 1 up.
pub const FROM_1: Allowed = Allowed::Whole(1.0, OPEN);

/// A key with its explanation and what it may be.
pub const fn key(key: &'static str, about: &'static str, allowed: Allowed) -> Described {
    Described { key, about, allowed }
}

/// A parameter that cannot be what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The key at fault, or one of several, dotted where it stands in a table within.
    pub key: String,
    /// What was found, and what would be right.
    pub what: String,
}

impl KeyError {
    /// An error at that key.
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
