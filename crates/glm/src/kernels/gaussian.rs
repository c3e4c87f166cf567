//! The gaussian family with the identity, the log and the inverse link.

use super::{INVERSE_END, SQUARE_EXP_END};
use gristmill_kernel::kernel;
use gristmill_nmath::exp;

/// `precision (eta - response)^2 / 2` and its derivative.
#[kernel(inline)]
pub fn gaussian_row(eta: f64, precision: f64, response: f64) -> (f64, f64) {
    let residual = eta - response;
    let slope = precision * residual;
    (0.5 * slope * residual, slope)
}

/// The second derivative, which is also its expectation.
#[kernel]
pub fn gaussian_curvature(_eta: f64, precision: f64, _response: f64) -> (f64, f64) {
    (precision, precision)
}

/// The same for the mean `exp(eta)`, which stays at `exp(350)` beyond it.
#[kernel(inline)]
pub fn gaussian_log_row(eta: f64, precision: f64, response: f64) -> (f64, f64) {
    let mean = exp(if eta > SQUARE_EXP_END { SQUARE_EXP_END } else { eta });
    let residual = mean - response;
    let weighted = precision * residual;
    (0.5 * weighted * residual, weighted * mean)
}

/// The second derivative, `precision mean (2 mean - response)`, and its expectation, `precision mean^2`.
#[kernel]
pub fn gaussian_log_curvature(eta: f64, precision: f64, response: f64) -> (f64, f64) {
    let mean = exp(if eta > SQUARE_EXP_END { SQUARE_EXP_END } else { eta });
    let weighted = precision * mean;
    (weighted * (mean + (mean - response)), weighted * mean)
}

/// The same for the mean `1/eta`.
///
/// Domain: `eta` other than 0; there the value is `+inf` and the derivative 0. A row without weight gives 0. Nearer to 0 than
/// 1e-75 the results stay at their values there.
#[kernel(inline)]
pub fn gaussian_inverse_row(eta: f64, precision: f64, response: f64) -> (f64, f64) {
    let inside = eta != 0.0 && !eta.is_nan();
    let x = if inside { eta.abs().max(INVERSE_END).copysign(eta) } else { 1.0 };
    let mean = 1.0 / x;
    let residual = mean - response;
    let weighted = precision * residual;
    let outside = if precision > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { 0.5 * weighted * residual } else { outside }, if inside { -(weighted * mean * mean) } else { 0.0 })
}

/// The second derivative, `precision mean^3 (3 mean - 2 response)`, and its expectation, `precision mean^4`; 0 outside of the
/// domain.
#[kernel]
pub fn gaussian_inverse_curvature(eta: f64, precision: f64, response: f64) -> (f64, f64) {
    if eta == 0.0 || eta.is_nan() {
        return (0.0, 0.0);
    }
    let mean = 1.0 / eta.abs().max(INVERSE_END).copysign(eta);
    let square = mean * mean;
    (precision * square * (mean * (mean + 2.0 * (mean - response))), precision * square * square)
}
