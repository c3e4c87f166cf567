//! Ctrl-C during long work: who waits for it asks Python now and then.

use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often Python is asked whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// Elements of short loops between two looks at the clock, which takes as long as one or two of them.
const ELEMENTS: usize = 1024;

/// How a wait ended.
pub(crate) enum Waited<T> {
    /// With what was sent.
    Done(T),
    /// Whoever was to send has gone.
    Gone,
    /// By Ctrl-C, or by what `look` raised.
    Interrupted(PyErr),
}

/// Waits for what another thread sends, while Python can do other things. Every now and then `look` is called with Python's
/// lock.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    receiver: &mut Receiver<T>,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> Waited<T> {
    loop {
        let alone = &mut *receiver;
        match py.detach(move || alone.recv_timeout(LOOK)) {
            Ok(done) => return Waited::Done(done),
            Err(RecvTimeoutError::Disconnected) => return Waited::Gone,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(error) = py.check_signals().and_then(|()| look(py)) {
            return Waited::Interrupted(error);
        }
    }
}

thread_local! {
    /// Whether signals are handled on this thread: Python does so on its main thread only.
    static HANDLES_SIGNALS: Cell<Option<bool>> = const { Cell::new(None) };
    static LAST_LOOK: Cell<Option<Instant>> = const { Cell::new(None) };
    static SINCE_CLOCK: Cell<usize> = const { Cell::new(0) };
    /// A loop was interrupted; NumPy may call it for further elements before it looks.
    static INTERRUPTED: Cell<bool> = const { Cell::new(false) };
}

/// For loops of NumPy's, which run on the thread of their caller: asks Python, unless that was just done, after `elements` more of
/// them.
///
/// # Errors
/// What the handler of a signal raised: KeyboardInterrupt, mostly.
pub(crate) fn check(elements: usize) -> PyResult<()> {
    let since = SINCE_CLOCK.get() + elements;
    if since < ELEMENTS {
        SINCE_CLOCK.set(since);
        return Ok(());
    }
    SINCE_CLOCK.set(0);
    let now = Instant::now();
    if LAST_LOOK.get().is_some_and(|last| now.duration_since(last) < LOOK) {
        return Ok(());
    }
    LAST_LOOK.set(Some(now));
    if HANDLES_SIGNALS.get() == Some(false) {
        return Ok(());
    }
    let checked = Python::attach(|py| {
        if HANDLES_SIGNALS.get().is_none() {
            HANDLES_SIGNALS.set(Some(is_main_thread(py)?));
        }
        py.check_signals()
    });
    INTERRUPTED.set(checked.is_err());
    checked
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    threading.call_method0("get_ident")?.eq(main)
}

/// Whether the call that this loop belongs to was interrupted: what is left of it need not be computed.
pub(crate) fn is_over() -> bool {
    if !INTERRUPTED.get() {
        return false;
    }
    let pending = Python::attach(PyErr::occurred);
    INTERRUPTED.set(pending);
    pending
}
