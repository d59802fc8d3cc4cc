//! Matches that pages start: between two players, or a round robin of more. They are played in the background, at most
//! two at a time. The newest finished ones are kept, in memory only.

use crate::App;
use crate::jobs::Jobs;
use crate::match_games::{GameNow, KeptGames};
use crate::play::player;
use crate::refusal::{JsonBody, Refusal, in_words};
use crate::runs::blocking;
use arena::{MatchScore, Rating};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::response::sse::{self, KeepAlive, Sse};
use futures_util::stream::unfold;
use players::{Context, CrosstableParams, MatchGame, MatchWatcher, PlayerSpec, pairs_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};
use std::time::Duration;
use tokio::sync::watch;

/// The largest number of matches at once; they share the cores.
const MOST_AT_ONCE: usize = 2;
/// The number of finished matches that are kept.
const MOST_KEPT: usize = 20;
const MOST_PLAYERS: usize = 12;
const MOST_GAMES: u32 = 2000;
/// The shortest time between two events of a match.
const EVERY: Duration = Duration::from_millis(200);
/// How long a request waits for players that cannot play. Players that take longer to prepare fail later, in the match.
const START_WAIT: Duration = Duration::from_secs(2);

/// All matches: those that are played, and the newest finished ones.
#[derive(Default)]
pub struct Matches {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// By number; newer matches have greater numbers.
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
pub struct Match {
    id: u64,
    asked: MatchAsked,
    stop: Arc<AtomicBool>,
    progress: Mutex<MatchProgress>,
    games: Mutex<KeptGames>,
    /// Notified whenever the progress changes.
    changed: watch::Sender<()>,
}

/// The progress of a match.
struct MatchProgress {
    state: MatchState,
    /// Why the match failed.
    error: Option<String>,
    /// The number of random plies before each game, as soon as it is known.
    plies: Option<usize>,
    /// The scores by pair; empty scores for pairs that have not begun.
    scores: Vec<MatchScore>,
    ratings: Option<Vec<Rating>>,
}

/// The state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    Playing,
    Finished,
    Cancelled,
    Failed,
}

/// The match to play: between two players, or a round robin of more.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MatchAsked {
    /// The game's name.
    game: String,
    /// The players, written as on the command line.
    players: Vec<String>,
    /// The number of games of each pair; it must be even.
    games: u32,
    /// The number of random plies before each game; null for the best number for the game.
    plies: Option<usize>,
    /// The seed of all random numbers.
    seed: u64,
}

/// The answer to a request that started a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct MatchStarted {
    /// The match's number.
    pub id: u64,
}

/// A match or round robin with its progress.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct MatchReport {
    /// The match's number.
    pub id: u64,
    /// The game's name.
    pub game: String,
    /// The players, as the request named them.
    pub players: Vec<String>,
    /// The number of games of each pair.
    pub games: u32,
    /// The number of random plies before each game; null until it is known.
    pub plies: Option<usize>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of games played.
    pub done: u32,
    /// The number of all games.
    pub all: u64,
    /// The state of the match.
    pub state: MatchState,
    /// The game that is being played; null if none is.
    pub now: Option<GameNow>,
    /// Why the match failed; null if it did not.
    pub error: Option<String>,
    /// All pairs of players, with the score of the first player of each.
    pub pairs: Vec<PairScore>,
    /// The strengths on one Elo scale; null unless it is a finished round robin.
    pub ratings: Option<Vec<RatedPlayer>>,
}

/// The score of the first player of a pair against the second.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct PairScore {
    /// The first player's place in the list of players.
    pub one: usize,
    /// The second player's place.
    pub two: usize,
    /// The number of games won.
    pub wins: u32,
    /// The number of games drawn.
    pub draws: u32,
    /// The number of games lost.
    pub losses: u32,
    /// The share of points, from 0 to 1.
    pub score: f64,
    /// The difference of strength; positive if the first player is stronger.
    #[serde(flatten)]
    pub rating: Rating,
}

