//! Requests about experiments: list the shipped ones, and check or change an edited one.

use crate::App;
use crate::refusal::{JsonBody, PathParts, Refusal};
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use players::{KindInfo, PLAYER_KINDS, ShippedChampion};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use trainer::{Entry, Experiment, ExperimentFile, GameInfo, Measure, Parameter};

/// Everything that pages offer as choices; it does not change while the server runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct About {
    /// The version of Gamete.
    version: &'static str,
    /// The folder of runs.
    runs_folder: String,
    /// All games.
    games: Vec<GameInfo>,
    /// All strategies.
    strategies: Vec<Entry>,
    /// All measures of a generation, in the order in which they are shown.
    measures: &'static [Measure],
    /// The experiments that are shipped with the program.
    experiments: Vec<ExperimentInfo>,
    /// All kinds of players.
    kinds: &'static [KindInfo],
    /// The champions that are shipped with the program.
    champions: Vec<ChampionInfo>,
}

/// An experiment that is shipped with the program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentInfo {
    /// The experiment's name.
    name: String,
    /// The description at the head of its text.
    about: String,
    /// The game's name.
    game: String,
    /// The strategy's name.
    strategy: String,
}

/// A champion that is shipped with the program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChampionInfo {
    /// The player, such as `champion:nim`.
    player: String,
    /// The origin of the champion.
    #[serde(flatten)]
    champion: &'static ShippedChampion,
    /// How it looks ahead if nothing else is asked for, as options of a player; empty if it looks ahead as it was bred.
    options: String,
    /// Its levels below its usual one, from weak to strong; empty if it has none.
    levels: &'static [&'static str],
    /// The command, with the seed, that trained the champion.
    command: String,
}

/// A valid experiment: its text and its parameters.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckedExperiment {
    /// The experiment's name.
    name: String,
    /// The description at the head of its text.
    about: String,
    /// The experiment's text (TOML).
    toml: String,
    /// All its parameters, in the order of the text.
    parameters: Vec<Parameter>,
}

/// Answers with everything that pages offer as choices.
pub async fn about(State(app): State<App>) -> Result<Json<Arc<About>>, Refusal> {
    let folder = app.jobs.runs().display().to_string();
    let described = blocking(move || Ok(Arc::clone(app.about.get_or_init(|| Arc::new(describe(&folder))))));
    Ok(Json(described.await?))
}

fn describe(folder: &str) -> About {
    let experiment = |(name, text)| {
        let file = ExperimentFile::parse(name, name, text).ok()?;
        let (game, strategy) = (file.game().to_string(), file.strategy().to_string());
        Some(ExperimentInfo { about: file.about(), game, strategy, name: file.name })
    };
    let champion = |champion: &'static ShippedChampion| ChampionInfo {
        player: champion.player(),
        champion,
        options: champion.options(),
        levels: champion.levels(),
        command: format!("gamete train {} --seed {}", champion.experiment, champion.seed),
    };
    About {
        version: env!("CARGO_PKG_VERSION"),
        runs_folder: folder.to_string(),
        games: trainer::game_infos(),
        strategies: trainer::strategies(),
        measures: trainer::MEASURES,
        experiments: trainer::shipped_experiments().filter_map(experiment).collect(),
        kinds: PLAYER_KINDS,
        champions: players::shipped_champions().iter().map(champion).collect(),
    }
}

fn described(file: &ExperimentFile) -> Result<Json<CheckedExperiment>, Refusal> {
    let (name, about, parameters) = (file.name.clone(), file.about(), file.parameters());
    Ok(Json(CheckedExperiment { name, about, toml: file.text().to_string(), parameters }))
}

/// Answers with a shipped experiment.
pub async fn experiment(PathParts(name): PathParts<String>) -> Result<Json<CheckedExperiment>, Refusal> {
    blocking(move || described(&Experiment::shipped(&name)?)).await
}

/// A request to check an edited experiment.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Edited {
    /// The experiment's name.
    name: String,
    /// The experiment's text (TOML).
    toml: String,
}

/// Checks an edited text; answers with its parameters, or refuses it.
pub async fn check(JsonBody(Edited { name, toml }): JsonBody<Edited>) -> Result<Json<CheckedExperiment>, Refusal> {
    blocking(move || described(&ExperimentFile::parse(&name, &name, &toml)?)).await
}

/// A request to set one parameter of an experiment.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The experiment's name.
    name: String,
    /// The experiment's text (TOML).
    toml: String,
    /// The parameter's dotted path, such as `strategy.enn.population`.
    key: String,
    /// The parameter's new value.
    #[cfg_attr(test, ts(type = "unknown"))]
    value: Value,
}

/// Answers with the experiment after one parameter is set.
pub async fn set(JsonBody(change): JsonBody<Change>) -> Result<Json<CheckedExperiment>, Refusal> {
    let Change { name, toml, key, value } = change;
    blocking(move || described(&ExperimentFile::parse(&name, &name, &toml)?.with_json(&key, &value)?)).await
}
