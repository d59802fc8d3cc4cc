//! A run as one SQLite file: the experiment, a row for every generation, champions, games, and the population.
//!
//! Each generation is one transaction, so that after a kill at any moment the file holds a whole generation. The
//! journal is a write-ahead log, which other processes can read beside; it is not safe on network file systems.

mod command;
mod copy;
mod curves;
mod measures;
mod series;

pub use curves::{Curve, Curves, SpeciesSizes, StreamOfSpecies};
pub(crate) use series::{Cost, Series};

use crate::database::{broken, cannot_write, is_cut_short, open, remove};
use crate::report::{Birth, GenomeRecord, InheritanceReport, RecordedGame, Report, SpeciesReport};
use crate::runs::{RunState, run_name, state};
use crate::trainer::{Generation, Standing};
use crate::training::Stopped;
use crate::{Error, ExperimentFile};
use arena::{Exam, Met};
use evolution::Network;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Marks our files among all SQLite files: "Gamt".
const APPLICATION: i64 = 0x4761_6d74;
/// Goes up when an older program could not read the file.
const FORMAT: i64 = 4;

/// How long to wait for another program that holds the file, and how long where nobody can wait.
const PATIENCE: Duration = Duration::from_secs(10);
const GLANCE: Duration = Duration::from_millis(100);

const SCHEMA: &str = include_str!("run_schema.sql");

/// What a run is.
#[derive(Clone, Debug)]
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
}

impl RunInfo {
    /// The experiment, with all parameters as they were.
    pub fn experiment_file(&self, file: &Path) -> Result<ExperimentFile, Error> {
        ExperimentFile::parse(&self.experiment, &file.display().to_string(), &self.parameters)
    }

    /// How many generations it is to have; nothing where its parameters do not say.
    pub fn aim(&self) -> Option<u64> {
        let table: toml::Table = self.parameters.parse().ok()?;
        table.get("stop")?.get("generations")?.as_integer().and_then(|number| number.try_into().ok())
    }

    /// The command that makes the same run, as far as one line can say it.
    pub fn command(&self) -> String {
        command::same_run(&self.experiment, &self.parameters)
    }
}

/// An open run.
pub struct RunFile {
    path: PathBuf,
    connection: Connection,
}

impl RunFile {
    /// Begins a run in a new file, with its first generation not yet played.
    pub(crate) fn create(path: &Path, info: &RunInfo, population: &[u8], signature: u128) -> Result<RunFile, Error> {
        // Made under another name, so that a file with a run's name always is one.
        let draft = path.with_extension("db-draft");
        remove(&draft)?;
        {
            let mut run = RunFile { path: path.to_path_buf(), connection: open(&draft, true, PATIENCE)? };
            let written = run.write_first(info, population, signature);
            written.map_err(|error| cannot_write(&run.path, error, 0)).inspect_err(|_| {
                let _ = std::fs::remove_file(&draft);
            })?;
        }
        // A log or journal left behind by a killed run of this name would be taken for this one's.
        for ending in ["db-wal", "db-shm", "db-journal"] {
            remove(&path.with_extension(ending))?;
        }
        std::fs::rename(&draft, path).map_err(|source| Error::file("cannot write", path, source))?;
        RunFile::open_to_write(path)
    }

    fn write_first(&mut self, info: &RunInfo, population: &[u8], signature: u128) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        transaction.execute_batch(SCHEMA)?;
        let RunInfo { experiment, parameters, game, strategy, seed, program, created, stopped } = info;
        transaction.execute(
            "insert into run values (?, ?, ?, ?, ?, ?, ?, ?)",
            params![experiment, parameters, game, strategy, *seed as i64, program, created, stopped.map(Stopped::name)],
        )?;
        let met = write_met(&Met::default());
        transaction.execute(
            "insert into population values (1, 0, ?, ?, ?, ?)",
            params![format!("{signature:032x}"), checksum(population, &met), population, met],
        )?;
        transaction.commit()
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
    pub(crate) fn open_to_write(path: &Path) -> Result<RunFile, Error> {
        RunFile::open_checked(path, true)
    }

    fn open_checked(path: &Path, write: bool) -> Result<RunFile, Error> {
        RunFile::open_within(path, write, PATIENCE)
    }

