//! The gamma distribution.

use gristmill_kernel::kernel;

use crate::special::constants::{INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW, LN2_HIGH, LN2_LOW, SQRT_2PI_HIGH};
use crate::special::deviance::bd0_dd;
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_div_d, dd_inverse, dd_mul, dd_mul_d, dd_neg, dd_sqrt, dd_sub, two_sum,
};
use crate::special::exponential::exp_parts;
use crate::special::gamma_function::lgamma1p_dd;
use crate::special::incomplete_gamma::{TEMME, gamma_quantile, pgamma_at, tail_logs};
use crate::special::logarithm::log_dd;
use crate::special::normal_tail::mills_dd;
use crate::special::poisson_mass::{log_scaled_exp, poisson_parts, scale_far, scaled_exp};
use crate::special::scaling::power_of_two;
use crate::special::stirling::stirlerr_from_one;

/// 2^200
#[kernel]
const TWO_200: f64 = 1.606_938_044_258_990_3e60;

/// What the density needs of its parameters.
#[kernel]
pub(crate) struct DensityScale {
    shape: f64,
    scale: f64,
    /// 1/scale as a pair; NaN where a parameter is so far from 1 that the main path does not hold.
    inverse: f64,
    inverse_low: f64,
    /// shape < 1: log Gamma(1 + shape); else the error of Stirling's formula.
    constant: f64,
    constant_low: f64,
    /// shape < 1: shape; else shape/sqrt(2 pi shape).
    factor: f64,
    factor_low: f64,
    log: bool,
    /// shape < 1
    small: bool,
}

