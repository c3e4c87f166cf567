//! What Parquet, Arrow IPC and NumPy tables share: columns of Arrow's types as numbers.

use crate::arrow::array::{ArrayRef, AsArray, Float64Array, RecordBatch};
use crate::arrow::datatypes::{
    DataType, Date32Type, Date64Type, Schema, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use crate::arrow::error::ArrowError;
use crate::batch::{Batch, Carry, Notes, Survey, Time, Wanted};
use crate::error::TableError;
use crate::to_numbers::numbers;
use std::collections::HashMap;
use std::path::Path;

pub(crate) fn damaged(path: &Path, cause: impl std::error::Error + Send + Sync + 'static) -> TableError {
    TableError::Columnar { path: path.to_path_buf(), cause: Box::new(cause) }
}

/// The names of the columns.
pub(crate) fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|f| f.name().clone()).collect()
}

/// Whether a column holds truth values.
pub(crate) fn is_truth(schema: &Schema, name: &str) -> bool {
    schema.field_with_name(name).is_ok_and(|field| match field.data_type() {
        DataType::Dictionary(_, value) => **value == DataType::Boolean,
        other => *other == DataType::Boolean,
    })
}

/// What is known of columns by their types.
pub(crate) fn survey(schema: &Schema, columns: &[String]) -> Survey {
    let text = |name: &String| schema.field_with_name(name).is_ok_and(|field| is_text(field.data_type()));
    Survey {
        truth: columns.iter().map(|name| is_truth(schema, name)).collect(),
        text: columns.iter().map(text).collect(),
        missing: None,
    }
}

/// What each column counts, if it holds dates or times.
pub(crate) fn times(schema: &Schema) -> Vec<Option<Time>> {
    schema.fields().iter().map(|field| time(field.data_type())).collect()
}

fn time(data_type: &DataType) -> Option<Time> {
    match data_type {
        DataType::Date32 => Some(Time::Days),
        DataType::Date64 | DataType::Timestamp(..) => Some(Time::Seconds),
        _ => None,
    }
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, value) => is_text(value),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        _ => false,
    }
}

/// The wanted columns are there, under one name each, and the numbers among them are numbers.
pub(crate) fn check_wanted(path: &Path, schema: &Schema, wanted: &Wanted) -> Result<(), TableError> {
    // The places of each name's first two columns; looked up, so that wide tables take no longer per column.
    let mut places: HashMap<&str, (usize, Option<usize>)> = HashMap::new();
    for (i, field) in schema.fields().iter().enumerate() {
        places.entry(field.name()).and_modify(|p| p.1 = p.1.or(Some(i))).or_insert((i, None));
    }
    for (place, name) in wanted.numeric.iter().chain(&wanted.texts).enumerate() {
        let (path, column) = (path.to_path_buf(), name.clone());
        let Some((first, second)) = places.get(name.as_str()).copied() else {
            return Err(TableError::NoSuchColumn { path, column });
        };
        if let Some(second) = second {
            return Err(TableError::DuplicateColumn { path, column, numbers: (first + 1, second + 1) });
        }
        let data_type = schema.field(first).data_type();
        if place < wanted.numeric.len() && !is_numeric(data_type) {
            return Err(TableError::NotNumeric { path, column, found: format!("{data_type}") });
        }
    }
    Ok(())
}

fn is_numeric(data_type: &DataType) -> bool {
    match data_type {
        other if time(other).is_some() => true,
        DataType::Boolean | DataType::Null => true,
        DataType::Dictionary(_, value) => is_numeric(value),
        other => other.is_numeric(),
    }
}

pub(crate) fn deliver(path: &Path, batch: RecordBatch, wanted: &Wanted) -> Result<Batch, TableError> {
    let mut numeric = Vec::with_capacity(wanted.numeric.len());
    let schema = batch.schema_ref();
    let places: HashMap<&str, usize> =
        schema.fields().iter().enumerate().map(|(i, f)| (f.name().as_str(), i)).collect();
    let mut notes = Notes::default();
    for name in &wanted.numeric {
        let Some(column) = places.get(name.as_str()).map(|i| batch.column(*i)) else {
            return Err(TableError::NoSuchColumn { path: path.to_path_buf(), column: name.clone() });
        };
        notes.look_for_large_integers(name, column);
        numeric.push(as_numbers(column).map_err(|e| damaged(path, e))?);
    }
    let mut texts = Vec::with_capacity(wanted.texts.len());
    for name in &wanted.texts {
        let Some(place) = places.get(name.as_str()) else {
            return Err(TableError::NoSuchColumn { path: path.to_path_buf(), column: name.clone() });
        };
        texts.push(batch.column(*place).clone());
    }
    let (rows, carry) = (batch.num_rows(), wanted.carry != Carry::Nothing);
    Ok(Batch { rows, numeric, texts, carried: carry.then_some(batch), stored: None, extent: rows as u64, notes })
}

fn as_numbers(column: &ArrayRef) -> Result<Float64Array, ArrowError> {
    if let Some(numbers) = time_as_numbers(column) {
        return Ok(numbers);
    }
    numbers(column)
}

/// Days of dates, seconds of times.
fn time_as_numbers(column: &ArrayRef) -> Option<Float64Array> {
    Some(match column.data_type() {
        DataType::Date32 => column.as_primitive::<Date32Type>().unary(f64::from),
        DataType::Date64 => column.as_primitive::<Date64Type>().unary(|t| t as f64 / 1e3),
        DataType::Timestamp(TimeUnit::Second, _) => column.as_primitive::<TimestampSecondType>().unary(|t| t as f64),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            column.as_primitive::<TimestampMillisecondType>().unary(|t| t as f64 / 1e3)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            column.as_primitive::<TimestampMicrosecondType>().unary(|t| t as f64 / 1e6)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            column.as_primitive::<TimestampNanosecondType>().unary(|t| t as f64 / 1e9)
        }
        _ => return None,
    })
}
