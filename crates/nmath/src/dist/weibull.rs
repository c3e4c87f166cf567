//! The Weibull distribution.

use gristmill_kernel::kernel;

use crate::random::bits::{Draws, draws, exponential_from, words_at};
use crate::special::conventions::{quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_inverse, dd_mul_d, dd_sub, pair_inverse, pair_mul, pair_mul_d, two_sum,
};
use crate::special::exponential::{exp, exp_near, exp_pair, exp_times, expm1_pair};
use crate::special::exponential_tail::{
    exponential_probability, exponential_quantile, log_of_lower_tail, log_of_upper_tail,
};
use crate::special::extra_precision::{exp_extra_parts, log_extra};
use crate::special::logarithm::{log_dd, log_loose, log_loose_of_pair};
use crate::special::poisson_mass::{density_of, scaled_exp};
use crate::special::powers_of_two::{TWO_200, TWO_M200};
use crate::special::scaling::scale_by_power;

/// `log(x/scale)` as a pair for positive finite arguments, with 76 bits, also next to 0.
#[kernel(inline)]
fn log_ratio_extra(x: f64, scale: f64) -> (f64, f64) {
    if x > 1e-140 && x < 1e140 && scale > 1e-140 && scale < 1e140 {
        return log_extra(dd_div((x, 0.0), (scale, 0.0)));
    }
    if x > 0.5 * scale && x < 2.0 * scale {
        // far from 1, but about the same: a power of two brings both into the range
        let f = if x < 1.0 { TWO_200 } else { TWO_M200 };
        return log_extra(dd_div((x * f, 0.0), (scale * f, 0.0)));
    }
    dd_sub(log_extra((x, 0.0)), log_extra((scale, 0.0)))
}

/// `shape log(x/scale)` as a pair for positive finite arguments.
#[kernel(inline)]
fn log_power(x: f64, shape: f64, scale: f64) -> (f64, f64) {
    let l = log_ratio_extra(x, scale);
    let t = dd_mul_d(l, shape);
    if t.0.abs() < 1e300 { t } else { (l.0 * shape, 0.0) }
}

/// `exp(t)` of a pair as a pair, with 63 bits; 0 and `inf` beyond the range.
#[kernel(inline)]
fn wide_exp(t: (f64, f64)) -> (f64, f64) {
    if t.0 > -700.0 && t.0 < 700.0 {
        let (h, l, k) = exp_extra_parts(t);
        return (scale_by_power(h, k), scale_by_power(l, k));
    }
    (exp_pair(t), 0.0)
}

/// What the distribution function needs of its parameters.
#[kernel]
struct Scale {
    shape: f64,
    scale: f64,
    /// `1/scale` as a pair.
    unit: (f64, f64),
    /// The `x` with `(x/scale)^shape = e^-600`, or a larger one.
    first: f64,
    /// The `x` with `(x/scale)^shape = e^4`, or less for a large shape; 0 where a parameter is so far from 1 that the main path
    /// does not hold.
    last: f64,
}

/// What the density needs of its parameters.
#[kernel]
struct DensityScale {
    shape: f64,
    scale: f64,
    /// As in [`Scale`].
    unit: (f64, f64),
    last: f64,
    /// `shape - 1` as a pair.
    power: (f64, f64),
    /// Linear scale: `shape/scale` as a pair; log scale: its logarithm.
    factor: (f64, f64),
    log: bool,
}

/// What the quantile needs of its parameters.
#[kernel]
struct QuantileScale {
    shape: f64,
    scale: f64,
    /// `1/shape` as a pair; NaN where a parameter is so far from 1 that the main path does not hold.
    inverse: (f64, f64),
}

#[kernel(inline)]
fn ordinary(shape: f64, scale: f64) -> bool {
    scale > 1e-200 && scale < 1e200 && shape > 1e-100 && shape < 1e100
}

