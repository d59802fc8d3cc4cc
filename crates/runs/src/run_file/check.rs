//! Whether every row of a run's file is what was written, and whether any is lost.

use super::births::{Block, MOST};
use super::history::{game, genome, inheritance, report, species};
use super::rows::{
    BIRTHS, CHAMPION, FINAL, GAME, GENERATION, GENOME, INHERITANCE, KEPT, POPULATION, RATING, RUN, SPECIES, TABLES,
    Table,
};
use super::strength::{kept_after, last_match, rating};
use super::{PATIENCE, RunFile, open_any, read_info};
use crate::Error;
use crate::database::{broken, open};
use crate::lock::run_name;
use crate::sqlite_words::what_is_wrong;
use evolution::Network;
use rusqlite::{ErrorCode, Params, Row};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many damaged or lost things are named; of others their number is told.
const MOST_NAMED: usize = 20;

/// What a check of a run's file found.
#[derive(Clone, Debug, Serialize)]
pub struct FileCheck {
    /// The run's name.
    pub run: String,
    /// Its file.
    pub file: PathBuf,
    /// The file's format.
    pub format: i64,
    /// Whether its rows have checksums; those of format 4 have none.
    pub checksums: bool,
    /// How many generations it had when checksums were added, where it was begun in format 4.
    pub upgraded: Option<u64>,
    /// The last generation that is intact.
    pub generations: u64,
    /// What was found in each table.
    pub tables: Vec<CheckedTable>,
    /// Rows that are not what was written, the first of them by name.
    pub damaged: Vec<String>,
    /// How many there are.
    pub damaged_rows: u64,
    /// What should be there and is not, the first of it by name.
    pub lost: Vec<String>,
    /// How much of that there is.
    pub lost_things: u64,
    /// What is wrong with the database itself: its pages, the definitions of its tables, or the bytes that describe the file.
    pub structure: Option<String>,
    /// Whether training can go on: the population, all champions, the last report and the last births are intact.
    pub resumable: bool,
}

/// What was found in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedTable {
    /// Its name.
    pub table: String,
    /// Rows that are what was written, or, where there are no checksums, that can be read.
    pub intact: u64,
    /// Rows that are not.
    pub damaged: u64,
}

impl FileCheck {
    /// Whether everything is there, and what was written.
    pub fn is_intact(&self) -> bool {
        self.damaged_rows == 0 && self.lost_things == 0 && self.structure.is_none()
    }
}

/// Looks at every row of a run's file.
pub fn check_run(path: &Path) -> Result<FileCheck, Error> {
    let file = RunFile::open_damaged(path)?;
    let mut check = FileCheck {
        run: run_name(path),
        file: path.to_path_buf(),
        format: file.format,
        checksums: file.has_checksums(),
        upgraded: None,
        generations: 0,
        tables: Vec::new(),
        damaged: Vec::new(),
        damaged_rows: 0,
        lost: Vec::new(),
        lost_things: 0,
        structure: file.complaint().unwrap_or_else(|error| Some(in_words(&error))),
        resumable: true,
    };
    let mut found = Found::default();
    for table in TABLES {
        let mut counted = CheckedTable { table: table.name.to_string(), intact: 0, damaged: 0 };
        let complaint = file.scan(table, |row, is_intact| {
            match is_intact {
                true => {
                    counted.intact += 1;
                    found.add(table, row)?;
                }
                false => {
                    counted.damaged += 1;
                    found.add_damaged(table, row);
                    if check.damaged.len() < MOST_NAMED {
                        check.damaged.push(table.name_of(row));
                    }
                }
            }
            Ok(())
        });
        if let Err(error) = complaint {
            check.structure.get_or_insert_with(|| format!("table {}: {}", table.name, in_words(&error)));
        }
        check.damaged_rows += counted.damaged;
        check.tables.push(counted);
    }
    check.upgraded = found.upgraded;
    check.generations = found.generations.last_key_value().map_or(0, |(generation, _)| *generation);
    let champions = check.tables.iter().find(|table| table.table == CHAMPION.name).map_or(0, |table| table.intact);
    for what in found.lost(check.checksums) {
        if check.lost.len() < MOST_NAMED {
            check.lost.push(what);
        }
        check.lost_things += 1;
    }
    let definition = file.wrong_definition().unwrap_or_else(|error| Some(in_words(&error)));
    check.structure = check.structure.or(definition).or_else(|| file.wrong_description());
    drop(file);
    // What this check can read, because it passes over much, the other commands must be able to open.
    if check.is_intact() {
        check.structure = match RunFile::open(path) {
            Err(Error::Held { .. } | Error::File { .. }) | Ok(_) => None,
            Err(error) => Some(format!("it cannot be opened: {error}")),
        };
    }
    check.resumable = found.is_resumable(champions) && check.structure.is_none();
    Ok(check)
}

