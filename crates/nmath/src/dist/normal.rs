//! The normal distribution.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, normal_from, words_at};
use crate::special::constants::{INV_SQRT_2PI, LN_SQRT_2PI, LN2};
use crate::special::conventions::{quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_short, dd_div, dd_high, dd_mul, dd_mul_d, dd_sub, fast_two_sum, pair_mul_d, two_prod, two_sum,
};
use crate::special::error_function::times_loose;
use crate::special::exponential::{exp_near, exp_parts};
use crate::special::location_scale::{locate, ordinary_scale, standardise, standardise_any};
use crate::special::logarithm::{log_dd, log_loose, log_loose_of_pair, log_pair};
use crate::special::normal_tail::{
    SQRT_2, centre_of, half_square, locate_root, log_of_small_tail, mills, mills_twice, root_quantile_of_centre,
    root_quantile_of_log, standard_quantile,
};
use crate::special::poisson_mass::{density_near, scaled_exp};
use crate::special::powers_of_two::{TWO_200, TWO_M200};
use crate::special::scaling::scale_by_power;

/// What the density, and that of the lognormal distribution, needs of its parameters.
#[kernel]
pub(crate) struct DensityScale {
    /// Location.
    pub mu: f64,
    /// Scale.
    pub sigma: f64,
    /// 1/sigma; NaN where the main path does not hold.
    pub inverse: f64,
    /// Linear scale: 1/(sigma sqrt(2 pi)); log scale: its logarithm.
    pub factor: (f64, f64),
    /// Whether the result is a logarithm.
    pub log: bool,
}

/// `inside`: the parameters are such that the main path holds.
#[kernel(inline)]
pub(crate) fn density_scale(mu: f64, sigma: f64, inside: bool, log: bool) -> DensityScale {
    let s = if inside { sigma } else { 1.0 };
    let inverse = 1.0 / s;
    let (factor, factor_low) = if log {
        let l = dd_add_short(log_loose(s), LN_SQRT_2PI);
        (-l.0, -l.1)
    } else {
        // as `pair_div`, whose division is made already
        let q = INV_SQRT_2PI.0 * inverse;
        (q, ((-q).mul_add(s, INV_SQRT_2PI.0) + INV_SQRT_2PI.1) * inverse)
    };
    DensityScale { mu, sigma, inverse: if inside { inverse } else { f64::NAN }, factor: (factor, factor_low), log }
}

#[kernel(inline)]
fn density_setup(mu: f64, sigma: f64, log: bool) -> DensityScale {
    density_scale(mu, sigma, ordinary_scale(mu, sigma), log)
}

/// `z^2/2` of a loose pair, as a loose pair; `z^2` must not overflow.
#[kernel(inline)]
fn half_square_loose(z: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(z.0, z.0);
    (0.5 * p, z.1.mul_add(z.0, 0.5 * e))
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    // exp(-z^2/2) is a normal number up to z = 37.4
    ((x - s.mu) * s.inverse).abs() < (if s.log { 1e140 } else { 37.3 })
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let h = half_square_loose(standardise(x, s.mu, s.sigma, s.inverse));
    let log: bool = s.log;
    density_near((-h.0, -h.1), s.factor, log)
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let nothing = zero_on(s.log);
    if x.is_nan() || s.mu.is_nan() || s.sigma.is_nan() {
        return x + s.mu + s.sigma;
    }
    if s.sigma < 0.0 {
        return f64::NAN;
    }
    if s.sigma == f64::INFINITY {
        return nothing;
    }
    if x.abs() == f64::INFINITY && s.mu == x {
        return f64::NAN;
    }
    if s.sigma == 0.0 {
        return if x == s.mu { f64::INFINITY } else { nothing };
    }
    if x.abs() == f64::INFINITY || s.mu.abs() == f64::INFINITY {
        return nothing;
    }
    let h = half_square(standardise_any(x, s.mu, s.sigma));
    if s.log {
        if h.0 > 1e300 {
            return -h.0;
        }
        let l = dd_add(log_dd((s.sigma, 0.0)), LN_SQRT_2PI);
        return -dd_high(dd_add(l, h));
    }
    // 1/sigma must stay in range: a power of two moves into the exponent
    let up = s.sigma < 1.0;
    let scaled = s.sigma * (if up { TWO_200 } else { TWO_M200 });
    let shift = dd_mul_d(LN2, if up { 200.0 } else { -200.0 });
    let e = if h.0 < 1e4 { dd_sub(shift, h) } else { (-1e4, 0.0) };
    scaled_exp(e, dd_div(INV_SQRT_2PI, (scaled, 0.0)))
}

