//! The games of matches that pages start. They are kept in memory, so that pages can show each finished game, and the
//! oldest of the games that are being played.
//!
//! Games are kept instead of being played again from the seed: a player with a time limit or an engine of another program
//! might play another game then, and a slow player would need its whole time again.

use crate::App;
use crate::refusal::{PathParts, QueryParts, Refusal};
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use games::{Outcome, Side};
use players::{MatchGame, SteppedGame, Told};
use serde::{Deserialize, Serialize};

/// The most memory that the moves of one match take, in bytes. All games of a match between two players fit: 2000 games of
/// draughts take about 1 MB.
const MOST_BYTES: usize = 4 << 20;

/// The games of one match.
pub struct KeptGames {
    /// By pair of players; the games of each in the order of their numbers.
    pairs: Vec<PairGames>,
    /// The pair and the game that is being played.
    now: Option<(usize, MatchGame)>,
}

/// The games of two players.
#[derive(Default)]
struct PairGames {
    kept: Vec<KeptGame>,
    bytes: usize,
    /// The number of games that did not fit.
    dropped: u32,
}

/// A finished game.
struct KeptGame {
    number: u32,
    plies: u32,
    start: Box<str>,
    /// The moves, one in each line.
    moves: Box<str>,
    illegal: Option<Box<str>>,
    outcome: Option<Outcome>,
}

impl KeptGame {
    fn new(game: MatchGame) -> KeptGame {
        KeptGame {
            number: game.number,
            plies: game.moves.len() as u32,
            start: game.start.into(),
            moves: game.moves.join("\n").into(),
            illegal: game.illegal.map(Into::into),
            outcome: game.outcome,
        }
    }

    fn bytes(&self) -> usize {
        size_of::<KeptGame>() + self.start.len() + self.moves.len() + self.illegal.as_ref().map_or(0, |text| text.len())
    }

    fn restored(&self) -> MatchGame {
        MatchGame {
            number: self.number,
            start: self.start.to_string(),
            moves: self.moves.lines().map(str::to_string).collect(),
            illegal: self.illegal.as_deref().map(str::to_string),
            outcome: self.outcome,
        }
    }
}

impl KeptGames {
    /// No games yet, of this number of pairs.
    pub fn new(pairs: usize) -> KeptGames {
        KeptGames { pairs: (0..pairs).map(|_| PairGames::default()).collect(), now: None }
    }

    /// Keeps a finished game. Each pair has the same share of the memory; what does not fit is only counted.
    pub fn add(&mut self, pair: usize, game: MatchGame) {
        self.now.take_if(|(_, now)| now.number == game.number);
        let most = MOST_BYTES / self.pairs.len().max(1);
        let (games, game) = (&mut self.pairs[pair], KeptGame::new(game));
        if games.bytes + game.bytes() > most {
            games.dropped += 1;
            return;
        }
        games.bytes += game.bytes();
        // Threads finish their games in any order.
        let place = games.kept.partition_point(|other| other.number < game.number);
        games.kept.insert(place, game);
    }

    /// Notes the game that is being played; returns whether it is another one than before.
    pub fn show(&mut self, pair: usize, game: &MatchGame) -> bool {
        match &mut self.now {
            Some((place, now)) if *place == pair && now.number == game.number => {
                now.moves.extend_from_slice(&game.moves[now.moves.len()..]);
                false
            }
            now => {
                *now = Some((pair, game.clone()));
                true
            }
        }
    }

    /// Forgets the game that was being played when the match ended.
    pub fn end(&mut self) {
        self.now = None;
    }

    /// The pair and the number of the game that is being played.
    pub fn now(&self) -> Option<GameNow> {
        self.now.as_ref().map(|(pair, game)| GameNow { pair: *pair, number: game.number })
    }

    fn find(&self, pair: usize, number: u32) -> Option<MatchGame> {
        if let Some((_, now)) = self.now.as_ref().filter(|(place, now)| *place == pair && now.number == number) {
            return Some(now.clone());
        }
        let kept = &self.pairs.get(pair)?.kept;
        let place = kept.binary_search_by_key(&number, |game| game.number).ok()?;
        Some(kept[place].restored())
    }
}

/// The game of a match that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct GameNow {
    /// The place of its pair of players in the list of pairs.
    pub pair: usize,
    /// Its number among the games of the pair, from 0.
    pub number: u32,
}

/// The query for the games of a match: the place of a pair of players.
#[derive(Deserialize)]
pub struct Of {
    pair: usize,
}

