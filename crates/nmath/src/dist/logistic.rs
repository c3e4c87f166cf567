//! The logistic distribution.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, two_sided, words_at};
use crate::special::constants::LN2;
use crate::special::conventions::{quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_square, dd_sub, fast_two_sum, pair_div,
    two_prod, two_sum,
};
use crate::special::exponential::{exp, exp_pair, exp_parts, exp_sum, expm1_pair};
use crate::special::extra_precision::exp_full;
use crate::special::fine_logarithms::{SMALL_LOGARITHM, log_fine};
use crate::special::location_scale::{has_no_place, locate, ordinary_scale, standardise, standardise_any};
use crate::special::logarithm::{log_dd, log_loose, log_loose_of_pair};
use crate::special::poisson_mass::scaled_exp;
use crate::special::powers_of_two::{TWO_200, TWO_M200};
use crate::special::scaling::power_of_two;

/// `1 + exp(-a)` of a pair `a >= 0`, as a normalised pair.
#[kernel(inline)]
fn one_plus_exp(a: (f64, f64)) -> (f64, f64) {
    let far = a.0 > 200.0;
    let (h, l, k) = exp_parts((if far { -200.0 } else { -a.0 }, if far { 0.0 } else { -a.1 }));
    let s = if far { 0.0 } else { power_of_two(k) };
    dd_add_d((h * s, l * s), 1.0)
}

/// What the functions need of their parameters.
#[kernel]
struct Scale {
    location: f64,
    scale: f64,
    /// 1/scale; NaN where a parameter is so close to the end of the range that the main paths do not hold.
    inverse: f64,
}

#[kernel(inline)]
fn scale_setup(location: f64, scale: f64) -> Scale {
    let ordinary = ordinary_scale(location, scale);
    Scale { location, scale, inverse: if ordinary { 1.0 / scale } else { f64::NAN } }
}

/// `exp(-|z|)`, `z = (x - location)/scale` below 700, as `(high, low, scale)`: a pair times a power of two.
#[kernel(inline)]
fn small_exponential(z: (f64, f64)) -> (f64, f64, f64) {
    let (s, w, t) = exp_sum((-z.0.abs(), if z.0 < 0.0 { z.1 } else { -z.1 }));
    let (high, low) = fast_two_sum(s, w);
    (high, low, t)
}

/// `n / d` of two loose pairs, rounded once.
#[kernel(inline)]
fn quotient(n: (f64, f64), d: (f64, f64)) -> f64 {
    let inverse = 1.0 / d.0;
    let q = n.0 * inverse;
    let r = (-q).mul_add(d.0, n.0) + (-q).mul_add(d.1, n.1);
    r.mul_add(inverse, q)
}

/// What the density needs of its parameters.
#[kernel]
struct DensityScale {
    location: f64,
    scale: f64,
    /// As in [`Scale`].
    inverse: f64,
    /// Log scale: log(scale) as a pair.
    shift: (f64, f64),
    log: bool,
}

#[kernel(inline)]
fn density_setup(location: f64, scale: f64, log: bool) -> DensityScale {
    let s = scale_setup(location, scale);
    let (shift, shift_low) = if log { log_loose(if s.inverse > 0.0 { scale } else { 1.0 }) } else { (0.0, 0.0) };
    DensityScale { location, scale, inverse: s.inverse, shift: (shift, shift_low), log }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    ((x - s.location) * s.inverse).abs() < 699.0
}

#[kernel(inline)]
fn density_value(x: f64, s: DensityScale) -> f64 {
    let z = standardise(x, s.location, s.scale, s.inverse);
    let (h, l, t) = small_exponential(z);
    let (q, qe) = fast_two_sum(1.0, h * t);
    let ql = l.mul_add(t, qe);
    if s.log {
        // -(|z| + log(scale) + 2 log(1 + e))
        let g = log_loose_of_pair((q, ql));
        let (a, ae) = two_sum(z.0.abs(), s.shift.0);
        let (y, ye) = two_sum(a, 2.0 * g.0);
        let zl = if z.0 < 0.0 { -z.1 } else { z.1 };
        -(y + (ye + (ae + (zl + (s.shift.1 + 2.0 * g.1)))))
    } else {
        let (p, pe) = two_prod(q, q);
        let (d, de) = two_prod(p, s.scale);
        quotient((h, l), (d, (2.0 * q).mul_add(ql, pe).mul_add(s.scale, de))) * t
    }
}

