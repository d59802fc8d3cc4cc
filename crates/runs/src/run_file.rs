//! A run as one SQLite file: the experiment, a row for every generation, champions, games, and the population.
//!
//! Each generation is written in one transaction. If the process is killed at any moment, the file contains complete
//! generations only. During training the journal is a write-ahead log, so other processes can read the run at the same
//! time. A write-ahead log is not safe on network file systems.

mod births;
mod check;
mod checkpoint;
mod copy;
mod curves;
mod definitions;
mod generations;
mod history;
mod rows;
mod salvage;
mod series;
mod state;
mod strength;
mod upgrade;
mod writing;

pub use check::{CheckedTable, FileCheck, check_run};
pub use curves::{Curve, Curves, SpeciesSizes, StreamOfSpecies};
pub use rows::seal_run;
pub use salvage::{DamagedRun, Salvaged, salvage_run};
pub use series::{Cost, Series};
pub use state::RunState;
pub(crate) use state::state;

use crate::database::{broken, cannot_make, fold_log, is_cut_short, open, remove, remove_logs};
use crate::lock::{names_of, run_name};
use crate::open_files::{Database, description_of, open_name};
use crate::{Error, Stopped};
use definitions::definition_that_is_not_text;
use rows::{Cell, RUN};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trainer::ExperimentFile;

/// SQLite's `application_id` of run files: "Gamt".
const APPLICATION: i64 = 0x4761_6d74;
/// The newest format. The number goes up when older programs cannot read new files any more.
const FORMAT: i64 = 5;
/// The oldest format that can be read. Its rows have no checksums. Such a file is upgraded to [`FORMAT`] before
/// anything is written to it.
const OLDEST_FORMAT: i64 = 4;

/// How long to wait for another program that has locked the file.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long [`RunFile::glance`] waits for another program that has locked the file.
const GLANCE: Duration = Duration::from_millis(100);

/// The tables that every file has. Measures that were added to the program later have additional columns: see [`rows`].
const SCHEMA: &str = include_str!("run_schema.sql");

/// The description of a run: its experiment, seed and origin.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// The experiment's name.
    pub experiment: String,
    /// All parameters, as TOML.
    pub parameters: String,
    /// The game's name.
    pub game: String,
    /// The strategy's name.
    pub strategy: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The version of Gamete that began the run.
    pub program: String,
    /// When the run began, in seconds since 1970.
    pub created: i64,
    /// Why training stopped last; `None` while it goes on or if the process was killed.
    pub stopped: Option<Stopped>,
    /// The number of generations when checksums were added to the file; `None` if the file always had checksums. Only
    /// files written by Gamete 0.1 had none.
    pub upgraded: Option<u64>,
}

impl RunInfo {
    /// Parses the run's experiment from its stored parameters.
    pub fn experiment_file(&self, file: &Path) -> Result<ExperimentFile, Error> {
        Ok(ExperimentFile::parse(&self.experiment, &file.display().to_string(), &self.parameters)?)
    }

    /// The number of generations after which the run ends; `None` if its parameters do not limit it.
    pub fn aim(&self) -> Option<u64> {
        let table: toml::Table = self.parameters.parse().ok()?;
        table.get("stop")?.get("generations")?.as_integer().and_then(|number| number.try_into().ok())
    }
}

/// How long a run has been trained in total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Seconds of training.
    pub seconds: f64,
    /// Seconds of processor time.
    pub cpu_seconds: f64,
}

/// An open run file.
pub struct RunFile {
    path: PathBuf,
    connection: Database,
    format: i64,
}

