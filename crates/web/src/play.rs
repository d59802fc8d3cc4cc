//! Requests of the play page. A game is told anew each time by its beginning and its moves, so that the server keeps
//! nothing, a page can be loaded again, and a game can be taken back to any point.

use crate::App;
use crate::refusal::{Asked, Refusal};
use crate::runs::blocking;
use arena::{Prospect, View};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use games::{Outcome, Side};
use lab::{Home, LiveGame, LiveParams, PlayerSpec, SearchOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A game as it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    game: String,
    #[serde(default)]
    setup: Vec<String>,
    against: Option<String>,
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    seed: u64,
    /// Which side the person plays, for the names in records.
    person: Option<Side>,
}

/// More moves than this are counted, not listed.
const MOST_LISTED: usize = 300;
/// No game is longer.
const MOST_MOVES: usize = 2000;
/// Nobody waits for more plies, rounds or seconds.
const MOST_DEPTH: u32 = 12;
const MOST_ROUNDS: u32 = 100_000;
const MOST_SECONDS: f64 = 10.0;
/// Deeper searches, and those of positions with more moves than this, visit no more positions than so many.
const DEEP: u32 = 8;
const MANY_MOVES: usize = 200;
const MOST_NODES: u64 = 3_000_000;
const MOST_NODES_OF_MANY: u64 = 60_000;