/// The normal density.
///
/// R: `dnorm(x, mean = 0, sd = 1, log = FALSE)`, normal density.
/// Domain: `sigma >= 0`, else NaN; `sigma = 0` is a point mass at `mu`; `sigma = inf` gives 0; NaN gives NaN, and so does
///   an infinite `x` equal to `mu`.
/// Method: `exp(-z^2/2)/(sigma sqrt(2 pi))` with `z = (x - mu)/sigma`, its square, the factor and the exponential's
///   argument as pairs; on the log scale the three terms as pairs.
/// Paper: dekker1971.
/// Error: 99 % within 0.52 ulp, at most 0.54 ulp on the points of dev/oracle (0.54 and 0.57 on the sweep);
///   the tests hold it.
#[kernel(split)]
pub fn dnorm(x: f64, mu: f64, sigma: f64, log: bool) -> f64 {
    let s = density_setup(mu, sigma, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

/// What the distribution function needs of its parameters.
#[kernel]
struct Scale {
    mu: f64,
    sigma: f64,
    /// 1/sigma; NaN where a parameter is so close to the end of the range that the main paths do not hold.
    inverse: f64,
}

#[kernel(inline)]
fn scale_setup(mu: f64, sigma: f64) -> Scale {
    let ordinary = ordinary_scale(mu, sigma);
    Scale { mu, sigma, inverse: if ordinary { 1.0 / sigma } else { f64::NAN } }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, lower: bool, log: bool) -> bool {
    // exp(-z^2/2) stays a normal number up to 37.6
    ((x - s.mu) * s.inverse).abs() < 37.5
}

/// The standard normal distribution function on the linear scale at a loose pair `|z| < 37.6`.
#[kernel(inline)]
pub(crate) fn standard_probability_main(z: (f64, f64), lower: bool) -> f64 {
    let below = z.0 < 0.0;
    let h = half_square_loose(z);
    let m = mills_twice((z.0.abs(), if below { -z.1 } else { z.1 }));
    let (e, el, scale) = exp_near((-h.0, -h.1));
    let (q, ql) = times_loose((e, el), m);
    let half = 0.5 * scale;
    let (u, v) = fast_two_sum(1.0, -q * half);
    let small = below == lower || z.0 == 0.0; // at 0 both tails the same way
    if small { (q + ql) * half } else { u + (v - ql * half) }
}

/// Its logarithm, in the same range: the small tail is `-z^2/2 + log M`, both negative; the other `log1p(-Q)`.
#[kernel(inline)]
pub(crate) fn standard_log_probability_main(z: (f64, f64), lower: bool) -> f64 {
    let below = z.0 < 0.0;
    let h = half_square_loose(z);
    let twice = mills_twice((z.0.abs(), if below { -z.1 } else { z.1 }));
    let m = fast_two_sum(0.5 * twice.0, 0.5 * twice.1);
    let (e, el, scale) = exp_near((-h.0, -h.1));
    let q = dd_mul((e, el), m);
    let qh = q.0 * scale;
    let (u, v) = fast_two_sum(1.0, -qh);
    let small = below == lower || z.0 == 0.0;
    // where Q is below an ulp of 1, the logarithm of (1, -Q) is -Q
    let l = log_loose_of_pair((if small { m.0 } else { u }, if small { m.1 } else { v - q.1 * scale }));
    let (r, e) = two_sum(l.0, if small { -h.0 } else { 0.0 });
    r + (e + (l.1 - (if small { h.1 } else { 0.0 })))
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let z = standardise(x, s.mu, s.sigma, s.inverse);
    if log { standard_log_probability_main(z, lower) } else { standard_probability_main(z, lower) }
}

/// The standard normal distribution function at a pair `z`, any finite or infinite size.
#[kernel(inline)]
pub(crate) fn standard_probability(z: (f64, f64), lower: bool, log_scale: bool) -> f64 {
    let below = z.0 < 0.0;
    let small = below == lower || z.0 == 0.0;
    let a = if below { (-z.0, -z.1) } else { z };
    let h = half_square(a);
    let m = mills((if a.0 < 1e300 { a.0 } else { 1e300 }, if a.0 < 1e8 { a.1 } else { 0.0 }));
    if log_scale && small {
        let r = dd_sub(log_pair(m), h);
        return if h.0 < 1e300 { r.0 + r.1 } else { -h.0 };
    }
    let far = !(h.0 < 1400.0);
    let (e, el, k) = exp_parts((if far { -1400.0 } else { -h.0 }, if far { 0.0 } else { -h.1 }));
    let q = dd_mul((e, el), m);
    let qh = scale_by_power(q.0, k);
    if small {
        return qh;
    }
    let ql = scale_by_power(q.1, k);
    let (u, v) = two_sum(1.0, -qh);
    if !log_scale {
        return u + (v - ql);
    }
    let l = log_pair((u, v - ql));
    if qh < 1e-20 { -qh } else { l.0 + l.1 }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    if x.is_nan() || s.mu.is_nan() || s.sigma.is_nan() {
        return x + s.mu + s.sigma;
    }
    if s.sigma < 0.0 || (x.abs() == f64::INFINITY && s.mu == x) {
        return f64::NAN;
    }
    let mut z = (0.0, 0.0);
    if s.sigma == 0.0 || x.abs() == f64::INFINITY || s.mu.abs() == f64::INFINITY {
        z = (if x < s.mu { f64::NEG_INFINITY } else { f64::INFINITY }, 0.0);
    } else if s.sigma < f64::INFINITY {
        z = standardise_any(x, s.mu, s.sigma);
    }
    standard_probability(z, lower, log)
}

/// The normal distribution function.
///
/// R: `pnorm(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)`, normal distribution function.
/// Domain: `sigma >= 0`, else NaN; `sigma = 0` is a point mass at `mu`; NaN gives NaN, and so does an infinite `x` equal
///   to `mu`.
/// Method: `Q(|z|) = exp(-z^2/2) M(|z|)` with `z = (x - mu)/sigma` as a pair and `M` from a polynomial in one of sixteen cells, its
///   first two terms as pairs (beyond 38, log scale only, one polynomial for the whole half line, see `mills_dd`); the larger
///   tail is `1 - Q`. On the log scale `-z^2/2 + log M`, of which both terms are negative, and `log1p(-Q)`.
/// Paper: tang1990 (the table of cells); shepherd1981.
/// Error: 99 % within 0.53 ulp, at most 0.60 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pnorm(x: f64, mu: f64, sigma: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(mu, sigma);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

/// Both tails of the standard normal distribution, the lower one first.
///
/// Domain: every `f64`; NaN gives NaN.
/// Method: that of [`pnorm`].
/// Paper: tang1990; shepherd1981.
/// Error: that of [`pnorm`]: the same bits.
#[kernel]
pub fn pnorm_both(x: f64, log: bool) -> (f64, f64) {
    (pnorm(x, 0.0, 1.0, true, log), pnorm(x, 0.0, 1.0, false, log))
}

/// What the quantile needs of its parameters.
#[kernel]
struct QuantileScale {
    mu: f64,
    sigma: f64,
    /// `sigma sqrt(2)` as a pair; NaN where a parameter is so close to the end of the range that the main paths do not hold.
    root: (f64, f64),
}

#[kernel(inline)]
fn quantile_setup(mu: f64, sigma: f64) -> QuantileScale {
    let ordinary = ordinary_scale(mu, sigma);
    let (root, root_low) = pair_mul_d(SQRT_2, sigma);
    QuantileScale { mu, sigma, root: (if ordinary { root } else { f64::NAN }, root_low) }
}

#[kernel(inline)]
fn quantile_in_centre(p: f64, s: QuantileScale, lower: bool, log: bool) -> bool {
    let inside = if log { p > -3.4432 && p < -0.03248 } else { p > 0.03196 && p < 0.96804 };
    inside && s.root.0 > 0.0
}

#[kernel(inline)]
fn quantile_centre_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let x = root_quantile_of_centre(centre_of(p, log));
    let y = locate_root(x, s.root, s.mu, p, lower, log);
    y.0 + y.1
}

#[kernel(inline)]
fn quantile_in_tail(p: f64, s: QuantileScale, lower: bool, log: bool) -> bool {
    let inside = if log { p > -762.0 && p < -1e-280 } else { p > 1e-300 && p < 1.0 };
    inside && s.root.0 > 0.0
}

#[kernel(inline)]
fn quantile_tail_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let x = root_quantile_of_log(log_of_small_tail(p, log));
    let y = locate_root(x, s.root, s.mu, p, lower, log);
    y.0 + y.1
}