/// The strength of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct RatedPlayer {
    /// The player's place in the list of players.
    pub player: usize,
    /// Its strength on the Elo scale.
    #[serde(flatten)]
    pub rating: Rating,
}

/// Says that a match does not exist any more.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct MatchGone {
    /// The number in the request.
    pub id: String,
    /// Why the match cannot be shown.
    pub error: String,
}

/// Answers with all matches, the newest first.
pub async fn list(State(app): State<App>) -> Json<Vec<MatchReport>> {
    let known: Vec<Arc<Match>> = app.matches.lock().known.values().rev().cloned().collect();
    Json(known.iter().map(|found| found.report()).collect())
}

/// Starts a match.
pub async fn start(
    State(app): State<App>,
    JsonBody(asked): JsonBody<MatchAsked>,
) -> Result<impl IntoResponse, Refusal> {
    let id = blocking(move || {
        let players = checked(&asked, &app)?;
        app.matches.start(asked, players, &app.jobs)
    });
    Ok((StatusCode::CREATED, Json(MatchStarted { id: id.await? })))
}

/// Cancels a match that is being played; removes one that is over.
pub async fn end(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    let found = app.matches.found(&id)?;
    let mut inner = app.matches.lock();
    if found.is_over() {
        let id = found.id;
        inner.known.remove(&id);
    } else {
        found.stop.store(true, Ordering::Relaxed);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A match that a page follows.
struct Followed {
    /// Weak, so that a page does not keep a removed match in memory.
    found: Weak<Match>,
    changes: watch::Receiver<()>,
    pause: Duration,
}

impl Followed {
    /// Waits for the next change; returns `None` when the match is removed.
    async fn next(&mut self) -> Option<MatchReport> {
        tokio::time::sleep(std::mem::replace(&mut self.pause, EVERY)).await;
        self.changes.changed().await.ok()?;
        Some(self.found.upgrade()?.report())
    }
}

/// Streams a match: once at the beginning and then after each change. The last event says that the match does not
/// exist, or does not exist any more.
pub async fn watch(State(app): State<App>, Path(id): Path<String>) -> impl IntoResponse {
    let (found, mut changes) = match app.matches.lock().named(&id) {
        Some(found) => (Arc::downgrade(found), found.changed.subscribe()),
        None => (Weak::new(), watch::channel(()).1),
    };
    if found.strong_count() > 0 {
        // Send the current state first.
        changes.mark_changed();
    }
    let followed = Followed { found, changes, pause: Duration::ZERO };
    let events = unfold(Some((followed, id)), |state| async move {
        let (mut followed, id) = state?;
        let (event, then) = match followed.next().await {
            Some(report) => (event("match", &report), Some((followed, id))),
            None => (event("gone", &MatchGone { error: unknown(&id), id }), None),
        };
        Some((Ok::<_, Infallible>(event), then))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

fn event(name: &str, data: &impl Serialize) -> sse::Event {
    // Serialising numbers, texts and lists of them cannot fail.
    sse::Event::default().event(name).data(serde_json::to_string(data).unwrap_or_default())
}

fn unknown(id: &str) -> String {
    format!("there is no match `{id}`; it was removed, or Gamete was restarted")
}

/// Checks a request for a match; returns its players.
fn checked(asked: &MatchAsked, app: &App) -> Result<Vec<PlayerSpec>, Refusal> {
    let found = asked.players.len();
    if !(2..=MOST_PLAYERS).contains(&found) {
        return Err(Refusal::bad(format!("{found} players were named, but a match has 2 to {MOST_PLAYERS} players")));
    }
    if !(2..=MOST_GAMES).contains(&asked.games) || asked.games % 2 == 1 {
        let what = "but it must be an even number from 2 to";
        return Err(Refusal::bad(format!("games is {}, {what} {MOST_GAMES}", asked.games)));
    }
    let mut players: Vec<PlayerSpec> = Vec::with_capacity(found);
    for text in &asked.players {
        let named = player(text, app)?;
        if players.contains(&named) {
            return Err(Refusal::bad(format!("`{text}` was named twice, but no player plays against itself")));
        }
        players.push(named);
    }
    Ok(players)
}

impl Matches {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The match with a number, as the request wrote it.
    pub fn found(&self, id: &str) -> Result<Arc<Match>, Refusal> {
        let found = self.lock().named(id).cloned();
        found.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, unknown(id)))
    }

    /// Asks all matches to end, without waiting for them: they save nothing.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closing = true;
        inner.known.values().for_each(|found| found.stop.store(true, Ordering::Relaxed));
    }

    /// Starts a match; returns its number, or an error if a player cannot play.
    fn start(
        self: &Arc<Matches>,
        asked: MatchAsked,
        players: Vec<PlayerSpec>,
        jobs: &Arc<Jobs>,
    ) -> Result<u64, Refusal> {
        let begun = self.enter(asked)?;
        let id = begun.id;
        let (sender, receiver) = mpsc::channel();
        let jobs = Arc::clone(jobs);
        let play = move || begun.play(&players, &jobs, sender);
        if let Err(error) = std::thread::Builder::new().name("match".to_string()).spawn(play) {
            self.lock().known.remove(&id);
            return Err(Refusal::conflict(format!("the match cannot be started: {error}")));
        }
        match receiver.recv_timeout(START_WAIT) {
            Ok(Err(error)) => {
                self.lock().known.remove(&id);
                Err(error.into())
            }
            Ok(Ok(())) | Err(_) => Ok(id),
        }
    }

    /// Adds a match to the list, unless too many are being played.
    fn enter(&self, asked: MatchAsked) -> Result<Arc<Match>, Refusal> {
        let mut inner = self.lock();
        if inner.closing {
            return Err(Refusal::conflict("the server is about to end"));
        }
        let over: Vec<u64> = inner.known.values().filter(|found| found.is_over()).map(|found| found.id).collect();
        if inner.known.len() - over.len() >= MOST_AT_ONCE {
            let what = format!("{MOST_AT_ONCE} matches are being played; cancel one of them, or wait for its end");
            return Err(Refusal::conflict(what));
        }
        // Remove the oldest finished matches, so that this one can be kept when it is over.
        for id in over.iter().take((over.len() + 1).saturating_sub(MOST_KEPT)) {
            inner.known.remove(id);
        }
        inner.last += 1;
        let pairs = pairs_of(asked.players.len()).len();
        let progress = MatchProgress {
            state: MatchState::Playing,
            error: None,
            plies: None,
            scores: vec![MatchScore::default(); pairs],
            ratings: None,
        };
        let entered = Arc::new(Match {
            id: inner.last,
            asked,
            stop: Arc::default(),
            progress: Mutex::new(progress),
            games: Mutex::new(KeptGames::new(pairs)),
            changed: watch::Sender::new(()),
        });
        inner.known.insert(entered.id, Arc::clone(&entered));
        Ok(entered)
    }
}

impl Match {
    fn progress(&self) -> MutexGuard<'_, MatchProgress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games of the match.
    pub fn games(&self) -> MutexGuard<'_, KeptGames> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of its game.
    pub fn game(&self) -> &str {
        &self.asked.game
    }

    /// The player with a place, 0 or 1, in a pair of players.
    pub fn player(&self, pair: usize, place: usize) -> String {
        let (one, two) = pairs_of(self.asked.players.len())[pair];
        self.asked.players[[one, two][place]].clone()
    }

    fn is_over(&self) -> bool {
        self.progress().state != MatchState::Playing
    }

    fn change(&self, change: impl FnOnce(&mut MatchProgress)) {
        change(&mut self.progress());
        self.changed.send_replace(());
    }

    /// Plays the match until it is finished, cancelled or failed. Sends once to `begun`: `Ok` when the games begin, or
    /// the error.
    fn play(&self, players: &[PlayerSpec], jobs: &Jobs, begun: mpsc::Sender<Result<(), lab::Error>>) {
        let context = Context { halt: Some(Arc::clone(&self.stop)), ..jobs.context() };
        let params = CrosstableParams {
            game: &self.asked.game,
            players,
            games: self.asked.games,
            plies: self.asked.plies,
            seed: self.asked.seed,
            threads: jobs.threads(),
            context: &context,
        };
        let mut referee = Referee { found: self, begun: begun.clone() };
        let done = catch_unwind(AssertUnwindSafe(|| players::crosstable(&params, &self.stop, &mut referee)));
        let (state, error) = match done {
            Ok(Ok(table)) if table.interrupted => (MatchState::Cancelled, None),
            Ok(Ok(table)) => {
                self.progress().ratings = table.ratings;
                (MatchState::Finished, None)
            }
            // A cancelled match can fail because its endgame tables were not computed to the end.
            Ok(Err(_)) if self.stop.load(Ordering::Relaxed) => (MatchState::Cancelled, None),
            Ok(Err(error)) => {
                let why = in_words(&error);
                // If the request does not wait any more, the list shows the error.
                let _ = begun.send(Err(error));
                (MatchState::Failed, Some(why))
            }
            Err(_) => (MatchState::Failed, Some("the match failed because of a bug in Gamete".to_string())),
        };
        self.games().end();
        self.change(|progress| (progress.state, progress.error) = (state, error));
    }

    /// The match with its progress, for pages.
    fn report(&self) -> MatchReport {
        let progress = self.progress();
        let places = pairs_of(self.asked.players.len());
        let rated = |(player, &rating): (usize, &Rating)| RatedPlayer { player, rating };
        MatchReport {
            id: self.id,
            game: self.asked.game.clone(),
            players: self.asked.players.clone(),
            games: self.asked.games,
            plies: progress.plies,
            seed: self.asked.seed,
            done: progress.scores.iter().map(MatchScore::games).sum(),
            all: places.len() as u64 * u64::from(self.asked.games),
            state: progress.state,
            now: self.games().now(),
            error: progress.error.clone(),
            pairs: places.iter().zip(&progress.scores).map(|(pair, score)| pair_score(*pair, score)).collect(),
            ratings: progress.ratings.as_ref().map(|ratings| ratings.iter().enumerate().map(rated).collect()),
        }
    }
}

fn pair_score((one, two): (usize, usize), score: &MatchScore) -> PairScore {
    let MatchScore { wins, draws, losses, .. } = *score;
    // Without games there is no rating.
    let unknown = Rating { elo: None, low: None, high: None };
    let rating = if score.games() > 0 { score.rating() } else { unknown };
    PairScore { one, two, wins, draws, losses, score: score.share(), rating }
}

/// Records the progress of a match while it is played.
struct Referee<'a> {
    found: &'a Match,
    begun: mpsc::Sender<Result<(), lab::Error>>,
}

impl MatchWatcher for Referee<'_> {
    fn begin(&mut self, plies: usize) {
        self.found.change(|progress| progress.plies = Some(plies));
        // The request may have been dropped.
        let _ = self.begun.send(Ok(()));
    }

    fn score(&mut self, pair: usize, score: &MatchScore) {
        self.found.change(|progress| progress.scores[pair] = *score);
    }

    fn wants_games(&self) -> bool {
        true
    }

    fn game(&mut self, pair: usize, game: MatchGame) {
        self.found.games().add(pair, game);
        self.found.change(|_| ());
    }

    fn turn(&mut self, pair: usize, game: &MatchGame) {
        // Pages ask for the moves of this game themselves, if somebody watches it.
        let another = self.found.games().show(pair, game);
        if another {
            self.found.change(|_| ());
        }
    }
}
