//! The gaussian family with the identity link.

use gristmill_kernel::kernel;

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
