//! Requests of the exam page: the grades of a player, and the positions that it failed.

use crate::App;
use crate::play::{self, Asking};
use crate::refusal::{JsonBody, Refusal};
use crate::runs::blocking;
use arena::{Exam, Failure};
use axum::Json;
use axum::extract::State;
use players::{Context, ExamParams};
use serde::{Deserialize, Serialize};

/// Who is examined.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ExamAsked {
    /// The player, as it is named on the command line.
    player: String,
    /// The game, where the player does not say it.
    game: Option<String>,
}

/// The grades of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Examined {
    /// The player, as it was asked for.
    player: String,
    /// The game's name.
    game: String,
    /// All grades by name.
    exam: Exam,
    /// How many positions it failed; the list of failures has 500 of them at most.
    failed: usize,
    /// Positions that it failed.
    failures: Vec<Failure>,
}

/// Hundreds of positions are asked: nobody waits for more plies, rounds or seconds in each of them.
const MOST: play::Most = play::Most { depth: 4, rounds: 1000, seconds: 0.1 };
/// No more failures are shown.
const MOST_FAILURES: usize = 500;

/// Examines a player as it plays.
pub async fn exam(State(app): State<App>, JsonBody(asked): JsonBody<ExamAsked>) -> Result<Json<Examined>, Refusal> {
    let asking = Asking::default();
    let halt = asking.halt();
    let turn = play::turn(&app).await?;
    blocking(move || {
        let _turn = turn;
        let player = play::player_within(&asked.player, &app, &MOST)?;
        // Whoever plays any game says nothing about flags.
        let Some(game) = asked.game.or(player.game(app.jobs.runs())?.map(str::to_string)) else {
            return Err(Refusal::bad(format!("`{}` plays any game; choose which", asked.player)));
        };
        let context = Context { halt: Some(halt), ..Context::new(app.jobs.runs(), app.jobs.tables(), &|_| ()) };
        let params = ExamParams {
            player: &player,
            game: Some(&game),
            setup: &[],
            questions: None,
            quick: true,
            context: &context,
        };
        let (exam, mut failures) = players::examine(&params)?;
        let failed = match &exam {
            // A solver tells the first of them.
            Exam::Truth(truth) => (truth.positions as f64 * (1.0 - truth.all_positions)).round() as usize,
            Exam::Tactics(_) => failures.len(),
        };
        failures.truncate(MOST_FAILURES);
        Ok(Json(Examined { player: asked.player, game, exam, failed, failures }))
    })
    .await
}
