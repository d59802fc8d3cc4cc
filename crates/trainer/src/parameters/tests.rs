//! Tests that the descriptions of parameters agree with the checks.

use super::*;
use crate::override_key;
use crate::shipped::shipped_experiments;
use games::{Game, GameVisitor, Setup};
use serde_json::json;
use std::collections::BTreeMap;

fn shipped() -> Vec<ExperimentFile> {
    let open = |(name, text)| ExperimentFile::parse(name, name, text).unwrap();
    let mut all: Vec<ExperimentFile> = shipped_experiments().map(open).collect();
    // An island is made from another experiment, never written by hand.
    let migration = crate::Migration { from: "other".to_string(), every: 50, count: 1 };
    let island = self::open("nim-2x4-ga").with_migration(Some(&migration)).unwrap();
    all.push(ExperimentFile::parse("island", "island", island.text()).unwrap());
    all
}

fn open(name: &str) -> ExperimentFile {
    crate::Experiment::shipped(name).unwrap()
}

/// A name for a key that is the same in all experiments: setups differ by game, and NEAT is the same within a series.
fn pattern(game: &str, key: &str) -> String {
    let neat = ["strategy.neat.", "strategy.series.neat."].iter().find_map(|table| key.strip_prefix(table));
    match neat {
        Some(rest) => format!("neat: {rest}"),
        None if key.starts_with("setup.") => format!("{game}: {key}"),
        None => key.to_string(),
    }
}

/// Every parameter of the built-in experiments, with all experiments that have it.
fn all(files: &[ExperimentFile]) -> BTreeMap<String, Vec<(&ExperimentFile, Parameter)>> {
    let mut all: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for file in files {
        for parameter in file.parameters() {
            all.entry(pattern(file.game(), &parameter.key)).or_default().push((file, parameter));
        }
    }
    all
}

#[test]
fn every_key_is_described_and_every_description_used() {
    let files = shipped();
    for file in &files {
        let described: Vec<String> = file.parameters().into_iter().map(|parameter| parameter.key).collect();
        let undescribed = file.keys().into_iter().find(|key| !described.contains(key));
        assert_eq!(undescribed, None, "{}", file.name);
    }
    let used = all(&files);
    // Strategies describe their own keys, and some may have no experiment.
    for pattern in crate::descriptions::table::PARAMETERS.iter().map(|described| described.key.to_string()) {
        assert!(used.contains_key(&pattern), "{pattern} is described, but no experiment has it");
    }
    // Games need no experiment either: their usual setup has all keys.
    struct Keys;
    impl GameVisitor for Keys {
        type Output = ();
        fn visit<G: Game>(self) {
            let mut usual = override_key::paths(&toml::Table::try_from(G::Setup::usual()).unwrap());
            let mut described: Vec<&str> = G::Setup::KEYS.iter().map(|described| described.key).collect();
            usual.sort();
            described.sort();
            assert_eq!(described, usual, "{}: the keys of its setup are described", G::NAME);
        }
    }
    games::names().into_iter().for_each(|game| games::with_built_in(game, Keys).unwrap());
}

#[test]
fn shipped_values_are_as_described() {
    for (pattern, places) in all(&shipped()) {
        for (file, parameter) in places {
            let Parameter { about, kind, value, min, max, choices, .. } = &parameter;
            let within = |value: &Value| {
                let number = value.as_f64().unwrap();
                number >= min.unwrap_or(-games::OPEN) && number <= max.unwrap_or(games::OPEN)
            };
            let right = match kind {
                Kind::Whole => value.is_u64() && within(value),
                Kind::Number => value.is_number() && within(value),
                Kind::Switch => value.is_boolean(),
                Kind::Choice => choices.iter().any(|choice| value == choice.name),
                Kind::Text => value.is_string(),
                Kind::Numbers => value.as_array().unwrap().iter().all(within),
            };
            assert!(right, "{}: {pattern} is {value}", file.name);
            assert!(!about.is_empty() && choices.iter().all(|choice| !choice.about.is_empty()), "{pattern}");
            assert_eq!(choices.is_empty(), *kind != Kind::Choice, "{pattern}");
        }
    }
}

