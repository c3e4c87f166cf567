//! The gamma distribution.

pub(crate) mod random;

pub use random::rgamma;

use gristmill_kernel::kernel;

use crate::special::constants::{INV_SQRT_2PI, LN_SQRT_2PI, LN2};
use crate::special::conventions::{one_on, quantile_end, zero_on};
use crate::special::deviance::bd0_dd;
use crate::special::double_double::{
    dd_add, dd_add_d, dd_add_short, dd_div, dd_high, dd_inverse, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub,
    dd_sub_short, two_sum,
};
use crate::special::exponential::exp_pair;
use crate::special::fine_logarithms::{
    SMALL_LOGARITHM, deviance_fine, log_fine, log_gamma_fine, stirling_remainder_fine,
};
use crate::special::gamma_function::{lgamma_positive_dd, lgamma1p_dd};
use crate::special::incomplete_gamma::{
    GammaShape, GammaTail, gamma_quantile, gamma_shape, gamma_tail_at, pgamma_beyond, tail_logs, tail_to_probability,
};
use crate::special::location_scale::ratio_any;
use crate::special::logarithm::{log as natural_log, log_dd, log_dd_of_normal, log_dd_of_normal_pair};
use crate::special::poisson_mass::{log_scaled_exp, poisson_parts, scaled_exp};
use crate::special::powers_of_two::{TWO_64, TWO_200, TWO_M30, TWO_M64};
use crate::special::stirling::{stirlerr_from_one, stirlerr_pair};

/// What the density needs of its parameters.
#[kernel]
pub(crate) struct DensityScale {
    shape: f64,
    scale: f64,
    /// 1/scale as a pair; NaN where a parameter is so far from 1 that the main path does not hold.
    inverse: (f64, f64),
    /// shape - 1 as a pair.
    power: (f64, f64),
    /// Up to 300: log Gamma(shape) + log(scale) as a pair; above: the error of Stirling's formula.
    constant: (f64, f64),
    /// Above 300: shape/sqrt(2 pi shape) as a pair.
    factor: (f64, f64),
    log: bool,
    /// shape > 300
    large: bool,
}

/// `log Gamma(a)` for `a >= 1` by Stirling's formula as a pair: absolute error 2^-61, which the log density shows down to 1/64.
#[kernel(inline)]
fn log_gamma_by_stirling(a: f64) -> (f64, f64) {
    let power = dd_mul(log_dd_of_normal(a), two_sum(a, -0.5));
    let constant = dd_add_short(LN_SQRT_2PI, stirlerr_pair(a));
    dd_add(dd_add_d(power, -a), constant)
}

#[kernel(inline)]
pub(crate) fn density_setup(shape: f64, scale: f64, log: bool) -> DensityScale {
    let ordinary = shape > 1e-30 && shape < 1e15 && scale > 1e-100 && scale < 1e100;
    let a = if ordinary { shape } else { 1.0 };
    let b = if ordinary { scale } else { 1.0 };
    let large = a > 300.0;
    let (inverse, inverse_low) = dd_inverse((b, 0.0));
    let (power, power_low) = two_sum(a, -1.0);
    let mut constant = (0.0, 0.0);
    let mut factor = (0.0, 0.0);
    if large {
        constant.0 = stirlerr_from_one(a);
        factor = dd_mul(INV_SQRT_2PI, dd_sqrt((a, 0.0)));
    } else {
        // next to its zeros from there: the log density is small next to shape 1 and a small x
        let zero = (a - 1.0).abs() < 0.06 || (a - 2.0).abs() < 0.06;
        let lg = if zero {
            lgamma_positive_dd(a)
        } else if a < 1.0 {
            dd_sub(lgamma1p_dd(a), log_dd_of_normal(a))
        } else {
            log_gamma_by_stirling(a)
        };
        constant = dd_add(lg, log_dd_of_normal(b));
    }
    DensityScale {
        shape,
        scale,
        inverse: (if ordinary { inverse } else { f64::NAN }, inverse_low),
        power: (power, power_low),
        constant,
        factor,
        log,
        large,
    }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    let y = x * s.inverse.0;
    x > 1e-200 && x < 1e200 && y > 1e-200 && y < 1e200
}

