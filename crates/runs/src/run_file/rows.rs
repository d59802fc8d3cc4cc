//! Rows with checksums, so that damage is noticed. The checksum covers the table's name and all values of the row.
//!
//! The columns of `run_schema.sql` are in every file of format 5, in this order, with the checksum last. After it there
//! may be columns that were added later, such as those of new measures, each with a name and a type and no constraint.
//! A file may lack them, or have some that this program does not know. If they are not null, the checksum covers them,
//! too, together with their names. So a row that was written before a column existed stays intact when the column is
//! added.

use super::{PATIENCE, RunFile, SCHEMA};
use crate::Error;
use crate::database::{Damaged, broken, cannot_write, open};
use rusqlite::types::{FromSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Params, Row, ToSql, params_from_iter};
use std::path::Path;
use std::sync::LazyLock;
use trainer::Measure;
use xxhash_rust::xxh3::Xxh3;

/// A table of a run's file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub name: &'static str,
    /// The number of columns, from the first on, that are the key of a row; 0 if the table has a single row.
    pub key: usize,
    /// The name of a row in messages; each `#` stands for a column of the key.
    pub called: &'static str,
}

/// The tables, in the order in which they are copied.
pub(super) const TABLES: [Table; 11] =
    [RUN, GENERATION, CHAMPION, BIRTHS, SPECIES, INHERITANCE, FINAL, RATING, GENOME, GAME, POPULATION];

pub(super) const RUN: Table = Table { name: "run", key: 0, called: "the description of the run" };
pub(super) const GENERATION: Table = Table { name: "generation", key: 1, called: "generation #" };
pub(super) const CHAMPION: Table = Table { name: "champion", key: 1, called: "the champion of generation #" };
pub(super) const BIRTHS: Table = Table { name: "births", key: 1, called: "the record of births from genome # on" };
pub(super) const SPECIES: Table = Table { name: "species", key: 2, called: "the record of generation # and species #" };
pub(super) const INHERITANCE: Table =
    Table { name: "inheritance", key: 2, called: "the record of generation # and inheritance by #" };
pub(super) const FINAL: Table = Table { name: "final", key: 1, called: "final match #" };
pub(super) const RATING: Table = Table { name: "rating", key: 1, called: "rating #" };
pub(super) const GENOME: Table = Table { name: "genome", key: 2, called: "the genome of generation # at place #" };
pub(super) const GAME: Table = Table { name: "game", key: 2, called: "the game of generation # and number #" };
pub(super) const POPULATION: Table = Table { name: "population", key: 0, called: "the population" };

/// The columns of each table of `run_schema.sql`, in the order of `TABLES`, without their checksums.
static COLUMNS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let read = || -> rusqlite::Result<Vec<Vec<String>>> {
        let empty = Connection::open_in_memory()?;
        empty.execute_batch(SCHEMA)?;
        let columns = |table: &Table| -> rusqlite::Result<Vec<String>> {
            let statement = empty.prepare(&format!("select * from {}", table.name))?;
            let names = statement.column_names().filter(|name| *name != CHECKSUM);
            Ok(names.map(str::to_string).collect())
        };
        TABLES.iter().map(columns).collect()
    };
    read().expect("an empty run can be made in memory")
});

/// The name of the column of checksums.
const CHECKSUM: &str = "checksum";

/// A column's name and its value.
pub(super) type Cell<'a> = (&'a str, &'a dyn ToSql);

/// The columns of `generation` with the numbers of its rows in other tables: `game`, `births`, `species`,
/// `inheritance`, `genome`.
pub(super) const KEPT: [&str; 5] = ["kept_games", "kept_births", "kept_species", "kept_ways", "kept_genomes"];

/// The columns of `run`, after its checksum, with the numbers of rows of `final` and `rating`. Null means that the
/// number is not known.
pub(super) const KEPT_AFTER: [&str; 2] = ["kept_finals", "kept_ratings"];

