//! Sums and differences of numbers given by their logarithms, and `log(1 +- exp(x))`.

use super::double_double::{fast_two_sum, two_sum};
use super::exponential::{exp, exp_parts, expm1_pair};
use super::logarithm::{log_dd, log_pair};
use super::power::power_from_log;
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

/// 2^-28: below it `log(1 + e)` is `e - e^2/2` to 2^-57, and the low part of `1 + e` is no longer small against `e`.
#[kernel]
const TWO_TERMS_END: f64 = 3.725290298461914e-09;

/// `exp(-a)` of a pair `0 <= a <= 40` as a normalised pair.
#[kernel(inline)]
fn exp_negative(ah: f64, al: f64) -> (f64, f64) {
    let (mh, ml, k) = exp_parts((-ah, -al));
    let scale = power_of_two(k);
    (mh * scale, ml * scale)
}

/// `log(1 + exp(-a))` of a pair `a >= 0` as a loose pair, relative error below 2^-56.
#[kernel(inline)]
fn log1p_exp_negative(ah: f64, al: f64) -> (f64, f64) {
    let near = ah <= 40.0;
    let (eh, el) = exp_negative(if near { ah } else { 40.0 }, if near { al } else { 0.0 });
    let (h, l) = fast_two_sum(1.0, eh);
    let y: (f64, f64) = log_pair((h, l + el));
    let small = eh < TWO_TERMS_END;
    let yh = if small { eh } else { y.0 };
    let yl = if small { (-0.5 * eh).mul_add(eh, el) } else { y.1 };
    let far = exp(-ah); // its square is nothing
    (if near { yh } else { far }, if near { yl } else { 0.0 })
}

/// `log(1 - exp(-a))` of a pair `a > 0` as a loose pair, relative error below 2^-56.
///
/// Up to ln 2 the logarithm of `-expm1(-a)`, above it that of `1 - exp(-a)`: neither cancels (maechler2012).
#[kernel(inline)]
fn log1m_exp_negative(ah: f64, al: f64) -> (f64, f64) {
    let close = ah <= std::f64::consts::LN_2;
    let m: (f64, f64) = expm1_pair((-ah, -al));
    let tiny = ah < 1e-290; // expm1 would lose bits of a subnormal number
    let ch = if tiny { ah } else { -m.0 };
    let cl = if tiny { 0.0 } else { -m.1 };
    let near = ah <= 40.0;
    let (eh, el) = exp_negative(if near { ah } else { 40.0 }, if near { al } else { 0.0 });
    let (h, l) = fast_two_sum(1.0, -eh);
    let y: (f64, f64) = log_pair((if close { ch } else { h }, if close { cl } else { l - el }));
    let small = eh < TWO_TERMS_END;
    let yh = if small { -eh } else { y.0 };
    let yl = if small { (-0.5 * eh).mul_add(eh, -el) } else { y.1 };
    let far = -exp(-ah);
    (if near { yh } else { far }, if near { yl } else { 0.0 })
}

/// `log(1 + exp(x))`: minus the log-likelihood of one failure under the logit link.
///
/// Domain: every `f64`; `-inf` gives 0, `+inf` gives `+inf`, NaN gives NaN. Never overflows.
/// Method: `max(x, 0) + log(1 + exp(-|x|))`, the exponential and the logarithm as pairs. No branch.
/// Paper: maechler2012, eq. 10.
/// Error: at most 0.56 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
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
/// Domain: `x >= 0`; 0 gives `-inf`, `+inf` gives 0, negative and NaN give NaN.
/// Method: up to ln 2 `log(-expm1(-x))`, above `log1p(-exp(-x))`, the inner function as a pair. No branch.
/// Paper: maechler2012, eq. 7.
/// Error: at most 0.56 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
#[kernel(inline)]
pub fn log1mexp(x: f64) -> f64 {
    let a = if x < 1e4 { x } else { 1e4 };
    let (h, l) = log1m_exp_negative(if a > 0.0 { a } else { 1.0 }, 0.0);
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    let y = if x > 0.0 { h + l } else { edge };
    if x.is_nan() { x } else { y }
}

