//! Checks whether a run file defines its tables as this program does.
//!
//! SQLite keeps the definition of each table and view as SQL text in the table `sqlite_schema`, without a checksum. So
//! the text is compared with `run_schema.sql`. Comments and white space are not compared: another version of this
//! program may have other comments. After the column `checksum` there may be any columns, each with a name and a type:
//! see [`rows`](super::rows).

use super::writing::added_columns;
use super::{OLDEST_FORMAT, RunFile, SCHEMA};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use std::sync::LazyLock;

/// The types that a column after the checksum can have.
const TYPES: [&str; 6] = ["any", "blob", "int", "integer", "real", "text"];

/// One row of `sqlite_schema`.
#[derive(Clone, Debug, PartialEq)]
struct Definition {
    /// "table", "view" or "index".
    kind: String,
    name: String,
    /// The table to which an index belongs; for tables and views it is their own name.
    table: String,
    /// The number of the first page; 0 for a view.
    page: i64,
    /// The words and signs of the SQL text.
    tokens: Vec<Vec<u8>>,
}

/// The definitions in `run_schema.sql`.
static EXPECTED: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let read = || {
        let empty = Connection::open_in_memory()?;
        empty.execute_batch(SCHEMA)?;
        definitions(&empty)
    };
    read().expect("an empty run can be made in memory")
});

impl RunFile {
    /// What is wrong with the definitions of the file's tables and views; `None` if nothing is.
    pub(super) fn wrong_definition(&self) -> rusqlite::Result<Option<String>> {
        let found = definitions(&self.connection)?;
        if self.format > OLDEST_FORMAT {
            return Ok(compare(&found));
        }
        let is_new = found.iter().any(|definition| definition.name == "births");
        Ok(is_new.then(|| format!("it says that it has format {}, but its tables are of a newer format", self.format)))
    }
}

/// A sentence about the first definition that is not text, if there is one. Every file is checked for this when it is
/// opened, because rusqlite panics when it names a column whose name is not text.
pub(super) fn definition_that_is_not_text(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare("select name, sql from sqlite_schema")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if String::from_utf8(bytes(row, 1)?).is_err() {
            let name = String::from_utf8_lossy(&bytes(row, 0)?).into_owned();
            return Ok(Some(format!("the definition of `{name}` is damaged: it is not text")));
        }
    }
    Ok(None)
}

/// The bytes of a text, which need not be valid; empty if the value is a number or null.
fn bytes(row: &Row, place: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(match row.get_ref(place)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Vec::new(),
    })
}

fn definitions(connection: &Connection) -> rusqlite::Result<Vec<Definition>> {
    let text =
        |row: &Row, place: usize| Ok::<_, rusqlite::Error>(String::from_utf8_lossy(&bytes(row, place)?).into_owned());
    let read = |row: &Row| {
        let page = match row.get_ref(3)? {
            ValueRef::Integer(page) => page,
            _ => -1,
        };
        Ok(Definition {
            kind: text(row, 0)?,
            name: text(row, 1)?,
            table: text(row, 2)?,
            page,
            tokens: tokens(&bytes(row, 4)?),
        })
    };
    let mut statement = connection.prepare("select type, name, tbl_name, rootpage, sql from main.sqlite_schema")?;
    statement.query_map([], read)?.collect()
}

/// The first difference between these definitions and the expected ones. The file may have indexes, tables and views
/// with other names: earlier programs made an index, and users may add their own.
fn compare(found: &[Definition]) -> Option<String> {
    for expected in EXPECTED.iter() {
        let Definition { kind, name, .. } = expected;
        let Some(other) = found.iter().find(|other| other.name == *name) else {
            return Some(format!("its {kind} `{name}` is missing"));
        };
        let is_same = other.kind == *kind && other.table == expected.table && (other.page == 0) == (expected.page == 0);
        if !is_same || !is_same_sql(expected, other) {
            return Some(format!("the definition of its {kind} `{name}` is damaged"));
        }
    }
    let is_odd = |other: &&Definition| !["table", "view", "index"].contains(&other.kind.as_str());
    found.iter().find(is_odd).map(|other| {
        format!("it defines `{}`, which is neither a table nor a view nor an index", other.name.escape_debug())
    })
}

