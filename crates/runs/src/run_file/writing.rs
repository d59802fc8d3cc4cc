//! Writes a run file. Each generation is one transaction.

use super::births::{last_genome, packed};
use super::rows::{
    CHAMPION, Cell, FINAL, GAME, GENERATION, GENOME, INHERITANCE, KEPT, KEPT_AFTER, POPULATION, RUN, SPECIES, TABLES,
};
use super::{APPLICATION, FORMAT, RunFile, RunInfo, SCHEMA, Times, write_info};
use crate::database::{cannot_write, disappeared};
use crate::{Error, Stopped};
use arena::RememberedGames;
use rusqlite::Connection;
use rusqlite::types::Value;
use trainer::{Birth, Generation, GenomeRecord, InheritanceReport, MEASURES, Measure, Report, SpeciesReport, Unit};

impl RunFile {
    /// Writes the description and the first population of a run to an empty file.
    pub(super) fn write_first(&mut self, info: &RunInfo, population: &[u8], signature: u128) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        create_tables(&transaction)?;
        write_info(&transaction, info, &KEPT_AFTER.map(|column| (column, 0)))?;
        write_population(&transaction, 0, &format!("{signature:032x}"), population, &RememberedGames::default())?;
        transaction.commit()
    }

    /// Adds a generation in one transaction. `times` is the total training time so far.
    pub fn append(&mut self, generation: &Generation, times: Times) -> Result<(), Error> {
        let number = generation.report.generation;
        let has_finals = self.kept_after(0)?.is_some_and(|count| count > 0);
        let with_finals = if has_finals { Some(self.info()?) } else { None };
        let written = self.write_generation(generation, times, with_finals.as_ref());
        written.map_err(|error| cannot_write(&self.path, error, number - 1))
    }

    /// Writes a generation and removes the final matches. If the run had some, `with_finals` is its description, in
    /// which their number is then set to 0.
    fn write_generation(
        &mut self,
        generation: &Generation,
        times: Times,
        with_finals: Option<&RunInfo>,
    ) -> rusqlite::Result<()> {
        let Generation { report, champion, games, population, met, births, species, genomes, inheritance } = generation;
        let transaction = self.connection.transaction()?;
        let number = report.generation as i64;
        let new = new_births(&transaction, births)?;
        let kept = [games.len(), new.len(), species.len(), inheritance.len(), genomes.len()];
        write_report(&transaction, report, times, kept.map(|count| count as i64))?;
        let network = postcard::to_allocvec(&**champion).expect("networks can always be written");
        CHAMPION.insert(&transaction, &[&number, &network])?;
        for game in games {
            let [game_number, first, second] = [game.number, game.first, game.second].map(|number| number as i64);
            let moves = game.moves.join(" ");
            GAME.insert(
                &transaction,
                &[&number, &game_number, &first, &second, &game.start, &moves, &game.illegal, &game.outcome],
            )?;
        }
        packed(&new).iter().try_for_each(|block| block.write(&transaction))?;
        for species in species {
            let SpeciesReport { species, born, size, best_score, representative, .. } = *species;
            let [species, born, size, representative] = [species, born, size, representative].map(|n| n as i64);
            SPECIES.insert(&transaction, &[&number, &species, &born, &size, &best_score, &representative])?;
        }
        for found in inheritance {
            let InheritanceReport { way, count, improved, stayed, change, .. } = found;
            let [count, improved, stayed] = [*count, *improved, *stayed].map(|n| n as i64);
            INHERITANCE.insert(&transaction, &[&number, way, &count, &improved, &stayed, change])?;
        }
        for genome in genomes {
            let GenomeRecord { place, genome, species, score, text } = genome;
            let [place, genome, species] = [*place, *genome, *species].map(|n| n as i64);
            GENOME.insert(&transaction, &[&number, &place, &genome, &species, score, text])?;
        }
        // Final matches belong to the last champion, which has changed.
        FINAL.clear(&transaction)?;
        if let Some(info) = with_finals {
            write_info(&transaction, info, &[(KEPT_AFTER[0], 0)])?;
        }
        write_population(&transaction, number, &report.signature, population, met)?;
        transaction.commit()
    }

    /// Notes that training continues with these parameters; `generation` is the number of generations played. Adds
    /// columns for measures that are newer than the file.
    pub fn set_training(&mut self, parameters: &str, generation: u64) -> Result<(), Error> {
        let info = self.info()?;
        let training = RunInfo { parameters: parameters.to_string(), stopped: None, ..info.clone() };
        let mut write = || {
            // With a write-ahead log other processes can read the run while it is trained.
            self.connection.pragma_update(None, "journal_mode", "wal")?;
            // If the process is killed, nothing is lost. A power cut may lose the last generations, but never a part of
            // one.
            self.connection.pragma_update(None, "synchronous", "normal")?;
            let transaction = self.connection.transaction()?;
            add_columns(&transaction)?;
            // The description of a new run is already correct.
            if training != info {
                write_info(&transaction, &training, &[])?;
            }
            transaction.commit()
        };
        write().map_err(|error| cannot_write(&self.path, error, generation))
    }

    /// Begins a write-ahead log without writing to it, like the first moment of a training.
    #[cfg(test)]
    pub(crate) fn begin_log_for_test(&self) {
        self.connection.pragma_update(None, "journal_mode", "wal").unwrap();
        self.info().unwrap();
    }

    /// Notes why training stopped, and removes the write-ahead log. `generation` is the number of generations played.
    pub fn set_stopped(&mut self, why: Stopped, generation: u64) -> Result<(), Error> {
        let info = RunInfo { stopped: Some(why), ..self.info()? };
        let mut write = || {
            let transaction = self.connection.transaction()?;
            write_info(&transaction, &info, &[])?;
            transaction.commit()
        };
        write().map_err(|error| cannot_write(&self.path, error, generation))?;
        // Without a log the run is one file, which can be read anywhere, also on read-only disks. If another process
        // reads the run at this moment, the log stays until the next stop.
        let _ = self.connection.pragma_update(None, "journal_mode", "delete");
        // SQLite also writes to a file that another program has removed.
        if !self.path.exists() {
            return Err(disappeared(&self.path));
        }
        Ok(())
    }
}

