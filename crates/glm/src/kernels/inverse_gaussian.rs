//! The inverse gaussian family. With `t = 1/mean`, minus the log-likelihood is `weighted_response t^2/2 - precision t` and a
//! constant.

use super::{INVERSE_END, SQUARE_EXP_END};
use gristmill_kernel::kernel;
use gristmill_nmath::exp;

/// The square of a larger predictor is near the end of the range.
#[kernel]
const SQUARE_END: f64 = 1e150;

/// The mean is `1/sqrt(eta)`: `weighted_response eta/2 - precision sqrt(eta)` and its derivative.
///
/// Domain: `eta > 0`; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
#[kernel(inline)]
pub fn inverse_gaussian_square_row(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta } else { 1.0 };
    let root = x.sqrt();
    let half = 0.5 * weighted_response;
    let outside = if precision > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    let value = half.mul_add(x, -(precision * root));
    (if inside { value } else { outside }, if inside { half - 0.5 * precision / root } else { 0.0 })
}

/// The second derivative, `precision/(4 eta^(3/2))`, which is also its expectation; 0 outside of the domain.
#[kernel]
pub fn inverse_gaussian_square_curvature(eta: f64, precision: f64, _weighted_response: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    let h = 0.25 * precision / eta / eta.sqrt();
    (h, h)
}

/// The mean is `1/eta`: `weighted_response eta^2/2 - precision eta` and its derivative.
///
/// Domain: `eta > 0`; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
/// Beyond 1e150, where the square would overflow, the results stay at their values there.
#[kernel(inline)]
pub fn inverse_gaussian_inverse_row(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta.min(SQUARE_END) } else { 1.0 };
    let outside = if precision > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    let value = (0.5 * weighted_response * x).mul_add(x, -(precision * x));
    (if inside { value } else { outside }, if inside { weighted_response.mul_add(x, -precision) } else { 0.0 })
}

/// The second derivative, `weighted_response`, and its expectation, `precision/eta`; 0 outside of the domain.
#[kernel]
pub fn inverse_gaussian_inverse_curvature(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    (weighted_response, precision / eta)
}

/// The mean is `eta`: `weighted_response/(2 eta^2) - precision/eta` and its derivative.
///
/// Domain: `eta > 0`; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
/// Below 1e-75 the results stay at their values there.
#[kernel(inline)]
pub fn inverse_gaussian_identity_row(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let t = 1.0 / (if inside { eta.max(INVERSE_END) } else { 1.0 });
    let outside = if precision > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    let scaled = weighted_response * t;
    let value = (0.5 * scaled).mul_add(t, -(precision * t));
    (if inside { value } else { outside }, if inside { (precision - scaled) * t * t } else { 0.0 })
}

/// The second derivative, `(3 weighted_response/eta - 2 precision)/eta^3`, and its expectation, `precision/eta^3`; 0 outside of
/// the domain.
#[kernel]
pub fn inverse_gaussian_identity_curvature(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    let t = 1.0 / eta.max(INVERSE_END);
    let cube = t * t * t;
    ((3.0 * (weighted_response * t) - 2.0 * precision) * cube, precision * cube)
}

/// The mean is `exp(eta)`: `weighted_response exp(-2 eta)/2 - precision exp(-eta)` and its derivative. Below -350 the
/// exponential stays at `exp(350)`.
#[kernel(inline)]
pub fn inverse_gaussian_log_row(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    let t = exp(if eta < -SQUARE_EXP_END { SQUARE_EXP_END } else { -eta });
    let scaled = weighted_response * t;
    ((0.5 * scaled).mul_add(t, -(precision * t)), (precision - scaled) * t)
}

/// The second derivative, `(2 weighted_response t - precision) t` with `t = exp(-eta)`, and its expectation, `precision t`.
#[kernel]
pub fn inverse_gaussian_log_curvature(eta: f64, precision: f64, weighted_response: f64) -> (f64, f64) {
    let t = exp(if eta < -SQUARE_EXP_END { SQUARE_EXP_END } else { -eta });
    ((2.0 * (weighted_response * t) - precision) * t, precision * t)
}
