//! Differences of logarithms of gamma functions: each is of the order of a small step, and is formed so, not of two that cancel.

use super::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_mul, dd_mul_d, dd_neg, dd_sub_short, fast_two_sum, pair_mul_d, two_sum,
};
use super::exponential::expm1;
use super::gamma_function::{TAYLOR_HIGH, lgamma1p_dd};
use super::logarithm::{log, log_dd, log1p, log1pmx};
use super::powers_of_two::{TWO_200, TWO_M200};
use gristmill_kernel::kernel;

/// Up to this size `1 + t` keeps too few digits of `t`, and the fourth term of the series is 2^-92 of it.
#[kernel]
pub(crate) const LOG1P_SERIES_TO: f64 = 1e-9;

/// `log(1 + t)` of a pair up to 1e-9 in size: `t - t^2/2 + t^3/3`.
#[kernel(inline)]
pub(crate) fn log1p_series(t: (f64, f64)) -> (f64, f64) {
    let bent = t.0 * t.0 * (0.5 - t.0 * (1.0 / 3.0));
    fast_two_sum(t.0, t.1 - bent)
}

/// `log(1 + t)` of a pair `t >= 0`, as a pair, relative error about 2^-66.
#[kernel(inline)]
pub(crate) fn log1p_of_pair(t: (f64, f64)) -> (f64, f64) {
    if t.0 < LOG1P_SERIES_TO {
        return log1p_series(t);
    }
    let u = two_sum(1.0, t.0);
    log_dd(fast_two_sum(u.0, u.1 + t.1))
}

/// `a log x + log G(a+b) - log G(b)` for `0 < a <= 1`, with a small relative error.
///
/// The shape `b` is raised to 12 or more by `G(b+1) = b G(b)`; then Stirling's formula, its differences by `expm1`.
#[kernel]
pub(crate) fn log_gamma_step(b: f64, a: f64, x: f64) -> f64 {
    let mut b = b;
    let mut sum: f64 = 0.0;
    for _ in 0..12 {
        if b < 12.0 {
            sum -= log1p(a / b);
            b += 1.0;
        }
    }
    let t = a / b;
    let l = log1p(t);
    // log G(b+a) - log G(b) = b (log(1+t) - t) - log(1+t)/2 + a log(a+b) + the remainders; log x joins the third
    sum + (b * log1pmx(t) - 0.5 * l + a * log((a + b) * x) + remainder_step(b, l))
}

/// `r(b exp(l)) - r(b)`, `r` Stirling's remainder, for `b >= 12`, with a small relative error.
#[kernel(inline)]
fn remainder_step(b: f64, l: f64) -> f64 {
    let q = 1.0 / (b * b);
    let p = 1.0 / b;
    let series = expm1(-l) * (1.0 / 12.0)
        - q * (expm1(-3.0 * l) * (1.0 / 360.0)
            - q * (expm1(-5.0 * l) * (1.0 / 1260.0)
                - q * (expm1(-7.0 * l) * (1.0 / 1680.0)
                    - q * (expm1(-9.0 * l) * (1.0 / 1188.0)
                        - q * (expm1(-11.0 * l) * (691.0 / 360_360.0) - q * (expm1(-13.0 * l) * (1.0 / 156.0)))))));
    series * p
}

/// [`log_gamma_step`] at `x = 1` of a pair `b` as a pair, for `0 < a <= 2 b` and `b < 1e300`: error `2^-60 a` times what is larger, 1 or the logarithm of `b`.
///
/// The steps up to 12 are one product, of which 1 is never formed.
#[kernel]
pub(crate) fn log_gamma_step_pair(b: (f64, f64), a: f64) -> (f64, f64) {
    let mut grown: (f64, f64) = (0.0, 0.0);
    let mut steps: f64 = 0.0;
    while b.0 + steps < 12.0 {
        let q = dd_div((a, 0.0), dd_add_d(b, steps));
        grown = dd_add_short(dd_add_short(grown, q), dd_mul(grown, q));
        steps += 1.0;
    }
    let up = dd_add_d(b, steps);
    let l = log1p_of_pair(dd_div((a, 0.0), up));
    let power = dd_mul_d(dd_add_d(log_dd(dd_add_d(up, a)), -1.0), a);
    let sum = dd_add_short(power, dd_mul(l, dd_add_d(up, -0.5)));
    dd_sub_short(dd_add_d(sum, remainder_step(up.0, l.0)), log1p_of_pair(grown))
}

