//! What the two parametrisations of the negative binomial distribution share.

use super::beta_function::lbeta_dd;
use super::binomial_kernel::{
    STIRLING_FROM, Scaled, binomial_kernel, dd_quotient, deviance, exp_of, is_near, log_factorial_table,
    log_gamma_of_pair, near_deviance, root_result, scaled_log_dd, scaled_result, stirling_of_inverse,
};
use super::constants::{INV_PI, INV_SQRT_2PI, LN_SQRT_2PI};
use super::double_double::{
    dd_add_d, dd_add_short, dd_mul, dd_mul_d, dd_neg, dd_sub_short, fast_two_sum, pair_add, pair_mul, pair_mul_d,
    pair_sub, two_prod, two_sum,
};
use super::gamma_function::lgamma1p_dd;
use super::incomplete_beta::{
    BetaTail, UNIFORM_FROM, beta_setup, beta_tail, beta_tail_of_exponent, log_shape_beta, log1p_any, tail_result,
};
use super::incomplete_gamma::pgamma_beyond;
use super::logarithm::{log as natural_log, log_dd, log_loose_of_pair};
use super::powers_of_two::{TWO_200, TWO_M200};
use super::stirling::stirlerr_from_one;
use crate::special::conventions::{is_fractional, one_on, whole_count, zero_on};
use gristmill_kernel::kernel;

/// A negative binomial distribution.
#[kernel]
pub struct NegativeBinomial {
    /// 0: ordinary; 1: NaN; 2: all mass at 0; 3: all mass at infinity; 4: `p` below 1e-290, for a mean above 1e250;
    /// 5: a mean above 1e250 and a size above 1e200, a step; 6: a size below 1/2 and `p` below 1e-290, a double.
    pub kind: f64,
    /// Whether `size` is in [1/2, 512]: then for `k <= 511` the density is formed from logarithms.
    pub small: bool,
    /// Number of successes wanted (any positive number).
    pub size: f64,
    /// Probability of success, as a pair.
    pub p: (f64, f64),
    /// Probability of failure, as a pair.
    pub q: (f64, f64),
    /// Mean.
    pub mean: f64,
    /// `log q` if small, as a pair.
    pub log_q: (f64, f64),
    /// `size log p` if small, as a pair: the logarithm of the density at 0.
    pub zero: (f64, f64),
    /// `size log p - log G(size) + log sqrt(2 pi) - 1/2` if small, as a pair.
    pub base: (f64, f64),
    /// `size q`, as a pair.
    pub centre: (f64, f64),
    /// `size/(2 pi)`, as a pair.
    pub share: (f64, f64),
    /// `2 pi/size`.
    pub back: f64,
    /// Stirling's remainder of `size`, from 16 on.
    pub error: f64,
}

/// The distribution of a kind, with valid parameters of an ordinary one.
#[kernel(inline)]
pub(crate) fn negative_binomial(kind: f64, size: f64, p: (f64, f64), q: (f64, f64), mean: f64) -> NegativeBinomial {
    let small = kind == 0.0 && size >= 0.5 && size <= 512.0 && p.0 > 1e-280 && q.0 > 1e-280;
    let mut log_q = (0.0, 0.0);
    let mut zero = (0.0, 0.0);
    let mut base = (0.0, 0.0);
    if small {
        log_q = log_dd(q);
        let gamma: (f64, f64);
        if size >= 1.0 {
            gamma = log_gamma_of_pair((size, 0.0));
        } else {
            gamma = dd_sub_short(lgamma1p_dd(size), log_dd((size, 0.0)));
        }
        // next to 1 from q, whose digits p does not show
        let log_p = if q.0 < 0.5 { log1p_any(dd_neg(q)) } else { log_dd(p) };
        zero = dd_mul_d(log_p, size);
        base = pair_add(pair_sub(zero, gamma), (LN_SQRT_2PI.0 - 0.5, LN_SQRT_2PI.1));
    }
    let centre = dd_mul_d(q, size);
    let share = dd_mul_d((0.5 * INV_PI.0, 0.5 * INV_PI.1), size);
    NegativeBinomial {
        kind,
        small,
        size,
        p,
        q,
        mean,
        log_q,
        zero,
        base,
        centre,
        share,
        back: 1.0 / share.0,
        error: stirling_of_inverse(1.0 / (if size > STIRLING_FROM { size } else { STIRLING_FROM })),
    }
}

