//! Reads and upgrades files of format 4, which Gamete 0.1 wrote. They have no checksums, and one row for every birth.
//!
//! For reading, temporary views replace the tables. Before anything is written, the file is upgraded to format 5 in one
//! transaction.

use super::births::packed;
use super::check::can_be_read;
use super::rows::{BIRTHS, Cell, KEPT, KEPT_AFTER, RUN, TABLES, Table, whole};
use super::writing::create_tables;
use super::{FORMAT, RunFile};
use crate::Error;
use crate::database::{broken, cannot_write};
use rusqlite::types::Value;
use rusqlite::{Connection, ToSql, params};
use trainer::Birth;

/// The SQL that selects the columns of format 5 from a table of format 4. Columns that it lacks are null.
fn columns(table: Table) -> String {
    match table.name {
        "run" => "*, null as upgraded".to_string(),
        "generation" => KEPT.iter().fold("*".to_string(), |sql, column| sql + &format!(", null as {column}")),
        "population" => "one, generation, signature, bytes, met".to_string(),
        _ => "*".to_string(),
    }
}

/// The tables of format 4 whose rows are counted by generation, in the order of the columns in [`KEPT`].
const COUNTED: [&str; 5] = ["game", "birth", "species", "inheritance", "genome"];

impl RunFile {
    /// Makes a file of format 4 readable like one of format 5, without checksums. Nothing is written.
    pub(super) fn look_like_new(&mut self) -> Result<(), Error> {
        let mut sql = "pragma temp_store = memory;".to_string();
        for table in TABLES.iter().filter(|table| table.name != BIRTHS.name) {
            let Table { name, .. } = table;
            let columns = columns(*table);
            sql += &format!("create temp view {name} as select {columns}, null as checksum from main.{name};");
        }
        self.connection.execute_batch(&sql).map_err(|error| broken(&self.path, error))
    }

    /// Upgrades a file of format 4 to format 5 in one transaction.
    pub(super) fn upgrade(&mut self) -> Result<(), Error> {
        // A run that cannot be resumed stays as it is, so that Gamete 0.1 can still read it.
        let old = RunFile::open(&self.path)?;
        old.checkpoint()?;
        let mut unreadable = None;
        old.each_champion(|generation, bytes| {
            if unreadable.is_none() {
                unreadable = old.network(generation, bytes).err();
            }
        })?;
        if let Some(error) = unreadable {
            return Err(error);
        }
        drop(old);
        let played = |connection: &Connection| {
            connection.query_row("select coalesce(max(generation), 0) from generation", [], |row| row.get::<_, i64>(0))
        };
        let generations = played(&self.connection).map_err(|error| broken(&self.path, error))?;
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.connection.transaction()?;
            upgrade_tables(&transaction, generations)?;
            transaction.pragma_update(None, "user_version", FORMAT)?;
            transaction.commit()
        };
        write().map_err(|error| cannot_write(&self.path, error, generations as u64))?;
        self.format = FORMAT;
        Ok(())
    }
}

