//! Writes a table for other programs as a Parquet file, in groups of rows.

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

/// The type of a column. Only the first two types must have a value in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// A text in every row.
    RequiredText,
    /// A whole number from 0 up in every row.
    RequiredUnsigned,
    /// A text or null.
    Text,
    /// A whole number or null.
    Whole,
    /// A number or null.
    Real,
}

/// The values of one column in a group of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Values of a column of texts.
    Texts(Vec<Option<String>>),
    /// Values of a column of whole numbers. A required unsigned number is given by its bits.
    Wholes(Vec<Option<i64>>),
    /// Values of a column of numbers.
    Reals(Vec<Option<f64>>),
}

/// Why a file could not be written.
pub type ParquetFailure = ParquetError;

/// A Parquet file that is being written.
pub struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with these columns; `rows` is the name of its schema.
    pub fn create(out: W, rows: &str, columns: &[(&str, Column)]) -> Result<ParquetFile<W>, ParquetFailure> {
        let fields =
            columns.iter().map(|&(name, column)| field(name, column).map(Arc::new)).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder(rows).with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        Ok(ParquetFile { writer, columns: columns.iter().map(|(_, column)| *column).collect() })
    }

    /// Adds a group of rows, given as the values of each column, in the order of the columns.
    pub fn add(&mut self, values: Vec<Values>) -> Result<(), ParquetFailure> {
        let missing = || ParquetError::General("a column is missing".to_string());
        let mut group = self.writer.next_row_group()?;
        for (column, values) in self.columns.iter().zip(values) {
            let required = matches!(column, Column::RequiredText | Column::RequiredUnsigned);
            let mut writer = group.next_column()?.ok_or_else(missing)?;
            // For columns with null, Parquet also needs the definition levels: 1 for a value, 0 for null.
            match values {
                Values::Texts(texts) => {
                    let known = (!required).then(|| levels(&texts));
                    let texts: Vec<ByteArray> =
                        texts.into_iter().flatten().map(|text| ByteArray::from(text.into_bytes())).collect();
                    writer.typed::<ByteArrayType>().write_batch(&texts, known.as_deref(), None)?;
                }
                Values::Wholes(numbers) => {
                    let known = (!required).then(|| levels(&numbers));
                    let numbers: Vec<i64> = numbers.into_iter().flatten().collect();
                    writer.typed::<Int64Type>().write_batch(&numbers, known.as_deref(), None)?;
                }
                Values::Reals(numbers) => {
                    let known = (!required).then(|| levels(&numbers));
                    let numbers: Vec<f64> = numbers.into_iter().flatten().collect();
                    writer.typed::<DoubleType>().write_batch(&numbers, known.as_deref(), None)?;
                }
            }
            writer.close()?;
        }
        group.close().map(|_| ())
    }

    /// Ends the file.
    pub fn finish(self) -> Result<(), ParquetFailure> {
        self.writer.close().map(|_| ())
    }
}

/// The definition levels of values: 1 for a value, 0 for null.
fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.is_some())).collect()
}

fn field(name: &str, column: Column) -> Result<Type, ParquetError> {
    let (physical, logical, repetition) = match column {
        Column::RequiredText => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        Column::RequiredUnsigned => (Physical::INT64, Some(LogicalType::integer(64, false)), Repetition::REQUIRED),
        Column::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::OPTIONAL),
        Column::Whole => (Physical::INT64, None, Repetition::OPTIONAL),
        Column::Real => (Physical::DOUBLE, None, Repetition::OPTIONAL),
    };
    let field = Type::primitive_type_builder(name, physical).with_repetition(repetition);
    field.with_logical_type(logical).build()
}
