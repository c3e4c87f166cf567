//! What has to be done in the order of the pieces, although threads carry them.

use crate::error::EvaluationError;
use std::sync::{Condvar, Mutex, PoisonError};

/// A state that the pieces change one after the other, in their order. A piece waits until all before it have had their turn;
/// they are on other threads, which wait for none behind them.
pub(crate) struct Turns<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// Pieces that have had their turn.
    pieces: u64,
    value: T,
    given_up: bool,
}

impl<T> Turns<T> {
    pub(crate) fn new(value: T) -> Turns<T> {
        Turns { state: Mutex::new(State { pieces: 0, value, given_up: false }), changed: Condvar::new() }
    }

    /// The turn of piece `number`.
    pub(crate) fn take<R>(
        &self,
        number: u64,
        turn: impl FnOnce(&mut T) -> Result<R, EvaluationError>,
    ) -> Result<R, EvaluationError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.pieces == number {
                let done = turn(&mut state.value);
                state.pieces += 1;
                state.given_up |= done.is_err();
                self.changed.notify_all();
                return done;
            }
            if state.given_up {
                // The piece that failed is an earlier one, and its error is the one that is reported.
                return Err(EvaluationError::EarlierPiece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A piece has failed before its turn: those behind it need not wait for it.
    pub(crate) fn give_up(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).given_up = true;
        self.changed.notify_all();
    }
}
