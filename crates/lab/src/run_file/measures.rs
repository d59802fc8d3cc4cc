//! What was measured of a run after it was bred: its last champion's matches, and strengths on one scale.

use super::{RunFile, unreadable};
use crate::database::broken;
use crate::growth::{Final, Growth, RatedChampion, RatedYardstick, Ratings};
use crate::{Contest, Error};
use arena::Rating;
use rusqlite::params;

impl RunFile {
    /// The last champion's matches, as played last.
    pub fn finals(&self) -> Result<Vec<Final>, Error> {
        let read = || -> rusqlite::Result<Vec<Final>> {
            let mut statement = self.connection.prepare("select opponent, contest from final order by number")?;
            let rows = statement.query_map([], |row| {
                let contest: Contest =
                    serde_json::from_str(&row.get::<_, String>(1)?).map_err(|error| unreadable(1, error))?;
                Ok(Final { opponent: row.get(0)?, contest })
            })?;
            rows.collect()
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// Champions and players that learn nothing on one scale, as measured last.
    pub fn ratings(&self) -> Result<Option<Ratings>, Error> {
        let read = || -> rusqlite::Result<_> {
            let sql = "select player, generation, elo, elo_low, elo_high, depth, games from rating order by number";
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            let mut found: Option<Ratings> = None;
            while let Some(row) = rows.next()? {
                let rating = Rating { elo: row.get(2)?, low: row.get(3)?, high: row.get(4)? };
                let (depth, games_each) = (row.get(5)?, row.get(6)?);
                let ratings =
                    found.get_or_insert(Ratings { champions: Vec::new(), yardsticks: Vec::new(), depth, games_each });
                match row.get(0)? {
                    Some(player) => ratings.yardsticks.push(RatedYardstick { player, rating }),
                    None => {
                        let generation = row.get::<_, i64>(1)? as u64;
                        ratings.champions.push(RatedChampion { generation, rating });
                    }
                }
            }
            Ok(found)
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// Keeps the last champion's matches.
    pub(crate) fn set_finals(&mut self, finals: &[Final]) -> Result<(), Error> {
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            transaction.execute("delete from final", [])?;
            for (number, Final { opponent, contest }) in finals.iter().enumerate() {
                let contest = serde_json::to_string(contest).expect("a match can be written");
                transaction.execute("insert into final values (?, ?, ?)", params![number as i64, opponent, contest])?;
            }
            transaction.commit()
        };
        write().map_err(|error| broken(&self.path, error))
    }

    /// Keeps strengths on one scale.
    pub(crate) fn set_ratings(&mut self, growth: &Growth) -> Result<(), Error> {
        let of_yardstick = |rated: &RatedYardstick| (Some(rated.player.clone()), None, rated.rating);
        let of_champion = |rated: &RatedChampion| (None, Some(rated.generation as i64), rated.rating);
        let all = growth.yardsticks.iter().map(of_yardstick).chain(growth.champions.iter().map(of_champion));
        let write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            transaction.execute("delete from rating", [])?;
            for (number, (player, generation, Rating { elo, low, high })) in all.enumerate() {
                let (depth, games) = (growth.depth, growth.games_each);
                let row = params![number as i64, player, generation, elo, low, high, depth, games];
                transaction.execute("insert into rating values (?, ?, ?, ?, ?, ?, ?, ?)", row)?;
            }
            transaction.commit()
        };
        write().map_err(|error| broken(&self.path, error))
    }
}
