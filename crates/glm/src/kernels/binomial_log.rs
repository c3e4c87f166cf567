//! The log link of proportions.

use super::INVERSE_END;
use gristmill_kernel::kernel;
use gristmill_nmath::{exp, expm1, log, log1p};

/// `-successes eta - failures log(1 - exp(eta))` and its derivative.
///
/// Domain: `eta < 0`, as the mean is `exp(eta)`, and 0 where there are no failures. Elsewhere the density is 0, so the value is
/// `+inf` and the derivative has no meaning: it is 0. A row without trials gives 0 everywhere.
/// Above -1e-75 the logarithm and the derivative stay at their values there.
/// Method: `1 - exp(eta)` is `-expm1(eta)` near 0, and 1 less `exp(eta)` from `-ln 2` down.
/// Paper: maechler2012.
#[kernel(inline)]
pub fn binomial_log_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let inside = eta < 0.0 || (eta == 0.0 && failures == 0.0);
    let x = if eta < 0.0 { eta.min(-INVERSE_END) } else { -1.0 };
    let rest = -expm1(x);
    let log_rest = if x < -std::f64::consts::LN_2 { log1p(-exp(x)) } else { log(rest) };
    let value = -failures.mul_add(log_rest, successes * (if eta < 0.0 { eta } else { 0.0 }));
    let slope = failures.mul_add(exp(x) / rest, -successes);
    let outside = if successes + failures > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { value } else { outside }, if inside { slope } else { 0.0 })
}

/// The second derivative, `failures p/q^2`, and its expectation, `(successes + failures) p/q`; 0 outside of the domain.
#[kernel]
pub fn binomial_log_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    if eta.is_nan() || eta >= 0.0 {
        return (0.0, 0.0);
    }
    let x = eta.min(-INVERSE_END);
    let rest = -expm1(x);
    let odds = exp(x) / rest;
    (failures * odds / rest, (successes + failures) * odds)
}
