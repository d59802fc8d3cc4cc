//! Matches that pages start: two players, or a round robin of more. They are played in the background, at most two at a time;
//! those that are over are remembered for a while, in memory alone.

use crate::App;
use crate::play::player;
use crate::refusal::{Asked, Refusal};
use crate::runs::blocking;
use crate::studio::Studio;
use arena::{MatchScore, Rating};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::response::sse::{self, KeepAlive, Sse};
use futures_util::stream::unfold;
use lab::{CrosstableParams, Home, MatchWatcher, PlayerSpec, pairs_of};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};
use std::time::Duration;
use tokio::sync::watch;

/// No more matches at once: they share the cores.
const MOST_AT_ONCE: usize = 2;
/// So many that are over are remembered.
const MOST_KEPT: usize = 20;
const MOST_PLAYERS: usize = 12;
const MOST_GAMES: u32 = 2000;
/// Pages hear of a match no more often than this.
const EVERY: Duration = Duration::from_millis(200);
/// So long one waits to hear that somebody cannot play; players that need longer to sit down may say so later.
const HEARING: Duration = Duration::from_secs(2);

/// All matches that are known.
#[derive(Default)]
pub struct Matches {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// By number, which grows.
    known: BTreeMap<u64, Arc<Match>>,
    last: u64,
    closing: bool,
}

impl Inner {
    fn named(&self, id: &str) -> Option<&Arc<Match>> {
        self.known.get(&id.parse().ok()?)
    }
}

/// One match, or a round robin.
struct Match {
    id: u64,
    asked: MatchAsked,
    stop: Arc<AtomicBool>,
    course: Mutex<Course>,
    /// Told whenever the course changes.
    changed: watch::Sender<()>,
}

/// How far a match is.
struct Course {
    standing: Standing,
    /// Random plies before each game, once that is known.
    plies: Option<usize>,
    /// By pair; those that have not begun are empty.
    scores: Vec<MatchScore>,
    ratings: Option<Vec<Rating>>,
}

#[derive(PartialEq)]
enum Standing {
    Playing,
    Finished,
    Cancelled,
    Failed(String),
}

/// What to play.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchAsked {
    game: String,
    players: Vec<String>,
    /// Of each two.
    games: u32,
    plies: Option<usize>,
    seed: u64,
}

/// All matches, the newest first.
pub async fn list(State(app): State<App>) -> Json<Vec<Value>> {
    let known: Vec<Arc<Match>> = app.matches.lock().known.values().rev().cloned().collect();
    Json(known.iter().map(|found| found.told()).collect())
}

/// Starts a match.
pub async fn start(State(app): State<App>, Asked(asked): Asked<MatchAsked>) -> Result<impl IntoResponse, Refusal> {
    let id = blocking(move || {
        let players = checked(&asked, &app)?;
        app.matches.start(asked, players, &app.studio)
    });
    Ok((StatusCode::CREATED, Json(json!({ "id": id.await? }))))
}

