//! Tests of the check of run files: flipped bits, lost rows and files that were cut short.

use super::*;
use crate::testing::resumed;
use crate::{DamagedRun, Final, MatchResult, RatedChampion, Ratings, salvage_run, seal_run};
use arena::{MatchScore, Rating};
use chance::{Rng, rng_for};
use rusqlite::Connection;

/// A small run with something in every table.
fn trained(folder: &Path) -> PathBuf {
    let file = crate::testing::trained(
        folder,
        "one",
        "nim-2x4-neat",
        &[
            "stop.generations=8",
            "stop.solved=false",
            "strategy.neat.population=10",
            "schedule.circular.opponents=4",
            "record.genomes_every=4",
            "record.games_every=1",
        ],
    );
    let result = MatchResult::new(&MatchScore::default(), false);
    let finals = ["random", "mcts:500"].map(|opponent| Final { opponent: opponent.to_string(), result });
    let mut run = RunFile::open_to_write(&file).unwrap();
    run.set_finals(&finals).unwrap();
    let rating = Rating { elo: Some(7.0), low: None, high: Some(9.5) };
    let champions = vec![RatedChampion { generation: 8, rating }];
    run.set_ratings(&Ratings { champions, yardsticks: Vec::new(), depth: None, games_each: 2 }).unwrap();
    // NEAT writes no records of inheritance, so one is added here.
    INHERITANCE.insert(&run.connection, &[&8, &"elites", &2, &1, &1, &0.5]).unwrap();
    run.connection.execute("update generation set kept_ways = 1 where generation = 8", []).unwrap();
    drop(run);
    seal_run(&file).unwrap();
    file
}

/// Changes a file by SQL.
fn change(file: &Path, sql: &str) {
    Connection::open(file).unwrap().execute_batch(sql).unwrap();
}

/// Flips one bit of a value in a random row.
fn flip(file: &Path, table: &str, column: &str, rng: &mut Rng) -> i64 {
    let connection = Connection::open(file).unwrap();
    let count: i64 = connection.query_row(&format!("select count(*) from {table}"), [], |row| row.get(0)).unwrap();
    let place = rng.below(count as usize) as i64;
    let sql = format!("select generation, cast({column} as blob), typeof({column}) from {table} limit 1 offset ?");
    let (generation, mut bytes, kind): (i64, Vec<u8>, String) =
        connection.query_row(&sql, [place], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let bit = rng.below(bytes.len() * 8);
    bytes[bit / 8] ^= 1 << (bit % 8);
    let value = if kind == "text" { "cast(?1 as text)" } else { "?1" };
    // The row is found by its old value, because a generation may have several rows.
    let mut old = bytes.clone();
    old[bit / 8] ^= 1 << (bit % 8);
    let sql = format!("update {table} set {column} = {value} where generation = ?2 and cast({column} as blob) = ?3");
    assert!(connection.execute(&sql, rusqlite::params![bytes, generation, old]).unwrap() > 0);
    generation
}

#[test]
fn no_flipped_bit_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    assert!(check_run(&file).unwrap().is_intact(), "{:?}", check_run(&file));
    let whole = std::fs::read(&file).unwrap();
    let rng = &mut rng_for(1, &[]);
    let copy = folder.path().join("copy.db");
    for number in 0..240 {
        std::fs::write(&copy, &whole).unwrap();
        let (table, column) =
            [("champion", "network"), ("population", "bytes"), ("game", "moves"), ("game", "start")][number % 4];
        let generation = flip(&copy, table, column, rng);
        let found = check_run(&copy).unwrap();
        assert!(!found.is_intact() && found.damaged_rows > 0, "{table} {generation}");
        let run = RunFile::open(&copy).unwrap();
        match table {
            "champion" => {
                let error = run.champion(Some(generation as u64)).err().unwrap().to_string();
                assert!(error.contains(&format!("the champion of generation {generation} is damaged")), "{error}");
                let other = 1 + generation as u64 % 8;
                assert_eq!(run.champion(Some(other)).unwrap().0, other, "others stay usable");
            }
            "game" => assert!(run.games(Some(generation as u64)).is_err()),
            _ => {}
        }
        drop(run);
        if table != "game" {
            let error = resumed(&copy, 9).unwrap_err();
            assert!(matches!(error, Error::Damaged { .. }), "{error}");
        }
    }
}