impl RunFile {
    /// Begins a run in a new file. Its first generation is not yet played.
    pub fn create(path: &Path, info: &RunInfo, population: &[u8], signature: u128) -> Result<RunFile, Error> {
        // An old run of the same name stays complete until the new file replaces it.
        fold_log(path, PATIENCE)?;
        // The file is written under another name first, so that a file with a run's name is always a complete run.
        let draft = path.with_extension("db-draft");
        remove(&draft)?;
        {
            let mut run =
                RunFile { path: path.to_path_buf(), connection: open(&draft, true, PATIENCE)?, format: FORMAT };
            let written = run.write_first(info, population, signature);
            written.map_err(|error| cannot_make(&run.path, error)).inspect_err(|_| {
                let _ = std::fs::remove_file(&draft);
            })?;
        }
        // SQLite would use a log or journal that a killed run of this name left behind.
        remove_logs(path)?;
        std::fs::rename(&draft, path).map_err(|source| Error::file("cannot write", path, source))?;
        RunFile::open_to_write(path)
    }

    /// Opens a run for reading, also while it is being trained.
    pub fn open(path: &Path) -> Result<RunFile, Error> {
        RunFile::open_checked(path, false)
    }

    /// Opens a run for reading, and fails after a tenth of a second if another program has locked the file.
    pub fn glance(path: &Path) -> Result<RunFile, Error> {
        RunFile::open_within(path, false, GLANCE)
    }

    /// Opens a run for writing, to continue its training. The caller must hold its [`crate::RunLock`].
    pub fn open_to_write(path: &Path) -> Result<RunFile, Error> {
        RunFile::open_checked(path, true)
    }

    fn open_checked(path: &Path, write: bool) -> Result<RunFile, Error> {
        RunFile::open_within(path, write, PATIENCE)
    }

    fn open_within(path: &Path, write: bool, patience: Duration) -> Result<RunFile, Error> {
        let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
        let (connection, format) = open_any(path, write, patience, |_| Ok(()))?;
        if is_cut_short(path, &connection).map_err(|error| broken(path, error))? {
            return Err(not_a_run("it is damaged or cut short"));
        }
        let mut run = RunFile { path: path.to_path_buf(), connection, format };
        // Nothing is added to a damaged file.
        if write && let Some(complaint) = run.complaint().map_err(|error| broken(path, error))? {
            return Err(not_a_run(&format!("it is damaged or cut short ({complaint})")));
        }
        if write && let Some(what) = run.wrong_definition().map_err(|error| broken(path, error))? {
            return Err(Error::Damaged { file: path.to_path_buf(), what });
        }
        if format < FORMAT {
            match write {
                true => run.upgrade()?,
                false => run.look_like_new()?,
            }
        }
        run.info()?;
        Ok(run)
    }

