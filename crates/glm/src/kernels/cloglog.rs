//! The complementary log-log link.

use super::EXP_END;
use gristmill_kernel::kernel;
use gristmill_nmath::building_blocks::fast_two_sum;
use gristmill_nmath::{exp, expm1, log};

/// 2^-28: below it `log(1 - w)` is `-w - w^2/2` to 2^-57.
#[kernel]
const TWO_TERMS_END: f64 = 3.725290298461914e-09;

/// `(1 - exp(-x))/x` for `0 <= x <= 1`, relative error 2.8e-17 beside the roundings.
#[kernel(inline)]
fn mean_ratio(x: f64) -> f64 {
    let (c11, c9, c7, c5, c3, c1): (f64, f64, f64, f64, f64, f64) = (
        -1.3221480811326931e-09,
        -2.7289403227036547e-07,
        -2.4800032289946006e-05,
        -0.0013888887104824001,
        -0.041666666663443576,
        -0.4999999999999964,
    );
    let x2 = x * x;
    let x4 = x2 * x2;
    let high = c11.mul_add(x, 2.3200975871202737e-08).mul_add(x2, c9.mul_add(x, 2.753231109497008e-06));
    let middle = c7.mul_add(x, 0.0001984120502317959).mul_add(x2, c5.mul_add(x, 0.008333333302138762));
    let low = c3.mul_add(x, 0.1666666666664944).mul_add(x2, c1.mul_add(x, 1.0));
    high.mul_add(x4, middle).mul_add(x4, low)
}

/// `-successes log(1 - exp(-x)) + failures x` with `x = exp(eta)`, and its derivative
/// `-successes x/(exp(x) - 1) + failures x`.
///
/// Method: up to `eta = 0`, `log(1 - exp(-x)) = eta + log((1 - exp(-x))/x)`: both terms are negative, and nothing underflows
///   however small `x` is. Above, the logarithm of `1 - exp(-x)` as an exact pair, and of its two first terms where that is 1.
///   Beyond 709 `x` stays at `exp(709)`. One logarithm and one division for both sides.
/// Paper: maechler2012 (why two forms are needed).
#[kernel(inline)]
pub fn cloglog_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let x = exp(if eta > EXP_END { EXP_END } else { eta });
    let w = exp(-x);
    let close = eta <= 0.0;
    let ratio = mean_ratio(if close { x } else { 1.0 });
    let (h, l) = fast_two_sum(1.0, -w);
    let base = if close { ratio } else { h };
    let inverse = 1.0 / base;
    let log_base = log(base);
    let above = if w < TWO_TERMS_END { -w.mul_add(0.5 * w, w) } else { l.mul_add(inverse, log_base) };
    let log_success = if close { eta + log_base } else { above };
    let share = (if close { w } else { x * w }) * inverse;
    (failures.mul_add(x, -(successes * log_success)), failures.mul_add(x, -(successes * share)))
}

/// The second derivative and its expectation.
///
/// With `s = x/(exp(x) - 1)` a success gives `s (x + s - 1)` and a failure `x`; the expectation is
/// `(successes + failures) x s`. Below `x = 1e-3`, where the sum cancels, it is `x/2 + x^2/12`; the next term is `x^4/720`.
#[kernel]
pub fn cloglog_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let x = exp(if eta > EXP_END { EXP_END } else { eta });
    let mut s = 0.0;
    if eta < -30.0 {
        s = 1.0 - 0.5 * x;
    } else if x <= 750.0 {
        s = x / expm1(x);
    }
    let rise = if x < 1e-3 { x * (0.5 + x / 12.0) } else { x + s - 1.0 };
    (failures.mul_add(x, successes * (s * rise)), (successes + failures) * (x * s))
}
