//! The inverse of the incomplete beta ratio where both shapes are tiny.
//!
//! Nearly all of the mass then lies at the two ends, and `I` rises between them by little more than the shapes: of a probability
//! that belongs to an `x` inside, only the last digits say which. What says it is the difference to `b/(a + b)`,
//! which is formed without loss here.

use super::beta_point::{BetaPoint, mirrored, no_point, point_at, point_of_log};
use super::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_mul_d, dd_sub_short, fast_two_sum, pair_add, two_prod, two_sum,
};
use super::exponential::{exp, expm1};
use super::extra_precision::exp_full;
use super::incomplete_beta::{log1p_any, series_over_shape};
use super::logarithm::{log_dd_of_double, log1p};
use super::scaling::power_of_two;
use gristmill_kernel::kernel;

use crate::special::powers_of_two::TWO_500;

/// Both shapes are below this.
#[kernel]
pub(crate) const TINY_SHAPE: f64 = 0.004;
/// ln(1/2)
#[kernel]
const LOG_HALF: f64 = -std::f64::consts::LN_2;
/// Riemann's zeta function at 2, 3, …, each divided by its argument.
#[kernel]
const ZETA_SHARES: [f64; 9] = [
    0.8224670334241132,
    0.40068563438653143,
    0.27058080842778454,
    0.20738555102867398,
    0.1695571769974082,
    0.1440498967688461,
    0.12550966952474304,
    0.11133426586956469,
    0.1000994575127818,
];

/// `log(G(1+a) G(1+b)/G(1+a+b))` for tiny shapes, with the relative precision of a double.
///
/// Method: the series of `log G(1+z)`, dlmf 5.7.3, whose powers combine to `(a+b)^k - a^k - b^k = a b Q(k)`, with
/// `Q(k+1) = (a+b) Q(k) + a^(k-1) + b^(k-1)`: nothing cancels.
#[kernel(inline)]
fn log_gamma_ratio(a: f64, b: f64) -> f64 {
    let s = a + b;
    let mut power_a = 1.0;
    let mut power_b = 1.0;
    let mut q = 0.0;
    let mut sign = 1.0;
    let mut sum = 0.0;
    for k in 0..9usize {
        q = s * q + (power_a + power_b);
        sum += sign * (q * ZETA_SHARES[k]);
        sign = -sign;
        power_a *= a;
        power_b *= b;
    }
    -(a * b) * sum
}

/// `log(1 + t)` of a pair with the relative precision of a pair, for `|t| <= 1/2`; otherwise something as far from 0.
#[kernel(inline)]
fn log1p_of_small(t: (f64, f64)) -> (f64, f64) {
    if !(t.0.abs() <= 0.5) {
        return (-1.0, 0.0);
    }
    if t.0.abs() < 1e-15 { pair_add(t, (-0.5 * t.0 * t.0, 0.0)) } else { log1p_any(t) }
}

/// `log I_x(a, b) (a + b)/b` at `x = 1/2`, in units of `a`.
#[kernel(inline)]
fn half_way(a: f64, b: f64, log_ratio: f64) -> f64 {
    let s = series_over_shape(a, b, (0.5, 0.0));
    LOG_HALF + (log1p(a * s.0) - log_ratio) / a
}

/// Solves `I_x(a, b) (a + b)/b = exp(d)` for `x <= 1/2`; gives `x`, and its logarithm as a pair.
///
/// Method: Newton's on the logarithm of `x`. Started with the leading term, in which the logarithm of `I` is linear up to the
/// square of the shapes, it needs three or four steps.
#[kernel(inline)]
fn solve_near_end(d: (f64, f64), a: f64, b: f64, log_ratio: f64) -> BetaPoint {
    let leading = dd_div(dd_add_d(d, log_ratio), (a, 0.0));
    if leading.0 < -46.0 {
        return point_of_log(leading);
    }
    // the leading term is the logit, near enough
    let e = exp(leading.0);
    let mut x = e / (1.0 + e);
    let mut low: f64 = 0.0; // what x lacks after the last step
    for _ in 0..8 {
        let s = series_over_shape(a, b, (x, 0.0));
        let power = dd_mul_d(log_dd_of_double(x), a);
        let rest = dd_add_d(log1p_of_small(dd_mul_d(s, a)), -log_ratio);
        let f = dd_sub_short(d, dd_add_short(power, rest));
        // the derivative of log I in log x is a y^(b-1)/(1 + a S)
        let step = (f.0 + f.1) * ((1.0 - x) * (1.0 + a * s.0)) / (a * exp(b * log1p(-x)));
        (x, low) = two_sum(x, x * expm1(step));
        if step.abs() < 1e-9 {
            break;
        }
    }
    point_at((x, low))
}

