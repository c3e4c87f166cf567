//! What the two parametrisations of the negative binomial distribution share.

use super::beta_quantile::quantile_end;
use super::binomial_kernel::{
    Scaled, binomial_kernel, dd_quotient, exp_times, is_fractional, one_on, scaled_log_dd, scaled_result, zero_on,
};
use super::discrete_quantile::{Discrete, discrete_quantile};
use super::double_double::{dd_add_short, dd_mul, dd_sub_short, two_sum};
use super::incomplete_beta::{beta_ratio, beta_setup};
use super::logarithm::log_dd;
use gristmill_kernel::kernel;

/// A negative binomial distribution.
#[kernel]
pub struct NegativeBinomial {
    /// 0: ordinary; 1: NaN; 2: all mass at 0; 3: all mass at infinity.
    pub kind: i32,
    /// Number of successes wanted (any positive number).
    pub size: f64,
    /// Probability of success, leading part.
    pub p: f64,
    /// Its rest.
    pub pl: f64,
    /// Probability of failure, leading part.
    pub q: f64,
    /// Its rest.
    pub ql: f64,
    /// Mean.
    pub mean: f64,
}

/// `size/(size+k)` times the binomial kernel.
#[kernel]
pub(crate) fn negative_binomial_density(x: f64, s: NegativeBinomial, log: bool) -> f64 {
    if x.is_nan() || s.kind == 1 {
        return f64::NAN;
    }
    if is_fractional(x) || x < 0.0 || x > 1e280 || s.kind == 3 {
        return zero_on(log);
    }
    let k = x.round_ties_even();
    if s.kind == 2 {
        return if k == 0.0 { one_on(log) } else { zero_on(log) };
    }
    let d: Scaled = binomial_kernel(s.size, k, (s.p, s.pl), (s.q, s.ql));
    if k == 0.0 {
        return scaled_result(d, log);
    }
    let share: (f64, f64) = dd_quotient((s.size, 0.0), two_sum(s.size, k));
    if share.0 < 1e-280 {
        let ratio: (f64, f64) = dd_sub_short(log_dd((s.size, 0.0)), log_dd((k, 0.0)));
        let l: (f64, f64) = dd_add_short(scaled_log_dd(d), ratio);
        return if log { l.0 + l.1 } else { exp_times(1.0, l) };
    }
    let m: (f64, f64) = dd_mul((d.m, d.ml), share);
    scaled_result(Scaled { m: m.0, ml: m.1, e: d.e, el: d.el }, log)
}

/// `F(k) = I_p(size, k+1)`.
#[kernel]
pub(crate) fn negative_binomial_tail(x: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    if x.is_nan() || s.kind == 1 {
        return f64::NAN;
    }
    let k = (x + 1e-7).floor();
    if k < 0.0 || (s.kind == 3 && x < f64::INFINITY) {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if s.kind == 2 || k > 1e300 {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    beta_ratio((s.p, s.pl), (s.q, s.ql), beta_setup(s.size, k + 1.0), lower, log)
}

/// The smallest integer that reaches the probability.
#[kernel]
pub(crate) fn negative_binomial_quantile(p: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0 || s.kind == 1 {
        return f64::NAN;
    }
    if end == 0 || s.kind == 2 {
        return 0.0;
    }
    if end == 1 || s.kind == 3 {
        return f64::INFINITY;
    }
    let sd = (s.mean / s.p).sqrt();
    let family = Discrete {
        family: 1,
        size: s.size,
        p: s.p,
        pl: s.pl,
        q: s.q,
        ql: s.ql,
        first: 0.0,
        last: 1e300,
        mean: s.mean,
        sd,
        skew: (1.0 + s.q) / (sd * s.p),
        white: 0.0,
        black: 0.0,
        drawn: 0.0,
    };
    discrete_quantile(p, lower, log, family)
}
