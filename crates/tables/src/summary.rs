//! What is known while a table is evaluated, and afterwards.

use gristmill_table_io::{Notes, Size};
use std::time::Duration;

/// What was done.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Rows of the output.
    pub rows: u64,
    /// Columns of the output.
    pub columns: usize,
    /// NaNs in the results of rows where no column that they use is NaN: R's "NaNs produced".
    pub nans: u64,
    /// What may surprise about the values that were read.
    pub notes: Notes,
    /// From start to end.
    pub time: Duration,
}

/// How far the work is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Progress {
    /// How much there is, if that is known.
    pub size: Option<Size>,
    /// How much of it is done.
    pub done: u64,
    /// Rows that are done.
    pub rows: u64,
    /// Since the start.
    pub time: Duration,
}

/// What the work takes on one CPU thread.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Cost {
    /// About so many rows.
    pub rows: u64,
    /// Seconds.
    pub per_row: f64,
    /// Of input and output.
    pub bytes_per_row: usize,
}
