//! Compares two run files table by table, in every column except those that hold times.
//!
//! SQLite lists the tables, views and columns, so new ones are compared without a change here.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Columns that may differ between equal runs, because they hold times.
const TIMES: [&str; 3] = ["created", "seconds", "cpu_seconds"];
/// The column of checksums. It is not compared in tables that have a column which may differ, because then checksums
/// differ too. `gamete check` tests whether checksums are correct.
const CHECKSUM: &str = "checksum";

/// The contents of a run file.
#[derive(Debug, PartialEq)]
pub struct Contents {
    tables: BTreeMap<String, Table>,
}

#[derive(Debug, PartialEq)]
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Reads all tables and views of a file, except the columns of `except`. No other process may have the file open.
pub fn read(file: &Path, except: &[String]) -> Result<Contents, String> {
    let to_message = |error: rusqlite::Error| format!("unreadable: {}: {error}", file.display());
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(to_message)?;
    let sound: String = connection.query_row("pragma integrity_check", [], |row| row.get(0)).map_err(to_message)?;
    if sound != "ok" {
        return Err(format!("not sound: {}: {}", file.display(), sound.replace('\n', " ")));
    }
    let names = list(
        &connection,
        "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite_%'",
    );
    let mut tables = BTreeMap::new();
    for name in names.map_err(to_message)? {
        let table = table(&connection, &name, except).map_err(to_message)?;
        tables.insert(name, table);
    }
    Ok(Contents { tables })
}

fn table(connection: &Connection, name: &str, except: &[String]) -> rusqlite::Result<Table> {
    let columns = list(connection, &format!("select name from pragma_table_xinfo('{name}')"))?;
    let may_differ = |column: &String| TIMES.contains(&column.as_str()) || except.contains(column);
    let sums_may_differ = columns.iter().any(may_differ);
    let compared = |column: &String| !(may_differ(column) || sums_may_differ && column == CHECKSUM);
    let columns: Vec<String> = columns.into_iter().filter(compared).collect();
    if columns.is_empty() {
        return Ok(Table { columns, rows: Vec::new() });
    }
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let keys = list(connection, &format!("select name from pragma_table_xinfo('{name}') where pk > 0 order by pk"))?;
    // Rows without a key are ordered by all their columns.
    let order: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).chain(quoted.iter().cloned()).collect();
    let sql = format!("select {} from \"{name}\" order by {}", quoted.join(", "), order.join(", "));
    let mut statement = connection.prepare(&sql)?;
    let read = |row: &rusqlite::Row| (0..columns.len()).map(|place| row.get_ref(place).map(text)).collect();
    let rows = statement.query_map([], read)?.collect::<rusqlite::Result<Vec<Vec<String>>>>()?;
    Ok(Table { columns, rows })
}