    /// Whether the rows of the file have checksums.
    fn has_checksums(&self) -> bool {
        self.format > OLDEST_FORMAT
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run's name: the name of its file without the ending.
    pub fn name(&self) -> String {
        run_name(&self.path)
    }

    /// Whether the run is being trained, and why it stopped if it is not.
    pub fn state(&self) -> RunState {
        match self.info() {
            Ok(info) => state(&self.path, &info),
            Err(_) => RunState::Killed,
        }
    }

    /// Reads the description of the run.
    pub fn info(&self) -> Result<RunInfo, Error> {
        let found = self.rows(RUN, "limit 1", [], read_info)?.into_iter().next();
        found.ok_or_else(|| broken(&self.path, rusqlite::Error::QueryReturnedNoRows))
    }
}

/// Opens a file that is marked as a run, and returns its format. `prepare` is called before anything is read.
fn open_any(
    path: &Path,
    write: bool,
    patience: Duration,
    prepare: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(Database, i64), Error> {
    let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
    let unreachable = |source| Error::why_unreachable(path).unwrap_or_else(|| Error::file("cannot read", path, source));
    let metadata = std::fs::metadata(path).map_err(unreachable)?;
    if metadata.is_dir() {
        return Err(not_a_run("it is a folder"));
    }
    if metadata.len() == 0 {
        return Err(not_a_run("it is empty"));
    }
    check_names(path)?;
    let connection = open(path, write, patience)?;
    prepare(&connection).map_err(|error| broken(path, error))?;
    let number = |name: &str| {
        connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(|error| broken(path, error))
    };
    if number("application_id")? != APPLICATION {
        return Err(not_a_run("it is a database of another program"));
    }
    let format = number("user_version")?;
    if format > FORMAT {
        return Err(Error::NewerRun { file: path.to_path_buf(), found: format, known: FORMAT });
    }
    if format < OLDEST_FORMAT {
        return Err(Error::OlderRun { file: path.to_path_buf(), found: format, oldest: OLDEST_FORMAT, known: FORMAT });
    }
    if let Some(what) = definition_that_is_not_text(&connection).map_err(|error| broken(path, error))? {
        return Err(Error::Damaged { file: path.to_path_buf(), what });
    }
    Ok((connection, format))
}

/// Whether a file is marked as a run, by the application number in its first bytes.
pub(crate) fn is_run(path: &Path) -> bool {
    let is_marked = |bytes: [u8; 100]| bytes[68..72] == (APPLICATION as u32).to_be_bytes();
    open_name(path).is_some() || description_of(path).is_some_and(is_marked)
}

/// Refuses a file with several names (hard links) if a part of the run may be in a log. SQLite keeps the log beside the
/// name under which it opened the file, and does not find it under another name.
fn check_names(path: &Path) -> Result<(), Error> {
    let names = names_of(path);
    if names < 2 {
        return Ok(());
    }
    let is_other = |name: PathBuf| std::fs::canonicalize(path).is_ok_and(|path| path != name);
    // Byte 18 is 2 while the file has a write-ahead log: from the beginning of a training until it stops.
    let has_log = || description_of(path).is_some_and(|bytes| bytes[18] == 2);
    if open_name(path).is_some_and(is_other) || has_log() {
        return Err(Error::refused(format!(
            "{} has {names} names (hard links), and its last generations may be in a log that belongs to another of them; remove all names but the one under which it was trained",
            path.display()
        )));
    }
    Ok(())
}

fn read_info(row: &Row) -> rusqlite::Result<RunInfo> {
    Ok(RunInfo {
        experiment: RUN.value(row, "experiment")?,
        parameters: RUN.value(row, "parameters")?,
        game: RUN.value(row, "game")?,
        strategy: RUN.value(row, "strategy")?,
        seed: RUN.number(row, "seed")?,
        program: RUN.value(row, "program")?,
        created: RUN.value(row, "created")?,
        stopped: RUN.value::<Option<String>>(row, "stopped")?.and_then(|why| Stopped::named(&why)),
        upgraded: RUN.value::<Option<i64>>(row, "upgraded")?.map(|generation| generation as u64),
    })
}

/// Replaces the description of the run. Of the columns after the checksum only the given counts change.
fn write_info(connection: &Connection, info: &RunInfo, counts: &[(&str, u64)]) -> rusqlite::Result<()> {
    let RunInfo { experiment, parameters, game, strategy, seed, program, created, stopped, upgraded } = info;
    let (seed, stopped) = (*seed as i64, stopped.map(Stopped::name));
    let upgraded = upgraded.map(|generation| generation as i64);
    let mut statement = connection.prepare("select * from run limit 1")?;
    let mut added: Vec<(String, Value)> = Vec::new();
    if let Some(row) = statement.query([])?.next()? {
        for (place, name) in RUN.added(row) {
            added.push((name.to_string(), row.get(place)?));
        }
    }
    for (name, count) in counts {
        added.retain(|(other, _)| other != name);
        added.push((name.to_string(), Value::Integer(*count as i64)));
    }
    let added: Vec<Cell> = added.iter().map(|(name, value)| -> Cell { (name, value) }).collect();
    let values: [&dyn ToSql; 9] =
        [experiment, parameters, game, strategy, &seed, program, created, &stopped, &upgraded];
    RUN.replace_all(connection, &values, &added)
}

/// The error for a column that should contain JSON but does not.
fn unreadable(column: usize, error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}
