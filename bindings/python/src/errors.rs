//! Errors of the crates as Python's exceptions: their text with its causes.

use gristmill::engine::EngineError;
use gristmill::glm::GlmError;
use gristmill::tables::EvaluationError;
use gristmill::tables::io::TableError;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyRuntimeError, PyTypeError, PyValueError};
use std::error::Error;
use std::io;

/// The text of an error and of what caused it. What the command writes as an option is an argument here.
pub(crate) fn text(error: &dyn Error) -> String {
    gristmill_support::with_causes(error)
        .replace("`--na-out`", "`na_out`")
        .replace("`--no-header`", "`header`")
        .replace("`--", "`")
}

pub(crate) fn value(error: &(dyn Error + 'static)) -> PyErr {
    PyValueError::new_err(text(error))
}

fn of_io(cause: &io::Error, text: String) -> PyErr {
    match cause.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        io::ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}

pub(crate) fn of_table(error: &TableError) -> PyErr {
    let text = text(error);
    match error {
        TableError::Open { cause, .. } | TableError::Read { cause, .. } | TableError::Write { cause, .. } => {
            of_io(cause, text)
        }
        TableError::NotNumeric { .. } => PyTypeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

pub(crate) fn of_evaluation(error: &EvaluationError) -> PyErr {
    match error {
        EvaluationError::Table(cause) => of_table(cause),
        EvaluationError::NoText { .. } | EvaluationError::NoGroups { .. } => PyTypeError::new_err(text(error)),
        EvaluationError::Engine(cause) => of_engine(cause),
        EvaluationError::Columns(_) => PyRuntimeError::new_err(text(error)),
        _ => value(error),
    }
}

pub(crate) fn of_engine(error: &EngineError) -> PyErr {
    PyRuntimeError::new_err(text(error))
}

pub(crate) fn of_glm(error: &GlmError) -> PyErr {
    match error {
        GlmError::Device(_) => PyRuntimeError::new_err(text(error)),
        _ => value(error),
    }
}
