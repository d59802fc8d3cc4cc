//! Requests of the play page. A game is told anew each time by its beginning and its moves, so that the server keeps
//! nothing, a page can be loaded again, and a game can be taken back to any point.

use crate::App;
use crate::refusal::{JsonBody, Refusal};
use crate::runs::blocking;
use arena::Outlook;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use games::{Outcome, Side};
use players::{Context, Hint, LiveGame, LiveMove, LiveParams, LiveView, MOST_LIVE_NODES, PlayerSpec, SearchOptions};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::OwnedSemaphorePermit;

/// A game as it stands, told by its start and its moves: the server keeps nothing.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The game's name.
    game: String,
    /// Overrides of the usual setup, or of the one the opponent was bred for: `KEY=VALUE`.
    #[serde(default)]
    setup: Vec<String>,
    /// The opponent as it is named on the command line, such as `champion:nim`, `run:NAME@7,depth=4` or `mcts:500`; null
    /// for none.
    against: Option<String>,
    /// The position it begins with; where it is null, the setup and the seed draw one.
    start: Option<String>,
    /// The moves so far, in the game's notation.
    #[serde(default)]
    moves: Vec<String>,
    /// Seed of all chance.
    #[serde(default)]
    seed: u64,
    /// The side of the person, for the names in records.
    person: Option<Side>,
}

/// A game as a page draws it.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct ShownGame {
    /// The game's name.
    pub game: String,
    /// The position it began with.
    pub start: String,
    /// The position, in the game's notation.
    pub position: String,
    /// The position drawn with characters.
    pub diagram: String,
    /// The side to move.
    pub side: Side,
    /// The legal moves in the game's notation; empty where there are more than 300 of them.
    pub moves: Vec<String>,
    /// The number of legal moves.
    pub legal: usize,
    /// The moves so far, as records of whole games write them.
    pub written: Vec<String>,
    /// `first`, `second` or `draw`; null while the game goes on.
    #[cfg_attr(test, ts(type = "Side | \"draw\" | null"))]
    pub outcome: Option<String>,
    /// Why the game is over, in a sentence.
    pub why: Option<String>,
    /// The whole game as PGN or PDN, where the game has such a form.
    pub record: Option<String>,
}

/// What the opponent did.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct Answer {
    /// The move it made; null when it tried something illegal, and lost by it.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What it tried, where that is illegal.
    pub illegal: Option<String>,
    /// The game after that.
    pub table: ShownGame,
}

/// How the opponent sees a position, for the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opinion {
    /// What the position is worth; null where the opponent has no value for it.
    value: Option<Outlook>,
    /// How the game would go on, as records of whole games write it.
    line: Vec<String>,
    /// What moves are worth, the best first.
    moves: Vec<LiveMove>,
    /// What there is to say instead or beside.
    note: Option<&'static str>,
}

/// A best move, or why there is none.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct HintAnswer {
    /// The move; null where no solver, table or count of pieces knows one.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What is known of it, in a sentence.
    pub words: String,
}

/// More moves than this are counted, not listed.
const MOST_LISTED: usize = 300;
/// No game is longer.
const MOST_MOVES: usize = 2000;
/// How far a player may look ahead.
pub struct Most {
    pub depth: u32,
    pub rounds: u32,
    pub seconds: f64,
}

/// Nobody waits for more plies, rounds or seconds for a move.
const MOST: Most = Most { depth: 12, rounds: 100_000, seconds: 10.0 };

/// Thinking ends when whoever asked has gone.
#[derive(Default)]
pub struct Asking(Arc<AtomicBool>);

