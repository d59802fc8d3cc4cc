//! Reads a lab's file: which experiments are trained with which parameters and seeds, and what is compared.

use crate::Error;
use runs::{holds_lab, read_text};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use trainer::{ExperimentFile, InLabs, MEASURES, Migration, checked_name, name_from, override_key, toml_error};

/// A checked lab: which members it has, and how they are compared.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The lab's name, which is also the name of its folder.
    pub name: String,
    /// Which command made the lab.
    pub kind: LabKind,
    /// A text for readers: the question that the lab answers.
    pub about: String,
    /// The measures that are compared, the main one first.
    pub measures: Vec<String>,
    /// The number of last generations whose mean is a final value.
    pub last: u64,
    /// The configurations, in the order of the file; the combinations of a grid follow each other.
    pub configurations: Vec<Configuration>,
}

/// The command that made a lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LabKind {
    /// `gamete lab run`.
    #[default]
    Lab,
    /// `gamete train --populations`.
    Populations,
    /// `gamete tune`.
    Tuning,
}

/// An experiment with certain parameters that is trained with several seeds.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The configuration's name.
    pub name: String,
    /// The name of its group; only configurations of one group are compared with each other.
    pub group: String,
    /// Whether it is the baseline, with which the others of its group are compared.
    pub is_baseline: bool,
    /// The experiment with its parameters; each member sets its own seed.
    pub experiment: ExperimentFile,
    /// The seeds, one for each member.
    pub seeds: Vec<u64>,
    /// How champions move between the members; `None` if the members are not islands.
    pub islands: Option<Islands>,
}

/// How champions move between the members of a configuration: from each member to the next in the order of the seeds,
/// and from the last to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Islands {
    /// Champions move after every `every` generations.
    pub every: u64,
    /// The number of champions that move: those of the last `count` generations.
    pub count: usize,
}

impl Islands {
    /// The experiment of an island that receives champions from the member `from`.
    pub(crate) fn joined(self, experiment: &ExperimentFile, from: String) -> Result<ExperimentFile, Error> {
        Ok(experiment.with_migration(Some(&Migration { from, every: self.every, count: self.count }))?)
    }
}

impl Configuration {
    /// The name of the member with this seed.
    pub fn member_name(&self, seed: u64) -> String {
        member_name(&self.name, seed)
    }

    /// The experiment with this seed.
    pub(crate) fn with_seed(&self, seed: u64) -> Result<ExperimentFile, Error> {
        Ok(self.experiment.with_values(&[("seed", Value::Integer(seed as i64))])?)
    }
}

pub(crate) fn member_name(configuration: &str, seed: u64) -> String {
    format!("{configuration}-seed-{seed}")
}

/// The keys of a lab's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    about: String,
    seeds: Option<Value>,
    #[serde(default = "main_measure")]
    measures: Vec<String>,
    #[serde(default = "last_generations")]
    last: u64,
    #[serde(default)]
    baselines: Vec<String>,
    #[serde(default)]
    configuration: Vec<WrittenConfiguration>,
}

fn main_measure() -> Vec<String> {
    vec!["grade".to_string()]
}

