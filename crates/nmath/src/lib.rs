//! R's math library as kernels: special functions, distributions, random numbers.
//!
//! Every function is written once, in the kernel language, from operations that IEEE 754 rounds exactly. So a scalar
//! call, a SIMD loop, a threaded loop and an OpenCL device give the same bits.
//!
//! ```
//! assert_eq!(gristmill_nmath::exp(0.0), 1.0);
//! assert_eq!(gristmill_nmath::log(0.0), f64::NEG_INFINITY);
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::manual_clamp)] // `clamp` is not an operation of the kernel language

pub mod special;

pub use special::*;
