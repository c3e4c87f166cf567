//! The distributions of Wilcoxon's rank sum and signed rank statistics as kernels.
//!
//! ```
//! // two samples of 3 and 4 without an exchange of ranks: one arrangement of 35
//! assert_eq!(gristmill_nmath_ranks::pwilcox(0.0, 3.0, 4.0, true, false), 1.0 / 35.0);
//! ```
#![forbid(unsafe_code)]
// The kernel language has no `clamp` and no `contains`, and a negated comparison is how it includes NaN.
#![allow(clippy::manual_clamp, clippy::manual_range_contains, clippy::neg_cmp_op_on_partial_ord)]

pub mod dist;
pub mod special;

pub use dist::*;

use gristmill_kernel::Function;

/// Every function of the crate as data.
pub static KERNELS: &[Function] = &[
    dwilcox::FUNCTION,
    pwilcox::FUNCTION,
    qwilcox::FUNCTION,
    rwilcox::FUNCTION,
    dsignrank::FUNCTION,
    psignrank::FUNCTION,
    qsignrank::FUNCTION,
    rsignrank::FUNCTION,
];
