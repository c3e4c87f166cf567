//! The one vocabulary of scalar types, and what everybody who writes OpenCL C about them shares: names, hexadecimal floats,
//! the configuration and the helpers. A leaf: the macro, the run-time support and the assembler all stand on it.
#![forbid(unsafe_code)]

mod hex;
pub mod names;
mod prelude;
mod scalar;

pub use hex::{constant_f32, constant_f64, hex_f32, hex_f64};
pub use prelude::{LAYER_0, PRELUDE};
pub use scalar::Scalar;
