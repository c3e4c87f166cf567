//! The Poisson distribution.

pub(crate) mod random;

pub use random::rpois;

use gristmill_kernel::kernel;

use crate::special::constants::{INV_SQRT_2PI, LN_SQRT_2PI};
use crate::special::conventions::{is_fractional, one_on, quantile_end, whole_count, zero_on};
use crate::special::deviance::bd0_dd;
use crate::special::discrete_quantile::step_tolerance;
use crate::special::double_double::{
    dd_add_d, dd_add_short, dd_div, dd_high, dd_mul, dd_mul_d, dd_sqrt, dd_sub_short, fast_two_sum, two_prod, two_sum,
};
use crate::special::exponential::{exp, exp_pair};
use crate::special::incomplete_gamma::{
    GammaTail, lower_series, pgamma_beyond, tail_to_probability, temme_correction, unit_of,
};
use crate::special::logarithm::{log_dd, log_dd_of_normal};
use crate::special::normal_tail::{mills_dd, standard_quantile};
use crate::special::poisson_mass::{dpois_raw, log_scaled_exp, scaled_exp};
use crate::special::stirling::stirlerr_from_one;

/// What the functions need of their parameter.
#[kernel]
struct Scale {
    lambda: f64,
    /// `lambda` where the main path holds, else NaN.
    ordinary: f64,
    /// log(lambda) as a pair, up to 300.
    log_lambda: (f64, f64),
    /// A power of two, about 1/lambda.
    unit: f64,
    /// (lambda unit)^2 as a pair.
    square: (f64, f64),
    /// (lambda unit)^3 lambda as a pair.
    fourth: (f64, f64),
    /// lambda < 300: the mass from logarithms.
    small: bool,
    /// lambda < 15: the distribution function from sums alone.
    sums: bool,
}

#[kernel(inline)]
fn scale_setup(lambda: f64) -> Scale {
    let inside = lambda > 1e-200 && lambda < 1e200;
    let m = if inside { lambda } else { 1.0 };
    let small = m < 300.0;
    let sums = m < 15.0;
    let l = log_dd_of_normal(m);
    let unit = unit_of(m);
    let square = two_prod(m * unit, m * unit);
    let fourth = dd_mul_d(dd_mul_d(square, m * unit), m);
    Scale { lambda, ordinary: if inside { lambda } else { f64::NAN }, log_lambda: l, unit, square, fourth, small, sums }
}

/// `log(lambda^n e^-lambda/n!)` for a whole `n` in [1, 1e9] and `lambda < 300`, as a normalised pair.
///
/// `n log(lambda) - (n + 1/2) log(n) + (n - lambda) - log(sqrt(2 pi)) - stirlerr(n)`: the logarithms have 70 bits, and
/// where the terms cancel they are below 2^12, so 2^-58 of the mass is left.
#[kernel(inline)]
fn log_mass(n: f64, s: Scale) -> (f64, f64) {
    let rise = dd_mul_d(s.log_lambda, n);
    let fall = dd_mul_d(log_dd_of_normal(n), n + 0.5);
    let rest = fast_two_sum(LN_SQRT_2PI.0, LN_SQRT_2PI.1 + stirlerr_from_one(n));
    let shift = dd_sub_short(two_sum(n, -s.ordinary), rest);
    dd_add_short(dd_sub_short(rise, fall), shift)
}

#[kernel(inline)]
fn density_in_main(x: f64, s: Scale, _log: bool) -> bool {
    x >= 0.0 && x == x.floor() && x < 1e9 && s.ordinary > 0.0
}

#[kernel(inline)]
fn density_main(x: f64, s: Scale, log: bool) -> f64 {
    let zero = x == 0.0;
    let n = if zero { 1.0 } else { x };
    if s.small {
        let l = log_mass(n, s);
        let e = (if zero { -s.ordinary } else { l.0 }, if zero { 0.0 } else { l.1 });
        return if log { e.0 } else { exp_pair(e) };
    }
    let b = dd_add_d(bd0_dd(n, (s.ordinary, 0.0)), stirlerr_from_one(n));
    let c = dd_div(INV_SQRT_2PI, dd_sqrt((n, 0.0)));
    let e = (if zero { -s.ordinary } else { -b.0 }, if zero { 0.0 } else { -b.1 });
    let c = (if zero { 1.0 } else { c.0 }, if zero { 0.0 } else { c.1 });
    if log { log_scaled_exp(e, c) } else { scaled_exp(e, c) }
}

#[kernel]
fn density_rest(x: f64, s: Scale, log: bool) -> f64 {
    let lambda = s.lambda;
    if (is_fractional(x) || x < 0.0) && lambda >= 0.0 {
        return zero_on(log);
    }
    dpois_raw(if x.abs() < f64::INFINITY { x.round_ties_even() } else { x }, lambda, log)
}