/// Bounds that no built-in experiment can reach, each with the reason.
const NEVER_REACHED: &[(&str, f64, &str)] = &[
    ("neat: start.hidden_min", 1000.0, "not above hidden_max"),
    ("strategy.enn.mutations_min", 10_000.0, "not above mutations_max"),
    ("strategy.enn.population", 2.0, "a circle needs 3, and all shipped ones meet in circles"),
    ("strategy.ga.population", 2.0, "fewer than there are elites"),
    ("strategy.cma-es.population", 2.0, "a circle needs 3"),
    ("strategy.openai-es.population", 2.0, "a circle needs 3"),
    ("strategy.random-search.population", 2.0, "fewer than there are elites"),
    ("scoring.points.win", -1e6, "a draw is worth less"),
    ("scoring.points.draw", -1e6, "a loss is not worth more"),
    ("scoring.points.draw", 1e6, "a win is worth more"),
    ("scoring.points.loss", 1e6, "a draw is not worth less"),
];
/// Bounds that are checked only in some experiments, each with the reason.
const SOMETIMES: &[(&str, &str)] =
    &[("strategy.ga.tries", "only safe mutations try"), ("strategy.ga.remembered", "only safe mutations remember")];

/// The number of experiments in which each key is set beyond its bounds.
const SOME: usize = 8;

