//! The exponential distribution.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, exponential_from, words_at};
use crate::special::constants::LN2;
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_high, dd_inverse, dd_mul_d, dd_sub, fast_two_sum, pair_inverse, pair_mul_d, two_prod,
};
use crate::special::exponential::{exp_pair, expm1_pair};
use crate::special::exponential_tail::{
    exponential_probability, exponential_quantile, log_of_lower_tail, log_of_upper_tail,
};
use crate::special::location_scale::{ratio_any, standardise};
use crate::special::logarithm::{log_dd, log_loose};
use crate::special::poisson_mass::{density_near, scaled_exp};
use crate::special::powers_of_two::{TWO_200, TWO_M200};

/// What the density needs of its scale.
#[kernel]
struct DensityScale {
    scale: f64,
    /// 1/scale as a pair; NaN where the scale is so close to the end of the range that the main path does not hold.
    inverse: (f64, f64),
    /// Linear scale: 1/scale as a pair; log scale: its logarithm.
    factor: (f64, f64),
    log: bool,
}

#[kernel(inline)]
fn density_setup(scale: f64, log: bool) -> DensityScale {
    let ordinary = scale > 1e-250 && scale < 1e250;
    let s = if ordinary { scale } else { 1.0 };
    let inverse = pair_inverse(s);
    let (factor, factor_low) = if log {
        let l = log_loose(s);
        (-l.0, -l.1)
    } else {
        inverse
    };
    DensityScale {
        scale,
        inverse: (if ordinary { inverse.0 } else { f64::NAN }, inverse.1),
        factor: (factor, factor_low),
        log,
    }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    x >= 0.0 && x * s.inverse.0 < (if s.log { 1e250 } else { 699.0 })
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let (u, ul) = pair_mul_d(s.inverse, x);
    let log: bool = s.log;
    density_near((-u, -ul), s.factor, log)
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let scale = s.scale;
    let log = s.log;
    let nothing = zero_on(log);
    if x.is_nan() || scale.is_nan() {
        return x + scale;
    }
    if scale <= 0.0 {
        return f64::NAN;
    }
    let u = ratio_any(x, scale);
    if x < 0.0 || scale == f64::INFINITY || u.0 == f64::INFINITY {
        return nothing;
    }
    if log {
        return -dd_high(dd_add(u, log_dd((scale, 0.0))));
    }
    let up = scale < 1.0;
    let inverse = dd_inverse((scale * (if up { TWO_200 } else { TWO_M200 }), 0.0));
    let shift = dd_mul_d(LN2, if up { 200.0 } else { -200.0 });
    let ordinary = scale > 1e-250 && scale < 1e250;
    let e = if u.0 < 1e4 { (-u.0, -u.1) } else { (-1e4, 0.0) };
    if ordinary {
        return scaled_exp(e, dd_inverse((scale, 0.0)));
    }
    scaled_exp(dd_add(e, shift), inverse)
}

