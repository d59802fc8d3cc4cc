//! What comparisons need of a run, read in one go: some measures of every generation, and what they cost.

use super::{RunFile, unreadable};
use crate::Error;
use crate::database::broken;
use crate::training::Stopped;
use arena::Exam;
use rusqlite::types::Value;

/// Some measures of all generations of a run, all rows equally long.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Series {
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
pub(crate) struct Cost {
    pub games: u64,
    pub evaluations: u64,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

/// Columns of the table `generation` that can be compared.
const COLUMNS: [&str; 9] = [
    "grade",
    "grade_in_games",
    "past_share",
    "growth",
    "best_score",
    "mean_score",
    "mean_turns",
    "champion_hidden",
    "champion_edges",
];

impl RunFile {
    /// Some measures, each a column of the table `generation` or the name of a part of the exam.
    pub(crate) fn series(&self, measures: &[&str]) -> Result<Series, Error> {
        // Exams are long texts: they are read only if a part of one is asked for.
        let is_part = |measure: &&&str| !COLUMNS.contains(*measure);
        let exam = if measures.iter().any(|measure| is_part(&measure)) { "exam" } else { "null" };
        let columns: Vec<&str> =
            measures.iter().map(|measure| if is_part(&measure) { "null" } else { *measure }).collect();
        let sql = format!(
            "select generation, solved, cpu_seconds, {exam} {} from generation order by generation",
            columns.iter().map(|column| format!(", {column}")).collect::<String>()
        );
        let read = || -> rusqlite::Result<Series> {
            let mut found = Series { measures: vec![Vec::new(); measures.len()], ..Series::default() };
            let mut statement = self.connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let generation = row.get::<_, i64>(0)? as u64;
                found.generation.push(generation);
                let solved: Option<bool> = row.get(1)?;
                found.examined |= solved.is_some();
                if solved == Some(true) {
                    found.first_solved.get_or_insert(generation);
                }
                found.cpu_seconds.push(row.get(2)?);
                let exam: Option<Exam> = match row.get_ref(3)?.as_str_or_null()? {
                    Some(text) => Some(serde_json::from_str(text).map_err(|error| unreadable(3, error))?),
                    None => None,
                };
                let parts = exam.map_or_else(Vec::new, |exam| exam.parts());
                for (place, measure) in measures.iter().enumerate() {
                    let part = || parts.iter().find(|part| part.0 == part_of(measure)).map(|part| part.1);
                    let value: Option<f64> = if is_part(&measure) { part() } else { row.get(4 + place)? };
                    found.measures[place].push(value);
                }
            }
            let sql =
                "select games, evaluations, seconds, cpu_seconds from generation order by generation desc limit 1";
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            if let Some(row) = rows.next()? {
                let whole = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
                let (games, evaluations) = (whole(0)?, whole(1)?);
                found.cost = Some(Cost { games, evaluations, seconds: row.get(2)?, cpu_seconds: row.get(3)? });
            }
            Ok(found)
        };
        // In this order: a run that has stopped by then plays no more.
        let stopped = self.info()?.stopped;
        let found = read().map_err(|error| broken(&self.path, error))?;
        Ok(Series { stopped, ..found })
    }
}

/// What a number of an exam is called among its parts.
fn part_of(measure: &str) -> &str {
    match measure {
        "all_positions" => "grade over all positions",
        "on_policy" => "grade over positions met",
        part => part,
    }
}

/// The whole table, for whoever looks closer.
impl RunFile {
    /// Names and kinds of all columns of the table `generation`: `INTEGER`, `REAL` or `TEXT`.
    pub(crate) fn generation_columns() -> Vec<(String, String)> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let empty = rusqlite::Connection::open_in_memory()?;
            empty.execute_batch(super::SCHEMA)?;
            let mut statement =
                empty.prepare("select name, upper(type) from pragma_table_info('generation') order by cid")?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        read().expect("an empty run can be made in memory")
    }

    /// Everything in it, column by column.
    pub(crate) fn generation_values(&self) -> Result<Vec<Vec<Value>>, Error> {
        let read = || -> rusqlite::Result<Vec<Vec<Value>>> {
            let mut statement = self.connection.prepare("select * from generation order by generation")?;
            let mut columns = vec![Vec::new(); statement.column_count()];
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                for (place, column) in columns.iter_mut().enumerate() {
                    column.push(row.get(place)?);
                }
            }
            Ok(columns)
        };
        read().map_err(|error| broken(&self.path, error))
    }
}
