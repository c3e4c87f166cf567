//! The logit link: binomial and, with the size as the number of failures, negative binomial.

use super::far_and_near;
use gristmill_kernel::kernel;
use gristmill_nmath::building_blocks::{LN2_A, LN2_B};
use gristmill_nmath::building_blocks::{SHIFT, power_of_two};

/// From here on `exp(-x)` is taken as 0: it is below 4e-308.
#[kernel]
const DISTANCE_END: f64 = 708.0;

/// `(exp(r) - 1 - r)/r^2` for `|r| <= ln(2)/2`; what it adds to the relative error of `exp(r)` is below 1.7e-17.
#[kernel(inline)]
fn exp_tail(r: f64) -> f64 {
    let (c9, c7, c5, c3, c1): (f64, f64, f64, f64, f64) = (
        2.5100470238808523e-08,
        2.7557268281679976e-06,
        0.00019841269863168478,
        0.008333333333330039,
        0.16666666666666669,
    );
    let r2 = r * r;
    let r4 = r2 * r2;
    let high = c9.mul_add(r, 2.762019864323475e-07);
    let middle = c7.mul_add(r, 2.480152106407653e-05).mul_add(r2, c5.mul_add(r, 0.0013888888917363079));
    let low = c3.mul_add(r, 0.04166666666662383).mul_add(r2, c1.mul_add(r, 0.5000000000000001));
    high.mul_add(r4, middle).mul_add(r4, low)
}

/// `2 (atanh(s)/s - 1)/s^2` in `u = s^2` for `0 <= s <= 1/3`; what it adds to the relative error of `atanh(s)` is below 7.5e-18.
#[kernel(inline)]
fn atanh_tail(u: f64) -> f64 {
    let (c9, c7, c5, c3, c1): (f64, f64, f64, f64, f64) =
        (0.1616404561194353, 0.12001072809590713, 0.15385570064958623, 0.22222222717427864, 0.40000000000014585);
    let u2 = u * u;
    let u4 = u2 * u2;
    let high = c9.mul_add(u, 0.08800738486144674);
    let middle = c7.mul_add(u, 0.13314144209654935).mul_add(u2, c5.mul_add(u, 0.18181789436132859));
    let low = c3.mul_add(u, 0.2857142856710876).mul_add(u2, c1.mul_add(u, 0.6666666666666666));
    high.mul_add(u4, middle).mul_add(u4, low)
}

/// `e = exp(-distance)`, `log(1 + e)` and `1/(1 + e)` for `distance >= 0`, each to a relative error of 1e-15.
///
/// Method: `-distance = k ln 2 + r` as nmath's `exp`, without its parts for the last half ulp and for subnormal results:
///   from 708 on `e` is 0. With `s = e/(2 + e)`, `log(1 + e) = 2 atanh(s)`: `s <= 1/3`, so one polynomial does and no exponent
///   is split. One division gives both quotients.
#[kernel(inline)]
pub fn logistic_parts(distance: f64) -> (f64, f64, f64) {
    let inside = distance < DISTANCE_END;
    let x = if inside { -distance } else { -DISTANCE_END };
    let k = x.mul_add(std::f64::consts::LOG2_E, SHIFT) - SHIFT;
    let r = (-k).mul_add(LN2_B, (-k).mul_add(LN2_A, x));
    let e = ((r * r).mul_add(exp_tail(r), r) + 1.0) * power_of_two(k);
    let e = if inside { e } else { 0.0 };
    let one_more = 1.0 + e;
    let two_more = 2.0 + e;
    let inverse = 1.0 / (one_more * two_more);
    let s = e * (one_more * inverse);
    let u = s * s;
    (e, (s * u).mul_add(atanh_tail(u), 2.0 * s), two_more * inverse)
}

/// `successes log(1 + exp(-eta)) + failures log(1 + exp(eta))` and its derivative `failures p - successes q`.
///
/// Method: with `e = exp(-|eta|)`, the two logarithms are `log1p(e)` and `|eta| + log1p(e)`: one exponential, one
///   logarithm, one division, nothing overflows.
/// Paper: maechler2012.
#[kernel(inline)]
pub fn logit_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let distance = eta.abs();
    let (e, log_sum, inverse_sum) = logistic_parts(distance);
    let up = eta >= 0.0;
    let (far, near) = far_and_near(up, successes, failures);
    let value = (successes + failures).mul_add(log_sum, far * distance);
    let slope = (-near).mul_add(e, far) * inverse_sum;
    (value, if up { slope } else { -slope })
}

/// The second derivative, `(successes + failures) p q`, and for a fixed number of trials also its expectation.
#[kernel]
pub fn logit_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let (e, _, inverse_sum) = logistic_parts(eta.abs());
    let h = (successes + failures) * (e * inverse_sum * inverse_sum);
    (h, h)
}

/// Of a negative binomial: the second derivative, and its expectation. The number of trials is random: its expectation is
/// `failures/q`.
#[kernel]
pub fn negative_binomial_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let (e, _, inverse_sum): (f64, f64, f64) = logistic_parts(eta.abs());
    let mean = (if eta >= 0.0 { 1.0 } else { e }) * inverse_sum;
    ((successes + failures) * (e * inverse_sum * inverse_sum), failures * mean)
}