/// Riemann's zeta function at 2.
#[kernel]
const ZETA_2: (f64, f64) = (1.6449340668482264, 3.040672350396488e-17);
/// Riemann's zeta function at 3.
#[kernel]
const ZETA_3: (f64, f64) = (1.2020569031595942, 4.87589101037906e-17);
/// Within this the series of [`log_binomial_near_zero`] leaves 2^-57.
#[kernel]
const BOTH_NEAR: f64 = 0.0625;
/// Within this one of the two is a step: what is left of the other logarithms is at least a tenth of it.
#[kernel]
const ONE_NEAR: f64 = 0.25;

/// `log(G(1+n)/(G(1+k) G(1+w)))` as a pair for `w = n - k` where `k` or `w` is near 0, and with it the result; NaN elsewhere.
///
///   both within 1/16   the series of log G(1+z), DLMF 5.7.3, whose powers combine to n^j - k^j - w^j = k w Q(j), with Q(2) = 2, Q(3) = 3 n
///                      and Q(j+1) = n Q(j) + k^(j-1) + w^(j-1): nothing cancels but k and w of different signs
///   one within 1/4     with s the smaller and b the other, log G(1+b+s) - log G(1+b) as a pair, less log G(1+s); both are of the
///                      order of s, and proportional to it where it is tiny
#[kernel]
pub(crate) fn log_binomial_near_zero(n: f64, k: f64, w: (f64, f64)) -> (f64, f64) {
    if k.abs() <= BOTH_NEAR && w.0.abs() <= BOTH_NEAR {
        let mut power_k = k * k;
        let mut power_w = w.0 * w.0;
        let mut q = (3.0 * n).mul_add(n, power_k + power_w);
        let mut rest: f64 = 0.0;
        for j in 0..18usize {
            rest = q.mul_add(TAYLOR_HIGH[j + 3], rest);
            power_k *= k;
            power_w *= w.0;
            q = n.mul_add(q, power_k + power_w);
        }
        let sum = dd_add_d(dd_sub_short(ZETA_2, dd_mul_d(ZETA_3, n)), rest);
        return pair_mul_d(dd_mul(sum, w), k);
    }
    let first = k.abs() <= w.0.abs();
    let small = if first { k } else { w.0 };
    if small.abs() > ONE_NEAR {
        return (f64::NAN, 0.0);
    }
    let lifted = small.abs() < 1e-240;
    let step = if lifted { small * TWO_200 } else { small };
    let other = (if first { w.0 } else { k }, if first { w.1 } else { 0.0 });
    let up = step > 0.0;
    // the lower one of the two arguments
    let beside = dd_add_d(other, 1.0);
    let below = two_sum(1.0, n);
    let base = (if up { beside.0 } else { below.0 }, if up { beside.1 } else { below.1 });
    if !(step.abs() <= base.0 && base.0 < 1e300) {
        return (f64::NAN, 0.0);
    }
    let rise = log_gamma_step_pair(base, step.abs());
    let rise = if up { rise } else { dd_neg(rise) };
    let r = dd_sub_short(rise, lgamma1p_dd(step));
    // what w lacks as the step
    let lacking = if first { 0.0 } else { r.0 * (w.1 / w.0) };
    let down = if lifted { TWO_M200 } else { 1.0 };
    (r.0 * down, (r.1 + lacking) * down)
}
