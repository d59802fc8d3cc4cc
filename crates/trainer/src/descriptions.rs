//! The descriptions of all parameters of experiments: where each is described, and which may be left out.

pub(crate) mod table;

use crate::override_key;
use arena::{ScheduleConfig, ScoringConfig};
use games::{Described, Game, GameVisitor, Setup};

/// The description of a key. Games describe their setup; strategies, schedules and scorings describe their parameters;
/// the table in this crate describes all others.
pub(crate) fn describe(game: &str, key: &str) -> Option<Described> {
    let mut path = key.splitn(3, '.');
    let (known, key) = match (path.next(), path.next(), path.next()) {
        (Some("setup"), ..) => (SetupKeys.in_game(game).ok()?, key.strip_prefix("setup.")?),
        (Some("schedule"), Some(name), Some(rest)) => (ScheduleConfig::keys(name)?, rest),
        (Some("scoring"), Some(name), Some(rest)) => (ScoringConfig::keys(name)?, rest),
        (Some("strategy"), Some(name), Some(rest)) => {
            return evolution::strategies().iter().find(|info| info.name == name)?.describe(rest);
        }
        _ => (table::PARAMETERS, key),
    };
    known.iter().find(|described| described.key == key).copied()
}

/// The keys that the values of an experiment leave out, with the values that they then have. Keys of tables that are
/// not there are left out.
pub(crate) fn absent_keys(table: &toml::Table) -> Vec<(String, toml::Value)> {
    let text = |key: &str| table.get(key).and_then(|value| value.as_str()).unwrap_or_default();
    let only_name = |key: &str| {
        let inner = table.get(key).and_then(|value| value.as_table());
        inner.and_then(|inner| inner.keys().next()).cloned().unwrap_or_default()
    };
    let [schedule, scoring, strategy] = ["schedule", "scoring", "strategy"].map(only_name);
    let mut lists: Vec<(String, &[Described])> = vec![
        (String::new(), table::PARAMETERS),
        ("setup.".to_string(), SetupKeys.in_game(text("game")).unwrap_or_default()),
        (format!("schedule.{schedule}."), ScheduleConfig::keys(&schedule).unwrap_or_default()),
        (format!("scoring.{scoring}."), ScoringConfig::keys(&scoring).unwrap_or_default()),
    ];
    if let Some(info) = evolution::strategies().iter().find(|info| info.name == strategy) {
        lists.extend(info.keys.iter().map(|(inner, keys)| (format!("strategy.{strategy}.{inner}"), *keys)));
    }
    let mut absent = Vec::new();
    for (prefix, keys) in lists {
        for (key, value) in keys.iter().filter_map(|described| Some((described.key, described.absent?))) {
            let path = format!("{prefix}{key}");
            let mut parts =
                path.rsplit_once('.').map_or("", |(inner, _)| inner).split('.').filter(|part| !part.is_empty());
            let has_table = parts.try_fold(table, |table, part| table.get(part)?.as_table()).is_some();
            if has_table && override_key::find(table, &path).is_err() {
                absent.push((path, override_key::parse_value(value)));
            }
        }
    }
    absent
}

pub(crate) struct SetupKeys;

games::by_name!(SetupKeys);

impl GameVisitor for SetupKeys {
    type Output = &'static [Described];

    fn visit<G: Game>(self) -> &'static [Described] {
        G::Setup::KEYS
    }
}
