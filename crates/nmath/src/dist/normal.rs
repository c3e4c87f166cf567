//! The normal distribution.

use crate::special::constants::{
    INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW, LN_SQRT_2PI_HIGH, LN_SQRT_2PI_LOW, LN2_HIGH, LN2_LOW,
};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_mul, dd_mul_d, dd_sub, fast_two_sum, two_prod, two_sum,
};
use crate::special::exponential::exp_parts;
use crate::special::location_scale::{locate, ordinary_scale, standardise, standardise_any};
use crate::special::logarithm::{log_dd, log_pair};
use crate::special::normal_tail::{
    half_square, mills_dd, quantile_of_centre, quantile_of_tail, standard_quantile, tail_root,
};
use crate::special::poisson_mass::scaled_exp;
use crate::special::scaling::{power_of_two, scale_by_power};

/// 2^200
const TWO_200: f64 = 1.606_938_044_258_990_3e60;
/// 2^-200
const TWO_M200: f64 = 6.223_015_277_861_142e-61;

/// What the density needs of its parameters.
#[derive(Debug, Clone, Copy)]
struct DensityScale {
    mu: f64,
    sigma: f64,
    /// 1/sigma
    inverse: f64,
    /// linear scale: 1/(sigma sqrt(2 pi)) as a pair; log scale: its logarithm
    factor: f64,
    factor_low: f64,
    log: bool,
    /// All parameters far from the ends of the range of doubles.
    ordinary: bool,
}

#[inline(always)]
fn density_setup(mu: f64, sigma: f64, log: bool) -> DensityScale {
    let fine = ordinary_scale(mu, sigma);
    let s = if fine { sigma } else { 1.0 };
    let factor = if log {
        let l = dd_add(log_dd((s, 0.0)), (LN_SQRT_2PI_HIGH, LN_SQRT_2PI_LOW));
        (-l.0, -l.1)
    } else {
        dd_div((INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW), (s, 0.0))
    };
    DensityScale { mu, sigma, inverse: 1.0 / s, factor: factor.0, factor_low: factor.1, log, ordinary: fine }
}

/// `z^2/2` of a loose pair, as a loose pair; `z^2` must not overflow.
#[inline(always)]
fn half_square_loose(z: (f64, f64)) -> (f64, f64) {
    let (p, e) = two_prod(z.0, z.0);
    (0.5 * p, z.1.mul_add(z.0, 0.5 * e))
}

#[inline(always)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    s.ordinary && x.abs() < 1e290 && ((x - s.mu) * s.inverse).abs() < 1e140
}

#[inline(always)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let z = standardise(x, s.mu, s.sigma, s.inverse);
    let h = half_square_loose(z);
    if s.log {
        let r = dd_sub((s.factor, s.factor_low), fast_two_sum(h.0, h.1));
        return r.0 + r.1;
    }
    let far = h.0 > 1400.0;
    let (m, ml, k) = exp_parts((if far { -1400.0 } else { -h.0 }, if far { 0.0 } else { -h.1 }));
    let t = m * s.factor;
    let low = m.mul_add(s.factor, -t) + m.mul_add(s.factor_low, ml * s.factor);
    scale_by_power(t + low, k)
}

fn density_rest(x: f64, s: DensityScale) -> f64 {
    let nothing = if s.log { f64::NEG_INFINITY } else { 0.0 };
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
        let l = dd_add(log_dd((s.sigma, 0.0)), (LN_SQRT_2PI_HIGH, LN_SQRT_2PI_LOW));
        return -dd_add(l, h).0;
    }
    // 1/sigma must stay in range: a power of two moves into the exponent
    let up = s.sigma < 1.0;
    let scaled = s.sigma * (if up { TWO_200 } else { TWO_M200 });
    let shift = dd_mul_d((LN2_HIGH, LN2_LOW), if up { 200.0 } else { -200.0 });
    let e = if h.0 < 1e4 { dd_sub(shift, h) } else { (-1e4, 0.0) };
    scaled_exp(e, dd_div((INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW), (scaled, 0.0)))
}

