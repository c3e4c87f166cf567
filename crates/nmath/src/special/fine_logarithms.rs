//! The logarithms of a pair and of `1/B(a, b)`, Stirling's remainder and the deviance with all digits of a pair, for sums of them that
//! nearly cancel. They take some thousand operations: for what is rare.

use super::constants::{LN_SQRT_2PI, LN2};
use super::double_double::{dd_add, dd_add_d, dd_div, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, two_sum};
use super::logarithm::split_exponent;
use gristmill_kernel::kernel;

/// The logarithm of a density below this is made anew with all its parts as pairs: what rounding leaves of larger parts that cancel
/// is seen in it.
#[kernel]
pub(crate) const SMALL_LOGARITHM: f64 = 1.0 / 64.0;

/// From here on 13 terms of Stirling's series leave 2e-39.
#[kernel]
const STIRLING_FROM: f64 = 40.0;

/// `B_(2k)/(2k (2k-1))`, k = 1, 2, ..., the leading parts: Stirling's series.
#[kernel]
const STIRLING_HIGH: [f64; 13] = [
    0.08333333333333333,
    -0.002777777777777778,
    0.0007936507936507937,
    -0.0005952380952380953,
    0.0008417508417508417,
    -0.0019175269175269176,
    0.00641025641025641,
    -0.029550653594771242,
    0.17964437236883057,
    -1.3924322169059011,
    13.402864044168393,
    -156.84828462600203,
    2193.1033333333335,
];
/// What these leave.
#[kernel]
const STIRLING_LOW: [f64; 13] = [
    4.625929269271485e-18,
    1.0601087908747154e-19,
    6.883823317368282e-22,
    5.36938218754726e-20,
    3.6870174889237694e-20,
    1.0675702776872475e-19,
    2.2240044563805217e-19,
    4.861760957508855e-19,
    -6.401600482710946e-19,
    1.5837056989230303e-17,
    -6.154114101993966e-16,
    9.391823141715389e-15,
    -1.3339255626002948e-13,
];

/// 1/3, 1/5, .. 1/19: the leading parts of the series of `atanh(s)/s`.
#[kernel]
const ODD_HIGH: [f64; 9] = [
    0.3333333333333333,
    0.2,
    0.14285714285714285,
    0.1111111111111111,
    0.09090909090909091,
    0.07692307692307693,
    0.06666666666666667,
    0.058823529411764705,
    0.05263157894736842,
];
/// What these leave.
#[kernel]
const ODD_LOW: [f64; 9] = [
    1.850371707708594e-17,
    -1.1102230246251566e-17,
    7.93016446160826e-18,
    6.1679056923619804e-18,
    -2.523234146875356e-18,
    -4.270088556250602e-18,
    9.251858538542971e-19,
    8.163404592832033e-19,
    2.921639538487254e-18,
];

polynomial! {
    /// `1/21 + u/23 + .. + u^11/43`.
    fn atanh_far_terms =
        [1.0 / 43.0, 1.0 / 41.0, 1.0 / 39.0, 1.0 / 37.0]
        [1.0 / 35.0, 1.0 / 33.0, 1.0 / 31.0, 1.0 / 29.0]
        [1.0 / 27.0, 1.0 / 25.0, 1.0 / 23.0, 1.0 / 21.0];
}

/// `1/3 + u/5 + u^2/7 + .. + u^20/43` of a pair `0 <= u < 0.03`: from the tenth term on, which is below 2^-48 of the sum, in double.
#[kernel(inline)]
fn atanh_terms(u: (f64, f64)) -> (f64, f64) {
    let mut sum: (f64, f64) = (atanh_far_terms(u.0), 0.0);
    for i in (0..9).rev() {
        sum = dd_add(dd_mul(sum, u), (ODD_HIGH[i], ODD_LOW[i]));
    }
    sum
}

/// `log(a)` of a positive, finite, normalised pair, absolute error 2^-100 or so, and relative next to 1.
///
/// Method: `a = 2^k m`, `s = (m-1)/(m+1)`, `|s| <= 0.1716`; `2 s (1 + s^2/3 + s^4/5 + ...)` in double-double, 22 terms, the last twelve in double.
#[kernel]
pub(crate) fn log_fine(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let f = two_sum(m - 1.0, ml);
    let s = dd_div(f, dd_add_d(f, 2.0));
    let u = dd_square(s);
    let sum = dd_add_d(dd_mul(atanh_terms(u), u), 1.0);
    dd_add(dd_mul_d(LN2, k), dd_mul((2.0 * s.0, 2.0 * s.1), sum))
}