/// The Poisson mass.
///
/// R: `dpois(x, lambda, log = FALSE)`, Poisson probability.
/// Domain: `lambda >= 0`, else NaN; negative, infinite and non-integer `x` give 0 (within 1e-7 relative of an integer it
///   counts as that integer, as in R). NaN gives NaN.
/// Method: lambda < 300   the exponential of `x log(lambda) - lambda - log(x!)`, all in double-double (see `log_mass`)
///   above          Loader's saddle point form with bd0 and the Stirling error in double-double (see `poisson_parts`)
/// Paper: loader2000.
/// Error: 99 % within 0.53 ulp, at most 0.54 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dpois(x: f64, lambda: f64, log: bool) -> f64 {
    let s = scale_setup(lambda);
    if density_in_main(x, s, log) { density_main(x, s, log) } else { density_rest(x, s, log) }
}

/// Numerator and denominator of `1 + (x-3)/lambda (1 + (x-4)/lambda (...))` with a constant number of terms: the loop is the
/// same for all lanes. The sum ends by itself after `x`: its factor is 0 there, and what was computed before is forgotten.
macro_rules! down_of {
    ($name:ident, $terms:literal) => {
        #[kernel(inline)]
        fn $name(x: f64, m: f64, unit: f64) -> (f64, f64) {
            let mut n: f64 = 1.0;
            let mut d: f64 = 1.0;
            for j in 0..($terms - 2) {
                d *= m;
                n = ((x - ($terms - j) as f64) * unit).mul_add(n, d);
            }
            (n, d)
        }
    };
}
down_of!(down_14, 14);
down_of!(down_46, 46);

/// `S` with `F(x) = S f(x + 1)`, where `a = x + 1 <= lambda`, as a pair: `S = (a/lambda)(1 + x/lambda (1 + (x-1)/lambda (...)))`.
///
/// Backwards, so that rounding errors are damped, as a quotient `n/d`, so that there is one division; the last three levels
/// as pairs. For `lambda < 15` there are 14 terms at most, else 46 are enough where the sum is used.
#[kernel(inline)]
fn down_sum(a: f64, s: Scale) -> (f64, f64) {
    let m = s.ordinary * s.unit;
    let x = a - 1.0;
    let xu = x * s.unit;
    let sums = s.sums;
    let (n, d) = if sums { down_14(x, m, s.unit) } else { down_46(x, m, s.unit) };
    // a (m (m^2 + m x + x (x-1)) d + x (x-1) (x-2) n) / (m^3 lambda d)
    let p = two_prod(xu, (x - 1.0) * s.unit);
    let h = dd_add_short(s.square, dd_add_short(two_prod(m, xu), p));
    let rest = dd_mul_d(dd_mul_d(p, (x - 2.0) * s.unit), n);
    let sum = dd_add_short(dd_mul_d(dd_mul_d(h, m), d), rest);
    dd_div(dd_mul_d(sum, a), dd_mul_d(s.fourth, d))
}

