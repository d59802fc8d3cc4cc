//! Requests of the page Exam: the grades of a player, and the positions in which it failed.

use crate::App;
use crate::play::{self, Asking};
use crate::refusal::{JsonBody, Refusal};
use crate::runs::blocking;
use arena::{Exam, Failure};
use axum::Json;
use axum::extract::State;
use players::{Context, ExamParams};
use serde::{Deserialize, Serialize};

/// A request to examine a player.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ExamAsked {
    /// The player, written as on the command line.
    player: String,
    /// The game's name; needed if the player can play several games.
    game: Option<String>,
}

/// The result of an exam.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Examined {
    /// The player, as in the request.
    player: String,
    /// The game's name.
    game: String,
    /// All grades by name.
    exam: Exam,
    /// The number of positions in which it failed; `failures` lists at most 500 of them.
    failed: usize,
    /// Positions in which it failed.
    failures: Vec<Failure>,
}

/// The largest search for each position. It is small, because an exam has hundreds of positions.
const MOST: play::Most = play::Most { depth: 4, rounds: 1000, seconds: 0.1 };
/// The largest number of failures that are shown.
const MOST_FAILURES: usize = 500;

/// Answers with the exam of a player.
pub async fn exam(State(app): State<App>, JsonBody(asked): JsonBody<ExamAsked>) -> Result<Json<Examined>, Refusal> {
    let asking = Asking::default();
    let halt = asking.halt();
    let turn = play::turn(&app).await?;
    blocking(move || {
        let _turn = turn;
        let player = play::player_within(&asked.player, &app, &MOST)?;
        // Checked here, because the message of `examine` is written for the command line.
        let Some(game) = asked.game.or(player.game(app.jobs.runs())?.map(str::to_string)) else {
            return Err(Refusal::bad(format!("`{}` plays any game; choose which", asked.player)));
        };
        let context = Context { halt: Some(halt), ..app.jobs.context() };
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
            // For solved games `failures` contains only the first failures, so the number is computed from the grade.
            Exam::Truth(truth) => (truth.positions as f64 * (1.0 - truth.all_positions)).round() as usize,
            Exam::Tactics(_) => failures.len(),
        };
        failures.truncate(MOST_FAILURES);
        Ok(Json(Examined { player: asked.player, game, exam, failed, failures }))
    })
    .await
}