#[test]
fn every_row_of_every_table_is_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    let copy = folder.path().join("copy.db");
    for table in TABLES {
        std::fs::write(&copy, &whole).unwrap();
        let connection = Connection::open(&copy).unwrap();
        let names: Vec<String> = connection
            .prepare(&format!("select * from {} limit 0", table.name))
            .unwrap()
            .column_names()
            .map(|name| name.to_string())
            .collect();
        let count: i64 =
            connection.query_row(&format!("select count(*) from {}", table.name), [], |row| row.get(0)).unwrap();
        assert!(count > 0, "{}", table.name);
        for (place, column) in names.iter().enumerate() {
            // Keys stay as they are, because two rows must not have the same key.
            if place < table.key.max(1) {
                continue;
            }
            std::fs::write(&copy, &whole).unwrap();
            let other = "case typeof(C) when 'integer' then C + 1 when 'real' then C + 0.5 when 'text' then C || 'x'
                         when 'blob' then cast(C || 'x' as blob) else K end";
            let kind = format!("select upper(type) from pragma_table_info('{}') where name = '{column}'", table.name);
            let kind: String = connection.query_row(&kind, [], |row| row.get(0)).unwrap();
            let filled = match kind.as_str() {
                "TEXT" => "'x'",
                "BLOB" => "x'00'",
                _ => "7",
            };
            let other = other.replace('C', column).replace('K', filled);
            let change = format!("update {} set {column} = {other}", table.name);
            Connection::open(&copy).unwrap().execute(&change, []).unwrap();
            let found = check_run(&copy).unwrap();
            assert_eq!(found.damaged_rows, count as u64, "{} {column}", table.name);
        }
    }
}

#[test]
fn lost_rows_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    for (sql, lost) in [
        ("delete from champion where generation = 3", "the champion of generation 3"),
        ("delete from generation where generation = 3", "the report of generation 3"),
        ("delete from game where generation = 3 and number = 1", "1 game of generation 3"),
        ("delete from species where generation = 3", "species of generation 3"),
        ("delete from genome where generation = 4 and place > 7", "2 genomes of generation 4"),
        ("delete from births where generation = 1", "10 births of generation 1"),
        ("delete from final where number = 1", "1 final match"),
        ("delete from final", "2 final matches"),
        ("delete from rating", "1 rating"),
        ("delete from inheritance", "1 way of inheritance of generation 8"),
        ("delete from population", "the population"),
    ] {
        std::fs::write(&file, &whole).unwrap();
        Connection::open(&file).unwrap().execute(sql, []).unwrap();
        let found = check_run(&file).unwrap();
        assert_eq!(found.lost_things, 1, "{sql}: {found:?}");
        assert!(found.lost[0].contains(lost), "{sql}: {found:?}");
        assert_eq!(found.resumable, !lost.contains("champion") && !lost.contains("population"), "{sql}");
    }
}

/// A damaged row is listed as damaged and not also as lost.
#[test]
fn damaged_rows_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    for (sql, damaged) in [
        ("update run set game = 'go'", "the description of the run"),
        ("update population set bytes = x'00'", "the population"),
        ("update generation set games = games + 1 where generation = 3", "generation 3"),
        ("update champion set network = x'00' where generation = 3", "the champion of generation 3"),
        ("update game set start = '4,3' where generation = 3 and number = 1", "the game of generation 3 and number 1"),
        ("update births set species = species || 'x' where first = 1", "the record of births from genome 1 on"),
        ("update final set opponent = 'none' where number = 1", "final match 1"),
    ] {
        std::fs::write(&file, &whole).unwrap();
        change(&file, sql);
        let found = check_run(&file).unwrap();
        assert_eq!((&found.damaged[..], &found.lost[..]), (&[damaged.to_string()][..], &[][..]), "{sql}");
    }
    // All rows of a generation are damaged.
    std::fs::write(&file, &whole).unwrap();
    for table in ["generation", "champion", "game", "species"] {
        change(&file, &format!("update {table} set checksum = checksum + 1 where generation = 3"));
    }
    let found = check_run(&file).unwrap();
    assert!(found.damaged_rows > 3 && found.lost.is_empty(), "{found:?}");
}