impl Table {
    /// The names of its columns in `run_schema.sql`, without the checksum.
    pub fn columns(&self) -> &'static [String] {
        let place = TABLES.iter().position(|table| table.name == self.name).expect("every table is in the list");
        &COLUMNS[place]
    }

    /// The index of one of these columns in a row.
    pub fn place(&self, column: &str) -> usize {
        let found = self.columns().iter().position(|name| name == column);
        found.unwrap_or_else(|| panic!("the table {} has no column {column}", self.name))
    }

    /// The value of one of these columns in a row.
    pub fn value<T: FromSql>(&self, row: &Row, column: &str) -> rusqlite::Result<T> {
        row.get(self.place(column))
    }

    /// The value of one of these columns in a row, as a whole number.
    pub fn number(&self, row: &Row, column: &str) -> rusqlite::Result<u64> {
        whole(row, self.place(column))
    }

    /// The index in a row of any column, also one after the checksum; `None` if the file has no such column.
    pub fn find(&self, row: &Row, column: &str) -> Option<usize> {
        let known = self.columns().iter().position(|name| name == column);
        known.or_else(|| self.added(row).find(|(_, name)| *name == column).map(|(place, _)| place))
    }

    /// The indexes and names of the columns of a row after the checksum.
    pub fn added<'a>(&self, row: &'a Row) -> impl Iterator<Item = (usize, &'a str)> {
        let statement: &rusqlite::Statement = row.as_ref();
        let places = self.columns().len() + 1..statement.column_count();
        places.map(|place| (place, statement.column_name(place).unwrap_or_default()))
    }

    /// The names of the columns that a file has after the checksum.
    pub fn added_in(&self, connection: &Connection) -> rusqlite::Result<Vec<String>> {
        let statement = connection.prepare(&format!("select * from {} limit 0", self.name))?;
        Ok(statement.column_names().skip(self.columns().len() + 1).map(str::to_string).collect())
    }

    /// Adds columns, given by name and type, after the checksum if the table lacks them. Existing rows have null in
    /// them.
    pub fn add_columns(&self, connection: &Connection, wanted: &[(&str, &str)]) -> rusqlite::Result<()> {
        let known = [self.columns(), &self.added_in(connection)?].concat();
        for (name, kind) in wanted.iter().filter(|(name, _)| !known.iter().any(|column| column == name)) {
            connection.execute_batch(&format!("alter table {} add column {} {kind}", self.name, quoted(name)))?;
        }
        Ok(())
    }

    /// Adds a row with a value for each column of the schema, in their order.
    pub fn insert(&self, connection: &Connection, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        self.insert_with_added(connection, values, &[])
    }

    /// Adds a row that also has columns after the checksum.
    pub fn insert_with_added(
        &self,
        connection: &Connection,
        values: &[&dyn ToSql],
        added: &[Cell],
    ) -> rusqlite::Result<()> {
        self.insert_sealed(connection, values, added, self.sum_of(values, added)?)
    }

    /// Adds a row with a wrong checksum, so that it counts as damaged.
    pub fn insert_as_damaged(&self, connection: &Connection, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        self.insert_sealed(connection, values, &[], !self.sum_of(values, &[])?)
    }

    /// Adds a row of cells in any order. There must be one for each column of the schema; the others are columns after
    /// the checksum.
    pub fn insert_cells(&self, connection: &Connection, cells: &[Cell]) -> rusqlite::Result<()> {
        let columns = self.columns();
        let of = |column: &String| {
            let found = cells.iter().find(|(name, _)| name == column);
            found.unwrap_or_else(|| panic!("no value for the column {column} of {}", self.name)).1
        };
        let values: Vec<&dyn ToSql> = columns.iter().map(of).collect();
        let is_added = |(name, _): &Cell| !columns.iter().any(|column| column == name);
        let added: Vec<Cell> = cells.iter().copied().filter(is_added).collect();
        self.insert_with_added(connection, &values, &added)
    }

    fn insert_sealed(
        &self,
        connection: &Connection,
        values: &[&dyn ToSql],
        added: &[Cell],
        sum: i64,
    ) -> rusqlite::Result<()> {
        debug_assert_eq!(values.len(), self.columns().len(), "{}", self.name);
        let mut names: Vec<String> = self.columns().to_vec();
        names.push(CHECKSUM.to_string());
        names.extend(added.iter().map(|(name, _)| quoted(name)));
        let marks = vec!["?"; names.len()].join(", ");
        let sql = format!("insert into {} ({}) values ({marks})", self.name, names.join(", "));
        let mut statement = connection.prepare_cached(&sql)?;
        let all = values.iter().copied().chain([&sum as &dyn ToSql]).chain(added.iter().map(|(_, value)| *value));
        for (place, value) in all.enumerate() {
            statement.raw_bind_parameter(place + 1, value)?;
        }
        statement.raw_execute()?;
        Ok(())
    }

    /// Removes all rows and adds this one.
    pub fn replace_all(&self, connection: &Connection, values: &[&dyn ToSql], added: &[Cell]) -> rusqlite::Result<()> {
        self.clear(connection)?;
        self.insert_with_added(connection, values, added)
    }

    /// Removes all rows.
    pub fn clear(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.prepare_cached(&format!("delete from {}", self.name))?.execute([]).map(|_| ())
    }

    fn sum_of(&self, values: &[&dyn ToSql], added: &[Cell]) -> rusqlite::Result<i64> {
        let mut sum = RowSum::new(self.name);
        for value in values {
            sum.add(stored(&value.to_sql()?)?);
        }
        let outputs = added.iter().map(|(_, value)| value.to_sql()).collect::<rusqlite::Result<Vec<_>>>()?;
        let values = outputs.iter().map(stored).collect::<rusqlite::Result<Vec<_>>>()?;
        sum.add_named(added.iter().map(|(name, _)| *name).zip(values).collect());
        Ok(sum.finish())
    }

    fn sum_of_row(&self, row: &Row) -> rusqlite::Result<i64> {
        let mut sum = RowSum::new(self.name);
        for place in 0..self.columns().len() {
            sum.add(row.get_ref(place)?);
        }
        let added = self.added(row).map(|(place, name)| Ok((name, row.get_ref(place)?)));
        sum.add_named(added.collect::<rusqlite::Result<_>>()?);
        Ok(sum.finish())
    }

    /// Whether the checksum of a row is correct. The row must have all columns in their order.
    pub fn is_intact(&self, row: &Row) -> rusqlite::Result<bool> {
        Ok(row.get_ref(self.columns().len())? == ValueRef::Integer(self.sum_of_row(row)?))
    }

    /// The original values of a damaged row in which a single bit was flipped, with the columns after the checksum
    /// last. The bit is found by flipping each one until the checksum is correct. Returns `None` if more is damaged.
    pub fn repaired(&self, row: &Row) -> rusqlite::Result<Option<Vec<Value>>> {
        let count = self.columns().len();
        let (behind, names): (Vec<usize>, Vec<&str>) = self.added(row).unzip();
        let places = (0..count).chain(behind);
        let values = places.map(|place| row.get_ref(place)).collect::<rusqlite::Result<Vec<ValueRef>>>()?;
        let ValueRef::Integer(written) = row.get_ref(count)? else { return Ok(None) };
        let fits = |place: usize, changed: ValueRef| {
            let mut sum = RowSum::new(self.name);
            let mut all = values.clone();
            all[place] = changed;
            all[..count].iter().for_each(|value| sum.add(*value));
            sum.add_named(names.iter().copied().zip(all[count..].iter().copied()).collect());
            // The flipped bit may be in the checksum itself.
            let differing = (sum.finish() ^ written).count_ones();
            differing == 0 || differing == 1 && changed == values[place]
        };
        let all = |place: usize, changed: ValueRef| -> Option<Vec<Value>> {
            let of = |(other, value): (usize, &ValueRef)| {
                Value::try_from(if other == place { changed } else { *value }).ok()
            };
            values.iter().enumerate().map(of).collect()
        };
        if fits(0, values[0]) {
            return Ok(all(0, values[0]));
        }
        for (place, value) in values.iter().enumerate() {
            let mut bytes = match value {
                ValueRef::Null => Vec::new(),
                ValueRef::Integer(number) => number.to_le_bytes().to_vec(),
                ValueRef::Real(number) => number.to_le_bytes().to_vec(),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
            };
            for bit in 0..8 * bytes.len() {
                bytes[bit / 8] ^= 1 << (bit % 8);
                let number = || <[u8; 8]>::try_from(&bytes[..]).expect("numbers have eight bytes");
                let changed = match value {
                    ValueRef::Null => ValueRef::Null,
                    ValueRef::Integer(_) => ValueRef::Integer(i64::from_le_bytes(number())),
                    ValueRef::Real(_) => ValueRef::Real(f64::from_le_bytes(number())),
                    ValueRef::Text(_) => ValueRef::Text(&bytes),
                    ValueRef::Blob(_) => ValueRef::Blob(&bytes),
                };
                if fits(place, changed) {
                    return Ok(all(place, changed));
                }
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        Ok(None)
    }

    /// The name of a row in messages.
    pub fn name_of(&self, row: &Row) -> String {
        let mut name = self.called.to_string();
        for column in 0..self.key {
            let key = match row.get_ref(column) {
                Ok(ValueRef::Integer(number)) => number.to_string(),
                Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into_owned(),
                _ => "?".to_string(),
            };
            name = name.replacen('#', &key, 1);
        }
        name
    }
}

/// A value as SQLite stores it.
fn stored<'a>(value: &'a ToSqlOutput) -> rusqlite::Result<ValueRef<'a>> {
    match value {
        ToSqlOutput::Borrowed(value) => Ok(*value),
        ToSqlOutput::Owned(value) => Ok(value.into()),
        other => {
            let why = format!("a value of an unknown kind ({other:?})");
            Err(rusqlite::Error::ToSqlConversionFailure(why.into()))
        }
    }
}

