//! `y^x e^-y / Gamma(x+1)`, the common factor of the Poisson and gamma families, as a factor times an exponential.

use gristmill_kernel::kernel;

use super::constants::INV_SQRT_2PI;
use super::deviance::bd0_dd;
use super::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_mul, dd_mul_d, dd_sqrt, dd_sub, fast_two_sum, two_sum,
};
use super::exponential::{exp, exp_parts, exp_times};
use super::gamma_function::lgamma1p_dd;
use super::logarithm::{log_dd, log_pair};
use super::scaling::power_of_two;
use super::stirling::stirlerr_from_one;
use crate::special::conventions::{one_on, zero_on};

/// `y^x e^-y / Gamma(x+1) = (c + cl) exp(e + el)` for `x > 0` and a pair `y > 0`: gives `(e, el, c, cl)`.
///
/// Domain: `x` in (0, 1e300), `y` a positive normal number; `e = -inf` where the exponent is below the range; `el = 0` below -1e300.
/// Method: x >= 1   e = -bd0(x, y) - stirlerr(x), c = 1/sqrt(2 pi x): the saddle point form, in which large terms have
///                  cancelled on paper
///   x < 1    e = x log(y) - y - log Gamma(1+x), c = 1: no term is large
///   y/x beyond 1e280 either way: the second form too, its terms do not cancel
/// Paper: loader2000.
/// Error: absolute error of the exponent about 2^-57 + 2^-64 |e|.
#[kernel(inline)]
pub fn poisson_parts(x: f64, y: (f64, f64)) -> (f64, f64, f64, f64) {
    let ratio = x / y.0;
    if x >= 1.0 && ratio < 1e280 && ratio > 1e-280 {
        let e = dd_add_d(bd0_dd(x, y), stirlerr_from_one(x));
        let c = dd_div(INV_SQRT_2PI, dd_sqrt((x, 0.0)));
        // beyond 1e300 the low part may have overflowed, or all of it
        let far = if e.0 < f64::INFINITY { -e.0 } else { f64::NEG_INFINITY };
        return if e.0 < 1e300 { (-e.0, -e.1, c.0, c.1) } else { (far, 0.0, c.0, c.1) };
    }
    let e = dd_sub(dd_mul_d(log_dd(y), x), y);
    let e = dd_sub(e, lgamma1p_dd(x));
    let far = if e.0 < 0.0 { e.0 } else { f64::NEG_INFINITY };
    if e.0 > -1e300 { (e.0, e.1, 1.0, 0.0) } else { (far, 0.0, 1.0, 0.0) }
}

/// `y 2^k` for `|k| <= 3000`: three exact factors, one rounding, whatever the size of `y`.
#[kernel(inline)]
pub fn scale_far(y: f64, k: f64) -> f64 {
    let k1 = (k * (1.0 / 3.0)).round_ties_even();
    let k2 = ((k - k1) * 0.5).round_ties_even();
    y * power_of_two(k1) * power_of_two(k2) * power_of_two(k - k1 - k2)
}

/// `c exp(e)` of two pairs, rounded once: no step overflows or underflows before the result does.
#[kernel(inline)]
pub fn scaled_exp(e: (f64, f64), c: (f64, f64)) -> f64 {
    // beyond 1500 no factor brings it back into the range
    let low = !(e.0 > -1500.0);
    let high = e.0 > 1500.0;
    let eh = if low {
        -1500.0
    } else if high {
        1500.0
    } else {
        e.0
    };
    let (m, ml, k) = exp_parts((eh, if low || high { 0.0 } else { e.1 }));
    let r = dd_mul((m, ml), c);
    scale_far(r.0, k)
}

/// `e + log(c)` of two pairs, `c > 0`.
#[kernel(inline)]
pub fn log_scaled_exp(e: (f64, f64), c: (f64, f64)) -> f64 {
    let r = dd_add(e, log_pair(c));
    if e.0 < -1e300 { e.0 } else { r.0 + r.1 }
}

/// `c exp(e)` of two loose pairs, `|e| <= 700`; on the log scale `c` is a logarithm already, and the result is `e + c` for
/// every `e`.
#[kernel(inline)]
pub fn density_near(e: (f64, f64), c: (f64, f64), log: bool) -> f64 {
    if log {
        let (y, ye) = two_sum(e.0, c.0);
        y + (ye + (e.1 + c.1))
    } else {
        exp_times(e, c)
    }
}

/// The same for every `e`: ordinary exponents take the short form of the exponential.
#[kernel(inline)]
pub fn density_of(e: (f64, f64), c: (f64, f64), log: bool) -> f64 {
    if log || e.0.abs() < 690.0 { density_near(e, c, log) } else { scaled_exp(fast_two_sum(e.0, e.1), c) }
}

/// `1 - c exp(e)`, or its logarithm, of two pairs with `0 <= c exp(e) < 1`.
#[kernel(inline)]
pub fn complement(e: (f64, f64), c: (f64, f64), log_scale: bool) -> f64 {
    if e.0 < -60.0 {
        // c < 2^40: below half an ulp of 1
        return if log_scale { -scaled_exp(e, c) } else { 1.0 };
    }
    let (m, ml, k) = exp_parts(e);
    let v = dd_mul((m, ml), c);
    let s = power_of_two(k);
    let rest = dd_sub((1.0, 0.0), (v.0 * s, v.1 * s));
    if !log_scale {
        return rest.0;
    }
    if v.0 * s < 1e-20 {
        return -v.0 * s;
    }
    let l = log_dd(rest);
    l.0 + l.1
}

/// `lambda^x e^-lambda / Gamma(x+1)` for real `x`: the Poisson mass, without the test for whole numbers.
///
/// R: `dpois_raw(x, lambda, log = FALSE)`, Poisson density for real x.
/// Domain: `x >= 0`, `lambda >= 0`; `lambda = 0` has all its mass at 0, infinite arguments and negative `x` give 0;
///   negative `lambda` gives NaN, NaN gives NaN.
/// Method: `poisson_parts`; `x = 0` is `exp(-lambda)`.
/// Paper: loader2000.
/// Error: the tests hold [`crate::dpois`], which comes from here outside its main path; real `x` has no bound of its own.
#[kernel]
pub fn dpois_raw(x: f64, lambda: f64, log: bool) -> f64 {
    let nothing = zero_on(log);
    if x.is_nan() || lambda.is_nan() {
        return x + lambda;
    }
    if lambda < 0.0 {
        return f64::NAN;
    }
    if x < 0.0 || x == f64::INFINITY || lambda == f64::INFINITY {
        return nothing;
    }
    if lambda == 0.0 {
        return if x > 0.0 { nothing } else { one_on(log) };
    }
    if x == 0.0 {
        return if log { -lambda } else { exp(-lambda) };
    }
    if x > 1e300 {
        // x log(lambda/x) + x - lambda with the ratio alone
        let r = x / lambda;
        if r > 1e10 || r < 1e-10 {
            return if log { -(x * (dd_high(log_pair((r, 0.0))) - 1.0) + lambda) } else { 0.0 };
        }
    }
    let (e, el, c, cl) = poisson_parts(x, (lambda, 0.0));
    if log { log_scaled_exp((e, el), (c, cl)) } else { scaled_exp((e, el), (c, cl)) }
}