#[kernel]
fn quantile_rest(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    if p.is_nan() || s.mu.is_nan() || s.sigma.is_nan() {
        return p + s.mu + s.sigma;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.sigma < 0.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if s.sigma == 0.0 || (s.mu.abs() == f64::INFINITY && s.sigma < f64::INFINITY) {
        return s.mu;
    }
    let z = standard_quantile(p, lower, log);
    if s.mu.abs() == f64::INFINITY {
        return s.mu + s.sigma * z.0; // NaN if they differ in sign
    }
    locate(z, s.mu, s.sigma)
}

// No block loop runs this but for the elements that the centre left over together: it need not be `masked`.
#[kernel]
fn quantile_outside_centre(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    if quantile_in_tail(p, s, lower, log) {
        quantile_tail_main(p, s, lower, log)
    } else {
        quantile_rest(p, s, lower, log)
    }
}

/// The normal quantile.
///
/// R: `qnorm(p, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)`, normal quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `sigma >= 0`, else NaN; 0 and 1 give the infinities; `sigma = 0` gives `mu`. NaN
///   gives NaN.
/// Method: 0.032 < p < 0.968   sqrt(2) erfinv(a), a = |2 p - 1| as a pair on both scales (log: expm1(p + ln 2)): see `erfinv`
///   beyond            a polynomial in the log of the smaller tail, as a pair, in one of sixteen cells up to -44 and of
///                     sixteen more to -765: every p of the linear scale. The log scale has that log, or log(-expm1(p)).
///   log scale, p < -762  w - c(w), w = sqrt(-2 p): a rational function up to w = 60, then the asymptotic series' fixed
///                     point
///   Then `mu + sigma z` in double-double.
/// Paper: giles2012 (the two ranges); tang1990 (the table of cells).
/// Error: 99 % within 0.52 ulp, at most 0.90 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qnorm(p: f64, mu: f64, sigma: f64, lower: bool, log: bool) -> f64 {
    let s = quantile_setup(mu, sigma);
    if quantile_in_centre(p, s, lower, log) {
        quantile_centre_main(p, s, lower, log)
    } else {
        quantile_outside_centre(p, s, lower, log)
    }
}

/// A normal number.
///
/// R: `rnorm(mean = 0, sd = 1)`, normal random number.
/// Domain: `0 <= sigma < inf` and `mu` not NaN, else NaN; `sigma = 0` or an infinite `mu` gives `mu`.
/// Method: `mu + sigma z` with the `z` of [`norm_rand`](crate::norm_rand).
/// Paper: box1958.
/// Error: the numbers follow `pnorm`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rnorm(seed: u64, stream: u32, index: u64, mu: f64, sigma: f64) -> f64 {
    draw(index, draws_setup(seed, stream, mu, sigma))
}

/// What all draws of a stream share: with a location that is NaN where the parameters are none.
#[kernel(inline)]
pub(crate) fn draws_setup(seed: u64, stream: u32, mu: f64, sigma: f64) -> Draws {
    let fine = sigma >= 0.0 && sigma < f64::INFINITY && !mu.is_nan();
    draws(seed, stream, if fine { mu } else { f64::NAN }, sigma)
}

#[kernel(inline)]
pub(crate) fn draw(index: u64, s: Draws) -> f64 {
    let (first, second): (u64, u64) = words_at(index, s);
    s.scale.mul_add(normal_from(first, second), s.location)
}
