//! Parquet and Arrow IPC.

use crate::arrow::array::{ArrayRef, Float64Array, RecordBatch};
use crate::arrow::compute::{cast, concat_batches};
use crate::arrow::datatypes::{DataType, Float64Type, Schema, SchemaRef};
use crate::arrow::error::ArrowError;
use crate::arrow::ipc::reader::{FileReader, StreamReader};
use crate::batch::{Batch, Batches, Carry, Piece, Size, Wanted};
use crate::error::TableError;
use crate::section::SharedFile;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most rows and about the most bytes of a piece of a Parquet file.
const ROWS: usize = 128 * 1024;
const BYTES: usize = 8 << 20;

pub(crate) struct ColumnarTable {
    path: PathBuf,
    schema: SchemaRef,
    source: Source,
}

enum Source {
    Parquet(SharedFile, ArrowReaderMetadata),
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
        let file = SharedFile::new(file).map_err(|cause| TableError::Open { path: path.clone(), cause })?;
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(|e| damaged(&path, e))?;
        let schema = metadata.schema().clone();
        Ok(ColumnarTable { path, schema, source: Source::Parquet(file, metadata) })
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
        let carry = wanted.carry != Carry::Nothing;
        let schema = if carry { self.schema } else { Arc::new(Schema::empty()) };
        let (path, wanted) = (Arc::new(self.path), Arc::new(wanted.clone()));
        let (size, next): (_, Box<dyn Iterator<Item = Result<Piece, TableError>> + Send>) = match self.source {
            Source::Arrow(batches) => {
                let pieces = batches.map(move |batch| {
                    let batch = batch.map_err(|e| damaged(&path, e))?;
                    let (path, wanted) = (path.clone(), wanted.clone());
                    Ok(Piece::new(move || deliver(&path, batch, &wanted)))
                });
                (None, Box::new(pieces))
            }
            Source::Parquet(file, metadata) => {
                // Only the columns that are used are read at all.
                let mask = if carry {
                    ProjectionMask::all()
                } else {
                    ProjectionMask::columns(metadata.parquet_schema(), wanted.numeric.iter().map(String::as_str))
                };
                let rows = metadata.metadata().file_metadata().num_rows().max(0) as u64;
                let parts = parts(&metadata, &mask);
                let pieces = parts.into_iter().map(move |part| {
                    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), metadata.clone())
                        .with_projection(mask.clone());
                    let (path, wanted) = (path.clone(), wanted.clone());
                    Ok(Piece::new(move || read_part(&path, reader, part, &wanted)))
                });
                (Some(Size::Rows(rows)), Box::new(pieces))
            }
        };
        Ok(Batches { schema, size, next })
    }
}

/// Some rows of a row group.
#[derive(Debug, Clone, Copy)]
struct Part {
    group: usize,
    skip: usize,
    rows: usize,
}

/// All rows, in parts of bounded size: groups may be much larger.
fn parts(metadata: &ArrowReaderMetadata, mask: &ProjectionMask) -> Vec<Part> {
    let mut parts = Vec::new();
    for (group, info) in metadata.metadata().row_groups().iter().enumerate() {
        let rows = info.num_rows().max(0) as usize;
        let used = info.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
        let bytes: usize = used.map(|(_, column)| column.uncompressed_size().max(0) as usize).sum();
        let per_row = bytes / rows.max(1) + 1;
        let most = (BYTES / per_row).clamp(1024, ROWS);
        // Parts of one size, so that the last is not a small remainder.
        let count = rows.div_ceil(most);
        let mut skip = 0;
        for part in 0..count {
            let end = (part + 1) * rows / count;
            parts.push(Part { group, skip, rows: end - skip });
            skip = end;
        }
    }
    parts
}

fn read_part(
    path: &Path,
    reader: ParquetRecordBatchReaderBuilder<SharedFile>,
    part: Part,
    wanted: &Wanted,
) -> Result<Batch, TableError> {
    let mut selection = vec![RowSelector::select(part.rows)];
    if part.skip > 0 {
        selection.insert(0, RowSelector::skip(part.skip));
    }
    let whole = reader.metadata().row_group(part.group).num_rows() as usize == part.rows;
    let mut reader = reader.with_row_groups(vec![part.group]).with_batch_size(part.rows);
    if !whole {
        reader = reader.with_row_selection(RowSelection::from(selection));
    }
    let reader = reader.build().map_err(|e| damaged(path, e))?;
    let schema = crate::arrow::array::RecordBatchReader::schema(&reader);
    let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|e| damaged(path, e))?;
    let batch = match <[RecordBatch; 1]>::try_from(batches) {
        Ok([batch]) => batch,
        Err(batches) => concat_batches(&schema, &batches).map_err(|e| damaged(path, e))?,
    };
    deliver(path, batch, wanted)
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
    for name in &wanted.numeric {
        let Some(column) = batch.column_by_name(name) else {
            return Err(TableError::NoSuchColumn { path: path.to_path_buf(), column: name.clone() });
        };
        numeric.push(as_numbers(column).map_err(|e| damaged(path, e))?);
    }
    let (rows, carry) = (batch.num_rows(), wanted.carry != Carry::Nothing);
    Ok(Batch { rows, numeric, carried: carry.then_some(batch), lines: None, extent: rows as u64 })
}

fn as_numbers(column: &ArrayRef) -> Result<Float64Array, ArrowError> {
    let numbers = cast(column, &DataType::Float64)?;
    Ok(crate::arrow::array::AsArray::as_primitive::<Float64Type>(&numbers).clone())
}
