//! `exp` and `expm1`, and their forms with more digits in and out.

use super::double_double::{fast_two_sum, two_prod, two_sum};
use super::scaling::{SHIFT, power_of_two, scale_by_power};
use gristmill_kernel::kernel;

/// ln 2 = LN2_A + LN2_B + LN2_C. LN2_A has 33 bits, so that `k LN2_A` is exact for every exponent `k`.
#[kernel]
pub const LN2_A: f64 = 0.6931471804855391;
/// The next 53 bits of ln 2.
#[kernel]
pub const LN2_B: f64 = 7.440617110012397e-11;
/// The rest of ln 2.
#[kernel]
pub const LN2_C: f64 = -1.3124698417785255e-27;

polynomial! {
    /// `(exp(r) - 1 - r) / r^2` for `|r| <= ln(2)/2`, relative error 7.6e-18.
    fn exp_tail =
        [1.608662795678037e-10, 2.0918137737642736e-09, 2.505207109429355e-08, 2.75572632790885e-07]
        [2.755731924721873e-06, 2.4801587336442236e-05, 0.00019841269841263298, 0.0013888888888879073]
        [0.008333333333333333, 0.04166666666666668, 0.16666666666666666, 0.5];
}

polynomial! {
    /// `2 (exp(r) - 1 - r - r^2/2) / r^3` for `|r| <= ln(2)/2`, relative error 6.4e-17.
    fn exp_cubic =
        [3.2168655767905205e-10, 4.182937393617375e-09, 5.010415600465891e-08]
        [5.51145472862206e-07, 5.511463847991419e-06, 4.9603174651095485e-05, 0.0003968253968253283]
        [0.0027777777777767496, 0.016666666666666666, 0.08333333333333334, 0.3333333333333333];
}

/// `x = k ln 2 + high + low` with an integral `k`: gives `(k, high, low)`, `|high| <= ln(2)/2`, for `|x| <= 1100`.
///
/// `x - k LN2_A` is exact, and the product `k LN2_B < 8e-8` is rounded at 2^-77: nothing to be seen in the result.
#[kernel(inline)]
fn reduce(x: f64) -> (f64, f64, f64) {
    let k = x.mul_add(std::f64::consts::LOG2_E, SHIFT) - SHIFT;
    let exact = (-k).mul_add(LN2_A, x);
    let high = (-k).mul_add(LN2_B, exact);
    (k, high, (-k).mul_add(LN2_B, exact - high))
}

/// The same for a pair. Its low part may reach ulp(1000): it must be summed before `high` is taken.
#[kernel(inline)]
fn reduce_pair(a: (f64, f64)) -> (f64, f64, f64) {
    let (k, high, low) = reduce(a.0);
    let (high, low) = fast_two_sum(high, low + a.1);
    (k, high, low)
}

/// `exp(a)` of a pair, `|a| <= 1100`, as a loose pair `(high, low, k)`: the value is `(high + low) 2^k`.
///
/// `r^2/2` is taken exactly, so the error is below 2^-59 of the result.
#[kernel(inline)]
pub fn exp_mantissa(a: (f64, f64)) -> (f64, f64, f64) {
    let (k, rh, rl) = reduce_pair(a);
    let (square, square_low) = two_prod(0.5 * rh, rh); // r^2/2
    let (q, qe) = fast_two_sum(rh, square);
    let (s, e) = fast_two_sum(1.0, q);
    let rest = (square * rh).mul_add(exp_cubic(rh), rl.mul_add(rh, rl));
    (s, e + (qe + (square_low + rest)), k)
}

/// `exp(a)` of a pair, rounded once.
///
/// Domain: every pair with `|low| <= ulp(high)`; overflow gives `+inf`, underflow 0, NaN gives NaN.
/// Method: as [`exp`], but with `r^2/2` taken exactly: callers amplify errors enough themselves.
/// Error: below 0.51 ulp as far as the pair is exact; see `pow` in docs/accuracy.md.
#[kernel(inline)]
pub fn exp_pair(a: (f64, f64)) -> f64 {
    let h = if a.0 < -746.0 { -746.0 } else { a.0 };
    let h = if h > 710.0 { 710.0 } else { h };
    let l = if h == a.0 { a.1 } else { 0.0 };
    let (high, low, k) = exp_mantissa((h, l));
    scale_by_power(high + low, k)
}

/// `e^x`.
///
/// Domain: every `f64`; above 709.78 `+inf`, below -745.13 0, NaN gives NaN. Subnormal results are rounded once.
/// Method: `x = k ln 2 + r` with `r` as a pair, `e^r = 1 + (r + r^2 P(r))` with `P` of degree 11 and the sum taken from
///   its large end with its rounding errors, then `2^k` by bit operations in two factors. No branch, no table.
/// Paper: muller2016, ch. 11 (reduction with a split constant).
/// Error: at most 0.56 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
#[kernel(inline)]
pub fn exp(x: f64) -> f64 {
    let h = if x < -746.0 { -746.0 } else { x };
    let h = if h > 710.0 { 710.0 } else { h };
    let (k, rh, rl) = reduce(h);
    let (s, e) = fast_two_sum(1.0, rh);
    scale_by_power(s + (e + (rh * rh).mul_add(exp_tail(rh), rl.mul_add(rh, rl))), k)
}