/// What SQLite complains about.
fn in_words(error: &rusqlite::Error) -> String {
    what_is_wrong(error).unwrap_or_else(|| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => "a part of it cannot be read".to_string(),
        _ => error.to_string(),
    })
}

/// What is there, as far as intact rows tell.
#[derive(Default)]
struct Found {
    run: bool,
    upgraded: Option<u64>,
    /// How many generations had been played when the population was saved.
    population: Option<u64>,
    generations: BTreeMap<u64, Rows>,
    /// The last generation in which anybody was born; 0 where births are not kept.
    last_births: u64,
    /// How many more rows of `final` and `rating` were kept than are found; nothing where nobody knows.
    missing_after: [Option<i64>; 2],
    damaged: DamagedRows,
}

/// What is damaged, which is not lost as well. Keys of damaged rows may be damaged, too.
#[derive(Default)]
struct DamagedRows {
    run: bool,
    population: bool,
    /// Rows of `final` and `rating`.
    after: [i64; 2],
    generations: BTreeMap<u64, Rows>,
}

/// Rows of one generation: whether its report and its champion are there, and of each counted table how many more were
/// kept than are found. A run may have a million of them. Among damaged rows: whether the report and the champion are
/// damaged, and how many rows of each counted table are, as a negative number.
#[derive(Clone, Copy, Default)]
struct Rows {
    report: bool,
    champion: bool,
    missing: [i32; 5],
}

/// Tables whose rows a generation counts, in the order of `KEPT`, and what one row of them and several are called.
const COUNTED: [(Table, [&str; 2]); 5] = [
    (GAME, ["game", "games"]),
    (BIRTHS, ["birth", "births"]),
    (SPECIES, ["species", "species"]),
    (INHERITANCE, ["way of inheritance", "ways of inheritance"]),
    (GENOME, ["genome", "genomes"]),
];

/// Tables whose rows the run counts, in the order of `KEPT_AFTER`, and what one row of them and several are called.
const AFTER: [(Table, [&str; 2]); 2] = [(FINAL, ["final match", "final matches"]), (RATING, ["rating", "ratings"])];

impl Found {
    fn add(&mut self, table: Table, row: &Row) -> rusqlite::Result<()> {
        let number = |column: usize| row.get::<_, Option<i64>>(column).map(|found| found.unwrap_or(0) as u64);
        if table.name == RUN.name {
            self.run = true;
            self.upgraded = row.get::<_, Option<i64>>(8)?.map(|generation| generation as u64);
            for (place, missing) in self.missing_after.iter_mut().enumerate() {
                *missing = kept_after(row, place)?.map(|count| count as i64);
            }
        } else if table.name == POPULATION.name {
            self.population = Some(number(1)?);
        } else if table.name == GENERATION.name {
            let mut kept = [0; 5];
            for (count, column) in kept.iter_mut().zip(KEPT) {
                *count = number(GENERATION.place(column))?;
            }
            if kept[1] > 0 {
                self.last_births = self.last_births.max(number(0)?);
            }
            let rows = self.rows(number(0)?);
            rows.report = true;
            rows.missing.iter_mut().zip(kept).for_each(|(missing, kept)| *missing += kept as i32);
        } else if table.name == CHAMPION.name {
            self.rows(number(0)?).champion = true;
        } else if table.name == BIRTHS.name {
            let block = Block::read(row)?;
            self.rows(block.generation()).missing[1] -= block.count() as i32;
        } else if let Some(place) = AFTER.iter().position(|(after, _)| after.name == table.name) {
            self.missing_after[place] = self.missing_after[place].map(|missing| missing - 1);
        } else if let Some(place) = COUNTED.iter().position(|(counted, _)| counted.name == table.name) {
            self.rows(number(0)?).missing[place] -= 1;
        }
        Ok(())
    }

