//! Requests of the page Games: the games that a run has saved, files of games, and remarks on each move of a game.

use crate::App;
use crate::play::{self, Asking};
use crate::refusal::{JsonBody, PathParts, QueryParts, Refusal};
use crate::runs::{blocking, open};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use players::{AnnotationParams, Context, KeptGames, Remark, SteppedGame};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::ops::ControlFlow;
use tokio::sync::mpsc;

/// The query for saved games: the generation, or `None` for the last one with games.
#[derive(Deserialize)]
pub struct At {
    generation: Option<u64>,
}

/// Answers with the games that a run has saved of a generation, or of the last generation before it with saved games.
pub async fn kept(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
    QueryParts(At { generation }): QueryParts<At>,
) -> Result<Json<KeptGames>, Refusal> {
    let found = blocking(move || Ok(players::kept_games(&open(&app, &name)?, generation.unwrap_or(u64::MAX))?));
    Ok(Json(found.await?))
}

/// A request to read a file of games.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Pasted {
    /// The text of the file, PGN or PDN.
    text: String,
    /// The game's name; needed if the file does not name it.
    game: Option<String>,
}

/// The games of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadGames {
    /// At most the first 200 games.
    games: Vec<SteppedGame>,
    /// What `1-0` means in this file; null if it always means the same in this game.
    meaning: Option<String>,
    /// A sentence that says that not all games are shown; null if all are.
    note: Option<String>,
}

/// The largest number of games of a file that are shown.
const MOST_GAMES: usize = 200;

/// Answers with the games of a file.
pub async fn read(JsonBody(Pasted { text, game }): JsonBody<Pasted>) -> Result<Json<ReadGames>, Refusal> {
    blocking(move || {
        let game = game.or_else(|| game_of_moves(&text));
        let read = players::read_games(&text, game.as_deref(), MOST_GAMES).map_err(|error| match error {
            lab::Error::Parameter { parameter: "game", what } => Refusal::bad(format!("{what}; choose one of them")),
            error => error.into(),
        })?;
        let shown = read.games.len();
        let note = (shown < read.found).then(|| format!("the first {shown} of {} games are shown", read.found));
        Ok(Json(ReadGames { games: read.games, meaning: read.meaning, note }))
    })
    .await
}

/// The one game whose rules allow all moves of a text without tags; `None` if the text has tags, or if there is no such
/// game or more than one.
fn game_of_moves(text: &str) -> Option<String> {
    if text.lines().any(|line| line.trim_start().starts_with('[')) {
        return None;
    }
    let fits = |name: &str| {
        let read = players::read_games(text, Some(name), MOST_GAMES);
        read.is_ok_and(|read| {
            read.games.iter().any(|game| !game.steps.moves.is_empty())
                && read.games.iter().all(|game| game.problem.is_none())
        })
    };
    let games = trainer::game_infos().into_iter().filter(|game| game.record.is_some());
    let mut fitting = games.map(|game| game.name).filter(|name| fits(name));
    let found = fitting.next()?;
    fitting.next().is_none().then(|| found.to_string())
}

/// A request for remarks on a game.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Valued {
    /// The game's name.
    game: String,
    /// Changes to the setup, each as `KEY=VALUE`.
    #[serde(default)]
    setup: Vec<String>,
    /// The position in which the game begins.
    start: String,
    /// Its moves, in the game's notation.
    #[serde(default)]
    moves: Vec<String>,
    /// The player that judges the positions.
    player: String,
}

/// The largest search for each position of a game.
const MOST: play::Most = play::Most { depth: 8, rounds: 10_000, seconds: 2.0 };
/// The largest number of positions that the search for one position visits.
const MOST_NODES: u64 = 300_000;
/// The number of remarks that may wait for a slow page.
const MOST_WAITING: usize = 64;

/// Streams remarks on a game as lines of JSON, each as soon as it is known. The search ends when the page is closed.
pub async fn values(State(app): State<App>, JsonBody(asked): JsonBody<Valued>) -> Result<Response, Refusal> {
    play::check_length(asked.moves.len())?;
    let asking = Asking::default();
    let halt = asking.halt();
    let turn = play::turn(&app).await?;
    let (sender, mut remarks) = mpsc::channel::<Result<Remark, Refusal>>(MOST_WAITING);
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let think = || -> Result<(), Refusal> {
            let player = play::player_within(&asked.player, &app, &MOST)?;
            let context = Context { halt: Some(halt), ..app.jobs.context() };
            let params = AnnotationParams {
                game: &asked.game,
                setup: &asked.setup,
                start: &asked.start,
                moves: &asked.moves,
                player: &player,
                most_nodes: MOST_NODES,
                context: &context,
            };
            let mut tell = |remark: Remark| match sender.blocking_send(Ok(remark)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
            Ok(players::annotate(&params, &mut tell)?)
        };
        if let Err(refusal) = think() {
            // The request may have been dropped.
            let _ = sender.blocking_send(Err(refusal));
        }
    });
    // Errors are known before the first remark.
    let first = remarks.recv().await.ok_or_else(Refusal::fault)??;
    let lines = unfold((Some(first), remarks, asking), |(first, mut remarks, asking)| async move {
        let remark = match first {
            Some(remark) => remark,
            None => remarks.recv().await?.ok()?,
        };
        Some((Ok::<_, Infallible>(line(&remark)), (None, remarks, asking)))
    });
    // Compression would delay lines.
    let headers = [(CONTENT_TYPE, "application/x-ndjson"), (CONTENT_ENCODING, "identity")];
    Ok((headers, Body::from_stream(lines)).into_response())
}

fn line(remark: &Remark) -> String {
    // Serialising numbers and texts cannot fail.
    serde_json::to_string(remark).unwrap_or_default() + "\n"
}