#[kernel(inline)]
fn scale_setup(shape: f64, scale: f64) -> Scale {
    let inside = ordinary(shape, scale);
    let (unit, unit_low) = pair_inverse(if inside { scale } else { 1.0 });
    // log(x/scale) is good to 2^-68 there: the shape times u stays below 2^11, which leaves 2^-57
    let inverse = 1.0 / (if inside { shape } else { 1.0 });
    let reach = if shape < 30.0 { 4.0 } else { 3.0 };
    let last = scale * exp((if shape < 101.0 { reach } else { 2.0 }) * inverse);
    let last = if last < 1e200 { last } else { 1e200 };
    let last = if last < 1e200 * scale { last } else { 1e200 * scale };
    let first = scale * (if inverse < 0.1152 { exp(-600.0 * inverse) } else { 1e-30 });
    let first = if first > 1e-200 { first } else { 1e-200 };
    Scale { shape, scale, unit: (unit, unit_low), first, last: if inside && shape < 200.0 { last } else { 0.0 } }
}

#[kernel(inline)]
fn density_setup(shape: f64, scale: f64, log: bool) -> DensityScale {
    let s = scale_setup(shape, scale);
    let inside = s.last > 0.0;
    let k = if inside { shape } else { 1.0 };
    let (power, power_low) = two_sum(k, -1.0);
    let factor = dd_mul_d(s.unit, k);
    let (factor, factor_low) = if log { log_loose_of_pair(factor) } else { factor };
    DensityScale {
        shape,
        scale,
        unit: s.unit,
        last: s.last,
        power: (power, power_low),
        factor: (factor, factor_low),
        log,
    }
}

#[kernel(inline)]
fn quantile_setup(shape: f64, scale: f64) -> QuantileScale {
    let inside = ordinary(shape, scale);
    let inverse = dd_inverse((if inside { shape } else { 1.0 }, 0.0));
    QuantileScale { shape, scale, inverse: (if inside { inverse.0 } else { f64::NAN }, inverse.1) }
}

/// `log(x/scale)` as a loose pair, in the main range.
#[kernel(inline)]
fn log_ratio(x: f64, unit: (f64, f64)) -> (f64, f64) {
    log_loose_of_pair(pair_mul_d(unit, x))
}

/// `exp(t)` of a pair `t < 5` as a normalised pair; `exp(-600)` below -600, which is nothing beside what it is added to.
#[kernel(inline)]
fn power_of(t: (f64, f64)) -> (f64, f64) {
    let inside = t.0 > -600.0;
    let (h, l, f) = exp_near((if inside { t.0 } else { -600.0 }, if inside { t.1 } else { 0.0 }));
    (h * f, l * f)
}

/// Where the errors of the logarithm, 2^-68, and of the exponential, 2^-63, are worth 2^-57 in `u = exp(t)` at most: see
/// `scale_setup`. Beyond, the rest takes both with more bits.
#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    x > 1e-200 && x * s.unit.0 > 1e-200 && x < s.last
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let l = log_ratio(x, s.unit);
    let (u, ul) = power_of(pair_mul_d(l, s.shape));
    // (shape - 1) l - u
    let rise = pair_mul(s.power, l);
    let (r, re) = two_sum(rise.0, -u);
    let low = re + (rise.1 - ul);
    let log: bool = s.log;
    density_of((r, low), s.factor, log)
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let shape = s.shape;
    let scale = s.scale;
    let nothing = zero_on(log);
    if x.is_nan() || shape.is_nan() || scale.is_nan() {
        return x + shape + scale;
    }
    if shape <= 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    if x < 0.0 || x == f64::INFINITY || (scale == f64::INFINITY && x > 0.0) {
        return nothing;
    }
    if shape == f64::INFINITY {
        return if x == scale { f64::INFINITY } else { nothing };
    }
    if x == 0.0 {
        if shape == 1.0 {
            if scale == f64::INFINITY {
                return nothing;
            }
            return if log { -dd_high(log_dd((scale, 0.0))) } else { 1.0 / scale };
        }
        return if shape < 1.0 { f64::INFINITY } else { nothing };
    }
    let t = log_power(x, shape, scale);
    let u = wide_exp(t);
    if log {
        if u.0 > 1e300 {
            return -u.0;
        }
        if t.0 < -1e300 {
            return t.0;
        }
        let l = dd_sub(log_dd((shape, 0.0)), log_dd((x, 0.0)));
        return dd_high(dd_sub(dd_add(l, t), u));
    }
    if u.0 > 1e4 || t.0 < -1e4 {
        return 0.0;
    }
    let e = dd_sub(t, u);
    let ratio = shape / x;
    if x > 1e-250 && x < 1e250 && ratio > 1e-250 && ratio < 1e250 && shape > 1e-250 {
        return scaled_exp(e, dd_div((shape, 0.0), (x, 0.0)));
    }
    let e = dd_add(e, dd_sub(log_dd((shape, 0.0)), log_dd((x, 0.0))));
    scaled_exp(e, (1.0, 0.0))
}

