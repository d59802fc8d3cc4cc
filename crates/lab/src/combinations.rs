//! Every strategy breeds every game with every way of looking ahead under every schedule, for one generation.

use crate::ExperimentFile;
use crate::shipped::shipped_experiments;
use crate::trainer::Trainer;
use evolution::StrategyConfig;
use games::{Game, GameVisitor};
use toml::{Table, Value};

/// A shipped experiment of which this holds.
fn shipped(holds: impl Fn(&Table) -> bool) -> Table {
    let mut tables = shipped_experiments().map(|(_, text)| text.parse::<Table>().unwrap());
    tables.find(|table| holds(table)).expect("every game and every strategy has an experiment")
}

fn table(text: &str) -> Value {
    Value::Table(text.parse().unwrap())
}

/// Sets the key wherever it stands.
fn set_everywhere(table: &mut Table, key: &str, value: &Value) {
    for (name, entry) in table.iter_mut() {
        match entry {
            Value::Table(inner) => set_everywhere(inner, key, value),
            _ if name == key => *entry = value.clone(),
            _ => {}
        }
    }
}

struct OneGeneration<'a>(&'a ExperimentFile);

impl GameVisitor for OneGeneration<'_> {
    type Output = ();
    fn visit<G: Game>(self) {
        let experiment = self.0.typed::<G>().unwrap_or_else(|error| panic!("{error}"));
        let mut trainer = Trainer::<G>::create(experiment, 1);
        let generation = trainer.step();
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
/// Of populations.
const SCHEDULES: [&str; 4] = [
    "[circular]\nopponents = 2",
    "[round-robin]\ndouble = false",
    "[round-robin]\ndouble = true",
    "[opens]\ngames = 2",
];
/// Of one network that learns.
const SELF_PLAY: [&str; 1] = ["[self-play]\ngames = 4"];

#[test]
fn everything_goes_with_everything() {
    for game in games::names() {
        let base = shipped(|table| table["game"].as_str() == Some(game));
        for strategy in StrategyConfig::ALL {
            let bred = shipped(|table| table["strategy"].get(strategy.name).is_some());
            let schedules = if bred["schedule"].get("self-play").is_some() { &SELF_PLAY[..] } else { &SCHEDULES };
            for look in LOOKS {
                for schedule in schedules {
                    let mut experiment = base.clone();
                    experiment["strategy"] = bred["strategy"].clone();
                    set_everywhere(&mut experiment, "population", &Value::Integer(6));
                    // Other games have other encoders.
                    set_everywhere(&mut experiment, "genes", &Value::Array(Vec::new()));
                    set_everywhere(&mut experiment, "wired", &Value::Integer(0));
                    experiment["schedule"] = table(schedule);
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
                    games::with_game(game, OneGeneration(&file)).unwrap();
                }
            }
        }
    }
}
