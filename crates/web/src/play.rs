//! Requests of the play page. A game is told anew each time by its beginning and its moves, so that the server keeps
//! nothing, a page can be loaded again, and a game can be taken back to any point.

use crate::App;
use crate::refusal::{Asked, Refusal};
use crate::runs::blocking;
use arena::Prospect;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use games::{Outcome, Side};
use lab::{Home, LiveGame, LiveParams, LiveView, PlayerSpec, SearchOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use tokio::sync::OwnedSemaphorePermit;

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
/// How far a player may look ahead.
pub struct Most {
    pub depth: u32,
    pub rounds: u32,
    pub seconds: f64,
}

/// Nobody waits for more plies, rounds or seconds for a move.
const MOST: Most = Most { depth: 12, rounds: 100_000, seconds: 10.0 };
/// Deeper searches, and those of positions with more moves than this, visit no more positions than so many.
const DEEP: u32 = 8;
const MANY_MOVES: usize = 200;
const MOST_NODES: u64 = 3_000_000;
const MOST_NODES_OF_MANY: u64 = 60_000;
const MOST_ROUNDS_OF_MANY: u32 = 1000;

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
        self.0.store(true, Memory::Relaxed);
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
        let search = against.as_ref().map(PlayerSpec::search).unwrap_or_default();
        let depth = search.depth.unwrap_or(0);
        let moves = game.count_moves();
        if moves > MANY_MOVES && search.mcts.is_some_and(|rounds| rounds > MOST_ROUNDS_OF_MANY) {
            let what =
                format!("with {moves} moves to choose from, no more than {MOST_ROUNDS_OF_MANY} rounds are made here");
            return Err(Refusal::bad(what));
        }
        let most_nodes = match moves {
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
    player_within(text, app, &MOST)
}

/// The same, where there is less time.
pub fn player_within(text: &str, app: &App, at_most: &Most) -> Result<PlayerSpec, Refusal> {
    let player: PlayerSpec = text.parse()?;
    match &player {
        PlayerSpec::File(..) => return Err(Refusal::bad("pages play against no files; a run's champion is run:NAME")),
        PlayerSpec::Run { run, .. } => drop(lab::named_run(app.studio.runs(), run)?),
        _ => {}
    }
    let SearchOptions { depth, nodes, mcts, seconds, .. } = player.search();
    let limits = [
        ("depth", depth.map(f64::from), f64::from(at_most.depth)),
        ("nodes", nodes.map(|nodes| nodes as f64), MOST_NODES as f64),
        ("rounds", mcts.map(f64::from), f64::from(at_most.rounds)),
        ("seconds", seconds, at_most.seconds),
    ];
    match limits.iter().find(|(_, found, most)| found.is_some_and(|found| found > *most)) {
        Some((what, _, most)) => Err(Refusal::bad(format!("`{text}`: {what} must be at most {most} here"))),
        None => Ok(player),
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
    at_the_table(app, play, false, |game, play| Ok(Json(table(game, play)))).await
}

fn goes_on(game: &(dyn LiveGame + '_)) -> Result<(), Refusal> {
    match game.outcome() {
        None => Ok(()),
        Some(_) => Err(Refusal::conflict("the game is over")),
    }
}

/// The opponent moves.
pub async fn answer(State(app): State<App>, Asked(play): Asked<Play>) -> Result<Json<Value>, Refusal> {
    at_the_table(app, play, true, |game, play| {
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
    at_the_table(app, play, true, |game, play| {
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
        let LiveView { value, line, mut moves } = view.unwrap_or_default();
        // The best of them, where there are too many to show.
        moves.sort_by(|(_, _, one), (_, _, two)| by_rank(two, one));
        moves.truncate(MOST_LISTED);
        let prospect = |Prospect { value, ends_in, visits }: Prospect| {
            json!({ "value": value, "ends_in": ends_in, "visits": visits })
        };
        let moves = moves.into_iter().map(|(mv, written, found)| {
            let mut described = prospect(found);
            (described["move"], described["written"]) = (json!(mv), json!(written));
            described
        });
        let moves: Vec<Value> = moves.collect();
        Ok(Json(json!({ "value": value.map(prospect), "line": line, "moves": moves, "note": note })))
    })
    .await
}

/// The order of moves: certain wins above whatever a network thinks, the soonest best, and certain defeats below it, the
/// latest best; then by value, then by how often they were looked at.
fn by_rank(one: &Prospect, two: &Prospect) -> Ordering {
    let key = |found: &Prospect| match found.ends_in {
        Some(plies) if found.value > 0.0 => (1, -f64::from(plies)),
        Some(plies) if found.value < 0.0 => (-1, f64::from(plies)),
        _ => (0, f64::from(found.value)),
    };
    let (one_key, two_key) = (key(one), key(two));
    one_key.0.cmp(&two_key.0).then(one_key.1.total_cmp(&two_key.1)).then(one.visits.cmp(&two.visits))
}

/// A best move, where somebody knows.
pub async fn hint(State(app): State<App>, Asked(play): Asked<Play>) -> Result<Json<Value>, Refusal> {
    at_the_table(app, play, true, |game, _| {
        goes_on(game)?;
        Ok(Json(match game.hint() {
            Some(hint) => json!(hint),
            None => json!({ "move": null, "words": "nobody knows a best move here" }),
        }))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_certain_outranks_what_is_thought() {
        let sees = |value: f32, ends_in: Option<u32>| Prospect { value, ends_in, visits: None };
        let mut found = [
            sees(1.03, None),
            sees(-1.0, Some(2)),
            sees(1.0, Some(4)),
            sees(-1.36, None),
            sees(1.0, Some(2)),
            sees(-1.0, Some(6)),
        ];
        found.sort_by(|one, two| by_rank(two, one));
        let order = found.map(|found| (found.value, found.ends_in));
        let expected = [(1.0, Some(2)), (1.0, Some(4)), (1.03, None), (-1.36, None), (-1.0, Some(6)), (-1.0, Some(2))];
        assert_eq!(order, expected);
    }
}
