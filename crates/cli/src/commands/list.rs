//! `gamete list`: lists games, experiments, players and everything else that a name can choose.

mod parameters;

use crate::arguments::JsonArg;
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure, tables};
use clap::{Args, ValueEnum};
use lab::Error;
use std::io::Write;

/// List games, experiments, labs, players, parameters and more
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete list\n  gamete list experiments\n  gamete list parameters --experiment draughts"
)]
pub struct ListArgs {
    /// What to list [default: an overview of what can be listed]
    what: Option<List>,
    /// The experiment whose parameters are listed: a path, or a name [default: nim-2x4]
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    #[command(flatten)]
    json: JsonArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum List {
    /// The games, with their rules in a sentence
    Games,
    /// The experiments inside the program, for `gamete train`
    Experiments,
    /// The labs inside the program, for `gamete lab run`
    Labs,
    /// The strategies that breed networks
    Strategies,
    /// The kinds of players, for `match`, `exam` and `play`
    Players,
    /// The champions inside the program, and how they were trained
    Champions,
    /// For each game, how positions become inputs of a network and outputs become moves
    Encoders,
    /// Who plays against whom in a generation
    Schedules,
    /// How results of games become scores
    Scorings,
    /// All parameters of an experiment, with their values, bounds and meanings
    Parameters,
}

impl Run for ListArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        list(out, self.what, self.experiment.as_deref(), self.json.json)?;
        Ok(Done::Well)
    }
}

/// What can be listed, as names and descriptions.
fn overview() -> Vec<Vec<String>> {
    let row = |list: &List| {
        let value = list.to_possible_value()?;
        Some(vec![value.get_name().to_string(), value.get_help().map(|help| help.to_string()).unwrap_or_default()])
    };
    List::value_variants().iter().filter_map(row).collect()
}

fn list(out: &mut impl Write, what: Option<List>, experiment: Option<&str>, json: bool) -> Result<(), Failure> {
    if experiment.is_some() && !matches!(what, Some(List::Parameters)) {
        return Err(Error::refused("--experiment is only for `gamete list parameters`".to_string()).into());
    }
    let pairs = |entries: Vec<trainer::Entry>| {
        entries.into_iter().map(|e| vec![e.name.to_string(), e.about.to_string()]).collect()
    };
    let about = |text: &str| text.lines().next().unwrap_or("").trim_start_matches("# ").to_string();
    let (head, rows): (&[&str], Vec<Vec<String>>) = match what {
        None => (&["name", "about"], overview()),
        Some(List::Games) => (&["name", "about"], pairs(trainer::games())),
        Some(List::Strategies) => (&["name", "about"], pairs(trainer::strategies())),
        Some(List::Players) => (&["name", "about"], players::players().into_iter().map(Vec::from).collect()),
        Some(List::Champions) => {
            let row = |champion: &players::ShippedChampion| {
                let player = match champion.options().as_str() {
                    "" => champion.player(),
                    options => format!("{},{options}", champion.player()),
                };
                let command = format!("gamete train {} --seed {}", champion.experiment, champion.seed);
                vec![player, command, champion.about.into()]
            };
            (&["player", "command", "about"], players::shipped_champions().iter().map(row).collect())
        }
        Some(List::Schedules) => (&["name", "about"], pairs(trainer::schedules())),
        Some(List::Scorings) => (&["name", "about"], pairs(trainer::scorings())),
        Some(List::Encoders) => {
            let row = |(game, kind, e): (&str, &str, trainer::Entry)| {
                vec![game.into(), kind.into(), e.name.into(), e.about.into()]
            };
            (&["game", "kind", "name", "about"], trainer::encoders().into_iter().map(row).collect())
        }
        Some(List::Experiments) => {
            let row = |(name, text): (&str, &str)| vec![name.to_string(), about(text)];
            (&["name", "about"], trainer::shipped_experiments().map(row).collect())
        }
        Some(List::Labs) => {
            let row = |(name, text): (&str, &str)| vec![name.to_string(), about(text)];
            (&["name", "about"], lab::shipped_labs().map(row).collect())
        }
        Some(List::Parameters) => {
            let experiment = runs::open_experiment(experiment.unwrap_or("nim-2x4"))?;
            return parameters::list(out, &experiment.parameters(), json);
        }
    };
    if json {
        for row in rows {
            let object: serde_json::Map<_, _> =
                head.iter().map(|key| key.to_string()).zip(row.into_iter().map(Into::into)).collect();
            writeln!(out, "{}", serde_json::Value::Object(object))?;
        }
        return Ok(());
    }
    if what.is_none() {
        writeln!(out, "`gamete list NAME` lists:")?;
    }
    tables::print_wrapped(out, &rows)?;
    Ok(())
}
