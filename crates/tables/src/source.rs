//! Rows before they are evaluated.

use crate::error::EvaluationError;
use gristmill_engine::{InputColumn, Rows};
use gristmill_table_io::arrow::array::Array;
use gristmill_table_io::arrow::datatypes::{Schema, SchemaRef};
use gristmill_table_io::{self as table_io, Batch, Batches, Notes, Origin, Size};
use std::sync::Arc;

/// Rows per batch where there is no input.
const BATCH: u64 = 64 * 1024;

/// Where batches come from.
pub(crate) enum Source {
    Table(Batches),
    /// No input: the numbers of rows.
    Rows {
        next: u64,
        end: u64,
    },
}

/// Rows that are not yet decoded.
pub(crate) enum UndecodedRows {
    Table(table_io::Piece),
    Rows(u64),
}

impl Source {
    /// The carried columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        match self {
            Source::Table(batches) => batches.carried_schema(),
            Source::Rows { .. } => Arc::new(Schema::empty()),
        }
    }

    /// Where the rows are stored, if they are carried along so.
    pub(crate) fn origin(&self) -> Option<Origin> {
        match self {
            Source::Table(batches) => batches.origin(),
            Source::Rows { .. } => None,
        }
    }

    pub(crate) fn size(&self) -> Option<Size> {
        match self {
            Source::Table(batches) => batches.size(),
            Source::Rows { end, .. } => Some(Size::Rows(*end)),
        }
    }

    pub(crate) fn next_piece(&mut self) -> Option<Result<UndecodedRows, EvaluationError>> {
        match self {
            Source::Table(batches) => batches.next_piece().map(|piece| Ok(UndecodedRows::Table(piece?))),
            Source::Rows { next, end } => {
                let count = BATCH.min(*end - *next);
                *next += count;
                (count > 0).then_some(Ok(UndecodedRows::Rows(count)))
            }
        }
    }
}

impl UndecodedRows {
    pub(crate) fn decode(self) -> Result<Batch, EvaluationError> {
        match self {
            UndecodedRows::Table(piece) => Ok(piece.decode()?),
            UndecodedRows::Rows(count) => {
                let (rows, notes) = (count as usize, Notes::default());
                Ok(Batch {
                    rows,
                    numeric: Vec::new(),
                    texts: Vec::new(),
                    carried: None,
                    stored: None,
                    extent: count,
                    notes,
                })
            }
        }
    }
}

/// The pieces of a source with their numbers.
pub(crate) fn numbered(mut source: Source) -> impl FnMut() -> Option<Result<(u64, UndecodedRows), EvaluationError>> {
    let mut number = 0;
    move || {
        let piece = source.next_piece()?;
        number += 1;
        Some(piece.map(|piece| (number - 1, piece)))
    }
}

/// Where each column's values are missing; `None` for columns without missing values.
pub(crate) fn missing_of(batch: &Batch) -> Vec<Option<Vec<bool>>> {
    batch
        .numeric
        .iter()
        .map(|a| a.nulls().filter(|n| n.null_count() > 0).map(|n| n.iter().map(|v| !v).collect()))
        .collect()
}

pub(crate) fn columns_of<'a>(batch: &'a Batch, missing: &'a [Option<Vec<bool>>]) -> Vec<InputColumn<'a>> {
    batch.numeric.iter().zip(missing).map(|(a, m)| InputColumn { values: a.values(), missing: m.as_deref() }).collect()
}

pub(crate) fn rows_of<'a>(batch: &Batch, first: u64, columns: &'a [InputColumn<'a>]) -> Rows<'a> {
    Rows { count: batch.rows, first, columns }
}
