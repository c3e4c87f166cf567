//! The command, as part of the package: `python -m gristmill`.

use gristmill::cl_runtime::{allow_trials, allow_trials_by};
use gristmill::cli::{OwnCommand, run_as};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs the command in this process, which belongs to it from now on: signals do what they do to the command, and when it is
/// done the process ends with its exit code. `program` with `again` starts it once more; `arguments` are those behind its name.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, program: PathBuf, again: Vec<String>, arguments: Vec<OsString>) {
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    // The process may have been started to try a program from disk, and ends here then.
    allow_trials(&again);
    allow_trials_by(&program, &again);
    let all = again.iter().map(OsString::from).chain(arguments.iter().cloned()).collect();
    let line = std::iter::once(OsString::from("gristmill")).chain(arguments);
    let code = py.detach(|| run_as(OwnCommand(Some((program, all))), line));
    std::process::exit(code.into());
}
