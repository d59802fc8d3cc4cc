//! `gamete list`: what there is to choose from.

mod parameters;

use crate::arguments::JsonArg;
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::{Done, Failure, tables};
use clap::{Args, ValueEnum};
use lab::Error;
use std::io::Write;

/// List what there is to choose from
#[derive(Args)]
#[command(after_help = "Examples:\n  gamete list experiments\n  gamete list parameters --experiment draughts")]
pub struct ListArgs {
    /// What to list
    what: List,
    /// The experiment whose parameters are listed: a path, or a name [default: nim-2x4]
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    #[command(flatten)]
    json: JsonArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum List {
    Games,
    Experiments,
    Labs,
    Strategies,
    Players,
    Champions,
    Encoders,
    Schedules,
    Scorings,
    Parameters,
}

impl Run for ListArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        list(out, self.what, self.experiment.as_deref(), self.json.json)?;
        Ok(Done::Well)
    }
}

fn list(out: &mut impl Write, what: List, experiment: Option<&str>, json: bool) -> Result<(), Failure> {
    if experiment.is_some() && !matches!(what, List::Parameters) {
        return Err(Error::refused("--experiment goes with `gamete list parameters` alone".to_string()).into());
    }
    let pairs = |entries: Vec<trainer::Entry>| {
        entries.into_iter().map(|e| vec![e.name.to_string(), e.about.to_string()]).collect()
    };
    let about = |text: &str| text.lines().next().unwrap_or("").trim_start_matches("# ").to_string();
    let (head, rows): (&[&str], Vec<Vec<String>>) = match what {
        List::Games => (&["name", "about"], pairs(trainer::games())),
        List::Strategies => (&["name", "about"], pairs(trainer::strategies())),
        List::Players => (&["name", "about"], players::players().into_iter().map(Vec::from).collect()),
        List::Champions => {
            let row = |champion: &players::ShippedChampion| {
                let player = match champion.options {
                    "" => format!("champion:{}", champion.game),
                    options => format!("champion:{},{options}", champion.game),
                };
                let command = format!("gamete train {} --seed {}", champion.experiment, champion.seed);
                vec![player, command, champion.about.into()]
            };
            (&["player", "command", "about"], players::shipped_champions().iter().map(row).collect())
        }
        List::Schedules => (&["name", "about"], pairs(trainer::schedules())),
        List::Scorings => (&["name", "about"], pairs(trainer::scorings())),
        List::Encoders => {
            let row = |(game, kind, e): (&str, &str, trainer::Entry)| {
                vec![game.into(), kind.into(), e.name.into(), e.about.into()]
            };
            (&["game", "kind", "name", "about"], trainer::encoders().into_iter().map(row).collect())
        }
        List::Experiments => {
            let row = |(name, text): (&str, &str)| vec![name.to_string(), about(text)];
            (&["name", "about"], trainer::shipped_experiments().map(row).collect())
        }
        List::Labs => {
            let row = |(name, text): (&str, &str)| vec![name.to_string(), about(text)];
            (&["name", "about"], lab::shipped_labs().map(row).collect())
        }
        List::Parameters => {
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
    tables::print_wrapped(out, &rows)?;
    Ok(())
}