#[kernel(inline)]
fn density_value(x: f64, s: DensityScale) -> f64 {
    let y = dd_mul_d(s.inverse, x);
    if s.large {
        let e = dd_neg(dd_add_d(bd0_dd(s.shape, y), s.constant.0));
        let c = dd_div(s.factor, (x, 0.0));
        return if s.log { log_scaled_exp(e, c) } else { scaled_exp(e, c) };
    }
    let rise = dd_mul(s.power, log_dd_of_normal_pair(y));
    let e = dd_sub_short(rise, dd_add_short(y, s.constant));
    if s.log { e.0 } else { exp_pair(e) }
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

/// The logarithm of the density in the range of the main path, where it is next to 0 and its parts cancel: all are pairs, with an
/// absolute error of 2^-92 or so.
///
/// Method: shape <= 40  (shape - 1) log(y) - y - log Gamma(shape) - log(scale); next to shape 1 and 2 the logarithm of the gamma function
///                vanishes and has its relative precision, so that the exponential density keeps all its digits
///   above        log(sqrt(shape/(2 pi))/x) less the deviance and Stirling's remainder: nothing grows with the shape
/// Paper: loader2000.
#[kernel]
fn log_density_fine(x: f64, shape: f64, scale: f64) -> f64 {
    let y: (f64, f64) = dd_div((x, 0.0), (scale, 0.0));
    if shape > 40.0 {
        let root: (f64, f64) = dd_mul(INV_SQRT_2PI, dd_sqrt((shape, 0.0)));
        let d: (f64, f64) = deviance_fine(shape, y, dd_sub((shape, 0.0), y));
        let e: (f64, f64) = dd_add(d, stirling_remainder_fine((shape, 0.0)));
        return dd_high(dd_sub(log_fine(dd_div(root, (x, 0.0))), e));
    }
    let zero = (shape - 1.0).abs() < TWO_M30 || (shape - 2.0).abs() < TWO_M30;
    let g: (f64, f64);
    if zero {
        g = lgamma_positive_dd(shape);
    } else if shape < 1.0 {
        g = dd_sub(log_gamma_fine(two_sum(1.0, shape)), log_fine((shape, 0.0)));
    } else {
        g = log_gamma_fine((shape, 0.0));
    }
    let rise: (f64, f64) = dd_mul(log_fine(y), two_sum(shape, -1.0));
    dd_high(dd_sub(rise, dd_add(dd_add(y, log_fine((scale, 0.0))), g)))
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let shape = s.shape;
    let scale = s.scale;
    let nothing = zero_on(log);
    if log && density_in_main(x, s) {
        return log_density_fine(x, shape, scale);
    }
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
    let y = ratio_any(x, scale);
    if shape == 1.0 && log && y.0 < 1e300 && scale < f64::INFINITY {
        // the exponential density, which is 1 next to 0
        return -dd_high(dd_add(y, log_dd((scale, 0.0))));
    }
    if scale == f64::INFINITY {
        return nothing;
    }
    if y.0 > 1e300 || shape > 1e300 {
        return density_of_huge(x, shape, y, log);
    }
    let (e, el, c, cl) = if y.0 < 1e-290 {
        let l = dd_sub(log_dd((x, 0.0)), log_dd((scale, 0.0)));
        let e = dd_sub(dd_mul_d(l, shape), lgamma1p_dd(shape));
        (e.0, e.1, 1.0, 0.0)
    } else {
        poisson_parts(shape, y)
    };
    if !(e > -1e300) {
        return if log { e } else { 0.0 };
    }
    let ratio = shape / x;
    if ratio > 1e-250 && ratio < 1e250 && x > 1e-250 && x < 1e250 && shape > 1e-250 {
        let c = dd_div(dd_mul_d((c, cl), shape), (x, 0.0));
        return if log { log_scaled_exp((e, el), c) } else { scaled_exp((e, el), c) };
    }
    // shape/x may leave the range: its log joins the exponent
    let e = dd_add((e, el), dd_sub(log_dd((shape, 0.0)), log_dd((x, 0.0))));
    if log { log_scaled_exp(e, (c, cl)) } else { scaled_exp(e, (c, cl)) }
}

/// The density where `y = x/scale` or the shape is above 1e300: `sqrt(shape/(2 pi))/x exp(-bd0)`, the deviance scaled by 2^-64.
///
/// Unless it is 0, the deviance is so large that nothing else counts.
#[kernel]
fn density_of_huge(x: f64, shape: f64, y: (f64, f64), log: bool) -> f64 {
    let nothing = zero_on(log);
    if y.0 == f64::INFINITY || shape == f64::INFINITY {
        return nothing;
    }
    let ratio = shape / y.0;
    if ratio < 1e-250 {
        return if log { -y.0 } else { 0.0 };
    }
    if ratio > 1e250 {
        return if log { -shape * (natural_log(shape) - natural_log(y.0) - 1.0) } else { 0.0 };
    }
    let d = bd0_dd(shape * TWO_M64, (y.0 * TWO_M64, y.1 * TWO_M64));
    let e = -dd_high(d) * TWO_64;
    if log {
        return e + ((0.5 * natural_log(shape) - natural_log(x)) - LN_SQRT_2PI.0);
    }
    if e == 0.0 { (shape.sqrt() / x) * INV_SQRT_2PI.0 } else { 0.0 }
}

#[kernel(masked)]
pub(crate) fn density_eval(x: f64, s: DensityScale) -> f64 {
    let y = density_main(x, s);
    if density_holds(y) { y } else { density_rest(x, s) }
}

/// The gamma density.
///
/// R: `dgamma(x, shape, rate = 1, scale = 1/rate, log = FALSE)`, gamma density: `dgamma(x, shape, scale, log)`.
/// Domain: `shape >= 0`, `scale > 0`, else NaN; `x < 0` gives 0. `shape = 0` is a point mass at 0. NaN gives NaN.
/// Method: shape <= 300   exp((shape - 1) log(y) - y - log Gamma(shape) - log(scale)), y = x/scale, all in double-double: the
///                  logarithm has 70 bits, of which the product and the cancellation cost at most 11
///   above          (shape/x) D(shape, y) with Loader's saddle point form of D(a, y) = y^a e^-y/Gamma(a+1)
///   |log f| < 1/64 the logarithm anew, all its parts with the digits of pairs
///   Where `x/scale` is below the range, `log y = log x - log scale`.
/// Paper: loader2000.
/// Error: 99 % within 0.52 ulp, at most 0.56 ulp on the points of dev/oracle (0.52 and 0.64 on the sweep);
///   the tests hold it.
#[kernel(split)]
pub fn dgamma(x: f64, shape: f64, scale: f64, log: bool) -> f64 {
    density_eval(x, density_setup(shape, scale, log))
}

/// What the distribution function and the quantile need of their parameters.
#[kernel]
pub(crate) struct ProbabilityScale {
    shape: f64,
    scale: f64,
    /// 1/scale as a pair; NaN where a parameter is so far from 1 that the main path does not hold.
    inverse: (f64, f64),
    /// What the tails need; of shape 1 where the shape is out of its range.
    tails: GammaShape,
}

#[kernel]
pub(crate) fn probability_setup(shape: f64, scale: f64) -> ProbabilityScale {
    let ordinary = scale > 1e-100 && scale < 1e100;
    let inside = shape > 0.0 && shape <= 1e290;
    let (inverse, inverse_low) = dd_inverse((if ordinary { scale } else { 1.0 }, 0.0));
    ProbabilityScale {
        shape,
        scale,
        inverse: (if ordinary && inside { inverse } else { f64::NAN }, inverse_low),
        tails: gamma_shape(if inside { shape } else { 1.0 }),
    }
}

#[kernel]
fn probability_rest(x: f64, s: ProbabilityScale, lower: bool, log: bool) -> f64 {
    let shape = s.shape;
    let scale = s.scale;
    if x.is_nan() || shape.is_nan() || scale.is_nan() {
        return x + shape + scale;
    }
    if shape < 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    let one = one_on(log);
    let nothing = zero_on(log);
    let y = ratio_any(x, scale);
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
    pgamma_beyond(shape, y, log_y, lower, log)
}

#[kernel]
pub(crate) fn probability_eval(x: f64, s: ProbabilityScale, lower: bool, log: bool) -> f64 {
    let y = dd_mul_d(s.inverse, x);
    if x > 1e-200 && x < 1e200 && y.0 > 1e-200 && y.0 < 1e200 {
        let tails: GammaShape = s.tails;
        let t: GammaTail = gamma_tail_at(y, tails, lower && !log);
        return tail_to_probability(t.e, t.f, t.lower == lower, log);
    }
    probability_rest(x, s, lower, log)
}

/// The gamma distribution function.
///
/// R: `pgamma(q, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE)`, gamma distribution function:
///   `pgamma(q, shape, scale, lower.tail, log.p)`.
/// Domain: `shape >= 0`, `scale > 0`, else NaN; `shape = 0` gives 0 up to 0 and 1 above, as in R. NaN gives NaN.
/// Method: the smaller tail directly (see `special::incomplete_gamma` for its regions), the other as its complement in double-double; so
///   both tails keep their digits until they underflow, and on the log scale beyond.
/// Paper: temme1994, gil2012.
/// Error: 99 % within 1.33 ulp, at most 1.53 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pgamma(x: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, probability_setup(shape, scale), lower, log)
}

