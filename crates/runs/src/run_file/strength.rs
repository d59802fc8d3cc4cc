//! Measurements after the training of a run: the last champion's matches, and the strength of champions on one Elo
//! scale.

use super::rows::{FINAL, KEPT_AFTER, RATING, RUN};
use super::writing::add_columns;
use super::{RunFile, unreadable, write_info};
use crate::Error;
use crate::database::cannot_write;
use crate::measured::{Final, MatchResult, RatedChampion, RatedYardstick, Ratings};
use arena::Rating;
use rusqlite::Row;

impl RunFile {
    /// The matches of the last champion, as measured last.
    pub fn finals(&self) -> Result<Vec<Final>, Error> {
        let _moment = self.one_moment()?;
        let finals = self.rows(FINAL, "order by number", [], last_match)?;
        self.expect_kept_after(0, "final matches", finals.len())?;
        Ok(finals)
    }

    /// The number of rows that were written to `final` (place 0) or `rating` (place 1); `None` if it is not known.
    pub(super) fn kept_after(&self, place: usize) -> Result<Option<u64>, Error> {
        self.find_row(RUN, "limit 1", [], |row| kept_after(row, place))
    }

    /// Returns an error if rows of `final` (place 0) or `rating` (place 1) are lost.
    fn expect_kept_after(&self, place: usize, what: &str, found: usize) -> Result<(), Error> {
        match self.kept_after(place)?.filter(|kept| *kept != found as u64) {
            Some(kept) => Err(self.damaged(format!("it has {found} {what}, but {kept} were written"))),
            None => Ok(()),
        }
    }

    /// The strength of champions and yardsticks on one Elo scale, as measured last; `None` if it was never measured.
    pub fn ratings(&self) -> Result<Option<Ratings>, Error> {
        let _moment = self.one_moment()?;
        let mut found: Option<Ratings> = None;
        self.each_row(RATING, "order by number", [], |row| {
            let (rating, depth, games_each) = rating(row)?;
            let ratings =
                found.get_or_insert(Ratings { champions: Vec::new(), yardsticks: Vec::new(), depth, games_each });
            match RATING.value(row, "player")? {
                Some(player) => ratings.yardsticks.push(RatedYardstick { player, rating }),
                None => {
                    let generation = RATING.number(row, "generation")?;
                    ratings.champions.push(RatedChampion { generation, rating });
                }
            }
            Ok(())
        })?;
        let count = found.as_ref().map_or(0, |ratings| ratings.yardsticks.len() + ratings.champions.len());
        self.expect_kept_after(1, "ratings", count)?;
        Ok(found)
    }

    /// Saves the matches of the last champion, instead of earlier ones.
    pub fn set_finals(&mut self, finals: &[Final]) -> Result<(), Error> {
        let (generation, info) = (self.last_generation()?, self.info()?);
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            add_columns(&transaction)?;
            write_info(&transaction, &info, &[(KEPT_AFTER[0], finals.len() as u64)])?;
            FINAL.clear(&transaction)?;
            for (number, Final { opponent, result }) in finals.iter().enumerate() {
                let result = serde_json::to_string(result).expect("a match can be written");
                FINAL.insert(&transaction, &[&(number as i64), opponent, &result])?;
            }
            transaction.commit()
        };
        write().map_err(|error| cannot_write(&self.path, error, generation))
    }

    /// Saves the strength of champions and yardsticks, instead of earlier measurements.
    pub fn set_ratings(&mut self, ratings: &Ratings) -> Result<(), Error> {
        let (generation, info) = (self.last_generation()?, self.info()?);
        let of_yardstick = |rated: &RatedYardstick| (Some(rated.player.clone()), None, rated.rating);
        let of_champion = |rated: &RatedChampion| (None, Some(rated.generation as i64), rated.rating);
        let all: Vec<_> =
            ratings.yardsticks.iter().map(of_yardstick).chain(ratings.champions.iter().map(of_champion)).collect();
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            add_columns(&transaction)?;
            write_info(&transaction, &info, &[(KEPT_AFTER[1], all.len() as u64)])?;
            RATING.clear(&transaction)?;
            for (number, (player, generation, Rating { elo, low, high })) in all.iter().enumerate() {
                let (number, depth, games) = (number as i64, ratings.depth, ratings.games_each);
                RATING.insert(&transaction, &[&number, player, generation, elo, low, high, &depth, &games])?;
            }
            transaction.commit()
        };
        write().map_err(|error| cannot_write(&self.path, error, generation))
    }
}

/// The number of rows that were written to `final` (place 0) or `rating` (place 1), from a row of the table `run`.
pub(super) fn kept_after(row: &Row, place: usize) -> rusqlite::Result<Option<u64>> {
    let found = RUN.find(row, KEPT_AFTER[place]).map_or(Ok(None), |column| row.get::<_, Option<i64>>(column))?;
    Ok(found.map(|count| count as u64))
}

/// A row of the table `final`.
pub(super) fn last_match(row: &Row) -> rusqlite::Result<Final> {
    let text: String = FINAL.value(row, "contest")?;
    let result: MatchResult = serde_json::from_str(&text).map_err(|error| unreadable(FINAL.place("contest"), error))?;
    Ok(Final { opponent: FINAL.value(row, "opponent")?, result })
}

/// A row of the table `rating`: the strength, the search depth of champions, and the number of games between each two
/// players.
pub(super) fn rating(row: &Row) -> rusqlite::Result<(Rating, Option<u32>, u32)> {
    let bound = |column| RATING.value(row, column);
    let rating = Rating { elo: bound("elo")?, low: bound("elo_low")?, high: bound("elo_high")? };
    Ok((rating, RATING.value(row, "depth")?, RATING.value(row, "games")?))
}