/// The Weibull density.
///
/// R: `dweibull(x, shape, scale = 1, log = FALSE)`, Weibull density.
/// Domain: `shape > 0`, `scale > 0`, else NaN; `x < 0` gives 0. NaN gives NaN.
/// Method: `(shape/scale) exp((shape - 1) log(x/scale) - u)` with `u = (x/scale)^shape`, the exponent as a pair. `u` reaches
///   745, which multiplies its relative error, so beyond 54 (20 or 7 for a large shape) the logarithm behind it carries 76 bits.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.58 ulp, at most 1.15 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dweibull(x: f64, shape: f64, scale: f64, log: bool) -> f64 {
    let s = density_setup(shape, scale, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, _lower: bool, _log: bool) -> bool {
    x > s.first && x < s.last
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let (u, ul) = power_of(pair_mul_d(log_ratio(x, s.unit), s.shape));
    if lower {
        if log { log_of_lower_tail((u, ul)) } else { -dd_high(expm1_pair((-u, -ul))) }
    } else if log {
        -u
    } else {
        exp_pair((-u, -ul))
    }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let shape = s.shape;
    let scale = s.scale;
    if x.is_nan() || shape.is_nan() || scale.is_nan() {
        return x + shape + scale;
    }
    if shape <= 0.0 || scale <= 0.0 || (x == f64::INFINITY && scale == f64::INFINITY) {
        return f64::NAN;
    }
    if x <= 0.0 || scale == f64::INFINITY {
        return exponential_probability((0.0, 0.0), lower, log);
    }
    if x == f64::INFINITY {
        return exponential_probability((f64::INFINITY, 0.0), lower, log);
    }
    if shape == f64::INFINITY {
        let u = if x < scale {
            0.0
        } else if x > scale {
            f64::INFINITY
        } else {
            1.0
        };
        return exponential_probability((u, 0.0), lower, log);
    }
    let t = log_power(x, shape, scale);
    if lower && log && t.0 < -650.0 {
        // the log of the lower tail is log(u) = t, however small u is
        return t.0;
    }
    exponential_probability(wide_exp(t), lower, log)
}

/// The Weibull distribution function.
///
/// R: `pweibull(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE)`, Weibull distribution function.
/// Domain: `shape > 0`, `scale > 0`, else NaN; `x <= 0` gives 0. NaN gives NaN.
/// Method: the tails of a unit exponential at the pair `u = (x/scale)^shape`, as in [`dweibull`].
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.54 ulp, at most 0.58 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pweibull(x: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(shape, scale);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

#[kernel(inline)]
fn quantile_in_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> bool {
    // the logarithm of a tail is good to 2^-64, or, from the log of the other tail, to 2^-59; divided by a shape above 0.1 it
    // stays below an ulp
    let fine = if log { p < -1e-15 && p > (if lower { -34.0 } else { -1e15 }) } else { p > 1e-15 && p < 1.0 };
    fine && s.inverse.0 < 10.0
}

#[kernel(inline)]
fn quantile_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let mut l = (p, 0.0);
    if lower || !log {
        l = log_of_upper_tail(p, lower, log);
    }
    exp_times(pair_mul(log_loose_of_pair((-l.0, -l.1)), s.inverse), (s.scale, 0.0))
}