/// SQLite does not write to a file whose first bytes say that it has a newer version, so its training cannot continue.
#[test]
fn a_file_that_sqlite_would_not_write_to_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[18] ^= 4;
    std::fs::write(&file, bytes).unwrap();
    let found = check_run(&file).unwrap();
    assert!(!found.is_intact() && !found.resumable, "{found:?}");
}

/// A function that reads several rows returns an error if some of them are lost.
#[test]
fn readers_notice_lost_rows() {
    type Read = fn(&RunFile) -> Result<(), Error>;
    let readers: [(&str, Read); 22] = [
        ("reports", |run| run.reports(1).map(|_| ())),
        ("each report", |run| run.each_report(|_, _| ())),
        ("curves", |run| run.curves(1, 8, 1).map(|_| ())),
        ("later curves", |run| run.curves(4, 8, 1).map(|_| ())),
        ("series", |run| run.series(&["grade"]).map(|_| ())),
        ("values", |run| run.generation_values().map(|_| ())),
        ("signature", |run| run.has_signature("none").map(|_| ())),
        ("report 3", |run| run.report(3).map(|_| ())),
        ("last report", |run| run.last_report().map(|_| ())),
        ("times", |run| run.times().map(|_| ())),
        ("small curve", |run| run.small_curve(2).map(|_| ())),
        ("exam until 3", |run| run.exam_until(3).map(|_| ())),
        ("last champion", |run| run.champion(None).map(|_| ())),
        ("games of 3", |run| run.games(Some(3)).map(|_| ())),
        ("last games", |run| run.games(None).map(|_| ())),
        ("species of 3", |run| run.species(3).map(|_| ())),
        ("each species", |run| run.each_species(|_| ())),
        ("stream", |run| run.stream_of_species(2).map(|_| ())),
        ("inheritance", |run| run.each_inheritance(|_| ())),
        ("finals", |run| run.finals().map(|_| ())),
        ("ratings", |run| run.ratings().map(|_| ())),
        ("genomes", |run| run.genomes(4).map(|_| ())),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    for (sql, missed_by) in [
        ("select 1", &[][..]),
        (
            "delete from generation where generation = 3",
            &["reports", "each report", "curves", "series", "values", "signature", "report 3", "exam until 3"],
        ),
        (
            "update generation set generation = 40 where generation = 8",
            &[
                "reports",
                "each report",
                "curves",
                "later curves",
                "series",
                "values",
                "signature",
                "last report",
                "times",
            ],
        ),
        ("delete from generation", &["reports", "curves", "later curves", "last report", "small curve", "last games"]),
        ("delete from champion where generation = 8", &["last champion"]),
        ("update population set generation = 7", &["reports", "curves", "last report", "times", "last champion"]),
        ("update population set generation = 9", &["reports", "last report", "times", "last champion"]),
        ("delete from game where generation = 3 and number = 1", &["games of 3"]),
        ("delete from game", &["games of 3", "last games"]),
        ("delete from species where generation = 3", &["species of 3", "each species"]),
        ("delete from species", &["species of 3", "each species", "stream"]),
        ("delete from inheritance", &["inheritance"]),
        ("delete from final where number = 0", &["finals"]),
        ("delete from final", &["finals"]),
        ("delete from rating", &["ratings"]),
        ("delete from genome", &["genomes"]),
    ] {
        std::fs::write(&file, &whole).unwrap();
        change(&file, sql);
        seal_run(&file).unwrap();
        let run = RunFile::open(&file).unwrap();
        for (name, read) in readers {
            match read(&run) {
                Ok(()) => assert!(!missed_by.contains(&name), "{name} after {sql}"),
                Err(Error::Damaged { .. }) => assert!(!missed_by.is_empty(), "{name} after {sql}"),
                Err(error) => panic!("{name} after {sql}: {error}"),
            }
        }
    }
    // Generations beyond the last one are not lost, however large their numbers are.
    std::fs::write(&file, &whole).unwrap();
    let run = RunFile::open(&file).unwrap();
    assert!(run.curves(u64::MAX, u64::MAX, 1).is_ok() && run.reports(u64::MAX).unwrap().is_empty());
    drop(run);
    // Other champions stay usable.
    change(&file, "delete from champion where generation = 8; delete from generation where generation = 8");
    let run = RunFile::open(&file).unwrap();
    assert_eq!((run.champion(Some(7)).unwrap().0, run.report(7).unwrap().unwrap().generation), (7, 7));
}

/// Without them, the totals and the numbers of genomes in the next generation would be wrong.
#[test]
fn a_run_without_its_last_report_or_births_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    for (number, (sql, why)) in [
        ("update generation set best_score = best_score + 1 where generation = 8", "generation 8 is damaged"),
        ("delete from generation where generation = 8", "the report of generation 8 is lost"),
        ("delete from births where first = (select max(first) from births)", "births, but "),
        ("update births set species = species || 'x' where first = (select max(first) from births)", "is damaged"),
    ]
    .into_iter()
    .enumerate()
    {
        std::fs::write(&file, &whole).unwrap();
        change(&file, sql);
        let to = folder.path().join(format!("saved-{number}.db"));
        salvage_run(&file, &to).unwrap();
        for (file, why) in [(&file, why), (&to, "")] {
            assert!(!check_run(file).unwrap().resumable, "{sql}");
            let error = resumed(file, 9).unwrap_err();
            assert!(matches!(error, Error::Damaged { .. }) && error.to_string().contains(why), "{sql}: {error}");
        }
    }
    // If births are lost, the ancestry is an error and does not just end earlier.
    std::fs::write(&file, &whole).unwrap();
    let ancestry = || {
        let run = RunFile::open(&file).unwrap();
        run.ancestry(run.last_report().unwrap().unwrap().champion_genome.unwrap())
    };
    assert_eq!(ancestry().unwrap().last().unwrap().generation, 1);
    change(&file, "delete from births where generation = 1");
    let error = ancestry().unwrap_err().to_string();
    assert!(error.contains("the birth of genome ") && error.contains(" births, but "), "{error}");
}

