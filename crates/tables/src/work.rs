//! A piece of the input becomes a piece of the output.

use crate::error::EvaluationError;
use crate::layout::Layout;
use crate::query::{Place, Query};
use crate::source::UndecodedRows;
use crate::turns::Turns;
use gristmill_engine::{ResultColumn, ResultValues};
use gristmill_table_io::arrow::array::BooleanArray;
use gristmill_table_io::{Batch, Encoded, Encoder, Notes};

/// Rows on their way to a query: decoded, numbered, and without those that are left out.
pub(crate) struct Rows {
    pub(crate) batch: Batch,
    pub(crate) piece: u64,
    /// The number of the first row in the table, from 0, if the numbers are used.
    pub(crate) first: u64,
    /// The number of each row, if some are left out and the numbers are used.
    numbers: Option<Vec<f64>>,
    /// Rows of the piece before some were left out.
    pub(crate) read: u64,
}

impl Rows {
    pub(crate) fn place(&self) -> Place<'_> {
        Place { piece: self.piece, first: self.first, numbers: self.numbers.as_deref() }
    }
}

/// What makes rows of a piece.
pub(crate) struct Rowing<'a> {
    /// Which rows to keep.
    filter: Option<&'a Query<'a>>,
    /// Rows so far; only where their numbers are used.
    numbers: Option<Turns<u64>>,
}

impl<'a> Rowing<'a> {
    pub(crate) fn new(filter: Option<&'a Query<'a>>, numbered: bool) -> Rowing<'a> {
        Rowing { filter, numbers: numbered.then(|| Turns::new(0)) }
    }

    pub(crate) fn rows(&self, piece: u64, undecoded: UndecodedRows) -> Result<Rows, EvaluationError> {
        let batch = match undecoded.decode() {
            Ok(batch) => batch,
            Err(e) => {
                // Those behind need not wait for this one.
                self.numbers.iter().for_each(Turns::give_up);
                self.filter.iter().for_each(|filter| filter.give_up());
                return Err(e);
            }
        };
        let read = batch.rows as u64;
        let first = match &self.numbers {
            Some(numbers) => numbers.take(piece, |rows| {
                let first = *rows;
                *rows += read;
                Ok(first)
            })?,
            None => 0,
        };
        let Some(filter) = self.filter else { return Ok(Rows { batch, piece, first, numbers: None, read }) };
        let (results, _) = filter.evaluate(&batch, Place { piece, first, numbers: None })?;
        let keep = kept(results, batch.rows);
        let numbers = self.numbers.is_some().then(|| {
            let kept = keep.values().iter().enumerate().filter(|(_, keep)| *keep);
            kept.map(|(row, _)| (first + row as u64) as f64).collect()
        });
        let batch = if keep.true_count() == batch.rows { batch } else { batch.filter(&keep)? };
        Ok(Rows { batch, piece, first, numbers, read })
    }
}

/// The rows where a condition is true; where it is missing, it is not.
fn kept(results: Vec<ResultColumn>, rows: usize) -> BooleanArray {
    let Some(ResultColumn { values, missing }) = results.into_iter().next() else {
        return BooleanArray::from(vec![true; rows]);
    };
    let there = |row: usize| !missing.as_ref().is_some_and(|m| m[row]);
    let keep: Vec<bool> = match values {
        ResultValues::Bool(values) => values.iter().enumerate().map(|(row, v)| *v && there(row)).collect(),
        ResultValues::F64(values) => {
            values.iter().enumerate().map(|(row, v)| *v != 0.0 && !v.is_nan() && there(row)).collect()
        }
    };
    BooleanArray::from(keep)
}

/// What the threads need to turn a piece of the input into a piece of the output.
pub(crate) struct Work<'a> {
    pub(crate) rowing: Rowing<'a>,
    pub(crate) query: &'a Query<'a>,
    pub(crate) layout: &'a Layout,
    pub(crate) encoder: Encoder,
}

/// A piece of the output.
pub(crate) struct Part {
    pub(crate) encoded: Encoded,
    pub(crate) rows: u64,
    /// Of the input.
    pub(crate) read: u64,
    pub(crate) nans: u64,
    pub(crate) extent: u64,
    /// The number of each row in the input, if some are left out and the numbers are used.
    pub(crate) numbers: Option<Vec<f64>>,
    pub(crate) notes: Notes,
}

impl Work<'_> {
    pub(crate) fn piece(&self, number: u64, piece: UndecodedRows) -> Result<Part, EvaluationError> {
        let mut rows = match self.rowing.rows(number, piece) {
            Ok(rows) => rows,
            Err(e) => {
                self.query.give_up();
                return Err(e);
            }
        };
        let notes = std::mem::take(&mut rows.batch.notes);
        let (results, nans) = self.query.evaluate(&rows.batch, rows.place())?;
        let batch = &rows.batch;
        let table = self.layout.assemble(batch, results)?;
        let encoded = self.encoder.encode(batch.stored.as_ref(), table)?;
        let (count, extent) = (batch.rows as u64, batch.extent);
        Ok(Part { encoded, rows: count, read: rows.read, nans, extent, numbers: rows.numbers, notes })
    }

    /// As [`Work::piece`], for a piece that is as large as the table, on all threads; `go_on` hears of the rows that are done.
    pub(crate) fn piece_at_once(
        &self,
        piece: UndecodedRows,
        go_on: impl FnMut(usize) -> bool + Send,
    ) -> Result<Part, EvaluationError> {
        let mut batch = piece.decode()?;
        let notes = std::mem::take(&mut batch.notes);
        let (results, nans) = self.query.evaluate_all(&batch, go_on)?.ok_or(EvaluationError::Stopped)?;
        let encoded = self.encoder.encode(None, self.layout.assemble(&batch, results)?)?;
        let (rows, extent) = (batch.rows as u64, batch.extent);
        Ok(Part { encoded, rows, read: rows, nans, extent, numbers: None, notes })
    }
}
