//! What Parquet, Arrow IPC and NumPy tables share: columns of Arrow's types as numbers.

use crate::arrow::array::{ArrayRef, Float64Array, RecordBatch};
use crate::arrow::compute::cast;
use crate::arrow::datatypes::{DataType, Float64Type, Schema};
use crate::arrow::error::ArrowError;
use crate::batch::{Batch, Carry, Notes, Wanted};
use crate::error::TableError;
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

/// The wanted numbers are there, under one name each, and are numbers.
pub(crate) fn check_numeric(path: &Path, schema: &Schema, wanted: &Wanted) -> Result<(), TableError> {
    // The places of each name's first two columns; looked up, so that wide tables take no longer per column.
    let mut places: HashMap<&str, (usize, Option<usize>)> = HashMap::new();
    for (i, field) in schema.fields().iter().enumerate() {
        places.entry(field.name()).and_modify(|p| p.1 = p.1.or(Some(i))).or_insert((i, None));
    }
    for name in &wanted.numeric {
        let (path, column) = (path.to_path_buf(), name.clone());
        let Some((first, second)) = places.get(name.as_str()).copied() else {
            return Err(TableError::NoSuchColumn { path, column });
        };
        if let Some(second) = second {
            return Err(TableError::DuplicateColumn { path, column, numbers: (first + 1, second + 1) });
        }
        let data_type = schema.field(first).data_type();
        if !is_numeric(data_type) {
            return Err(TableError::NotNumeric { path, column, found: format!("{data_type}") });
        }
    }
    Ok(())
}

fn is_numeric(data_type: &DataType) -> bool {
    match data_type {
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
    let (rows, carry) = (batch.num_rows(), wanted.carry != Carry::Nothing);
    Ok(Batch { rows, numeric, carried: carry.then_some(batch), stored: None, extent: rows as u64, notes })
}

fn as_numbers(column: &ArrayRef) -> Result<Float64Array, ArrowError> {
    let numbers = cast(column, &DataType::Float64)?;
    Ok(crate::arrow::array::AsArray::as_primitive::<Float64Type>(&numbers).clone())
}
