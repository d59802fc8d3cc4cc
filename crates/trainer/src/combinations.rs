//! Tests that every strategy works with every game, every kind of search and every schedule, for one generation.

use crate::ExperimentFile;
use crate::shipped::shipped_experiments;
use crate::trainer::Trainer;
use arena::ScheduleConfig;
use evolution::StrategyConfig;
use games::{Game, GameVisitor, Setup as _};
use toml::{Table, Value};

/// Makes an experiment for any game: `nim-2x4` with the game replaced.
struct Base;

impl GameVisitor for Base {
    type Output = Table;
    fn visit<G: Game>(self) -> Table {
        let (_, text) = shipped_experiments().find(|(name, _)| *name == "nim-2x4").unwrap();
        let mut base: Table = text.parse().unwrap();
        base["game"] = G::NAME.into();
        base["setup"] = Value::try_from(G::Setup::usual()).unwrap();
        base["player"]["encoder"] = G::ENCODERS[0].name().into();
        base
    }
}

fn table(text: &str) -> Value {
    Value::Table(text.parse().unwrap())
}

/// Sets a key in all tables in which it has a value of the same type.
fn set_everywhere(table: &mut Table, key: &str, value: &Value) {
    for (name, entry) in table.iter_mut() {
        match entry {
            Value::Table(inner) => set_everywhere(inner, key, value),
            _ if name == key && entry.same_type(value) => *entry = value.clone(),
            _ => {}
        }
    }
}

struct OneGeneration<'a>(&'a ExperimentFile);

impl GameVisitor for OneGeneration<'_> {
    type Output = ();
    fn visit<G: Game>(self) {
        let experiment = self.0.typed::<G>().unwrap_or_else(|error| panic!("{error}"));
        let mut trainer = Trainer::create(experiment, 1);
        let generation = trainer.step(&Vec::new()).unwrap();
        assert!(generation.report.games > 0);
    }
}

const LOOKS: [&str; 6] = [
    "depth = 0",
    "depth = 2",
    "depth = 1\nextend = \"everywhere\"",
    "rounds = 5",
    "rounds = 5\nept = 2",
    "rounds = 3\nept = 3\nplayouts = \"network\"",
];
/// Schedules for one network that learns, or for populations: with small numbers, and with switches both on and off.
fn schedules(is_self_play: bool) -> Vec<Value> {
    let fitting = ScheduleConfig::ALL.iter().filter(|info| info.is_self_play == is_self_play);
    let mut texts: Vec<String> = fitting
        .map(|info| {
            let values = info.keys.iter().map(|key| format!("{} = {}\n", key.key, key.allowed.example()));
            format!("[{}]\n{}", info.name, values.collect::<String>())
        })
        .collect();
    texts.extend(texts.clone().iter().filter(|text| text.contains("true")).map(|text| text.replace("true", "false")));
    texts.iter().map(|text| table(text)).collect()
}

#[test]
fn everything_goes_with_everything() {
    for game in games::names() {
        let base = games::with_built_in(game, Base).unwrap();
        for strategy in evolution::strategies() {
            let bred = StrategyConfig::usual(strategy.name).unwrap();
            // A strategy that learns the values of searches needs a search.
            let searches = |look: &&&str| !bred.studies() || (look.starts_with("depth") && **look != "depth = 0");
            for look in LOOKS.iter().filter(searches) {
                for schedule in schedules(bred.learns()) {
                    let mut experiment = base.clone();
                    experiment["strategy"] = Value::try_from(&bred).unwrap();
                    set_everywhere(&mut experiment, "population", &Value::Integer(6));
                    // Six networks have fewer species and elites than usual populations.
                    for few in ["target", "elites"] {
                        set_everywhere(&mut experiment, few, &Value::Integer(2));
                    }
                    // Other games have other encoders.
                    set_everywhere(&mut experiment, "genes", &Value::Array(Vec::new()));
                    set_everywhere(&mut experiment, "wired", &Value::Integer(0));
                    experiment["schedule"] = schedule;
                    experiment["scoring"] = table("[points]\nwin = 1.0\ndraw = 0.5\nloss = 0.0\nsharing = false");
                    experiment["record"]["past_games"] = Value::Integer(2);
                    let player = experiment["player"].as_table_mut().unwrap();
                    player["head"] = Value::String("value".to_string());
                    player["depth"] = Value::Integer(0);
                    player["extend"] = Value::String("off".to_string());
                    player.extend(look.parse::<Table>().unwrap());
                    let text = toml::to_string(&experiment).unwrap();
                    let file = ExperimentFile::parse("combined", "combined", &text)
                        .unwrap_or_else(|error| panic!("{error}\n{text}"));
                    games::with_built_in(game, OneGeneration(&file)).unwrap();
                }
            }
        }
    }
}