    /// Notes that a row is damaged.
    fn add_damaged(&mut self, table: Table, row: &Row) {
        let number = |column: usize| row.get::<_, i64>(column).ok().and_then(|number| u64::try_from(number).ok());
        let damaged = &mut self.damaged;
        if let Some(place) = AFTER.iter().position(|(after, _)| after.name == table.name) {
            damaged.after[place] += 1;
        }
        damaged.run |= table.name == RUN.name;
        damaged.population |= table.name == POPULATION.name;
        let is_births = table.name == BIRTHS.name;
        let Some(generation) = number(usize::from(is_births)) else { return };
        let rows = damaged.generations.entry(generation).or_default();
        rows.report |= table.name == GENERATION.name;
        rows.champion |= table.name == CHAMPION.name;
        if let Some(place) = COUNTED.iter().position(|(counted, _)| counted.name == table.name) {
            let count = if is_births { number(2).unwrap_or(0).min(MOST as u64) } else { 1 };
            rows.missing[place] = rows.missing[place].saturating_sub(count as i32);
        }
    }

    fn rows(&mut self, generation: u64) -> &mut Rows {
        self.generations.entry(generation).or_default()
    }

    /// Whether training can go on with so many champions that are intact.
    fn is_resumable(&self, champions: u64) -> bool {
        let has_report = |generation| self.generations.get(&generation).is_some_and(|rows| rows.report);
        let has_births = |generation| self.generations.get(&generation).is_none_or(|rows| rows.missing[1] == 0);
        self.run
            && self.population == Some(champions)
            && (champions == 0 || has_report(champions))
            && (self.last_births == 0 || has_births(self.last_births))
    }

    /// What should be there and is not. What is there but damaged is not lost.
    fn lost(&self, counted: bool) -> Vec<String> {
        let mut lost = Vec::new();
        if !self.run && !self.damaged.run {
            lost.push(RUN.called.to_string());
        }
        if self.population.is_none() && !self.damaged.population {
            lost.push("the population".to_string());
        }
        for ((missing, damaged), (_, [one, several])) in self.missing_after.iter().zip(self.damaged.after).zip(AFTER) {
            match missing.map(|missing| missing - damaged) {
                Some(1) => lost.push(format!("1 {one}")),
                Some(missing @ 2..) => lost.push(format!("{missing} {several}")),
                _ => {}
            }
        }
        let mut next = 1;
        let last = self.generations.last_key_value().map_or(0, |(generation, _)| *generation);
        let played = self.population.unwrap_or(0).max(last);
        let mut numbers: Vec<u64> = self.damaged.generations.range(1..=played).map(|(number, _)| *number).collect();
        numbers.retain(|number| !self.generations.contains_key(number));
        numbers.extend(self.generations.keys());
        numbers.sort_unstable();
        for generation in numbers {
            let rows = self.generations.get(&generation).copied().unwrap_or_default();
            let damaged = self.damaged.generations.get(&generation).copied().unwrap_or_default();
            if generation > next {
                lost.push(everything_of(next, generation - 1));
            }
            next = generation + 1;
            if !rows.champion && !damaged.champion {
                lost.push(format!("the champion of generation {generation}"));
            }
            if !rows.report {
                if !damaged.report {
                    lost.push(format!("the report of generation {generation}"));
                }
                continue;
            }
            let missing = rows.missing.into_iter().zip(damaged.missing).map(|(missing, damaged)| missing + damaged);
            for (missing, (_, [one, several])) in missing.zip(COUNTED).filter(|_| counted) {
                if missing > 0 {
                    let what = if missing == 1 { one } else { several };
                    lost.push(format!("{missing} {what} of generation {generation}"));
                }
            }
        }
        if played >= next {
            lost.push(everything_of(next, played));
        }
        lost
    }
}

fn everything_of(first: u64, last: u64) -> String {
    match first == last {
        true => format!("everything of generation {first}"),
        false => format!("everything of generations {first} to {last}"),
    }
}

impl RunFile {
    /// Opens a run of which anything may be damaged.
    pub(super) fn open_damaged(path: &Path) -> Result<RunFile, Error> {
        // So SQLite also reads what is left of a file that was cut short. Nothing is written.
        let (connection, format) =
            open_any(path, false, PATIENCE, |connection| connection.pragma_update(None, "writable_schema", "on"))?;
        let mut run = RunFile { path: path.to_path_buf(), connection, format };
        if !run.has_checksums() {
            run.look_like_new()?;
        }
        // All tables as they are at one moment, also while the run is trained.
        run.connection.execute_batch("begin").map_err(|error| broken(path, error))?;
        Ok(run)
    }

