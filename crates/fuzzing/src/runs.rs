//! Checks run files: one value of a row is changed, and the row gets a correct checksum, as if it had been forged or
//! was wrong before it was written. Everything that reads runs must read or refuse it.

#![allow(clippy::disallowed_methods, reason = "the files here are never trained while they are opened")]

use lab::{Machine, TrainOptions, Unwatched};
use runs::RunFile;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// Undamaged runs: one of NEAT with all tables filled, one of ENN, and one of format 4, which has no checksums.
struct Bases {
    files: Vec<Vec<u8>>,
    folder: TempDir,
}

fn bases() -> &'static Bases {
    static BASES: OnceLock<Bases> = OnceLock::new();
    BASES.get_or_init(|| {
        // In memory if possible, because every input is written to a file.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("there is room");
        let train = |shipped: &str, more: &[&str]| {
            let mut experiment = runs::open_experiment(shipped).expect("it is shipped");
            let usual = ["stop.generations=3", "stop.solved=false", "record.past_games=2", "record.final_games=2"];
            experiment.set(&[&usual[..], more].concat()).expect("it has these parameters");
            let runs = folder.path().to_path_buf();
            let options = TrainOptions { runs, name: Some("base".to_string()), force: true, ..TrainOptions::default() };
            lab::train(experiment, &options, &mut Unwatched, &AtomicBool::new(false)).expect("a small run is trained");
            std::fs::read(folder.path().join("base.db")).expect("a run was trained")
        };
        let neat = ["strategy.neat.population=12", "schedule.circular.opponents=2", "record.genomes_every=1"];
        let enn = ["strategy.enn.population=12", "schedule.circular.opponents=2"];
        let old = std::fs::read(format_4()).expect("there is a run of format 4 among the tests");
        Bases { files: vec![train("nim-2x4-neat", &neat), train("nim-2x4", &enn), old], folder }
    })
}

/// The file of format 4 that some crate has for its tests.
fn format_4() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = std::fs::read_dir(crates).into_iter().flatten().flatten();
    let mut files = folders.map(|folder| folder.path().join("tests/data/format-4.db"));
    files.find(|file| file.exists()).unwrap_or_default()
}

/// Input: five bytes that choose the run, the table, the row, the column and the type of the new value; then the value.
pub fn row(bytes: &[u8]) {
    let &[base, table, row, column, kind, ref value @ ..] = bytes else { return };
    let Bases { files, folder } = bases();
    let file = folder.path().join("x.db");
    let base = usize::from(base) % files.len();
    std::fs::write(&file, &files[base]).expect("there is room for a file");
    let changed = change(&file, [table, row, column].map(usize::from), new_value(kind, value));
    let Some(table) = changed.expect("a run can be changed") else { return };
    // If sealing fails, the row keeps a wrong checksum, and the run is refused.
    if base < 2 {
        let _ = runs::seal_run(&file);
    }
    read_all(&file);
    // A salvaged run has no damage. Runs of format 4 cannot be salvaged.
    let saved = folder.path().join("saved.db");
    let _ = std::fs::remove_file(&saved);
    if runs::salvage_run(&file, &saved).is_ok() {
        let checked = runs::check_run(&saved).expect("what was salvaged can be read");
        assert!(checked.damaged_rows == 0 && checked.structure.is_none(), "{checked:?}");
    }
    // The run is resumed and stopped at once, or refused. Not if the parameters were changed: it could be a large
    // training.
    if table != "run" {
        let _ = lab::resume(folder.path(), "x", Some(5), &Machine::threads(1), &mut Unwatched, &AtomicBool::new(true));
    }
}

fn new_value(kind: u8, bytes: &[u8]) -> Value {
    let number = || {
        let mut eight = [0; 8];
        eight.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        i64::from_le_bytes(eight)
    };
    match kind % 5 {
        0 => Value::Null,
        1 => Value::Integer(number()),
        2 => Value::Real(f64::from_bits(number() as u64)),
        3 => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        _ => Value::Blob(bytes.to_vec()),
    }
}

/// Changes one value; returns the table's name, or `None` if the table does not accept the value.
fn change(file: &Path, [table, row, column]: [usize; 3], value: Value) -> rusqlite::Result<Option<String>> {
    let connection = Connection::open(file)?;
    connection.execute_batch("pragma ignore_check_constraints = on; pragma synchronous = off")?;
    let list = |sql: &str| -> rusqlite::Result<Vec<String>> {
        connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    };
    let tables =
        list("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")?;
    let table = &tables[table % tables.len()];
    let columns = list(&format!("select name from pragma_table_info('{table}') where name <> 'checksum'"))?;
    let mut keys = list(&format!("select name from pragma_table_info('{table}') where pk > 0 order by pk"))?;
    if keys.is_empty() {
        keys.push("rowid".to_string());
    }
    let rows =
        connection.query_row(&format!("select count(*) from \"{table}\""), [], |row| row.get::<_, i64>(0))? as usize;
    if rows == 0 {
        return Ok(None);
    }
    let (column, keys) = (&columns[column % columns.len()], keys.join(", "));
    let chosen = format!("({keys}) = (select {keys} from \"{table}\" limit 1 offset {})", row % rows);
    let done = connection.execute(&format!("update \"{table}\" set \"{column}\" = ? where {chosen}"), [value]);
    // The update fails for a key that exists already, or a type that the column does not accept.
    Ok(done.is_ok_and(|done| done == 1).then(|| table.clone()))
}

fn read_all(file: &Path) {
    let _ = runs::check_run(file);
    let Ok(run) = RunFile::open(file) else { return };
    let _ = (run.info().map(|info| (info.aim(), info.experiment_file(file).is_ok())), run.state());
    let _ = (run.reports(1), run.last_report(), run.report(2), run.last_exam(), run.first_solved());
    let _ = (run.champion(None), run.champion(Some(1)), run.games(None), run.games(Some(2)));
    let _ = (run.generations_with_games(2), run.species(2), run.each_species(drop), run.each_inheritance(drop));
    let _ = (run.ancestry(5), run.ancestry(u64::MAX), run.genomes(2), run.finals(), run.ratings());
    let _ = (run.curves(1, 3, 1), run.curves(1, u64::MAX, 1), run.small_curve(40), run.stream_of_species(200));
}
