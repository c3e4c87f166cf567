//! The logit link: binomial and, with the size as the number of failures, negative binomial.

use gristmill_kernel::kernel;
use gristmill_nmath::{exp, log1p};

/// `successes log(1 + exp(-eta)) + failures log(1 + exp(eta))` and its derivative `failures p - successes q`.
///
/// Method: with `e = exp(-|eta|)`, the two logarithms are `log1p(e)` and `|eta| + log1p(e)`: one exponential, one
///   logarithm, one division, nothing overflows.
/// Paper: maechler2012.
#[kernel(inline)]
pub fn logit_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let distance = eta.abs();
    let e = exp(-distance);
    let up = eta >= 0.0;
    let far = if up { failures } else { successes };
    let near = if up { successes } else { failures };
    let value = (near + far).mul_add(log1p(e), far * distance);
    let slope = (-near).mul_add(e, far) / (1.0 + e);
    (value, if up { slope } else { -slope })
}

/// The second derivative, `(successes + failures) p q`, and for a fixed number of trials also its expectation.
#[kernel]
pub fn logit_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let e = exp(-eta.abs());
    let s = 1.0 + e;
    let h = (successes + failures) * (e / (s * s));
    (h, h)
}