/// `log(exp(lx) + exp(ly))`.
///
/// Domain: every pair of `f64`; `-inf` stands for 0; a NaN gives NaN. Never overflows in between.
/// Method: `max + log(1 + exp(-|lx - ly|))`, the difference exact as a pair, the rest as pairs. No branch.
/// Paper: maechler2012.
/// Error: at most 0.52 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
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
/// Domain: `lx >= ly`, else NaN; equal ones give `-inf`; `ly = -inf` gives `lx`; a NaN gives NaN.
/// Method: `lx + log(1 - exp(-(lx - ly)))`, the difference exact as a pair, the rest as pairs. No branch.
/// Paper: maechler2012.
/// Error: at most 0.52 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
#[kernel(inline)]
pub fn logspace_sub(lx: f64, ly: f64) -> f64 {
    let (dh, dl) = two_sum(lx, -ly);
    let near = dh < 1e4 && dh > 0.0;
    let (yh, yl) = log1m_exp_negative(if near { dh } else { 1e4 }, if near { dl } else { 0.0 });
    let (s, e) = two_sum(lx, yh);
    let y = s + (e + yl);
    let y = if near { y } else { lx };
    let y = if lx == ly { f64::NEG_INFINITY } else { y };
    if lx >= ly { y } else { f64::NAN }
}

/// `log(sum of exp(x))` over each row of a matrix with `width` columns, one work-item for a row; an empty row gives `-inf`.
///
/// Method: the largest one is taken out; the exponentials are added as pairs in the order of the row, so the result does
/// not depend on how the work is divided. NaN gives NaN.
#[kernel(entry)]
pub fn logspace_sums(row: usize, width: usize, logs: &[f64], sums: &mut [f64]) {
    let start = row * width;
    let mut largest = f64::NEG_INFINITY;
    let mut undefined = false;
    for j in 0..width {
        let x: f64 = logs[start + j];
        undefined = undefined || x.is_nan();
        largest = if x > largest { x } else { largest };
    }
    if undefined || !largest.is_finite() {
        sums[row] = if undefined { f64::NAN } else { largest };
        return;
    }
    let mut sum: f64 = 0.0;
    let mut low: f64 = 0.0;
    for j in 0..width {
        let (d, dl) = two_sum(logs[start + j], -largest);
        if d > -745.0 {
            let (mh, ml, k) = exp_parts((d, dl));
            let scale = power_of_two(if k < -1022.0 { -1022.0 } else { k });
            let (s, e) = two_sum(sum, mh * scale);
            sum = s;
            low += e + ml * scale;
        }
    }
    // a single term: also log(1) = 0 without a detour
    let mut result = largest;
    if sum != 1.0 || low != 0.0 {
        let (lh, ll) = log_pair(fast_two_sum(sum, low));
        let (s, e) = two_sum(largest, lh);
        result = s + (e + ll);
    }
    sums[row] = result;
}

/// `log(sum of exp(x))` over a slice; the empty sum gives `-inf`: one row of [`logspace_sums`].
pub fn logspace_sum(logs: &[f64]) -> f64 {
    let mut sums = [f64::NEG_INFINITY];
    logspace_sums::launch(1, logs.len(), logs, &mut sums);
    sums[0]
}

/// `(1 + x)^y`, accurate also where `1 + x` is not a double.
///
/// Domain: as [`pow`](super::power::pow) with base `1 + x`.
/// Method: `exp(y log(1 + x))` with `1 + x` as an exact pair and the logarithm in double-double. No branch.
/// Paper: muller2016, ch. 11.
/// Error: at most 0.52 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
#[kernel(inline)]
pub fn pow1p(x: f64, y: f64) -> f64 {
    let (h, l) = two_sum(1.0, x);
    let negative = h < 0.0;
    let l = if h.is_finite() { l } else { 0.0 };
    let logarithm: (f64, f64) = log_dd((if negative { -h } else { h }, if negative { -l } else { l }));
    // What decides the special cases: 1 + x, but not 1 where x is not 0.
    let above = if x > 0.0 { 2.0 } else { 0.5 };
    let base = if h == 1.0 && x != 0.0 { above } else { h };
    power_from_log(logarithm, base, y)
}

#[cfg(test)]
mod tests {
    use super::super::logarithm::log;
    use super::*;

    #[test]
    fn a_sum_of_equal_terms_is_their_number() {
        let n = 1000;
        let sum = logspace_sum(&vec![-745.5; n]);
        assert_eq!(sum, -745.5 + log(n as f64));
        assert_eq!(logspace_sum(&[]), f64::NEG_INFINITY);
        assert_eq!(logspace_sum(&[f64::NEG_INFINITY, 3.25]), 3.25);
        assert!(logspace_sum(&[1.0, f64::NAN]).is_nan());
    }

    #[test]
    fn rows_are_summed_by_themselves() {
        let logs = [1.0, 2.0, 3.0, -1e300, 700.0, f64::NEG_INFINITY, f64::INFINITY, 0.0, 5.0];
        let mut sums = [0.0; 3];
        logspace_sums::launch(3, 3, &logs, &mut sums);
        for (row, sum) in logs.chunks(3).zip(sums) {
            assert_eq!(sum, logspace_sum(row));
        }
        assert_eq!(sums[1], 700.0);
        assert_eq!(sums[2], f64::INFINITY);
    }
}