fn upgrade_tables(connection: &Connection, generations: i64) -> rusqlite::Result<()> {
    // 1. The old tables are renamed.
    let old = |name: &str| format!("old_{name}");
    for table in TABLES {
        let name = if table.name == BIRTHS.name { "birth" } else { table.name };
        connection.execute_batch(&format!("alter table {name} rename to {}", old(name)))?;
    }
    create_tables(connection)?;
    // 2. Their rows are copied with checksums. Births are counted for all generations at once, rows of other tables by
    //    index.
    connection.execute_batch(
        "create temp table birth_count as select generation, count(*) as count from old_birth group by generation;
         create unique index temp.birth_count_generation on birth_count (generation);",
    )?;
    let count = |table: &str| -> rusqlite::Result<i64> {
        connection.query_row(&format!("select count(*) from {}", old(table)), [], |row| row.get(0))
    };
    let [finals, ratings] = [count("final")?, count("rating")?];
    let counts: [Cell; 2] = [(KEPT_AFTER[0], &finals), (KEPT_AFTER[1], &ratings)];
    for table in TABLES.iter().filter(|table| table.name != BIRTHS.name) {
        let columns = match table.name {
            "run" => "*, ?1".to_string(),
            "generation" => COUNTED.iter().fold("*".to_string(), |sql, counted| match *counted {
                "birth" => sql + ", coalesce((select count from birth_count b where b.generation = t.generation), 0)",
                counted => sql + &format!(", (select count(*) from old_{counted} o where o.generation = t.generation)"),
            }),
            _ => columns(*table),
        };
        let sql = format!("select {columns} from {} t", old(table.name));
        let mut statement = connection.prepare(&sql)?;
        let mut rows =
            if table.name == RUN.name { statement.query(params![generations])? } else { statement.query([])? };
        while let Some(row) = rows.next()? {
            let values =
                (0..table.columns().len()).map(|place| row.get(place)).collect::<rusqlite::Result<Vec<Value>>>()?;
            let values: Vec<&dyn ToSql> = values.iter().map(|value| value as &dyn ToSql).collect();
            // A row that cannot be read gets a wrong checksum, so that it still counts as damaged.
            match can_be_read(*table, row) {
                true if table.name == RUN.name => table.insert_with_added(connection, &values, &counts)?,
                true => table.insert(connection, &values)?,
                false => table.insert_as_damaged(connection, &values)?,
            }
        }
    }
    // 3. Births are packed, generation by generation.
    let mut statement = connection.prepare("select * from old_birth order by genome")?;
    let mut rows = statement.query([])?;
    let mut some: Vec<Birth> = Vec::new();
    loop {
        let birth = match rows.next()? {
            Some(row) => Some(Birth {
                genome: whole(row, 0)?,
                generation: whole(row, 1)?,
                parents: [whole(row, 2)?, whole(row, 3)?],
                species: whole(row, 4)?,
            }),
            None => None,
        };
        let goes_on = birth.is_some_and(|birth| some.last().is_none_or(|last| last.generation == birth.generation));
        if !goes_on {
            packed(&some).iter().try_for_each(|block| block.write(connection))?;
            some.clear();
        }
        match birth {
            Some(birth) => some.push(birth),
            None => break,
        }
    }
    drop(rows);
    drop(statement);
    // 4. The old tables are removed.
    for table in TABLES {
        let name = if table.name == BIRTHS.name { "birth" } else { table.name };
        connection.execute_batch(&format!("drop table {}", old(name)))?;
    }
    connection.execute_batch("drop table birth_count")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_run;
    use crate::testing::resumed;
    use std::path::{Path, PathBuf};

    /// A run that Gamete 0.1 made by `gamete train nim-2x4-neat --generations 12 --seed 3 --set record.genomes_every=6
    /// --set record.final_games=4 --set strategy.neat.population=20 --set schedule.circular.opponents=4
    /// --set stop.solved=false`, and measured by `gamete growth`.
    fn old_run(folder: &Path) -> PathBuf {
        let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format-4.db");
        let file = folder.join("four.db");
        std::fs::copy(kept, &file).unwrap();
        file
    }

    /// Everything that can be read from a run, as text.
    fn content(file: &Path) -> String {
        let run = RunFile::open(file).unwrap();
        let info = run.info().unwrap();
        let ancestry = run.ancestry(run.last_report().unwrap().unwrap().champion_genome.unwrap()).unwrap();
        assert!(ancestry.len() > 3);
        let champions: Vec<String> = (1..=12).map(|number| run.champion(Some(number)).unwrap().1.to_string()).collect();
        let games: Vec<_> = (1..=12).map(|number| run.games(Some(number)).unwrap()).collect();
        assert_eq!(games.iter().map(Vec::len).sum::<usize>(), 22);
        let mut species = Vec::new();
        run.each_species(|found| species.push(found)).unwrap();
        assert_eq!(species.len(), 25);
        format!(
            "{} {} {} {:?} {:?} {champions:?} {games:?} {:?} {:?} {:?} {:?} {ancestry:?} {:?} {:?} {:?}",
            info.experiment,
            info.parameters,
            info.created,
            info.stopped,
            run.reports(1).unwrap(),
            species,
            run.stream_of_species(12).unwrap(),
            run.genomes(6).unwrap(),
            run.finals().unwrap(),
            run.ratings().unwrap(),
            run.curves(1, 12, 2).unwrap(),
            run.stream_of_species(5).unwrap(),
        )
    }

    #[test]
    fn a_run_of_version_0_1_is_read_upgraded_and_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let file = old_run(folder.path());
        let before = std::fs::read(&file).unwrap();
        let old = content(&file);
        let found = check_run(&file).unwrap();
        assert!(found.is_intact() && !found.checksums && found.format == 4 && found.generations == 12);
        assert!(std::fs::read(&file).unwrap() == before, "to look at it changes nothing");
        let births = |file: &Path| {
            let connection = Connection::open(file).unwrap();
            let mut statement = connection.prepare("select * from birth order by genome").unwrap();
            let row = |row: &rusqlite::Row| (0..5).map(|place| row.get(place)).collect::<Result<Vec<i64>, _>>();
            statement.query_map([], row).unwrap().collect::<Result<Vec<_>, _>>().unwrap()
        };
        let old_births = births(&file);
        drop(RunFile::open_to_write(&file).unwrap());
        assert_eq!(content(&file), old);
        assert_eq!(births(&file), old_births);
        let found = check_run(&file).unwrap();
        assert!(found.is_intact() && found.checksums && found.resumable, "{found:?}");
        assert_eq!((found.format, found.upgraded), (5, Some(12)));
        assert_eq!(resumed(&file, 20).unwrap(), "5494eca8f332e559708d46fe54a56076", "as version 0.1 goes on");
        assert!(check_run(&file).unwrap().is_intact());
    }

    /// A damaged file stays as it is, without checksums.
    #[test]
    fn a_damaged_population_is_not_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let file = old_run(folder.path());
        let connection = Connection::open(&file).unwrap();
        connection.execute("update population set bytes = zeroblob(length(bytes))", []).unwrap();
        drop(connection);
        let error = RunFile::open_to_write(&file).err().unwrap().to_string();
        assert!(error.contains("the population is damaged"), "{error}");
        let found = check_run(&file).unwrap();
        assert!(found.format == 4 && !found.is_intact() && !found.resumable, "{found:?}");
    }

    /// A run that cannot be resumed is not upgraded, and rows that cannot be read still count as damaged after an
    /// upgrade.
    #[test]
    fn damage_is_still_found_after_an_upgrade() {
        let folder = tempfile::tempdir().unwrap();
        for (sql, what, goes_on) in [
            ("update champion set network = x'00' where generation = 5", "the champion of generation 5 cannot", false),
            ("delete from champion where generation = 5", "the champion of generation 5 is lost", false),
            ("delete from generation where generation = 12", "the report of generation 12 is lost", false),
            ("update generation set exam = 'xx' where generation = 12", "generation 12 is damaged", false),
            ("update generation set exam = 'xx' where generation = 5", "generation 5 is damaged", true),
            ("update final set contest = '{' where number = 1", "final match 1 is damaged", true),
        ] {
            let file = old_run(folder.path());
            Connection::open(&file).unwrap().execute(sql, []).unwrap();
            let before = std::fs::read(&file).unwrap();
            let found = check_run(&file).unwrap();
            assert!(!found.is_intact(), "{sql}: {found:?}");
            assert_eq!(found.resumable, goes_on, "{sql}: {found:?}");
            match RunFile::open_to_write(&file) {
                Err(error) => {
                    assert!(!goes_on && error.to_string().contains(what), "{sql}: {error}");
                    assert!(std::fs::read(&file).unwrap() == before, "{sql}: it was written to");
                }
                Ok(run) => {
                    assert!(goes_on, "{sql}");
                    let error = run.reports(1).err().or(run.finals().err()).unwrap().to_string();
                    assert!(error.contains(what), "{sql}: {error}");
                    drop(run);
                    let after = check_run(&file).unwrap();
                    assert_eq!((after.format, after.damaged_rows, after.damaged), (5, 1, found.damaged), "{sql}");
                }
            }
        }
    }
}