/// Whether two definitions are the same, except for additional columns after the checksum in the second one.
fn is_same_sql(expected: &Definition, found: &Definition) -> bool {
    if expected.tokens == found.tokens {
        return true;
    }
    // 1. Everything up to the checksum, "checksum integer not null", and everything after the added columns must be
    //    equal.
    let Some(checksum) = expected.tokens.iter().position(|token| token == b"checksum") else { return false };
    let (head, tail) = expected.tokens.split_at(checksum + 4);
    let Some(added) = found.tokens.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)) else { return false };
    // 2. The added columns: a comma, a name and a type each.
    let mut names = Vec::new();
    for column in added.chunks(3) {
        let [comma, name, kind] = column else { return false };
        let is_type = |known: &&str| kind == known.as_bytes() || *kind == known.to_uppercase().as_bytes();
        if comma != b"," || !is_name(name) || !TYPES.iter().any(is_type) {
            return false;
        }
        names.push(unquoted(name));
    }
    // 3. An unknown name is damage if it differs by one bit from a known name that is missing.
    let known = added_columns(&expected.name);
    let is_there = |name: &str| names.contains(&name.as_bytes());
    let missing = || known.iter().filter(|(name, _)| !is_there(name));
    let is_flipped = |found: &&[u8]| missing().any(|(name, _)| differing_bits(found, name.as_bytes()) == Some(1));
    !names.iter().any(is_flipped)
}

fn is_name(token: &[u8]) -> bool {
    match token {
        [b'"', inner @ .., b'"'] => !inner.is_empty() && !inner.contains(&0),
        token => token.iter().all(|byte| is_of_word(*byte)),
    }
}

fn unquoted(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name)
}