/// `exp(a)` of a pair, `|a| <= 700`, as `(high, low, scale)`: the value is `(high + low) scale`, and `scale` a power of two
/// that is a normal number. `low` is not small, up to 0.06: for callers that use both parts linearly. Relative error about
/// 2^-58.
#[kernel(inline)]
pub fn exp_sum(a: (f64, f64)) -> (f64, f64, f64) {
    let (k, rh, rl) = reduce_pair(a);
    let (s, e) = fast_two_sum(1.0, rh);
    (s, e + (rh * rh).mul_add(exp_tail(rh), rl.mul_add(rh, rl)), power_of_two(k))
}

/// The same with a normalised pair in [0.7, 1.42].
#[kernel(inline)]
pub fn exp_near(a: (f64, f64)) -> (f64, f64, f64) {
    let (s, t, scale) = exp_sum(a);
    let (high, low) = fast_two_sum(s, t);
    (high, low, scale)
}

/// `exp(a)` of a pair as `(high, low, k)`: the value is `(high + low) 2^k`, the pair normalised and in [0.7, 1.42].
///
/// For callers that multiply on before they round: `|a| <= 1100`, relative error about 2^-58.
#[kernel(inline)]
pub fn exp_parts(a: (f64, f64)) -> (f64, f64, f64) {
    let (k, rh, rl) = reduce_pair(a);
    let (s, e) = fast_two_sum(1.0, rh);
    let (high, low) = fast_two_sum(s, e + (rh * rh).mul_add(exp_tail(rh), rl.mul_add(rh, rl)));
    (high, low, k)
}

/// A quarter of `exp(a) - 1` as a normalised pair, for `-60 <= a <= 710.6`; a quarter, so that nothing overflows.
///
/// Next to 0 the pair is that of `r + r^2/2 + ...` itself, so its relative error stays below 2^-59; elsewhere the 1 is
/// taken off `2^k (1 + r + ...)` without rounding, and what cancels was right to 2^-60 absolute.
#[kernel(inline)]
pub fn expm1_quarter(a: (f64, f64)) -> (f64, f64) {
    let (k, rh, rl) = reduce_pair(a);
    let (square, square_low) = two_prod(0.5 * rh, rh); // r^2/2
    let cubic = (square * rh) * exp_cubic(rh);
    let (q, qe) = fast_two_sum(rh, square);
    let low = qe + (square_low + (rl.mul_add(rh, rl) + cubic));
    let (qh, ql) = fast_two_sum(q, low);
    // 2^k q + (2^k - 1), by a quarter
    let s = power_of_two(k - 2.0);
    let (b, be) = two_sum(s, -0.25);
    let (c, ce) = two_sum(b, s * qh);
    let (yh, yl) = fast_two_sum(c, ce + (be + s * ql));
    (if k == 0.0 { 0.25 * qh } else { yh }, if k == 0.0 { 0.25 * ql } else { yl })
}

/// `exp(a) - 1` of a pair as a normalised pair, relative error below 2^-58.
///
/// Domain: every pair with `|low| <= ulp(high)`; overflow gives `(inf, 0)`, NaN gives NaN.
#[kernel(inline)]
pub fn expm1_pair(a: (f64, f64)) -> (f64, f64) {
    let h = if a.0 < -60.0 { -60.0 } else { a.0 };
    let h = if h > 710.0 { 710.0 } else { h };
    let (yh, yl) = expm1_quarter((h, if h == a.0 { a.1 } else { 0.0 }));
    (4.0 * yh, if h < 710.0 { 4.0 * yl } else { 0.0 })
}

/// `e^x - 1`, with full relative accuracy next to 0.
///
/// Domain: every `f64`; keeps the sign of zero; above 709.78 `+inf`, `-inf` gives -1, NaN gives NaN.
/// Method: `x = k ln 2 + r` as for [`exp`]; `q = r + r^2/2 + r^3 P(r)` as a pair; `2^k q + (2^k - 1)` summed with its
///   rounding errors, except for `k = 0`, where `q` is the result. `|x| < 2^-54` is its own result.
/// Paper: muller2016, ch. 11.
/// Error: at most 0.52 ulp on the points of dev/oracle (tests/accuracy/bounds.rs).
#[kernel(inline)]
pub fn expm1(x: f64) -> f64 {
    let h = if x < -60.0 { -60.0 } else { x };
    let h = if h > 710.0 { 710.0 } else { h };
    let (yh, yl) = expm1_quarter((h, 0.0));
    let y = 4.0 * (yh + yl);
    if x.abs() < 5.551115123125783e-17 { x } else { y }
}