fn list(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// A value as text. Different values have different texts.
fn text(value: ValueRef) -> String {
    match value {
        ValueRef::Null => "null".to_string(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(bytes) => format!("'{}'", String::from_utf8_lossy(bytes)),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// The differences, one line for each column.
pub fn differences(expected: &Contents, found: &Contents) -> Vec<String> {
    let mut all = Vec::new();
    for name in expected.tables.keys().chain(found.tables.keys().filter(|name| !expected.tables.contains_key(*name))) {
        match (expected.tables.get(name), found.tables.get(name)) {
            (Some(one), Some(two)) if one.columns != two.columns => all.push(format!("{name} has other columns")),
            (Some(one), Some(two)) if one.rows.len() != two.rows.len() => {
                all.push(format!("{name} has {} rows instead of {}", two.rows.len(), one.rows.len()));
            }
            (Some(one), Some(two)) => all.extend(differing_columns(name, one, two)),
            (one, _) => {
                all.push(format!("{name} is only in the {} file", if one.is_some() { "expected" } else { "found" }))
            }
        }
    }
    all
}

fn differing_columns(name: &str, expected: &Table, found: &Table) -> Vec<String> {
    let differing = |place: usize| {
        let rows = expected.rows.iter().zip(&found.rows).map(move |(one, two)| (&one[place], &two[place]));
        let mut differ = rows.filter(|(one, two)| one != two);
        let (one, two) = differ.next()?;
        let short = |text: &str| text.chars().take(60).collect::<String>();
        let times = 1 + differ.count();
        let column = &expected.columns[place];
        Some(format!(
            "{name}.{column} differs in {times} of {} rows ({} became {})",
            found.rows.len(),
            short(one),
            short(two)
        ))
    };
    (0..expected.columns.len()).filter_map(differing).collect()
}

/// Compares all run files below two folders; returns a line for each difference.
pub fn differing_files(expected: &Path, found: &Path, except: &[String]) -> Result<Vec<String>, String> {
    let (one, two) = (run_files(expected), run_files(found));
    if one.is_empty() {
        return Err(format!("siege: there are no run files to compare with in {}", expected.display()));
    }
    if one != two {
        return Ok(vec![format!("found the files {two:?} instead of {one:?}")]);
    }
    let mut all = Vec::new();
    for file in one {
        let lines = differences(&read(&expected.join(&file), except)?, &read(&found.join(&file), except)?);
        all.extend(lines.into_iter().map(|line| format!("{}: {line}", file.display())));
    }
    Ok(all)
}

/// Checks that all run files, JSON files and TOML files below two folders are equal; the error names the first
/// difference.
pub fn same_runs(expected: &Path, found: &Path, except: &[String]) -> Result<(), String> {
    let differences = differing_files(expected, found, except)?;
    match differences.first() {
        None => {}
        Some(first) => return Err(format!("tables differ: {} differences, first: {first}", differences.len())),
    }
    let texts = |folder: &Path| files_with(folder, &["json", "toml"]);
    let (one, two) = (texts(expected), texts(found));
    if one != two {
        return Err(format!("files differ: found {two:?} instead of {one:?}"));
    }
    let read = |file: PathBuf| std::fs::read(&file).map_err(|error| format!("unreadable: {}: {error}", file.display()));
    for file in one {
        if read(expected.join(&file))? != read(found.join(&file))? {
            return Err(format!("files differ: {}", file.display()));
        }
    }
    Ok(())
}

/// The run files in a folder and its subfolders, as sorted paths relative to the folder.
pub fn run_files(folder: &Path) -> Vec<PathBuf> {
    files_with(folder, &["db"])
}

fn files_with(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), PathBuf::from(entry.file_name()));
        if path.is_dir() {
            found.extend(files_with(&path, endings).into_iter().map(|inner| name.join(inner)));
        } else if name.extension().is_some_and(|ending| endings.iter().any(|each| ending == *each)) {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// The number of generations in a run file. It is read from a copy, so that the file and its log stay as a kill left
/// them.
pub fn generations(file: &Path, scratch: &Path) -> Result<u64, String> {
    let to_message = |error: std::io::Error| format!("siege: cannot copy {}: {error}", file.display());
    let copy = scratch.join("looked-at.db");
    for ending in ["db", "db-wal", "db-shm", "db-journal"] {
        let (from, to) = (file.with_extension(ending), copy.with_extension(ending));
        let _ = std::fs::remove_file(&to);
        if ending != "db-shm" && from.exists() {
            std::fs::copy(from, to).map_err(to_message)?;
        }
    }
    let connection = Connection::open(&copy).map_err(|error| format!("unreadable: {}: {error}", file.display()))?;
    played(&connection).map_err(|error| format!("unreadable: {}: {error}", file.display()))
}

/// The number of generations in an open run file.
pub fn played(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .query_row("select coalesce(max(generation), 0) from generation", [], |row| row.get::<_, i64>(0))
        .map(|found| found as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str =
        "create table generation (generation integer primary key, score real, evaluations integer, seconds real, checksum integer);
        insert into generation values (1, 0.5, 10, 1.0, 77), (2, 0.25, 20, 2.0, 78);
        create table champion (generation integer primary key, network blob, checksum integer);
        insert into champion values (1, x'00', 79);
        create view best as select max(score) as score from generation;";

    fn contents(change: &str) -> Contents {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run.db");
        Connection::open(&file).unwrap().execute_batch(&format!("{RUN} {change}")).unwrap();
        read(&file, &[]).unwrap()
    }

    #[track_caller]
    fn check(change: &str, expected: &[&str]) {
        assert_eq!(differences(&contents(""), &contents(change)), expected, "{change}");
    }

    #[test]
    fn every_difference_except_times_is_reported() {
        check("update generation set seconds = 9, checksum = 80", &[]);
        check("update champion set checksum = 80", &["champion.checksum differs in 1 of 1 rows (79 became 80)"]);
        check(
            "update generation set evaluations = 21 where generation = 2",
            &["generation.evaluations differs in 1 of 2 rows (20 became 21)"],
        );
        check(
            "update generation set score = 0.75 where generation = 1",
            &[
                "best.score differs in 1 of 1 rows (0.5 became 0.75)",
                "generation.score differs in 1 of 2 rows (0.5 became 0.75)",
            ],
        );
        check("delete from generation where generation = 2", &["generation has 1 rows instead of 2"]);
        check("create table more (x)", &["more is only in the found file"]);
        check("drop view best", &["best is only in the expected file"]);
        check("alter table generation add column more", &["generation has other columns"]);
    }

    #[test]
    fn folders_are_compared_with_all_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        let error_contains = |what: &str| same_runs(&one, &two, &[]).unwrap_err().contains(what);
        std::fs::create_dir_all(&one).unwrap();
        std::fs::create_dir_all(&two).unwrap();
        assert!(error_contains("no run files to compare with"));
        Connection::open(one.join("x.db")).unwrap().execute_batch(RUN).unwrap();
        assert!(error_contains("found the files"));
        Connection::open(two.join("x.db")).unwrap().execute_batch(RUN).unwrap();
        std::fs::write(one.join("lab.json"), "{}").unwrap();
        assert!(error_contains("files differ"));
        std::fs::write(two.join("lab.json"), "{} ").unwrap();
        assert!(error_contains("files differ: lab.json"));
        std::fs::write(two.join("lab.json"), "{}").unwrap();
        assert_eq!(same_runs(&one, &two, &[]), Ok(()));
    }

    #[test]
    fn generations_in_the_log_are_counted_and_the_log_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run.db");
        let writer = Connection::open(&file).unwrap();
        writer.execute_batch(&format!("pragma journal_mode = wal; {RUN}")).unwrap();
        let log = std::fs::metadata(folder.path().join("run.db-wal")).unwrap().len();
        let scratch = tempfile::tempdir().unwrap();
        assert_eq!(generations(&file, scratch.path()), Ok(2));
        assert_eq!(std::fs::metadata(folder.path().join("run.db-wal")).unwrap().len(), log);
    }
}
