//! What comparisons need of a run, read in one go: some measures of every generation, and what they cost.

use super::history::{exam, times};
use super::rows::{GENERATION, measured, named, whole};
use super::writing::create_tables;
use super::{RunFile, Times};
use crate::{Error, Stopped};
use rusqlite::types::Value;
use trainer::{Measure, Source};

/// Some measures of all generations of a run, all rows equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The generations.
    pub generation: Vec<u64>,
    /// Each wanted measure, where it was measured.
    pub measures: Vec<Vec<Option<f64>>>,
    /// Seconds of processor time up to each generation.
    pub cpu_seconds: Vec<f64>,
    /// The first generation whose champion was perfect in every position.
    pub first_solved: Option<u64>,
    /// Whether some champion took an exam.
    pub examined: bool,
    /// Why training stopped, if it did by itself.
    pub stopped: Option<Stopped>,
    /// What it took in all, where there is a generation.
    pub cost: Option<Cost>,
}

/// What a run took, from its beginning up to now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Games played.
    pub games: u64,
    /// Positions judged by networks.
    pub evaluations: u64,
    /// Its times.
    pub times: Times,
}

impl RunFile {
    /// Some measures, each by its key or by the name of a part of the exam.
    pub fn series(&self, measures: &[&str]) -> Result<Series, Error> {
        self.thinned_series(measures, 1)
    }

    /// The same with one row for every so many generations: means of measures, and otherwise what the last of them has.
    pub fn thinned_series(&self, measures: &[&str], stride: u64) -> Result<Series, Error> {
        let sources: Vec<Result<&Measure, &str>> = measures.iter().map(|measure| source_of(measure)).collect();
        // Exams are long texts: they are read only if a part of one is asked for.
        let reads_exams = sources.iter().any(Result::is_err);
        let mut found = Series { measures: vec![Vec::new(); measures.len()], ..Series::default() };
        // How many values of each measure the last row is the mean of.
        let mut counts = vec![0.0; measures.len()];
        // In this order: a run that has stopped by then plays no more.
        found.stopped = self.info()?.stopped;
        self.each_generation(1, u64::MAX, |row| {
            let generation = whole(row, 0)?;
            let is_new = found.generation.last().is_none_or(|last| (last - 1) / stride != (generation - 1) / stride);
            if is_new {
                found.generation.push(generation);
                found.cpu_seconds.push(0.0);
                counts.fill(0.0);
                found.measures.iter_mut().for_each(|values| values.push(None));
            }
            let place = found.generation.len() - 1;
            found.generation[place] = generation;
            let solved: Option<bool> = named(row, "solved")?;
            found.examined |= solved.is_some();
            if solved == Some(true) {
                found.first_solved.get_or_insert(generation);
            }
            let [games, evaluations] = [named::<i64>(row, "games")?, named(row, "evaluations")?].map(|n| n as u64);
            let times = times(row)?;
            found.cpu_seconds[place] = times.cpu_seconds;
            found.cost = Some(Cost { games, evaluations, times });
            let exam = if reads_exams { exam(row)? } else { None };
            let parts = exam.map_or_else(Vec::new, |exam| exam.parts());
            for ((source, values), count) in sources.iter().zip(&mut found.measures).zip(&mut counts) {
                let value: Option<f64> = match source {
                    Ok(measure) => measured(row, measure)?,
                    Err(name) => parts.iter().find(|part| part.0 == *name).map(|part| part.1),
                };
                if let Some(value) = value {
                    *count += 1.0;
                    let mean = values[place].unwrap_or(0.0);
                    values[place] = Some(mean + (value - mean) / *count);
                }
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// The measure of a key that has a column, or else the name of a part of the exam.
fn source_of(key: &str) -> Result<&Measure, &str> {
    match Measure::of(key) {
        Some(Measure { source: Source::ExamPart(name), .. }) => Err(name),
        Some(measure) => Ok(measure),
        None => Err(key),
    }
}

/// The whole table, for whoever looks closer.
impl RunFile {
    /// Names and kinds of all columns of the table `generation` that tell of the generation, and not of the file:
    /// `INTEGER`, `REAL` or `TEXT`.
    pub fn generation_columns() -> Vec<(String, String)> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let empty = rusqlite::Connection::open_in_memory()?;
            create_tables(&empty)?;
            let sql = "select name, upper(type) from pragma_table_info('generation')
                       where name not like 'kept_%' and name != 'checksum' order by cid";
            let mut statement = empty.prepare(sql)?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        read().expect("an empty run can be made in memory")
    }

    /// Everything in these columns, column by column; null where the file lacks a column.
    pub fn generation_values(&self) -> Result<Vec<Vec<Value>>, Error> {
        let names = RunFile::generation_columns();
        let mut columns = vec![Vec::new(); names.len()];
        self.each_generation(1, u64::MAX, |row| {
            columns.iter_mut().zip(&names).try_for_each(|(column, (name, _))| {
                let place = GENERATION.find(row, name);
                column.push(place.map_or(Ok(Value::Null), |place| row.get(place))?);
                Ok(())
            })
        })?;
        Ok(columns)
    }
}
