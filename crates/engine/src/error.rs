//! What can go wrong when a plan runs.

use gristmill_ckernel::KernelError;
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
        cause: KernelError,
    },
    /// There is no memory for the temporaries of a block.
    Memory(KernelError),
    /// A column has another length than the rows. The caller's fault.
    Length {
        /// The column's number.
        column: usize,
        /// Its length.
        found: usize,
        /// The number of rows.
        expected: usize,
    },
    /// Arrays cannot be computed with: their shapes do not go together, or a type has no numbers. The caller's fault.
    Arrays(gristmill_ndtypes::Error),
    /// Fewer columns or arrays than the expressions use, or another number of outputs than they have results.
    ArrayCount {
        /// "columns", "arrays" or "outputs".
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Quantiles over groups hold all values, and these are too many. The user has to leave some out.
    TooManyValues {
        /// How many they hold.
        most: usize,
    },
    /// Rows came without the groups of a reduction. The caller's fault.
    GroupsMissing {
        /// The grouping's number.
        grouping: usize,
    },
    /// Reductions and running results combine rows; over arrays of any shape they are not defined.
    ReductionOverArrays,
    /// The columns are on a device, but the engine has none, or results need more than the numbers of their rows: groups, running
    /// results, texts, or values that are missing. The caller's fault.
    NotThere,
    /// What was prepared for a device, or for values that are no outputs, was to be computed as outputs on the CPU. The caller's
    /// fault.
    NotHere,
    /// The device cannot be used, or failed.
    Device(gristmill_cl_runtime::RuntimeError),
    /// The threads could not be started.
    Threads(rayon::ThreadPoolBuildError),
}

impl EngineError {
    pub(crate) fn kernel(name: &str, cause: KernelError) -> EngineError {
        EngineError::Kernel { kernel: name.to_string(), cause }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Kernel { kernel, .. } => write!(f, "the kernel `{kernel}` failed"),
            EngineError::Memory(_) => write!(f, "there is no memory for the temporaries of a block"),
            EngineError::Length { column, found, expected } => {
                write!(f, "column {column} has {found} values, but there are {expected} rows")
            }
            EngineError::Arrays(_) => write!(f, "the expressions cannot be computed over these arrays"),
            EngineError::ArrayCount { what, found, expected } => {
                write!(f, "{found} {what} were given, but the expressions have {expected}")
            }
            EngineError::ReductionOverArrays => {
                write!(f, "sum, mean and other functions combine the rows of a table, and cannot be used over arrays")
            }
            EngineError::TooManyValues { most } => write!(
                f,
                "quantiles over groups hold all values in memory, and there are more than {most}; take fewer rows \
                 (`--where`), or quantiles over all rows, which hold few"
            ),
            EngineError::GroupsMissing { grouping } => write!(f, "rows came without the groups of grouping {grouping}"),
            EngineError::NotHere => {
                write!(
                    f,
                    "this was prepared for a device, or for other values than the outputs, and cannot be computed here"
                )
            }
            EngineError::NotThere => {
                write!(
                    f,
                    "the expressions need groups, running results, texts or missing values, which do not stay on a device"
                )
            }
            EngineError::Device(_) => write!(f, "the device cannot run the expressions"),
            EngineError::Threads(_) => write!(f, "the threads could not be started"),
        }
    }
}

impl Error for EngineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EngineError::Kernel { cause, .. } | EngineError::Memory(cause) => Some(cause),
            EngineError::Device(cause) => Some(cause),
            EngineError::Threads(cause) => Some(cause),
            EngineError::Arrays(cause) => Some(cause),
            EngineError::Length { .. }
            | EngineError::ArrayCount { .. }
            | EngineError::TooManyValues { .. }
            | EngineError::GroupsMissing { .. }
            | EngineError::NotThere
            | EngineError::NotHere
            | EngineError::ReductionOverArrays => None,
        }
    }
}
