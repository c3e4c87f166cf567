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
// The kernel language has no `clamp` and no `contains`, and a negated comparison is how it includes NaN.
#![allow(clippy::manual_clamp, clippy::manual_range_contains, clippy::neg_cmp_op_on_partial_ord)]
#![allow(clippy::approx_constant)] // constants are pairs: the leading part is written like the rest

pub mod dist;
pub mod documentation;
mod list;
pub mod random;
pub mod special;

pub use dist::functions::*;
pub use dist::multinomial::rmultinom;
pub use list::{ENTRIES, KERNELS, kernel};
pub use random::functions::*;
pub use special::functions::*;
pub use special::log_sum::logspace_sum;
