//! Which rows a piece has.

use crate::error::EvaluationError;
use std::sync::{Condvar, Mutex, PoisonError};

/// The number of each piece's first row. It is known when all pieces before it have been decoded; they are on other
/// threads, which wait for none behind them.
#[derive(Default)]
pub(crate) struct RowNumbers {
    state: Mutex<RowState>,
    changed: Condvar,
}

#[derive(Default)]
struct RowState {
    /// Pieces that are counted in `rows`.
    pieces: u64,
    rows: u64,
    given_up: bool,
}

impl RowNumbers {
    /// The first row of piece `number`, which has `rows` rows.
    pub(crate) fn first(&self, number: u64, rows: u64) -> Result<u64, EvaluationError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.pieces == number {
                let first = state.rows;
                state.pieces += 1;
                state.rows += rows;
                self.changed.notify_all();
                return Ok(first);
            }
            if state.given_up {
                // The piece that failed is an earlier one, and its error is the one that is reported.
                return Err(EvaluationError::EarlierPiece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn give_up(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).given_up = true;
        self.changed.notify_all();
    }
}