    /// What SQLite complains about, if it does; indexes are compared with their tables.
    pub(super) fn complaint(&self) -> rusqlite::Result<Option<String>> {
        let found = self.connection.pragma_query_value(None, "integrity_check", |row| row.get::<_, String>(0))?;
        Ok((found != "ok").then(|| found.replace('\n', " ")))
    }

    /// What is wrong with the bytes that describe the file; `None` if nothing is. SQLite writes nothing to a file whose bytes say
    /// that it is of a newer kind, and notices that when it first reads from it.
    fn wrong_description(&self) -> Option<String> {
        let connection = open(&self.path, false, PATIENCE).ok()?;
        let is_readonly = || connection.is_readonly("main").unwrap_or(false);
        let may_write = !is_readonly();
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).ok()?;
        let is_refused = may_write && is_readonly();
        is_refused.then(|| "its first bytes, which describe the file, do not let SQLite write to it".to_string())
    }

    /// Goes through all rows of a table that can be reached, and says of each whether it is what was written. Where pages
    /// between them cannot be read it goes on behind them, and gives what SQLite said.
    pub(super) fn scan(
        &self,
        table: Table,
        mut hear: impl FnMut(&Row, bool) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        if table.name == BIRTHS.name && !self.has_checksums() {
            return Ok(());
        }
        let first_key = |row: &Row| row.get::<_, i64>(0).unwrap_or(i64::MIN);
        // 1. From the beginning as far as it goes.
        let order = match table.key {
            0 => "",
            _ => "order by 1",
        };
        let mut last = i64::MIN;
        let forward = self.scan_part(table, order, [], |row, is_intact| {
            last = first_key(row);
            hear(row, is_intact)
        });
        let Err(complaint) = forward else { return Ok(()) };
        if table.key == 0 {
            return Err(complaint);
        }
        // 2. From the end.
        let mut after = Vec::new();
        let _ = self.scan_part(table, "where 1 > 0 order by 1 desc", [], |row, _| {
            after.push(first_key(row));
            match after.last() {
                Some(&key) if key <= last => Err(rusqlite::Error::QueryReturnedNoRows),
                _ => Ok(()),
            }
        });
        after.retain(|key| *key > last);
        after.dedup();
        // 3. Those, one key at a time, and all between that can be found by their key.
        let column =
            self.connection.prepare(&format!("select * from {} limit 0", table.name))?.column_name(0)?.to_string();
        let by_key = format!("where {column} = ?");
        let nearest = after.last().copied().unwrap_or(last);
        let between = last.saturating_add(1)..nearest.min(last.saturating_add(1_000_000));
        for key in between.chain(after.iter().rev().copied()) {
            let _ = self.scan_part(table, &by_key, [key], &mut hear);
        }
        Err(complaint)
    }

    fn scan_part(
        &self,
        table: Table,
        query_end: &str,
        values: impl Params,
        mut hear: impl FnMut(&Row, bool) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare(&format!("select * from {} {query_end}", table.name))?;
        let mut rows = statement.query(values)?;
        while let Some(row) = rows.next()? {
            hear(row, (!self.has_checksums() || table.is_intact(row)?) && self.can_be_read(table, row))?;
        }
        Ok(())
    }

    /// Whether a row tells what its table should. A row of format 4 may be damaged, and one that was upgraded may have been.
    fn can_be_read(&self, table: Table, row: &Row) -> bool {
        if table.name == POPULATION.name && !self.has_checksums() {
            let bytes = |column: usize| row.get_ref(column).ok()?.as_blob().ok();
            return bytes(3)
                .zip(bytes(4))
                .is_some_and(|(bytes, met)| self.fits_old_checksum(bytes, met).unwrap_or(false));
        }
        can_be_read(table, row)
    }
}

/// Whether a row of format 5 tells what its table should; checksums are not looked at.
pub(super) fn can_be_read(table: Table, row: &Row) -> bool {
    match table.name {
        "run" => read_info(row).is_ok_and(|info| info.parameters.parse::<toml::Table>().is_ok()),
        "generation" => report(row).is_ok(),
        "champion" => {
            let bytes = row.get_ref(1).ok().and_then(|value| value.as_blob().ok());
            bytes.is_some_and(|bytes| postcard::from_bytes::<Network>(bytes).is_ok())
        }
        "births" => Block::read(row).is_ok(),
        "species" => species(row).is_ok(),
        "inheritance" => inheritance(row).is_ok(),
        "final" => last_match(row).is_ok(),
        "rating" => rating(row).is_ok(),
        "genome" => genome(row).is_ok(),
        "game" => game(row).is_ok(),
        _ => true,
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
