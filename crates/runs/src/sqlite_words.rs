//! Turns errors of SQLite into sentences about what is wrong with a run file.

use rusqlite::{Error, ErrorCode};

/// What this error of SQLite says about the file; `None` if the file is not the cause.
pub(crate) fn what_is_wrong(error: &Error) -> Option<String> {
    let said = match error {
        Error::SqliteFailure(_, said) => said.as_deref(),
        Error::SqlInputError { msg, .. } => Some(msg.as_str()),
        Error::Utf8Error(..)
        | Error::InvalidColumnType(..)
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnIndex(_)
        | Error::InvalidColumnName(_) => {
            return Some("a value in it has the wrong type".to_string());
        }
        _ => None,
    };
    let said = said.unwrap_or_default();
    if let Some(table) = said.strip_prefix("no such table: ") {
        return Some(format!("its table `{table}` is missing; the file is damaged, or another program has made it"));
    }
    if let Some(column) = said.strip_prefix("no such column: ") {
        return Some(format!("its column `{column}` is missing; the file is damaged, or another program has made it"));
    }
    // The message of a failed insert is like "table generation has 23 columns but 24 values were supplied".
    if said.starts_with("table ") && said.contains(" columns but ") || said.contains(" has no column named ") {
        return Some(
            "a table in it has wrong columns; the file is damaged, or another program has made it".to_string(),
        );
    }
    if is_unsupported(error) {
        return Some(DAMAGED_DESCRIPTION.to_string());
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => Some(
            "it already has the row to be added; the file is damaged, or two programs have written it at the same time"
                .to_string(),
        ),
        Some(ErrorCode::TypeMismatch) => Some("a value in it has the wrong type".to_string()),
        Some(ErrorCode::SchemaChanged) => Some("another program has changed its tables".to_string()),
        _ => None,
    }
}

/// The message for a file with a format that SQLite does not know.
pub(crate) const DAMAGED_DESCRIPTION: &str = "its first bytes, which describe the file, are damaged";

/// Whether SQLite does not know the file's format.
pub(crate) fn is_unsupported(error: &Error) -> bool {
    matches!(error, Error::SqliteFailure(_, Some(said)) if said == "unsupported file format")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    #[test]
    fn errors_of_sqlite_become_sentences() {
        let database = Connection::open_in_memory().unwrap();
        database
            .execute_batch("create table game (a integer primary key, b text); insert into game values (1, x'ff');")
            .unwrap();
        let wrong = |sql: &str| {
            let error = database.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap_err();
            what_is_wrong(&error).unwrap_or_else(|| panic!("{sql}: {error:?}"))
        };
        for (sql, what) in [
            ("select * from games", "its table `games` is missing"),
            ("select c from game", "its column `c` is missing"),
            ("insert into game values (1, 2, 3)", "has wrong columns"),
            ("insert into game values (1, 2) returning b", "it already has the row to be added"),
            ("select a from game", "has the wrong type"),
            ("select cast(b as text) from game", "has the wrong type"),
        ] {
            assert!(wrong(sql).contains(what), "{sql}: {}", wrong(sql));
        }
        assert_eq!(what_is_wrong(&Error::QueryReturnedNoRows), None);
    }

    #[test]
    fn a_damaged_description_of_the_file_is_reported() {
        use std::os::unix::fs::FileExt;
        let folder = tempfile::tempdir().unwrap();
        let file = crate::testing::trained(folder.path(), "a", "nim-2x4-c1", &["stop.generations=2"]);
        // Byte 47 is the last of SQLite's schema format number.
        std::fs::OpenOptions::new().write(true).open(&file).unwrap().write_all_at(&[12], 47).unwrap();
        let said = crate::RunFile::open(&file).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("a.db is not a run: its first bytes"), "{said}");
    }

    /// Every function that opens or reads a run without one of its tables says which table is missing.
    #[test]
    fn a_run_that_lacks_a_table_is_damaged() {
        use crate::RunFile;
        let folder = tempfile::tempdir().unwrap();
        let file = crate::testing::trained(folder.path(), "a", "nim-2x4-c1", &["stop.generations=2"]);
        let database = Connection::open(&file).unwrap();
        let sql = "select type from sqlite_master where name = 'game'";
        let kind: String = database.query_row(sql, [], |row| row.get(0)).unwrap();
        database.execute_batch(&format!("drop {kind} game")).unwrap();
        let said = RunFile::open(&file).and_then(|run| run.games(None)).unwrap_err().to_string();
        assert!(said.contains("a.db: its table `game` is missing"), "{said}");
        let said = RunFile::open_to_write(&file).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("a.db: its table `game` is missing"), "{said}");
    }
}