/// The gamma distribution function of scale 1: the incomplete gamma ratio.
///
/// R: `pgamma_raw(x, alph, lower.tail = TRUE, log.p = FALSE)`, gamma distribution function of scale 1.
/// Domain: that of [`pgamma`].
/// Method: that of [`pgamma`].
/// Paper: temme1994, gil2012.
/// Error: that of [`pgamma`]: the same bits.
#[kernel]
pub fn pgamma_raw(x: f64, alph: f64, lower: bool, log: bool) -> f64 {
    pgamma(x, alph, 1.0, lower, log)
}

#[kernel]
pub(crate) fn quantile_eval(p: f64, s: ProbabilityScale, lower: bool, log: bool) -> f64 {
    let shape = s.shape;
    let scale = s.scale;
    if p.is_nan() || shape.is_nan() || scale.is_nan() {
        return p + shape + scale;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || shape < 0.0 || scale <= 0.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if shape == 0.0 {
        return 0.0;
    }
    if shape > 1e290 || scale == f64::INFINITY {
        return shape * scale; // relative width below 1e-145
    }
    let (same, same_low, o, ol) = tail_logs(p, log);
    let log_lower = if lower { (same, same_low) } else { (o, ol) };
    let log_upper = if lower { (o, ol) } else { (same, same_low) };
    let tails: GammaShape = s.tails;
    let (h, l, k) = gamma_quantile(tails, log_lower, log_upper);
    if k != 0.0 {
        if h < -1500.0 {
            return 0.0;
        }
        if scale > 1e250 {
            let shift = dd_mul_d(LN2, 200.0);
            return scaled_exp(dd_add((h, l), shift), (scale * (1.0 / TWO_200), 0.0));
        }
        return scaled_exp((h, l), (scale, 0.0));
    }
    let r = dd_mul_d((h, l), scale);
    if r.0.is_nan() || r.0 == f64::INFINITY { h * scale } else { r.0 }
}

/// The gamma quantile.
///
/// R: `qgamma(p, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE)`, gamma quantile:
///   `qgamma(p, shape, scale, lower.tail, log.p)`.
/// Domain: `p` in [0, 1] (log: `<= 0`), `shape >= 0`, `scale > 0`, else NaN; 0 and 1 give the ends of the support,
///   `shape = 0` gives 0. NaN gives NaN.
/// Method: Halley's iteration on the log of the smaller tail, see `gamma_quantile`.
/// Paper: gil2012.
/// Error: 99 % within 0.54 ulp, at most 0.98 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qgamma(p: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    quantile_eval(p, probability_setup(shape, scale), lower, log)
}
