//! What is known while a table is evaluated, and afterwards.

use gristmill_table_io::{Notes, Size};
use std::time::{Duration, Instant};

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
    /// What separates the fields of the table, if its header was asked for it.
    pub delimiter: Option<char>,
    /// From start to end.
    pub time: Duration,
}

/// How far the work is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Progress {
    /// How much there is in this pass over the table, if that is known.
    pub size: Option<Size>,
    /// How much of it is done.
    pub done: u64,
    /// Rows that are done in this pass.
    pub rows: u64,
    /// The number of this pass, from 1.
    pub pass: usize,
    /// How many there will be.
    pub passes: usize,
    /// Since the start.
    pub time: Duration,
    start: Instant,
}

impl Progress {
    pub(crate) fn new(start: Instant, passes: usize) -> Progress {
        Progress { size: None, done: 0, rows: 0, pass: 0, passes, time: start.elapsed(), start }
    }

    pub(crate) fn next_pass(&mut self, size: Option<Size>) {
        self.pass += 1;
        // A quantile may need one more.
        self.passes = self.passes.max(self.pass);
        (self.size, self.done, self.rows) = (size, 0, 0);
    }

    pub(crate) fn go_on(&mut self, extent: u64, rows: u64) {
        self.done += extent;
        self.rows += rows;
        self.time = self.start.elapsed();
    }

    /// The time that is left if the rest takes as long as what is done took; `None` if it is not known how much there is.
    pub fn left(&self) -> Option<Duration> {
        let size = match self.size? {
            Size::Rows(size) | Size::Bytes(size) => size,
        };
        let passes = self.pass.saturating_sub(1) as f64 + self.done as f64 / size.max(1) as f64;
        let part = (passes / self.passes.max(1) as f64).min(1.0);
        (part > 0.0).then(|| self.time.mul_f64((1.0 - part) / part))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two passes of 100 rows, a second for each ten.
    #[test]
    fn at_a_constant_rate_the_time_left_is_right() {
        let mut progress = Progress::new(Instant::now(), 2);
        for pass in 0..2_u64 {
            progress.next_pass(Some(Size::Rows(100)));
            for step in 1..=10 {
                progress.go_on(10, 10);
                progress.time = Duration::from_secs(10 * pass + step);
                let left = progress.left().unwrap().as_secs_f64();
                assert!((left - (20 - 10 * pass - step) as f64).abs() < 1e-6, "{left} s after {:?}", progress.time);
            }
        }
    }
}