/// The logarithm of the density at an integer `0 <= k <= 511` as a pair, for a small distribution:
/// `log G(size+k) - log k! - log G(size) + size log p + k log q`, the first by Stirling's formula, whose constant is in `base`;
/// absolute error about 2^-56.
#[kernel(inline)]
fn small_exponent(k: f64, s: NegativeBinomial) -> (f64, f64) {
    let z = two_sum(s.size, k);
    let z = (if z.0 < 1.0 { 1.0 } else { z.0 }, z.1);
    let (w, wl) = fast_two_sum(z.0, -0.5);
    let p = pair_mul(dd_add_d(log_loose_of_pair(z), -1.0), (w, wl + z.1));
    let (g, gl) = two_sum(p.0, stirlerr_from_one(z.0));
    let none = k == 0.0;
    let g = pair_sub((g, gl + p.1), log_factorial_table(k));
    let e = pair_add(pair_add(g, s.base), pair_mul_d(s.log_q, k));
    // at 0 nothing may be added and taken off: the result may be as small as the mean
    fast_two_sum(if none { s.zero.0 } else { e.0 }, if none { s.zero.1 } else { e.1 })
}

/// `log(q^k/(k B(size, k)))` as a pair for `k >= 1`: the logarithm of the density, and of the upper tail at `k - 1`, where `q` is
/// so small that it is known by the mean only.
#[kernel]
fn log_of_rare(k: f64, s: NegativeBinomial) -> (f64, f64) {
    let ratio = dd_sub_short(log_dd((s.mean, 0.0)), log_dd((s.size, 0.0)));
    dd_sub_short(dd_mul_d(ratio, k), dd_add_short(lbeta_dd(s.size, k), log_dd((k, 0.0))))
}

/// Where `q` has fewer bits than a double.
#[kernel]
pub(crate) const RARE: f64 = 1e-290;

/// `size/(size+k)` times the binomial kernel, for any parameters.
#[kernel]
fn general_density(k: f64, s: NegativeBinomial, log: bool) -> f64 {
    if s.q.0 < RARE {
        if k == 0.0 {
            return if log { -s.mean } else { 1.0 };
        }
        let l = log_of_rare(k, s);
        return if log { l.0 + l.1 } else { exp_of(l) };
    }
    let d = binomial_kernel(s.size, k, s.p, s.q);
    let share = dd_quotient((s.size, 0.0), two_sum(s.size, k));
    if share.0 < 1e-280 {
        let ratio = dd_sub_short(log_dd((s.size, 0.0)), log_dd((k, 0.0)));
        let l = dd_add_short(scaled_log_dd(d), ratio);
        return if log { l.0 + l.1 } else { exp_of(l) };
    }
    let m = dd_mul(d.m, share);
    scaled_result(Scaled { m, e: d.e }, log)
}

/// `size - (size+k) p = size q - k p` as a pair.
#[kernel(inline)]
fn from_mean(k: f64, s: NegativeBinomial) -> (f64, f64) {
    let (t, te) = two_prod(k, s.p.0);
    let (d, e) = two_sum(s.centre.0, -t);
    fast_two_sum(d, e + (s.centre.1 - k.mul_add(s.p.1, te)))
}

/// Whether [`density_main`] holds.
#[kernel(inline)]
pub(crate) fn density_in_main(x: f64, s: NegativeBinomial, _log: bool) -> bool {
    let small = s.small;
    let ordinary = s.kind == 0.0 && x >= 0.0 && x == x.round_ties_even();
    if small && x <= 511.0 {
        return ordinary;
    }
    let d = (-x).mul_add(s.p.0, s.centre.0);
    ordinary && x >= STIRLING_FROM && s.size >= STIRLING_FROM && is_near(s.size, x, d)
}

