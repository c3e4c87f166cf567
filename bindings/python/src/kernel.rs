//! Kernels that are texts at run time, as ufuncs.

use crate::describe::type_name;
use crate::interrupt::{Waited, wait};
use crate::ufunc;
use gristmill_kernel_jit::{KernelSource, SourceError, limits};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PySyntaxError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};

/// A function of a text: its name, its ufunc, and the types of its parameters and results.
type Made<'py> = (&'static str, Bound<'py, PyAny>, Vec<&'static str>, Vec<&'static str>);

/// The functions of a text from numbers to numbers, in order. `file` is what errors call the text.
#[pyfunction]
pub(crate) fn kernels_of<'py>(py: Python<'py>, text: &str, file: &str) -> PyResult<Vec<Made<'py>>> {
    let source = parse(py, text, file)?;
    // Only what loops can take so long that somebody loses patience.
    let is_watched =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| matches!(w, "loop" | "while" | "for"));
    let made = source.functions().map(|function| {
        if function.params().len() == 0 {
            let message = format!("`{}` has no parameters, and a ufunc has at least one", function.name());
            return Err(PyValueError::new_err(message));
        }
        let params = function.params().map(|(_, ty)| type_name(ty)).collect();
        let results = function.results().into_iter().map(type_name).collect();
        Ok((function.name(), ufunc::of_text(py, function, is_watched)?, params, results))
    });
    made.collect()
}

/// A function of a text in another language: "opencl", "rust" or "ir".
#[pyfunction]
pub(crate) fn kernel_text(py: Python<'_>, text: &str, name: &str, lang: &str) -> PyResult<String> {
    let source = parse(py, text, "<kernel>")?;
    let shown = match lang {
        "opencl" => source.opencl(name),
        "rust" => source.rust(name),
        "ir" => source.ir(name),
        _ => {
            return Err(PyValueError::new_err(format!(
                "`lang` is {lang:?}, but must be \"rust\", \"opencl\" or \"ir\""
            )));
        }
    };
    shown.ok_or_else(|| PyKeyError::new_err(format!("no kernel of the text is called `{name}`")))
}

/// How many rounds of loops a call of a kernel may make, roughly; `None`: any number.
#[pyfunction]
pub(crate) fn set_kernel_fuel(rounds: Option<u64>) {
    limits::set_fuel(rounds);
}

fn parse(py: Python<'_>, text: &str, file: &str) -> PyResult<KernelSource> {
    py.detach(|| KernelSource::parse(text)).map_err(|error| syntax_error(error, file))
}

/// As Python's own: its traceback shows the line and carets below it.
fn syntax_error(error: SourceError, file: &str) -> PyErr {
    let SourceError { message, line, column, width, text, .. } = error;
    PySyntaxError::new_err((message, (file.to_string(), line, column, text, line, column + width)))
}

/// Why work on a ufunc's elements did not come to its end.
pub(crate) enum Ended {
    /// A kernel was stopped: its fuel was used up, or another call was interrupted.
    Stopped,
    /// Somebody pressed Ctrl-C; what its handler raised.
    Interrupted(PyErr),
    /// A bug of ours.
    Panicked,
}

impl Ended {
    pub(crate) fn of(payload: &(dyn Any + Send)) -> Ended {
        if payload.is::<gristmill_kernel::Stopped>() { Ended::Stopped } else { Ended::Panicked }
    }

    /// Tells Python.
    pub(crate) fn raise(self, py: Python<'_>, kernel: &str) {
        match self {
            Ended::Interrupted(error) => error.restore(py),
            Ended::Stopped => {
                let message = format!("`{kernel}` was stopped before its results were complete: its fuel was used up");
                PyRuntimeError::new_err(message).restore(py);
            }
            Ended::Panicked => {
                let message = format!("`{kernel}` failed; please report this with its arguments");
                PyRuntimeError::new_err(message).restore(py);
            }
        }
    }
}

/// Does the work on another thread, while this one asks now and then whether somebody pressed Ctrl-C: then all kernels of texts
/// that are running are stopped.
pub(crate) fn watched<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, Ended> {
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let run = || match take() {
        Some(work) => catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Ended::of(payload.as_ref())),
        None => Err(Ended::Panicked),
    };
    std::thread::scope(|scope| {
        let (sender, mut receiver) = channel();
        let run = &run;
        let there = move || {
            // It is waited for, below.
            let _ = sender.send(run());
        };
        if std::thread::Builder::new().spawn_scoped(scope, there).is_err() {
            // Where the system allows no more threads, nobody watches.
            return run();
        }
        // NumPy holds the interpreter for small arrays: other threads of Python shall go on meanwhile.
        Python::attach(|py| match wait(py, &mut receiver, |_| Ok(())) {
            Waited::Done(done) => done,
            Waited::Gone => Err(Ended::Panicked),
            Waited::Interrupted(error) => {
                limits::interrupt();
                let _ = py.detach(move || receiver.recv().map(drop));
                limits::resume();
                Err(Ended::Interrupted(error))
            }
        })
    })
}
