//! A piece of the input becomes a piece of the output.

use crate::error::EvaluationError;
use crate::expressions::Expressions;
use crate::layout::Layout;
use crate::row_numbers::RowNumbers;
use crate::source::{UndecodedRows, columns_of, missing_of, rows_of};
use gristmill_engine::plan::Plan;
use gristmill_engine::{Prepared, Reduced, ResultColumn, ResultValues};
use gristmill_table_io::{Batch, Encoded, Encoder, Notes};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What the threads need to turn a piece of the input into a piece of the output.
pub(crate) struct Work<'a> {
    pub(crate) expressions: &'a Expressions<'a>,
    pub(crate) known: &'a [Reduced],
    pub(crate) layout: &'a Layout,
    pub(crate) encoder: Encoder,
    /// The plans that are ready to run, by which columns have missing values.
    pub(crate) prepared: Mutex<HashMap<Vec<bool>, Arc<Prepared>>>,
    /// Held while a device computes: it does one thing at a time.
    pub(crate) device: Mutex<()>,
    /// Only where expressions use the row's number.
    pub(crate) numbers: Option<RowNumbers>,
}

/// A piece of the output.
pub(crate) struct Part {
    pub(crate) encoded: Encoded,
    pub(crate) rows: u64,
    pub(crate) nans: u64,
    pub(crate) extent: u64,
    pub(crate) notes: Notes,
}

impl Work<'_> {
    pub(crate) fn piece(&self, number: u64, piece: UndecodedRows) -> Result<Part, EvaluationError> {
        let mut batch = match (piece.decode(), &self.numbers) {
            (Ok(batch), _) => batch,
            (Err(e), numbers) => {
                numbers.iter().for_each(RowNumbers::give_up);
                return Err(e);
            }
        };
        let first = match &self.numbers {
            Some(numbers) => numbers.first(number, batch.rows as u64)?,
            None => 0,
        };
        let notes = std::mem::take(&mut batch.notes);
        let missing = missing_of(&batch);
        let prepared = self.prepared(missing.iter().map(Option::is_some).collect())?;
        let columns = columns_of(&batch, &missing);
        let rows = rows_of(&batch, first, &columns);
        let results = if self.expressions.engine().device().is_some() {
            let _turn = self.device.lock().unwrap_or_else(PoisonError::into_inner);
            prepared.evaluate_here(&rows)?
        } else {
            prepared.evaluate_here(&rows)?
        };
        let nans = new_nans(prepared.plan(), &batch, &results);
        let table = self.layout.assemble(&batch, results)?;
        let encoded = self.encoder.encode(batch.stored.as_ref(), table)?;
        Ok(Part { encoded, rows: batch.rows as u64, nans, extent: batch.extent, notes })
    }

    fn prepared(&self, with_missing: Vec<bool>) -> Result<Arc<Prepared>, EvaluationError> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = prepared.get(&with_missing) {
            return Ok(ready.clone());
        }
        let plan = self.expressions.plan(&with_missing)?;
        let ready = Arc::new(self.expressions.engine().prepare(&plan, self.known)?);
        prepared.insert(with_missing, ready.clone());
        Ok(ready)
    }
}

/// NaNs in the results of rows where no column that they use is NaN: R's "NaNs produced".
fn new_nans(plan: &Plan, batch: &Batch, results: &[ResultColumn]) -> u64 {
    let mut count = 0;
    for (output, result) in plan.outputs.iter().zip(results) {
        let ResultValues::F64(values) = &result.values else { continue };
        // Most batches have none, which a loop without branches tells.
        if values.iter().filter(|v| v.is_nan()).count() == 0 {
            continue;
        }
        for (row, value) in values.iter().enumerate() {
            let made_here = value.is_nan()
                && !result.missing.as_ref().is_some_and(|m| m[row])
                && !output.columns.iter().any(|c| batch.numeric[*c].value(row).is_nan());
            count += u64::from(made_here);
        }
    }
    count
}
