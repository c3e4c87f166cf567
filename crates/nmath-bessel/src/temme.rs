//! Temme's series of K and Y for orders in [-1/2, 1/2], which has no special case at order 0.
//!
//! Paper: temme1975, temme1976.

use gristmill_kernel::kernel;
use gristmill_nmath::special::constants::{INV_PI_HIGH, INV_PI_LOW};
use gristmill_nmath::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, fast_two_sum, two_prod,
};
use gristmill_nmath::special::exponential::{exp_parts, expm1_pair};
use gristmill_nmath::special::logarithm::log_dd;
use gristmill_nmath::special::scaling::power_of_two;
use gristmill_nmath::special::trigonometry::sin_pi_pair;

use crate::tables::{GAMMA_1_HIGH, GAMMA_1_LOW, GAMMA_2_HIGH, GAMMA_2_LOW};

/// Values at the orders `nu` and `nu + 1`, as normalised pairs.
#[kernel]
pub struct Start {
    /// At `nu`.
    pub first: (f64, f64),
    /// At `nu + 1`.
    pub second: (f64, f64),
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
    let mut one: (f64, f64) = (a, 0.0);
    let mut two: (f64, f64) = (b, 0.0);
    for i in 0..4 {
        one = dd_add((GAMMA_1_HIGH[3 - i], GAMMA_1_LOW[3 - i]), dd_mul(one, q));
        two = dd_add((GAMMA_2_HIGH[3 - i], GAMMA_2_LOW[3 - i]), dd_mul(two, q));
    }
    (one.0, one.1, two.0, two.1)
}

/// `K` (`second = false`) or `Y` at the orders `nu` and `nu + 1`, `|nu| <= 1/2`, for `0 < x <= 1`.
///
/// The terms `f_0` and `p_0` are pairs; those after them are at most a quarter of the sum and rounded in double. 13 of them leave
/// 2^-60.
#[kernel]
pub fn temme(x: f64, nu: f64, second: bool) -> Start {
    let q: (f64, f64) = two_prod(nu, nu);
    let (g1, g1l, g2, g2l) = gamma_pairs(q);
    let gamma_1: (f64, f64) = (g1, g1l);
    let gamma_2: (f64, f64) = (g2, g2l);
    let (lh, ll) = log_dd((x, 0.0));
    let l: (f64, f64) = dd_sub((std::f64::consts::LN_2, 2.3190468138462996e-17), (lh, ll)); // log(2/x) >= log 2
    let sigma: (f64, f64) = dd_mul_d(l, nu);
    let (m, ml, k) = exp_parts(sigma);
    let scale = power_of_two(k);
    let up: (f64, f64) = (m * scale, ml * scale); // (2/x)^nu
    let down: (f64, f64) = dd_inverse(up);
    let sum: (f64, f64) = dd_add(up, down);
    // sinh(s)/s = (e^s - 1)(1 + e^-s)/(2 s); below 1e-9 it is 1 to 2^-60
    let flat = sigma.0.abs() < 1e-9;
    let safe: (f64, f64) = if flat { (1.0, 0.0) } else { sigma };
    let rise: (f64, f64) = dd_div(dd_mul(expm1_pair(safe), dd_add_d(down, 1.0)), (2.0 * safe.0, 2.0 * safe.1));
    let sinhc: (f64, f64) = if flat { (1.0, 0.0) } else { rise };
    let inner: (f64, f64) = dd_add(dd_mul((0.5 * sum.0, 0.5 * sum.1), gamma_1), dd_mul(dd_mul(sinhc, l), gamma_2));
    // pi nu/sin(pi nu)
    let (s, sl) = sin_pi_pair(nu);
    let turn: (f64, f64) = two_prod(nu, std::f64::consts::PI);
    let turn: (f64, f64) = (turn.0, nu.mul_add(1.2246467991473532e-16, turn.1));
    let tiny = nu.abs() < 1e-10;
    let quotient: (f64, f64) = dd_div(if tiny { (1.0, 0.0) } else { turn }, if tiny { (1.0, 0.0) } else { (s, sl) });
    let f0: (f64, f64) = dd_mul(quotient, inner);
    // p0 = (2/x)^nu Gamma(1 + nu)/2, q0 = (x/2)^nu Gamma(1 - nu)/2
    let step: (f64, f64) = dd_mul_d(gamma_1, nu);
    let p0: (f64, f64) = dd_div(up, dd_sub(gamma_2, step));
    let q0: (f64, f64) = dd_div(down, dd_add(gamma_2, step));
    let p0: (f64, f64) = (0.5 * p0.0, 0.5 * p0.1);
    let q0: (f64, f64) = (0.5 * q0.0, 0.5 * q0.1);
    // Y: g = f + (2/nu) sin^2(pi nu/2) q, with a factor 2/pi in front; the second factor is pi sinc, 0 for K
    let (h, hl) = sin_pi_pair(0.5 * nu);
    let square: (f64, f64) = dd_square((h, hl));
    let ratio: (f64, f64) = dd_div((2.0 * square.0, 2.0 * square.1), if tiny { (1.0, 0.0) } else { (nu, 0.0) });
    let mix = second && !tiny;
    // below 1e-10 the factor is pi^2 nu/2
    let small = if second { 4.934802200544679 * nu } else { 0.0 };
    let v: (f64, f64) = if mix { ratio } else { (small, 0.0) };
    let g0: (f64, f64) = dd_add(f0, dd_mul(v, q0));
    let mut f = f0.0;
    let mut p = p0.0;
    let mut w = q0.0;
    let mut c: f64 = 1.0;
    let y = if second { -0.25 * x * x } else { 0.25 * x * x };
    let mut rest: f64 = 0.0;
    let mut rest_up: f64 = 0.0;
    for i in 1..14 {
        let n = i as f64;
        f = (n * f + p + w) / (n * n - q.0);
        p /= n - nu;
        w /= n + nu;
        c = c * y / n;
        let g = v.0.mul_add(w, f);
        rest = c.mul_add(g, rest);
        rest_up = c.mul_add((-n).mul_add(g, p), rest_up);
    }
    let first: (f64, f64) = dd_add_d(g0, rest);
    let next: (f64, f64) = dd_add_d(p0, rest_up);
    // times 2/x without overflow of 2/x
    let lift = if x < 1e-280 { 1.2676506002282294e30 } else { 1.0 };
    let over: (f64, f64) = dd_div((2.0, 0.0), (x * lift, 0.0));
    let upper: (f64, f64) = dd_mul(over, (next.0 * lift, next.1 * lift));
    if second {
        let factor: (f64, f64) = (-2.0 * INV_PI_HIGH, -2.0 * INV_PI_LOW);
        Start { first: dd_mul(first, factor), second: dd_mul(upper, factor) }
    } else {
        Start { first: fast_two_sum(first.0, first.1), second: upper }
    }
}
