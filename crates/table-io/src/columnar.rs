//! Parquet and Arrow IPC.

use crate::batch::{Batch, Batches, Wanted};
use crate::error::TableError;
use arrow::array::{ArrayRef, Float64Array, RecordBatch, RecordBatchReader};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows per batch of Parquet: temporaries of a few columns stay within the cache of a core or two.
const ROWS: usize = 64 * 1024;

pub(crate) struct ColumnarTable {
    path: PathBuf,
    schema: SchemaRef,
    source: Source,
}

enum Source {
    Parquet(Box<ParquetRecordBatchReaderBuilder<File>>),
    Arrow(Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>),
}

impl std::fmt::Debug for ColumnarTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnarTable").field("path", &self.path).field("schema", &self.schema).finish_non_exhaustive()
    }
}

fn damaged(path: &Path, cause: impl std::error::Error + Send + Sync + 'static) -> TableError {
    TableError::Columnar { path: path.to_path_buf(), cause: Box::new(cause) }
}

impl ColumnarTable {
    pub(crate) fn from_parquet(path: PathBuf, file: File) -> Result<ColumnarTable, TableError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| damaged(&path, e))?;
        let schema = builder.schema().clone();
        Ok(ColumnarTable { path, schema, source: Source::Parquet(Box::new(builder)) })
    }

    pub(crate) fn from_arrow_file(path: PathBuf, file: BufReader<File>) -> Result<ColumnarTable, TableError> {
        let reader = FileReader::try_new(file, None).map_err(|e| damaged(&path, e))?;
        let schema = reader.schema();
        Ok(ColumnarTable { path, schema, source: Source::Arrow(Box::new(reader)) })
    }

    pub(crate) fn from_stream(path: PathBuf, source: Box<dyn Read + Send>) -> Result<ColumnarTable, TableError> {
        let reader = StreamReader::try_new(BufReader::new(source), None).map_err(|e| damaged(&path, e))?;
        let schema = reader.schema();
        Ok(ColumnarTable { path, schema, source: Source::Arrow(Box::new(reader)) })
    }

    pub(crate) fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|f| f.name().clone()).collect()
    }

    pub(crate) fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        for name in &wanted.numeric {
            let Ok(field) = self.schema.field_with_name(name) else {
                return Err(TableError::NoSuchColumn { path: self.path, column: name.clone() });
            };
            if !is_numeric(field.data_type()) {
                let found = format!("{}", field.data_type());
                return Err(TableError::NotNumeric { path: self.path, column: name.clone(), found });
            }
        }
        let path = self.path;
        let batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send> = match self.source {
            Source::Arrow(batches) => batches,
            Source::Parquet(builder) => {
                // Only the columns that are used are read at all.
                let mask = if wanted.carry {
                    ProjectionMask::all()
                } else {
                    ProjectionMask::columns(builder.parquet_schema(), wanted.numeric.iter().map(String::as_str))
                };
                let reader =
                    builder.with_projection(mask).with_batch_size(ROWS).build().map_err(|e| damaged(&path, e))?;
                debug_assert!(!wanted.carry || reader.schema().fields().len() == self.schema.fields().len());
                Box::new(reader)
            }
        };
        let wanted = wanted.clone();
        let schema = if wanted.carry { self.schema } else { Arc::new(Schema::empty()) };
        let next = batches.map(move |batch| deliver(&path, batch.map_err(|e| damaged(&path, e))?, &wanted));
        Ok(Batches { schema, next: Box::new(next) })
    }
}

fn is_numeric(data_type: &DataType) -> bool {
    match data_type {
        DataType::Boolean | DataType::Null => true,
        DataType::Dictionary(_, value) => is_numeric(value),
        other => other.is_numeric(),
    }
}

fn deliver(path: &Path, batch: RecordBatch, wanted: &Wanted) -> Result<Batch, TableError> {
    let mut numeric = Vec::with_capacity(wanted.numeric.len());
    for name in &wanted.numeric {
        let Some(column) = batch.column_by_name(name) else {
            return Err(TableError::NoSuchColumn { path: path.to_path_buf(), column: name.clone() });
        };
        numeric.push(as_numbers(column).map_err(|e| damaged(path, e))?);
    }
    Ok(Batch { rows: batch.num_rows(), numeric, carried: wanted.carry.then_some(batch) })
}

fn as_numbers(column: &ArrayRef) -> Result<Float64Array, ArrowError> {
    let numbers = cast(column, &DataType::Float64)?;
    Ok(arrow::array::AsArray::as_primitive::<Float64Type>(&numbers).clone())
}
