//! Changes values in a run file through SQLite: one bit of a value, or two rows exchanged. The database itself stays
//! valid, so only `gamete` can notice the damage.

use crate::cases::Case;
use crate::damage::forms::flip;
use chance::Rng;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql};
use std::path::Path;

/// A change of a run file.
pub struct Change {
    /// The table and column, or the table alone.
    pub what: String,
    /// A full description.
    pub words: String,
    /// The generation of the changed row; `None` if the table has no generations.
    pub generation: Option<u64>,
}

/// Columns that are not changed. A wrong checksum is noticed, but which command notices it depends on what it reads.
const LEFT_ALONE: [&str; 1] = ["checksum"];

/// Whether a table, or the table of a column, holds champions, populations or games.
pub fn is_vital(table: &str) -> bool {
    ["champion", "population", "game"].iter().any(|name| table.starts_with(name))
}

/// Flips one bit of one value of a table; if `is_vital`, only of champions, populations and games.
pub fn flip_value(case: &mut Case, file: &Path, is_vital: bool) -> Result<Change, String> {
    let connection = open(file)?;
    let rng = &mut case.rng;
    for _ in 0..1000 {
        if let Some(change) = try_flip(&connection, is_vital, rng).map_err(to_message)? {
            return Ok(change);
        }
    }
    Err("siege: no value could be flipped".to_string())
}

/// Flips one bit of the definition of a table or view, as SQLite stores it in `sqlite_schema`. Comments in definitions
/// are not changed: they have no effect, and files of other versions may have other comments.
pub fn flip_definition(case: &mut Case, file: &Path) -> Result<Change, String> {
    let connection = open(file)?;
    let rng = &mut case.rng;
    let mut flip = || -> rusqlite::Result<Change> {
        let count: i64 = connection.query_row("select count(*) from sqlite_schema", [], |row| row.get(0))?;
        let sql = "select rowid, name, sql from sqlite_schema order by rowid limit 1 offset ?";
        let read =
            |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?));
        let (entry, name, text) = connection.query_row(sql, [rng.below(count as usize) as i64], read)?;
        let mut bytes = text.clone().into_bytes();
        let at = loop {
            let at = rng.below(bytes.len());
            let line = text[..at].rsplit('\n').next().unwrap_or_default();
            if !line.contains("--") {
                break at;
            }
        };
        let bit = rng.below(8);
        bytes[at] ^= 1 << bit;
        connection.execute_batch("pragma writable_schema = on")?;
        let update = "update sqlite_schema set sql = ? where rowid = ?";
        connection.execute(update, rusqlite::params![Flipped::Text(bytes), entry])?;
        let words = format!("bit {bit} of byte {at} of the definition of {name} flipped");
        Ok(Change { what: format!("definition of {name}"), words, generation: None })
    };
    flip().map_err(to_message)
}

/// Exchanges all columns except the keys of two rows of a table.
pub fn exchange_rows(case: &mut Case, file: &Path) -> Result<Change, String> {
    let connection = open(file)?;
    let rng = &mut case.rng;
    for _ in 0..1000 {
        if let Some(change) = try_exchange(&connection, rng).map_err(to_message)? {
            return Ok(change);
        }
    }
    Err("siege: no rows could be exchanged".to_string())
}

fn to_message(error: rusqlite::Error) -> String {
    format!("siege: cannot change a value: {error}")
}

fn open(file: &Path) -> Result<Connection, String> {
    let connection = Connection::open(file).map_err(to_message)?;
    // Constraints of the file must not prevent the damage.
    connection.execute_batch("pragma ignore_check_constraints = on; pragma foreign_keys = off").map_err(to_message)?;
    Ok(connection)
}

/// A row of a table, found by its key.
struct Place {
    table: String,
    columns: Vec<String>,
    /// The columns of the key: the primary key, or SQLite's `rowid`.
    keys: Vec<String>,
    /// The values of the key.
    values: Vec<Value>,
}

