//! Hankel's expansions of K, J and Y, for orders up to the root of the argument: no logarithm, no exponent, and a phase that is `x` itself.
//!
//! With `a_k = prod (4 nu^2 - (2 j - 1)^2)/(8 j)`, `j = 1..k`, `K = sqrt(pi/(2 x)) exp(-x) sum a_k/x^k` and
//! `J + iY = sqrt(2/(pi x)) exp(i (x - nu pi/2 - pi/4)) sum i^k a_k/x^k`. After `n > nu` terms the error is below the next one,
//! `(n-1)!/(pi (2 x)^n)` times at most `exp(nu^2/n)`. The sums are taken from their end, `s_k = 1 + r_k s_(k+1)`; with `nu^2 <= x` the first
//! three `r_k` are at most 1/2, 1/4 and 1/6, so that only the first levels need pairs.
//!
//! Paper: dlmf, 10.17 and 10.40.

use crate::special::constants::{INV_PI, RECIPROCALS};
use crate::special::double_double::{
    dd_add_d, dd_inverse_sqrt, dd_mul, dd_mul_d, dd_sub, fast_two_sum, pair_add_d, pair_inverse, pair_mul, pair_sub,
    two_prod, two_sum,
};
use gristmill_kernel::kernel;

use super::debye::{SQRT_2_OVER_PI, cos_sin_turns};

/// From this argument on 31 terms leave less than 2^-58.
#[kernel]
const FROM: f64 = 20.0;
/// From this argument on 16 terms leave less than 2^-65, and 13 for orders whose square is at most half of it.
#[kernel]
const FEW_FROM: f64 = 100.0;
/// From this argument on the phase is reduced by more bits of pi than a pair has.
#[kernel]
const TO: f64 = 1e9;
/// The last level.
#[kernel]
const LAST: i32 = 31;
/// The last level from `FEW_FROM` on: for orders near the root of the argument the terms fall as `(1/2)^k/k!`.
#[kernel]
const LAST_OF_MANY: i32 = 16;
/// The same for small orders: as `(1/4)^k/k!`, or faster.
#[kernel]
const LAST_OF_FEW: i32 = 13;

/// Whether 13 levels are enough: see `LAST_OF_FEW`.
#[kernel(inline)]
fn few_do(x: f64, nu: f64) -> bool {
    x >= FEW_FROM && nu * nu <= 0.5 * x
}

/// Whether the expansions hold.
#[kernel(inline)]
pub(crate) fn argument_is_large(x: f64, nu: f64) -> bool {
    x >= FROM && x <= TO && nu * nu <= x
}

/// `r_k = (4 nu^2 - (2 k - 1)^2)/(8 k x)` from `4 nu^2` and `1/(8 x)`.
#[kernel(inline)]
fn ratio_at(k: i32, square: f64, inverse: f64) -> f64 {
    let odd = (2 * k - 1) as f64;
    (square - odd * odd) * (inverse * RECIPROCALS[(k - 1) as usize])
}

/// `r_1` and `r_2`, as loose pairs: `1/(8 k)` is exact.
#[kernel(inline)]
fn leading_ratio(odd_squared: f64, share: f64, square: (f64, f64), inverse: (f64, f64)) -> (f64, f64) {
    pair_mul(dd_add_d(square, -odd_squared), (inverse.0 * share, inverse.1 * share))
}

/// `sqrt(2 x/pi) exp(x) K` as a loose pair.
#[kernel]
pub(crate) fn real_sum(x: f64, nu: f64) -> (f64, f64) {
    let square = two_prod(2.0 * nu, 2.0 * nu);
    let inverse = pair_inverse(x);
    let eighth = 0.125 * inverse.0;
    let mut s: f64 = 1.0;
    if x < FEW_FROM {
        for i in 0..(LAST - LAST_OF_MANY) {
            s = ratio_at(LAST - i, square.0, eighth).mul_add(s, 1.0);
        }
    }
    if !few_do(x, nu) {
        for i in 0..(LAST_OF_MANY - LAST_OF_FEW) {
            s = ratio_at(LAST_OF_MANY - i, square.0, eighth).mul_add(s, 1.0);
        }
    }
    for i in 0..(LAST_OF_FEW - 3) {
        s = ratio_at(LAST_OF_FEW - i, square.0, eighth).mul_add(s, 1.0);
    }
    let third = two_sum(1.0, ratio_at(3, square.0, eighth) * s);
    let second = pair_add_d(pair_mul(leading_ratio(9.0, 0.0625, square, inverse), third), 1.0);
    pair_add_d(pair_mul(leading_ratio(1.0, 0.125, square, inverse), second), 1.0)
}

