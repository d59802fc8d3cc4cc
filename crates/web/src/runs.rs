//! Requests about runs: watch, start, pause, resume, stop, delete and measure runs, and show champions.

use crate::App;
use crate::jobs::MeasureParams;
use crate::refusal::{JsonBody, PathParts, QueryParts, Refusal, in_words};
use crate::watch::{Event, Topic};
use arena::Exam;
use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, StreamExt, iter, unfold};
use players::{Format, PortableNetwork};
use runs::{Curves, RunFile};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use tokio::sync::broadcast::error::RecvError;
use trainer::ExperimentFile;

/// Streams all runs and their changes.
pub async fn watch_runs(State(app): State<App>) -> Result<impl IntoResponse, Refusal> {
    stream(app, Topic::Runs).await
}

/// Streams one run and its changes. If there is no such run, an event says so: browsers do not show pages why a stream
/// could not be opened.
pub async fn watch_run(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
) -> Result<impl IntoResponse, Refusal> {
    stream(app, Topic::Run(name)).await
}

/// A stream of events that begins with a snapshot. A page that lags too far behind gets a new snapshot.
async fn stream(
    app: App,
    topic: Topic,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>> + use<>>, Refusal> {
    let subscribe = move |app: &App, topic: &Topic| {
        let (watch, topic) = (app.watch.clone(), topic.clone());
        blocking(move || Ok(watch.subscribe(&topic)))
    };
    let (snapshot, receiver) = subscribe(&app, &topic).await?;
    let later = unfold((app, topic, receiver), move |(app, topic, mut receiver)| async move {
        match receiver.recv().await {
            Ok(event) => Some((vec![event], (app, topic, receiver))),
            Err(RecvError::Closed) => None,
            Err(RecvError::Lagged(_)) => {
                let (snapshot, receiver) = subscribe(&app, &topic).await.ok()?;
                Some((snapshot, (app, topic, receiver)))
            }
        }
    });
    let events = iter([snapshot]).chain(later).flat_map(iter);
    let written = |Event { name, data }: Event| Ok(sse::Event::default().event(name).data(&*data));
    Ok(Sse::new(events.map(written)).keep_alive(KeepAlive::default()))
}

/// Runs work that reads files or searches on another thread, so that the threads for answers stay free.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::fault()))
}

/// A request to train an experiment.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TrainAsked {
    /// The experiment's name.
    experiment: String,
    /// The experiment's text.
    toml: String,
    /// The run's name; if it is null or empty, the name of the experiment and a number.
    name: Option<String>,
}

/// The answer to a request that started a training.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct Started {
    /// The run's name.
    pub name: String,
}

/// Starts a training.
pub async fn train(
    State(app): State<App>,
    JsonBody(asked): JsonBody<TrainAsked>,
) -> Result<impl IntoResponse, Refusal> {
    let name = blocking(move || {
        let experiment = ExperimentFile::parse(&asked.experiment, &asked.experiment, &asked.toml)?;
        app.jobs.train(experiment, asked.name.filter(|name| !name.is_empty()))
    });
    Ok((StatusCode::CREATED, Json(Started { name: name.await? })))
}

pub async fn pause(State(app): State<App>, PathParts(name): PathParts<String>) -> Result<StatusCode, Refusal> {
    blocking(move || app.jobs.stop(&name, true)).await.map(|()| StatusCode::NO_CONTENT)
}

pub async fn stop(State(app): State<App>, PathParts(name): PathParts<String>) -> Result<StatusCode, Refusal> {
    blocking(move || app.jobs.stop(&name, false)).await.map(|()| StatusCode::NO_CONTENT)
}

/// A request to resume a run.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ResumeAsked {
    /// The new number of generations in all; null keeps the number as it is.
    generations: Option<u64>,
}

pub async fn resume(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
    JsonBody(asked): JsonBody<ResumeAsked>,
) -> Result<StatusCode, Refusal> {
    blocking(move || app.jobs.resume(&name, asked.generations)).await.map(|()| StatusCode::NO_CONTENT)
}

pub async fn remove(State(app): State<App>, PathParts(name): PathParts<String>) -> Result<StatusCode, Refusal> {
    blocking(move || app.jobs.remove(&name)).await.map(|()| StatusCode::NO_CONTENT)
}

