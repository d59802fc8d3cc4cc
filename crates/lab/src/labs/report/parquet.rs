//! All generations of all runs in one Parquet file, for programs that look closer.

use crate::labs::{Comparison, Member, MemberState};
use crate::{Error, RunFile};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use rusqlite::types::Value;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Columns that say whose generation it is.
const OWN: [&str; 5] = ["lab", "group", "configuration", "member", "seed"];

/// Writes the file: for each run its rows together. Gives the number of rows.
pub(crate) fn write(comparison: &Comparison, path: &Path) -> Result<u64, Error> {
    let file = File::create(path).map_err(|source| Error::file("cannot write", path, source))?;
    let failed = |error: ParquetError| Error::file("cannot write", path, std::io::Error::other(error));
    let columns = RunFile::generation_columns();
    let schema = schema(&columns).map_err(failed)?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    let mut rows = 0;
    for group in &comparison.groups {
        for configuration in &group.configurations {
            let is_there = |member: &&Member| member.file.exists() && !matches!(member.state, MemberState::Failed(_));
            for member in configuration.members.iter().filter(is_there) {
                // What failed or cannot be read is told elsewhere, and has no rows here.
                let Ok(values) = RunFile::open(&member.file).and_then(|run| run.generation_values()) else { continue };
                let count = values.first().map_or(0, Vec::len);
                if count > 0 {
                    let own = [&comparison.lab, &group.name, &configuration.name, &member.name];
                    let mut part = writer.next_row_group().map_err(failed)?;
                    write_member(&mut part, own, member, &columns, values).map_err(failed)?;
                    part.close().map_err(failed)?;
                    rows += count as u64;
                }
            }
        }
    }
    writer.close().map_err(failed)?;
    Ok(rows)
}

fn schema(columns: &[(String, String)]) -> Result<Type, ParquetError> {
    let text = |name: &str, repetition: Repetition| {
        let column = Type::primitive_type_builder(name, Physical::BYTE_ARRAY).with_repetition(repetition);
        column.with_logical_type(Some(LogicalType::String)).build()
    };
    let mut fields = Vec::new();
    for name in &OWN[..4] {
        fields.push(Arc::new(text(name, Repetition::REQUIRED)?));
    }
    let seed = Type::primitive_type_builder(OWN[4], Physical::INT64).with_repetition(Repetition::REQUIRED);
    let unsigned = LogicalType::integer(64, false);
    fields.push(Arc::new(seed.with_logical_type(Some(unsigned)).build()?));
    for (name, kind) in columns {
        let number =
            |physical| Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL).build();
        fields.push(Arc::new(match kind.as_str() {
            "INTEGER" => number(Physical::INT64)?,
            "REAL" => number(Physical::DOUBLE)?,
            _ => text(name, Repetition::OPTIONAL)?,
        }));
    }
    Type::group_type_builder("generations").with_fields(fields).build()
}

fn write_member(
    part: &mut SerializedRowGroupWriter<'_, File>,
    own: [&String; 4],
    member: &Member,
    columns: &[(String, String)],
    values: Vec<Vec<Value>>,
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("a column is missing".to_string());
    let count = values.first().map_or(0, Vec::len);
    for text in own {
        let mut column = part.next_column()?.ok_or_else(missing)?;
        let repeated = vec![ByteArray::from(text.as_str()); count];
        column.typed::<ByteArrayType>().write_batch(&repeated, None, None)?;
        column.close()?;
    }
    let mut column = part.next_column()?.ok_or_else(missing)?;
    column.typed::<Int64Type>().write_batch(&vec![member.seed as i64; count], None, None)?;
    column.close()?;
    for ((_, kind), values) in columns.iter().zip(values) {
        // One where there is a value, and the values alone.
        let known: Vec<i16> = values.iter().map(|value| i16::from(*value != Value::Null)).collect();
        let mut column = part.next_column()?.ok_or_else(missing)?;
        match kind.as_str() {
            "INTEGER" => {
                let whole = |value: Value| if let Value::Integer(number) = value { Some(number) } else { None };
                let numbers: Vec<i64> = values.into_iter().filter_map(whole).collect();
                column.typed::<Int64Type>().write_batch(&numbers, Some(&known), None)?;
            }
            "REAL" => {
                let real = |value: Value| if let Value::Real(number) = value { Some(number) } else { None };
                let numbers: Vec<f64> = values.into_iter().filter_map(real).collect();
                column.typed::<DoubleType>().write_batch(&numbers, Some(&known), None)?;
            }
            _ => {
                let text = |value: Value| {
                    if let Value::Text(text) = value { Some(ByteArray::from(text.into_bytes())) } else { None }
                };
                let texts: Vec<ByteArray> = values.into_iter().filter_map(text).collect();
                column.typed::<ByteArrayType>().write_batch(&texts, Some(&known), None)?;
            }
        }
        column.close()?;
    }
    Ok(())
}
