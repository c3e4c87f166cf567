//! The one vocabulary of scalar types, and what everybody who writes OpenCL C about them shares: names, hexadecimal floats,
//! the configuration and the helpers. A leaf: the macro, the run-time support and the assembler all stand on it.
#![forbid(unsafe_code)]

mod c_type;
mod hex;
mod markers;
pub mod names;
mod prelude;
mod scalar;

pub use c_type::{CType, TypeShape, type_name, type_tag};
pub use hex::{constant_f32, constant_f64, hex_f32, hex_f64};
pub use markers::{Marker, REF_END, REF_START, split_references};
pub use prelude::{LAYER_0, PRELUDE};
pub use scalar::Scalar;

/// How many arguments a kernel compiled for an instruction set takes one by one, in registers; more go as one tuple. The macro chooses
/// among the entries by it, and gristmill-kernel has an entry for each number up to it. (All limits on parameters: docs/kernel-language.md.)
pub const REGISTER_ARGUMENTS: usize = 12;

/// On lanes an arm of at most this many operations is executed for all rather than branched around: about what a mispredicted branch
/// costs. The emitter decides by it where it knows the cost; where kernels are called, rustc does, by the constant in
/// gristmill-kernel.
pub const CHEAP: u32 = 32;