impl Place {
    fn condition(&self) -> String {
        let all: Vec<String> = self.keys.iter().map(|key| format!("\"{key}\" = ?")).collect();
        all.join(" and ")
    }
}

/// The names of the tables that have rows, sorted, with their numbers of rows.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<(String, i64)>> {
    let sql = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name";
    let names: Vec<String> = connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for name in names {
        let rows = connection.query_row(&format!("select count(*) from \"{name}\""), [], |row| row.get(0))?;
        if rows > 0 {
            found.push((name, rows));
        }
    }
    Ok(found)
}

/// A random row of a table.
fn place(connection: &Connection, table: &str, rows: i64, rng: &mut Rng) -> rusqlite::Result<Place> {
    let list = |sql: String| -> rusqlite::Result<Vec<String>> {
        connection.prepare(&sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let columns = list(format!("select name from pragma_table_info('{table}')"))?;
    let mut keys = list(format!("select name from pragma_table_info('{table}') where pk > 0 order by pk"))?;
    if keys.is_empty() {
        keys.push("rowid".to_string());
    }
    let quoted: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
    let sql = format!("select {} from \"{table}\" limit 1 offset {}", quoted.join(", "), rng.below(rows as usize));
    let values = connection.query_row(&sql, [], |row| (0..keys.len()).map(|key| row.get(key)).collect())?;
    Ok(Place { table: table.to_string(), columns, keys, values })
}

fn generation(connection: &Connection, place: &Place) -> Option<u64> {
    let sql = format!("select generation from \"{}\" where {}", place.table, place.condition());
    let found = connection.query_row(&sql, rusqlite::params_from_iter(&place.values), |row| row.get::<_, i64>(0));
    found.ok().map(|number| number as u64)
}

fn try_flip(connection: &Connection, vital_only: bool, rng: &mut Rng) -> rusqlite::Result<Option<Change>> {
    let mut tables = tables(connection)?;
    // Half of all flips change champions, populations or games.
    if (vital_only || rng.below(2) == 0) && tables.iter().any(|(table, _)| is_vital(table)) {
        tables.retain(|(table, _)| is_vital(table));
    }
    let (table, rows) = &tables[rng.below(tables.len())];
    let place = place(connection, table, *rows, rng)?;
    let column = &place.columns[rng.below(place.columns.len())];
    if LEFT_ALONE.contains(&column.as_str()) {
        return Ok(None);
    }
    let generation = generation(connection, &place);
    let sql = format!("select \"{column}\" from \"{table}\" where {}", place.condition());
    let value: Value = connection.query_row(&sql, rusqlite::params_from_iter(&place.values), |row| row.get(0))?;
    let Some((flipped, description)) = flipped(&value, rng) else { return Ok(None) };
    let sql = format!("update \"{table}\" set \"{column}\" = ? where {}", place.condition());
    let mut values: Vec<&dyn ToSql> = vec![&flipped];
    values.extend(place.values.iter().map(|value| value as &dyn ToSql));
    // SQLite refuses some changes, for example to a key that exists already. The caller then tries again.
    let Ok(1) = connection.execute(&sql, &values[..]) else { return Ok(None) };
    let words = format!("{description} in {table}.{column} where {:?} = {:?}", place.keys, place.values);
    Ok(Some(Change { what: format!("{table}.{column}"), words, generation }))
}

/// A changed value. The bytes of a changed text need not be valid UTF-8.
enum Flipped {
    Plain(Value),
    Text(Vec<u8>),
}

impl ToSql for Flipped {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Flipped::Plain(value) => value.to_sql(),
            Flipped::Text(bytes) => Ok(ToSqlOutput::Borrowed(ValueRef::Text(bytes))),
        }
    }
}

