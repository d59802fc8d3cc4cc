//! Writes all generations of all runs into one Parquet file, for further analysis by other programs.

use crate::Error;
use crate::labs::{Comparison, Member, MemberState};
use figures::{Column, ParquetFailure, ParquetFile, Values};
use runs::{RunFile, StoredValue};
use std::fs::File;
use std::path::Path;

/// The columns that name the run of a generation.
const OWN: [(&str, Column); 5] = [
    ("lab", Column::RequiredText),
    ("group", Column::RequiredText),
    ("configuration", Column::RequiredText),
    ("member", Column::RequiredText),
    ("seed", Column::RequiredUnsigned),
];

/// Writes the file; returns the number of rows. The rows of a run follow each other.
#[allow(clippy::disallowed_methods, reason = "the file is not a run")]
pub(crate) fn write(comparison: &Comparison, path: &Path) -> Result<u64, Error> {
    let file = File::create(path).map_err(|source| Error::file("cannot write", path, source))?;
    let failed = |error: ParquetFailure| Error::file("cannot write", path, std::io::Error::other(error));
    let stored = RunFile::generation_columns();
    let kind = |kind: &str| match kind {
        "INTEGER" => Column::Whole,
        "REAL" => Column::Real,
        _ => Column::Text,
    };
    let of_run = stored.iter().map(|(name, stored)| (name.as_str(), kind(stored)));
    let columns: Vec<(&str, Column)> = OWN.into_iter().chain(of_run).collect();
    let mut table = ParquetFile::create(file, "generations", &columns).map_err(failed)?;
    let mut rows = 0;
    for group in &comparison.groups {
        for configuration in &group.configurations {
            let is_there = |member: &&Member| member.file.exists() && !matches!(member.state, MemberState::Failed(_));
            for member in configuration.members.iter().filter(is_there) {
                // A run that cannot be read has no rows here; the page reports it.
                let Ok(values) = RunFile::open(&member.file).and_then(|run| run.generation_values()) else { continue };
                let count = values.first().map_or(0, Vec::len);
                if count > 0 {
                    let own = [&comparison.lab, &group.name, &configuration.name, &member.name];
                    let own = own.map(|text| Values::Texts(vec![Some(text.clone()); count]));
                    let seed = Values::Wholes(vec![Some(member.seed as i64); count]);
                    let of_run =
                        columns[OWN.len()..].iter().zip(values).map(|((_, column), values)| of(*column, values));
                    table.add(own.into_iter().chain([seed]).chain(of_run).collect()).map_err(failed)?;
                    rows += count as u64;
                }
            }
        }
    }
    table.finish().map_err(failed)?;
    Ok(rows)
}

/// Converts the stored values of one column to the column's type; `None` for values of another type.
fn of(column: Column, values: Vec<StoredValue>) -> Values {
    let values = values.into_iter();
    match column {
        Column::Whole | Column::RequiredUnsigned => Values::Wholes(
            values.map(|value| if let StoredValue::Integer(number) = value { Some(number) } else { None }).collect(),
        ),
        Column::Real => Values::Reals(
            values.map(|value| if let StoredValue::Real(number) = value { Some(number) } else { None }).collect(),
        ),
        Column::Text | Column::RequiredText => Values::Texts(
            values.map(|value| if let StoredValue::Text(text) = value { Some(text) } else { None }).collect(),
        ),
    }
}
