//! The list of strategies: each built-in strategy is one file and one line; other crates can add more.

use crate::params::{StrategyInfo, StrategyParams, from_value};
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use toml::Value;

pub(crate) mod layers;
mod memory;

/// The built-in strategies: the file of each, its parameters, and the types that they contain. `cargo fmt` does not
/// find files that are named in a macro; `./test` formats them by name.
macro_rules! strategies {
    ($($file:ident::{$params:ident $(, $part:ident)*}),+ $(,)?) => {
        $(
            mod $file;
            pub use $file::{$params $(, $part)*};
        )+
        fn built_in() -> Vec<Listed> {
            vec![$(Listed::of::<$params>()),+]
        }
    };
}

strategies![
    enn::{EnnParams},
    neat::{NeatParams, Bias, StartParams, SelectionSettings},
    series::{SeriesParams, Keep},
    ga::{GaParams, Crossover},
    blondie::{BlondieParams},
    random_search::{RandomSearchParams},
    cma_es::{CmaEsParams, Covariance},
    openai_es::{OpenaiEsParams},
    td::{TdParams},
    bootstrap::{BootstrapParams},
];

/// A strategy in the list.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub info: StrategyInfo,
    /// Makes the default parameters.
    pub usual: fn() -> Arc<dyn StrategyParams>,
    /// Reads the parameters.
    pub read: fn(Value) -> Result<Arc<dyn StrategyParams>, toml::de::Error>,
}

impl Listed {
    fn of<P: StrategyParams + Default + DeserializeOwned>() -> Listed {
        Listed { info: P::info(), usual: || Arc::new(P::default()), read: read::<P> }
    }
}

fn read<P: StrategyParams + DeserializeOwned>(value: Value) -> Result<Arc<dyn StrategyParams>, toml::de::Error> {
    Ok(Arc::new(from_value::<P>(&value)?))
}

static LIST: LazyLock<RwLock<Vec<Listed>>> = LazyLock::new(|| RwLock::new(built_in()));

/// Adds a strategy to the list of this process. Afterwards experiments can use it, and it is listed like the others.
/// Strategies must be added at the start of `main`, before anything is read.
pub fn register<P: StrategyParams + Default + DeserializeOwned>() -> Result<(), NameTaken> {
    let mut list = LIST.write().unwrap_or_else(PoisonError::into_inner);
    let new = Listed::of::<P>();
    if list.iter().any(|listed| listed.info.name == new.info.name) {
        return Err(NameTaken(new.info.name));
    }
    list.push(new);
    Ok(())
}

/// All strategies: first the built-in ones, then those that were [registered](register).
pub fn strategies() -> Vec<StrategyInfo> {
    LIST.read().unwrap_or_else(PoisonError::into_inner).iter().map(|listed| listed.info).collect()
}

/// The strategy with this name.
pub(crate) fn find(name: &str) -> Option<Listed> {
    LIST.read().unwrap_or_else(PoisonError::into_inner).iter().find(|listed| listed.info.name == name).copied()
}

/// A strategy was not registered, because there is already one with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameTaken(pub &'static str);

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is a strategy `{}` already; choose another name", self.0)
    }
}