/// `J` (`imaginary = false`) or `Y`, as a normalised pair.
#[kernel]
pub(crate) fn large_argument(x: f64, nu: f64, imaginary: bool) -> (f64, f64) {
    let square = two_prod(2.0 * nu, 2.0 * nu);
    let inverse = pair_inverse(x);
    let eighth = 0.125 * inverse.0;
    // s_k = re + i im = 1 + i r_k s_(k+1)
    let mut re: f64 = 1.0;
    let mut im: f64 = 0.0;
    if x < FEW_FROM {
        for i in 0..(LAST - LAST_OF_MANY) {
            let r = ratio_at(LAST - i, square.0, eighth);
            let above = re;
            re = (-r).mul_add(im, 1.0);
            im = r * above;
        }
    }
    if !few_do(x, nu) {
        for i in 0..(LAST_OF_MANY - LAST_OF_FEW) {
            let r = ratio_at(LAST_OF_MANY - i, square.0, eighth);
            let above = re;
            re = (-r).mul_add(im, 1.0);
            im = r * above;
        }
    }
    for i in 0..(LAST_OF_FEW - 3) {
        let r = ratio_at(LAST_OF_FEW - i, square.0, eighth);
        let above = re;
        re = (-r).mul_add(im, 1.0);
        im = r * above;
    }
    let r3 = ratio_at(3, square.0, eighth);
    let re3 = two_sum(1.0, -r3 * im);
    let im3: (f64, f64) = (r3 * re, 0.0);
    let r2 = leading_ratio(9.0, 0.0625, square, inverse);
    let turned = pair_mul(r2, im3);
    let re2 = pair_add_d((-turned.0, -turned.1), 1.0);
    let im2 = pair_mul(r2, re3);
    let r1 = leading_ratio(1.0, 0.125, square, inverse);
    let turned = pair_mul(r1, im2);
    let p = pair_add_d((-turned.0, -turned.1), 1.0);
    let q = pair_mul(r1, re2);
    // the phase in half turns, modulo 2; nu/2 modulo 2 is exact
    let path = dd_mul_d(INV_PI, x);
    let order = two_sum(0.5 * (nu - 4.0 * (0.25 * nu).round_ties_even()), 0.25);
    let (c, cl, s, sl) = cos_sin_turns(dd_sub(path, order));
    let cosine: (f64, f64) = (c, cl);
    let sine: (f64, f64) = (s, sl);
    let first = pair_mul(if imaginary { sine } else { cosine }, p);
    let second = pair_mul(if imaginary { (-c, -cl) } else { sine }, q);
    let sum = pair_sub(first, second);
    let root = dd_mul(dd_inverse_sqrt((x, 0.0)), SQRT_2_OVER_PI);
    dd_mul(root, fast_two_sum(sum.0, sum.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_integers_are_sums_that_end() {
        for x in [20.0, 23.7, 99.0, 101.0, 5e8] {
            assert_eq!(real_sum(x, 0.5), (1.0, 0.0));
            let one = real_sum(x, 1.5);
            assert!((one.0 + one.1 - (1.0 + 1.0 / x)).abs() < 3e-16, "{x}");
            let two = real_sum(x, 2.5);
            assert!((two.0 + two.1 - (1.0 + 3.0 / x + 3.0 / (x * x))).abs() < 3e-16, "{x}");
        }
        for x in [20.0f64, 33.0, 99.0, 101.0, 4096.0] {
            let root = (2.0 / (std::f64::consts::PI * x)).sqrt();
            let (j, y) = (large_argument(x, 0.5, false), large_argument(x, 0.5, true));
            assert!((j.0 - root * x.sin()).abs() < 4e-16 * root, "{x}");
            assert!((y.0 + root * x.cos()).abs() < 4e-16 * root, "{x}");
            let up = large_argument(x, 1.5, false);
            assert!((up.0 - root * (x.sin() / x - x.cos())).abs() < 4e-16 * root, "{x}");
        }
    }

    #[test]
    fn orders_beyond_the_root_are_left_to_the_others() {
        assert!(argument_is_large(20.0, 4.4) && !argument_is_large(20.0, 4.5));
        assert!(!argument_is_large(19.9, 0.0) && !argument_is_large(2e9, 0.0));
    }
}