/// Older files have an index, which has no checksum. No result may depend on it.
#[test]
fn a_damaged_index_is_found_and_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    change(&file, "update generation set solved = generation in (3, 5)");
    crate::seal_run(&file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for held in ["solved = 1", "solved = 0", "solved = 7"] {
        std::fs::write(&file, &whole).unwrap();
        change(
            &file,
            &format!(
                "create index first_solved on generation (generation) where {held};
                 pragma writable_schema = on;
                 update sqlite_schema set sql = 'CREATE INDEX first_solved on generation (generation) where solved = 1'
                 where name = 'first_solved';"
            ),
        );
        let found = check_run(&file).unwrap();
        assert_eq!(found.is_intact(), held == "solved = 1", "{held}: {found:?}");
        assert_eq!(RunFile::open(&file).unwrap().first_solved().unwrap(), Some(3), "{held}");
        assert_eq!(found.resumable, resumed(&file, 9).is_ok(), "{held}");
    }
    // A damaged row that says that its generation is not solved is an error.
    std::fs::write(&file, &whole).unwrap();
    change(&file, "update generation set solved = 0 where generation = 3");
    let error = RunFile::open(&file).unwrap().first_solved().unwrap_err().to_string();
    assert!(error.contains("generation 3 is damaged"), "{error}");
}

#[test]
fn a_file_that_disappears_during_the_training_is_noticed_at_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let mut run = RunFile::open_to_write(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let error = run.set_stopped(crate::Stopped::Generations, 3).unwrap_err().to_string();
    assert!(error.contains("removed or renamed during the training"), "{error}");
}

#[test]
fn a_missing_table_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    change(&file, "drop table game");
    let found = check_run(&file).unwrap();
    let said = found.structure.unwrap();
    assert!(said.contains("its table `game` is missing") && !said.contains("no such table"), "{said}");
}

