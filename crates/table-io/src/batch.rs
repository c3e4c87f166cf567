//! Rows on their way from a file through the engine to another file.

use crate::TableError;
use arrow::array::{Float64Array, RecordBatch};
use arrow::datatypes::SchemaRef;

/// What a reader should deliver.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The columns to compute with, as numbers.
    pub numeric: Vec<String>,
    /// Whether to deliver the columns themselves too, for the output.
    pub carry: bool,
    /// Whether carried columns of text files should get the types that their values suggest (for formats that have
    /// types) or stay text, to the letter (for text formats).
    pub typed: bool,
}

/// Some rows.
#[derive(Debug, Clone)]
pub struct Batch {
    /// How many.
    pub rows: usize,
    /// The wanted numbers, in the order in which they were asked for; missing values are nulls.
    pub numeric: Vec<Float64Array>,
    /// All columns of the input, if they are to be carried along.
    pub carried: Option<RecordBatch>,
}

/// The rows of a table, batch by batch.
pub struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) next: Box<dyn Iterator<Item = Result<Batch, TableError>> + Send>,
}

impl Batches {
    /// Names and types of the carried columns; without any if nothing is carried.
    pub fn carried_schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Iterator for Batches {
    type Item = Result<Batch, TableError>;
    fn next(&mut self) -> Option<Self::Item> {
        self.next.next()
    }
}

impl std::fmt::Debug for Batches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batches").field("schema", &self.schema).finish_non_exhaustive()
    }
}
