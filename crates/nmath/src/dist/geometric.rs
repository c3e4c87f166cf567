//! The geometric distribution: the number of failures before the first success.

use gristmill_kernel::kernel;

use crate::special::double_double::{dd_add, dd_high, dd_mul_d, fast_two_sum, two_sum};
use crate::special::exponential::{exp_pair, exp_parts, expm1_pair};
use crate::special::exponential_tail::{exponential_probability, exponential_quantile, log_of_lower_tail};
use crate::special::logarithm::{log_dd, log_dd_of_normal_pair, log_pair, log1p_dd};
use crate::special::poisson_mass::scaled_exp;
use crate::special::scaling::scale_by_power;

/// `-log(1 - prob)` as a pair, for `prob` in (0, 1).
#[kernel(inline)]
fn hazard(prob: f64) -> (f64, f64) {
    let l: (f64, f64) = log1p_dd(-prob);
    if prob < 1e-290 { (prob, 0.0) } else { (-l.0, -l.1) }
}

/// `n h` of a pair `h`, also where it overflows.
#[kernel(inline)]
fn times(h: (f64, f64), n: f64) -> (f64, f64) {
    let t: (f64, f64) = dd_mul_d(h, n);
    if t.0 < 1e300 { t } else { (h.0 * n, 0.0) }
}

/// What the functions need of the probability.
#[kernel]
struct Scale {
    prob: f64,
    /// `-log(1 - prob)` as a pair; NaN where the main paths do not hold.
    hazard: f64,
    hazard_low: f64,
}

#[kernel(inline)]
fn scale_setup(prob: f64) -> Scale {
    let ordinary = prob > 1e-200 && prob < 1.0;
    let h: (f64, f64) = log_dd_of_normal_pair(fast_two_sum(1.0, if ordinary { -prob } else { -0.5 }));
    Scale { prob, hazard: if ordinary { -h.0 } else { f64::NAN }, hazard_low: -h.1 }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: Scale, log: bool) -> bool {
    !log && x >= 0.0 && x == x.floor() && x * s.hazard < 700.0
}

#[kernel(inline)]
fn density_main(x: f64, s: Scale, _log: bool) -> f64 {
    let e: (f64, f64) = dd_mul_d((s.hazard, s.hazard_low), x);
    let (m, ml, k) = exp_parts((-e.0, -e.1));
    let t = m * s.prob;
    scale_by_power(t + ml.mul_add(s.prob, m.mul_add(s.prob, -t)), k)
}

#[kernel]
fn density_rest(x: f64, s: Scale, log: bool) -> f64 {
    let prob = s.prob;
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    if x.is_nan() || prob.is_nan() {
        return x + prob;
    }
    if prob <= 0.0 || prob > 1.0 {
        return f64::NAN;
    }
    let whole = x.round_ties_even();
    if x < 0.0 || x == f64::INFINITY || (x - whole).abs() > 1e-7 * (if x > 1.0 { x } else { 1.0 }) {
        return nothing;
    }
    if prob == 1.0 {
        return if whole == 0.0 { if log { 0.0 } else { 1.0 } } else { nothing };
    }
    let e: (f64, f64) = times(hazard(prob), whole);
    if log {
        return if e.0 < 1e300 { dd_high(dd_add(log_dd((prob, 0.0)), (-e.0, -e.1))) } else { -e.0 };
    }
    scaled_exp((-e.0, -e.1), (prob, 0.0))
}

#[kernel(masked)]
fn density_eval(x: f64, s: Scale, log: bool) -> f64 {
    if density_in_main(x, s, log) { density_main(x, s, log) } else { density_rest(x, s, log) }
}

/// The geometric mass.
///
/// Domain: `prob` in (0, 1], else NaN; negative, infinite and non-integer `x` give 0 (within 1e-7 relative of an integer
///   it counts as that integer, as in R). NaN gives NaN.
/// Method: `prob exp(x log1p(-prob))`, the exponent in double-double.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.53 ulp, at most 0.57 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dgeom(x: f64, prob: f64, log: bool) -> f64 {
    density_eval(x, scale_setup(prob), log)
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, lower: bool, log: bool) -> bool {
    // log_of_lower_tail ends at 700, and the hazard is below 37
    x >= 0.0 && x < 1e290 && x * s.hazard < (if lower && log { 660.0 } else { 1e290 })
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let u: (f64, f64) = dd_mul_d((s.hazard, s.hazard_low), (x + 1e-7).floor() + 1.0);
    if log {
        return if lower { log_of_lower_tail(u) } else { -u.0 };
    }
    if lower { -dd_high(expm1_pair((-u.0, -u.1))) } else { exp_pair((-u.0, -u.1)) }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let prob = s.prob;
    if x.is_nan() || prob.is_nan() {
        return x + prob;
    }
    if prob <= 0.0 || prob > 1.0 {
        return f64::NAN;
    }
    if x < 0.0 {
        return exponential_probability((0.0, 0.0), lower, log);
    }
    if x == f64::INFINITY || prob == 1.0 {
        return exponential_probability((f64::INFINITY, 0.0), lower, log);
    }
    exponential_probability(times(hazard(prob), (x + 1e-7).floor() + 1.0), lower, log)
}