/// A column's name as a quoted name in SQL. Any name is allowed.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The checksum of one row.
struct RowSum(Xxh3);

impl RowSum {
    fn new(table: &str) -> RowSum {
        let mut hasher = Xxh3::new();
        hasher.update(table.as_bytes());
        RowSum(hasher)
    }

    fn add(&mut self, value: ValueRef) {
        let mut long = |kind: u8, bytes: &[u8]| {
            self.0.update(&[kind]);
            self.0.update(&(bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        };
        match value {
            ValueRef::Null => long(0, &[]),
            ValueRef::Integer(number) => long(1, &number.to_le_bytes()),
            // SQLite does not store the sign of zero.
            ValueRef::Real(number) => long(2, &(number + 0.0).to_bits().to_le_bytes()),
            ValueRef::Text(text) => long(3, text),
            ValueRef::Blob(bytes) => long(4, bytes),
        }
    }

    /// Adds the values of the columns after the checksum, each with its name, ordered by name, because files may have
    /// these columns in different orders. Null is left out, because rows that are older than a column have null in it.
    fn add_named(&mut self, mut added: Vec<(&str, ValueRef)>) {
        added.sort_by_key(|(name, _)| *name);
        for (name, value) in added.into_iter().filter(|(_, value)| *value != ValueRef::Null) {
            self.add(ValueRef::Text(name.as_bytes()));
            self.add(value);
        }
    }

    fn finish(self) -> i64 {
        self.0.digest() as i64
    }
}

impl RunFile {
    /// Reads the rows of a table that `query_end` selects. A damaged row is an error.
    pub(super) fn rows<T>(
        &self,
        table: Table,
        query_end: &str,
        values: impl Params,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let mut read = read;
        let mut found = Vec::new();
        self.each_row(table, query_end, values, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Calls `read` with each row of a table that `query_end` selects. A damaged row is an error.
    pub(super) fn each_row(
        &self,
        table: Table,
        query_end: &str,
        values: impl Params,
        mut read: impl FnMut(&Row) -> rusqlite::Result<()>,
    ) -> Result<(), Error> {
        let found = self.find_row(table, query_end, values, |row| read(row).map(|()| None::<()>))?;
        debug_assert!(found.is_none());
        Ok(())
    }

    /// Calls `read` with each row of a table that `query_end` selects, until it returns a value. A damaged row up to
    /// there is an error.
    pub(super) fn find_row<T>(
        &self,
        table: Table,
        query_end: &str,
        values: impl Params,
        read: impl FnMut(&Row) -> rusqlite::Result<Option<T>>,
    ) -> Result<Option<T>, Error> {
        self.find_row_of(table, query_end, values, read).map_err(|error| broken(&self.path, error))
    }

    fn find_row_of<T>(
        &self,
        table: Table,
        query_end: &str,
        values: impl Params,
        mut read: impl FnMut(&Row) -> rusqlite::Result<Option<T>>,
    ) -> rusqlite::Result<Option<T>> {
        let mut statement = self.connection.prepare_cached(&format!("select * from {} {query_end}", table.name))?;
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            let damaged = || Damaged { what: table.name_of(row) }.into();
            if self.has_checksums() && !table.is_intact(row)? {
                return Err(damaged());
            }
            let found = read(row).map_err(|error| if is_misread(&error) { damaged() } else { error })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Whether an error means that a value has a wrong type or cannot be parsed.
fn is_misread(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..))
}

/// Gives every row of a run file its correct checksum. It is for tests that change run files and then want them to
/// count as intact.
#[doc(hidden)]
pub fn seal_run(path: &Path) -> Result<(), Error> {
    let mut file = open(path, false, PATIENCE)?;
    let mut write = || -> rusqlite::Result<()> {
        let transaction = file.transaction()?;
        for table in TABLES {
            let (mut keys, mut names) = (Vec::new(), Vec::new());
            {
                let mut statement = transaction.prepare(&format!("select * from {}", table.name))?;
                names.extend(statement.column_names().take(table.key).map(|name| format!("{name} = ?")));
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    let key = (0..table.key).map(|place| row.get(place)).collect::<rusqlite::Result<Vec<Value>>>()?;
                    keys.push((table.sum_of_row(row)?, key));
                }
            }
            let condition = if names.is_empty() { "1".to_string() } else { names.join(" and ") };
            let mut update =
                transaction.prepare(&format!("update {} set checksum = ? where {condition}", table.name))?;
            for (sum, key) in keys {
                update.execute(params_from_iter(std::iter::once(Value::Integer(sum)).chain(key)))?;
            }
        }
        transaction.commit()
    };
    write().map_err(|error| cannot_write(path, error, 0))
}

/// The stored value of a measure in a row of the table `generation`; `None` if it was not measured or the file has no
/// such column.
pub(super) fn measured(row: &Row, measure: &Measure) -> rusqlite::Result<Option<f64>> {
    let place = measure.column().and_then(|column| GENERATION.find(row, column));
    place.map_or(Ok(None), |place| row.get(place))
}

/// The value of a column of the schema in a row of the table `generation`.
pub(super) fn named<T: FromSql>(row: &Row, column: &str) -> rusqlite::Result<T> {
    GENERATION.value(row, column)
}

/// A whole number, which SQLite stores with a sign.
pub(super) fn whole(row: &Row, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(|number| number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_schema() {
        let empty = Connection::open_in_memory().unwrap();
        empty.execute_batch(SCHEMA).unwrap();
        let mut names: Vec<String> = empty
            .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        names.sort();
        let mut known: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        known.sort();
        assert_eq!(names, known);
        for table in TABLES {
            let statement = empty.prepare(&format!("select * from {}", table.name)).unwrap();
            assert_eq!(statement.column_names().last(), Some(CHECKSUM), "{}", table.name);
            assert_eq!(statement.column_count(), table.columns().len() + 1, "{}", table.name);
        }
    }

    #[test]
    fn every_value_changes_the_checksum() {
        let sum = |values: &[&dyn ToSql]| CHAMPION.sum_of(values, &[]).unwrap();
        let one = sum(&[&1, &"ab"]);
        for other in [
            sum(&[&2, &"ab"]),
            sum(&[&1, &"ac"]),
            sum(&[&1, &b"ab".as_slice()]),
            sum(&[&1.0, &"ab"]),
            sum(&[&1, &"a", &"b"]),
            sum(&[&rusqlite::types::Null, &"ab"]),
            GAME.sum_of(&[&1, &"ab"], &[]).unwrap(),
            CHAMPION.sum_of(&[&1, &"ab"], &[("more", &0.5)]).unwrap(),
        ] {
            assert_ne!(one, other);
        }
        assert_eq!(sum(&[&0.0]), sum(&[&-0.0]));
        // An added column changes the checksum, by its name and value, if it is not null.
        let added = |cells: &[Cell]| CHAMPION.sum_of(&[&1, &"ab"], cells).unwrap();
        assert_eq!(added(&[("more", &None::<f64>)]), one);
        assert_ne!(added(&[("more", &0.5)]), added(&[("less", &0.5)]));
        assert_eq!(added(&[("more", &0.5), ("less", &1)]), added(&[("less", &1), ("more", &0.5)]));
    }
}
