//! The tails of the noncentral t distribution with very few degrees of freedom.
//!
//! The density of `s = sqrt(chi-squared/n)` falls as `s^n` on its left: with `n = 0.001` half of it lies below 1e-300, and sums over
//! its nodes would need thousands. Integrated by parts, a tail is an average over the normal density instead: with `y = t s`
//! and `t > 0`
//!
//! `P(T > t) = integral over y > 0 of phi(y - d) P(n/2, n y^2/(2 t^2)) dy`,
//! `P(T <= t) = Phi(-d) + integral over y > 0 of phi(y - d) Q(n/2, n y^2/(2 t^2)) dy`.
//!
//! All terms are positive, the chi-squared tails are smooth in `log(y)`, and the sum over `log_nodes` about the peak of `y phi(y - d)`
//! needs as many nodes as that of the density.
//!
//! Paper: johnson1995 (31.5); takahasi1974, trefethen2014.

use super::constants::INV_SQRT_2PI;
use super::double_double::{
    dd_add, dd_add_d, dd_high, dd_mul, dd_mul_d, dd_neg, dd_sub, fast_two_sum, two_prod, two_sum,
};
use super::exponential::expm1_pair;
use super::incomplete_gamma::{GammaShape, gamma_shape, gamma_tail_at};
use super::log_nodes::{exp_less_linear, node_at, node_step, weighted_exp_of_node};
use super::logarithm::log_dd;
use super::noncentral_t_far::Tail;
use super::noncentral_t_series::exp_of_pair;
use super::normal_tail::{half_square, mills};
use gristmill_kernel::kernel;

/// The nodes on each side are bounded, whatever the parameters.
#[kernel]
const MOST_NODES: i32 = 500;
/// Below the exponential of this the lower gamma tail is a power.
#[kernel]
const LOG_POWER: f64 = -46.0;

/// Both tails of the gamma distribution, as pairs.
#[kernel]
struct Both {
    lower: (f64, f64),
    upper: (f64, f64),
}

/// At `x`, whose logarithm is a pair; for shapes below 1/10.
#[kernel]
fn both_tails(x: f64, log_x: (f64, f64), s: GammaShape) -> Both {
    if log_x.0 < LOG_POWER {
        let less = expm1_pair(dd_sub(dd_mul_d(log_x, s.a), s.constant));
        return Both { lower: dd_add_d(less, 1.0), upper: dd_neg(less) };
    }
    let g = gamma_tail_at((x, 0.0), s, false);
    if !(g.e.0 > -690.0) {
        return Both { lower: (1.0, 0.0), upper: (0.0, 0.0) };
    }
    let small = exp_of_pair(g.e, g.f);
    let other = dd_add_d(dd_neg(small), 1.0);
    let is_lower = g.lower;
    Both { lower: if is_lower { small } else { other }, upper: if is_lower { other } else { small } }
}

/// The smaller tail at `t > 0` with `t^2 > n`, `n` below 1/10, without its slope.
#[kernel]
pub(crate) fn few_tail(t: f64, n: f64, d: f64) -> Tail {
    let a = 0.5 * n;
    let shape = gamma_shape(a);
    // the peak of `log(y) - (y - d)^2/2`, where `y (y - d) = 1`; as `y` is rounded, a drift is left
    let root = d.mul_add(0.25 * d, 1.0).sqrt();
    let y0 = if d > 0.0 { 0.5 * d + root } else { 1.0 / (root - 0.5 * d) };
    let z0 = two_sum(y0, -d);
    let drift = dd_high(dd_add_d(dd_neg(dd_mul_d(z0, y0)), 1.0));
    let square = y0 * y0;
    // n y^2/(2 t^2) and its logarithm at the peak
    let near = y0 / t;
    let at_peak = a * near * near;
    let twice = dd_sub(log_dd((y0, 0.0)), log_dd((t, 0.0)));
    let log_at_peak = dd_add(log_dd((a, 0.0)), (2.0 * twice.0, 2.0 * twice.1));
    let step = node_step((square * (1.0 + n / t / t)) + 1.0, 1.0, 20.0);
    let mut below: f64 = 0.0;
    let mut below_rest: f64 = 0.0;
    let mut above: f64 = 0.0;
    let mut above_rest: f64 = 0.0;
    for side in 0..2 {
        let way: i32 = 1 - 2 * side;
        for i in side..MOST_NODES {
            let k: i32 = way * i;
            let (u, du) = node_at(k as f64 * step);
            let (e, r) = exp_less_linear(u);
            let exponent = drift.mul_add(e, -(0.5 * square * e).mul_add(e, r));
            let weight = weighted_exp_of_node(du, exponent);
            let wide = 1.0 + e;
            let g = both_tails(at_peak * wide * wide, dd_add_d(log_at_peak, 2.0 * u), shape);
            let p = dd_mul(weight, g.lower);
            let q = dd_mul(weight, g.upper);
            let (s, sl) = two_sum(above, p.0);
            above = s;
            above_rest += sl + p.1;
            let (c, cl) = two_sum(below, q.0);
            below = c;
            below_rest += cl + q.1;
            if exponent < -43.0 && q.0 < 1e-18 * below {
                break;
            }
        }
    }
    let c = dd_mul(INV_SQRT_2PI, two_prod(y0, step));
    let e = dd_neg(half_square(z0));
    let up = dd_mul(fast_two_sum(above, above_rest), c);
    if d < 0.0 {
        return Tail { e, f: up, slope: 0.0, lower: false };
    }
    let value = exp_of_pair(e, up);
    if value.0 < 0.5 {
        return Tail { e: (0.0, 0.0), f: value, slope: 0.0, lower: false };
    }
    // exp(-d^2/2) of Phi(-d) stays outside, where it may be below the range
    let h = half_square((d, 0.0));
    let m = mills((d, 0.0));
    if h.0 > 600.0 {
        // the peak of the other part is far from the end of the normal one: it is all that counts
        return Tail { e, f: dd_mul(fast_two_sum(below, below_rest), c), slope: 0.0, lower: true };
    }
    let part = exp_of_pair(e, dd_mul(fast_two_sum(below, below_rest), c));
    Tail { e: (0.0, 0.0), f: dd_add(exp_of_pair(dd_neg(h), m), part), slope: 0.0, lower: true }
}