/// The number of bits that differ; `None` if the lengths differ.
fn differing_bits(one: &[u8], two: &[u8]) -> Option<u32> {
    let differing = || one.iter().zip(two).map(|(one, two)| (one ^ two).count_ones()).sum();
    (one.len() == two.len()).then(differing)
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The words, numbers, quoted names and signs of an SQL text, without comments and white space.
fn tokens(sql: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let [first, ..] = rest {
        let until = |is_end: &dyn Fn(u8) -> bool| rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len());
        let (length, is_kept) = match first {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => (1, false),
            b'-' if rest.starts_with(b"--") => {
                let length = until(&|byte| byte == b'\n');
                // SQLite stops reading at a zero byte, also in a comment.
                (length, rest[..length].contains(&0))
            }
            b'"' | b'\'' | b'`' => {
                let end = rest[1..].iter().position(|byte| byte == first);
                (end.map_or(rest.len(), |end| end + 2), true)
            }
            first if is_of_word(*first) => (until(&|byte| !is_of_word(byte)), true),
            _ => (1, true),
        };
        let (token, after) = rest.split_at(length);
        if is_kept {
            tokens.push(token.to_vec());
        }
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_file::writing::create_tables;
    use crate::testing::trained;
    use crate::{Error, check_run, salvage_run};
    use rusqlite::params;
    use std::path::Path;

    /// For each byte of an SQL text, whether it is in a comment.
    fn in_comments(sql: &[u8]) -> Vec<bool> {
        let mut is_comment = false;
        let mut found = Vec::new();
        for (place, byte) in sql.iter().enumerate() {
            is_comment = *byte != b'\n' && (is_comment || sql[..place].ends_with(b"--"));
            found.push(is_comment);
        }
        found
    }

    /// Flips every bit of every definition.
    #[test]
    fn every_flipped_bit_of_a_definition_is_found() {
        let database = Connection::open_in_memory().unwrap();
        create_tables(&database).unwrap();
        let all = definitions(&database).unwrap();
        assert_eq!(compare(&all), None);
        let mut statement = database.prepare("select name, sql from sqlite_schema").unwrap();
        let read = |row: &Row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let texts: Vec<(String, String)> = statement.query_map([], read).unwrap().collect::<Result<_, _>>().unwrap();
        for (place, (name, sql)) in texts.iter().enumerate() {
            let is_comment = in_comments(sql.as_bytes());
            let expected = EXPECTED.iter().find(|expected| expected.name == *name).unwrap();
            for bit in 0..8 * sql.len() {
                let mut bytes = sql.clone().into_bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let new = bytes[bit / 8];
                let is_harmless = is_comment[bit / 8] && new != b'\n' && new != 0;
                let flipped = Definition { tokens: tokens(&bytes), ..all[place].clone() };
                assert_eq!(is_same_sql(expected, &flipped), is_harmless, "{name}: bit {bit} of {sql}");
            }
        }
    }

    fn entries(file: &Path) -> Vec<(i64, String)> {
        let connection = Connection::open(file).unwrap();
        let mut statement = connection.prepare("select rowid, name from sqlite_schema").unwrap();
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// One bit of each entry of `sqlite_schema` is flipped, in each of its columns.
    #[test]
    fn no_flipped_bit_of_the_schema_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let file = trained(
            folder.path(),
            "one",
            "nim-2x4-neat",
            &[
                "stop.generations=2",
                "stop.solved=false",
                "strategy.neat.population=10",
                "schedule.circular.opponents=4",
            ],
        );
        assert!(check_run(&file).unwrap().is_intact());
        let whole = std::fs::read(&file).unwrap();
        for (number, (entry, name)) in entries(&file).into_iter().enumerate() {
            for column in ["type", "name", "tbl_name", "rootpage", "sql"] {
                std::fs::write(&file, &whole).unwrap();
                let connection = Connection::open(&file).unwrap();
                connection.execute_batch("pragma writable_schema = on").unwrap();
                let sql = format!("select cast({column} as blob) from sqlite_schema where rowid = ?");
                let mut bytes: Vec<u8> = connection.query_row(&sql, [entry], |row| row.get(0)).unwrap();
                // The byte is neither in the first word nor in a comment.
                let place = if column == "sql" { 13 + number % 5 } else { number % bytes.len() };
                match column {
                    "rootpage" => {
                        let sql = "update sqlite_schema set rootpage = (rootpage | 1) - (rootpage & 1) where rowid = ?";
                        connection.execute(sql, [entry]).unwrap();
                    }
                    _ => {
                        bytes[place] ^= 1 << (number % 5);
                        let sql = format!("update sqlite_schema set {column} = cast(? as text) where rowid = ?");
                        connection.execute(&sql, params![bytes, entry]).unwrap();
                    }
                }
                drop(connection);
                let what = format!("{column} of {name}");
                match check_run(&file) {
                    Ok(found) => assert!(!found.is_intact() && !found.resumable, "{what}: {found:?}"),
                    Err(error) => {
                        assert!(matches!(error, Error::NotARun { .. } | Error::Damaged { .. }), "{what}: {error}")
                    }
                }
                let error = RunFile::open_to_write(&file).map(|_| ()).unwrap_err();
                assert!(matches!(error, Error::NotARun { .. } | Error::Damaged { .. }), "{what}: {error}");
                let saved = folder.path().join(format!("{column}-{name}.db"));
                if salvage_run(&file, &saved).is_ok() {
                    let found = check_run(&saved).unwrap();
                    assert_eq!((found.damaged_rows, found.structure), (0, None), "{what}");
                }
            }
        }
    }

    /// A flipped highest bit makes a column's name something that is not text.
    #[test]
    fn names_of_columns_that_are_not_text_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = trained(folder.path(), "one", "nim-2x4-c1", &["stop.generations=2", "stop.solved=false"]);
        let whole = std::fs::read(&file).unwrap();
        for (table, column) in [("run", "experiment"), ("run", "kept_finals"), ("generation", "score_spread")] {
            std::fs::write(&file, &whole).unwrap();
            let connection = Connection::open(&file).unwrap();
            connection.execute_batch("pragma writable_schema = on").unwrap();
            let sql = "select cast(sql as blob) from sqlite_schema where name = ?";
            let mut bytes: Vec<u8> = connection.query_row(sql, [table], |row| row.get(0)).unwrap();
            let at = bytes.windows(column.len()).position(|part| part == column.as_bytes()).unwrap();
            bytes[at + 2] ^= 0x80;
            let sql = "update sqlite_schema set sql = cast(? as text) where name = ?";
            connection.execute(sql, params![bytes, table]).unwrap();
            drop(connection);
            let said = |error: Error| error.to_string();
            let saved = folder.path().join(format!("{column}.db"));
            let answers = [
                check_run(&file).map(|_| ()).map_err(said),
                salvage_run(&file, &saved).map(|_| ()).map_err(said),
                RunFile::open(&file).map(|_| ()).map_err(said),
            ];
            for answer in answers {
                let said = answer.unwrap_err();
                assert!(said.contains(&format!("the definition of `{table}` is damaged: it is not text")), "{said}");
            }
        }
    }

    /// A file of format 5 whose number was changed to 4 by a flipped bit has checksums, and they must be checked.
    #[test]
    fn a_wrong_format_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = trained(folder.path(), "one", "nim-2x4-c1", &["stop.generations=2"]);
        Connection::open(&file).unwrap().pragma_update(None, "user_version", 4).unwrap();
        let found = check_run(&file).unwrap();
        assert!(!found.is_intact() && found.structure.unwrap().contains("it says that it has format 4"));
        assert!(RunFile::open_to_write(&file).is_err());
    }
}
