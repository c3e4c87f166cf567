//! Tables in memory: those of a caller who has Arrow's columns already, or wants them.

use crate::arrow::array::{Array, RecordBatch};
use crate::arrow::datatypes::{DataType, Schema, SchemaRef};
use crate::batch::{Batches, Carry, Piece, Size, Survey, Time, Wanted};
use crate::columnar::{check_wanted, deliver, names, survey, times};
use crate::error::TableError;
use crate::format::{AsTheyAre, Encode, Sink, Table};
use crate::write::{Encoded, Output};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows of one piece: few enough that every thread gets some, and that work can be stopped between two of them.
const PIECE: usize = 16 * 1024;

/// What messages call a table in memory.
pub(crate) const NAME: &str = "the table";

/// Columns of one length, in one or more parts.
#[derive(Debug, Clone)]
pub struct MemoryTable {
    schema: SchemaRef,
    batches: Arc<Vec<RecordBatch>>,
}

impl MemoryTable {
    /// A table of these parts, which all have this schema.
    ///
    /// # Errors
    /// When one has other columns.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<MemoryTable, TableError> {
        let types = |schema: &Schema| -> Vec<_> { schema.fields().iter().map(|f| f.data_type().clone()).collect() };
        if batches.iter().any(|batch| types(batch.schema_ref()) != types(&schema)) {
            return Err(TableError::OtherColumns { path: NAME.into(), first: NAME.into() });
        }
        Ok(MemoryTable { schema, batches: Arc::new(batches) })
    }

    /// Names and types of the columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The parts.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Whether it is in one part, in which these columns are doubles and none is missing: nothing need be decoded.
    pub fn is_of_doubles(&self, columns: &[String]) -> bool {
        let [batch] = self.batches() else { return false };
        let mut all = columns.iter().map(|name| batch.column_by_name(name));
        all.all(|column| column.is_some_and(|c| *c.data_type() == DataType::Float64 && c.null_count() == 0))
    }
}

impl Table for MemoryTable {
    fn columns(&self) -> Vec<String> {
        names(&self.schema)
    }

    fn times(&self) -> Vec<Option<Time>> {
        times(&self.schema)
    }

    fn survey(&mut self, columns: &[String]) -> Result<Survey, TableError> {
        Ok(survey(&self.schema, columns))
    }

    fn batches(self: Box<Self>, wanted: &Wanted) -> Result<Batches, TableError> {
        check_wanted(Path::new(NAME), &self.schema, wanted)?;
        let schema = if wanted.carry == Carry::Nothing { Arc::new(Schema::empty()) } else { self.schema.clone() };
        let size = Some(Size::Rows(self.rows() as u64));
        let wanted = Arc::new(wanted.clone());
        let most = if wanted.whole { usize::MAX } else { PIECE };
        let (mut part, mut start) = (0, 0);
        let next = std::iter::from_fn(move || {
            let batch = loop {
                let batch = self.batches.get(part)?;
                if start < batch.num_rows() {
                    break batch;
                }
                (part, start) = (part + 1, 0);
            };
            let rows = most.min(batch.num_rows() - start);
            // Shares the memory of the columns.
            let piece = batch.slice(start, rows);
            start += rows;
            let wanted = wanted.clone();
            Some(Ok(Piece::new(move || deliver(Path::new(NAME), piece, &wanted))))
        });
        Ok(Batches { schema, size, origin: None, next: Box::new(next) })
    }
}

/// A place for the rows that a [`crate::TableWriter`] is given.
#[derive(Debug, Clone, Default)]
pub struct Collected(Arc<Mutex<Vec<RecordBatch>>>);

impl Collected {
    /// The rows so far; they are taken away.
    pub fn take(&self) -> Vec<RecordBatch> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, batch: RecordBatch) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(batch);
    }
}

/// Collects rows as they are.
pub(crate) struct MemorySink(pub(crate) Collected);

impl Sink for MemorySink {
    fn encoder(&self) -> Arc<dyn Encode> {
        Arc::new(AsTheyAre)
    }

    fn write(&mut self, rows: Encoded) -> Result<(), TableError> {
        self.0.push(rows.of(&PathBuf::from(NAME))?);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Output, TableError> {
        Ok(Output::Memory)
    }
}
