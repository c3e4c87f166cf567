//! `lbeta` next to the curve on which the beta function is 1.
//!
//! Of the three logarithms of gamma functions that it is made of, nothing but the last digits is left there. They are taken with pairs of
//! doubles, next to the curve itself with triples.

use super::constants::{LN_SQRT_2PI, TWELFTH};
use super::double_double::{dd_add, dd_add_d, dd_div, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, two_sum};
use super::extra_precision::{inverse_triple, log_extra, log_triple, triple_add, triple_mul, triple_over, twice_atanh};
use gristmill_kernel::kernel;

/// From here on Stirling's series holds to 2^-75.
#[kernel]
const PAIRS_FROM: f64 = 10.0;
/// From here on Stirling's series holds to 2^-114.
#[kernel]
const STIRLING_FROM: f64 = 32.0;

polynomial! {
    /// Stirling's series from the term in `z^-9` on, divided by it, in `1/z^2`: the coefficients `B_2j/(2j (2j-1))`.
    fn series_rest =
        [2193.1033333333335]
        [-156.84828462600203, 13.402864044168393, -1.3924322169059011, 0.17964437236883057]
        [-0.029550653594771242, 0.00641025641025641, -0.0019175269175269176, 0.0008417508417508417];
}

/// Stirling's remainder of a pair: of at least 32 with an absolute error of about 2^-112, of at least 10 of 2^-75.
#[kernel(inline)]
fn remainder(z: (f64, f64)) -> (f64, f64) {
    let inverse = dd_inverse(z);
    let u = dd_square(inverse);
    // 1/12, -1/360, 1/1260, -1/1680, each in two parts
    let s = dd_add_d((-0.0005952380952380953, 5.36938218754726e-20), u.0 * series_rest(u.0));
    let s = dd_add((0.0007936507936507937, 6.883823317368282e-22), dd_mul(u, s));
    let s = dd_add((-0.002777777777777778, 1.0601087908747154e-19), dd_mul(u, s));
    let s = dd_add(TWELFTH, dd_mul(u, s));
    dd_mul(s, inverse)
}

/// `z (z+1) ... (z+k-1)` as a pair.
#[kernel]
fn rising_pair(z: (f64, f64), k: f64) -> (f64, f64) {
    let mut p: (f64, f64) = (1.0, 0.0);
    let mut j: f64 = 0.0;
    while j < k {
        p = dd_mul(p, dd_add_d(z, j));
        j += 1.0;
    }
    p
}

/// `log B(small, large)` where it is small beside its parts, for `0.008 < small <= large`, as a pair: absolute error about 2^-70.
///
/// Method: that of [`lbeta_next_to_zero`], with pairs and a shorter way up.
#[kernel]
pub(crate) fn lbeta_near_zero(small: f64, large: f64) -> (f64, f64) {
    let up = (PAIRS_FROM - small).ceil();
    let large_up = if large < PAIRS_FROM { (PAIRS_FROM - large).ceil() } else { 0.0 };
    let s = two_sum(small, up);
    let l = two_sum(large, large_up);
    let n = dd_add_d(l, small);
    let top = rising_pair(two_sum(small, large), large_up);
    let bottom = dd_mul(rising_pair((large, 0.0), large_up), rising_pair((small, 0.0), up));
    let q = dd_div((small, 0.0), dd_add_d((2.0 * l.0, 2.0 * l.1), small));
    let grown = dd_mul(twice_atanh(q), dd_add_d(l, -0.5));
    let power = dd_mul_d(log_extra(n), small);
    let own = dd_mul(log_extra(s), dd_add_d(s, -0.5));
    let sum = dd_add(dd_sub(own, power), log_extra(dd_div(top, bottom)));
    // small - s is -up, and log(2 pi)/2 the constant
    let sum = dd_add(dd_sub(sum, grown), dd_add_d(LN_SQRT_2PI, -up));
    dd_add(sum, dd_add(remainder(s), dd_sub(remainder(l), remainder(n))))
}

