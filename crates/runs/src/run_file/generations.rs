//! Generations in their order. A row that is lost, or that has another number than it was written with, is missed.

use super::RunFile;
use super::rows::{GENERATION, named, whole};
use crate::Error;
use crate::database::broken;
use rusqlite::{OptionalExtension, Row, Transaction};

/// The direction in which generations are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// From the first of them on.
    Forward,
    /// From the last of them back.
    Back,
}

impl RunFile {
    /// Everything that is read until this is dropped was in the file at one moment, also while the run is trained.
    pub(super) fn one_moment(&self) -> Result<Option<Transaction<'_>>, Error> {
        // A connection has one transaction at a time: within an earlier one it is that moment already.
        let begun = self.connection.is_autocommit().then(|| self.connection.unchecked_transaction()).transpose();
        begun.map_err(|error| broken(&self.path, error))
    }

    /// How many generations were played, as the row of the population says. Every generation writes it anew, so that it tells
    /// whether the last rows of other tables are lost. `None` where that row is lost itself.
    pub(super) fn played(&self) -> Result<Option<u64>, Error> {
        let sql = "select generation, (select max(generation) from generation), (select max(generation) from champion)
                   from population limit 1";
        let read = |row: &Row| Ok((whole(row, 0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, Option<i64>>(2)?));
        let found = self.connection.prepare_cached(sql).and_then(|mut sql| sql.query_row([], read).optional());
        let Some((played, report, champion)) = found.map_err(|error| broken(&self.path, error))? else {
            return Ok(None);
        };
        // The row of the population itself is long. Whether its checksum fits is looked at when it is needed.
        match report.max(champion).filter(|last| *last > played as i64) {
            Some(last) => Err(self.damaged(format!(
                "its population is that after generation {played}, but there is something of generation {last}"
            ))),
            None => Ok(Some(played)),
        }
    }

    /// The number of the last generation; 0 before the first.
    pub(super) fn last_generation(&self) -> Result<u64, Error> {
        let last = self.find_generation(1, u64::MAX, Order::Back, |row| whole(row, 0).map(Some))?;
        Ok(last.unwrap_or(0))
    }

    /// Hands out the rows of the generations from one to another, as far as they have been played.
    pub(super) fn each_generation(
        &self,
        from: u64,
        to: u64,
        mut hear: impl FnMut(&Row) -> rusqlite::Result<()>,
    ) -> Result<(), Error> {
        self.find_generation(from, to, Order::Forward, |row| hear(row).map(|()| None::<()>)).map(|_| ())
    }

    /// The same in either order, until something is found. A row that is missing before that is an error.
    pub(super) fn find_generation<T>(
        &self,
        from: u64,
        to: u64,
        order: Order,
        mut hear: impl FnMut(&Row) -> rusqlite::Result<Option<T>>,
    ) -> Result<Option<T>, Error> {
        let _moment = self.one_moment()?;
        let played = self.played()?;
        let (from, to) = (from.max(1), to.min(played.unwrap_or(i64::MAX as u64)));
        let (query_end, mut next) = match order {
            Order::Forward => ("where generation between ? and ? order by generation", Some(from)),
            // Where nobody knows how many were played, any may be the last.
            Order::Back => ("where generation between ? and ? order by generation desc", played.map(|_| to)),
        };
        let mut gap = None;
        let found = self.find_row(GENERATION, query_end, [from, to].map(|number| number as i64), |row| {
            let generation = whole(row, 0)?;
            gap = next.filter(|next| *next != generation);
            if gap.is_some() {
                return Ok(Some(None));
            }
            next = match order {
                Order::Forward => generation.checked_add(1),
                Order::Back => generation.checked_sub(1),
            };
            hear(row).map(|found| found.map(Some))
        })?;
        let is_over = match order {
            Order::Forward => played.is_none() || next.is_none_or(|next| next > to),
            Order::Back => next.is_none_or(|next| next < from),
        };
        let lost = if found.is_none() && !is_over { next } else { gap };
        match lost {
            Some(generation) => Err(self.lost(&format!("the report of generation {generation}"))),
            None => Ok(found.flatten()),
        }
    }

    /// How many rows a generation had in another table when it was written, where that is known.
    pub(super) fn kept(&self, column: &str, generation: u64) -> Result<Option<u64>, Error> {
        let kept =
            self.find_generation(generation, generation, Order::Forward, |row| kept_of(row, column).map(Some))?;
        Ok(kept.flatten())
    }

    /// Refuses a generation of which some rows in another table are lost.
    pub(super) fn expect_kept(&self, column: &str, what: &str, generation: u64, found: usize) -> Result<(), Error> {
        let Some(kept) = self.kept(column, generation)?.filter(|kept| *kept != found as u64) else { return Ok(()) };
        Err(self.damaged(format!("generation {generation} has {found} {what}, but {kept} were kept")))
    }

    /// Refuses a run of which some rows of all generations in another table are lost.
    pub(super) fn expect_all_kept(&self, column: &str, what: &str, found: u64) -> Result<(), Error> {
        let mut all = Some(0);
        self.each_generation(1, u64::MAX, |row| {
            all = all.zip(kept_of(row, column)?).map(|(all, kept)| all + kept);
            Ok(())
        })?;
        match all.filter(|all| *all != found) {
            Some(kept) => Err(self.damaged(format!("it has {found} {what}, but {kept} were kept"))),
            None => Ok(()),
        }
    }

    /// The generation nearest to this one that has rows in another table, before or behind it; itself if it has some.
    /// `None` where none has any.
    pub(super) fn nearest_kept(&self, column: &str, generation: u64, order: Order) -> Result<Option<u64>, Error> {
        let (from, to) = match order {
            Order::Forward => (generation, u64::MAX),
            Order::Back => (1, generation),
        };
        self.find_generation(from, to, order, |row| {
            Ok(if kept_of(row, column)?.is_some_and(|kept| kept > 0) { Some(whole(row, 0)?) } else { None })
        })
    }

    /// Something that should be there.
    pub(super) fn lost(&self, what: &str) -> Error {
        self.damaged(format!("{what} is lost"))
    }

    /// Something that is not what was written.
    pub(super) fn damaged(&self, what: String) -> Error {
        Error::Damaged { file: self.path.clone(), what }
    }
}

/// How many rows a row of `generation` says that it had in another table. `None` in files of format 4, which do not tell.
fn kept_of(row: &Row, column: &str) -> rusqlite::Result<Option<u64>> {
    named::<Option<i64>>(row, column).map(|kept| kept.map(|kept| kept as u64))
}
