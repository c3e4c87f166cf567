//! The two tails of a unit exponential variable at a pair, and back: the exponential, Weibull and geometric
//! distributions differ only in how they reach that argument.

use gristmill_kernel::kernel;

use super::double_double::{dd_add_d, fast_two_sum, two_sum};
use super::exponential::{exp_near, exp_pair, exp_parts, expm1_near, expm1_pair};
use super::extra_precision::{exp_extra_parts, log_extra};
use super::logarithm::{log_dd, log_loose_of_pair, log_pair};
use super::scaling::power_of_two;

/// `P(X <= u)` or `P(X > u)` for a unit exponential `X` and a pair `u >= 0` (also `+inf`).
///
/// The upper tail is `exp(-u)`, the lower one `-expm1(-u)`; on the log scale `-u` and `log(-expm1(-u))`, which beyond
/// `u = 1` is `log1p(-exp(-u))`. So every result keeps its digits.
#[kernel(inline)]
pub fn exponential_probability(u: (f64, f64), lower: bool, log_scale: bool) -> f64 {
    if !lower {
        return if log_scale { -u.0 } else { exp_pair((-u.0, -u.1)) };
    }
    let tiny = u.0 < 1e-290;
    let m = expm1_pair((-u.0, -u.1));
    if !log_scale {
        return if tiny { u.0 } else { -m.0 };
    }
    if u.0 > 40.0 {
        return -exp_pair((-u.0, -u.1));
    }
    if u.0 > 1.0 {
        let (h, l, k) = exp_parts((-u.0, -u.1));
        let s = power_of_two(k);
        let rest = dd_add_d((-h * s, -l * s), 1.0);
        let r = log_dd(rest);
        return r.0 + r.1;
    }
    if u.0 == 0.0 {
        return f64::NEG_INFINITY;
    }
    let r = log_pair((if tiny { u.0 } else { -m.0 }, if tiny { 0.0 } else { -m.1 }));
    r.0 + r.1
}

/// `log(1 - e^-u)` of a pair `u` in [1e-280, 700], as a loose pair.
///
/// Up to 30 it is the logarithm of `-expm1(-u)`; beyond, the low part of that has too few digits of `e = e^-u`, but
/// `-e - e^2/2` is all there is to it: the next term is below 2^-86 of the result.
#[kernel(inline)]
pub fn log_of_lower_tail_pair(u: (f64, f64)) -> (f64, f64) {
    if u.0 > 30.0 {
        let (h, l, scale) = exp_near((-u.0, -u.1));
        let e = h * scale;
        return (-e, -(0.5 * e).mul_add(e, l * scale));
    }
    let m = expm1_near((-u.0, -u.1));
    log_loose_of_pair((-m.0, -m.1))
}

/// The same, rounded.
#[kernel(inline)]
pub fn log_of_lower_tail(u: (f64, f64)) -> f64 {
    let r = log_of_lower_tail_pair(u);
    r.0 + r.1
}

/// The logarithm of the upper tail as a normalised pair: of `p`, or of `1 - p` if `p` is the lower one. On the linear scale
/// `p` in [1e-280, 1); on the log scale the lower one, in [-60, -1e-280].
#[kernel(inline)]
pub fn log_of_upper_tail(p: f64, lower: bool, log_scale: bool) -> (f64, f64) {
    let mut tail = (p, 0.0);
    if log_scale {
        let m = expm1_pair((p, 0.0));
        tail = (-m.0, -m.1);
    } else if lower {
        tail = fast_two_sum(1.0, -p);
    }
    let l = log_loose_of_pair(tail);
    fast_two_sum(l.0, l.1)
}

/// The unit exponential quantile as a normalised pair, for `p` strictly inside its range.
///
/// `-log` of the upper tail: as given, or `1 - p`, which on the log scale is `-expm1(p)`, taken as `1 - exp(p)` with more
/// digits where that does not cancel.
#[kernel(inline)]
pub fn exponential_quantile(p: f64, lower: bool, log_scale: bool) -> (f64, f64) {
    if log_scale {
        if !lower {
            return (-p, 0.0);
        }
        if p > -1e-300 {
            let l = log_extra((-p, 0.0));
            return (-l.0, -l.1);
        }
        if p < -38.0 {
            // log1p(-e) = -e (1 + e/2): e is below 2^-54
            let tail = exp_pair((p, 0.0));
            return (tail, 0.5 * tail * tail);
        }
        let near = expm1_pair((p, 0.0));
        let (h, l, k) = exp_extra_parts((if p < -30.0 { -30.0 } else { p }, 0.0));
        let s = power_of_two(k);
        let far = dd_add_d((-h * s, -l * s), 1.0);
        if p < -30.0 {
            let (h, l, k) = exp_parts((p, 0.0));
            let s = power_of_two(k);
            let l = log_extra(dd_add_d((-h * s, -l * s), 1.0));
            return (-l.0, -l.1);
        }
        let close = p > -0.03;
        let l = log_extra((if close { -near.0 } else { far.0 }, if close { -near.1 } else { far.1 }));
        return (-l.0, -l.1);
    }
    if !lower {
        let l = log_extra((p, 0.0));
        return (-l.0, -l.1);
    }
    if p < 1e-290 {
        return (p, 0.0);
    }
    let l = log_extra(two_sum(1.0, -p));
    (-l.0, -l.1)
}