/// A single flipped bit in the description of the run can be repaired.
#[test]
fn a_damaged_description_is_repaired_or_reported_as_doubtful() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    let signature = resumed(&file, 9).unwrap();
    let sums = "select experiment || parameters || game || strategy || seed || created || stopped from run";
    let description =
        |file: &Path| -> String { Connection::open(file).unwrap().query_row(sums, [], |row| row.get(0)).unwrap() };
    std::fs::write(&file, &whole).unwrap();
    let right = description(&file);
    for (number, (sql, became)) in [
        // One bit each: in a letter, in a letter that is then invalid, in a number, and in the checksum.
        ("update run set parameters = replace(parameters, 'seed', 'sded')", DamagedRun::Repaired),
        ("update run set game = cast(x'ee696d' as text)", DamagedRun::Repaired),
        ("update run set seed = seed + 1024", DamagedRun::Repaired),
        ("update run set checksum = (checksum | 4096) - (checksum & 4096)", DamagedRun::Repaired),
        ("update run set experiment = experiment || 'xyz'", DamagedRun::Doubtful),
    ]
    .into_iter()
    .enumerate()
    {
        std::fs::write(&file, &whole).unwrap();
        change(&file, sql);
        assert!(!check_run(&file).unwrap().is_intact(), "{sql}");
        let to = folder.path().join(format!("saved-{number}.db"));
        assert_eq!(salvage_run(&file, &to).unwrap().run, Some(became), "{sql}");
        assert_eq!(RunFile::open(&to).unwrap().champion(Some(3)).unwrap().0, 3);
        match became {
            DamagedRun::Repaired => {
                assert_eq!(description(&to), right, "{sql}");
                assert_eq!(resumed(&to, 9).unwrap(), signature, "{sql}");
            }
            DamagedRun::Doubtful => assert!(resumed(&to, 9).is_err(), "{sql}"),
        }
    }
    change(&file, "update run set parameters = 'x'");
    let error = salvage_run(&file, &folder.path().join("none.db")).unwrap_err().to_string();
    assert!(error.contains("nothing can be salvaged"), "{error}");
}

/// The intact rows of a damaged file become a run that can be shown and played.
#[test]
fn intact_rows_are_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    let to = folder.path().join("saved.db");
    let salvaged = salvage_run(&file, &to).unwrap();
    assert_eq!(salvaged.left_out, 0);
    assert!(check_run(&to).unwrap().is_intact());
    let signature = |name: &str| resumed(&folder.path().join(format!("{name}.db")), 12).unwrap();
    assert_eq!(signature("saved"), {
        std::fs::write(folder.path().join("same.db"), &whole).unwrap();
        signature("same")
    });
    let error = salvage_run(&file, &to).unwrap_err().to_string();
    assert!(error.contains("exists already"), "{error}");
    // One damaged champion is left out.
    std::fs::remove_file(&to).unwrap();
    Connection::open(&file).unwrap().execute("update champion set network = x'00' where generation = 3", []).unwrap();
    assert_eq!(salvage_run(&file, &to).unwrap().left_out, 1);
    let run = RunFile::open(&to).unwrap();
    assert_eq!(run.champion(None).unwrap().0, 8);
    let error = run.champion(Some(3)).unwrap_err().to_string();
    assert!(error.contains("the champion of generation 3 is lost"), "{error}");
    let error = resumed(&to, 12).unwrap_err().to_string();
    assert!(error.contains("the champion of generation 3 is lost"), "{error}");
}

/// If whole pages of a file are damaged, or if it is cut short, the check finds it, and salvaged files are intact.
#[test]
fn broken_pages_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = trained(folder.path());
    let whole = std::fs::read(&file).unwrap();
    let rng = &mut rng_for(2, &[]);
    let copy = folder.path().join("copy.db");
    let mut saved = 0;
    for number in 0..60 {
        let mut bytes = whole.clone();
        let page = 4096 * (1 + rng.below(bytes.len() / 4096 - 1));
        match number % 3 {
            0 => bytes[page..page + 4096].fill(0),
            1 => bytes[page..page + 4096].iter_mut().for_each(|byte| *byte = rng.below(256) as u8),
            _ => bytes.truncate(page - rng.below(4096)),
        }
        std::fs::write(&copy, &bytes).unwrap();
        let Ok(found) = check_run(&copy) else { continue };
        assert!(!found.is_intact(), "case {number}");
        let to = folder.path().join(format!("saved-{number}.db"));
        if salvage_run(&copy, &to).is_ok() {
            saved += 1;
            let found = check_run(&to).unwrap();
            assert_eq!((found.damaged_rows, found.structure), (0, None), "case {number}");
        }
    }
    assert!(saved > 20, "{saved}");
}
