//! How a strategy describes itself: its name, its parameters, its abilities, and how its populations are made.

use crate::{Activation, Footprint, NetworkError, Shape, Strategy};
use chance::Rng;
use parameters::{Allowed, Described, KeyError};
use serde::{Serialize, de::DeserializeOwned};
use std::any::Any;
use std::fmt;
use toml::{Value, de::ValueDeserializer};

/// The parameters of a strategy. They describe themselves and make populations.
///
/// To be [registered](crate::register), they must also have a `Default` and be read and written by serde. They should
/// refuse unknown keys (`#[serde(deny_unknown_fields)]`). `docs/extending-strategy.md` shows a complete strategy.
pub trait StrategyParams: PlainData {
    /// The description of the strategy.
    fn info() -> StrategyInfo
    where
        Self: Sized;
    /// The number of networks.
    fn population(&self) -> usize;
    /// Checks the values; the error says in one sentence what is wrong.
    fn checked(&self) -> Result<(), KeyError>;
    /// The first generation. The parameters have been [checked](StrategyParams::checked) and
    /// [fit](StrategyParams::fits).
    fn create(&self, shape: Shape, rng: &mut Rng) -> Box<dyn Strategy>;
    /// The generation from the bytes of [`Strategy::save`].
    fn restore(&self, shape: Shape, bytes: &[u8]) -> Result<Box<dyn Strategy>, NetworkError>;

    /// Checks that the networks can have this shape; the error says in one sentence why they cannot.
    fn fits(&self, shape: Shape) -> Result<(), KeyError> {
        let _ = shape;
        Ok(())
    }
    /// The memory that a population takes. The shape [fits](StrategyParams::fits). By default it is the memory of
    /// networks in which every input is connected to every output.
    fn footprint(&self, shape: Shape) -> Footprint {
        Footprint::of_graphs(self.population(), shape)
    }
    /// The number of genes that each network carries for its encoder.
    fn genes(&self) -> usize {
        0
    }
    /// The lowest and the highest value of genes; `None` if networks carry none.
    fn gene_bounds(&self) -> Option<(f64, f64)> {
        None
    }
    /// The number of positions from won games that the strategy wants for each network and generation; see
    /// [`Results::won`](crate::Results).
    fn remembers(&self) -> usize {
        0
    }
    /// Whether networks of another population can join; then its populations are a [`Host`](crate::Host).
    fn takes_migrants(&self) -> bool {
        false
    }
    /// Whether the strategy is one network that learns by playing against itself; then it is a
    /// [`Learner`](crate::Learner).
    fn learns(&self) -> bool {
        false
    }

    /// Whether the network that learns studies all games of a generation together, after they were played; then it is a
    /// [`Student`](crate::Student) and not a [`Learner`](crate::Learner).
    fn studies(&self) -> bool {
        false
    }

    /// Whether the network learns the values of the leaves at which searches end (see
    /// [`Learner::learns_leaves`](crate::Learner::learns_leaves)).
    fn learns_leaves(&self) -> bool {
        false
    }
}

erased_serde::serialize_trait_object!(StrategyParams);

/// What parameters can do because they are plain data. Every type with these traits implements it automatically.
pub trait PlainData: Any + fmt::Debug + Send + Sync + erased_serde::Serialize {
    /// Whether `other` has the same type and the same values.
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<T: Any + fmt::Debug + PartialEq + Send + Sync + Serialize> PlainData for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>() == Some(self)
    }
}

/// The description of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo {
    /// The name that people type.
    pub name: &'static str,
    /// One sentence about the strategy.
    pub about: &'static str,
    /// Descriptions of all parameters. Each list comes with the prefix of its keys: empty, or the path of a table such
    /// as `neat.`.
    pub keys: &'static [(&'static str, &'static [Described])],
}

impl StrategyInfo {
    /// The description of one parameter, or `None` if there is no such key.
    pub fn describe(&self, key: &str) -> Option<Described> {
        let of_list = |(table, keys): &(&str, &[Described])| {
            let key = key.strip_prefix(table)?;
            keys.iter().find(|described| described.key == key).copied()
        };
        self.keys.iter().find_map(of_list)
    }
}

/// The allowed numbers of networks in a population.
pub const POPULATION: Allowed = Allowed::Whole(2.0, MOST_NETWORKS as f64);

/// The highest number of networks in a population, so that a typing error cannot fill the memory.
const MOST_NETWORKS: usize = 1_000_000;

