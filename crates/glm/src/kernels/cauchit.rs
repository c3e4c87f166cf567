//! The cauchit link.

use gristmill_kernel::kernel;
use gristmill_nmath::special::constants::INV_PI_HIGH;
use gristmill_nmath::{atan, log, log1p};

/// What the row and its curvature share: the far tail at `z = |eta|`, the density over it, the density.
#[kernel(inline)]
fn tails(z: f64) -> (f64, f64, f64) {
    let outside = z > 1.0;
    let u = if outside { 1.0 / z } else { z };
    let angle = atan(u);
    let tail = if outside { INV_PI_HIGH * angle } else { 0.5 - INV_PI_HIGH * angle };
    let square = u.mul_add(u, 1.0);
    let density = INV_PI_HIGH * (if outside { u * (u / square) } else { 1.0 / square });
    // u/atan(u) goes to 1; at u = 0 (z infinite) it is the limit.
    let limit = if u > 0.0 { u / angle } else { 1.0 };
    let ratio = if outside { limit * (u / square) } else { density / tail };
    (tail, ratio, density)
}

/// `-successes log(P(eta)) - failures log(P(-eta))`, `P` the Cauchy distribution function, and its derivative.
///
/// Method: with `z = |eta|` the far tail is `atan(1/z)/pi` beyond 1 and `1/2 - atan(z)/pi` below, the near one 1 less it: its
///   logarithm is `log1p(-tail)`. The density over the far tail goes like `1/z`; it is formed without a square of `z`.
#[kernel(inline)]
pub fn cauchit_row(eta: f64, successes: f64, failures: f64) -> (f64, f64) {
    let up = eta >= 0.0;
    let far = if up { failures } else { successes };
    let near = if up { successes } else { failures };
    let (tail, ratio, density) = tails(eta.abs());
    let value = -near.mul_add(log1p(-tail), far * log(tail));
    let slope = far.mul_add(ratio, -(near * (density / (1.0 - tail))));
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
    let far = if up { failures } else { successes };
    let near = if up { successes } else { failures };
    let (tail, g, density): (f64, f64, f64) = tails(z);
    let h = density / (1.0 - tail);
    let fall = if z > 1.0 { 2.0 / (z + 1.0 / z) } else { 2.0 * z / z.mul_add(z, 1.0) };
    (far.mul_add(g * (g - fall), near * (h * (h + fall))), (near + far) * (g * h))
}