#[kernel(inline)]
pub(crate) fn density_setup(shape: f64, scale: f64, log: bool) -> DensityScale {
    let ordinary = shape > 1e-30 && shape < 1e15 && scale > 1e-100 && scale < 1e100;
    let a = if ordinary { shape } else { 1.0 };
    let small = a < 1.0;
    let (inverse, inverse_low) = dd_inverse((if ordinary { scale } else { 1.0 }, 0.0));
    let (constant, constant_low) = if small {
        lgamma1p_dd(if small { a } else { 0.5 })
    } else {
        (stirlerr_from_one(if small { 1.0 } else { a }), 0.0)
    };
    let (factor, factor_low) =
        if small { (a, 0.0) } else { dd_mul((INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW), dd_sqrt((a, 0.0))) };
    let inverse = if ordinary { inverse } else { f64::NAN };
    DensityScale { shape, scale, inverse, inverse_low, constant, constant_low, factor, factor_low, log, small }
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    let y = x * s.inverse;
    x > 1e-200 && x < 1e200 && y > 1e-200 && y < 1e200
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let y: (f64, f64) = dd_mul_d((s.inverse, s.inverse_low), x);
    let c: (f64, f64) = dd_div((s.factor, s.factor_low), (x, 0.0));
    let e: (f64, f64) = if s.small {
        dd_sub(dd_mul_d(log_dd(y), s.shape), dd_add(y, (s.constant, s.constant_low)))
    } else {
        dd_neg(dd_add_d(bd0_dd(s.shape, y), s.constant))
    };
    if s.log { log_scaled_exp(e, c) } else { scaled_exp(e, c) }
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log: bool = s.log;
    let shape = s.shape;
    let scale = s.scale;
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

#[kernel(masked)]
pub(crate) fn density_eval(x: f64, s: DensityScale) -> f64 {
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

/// The gamma density.
///
/// Domain: `shape >= 0`, `scale > 0`, else NaN; `x < 0` gives 0. `shape = 0` is a point mass at 0. NaN gives NaN.
/// Method: `(shape/x) D(shape, x/scale)` with `D(a, y) = y^a e^-y/Gamma(a+1)` as in `poisson_parts`, for every shape; the
///   exponent and `x/scale` in double-double. Where `x/scale` is below the range, `log y = log x - log scale`.
/// Paper: loader2000.
/// Error: see `dgamma` in the table of bounds.
#[kernel(split)]
pub fn dgamma(x: f64, shape: f64, scale: f64, log: bool) -> f64 {
    density_eval(x, density_setup(shape, scale, log))
}

/// What the distribution function needs of its parameters.
#[kernel]
pub(crate) struct ProbabilityScale {
    shape: f64,
    scale: f64,
    /// 1/scale as a pair; NaN where a parameter is so far from 1 that the main path does not hold.
    inverse: f64,
    inverse_low: f64,
    /// shape < 1: log Gamma(1 + shape); else the error of Stirling's formula.
    constant: f64,
    constant_low: f64,
    /// The factor of the Poisson mass: 1/sqrt(2 pi shape), 1 for shape < 1. Large shapes: also of Temme's correction.
    factor: f64,
    factor_low: f64,
    /// Large shapes: Temme's coefficients over Gamma*; else 1/(shape + k), k = 1, 2, ...
    table: [f64; 48],
    /// shape >= 15
    large: bool,
    /// shape < 1
    small: bool,
}

#[kernel]
pub(crate) fn probability_setup(shape: f64, scale: f64) -> ProbabilityScale {
    let ordinary = shape > 1e-30 && shape < 1e15 && scale > 1e-100 && scale < 1e100;
    let a = if ordinary { shape } else { 1.0 };
    let small = a < 1.0;
    let large = a >= 15.0;
    let (inverse, inverse_low) = dd_inverse((if ordinary { scale } else { 1.0 }, 0.0));
    let mut table = [0.0; 48];
    if large {
        // s_(n-1) = f_n + (n+1)/a s_(n+1), then over Gamma* = 1 + s_1/a
        let ra = 1.0 / a;
        table[32] = TEMME[33];
        table[31] = TEMME[32];
        for j in 0..31 {
            let n = 31 - j;
            table[n - 1] = ((n as f64 + 1.0) * ra).mul_add(table[n + 1], TEMME[n]);
        }
        let gs = table[1].mul_add(ra, 1.0);
        for j in 0..33 {
            table[j] /= gs;
        }
    } else {
        for j in 0..48 {
            table[j] = 1.0 / (a + (j as f64 + 1.0));
        }
    }
    let (constant, constant_low) = if small { lgamma1p_dd(a) } else { (stirlerr_from_one(a), 0.0) };
    let (factor, factor_low) =
        if small { (1.0, 0.0) } else { dd_div((INV_SQRT_2PI_HIGH, INV_SQRT_2PI_LOW), dd_sqrt((a, 0.0))) };
    let inverse = if ordinary { inverse } else { f64::NAN };
    ProbabilityScale {
        shape,
        scale,
        inverse,
        inverse_low,
        constant,
        constant_low,
        factor,
        factor_low,
        table,
        large,
        small,
    }
}

/// Makes straight-line kernels from the table of a [`ProbabilityScale`]: block loops over them vectorise.
macro_rules! straight_lines {
    ($($k:literal)*; $($n:literal)*; $($level:literal)*; $($short:literal)*) => {
        /// `1 + S/...` from the 48th term of the lower series back to the second.
        #[kernel(inline)]
        fn series_terms(y: f64, s: ProbabilityScale) -> f64 {
            let t: f64 = 1.0;
            $(let t = (y * s.table[$k]).mul_add(t, 1.0);)*
            t
        }

        /// Temme's correction: the polynomial with the coefficients in the table.
        #[kernel(inline)]
        fn temme_terms(eta: f64, s: ProbabilityScale) -> f64 {
            let t: f64 = s.table[32];
            $(let t = t.mul_add(eta, s.table[$n]);)*
            t
        }

        /// The continued fraction from level 36 down to level 2: enough for `y >= 4`.
        #[kernel(inline)]
        fn fraction_long(a: f64, b: f64) -> f64 {
            let f = b + 72.0;
            $(let f = fraction_step(a, b, f, $level);)*
            f
        }

        /// The continued fraction from level 24 down to level 2: enough for `y >= 8`.
        #[kernel(inline)]
        fn fraction_short(a: f64, b: f64) -> f64 {
            let f = b + 48.0;
            $(let f = fraction_step(a, b, f, $short);)*
            f
        }
    };
}

/// Two levels of the continued fraction: `f_(k-2) = b_(k-2) + a_(k-1) f_k / (b_(k-1) f_k + a_k)`.
#[kernel(inline)]
fn fraction_step(a: f64, b: f64, f: f64, k: f64) -> f64 {
    let j = k - 1.0;
    let d = 2.0f64.mul_add(j, b).mul_add(f, k * (a - k));
    2.0f64.mul_add(k - 2.0, b) + j * (a - j) * f / d
}

straight_lines! {
    47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8
    7 6 5 4 3 2 1;
    31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0;
    36.0 34.0 32.0 30.0 28.0 26.0 24.0 22.0 20.0 18.0 16.0 14.0 12.0 10.0 8.0 6.0 4.0;
    24.0 22.0 20.0 18.0 16.0 14.0 12.0 10.0 8.0 6.0 4.0
}

/// Where the lower series ends, in `y`: at the shape, or at 2 (upper tail: 1), where its sum is still below 5; beyond,
/// its rounding errors show.
#[kernel(inline)]
fn series_end(a: f64, lower: bool) -> f64 {
    let least = if lower { 2.0 } else { 1.0 };
    if a > least { a } else { least }
}

/// The sum of the lower series at `y` as a pair; `y.1 S'` carries the low part of `y`.
#[kernel(inline)]
fn series_side(y: (f64, f64), s: ProbabilityScale) -> (f64, f64) {
    let sum = y.0 * s.table[0] * series_terms(y.0, s);
    let (u, v) = two_sum(1.0, sum);
    (u, v + y.1 * (((y.0 - s.shape) * u + s.shape) / y.0))
}

/// `a` times the upper continued fraction at `y >= 4` as a pair.
#[kernel(inline)]
fn fraction_side(y: (f64, f64), s: ProbabilityScale) -> (f64, f64) {
    let a = s.shape;
    let b0: (f64, f64) = dd_add_d(two_sum(y.0, -a), 1.0);
    let g = if y.0 >= 8.0 { fraction_short(a, b0.0) } else { fraction_long(a, b0.0) };
    let d: (f64, f64) = dd_add(dd_mul_d(dd_add_d(b0, 2.0), g), dd_mul_d(two_sum(a, -2.0), 2.0));
    let q: (f64, f64) = dd_add(b0, dd_div(dd_mul_d(two_sum(a, -1.0), g), d));
    let cf: (f64, f64) = dd_div((a, 0.0), q);
    (cf.0, cf.1 + y.1 * ((cf.0 * (y.0 - a) - a) / y.0))
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: ProbabilityScale, lower: bool, log: bool) -> bool {
    let y = x * s.inverse;
    let a = s.shape;
    if s.large {
        return !log && y >= 0.302 * a && y <= 2.357 * a;
    }
    // the fraction has levels enough from 4 on; the complement of a tiny shape's lower tail would cancel
    let gap = y > series_end(a, lower) && y < 4.0 || a < 0.3 && y < 1.0 && !lower;
    !log && y > 1e-200 && y < 600.0 && !gap
}

#[kernel(inline)]
fn probability_main(x: f64, s: ProbabilityScale, lower: bool, _log: bool) -> f64 {
    let a = s.shape;
    let y: (f64, f64) = dd_mul_d((s.inverse, s.inverse_low), x);
    if s.large {
        let b: (f64, f64) = bd0_dd(a, y);
        let bh = if b.0 > 0.0 { b.0 } else { 0.0 };
        let bl = if b.0 > 0.0 { b.1 } else { 0.0 };
        let z: (f64, f64) = dd_sqrt((2.0 * bh, 2.0 * bl));
        let low = (y.0 - a) + y.1 < 0.0;
        let eta = z.0 * (s.factor * SQRT_2PI_HIGH);
        let t = temme_terms(if low { -eta } else { eta }, s) * s.factor;
        let f: (f64, f64) = dd_add_d(mills_dd(z), if low { -t } else { t });
        return tail_linear((-bh, -bl), f, low == lower);
    }
    let e: (f64, f64) = if s.small {
        dd_sub(dd_mul_d(log_dd(y), a), dd_add(y, (s.constant, s.constant_low)))
    } else {
        dd_neg(dd_add_d(bd0_dd(a, y), s.constant))
    };
    let low = y.0 <= series_end(a, lower);
    let (wh, wl) = if low { series_side(y, s) } else { fraction_side(y, s) };
    let f: (f64, f64) = dd_mul((s.factor, s.factor_low), (wh, wl));
    tail_linear(e, f, low == lower)
}

/// `c exp(e)`, or 1 minus it, of two pairs, without a branch; `e <= 1`, `c exp(e) <= 1`.
#[kernel(inline)]
fn tail_linear(e: (f64, f64), c: (f64, f64), same: bool) -> f64 {
    let far = !(e.0 > -1400.0);
    let (m, ml, k) = exp_parts((if far { -1400.0 } else { e.0 }, if far { 0.0 } else { e.1 }));
    let r: (f64, f64) = dd_mul((m, ml), c);
    let tail = scale_far(r.0, k);
    let t = if k > -1000.0 { power_of_two(if k > -1000.0 { k } else { 0.0 }) } else { 0.0 };
    let (u, v) = two_sum(1.0, -r.0 * t);
    let other = u + (v - r.1 * t);
    if !same {
        other
    } else if tail < 1.0 {
        tail
    } else {
        1.0
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

#[kernel(masked)]
pub(crate) fn probability_eval(x: f64, s: ProbabilityScale, lower: bool, log: bool) -> f64 {
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

/// The gamma distribution function.
///
/// Domain: `shape >= 0`, `scale > 0`, else NaN; `shape = 0` gives 0 up to 0 and 1 above, as in R. NaN gives NaN.
/// Method: the smaller tail directly (see `gamma_tail` for its regions), the other as its complement in double-double; so
///   both tails keep their digits until they underflow, and on the log scale beyond.
/// Paper: temme1994, gil2012.
/// Error: see `pgamma` in the table of bounds.
#[kernel(split)]
pub fn pgamma(x: f64, shape: f64, scale: f64, lower: bool, log: bool) -> f64 {
    probability_eval(x, probability_setup(shape, scale), lower, log)
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
