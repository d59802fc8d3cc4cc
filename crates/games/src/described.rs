//! A key that people set, in words: what it means, and what it may be. For forms and lists; the check of the whole decides.

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

/// No bound.
pub const OPEN: f64 = f64::INFINITY;
