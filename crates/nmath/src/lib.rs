//! R's math library as kernels: special functions, distributions, random numbers.
//!
//! Every function is written once, in the kernel language, from operations that IEEE 754 rounds exactly. So a scalar
//! call, a SIMD loop, a threaded loop and an OpenCL device give the same bits.
//!
//! ```
//! use gristmill_nmath::pnorm;
//!
//! let (lower_tail, log_scale) = (true, false);
//! assert_eq!(pnorm(0.0, 0.0, 1.0, lower_tail, log_scale), 0.5); // a value
//! let (x, mut p) = ([-1.96, 0.0, 1.96], [0.0; 3]);
//! // a slice; `par_map` does it on threads, `on(&device)?.map` on a device
//! pnorm::map((&x, 0.0, 1.0, true, false), &mut p)?;
//! assert_eq!(p[1], 0.5);
//! # Ok::<(), gristmill_kernel::ColumnError>(())
//! ```
//!
#![doc = include_str!("functions.md")]
//!
//! # As data, and as parts
//! [`KERNELS`] lists all functions for programs that choose one at run time; [`documentation`] reads what their comments say of
//! R's usage and of their error. [`building_blocks`] are the parts that kernels of your own may want.
#![forbid(unsafe_code)]
// The kernel language has no `clamp` and no `contains`, and a negated comparison is how it includes NaN.
#![allow(clippy::manual_clamp, clippy::manual_range_contains, clippy::neg_cmp_op_on_partial_ord)]
// Constants are pairs: the leading part is written like the rest.
#![allow(clippy::approx_constant)]
// `pub` says which functions have a name of their own in the exported OpenCL library; only those listed are the crate's.
#![allow(unreachable_pub)]

pub mod building_blocks;
mod dist;
pub mod documentation;
mod list;
mod random;
mod special;

pub use dist::functions::*;
pub use list::{ENTRIES, KERNELS, kernel};
pub use random::functions::*;
pub use special::functions::*;
pub use special::log_sum::logspace_sum;

list::only_functions! { dist: multinomial: rmultinom rmultinoms; }