#[kernel]
fn quantile_rest(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let shape = s.shape;
    let scale = s.scale;
    if p.is_nan() || shape.is_nan() || scale.is_nan() {
        return p + shape + scale;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || shape <= 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if scale == f64::INFINITY || shape == f64::INFINITY {
        return scale;
    }
    let l = if log && lower && p < -30.0 {
        // e = -log1p(-exp(p)), so log(e) = p + exp(p)/2 + ..., and the next term is below 2^-86
        dd_add_d((0.5 * exp(p), 0.0), p)
    } else {
        log_extra(exponential_quantile(p, lower, log))
    };
    let t = dd_div(l, (shape, 0.0));
    if shape > 1e-290 && shape < 1e290 && t.0.abs() < 1e4 {
        if scale > 1e-290 && scale < 1e290 {
            return scaled_exp(t, (scale, 0.0));
        }
        return scaled_exp(dd_add(t, log_dd((scale, 0.0))), (1.0, 0.0));
    }
    let rough = l.0 / shape;
    if rough.abs() > 1e4 {
        return if rough > 0.0 { f64::INFINITY } else { 0.0 };
    }
    exp_pair(dd_add_d(log_dd((scale, 0.0)), rough))
}

/// The Weibull quantile.
///
/// R: `qweibull(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE)`, Weibull quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `shape > 0`, `scale > 0`, else NaN; 0 and 1 give the ends of the support. NaN
///   gives NaN.
/// Method: `scale e^(1/shape)`, `e` the unit exponential quantile, as `exp(log(e)/shape)` with logarithms of 76 bits.
/// Paper: muller2016, ch. 5 and 6.
/// Error: 99 % within 0.52 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qweibull(p: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    let s = quantile_setup(shape, scale);
    if quantile_in_main(p, s, lower, log) { quantile_main(p, s, lower, log) } else { quantile_rest(p, s, lower, log) }
}

/// A Weibull number.
///
/// R: `rweibull(shape, scale = 1)`, Weibull random number.
/// Domain: `0 < shape < inf` and `0 <= scale < inf`, else NaN; `scale = 0` gives 0, whatever the shape (but NaN), as in R.
/// Method: `scale e^(1/shape)` with the `e` of [`exp_rand`](crate::exp_rand); the power as `exp(log(e)/shape)`, which has no
///   branch.
/// Paper: salmon2011.
/// Error: the numbers follow `pweibull`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rweibull(seed: u64, stream: u32, index: u64, shape: f64, scale: f64) -> f64 {
    draw(index, draws_setup(seed, stream, shape, scale))
}

/// What all draws of a stream share: the shape as the location; where the parameters are none, a scale of 0 or NaN.
#[kernel(inline)]
fn draws_setup(seed: u64, stream: u32, shape: f64, scale: f64) -> Draws {
    let fine = shape > 0.0 && shape < f64::INFINITY && scale > 0.0 && scale < f64::INFINITY;
    let edge = if scale == 0.0 && !shape.is_nan() { 0.0 } else { f64::NAN };
    draws(seed, stream, if fine { shape } else { 1.0 }, if fine { scale } else { edge })
}

#[kernel(inline)]
fn draw(index: u64, s: Draws) -> f64 {
    let (first, second): (u64, u64) = words_at(index, s);
    let (h, l) = log_loose(exponential_from(first, second));
    s.scale * exp((h + l) / s.location)
}