/// The density at an integer `k` for small parameters, or for large ones near the mean.
///
/// Method:
///   1/2 <= size <= 512, k <= 511   log G(size+k) - log k! - log G(size) + size log p + k log q as pairs
///   otherwise                      size/(size+k) times the binomial kernel: sqrt(size/(2 pi k (size+k))) times an exponential
#[kernel(inline)]
pub(crate) fn density_main(k: f64, s: NegativeBinomial, log: bool) -> f64 {
    if s.small && k <= 511.0 {
        let e = small_exponent(k, s);
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    let n = two_sum(s.size, k);
    let (p, pe) = two_prod(n.0, k);
    let inverse = 1.0 / p;
    let errors = (stirling_of_inverse(k * inverse) - s.error) - stirling_of_inverse(n.0 * inverse);
    let e = pair_sub((errors, 0.0), near_deviance(s.size, k, from_mean(k, s)));
    root_result(s.share, s.back, (p, n.1.mul_add(k, pe)), inverse, e, log)
}

/// The density elsewhere: `size/(size+k)` times the binomial kernel.
#[kernel]
pub(crate) fn density_rest(x: f64, s: NegativeBinomial, log: bool) -> f64 {
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    if is_fractional(x) || x < 0.0 || s.kind == 3.0 || x == f64::INFINITY {
        return zero_on(log);
    }
    let k = x.round_ties_even();
    if s.kind == 5.0 {
        if k == s.mean {
            // 1/sqrt(2 pi mean/p), the root of each part by itself
            let l = -(LN_SQRT_2PI.0 + 0.5 * (natural_log(k) - natural_log(s.p.0)));
            return if log { l } else { INV_SQRT_2PI.0 / k.sqrt() * s.p.0.sqrt() };
        }
        let d = deviance(s.size * TWO_M200, k * TWO_M200, s.p, s.q);
        return if log { -((d.0 + d.1) * TWO_200) } else { 0.0 };
    }
    if x > 1e280 {
        return zero_on(log);
    }
    if s.kind == 2.0 {
        return if k == 0.0 { one_on(log) } else { zero_on(log) };
    }
    if s.kind == 4.0 {
        let l = log_of_frequent(s);
        let l = if k == 0.0 { l } else { dd_sub_short(l, dd_add_short(lbeta_dd(s.size, k), log_dd((k, 0.0)))) };
        return if log { l.0 + l.1 } else { exp_of(l) };
    }
    general_density(k, s, log)
}

/// `log(p^size)` as a pair, where `p` is so small that it is known by the mean only, and `q^k` is 1 for `k <= 1e280`.
#[kernel]
fn log_of_frequent(s: NegativeBinomial) -> (f64, f64) {
    dd_mul_d(dd_sub_short(log_dd((s.size, 0.0)), log_dd((s.mean, 0.0))), s.size)
}

/// The smaller tail at an integer `k >= 0` of an ordinary distribution: of `F(k) = I_p(size, k+1)`.
///
/// `P`, the derivative of the ratio, is `(size + k) q` times the density.
#[kernel]
pub(crate) fn negative_binomial_tail(k: f64, s: NegativeBinomial) -> BetaTail {
    let b = k + 1.0;
    let p: (f64, f64) = s.p;
    let q: (f64, f64) = s.q;
    if s.small && k <= 511.0 && s.size * b < UNIFORM_FROM * (s.size + b) {
        let scale = dd_mul(two_sum(s.size, k), q);
        return beta_tail_of_exponent(s.size, b, p, q, scale, small_exponent(k, s));
    }
    beta_tail(p, q, beta_setup(s.size, b))
}

/// The distribution function.
#[kernel]
pub(crate) fn negative_binomial_function(x: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    let k = whole_count(x);
    if k < 0.0 || (s.kind == 3.0 && x < f64::INFINITY) {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if s.kind == 5.0 && x < f64::INFINITY {
        return step_at_mean(k, s, lower, log);
    }
    if s.p.0 < LIMIT_P && k >= LIMIT_FROM && k < f64::INFINITY && s.size < LIMIT_TO {
        return limit_of_frequent(k, s, lower, log);
    }
    if s.kind == 2.0 || k > 1e300 {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    if s.kind == 4.0 && s.size >= SLIGHT_SIZE {
        // the leading term p^size/(size B(size, k+1)) of the incomplete beta ratio
        let below = dd_add_short(lbeta_dd(s.size, k + 1.0), log_dd((s.size, 0.0)));
        let e = dd_sub_short(log_of_frequent(s), below);
        return tail_result(BetaTail { lower: true, m: (1.0, 0.0), e, other: (-1.0, 0.0), slope: 0.0 }, lower, log);
    }
    if s.q.0 < RARE {
        let l = log_of_rare(k + 1.0, s);
        let upper = exp_of(l);
        if lower {
            return if log { -upper } else { 1.0 };
        }
        return if log { l.0 + l.1 } else { upper };
    }
    if s.size < SLIGHT_SIZE && s.p.0 < RARE {
        let below = log_of_slight(k, s);
        if lower {
            return if log { below } else { 1.0 };
        }
        return if log { natural_log(-below) } else { -below };
    }
    tail_result(negative_binomial_tail(k, s), lower, log)
}

/// The distribution function where its relative width is below 1e-100: a step at the mean; on the log scale the small tail is its deviance,
/// which is proportional to the counts.
#[kernel]
fn step_at_mean(k: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    let at = k == s.mean;
    let sure = (k > s.mean) == lower;
    if log && !at && !sure {
        let d = deviance(s.size * TWO_M200, k * TWO_M200, s.p, s.q);
        return -((d.0 + d.1) * TWO_200);
    }
    let v = if at {
        0.5
    } else if sure {
        1.0
    } else {
        0.0
    };
    if log { natural_log(v) } else { v }
}

/// Sizes below this have nearly all their mass at 0.
#[kernel]
const SLIGHT_SIZE: f64 = 1e-270;

/// From this count on, for `p` below [`LIMIT_P`] and sizes below [`LIMIT_TO`], `k p` has the gamma distribution: the terms left out are
/// `1/k`, `p size` and `size/k` of the logarithm. The incomplete beta ratio ends where `k` comes near the end of the range.
#[kernel]
const LIMIT_FROM: f64 = 1e200;
/// See [`LIMIT_FROM`].
#[kernel]
const LIMIT_P: f64 = 1e-250;
/// See [`LIMIT_FROM`].
#[kernel]
const LIMIT_TO: f64 = 1e100;

/// The distribution function as that of a gamma number of shape `size` at `k p`; by the mean, at `k size/mean`, where `p` has fewer bits than a pair.
#[kernel]
fn limit_of_frequent(k: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    let exact = s.kind == 6.0 || (s.kind == 0.0 && s.size >= 0.5);
    let mut y = dd_mul_d(s.p, k);
    let mut log_y = (0.0, 0.0); // needed below 1e-290 only
    if !exact && s.p.0 < 1e-300 {
        // scaled, so that no factor leaves the range
        let (scaled_k, scaled_size) = (k * TWO_M200, s.size * TWO_200);
        y = dd_mul_d(dd_quotient((scaled_k, 0.0), (s.mean, 0.0)), scaled_size);
        let log_size: (f64, f64) = log_dd((s.size, 0.0));
        log_y = dd_add_short(log_dd((k, 0.0)), dd_sub_short(log_size, log_dd((s.mean, 0.0))));
    }
    pgamma_beyond(s.size, y, log_y, lower, log)
}

/// `log P(X <= k)` for a slight size whose probability of success may have underflowed, at `k p` below 1e-90: the leading term of `I_p(size, k+1)`,
/// `size log p - log(size B(size, k+1))`, with `p = size/mean`. Nothing that it is divided by is left: the result is of the order of `size`.
#[kernel]
fn log_of_slight(k: f64, s: NegativeBinomial) -> f64 {
    let log_p = dd_sub_short(log_dd((s.size, 0.0)), log_dd((s.mean, 0.0)));
    let first = log_shape_beta(s.size, k + 1.0, (0.0, 0.0));
    s.size.mul_add(log_p.0, s.size * log_p.1 - (first.0 + first.1))
}
