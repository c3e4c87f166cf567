//! The Poisson distribution.

use gristmill_kernel::kernel;

use crate::special::constants::{INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW};
use crate::special::deviance::bd0_dd;
use crate::special::double_double::{dd_add_d, dd_div, dd_high, dd_sqrt};

use crate::special::incomplete_gamma::pgamma_at;
use crate::special::normal_tail::standard_quantile;
use crate::special::poisson_mass::{dpois_raw, log_scaled_exp, scaled_exp};
use crate::special::stirling::stirlerr_from_one;

/// What the mass needs of its parameter.
#[kernel]
struct Scale {
    lambda: f64,
    /// `lambda` where the main path holds, else NaN.
    ordinary: f64,
}

#[kernel(inline)]
fn scale_setup(lambda: f64) -> Scale {
    Scale { lambda, ordinary: if lambda > 1e-200 && lambda < 1e200 { lambda } else { f64::NAN } }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: Scale, _log: bool) -> bool {
    x >= 0.0 && x == x.floor() && x < 1e20 && s.ordinary > 0.0
}

#[kernel(inline)]
fn density_main(x: f64, s: Scale, log: bool) -> f64 {
    let zero = x == 0.0;
    let n = if zero { 1.0 } else { x };
    let b: (f64, f64) = dd_add_d(bd0_dd(n, (s.ordinary, 0.0)), stirlerr_from_one(n));
    let c: (f64, f64) = dd_div((INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW), dd_sqrt((n, 0.0)));
    let e = (if zero { -s.ordinary } else { -b.0 }, if zero { 0.0 } else { -b.1 });
    let c = (if zero { 1.0 } else { c.0 }, if zero { 0.0 } else { c.1 });
    if log { log_scaled_exp(e, c) } else { scaled_exp(e, c) }
}

#[kernel]
fn density_rest(x: f64, s: Scale, log: bool) -> f64 {
    let lambda = s.lambda;
    let whole = x.round_ties_even();
    let size = x.abs();
    if (x - whole).abs() > 1e-7 * (if size > 1.0 { size } else { 1.0 }) && lambda >= 0.0 {
        return if log { f64::NEG_INFINITY } else { 0.0 };
    }
    if x < 0.0 && lambda >= 0.0 {
        return if log { f64::NEG_INFINITY } else { 0.0 };
    }
    dpois_raw(if size < f64::INFINITY { whole } else { x }, lambda, log)
}

#[kernel(masked)]
fn density_eval(x: f64, s: Scale, log: bool) -> f64 {
    if density_in_main(x, s, log) { density_main(x, s, log) } else { density_rest(x, s, log) }
}

/// The Poisson mass.
///
/// Domain: `lambda >= 0`, else NaN; negative, infinite and non-integer `x` give 0 (within 1e-7 relative of an integer it
///   counts as that integer, as in R). NaN gives NaN.
/// Method: Loader's saddle point form with bd0 and the Stirling error in double-double (see `poisson_parts`).
/// Paper: loader2000.
/// Error: see `dpois` in the table of bounds.
#[kernel(split)]
pub fn dpois(x: f64, lambda: f64, log: bool) -> f64 {
    density_eval(x, scale_setup(lambda), log)
}

/// The Poisson distribution function.
///
/// Domain: `lambda >= 0`, else NaN; `x` is rounded down after adding 1e-7, as in R; negative `x` gives 0. NaN gives NaN.
/// Method: `P(X <= x) = Q(floor(x) + 1, lambda)`, the upper incomplete gamma ratio (see `gamma_tail`).
/// Paper: temme1994, gil2012.
/// Error: see `ppois` in the table of bounds.
#[kernel]
pub fn ppois(x: f64, lambda: f64, lower: bool, log: bool) -> f64 {
    if x.is_nan() || lambda.is_nan() {
        return x + lambda;
    }
    if lambda < 0.0 {
        return f64::NAN;
    }
    let one = if log { 0.0 } else { 1.0 };
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    if x < 0.0 {
        return if lower { nothing } else { one };
    }
    if lambda == 0.0 || x == f64::INFINITY {
        return if lower { one } else { nothing };
    }
    if lambda == f64::INFINITY {
        return if lower { nothing } else { one };
    }
    let shape = (x + 1e-7).floor() + 1.0;
    if lambda < 1e-290 {
        let l = crate::special::logarithm::log_dd((lambda, 0.0));
        return pgamma_at(shape, (lambda, 0.0), l, !lower, log);
    }
    pgamma_at(shape, (lambda, 0.0), (0.0, 0.0), !lower, log)
}

