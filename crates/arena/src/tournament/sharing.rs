//! Games of a generation that other machines play. The arena decides which games have to be played, a [`Sharing`] lets
//! them be played elsewhere, and the records are the same as those of games played here.

use super::{Arena, Conditions, Entrant, GameRecord, MOST_TURNS};
use crate::{GameHistory, Pairing};
use chance::{Rng, rng_for};
use evolution::Network;
use games::Game;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A game that another machine is asked to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedGame {
    /// The place of the entrant who moves first.
    pub first: u32,
    /// The place of the other entrant.
    pub second: u32,
    /// The number of the start, as in [`Pairing`].
    pub start: u32,
    /// The seed of the random moves that replace moves of networks; `None` in games without blunders.
    pub blunders: Option<u64>,
}

/// The results of games that another machine has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedRecords {
    /// The record of each game, in the order in which the games were asked for.
    pub records: Vec<GameRecord>,
    /// The number of positions that networks evaluated in these games.
    pub judged: u64,
}

/// Why games could not be played elsewhere.
pub type SharingError = Box<dyn Error + Send + Sync>;

/// Lets other machines play the games of a generation.
pub trait Sharing: Send {
    /// Plays these games between these networks, and returns the records in the same order.
    fn play(
        &mut self,
        generation: u64,
        networks: &[Arc<Network>],
        games: &[SharedGame],
    ) -> Result<SharedRecords, SharingError>;
}

impl SharedRecords {
    /// Refuses records that cannot be those of the games that were asked for.
    pub fn checked(self, games: &[SharedGame]) -> Result<SharedRecords, SharingError> {
        if self.records.len() != games.len() {
            return Err(format!("{} records came back for {} games", self.records.len(), games.len()).into());
        }
        let fits = |(record, game): &(&GameRecord, &SharedGame)| {
            let GameRecord { first, second, turns, perfect, graded, .. } = **record;
            (first, second) == (game.first, game.second)
                && turns <= MOST_TURNS
                && perfect[0] <= graded[0]
                && perfect[1] <= graded[1]
        };
        match self.records.iter().zip(games).find(|pair| !fits(pair)) {
            Some((record, game)) => Err(format!("the record {record:?} came back for the game {game:?}").into()),
            None => Ok(self),
        }
    }
}

impl<G: Game> Arena<G> {
    /// Whether games can be played elsewhere. Small games are tables here and take less time than a message; and
    /// positions of won games are kept only here.
    pub fn can_share(&self) -> bool {
        self.encoded_atlas.is_none() && self.won.is_none()
    }

    /// Like [`Arena::play`], but the games that are not remembered are played elsewhere. The arena must be
    /// [able to share](Arena::can_share).
    pub fn play_shared(
        &mut self,
        generation: u64,
        entrants: &[Entrant],
        pairings: &[Pairing],
        conditions: &Conditions,
        rng: &mut Rng,
        sharing: &mut dyn Sharing,
    ) -> Result<Vec<GameRecord>, SharingError> {
        debug_assert!(self.can_share());
        let networks: Vec<Arc<Network>> =
            entrants.iter().map(|entrant| Arc::clone(&entrant.prepared.network)).collect();
        let starts = self.draw_starts(pairings, conditions, rng);
        if conditions.blunders > 0.0 {
            let games: Vec<SharedGame> =
                pairings.iter().map(|pairing| game_of(pairing, Some(rng.below(usize::MAX) as u64))).collect();
            let SharedRecords { records, judged } = sharing.play(generation, &networks, &games)?.checked(&games)?;
            self.judged.fetch_add(judged, Ordering::Relaxed);
            return Ok(records);
        }
        let (keys, fresh) = self.not_remembered(entrants, pairings, &starts);
        let games: Vec<SharedGame> = fresh.iter().map(|pairing| game_of(pairing, None)).collect();
        let SharedRecords { records, judged } = sharing.play(generation, &networks, &games)?.checked(&games)?;
        self.judged.fetch_add(judged, Ordering::Relaxed);
        Ok(self.all_records(entrants, pairings, &keys, &fresh, records))
    }

    /// Plays games for another machine. `starts` are drawn by [`Arena::draw_start`] in the order of their numbers, and
    /// all places and numbers of starts exist.
    pub fn play_for_other(
        &self,
        entrants: &[Entrant],
        games: &[SharedGame],
        starts: &[GameHistory<G>],
        conditions: &Conditions,
    ) -> SharedRecords {
        let before = self.judged();
        let records = self.play_all(games, |scratch, game| {
            let SharedGame { first, second, start, blunders } = *game;
            let blunders = blunders.map(|seed| (conditions.blunders, rng_for(seed, &[])));
            self.play_out(entrants, Pairing { first, second, start }, &starts[start as usize], blunders, scratch).0
        });
        SharedRecords { records, judged: self.judged() - before }
    }
}

fn game_of(pairing: &Pairing, blunders: Option<u64>) -> SharedGame {
    let Pairing { first, second, start } = *pairing;
    SharedGame { first, second, start, blunders }
}
