//! A strategy with all its parameters, as experiments write it: a table such as `[strategy.enn]`.

use crate::params::{StrategyInfo, StrategyParams};
use crate::strategies::{Listed, find, strategies};
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::Any;
use std::{fmt, ops::Deref, sync::Arc};
use toml::{Table, Value};

/// A strategy with all its parameters. It can be any [registered](crate::strategies) strategy.
#[derive(Clone)]
pub struct StrategyConfig {
    info: StrategyInfo,
    params: Arc<dyn StrategyParams>,
}

impl StrategyConfig {
    /// A strategy with its default parameters; `None` if there is no strategy with this name.
    pub fn usual(name: &str) -> Option<StrategyConfig> {
        find(name).map(|listed| StrategyConfig { info: listed.info, params: (listed.usual)() })
    }

    /// The description of the strategy.
    pub fn info(&self) -> StrategyInfo {
        self.info
    }
}

impl<P: StrategyParams> From<P> for StrategyConfig {
    fn from(params: P) -> StrategyConfig {
        StrategyConfig { info: P::info(), params: Arc::new(params) }
    }
}

/// Gives access to the methods of [`StrategyParams`].
impl Deref for StrategyConfig {
    type Target = dyn StrategyParams;

    fn deref(&self) -> &dyn StrategyParams {
        &*self.params
    }
}

impl fmt::Debug for StrategyConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.params.fmt(f)
    }
}

impl PartialEq for StrategyConfig {
    fn eq(&self, other: &StrategyConfig) -> bool {
        let other: &dyn Any = &*other.params;
        self.params.equals(other)
    }
}

impl Serialize for StrategyConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_variant("StrategyConfig", 0, self.info.name, &*self.params)
    }
}

impl<'de> Deserialize<'de> for StrategyConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StrategyConfig, D::Error> {
        deserializer.deserialize_enum("StrategyConfig", &[], Tagged)
    }
}

/// Reads the name of a strategy, then its parameters.
struct Tagged;

impl<'de> Visitor<'de> for Tagged {
    type Value = StrategyConfig;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a strategy with its parameters")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<StrategyConfig, A::Error> {
        let (listed, variant) = data.variant_seed(Word(listed))?;
        let usual = Value::try_from((listed.usual)()).map_err(A::Error::custom)?;
        let accepts = |value| (listed.read)(value).map(drop);
        let value = variant.newtype_variant_seed(Part { usual: Some(&usual), accepts: &accepts })?;
        let params = (listed.read)(value).map_err(|error| A::Error::custom(error.message()))?;
        Ok(StrategyConfig { info: listed.info, params })
    }
}

fn listed(name: &str) -> Result<Listed, String> {
    find(name).ok_or_else(|| {
        let known: Vec<&str> = strategies().iter().map(|info| info.name).collect();
        format!("unknown variant `{name}`, expected one of `{}`", known.join("`, `"))
    })
}

/// Reads a name or a key; the function converts it or says why it is refused.
struct Word<F>(F);

impl<'de, T, F: Fn(&str) -> Result<T, String>> DeserializeSeed<'de> for Word<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T, F: Fn(&str) -> Result<T, String>> Visitor<'_> for Word<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
        (self.0)(word).map_err(E::custom)
    }
}

/// Reads parameters, or a part of them, from any format into a TOML value.
///
/// Only the list of strategies knows the type of the parameters and reads it from such a value, but an error found in a
/// complete value has no line and column. So every key and every value is tried with the type as soon as it is read, in
/// place of the default's value. An error then comes up at once, and the format knows its line and column.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// The default value at this place.
    usual: Option<&'a Value>,
    /// Checks that the type accepts a value at this place if everything else is as in the default.
    accepts: &'a dyn Fn(Value) -> Result<(), toml::de::Error>,
}

/// The number of values of a list that are tried one by one. The rest is tried with the whole list, because a list from
/// outside may be long.
const OFFERED: usize = 100;

impl Part<'_> {
    fn accepted<E: Error>(&self, value: Value) -> Result<Value, E> {
        (self.accepts)(value.clone()).map_err(|error| E::custom(error.message()))?;
        Ok(value)
    }

    /// Checks that a list or a table is allowed at this place. An empty one is tried; errors about missing content are
    /// ignored.
    fn begun<E: Error>(&self, empty: Value) -> Result<(), E> {
        const LACKING: [&str; 3] = ["invalid length", "missing field", "wanted exactly 1 element"];
        match (self.accepts)(empty) {
            Err(error) if !LACKING.iter().any(|start| error.message().starts_with(start)) => {
                Err(E::custom(error.message()))
            }
            _ => Ok(()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value that TOML can write")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.accepted(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.accepted(Value::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.visit_i64(i64::try_from(value).map_err(E::custom)?)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.accepted(Value::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.accepted(Value::String(value.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        self.begun(Value::Array(Vec::new()))?;
        let mut values: Vec<Value> = Vec::new();
        loop {
            // Types that need a certain number of values refuse fewer, so such errors are ignored until the list is
            // complete.
            let accepts = |value| match (self.accepts)([&values[..], &[value]].concat().into()) {
                Err(error) if !error.message().starts_with("invalid length") => Err(error),
                _ => Ok(()),
            };
            let next = match values.len() < OFFERED {
                true => list.next_element_seed(Part { usual: None, accepts: &accepts })?,
                false => list.next_element()?,
            };
            match next {
                Some(value) => values.push(value),
                None => return self.accepted(Value::Array(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.begun(Value::Table(Table::new()))?;
        let usual = self.usual.and_then(Value::as_table).cloned().unwrap_or_default();
        let with = |key: &str, value: Value| {
            let mut table = usual.clone();
            table.insert(key.to_string(), value);
            (self.accepts)(Value::Table(table))
        };
        // A key that the default does not have is tried with any value, to see whether the type knows it.
        let known = |key: &str| match with(key, Value::Boolean(false)) {
            Err(error) if error.message().starts_with("unknown ") => Err(error.message().to_string()),
            _ => Ok(key.to_string()),
        };
        let known = |key: &str| if usual.contains_key(key) { Ok(key.to_string()) } else { known(key) };
        let mut table = Table::new();
        while let Some(key) = map.next_key_seed(Word(known))? {
            let value = map.next_value_seed(Part { usual: usual.get(&key), accepts: &|value| with(&key, value) })?;
            table.insert(key, value);
        }
        self.accepted(Value::Table(table))
    }
}
