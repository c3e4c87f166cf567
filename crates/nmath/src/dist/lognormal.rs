//! The lognormal distribution.

use gristmill_kernel::kernel;

use super::normal::{
    DensityScale, density_scale, standard_log_probability_main, standard_probability, standard_probability_main,
};
use crate::dist::normal::{draw, draws_setup};
use crate::random::bits::Draws;
use crate::special::constants::{INV_SQRT_2PI, LN_SQRT_2PI};
use crate::special::conventions::{quantile_end, zero_on};
use crate::special::double_double::{
    dd_add, dd_add_d, dd_div, dd_high, dd_mul_d, dd_sub, fast_two_sum, pair_mul_d, two_prod, two_sum,
};
use crate::special::exponential::{exp, exp_of_normal, exp_pair};
use crate::special::extra_precision::{log_extra, log_less_near};
use crate::special::logarithm::{log_dd, log_loose};
use crate::special::normal_tail::{
    SQRT_2, centre_of, centre_of_log, half_square, locate_root, log_of_small_tail, root_quantile_of_centre,
    root_quantile_of_log, standard_quantile_refined,
};
use crate::special::poisson_mass::{density_of, scaled_exp};

/// `(log(x) - meanlog)/sdlog` as a pair, for finite arguments, given `l = log(x)` with 76 bits.
///
/// A small `sdlog` magnifies what is left of the difference next to the median: there it is formed with 145 bits.
#[kernel]
fn standardise_log(x: f64, l: (f64, f64), meanlog: f64, sdlog: f64) -> (f64, f64) {
    let mut d = dd_add_d(l, -meanlog);
    if sdlog < 0.05 && d.0.abs() < 9.765625e-4 {
        d = log_less_near(x, meanlog);
    }
    let z = dd_div(d, (sdlog, 0.0));
    if z.0.abs() < 1e300 { z } else { (d.0 / sdlog, 0.0) }
}

/// What the distribution function needs of its parameters.
#[kernel]
struct Scale {
    meanlog: f64,
    sdlog: f64,
    /// Where `|z|` is just below 37 and `x` a normal number.
    first: f64,
    last: f64,
    /// 1/sdlog; NaN where a parameter is so far from 1 that the main paths do not hold.
    inverse: f64,
}

/// Whether the main paths hold: from `sdlog = 0.02` on the logarithm's error, 2^-68, is worth 2^-57 in `z^2/2`; below, the rest
/// takes one with more bits.
#[kernel(inline)]
fn ordinary(meanlog: f64, sdlog: f64) -> bool {
    sdlog > 0.02 && sdlog < 1e50 && meanlog.abs() < 1e50
}

/// What the quantile needs of its parameters.
#[kernel]
struct QuantileScale {
    meanlog: f64,
    sdlog: f64,
    /// `sdlog`, or NaN where the main paths do not hold.
    narrow: f64,
    /// `sdlog sqrt(2)` as a pair.
    root: (f64, f64),
}

#[kernel(inline)]
fn quantile_setup(meanlog: f64, sdlog: f64) -> QuantileScale {
    let fine = sdlog > 0.0 && sdlog < 16.0 && meanlog.abs() < 600.0;
    let (root, root_low) = pair_mul_d(SQRT_2, sdlog);
    QuantileScale { meanlog, sdlog, narrow: if fine { sdlog } else { f64::NAN }, root: (root, root_low) }
}

#[kernel(inline)]
fn density_setup(meanlog: f64, sdlog: f64, log: bool) -> DensityScale {
    density_scale(meanlog, sdlog, ordinary(meanlog, sdlog), log)
}

#[kernel(inline)]
fn scale_setup(meanlog: f64, sdlog: f64) -> Scale {
    let inside = ordinary(meanlog, sdlog);
    let first = exp(meanlog - 37.0 * sdlog);
    let last = exp(meanlog + 37.0 * sdlog);
    Scale {
        meanlog,
        sdlog,
        first: if !inside {
            f64::INFINITY
        } else if first > 1e-300 {
            first
        } else {
            1e-300
        },
        last: if last < 1e300 { last } else { 1e300 },
        inverse: if inside { 1.0 / sdlog } else { f64::NAN },
    }
}

/// `(log(x) - meanlog)/sdlog` as a loose pair, in the main range.
#[kernel(inline)]
fn standardise_main(l: (f64, f64), meanlog: f64, sdlog: f64, inverse: f64) -> (f64, f64) {
    let (d, e) = two_sum(l.0, -meanlog);
    let q = d * inverse;
    (q, ((-q).mul_add(sdlog, d) + (e + l.1)) * inverse)
}

#[kernel(inline)]
fn density_in_main(x: f64, s: DensityScale) -> bool {
    x > 1e-300 && x < 1e300 && s.inverse > 0.0
}

#[kernel(inline)]
fn density_main(x: f64, s: DensityScale) -> f64 {
    let l = log_loose(x);
    let (z, zl) = standardise_main(l, s.mu, s.sigma, s.inverse);
    // z^2/2; the low part of z is not so small that its square could be left out
    let (p, pe) = two_prod(z, z);
    // -z^2/2 - log(x)
    let (r, re) = two_sum(0.5 * p, l.0);
    let low = re + (zl.mul_add(0.5f64.mul_add(zl, z), 0.5 * pe) + l.1);
    let log: bool = s.log;
    density_of((-r, -low), s.factor, log)
}