/// NaN where the rest takes over: there, and next to 0 on the log scale.
#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    // where the main path does not hold the value is nonsense, and is not taken: no branch
    let y = density_value(x, s);
    let small = s.log && y.abs() < SMALL_LOGARITHM;
    if density_in_main(x, s) && !small { y } else { f64::NAN }
}

#[kernel(inline)]
fn density_holds(y: f64) -> bool {
    !y.is_nan()
}

/// The logarithm of the density at a pair `z`, `|z| <= 1000`, where it is next to 0 and its parts cancel: all are pairs, with an absolute
/// error of 2^-98 or so.
///
///   |z| < 1/100  -log(4 scale) - 2 log(cosh(z/2)), of which neither has lost digits: 0 at the centre of a scale of 1/4
///   beyond       -(|z| + log(scale) + 2 log(1 + exp(-|z|)))
#[kernel]
fn log_density_fine(z: (f64, f64), scale: f64) -> f64 {
    let a = z.0.abs();
    let al = if z.0 < 0.0 { -z.1 } else { z.1 };
    if a < 0.01 {
        // 2 log(cosh(t)) = u - u^2/6 + 2 u^3 (1/45 - ..), u = t^2
        let u: (f64, f64) = dd_square((0.5 * a, 0.5 * al));
        let v = u.0;
        let series: f64 = v.mul_add(-691.0 / 935_550.0, 31.0 / 14_175.0);
        let series = v.mul_add(v.mul_add(series, -17.0 / 2520.0), 1.0 / 45.0);
        let quartic: (f64, f64) = dd_div(dd_square(u), (6.0, 0.0));
        let fall: (f64, f64) = dd_add_d(dd_sub(u, quartic), 2.0 * (v * (v * v)) * series);
        return -dd_high(dd_add(log_fine((4.0 * scale, 0.0)), fall));
    }
    let (h, m, _low, k): (f64, f64, f64, f64) = exp_full(-a);
    let unit = if k > -900.0 { power_of_two(k) } else { 0.0 };
    let (rest, rest_low) = two_sum(1.0, -al);
    let e: (f64, f64) = dd_mul((h * unit, m * unit), (rest, (0.5 * al).mul_add(al, rest_low)));
    let l: (f64, f64) = log_fine(dd_add_d(e, 1.0));
    let sum: (f64, f64) = dd_add((a, al), log_fine((scale, 0.0)));
    -dd_high(dd_add(sum, (2.0 * l.0, 2.0 * l.1)))
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let location = s.location;
    let scale = s.scale;
    let nothing = zero_on(log);
    if x.is_nan() || location.is_nan() || scale.is_nan() {
        return x + location + scale;
    }
    if has_no_place(x, location, scale) {
        return f64::NAN;
    }
    if x.abs() == f64::INFINITY || location.abs() == f64::INFINITY || scale == f64::INFINITY {
        return nothing;
    }
    let z = standardise_any(x, location, scale);
    let a = if z.0 < 0.0 { (-z.0, -z.1) } else { z };
    let q = one_plus_exp(a);
    if log {
        if a.0 > 1e300 {
            return -a.0;
        }
        let l = log_dd(q);
        let r = dd_add(dd_add(a, log_dd((scale, 0.0))), (2.0 * l.0, 2.0 * l.1));
        return if r.0.abs() < SMALL_LOGARITHM { log_density_fine(z, scale) } else { -r.0 };
    }
    let up = scale < 1.0;
    let scaled = scale * (if up { TWO_200 } else { TWO_M200 });
    let shift = dd_mul_d(LN2, if up { 200.0 } else { -200.0 });
    let ordinary = scale > 1e-250 && scale < 1e250;
    let e = if a.0 < 1e4 { (-a.0, -a.1) } else { (-1e4, 0.0) };
    let e = if ordinary { e } else { dd_add(e, shift) };
    scaled_exp(e, dd_inverse(dd_mul_d(dd_square(q), if ordinary { scale } else { scaled })))
}

