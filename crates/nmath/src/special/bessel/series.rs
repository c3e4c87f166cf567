//! The power series of I and J, in double-double.

use crate::special::constants::LN2;
use crate::special::double_double::{
    dd_div, dd_mul, dd_mul_d, dd_sub, pair_add, pair_mul, pair_mul_d, two_prod, two_sum,
};
use crate::special::exponential::exp_parts;
use crate::special::gamma_function::lgamma1p_dd;
use crate::special::logarithm::log_dd;
use gristmill_kernel::kernel;

/// Levels of pairs that are one quotient.
#[kernel]
const PAIRS_AT_ONCE: f64 = 6.0;
/// Levels of doubles that are one quotient.
#[kernel]
const DOUBLES_AT_ONCE: f64 = 8.0;

/// `sum (sign x^2/4)^k / (k! (nu+1)_k)` as a normalised pair, for `0 < x <= 25`, `0 <= nu <= 30`; `sign` is 1 for I and -1 for J.
///
/// From its end: `s_k = 1 + q/(k (nu+k)) s_(k+1)`, a few levels at a time as one quotient. The terms of J cancel and those of I go up to
/// `e^x/x`, so the levels up to the one where the terms are below a thousandth of the sum are pairs, loose ones within a quotient; the
/// terms left out are below 2^-60 of it. Both borders lie so many widths of the largest term's neighbourhood beyond that term.
#[kernel]
fn power_sum(x: f64, nu: f64, sign: f64) -> (f64, f64) {
    let h = 0.5 * x;
    let q = two_prod(h, sign * h);
    let largest = 0.5 * (x * x) / (nu.mul_add(nu, x * x).sqrt() + nu);
    let width = (largest * (nu + largest) / (nu + 2.0 * largest + 1e-300)).sqrt();
    let pairs = (6.5f64.mul_add(width, largest) + 2.0).floor();
    let levels = (1.6f64.mul_add(pairs, 5.0)).floor();
    let mut k = pairs + DOUBLES_AT_ONCE * ((levels - pairs) / DOUBLES_AT_ONCE).ceil();
    let mut rough: f64 = 1.0;
    while k > pairs {
        let mut bottom: f64 = 1.0;
        for i in 0..8 {
            let at = k - i as f64;
            bottom *= at * (nu + at);
            rough = q.0.mul_add(rough, bottom);
        }
        rough /= bottom;
        k -= DOUBLES_AT_ONCE;
    }
    let mut sum: (f64, f64) = (rough, 0.0);
    while k > 0.0 {
        let stop = if k > PAIRS_AT_ONCE { k - PAIRS_AT_ONCE } else { 0.0 };
        let mut bottom: (f64, f64) = (1.0, 0.0);
        while k > stop {
            bottom = pair_mul(bottom, pair_mul_d(two_sum(nu, k), k));
            sum = pair_add(pair_mul(q, sum), bottom);
            k -= 1.0;
        }
        sum = dd_div(sum, bottom);
    }
    sum
}

/// `(x/2)^nu/Gamma(nu + 1) sum (sign x^2/4)^k/(k! (nu+1)_k) exp(extra)` as `(high, low, k)`, for `x > 0`, `0 <= nu <= 30`.
#[kernel]
pub(crate) fn power_series(x: f64, nu: f64, sign: f64, extra: f64) -> (f64, f64, f64) {
    let sum = power_sum(x, nu, sign);
    let (lh, ll) = log_dd((x, 0.0));
    // log(x/2): ln 2 taken off here, because x/2 may lose a bit of a subnormal x
    let half = dd_sub((lh, ll), LN2);
    let e = dd_sub(dd_mul_d(half, nu), lgamma1p_dd(nu));
    let e = dd_sub(e, (-extra, 0.0));
    let low: f64 = -1050.0;
    let cut = e.0 < low;
    let (m, ml, k) = exp_parts((if cut { low } else { e.0 }, if cut { 0.0 } else { e.1 }));
    let y = dd_mul((m, ml), sum);
    (y.0, y.1, k)
}
