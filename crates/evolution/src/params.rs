//! What a strategy tells about itself: its name, its parameters in words, what it can do, and how its populations are made.

use crate::{Activation, Footprint, NetworkError, Shape, Strategy};
use chance::Rng;
use parameters::{Allowed, Described, KeyError};
use serde::{Serialize, de::DeserializeOwned};
use std::any::Any;
use std::fmt;

/// The parameters of a strategy. They describe themselves, and make populations.
///
/// To be [registered](crate::register), they must also have a `Default`, and be read and written by serde; keys that they do
/// not know should be refused (`#[serde(deny_unknown_fields)]`). `docs/extending-strategy.md` shows a complete strategy.
pub trait StrategyParams: PlainData {
    /// The strategy in words.
    fn info() -> StrategyInfo
    where
        Self: Sized;
    /// How many networks it breeds.
    fn population(&self) -> usize;
    /// Whether the values go together; if not, why, in one sentence.
    fn checked(&self) -> Result<(), KeyError>;
    /// The first generation. The parameters have been [checked](StrategyParams::checked) and [fit](StrategyParams::fits).
    fn create(&self, shape: Shape, rng: &mut Rng) -> Box<dyn Strategy>;
    /// The generation that was [saved](Strategy::save).
    fn restore(&self, shape: Shape, bytes: &[u8]) -> Result<Box<dyn Strategy>, NetworkError>;

    /// Whether its networks can have that shape; if not, why, in one sentence.
    fn fits(&self, shape: Shape) -> Result<(), KeyError> {
        let _ = shape;
        Ok(())
    }
    /// How much memory its population takes. The shape [fits](StrategyParams::fits). Unless a strategy knows better: as much as
    /// networks in which every input is joined to every output.
    fn footprint(&self, shape: Shape) -> Footprint {
        Footprint::of_graphs(self.population(), shape)
    }
    /// How many numbers its networks carry for their encoder.
    fn genes(&self) -> usize {
        0
    }
    /// The lowest and the highest value of those numbers, where networks carry some.
    fn gene_bounds(&self) -> Option<(f64, f64)> {
        None
    }
    /// How many positions of won games it wants of each network, each generation; see [`Results::won`](crate::Results).
    fn remembers(&self) -> usize {
        0
    }
    /// Whether networks of another population can join it: then its populations are a [`Host`](crate::Host).
    fn takes_migrants(&self) -> bool {
        false
    }
    /// Whether it is one network that learns as it plays itself: then it is a [`Learner`](crate::Learner).
    fn learns(&self) -> bool {
        false
    }
}

erased_serde::serialize_trait_object!(StrategyParams);

/// What parameters can do because they are plain data. Nobody writes this: every type with these traits has it.
pub trait PlainData: Any + fmt::Debug + Send + Sync + erased_serde::Serialize {
    /// Whether the other has the same type and the same values.
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<T: Any + fmt::Debug + PartialEq + Send + Sync + Serialize> PlainData for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>() == Some(self)
    }
}

/// A strategy in words.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo {
    /// The name people type.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Every parameter; each list with what stands before its keys: nothing, or the path of a table such as `neat.`.
    pub keys: &'static [(&'static str, &'static [Described])],
}

impl StrategyInfo {
    /// What one of its parameters means and may be.
    pub fn describe(&self, key: &str) -> Option<Described> {
        let of_list = |(table, keys): &(&str, &[Described])| {
            let key = key.strip_prefix(table)?;
            keys.iter().find(|described| described.key == key).copied()
        };
        self.keys.iter().find_map(of_list)
    }
}

/// How many networks a population may have.
pub const POPULATION: Allowed = Allowed::Whole(2.0, MOST_NETWORKS as f64);

/// The most networks of a population: a slip of the finger should not fill the memory.
const MOST_NETWORKS: usize = 1_000_000;

/// The names of all activations.
pub const ACTIVATIONS: Allowed = Allowed::Choice(&[
    (Activation::NAMES[0], "x above 0, alpha·(eˣ − 1) below"),
    (Activation::NAMES[1], "x above 0, 0 below"),
    (Activation::NAMES[2], "1 / (1 + e⁻ˣ), from 0 to 1"),
    (Activation::NAMES[3], "the hyperbolic tangent, from −1 to 1"),
    (Activation::NAMES[4], "x itself"),
    (Activation::NAMES[5], "1 / (1 + e⁻ˢˣ), of steepness s"),
    (Activation::NAMES[6], "the same stretched to −1 to 1"),
    (Activation::NAMES[7], "the same above 0, and 0 below"),
]);

