//! Entry points: kernels over slices, one work-item for each index.

use crate::interpreted;
use crate::source::KnownText;
use gristmill_kernel::EmittedShard;
use gristmill_kernel::{Scalar, Signature, Stopped, Type};
use std::fmt;

/// An entry point of a text.
#[derive(Debug, Clone)]
pub struct EntryPoint {
    name: &'static str,
    shard: &'static EmittedShard,
    text: TextRef,
    params: Vec<(&'static str, SlotType)>,
}

#[derive(Clone, Copy)]
struct TextRef(&'static KnownText);

impl fmt::Debug for TextRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }
}

/// What a parameter of an entry point takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotType {
    /// One value.
    Value(Scalar),
    /// A slice; `true`: it is written.
    Slice(Scalar, bool),
}

/// What a parameter of an entry point is given: bytes of its type, which begin where such a value may begin.
#[derive(Debug)]
pub enum Slot<'a> {
    /// One value, its bits in the low bytes.
    Value(u64),
    /// A slice that is read.
    In(&'a [u8]),
    /// A slice that is read and written.
    Out(&'a mut [u8]),
}

/// Why an entry point cannot run. The caller has to act.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryError {
    /// Too many or too few arguments.
    Count {
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// An argument that does not fit its parameter.
    Slot {
        /// The parameter's name.
        param: String,
        /// What is wrong.
        what: &'static str,
    },
    /// It was interrupted, or used up its fuel.
    Stopped,
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryError::Count { given, expected } => write!(f, "{given} arguments are given, but it has {expected}"),
            EntryError::Slot { param, what } => write!(f, "`{param}` {what}"),
            EntryError::Stopped => f.write_str("it was interrupted before it was done"),
        }
    }
}

impl std::error::Error for EntryError {}

impl EntryPoint {
    pub(crate) fn new(
        text: &'static KnownText,
        shard: &'static EmittedShard,
        signature: &Signature,
    ) -> Option<EntryPoint> {
        let params = signature.params[1..].iter().map(|p| {
            Some((
                p.name,
                match p.ty {
                    Type::Scalar(scalar) => SlotType::Value(scalar),
                    Type::Slice(scalar, written) => SlotType::Slice(scalar, written),
                    _ => return None,
                },
            ))
        });
        Some(EntryPoint { name: shard.name, shard, text: TextRef(text), params: params.collect::<Option<_>>()? })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its text and signature.
    pub fn shard(&self) -> &'static EmittedShard {
        self.shard
    }

    /// Its parameters after the index.
    pub fn params(&self) -> &[(&'static str, SlotType)] {
        &self.params
    }

    /// Runs the work-items 0 to `n`, in order, on this thread. Fuel is for all of them together.
    ///
    /// # Errors
    /// When the arguments do not fit, or it was stopped: the slices are as they were then.
    pub fn launch(&self, n: u64, slots: &mut [Slot<'_>]) -> Result<(), EntryError> {
        if slots.len() != self.params.len() {
            return Err(EntryError::Count { given: slots.len(), expected: self.params.len() });
        }
        for ((name, ty), slot) in self.params.iter().zip(slots.iter()) {
            let wrong = |what| Err(EntryError::Slot { param: (*name).to_string(), what });
            let bytes: &[u8] = match (ty, slot) {
                (SlotType::Value(_), Slot::Value(_)) => continue,
                (SlotType::Value(_), _) => return wrong("takes one value"),
                (SlotType::Slice(_, true), Slot::Out(bytes)) => bytes,
                (SlotType::Slice(_, true), _) => return wrong("is written"),
                (SlotType::Slice(_, false), Slot::In(bytes)) => bytes,
                (SlotType::Slice(_, false), _) => return wrong("is a slice that is read"),
            };
            let (SlotType::Slice(scalar, _) | SlotType::Value(scalar)) = *ty;
            let size = scalar.size();
            if !bytes.len().is_multiple_of(size) || bytes.as_ptr().align_offset(size) != 0 {
                return wrong("is no row of whole, aligned values");
            }
        }
        interpreted::launch(self.text.0, self.name, n, &self.params, slots).map_err(|Stopped| EntryError::Stopped)
    }
}
