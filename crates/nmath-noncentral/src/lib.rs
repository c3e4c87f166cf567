//! The noncentral chi-squared, beta and F distributions as kernels.
#![forbid(unsafe_code)]
// The kernel language has no `clamp` and no `contains`, and a negated comparison is how it includes NaN.
#![allow(clippy::manual_clamp, clippy::manual_range_contains, clippy::neg_cmp_op_on_partial_ord)]
#![allow(clippy::approx_constant)] // constants are pairs: the leading part is written like the rest

pub mod dist;
pub mod random;
pub mod special;

pub use dist::*;
pub use random::*;

use gristmill_kernel::Function;

/// Every public function of the crate.
pub static KERNELS: &[Function] = &[
    dnchisq::FUNCTION,
    pnchisq::FUNCTION,
    qnchisq::FUNCTION,
    dnbeta::FUNCTION,
    pnbeta::FUNCTION,
    qnbeta::FUNCTION,
    dnf::FUNCTION,
    pnf::FUNCTION,
    qnf::FUNCTION,
    rnchisq::FUNCTION,
    rnbeta::FUNCTION,
    rnf::FUNCTION,
];