/// Every bound is accepted, or the value next to it if the description excludes it; values beyond it are refused.
#[test]
fn bounds_are_those_of_the_check() {
    let mut wrong = Vec::new();
    for (pattern, places) in all(&shipped()) {
        let Parameter { kind, about, min, max, .. } = &places[0].1;
        let accepts = |(file, parameter): &(&ExperimentFile, Parameter), number: f64| {
            let value = if *kind == Kind::Numbers { json!([number]) } else { json!(number) };
            file.with_json(&parameter.key, &value).is_ok()
        };
        // Some experiments are enough to see that a check refuses a value; but one of all must accept it.
        let some = &places[..places.len().min(SOME)];
        for (bound, outward) in [(min, -1.0), (max, 1.0)] {
            let Some(bound) = *bound else { continue };
            let step = if *kind == Kind::Number { 0.001 } else { 1.0 };
            let excluded = bound == 0.0 && about.contains("above 0");
            let outside = if excluded { bound } else { bound + outward * step };
            let beyond = some.iter().filter(|place| accepts(place, outside)).count();
            let sometimes = SOMETIMES.iter().any(|(key, _)| *key == pattern);
            if beyond != 0 && !(sometimes && beyond < some.len()) {
                wrong.push(format!("{pattern} may be beyond {bound}"));
            }
            let inside = if excluded { bound + step } else { bound };
            let reached = places.iter().any(|place| accepts(place, inside));
            if reached == NEVER_REACHED.iter().any(|(key, at, _)| *key == pattern && *at == bound) {
                wrong.push(format!("{pattern} reaches {bound}: {reached}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn choices_are_those_of_the_check() {
    // Whether a message refuses the word itself, and not its combination with other values.
    let unknown = |refusal: &str, word: &str| {
        refusal.contains(&format!("`{word}`")) && !refusal.contains(&format!("the head `{word}` names moves"))
    };
    for (pattern, places) in all(&shipped()) {
        let (file, parameter) = &places[0];
        for choice in &parameter.choices {
            if let Err(error) = file.with_json(&parameter.key, &json!(choice.name)) {
                assert!(!unknown(&error.to_string(), choice.name), "{pattern}: {error}");
            }
        }
        if parameter.kind == Kind::Choice {
            let error = file.with_json(&parameter.key, &json!("unheard-of")).unwrap_err().to_string();
            assert!(unknown(&error, "unheard-of"), "{pattern}: {error}");
        }
    }
    let names = |key: &str, file: &str| -> Vec<&str> {
        let parameters = open(file).parameters();
        parameters.iter().find(|p| p.key == key).unwrap().choices.iter().map(|choice| choice.name).collect()
    };
    assert_eq!(names("strategy.enn.activation", "nim-2x4"), evolution::Activation::NAMES);
    assert_eq!(names("player.extend", "nim-2x4"), arena::Extend::NAMES);
    assert_eq!(names("player.playouts", "nim-2x4"), arena::Playouts::NAMES);
    assert_eq!(names("player.encoder", "nim-2x4"), ["counts", "digits"]);
    assert_eq!(names("player.head", "draughts"), ["value", "balanced"]);
    assert_eq!(names("player.search", "draughts"), arena::Method::NAMES);
}

#[test]
fn parameters_stand_in_the_order_of_the_text() {
    let file = open("nim-2x4-neat");
    let last = |key: &str| key.rsplit('.').next().unwrap().to_string();
    let said = |key: &String| file.absent().all(|absent| absent != key);
    let all: Vec<String> = file.parameters().into_iter().map(|parameter| parameter.key).collect();
    let keys: Vec<String> = all.iter().filter(|key| said(key)).map(|key| last(key)).collect();
    let text = file.text().to_string();
    let written: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    assert_eq!(keys, written);
    // Keys that the text leaves out follow the keys of their table, and are written when they are set.
    let place = |key: &str| all.iter().position(|known| known == key).unwrap();
    assert_eq!(place("player.search"), place("player.playouts") + 1);
    let mut changed = file.clone();
    changed.set(&["player.search=exact"]).unwrap();
    assert_eq!(changed.text(), file.text());
    changed.set(&["player.depth=2", "player.search=selective"]).unwrap();
    assert!(changed.text().contains("search = \"selective\"\n"), "{}", changed.text());
    assert!(changed.canonical().contains("search = \"selective\"") && !file.canonical().contains("search"));
    changed.set(&["player.search=exact"]).unwrap();
    assert!(!changed.canonical().contains("search"));
}

#[test]
fn one_value_changes_one_line() {
    for name in ["nim-2x4", "draughts-blondie24", "minichess-tt1", "draughts-thesis"] {
        let file = open(name);
        let before = file.text().to_string();
        for Parameter { key, value, .. } in file.parameters() {
            assert_eq!(file.with_json(&key, &value).unwrap().text().to_string(), before, "{name}: {key}");
        }
    }
    let file = open("nim-2x4");
    let check = |key: &str, value: Value, expected: &str| {
        let (before, changed) = (file.text().to_string(), file.with_json(key, &value).unwrap());
        let after = changed.text().to_string();
        let differing: Vec<&str> =
            before.lines().zip(after.lines()).filter(|(one, two)| one != two).map(|(_, two)| two).collect();
        assert_eq!(differing, [expected], "{key}");
        assert_eq!(before.lines().count(), after.lines().count());
        let value = changed.parameters().into_iter().find(|parameter| parameter.key == key).unwrap().value;
        assert!(expected.contains(&format!("= {}", value.to_string().replace(',', ", "))), "{value} in {expected}");
    };
    check("strategy.enn.population", json!(60.0), "population = 60");
    check(
        "strategy.enn.exponent",
        json!(3),
        "exponent = 3.0            # copies are drawn in proportion to score raised to this power",
    );
    check(
        "stop.solved",
        json!(false),
        "solved = false            # stop as soon as the champion is perfect in every position",
    );
    check("setup.stacks", json!([3, 5.0]), "stacks = [3, 5]          # 1 to 8 stacks of 1 to 65535 matches");
    check("strategy.enn.output", json!("tanh"), "output = \"tanh\"      # activation of outputs");
}

#[test]
fn wrong_values_get_a_sentence() {
    let check = |key: &str, value: Value, expected: &str| {
        let error = open("nim-2x4").with_json(key, &value).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("population", json!(5), "unknown key `population`; did you mean `strategy.enn.population`?");
    check("strategy.enn", json!(5), "`strategy.enn` is a table");
    check("seed", json!(1.5), "nim-2x4: seed is 1.5, but a whole number belongs here");
    check("seed", json!(u64::MAX), "but a whole number belongs here");
    check("seed", json!(-1), "line 4, column 8: found integer `-1`, but a whole number from 0 up belongs here");
    check("blunders", json!("some"), "blunders is \"some\", but a number belongs here");
    check("stop.solved", json!(1), "stop.solved is 1, but true or false belongs here");
    check("player.head", json!(null), "player.head is null, but a text belongs here");
    check("setup.stacks", json!(4), "setup.stacks is 4, but a list of whole numbers, such as [4, 4], belongs here");
    check("setup.stacks", json!([4, 0]), "setup: stack 2 has 0 matches");
    check("strategy.enn.population", json!(20), "even number from 2 to 18");
}

#[test]
fn an_experiment_describes_itself() {
    let mut file = open("nim-2x4");
    assert_eq!(
        file.about(),
        "Two stacks of up to 4 matches, all 24 positions to be played perfectly, from games alone. The default experiment."
    );
    assert_eq!((file.strategy(), open("minichess-tt1").strategy()), ("enn", "series"));
    // Overriding keeps comments, and the result can be changed again.
    let about = file.about();
    file.set(&["seed=5"]).unwrap();
    assert_eq!(file.about(), about);
    let file = file.with_json("guests", &json!(3)).unwrap();
    let value = |key: &str| file.parameters().into_iter().find(|parameter| parameter.key == key).unwrap().value;
    assert_eq!((value("seed"), value("guests")), (json!(5), json!(3)));
}

#[test]
fn forms_rely_on_these_names() {
    let parameters = json!(open("nim-2x4").parameters());
    assert_eq!(
        parameters[1],
        json!({ "key": "seed", "about": "all random numbers are derived from it: the same seed gives the same run", "kind": "whole",
            "value": 1, "min": 0.0, "max": null, "choices": [] })
    );
    assert_eq!(parameters[0]["kind"], "choice");
    assert_eq!(parameters[0]["choices"][0]["name"], "nim");
}
