//! Parquet and Arrow IPC.

use crate::arrow::array::RecordBatch;
use crate::arrow::datatypes::{DataType, Schema, SchemaRef};
use crate::batch::{Batch, Batches, Carry, Notes, Piece, Wanted};
use crate::error::TableError;
use crate::guard::guarded;
use crate::ipc_read::{ArrowBatches, MAGIC};
use crate::parquet_read::ParquetFile;
use crate::to_numbers::numbers;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) struct ColumnarTable {
    path: PathBuf,
    schema: SchemaRef,
    source: Source,
}

enum Source {
    Parquet(ParquetFile),
    Arrow(ArrowBatches),
}

impl std::fmt::Debug for ColumnarTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnarTable").field("path", &self.path).field("schema", &self.schema).finish_non_exhaustive()
    }
}

pub(crate) fn damaged(path: &Path, cause: impl std::error::Error + Send + Sync + 'static) -> TableError {
    TableError::Columnar { path: path.to_path_buf(), cause: Box::new(cause) }
}

impl ColumnarTable {
    pub(crate) fn from_parquet(path: PathBuf, file: File) -> Result<ColumnarTable, TableError> {
        let file = ParquetFile::open(path.clone(), file)?;
        Ok(ColumnarTable { path, schema: file.schema().clone(), source: Source::Parquet(file) })
    }

    /// The file format, or a stream that was stored in a file: its first bytes tell.
    pub(crate) fn from_arrow_file(path: PathBuf, mut file: File) -> Result<ColumnarTable, TableError> {
        let mut start = Vec::new();
        let read = Read::by_ref(&mut file).take(MAGIC.len() as u64).read_to_end(&mut start);
        read.and_then(|_| file.rewind()).map_err(|cause| TableError::Read { path: path.clone(), cause })?;
        if start != MAGIC {
            return ColumnarTable::from_stream(path, Box::new(file));
        }
        let batches = guarded(&path, || ArrowBatches::from_file(path.clone(), file))?;
        Ok(ColumnarTable { path, schema: batches.schema(), source: Source::Arrow(batches) })
    }

    pub(crate) fn from_stream(path: PathBuf, source: Box<dyn Read + Send>) -> Result<ColumnarTable, TableError> {
        let batches = guarded(&path, || ArrowBatches::from_stream(path.clone(), source))?;
        Ok(ColumnarTable { path, schema: batches.schema(), source: Source::Arrow(batches) })
    }

    pub(crate) fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|f| f.name().clone()).collect()
    }

    /// The columns that hold truth values.
    pub(crate) fn truth_columns(&self) -> HashSet<&str> {
        let is_truth = |data_type: &DataType| match data_type {
            DataType::Dictionary(_, value) => **value == DataType::Boolean,
            other => *other == DataType::Boolean,
        };
        self.schema.fields().iter().filter(|f| is_truth(f.data_type())).map(|f| f.name().as_str()).collect()
    }

    pub(crate) fn batches(self, wanted: &Wanted) -> Result<Batches, TableError> {
        // The places of each name's first two columns; looked up, so that wide tables take no longer per column.
        let mut places: HashMap<&str, (usize, Option<usize>)> = HashMap::new();
        for (i, field) in self.schema.fields().iter().enumerate() {
            places.entry(field.name()).and_modify(|p| p.1 = p.1.or(Some(i))).or_insert((i, None));
        }
        for name in &wanted.numeric {
            let Some((first, second)) = places.get(name.as_str()).copied() else {
                return Err(TableError::NoSuchColumn { path: self.path, column: name.clone() });
            };
            if let Some(second) = second {
                let numbers = (first + 1, second + 1);
                return Err(TableError::DuplicateColumn { path: self.path, column: name.clone(), numbers });
            }
            let data_type = self.schema.field(first).data_type();
            if !is_numeric(data_type) {
                let found = format!("{data_type}");
                return Err(TableError::NotNumeric { path: self.path, column: name.clone(), found });
            }
        }
        let carry = wanted.carry != Carry::Nothing;
        let schema = if carry { self.schema } else { Arc::new(Schema::empty()) };
        let batches = match self.source {
            Source::Parquet(file) => return Ok(file.batches(schema, wanted)),
            Source::Arrow(batches) => batches,
        };
        let mut batches = Some(batches);
        let (path, wanted) = (Arc::new(self.path), Arc::new(wanted.clone()));
        let next = std::iter::from_fn(move || {
            let reader = batches.as_mut()?;
            let batch = match guarded(&path, || reader.next().transpose()) {
                Ok(batch) => batch?,
                Err(e) => {
                    batches = None;
                    return Some(Err(e));
                }
            };
            let (path, wanted) = (path.clone(), wanted.clone());
            Some(Ok(Piece::new(move || guarded(&path, || deliver(&path, batch, &wanted)))))
        });
        Ok(Batches { schema, size: None, origin: None, next: Box::new(next) })
    }
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
        numeric.push(numbers(column).map_err(|e| damaged(path, e))?);
    }
    let (rows, carry) = (batch.num_rows(), wanted.carry != Carry::Nothing);
    Ok(Batch { rows, numeric, carried: carry.then_some(batch), stored: None, extent: rows as u64, notes })
}
