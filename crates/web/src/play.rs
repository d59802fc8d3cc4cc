//! Requests of the page Play. Each request contains the start and all moves of the game. So the server stores no games,
//! a page can be reloaded, and moves can be taken back.

use crate::App;
use crate::refusal::{JsonBody, Refusal};
use crate::runs::blocking;
use arena::{Method, Outlook};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use games::{Outcome, Side};
use players::{Context, Hint, LiveGame, LiveMove, LiveParams, LiveView, MOST_LIVE_NODES, PlayerSpec, SearchOptions};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::OwnedSemaphorePermit;

/// A game, given by its start and all its moves; the server stores no games.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The game's name.
    game: String,
    /// Changes to the setup, each as `KEY=VALUE`. The setup is the usual one, or the one of the opponent's training.
    #[serde(default)]
    setup: Vec<String>,
    /// The opponent as on the command line, such as `champion:nim`, `run:NAME@7,depth=4` or `mcts:500`; null for no
    /// opponent.
    against: Option<String>,
    /// The position in which the game begins; null for a start of the setup, chosen by the seed.
    start: Option<String>,
    /// The moves so far, in the game's notation.
    #[serde(default)]
    moves: Vec<String>,
    /// The seed of all random numbers.
    #[serde(default)]
    seed: u64,
    /// The side that the person plays, for the names in the game record.
    person: Option<Side>,
}

/// A game as pages show it.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct ShownGame {
    /// The game's name.
    pub game: String,
    /// The position in which the game began.
    pub start: String,
    /// The current position, in the game's notation.
    pub position: String,
    /// The position as a text diagram.
    pub diagram: String,
    /// The side to move.
    pub side: Side,
    /// The legal moves in the game's notation; empty if there are more than 300.
    pub moves: Vec<String>,
    /// The number of legal moves.
    pub legal: usize,
    /// The moves so far, in the notation of game records.
    pub written: Vec<String>,
    /// `first`, `second` or `draw`; null while the game goes on.
    #[cfg_attr(test, ts(type = "Side | \"draw\" | null"))]
    pub outcome: Option<String>,
    /// Why the game is over, in a sentence.
    pub why: Option<String>,
    /// The game record as PGN or PDN; null if the game has neither.
    pub record: Option<String>,
}

/// The opponent's answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct Answer {
    /// The move that it made; null if it tried an illegal move, which loses the game.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The illegal move that it tried; null if its move was legal.
    pub illegal: Option<String>,
    /// The game after the answer.
    pub table: ShownGame,
}

/// What the opponent thinks of a position, for the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opinion {
    /// The value of the position; null if the opponent has none.
    value: Option<Outlook>,
    /// The line that it expects (principal variation), in the notation of game records.
    line: Vec<String>,
    /// The values of the moves, the best first.
    moves: Vec<LiveMove>,
    /// A sentence that explains missing values; null if there is nothing to explain.
    note: Option<&'static str>,
}

// The page decides when it asks for the next turn, so a page that nobody looks at costs nothing.
/// One turn of a game that a page shows between two players.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TurnAsked {
    /// The game so far; `against` is the player whose turn it is.
    play: Play,
    /// The player that gives the value of the position, such as `perfect`; null for the player whose turn it is.
    judge: Option<String>,
}

/// A turn of a player, and the value of the position before it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Turn {
    /// The value for the side whose turn it was; null if the judge gives no value here.
    pub value: Option<Outlook>,
    /// The move, and the game after it.
    #[serde(flatten)]
    pub answer: Answer,
}

/// A best move, or a sentence that says why there is none.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct HintAnswer {
    /// The move; null if no solver, endgame table or material search knows one.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// What is known about the move, in a sentence.
    pub words: String,
}

/// The largest number of legal moves that are listed; more are only counted.
const MOST_LISTED: usize = 300;
/// The longest game that requests may contain, in moves.
const MOST_MOVES: usize = 2000;
/// The largest search that a player may use.
pub struct Most {
    pub depth: u32,
    pub rounds: u32,
    pub seconds: f64,
}

/// The largest search for one move on the page Play.
const MOST: Most = Most { depth: 12, rounds: 100_000, seconds: 10.0 };

/// Belongs to one request. It is dropped when the browser closes the connection, and then stops the request's search.
#[derive(Default)]
pub struct Asking(Arc<AtomicBool>);