/// `Default` for parameters: those of a shipped experiment, so that its numbers are written once.
macro_rules! default_of_experiment {
    ($params:ident, $experiment:literal) => {
        #[doc = concat!("As in the experiment `", $experiment, "`.")]
        impl Default for $params {
            fn default() -> $params {
                let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/", $experiment, ".toml"));
                $crate::params::of_experiment(text)
            }
        }
    };
}

/// The methods of parameters that make populations of one type; for layered networks also whether they fit.
macro_rules! made_by {
    ($population:ident of layers) => {
        fn fits(&self, shape: Shape) -> Result<(), KeyError> {
            self.layers().fits(shape)
        }

        made_by!($population);
    };
    ($population:ident) => {
        fn create(&self, shape: Shape, rng: &mut Rng) -> Box<dyn $crate::Strategy> {
            Box::new($population::create(self, shape, rng))
        }

        fn restore(&self, shape: Shape, bytes: &[u8]) -> Result<Box<dyn $crate::Strategy>, NetworkError> {
            Ok(Box::new($population::restore(self, shape, bytes)?))
        }
    };
}

pub(crate) use {default_of_experiment, made_by};

/// The parameters of a strategy in the text of a shipped experiment.
pub(crate) fn of_experiment<P: StrategyParams + DeserializeOwned>(text: &str) -> P {
    let mut table: toml::Table = text.parse().expect("a shipped experiment is TOML");
    let params = table.remove("strategy").and_then(|mut strategy| strategy.as_table_mut()?.remove(P::info().name));
    params.expect("the experiment is of this strategy").try_into().expect("a shipped experiment is right")
}

/// Refuses a value unless it is right; the rule says what would be, such as "it must be above 0".
pub fn must(right: bool, key: &'static str, found: impl fmt::Display, rule: impl fmt::Display) -> Result<(), KeyError> {
    if right { Ok(()) } else { Err(KeyError::new(key, format!("{key} is {found}, but {rule}"))) }
}

/// Checks how many networks are bred.
pub fn checked_population(population: usize) -> Result<(), KeyError> {
    let right = (1..=MOST_NETWORKS).contains(&population);
    must(right, "population", population, format_args!("it must be from 1 to {MOST_NETWORKS}"))
}

/// Checks how many of a population stay as they are while the others are new.
pub(crate) fn checked_elites(population: usize, elites: usize) -> Result<(), KeyError> {
    checked_population(population)?;
    must(population >= 2, "population", population, "it must be at least 2: elites and others")?;
    let rule = format!("it must be from 1 to {}: of {population} some must be new", population - 1);
    must((1..population).contains(&elites), "elites", elites, rule)
}

/// Checks the names of activations.
pub(crate) fn checked_activations(names: [(&'static str, &str); 2]) -> Result<(), KeyError> {
    let there_are = format!("there are {}", Activation::NAMES.join(", "));
    let known = |name: &str| Activation::named(name, 0.0).is_some();
    names.into_iter().try_for_each(|(key, name)| must(known(name), key, format_args!("`{name}`"), &there_are))
}

/// Checks that a number is above 0 and at most `most`.
pub(crate) fn above_0(key: &'static str, number: f64, most: f64) -> Result<(), KeyError> {
    must(number > 0.0 && number <= most, key, number, format_args!("it must be above 0, up to {most}"))
}

/// Checks that a number is from 0 up.
pub(crate) fn from_0(key: &'static str, number: f64) -> Result<(), KeyError> {
    must(number >= 0.0 && number.is_finite(), key, number, "it must be a number from 0 up")
}

/// Checks that a number is between two others.
pub(crate) fn within(key: &'static str, number: f64, low: f64, high: f64) -> Result<(), KeyError> {
    must((low..=high).contains(&number), key, number, format_args!("it must be from {low} to {high}"))
}

/// Checks that a number is a chance.
pub(crate) fn chance(key: &'static str, number: f64) -> Result<(), KeyError> {
    must((0.0..=1.0).contains(&number), key, number, "a chance is from 0 to 1")
}