#[kernel]
fn density_rest(x: f64, s: DensityScale) -> f64 {
    let log = s.log;
    let meanlog = s.mu;
    let sdlog = s.sigma;
    let nothing = zero_on(log);
    if x.is_nan() || meanlog.is_nan() || sdlog.is_nan() {
        return x + meanlog + sdlog;
    }
    if sdlog < 0.0 || (x == f64::INFINITY && meanlog == f64::INFINITY) {
        return f64::NAN;
    }
    if sdlog == 0.0 {
        let at = if x > 0.0 { crate::special::logarithm::log(x) } else { f64::NEG_INFINITY };
        return if x >= 0.0 && at == meanlog { f64::INFINITY } else { nothing };
    }
    if x <= 0.0 || x == f64::INFINITY || meanlog.abs() == f64::INFINITY || sdlog == f64::INFINITY {
        return nothing;
    }
    let l = log_extra((x, 0.0));
    let h = half_square(standardise_log(x, l, meanlog, sdlog));
    if log {
        if h.0 > 1e300 {
            return -h.0;
        }
        let s = dd_add(dd_add(log_dd((sdlog, 0.0)), l), LN_SQRT_2PI);
        return -dd_high(dd_add(s, h));
    }
    // 1/x goes into the exponent, so that nothing overflows before the result does
    let e = if h.0 < 1e4 { dd_sub((-h.0, -h.1), l) } else { (-1e4, 0.0) };
    if sdlog < 1e-290 || sdlog > 1e290 {
        let s = dd_sub(e, log_dd((sdlog, 0.0)));
        return scaled_exp(s, INV_SQRT_2PI);
    }
    scaled_exp(e, dd_div(INV_SQRT_2PI, (sdlog, 0.0)))
}

/// The lognormal density.
///
/// R: `dlnorm(x, meanlog = 0, sdlog = 1, log = FALSE)`, log-normal density.
/// Domain: `sdlog >= 0`, else NaN; `x <= 0` gives 0; `sdlog = 0` is a point mass at `exp(meanlog)`. NaN gives NaN.
/// Method: `exp(-z^2/2 - log(x))/(sdlog sqrt(2 pi))`, with `z = (log(x) - meanlog)/sdlog`, in double-double; below `sdlog = 0.02`,
///   which amplifies its error, from a logarithm of 76 bits, or of 145 next to the median.
/// Paper: dekker1971.
/// Error: 99 % within 0.52 ulp, at most 0.57 ulp on the points of dev/oracle (0.52 and 0.66 on the sweep);
///   the tests hold it.
#[kernel(split)]
pub fn dlnorm(x: f64, meanlog: f64, sdlog: f64, log: bool) -> f64 {
    let s = density_setup(meanlog, sdlog, log);
    if density_in_main(x, s) { density_main(x, s) } else { density_rest(x, s) }
}

#[kernel(inline)]
fn probability_in_main(x: f64, s: Scale, _lower: bool, _log: bool) -> bool {
    x > s.first && x < s.last
}

#[kernel(inline)]
fn probability_main(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let (lh, ll) = log_loose(x);
    let (zh, zl) = standardise_main(fast_two_sum(lh, ll), s.meanlog, s.sdlog, s.inverse);
    let z = fast_two_sum(zh, zl);
    if log { standard_log_probability_main(z, lower) } else { standard_probability_main(z, lower) }
}

#[kernel]
fn probability_rest(x: f64, s: Scale, lower: bool, log: bool) -> f64 {
    let meanlog = s.meanlog;
    let sdlog = s.sdlog;
    if x.is_nan() || meanlog.is_nan() || sdlog.is_nan() {
        return x + meanlog + sdlog;
    }
    if sdlog < 0.0 || (x == f64::INFINITY && meanlog == f64::INFINITY) {
        return f64::NAN;
    }
    let mut z = (0.0, 0.0);
    if x <= 0.0 {
        z = (f64::NEG_INFINITY, 0.0);
    } else if x == f64::INFINITY || meanlog.abs() == f64::INFINITY {
        z = (if x == f64::INFINITY || meanlog < 0.0 { f64::INFINITY } else { f64::NEG_INFINITY }, 0.0);
    } else if sdlog == 0.0 {
        let at = crate::special::logarithm::log(x);
        z = (if at < meanlog { f64::NEG_INFINITY } else { f64::INFINITY }, 0.0);
    } else if sdlog < f64::INFINITY {
        z = standardise_log(x, log_extra((x, 0.0)), meanlog, sdlog);
        if z.0.is_nan() {
            z = (0.0, 0.0);
        }
    }
    standard_probability(z, lower, log)
}

