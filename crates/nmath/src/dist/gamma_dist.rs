//! The gamma distribution.

use gristmill_kernel::kernel;

use crate::special::constants::{LN2_HIGH, LN2_LOW};
use crate::special::double_double::{dd_add, dd_div, dd_div_d, dd_mul_d, dd_sub};
use crate::special::gamma_function::lgamma1p_dd;
use crate::special::incomplete_gamma::{gamma_quantile, pgamma_at, tail_logs};
use crate::special::logarithm::log_dd;
use crate::special::poisson_mass::{log_scaled_exp, poisson_parts, scaled_exp};

/// 2^200
#[kernel]
const TWO_200: f64 = 1.606_938_044_258_990_3e60;

/// The gamma density.
///
/// Domain: `shape >= 0`, `scale > 0`, else NaN; `x < 0` gives 0. `shape = 0` is a point mass at 0. NaN gives NaN.
/// Method: `(shape/x) D(shape, x/scale)` with `D(a, y) = y^a e^-y/Gamma(a+1)` as in `poisson_parts`, for every shape; the
///   exponent and `x/scale` in double-double. Where `x/scale` is below the range, `log y = log x - log scale`.
/// Paper: loader2000.
/// Error: see `dgamma` in the table of bounds.
#[kernel]
pub fn dgamma(x: f64, shape: f64, scale: f64, log: bool) -> f64 {
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    if x.is_nan() || shape.is_nan() || scale.is_nan() {
        return x + shape + scale;
    }
    if shape < 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    if x < 0.0 || x == f64::INFINITY {
        return nothing;
    }
    if shape == 0.0 {
        return if x == 0.0 { f64::INFINITY } else { nothing };
    }
    if x == 0.0 {
        if shape == 1.0 {
            return if log { -crate::special::logarithm::log(scale) } else { 1.0 / scale };
        }
        return if shape < 1.0 { f64::INFINITY } else { nothing };
    }
    let y: (f64, f64) = dd_div_d(x, scale);
    if y.0 > 1e300 || shape > 1e300 || scale == f64::INFINITY {
        return nothing;
    }
    let (e, el, c, cl) = if y.0 < 1e-290 {
        let l = dd_sub(log_dd((x, 0.0)), log_dd((scale, 0.0)));
        let e: (f64, f64) = dd_sub(dd_mul_d(l, shape), lgamma1p_dd(shape));
        (e.0, e.1, 1.0, 0.0)
    } else {
        poisson_parts(shape, y)
    };
    if !(e > -1e300) {
        return nothing;
    }
    let ratio = shape / x;
    if ratio > 1e-250 && ratio < 1e250 && x > 1e-250 && x < 1e250 && shape > 1e-250 {
        let c = dd_div(dd_mul_d((c, cl), shape), (x, 0.0));
        return if log { log_scaled_exp((e, el), c) } else { scaled_exp((e, el), c) };
    }
    // shape/x may leave the range: its log joins the exponent
    let e: (f64, f64) = dd_add((e, el), dd_sub(log_dd((shape, 0.0)), log_dd((x, 0.0))));
    if log { log_scaled_exp(e, (c, cl)) } else { scaled_exp(e, (c, cl)) }
}

/// The gamma distribution function.
///
/// Domain: `shape >= 0`, `scale > 0`, else NaN; `shape = 0` gives 0 up to 0 and 1 above, as in R. NaN gives NaN.
/// Method: the smaller tail directly (see `gamma_tail` for its regions), the other as its complement in double-double; so
///   both tails keep their digits until they underflow, and on the log scale beyond.
/// Paper: temme1994, gil2012.
/// Error: see `pgamma` in the table of bounds.
#[kernel]
pub fn pgamma(x: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    if x.is_nan() || shape.is_nan() || scale.is_nan() {
        return x + shape + scale;
    }
    if shape < 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    let one = if log { 0.0 } else { 1.0 };
    let nothing = if log { f64::NEG_INFINITY } else { 0.0 };
    let y: (f64, f64) = dd_div_d(x, scale);
    if x == f64::INFINITY && scale == f64::INFINITY {
        return f64::NAN;
    }
    if x <= 0.0 || scale == f64::INFINITY {
        return if lower { nothing } else { one };
    }
    if shape == 0.0 || y.0 == f64::INFINITY {
        return if lower { one } else { nothing };
    }
    let mut log_y = (0.0, 0.0);
    if y.0 < 1e-290 {
        log_y = dd_sub(log_dd((x, 0.0)), log_dd((scale, 0.0)));
    }
    pgamma_at(shape, y, log_y, lower, log)
}

/// The gamma quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `shape >= 0`, `scale > 0`, else NaN; 0 and 1 give the ends of the support,
///   `shape = 0` gives 0. NaN gives NaN.
/// Method: Halley's iteration on the log of the smaller tail, see `gamma_quantile`.
/// Paper: gil2012.
/// Error: see `qgamma` in the table of bounds.
#[kernel]
pub fn qgamma(p: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    if p.is_nan() || shape.is_nan() || scale.is_nan() {
        return p + shape + scale;
    }
    let bottom = if log { f64::NEG_INFINITY } else { 0.0 };
    let top = if log { 0.0 } else { 1.0 };
    if p < bottom || p > top || shape < 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    if p == bottom || p == top {
        return if (p == bottom) == lower { 0.0 } else { f64::INFINITY };
    }
    if shape == 0.0 {
        return 0.0;
    }
    if shape > 1e290 {
        return shape * scale; // relative width below 1e-145
    }
    let (s, sl, o, ol) = tail_logs(p, log);
    let log_lower = if lower { (s, sl) } else { (o, ol) };
    let log_upper = if lower { (o, ol) } else { (s, sl) };
    let (h, l, k) = gamma_quantile(shape, log_lower, log_upper);
    if k != 0.0 {
        if h < -1500.0 {
            return 0.0;
        }
        if scale > 1e250 {
            let shift = dd_mul_d((LN2_HIGH, LN2_LOW), 200.0);
            return scaled_exp(dd_add((h, l), shift), (scale * (1.0 / TWO_200), 0.0));
        }
        return scaled_exp((h, l), (scale, 0.0));
    }
    let r: (f64, f64) = dd_mul_d((h, l), scale);
    if r.0.is_nan() || r.0 == f64::INFINITY { h * scale } else { r.0 }
}