    fn open_within(path: &Path, write: bool, patience: Duration) -> Result<RunFile, Error> {
        let not_a_run = |why: &str| Error::NotARun { file: path.to_path_buf(), why: why.to_string() };
        let length = std::fs::metadata(path).map_err(|source| Error::file("cannot read", path, source))?;
        if length.is_dir() {
            return Err(not_a_run("it is a folder"));
        }
        if length.len() == 0 {
            return Err(not_a_run("it is empty"));
        }
        if is_cut_short(path) {
            return Err(not_a_run("it is damaged or cut short"));
        }
        let connection = open(path, write, patience)?;
        let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let application = number("application_id").map_err(|error| broken(path, error))?;
        if application != APPLICATION {
            return Err(not_a_run("it is a database of something else"));
        }
        let format = number("user_version").map_err(|error| broken(path, error))?;
        if format > FORMAT {
            return Err(Error::NewerRun { file: path.to_path_buf(), found: format, known: FORMAT });
        }
        if format < FORMAT {
            return Err(Error::OlderRun { file: path.to_path_buf(), found: format, known: FORMAT });
        }
        if write {
            // Before anything is added, everything must be sound.
            let sound: String = connection
                .pragma_query_value(None, "quick_check", |row| row.get(0))
                .map_err(|error| broken(path, error))?;
            if sound != "ok" {
                return Err(not_a_run(&format!("it is damaged or cut short ({})", sound.replace('\n', " "))));
            }
        }
        let run = RunFile { path: path.to_path_buf(), connection };
        run.info()?;
        Ok(run)
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
        let read = |row: &Row| {
            Ok(RunInfo {
                experiment: row.get(0)?,
                parameters: row.get(1)?,
                game: row.get(2)?,
                strategy: row.get(3)?,
                seed: row.get::<_, i64>(4)? as u64,
                program: row.get(5)?,
                created: row.get(6)?,
                stopped: row.get::<_, Option<String>>(7)?.and_then(|why| Stopped::named(&why)),
            })
        };
        self.connection.query_row("select * from run", [], read).map_err(|error| broken(&self.path, error))
    }

    /// All generations so far, from the given one on.
    pub fn reports(&self, from: u64) -> Result<Vec<Report>, Error> {
        self.query("select * from generation where generation >= ? order by generation", from)
    }

    /// The last generation played.
    pub fn last_report(&self) -> Result<Option<Report>, Error> {
        let last = self.query("select * from generation where generation >= ? order by generation desc limit 1", 0)?;
        Ok(last.into_iter().next())
    }

    /// One generation, if there is such.
    pub fn report(&self, generation: u64) -> Result<Option<Report>, Error> {
        let found =
            self.query("select * from generation where generation >= ? order by generation limit 1", generation)?;
        Ok(found.into_iter().next().filter(|report| report.generation == generation))
    }

    /// The newest exam.
    pub fn last_exam(&self) -> Result<Option<Exam>, Error> {
        let sql =
            "select * from generation where generation >= ? and exam is not null order by generation desc limit 1";
        Ok(self.query(sql, 0)?.into_iter().next().and_then(|report| report.exam))
    }

    /// The newest exam up to a generation.
    pub(crate) fn exam_until(&self, generation: u64) -> Result<Option<Exam>, Error> {
        let sql =
            "select * from generation where generation <= ? and exam is not null order by generation desc limit 1";
        Ok(self.query(sql, generation)?.into_iter().next().and_then(|report| report.exam))
    }

    /// The first generation whose champion was perfect in every position.
    pub fn first_solved(&self) -> Result<Option<u64>, Error> {
        let sql = "select min(generation) from generation where solved = 1";
        let found = self.connection.query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
        Ok(found.map_err(|error| broken(&self.path, error))?.map(|generation| generation as u64))
    }

    fn query(&self, sql: &str, from: u64) -> Result<Vec<Report>, Error> {
        let read = || {
            let mut statement = self.connection.prepare(sql)?;
            statement.query_map([from as i64], report)?.collect::<rusqlite::Result<Vec<Report>>>()
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// The champion of a generation, or of the last one.
    pub fn champion(&self, generation: Option<u64>) -> Result<(u64, Arc<Network>), Error> {
        let sql = "select generation, network from champion where generation = ?1 or ?1 is null order by generation desc limit 1";
        let wanted = generation.map(|generation| generation as i64);
        let found =
            self.connection.query_row(sql, [wanted], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)));
        match found.optional().map_err(|error| broken(&self.path, error))? {
            Some((generation, bytes)) => Ok((generation as u64, self.network(&bytes)?)),
            None => {
                let last = self.last_report()?.map_or(0, |report| report.generation);
                Err(Error::Refused(match (generation, last) {
                    (_, 0) => format!("the run `{}` has no champion yet: no generation has been played", self.name()),
                    (Some(wanted), last) => {
                        format!("the run `{}` has no generation {wanted}; it has 1 to {last}", self.name())
                    }
                    (None, _) => format!("the run `{}` has lost its champions", self.name()),
                }))
            }
        }
    }