impl Asking {
    /// A flag that is set when the request is dropped.
    pub fn halt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits until fewer than the allowed number of requests search for moves.
pub async fn turn(app: &App) -> Result<OwnedSemaphorePermit, Refusal> {
    let busy = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end");
    Arc::clone(&app.thinking).acquire_owned().await.map_err(busy)
}

/// Refuses games with more moves than [`MOST_MOVES`].
pub fn check_length(found: usize) -> Result<(), Refusal> {
    match found > MOST_MOVES {
        true => Err(Refusal::bad(format!("the game has {found} moves, but at most {MOST_MOVES} are allowed"))),
        false => Ok(()),
    }
}

/// Sets up the game of a request and calls `work` with it, on a thread for long work. `thinks` says whether `work`
/// searches for moves.
async fn with_game<T: Send + 'static>(
    app: App,
    play: Play,
    thinks: bool,
    work: impl FnOnce(&mut (dyn LiveGame + '_), &Play) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let asking = Asking::default();
    let halt = asking.halt();
    // A request that only shows the position does not wait for searches.
    let turn = if thinks { Some(turn(&app).await?) } else { None };
    blocking(move || {
        let _turn = turn;
        check_length(play.moves.len())?;
        let against = play.against.as_deref().map(|text| player(text, &app)).transpose()?;
        let context = Context { halt: Some(halt), ..app.jobs.context() };
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

/// Reads a player that pages may use: no players from files, and only searches of limited size.
pub fn player(text: &str, app: &App) -> Result<PlayerSpec, Refusal> {
    player_within(text, app, &MOST)
}

/// The number of plies by which a selective search may look further ahead than an exact one.
const SELECTIVE_PLIES: u32 = 8;

/// Like [`player`], with other limits of the search.
pub fn player_within(text: &str, app: &App, at_most: &Most) -> Result<PlayerSpec, Refusal> {
    let player: PlayerSpec = text.parse()?;
    player.checked_for_pages(&app.jobs.context())?;
    let SearchOptions { depth, nodes, mcts, seconds, search, .. } = player.search();
    // A selective search is about as much work as an exact one of some plies less.
    let more = if search == Some(Method::Selective) { SELECTIVE_PLIES } else { 0 };
    let limits = [
        ("depth", depth.map(f64::from), f64::from(at_most.depth + more)),
        ("nodes", nodes.map(|nodes| nodes as f64), MOST_LIVE_NODES as f64),
        ("rounds", mcts.map(f64::from), f64::from(at_most.rounds)),
        ("seconds", seconds, at_most.seconds),
    ];
    match limits.iter().find(|(_, found, most)| found.is_some_and(|found| found > *most)) {
        Some((what, _, most)) => Err(Refusal::bad(format!("`{text}`: {what} must be at most {most} here"))),
        None => Ok(player),
    }
}

/// The game as the page shows it.
fn shown_game(game: &(dyn LiveGame + '_), play: &Play) -> ShownGame {
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

/// Answers with the game after the moves of the request.
pub async fn position(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<ShownGame>, Refusal> {
    with_game(app, play, false, |game, play| Ok(Json(shown_game(game, play)))).await
}

fn goes_on(game: &(dyn LiveGame + '_)) -> Result<(), Refusal> {
    match game.outcome() {
        None => Ok(()),
        Some(_) => Err(Refusal::conflict("the game is over")),
    }
}

/// Answers with the opponent's move.
pub async fn answer(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<Answer>, Refusal> {
    with_game(app, play, true, |game, play| {
        goes_on(game)?;
        Ok(Json(answered(game, play)?))
    })
    .await
}

/// Lets the opponent move.
fn answered(game: &mut (dyn LiveGame + '_), play: &Play) -> Result<Answer, Refusal> {
    if play.against.is_none() {
        return Err(Refusal::bad("nobody plays against you, so nobody can answer"));
    }
    let (mv, illegal) = match game.answer() {
        Ok(mv) => (Some(mv), None),
        Err(attempt) => (None, Some(attempt)),
    };
    Ok(Answer { mv, illegal, table: shown_game(game, play) })
}

/// Answers with one turn of a game between two players.
pub async fn turn_of_player(
    State(app): State<App>,
    JsonBody(TurnAsked { play, judge }): JsonBody<TurnAsked>,
) -> Result<Json<Turn>, Refusal> {
    let value = match judge {
        // A judge reads the same game from its own seat.
        Some(judge) => {
            let judged = Play { against: Some(judge), ..play.clone() };
            let view = with_game(app.clone(), judged, true, |game, _| Ok(game.view())).await?;
            Some(view.and_then(|view| view.value))
        }
        None => None,
    };
    with_game(app, play, true, move |game, play| {
        goes_on(game)?;
        let value = value.unwrap_or_else(|| game.view().and_then(|view| view.value));
        Ok(Json(Turn { value, answer: answered(game, play)? }))
    })
    .await
}

/// Answers with the opponent's opinion of the position.
pub async fn view(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<Opinion>, Refusal> {
    with_game(app, play, true, |game, play| {
        goes_on(game)?;
        let note = if play.against.is_none() { "nobody plays against you" } else { "it has no opinion here" };
        let view = game.view();
        let note = match &view {
            None => Some(note),
            Some(view) if view.value.is_none() && view.moves.is_empty() => Some("it names a move, but gives no values"),
            Some(view) if view.value.is_none() => Some("its numbers only say which move is better"),
            Some(_) => None,
        };
        let LiveView { value, line, mut moves } = view.unwrap_or_default();
        // Keep the best moves if there are too many.
        moves.truncate(MOST_LISTED);
        Ok(Json(Opinion { value, line, moves, note }))
    })
    .await
}

/// Answers with a best move, if one is known.
pub async fn hint(State(app): State<App>, JsonBody(play): JsonBody<Play>) -> Result<Json<HintAnswer>, Refusal> {
    with_game(app, play, true, |game, _| {
        goes_on(game)?;
        Ok(Json(match game.hint() {
            Some(Hint { mv, words, .. }) => HintAnswer { mv: Some(mv), words },
            None => HintAnswer { mv: None, words: "no best move is known here".to_string() },
        }))
    })
    .await
}
