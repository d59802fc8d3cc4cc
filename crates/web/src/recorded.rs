//! Requests of the games page: the games that a run kept, files of games, and remarks on a game, line by line.

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

/// Which generation.
#[derive(Deserialize)]
pub struct At {
    generation: Option<u64>,
}

/// The games that a run kept of a generation, or of the last before it of which it kept some.
pub async fn kept(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
    QueryParts(At { generation }): QueryParts<At>,
) -> Result<Json<KeptGames>, Refusal> {
    let found = blocking(move || Ok(players::kept_games(&open(&app, &name)?, generation.unwrap_or(u64::MAX))?));
    Ok(Json(found.await?))
}

/// A file of games.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Pasted {
    /// The file, PGN or PDN.
    text: String,
    /// The game, where the file does not say it.
    game: Option<String>,
}

/// The games of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadGames {
    /// The first 200 of them at most.
    games: Vec<SteppedGame>,
    /// What `1-0` means in the file, where files differ.
    meaning: Option<String>,
    /// That there are more games than these, in a sentence.
    note: Option<String>,
}

/// No more games of a file are shown.
const MOST_GAMES: usize = 200;

/// Reads a file of games.
pub async fn read(JsonBody(Pasted { text, game }): JsonBody<Pasted>) -> Result<Json<ReadGames>, Refusal> {
    blocking(move || {
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

/// A game to be remarked on.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Valued {
    /// The game's name.
    game: String,
    /// Overrides of the setup: `KEY=VALUE`.
    #[serde(default)]
    setup: Vec<String>,
    /// The position it begins with.
    start: String,
    /// Its moves, in the game's notation.
    #[serde(default)]
    moves: Vec<String>,
    /// The player whose values they are.
    player: String,
}

/// Nobody waits for more plies, rounds or seconds for each position of a game.
const MOST: play::Most = play::Most { depth: 8, rounds: 10_000, seconds: 2.0 };
/// And a search visits no more positions than so many.
const MOST_NODES: u64 = 300_000;
/// So many remarks may wait for a page that is slow to read them.
const MOST_WAITING: usize = 64;

/// Remarks on a game, each in a line of its own as soon as it is known. Thinking ends when the page goes.
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
            let context = Context { halt: Some(halt), ..Context::new(app.jobs.runs(), app.jobs.tables(), &|_| ()) };
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
            // Whoever asked may be gone.
            let _ = sender.blocking_send(Err(refusal));
        }
    });
    // What is wrong is known before the first remark.
    let first = remarks.recv().await.ok_or_else(Refusal::fault)??;
    let lines = unfold((Some(first), remarks, asking), |(first, mut remarks, asking)| async move {
        let remark = match first {
            Some(remark) => remark,
            None => remarks.recv().await?.ok()?,
        };
        Some((Ok::<_, Infallible>(line(&remark)), (None, remarks, asking)))
    });
    // Packed lines would wait for each other.
    let headers = [(CONTENT_TYPE, "application/x-ndjson"), (CONTENT_ENCODING, "identity")];
    Ok((headers, Body::from_stream(lines)).into_response())
}

fn line(remark: &Remark) -> String {
    // Numbers and texts can always be written.
    serde_json::to_string(remark).unwrap_or_default() + "\n"
}