/// Whether `x` is at or beyond the quantile: `F(x) >= p` in the tail and on the scale of `p`.
#[kernel]
fn reached(x: f64, p: f64, lambda: f64, lower: bool, log_scale: bool) -> bool {
    let f = ppois(x, lambda, lower, log_scale);
    if lower { f >= p } else { f <= p }
}

/// The Poisson quantile: the smallest whole `x` with `F(x) >= p`.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `lambda >= 0` finite, else NaN; 0 and 1 give the ends of the support;
///   `lambda = 0` gives 0. NaN gives NaN.
/// Method: from Wilson and Hilferty's cube, widening steps bracket the answer, then bisection; `F` is [`ppois`] itself, in
///   the tail and on the scale of `p`, so that `qpois(ppois(x)) = x` and nothing is lost near 0 and 1. At most 150 values
///   of `F`, usually 3.
/// Paper: wilson1931.
/// Error: exact with respect to `ppois`.
#[kernel]
pub fn qpois(p: f64, lambda: f64, lower: bool, log: bool) -> f64 {
    if p.is_nan() || lambda.is_nan() {
        return p + lambda;
    }
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p < bottom || p > top || lambda < 0.0 || lambda == f64::INFINITY {
        return f64::NAN;
    }
    if lambda == 0.0 {
        return 0.0;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { 0.0 } else { f64::INFINITY };
    }
    let z = dd_high(standard_quantile(p, lower, log));
    let w = 1.0 - 1.0 / (9.0 * lambda) + z / (3.0 * lambda.sqrt());
    let start = if lambda > 1.0 && w > 0.0 { lambda * w * w * w } else { lambda + z * lambda.sqrt() };
    let start = if start > 0.0 { if start < 1e300 { start.floor() } else { 1e300 } } else { 0.0 };
    let wide = 1.0 + (0.01 * lambda.sqrt()).floor();
    let mut low: f64 = -1.0; // F(low) < p
    let mut high: f64 = start; // F(high) >= p, once found
    let mut step: f64 = 1.0;
    let mut tries: i32 = 0;
    if reached(start, p, lambda, lower, log) {
        while tries < 40 {
            let at = high - step;
            if at < 0.0 {
                break;
            }
            if !reached(at, p, lambda, lower, log) {
                low = at;
                break;
            }
            high = at;
            step = if step < wide { wide } else { 4.0 * step };
            tries += 1;
        }
    } else {
        low = start;
        while tries < 40 {
            high = low + step;
            if reached(high, p, lambda, lower, log) {
                break;
            }
            low = high;
            step = if step < wide {
                wide
            } else if tries < 6 {
                4.0 * step
            } else {
                step * step
            };
            if step > 1e300 {
                return f64::INFINITY;
            }
            tries += 1;
        }
    }
    let mut halvings: i32 = 0;
    while high - low > 1.0 && halvings < 110 {
        let middle = if low > 1.0 && high > 4.0 * low {
            (low.sqrt() * high.sqrt()).floor()
        } else {
            (0.5 * low + 0.5 * high).floor()
        };
        if middle <= low || middle >= high {
            break;
        }
        if reached(middle, p, lambda, lower, log) {
            high = middle;
        } else {
            low = middle;
        }
        halvings += 1;
    }
    high
}
