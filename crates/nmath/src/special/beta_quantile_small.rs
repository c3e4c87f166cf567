//! The inverse of the incomplete beta ratio where one shape is small and the quantile lies near its end.
//!
//! `log I = a log x + log(1 + a S(x)) - log(a B(a, b))` rises by `a` for every unit of `log x`: whatever is wrong in it is divided by
//! `a`. Each term is of the order of `a` itself, and is formed so.

use super::beta_point::{BetaPoint, no_point, point_at, point_of_log};
use super::double_double::{dd_add, dd_add_short, dd_div, dd_mul_d, dd_sub, two_sum};
use super::exponential::{exp, expm1};
use super::incomplete_beta::{log1p_any, series_over_shape};
use super::logarithm::{log_dd_of_double, log1p};
use gristmill_kernel::kernel;

/// Solves `I_x(a, b) = exp(log_lower)` for a small shape `a`, given `log(a B(a, b))`, if `x` is near 0; `tail` is -1 if it is not.
///
/// Method: the leading term of the power series where the next is nothing; otherwise Newton's steps for `log x` from it.
#[kernel]
pub(crate) fn small_shape_quantile(log_lower: (f64, f64), log_first: (f64, f64), a: f64, b: f64) -> BetaPoint {
    let room = log1p(b);
    let leading = dd_div(dd_add(log_lower, log_first), (a, 0.0));
    if leading.0 < -46.0 - room {
        return point_of_log(leading);
    }
    // from here on the first terms are not small, or another method serves
    if !(leading.0 < -room) {
        return no_point();
    }
    let mut x = exp(leading.0);
    let most = 0.65 / (1.0 + b);
    x = if x < most { x } else { most };
    let mut low: f64 = 0.0; // what x lacks after the last step
    for _ in 0..12 {
        let s = series_over_shape(a, b, (x, 0.0));
        let power = dd_mul_d(log_dd_of_double(x), a);
        let rest = dd_sub(log1p_any(dd_mul_d(s, a)), log_first);
        let f = dd_sub(log_lower, dd_add_short(power, rest));
        // the derivative of log I in log x is a y^(b-1)/(1 + a S)
        let step = (f.0 + f.1) * (1.0 + a * s.0) / (a * exp((b - 1.0) * log1p(-x)));
        if !(step < 2.0) {
            return no_point();
        }
        (x, low) = two_sum(x, x * expm1(if step > -2.0 { step } else { -2.0 }));
        if !(x <= most) {
            return no_point();
        }
        if step.abs() < 1e-9 {
            break;
        }
    }
    point_at((x, low))
}