/// The logistic density.
///
/// R: `dlogis(x, location = 0, scale = 1, log = FALSE)`, logistic density.
/// Domain: `scale > 0`, else NaN; infinite `x` gives 0, or NaN where it equals `location`. NaN gives NaN.
/// Method: `e/(scale (1 + e)^2)`, `e = exp(-|z|)`, `z = (x - location)/scale` and all factors as pairs; the log scale adds
///   the logs as pairs; where their sum is below 1/64 they are formed anew with all digits of pairs.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dlogis(x: f64, location: f64, scale: f64, log: bool) -> f64 {
    let s = density_setup(location, scale, log);
    let y = density_main(x, s);
    if density_holds(y) { y } else { density_rest(x, s) }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, _lower: bool, _log: bool) -> bool {
    ((x - s.location) * s.inverse).abs() < 699.0
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let z = standardise(x, s.location, s.scale, s.inverse);
    if log {
        // -log(1 + e), and -|z| before it
        let (h, l, t) = small_exponential(z);
        let (q, qe) = fast_two_sum(1.0, h * t);
        let g = log_loose_of_pair((q, l.mul_add(t, qe)));
        let small = (z.0 < 0.0) == lower;
        // beyond 30 the low part of 1 + e has too few digits of e, but e - e^2/2 is all there is to it
        let far = z.0.abs() > 30.0;
        let e = h * t;
        let (gh, gl) = (if far { e } else { g.0 }, if far { (-0.5 * e).mul_add(e, l * t) } else { g.1 });
        let zl = if z.0 < 0.0 { -z.1 } else { z.1 };
        let (y, ye) = two_sum(gh, if small { z.0.abs() } else { 0.0 });
        -(y + (ye + (gl + (if small { zl } else { 0.0 }))))
    } else {
        // 1/(1 + exp(-z)) whatever the sign of z, for the other tail 1/(1 + exp(z)): nothing is chosen by a random sign
        let (t, w, scale) = exp_sum(if lower { (-z.0, -z.1) } else { z });
        let (h, l) = fast_two_sum(t, w);
        let (q, qe) = two_sum(1.0, h * scale);
        let ql = l.mul_add(scale, qe);
        let y = 1.0 / q;
        let rest = (-y).mul_add(ql, (-y).mul_add(q, 1.0));
        rest.mul_add(y, y)
    }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let location = s.location;
    let scale = s.scale;
    if x.is_nan() || location.is_nan() || scale.is_nan() {
        return x + location + scale;
    }
    if has_no_place(x, location, scale) {
        return f64::NAN;
    }
    let mut z = (0.0, 0.0);
    if x.abs() == f64::INFINITY || location.abs() == f64::INFINITY {
        z = (if x < location { f64::NEG_INFINITY } else { f64::INFINITY }, 0.0);
    } else if scale < f64::INFINITY {
        z = standardise_any(x, location, scale);
    }
    let below = z.0 < 0.0;
    let a = if below { (-z.0, -z.1) } else { z };
    let q = one_plus_exp(a);
    let small = below == lower;
    if small {
        if log {
            return if a.0 > 1e300 { -a.0 } else { -dd_high(dd_add(a, log_dd(q))) };
        }
        return scaled_exp(if a.0 < 1e4 { (-a.0, -a.1) } else { (-1e4, 0.0) }, dd_inverse(q));
    }
    if log {
        return if a.0 > 40.0 { -exp_pair((-a.0, -a.1)) } else { -dd_high(log_dd(q)) };
    }
    dd_high(dd_inverse(q))
}

/// The logistic distribution function.
///
/// R: `plogis(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)`, logistic distribution function.
/// Domain: `scale > 0`, else NaN; infinite `x` gives 0 or 1, or NaN where it equals `location`. NaN gives NaN.
/// Method: the tails are `1/(1 + exp(-z))` and `1/(1 + exp(z))`; with `e = exp(-|z|)` their logs are `-|z| - log1p(e)` and
///   `-log1p(e)`. All as pairs.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.63 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn plogis(x: f64, location: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(location, scale);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

#[kernel(inline)]
fn quantile_in_main(p: f64, s: Scale, _lower: bool, log: bool) -> bool {
    let fine = if log { p > -60.0 && p < -1e-280 } else { p > 1e-280 && p < 1.0 };
    fine && s.inverse > 0.0
}

#[kernel(inline)]
fn quantile_main(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let l = if log { logit_of_log(p) } else { log_loose_of_pair(pair_div((p, 0.0), fast_two_sum(1.0, -p))) };
    let (y, ye) = two_prod(l.0, if lower { s.scale } else { -s.scale });
    let yl = l.1.mul_add(if lower { s.scale } else { -s.scale }, ye);
    let (r, re) = two_sum(y, s.location);
    r + (re + yl)
}