/// The births of the genomes that play for the first time, ordered by number. New genomes have higher numbers than all
/// earlier ones.
fn new_births(connection: &Connection, births: &[Birth]) -> rusqlite::Result<Vec<Birth>> {
    if births.is_empty() {
        return Ok(Vec::new());
    }
    let last = last_genome(connection)?;
    let mut new: Vec<Birth> = births.iter().filter(|birth| birth.genome > last).copied().collect();
    new.sort_by_key(|birth| birth.genome);
    Ok(new)
}

/// Creates all tables in an empty file.
pub(super) fn create_tables(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(SCHEMA)?;
    add_columns(connection)
}

/// Adds the columns after the checksums that a file lacks: those of newer measures, and numbers of rows.
pub(super) fn add_columns(connection: &Connection) -> rusqlite::Result<()> {
    TABLES.iter().try_for_each(|table| table.add_columns(connection, &added_columns(table.name)))
}

/// The names and types of the columns that this program writes after the checksum of a table.
pub(super) fn added_columns(table: &str) -> Vec<(&'static str, &'static str)> {
    let kind = |unit: Unit| if unit == Unit::Count { "integer" } else { "real" };
    let of_measure = |measure: &'static Measure| Some((measure.column()?, kind(measure.unit)));
    match table {
        _ if table == RUN.name => KEPT_AFTER.map(|column| (column, "integer")).to_vec(),
        _ if table == GENERATION.name => MEASURES.iter().filter_map(of_measure).collect(),
        _ => Vec::new(),
    }
}

/// A measure's column and the value to be stored in it; `None` if the measure has no column.
fn measured(measure: &Measure, report: &Report) -> Option<(&'static str, Value)> {
    let value = match (measure.value(report), measure.unit) {
        (Some(count), Unit::Count) => Value::Integer(count as i64),
        (Some(number), _) => Value::Real(number),
        (None, _) => Value::Null,
    };
    Some((measure.column()?, value))
}

fn write_report(connection: &Connection, report: &Report, times: Times, kept: [i64; 5]) -> rusqlite::Result<()> {
    let layers: Vec<String> = report.champion_layers.iter().map(|size| size.to_string()).collect();
    let layers = layers.join(",");
    let exam = report.exam.as_ref().map(|exam| serde_json::to_string(exam).expect("an exam can be written"));
    let solved = report.exam.as_ref().map(|exam| exam.solved());
    let [generation, place, games, reused, evaluations] =
        [report.generation, report.champion_place, report.games, report.reused, report.evaluations].map(|n| n as i64);
    let genome = report.champion_genome.map(|number| number as i64);
    let measures: Vec<(&str, Value)> = MEASURES.iter().filter_map(|measure| measured(measure, report)).collect();
    let mut cells: Vec<Cell> = vec![
        ("generation", &generation),
        ("exam", &exam),
        ("solved", &solved),
        ("mean_layers", &report.mean_layers),
        ("mean_nodes", &report.mean_nodes),
        ("champion_place", &place),
        ("champion_layers", &layers),
        ("champion_genome", &genome),
        ("games", &games),
        ("reused", &reused),
        ("evaluations", &evaluations),
        ("seconds", &times.seconds),
        ("cpu_seconds", &times.cpu_seconds),
        ("signature", &report.signature),
    ];
    cells.extend(measures.iter().map(|(column, value)| -> Cell { (*column, value) }));
    cells.extend(KEPT.iter().zip(&kept).map(|(column, count)| -> Cell { (*column, count) }));
    GENERATION.insert_cells(connection, &cells)
}

pub(super) fn write_population(
    connection: &Connection,
    generation: i64,
    signature: &str,
    population: &[u8],
    met: &RememberedGames,
) -> rusqlite::Result<()> {
    let met = postcard::to_allocvec(met).expect("records can always be written");
    POPULATION.replace_all(connection, &[&1, &generation, &signature, &population, &met], &[])
}

