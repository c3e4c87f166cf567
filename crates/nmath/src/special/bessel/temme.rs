//! Temme's series of K and Y for orders in [-1/2, 1/2], which has no special case at order 0.
//!
//! Paper: temme1975, temme1976.

use crate::special::constants::{INV_PI, RECIPROCALS};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_inverse, dd_mul, dd_mul_d, dd_sub, dd_sub_short, two_prod, two_sum,
};
use crate::special::exponential::{exp_parts, expm1_pair};
use crate::special::logarithm::log_dd;
use crate::special::scaling::power_of_two;
use gristmill_kernel::kernel;

use super::tables::{GAMMA_1_HIGH, GAMMA_1_LOW, GAMMA_2_HIGH, GAMMA_2_LOW, VERSINE_HIGH, VERSINE_LOW};

/// Values at the orders `nu` and `nu + 1`, as normalised pairs.
#[kernel]
pub(crate) struct Start {
    /// At `nu`.
    pub(crate) first: (f64, f64),
    /// At `nu + 1`.
    pub(crate) second: (f64, f64),
}

/// `(1/Gamma(1-nu) - 1/Gamma(1+nu))/(2 nu)` and half the sum of the two, for `|nu| <= 1/2`: polynomials in `q = nu^2`.
#[kernel(inline)]
fn gamma_pairs(q: (f64, f64)) -> (f64, f64, f64, f64) {
    let mut a: f64 = GAMMA_1_HIGH[11];
    let mut b: f64 = GAMMA_2_HIGH[11];
    for i in 0..7 {
        a = a.mul_add(q.0, GAMMA_1_HIGH[10 - i]);
        b = b.mul_add(q.0, GAMMA_2_HIGH[10 - i]);
    }
    let mut one = (a, 0.0);
    let mut two = (b, 0.0);
    for i in 0..4 {
        one = dd_add_short((GAMMA_1_HIGH[3 - i], GAMMA_1_LOW[3 - i]), dd_mul(one, q));
        two = dd_add_short((GAMMA_2_HIGH[3 - i], GAMMA_2_LOW[3 - i]), dd_mul(two, q));
    }
    (one.0, one.1, two.0, two.1)
}

/// `(1 - cos(pi nu))/nu^2` for `|nu| <= 1/2`, a polynomial in `q = nu^2`.
#[kernel(inline)]
fn versine(q: (f64, f64)) -> (f64, f64) {
    let mut a: f64 = VERSINE_HIGH[11];
    for i in 0..9 {
        a = a.mul_add(q.0, VERSINE_HIGH[10 - i]);
    }
    let s = dd_add_short((VERSINE_HIGH[1], VERSINE_LOW[1]), two_prod(a, q.0));
    dd_add_short((VERSINE_HIGH[0], VERSINE_LOW[0]), dd_mul(s, q))
}

