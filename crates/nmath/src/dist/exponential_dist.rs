//! The exponential distribution.

use gristmill_kernel::kernel;

use crate::special::constants::{LN2_HIGH, LN2_LOW};
use crate::special::double_double::{dd_add, dd_div_d, dd_high, dd_inverse, dd_mul_d};
use crate::special::exponential_tail::{exponential_probability, exponential_quantile};
use crate::special::logarithm::log_dd;
use crate::special::poisson_mass::scaled_exp;

/// 2^200
#[kernel]
const TWO_200: f64 = 1.606_938_044_258_990_3e60;
/// 2^-200
#[kernel]
const TWO_M200: f64 = 6.223_015_277_861_142e-61;

/// The exponential density.
///
/// Domain: `scale > 0`, else NaN; `x < 0` gives 0. NaN gives NaN.
/// Method: `exp(-x/scale)/scale` with `x/scale` as a pair and one rounding; on the log scale `-x/scale - log(scale)`.
/// Error: see `dexp` in the table of bounds.
#[kernel]
pub fn dexp(x: f64, scale: f64, log: bool) -> f64 {
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    if x.is_nan() || scale.is_nan() {
        return x + scale;
    }
    if scale <= 0.0 {
        return f64::NAN;
    }
    let u: (f64, f64) = dd_div_d(x, scale);
    if x < 0.0 || scale == f64::INFINITY || u.0 == f64::INFINITY {
        return nothing;
    }
    if log {
        return -dd_high(dd_add(u, log_dd((scale, 0.0))));
    }
    let up = scale < 1.0;
    let inverse = dd_inverse((scale * (if up { TWO_200 } else { TWO_M200 }), 0.0));
    let shift = dd_mul_d((LN2_HIGH, LN2_LOW), if up { 200.0 } else { -200.0 });
    let ordinary = scale > 1e-250 && scale < 1e250;
    let e = if u.0 < 1e4 { (-u.0, -u.1) } else { (-1e4, 0.0) };
    if ordinary {
        return scaled_exp(e, dd_inverse((scale, 0.0)));
    }
    scaled_exp(dd_add(e, shift), inverse)
}

/// The exponential distribution function.
///
/// Domain: `scale >= 0`, else NaN; `scale = 0` is a point mass at 0; `x <= 0` gives 0. NaN gives NaN.
/// Method: `exp(-u)` and `-expm1(-u)` at the pair `u = x/scale`, and their logs (see `exponential_probability`).
/// Error: see `pexp` in the table of bounds.
#[kernel]
pub fn pexp(x: f64, scale: f64, lower: bool, log: bool) -> f64 {
    if x.is_nan() || scale.is_nan() {
        return x + scale;
    }
    if scale < 0.0 || (x == f64::INFINITY && scale == f64::INFINITY) {
        return f64::NAN;
    }
    if x <= 0.0 {
        return exponential_probability((0.0, 0.0), lower, log);
    }
    exponential_probability(dd_div_d(x, scale), lower, log)
}

/// The exponential quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `scale >= 0`, else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: `-scale log(upper tail)`, the logarithm as a pair (see `exponential_quantile`).
/// Error: see `qexp` in the table of bounds.
#[kernel]
pub fn qexp(p: f64, scale: f64, lower: bool, log: bool) -> f64 {
    if p.is_nan() || scale.is_nan() {
        return p + scale;
    }
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p < bottom || p > top || scale < 0.0 {
        return f64::NAN;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { 0.0 } else { f64::INFINITY };
    }
    let u: (f64, f64) = exponential_quantile(p, lower, log);
    let y: (f64, f64) = dd_mul_d(u, scale);
    if y.0 > 1e-290 && y.0 < 1e300 { y.0 } else { u.0 * scale }
}