fn last_generations() -> u64 {
    10
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenConfiguration {
    experiment: String,
    name: Option<String>,
    group: Option<String>,
    /// The name of another experiment, whose strategy replaces that of `experiment`.
    strategy: Option<String>,
    seeds: Option<Value>,
    islands: Option<Value>,
    #[serde(default)]
    set: Table,
    #[serde(default)]
    grid: Table,
}

/// The largest number of members, so that a typing error does not fill the disk.
pub(super) const MOST_MEMBERS: usize = 100_000;
/// The largest number of configurations. Each is checked as a whole experiment: 10,000 of them take some seconds.
const MOST_CONFIGURATIONS: usize = 10_000;

impl Lab {
    /// Opens a lab by path, or by the name of a lab that is shipped with the program, and checks it.
    pub fn open(name: &str) -> Result<Lab, Error> {
        if let Some((shipped, text)) = shipped_labs().find(|(shipped, _)| *shipped == name) {
            return Lab::parse(shipped, shipped, text, Path::new(""));
        }
        let path = Path::new(name);
        // `my-lab`, as in `gamete lab report my-lab`, means `my-lab.toml`. A dot can be a part of the name.
        let file = PathBuf::from(format!("{}.toml", without_ending(name)));
        if holds_lab(path) {
            return Err(Error::refused(format!(
                "{name} is a lab's folder, but the lab's file, such as {}, belongs here",
                file.file_name().unwrap_or_default().display()
            )));
        }
        if !path.exists() && file.is_file() {
            return Lab::open(&file.display().to_string());
        }
        if path.is_dir() && name.ends_with(".toml") {
            return Err(Error::refused(format!("{name} is a folder, but a lab's file belongs here")));
        }
        if !path.is_file() {
            if name.contains('/') || name.ends_with(".toml") {
                return Err(Error::no_file(path));
            }
            return Err(Error::unknown("lab", name, &shipped_labs().map(|(name, _)| name).collect::<Vec<_>>()));
        }
        let text = read_text(path)?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let stem = name_from(&stem);
        checked_name(&stem)?;
        Lab::parse(&stem, name, &text, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a lab from text. Paths of experiments are relative to `folder`; `place` names the text in error messages.
    pub fn parse(name: &str, place: &str, text: &str, folder: &Path) -> Result<Lab, Error> {
        let refuse = |what: String| Error::experiment(place.to_string(), what);
        let written: Written = toml::from_str(text).map_err(|error| {
            let (at, what) = toml_error::explain(text, &error);
            let at = at.map_or(String::new(), |(line, column)| format!(", line {line}, column {column}"));
            Error::experiment(format!("{place}{at}"), what)
        })?;
        let seeds = written.seeds.as_ref().ok_or_else(|| refuse(format!("seeds is missing; {SEEDS} belongs here")))?;
        let seeds = seeds_of(seeds).map_err(refuse)?;
        let mut configurations: Vec<Configuration> = Vec::new();
        let mut before = 0usize;
        for (number, each) in written.configuration.iter().enumerate() {
            let refuse_each = |what: String| refuse(format!("configuration {}: {what}", number + 1));
            let own = each.seeds.as_ref().map(seeds_of).transpose().map_err(refuse_each)?;
            let seeds = own.unwrap_or_else(|| seeds.clone());
            // An empty list counts as one value here; `combinations` refuses it later.
            let size = |(_, values): (String, Value)| values.as_array().map_or(1, |values| values.len().max(1));
            let combined = flat(&each.grid).into_iter().map(size).fold(1, usize::saturating_mul);
            before = before.saturating_add(seeds.len().saturating_mul(combined));
            if before > MOST_MEMBERS {
                return Err(refuse(format!("more than {MOST_MEMBERS} members; give fewer seeds or fewer values")));
            }
            if combined.saturating_add(configurations.len()) > MOST_CONFIGURATIONS {
                let what = format!("more than {MOST_CONFIGURATIONS} configurations; give fewer values");
                return Err(refuse(what));
            }
            let islands = each.islands.as_ref().map(islands_of).transpose().map_err(refuse_each)?;
            let found = combinations(each, folder).map_err(refuse_each)?;
            configurations.extend(found.into_iter().map(|(name, experiment)| Configuration {
                is_baseline: written.baselines.contains(&name),
                group: each.group.clone().unwrap_or_default(),
                seeds: seeds.clone(),
                islands,
                name,
                experiment,
            }));
        }
        let lab = Lab {
            name: name.to_string(),
            kind: LabKind::Lab,
            about: written.about,
            measures: written.measures,
            last: written.last,
            configurations,
        };
        lab.checked(&written.baselines).map_err(refuse)?;
        Ok(lab)
    }

    /// Checks that the parts of the lab fit together; the error says in one sentence what does not.
    pub(crate) fn checked(&self, baselines: &[String]) -> Result<(), String> {
        if self.configurations.is_empty() {
            return Err("there is no [[configuration]]; at least one belongs here".to_string());
        }
        if self.last == 0 {
            return Err("last is 0, but final values are means over at least 1 generation".to_string());
        }
        if self.measures.is_empty() {
            return Err("measures is empty, but something must be compared, such as \"grade\"".to_string());
        }
        let known = MEASURES.iter().filter(|measure| measure.labs == InLabs::Compared).map(|measure| measure.key);
        let known: Vec<&str> = known.collect();
        if let Some(unknown) = self.measures.iter().find(|measure| !known.contains(&measure.as_str())) {
            return Err(format!("there is no measure `{unknown}`; there are {}", known.join(", ")));
        }
        if let Some(twice) = repeated(&self.measures) {
            return Err(format!("measures has {twice} twice, but each belongs there once"));
        }
        let mut names = BTreeSet::new();
        let members = |each: &Configuration| each.seeds.iter().map(|seed| each.member_name(*seed)).collect::<Vec<_>>();
        for name in self.configurations.iter().flat_map(members) {
            checked_name(&name).map_err(|error| error.to_string())?;
            if !names.insert(name.clone()) {
                return Err(format!("two members are called `{name}`; give one of the configurations another `name`"));
            }
        }
        for configuration in &self.configurations {
            let first = self.configurations.iter().find(|other| other.group == configuration.group);
            let game = |of: &Configuration| of.experiment.game().to_string();
            if let Some(other) = first.filter(|other| game(other) != game(configuration)) {
                return Err(format!(
                    "`{}` plays {} and `{}` {}, but only runs of the same game can be compared; give one of them another `group`",
                    other.name,
                    game(other),
                    configuration.name,
                    game(configuration)
                ));
            }
            let Some(islands) = configuration.islands else { continue };
            if configuration.seeds.len() < 2 {
                return Err(format!("`{}` has one seed, but islands are at least two", configuration.name));
            }
            let from = configuration.member_name(configuration.seeds[0]);
            let joined = islands.joined(&configuration.experiment, from);
            joined.map_err(|error| format!("`{}`: {error}", configuration.name))?;
        }
        for baseline in baselines {
            if !self.configurations.iter().any(|configuration| configuration.name == *baseline) {
                let known: Vec<&str> = self.configurations.iter().map(|c| c.name.as_str()).collect();
                return Err(Error::unknown("configuration", baseline, &known).to_string());
            }
        }
        for configuration in self.configurations.iter().filter(|configuration| configuration.is_baseline) {
            let same = |other: &&Configuration| other.is_baseline && other.group == configuration.group;
            if self.configurations.iter().filter(same).count() > 1 {
                let group = match configuration.group.as_str() {
                    "" => "the lab".to_string(),
                    group => format!("the group `{group}`"),
                };
                return Err(format!("{group} has several baselines, but only one is allowed"));
            }
        }
        Ok(())
    }
}

/// Every combination of a configuration's grid as a checked experiment, with its name.
fn combinations(each: &WrittenConfiguration, folder: &Path) -> Result<Vec<(String, ExperimentFile)>, String> {
    let in_words = |error: Error| error.to_string();
    let open = |name: &str| {
        let is_path = name.contains('/') || name.ends_with(".toml");
        let path = if is_path { folder.join(name).display().to_string() } else { name.to_string() };
        runs::open_experiment(&path).map_err(in_words)
    };
    let experiment = open(&each.experiment)?;
    let strategy = each.strategy.as_deref().map(open).transpose();
    let strategy = strategy.map_err(|what| format!("strategy, which is that of another experiment: {what}"))?;
    let set = flat(&each.set);
    set.iter().try_for_each(|(key, _)| refuse_seed(key))?;
    if each.name.as_deref() == Some("") {
        return Err("its name is empty; give a name, or leave out the key `name`".to_string());
    }
    let first = each.name.clone().unwrap_or_else(|| name_from(&experiment.name));
    // Collect all values before checking: some values are valid only together with others.
    let mut combined = vec![(first, set)];
    for (key, values) in flat(&each.grid) {
        refuse_seed(&key)?;
        let Value::Array(values) = values else {
            return Err(format!("grid: {key} is {values}, but a list of values, such as [1, 2], belongs here"));
        };
        if values.is_empty() {
            return Err(format!("grid: {key} is an empty list, but at least one value belongs there"));
        }
        if let Some(twice) = repeated(&values) {
            return Err(format!("grid: {key} has {twice} twice, but each value belongs there once"));
        }
        let last = key.rsplit('.').next().unwrap_or(&key);
        let with = |(name, others): &(String, Vec<(String, Value)>), value: &Value| {
            let name = format!("{name}-{last}-{}", name_from(&bare(value)));
            (name, others.iter().cloned().chain([(key.clone(), value.clone())]).collect())
        };
        combined =
            combined.iter().flat_map(|one| values.iter().map(|value| with(one, value)).collect::<Vec<_>>()).collect();
    }
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut found = Vec::with_capacity(combined.len());
    for (name, values) in combined {
        let changed = match &strategy {
            Some(other) => experiment.with_strategy_of(other, &values),
            None => experiment.with_values(&values),
        };
        let changed = changed.map_err(|error| format!("`{name}`: {error}"))?;
        if let Some(other) = known.insert(changed.canonical(), name.clone()) {
            return Err(format!("grid: `{other}` and `{name}` are the same; each value belongs there once"));
        }
        found.push((name, changed));
    }
    Ok(found)
}

/// The first value that occurs a second time.
fn repeated<T: ToString>(values: &[T]) -> Option<&T> {
    let mut known = BTreeSet::new();
    values.iter().find(|value| !known.insert(value.to_string()))
}

/// A lab's name without the ending `.toml`.
pub(super) fn without_ending(name: &str) -> &str {
    name.strip_suffix(".toml").unwrap_or(name)
}

fn refuse_seed(key: &str) -> Result<(), String> {
    match key {
        "seed" => Err("`seed` cannot be set here; the key `seeds` says which seeds are used".to_string()),
        _ => Ok(()),
    }
}

/// A value as it is written in a configuration's name.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(bare).collect::<Vec<_>>().join("+"),
        other => other.to_string(),
    }
}

/// The dotted paths and values of a table, sorted by path. Nested tables and dotted keys give the same paths.
fn flat(table: &Table) -> Vec<(String, Value)> {
    let values = override_key::values(table).into_iter().cloned();
    let mut found: Vec<(String, Value)> = override_key::paths(table).into_iter().zip(values).collect();
    found.sort_by(|(one, _), (two, _)| one.cmp(two));
    found
}

/// Reads the key `islands`.
fn islands_of(value: &Value) -> Result<Islands, String> {
    value.clone().try_into().map_err(|_| {
        format!("islands is {value}, but {{ every = 10, count = 1 }} or the like belongs here: after how many generations, and how many champions")
    })
}

/// Reads seeds from the command line: a range such as 1001-1010, or a list such as 1001,1005.
pub fn seeds(text: &str) -> Result<Vec<u64>, Error> {
    let wrong = || {
        Error::refused(format!(
            "seeds are `{text}`, but a range such as 1001-1010, or several such as 1001,1005, belong here"
        ))
    };
    let value = match text.contains(',') {
        true => {
            let seed = |text: &str| text.trim().parse::<i64>().ok().map(Value::Integer);
            Value::Array(text.split(',').map(seed).collect::<Option<_>>().ok_or_else(wrong)?)
        }
        false => Value::String(text.to_string()),
    };
    match &value {
        Value::Array(values) if repeated(values).is_some() => seeds_of(&value).map_err(Error::refused),
        _ => seeds_of(&value).map_err(|_| wrong()),
    }
}

/// The largest number of seeds.
const MOST_SEEDS: u64 = 100_000;
const SEEDS: &str = "a number of seeds from 1 to 100000, a list such as [1, 2, 3], or a range such as \"1001-1010\"";

/// Reads the key `seeds`: the number of seeds, which are then 1, 2 and so on; a list; or a text such as "1001-1010".
fn seeds_of(value: &Value) -> Result<Vec<u64>, String> {
    let wrong = || format!("seeds is {value}, but {SEEDS} belongs here");
    let seeds: Vec<u64> = match value {
        Value::Integer(count) => {
            (1..=u64::try_from(*count).ok().filter(|count| *count <= MOST_SEEDS).ok_or_else(wrong)?).collect()
        }
        Value::Array(values) => {
            let seed = |value: &Value| value.as_integer().and_then(|seed| u64::try_from(seed).ok());
            values.iter().map(seed).collect::<Option<_>>().ok_or_else(wrong)?
        }
        Value::String(text) => {
            let (first, last) = text.split_once('-').ok_or_else(wrong)?;
            let number = |text: &str| text.trim().parse::<u64>().ok().filter(|seed| i64::try_from(*seed).is_ok());
            let (first, last) = number(first).zip(number(last)).ok_or_else(wrong)?;
            if first > last || last - first >= MOST_SEEDS {
                return Err(wrong());
            }
            (first..=last).collect()
        }
        _ => return Err(wrong()),
    };
    if seeds.is_empty() {
        return Err(wrong());
    }
    let mut known = BTreeSet::new();
    if let Some(twice) = seeds.iter().find(|seed| !known.insert(**seed)) {
        return Err(format!("seeds has {twice} twice, but each belongs there once"));
    }
    Ok(seeds)
}

/// The names and texts of the labs that are shipped with the program.
pub fn shipped_labs() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHIPPED.iter().copied()
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        const SHIPPED: &[(&str, &str)] =
            &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/labs/", $name, ".toml")))),+];
    };
}

shipped!["nim-thesis", "minichess-thesis", "draughts-thesis", "methods", "strength"];

#[cfg(test)]
mod tests;