/// How far the lower tail is above `b/(a + b)`, in units of `1/(a + b)`, as a pair; `p` is the lower or the upper tail. Relative
/// to the shapes the error is 2^-106.
#[kernel(inline)]
fn surplus(p: f64, lower: bool, a: f64, b: f64) -> (f64, f64) {
    let (n, nl) = two_sum(a, b);
    let (m, e) = two_prod(p, n);
    let (ml, el) = two_prod(p, nl);
    let (h, l) = two_sum(m, if lower { -b } else { -a });
    let (r, re) = two_sum(e, ml);
    let sum = pair_add((h, l), (r, re + el));
    let sum = fast_two_sum(sum.0, sum.1);
    (if lower { sum.0 } else { -sum.0 }, if lower { sum.1 } else { -sum.1 })
}

/// The same for the logarithm `-700 < p < 0` of a tail.
///
/// `exp(p)` is taken to 2^-145 of itself: of a probability next to `b/(a + b)` only the digits beyond those of a pair say where
/// the quantile is.
#[kernel]
fn surplus_of_log(p: f64, lower: bool, a: f64, b: f64) -> (f64, f64) {
    let (n, nl) = two_sum(a, b);
    let (high, middle, low, k) = exp_full(p);
    let scale = power_of_two(k);
    let (m, e) = two_prod(high, n * scale);
    let (t, te) = two_prod(middle, n * scale);
    let (u, ue) = two_prod(high, nl * scale);
    let rest = (low * n + middle * nl) * scale + (te + ue);
    let (h, l) = two_sum(m, if lower { -b } else { -a });
    let (r, re) = two_sum(e, t);
    let (r, rf) = two_sum(r, u);
    let sum = pair_add((h, l), (r, (re + rf) + rest));
    let sum = fast_two_sum(sum.0, sum.1);
    (if lower { sum.0 } else { -sum.0 }, if lower { sum.1 } else { -sum.1 })
}

/// What a probability says about the two ends: `log(I (a+b)/b)` of the lower tail and `log(I (a+b)/a)` of the upper one, both as
/// pairs, where they are small.
#[kernel]
fn seen_from_ends(p: f64, lower: bool, log_scale: bool, a: f64, b: f64) -> (f64, f64, f64, f64) {
    // only quotients are needed: no product must underflow
    let scale = if a + b < 1e-130 { TWO_500 } else { 1.0 };
    let a = a * scale;
    let b = b * scale;
    if log_scale && p <= -700.0 {
        return (-1.0, 0.0, -1.0, 0.0);
    }
    let over: (f64, f64);
    if log_scale {
        over = surplus_of_log(p, lower, a, b);
    } else {
        over = surplus(p, lower, a, b);
    }
    let left = log1p_of_small(dd_div(over, (b, 0.0)));
    let right = log1p_of_small(dd_div((-over.0, -over.1), (a, 0.0)));
    (left.0, left.1, right.0, right.1)
}

/// The quantile for shapes below [`TINY_SHAPE`] and above 1e-270, of a probability that is not far from `b/(a + b)`;
/// `tail` is -1 if it is far. Then the leading term at one end is all there is.
///
/// Method: the power series of `I` at the nearer end, dlmf 8.17.7, whose terms after the first are small against the shapes.
/// Error: 0.51 ulp on the points of dev/oracle.
#[kernel]
pub(crate) fn tiny_shape_quantile(p: f64, lower: bool, log_scale: bool, a: f64, b: f64) -> BetaPoint {
    let (left, leftl, right, rightl) = seen_from_ends(p, lower, log_scale, a, b);
    let log_ratio = log_gamma_ratio(a, b);
    if left.abs() <= 0.5 && left <= a * half_way(a, b, log_ratio) {
        return solve_near_end((left, leftl), a, b, log_ratio);
    }
    // (at 1/2 both are at most the square of the shapes; the first may have been a rounding too large)
    if right.abs() <= 0.5 && right <= 0.01 * b {
        return mirrored(solve_near_end((right, rightl), b, a, log_ratio));
    }
    no_point()
}
