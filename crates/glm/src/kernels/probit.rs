//! The probit link.

use super::far_and_near;
use gristmill_kernel::kernel;
use gristmill_nmath::building_blocks::INV_SQRT_2PI;
use gristmill_nmath::building_blocks::mills_dd;
use gristmill_nmath::{exp, log, log1p};

/// Beyond it the square of `eta` is near the end of the range: the results stay at their values there.
#[kernel]
const SQUARE_END: f64 = 1e150;

/// `-successes log(P(eta)) - failures log(P(-eta))`, `P` the normal distribution function, and its derivative.
///
/// Method: with `z = |eta|` and Mills' ratio `M(z) = exp(z^2/2) Q(z)`, the far tail is `log Q = log M - z^2/2` and the near
///   one `log1p(-Q)`; the density over the far tail is `1/(sqrt(2 pi) M)`. Neither underflows. Beyond 1e150, where the
///   square would overflow, the results are those at 1e150.
/// Paper: shepherd1981 (Mills' ratio).
#[kernel(inline)]
pub fn probit_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let z = eta.abs();
    let z = if z > SQUARE_END { SQUARE_END } else { z };
    let up = eta >= 0.0;
    let (far, near) = far_and_near(up, successes, failures);
    let m: (f64, f64) = mills_dd((z, 0.0));
    let half_square = 0.5 * z * z;
    let density = exp(-half_square);
    let tail = density * m.0;
    let value = far.mul_add(half_square - log(m.0), -(near * log1p(-tail)));
    // phi/Q = 1/(sqrt(2 pi) M) and phi/P = exp(-z^2/2)/(sqrt(2 pi) (1 - Q)), from one division
    let rest = 1.0 - tail;
    let inverse = INV_SQRT_2PI.0 / (m.0 * rest);
    let slope = far.mul_add(rest, -(near * tail)) * inverse;
    (value, if up { slope } else { -slope })
}

/// The second derivative and its expectation, `(successes + failures) phi(eta)^2 / (P(eta) P(-eta))`.
///
/// Method: with `g = phi/Q` and `h = phi/P` at `z = |eta|`, the far tail gives `g (g - z)`, the near one `h (h + z)`. Beyond
///   1e4 `g (g - z)` is `1 - 1/z^2`: the difference would lose its digits.
#[kernel]
pub fn probit_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let z = eta.abs();
    let z = if z > SQUARE_END { SQUARE_END } else { z };
    let up = eta >= 0.0;
    let (far, near) = far_and_near(up, successes, failures);
    let m: (f64, f64) = mills_dd((z, 0.0));
    let density = exp(-0.5 * z * z);
    let g = INV_SQRT_2PI.0 / m.0;
    let h = INV_SQRT_2PI.0 * density / (1.0 - density * m.0);
    let far_curvature = if z > 1e4 { 1.0 - 1.0 / (z * z) } else { g * (g - z) };
    (far.mul_add(far_curvature, near * (h * (h + z))), (near + far) * (g * h))
}