/// Thinking ends when whoever asked has gone.
struct Asking(Arc<AtomicBool>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sets the game up, and does something with it, where it may take its time.
async fn at_the_table<T: Send + 'static>(
    app: App,
    play: Play,
    work: impl FnOnce(&mut (dyn LiveGame + '_), &Play) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let asking = Asking(Arc::default());
    let halt = Arc::clone(&asking.0);
    let busy = || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end");
    let turn = Arc::clone(&app.thinking).acquire_owned().await.map_err(|_| busy())?;
    blocking(move || {
        let _turn = turn;
        if play.moves.len() > MOST_MOVES {
            let found = play.moves.len();
            return Err(Refusal::bad(format!("the game has {found} moves, but no more than {MOST_MOVES} are taken")));
        }
        let against = play.against.as_deref().map(|text| player(text, &app)).transpose()?;
        let home = Home { halt: Some(halt), ..Home::new(app.studio.runs(), app.studio.tables(), &|_| ()) };
        let set_up = |most_nodes: Option<u64>| {
            let params = LiveParams {
                game: &play.game,
                against: against.as_ref(),
                position: play.start.as_deref(),
                setup: &play.setup,
                seed: play.seed,
                most_nodes,
                home: &home,
            };
            let mut game = lab::live_game(&params)?;
            for (number, text) in play.moves.iter().enumerate() {
                let refuse = |error: lab::Error| Refusal::bad(format!("move {}: {error}", number + 1));
                game.play(text).map_err(refuse)?;
            }
            Ok::<_, Refusal>(game)
        };
        // How much there is to think about is known once the game stands.
        let mut game = set_up(None)?;
        let depth = against.as_ref().and_then(|player| player.search().depth).unwrap_or(0);
        let most_nodes = match game.count_moves() {
            moves if moves > MANY_MOVES => Some(MOST_NODES_OF_MANY),
            _ if depth > DEEP => Some(MOST_NODES),
            _ => None,
        };
        if most_nodes.is_some() {
            game = set_up(most_nodes)?;
        }
        work(&mut *game, &play)
    })
    .await
}

/// A player that a page may ask for: no files, and nothing that takes for ever.
pub fn player(text: &str, app: &App) -> Result<PlayerSpec, Refusal> {
    let player: PlayerSpec = text.parse()?;
    match &player {
        PlayerSpec::File(..) => return Err(Refusal::bad("pages play against no files; a run's champion is run:NAME")),
        PlayerSpec::Run { run, .. } => drop(lab::named_run(app.studio.runs(), run)?),
        _ => {}
    }
    let SearchOptions { depth, mcts, seconds, .. } = player.search();
    let refuse = |what: &str, most: &str| Err(Refusal::bad(format!("`{text}`: {what} must be at most {most} here")));
    match (depth, mcts, seconds) {
        (Some(depth), _, _) if depth > MOST_DEPTH => refuse("depth", &MOST_DEPTH.to_string()),
        (_, Some(rounds), _) if rounds > MOST_ROUNDS => refuse("rounds", &MOST_ROUNDS.to_string()),
        (_, _, Some(seconds)) if seconds > MOST_SECONDS => refuse("seconds", &MOST_SECONDS.to_string()),
        _ => Ok(player),
    }
}

/// The table, as the page draws it.
fn table(game: &(dyn LiveGame + '_), play: &Play) -> Value {
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
    json!({
        "game": game.name(),
        "start": game.start(),
        "position": game.position(),
        "diagram": game.diagram(),
        "side": game.side(),
        "moves": if over || legal > MOST_LISTED { Vec::new() } else { game.moves() },
        "legal": legal,
        "written": game.written(),
        "outcome": outcome.map(|outcome| outcome.name()),
        "why": why,
        "record": record,
    })
}

/// How the game stands.
pub async fn position(State(app): State<App>, Asked(play): Asked<Play>) -> Result<Json<Value>, Refusal> {
    at_the_table(app, play, |game, play| Ok(Json(table(game, play)))).await
}

fn goes_on(game: &(dyn LiveGame + '_)) -> Result<(), Refusal> {
    match game.outcome() {
        None => Ok(()),
        Some(_) => Err(Refusal::conflict("the game is over")),
    }
}

/// The opponent moves.
pub async fn answer(State(app): State<App>, Asked(play): Asked<Play>) -> Result<Json<Value>, Refusal> {
    at_the_table(app, play, |game, play| {
        goes_on(game)?;
        if play.against.is_none() {
            return Err(Refusal::bad("nobody plays against you, so that nobody can answer"));
        }
        let (made, illegal) = match game.answer() {
            Ok(mv) => (Some(mv), None),
            Err(attempt) => (None, Some(attempt)),
        };
        Ok(Json(json!({ "move": made, "illegal": illegal, "table": table(game, play) })))
    })
    .await
}

/// How the opponent sees the position.
pub async fn view(State(app): State<App>, Asked(play): Asked<Play>) -> Result<Json<Value>, Refusal> {
    at_the_table(app, play, |game, play| {
        goes_on(game)?;
        let note = match play.against.as_deref() {
            None => "nobody plays against you",
            Some("random") => "it plays any move, and has no opinion",
            Some("first") => "it plays the first move, and has no opinion",
            Some(_) => "it has no opinion here",
        };
        let view = game.view();
        let note = match &view {
            None => Some(note),
            Some(view) if view.value.is_none() && view.moves.is_empty() => Some("it names a move, and values nothing"),
            Some(view) if view.value.is_none() => Some("its numbers say which move is better, and no more"),
            Some(_) => None,
        };
        let View { value, line, mut moves } = view.unwrap_or_default();
        // The best of them, where there are too many to show.
        moves.sort_by(|(_, one), (_, two)| rank(two).total_cmp(&rank(one)));
        moves.truncate(MOST_LISTED);
        let prospect = |Prospect { value, ends_in, visits }: Prospect| {
            json!({ "value": value, "ends_in": ends_in, "visits": visits })
        };
        let moves = moves.into_iter().map(|(mv, found)| {
            let mut described = prospect(found);
            described["move"] = json!(mv);
            described
        });
        let moves: Vec<Value> = moves.collect();
        Ok(Json(json!({ "value": value.map(prospect), "line": line, "moves": moves, "note": note })))
    })
    .await
}

/// By which moves are sorted: the best first, wins that come soon, then those looked at most.
fn rank(prospect: &Prospect) -> f64 {
    let soon = prospect.ends_in.map_or(0.0, |plies| 1e-3 * f64::from(plies).min(999.0));
    let value = f64::from(prospect.value);
    let visits = 1e-9 * f64::from(prospect.visits.unwrap_or(0));
    value + if value > 0.0 { -soon } else { soon } + visits
}

/// A best move, where somebody knows.
pub async fn hint(State(app): State<App>, Asked(play): Asked<Play>) -> Result<Json<Value>, Refusal> {
    at_the_table(app, play, |game, _| {
        goes_on(game)?;
        Ok(Json(match game.hint() {
            Some(hint) => json!(hint),
            None => json!({ "move": null, "words": "nobody knows a best move here" }),
        }))
    })
    .await
}