/// A request to measure the Elo of a run's champions.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MeasureAsked {
    /// The number of plies that champions look ahead; null for as many as in training.
    depth: Option<u32>,
    /// The number of games of each match.
    games: u32,
    /// The number of champions that take part.
    champions: u32,
}

pub async fn measure(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
    JsonBody(asked): JsonBody<MeasureAsked>,
) -> Result<StatusCode, Refusal> {
    let MeasureAsked { depth, games, champions } = asked;
    for (what, found, least, most) in
        [("games", games, 2, 1000), ("champions", champions, 2, 100), ("depth", depth.unwrap_or(0), 0, 8)]
    {
        if !(least..=most).contains(&found) {
            return Err(Refusal::bad(format!("{what} is {found}, but it must be from {least} to {most}")));
        }
    }
    let params = MeasureParams { depth, games, champions: champions as usize };
    blocking(move || app.jobs.measure(&name, params)).await.map(|()| StatusCode::ACCEPTED)
}

pub async fn stop_measuring(State(app): State<App>, PathParts(name): PathParts<String>) -> Result<StatusCode, Refusal> {
    blocking(move || app.jobs.stop_measuring(&name)).await.map(|()| StatusCode::NO_CONTENT)
}

/// The part of the curves from generation `from` to generation `to`.
#[derive(Deserialize)]
pub struct Part {
    from: u64,
    to: u64,
}

/// Answers with a part of a run's curves, with as many points as a page can show.
pub async fn curves(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
    QueryParts(Part { from, to }): QueryParts<Part>,
) -> Result<Json<Curves>, Refusal> {
    if from == 0 || to < from {
        return Err(Refusal::bad(format!("from {from} to {to} is no range of generations; the first generation is 1")));
    }
    let found = blocking(move || {
        let run = open(&app, &name)?;
        let last = run.last_report()?.map_or(0, |report| report.generation);
        let stride = Curves::stride_for(to.min(last).saturating_sub(from) + 1, crate::cards::MOST_PLACES);
        Ok(run.curves(from, to, stride)?)
    });
    Ok(Json(found.await?))
}

pub fn open(app: &App, name: &str) -> Result<RunFile, Refusal> {
    Ok(RunFile::open(&runs::named_run(app.jobs.runs(), name)?)?)
}

/// The champion of a generation.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct Champion {
    /// The generation.
    pub generation: u64,
    /// The champion's score.
    pub score: f64,
    /// The champion's grade; null if it took no exam.
    pub grade: Option<f64>,
    /// All grades of its exam by name; null if it took no exam.
    pub exam: Option<Exam>,
    /// The number of nodes of each layer of its network.
    pub layers: Vec<usize>,
    /// The number of hidden nodes of its network.
    pub hidden: u64,
    /// The number of edges of its network.
    pub edges: u64,
    /// The number of its genome; null if the strategy does not number genomes.
    pub genome: Option<u64>,
    /// The champion as a player, such as `run:NAME@7`.
    pub player: String,
}

/// Answers with the champion of a generation.
pub async fn champion(
    State(app): State<App>,
    PathParts((name, generation)): PathParts<(String, u64)>,
) -> Result<Json<Champion>, Refusal> {
    let found = blocking(move || {
        let run = open(&app, &name)?;
        let Some(report) = run.report(generation)? else {
            // The error of this call says which generations there are.
            let why = run.champion(Some(generation)).err().map_or_else(String::new, |error| in_words(&error));
            return Err(Refusal::new(StatusCode::NOT_FOUND, why));
        };
        Ok(Champion {
            generation,
            score: report.best_score,
            grade: report.exam.as_ref().map(Exam::grade),
            exam: report.exam,
            layers: report.champion_layers,
            hidden: report.champion_hidden,
            edges: report.champion_edges,
            genome: report.champion_genome,
            player: format!("run:{name}@{generation}"),
        })
    });
    Ok(Json(found.await?))
}

/// Answers with a champion's network as a JSON file.
pub async fn network(
    State(app): State<App>,
    PathParts((name, generation)): PathParts<(String, u64)>,
) -> Result<Response, Refusal> {
    let file = format!("{name}@{generation}.json");
    let text =
        blocking(move || Ok(PortableNetwork::from_run(&open(&app, &name)?, Some(generation))?.write(Format::Json)));
    let mut response = (StatusCode::OK, text.await?).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // Names of runs have no quotes. A header cannot hold letters beyond ASCII; the browser then chooses a file name.
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{file}\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