/// The smaller tail of the Poisson distribution at `x = a - 1`, as that of a gamma distribution with shape `a` at lambda:
/// `lower` means `P(X > x)`. `r` is `lambda f(x)/tail`.
///
/// Domain: whole `a` in [1, 1e9], lambda in (1e-200, 1e200).
/// Method: lambda < 15      the masses are added, away from the mode
///   lambda >= 15, a >= 15, 0.302 a <= lambda <= 2.357 a   Temme's expansion, as for the gamma distribution
///   else            the masses again: there are 14 at most, or they fall by a factor of 0.43 or less each
/// Paper: temme1994, gil2012.
#[kernel]
fn poisson_tail(a: f64, s: Scale) -> GammaTail {
    let lambda = s.ordinary;
    let e: (f64, f64);
    let mut c = (1.0, 0.0);
    if s.sums {
        e = log_mass(a, s);
    } else {
        let b = bd0_dd(a, (lambda, 0.0));
        let root = dd_sqrt((a, 0.0));
        if a >= 15.0 && lambda >= 0.302 * a && lambda <= 2.357 * a {
            let b = if b.0 > 0.0 { b } else { (0.0, 0.0) };
            let z = dd_sqrt((2.0 * b.0, 2.0 * b.1));
            let low = lambda < a;
            let inverse = 1.0 / root.0;
            let m = mills_dd(z);
            let (t, gs) = temme_correction(a, if low { -z.0 * inverse } else { z.0 * inverse });
            let t = t * (INV_SQRT_2PI.0 * inverse);
            let f = dd_add_d(m, if low { -t } else { t });
            let r = root.0 * INV_SQRT_2PI.0 / (gs * f.0);
            return GammaTail { e: (-b.0, -b.1), f, r, lower: low };
        }
        let b = dd_add_d(b, stirlerr_from_one(a));
        e = if b.0 < 1e300 { (-b.0, -b.1) } else { (f64::NEG_INFINITY, 0.0) };
        c = dd_div(INV_SQRT_2PI, root);
    }
    let up = a > lambda;
    let f: (f64, f64);
    if up {
        let q = lower_series(a, lambda, unit_of(a), lambda <= 4.5);
        let (sum, sum_low) = two_sum(1.0, q.0);
        f = (sum, sum_low + q.1);
    } else {
        f = down_sum(a, s);
    }
    let r = a / f.0;
    let f = dd_mul(c, f);
    GammaTail { e, f, r, lower: up }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let lambda = s.lambda;
    if x.is_nan() || lambda.is_nan() {
        return x + lambda;
    }
    if lambda < 0.0 {
        return f64::NAN;
    }
    let one = one_on(log);
    let nothing = zero_on(log);
    if x < 0.0 {
        return if lower { nothing } else { one };
    }
    if lambda == 0.0 || x == f64::INFINITY {
        return if lower { one } else { nothing };
    }
    if lambda == f64::INFINITY {
        return if lower { nothing } else { one };
    }
    let shape = whole_count(x) + 1.0;
    let mut l = (0.0, 0.0);
    if lambda < 1e-290 {
        l = log_dd((lambda, 0.0));
    }
    pgamma_beyond(shape, (lambda, 0.0), l, !lower, log)
}

#[kernel]
fn probability_eval(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    if x >= 0.0 && x < 1e9 && s.ordinary > 0.0 {
        let t = poisson_tail(whole_count(x) + 1.0, s);
        return tail_to_probability(t.e, t.f, t.lower != lower, log);
    }
    probability_rest(x, s, lower, log)
}

/// The Poisson distribution function.
///
/// R: `ppois(q, lambda, lower.tail = TRUE, log.p = FALSE)`, Poisson distribution function.
/// Domain: `lambda >= 0`, else NaN; `x` is rounded down after adding 1e-7, as in R; negative `x` gives 0. NaN gives NaN.
/// Method: the smaller tail directly (see `poisson_tail` for its regions), the other as its complement in double-double.
///   Beyond `x = 1e9` the incomplete gamma ratio `Q(x + 1, lambda)`.
/// Paper: temme1994, gil2012.
/// Error: 99 % within 0.80 ulp, at most 0.95 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn ppois(x: f64, lambda: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, scale_setup(lambda), lower, log)
}

/// Whether `x` is at or beyond the quantile: `F(x) >= p` in the tail and on the scale of `p`.
#[kernel]
fn reached(x: f64, p: f64, s: Scale, lower: bool, log_scale: bool) -> bool {
    let f = probability_eval(x, s, lower, log_scale);
    if lower { f >= p } else { f <= p }
}

/// Wilson and Hilferty's approximation of the quantile, a whole number in [0, 1e300].
#[kernel]
fn quantile_start(p: f64, lambda: f64, lower: bool, log: bool) -> f64 {
    let z = dd_high(standard_quantile(p, lower, log));
    let root = lambda.sqrt();
    let w = 1.0 - 1.0 / (9.0 * lambda) + z / (3.0 * root);
    let start = if lambda > 1.0 && w > 0.0 { lambda * w * w * w } else { lambda + z * root };
    if start > 0.0 { if start < 1e300 { start.floor() } else { 1e300 } } else { 0.0 }
}

/// The quantile by a short walk from [`quantile_start`], or -1 where that does not decide it beyond doubt.
///
/// The distribution function is evaluated once; its neighbours differ by masses, whose ratios are `lambda/x`. Their rounding
/// errors are far below 1e-13 of the largest value met, so a `p` that is further off than that is decided.
#[kernel]
fn quantile_walk(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let lambda = s.ordinary;
    let start = quantile_start(p, lambda, lower, log);
    let t = poisson_tail(start + 1.0, s);
    let mut value = tail_to_probability(t.e, t.f, t.lower != lower, false);
    let tail = exp(t.e.0) * t.f.0;
    let mut mass = t.r * tail / lambda;
    let target = if log { exp(p) } else { p };
    let mut doubt = 1e-13 * (value + mass);
    let mut x = start;
    let mut answer: f64 = -1.0;
    let down = if lower { value >= target } else { value <= target };
    let mut going = (value - target).abs() > doubt;
    let mut steps: i32 = 0;
    while going && steps < 12 {
        steps += 1;
        if down {
            // x is reached; is x - 1?
            value = if lower { value - mass } else { value + mass };
            mass *= x / lambda;
            x -= 1.0;
        } else {
            x += 1.0;
            mass *= lambda / x;
            value = if lower { value + mass } else { value - mass };
        }
        doubt = if doubt > 1e-13 * value { doubt } else { 1e-13 * value };
        let reached = if lower { value >= target } else { value <= target };
        if x < 0.0 {
            answer = 0.0;
            going = false;
        } else if (value - target).abs() <= doubt {
            going = false;
        } else if reached != down {
            answer = if down { x + 1.0 } else { x };
            going = false;
        }
    }
    answer
}

