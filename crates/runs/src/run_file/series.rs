//! Reads some measures of every generation of a run at once, for comparisons, and what the training cost.

use super::history::{exam, times};
use super::rows::{GENERATION, measured, named, whole};
use super::writing::create_tables;
use super::{RunFile, Times};
use crate::{Error, Stopped};
use arena::Rating;
use rusqlite::types::Value;
use trainer::{Measure, Source};

/// Some measures of all generations of a run. All vectors have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The numbers of the generations.
    pub generation: Vec<u64>,
    /// The values of each wanted measure; `None` in generations without a value.
    pub measures: Vec<Vec<Option<f64>>>,
    /// Seconds of processor time up to each generation.
    pub cpu_seconds: Vec<f64>,
    /// The first generation whose champion played a perfect move in every position.
    pub first_solved: Option<u64>,
    /// Whether any champion took an exam.
    pub examined: bool,
    /// Why training stopped; `None` while it goes on or if the process was killed.
    pub stopped: Option<Stopped>,
    /// What the run has cost so far; `None` before the first generation.
    pub cost: Option<Cost>,
}

/// What a run has cost from its beginning on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Games played.
    pub games: u64,
    /// Positions judged by networks.
    pub evaluations: u64,
    /// The time of training.
    pub times: Times,
}

impl RunFile {
    /// The generation whose champion has the greatest measured strength, the latest one among equals, with this
    /// strength; `None` if no strength was measured.
    pub fn strongest(&self) -> Result<Option<(u64, Rating)>, Error> {
        let series = self.series(&["strength", "strength_low", "strength_high"])?;
        let [elo, low, high] = &series.measures[..] else { return Ok(None) };
        let measured = (0..elo.len()).filter_map(|place| Some((place, elo[place]?)));
        let best = measured.max_by(|one, two| one.1.total_cmp(&two.1));
        let rating = |place| Rating { elo: elo[place], low: low[place], high: high[place] };
        Ok(best.map(|(place, _)| (series.generation[place], rating(place))))
    }

    /// Some measures of every generation. Each is given by its key or by the name of a part of the exam.
    pub fn series(&self, measures: &[&str]) -> Result<Series, Error> {
        self.thinned_series(measures, 1)
    }

    /// Like [`RunFile::series`], with one row for each `stride` generations. The measures are means over these
    /// generations; everything else is the value of the last one.
    pub fn thinned_series(&self, measures: &[&str], stride: u64) -> Result<Series, Error> {
        let sources: Vec<Result<&Measure, &str>> = measures.iter().map(|measure| source_of(measure)).collect();
        // Exams are long texts: they are read only if a part of one is asked for.
        let reads_exams = sources.iter().any(Result::is_err);
        let mut found = Series { measures: vec![Vec::new(); measures.len()], ..Series::default() };
        // The number of values of each measure in the mean of the last row.
        let mut counts = vec![0.0; measures.len()];
        // The reason to stop is read before the generations: a run that has stopped plays no more.
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

/// The measure with this key if it has a column, or as an error the name of a part of the exam.
fn source_of(key: &str) -> Result<&Measure, &str> {
    match Measure::of(key) {
        Some(Measure { source: Source::ExamPart(name), .. }) => Err(name),
        Some(measure) => Ok(measure),
        None => Err(key),
    }
}

/// The whole table `generation`, for export.
impl RunFile {
    /// The names and types (`INTEGER`, `REAL` or `TEXT`) of the columns of the table `generation`. Columns that only
    /// serve to check the file, such as the checksum, are left out.
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

    /// All values of these columns, column by column. A column that the file lacks is all null.
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