/// The finished games of two players.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct MatchGames {
    /// The games, in the order of their numbers.
    pub games: Vec<GameOfMatch>,
    /// The number of games that are not kept, because there are too many of them.
    pub dropped: u32,
}

/// A finished game of a match, without its moves.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct GameOfMatch {
    /// Its number among the games of the pair, from 0. In games with even numbers, the first player has the first side.
    pub number: u32,
    /// The number of moves, without the random ones at the beginning.
    pub plies: u32,
    /// `first`, `second` or `draw`.
    #[cfg_attr(test, ts(type = "Side | \"draw\""))]
    pub outcome: String,
}

/// Answers with the finished games of a pair of players, without their moves.
pub async fn list(
    State(app): State<App>,
    PathParts(id): PathParts<String>,
    QueryParts(Of { pair }): QueryParts<Of>,
) -> Result<Json<MatchGames>, Refusal> {
    let found = app.matches.found(&id)?;
    let games = found.games();
    let Some(PairGames { kept, dropped, .. }) = games.pairs.get(pair) else {
        let what = format!("there is no pair {pair} in match {id}: its pairs are 0 to {}", games.pairs.len() - 1);
        return Err(Refusal::new(StatusCode::NOT_FOUND, what));
    };
    let written = |game: &KeptGame| GameOfMatch {
        number: game.number,
        plies: game.plies,
        outcome: game.outcome.map_or("draw", |outcome| outcome.name()).to_string(),
    };
    Ok(Json(MatchGames { games: kept.iter().map(written).collect(), dropped: *dropped }))
}

/// Answers with a game of a match: a finished one, or the one that is being played, as far as it has gone.
pub async fn game(
    State(app): State<App>,
    PathParts((id, pair, number)): PathParts<(String, usize, u32)>,
) -> Result<Json<SteppedGame>, Refusal> {
    let found = app.matches.found(&id)?;
    let game = found.games().find(pair, number).ok_or_else(|| {
        let what = format!(
            "there is no game {} of this pair: it was not played yet, or is not kept",
            number.saturating_add(1)
        );
        Refusal::new(StatusCode::NOT_FOUND, what)
    })?;
    blocking(move || {
        let players = [Side::First, Side::Second].map(|side| found.player(pair, game.player(side)));
        let outcome = game.outcome.map(|outcome| outcome.name().to_string());
        let told = Told { start: &game.start, moves: &game.moves, illegal: game.illegal.clone(), outcome };
        Ok(Json(players::stepped_game(found.game(), players, &format!("game {}", number + 1), told)?))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u32, moves: usize) -> MatchGame {
        let outcome = Some(Outcome::Win(Side::First));
        MatchGame { number, start: "3,4".to_string(), moves: vec!["1:1".to_string(); moves], illegal: None, outcome }
    }

    #[test]
    fn games_are_kept_in_order_and_found_by_number() {
        let mut kept = KeptGames::new(2);
        for number in [2, 0, 1] {
            kept.add(1, game(number, 3));
        }
        assert_eq!(kept.pairs[1].kept.iter().map(|game| game.number).collect::<Vec<u32>>(), [0, 1, 2]);
        assert_eq!(kept.find(1, 2), Some(game(2, 3)));
        assert_eq!((kept.find(0, 2), kept.find(1, 3), kept.find(7, 0)), (None, None, None));
    }

    #[test]
    fn the_memory_for_games_is_limited_and_each_pair_has_its_share() {
        let mut kept = KeptGames::new(4);
        for number in 0..10 {
            kept.add(0, game(number, 100_000));
        }
        kept.add(1, game(0, 5));
        let bytes: usize = kept.pairs.iter().map(|pair| pair.bytes).sum();
        assert!(bytes <= MOST_BYTES, "{bytes}");
        assert_eq!((kept.pairs[0].kept.len(), kept.pairs[0].dropped, kept.pairs[1].kept.len()), (2, 8, 1));
    }

    #[test]
    fn the_game_that_is_being_played_grows_until_it_is_kept() {
        let mut kept = KeptGames::new(1);
        let so_far = |moves| MatchGame { outcome: None, ..game(4, moves) };
        assert!(kept.show(0, &so_far(1)));
        assert!(!kept.show(0, &so_far(3)));
        assert_eq!((kept.now(), kept.find(0, 4)), (Some(GameNow { pair: 0, number: 4 }), Some(so_far(3))));
        kept.add(0, game(4, 4));
        assert_eq!((kept.now(), kept.find(0, 4)), (None, Some(game(4, 4))));
    }
}