/// `log(p/(1 - p))` as a loose pair from `log p` in [-60, -1e-280]: `log p - log(1 - p)`, and about 1/2, where that cancels,
/// the logarithm of `1 + (2p - 1)/(1 - p)` with `2p - 1 = expm1(log p + ln 2)`.
#[kernel(inline)]
fn logit_of_log(p: f64) -> (f64, f64) {
    let m = expm1_pair((p, 0.0)); // -(1 - p)
    let centre = p > -1.2 && p < -0.35;
    let mut argument = (-m.0, -m.1);
    if centre {
        let d = expm1_pair(dd_add_d(LN2, p));
        argument = dd_add_d(dd_div(d, (-m.0, -m.1)), 1.0);
    }
    let l = log_loose_of_pair(argument);
    let (r, e) = two_sum(if centre { 0.0 } else { p }, if centre { l.0 } else { -l.0 });
    (r, e + (if centre { l.1 } else { -l.1 }))
}

/// `log(p/(1 - p))` as a pair, for `p` strictly inside its range.
#[kernel(inline)]
fn logit(p: f64, log_scale: bool) -> (f64, f64) {
    if !log_scale {
        return if p < 1e-35 { log_dd((p, 0.0)) } else { log_dd(dd_div((p, 0.0), two_sum(1.0, -p))) };
    }
    if p < -36.0 {
        return (p, exp(p));
    }
    if p > -1e-18 {
        let l = log_dd((-p, 0.0));
        return (-l.0, -l.1);
    }
    let m = expm1_pair((p, 0.0)); // -(1 - p)
    if p > -1.2 && p < -0.35 {
        // about 1/2: p/(1-p) - 1 = (2p - 1)/(1 - p), and 2p - 1 = expm1(log p + ln 2)
        let d = expm1_pair(dd_add_d(LN2, p));
        return log_dd(dd_add_d(dd_div(d, (-m.0, -m.1)), 1.0));
    }
    dd_sub((p, 0.0), log_dd((-m.0, -m.1)))
}

#[kernel]
fn quantile_rest(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let location = s.location;
    let scale = s.scale;
    if p.is_nan() || location.is_nan() || scale.is_nan() {
        return p + location + scale;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || scale < 0.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if scale == 0.0 || (location.abs() == f64::INFINITY && scale < f64::INFINITY) {
        return location;
    }
    let l = logit(p, log);
    if location.abs() == f64::INFINITY {
        return if lower { location + scale * l.0 } else { location - scale * l.0 }; // NaN if they differ in sign
    }
    locate(if lower { l } else { (-l.0, -l.1) }, location, scale)
}

/// The logistic quantile.
///
/// R: `qlogis(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)`, logistic quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `scale >= 0`, else NaN; 0 and 1 give the infinities; `scale = 0` gives
///   `location`. NaN gives NaN.
/// Method: `location + scale log(p/(1 - p))`; the quotient is a pair, so its log keeps its digits next to 1/2, where on the
///   log scale `2p - 1` is `expm1(log p + ln 2)`.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qlogis(p: f64, location: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(location, scale);
    if quantile_in_main(p, s, lower, log) { quantile_main(p, s, lower, log) } else { quantile_rest(p, s, lower, log) }
}

/// A logistic number.
///
/// R: `rlogis(location = 0, scale = 1)`, logistic random number.
/// Domain: finite `scale` and `location` not NaN, else NaN; `scale = 0` or an infinite `location` gives `location`. A
///   negative scale mirrors, as in R.
/// Method: `location + scale log(u/(1 - u))` with 128 bits in `u`, so that both tails have all their digits.
/// Paper: salmon2011.
/// Error: the numbers follow `plogis`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rlogis(seed: u64, stream: u32, index: u64, location: f64, scale: f64) -> f64 {
    draw(index, draws_setup(seed, stream, location, scale))
}

/// What all draws of a stream share: with a location that is NaN where the parameters are none.
#[kernel(inline)]
fn draws_setup(seed: u64, stream: u32, location: f64, scale: f64) -> Draws {
    let fine = scale.abs() < f64::INFINITY && !location.is_nan();
    draws(seed, stream, if fine { location } else { f64::NAN }, scale)
}

#[kernel(inline)]
fn draw(index: u64, s: Draws) -> f64 {
    let (first, second): (u64, u64) = words_at(index, s);
    let (t, above): (f64, bool) = two_sided(first, second);
    let (h, low) = log_loose(t / (1.0 - t));
    let l = h + low;
    s.scale.mul_add(if above { -l } else { l }, s.location)
}