/// Cancels a match that is played, and forgets one that is over.
pub async fn end(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    let mut inner = app.matches.lock();
    let found = inner.named(&id).ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, unknown(&id)))?;
    if found.is_over() {
        let id = found.id;
        inner.known.remove(&id);
    } else {
        found.stop.store(true, Ordering::Relaxed);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// What a page follows.
struct Followed {
    /// Whoever watches does not keep a match alive that is forgotten.
    found: Weak<Match>,
    changes: watch::Receiver<()>,
    pause: Duration,
}

impl Followed {
    /// Its next event; nothing once it is gone.
    async fn next(&mut self) -> Option<Value> {
        tokio::time::sleep(std::mem::replace(&mut self.pause, EVERY)).await;
        self.changes.changed().await.ok()?;
        Some(self.found.upgrade()?.told())
    }
}

/// One match as it stands, and whenever it changes. Where there is none, or none any more, that is what the page hears.
pub async fn watch(State(app): State<App>, Path(id): Path<String>) -> impl IntoResponse {
    let (found, mut changes) = match app.matches.lock().named(&id) {
        Some(found) => (Arc::downgrade(found), found.changed.subscribe()),
        None => (Weak::new(), watch::channel(()).1),
    };
    if found.strong_count() > 0 {
        // How it stands now is news to this page.
        changes.mark_changed();
    }
    let followed = Followed { found, changes, pause: Duration::ZERO };
    let events = unfold(Some((followed, id)), |state| async move {
        let (mut followed, id) = state?;
        let (name, data, then) = match followed.next().await {
            Some(told) => ("match", told, Some((followed, id))),
            None => ("gone", json!({ "id": id, "error": unknown(&id) }), None),
        };
        Some((Ok::<_, Infallible>(sse::Event::default().event(name).data(data.to_string())), then))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

fn unknown(id: &str) -> String {
    format!("there is no match `{id}`; it was removed, or Gamete was started anew")
}

/// The players, where all that was asked for can be.
fn checked(asked: &MatchAsked, app: &App) -> Result<Vec<PlayerSpec>, Refusal> {
    let found = asked.players.len();
    if !(2..=MOST_PLAYERS).contains(&found) {
        return Err(Refusal::bad(format!("{found} players were named, but a match has 2 to {MOST_PLAYERS}")));
    }
    if !(2..=MOST_GAMES).contains(&asked.games) || asked.games % 2 == 1 {
        let what = "but it must be an even number from 2 to";
        return Err(Refusal::bad(format!("games is {}, {what} {MOST_GAMES}", asked.games)));
    }
    let mut players: Vec<PlayerSpec> = Vec::with_capacity(found);
    for text in &asked.players {
        let named = player(text, app)?;
        if players.contains(&named) {
            return Err(Refusal::bad(format!("`{text}` was named twice, but nobody plays against itself")));
        }
        players.push(named);
    }
    Ok(players)
}

impl Matches {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks all matches to end; nobody waits for them, as they leave nothing behind.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closing = true;
        inner.known.values().for_each(|found| found.stop.store(true, Ordering::Relaxed));
    }

    /// Starts a match; its number, unless somebody cannot play.
    fn start(
        self: &Arc<Matches>,
        asked: MatchAsked,
        players: Vec<PlayerSpec>,
        studio: &Arc<Studio>,
    ) -> Result<u64, Refusal> {
        let begun = self.enter(asked)?;
        let id = begun.id;
        let (sender, receiver) = mpsc::channel();
        let studio = Arc::clone(studio);
        let play = move || begun.play(&players, &studio, sender);
        if let Err(error) = std::thread::Builder::new().name("match".to_string()).spawn(play) {
            self.lock().known.remove(&id);
            return Err(Refusal::conflict(format!("no match can be started: {error}")));
        }
        match receiver.recv_timeout(HEARING) {
            Ok(Err(error)) => {
                self.lock().known.remove(&id);
                Err(error.into())
            }
            Ok(Ok(())) | Err(_) => Ok(id),
        }
    }

    /// Takes a match among those that are known, if there is room.
    fn enter(&self, asked: MatchAsked) -> Result<Arc<Match>, Refusal> {
        let mut inner = self.lock();
        if inner.closing {
            return Err(Refusal::conflict("the server is about to end"));
        }
        let over: Vec<u64> = inner.known.values().filter(|found| found.is_over()).map(|found| found.id).collect();
        if inner.known.len() - over.len() >= MOST_AT_ONCE {
            let what = format!("{MOST_AT_ONCE} matches are being played; cancel one of them, or wait for it");
            return Err(Refusal::conflict(what));
        }
        // Room for one more, once it is over.
        for id in over.iter().take((over.len() + 1).saturating_sub(MOST_KEPT)) {
            inner.known.remove(id);
        }
        inner.last += 1;
        let course = Course {
            standing: Standing::Playing,
            plies: None,
            scores: vec![MatchScore::default(); pairs_of(asked.players.len()).len()],
            ratings: None,
        };
        let entered = Arc::new(Match {
            id: inner.last,
            asked,
            stop: Arc::default(),
            course: Mutex::new(course),
            changed: watch::Sender::new(()),
        });
        inner.known.insert(entered.id, Arc::clone(&entered));
        Ok(entered)
    }
}

impl Match {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.course().standing != Standing::Playing
    }

    fn change(&self, change: impl FnOnce(&mut Course)) {
        change(&mut self.course());
        self.changed.send_replace(());
    }

    /// Plays to the end, whatever that is. Whoever started it hears once that it goes well, or why it cannot be.
    fn play(&self, players: &[PlayerSpec], studio: &Studio, begun: mpsc::Sender<Result<(), lab::Error>>) {
        let home = Home::new(studio.runs(), studio.tables(), &|_| ());
        let home = Home { halt: Some(Arc::clone(&self.stop)), ..home };
        let params = CrosstableParams {
            game: &self.asked.game,
            players,
            games: self.asked.games,
            plies: self.asked.plies,
            seed: self.asked.seed,
            threads: studio.threads(),
            home: &home,
        };
        let mut referee = Referee { found: self, begun: begun.clone() };
        let done = catch_unwind(AssertUnwindSafe(|| lab::crosstable(&params, &self.stop, &mut referee)));
        let standing = match done {
            Ok(Ok(table)) if table.interrupted => Standing::Cancelled,
            Ok(Ok(table)) => {
                self.course().ratings = table.ratings;
                Standing::Finished
            }
            // Tables that somebody plays by were not worked out to the end.
            Ok(Err(_)) if self.stop.load(Ordering::Relaxed) => Standing::Cancelled,
            Ok(Err(error)) => {
                let why = error.to_string();
                // Whoever waits is told; whoever does not finds it in the list.
                let _ = begun.send(Err(error));
                Standing::Failed(why)
            }
            Err(_) => Standing::Failed("the match broke down by a fault in Gamete".to_string()),
        };
        self.change(|course| course.standing = standing);
    }

    /// Everything about it.
    fn told(&self) -> Value {
        let course = self.course();
        let (state, error) = match &course.standing {
            Standing::Playing => ("playing", None),
            Standing::Finished => ("finished", None),
            Standing::Cancelled => ("cancelled", None),
            Standing::Failed(why) => ("failed", Some(why)),
        };
        let places = pairs_of(self.asked.players.len());
        let pairs: Vec<Value> =
            places.iter().zip(&course.scores).map(|(pair, score)| told_pair(*pair, score)).collect();
        let done: u32 = course.scores.iter().map(MatchScore::games).sum();
        let ratings = course.ratings.as_ref().map(|ratings| {
            let told = |(player, Rating { elo, low, high }): (usize, &Rating)| {
                json!({ "player": player, "elo": elo, "elo_low": low, "elo_high": high })
            };
            ratings.iter().enumerate().map(told).collect::<Vec<Value>>()
        });
        json!({
            "id": self.id,
            "game": self.asked.game,
            "players": self.asked.players,
            "games": self.asked.games,
            "plies": course.plies,
            "seed": self.asked.seed,
            "done": done,
            "all": places.len() as u64 * u64::from(self.asked.games),
            "state": state,
            "error": error,
            "pairs": pairs,
            "ratings": ratings,
        })
    }
}

/// What the first of two scored.
fn told_pair((one, two): (usize, usize), score: &MatchScore) -> Value {
    let MatchScore { wins, draws, losses, .. } = *score;
    // Where nothing was played, nothing is known.
    let unknown = Rating { elo: None, low: None, high: None };
    let Rating { elo, low, high } = if score.games() > 0 { score.rating() } else { unknown };
    json!({
        "one": one, "two": two,
        "wins": wins, "draws": draws, "losses": losses, "score": score.share(),
        "elo": elo, "elo_low": low, "elo_high": high,
    })
}

/// Writes down what comes of a match while it is played.
struct Referee<'a> {
    found: &'a Match,
    begun: mpsc::Sender<Result<(), lab::Error>>,
}

impl MatchWatcher for Referee<'_> {
    fn begin(&mut self, plies: usize) {
        self.found.change(|course| course.plies = Some(plies));
        // Whoever asked may be gone.
        let _ = self.begun.send(Ok(()));
    }

    fn score(&mut self, pair: usize, score: &MatchScore) {
        self.found.change(|course| course.scores[pair] = *score);
    }
}
