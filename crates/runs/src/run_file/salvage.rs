//! Copies everything that is intact in a damaged run file to a new file.

use super::rows::{BIRTHS, Cell, POPULATION, RUN, TABLES};
use super::writing::create_tables;
use super::{APPLICATION, FORMAT, PATIENCE, RunFile, read_info};
use crate::Error;
use crate::database::{cannot_write, open, remove};
use rusqlite::types::Value;
use rusqlite::{Row, ToSql};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What was saved of a damaged run.
#[derive(Clone, Debug, Serialize)]
pub struct Salvaged {
    /// The new file.
    pub file: PathBuf,
    /// The number of rows that were copied.
    pub rows: u64,
    /// The number of damaged rows, which were left out.
    pub left_out: u64,
    /// What became of the description of the run (the row of the table `run`); `None` if it was intact.
    pub run: Option<DamagedRun>,
}

/// What became of a damaged description of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DamagedRun {
    /// One bit had been flipped. It was found and corrected.
    Repaired,
    /// It can be read, but the wrong part of it is not known. The population is left out, so that training cannot go on
    /// with wrong parameters.
    Doubtful,
}

/// Writes all intact rows of a run file to a new file.
pub fn salvage_run(path: &Path, to: &Path) -> Result<Salvaged, Error> {
    if to.exists() {
        return Err(Error::parameter("salvage", format!("{} exists already; choose another file", to.display())));
    }
    let damaged = RunFile::open_damaged(path)?;
    if !damaged.has_checksums() {
        return Err(Error::refused(format!(
            "{} has format 4, which has no checksums, so its intact parts cannot be found",
            path.display()
        )));
    }
    let mut draft = to.to_path_buf().into_os_string();
    draft.push("-draft");
    let draft = PathBuf::from(draft);
    remove(&draft)?;
    let written = write(&damaged, &draft, to).and_then(|salvaged| {
        let moved = std::fs::rename(&draft, to);
        moved.map(|()| salvaged).map_err(|source| Error::file("cannot write", to, source))
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}

fn write(damaged: &RunFile, draft: &Path, to: &Path) -> Result<Salvaged, Error> {
    let failed = |error| cannot_write(to, error, 0);
    let mut new = open(draft, true, PATIENCE)?;
    let transaction = new.transaction().map_err(failed)?;
    let begin = || {
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        create_tables(&transaction)
    };
    begin().map_err(failed)?;
    let mut salvaged = Salvaged { file: to.to_path_buf(), rows: 0, left_out: 0, run: None };
    for table in TABLES {
        let before = salvaged.rows;
        let is_run = table.name == RUN.name;
        if table.name == POPULATION.name && salvaged.run == Some(DamagedRun::Doubtful) {
            continue;
        }
        // Columns of measures of a newer program are copied, too.
        let added = table.added_in(&damaged.connection).unwrap_or_default();
        let columns: Vec<(&str, &str)> = added.iter().map(|name| (name.as_str(), "any")).collect();
        table.add_columns(&transaction, &columns).map_err(failed)?;
        let mut failure = None;
        // Errors of SQLite are ignored here, because `check_run` reports them; all rows that can be read are copied.
        let _ = damaged.scan(table, |row, is_intact| {
            let mut repaired = None;
            if is_run && !is_intact {
                // Parameters that are not TOML were never written by a training, even if the checksum is correct.
                repaired = RUN.repaired(row)?.filter(|values| match &values[1] {
                    Value::Text(parameters) => parameters.parse::<toml::Table>().is_ok(),
                    _ => false,
                });
                salvaged.run = match (&repaired, is_run_like(row, damaged.path())) {
                    (Some(_), _) => Some(DamagedRun::Repaired),
                    (None, true) => Some(DamagedRun::Doubtful),
                    (None, false) => None,
                };
            }
            let is_kept = is_intact || is_run && salvaged.run.is_some();
            if !is_kept {
                salvaged.left_out += 1;
                return Ok(());
            }
            let (behind, names): (Vec<usize>, Vec<&str>) = table.added(row).unzip();
            let count = table.columns().len();
            let values: Vec<Value> = match repaired {
                Some(values) => values,
                None => (0..count).chain(behind).map(|place| row.get(place)).collect::<rusqlite::Result<_>>()?,
            };
            let cells = names.iter().zip(&values[count..]).map(|(name, value)| -> Cell { (name, value) });
            let cells: Vec<Cell> = cells.collect();
            let values: Vec<&dyn ToSql> = values[..count].iter().map(|value| value as &dyn ToSql).collect();
            match table.insert_with_added(&transaction, &values, &cells) {
                Ok(()) => salvaged.rows += 1,
                // The row was copied already: damaged pages may lead to the same row twice.
                Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {}
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
            Ok(())
        });
        if let Some(error) = failure {
            return Err(failed(error));
        }
        if is_run && salvaged.rows == before {
            return Err(Error::Damaged {
                file: damaged.path().to_path_buf(),
                what: "the description of the run is damaged, so nothing can be salvaged".to_string(),
            });
        }
        debug_assert!(table.name != BIRTHS.name || damaged.has_checksums());
    }
    transaction.commit().map_err(failed)?;
    Ok(salvaged)
}

/// Whether a row of the table `run` contains a valid experiment of its game.
fn is_run_like(row: &Row, file: &Path) -> bool {
    read_info(row).is_ok_and(|info| info.experiment_file(file).is_ok_and(|experiment| experiment.game() == info.game))
}