/// `K` (`second = false`) or `Y` at the orders `nu` and `nu + 1`, `|nu| <= 1/2`, for `0 < x <= 1`, times `unit`, a power of two.
///
/// The first two terms are pairs; those after them are below a twentieth of the sum and rounded in double. 12 of them leave 2^-60.
#[kernel]
pub(crate) fn temme(x: f64, nu: f64, second: bool, unit: f64) -> Start {
    let q = two_prod(nu, nu);
    let (g1, g1l, g2, g2l) = gamma_pairs(q);
    let gamma_1 = (g1, g1l);
    let gamma_2 = (g2, g2l);
    let (lh, ll) = log_dd((x, 0.0));
    let l = dd_sub((std::f64::consts::LN_2, 2.3190468138462996e-17), (lh, ll)); // log(2/x) >= log 2
    let sigma = dd_mul_d(l, nu);
    let (m, ml, k) = exp_parts(sigma);
    let scale = power_of_two(k);
    let up = (m * scale, ml * scale); // (2/x)^nu
    let down = dd_inverse(up);
    let sum = dd_add_short(up, down);
    // sinh(s)/s = (e^s - 1)(1 + e^-s)/(2 s); below 1e-9 it is 1 to 2^-60
    let flat = sigma.0.abs() < 1e-9;
    let safe = if flat { (1.0, 0.0) } else { sigma };
    let rise = dd_div(dd_mul(expm1_pair(safe), dd_add_d(down, 1.0)), (2.0 * safe.0, 2.0 * safe.1));
    let sinhc = if flat { (1.0, 0.0) } else { rise };
    let inner = dd_add(dd_mul((0.5 * sum.0, 0.5 * sum.1), gamma_1), dd_mul(dd_mul(sinhc, l), gamma_2));
    // 1/Gamma(1 + nu), 1/Gamma(1 - nu), and pi nu/sin(pi nu) = Gamma(1 + nu) Gamma(1 - nu)
    let step = dd_mul_d(gamma_1, nu);
    let lower = dd_sub_short(gamma_2, step);
    let upper_gamma = dd_add_short(gamma_2, step);
    let f0 = dd_div(inner, dd_mul(lower, upper_gamma));
    // p0 = (2/x)^nu Gamma(1 + nu)/2, q0 = (x/2)^nu Gamma(1 - nu)/2
    let p0 = dd_div(up, lower);
    let q0 = dd_div(down, upper_gamma);
    let p0 = (0.5 * p0.0, 0.5 * p0.1);
    let q0 = (0.5 * q0.0, 0.5 * q0.1);
    // Y: g = f + (2/nu) sin^2(pi nu/2) q, with a factor 2/pi in front; K: g = f
    let part = dd_mul_d(versine(q), nu);
    let v = if second { part } else { (0.0, 0.0) };
    let g0 = dd_add(f0, dd_mul(v, q0));
    // the next term as a pair too: a quarter of it still shows
    let h = 0.5 * x;
    let y = two_prod(h, if second { -h } else { h });
    let inverse = dd_inverse(dd_sub_short((1.0, 0.0), q));
    let f1 = dd_mul(dd_add(f0, dd_add_short(p0, q0)), inverse);
    let p1 = dd_mul(dd_mul(p0, two_sum(1.0, nu)), inverse);
    let q1 = dd_mul(dd_mul(q0, two_sum(1.0, -nu)), inverse);
    let g1 = dd_add_short(f1, dd_mul(v, q1));
    let first = dd_add(g0, dd_mul(y, g1));
    let next = dd_add(p0, dd_mul(y, dd_sub_short(p1, g1)));
    let mut f = f1.0;
    let mut p = p1.0;
    let mut w = q1.0;
    let mut c = y.0;
    let mut rest: f64 = 0.0;
    let mut rest_up: f64 = 0.0;
    for i in 2..14 {
        let n = i as f64;
        let inverse = 1.0 / n.mul_add(n, -q.0);
        f = (n.mul_add(f, p) + w) * inverse;
        p *= (n + nu) * inverse;
        w *= (n - nu) * inverse;
        c *= y.0 * RECIPROCALS[i - 1];
        let g = v.0.mul_add(w, f);
        rest = c.mul_add(g, rest);
        rest_up = c.mul_add((-n).mul_add(g, p), rest_up);
    }
    let first = dd_add_d(first, rest);
    let next = dd_add_d(next, rest_up);
    // The factors first: Y of order nu + 1 is 2/pi of what would overflow. Then times 2/x without overflow of 2/x.
    let factor =
        (if second { -2.0 * INV_PI.0 * unit } else { unit }, if second { -2.0 * INV_PI.1 * unit } else { 0.0 });
    let lift = if x < 1e-280 { 1.2676506002282294e30 } else { 1.0 };
    let over = dd_div((2.0, 0.0), (x * lift, 0.0));
    let next = dd_mul(next, factor);
    Start { first: dd_mul(first, factor), second: dd_mul(over, (next.0 * lift, next.1 * lift)) }
}