/// The names of all activation functions.
pub const ACTIVATIONS: Allowed = Allowed::Choice(&[
    (Activation::NAMES[0], "x above 0, alpha·(eˣ − 1) below"),
    (Activation::NAMES[1], "x above 0, 0 below"),
    (Activation::NAMES[2], "1 / (1 + e⁻ˣ), from 0 to 1"),
    (Activation::NAMES[3], "the hyperbolic tangent, from −1 to 1"),
    (Activation::NAMES[4], "x itself"),
    (Activation::NAMES[5], "1 / (1 + e⁻ˢˣ), of steepness s"),
    (Activation::NAMES[6], "steep, stretched to −1 to 1"),
    (Activation::NAMES[7], "bilateral above 0, and 0 below"),
]);

/// `Default` for parameters: those of a shipped experiment, so that its numbers are written only once.
macro_rules! default_of_experiment {
    ($params:ident, $experiment:literal) => {
        #[doc = concat!("As in the experiment `", $experiment, "`.")]
        impl Default for $params {
            fn default() -> $params {
                $crate::params::of_experiment($experiment)
            }
        }
    };
}

/// The methods of parameters that create and restore a population; for layered networks also `fits`.
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

/// The parameters of a strategy in a shipped experiment.
pub(crate) fn of_experiment<P: StrategyParams + DeserializeOwned>(name: &str) -> P {
    let text = experiments::text(name).expect("the experiment is shipped");
    let mut table: toml::Table = text.parse().expect("a shipped experiment is TOML");
    let params = table.remove("strategy").and_then(|mut strategy| strategy.as_table_mut()?.remove(P::info().name));
    let params = params.expect("the experiment is of this strategy");
    from_value(&params).expect("a shipped experiment is valid")
}

/// Reads parameters from the text of a value. Errors from a text are clearer than errors from a value, and one way to
/// read parameters compiles faster than two.
pub(crate) fn from_value<P: DeserializeOwned>(value: &Value) -> Result<P, toml::de::Error> {
    P::deserialize(ValueDeserializer::parse(&value.to_string())?)
}

/// An error about `key` unless `right` is true. `rule` says what is allowed, for example "it must be above 0".
pub fn must(right: bool, key: &'static str, found: impl fmt::Display, rule: impl fmt::Display) -> Result<(), KeyError> {
    if right { Ok(()) } else { Err(KeyError::new(key, format!("{key} is {found}, but {rule}"))) }
}

/// Checks the number of networks. The message gives the bounds of [`POPULATION`]; a single network is accepted as well,
/// because it can play against itself.
pub fn checked_population(population: usize) -> Result<(), KeyError> {
    let right = (1..=MOST_NETWORKS).contains(&population);
    must(right, "population", population, format_args!("it must be from 2 to {MOST_NETWORKS}"))
}

/// Checks the number of elites: at least one network must stay, and at least one must be new.
pub(crate) fn checked_elites(population: usize, elites: usize) -> Result<(), KeyError> {
    checked_population(population)?;
    must(population >= 2, "population", population, "it must be at least 2: an elite and a new network")?;
    let rule = format!("it must be from 1 to {}: at least one network of {population} must be new", population - 1);
    must((1..population).contains(&elites), "elites", elites, rule)
}

/// Checks the names of activation functions.
pub(crate) fn checked_activations(names: [(&'static str, &str); 2]) -> Result<(), KeyError> {
    let there_are = format!("the activations are {}", Activation::NAMES.join(", "));
    let known = |name: &str| Activation::named(name, 0.0).is_some();
    names.into_iter().try_for_each(|(key, name)| must(known(name), key, format_args!("`{name}`"), &there_are))
}

/// Checks that a number is above 0 and at most `most`.
pub(crate) fn above_0(key: &'static str, number: f64, most: f64) -> Result<(), KeyError> {
    must(number > 0.0 && number <= most, key, number, format_args!("it must be above 0, up to {most}"))
}

/// Checks that a number is at least 0.
pub(crate) fn from_0(key: &'static str, number: f64) -> Result<(), KeyError> {
    must(number >= 0.0 && number.is_finite(), key, number, "it must be a number from 0 up")
}

/// Checks that a number is from `low` to `high`.
pub(crate) fn within(key: &'static str, number: f64, low: f64, high: f64) -> Result<(), KeyError> {
    must((low..=high).contains(&number), key, number, format_args!("it must be from {low} to {high}"))
}

/// Checks that a number is a probability.
pub(crate) fn chance(key: &'static str, number: f64) -> Result<(), KeyError> {
    must((0.0..=1.0).contains(&number), key, number, "a chance is from 0 to 1")
}
