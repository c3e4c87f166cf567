//! Positive numbers beyond the range of a double: a pair of about 1, and an integral exponent of two.

use crate::special::constants::LN2;
use crate::special::double_double::{dd_add, dd_div, dd_mul, dd_square, fast_two_sum, two_prod};
use crate::special::logarithm::log_dd_of_normal_pair;
use crate::special::scaling::{power_of_two, scale_by_power};
use gristmill_kernel::kernel;

/// `(high + low) 2^exponent`; `high` in [1, 2), or 0.
#[kernel]
pub(crate) struct ScaledPair {
    /// Leading part.
    pub(crate) high: f64,
    /// Its rest.
    pub(crate) low: f64,
    /// An integer, up to 2^53 in size.
    pub(crate) exponent: f64,
}

/// The exponent of two of a positive normal number.
#[kernel(inline)]
pub(crate) fn exponent_of(x: f64) -> f64 {
    ((x.abs().to_bits() >> 52) as i64 - 1023) as f64
}

/// `a 2^exponent` of a normalised pair, brought to [1, 2).
#[kernel(inline)]
pub(crate) fn scaled(a: (f64, f64), exponent: f64) -> ScaledPair {
    let shift = if a.0 > 0.0 { exponent_of(a.0) } else { 0.0 };
    let unit = power_of_two(-shift);
    ScaledPair { high: a.0 * unit, low: a.1 * unit, exponent: exponent + shift }
}

/// `a b`.
#[kernel(inline)]
pub(crate) fn scaled_mul(a: ScaledPair, b: ScaledPair) -> ScaledPair {
    scaled(dd_mul((a.high, a.low), (b.high, b.low)), a.exponent + b.exponent)
}

/// `a / b`.
#[kernel(inline)]
pub(crate) fn scaled_div(a: ScaledPair, b: ScaledPair) -> ScaledPair {
    scaled(dd_div((a.high, a.low), (b.high, b.low)), a.exponent - b.exponent)
}

/// `base^k` for an integer `0 <= k < 2^53`: its relative error is about `k 2^-102`.
#[kernel]
pub(crate) fn scaled_power(base: f64, k: f64) -> ScaledPair {
    let mut power = ScaledPair { high: 1.0, low: 0.0, exponent: 0.0 };
    let mut square = scaled((base, 0.0), 0.0);
    let mut left = k as u64;
    while left > 0 {
        if left & 1 == 1 {
            power = scaled_mul(power, square);
        }
        square = scaled(dd_square((square.high, square.low)), 2.0 * square.exponent);
        left >>= 1;
    }
    power
}

/// The binomial coefficient `(m + n)! / (m! n!)` as a product of `m` factors.
#[kernel]
pub(crate) fn scaled_choose(m: f64, n: f64) -> ScaledPair {
    let mut top = ScaledPair { high: 1.0, low: 0.0, exponent: 0.0 };
    let mut bottom = ScaledPair { high: 1.0, low: 0.0, exponent: 0.0 };
    let mut i: f64 = 1.0;
    while i <= m {
        top = scaled_mul(top, scaled((n + i, 0.0), 0.0));
        bottom = scaled_mul(bottom, scaled((i, 0.0), 0.0));
        i += 1.0;
    }
    scaled_div(top, bottom)
}

/// The number as a double, rounded once, or 0 below the range.
#[kernel(inline)]
pub(crate) fn scaled_value(a: ScaledPair) -> f64 {
    let exponent = if a.exponent > -1200.0 { a.exponent } else { -1200.0 };
    scale_by_power(a.high + a.low, exponent)
}

/// The logarithm of a positive number as a pair.
#[kernel]
pub(crate) fn scaled_log(a: ScaledPair) -> (f64, f64) {
    let m = log_dd_of_normal_pair((a.high, a.low));
    let (p, e) = two_prod(a.exponent, LN2.0);
    dd_add(fast_two_sum(p, a.exponent.mul_add(LN2.1, e)), m)
}
