//! The log link of counts.

use super::EXP_END;
use gristmill_kernel::kernel;
use gristmill_nmath::exp;

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