/// The value with one bit flipped, and a description of the change; `None` if the value is null, empty or would become
/// NaN.
fn flipped(value: &Value, rng: &mut Rng) -> Option<(Flipped, String)> {
    match value {
        Value::Null => None,
        Value::Integer(number) => {
            // Mostly low bits, because they give another plausible number.
            let bits = if rng.below(4) == 0 { 64 } else { 8 };
            let bit = rng.below(bits);
            Some((Flipped::Plain(Value::Integer(number ^ (1 << bit))), format!("bit {bit} of {number} flipped")))
        }
        Value::Real(number) => {
            let bit = rng.below(64);
            let other = f64::from_bits(number.to_bits() ^ (1 << bit));
            (!other.is_nan()).then(|| (Flipped::Plain(Value::Real(other)), format!("{number:?} became {other:?}")))
        }
        Value::Text(text) if !text.is_empty() => {
            let mut bytes = text.clone().into_bytes();
            let description = flip(&mut bytes, usize::MAX, rng);
            Some((Flipped::Text(bytes), description))
        }
        Value::Blob(bytes) if !bytes.is_empty() => {
            let mut bytes = bytes.clone();
            let description = flip(&mut bytes, usize::MAX, rng);
            Some((Flipped::Plain(Value::Blob(bytes)), description))
        }
        Value::Text(_) | Value::Blob(_) => None,
    }
}

fn try_exchange(connection: &Connection, rng: &mut Rng) -> rusqlite::Result<Option<Change>> {
    let tables: Vec<_> = tables(connection)?.into_iter().filter(|(_, rows)| *rows > 1).collect();
    let (table, rows) = &tables[rng.below(tables.len())];
    let (one, two) = (place(connection, table, *rows, rng)?, place(connection, table, *rows, rng)?);
    let others: Vec<String> = one.columns.iter().filter(|column| !one.keys.contains(column)).cloned().collect();
    if one.values == two.values || others.is_empty() {
        return Ok(None);
    }
    let quoted: Vec<String> = others.iter().map(|column| format!("\"{column}\"")).collect();
    let read = |place: &Place| -> rusqlite::Result<Vec<Value>> {
        let sql = format!("select {} from \"{table}\" where {}", quoted.join(", "), place.condition());
        connection.query_row(&sql, rusqlite::params_from_iter(&place.values), |row| {
            (0..others.len()).map(|column| row.get(column)).collect()
        })
    };
    let (first, second) = (read(&one)?, read(&two)?);
    if first == second {
        return Ok(None);
    }
    let generation = generation(connection, &one);
    for (place, values) in [(&one, &second), (&two, &first)] {
        let set: Vec<String> = quoted.iter().map(|column| format!("{column} = ?")).collect();
        let sql = format!("update \"{table}\" set {} where {}", set.join(", "), place.condition());
        connection.execute(&sql, rusqlite::params_from_iter(values.iter().chain(&place.values)))?;
    }
    let words = format!("rows of {table} exchanged: {:?} and {:?}", one.values, two.values);
    Ok(Some(Change { what: format!("rows of {table}"), words, generation }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    const RUN: &str = "create table champion (generation integer primary key, network blob not null) strict;
        insert into champion values (1, x'00ff'), (2, x'0102');";

    #[test]
    fn one_bit_of_one_value_changes() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(RUN).unwrap();
        let rng = &mut rng_for(1, &[]);
        let change = std::iter::from_fn(|| Some(try_flip(&connection, true, rng).unwrap())).flatten().next().unwrap();
        assert!(change.what.starts_with("champion."), "{}", change.what);
        let same: i64 = connection
            .query_row(
                "select count(*) from champion where (generation, network) in ((1, x'00ff'), (2, x'0102'))",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(same, 1, "{}", change.words);
    }

    #[test]
    fn rows_are_exchanged_except_for_their_keys() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(RUN).unwrap();
        let rng = &mut rng_for(1, &[]);
        std::iter::from_fn(|| Some(try_exchange(&connection, rng).unwrap())).flatten().next().unwrap();
        let first: Vec<u8> =
            connection.query_row("select network from champion where generation = 1", [], |row| row.get(0)).unwrap();
        assert_eq!(first, [1, 2]);
    }
}
