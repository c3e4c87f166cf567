//! Minus the log-likelihood of one row as a function of its linear predictor: one file for each link.
//!
//! `NAME_row(eta, a, b)` gives the value, without the constant that does not depend on `eta`, and its first derivative;
//! `NAME_curvature(eta, a, b)` gives the second derivative and its expectation. What `a` and `b` are made of is in
//! docs/glm.md. The rows are what block loops and devices run, so they have no branches; the curvatures serve fits.
//!
//! Every finite `eta` gives finite results, or the limit that the documentation of the row names.

mod cauchit;
mod cloglog;
mod gamma;
mod gaussian;
mod logit;
mod poisson;
mod probit;

pub use cauchit::{cauchit_curvature, cauchit_row};
pub use cloglog::{cloglog_curvature, cloglog_row};
pub use gamma::{gamma_inverse_curvature, gamma_inverse_row, gamma_log_curvature, gamma_log_row};
pub use gaussian::{gaussian_curvature, gaussian_row};
pub use logit::{logit_curvature, logit_row};
pub use poisson::{poisson_curvature, poisson_row};
pub use probit::{probit_curvature, probit_row};

use gristmill_kernel::kernel;

/// Beyond it `exp` is near the end of the range: what grows like `exp(eta)` stays at its value there, so that no product
/// with a weight of 0 is NaN.
#[kernel]
const EXP_END: f64 = 709.0;

/// Of successes and failures those whose probability is the far tail of `|eta|`, and the others; `up`: `eta >= 0`.
#[kernel(inline)]
fn far_and_near(up: bool, successes: f64, failures: f64) -> (f64, f64) {
    (if up { failures } else { successes }, if up { successes } else { failures })
}
