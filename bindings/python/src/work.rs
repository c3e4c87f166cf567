//! Long work: without Python's lock, on our threads, and stopped by Ctrl-C.

use crate::threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often Python is asked whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// How long work that was told to stop is waited for. It then ends by itself, at its next step, and nobody sees its result.
const PATIENCE: Duration = Duration::from_millis(400);

/// Tells work to end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether the work should go on.
    pub(crate) fn go_on(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }
}

/// Runs `work` on the package's threads while Python can do other things. Every now and then `look` is called with Python's
/// lock; its error, or Ctrl-C, stops the work and is the result.
pub(crate) fn run<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> R + Send + 'static,
    mut look: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<R> {
    let stop = Stop::default();
    let (send, receive) = channel();
    let told = stop.clone();
    let body = move || {
        let done = catch_unwind(AssertUnwindSafe(|| match threads::pool_of_any_size() {
            Some(pool) => pool.install(|| work(&told)),
            None => work(&told),
        }));
        // Whoever asked may have gone.
        let _ = send.send(done);
    };
    let thread = std::thread::Builder::new().name("gristmill-work".into()).spawn(body);
    thread.map_err(|e| PyRuntimeError::new_err(format!("no thread can be started: {e}")))?;
    let done = py.detach(move || {
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let looked = Python::attach(|py| {
                py.check_signals()?;
                look(py)
            });
            if let Err(error) = looked {
                stop.0.store(true, Ordering::Relaxed);
                let _ = receive.recv_timeout(PATIENCE);
                return Err(error);
            }
        }
    })?;
    done.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        PyRuntimeError::new_err(format!("this should not have happened, please report it: {text}"))
    })
}

fn lost() -> PyErr {
    PyRuntimeError::new_err("the thread that did the work has gone")
}
