//! Counts with the log, the identity and the square root link.

use super::EXP_END;
use gristmill_kernel::kernel;
use gristmill_nmath::{exp, log};

/// `weight exp(eta) - weighted_response eta` and its derivative. Beyond 709 the exponential stays at `exp(709)`.
#[kernel(inline)]
pub fn poisson_row(eta: f64, weight: f64, weighted_response: f64) -> (f64, f64) {
    let mean = exp(if eta > EXP_END { EXP_END } else { eta });
    (weight.mul_add(mean, -(weighted_response * eta)), weight.mul_add(mean, -weighted_response))
}

/// The second derivative, `weight exp(eta)`, which is also its expectation.
#[kernel]
pub fn poisson_curvature(eta: f64, weight: f64, _weighted_response: f64) -> (f64, f64) {
    let h = weight * exp(if eta > EXP_END { EXP_END } else { eta });
    (h, h)
}

/// `weight eta - weighted_response log(eta)` and its derivative: the mean is `eta`.
///
/// Domain: `eta > 0`; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
#[kernel(inline)]
pub fn poisson_identity_row(eta: f64, weight: f64, weighted_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta } else { 1.0 };
    let value = weight.mul_add(x, -(weighted_response * log(x)));
    let slope = weight - weighted_response / x;
    let outside = if weight > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { value } else { outside }, if inside { slope } else { 0.0 })
}

/// The second derivative, `weighted_response/eta^2`, and its expectation, `weight/eta`; 0 outside of the domain.
#[kernel]
pub fn poisson_identity_curvature(eta: f64, weight: f64, weighted_response: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    (weighted_response / eta / eta, weight / eta)
}

/// `weight eta^2 - 2 weighted_response log(eta)` and its derivative: the mean is `eta^2`.
///
/// Domain: `eta > 0`, as in R; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
#[kernel(inline)]
pub fn poisson_sqrt_row(eta: f64, weight: f64, weighted_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta } else { 1.0 };
    let weighted = weight * x;
    let value = weighted.mul_add(x, -(2.0 * weighted_response * log(x)));
    let slope = 2.0 * (weighted - weighted_response / x);
    let outside = if weight > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { value } else { outside }, if inside { slope } else { 0.0 })
}

/// The second derivative, `2 (weight + weighted_response/eta^2)`, and its expectation, `4 weight`; 0 outside of the domain.
#[kernel]
pub fn poisson_sqrt_curvature(eta: f64, weight: f64, weighted_response: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    (2.0 * (weight + weighted_response / eta / eta), 4.0 * weight)
}
