//! Negative binomial counts with the identity and the square root link; the log link is that of logit.rs.
//!
//! With the odds `m = mean/size`, minus the log-likelihood is `successes log(1 + 1/m) + failures log(1 + m)` and a constant, where `successes` is the weighted count and `failures` the weighted size. The predictor is that of `m`, not of the
//! mean: docs/glm.md says in which units.

use gristmill_kernel::kernel;
use gristmill_nmath::log1p;

/// The square of a larger predictor is near the end of the range.
#[kernel]
const SQUARE_END: f64 = 1e150;

/// The inverse of smaller odds is near the end of the range.
#[kernel]
const ODDS_END: f64 = 1e-300;

/// The same for their root.
#[kernel]
const ROOT_END: f64 = 1e-150;

/// The odds are `eta`: the value and its derivative, `(failures eta - successes)/(eta (1 + eta))`.
///
/// Domain: `eta > 0`; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
/// Below 1e-300 the results stay at their values there.
#[kernel(inline)]
pub fn negative_binomial_identity_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let m = if inside { eta.max(ODDS_END) } else { 1.0 };
    let value = successes.mul_add(log1p(1.0 / m), failures * log1p(m));
    let slope = (failures - successes / m) / (1.0 + m);
    let outside = if failures > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { value } else { outside }, if inside { slope } else { 0.0 })
}

/// The second derivative, `successes/eta^2 - (successes + failures)/(1 + eta)^2`, and its expectation,
/// `failures/(eta (1 + eta))`; 0 outside of the domain.
#[kernel]
pub fn negative_binomial_identity_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    let one_more = 1.0 + eta;
    (successes / eta / eta - (successes + failures) / one_more / one_more, failures / eta / one_more)
}

/// The odds are `eta^2`: the value and its derivative, `2 (failures eta - successes/eta)/(1 + eta^2)`.
///
/// Domain: `eta > 0`, as in R; elsewhere the value is `+inf` and the derivative 0. A row without weight gives 0 everywhere.
/// Beyond 1e150, where the square would overflow, and below 1e-150 the results stay at their values there.
#[kernel(inline)]
pub fn negative_binomial_sqrt_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let inside = eta > 0.0;
    let x = if inside { eta.min(SQUARE_END).max(ROOT_END) } else { 1.0 };
    let m = x * x;
    let value = successes.mul_add(log1p(1.0 / m), failures * log1p(m));
    let slope = 2.0 * (failures.mul_add(x, -(successes / x)) / (1.0 + m));
    let outside = if failures > 0.0 { f64::INFINITY } else { 0.0 };
    let outside = if eta.is_nan() { eta } else { outside };
    (if inside { value } else { outside }, if inside { slope } else { 0.0 })
}

/// The second derivative, `2 successes/eta^2 + 2 (successes + failures) (1 - eta^2)/(1 + eta^2)^2`, and its expectation,
/// `4 failures/(1 + eta^2)`; 0 outside of the domain.
#[kernel]
pub fn negative_binomial_sqrt_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    if eta.is_nan() || eta <= 0.0 {
        return (0.0, 0.0);
    }
    let x = eta.min(SQUARE_END);
    let m = x * x;
    let one_more = 1.0 + m;
    let bend = (1.0 - m) / one_more / one_more;
    (2.0 * (successes / x / x + (successes + failures) * bend), 4.0 * (failures / one_more))
}
