//! The cauchit link.

use super::far_and_near;
use gristmill_kernel::kernel;
use gristmill_nmath::building_blocks::INV_PI;
use gristmill_nmath::{atan, log, log1p};

/// The square of its inverse is near the end of the range: beyond it slopes stay at their values there.
#[kernel]
const SQUARE_END: f64 = 1e-150;

/// What the row and its curvature share: the far tail at `z = |eta|`, the density over the far tail, and over the near one.
#[kernel(inline)]
fn tails(z: f64) -> (f64, f64, f64) {
    let outside = z > 1.0;
    let u = if outside { 1.0 / z } else { z };
    let angle = INV_PI.0 * atan(u);
    let tail = if outside { angle } else { 0.5 - angle };
    // The density is 1/(pi (1 + z^2)) = u^2/(pi (1 + u^2)); one division gives it over both tails.
    let far = u < SQUARE_END && outside;
    let v = if far { SQUARE_END } else { u };
    let share = if far { INV_PI.0 * SQUARE_END } else { tail };
    let rest = 1.0 - share;
    let numerator = INV_PI.0 * (if outside { v * v } else { 1.0 });
    let q = numerator / (v.mul_add(v, 1.0) * (share * rest));
    (tail, rest * q, share * q)
}

/// `-successes log(P(eta)) - failures log(P(-eta))`, `P` the Cauchy distribution function, and its derivative.
///
/// Method: with `z = |eta|` the far tail is `atan(1/z)/pi` beyond 1 and `1/2 - atan(z)/pi` below, the near one 1 less it: its
///   logarithm is `log1p(-tail)`. Beyond 1e150, where squares would underflow, the derivatives are those at 1e150.
#[kernel(inline)]
pub fn cauchit_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let up = eta >= 0.0;
    let (far, near) = far_and_near(up, successes, failures);
    let (tail, over_far, over_near) = tails(eta.abs());
    let value = -near.mul_add(log1p(-tail), far * log(tail));
    let slope = far.mul_add(over_far, -(near * over_near));
    (value, if up { slope } else { -slope })
}

/// The second derivative and its expectation, `(successes + failures) f^2/(P Q)`.
///
/// With `g = f/Q`, `h = f/P` at `z = |eta|` and `f'/f = -2 z/(1 + z^2)` the far tail gives `g (g + f'/f)`, the near one
/// `h (h - f'/f)`.
#[kernel]
pub fn cauchit_curvature(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let z = eta.abs();
    let up = eta >= 0.0;
    let (far, near) = far_and_near(up, successes, failures);
    let (_, g, h): (f64, f64, f64) = tails(z);
    let fall = if z > 1.0 { 2.0 / (z + 1.0 / z) } else { 2.0 * z / z.mul_add(z, 1.0) };
    (far.mul_add(g * (g - fall), near * (h * (h + fall))), (near + far) * (g * h))
}
