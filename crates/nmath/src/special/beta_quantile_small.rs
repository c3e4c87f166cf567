//! The inverse of the incomplete beta ratio where one shape is small and the quantile lies near its end.
//!
//! `log I = a log x + log(1 + a S(x)) - log(a B(a, b))` rises by `a` for every unit of `log x`: whatever is wrong in it is divided by
//! `a`. Each term is of the order of `a` itself, and is formed so.

use super::beta_point::BetaPoint;
use super::binomial_kernel::exp_times;
use super::double_double::{dd_add, dd_add_short, dd_div, dd_mul_d, dd_sub, two_sum};
use super::exponential::{exp, expm1};
use super::logarithm::{log_dd_of_double, log1p};
use gristmill_kernel::kernel;

/// `S = sum (1-b)_k x^k/(k! (a+k))` over `k >= 1` (DLMF 8.17.7), for `x (1 + b) <= 0.65`.
#[kernel(inline)]
fn terms_over_shape(x: f64, a: f64, b: f64) -> f64 {
    let mut factor = 1.0;
    let mut sum = 0.0;
    // 2^-60 is reached: the terms fall by 0.65, those of a large second shape faster
    for i in 1..97 {
        let k = f64::from(i);
        factor *= x * ((k - b) / k);
        let term = factor / (a + k);
        sum += term;
        if term.abs() < 1e-18 * sum.abs() {
            break;
        }
    }
    sum
}

/// Solves `I_x(a, b) = exp(log_lower)` for a small shape `a`, given `log(a B(a, b))`, if `x` is near 0; `tail` is -1 if it is not.
///
/// Method: the leading term of the power series where the next is nothing; otherwise Newton's steps for `log x` from it.
#[kernel]
pub(crate) fn small_shape_quantile(log_lower: (f64, f64), log_first: (f64, f64), a: f64, b: f64) -> BetaPoint {
    let room = log1p(b);
    let leading: (f64, f64) = dd_div(dd_add(log_lower, log_first), (a, 0.0));
    if leading.0 < -46.0 - room {
        let v = if leading.0 > -1500.0 { exp_times(1.0, leading) } else { 0.0 };
        return BetaPoint { x: v, y: 1.0, l: leading.0, ll: leading.1, tail: 1.0 };
    }
    // from here on the first terms are not small, or another method serves
    if !(leading.0 < -room) {
        return BetaPoint { x: 0.0, y: 0.0, l: 0.0, ll: 0.0, tail: -1.0 };
    }
    let mut x = exp(leading.0);
    let most = 0.65 / (1.0 + b);
    x = if x < most { x } else { most };
    for _ in 0..12 {
        let s = terms_over_shape(x, a, b);
        let power: (f64, f64) = dd_mul_d(log_dd_of_double(x), a);
        let rest: (f64, f64) = dd_sub(two_sum(log1p(a * s), 0.0), log_first);
        let f: (f64, f64) = dd_sub(log_lower, dd_add_short(power, rest));
        // the derivative of log I in log x is a y^(b-1)/(1 + a S)
        let step = (f.0 + f.1) * (1.0 + a * s) / (a * exp((b - 1.0) * log1p(-x)));
        if !(step < 2.0) {
            return BetaPoint { x: 0.0, y: 0.0, l: 0.0, ll: 0.0, tail: -1.0 };
        }
        x += x * expm1(if step > -2.0 { step } else { -2.0 });
        if !(x <= most) {
            return BetaPoint { x: 0.0, y: 0.0, l: 0.0, ll: 0.0, tail: -1.0 };
        }
        if step.abs() < 1e-9 {
            break;
        }
    }
    BetaPoint { x, y: 1.0 - x, l: 0.0, ll: 0.0, tail: 0.0 }
}