#[cfg(test)]
mod tests {
    use super::super::rows::seal_run;
    use super::*;
    use crate::testing::resumed;
    use crate::{check_run, salvage_run};
    use std::path::{Path, PathBuf};
    use trainer::{Source, Unit};

    /// A run of format 5 from before any measure was added. It has the parameters of `format-4.db`, and after the next
    /// eight generations the same signature.
    fn old_run(folder: &Path) -> PathBuf {
        let file = folder.join("five.db");
        std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format-5.db"), &file).unwrap();
        file
    }

    #[track_caller]
    fn check_intact(file: &Path, generations: usize) -> Vec<Report> {
        let found = check_run(file).unwrap();
        assert!(found.is_intact() && found.resumable && found.format == 5, "{found:?}");
        let run = RunFile::open(file).unwrap();
        let reports = run.reports(1).unwrap();
        assert_eq!(reports.len(), generations);
        assert_eq!(run.curves(1, u64::MAX, 1).unwrap().series.len(), Measure::plotted().count());
        assert_eq!(run.generation_values().unwrap().len(), RunFile::generation_columns().len());
        reports
    }

    #[test]
    fn a_file_gets_the_columns_of_newer_measures_when_it_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let file = old_run(folder.path());
        check_intact(&file, 12);
        assert_eq!(resumed(&file, 20).unwrap(), "5494eca8f332e559708d46fe54a56076");
        let reports = check_intact(&file, 20);
        // Strength is not measured in Nim, which has no ladder.
        let added = |measure: &&Measure| matches!(measure.source, Source::Added) && measure.unit != Unit::Elo;
        for measure in MEASURES.iter().filter(added) {
            let (before, after) = reports.split_at(12);
            assert!(before.iter().all(|report| measure.value(report).is_none()), "{}", measure.key);
            assert!(after.iter().any(|report| measure.value(report).is_some()), "{}", measure.key);
        }
    }

    /// Columns that a newer program has added are ignored by readers, included in checksums, kept and copied.
    #[test]
    fn a_file_may_have_unknown_columns() {
        let folder = tempfile::tempdir().unwrap();
        let file = old_run(folder.path());
        let connection = Connection::open(&file).unwrap();
        let newer = "alter table generation add column \"from later\" real;
                     update generation set \"from later\" = 0.5 where generation > 6";
        connection.execute_batch(newer).unwrap();
        drop(connection);
        assert_eq!(check_run(&file).unwrap().damaged_rows, 6);
        seal_run(&file).unwrap();
        check_intact(&file, 12);
        let copy = folder.path().join("copy.db");
        salvage_run(&file, &copy).unwrap();
        for file in [&file, &copy] {
            assert_eq!(resumed(file, 20).unwrap(), "5494eca8f332e559708d46fe54a56076");
            check_intact(file, 20);
            let sql = "select count(*) from generation where \"from later\" = 0.5";
            let kept: i64 = Connection::open(file).unwrap().query_row(sql, [], |row| row.get(0)).unwrap();
            assert_eq!(kept, 6);
        }
    }

    /// The growth of a file: 100 000 generations of `minichess`, each with 100 births, may take at most 200 MB, which
    /// is 2000 bytes for each generation.
    #[test]
    fn a_generation_takes_few_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let long = |generations: u64| {
            let changes = [
                &format!("stop.generations={generations}")[..],
                "stop.solved=false",
                "strategy.neat.population=100",
                "schedule.circular.opponents=2",
            ];
            crate::testing::trained(folder.path(), &format!("for-{generations}"), "nim-2x4-neat", &changes)
        };
        let (short, long) = (long(50), long(250));
        let size = |file: &Path| std::fs::metadata(file).unwrap().len();
        let each = (size(&long) - size(&short)) / 200;
        let sql = "select sum(count), sum(length(cast(parent_one || parent_two || species as blob))) from births";
        let read = |row: &rusqlite::Row| Ok((row.get::<_, f64>(0)?, row.get::<_, f64>(1)?));
        let (births, bytes) = Connection::open(&long).unwrap().query_row(sql, [], read).unwrap();
        assert!(births > 10_000.0, "{births}");
        assert!(bytes / births < 6.0, "{} bytes for each birth", bytes / births);
        assert!(each < 2000, "{each} bytes for each generation");
    }

    /// The series that are read from a file equal the measures of its reports.
    #[test]
    fn series_equal_the_reports() {
        let folder = tempfile::tempdir().unwrap();
        let file =
            crate::testing::trained(folder.path(), "one", "nim-2x4", &["stop.generations=3", "stop.solved=false"]);
        let run = RunFile::open(&file).unwrap();
        let keys: Vec<&str> = MEASURES.iter().map(|measure| measure.key).collect();
        let series = run.series(&keys).unwrap();
        for (place, report) in run.reports(1).unwrap().iter().enumerate() {
            for (measure, values) in MEASURES.iter().zip(&series.measures) {
                assert_eq!(values[place], measure.value(report), "{} in {place}", measure.key);
            }
        }
    }
}