/// Stirling's series, `1/(12 w) - 1/(360 w^3) + ...`, of a pair `40 <= w < 1e100`.
#[kernel]
fn stirling_series(w: (f64, f64)) -> (f64, f64) {
    let inverse = dd_inverse(w);
    let square = dd_square(inverse);
    let mut sum: (f64, f64) = (0.0, 0.0);
    for i in (0..13).rev() {
        sum = dd_add(dd_mul(sum, square), (STIRLING_HIGH[i], STIRLING_LOW[i]));
    }
    dd_mul(sum, inverse)
}

/// `log Gamma(z)` of a pair `1e-3 < z < 1e100`, absolute error 2^-100 of its largest part, `z log(z)` or 150.
///
/// Method: Stirling's series, below 40 after forty steps of the recurrence. Paper: dlmf, 5.11.1.
#[kernel]
pub(crate) fn log_gamma_fine(z: (f64, f64)) -> (f64, f64) {
    let mut w: (f64, f64) = z;
    let mut steps: (f64, f64) = (1.0, 0.0);
    if z.0 < STIRLING_FROM {
        for _i in 0..40 {
            steps = dd_mul(steps, w);
            w = dd_add_d(w, 1.0);
        }
    }
    let powers = dd_sub(dd_mul(dd_add_d(w, -0.5), log_fine(w)), w);
    let all = dd_add(powers, dd_add(LN_SQRT_2PI, stirling_series(w)));
    dd_sub(all, log_fine(steps))
}

/// Stirling's remainder, `log Gamma(z) - (z - 1/2) log(z) + z - log(sqrt(2 pi))`, of a pair `1e-200 < z < 1e100`: absolute error
/// 2^-100 of 150 or, below 1, of `log(z)`.
#[kernel]
pub(crate) fn stirling_remainder_fine(z: (f64, f64)) -> (f64, f64) {
    if z.0 >= STIRLING_FROM {
        return stirling_series(z);
    }
    // below 1 that of 1 + z, and log(z) joins its power
    let small = z.0 < 1.0;
    let up: (f64, f64) = dd_add_d(z, if small { 1.0 } else { 0.0 });
    let power: (f64, f64) = dd_add_d(z, if small { 0.5 } else { -0.5 });
    let powers = dd_sub(dd_mul(power, log_fine(z)), z);
    dd_sub(dd_sub(log_gamma_fine(up), powers), LN_SQRT_2PI)
}

/// `x log(x/m) + m - x` of a double `x` and a pair `m`, both positive and of ordinary size, given the pair `d = x - m`: relative error
/// 2^-98 where it is small.
///
/// Method: with `v = d/(x + m)`, `v (d + 2 x (v^2/3 + v^4/5 + ...))` up to `|v| = 0.17`, 21 terms; beyond, as it stands.
/// Paper: loader2000 (the rearrangement).
#[kernel]
pub(crate) fn deviance_fine(x: f64, m: (f64, f64), d: (f64, f64)) -> (f64, f64) {
    let v: (f64, f64) = dd_div(d, dd_add_d(m, x));
    if v.0.abs() < 0.17 {
        let u: (f64, f64) = dd_square(v);
        let more: (f64, f64) = dd_mul_d(dd_mul(atanh_terms(u), u), 2.0 * x);
        return dd_mul(dd_add(more, d), v);
    }
    dd_sub(dd_mul_d(log_fine(dd_div((x, 0.0), m)), x), d)
}

/// `-log B(a, b)` for shapes from 0.01 to 1e100, absolute error 2^-100 of the largest logarithm of a gamma function in it; exact but for
/// one logarithm where a shape is 1.
#[kernel]
pub(crate) fn log_inverse_beta_fine(a: f64, b: f64) -> (f64, f64) {
    if a == 1.0 || b == 1.0 {
        return log_fine((if a == 1.0 { b } else { a }, 0.0));
    }
    let both = dd_add(log_gamma_fine((a, 0.0)), log_gamma_fine((b, 0.0)));
    dd_sub(log_gamma_fine(two_sum(a, b)), both)
}