/// The lognormal distribution function.
///
/// R: `plnorm(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE)`, log-normal distribution function.
/// Domain: `sdlog >= 0`, else NaN; `x <= 0` gives 0; `sdlog = 0` is a point mass at `exp(meanlog)`. NaN gives NaN.
/// Method: the normal distribution function at the pair `(log(x) - meanlog)/sdlog`, as in [`dlnorm`].
/// Paper: shepherd1981.
/// Error: 99 % within 0.60 ulp, at most 0.70 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn plnorm(x: f64, meanlog: f64, sdlog: f64, lower: bool, log: bool) -> f64 {
    let s = scale_setup(meanlog, sdlog);
    if probability_in_main(x, s, lower, log) {
        probability_main(x, s, lower, log)
    } else {
        probability_rest(x, s, lower, log)
    }
}

#[kernel(inline)]
fn quantile_in_main(p: f64, s: QuantileScale, _lower: bool, log: bool) -> bool {
    // the normal quantile is good to 2^-59, so 2^-55 is left with |z| sdlog = 16
    let inside = if log { p > -3.4432 && p < -0.03248 } else { p > 0.03196 && p < 0.96804 };
    inside && s.narrow < 10.0
}

#[kernel(inline)]
fn quantile_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let x = root_quantile_of_centre(if log { centre_of_log(p) } else { centre_of(p, false) });
    let e = locate_root(x, s.root, s.meanlog, p, lower, log);
    exp_of_normal(two_sum(e.0, e.1))
}

#[kernel(inline)]
fn quantile_in_tail(p: f64, s: QuantileScale, _lower: bool, log: bool) -> bool {
    // |z| is below 38, 8.2 and 4.3
    let all = if log { p > -700.0 && p < -1e-280 } else { p > 1e-300 && p < 1.0 };
    let wide = if log { p > -36.0 && p < -2e-16 } else { p > 2e-16 && p < 1.0 };
    let near = if log { p > -11.5 && p < -1e-5 } else { p > 1e-5 && p < 0.99999 };
    s.narrow < 0.5 && all || s.narrow < 2.0 && wide || s.narrow < 10.0 && near
}

#[kernel(inline)]
fn quantile_tail_main(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let x = root_quantile_of_log(log_of_small_tail(p, log));
    let e = locate_root(x, s.root, s.meanlog, p, lower, log);
    exp_of_normal(two_sum(e.0, e.1))
}

#[kernel]
fn quantile_rest(p: f64, s: QuantileScale, lower: bool, log: bool) -> f64 {
    let meanlog = s.meanlog;
    let sdlog = s.sdlog;
    if p.is_nan() || meanlog.is_nan() || sdlog.is_nan() {
        return p + meanlog + sdlog;
    }
    let end = quantile_end(p, lower, log);
    if end < 0.0 || sdlog < 0.0 {
        return f64::NAN;
    }
    if end < 2.0 {
        return if end == 0.0 { 0.0 } else { f64::INFINITY };
    }
    if sdlog == 0.0 || (meanlog.abs() == f64::INFINITY && sdlog < f64::INFINITY) {
        return exp(meanlog);
    }
    let z = standard_quantile_refined(p, lower, log);
    if meanlog.abs() == f64::INFINITY {
        return exp(meanlog + sdlog * z.0); // NaN if they differ in sign
    }
    let e = dd_add_d(dd_mul_d(z, sdlog), meanlog);
    if e.0.abs() < 1e4 { exp_pair(e) } else { exp(z.0.mul_add(sdlog, meanlog)) }
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

/// The lognormal quantile.
///
/// R: `qlnorm(p, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE)`, log-normal quantile.
/// Domain: `p` in [0, 1] (log: `<= 0`), `sdlog >= 0`, else NaN; 0 and 1 give the ends of the support. NaN gives NaN.
/// Method: `exp(meanlog + sdlog z)` in double-double, the normal quantile `z` as in `qnorm`, with one Newton
///   step (see `standard_quantile_refined`) where `sdlog` is above 10, or 2 in the tails, because the exponential turns its
///   absolute error into a relative one.
/// Paper: giles2012 and tang1990, as `qnorm`.
/// Error: 99 % within 0.53 ulp, at most 0.80 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn qlnorm(p: f64, meanlog: f64, sdlog: f64, lower: bool, log: bool) -> f64 {
    let s = quantile_setup(meanlog, sdlog);
    if quantile_in_main(p, s, lower, log) {
        quantile_main(p, s, lower, log)
    } else {
        quantile_outside_centre(p, s, lower, log)
    }
}

/// A lognormal number.
///
/// R: `rlnorm(meanlog = 0, sdlog = 1)`, log-normal random number.
/// Domain: that of [`rnorm`](crate::rnorm); `meanlog = -inf` gives 0, `+inf` gives `+inf`.
/// Method: `exp` of [`rnorm`](crate::rnorm).
/// Paper: box1958.
/// Error: the numbers follow `plnorm`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rlnorm(seed: u64, stream: u32, index: u64, meanlog: f64, sdlog: f64) -> f64 {
    exp_of_draw(index, draws_setup(seed, stream, meanlog, sdlog))
}

#[kernel(inline)]
fn exp_of_draw(index: u64, s: Draws) -> f64 {
    exp(draw(index, s))
}
