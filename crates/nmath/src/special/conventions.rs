//! What all families agree on, as R does: how a probability is written on either scale, where a quantile has its ends, and what
//! counts as a whole number. A bad parameter gives NaN; a value outside the support has density [`zero_on`] the scale, and is no
//! error.

use gristmill_kernel::kernel;

/// 0 on the chosen scale.
#[kernel(inline)]
pub(crate) fn zero_on(log: bool) -> f64 {
    if log { f64::NEG_INFINITY } else { 0.0 }
}

/// 1 on the chosen scale.
#[kernel(inline)]
pub(crate) fn one_on(log: bool) -> f64 {
    if log { 0.0 } else { 1.0 }
}

/// Whether `x` is further than 1e-7 (relative, or absolute below 1) from an integer: what R calls a non-integer count.
#[kernel(inline)]
pub(crate) fn is_fractional(x: f64) -> bool {
    let size = if x.abs() > 1.0 { x.abs() } else { 1.0 };
    (x - x.round_ties_even()).abs() > 1e-7 * size
}

/// Where the quantile of a probability lies: -1 no probability (NaN), 0 left end, 1 right end, 2 between.
#[kernel(inline)]
pub(crate) fn quantile_end(p: f64, lower: bool, log: bool) -> f64 {
    if p.is_nan() {
        return -1.0;
    }
    let none = zero_on(log);
    let all = one_on(log);
    if p < none || p > all {
        return -1.0;
    }
    if p == none {
        return if lower { 0.0 } else { 1.0 };
    }
    if p == all {
        return if lower { 1.0 } else { 0.0 };
    }
    2.0
}

/// A count as R reads it in a distribution function: rounded down, but for 1e-7 that may have been lost to rounding.
#[kernel(inline)]
pub(crate) fn whole_count(x: f64) -> f64 {
    (x + 1e-7).floor()
}
