//! `pow`, and R's forms of it.

use super::double_double::dd_mul_d;
use super::exponential::{exp_mantissa, exp_pair};
use super::logarithm::{log_dd_of_double, log_dd_of_normal};
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

/// `|x|^y` from `log|x|` as a pair, with the sign and the special cases that `x` itself decides (C99 Annex F).
#[kernel(inline)]
pub fn power_from_log(logarithm: (f64, f64), x: f64, y: f64) -> f64 {
    let ax = x.abs();
    // Beyond +-1e4 the product may overflow on its way; exp_pair gives 0 and infinity from far less.
    let rough = logarithm.0 * y;
    let inside = rough.abs() < 1e4;
    let (ph, pl) = dd_mul_d(logarithm, y);
    let r = exp_pair((if inside { ph } else { rough }, if inside { pl } else { 0.0 }));
    let integral = y.floor() == y;
    let odd = integral && y.abs() < 9_007_199_254_740_992.0 && (y * 0.5).floor() * 2.0 != y;
    // The ends of the range of |x| and y, where the formula above does not hold.
    let r = if ax == 0.0 {
        if y > 0.0 { 0.0 } else { f64::INFINITY }
    } else if ax == f64::INFINITY {
        if y > 0.0 { f64::INFINITY } else { 0.0 }
    } else {
        r
    };
    let grows = (ax > 1.0) == (y > 0.0);
    let limit = if ax == 1.0 {
        1.0
    } else if grows {
        f64::INFINITY
    } else {
        0.0
    };
    let r = if y.abs() == f64::INFINITY { limit } else { r };
    let negative = x.to_bits() >> 63 == 1;
    let r = if negative && odd { -r } else { r };
    let r = if x < 0.0 && x > f64::NEG_INFINITY && !integral { f64::NAN } else { r };
    let r = if x.is_nan() || y.is_nan() { f64::NAN } else { r };
    if x == 1.0 || y == 0.0 { 1.0 } else { r }
}

/// Positive normal `x`, and `|y log2(x)| <= 1000`, so that the result is a normal number too.
#[kernel(inline)]
fn pow_in_main(x: f64, y: f64) -> bool {
    let biased = f64::from_bits((x.to_bits() >> 52) | 0x4330_0000_0000_0000) - 4_503_599_627_370_496.0;
    x >= f64::MIN_POSITIVE && x < f64::INFINITY && ((biased - 1023.0).abs() + 1.0) * y.abs() <= 1000.0
}

/// `x^y` without a special case.
#[kernel(inline)]
fn pow_main(x: f64, y: f64) -> f64 {
    let (high, low, k) = exp_mantissa(dd_mul_d(log_dd_of_normal(x), y));
    (high + low) * power_of_two(k)
}

#[kernel]
fn pow_rest(x: f64, y: f64) -> f64 {
    power_from_log(log_dd_of_double(x.abs()), x, y)
}

/// `x^y`.
///
/// Domain: every pair of `f64`; zeros, infinities, NaN and negative bases as in C99 Annex F.
/// Method: `exp(y log(x))` with the logarithm, the product and the reduced argument in double-double (relative 2^-70, so
///   2^-60 of the result); positive bases with results in [2^-1000, 2^1000] take a path without special cases.
/// Paper: muller2016, ch. 11.
/// Error: 99 % within 0.50 ulp, at most 0.51 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn pow(x: f64, y: f64) -> f64 {
    if pow_in_main(x, y) { pow_main(x, y) } else { pow_rest(x, y) }
}

/// R's `x^y`: as [`pow`], but NaN for a negative base and an infinite or non-integer exponent.
///
/// Domain: every pair of `f64`; `1^y` and `x^0` are 1, also for NaN.
/// Method: a square is the product, rounded once; else that of [`pow`].
/// Paper: muller2016, ch. 11.
/// Error: that of [`pow`].
#[kernel(masked)]
pub fn r_pow(x: f64, y: f64) -> f64 {
    if r_pow_in_main(x, y) { pow_main(x, y) } else { r_pow_rest(x, y) }
}

/// Where [`pow`] has its main path, which is R's too but for squares.
#[kernel(inline)]
fn r_pow_in_main(x: f64, y: f64) -> bool {
    y != 2.0 && pow_in_main(x, y)
}

#[kernel]
fn r_pow_rest(x: f64, y: f64) -> f64 {
    if y == 2.0 {
        return x * x;
    }
    if x < 0.0 && (y.abs() == f64::INFINITY || y.floor() != y) {
        return f64::NAN;
    }
    // A negative base takes the path of its absolute value.
    let r = pow(x.abs(), y);
    let odd = y.abs() < 9_007_199_254_740_992.0 && (y * 0.5).floor() * 2.0 != y;
    // R has no negative zero base, and no negative zero result of an infinite one.
    if x < 0.0 && odd && (x > f64::NEG_INFINITY || y > 0.0) { -r } else { r }
}

/// R's `x^n` for an integer `n`.
///
/// Domain: every `f64` and `i32`; `x^0` is 1, also for NaN.
/// Method: that of [`pow`].
/// Paper: muller2016, ch. 11.
/// Error: that of [`pow`].
#[kernel]
pub fn r_pow_di(x: f64, n: i32) -> f64 {
    r_pow(x, n as f64)
}