fn density_eval(x: f64, s: DensityScale) -> f64 {
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

/// The normal density.
///
/// Domain: `sigma >= 0`, else NaN; `sigma = 0` is a point mass at `mu`; `sigma = inf` gives 0; NaN gives NaN, and so does
///   an infinite `x` equal to `mu`.
/// Method: `exp(-z^2/2)/(sigma sqrt(2 pi))` with `z = (x - mu)/sigma`, its square, the factor and the exponential's
///   argument as pairs; on the log scale the three terms as pairs.
/// Error: see `dnorm` in the table of bounds.
pub fn dnorm(x: f64, mu: f64, sigma: f64, log: bool) -> f64 {
    density_eval(x, density_setup(mu, sigma, log))
}

/// What the distribution function needs of its parameters.
#[derive(Debug, Clone, Copy)]
struct ProbabilityScale {
    mu: f64,
    sigma: f64,
    /// 1/sigma
    inverse: f64,
    lower: bool,
    log: bool,
    /// All parameters far from the ends of the range of doubles.
    ordinary: bool,
}

#[inline(always)]
fn probability_setup(mu: f64, sigma: f64, lower: bool, log: bool) -> ProbabilityScale {
    let fine = ordinary_scale(mu, sigma);
    ProbabilityScale { mu, sigma, inverse: 1.0 / (if fine { sigma } else { 1.0 }), lower, log, ordinary: fine }
}

#[inline(always)]
fn probability_in_main(x: f64, s: ProbabilityScale) -> bool {
    // exp(-z^2/2) stays a normal number up to 37.6
    s.ordinary && ((x - s.mu) * s.inverse).abs() < 37.5
}

#[inline(always)]
fn probability_main(x: f64, s: ProbabilityScale) -> f64 {
    let z = standardise(x, s.mu, s.sigma, s.inverse);
    let below = z.0 < 0.0;
    let h = half_square_loose(z);
    let m = mills_dd((z.0.abs(), if below { -z.1 } else { z.1 }));
    let (e, el, k) = exp_parts((-h.0, -h.1));
    let q = dd_mul((e, el), m);
    let scale = power_of_two(k);
    let qh = q.0 * scale;
    let (u, v) = two_sum(1.0, -qh);
    let rest = v - q.1 * scale;
    let small = below == s.lower || z.0 == 0.0; // at 0 both tails the same way
    if s.log {
        // the small tail is -z^2/2 + log M, both negative; the other log1p(-Q)
        let l = log_pair((if small { m.0 } else { u }, if small { m.1 } else { rest }));
        let r = dd_sub(l, if small { h } else { (0.0, 0.0) });
        return if !small && qh < 1e-20 { -qh } else { r.0 + r.1 };
    }
    if small { qh } else { u + rest }
}

/// The standard normal distribution function at a pair `z`, any finite or infinite size.
#[inline(always)]
pub(crate) fn standard_probability(z: (f64, f64), lower: bool, log_scale: bool) -> f64 {
    let below = z.0 < 0.0;
    let small = below == lower || z.0 == 0.0;
    let a = if below { (-z.0, -z.1) } else { z };
    let h = half_square(a);
    let m = mills_dd((if a.0 < 1e300 { a.0 } else { 1e300 }, if a.0 < 1e8 { a.1 } else { 0.0 }));
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

fn probability_rest(x: f64, s: ProbabilityScale) -> f64 {
    if x.is_nan() || s.mu.is_nan() || s.sigma.is_nan() {
        return x + s.mu + s.sigma;
    }
    if s.sigma < 0.0 || (x.abs() == f64::INFINITY && s.mu == x) {
        return f64::NAN;
    }
    let mut z = (0.0, 0.0);
    if s.sigma == 0.0 || x.abs() == f64::INFINITY || s.mu.abs() == f64::INFINITY {
        z = (if x < s.mu { f64::NEG_INFINITY } else { f64::INFINITY }, 0.0);
        if x.abs() == f64::INFINITY && s.sigma == f64::INFINITY {
            return f64::NAN;
        }
    } else if s.sigma < f64::INFINITY {
        z = standardise_any(x, s.mu, s.sigma);
    }
    standard_probability(z, s.lower, s.log)
}

fn probability_eval(x: f64, s: ProbabilityScale) -> f64 {
    if probability_in_main(x, s) { probability_main(x, s) } else { probability_rest(x, s) }
}

/// The normal distribution function.
///
/// Domain: `sigma >= 0`, else NaN; `sigma = 0` is a point mass at `mu`; NaN gives NaN, and so does an infinite `x` equal
///   to `mu`.
/// Method: `Q(|z|) = exp(-z^2/2) M(|z|)` with one polynomial for `M` on the whole half line (see `mills_dd`) and
///   `z = (x - mu)/sigma` as a pair; the larger tail is `1 - Q`. On the log scale `-z^2/2 + log M`, of which both terms are
///   negative, and `log1p(-Q)`. There is no border between regions.
/// Paper: shepherd1981.
/// Error: see `pnorm` in the table of bounds.
pub fn pnorm(x: f64, mu: f64, sigma: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, probability_setup(mu, sigma, lower, log))
}

/// What the quantile needs of its parameters.
#[derive(Debug, Clone, Copy)]
struct QuantileScale {
    mu: f64,
    sigma: f64,
    /// `sigma`, with the sign of the tail: -sigma for the upper one
    signed: f64,
    lower: bool,
    log: bool,
    /// All parameters far from the ends of the range of doubles, and the linear scale.
    ordinary: bool,
}

#[inline(always)]
fn quantile_setup(mu: f64, sigma: f64, lower: bool, log: bool) -> QuantileScale {
    QuantileScale {
        mu,
        sigma,
        signed: if lower { sigma } else { -sigma },
        lower,
        log,
        ordinary: ordinary_scale(mu, sigma) && !log,
    }
}

#[inline(always)]
fn quantile_in_centre(p: f64, s: QuantileScale) -> bool {
    s.ordinary && (p - 0.5).abs() <= 0.39
}

#[inline(always)]
fn quantile_centre_main(p: f64, s: QuantileScale) -> f64 {
    let z = quantile_of_centre(two_sum(p, -0.5));
    let y = dd_add_d(dd_mul_d(z, s.signed), s.mu);
    y.0
}

#[inline(always)]
fn quantile_in_tail(p: f64, s: QuantileScale) -> bool {
    s.ordinary && p > 0.0 && p < 1.0
}

#[inline(always)]
fn quantile_tail_main(p: f64, s: QuantileScale) -> f64 {
    let left = p < 0.5;
    let other = two_sum(1.0, -p);
    let z = quantile_of_tail(tail_root((if left { p } else { other.0 }, if left { 0.0 } else { other.1 })));
    let y = dd_add_d(dd_mul_d(z, if left { -s.signed } else { s.signed }), s.mu);
    y.0
}

fn quantile_rest(p: f64, s: QuantileScale) -> f64 {
    if p.is_nan() || s.mu.is_nan() || s.sigma.is_nan() {
        return p + s.mu + s.sigma;
    }
    let bottom = if s.log { f64::NEG_INFINITY } else { 0.0 };
    let top = if s.log { 0.0 } else { 1.0 };
    if p < bottom || p > top || s.sigma < 0.0 {
        return f64::NAN;
    }
    if p == bottom || p == top {
        return if (p == bottom) == s.lower { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if s.sigma == 0.0 || s.mu.abs() == f64::INFINITY {
        return s.mu;
    }
    let z = standard_quantile(p, s.lower, s.log);
    locate(z, s.mu, s.sigma)
}

fn quantile_outside_centre(p: f64, s: QuantileScale) -> f64 {
    if quantile_in_tail(p, s) { quantile_tail_main(p, s) } else { quantile_rest(p, s) }
}

fn quantile_eval(p: f64, s: QuantileScale) -> f64 {
    if quantile_in_centre(p, s) { quantile_centre_main(p, s) } else { quantile_outside_centre(p, s) }
}

/// The normal quantile.
///
/// Domain: `p` in [0, 1] (log: `<= 0`), `sigma >= 0`, else NaN; 0 and 1 give the infinities; `sigma = 0` gives `mu`. NaN
///   gives NaN.
/// Method: |p - 1/2| <= 0.39  q (sqrt(2 pi) + q^2 R(q^2)), q = p - 1/2, exact on both scales (log: expm1(p + ln 2)/2)
///   beyond           w - c(w) with w = sqrt(-2 log p) as a pair and one polynomial c on [2.1, 39]: every p of the linear
///                    scale. The border lies where both polynomials are short.
///   log scale, w > 39   a rational function up to 60, then the asymptotic series' fixed point
///   Then `mu + sigma z` in double-double.
/// Error: see `qnorm` in the table of bounds.
pub fn qnorm(p: f64, mu: f64, sigma: f64, lower: bool, log: bool) -> f64 {
    quantile_eval(p, quantile_setup(mu, sigma, lower, log))
}
