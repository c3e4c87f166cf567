//! The gamma family with the log, the inverse and the identity link.

use super::{EXP_END, INVERSE_END};
use gristmill_kernel::kernel;
use gristmill_nmath::{exp, log};

/// `shape eta + shape_response exp(-eta)` and its derivative. Below -709 the exponential stays at `exp(709)`.
#[kernel(inline)]
pub fn gamma_log_row(eta: f64, shape: f64, shape_response: f64) -> (f64, f64) {
    let inverse_mean = exp(if eta < -EXP_END { EXP_END } else { -eta });
    (shape_response.mul_add(inverse_mean, shape * eta), (-shape_response).mul_add(inverse_mean, shape))
}

/// The second derivative, `shape_response exp(-eta)`, and its expectation, `shape`.
#[kernel]
pub fn gamma_log_curvature(eta: f64, shape: f64, shape_response: f64) -> (f64, f64) {
    (shape_response * exp(if eta < -EXP_END { EXP_END } else { -eta }), shape)
}

/// `shape_response eta - shape log(eta)` and its derivative.
///
/// Domain: `eta > 0`, as the mean is `1/eta`; elsewhere the density is 0, so the value is `+inf` and the derivative has no
/// meaning: it is 0. A row without weight gives 0 everywhere.
#[kernel(inline)]
pub fn gamma_inverse_row(eta: f64, shape: f64, shape_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta } else { 1.0 };
    let value = shape_response.mul_add(x, -(shape * log(x)));
    let slope = shape_response - shape / x;
    let outside = if shape > 0.0 { f64::INFINITY } else { 0.0 };
    // NaN is not inside: it must not become +inf, or an overflow would look like a domain error.
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { value } else { outside }, if inside { slope } else { 0.0 })
}

/// The second derivative, `shape/eta^2`, which is also its expectation; 0 outside of the domain.
#[kernel]
pub fn gamma_inverse_curvature(eta: f64, shape: f64, _shape_response: f64) -> (f64, f64) {
    let h = if eta > 0.0 { shape / eta / eta } else { 0.0 };
    (h, h)
}

/// `shape log(eta) + shape_response/eta` and its derivative: the mean is `eta`.
///
/// Domain: `eta > 0`; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere. Below 1e-75
/// the results stay at their values there.
#[kernel(inline)]
pub fn gamma_identity_row(eta: f64, shape: f64, shape_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta.max(INVERSE_END) } else { 1.0 };
    let ratio = shape_response / x;
    let outside = if shape > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { shape.mul_add(log(x), ratio) } else { outside }, if inside { (shape - ratio) / x } else { 0.0 })
}

/// The second derivative, `(2 shape_response/eta - shape)/eta^2`, and its expectation, `shape/eta^2`; 0 outside of the domain.
#[kernel]
pub fn gamma_identity_curvature(eta: f64, shape: f64, shape_response: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    ((2.0 * (shape_response / eta) - shape) / eta / eta, shape / eta / eta)
}
