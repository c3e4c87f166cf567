//! Long work: without Python's lock, on our threads, and stopped by Ctrl-C.

use crate::interrupt::{Waited, wait};
use crate::threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

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

    /// For crates that know nothing of Python: true once the work should end.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

/// Runs `work` on the package's threads while Python can do other things. Every now and then `look` is called with Python's
/// lock; its error, or Ctrl-C, stops the work and is the result.
pub(crate) fn run<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> R + Send + 'static,
    look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<R> {
    run_with(py, Stop::default(), work, look)
}

/// As [`run`], with a way to stop it that the work's data knows already; work of the same data that runs at the same time stops
/// with it.
pub(crate) fn run_with<R: Send + 'static>(
    py: Python<'_>,
    stop: Stop,
    work: impl FnOnce(&Stop) -> R + Send + 'static,
    look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<R> {
    stop.0.store(false, Ordering::Relaxed);
    let (send, mut receive) = channel();
    let told = stop.clone();
    let body = move || {
        let done = on_threads(|| work(&told));
        // Whoever asked may have gone.
        let _ = send.send(done);
    };
    let thread = std::thread::Builder::new().name("gristmill-work".into()).spawn(body);
    thread.map_err(|e| PyRuntimeError::new_err(format!("no thread can be started: {e}")))?;
    match wait(py, &mut receive, look) {
        Waited::Done(done) => done,
        Waited::Gone => Err(PyRuntimeError::new_err("the thread that did the work has gone")),
        Waited::Interrupted(error) => {
            stop.0.store(true, Ordering::Relaxed);
            let _ = py.detach(move || receive.recv_timeout(PATIENCE).map(drop));
            Err(error)
        }
    }
}

/// Runs work that takes less than a second: nobody need be able to stop it, and a thread for it would take longer.
pub(crate) fn run_short<R: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> R + Send) -> PyResult<R> {
    py.detach(|| on_threads(|| work(&Stop::default())))
}

fn on_threads<R: Send>(work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let done = catch_unwind(AssertUnwindSafe(|| match threads::pool_of_any_size() {
        Some(pool) => pool.install(work),
        None => work(),
    }));
    done.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        PyRuntimeError::new_err(format!("this should not have happened, please report it: {text}"))
    })
}
