//! The power series of I and J, in double-double.

use crate::special::double_double::{dd_div, dd_mul, dd_mul_d, dd_sub, fast_two_sum, pair_mul_d, two_prod, two_sum};
use crate::special::exponential::exp_parts;
use crate::special::gamma_function::lgamma1p_dd;
use crate::special::logarithm::log_dd;
use gristmill_kernel::kernel;

/// `sum (sign x^2/4)^k / (k! (nu+1)_k)` as a normalised pair, for `x <= 25`; `sign` is 1 for I and -1 for J.
///
/// In double-double: the terms of J cancel, those of I go up to `e^x/x`, and either way a hundred roundings would show. Terms below
/// 1e-22 (against a sum of at least 1e-3 in the regions of use) end it; 80 are never needed.
#[kernel]
fn power_sum(x: f64, nu: f64, sign: f64) -> (f64, f64) {
    let h = 0.5 * x;
    let (q, qe) = two_prod(h, sign * h);
    let mut term = (1.0, 0.0);
    let mut sum = (1.0, 0.0);
    for i in 1..80 {
        let k = i as f64;
        let divisor = pair_mul_d(two_sum(nu, k), k);
        term = dd_mul(term, dd_div((q, qe), divisor));
        let (s, e) = two_sum(sum.0, term.0);
        sum = (s, sum.1 + (e + term.1));
        if term.0.abs() < 1e-22 {
            break;
        }
    }
    fast_two_sum(sum.0, sum.1)
}

/// `(x/2)^nu/Gamma(nu + 1) sum (sign x^2/4)^k/(k! (nu+1)_k) exp(extra)` as `(high, low, k)`, for `x > 0`, `0 <= nu <= 30`.
#[kernel]
pub(crate) fn power_series(x: f64, nu: f64, sign: f64, extra: f64) -> (f64, f64, f64) {
    let sum = power_sum(x, nu, sign);
    let (lh, ll) = log_dd((x, 0.0));
    // log(x/2): ln 2 taken off here, because x/2 may lose a bit of a subnormal x
    let half = dd_sub((lh, ll), (std::f64::consts::LN_2, 2.3190468138462996e-17));
    let e = dd_sub(dd_mul_d(half, nu), lgamma1p_dd(nu));
    let e = dd_sub(e, (-extra, 0.0));
    let low: f64 = -1050.0;
    let cut = e.0 < low;
    let (m, ml, k) = exp_parts((if cut { low } else { e.0 }, if cut { 0.0 } else { e.1 }));
    let y = dd_mul((m, ml), sum);
    (y.0, y.1, k)
}