impl Asking {
    /// Set when they have.
    pub fn halt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits until somebody else has thought enough.
pub async fn turn(app: &App) -> Result<OwnedSemaphorePermit, Refusal> {
    let busy = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end");
    Arc::clone(&app.thinking).acquire_owned().await.map_err(busy)
}

/// No game has more moves.
pub fn check_length(found: usize) -> Result<(), Refusal> {
    match found > MOST_MOVES {
        true => Err(Refusal::bad(format!("the game has {found} moves, but no more than {MOST_MOVES} are taken"))),
        false => Ok(()),
    }
}

/// Sets the game up, and does something with it, where it may take its time.
async fn at_the_table<T: Send + 'static>(
    app: App,
    play: Play,
    thinks: bool,
    work: impl FnOnce(&mut (dyn LiveGame + '_), &Play) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let asking = Asking::default();
    let halt = asking.halt();
    // Who only looks need not wait for those who think.
    let turn = if thinks { Some(turn(&app).await?) } else { None };
    blocking(move || {
        let _turn = turn;
        check_length(play.moves.len())?;
        let against = play.against.as_deref().map(|text| player(text, &app)).transpose()?;
        let context = Context { halt: Some(halt), ..Context::new(app.jobs.runs(), app.jobs.tables(), &|_| ()) };
        let params = LiveParams {
            game: &play.game,
            against: against.as_ref(),
            position: play.start.as_deref(),
            setup: &play.setup,
            seed: play.seed,
            context: &context,
        };
        let mut game = players::live_game_after(&params, &play.moves)?;
        work(&mut *game, &play)
    })
    .await
}

/// A player that a page may ask for: no files, and nothing that takes for ever.
pub fn player(text: &str, app: &App) -> Result<PlayerSpec, Refusal> {
    player_within(text, app, &MOST)
}

/// The same, where there is less time.
pub fn player_within(text: &str, app: &App, at_most: &Most) -> Result<PlayerSpec, Refusal> {
    let player: PlayerSpec = text.parse()?;
    player.checked_for_pages(app.jobs.runs())?;
    let SearchOptions { depth, nodes, mcts, seconds, .. } = player.search();
    let limits = [
        ("depth", depth.map(f64::from), f64::from(at_most.depth)),
        ("nodes", nodes.map(|nodes| nodes as f64), MOST_LIVE_NODES as f64),
        ("rounds", mcts.map(f64::from), f64::from(at_most.rounds)),
        ("seconds", seconds, at_most.seconds),
    ];
    match limits.iter().find(|(_, found, most)| found.is_some_and(|found| found > *most)) {
        Some((what, _, most)) => Err(Refusal::bad(format!("`{text}`: {what} must be at most {most} here"))),
        None => Ok(player),
    }
}

/// The table, as the page draws it.
fn table(game: &(dyn LiveGame + '_), play: &Play) -> ShownGame {
    let outcome = game.outcome();
    let (over, legal) = (outcome.is_some(), if outcome.is_some() { 0 } else { game.count_moves() });
    let why = match outcome {
        None => None,
        Some(Outcome::Draw) => Some(game.why_drawn().unwrap_or_else(|| "drawn".to_string())),
        Some(Outcome::Win(_)) => game.why_won().map(str::to_string),
    };
    let opponent = play.against.as_deref().unwrap_or("?");
    let record = game.record(match play.person {
        None => ["?", "?"],
        Some(Side::First) => ["you", opponent],
        Some(Side::Second) => [opponent, "you"],
    });
    ShownGame {
        game: game.name().to_string(),
        start: game.start(),
        position: game.position(),
        diagram: game.diagram(),
        side: game.side(),
        moves: if over || legal > MOST_LISTED { Vec::new() } else { game.moves() },
        legal,
        written: game.written(),
        outcome: outcome.map(|outcome| outcome.name().to_string()),
        why,
        record,
    }
}

/// How the game stands.
pub async fn position(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<ShownGame>, Refusal> {
    at_the_table(app, play, false, |game, play| Ok(Json(table(game, play)))).await
}

fn goes_on(game: &(dyn LiveGame + '_)) -> Result<(), Refusal> {
    match game.outcome() {
        None => Ok(()),
        Some(_) => Err(Refusal::conflict("the game is over")),
    }
}

/// The opponent moves.
pub async fn answer(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<Answer>, Refusal> {
    at_the_table(app, play, true, |game, play| {
        goes_on(game)?;
        if play.against.is_none() {
            return Err(Refusal::bad("nobody plays against you, so that nobody can answer"));
        }
        let (mv, illegal) = match game.answer() {
            Ok(mv) => (Some(mv), None),
            Err(attempt) => (None, Some(attempt)),
        };
        Ok(Json(Answer { mv, illegal, table: table(game, play) }))
    })
    .await
}

/// How the opponent sees the position.
pub async fn view(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<Opinion>, Refusal> {
    at_the_table(app, play, true, |game, play| {
        goes_on(game)?;
        let note = if play.against.is_none() { "nobody plays against you" } else { "it has no opinion here" };
        let view = game.view();
        let note = match &view {
            None => Some(note),
            Some(view) if view.value.is_none() && view.moves.is_empty() => Some("it names a move, and values nothing"),
            Some(view) if view.value.is_none() => Some("its numbers say which move is better, and no more"),
            Some(_) => None,
        };
        let LiveView { value, line, mut moves } = view.unwrap_or_default();
        // The best of them, where there are too many to show.
        moves.truncate(MOST_LISTED);
        Ok(Json(Opinion { value, line, moves, note }))
    })
    .await
}

/// A best move, where somebody knows.
pub async fn hint(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<HintAnswer>, Refusal> {
    at_the_table(app, play, true, |game, _| {
        goes_on(game)?;
        Ok(Json(match game.hint() {
            Some(Hint { mv, words }) => HintAnswer { mv: Some(mv), words },
            None => HintAnswer { mv: None, words: "nobody knows a best move here".to_string() },
        }))
    })
    .await
}
