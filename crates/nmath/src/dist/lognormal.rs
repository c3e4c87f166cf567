//! The lognormal distribution.

use gristmill_kernel::kernel;

use super::normal::standard_probability;
use crate::special::constants::{INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW, LN_SQRT_2PI_HIGH, LN_SQRT_2PI_LOW};
use crate::special::double_double::{dd_add, dd_add_d, dd_div, dd_high, dd_mul_d, dd_sub};
use crate::special::exponential::{exp, exp_pair};
use crate::special::extra_precision::log_extra;
use crate::special::logarithm::log_dd;
use crate::special::normal_tail::{half_square, standard_quantile_refined};
use crate::special::poisson_mass::scaled_exp;

/// `(log(x) - meanlog)/sdlog` as a pair, for finite arguments and `sdlog` in [1e-290, 1e290].
#[kernel(inline)]
fn standardise_log(l: (f64, f64), meanlog: f64, sdlog: f64) -> (f64, f64) {
    let d: (f64, f64) = dd_add_d(l, -meanlog);
    let z: (f64, f64) = dd_div(d, (sdlog, 0.0));
    if z.0.abs() < 1e300 { z } else { (d.0 / sdlog, 0.0) }
}

/// The lognormal density.
///
/// Domain: `sdlog >= 0`, else NaN; `x <= 0` gives 0; `sdlog = 0` is a point mass at `exp(meanlog)`. NaN gives NaN.
/// Method: `exp(-z^2/2)/(x sdlog sqrt(2 pi))`, with `z = (log(x) - meanlog)/sdlog` from a logarithm of 76 bits, because a
///   small `sdlog` amplifies its error.
/// Error: see `dlnorm` in the table of bounds.
#[kernel]
pub fn dlnorm(x: f64, meanlog: f64, sdlog: f64, log: bool) -> f64 {
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    if x.is_nan() || meanlog.is_nan() || sdlog.is_nan() {
        return x + meanlog + sdlog;
    }
    if sdlog < 0.0 || (x == f64::INFINITY && meanlog == f64::INFINITY) {
        return f64::NAN;
    }
    if sdlog == 0.0 {
        let at = if x > 0.0 { crate::special::logarithm::log(x) } else { f64::NEG_INFINITY };
        return if x >= 0.0 && at == meanlog { f64::INFINITY } else { nothing };
    }
    if x <= 0.0 || x == f64::INFINITY || meanlog.abs() == f64::INFINITY || sdlog == f64::INFINITY {
        return nothing;
    }
    let l = log_extra((x, 0.0));
    let h: (f64, f64) = half_square(standardise_log(l, meanlog, sdlog));
    if log {
        if h.0 > 1e300 {
            return -h.0;
        }
        let s = dd_add(dd_add(log_dd((sdlog, 0.0)), l), (LN_SQRT_2PI_HIGH, LN_SQRT_2PI_LOW));
        return -dd_high(dd_add(s, h));
    }
    // 1/x goes into the exponent, so that nothing overflows before the result does
    let e = if h.0 < 1e4 { dd_sub((-h.0, -h.1), l) } else { (-1e4, 0.0) };
    if sdlog < 1e-290 || sdlog > 1e290 {
        let s = dd_sub(e, log_dd((sdlog, 0.0)));
        return scaled_exp(s, (INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW));
    }
    scaled_exp(e, dd_div((INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW), (sdlog, 0.0)))
}

/// The lognormal distribution function.
///
/// Domain: `sdlog >= 0`, else NaN; `x <= 0` gives 0; `sdlog = 0` is a point mass at `exp(meanlog)`. NaN gives NaN.
/// Method: the normal distribution function at the pair `(log(x) - meanlog)/sdlog`, as in [`dlnorm`].
/// Paper: shepherd1981.
/// Error: see `plnorm` in the table of bounds.
#[kernel]
pub fn plnorm(x: f64, meanlog: f64, sdlog: f64, lower: bool, log: bool) -> f64 {
    if x.is_nan() || meanlog.is_nan() || sdlog.is_nan() {
        return x + meanlog + sdlog;
    }
    if sdlog < 0.0 || (x == f64::INFINITY && (meanlog == f64::INFINITY || sdlog == f64::INFINITY)) {
        return f64::NAN;
    }
    let mut z: (f64, f64) = (0.0, 0.0);
    if x <= 0.0 {
        z = (f64::NEG_INFINITY, 0.0);
    } else if x == f64::INFINITY || meanlog.abs() == f64::INFINITY {
        z = (if x == f64::INFINITY || meanlog < 0.0 { f64::INFINITY } else { f64::NEG_INFINITY }, 0.0);
    } else if sdlog == 0.0 {
        let at = crate::special::logarithm::log(x);
        z = (if at < meanlog { f64::NEG_INFINITY } else { f64::INFINITY }, 0.0);
    } else if sdlog < f64::INFINITY {
        z = standardise_log(log_extra((x, 0.0)), meanlog, sdlog);
        if z.0.is_nan() {
            z = (0.0, 0.0);
        }
    }
    standard_probability(z, lower, log)
}

/// The lognormal quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `sdlog >= 0`, else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: `exp(meanlog + sdlog z)` in double-double, the normal quantile `z` with one more Newton step (see
///   `standard_quantile_refined`), because the exponential turns its absolute error into a relative one.
/// Error: see `qlnorm` in the table of bounds.
#[kernel]
pub fn qlnorm(p: f64, meanlog: f64, sdlog: f64, lower: bool, log: bool) -> f64 {
    if p.is_nan() || meanlog.is_nan() || sdlog.is_nan() {
        return p + meanlog + sdlog;
    }
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p < bottom || p > top || sdlog < 0.0 {
        return f64::NAN;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { 0.0 } else { f64::INFINITY };
    }
    if sdlog == 0.0 || meanlog.abs() == f64::INFINITY {
        return exp(meanlog);
    }
    let z: (f64, f64) = standard_quantile_refined(p, lower, log);
    let e: (f64, f64) = dd_add_d(dd_mul_d(z, sdlog), meanlog);
    if e.0.abs() < 1e4 { exp_pair(e) } else { exp(z.0.mul_add(sdlog, meanlog)) }
}
