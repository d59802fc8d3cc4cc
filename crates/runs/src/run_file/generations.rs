//! Reads generations in their order, and notices if one of them is lost or has a wrong number.

use super::RunFile;
use super::rows::{GENERATION, named, whole};
use crate::Error;
use crate::database::broken;
use rusqlite::{OptionalExtension, Row, Transaction};

/// The direction in which generations are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// From the first generation to the last.
    Forward,
    /// From the last generation to the first.
    Back,
}

impl RunFile {
    /// Begins a read transaction: until the result is dropped, all reads see the file as it is now, also while another
    /// process trains the run. Returns `None` if a transaction has begun already.
    pub(super) fn one_moment(&self) -> Result<Option<Transaction<'_>>, Error> {
        // A connection can have one transaction at a time.
        let begun = self.connection.is_autocommit().then(|| self.connection.unchecked_transaction()).transpose();
        begun.map_err(|error| broken(&self.path, error))
    }

    /// The number of generations played, from the row of the population; `None` if that row is lost. Every generation
    /// replaces this row, so it shows whether the last rows of other tables are lost.
    pub(super) fn played(&self) -> Result<Option<u64>, Error> {
        let sql = "select generation, (select max(generation) from generation), (select max(generation) from champion)
                   from population limit 1";
        let read = |row: &Row| Ok((whole(row, 0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, Option<i64>>(2)?));
        let found = self.connection.prepare_cached(sql).and_then(|mut sql| sql.query_row([], read).optional());
        let Some((played, report, champion)) = found.map_err(|error| broken(&self.path, error))? else {
            return Ok(None);
        };
        // The row of the population is long. Its checksum is only checked when the population is read.
        match report.max(champion).filter(|last| *last > played as i64) {
            Some(last) => Err(self.damaged(format!(
                "its population was saved after generation {played}, but it has rows of generation {last}"
            ))),
            None => Ok(Some(played)),
        }
    }

    /// The number of the last generation; 0 before the first.
    pub(super) fn last_generation(&self) -> Result<u64, Error> {
        let last = self.find_generation(1, u64::MAX, Order::Back, |row| whole(row, 0).map(Some))?;
        Ok(last.unwrap_or(0))
    }

    /// Calls `hear` with the row of each played generation in a range. A missing row is an error.
    pub(super) fn each_generation(
        &self,
        from: u64,
        to: u64,
        mut hear: impl FnMut(&Row) -> rusqlite::Result<()>,
    ) -> Result<(), Error> {
        self.find_generation(from, to, Order::Forward, |row| hear(row).map(|()| None::<()>)).map(|_| ())
    }

    /// Calls `hear` with the row of each played generation in a range, in the given order, until it returns a value. A
    /// row that is missing before that is an error.
    pub(super) fn find_generation<T>(
        &self,
        from: u64,
        to: u64,
        order: Order,
        mut hear: impl FnMut(&Row) -> rusqlite::Result<Option<T>>,
    ) -> Result<Option<T>, Error> {
        let _moment = self.one_moment()?;
        let played = self.played()?;
        // SQLite's whole numbers are signed.
        let (from, to) = (from.clamp(1, i64::MAX as u64), to.min(played.unwrap_or(i64::MAX as u64)));
        let (query_end, mut next) = match order {
            Order::Forward => ("where generation between ? and ? order by generation", Some(from)),
            // If the number of played generations is not known, any generation may be the last.
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

    /// The number of rows that a generation had in another table when it was written; `None` if that is not known.
    pub(super) fn kept(&self, column: &str, generation: u64) -> Result<Option<u64>, Error> {
        let kept =
            self.find_generation(generation, generation, Order::Forward, |row| kept_of(row, column).map(Some))?;
        Ok(kept.flatten())
    }

    /// Returns an error if a generation has lost rows in another table.
    pub(super) fn expect_kept(&self, column: &str, what: &str, generation: u64, found: usize) -> Result<(), Error> {
        let Some(kept) = self.kept(column, generation)?.filter(|kept| *kept != found as u64) else { return Ok(()) };
        Err(self.damaged(format!("generation {generation} has {found} {what}, but {kept} were written")))
    }

    /// Returns an error if the generations of the run have lost rows in another table.
    pub(super) fn expect_all_kept(&self, column: &str, what: &str, found: u64) -> Result<(), Error> {
        let mut all = Some(0);
        self.each_generation(1, u64::MAX, |row| {
            all = all.zip(kept_of(row, column)?).map(|(all, kept)| all + kept);
            Ok(())
        })?;
        match all.filter(|all| *all != found) {
            Some(kept) => Err(self.damaged(format!("it has {found} {what}, but {kept} were written"))),
            None => Ok(()),
        }
    }

    /// The nearest generation with rows in another table: this one, or the next one in the given order. Returns `None`
    /// if there is none.
    pub(super) fn nearest_kept(&self, column: &str, generation: u64, order: Order) -> Result<Option<u64>, Error> {
        let (from, to) = match order {
            Order::Forward => (generation, u64::MAX),
            Order::Back => (1, generation),
        };
        self.find_generation(from, to, order, |row| {
            Ok(if kept_of(row, column)?.is_some_and(|kept| kept > 0) { Some(whole(row, 0)?) } else { None })
        })
    }

    /// The error for something that is missing in the file.
    pub(super) fn lost(&self, what: &str) -> Error {
        self.damaged(format!("{what} is lost"))
    }

    /// The error for a damaged file; `what` is the whole message.
    pub(super) fn damaged(&self, what: String) -> Error {
        Error::Damaged { file: self.path.clone(), what }
    }
}

/// The number of rows in another table, from a row of `generation`; `None` in files of format 4, which do not store it.
fn kept_of(row: &Row, column: &str) -> rusqlite::Result<Option<u64>> {
    named::<Option<i64>>(row, column).map(|kept| kept.map(|kept| kept as u64))
}
