//! `pow`, and R's forms of it.

use super::double_double::{dd_mul_d, two_prod};
use super::exponential::{exp_of_normal, exp_pair};
use super::logarithm::{log_dd_of_double, log_loose};
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

/// Exponents up to this take the short logarithm: its error, 2^-68, times them is below 2^-62.
#[kernel]
const SHORT: f64 = 64.0;
/// The result is a normal number if the exponent of e is below this.
#[kernel]
const NORMAL: f64 = 690.0;

/// `x^y` of a positive normal `x` and `|y| <= SHORT` where it is a normal number; NaN elsewhere.
#[kernel(inline)]
fn pow_main(x: f64, y: f64) -> f64 {
    // The low part of the logarithm is below 2^-16, so that of the product below 2^-10: the exponential takes it as it is, and
    // looks its table up by the leading part, which is there long before.
    let l = log_loose(x);
    let (p, e) = two_prod(l.0, y);
    let r = exp_of_normal((p, l.1.mul_add(y, e)));
    let normal = x >= f64::MIN_POSITIVE && x < f64::INFINITY;
    if normal && y.abs() <= SHORT && p.abs() < NORMAL { r } else { f64::NAN }
}

/// Whether the main path gave a value.
#[kernel(inline)]
fn is_known(r: f64) -> bool {
    !r.is_nan()
}

#[kernel]
fn pow_rest(x: f64, y: f64) -> f64 {
    power_from_log(log_dd_of_double(x.abs()), x, y)
}

/// `x^y`.
///
/// Domain: every pair of `f64`; zeros, infinities, NaN and negative bases as in C99 Annex F.
/// Method: `exp(y log(x))` with the product and the reduced argument in double-double.
///   |y| <= 64, normal base and result   the logarithm from a table, to 2^-68, so 2^-62 of the result
///   elsewhere   the logarithm in double-double, relative 2^-70, so 2^-60 of the result
/// Paper: muller2016, ch. 11; tang1990 (the table).
/// Error: 99 % within 0.50 ulp, at most 0.51 ulp on the points of dev/oracle; the tests hold it.
#[kernel(masked)]
pub fn pow(x: f64, y: f64) -> f64 {
    let r = pow_main(x, y);
    if is_known(r) { r } else { pow_rest(x, y) }
}

/// R's `x^y`: as [`pow`], but NaN for a negative base and an infinite or non-integer exponent.
///
/// Domain: every pair of `f64`; `1^y` and `x^0` are 1, also for NaN.
/// Method: a square is the product, rounded once; else that of [`pow`].
/// Paper: muller2016, ch. 11.
/// Error: that of [`pow`].
#[kernel(masked)]
pub fn r_pow(x: f64, y: f64) -> f64 {
    let r = r_pow_main(x, y);
    if is_known(r) { r } else { r_pow_rest(x, y) }
}

/// Where [`pow`] has its main path, which is R's too but for squares.
#[kernel(inline)]
fn r_pow_main(x: f64, y: f64) -> f64 {
    let r = pow_main(x, y);
    if y == 2.0 { f64::NAN } else { r }
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
