//! A run as one SQLite file: the experiment, a row for every generation, champions, games, and the population.
//!
//! Each generation is one transaction, so that after a kill at any moment the file holds a whole generation. The
//! journal is a write-ahead log, which other processes can read beside; it is not safe on network file systems.

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
use crate::folder::why_unreachable;
use crate::lock::{names_of, run_name};
use crate::open_files::{Database, description_of, open_name};
use crate::{Error, Stopped};
use rows::{Cell, RUN};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trainer::ExperimentFile;

/// Marks our files among all SQLite files: "Gamt".
const APPLICATION: i64 = 0x4761_6d74;
/// Goes up when an older program could not read the file.
const FORMAT: i64 = 5;
/// The oldest that can be read. Its rows have no checksums; before it is written to, it becomes the newest.
const OLDEST_FORMAT: i64 = 4;

/// How long to wait for another program that holds the file, and how long where nobody can wait.
const PATIENCE: Duration = Duration::from_secs(10);
const GLANCE: Duration = Duration::from_millis(100);

/// The tables that every file has. Measures that came later add columns: see [`rows`].
const SCHEMA: &str = include_str!("run_schema.sql");

/// What a run is.
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
    /// The seed of all chance.
    pub seed: u64,
    /// The version of Gamete that began it.
    pub program: String,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// Why training stopped last, if it did by itself.
    pub stopped: Option<Stopped>,
    /// How many generations it had when checksums were added to its file, which had been written by Gamete 0.1.
    pub upgraded: Option<u64>,
}

impl RunInfo {
    /// The experiment, with all parameters as they were.
    pub fn experiment_file(&self, file: &Path) -> Result<ExperimentFile, Error> {
        Ok(ExperimentFile::parse(&self.experiment, &file.display().to_string(), &self.parameters)?)
    }

    /// How many generations it is to have; nothing where its parameters do not say.
    pub fn aim(&self) -> Option<u64> {
        let table: toml::Table = self.parameters.parse().ok()?;
        table.get("stop")?.get("generations")?.as_integer().and_then(|number| number.try_into().ok())
    }
}

/// How long a run has been trained, from its beginning on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Seconds of training.
    pub seconds: f64,
    /// Seconds of processor time.
    pub cpu_seconds: f64,
}

/// An open run.
pub struct RunFile {
    path: PathBuf,
    connection: Database,
    format: i64,
}

impl RunFile {
    /// Begins a run in a new file, with its first generation not yet played.
    pub fn create(path: &Path, info: &RunInfo, population: &[u8], signature: u128) -> Result<RunFile, Error> {
        // Until the new run has its name, an old one of that name is whole.
        fold_log(path, PATIENCE)?;
        // Made under another name, so that a file with a run's name always is one.
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
        // A log or journal left behind by a killed run of this name would be taken for this one's.
        remove_logs(path)?;
        std::fs::rename(&draft, path).map_err(|source| Error::file("cannot write", path, source))?;
        RunFile::open_to_write(path)
    }

    /// Opens a run to look at, also while it is being trained.
    pub fn open(path: &Path) -> Result<RunFile, Error> {
        RunFile::open_checked(path, false)
    }

    /// Opens a run to look at where nobody can wait: one that another program holds is told at once.
    pub fn glance(path: &Path) -> Result<RunFile, Error> {
        RunFile::open_within(path, false, GLANCE)
    }

    /// Opens a run to go on with. The caller holds its lock.
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
        // Before anything is added, everything must be sound.
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

    /// Whether its rows have checksums.
    fn has_checksums(&self) -> bool {
        self.format > OLDEST_FORMAT
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run's name: its file's, without ending.
    pub fn name(&self) -> String {
        run_name(&self.path)
    }

    /// How the run stands.
    pub fn state(&self) -> RunState {
        match self.info() {
            Ok(info) => state(&self.path, &info),
            Err(_) => RunState::Killed,
        }
    }

    /// What the run is.
    pub fn info(&self) -> Result<RunInfo, Error> {
        let found = self.rows(RUN, "limit 1", [], read_info)?.into_iter().next();
        found.ok_or_else(|| broken(&self.path, rusqlite::Error::QueryReturnedNoRows))
    }
}

/// Opens a file that says it is a run, prepared in some way before anything is read; with its format.
fn open_any(
    path: &Path,
    write: bool,
    patience: Duration,
    prepare: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(Database, i64), Error> {
    let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
    let unreachable = |source| why_unreachable(path).unwrap_or_else(|| Error::file("cannot read", path, source));
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
        return Err(not_a_run("it is a database of something else"));
    }
    let format = number("user_version")?;
    if format > FORMAT {
        return Err(Error::NewerRun { file: path.to_path_buf(), found: format, known: FORMAT });
    }
    if format < OLDEST_FORMAT {
        return Err(Error::OlderRun { file: path.to_path_buf(), found: format, oldest: OLDEST_FORMAT, known: FORMAT });
    }
    Ok((connection, format))
}

/// Whether a file says that it is a run's.
pub(crate) fn is_run(path: &Path) -> bool {
    let says_so = |bytes: [u8; 100]| bytes[68..72] == (APPLICATION as u32).to_be_bytes();
    open_name(path).is_some() || description_of(path).is_some_and(says_so)
}

/// Refuses a file with several names (hard links) of which a part may be in a log: SQLite keeps the log beside the name by
/// which it opened the file, and does not find it by another name.
fn check_names(path: &Path) -> Result<(), Error> {
    let names = names_of(path);
    if names < 2 {
        return Ok(());
    }
    let is_other = |name: PathBuf| std::fs::canonicalize(path).is_ok_and(|path| path != name);
    // The byte at 18 is 2 from the first moment of a training until it stops.
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

/// Makes this what the run is. What stands behind the checksum stays, but for these counts.
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

/// A column that holds JSON, and does not.
fn unreadable(column: usize, error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}
