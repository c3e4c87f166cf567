//! What can go wrong when a plan runs.

use gristmill_kernel::ColumnError;
use std::error::Error;
use std::fmt;

/// Why a plan could not be run.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// A kernel could not be built or reported an error. Ours to fix.
    Kernel {
        /// The kernel's name.
        kernel: String,
        /// What it reported.
        cause: Option<ColumnError>,
    },
    /// A column has another length than the rows. The caller's fault.
    Length {
        /// The column's number.
        column: usize,
        /// Its length.
        found: usize,
        /// The number of rows.
        expected: usize,
    },
    /// The device cannot be used, or failed.
    Device(gristmill_cl_runtime::RuntimeError),
    /// The threads could not be started.
    Threads(rayon::ThreadPoolBuildError),
}

impl EngineError {
    pub(crate) fn kernel(name: &str, cause: ColumnError) -> EngineError {
        EngineError::Kernel { kernel: name.to_string(), cause: Some(cause) }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Kernel { kernel, .. } => write!(f, "the kernel `{kernel}` failed"),
            EngineError::Length { column, found, expected } => {
                write!(f, "column {column} has {found} values, but there are {expected} rows")
            }
            EngineError::Device(_) => write!(f, "the device cannot run the expressions"),
            EngineError::Threads(_) => write!(f, "the threads could not be started"),
        }
    }
}

impl Error for EngineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EngineError::Kernel { cause, .. } => cause.as_ref().map(|e| e as _),
            EngineError::Device(cause) => Some(cause),
            EngineError::Threads(cause) => Some(cause),
            EngineError::Length { .. } => None,
        }
    }
}
