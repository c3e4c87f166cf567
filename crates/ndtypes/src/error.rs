//! What can go wrong, and who has to act.

use std::fmt;

use gristmill_ckernel::KernelError;

/// Why a type, an array, an assignment or a lifted kernel was refused, or failed.
///
/// All but [`Error::Kernel`] are found before anything is written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A datashape text is not a type. Whoever wrote the text has to correct it.
    #[error("column {}: found {found}, but expected {expected}, in the type `{text}`", position + 1)]
    Parse {
        /// The whole text.
        text: String,
        /// Byte at which reading stopped.
        position: usize,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: String,
    },
    /// A type cannot exist. Whoever composed it has to choose another one.
    #[error("{0}")]
    Type(String),
    /// An argument has a value that it must not have. The caller has to correct it.
    #[error("{argument} is {given}, but must be {expected}")]
    Argument {
        /// Which argument.
        argument: String,
        /// What was given.
        given: String,
        /// What was expected.
        expected: String,
    },
    /// The number of sources or types is not what the kernel takes. The caller has to correct it.
    #[error("{given} {what} were given, but the kernel takes {expected}")]
    Count {
        /// What was counted.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many were expected.
        expected: usize,
    },
    /// An operand has another type than the kernel. The caller has to convert it.
    #[error("{argument} has the type `{given}`, but the kernel takes `{expected}`")]
    TypeMismatch {
        /// Which operand.
        argument: String,
        /// Its type.
        given: String,
        /// The type it must have, or contain behind its dimensions.
        expected: String,
    },
    /// No kernel assigns this type to that one. The caller has to convert by another way.
    #[error("cannot assign `{src}` to `{dst}`: {reason}")]
    CannotAssign {
        /// Destination type.
        dst: String,
        /// Source type.
        src: String,
        /// What stands in the way.
        reason: String,
    },
    /// No loop can be compiled for this assignment. The caller has to use the kernel of `assignment`, which does the same.
    #[error("no loop is compiled for this assignment: {reason}")]
    NotCompiled {
        /// What stands in the way.
        reason: String,
    },
    /// A source does not broadcast to the destination. The caller has to reshape one of them.
    #[error(
        "{argument} of shape {src} does not broadcast to the destination's shape {dst}: {}",
        BroadcastReason { axis: *axis, src_size: *src_size, dst_size: *dst_size }
    )]
    Broadcast {
        /// Which source.
        argument: String,
        /// The source's shape; `var` where the size differs from row to row.
        src: Shape,
        /// The destination's shape.
        dst: Shape,
        /// The axis of the destination, or `None` if the source has more dimensions.
        axis: Option<usize>,
        /// The source's size there.
        src_size: usize,
        /// The destination's size there.
        dst_size: usize,
    },
    /// A view would reach outside its memory. The caller has to correct shape, strides or offset.
    #[error(
        "a view of shape {shape} with strides {strides:?} at offset {offset} covers the bytes {low}..{high}, \
         but the buffer has the bytes 0..{length}"
    )]
    OutOfBounds {
        /// The view's shape.
        shape: Shape,
        /// Its strides in bytes.
        strides: Vec<isize>,
        /// Where it starts.
        offset: usize,
        /// The first byte it would touch.
        low: i128,
        /// The byte after the last one.
        high: i128,
        /// The length of the buffer.
        length: usize,
    },
    /// A kernel recorded an error while it ran, or could not be built. The source data is at fault, or memory ran out.
    #[error(transparent)]
    Kernel(#[from] KernelError),
}

/// The sizes of an array's dimensions; `None` is a var dimension.
#[derive(Clone, PartialEq, Eq)]
pub struct Shape(pub Vec<Option<usize>>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, size) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            match size {
                Some(n) => write!(f, "{n}")?,
                None => f.write_str("var")?,
            }
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct BroadcastReason {
    axis: Option<usize>,
    src_size: usize,
    dst_size: usize,
}

impl fmt::Display for BroadcastReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.axis {
            Some(axis) => write!(
                f,
                "on axis {axis} of the destination the source has size {}, but must have 1 or {}",
                self.src_size, self.dst_size
            ),
            None => f.write_str("a source must not have more dimensions than the destination"),
        }
    }
}

/// What every fallible function here returns.
pub type Result<T> = std::result::Result<T, Error>;

pub(crate) fn argument(argument: impl Into<String>, given: impl ToString, expected: impl Into<String>) -> Error {
    Error::Argument { argument: argument.into(), given: given.to_string(), expected: expected.into() }
}