/// The exponential density.
///
/// R: `dexp(x, rate = 1, log = FALSE, ..., scale = 1/rate)`, exponential density: `dexp(x, scale, log)`.
/// Domain: `scale > 0`, else NaN; `x < 0` gives 0. NaN gives NaN.
/// Method: `exp(-x/scale)/scale` with `x/scale` as a pair and one rounding; on the log scale `-x/scale - log(scale)`.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.51 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dexp(x: f64, scale: f64, log: bool) -> f64 {
    let s = density_setup(scale, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

/// What the distribution function and the quantile need of the scale.
#[kernel]
struct Scale {
    scale: f64,
    /// 1/scale; NaN where the scale is so close to the end of the range that the main paths do not hold.
    inverse: f64,
}

#[kernel(inline)]
fn scale_setup(scale: f64) -> Scale {
    Scale { scale, inverse: if scale > 1e-250 && scale < 1e250 { 1.0 / scale } else { f64::NAN } }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, lower: bool, log: bool) -> bool {
    // log_of_lower_tail ends where exp(-u) is hardly a normal number
    let u = x * s.inverse;
    x > 0.0 && u > 1e-280 && u < (if lower && log { 699.0 } else { 1e250 })
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let u = standardise(x, 0.0, s.scale, s.inverse);
    let u = fast_two_sum(u.0, u.1);
    if lower {
        if log { log_of_lower_tail(u) } else { -dd_high(expm1_pair((-u.0, -u.1))) }
    } else if log {
        -u.0
    } else {
        exp_pair((-u.0, -u.1))
    }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let scale = s.scale;
    if x.is_nan() || scale.is_nan() {
        return x + scale;
    }
    if scale < 0.0 || (x == f64::INFINITY && scale == f64::INFINITY) {
        return f64::NAN;
    }
    if x <= 0.0 {
        return exponential_probability((0.0, 0.0), lower, log);
    }
    let u = ratio_any(x, scale);
    if u.0 == f64::INFINITY || scale == 0.0 {
        // scale 0: all mass lies at 0
        let log_one = one_on(log);
        let log_nothing = zero_on(log);
        return if lower { log_one } else { log_nothing };
    }
    if u.0 < 1e-290 && lower && log && scale < f64::INFINITY {
        // the quotient has lost digits, its logarithm has not
        return dd_high(dd_sub(log_dd((x, 0.0)), log_dd((scale, 0.0))));
    }
    exponential_probability(u, lower, log)
}

/// The exponential distribution function.
///
/// R: `pexp(q, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)`, exponential distribution function:
///   `pexp(q, scale, lower.tail, log.p)`.
/// Domain: `scale >= 0`, else NaN; `scale = 0` is a point mass at 0; `x <= 0` gives 0. NaN gives NaN.
/// Method: `exp(-u)` and `-expm1(-u)` at the pair `u = x/scale`, and their logs (see `exponential_probability`).
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.52 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pexp(x: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(scale);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

#[kernel(inline)]
fn quantile_in_main(p: f64, s: Scale, lower: bool, log: bool) -> bool {
    let fine = if log { p < -1e-280 && p > (if lower { -60.0 } else { -1e250 }) } else { p > 1e-280 && p < 1.0 };
    fine && s.inverse > 0.0
}

#[kernel(inline)]
fn quantile_main(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    if log && !lower {
        -p * s.scale
    } else {
        let l = log_of_upper_tail(p, lower, log);
        let (y, e) = two_prod(l.0, s.scale);
        -(y + l.1.mul_add(s.scale, e))
    }
}

#[kernel]
fn quantile_rest(p: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let scale = s.scale;
    if p.is_nan() || scale.is_nan() {
        return p + scale;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || scale < 0.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if log && lower && p < -60.0 && scale < f64::INFINITY {
        // -log1p(-e^p) = e^p (1 + e^p/2 ..): the exponential may underflow where the quantile does not, and the factor may be no larger
        // than 1e290
        let large = scale > 1e250;
        let shifted = dd_add(dd_mul_d(LN2, 200.0), (p, 0.0));
        let e = (if large { shifted.0 } else { p }, if large { shifted.1 } else { 0.0 });
        return scaled_exp(e, (if large { scale * TWO_M200 } else { scale }, 0.0));
    }
    let u = exponential_quantile(p, lower, log);
    let y = dd_mul_d(u, scale);
    if y.0 > 1e-290 && y.0 < 1e300 { y.0 } else { u.0 * scale }
}

/// The exponential quantile.
///
/// R: `qexp(p, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)`, exponential quantile:
///   `qexp(p, scale, lower.tail, log.p)`.
/// Domain: `p` in [0, 1] (log: `<= 0`), `scale >= 0`, else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: `-scale log(upper tail)`, the logarithm as a pair (see `exponential_quantile`).
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.84 ulp, at most 1.01 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qexp(p: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(scale);
    if quantile_in_main(p, s, lower, log) { quantile_main(p, s, lower, log) } else { quantile_rest(p, s, lower, log) }
}

/// An exponential number.
///
/// R: `rexp(rate = 1, ..., scale = 1/rate)`, exponential random number: `rexp(scale)`.
/// Domain: `0 <= scale < inf`, else NaN; `scale = 0` gives 0.
/// Method: `scale` times [`exp_rand`](crate::exp_rand).
/// Paper: salmon2011.
/// Error: the numbers follow `pexp`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rexp(seed: u64, stream: u32, index: u64, scale: f64) -> f64 {
    draw(index, draws_setup(seed, stream, scale))
}

/// What all draws of a stream share: with a scale that is NaN where the parameter is none.
#[kernel(inline)]
fn draws_setup(seed: u64, stream: u32, scale: f64) -> Draws {
    draws(seed, stream, 0.0, if scale >= 0.0 && scale < f64::INFINITY { scale } else { f64::NAN })
}

#[kernel(inline)]
fn draw(index: u64, s: Draws) -> f64 {
    let (first, second): (u64, u64) = words_at(index, s);
    s.scale * exponential_from(first, second)
}