    fn network(&self, bytes: &[u8]) -> Result<Arc<Network>, Error> {
        let read: Result<Network, _> = postcard::from_bytes(bytes);
        let why = |error: postcard::Error| format!("a champion in it cannot be read ({error})");
        read.map(Arc::new).map_err(|error| Error::NotARun { file: self.path.clone(), why: why(error) })
    }

    /// The games kept of a generation, or of the last one of which there are any.
    pub fn games(&self, generation: Option<u64>) -> Result<Vec<RecordedGame>, Error> {
        let read = || -> rusqlite::Result<Vec<RecordedGame>> {
            let sql =
                "select * from game where generation = coalesce(?, (select max(generation) from game)) order by number";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([generation.map(|generation| generation as i64)], |row| {
                Ok(RecordedGame {
                    generation: row.get::<_, i64>(0)? as u64,
                    number: row.get::<_, i64>(1)? as u64,
                    first: row.get::<_, i64>(2)? as u64,
                    second: row.get::<_, i64>(3)? as u64,
                    start: row.get(4)?,
                    moves: row.get::<_, String>(5)?.split_whitespace().map(str::to_string).collect(),
                    illegal: row.get(6)?,
                    outcome: row.get(7)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// The first and the last generation of which games are kept, and the last of them up to this one, or else the
    /// first; nothing where no games are kept.
    pub fn generations_with_games(&self, generation: u64) -> Result<Option<(u64, u64, u64)>, Error> {
        let read = || -> rusqlite::Result<Option<(u64, u64, u64)>> {
            let sql =
                "select min(generation), max(generation), max(case when generation <= ? then generation end) from game";
            let generation = generation.min(i64::MAX as u64) as i64;
            self.connection.query_row(sql, [generation], |row| {
                let whole =
                    |column: usize| row.get::<_, Option<i64>>(column).map(|found| found.map(|found| found as u64));
                let (first, last, nearest) = (whole(0)?, whole(1)?, whole(2)?);
                Ok(first.zip(last).map(|(first, last)| (first, last, nearest.unwrap_or(first))))
            })
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// The species of a generation, or of all from that one on.
    pub fn species(&self, from: u64, to: u64) -> Result<Vec<SpeciesReport>, Error> {
        let read = || -> rusqlite::Result<Vec<SpeciesReport>> {
            let sql = "select * from species where generation between ? and ? order by generation, species";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([from as i64, to.min(i64::MAX as u64) as i64], |row| {
                let whole = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
                let (generation, species, born, size) = (whole(0)?, whole(1)?, whole(2)?, whole(3)?);
                let (best_score, representative) = (row.get(4)?, whole(5)?);
                Ok(SpeciesReport { generation, species, born, size, best_score, representative })
            })?;
            rows.collect()
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// How those did that came into each generation by each way.
    pub fn inheritance(&self) -> Result<Vec<InheritanceReport>, Error> {
        let read = || -> rusqlite::Result<Vec<InheritanceReport>> {
            let sql =
                "select generation, way, count, improved, stayed, change from inheritance order by generation, way";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], |row| {
                let whole = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
                let [generation, count, improved, stayed] = [whole(0)?, whole(2)?, whole(3)?, whole(4)?];
                Ok(InheritanceReport { generation, way: row.get(1)?, count, improved, stayed, change: row.get(5)? })
            })?;
            rows.collect()
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// The line of a genome back to the start, the fitter parent each time: itself first.
    pub fn ancestry(&self, genome: u64) -> Result<Vec<Birth>, Error> {
        let read = || -> rusqlite::Result<Vec<Birth>> {
            let mut statement = self.connection.prepare("select * from birth where genome = ?")?;
            let mut line: Vec<Birth> = Vec::new();
            let mut next = genome as i64;
            while next != 0 {
                let found = statement.query_row([next], |row| {
                    let whole = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
                    let parents = [whole(2)?, whole(3)?];
                    Ok(Birth { genome: whole(0)?, generation: whole(1)?, parents, species: whole(4)? })
                });
                let Some(birth) = found.optional()? else { break };
                // Parents are older, so that no damage can lead round in a circle.
                next = if birth.parents[0] < birth.genome { birth.parents[0] as i64 } else { 0 };
                line.push(birth);
            }
            Ok(line)
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// All genomes of a generation as text, if they were kept.
    pub fn genomes(&self, generation: u64) -> Result<Vec<GenomeRecord>, Error> {
        let read = || -> rusqlite::Result<Vec<GenomeRecord>> {
            let sql = "select place, genome, species, score, text from genome where generation = ? order by place";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([generation as i64], |row| {
                let whole = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
                let (score, text) = (row.get(3)?, row.get(4)?);
                Ok(GenomeRecord { place: whole(0)?, genome: whole(1)?, species: whole(2)?, score, text })
            })?;
            rows.collect()
        };
        read().map_err(|error| broken(&self.path, error))
    }

    /// Where training stands.
    pub(crate) fn standing(&self) -> Result<Standing, Error> {
        let read = || -> rusqlite::Result<_> {
            let sql = "select signature, checksum, bytes, generation, met from population";
            let population: (String, i64, Vec<u8>, i64, Vec<u8>) = self
                .connection
                .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?;
            let mut statement = self.connection.prepare("select network from champion order by generation")?;
            let champions = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<Vec<u8>>>>()?;
            Ok((population, champions))
        };
        let ((signature, sum, population, played, met), champions) =
            read().map_err(|error| broken(&self.path, error))?;
        let damaged = |why: &str| Error::NotARun { file: self.path.clone(), why: why.to_string() };
        if checksum(&population, &met) != sum || champions.len() as i64 != played {
            return Err(damaged("its population does not fit its checksum or its champions; it is damaged"));
        }
        let met = postcard::from_bytes(&met).map_err(|_| damaged("its remembered games cannot be read"))?;
        let signature = u128::from_str_radix(&signature, 16).map_err(|_| damaged("its signature is no number"))?;
        let champions = champions.iter().map(|bytes| self.network(bytes)).collect::<Result<Vec<_>, _>>()?;
        let last = self.last_report()?;
        let (games, reused, evaluations) =
            last.map_or((0, 0, 0), |report| (report.games, report.reused, report.evaluations));
        Ok(Standing { champions, population, met, games, reused, evaluations, signature })
    }

    /// Adds a generation, whole or not at all.
    pub(crate) fn append(&mut self, generation: &Generation) -> Result<(), Error> {
        let number = generation.report.generation;
        self.write_generation(generation).map_err(|error| cannot_write(&self.path, error, number - 1))
    }

    fn write_generation(&mut self, generation: &Generation) -> rusqlite::Result<()> {
        let Generation { report, champion, games, population, met, births, species, genomes, inheritance } = generation;
        let transaction = self.connection.transaction()?;
        let number = report.generation as i64;
        {
            let mut insert = transaction.prepare_cached(
                "insert into generation values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            )?;
            let layers: Vec<String> = report.champion_layers.iter().map(|size| size.to_string()).collect();
            insert.execute(params![
                number,
                report.best_score,
                report.mean_score,
                report.past_share,
                report.growth,
                report.exam.as_ref().map(|exam| exam.grade()),
                report.exam.as_ref().map(|exam| serde_json::to_string(exam).expect("an exam can be written")),
                report.exam.as_ref().map(|exam| exam.solved()),
                report.grade_in_games,
                report.mean_turns,
                report.mean_layers,
                report.mean_nodes,
                report.champion_place as i64,
                layers.join(","),
                report.champion_hidden as i64,
                report.champion_edges as i64,
                report.champion_genome.map(|genome| genome as i64),
                report.games as i64,
                report.reused as i64,
                report.evaluations as i64,
                report.seconds,
                report.cpu_seconds,
                report.signature,
            ])?;
            let network = postcard::to_allocvec(&**champion).expect("networks can always be written");
            transaction.prepare_cached("insert into champion values (?, ?)")?.execute(params![number, network])?;
            let mut insert = transaction.prepare_cached("insert into game values (?, ?, ?, ?, ?, ?, ?, ?)")?;
            for game in games {
                insert.execute(params![
                    number,
                    game.number as i64,
                    game.first as i64,
                    game.second as i64,
                    game.start,
                    game.moves.join(" "),
                    game.illegal,
                    game.outcome,
                ])?;
            }
            let mut insert = transaction.prepare_cached("insert or ignore into birth values (?, ?, ?, ?, ?)")?;
            for birth in births {
                let [one, two] = birth.parents;
                insert.execute(params![birth.genome as i64, number, one as i64, two as i64, birth.species as i64])?;
            }
            let mut insert = transaction.prepare_cached("insert into species values (?, ?, ?, ?, ?, ?)")?;
            for species in species {
                let SpeciesReport { species, born, size, best_score, representative, .. } = *species;
                insert.execute(params![
                    number,
                    species as i64,
                    born as i64,
                    size as i64,
                    best_score,
                    representative as i64
                ])?;
            }
            let mut insert = transaction.prepare_cached("insert into inheritance values (?, ?, ?, ?, ?, ?)")?;
            for found in inheritance {
                let InheritanceReport { way, count, improved, stayed, change, .. } = found;
                insert.execute(params![number, way, *count as i64, *improved as i64, *stayed as i64, change])?;
            }
            let mut insert = transaction.prepare_cached("insert into genome values (?, ?, ?, ?, ?, ?)")?;
            for genome in genomes {
                let GenomeRecord { place, genome, species, score, text } = genome;
                insert.execute(params![number, *place as i64, *genome as i64, *species as i64, score, text])?;
            }
            // Another champion is the last one now.
            transaction.prepare_cached("delete from final")?.execute([])?;
            let met = write_met(met);
            transaction
                .prepare_cached(
                    "update population set generation = ?, signature = ?, checksum = ?, bytes = ?, met = ?",
                )?
                .execute(params![number, report.signature, checksum(population, &met), population, met])?;
        }
        transaction.commit()
    }

    /// Notes that training goes on, by these parameters, after so many generations.
    pub(crate) fn set_training(&mut self, parameters: &str, generation: u64) -> Result<(), Error> {
        let write = || {
            // From here on others can read beside us, until training stops.
            self.connection.pragma_update(None, "journal_mode", "wal")?;
            // A kill loses nothing; only a power cut may take the last generations, never a part of one.
            self.connection.pragma_update(None, "synchronous", "normal")?;
            self.connection.execute("update run set stopped = null, parameters = ?", [parameters])
        };
        write().map(|_| ()).map_err(|error| cannot_write(&self.path, error, generation))
    }

    /// Notes why training stopped, after so many generations, and makes one plain file of the run.
    pub(crate) fn set_stopped(&mut self, why: Stopped, generation: u64) -> Result<(), Error> {
        let written = self.connection.execute("update run set stopped = ?", [why.name()]);
        written.map_err(|error| cannot_write(&self.path, error, generation))?;
        // Without its log the file can be read anywhere, also where nothing can be written. Whoever looks at it in
        // this moment keeps the log alive; then it stays until the next stop.
        let _ = self.connection.pragma_update(None, "journal_mode", "delete");
        Ok(())
    }
}

fn report(row: &Row) -> rusqlite::Result<Report> {
    let whole = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
    let exam = match row.get::<_, Option<String>>(6)? {
        Some(text) => Some(serde_json::from_str(&text).map_err(|error| unreadable(6, error))?),
        None => None,
    };
    let layers: String = row.get(13)?;
    Ok(Report {
        generation: whole(0)?,
        best_score: row.get(1)?,
        mean_score: row.get(2)?,
        past_share: row.get(3)?,
        growth: row.get(4)?,
        exam,
        grade_in_games: row.get(8)?,
        mean_turns: row.get(9)?,
        mean_layers: row.get(10)?,
        mean_nodes: row.get(11)?,
        champion_place: whole(12)?,
        champion_layers: layers.split(',').filter_map(|size| size.parse().ok()).collect(),
        champion_hidden: whole(14)?,
        champion_edges: whole(15)?,
        champion_genome: row.get::<_, Option<i64>>(16)?.map(|genome| genome as u64),
        games: whole(17)?,
        reused: whole(18)?,
        evaluations: whole(19)?,
        seconds: row.get(20)?,
        cpu_seconds: row.get(21)?,
        signature: row.get(22)?,
    })
}

/// A column that holds JSON, and does not.
fn unreadable(column: usize, error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}

fn write_met(met: &Met) -> Vec<u8> {
    postcard::to_allocvec(met).expect("records can always be written")
}

fn checksum(population: &[u8], met: &[u8]) -> i64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(population);
    hasher.update(met);
    hasher.digest() as i64
}