/// `z (z+1) ... (z+k-1)`.
#[kernel]
fn rising(z: (f64, f64), k: f64) -> (f64, f64, f64) {
    let mut p: (f64, f64, f64) = (1.0, 0.0, 0.0);
    let mut j: f64 = 0.0;
    while j < k {
        let factor = dd_add_d(z, j);
        p = triple_mul(p, (factor.0, factor.1, 0.0));
        j += 1.0;
    }
    p
}

/// `log(a)` of a triple.
#[kernel]
fn log_of(a: (f64, f64, f64)) -> (f64, f64, f64) {
    triple_add(log_triple((a.0, a.1)), (a.2 / a.0, 0.0, 0.0))
}

/// `log((large + small)/large)` for `0 < small < 2` and a pair `large >= 32`, with the relative precision of a pair: `2 atanh(q)`,
/// `q = small/(2 large + small)`.
#[kernel]
fn log_of_growth(small: f64, large: (f64, f64)) -> (f64, f64, f64) {
    let bottom = dd_add_d((2.0 * large.0, 2.0 * large.1), small);
    let q = triple_mul(inverse_triple(bottom), (small, 0.0, 0.0));
    let u = triple_mul(q, q);
    let one: (f64, f64, f64) = (1.0, 0.0, 0.0);
    let mut sum = triple_over(one, 21.0);
    let mut k: f64 = 19.0;
    while k > 0.0 {
        sum = triple_add(triple_over(one, k), triple_mul(u, sum));
        k -= 2.0;
    }
    let half = triple_mul(q, sum);
    (2.0 * half.0, 2.0 * half.1, 2.0 * half.2)
}

/// `log B(small, large)` where it is small beside its parts, for `0.008 < small <= large`: absolute error about 2^-104.
///
/// Method: both arguments are raised to 32 or more by the recurrence of the gamma function, the larger one together with the sum; then
///   Stirling's formula, the powers combined as `(l - 1/2) log(1 + s/l) + s log(l + s) - s`.
/// Paper: DLMF 5.5.1, 5.11.1.
#[kernel]
pub(crate) fn lbeta_next_to_zero(small: f64, large: f64) -> f64 {
    let up = (STIRLING_FROM - small).ceil();
    let large_up = if large < STIRLING_FROM { (STIRLING_FROM - large).ceil() } else { 0.0 };
    let s = two_sum(small, up);
    let l = two_sum(large, large_up);
    let n = dd_add_d(l, small);
    let whole = two_sum(small, large);
    // log G(s + up) - log(s (s+1) ...)
    let half = dd_add_d(s, -0.5);
    let mut sum = triple_mul(log_triple(s), (half.0, half.1, 0.0));
    sum = triple_add(sum, (0.9189385332046728, -3.8782941580672414e-17, -1.323971596849807e-33)); // log(2 pi)/2
    sum = triple_add(sum, (-s.0, -s.1, 0.0));
    let p = log_of(rising((small, 0.0), up));
    sum = triple_add(sum, (-p.0, -p.1, -p.2));
    // the quotient of the two others
    let half = dd_add_d(l, -0.5);
    let grown = triple_mul(log_of_growth(small, l), (half.0, half.1, 0.0));
    sum = triple_add(sum, (-grown.0, -grown.1, -grown.2));
    let power = triple_mul(log_triple(n), (small, 0.0, 0.0));
    sum = triple_add(sum, (-power.0, -power.1, -power.2));
    sum = triple_add(sum, (small, 0.0, 0.0));
    if large_up > 0.0 {
        let top = log_of(rising(whole, large_up));
        let bottom = log_of(rising((large, 0.0), large_up));
        sum = triple_add(sum, triple_add(top, (-bottom.0, -bottom.1, -bottom.2)));
    }
    let r = dd_add(remainder(s), dd_sub(remainder(l), remainder(n)));
    let sum = triple_add(sum, (r.0, r.1, 0.0));
    sum.0 + sum.1
}