impl std::error::Error for NameTaken {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Results, Shape, StrategyConfig};
    use chance::rng_for;
    use parameters::Described;
    use serde::Deserialize;

    const SHAPE: Shape = Shape { inputs: 3, outputs: 1 };

    fn usual() -> Vec<StrategyConfig> {
        strategies().iter().map(|info| StrategyConfig::usual(info.name).unwrap()).collect()
    }

    /// The paths of all values.
    fn paths(at: &str, value: &Value) -> Vec<String> {
        match value {
            Value::Table(table) => table.iter().flat_map(|(key, value)| paths(&format!("{at}.{key}"), value)).collect(),
            _ => vec![at.to_string()],
        }
    }

    #[test]
    fn defaults_pass_their_checks() {
        for config in usual() {
            config.checked().and_then(|()| config.fits(SHAPE)).unwrap();
        }
    }

    #[test]
    fn every_key_has_exactly_one_description() {
        for config in usual() {
            let info = config.info();
            let at = |table: &str, key: &str| format!(".{}.{table}{key}", info.name);
            let of = |may_be_absent: bool| {
                let is_wanted = move |described: &&Described| described.absent.is_some() == may_be_absent;
                let keys = info.keys.iter().flat_map(move |(table, keys)| {
                    keys.iter().filter(is_wanted).map(move |described| at(table, described.key))
                });
                let mut keys: Vec<String> = keys.collect();
                keys.sort();
                keys
            };
            let mut found = paths("", &Value::try_from(&config).unwrap());
            found.sort();
            // Keys that may be left out are written only if they say something.
            assert_eq!(of(false), found);
            let mut all = [of(false), of(true)].concat();
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count);
            assert!(!info.about.is_empty() && info.describe("population.x").is_none());
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for config in usual() {
            let (toml, json) = (toml::to_string(&config).unwrap(), serde_json::to_string(&config).unwrap());
            assert!(toml.starts_with(&format!("[{}]\n", config.info().name)), "{toml}");
            assert_eq!(toml::from_str::<StrategyConfig>(&toml).unwrap(), config);
            assert_eq!(serde_json::from_str::<StrategyConfig>(&json).unwrap(), config);
        }
    }

    #[test]
    fn abilities_are_those_that_are_promised() {
        for config in usual() {
            let mut strategy = config.create(SHAPE, &mut rng_for(1, &[]));
            assert_eq!(strategy.networks().len(), config.population());
            assert_eq!(strategy.learner().is_some(), config.learns() && !config.studies());
            assert_eq!(strategy.student().is_some(), config.studies());
            assert_eq!(strategy.host().is_some(), config.takes_migrants());
            assert!(strategy.networks().iter().all(|network| network.genes().len() == config.genes()));
            assert_eq!(config.gene_bounds().is_some(), config.genes() > 0);
            let scores: Vec<f64> = (0..config.population()).map(|place| place as f64).collect();
            strategy.advance(&Results::of(&scores), &mut rng_for(2, &[]));
            let saved = strategy.save();
            assert_eq!(config.restore(SHAPE, &saved).unwrap().save(), saved);
            assert!(config.restore(SHAPE, &saved[..saved.len() / 2]).is_err());
        }
    }

    #[test]
    fn names_are_taken_once() {
        assert_eq!(register::<EnnParams>(), Err(NameTaken("enn")));
        let error = serde_json::from_str::<StrategyConfig>(r#"{"nn": {}}"#).unwrap_err().to_string();
        assert!(error.starts_with("unknown variant `nn`, expected one of `enn`, `neat`, "), "{error}");
    }

    /// Errors and their positions must be those that serde finds if it knows the type.
    #[test]
    fn errors_are_those_of_the_type_itself() {
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[allow(dead_code, clippy::large_enum_variant)]
        enum Plain {
            Neat(NeatParams),
            CmaEs(CmaEsParams),
        }
        for name in ["neat", "cma-es"] {
            let text = toml::to_string(&StrategyConfig::usual(name).unwrap()).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let mut texts =
                vec![String::new(), format!("{text}\n[enn]"), format!("{name} = 3"), format!("{name} = []")];
            for (number, line) in lines.iter().enumerate() {
                let changed = |new: &str| {
                    let mut lines = lines.clone();
                    lines[number] = new;
                    lines.join("\n")
                };
                texts.push(changed(""));
                let Some((key, _)) = line.split_once(" = ") else { continue };
                texts.push(changed(&format!("{key}x = 1")));
                for value in ["-1", "1.5", "true", "\"x\"", "[1, \"x\"]", "{ x = 1 }", "inf"] {
                    texts.push(changed(&format!("{key} = {value}")));
                }
            }
            let mut refused = 0;
            for text in texts {
                let plain = toml::from_str::<Plain>(&text).map(drop).map_err(|e| (e.message().to_string(), e.span()));
                let found =
                    toml::from_str::<StrategyConfig>(&text).map(drop).map_err(|e| (e.message().to_string(), e.span()));
                assert_eq!(found, plain, "{text}");
                refused += usize::from(plain.is_err());
            }
            assert!(refused > 20, "{refused}");
        }
    }
}
