//! Integrals over the logarithm of a scale by the trapezoidal rule, where the integrand falls doubly exponentially on the right and
//! as a power on the left: averages over a chi density.
//!
//! The nodes are equally spaced in `v`, and `u = v - 0.4 (exp(-2 v) - 1)` is the logarithm of the scale over that at the peak. In `v` the
//! integrand falls doubly exponentially on both sides, so that 25 to 40 nodes serve for every power from 0.01 to 1e30, where nodes
//! equally spaced in `u` would be some hundreds for small ones. Next to the peak the map is a stretching by 1.8.
//!
//! Paper: takahasi1974 (the map), trefethen2014 (the rule).

use super::exponential::{LN2_A, LN2_B, exp_sum, exp_tail};
use super::scaling::{SHIFT, power_of_two};
use gristmill_kernel::kernel;

/// How far the nodes spread to the left.
#[kernel]
const SPREAD: f64 = 0.4;

/// `du/dv` at the peak.
#[kernel]
pub(crate) const STRETCH: f64 = 1.0 + 2.0 * SPREAD;

/// `exp(u) - 1` and `exp(u) - 1 - u` for `u < 700`, the second without cancellation.
#[kernel(inline)]
pub(crate) fn exp_less_linear(u: f64) -> (f64, f64) {
    let near = if u > -60.0 { u } else { -60.0 };
    let k = near.mul_add(std::f64::consts::LOG2_E, SHIFT) - SHIFT;
    let v = (-k).mul_add(LN2_B, (-k).mul_add(LN2_A, near));
    let p = (v * v) * exp_tail(v);
    let unit = power_of_two(k);
    let less_one = unit.mul_add(v + p, unit - 1.0);
    (less_one, if k == 0.0 { p } else { less_one - u })
}

/// `exp(x)` for the weight of a node: 0.53 ulp, and never subnormal, as such weights do not count.
#[kernel(inline)]
pub(crate) fn exp_of_node(x: f64) -> f64 {
    let near = if x > -700.0 { x } else { -700.0 };
    let (t, w, scale) = exp_sum((if near < 700.0 { near } else { 700.0 }, 0.0));
    (t + w) * scale
}

/// The node `u` for a `v`, and `du/dv` there.
#[kernel(inline)]
pub(crate) fn node_at(v: f64) -> (f64, f64) {
    let (e, _rest) = exp_less_linear(-2.0 * v);
    ((-SPREAD).mul_add(e, v), (2.0 * SPREAD).mul_add(e, STRETCH))
}

/// A step in `v` for an integrand with the second derivative `-curvature` of its logarithm at the peak and the power `n` on its left,
/// with which the rule's error is below 2^-57; `more` nodes for what is not smooth.
///
/// It has 36 bits, so that its multiples are exact.
#[kernel(inline)]
pub(crate) fn node_step(curvature: f64, n: f64, more: f64) -> f64 {
    let step = std::f64::consts::TAU / ((86.0 * curvature).sqrt() * STRETCH + 4.0 + 280.0 / (10.0 + n) + more);
    f64::from_bits(step.to_bits() & 0xffff_ffff_fffe_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_exponential_keeps_its_digits_next_to_0() {
        for u in [1e-8, -1e-8, 1e-3, -0.3] {
            let (e, r) = exp_less_linear(u);
            // Taylor's series to the power that still counts
            let rest = u / 6.0 + u * u / 24.0 + u.powi(3) / 120.0 + u.powi(4) / 720.0 + u.powi(5) / 5040.0;
            let series = u * u * (0.5 + rest);
            assert!((r / series - 1.0).abs() < if u == -0.3 { 1e-4 } else { 1e-15 }, "{u}: {r:e}");
            assert_eq!(e, u + r);
        }
        assert_eq!(exp_less_linear(-1e6), (-1.0, 999_999.0));
        assert_eq!(exp_less_linear(0.0), (0.0, 0.0));
    }
}