#[kernel(masked)]
fn probability_eval(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

/// The geometric distribution function.
///
/// Domain: `prob` in (0, 1], else NaN; `x` is rounded down after adding 1e-7, as in R; negative `x` gives 0. NaN gives NaN.
/// Method: the upper tail is `(1 - prob)^(x+1)`: a unit exponential at `-(x+1) log1p(-prob)`, in double-double.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pgeom(x: f64, prob: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, scale_setup(prob), lower, log)
}

/// The unit exponential quantile over the hazard: the answer is this, rounded up, less 1.
#[kernel(inline)]
fn quantile_ratio(p: f64, s: Scale, lower: bool) -> f64 {
    let other: (f64, f64) = two_sum(1.0, -p);
    let l: (f64, f64) = log_pair((if lower { other.0 } else { p }, if lower { other.1 } else { 0.0 }));
    -l.0 / s.hazard
}

/// Where the ratio is so far from a whole number that its error, and that of [`pgeom`], cannot matter. The error of the
/// lower tail is 2^-53 of 1, so it grows like exp against that of the upper one.
#[kernel(inline)]
fn quantile_in_main(p: f64, s: Scale, lower: bool, log: bool) -> bool {
    let ratio = quantile_ratio(p, s, lower);
    let inside = if lower { p > 1e-3 && p < 0.999 } else { p > 1e-280 && p < 0.999 };
    let distance = (ratio - ratio.round_ties_even()).abs();
    !log && inside && ratio < 1e9 && distance > 1e-12 + 1e-12 * ratio + 1e-12 / s.hazard
}

#[kernel(inline)]
fn quantile_main(p: f64, s: Scale, lower: bool, _log: bool) -> f64 {
    quantile_ratio(p, s, lower).ceil() - 1.0
}

#[kernel]
fn quantile_rest(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let prob = s.prob;
    if p.is_nan() || prob.is_nan() {
        return p + prob;
    }
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p < bottom || p > top || prob <= 0.0 || prob > 1.0 {
        return f64::NAN;
    }
    if prob == 1.0 {
        return 0.0;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { 0.0 } else { f64::INFINITY };
    }
    let e: (f64, f64) = exponential_quantile(p, lower, log);
    let x = (e.0 / dd_high(hazard(prob))).ceil() - 1.0;
    if x == f64::INFINITY {
        return x;
    }
    let mut x = if x > 0.0 { x } else { 0.0 };
    for _ in 0..2 {
        let f = pgeom(x - 1.0, prob, lower, log);
        if x > 0.0 && (if lower { f >= p } else { f <= p }) {
            x -= 1.0;
        }
    }
    for _ in 0..2 {
        let f = pgeom(x, prob, lower, log);
        if !(if lower { f >= p } else { f <= p }) {
            x += 1.0;
        }
    }
    x
}

#[kernel(masked)]
fn quantile_eval(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    if quantile_in_main(p, s, lower, log) { quantile_main(p, s, lower, log) } else { quantile_rest(p, s, lower, log) }
}

/// The geometric quantile: the smallest whole `x` with `F(x) >= p`.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `prob` in (0, 1], else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: the unit exponential quantile over `-log1p(-prob)`, rounded up, less 1; next to a whole
///   number up to two steps either way until [`pgeom`] itself, in the tail and on the scale of `p`, confirms it, so that `qgeom(pgeom(x)) = x`.
/// Paper: muller2016, ch. 5 and 6.
/// Error: none on the points of dev/oracle: the smallest integer whose distribution function reaches `p`.
#[kernel(split)]
pub fn qgeom(p: f64, prob: f64, lower: bool, log: bool) -> f64 {
    quantile_eval(p, scale_setup(prob), lower, log)
}
