//! Integrals over the logarithm of a scale by the trapezoidal rule, where the integrand falls doubly exponentially on the right and
//! as a power on the left: averages over a chi density.
//!
//! The nodes are equally spaced in `v`, and `u = v - 0.4 (exp(-2 v) - 1)` is the logarithm of the scale over that at the peak. In `v` the
//! integrand falls doubly exponentially on both sides, so that 25 to 40 nodes serve for every power from 0.01 to 1e30, where nodes
//! equally spaced in `u` would be some hundreds for small ones. Next to the peak the map is a stretching by 1.8.
//!
//! Paper: takahasi1974 (the map), trefethen2014 (the rule).

use super::double_double::{fast_two_sum, two_prod, two_sum};
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

/// The same times a positive weight, as a loose pair: relative error 2^-57 but for that of `x`.
#[kernel(inline)]
pub(crate) fn weighted_exp_of_node(weight: f64, x: f64) -> (f64, f64) {
    let near = if x > -700.0 { x } else { -700.0 };
    let (t, w, scale) = exp_sum((if near < 700.0 { near } else { 700.0 }, 0.0));
    let (p, pe) = two_prod(weight, t);
    (p * scale, weight.mul_add(w, pe) * scale)
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

/// The nodes for one step, on the right from the peak on, on the left from the one next to it. Those that were not needed have the
/// weight NaN, so that a sum which reaches them is NaN.
#[kernel]
pub(crate) struct NodeTable {
    /// The step.
    pub(crate) step: f64,
    /// `exp(u) - 1` on the right.
    pub(crate) right_e: [f64; 32],
    /// Half its square.
    pub(crate) right_square: [f64; 32],
    /// `n (exp(u) - 1 - u)`
    pub(crate) right_fall: [f64; 32],
    /// `du/dv`
    pub(crate) right_du: [f64; 32],
    /// `exp(u) du/dv`
    pub(crate) right_mass: [f64; 32],
    /// `exp(u) - 1` on the left.
    pub(crate) left_e: [f64; 32],
    /// Half its square.
    pub(crate) left_square: [f64; 32],
    /// `n (exp(u) - 1 - u)`
    pub(crate) left_fall: [f64; 32],
    /// `du/dv`
    pub(crate) left_du: [f64; 32],
    /// `exp(u) du/dv`
    pub(crate) left_mass: [f64; 32],
}

/// How far the logarithm of the integrand falls before the nodes of a table end.
#[kernel]
const TABLE_DEPTH: f64 = 46.0;

/// Up to here `exp(u) - 1 - u` is one polynomial: `|u| < log(2)/2`.
#[kernel]
const NEAR_PEAK: f64 = 0.34;

/// The nodes for a step, in groups of four, as far as `n (exp(u) - 1 - u) + square (exp(u) - 1)^2/2` is below 46, where there are at most 32
/// on a side.
#[kernel]
pub(crate) fn node_table(step: f64, n: f64, square: f64) -> NodeTable {
    let mut right_e: [f64; 32] = [0.0; 32];
    let mut right_square: [f64; 32] = [0.0; 32];
    let mut right_fall: [f64; 32] = [0.0; 32];
    let mut right_du: [f64; 32] = [f64::NAN; 32];
    let mut right_mass: [f64; 32] = [f64::NAN; 32];
    let mut left_e: [f64; 32] = [0.0; 32];
    let mut left_square: [f64; 32] = [0.0; 32];
    let mut left_fall: [f64; 32] = [0.0; 32];
    let mut left_du: [f64; 32] = [f64::NAN; 32];
    let mut left_mass: [f64; 32] = [f64::NAN; 32];
    for side in 0..2 {
        for four in 0..8 {
            let mut depth: f64 = 0.0;
            for j in 0..4 {
                let k: i32 = 4 * four + j;
                let v = (k + side) as f64 * step;
                let v = if side == 0 { v } else { -v };
                // the node as a pair: next to the peak its rounding would move the few nodes that count
                let (f, fr) = exp_less_linear(-2.0 * v);
                let fl = (-2.0 * v - f) + fr;
                let (p, pe) = two_prod(-SPREAD, f);
                let (u, ul) = two_sum(v, p);
                let ul = ul + (-SPREAD).mul_add(fl, pe);
                let du = (2.0 * SPREAD).mul_add(f, STRETCH);
                let e: f64;
                let r: f64;
                let mut rl: f64 = 0.0;
                if u.abs() < NEAR_PEAK {
                    // the square with its rounding error, times a half and the rest of the series: where n is large, nothing else counts
                    let (p, pe) = two_prod(u, u);
                    let more = p.mul_add(exp_tail(u) - 0.5, 0.5 * pe);
                    (r, rl) = fast_two_sum(0.5 * p, more);
                    e = u + r;
                } else {
                    (e, r) = exp_less_linear(u);
                }
                let fall = n.mul_add(r, n * e.mul_add(ul, rl));
                // half of (e + low)^2, rounded once
                let low = ((u - e) + r) + (1.0 + e) * ul;
                let (p, pe) = two_prod(e, e);
                let half = 0.5 * (p + (2.0 * e).mul_add(low, pe));
                if side == 0 {
                    right_e[k as usize] = e;
                    right_square[k as usize] = half;
                    right_fall[k as usize] = fall;
                    right_du[k as usize] = du;
                    right_mass[k as usize] = du.mul_add(e, du.mul_add(low, du));
                } else {
                    left_e[k as usize] = e;
                    left_square[k as usize] = half;
                    left_fall[k as usize] = fall;
                    left_du[k as usize] = du;
                    left_mass[k as usize] = du.mul_add(e, du.mul_add(low, du));
                }
                depth = square.mul_add(half, fall);
            }
            if depth > TABLE_DEPTH {
                break;
            }
        }
    }
    NodeTable {
        step,
        right_e,
        right_square,
        right_fall,
        right_du,
        right_mass,
        left_e,
        left_square,
        left_fall,
        left_du,
        left_mass,
    }
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

    #[test]
    fn a_table_has_the_nodes_and_ends_where_nothing_counts() {
        let (n, square) = (12.0, 9.0);
        let t = node_table(0.0625, n, square);
        for k in 0..8 {
            let (u, du) = node_at(k as f64 * t.step);
            let (e, r) = exp_less_linear(u);
            assert!((t.right_e[k] - e).abs() < 1e-15 && (t.right_du[k] - du).abs() < 1e-15, "{k}");
            assert!((t.right_fall[k] - n * r).abs() <= 1e-14 * n * r, "{k}");
            assert!((t.right_square[k] - 0.5 * e * e).abs() <= 1e-14 * e * e, "{k}");
        }
        let last = t.left_du.iter().position(|du| du.is_nan()).expect("the nodes end");
        assert!(t.left_fall[last - 1] + square * t.left_square[last - 1] > 46.0);
        assert!(t.left_mass[last].is_nan());
    }
}