/// The quantile by bracketing and bisection with the distribution function itself.
#[kernel]
fn quantile_search(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let lambda = s.lambda;
    let start = quantile_start(p, lambda, lower, log);
    let wide = 1.0 + (0.01 * lambda.sqrt()).floor();
    let mut low: f64 = -1.0; // F(low) < p
    let mut high: f64 = start; // F(high) >= p, once found
    let mut step: f64 = 1.0;
    let mut tries: i32 = 0;
    if reached(start, p, s, lower, log) {
        while tries < 40 {
            let at = high - step;
            if at < 0.0 {
                break;
            }
            if !reached(at, p, s, lower, log) {
                low = at;
                break;
            }
            high = at;
            step = if step < wide { wide } else { 4.0 * step };
            tries += 1;
        }
    } else {
        low = start;
        while tries < 40 {
            high = low + step;
            if reached(high, p, s, lower, log) {
                break;
            }
            low = high;
            step = if step < wide {
                wide
            } else if tries < 6 {
                4.0 * step
            } else {
                step * step
            };
            if step > 1e300 {
                if high >= 1e300 {
                    return f64::INFINITY;
                }
                step = 1e300;
            }
            tries += 1;
        }
    }
    let mut halvings: i32 = 0;
    while high - low > 1.0 && halvings < 110 {
        let middle = if low > 1.0 && high > 4.0 * low {
            (low.sqrt() * high.sqrt()).floor()
        } else {
            (0.5 * low + 0.5 * high).floor()
        };
        if middle <= low || middle >= high {
            break;
        }
        if reached(middle, p, s, lower, log) {
            high = middle;
        } else {
            low = middle;
        }
        halvings += 1;
    }
    high
}

#[kernel]
fn quantile_eval(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let lambda = s.lambda;
    if p.is_nan() || lambda.is_nan() {
        return p + lambda;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || lambda < 0.0 || lambda == f64::INFINITY {
        return f64::NAN;
    }
    if lambda == 0.0 {
        return 0.0;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if !log && p < f64::MIN_POSITIVE {
        // here the values of F are rounded to few bits, their logarithms are not
        let l = dd_high(log_dd((p, 0.0)));
        // an ulp of them
        let tolerance = step_tolerance(l, l, true, false, false) + 1.2e-13;
        return quantile_search(if lower { l - tolerance } else { l + tolerance }, s, lower, true);
    }
    if lambda > 1e200 && (!log || p > -1e100) {
        // the width is 1e-100 of it, and no such tail is more than 1e50 widths away
        return lambda;
    }
    let mut x: f64 = -1.0;
    if lambda > 1e-5 && lambda < 1e8 && (if log { p > -600.0 } else { p > 1e-280 }) {
        x = quantile_walk(p, s, lower, log);
    }
    if x >= 0.0 { x } else { quantile_search(p, s, lower, log) }
}

/// The Poisson quantile: the smallest whole `x` with `F(x) >= p`.
///
/// R: `qpois(p, lambda, lower.tail = TRUE, log.p = FALSE)`, Poisson quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `lambda >= 0` finite, else NaN; 0 and 1 give the ends of the support;
///   `lambda = 0` gives 0. NaN gives NaN.
/// Method: from Wilson and Hilferty's cube, a walk by the masses of the neighbours (see `quantile_walk`). Where `p` is within
///   1e-13 of a value met, or 12 steps do not end it, widening steps bracket the answer, then bisection; `F` is [`ppois`]
///   itself, in the tail and on the scale of `p`, so that `qpois(ppois(x)) = x` and nothing is lost near 0 and 1. At most
///   150 values of `F`, usually 1.
/// Paper: wilson1931.
/// Error: none on the points of dev/oracle: the smallest integer whose distribution function reaches `p`.
#[kernel(split)]
pub fn qpois(p: f64, lambda: f64, lower: bool, log: bool) -> f64 {
    quantile_eval(p, scale_setup(lambda), lower, log)
}
