//! The complementary log-log link.

use super::EXP_END;
use gristmill_kernel::kernel;
use gristmill_nmath::{exp, expm1, log1mexp};

/// `-successes log(1 - exp(-x)) + failures x` with `x = exp(eta)`, and its derivative
/// `-successes x/(exp(x) - 1) + failures x`.
///
/// Method: `log(1 - exp(-x))` directly; below -30 it is `eta - x/2`, the next term, `x^2/24 < 4e-28`, is nothing. Beyond 709
///   `x` stays at `exp(709)`.
/// Paper: maechler2012.
#[kernel(inline)]
pub fn cloglog_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let x = exp(if eta > EXP_END { EXP_END } else { eta });
    let tiny = eta < -30.0;
    let log_success = if tiny { (-0.5f64).mul_add(x, eta) } else { log1mexp(x) };
    let ratio = if tiny { 1.0 - 0.5 * x } else { x / expm1(x) };
    let ratio = if x > 750.0 { 0.0 } else { ratio };
    (failures.mul_add(x, -(successes * log_success)), failures.mul_add(x, -(successes * ratio)))
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
