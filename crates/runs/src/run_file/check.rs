//! Checks a run file: whether rows are damaged or lost.

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

/// The most damaged rows and the most lost things that are named. The others are only counted.
const MOST_NAMED: usize = 20;

/// The result of a check of a run file.
#[derive(Clone, Debug, Serialize)]
pub struct FileCheck {
    /// The run's name.
    pub run: String,
    /// The run's file.
    pub file: PathBuf,
    /// The file's format.
    pub format: i64,
    /// Whether its rows have checksums; those of format 4 have none.
    pub checksums: bool,
    /// The number of generations when checksums were added; `None` if the file always had checksums.
    pub upgraded: Option<u64>,
    /// The last generation that is intact.
    pub generations: u64,
    /// The numbers of intact and damaged rows in each table.
    pub tables: Vec<CheckedTable>,
    /// The names of the first damaged rows.
    pub damaged: Vec<String>,
    /// The number of damaged rows.
    pub damaged_rows: u64,
    /// The names of the first things that are lost: rows that were written and are missing now.
    pub lost: Vec<String>,
    /// The number of things that are lost.
    pub lost_things: u64,
    /// What is wrong with the database itself: its pages, the definitions of its tables, or the bytes that describe the
    /// file.
    pub structure: Option<String>,
    /// Whether training can continue: the population, all champions, the last report and the last births are intact.
    pub resumable: bool,
}

/// The numbers of intact and damaged rows in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedTable {
    /// The table's name.
    pub table: String,
    /// The number of intact rows. Without checksums, these are all rows that can be read.
    pub intact: u64,
    /// The number of damaged rows.
    pub damaged: u64,
}

impl FileCheck {
    /// Whether nothing is damaged or lost.
    pub fn is_intact(&self) -> bool {
        self.damaged_rows == 0 && self.lost_things == 0 && self.structure.is_none()
    }
}

/// Checks every row of a run file.
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
    // This check can read files that other commands cannot, because it ignores many errors. So the run is also opened.
    if check.is_intact() {
        check.structure = match RunFile::open(path) {
            Err(Error::Held { .. } | Error::File { .. }) | Ok(_) => None,
            Err(error) => Some(format!("it cannot be opened: {error}")),
        };
    }
    check.resumable = found.is_resumable(champions) && check.structure.is_none();
    Ok(check)
}

/// An error of SQLite in words.
fn in_words(error: &rusqlite::Error) -> String {
    what_is_wrong(error).unwrap_or_else(|| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => "a part of it cannot be read".to_string(),
        _ => error.to_string(),
    })
}

/// What the intact rows contain.
#[derive(Default)]
struct Found {
    run: bool,
    upgraded: Option<u64>,
    /// The number of generations played when the population was saved.
    population: Option<u64>,
    generations: BTreeMap<u64, Rows>,
    /// The last generation with births; 0 if births are not recorded.
    last_births: u64,
    /// The numbers of rows of `final` and `rating` that are missing; `None` if they are not known.
    missing_after: [Option<i64>; 2],
    damaged: DamagedRows,
}

/// The damaged rows, which are not counted as lost. Their keys may be damaged, too.
#[derive(Default)]
struct DamagedRows {
    run: bool,
    population: bool,
    /// The numbers of damaged rows of `final` and `rating`.
    after: [i64; 2],
    generations: BTreeMap<u64, Rows>,
}

/// The rows of one generation: whether its report and its champion were found, and the number of missing rows of each
/// counted table. A run may have a million generations. Among damaged rows it means whether the report and the champion
/// are damaged, and the number of damaged rows of each counted table as a negative number.
#[derive(Clone, Copy, Default)]
struct Rows {
    report: bool,
    champion: bool,
    missing: [i32; 5],
}

/// The tables whose rows are counted by generation, in the order of `KEPT`, with the words for one row and for several.
const COUNTED: [(Table, [&str; 2]); 5] = [
    (GAME, ["game", "games"]),
    (BIRTHS, ["birth", "births"]),
    (SPECIES, ["species", "species"]),
    (INHERITANCE, ["way of inheritance", "ways of inheritance"]),
    (GENOME, ["genome", "genomes"]),
];

/// The tables whose rows are counted in `run`, in the order of `KEPT_AFTER`, with the words for one row and for
/// several.
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

    /// Adds a damaged row.
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

    /// Whether training can continue; `champions` is the number of intact champions.
    fn is_resumable(&self, champions: u64) -> bool {
        let has_report = |generation| self.generations.get(&generation).is_some_and(|rows| rows.report);
        let has_births = |generation| self.generations.get(&generation).is_none_or(|rows| rows.missing[1] == 0);
        self.run
            && self.population == Some(champions)
            && (champions == 0 || has_report(champions))
            && (self.last_births == 0 || has_births(self.last_births))
    }

    /// The names of all things that are lost. Damaged rows are not lost. `counted` says whether the file stores numbers
    /// of rows.
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
    /// Opens a run file that may be damaged anywhere.
    pub(super) fn open_damaged(path: &Path) -> Result<RunFile, Error> {
        // With this setting SQLite also reads the rest of a file that was cut short. Nothing is written.
        let (connection, format) =
            open_any(path, false, PATIENCE, |connection| connection.pragma_update(None, "writable_schema", "on"))?;
        let mut run = RunFile { path: path.to_path_buf(), connection, format };
        if !run.has_checksums() {
            run.look_like_new()?;
        }
        // All tables are read as they are now, also while another process trains the run.
        run.connection.execute_batch("begin").map_err(|error| broken(path, error))?;
        Ok(run)
    }

    /// What SQLite's own check finds wrong, if anything. It also compares indexes with their tables.
    pub(super) fn complaint(&self) -> rusqlite::Result<Option<String>> {
        let found = self.connection.pragma_query_value(None, "integrity_check", |row| row.get::<_, String>(0))?;
        Ok((found != "ok").then(|| found.replace('\n', " ")))
    }

    /// What is wrong with the first bytes, which describe the file; `None` if nothing is. SQLite does not write to a
    /// file whose first bytes say that it has a newer version, and it notices that at the first reading.
    fn wrong_description(&self) -> Option<String> {
        let connection = open(&self.path, false, PATIENCE).ok()?;
        let is_readonly = || connection.is_readonly("main").unwrap_or(false);
        let may_write = !is_readonly();
        connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).ok()?;
        let is_refused = may_write && is_readonly();
        is_refused.then(|| "its first bytes, which describe the file, do not let SQLite write to it".to_string())
    }

    /// Calls `hear` with all rows of a table that can be read, and with whether each is intact. If some pages cannot be
    /// read, the rows after them are read nevertheless, and the error of SQLite is returned at the end.
    pub(super) fn scan(
        &self,
        table: Table,
        mut hear: impl FnMut(&Row, bool) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        if table.name == BIRTHS.name && !self.has_checksums() {
            return Ok(());
        }
        let first_key = |row: &Row| row.get::<_, i64>(0).unwrap_or(i64::MIN);
        // 1. From the beginning up to the first error.
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
        // 2. From the end backwards, to find the keys of rows after the error.
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
        // 3. The rows with these keys one at a time, and all rows between that can be found by their key.
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

    /// Whether a row can be parsed. That is checked in addition to the checksum: rows of format 4 have none, and a row
    /// may have been damaged before the file was upgraded.
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

/// Whether a row of format 5 can be parsed. The checksum is not checked.
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
