//! `exp` and `expm1`, and their forms with more digits in and out.

use super::double_double::{fast_two_sum, two_prod, two_sum};
use super::scaling::{power_of_two, scale_by_power};

/// ln 2 = LN2_A + LN2_B + LN2_C. LN2_A has 33 bits, so that `k LN2_A` is exact for every exponent `k`.
pub(crate) const LN2_A: f64 = 0.693_147_180_485_539_1;
/// The next 53 bits of ln 2.
pub(crate) const LN2_B: f64 = 7.440_617_110_012_397e-11;
/// The rest of ln 2.
pub(crate) const LN2_C: f64 = -1.312_469_841_778_525_5e-27;

polynomial! {
    /// `(exp(r) - 1 - r) / r^2` for `|r| <= ln(2)/2`, relative error 7.6e-18 (interpolation at Chebyshev nodes).
    fn exp_tail =
        [1.6086677666787362e-10, 2.091821231913398e-09, 2.5052070959803662e-08, 2.755726307730941e-07]
        [2.7557319247344507e-06, 2.480158733663095e-05, 0.00019841269841263252, 0.0013888888888879004]
        [0.008333333333333333, 0.04166666666666668, 0.16666666666666666, 0.5];
}

/// `exp(h + l) = 2^k (1 + high + low)`: gives `(k, high, low)` with `|high| <= 0.35`, for `|h| <= 1000`.
///
/// Reduction by ln 2 in three parts, `r = h + l - k ln 2` to relative 2^-100; then `high = r` rounded, `low` the rest
/// of `exp(r) - 1`, about 2^-58 absolute.
#[inline(always)]
fn exp_core(h: f64, l: f64) -> (f64, f64, f64) {
    let k = (h * std::f64::consts::LOG2_E).round_ties_even();
    let r0 = (-k).mul_add(LN2_A, h); // exact: 33-bit constant, and the difference cancels
    let (p, e) = two_prod(k, LN2_B);
    let (rh, re) = two_sum(r0, -p);
    let rl = re - e - k * LN2_C + l;
    let (rh, rl) = fast_two_sum(rh, rl);
    let low = (rh * rh).mul_add(exp_tail(rh), rl.mul_add(rh, rl));
    (k, rh, low)
}

/// `exp(a)` of a pair, rounded once: `|low| <= ulp(high)`, any `high`.
///
/// Domain: every pair; overflow gives `+inf`, underflow 0, NaN gives NaN.
/// Error: that of [`exp`].
#[inline(always)]
pub fn exp_pair(a: (f64, f64)) -> f64 {
    let h = a.0;
    let hc = if h > 710.0 {
        710.0
    } else if h < -800.0 {
        -800.0
    } else {
        h
    };
    let lc = if hc == h { a.1 } else { 0.0 };
    let (k, qh, ql) = exp_core(hc, lc);
    let (s, e) = fast_two_sum(1.0, qh);
    let y = scale_by_power(s + (e + ql), k);
    let y = if h > 709.79 { f64::INFINITY } else { y };
    if h.is_nan() { h } else { y }
}

/// `e^x`.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    exp_pair((x, 0.0))
}

/// `exp(a)` of a pair as `(high, low, k)`: the value is `(high + low) 2^k`, the pair normalised and in [0.7, 1.42].
///
/// For callers that multiply on before they round: `|a| <= 1000`, relative error about 2^-58.
#[inline(always)]
pub fn exp_parts(a: (f64, f64)) -> (f64, f64, f64) {
    let (k, qh, ql) = exp_core(a.0, a.1);
    let (s, e) = fast_two_sum(1.0, qh);
    let (high, low) = fast_two_sum(s, e + ql);
    (high, low, k)
}

/// `exp(a) - 1` of a pair as a normalised pair, relative error about 2^-57.
///
/// Domain: every pair; beyond 709.5 the low part of the result is 0; overflow gives `(inf, 0)`, NaN gives NaN.
#[inline(always)]
pub fn expm1_pair(a: (f64, f64)) -> (f64, f64) {
    let h = a.0;
    let hc = if h > 709.5 {
        709.5
    } else if h < -60.0 {
        -60.0
    } else {
        h
    };
    let lc = if hc == h { a.1 } else { 0.0 };
    let (k, qh, ql) = exp_core(hc, lc);
    let (qh, ql) = fast_two_sum(qh, ql);
    // 2^k q + (2^k - 1), taken by half so that k = 1024 does not overflow.
    let s = power_of_two(k - 1.0);
    let (b, be) = two_sum(s, -0.5);
    let (c, ce) = two_sum(b, s * qh);
    let (yh, yl) = fast_two_sum(c, ce + (be + s * ql));
    let yh = if k == 0.0 { qh } else { 2.0 * yh };
    let yl = if k == 0.0 { ql } else { 2.0 * yl };
    let big = exp_pair(a); // the 1 is far below half an ulp there
    let yh = if h > 709.5 { big } else { yh };
    let yl = if h > 709.5 { 0.0 } else { yl };
    if h.is_nan() { (h, 0.0) } else { (yh, yl) }
}

/// `e^x - 1`, with full relative accuracy next to 0.
#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let (h, l) = expm1_pair((x, 0.0));
    let y = if h < f64::INFINITY { h + l } else { h };
    if x.abs() < 1e-300 { x } else { y }
}
