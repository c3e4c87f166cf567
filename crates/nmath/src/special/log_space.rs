//! Sums and differences of numbers given by their logarithms, and `log(1 +- exp(x))`.

use super::double_double::{fast_two_sum, two_sum};
use super::exponential::{exp, exp_near, expm1_pair};
use super::exponential_tail::{log_of_lower_tail, log_of_lower_tail_pair};
use super::logarithm::{log_dd, log_loose_of_pair, log_pair};
use super::power::power_from_log;
use gristmill_kernel::kernel;

/// 2^-28: below it `log(1 + e)` is `e - e^2/2` to 2^-57, and the low part of `1 + e` is no longer small against `e`.
#[kernel]
const TWO_TERMS_END: f64 = 3.725290298461914e-09;
/// Where `exp(-a)` is about that: a test of the argument, for which a call need not wait.
#[kernel]
const TWO_TERMS_FROM: f64 = 19.4;

/// `exp(-a)` of a pair `0 <= a <= 40` as a normalised pair.
#[kernel(inline)]
fn exp_negative(ah: f64, al: f64) -> (f64, f64) {
    let (mh, ml, scale) = exp_near((-ah, -al));
    (mh * scale, ml * scale)
}

/// `log(1 + exp(-a))` of a pair `a >= 0` as a loose pair, relative error below 2^-56.
#[kernel(inline)]
fn log1p_exp_negative(ah: f64, al: f64) -> (f64, f64) {
    if ah > 40.0 {
        return (exp(-ah), 0.0); // its square is nothing
    }
    let (eh, el) = exp_negative(ah, al);
    if ah > TWO_TERMS_FROM {
        return (eh, (-0.5 * eh).mul_add(eh, el));
    }
    let (h, l) = fast_two_sum(1.0, eh);
    log_loose_of_pair((h, l + el))
}

/// `log(1 - exp(-a))` of a pair `a > 0` as a loose pair, relative error below 2^-56.
///
/// Up to ln 2 the logarithm of `-expm1(-a)`, above it that of `1 - exp(-a)`: neither cancels (maechler2012).
#[kernel(inline)]
fn log1m_exp_negative(ah: f64, al: f64) -> (f64, f64) {
    let close = ah <= std::f64::consts::LN_2;
    let m = expm1_pair((-ah, -al));
    let tiny = ah < 1e-290; // expm1 would lose bits of a subnormal number
    let ch = if tiny { ah } else { -m.0 };
    let cl = if tiny { 0.0 } else { -m.1 };
    let near = ah <= 40.0;
    let (eh, el) = exp_negative(if near { ah } else { 40.0 }, if near { al } else { 0.0 });
    let (h, l) = fast_two_sum(1.0, -eh);
    let y = log_pair((if close { ch } else { h }, if close { cl } else { l - el }));
    let small = eh < TWO_TERMS_END;
    let yh = if small { -eh } else { y.0 };
    let yl = if small { (-0.5 * eh).mul_add(eh, -el) } else { y.1 };
    let far = -exp(-ah);
    (if near { yh } else { far }, if near { yl } else { 0.0 })
}

/// `log(1 + exp(x))`: minus the log-likelihood of one failure under the logit link.
///
/// R: `log1pexp(x)`, log(1 + exp(x)).
/// Domain: every `f64`; `-inf` gives 0, `+inf` gives `+inf`, NaN gives NaN. Never overflows.
/// Method: `max(x, 0) + log(1 + exp(-|x|))`, the exponential and the logarithm as pairs.
/// Paper: maechler2012, eq. 10.
/// Error: 99 % within 0.52 ulp, at most 0.56 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn log1pexp(x: f64) -> f64 {
    let a = x.abs();
    let (yh, yl) = log1p_exp_negative(if a < 1e4 { a } else { 1e4 }, 0.0);
    let (s, e) = two_sum(a, yh);
    let y = if x > 0.0 && a < 1e4 { s + (e + yl) } else { yh + yl };
    let y = if x >= 1e4 { x } else { y };
    if x.is_nan() { x } else { y }
}

/// `log(1 - exp(-x))` for `x > 0`.
///
/// R: `log1mexp(x)`, log(1 - exp(-x)).
/// Domain: `x >= 0`; 0 gives `-inf`, `+inf` gives 0, negative and NaN give NaN.
/// Method: up to 30 `log(-expm1(-x))`, the inner function as a pair, above `-e - e^2/2` with `e = exp(-x)`; at the ends of the
///   range of `x`, `log1p(-exp(-x))`.
/// Paper: maechler2012, eq. 7.
/// Error: 99 % within 0.52 ulp, at most 0.56 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn log1mexp(x: f64) -> f64 {
    if has_short_form(x) { log_of_lower_tail_of(x) } else { log1mexp_rest(x) }
}

