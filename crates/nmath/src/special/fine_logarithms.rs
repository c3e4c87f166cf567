//! The logarithms of a pair and of `1/B(a, b)` with all digits of a pair, for sums of them that nearly cancel. They take some
//! thousand operations: for what is rare.

use super::constants::{LN_SQRT_2PI, LN2};
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_div_d, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, two_sum,
};
use super::logarithm::split_exponent;
use gristmill_kernel::kernel;

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

/// `log(a)` of a positive, finite, normalised pair, absolute error 2^-100 or so, and relative next to 1.
///
/// Method: `a = 2^k m`, `s = (m-1)/(m+1)`, `|s| <= 0.1716`; `2 s (1 + s^2/3 + s^4/5 + ...)` in double-double, 22 terms.
#[kernel]
pub(crate) fn log_fine(a: (f64, f64)) -> (f64, f64) {
    let (k, m, ml) = split_exponent(a);
    let f = two_sum(m - 1.0, ml);
    let s = dd_div(f, dd_add_d(f, 2.0));
    let u = dd_square(s);
    let mut sum: (f64, f64) = (1.0 / 43.0, 0.0);
    let mut d: f64 = 41.0;
    while d > 0.0 {
        sum = dd_add(dd_mul(sum, u), dd_div_d(1.0, d));
        d -= 2.0;
    }
    dd_add(dd_mul_d(LN2, k), dd_mul((2.0 * s.0, 2.0 * s.1), sum))
}

/// `log Gamma(z)` of a pair `1e-3 < z < 1e100`, absolute error 2^-100 of its largest part, `z log(z)` or 150.
///
/// Method: Stirling's series, below 40 after forty steps of the recurrence. Paper: dlmf, 5.11.1.
#[kernel]
fn log_gamma_fine(z: (f64, f64)) -> (f64, f64) {
    let mut w: (f64, f64) = z;
    let mut steps: (f64, f64) = (1.0, 0.0);
    if z.0 < STIRLING_FROM {
        for _i in 0..40 {
            steps = dd_mul(steps, w);
            w = dd_add_d(w, 1.0);
        }
    }
    let inverse = dd_inverse(w);
    let square = dd_square(inverse);
    let mut sum: (f64, f64) = (0.0, 0.0);
    for i in (0..13).rev() {
        sum = dd_add(dd_mul(sum, square), (STIRLING_HIGH[i], STIRLING_LOW[i]));
    }
    let powers = dd_sub(dd_mul(dd_add_d(w, -0.5), log_fine(w)), w);
    let all = dd_add(powers, dd_add(LN_SQRT_2PI, dd_mul(sum, inverse)));
    dd_sub(all, log_fine(steps))
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
