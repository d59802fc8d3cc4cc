//! Requests about experiments: what is shipped, and what would become of an edited one.

use crate::App;
use crate::refusal::{Asked, Named, Refusal};
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use lab::{Entry, Experiment, ExperimentFile};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Everything there is to choose from.
pub async fn about(State(app): State<App>) -> Result<Json<Arc<Value>>, Refusal> {
    let folder = app.studio.runs().display().to_string();
    let described = blocking(move || Ok(Arc::clone(app.about.get_or_init(|| Arc::new(describe(&folder))))));
    Ok(Json(described.await?))
}

fn describe(folder: &str) -> Value {
    let experiments: Vec<Value> = lab::shipped_experiments()
        .filter_map(|(name, text)| ExperimentFile::parse(name, name, text).ok())
        .map(|file| json!({ "name": file.name, "about": file.about(), "game": file.game(), "strategy": file.strategy() }))
        .collect();
    let champions: Vec<Value> = lab::shipped_champions()
        .iter()
        .map(|champion| {
            let mut value = json!(champion);
            value["player"] = json!(format!("champion:{}", champion.game));
            value
        })
        .collect();
    let strategies: Vec<Entry> = lab::strategies();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "runs_folder": folder,
        "games": lab::game_infos(),
        "strategies": strategies,
        "experiments": experiments,
        "champions": champions,
    })
}

fn described(file: &ExperimentFile) -> Result<Json<Value>, Refusal> {
    Ok(Json(json!({
        "name": file.name,
        "about": file.about(),
        "toml": file.checked_text()?,
        "parameters": file.parameters(),
    })))
}

/// A shipped experiment.
pub async fn experiment(Named(name): Named<String>) -> Result<Json<Value>, Refusal> {
    blocking(move || described(&Experiment::shipped(&name)?)).await
}

/// An experiment that somebody edits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edited {
    name: String,
    toml: String,
}

/// Whether an edited text can be trained, and every parameter in it.
pub async fn check(Asked(Edited { name, toml }): Asked<Edited>) -> Result<Json<Value>, Refusal> {
    blocking(move || described(&ExperimentFile::parse(&name, &name, &toml)?)).await
}

/// One parameter to be set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    name: String,
    toml: String,
    key: String,
    value: Value,
}

/// The text with one parameter set to another value.
pub async fn set(Asked(Change { name, toml, key, value }): Asked<Change>) -> Result<Json<Value>, Refusal> {
    blocking(move || described(&ExperimentFile::parse(&name, &name, &toml)?.with_value(&key, &value)?)).await
}