/// Whether [`log_of_lower_tail_pair`] serves.
#[kernel(inline)]
fn has_short_form(a: f64) -> bool {
    a > 1e-280 && a < 699.0
}

#[kernel(inline)]
fn log_of_lower_tail_of(x: f64) -> f64 {
    log_of_lower_tail((x, 0.0))
}

#[kernel]
fn log1mexp_rest(x: f64) -> f64 {
    let a = if x < 1e4 { x } else { 1e4 };
    let (h, l) = log1m_exp_negative(if a > 0.0 { a } else { 1.0 }, 0.0);
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    let y = if x > 0.0 { h + l } else { edge };
    if x.is_nan() { x } else { y }
}

/// `log(exp(lx) + exp(ly))`.
///
/// R: `logspace_add(logx, logy)`, log(exp(logx) + exp(logy)).
/// Domain: every pair of `f64`; `-inf` stands for 0; a NaN gives NaN. Never overflows in between.
/// Method: `max + log(1 + exp(-|lx - ly|))`, the difference exact as a pair, the rest as pairs.
/// Paper: maechler2012.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn logspace_add(lx: f64, ly: f64) -> f64 {
    let larger = if lx > ly { lx } else { ly };
    let smaller = if lx > ly { ly } else { lx };
    let (dh, dl) = two_sum(larger, -smaller);
    let near = dh < 1e4;
    let (yh, yl) = log1p_exp_negative(if near { dh } else { 1e4 }, if near { dl } else { 0.0 });
    let (s, e) = two_sum(larger, yh);
    let y = s + (e + yl);
    let y = if near && larger.is_finite() { y } else { larger };
    if lx.is_nan() || ly.is_nan() { f64::NAN } else { y }
}

/// `log(exp(lx) - exp(ly))` for `lx >= ly`.
///
/// R: `logspace_sub(logx, logy)`, log(exp(logx) - exp(logy)).
/// Domain: `lx >= ly`, else NaN; equal ones give `-inf`, but `+inf` twice NaN; `ly = -inf` gives `lx`; a NaN gives NaN.
/// Method: `lx + log(1 - exp(-(lx - ly)))`, the difference exact as a pair, the rest as pairs.
/// Paper: maechler2012.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn logspace_sub(lx: f64, ly: f64) -> f64 {
    if difference_has_short_form(lx, ly) { logspace_sub_main(lx, ly) } else { logspace_sub_rest(lx, ly) }
}

#[kernel(inline)]
fn difference_has_short_form(lx: f64, ly: f64) -> bool {
    has_short_form(lx - ly)
}

#[kernel(inline)]
fn logspace_sub_main(lx: f64, ly: f64) -> f64 {
    let (yh, yl) = log_of_lower_tail_pair(two_sum(lx, -ly));
    let (s, e) = two_sum(lx, yh);
    s + (e + yl)
}

#[kernel]
fn logspace_sub_rest(lx: f64, ly: f64) -> f64 {
    let (dh, dl) = two_sum(lx, -ly);
    let near = dh < 1e4 && dh > 0.0;
    let (yh, yl) = log1m_exp_negative(if near { dh } else { 1e4 }, if near { dl } else { 0.0 });
    let (s, e) = two_sum(lx, yh);
    let y = s + (e + yl);
    let y = if near { y } else { lx };
    let y = if lx == ly { f64::NEG_INFINITY } else { y };
    if lx >= ly && ly < f64::INFINITY { y } else { f64::NAN }
}

/// `(1 + x)^y`, accurate also where `1 + x` is not a double.
///
/// R: `pow1p(x, y)`, (1 + x)^y.
/// Domain: as [`pow`](super::power::pow) with base `1 + x`.
/// Method: `exp(y log(1 + x))` with `1 + x` as an exact pair and the logarithm in double-double. No branch.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn pow1p(x: f64, y: f64) -> f64 {
    let (h, l) = two_sum(1.0, x);
    let negative = h < 0.0;
    let l = if h.is_finite() { l } else { 0.0 };
    let logarithm = log_dd((if negative { -h } else { h }, if negative { -l } else { l }));
    // What decides the special cases: 1 + x, but not 1 where x is not 0.
    let above = if x > 0.0 { 2.0 } else { 0.5 };
    let base = if h == 1.0 && x != 0.0 { above } else { h };
    power_from_log(logarithm, base, y)
}
