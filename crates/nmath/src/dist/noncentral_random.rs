//! Noncentral chi-squared, beta and F numbers, for which a Poisson number chooses the term of the mixture, and noncentral t numbers.

use crate::dist::beta::rbeta;
use crate::dist::chi_squared::rchisq;
use crate::dist::fisher_f::rf;
use crate::dist::gamma::random::{EXPONENTIAL, GAMMA_BLOCKS, gamma_from, shape_of};
use crate::dist::poisson::random::poisson_at;
use crate::dist::student_t::rt;
use crate::random::bits::{exponential_at, normal_at};
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use gristmill_kernel::kernel;

/// The Poisson number has the first blocks: one for each attempt and one for the fall-back, 129; then come those of the gamma numbers.
#[kernel]
const FIRST_GAMMA: u32 = 160;
#[kernel]
const SECOND_GAMMA: u32 = 160 + GAMMA_BLOCKS;

/// The log of a gamma number of scale 1 and finite shape above 0, from blocks `first` on: below shape 1 that of `shape + 1` and of a power
/// of a uniform number, so that nothing underflows.
#[kernel]
fn log_gamma_number(seed: u64, stream: u32, index: u64, first: u32, shape: f64) -> f64 {
    let g = log(gamma_from(seed, stream, index, first, shape_of(shape)));
    if shape < 1.0 {
        let block: u32 = EXPONENTIAL;
        return g - exponential_at(seed, stream, index, first + block) / shape;
    }
    g
}

/// The log of a gamma number whose shape is `a` plus a Poisson number of mean `l`; `-inf` where both are 0.
#[kernel]
fn log_mixed_number(seed: u64, stream: u32, index: u64, a: f64, l: f64) -> f64 {
    let shape = a + poisson_at(seed, stream, index, 0, l);
    if shape == 0.0 {
        return f64::NEG_INFINITY;
    }
    let first: u32 = FIRST_GAMMA;
    log_gamma_number(seed, stream, index, first, shape)
}

/// A noncentral chi-squared number.
///
/// Domain: `0 <= df < inf` and `0 <= ncp < inf`, else NaN; `df = 0` gives 0 with probability `exp(-ncp/2)`; `ncp = 0` is [`rchisq`], bit
///   for bit.
/// Method: a chi-squared number with `df + 2 n` degrees of freedom, `n` a Poisson number of mean `ncp/2` from blocks of its own.
/// Paper: johnson1995 (29.2); marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnchisq`; tests/it/noncentral.rs holds a Kolmogorov-Smirnov statistic.
#[kernel]
pub fn rnchisq(seed: u64, stream: u32, index: u64, df: f64, ncp: f64) -> f64 {
    if ncp == 0.0 {
        return rchisq(seed, stream, index, df);
    }
    if !(df >= 0.0 && df < f64::INFINITY && ncp > 0.0 && ncp < f64::INFINITY) {
        return f64::NAN;
    }
    let shape = 0.5 * df + poisson_at(seed, stream, index, 0, 0.5 * ncp);
    if shape == 0.0 {
        return 0.0;
    }
    let first: u32 = FIRST_GAMMA;
    let g = gamma_from(seed, stream, index, first, shape_of(shape));
    if shape < 1.0 {
        let block: u32 = EXPONENTIAL;
        let root = exp(-0.5 * exponential_at(seed, stream, index, first + block) / shape);
        return (root * g) * (root * 2.0);
    }
    2.0 * g
}

/// A noncentral beta number.
///
/// Domain: `0 < a, b < inf` and `0 <= ncp < inf`, else NaN; `ncp = 0` is [`rbeta`], bit for bit.
/// Method: `x/(x + y)` with gamma numbers of shapes `a + n` and `b`, `n` a Poisson number of mean `ncp/2`; on the log scale.
/// Paper: johnson1995 (30.7); marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbeta`; tests/it/noncentral.rs holds a Kolmogorov-Smirnov statistic.
#[kernel]
pub fn rnbeta(seed: u64, stream: u32, index: u64, a: f64, b: f64, ncp: f64) -> f64 {
    if ncp == 0.0 {
        return rbeta(seed, stream, index, a, b);
    }
    if !(a > 0.0 && a < f64::INFINITY && b > 0.0 && b < f64::INFINITY && ncp > 0.0 && ncp < f64::INFINITY) {
        return f64::NAN;
    }
    let x = log_mixed_number(seed, stream, index, a, 0.5 * ncp);
    let second: u32 = SECOND_GAMMA;
    1.0 / (1.0 + exp(log_gamma_number(seed, stream, index, second, b) - x))
}

/// A noncentral F number.
///
/// Domain: `0 < df1 < inf`, `df2 > 0` and `0 <= ncp < inf`, else NaN; `df2 = inf` gives a noncentral chi-squared number over `df1`;
///   `ncp = 0` is [`rf`], bit for bit.
/// Method: the quotient of gamma numbers of shapes `df1/2 + n` and `df2/2`, each over its degrees of freedom, `n` a Poisson number of
///   mean `ncp/2`; on the log scale.
/// Paper: johnson1995 (30.3); marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnf`; tests/it/noncentral.rs holds a Kolmogorov-Smirnov statistic.
#[kernel]
pub fn rnf(seed: u64, stream: u32, index: u64, df1: f64, df2: f64, ncp: f64) -> f64 {
    if ncp == 0.0 {
        return rf(seed, stream, index, df1, df2);
    }
    if !(df1 > 0.0 && df1 < f64::INFINITY && df2 > 0.0 && ncp > 0.0 && ncp < f64::INFINITY) {
        return f64::NAN;
    }
    let x = log_mixed_number(seed, stream, index, 0.5 * df1, 0.5 * ncp) - log(0.5 * df1);
    if df2 == f64::INFINITY {
        return exp(x);
    }
    let second: u32 = SECOND_GAMMA;
    exp(x - (log_gamma_number(seed, stream, index, second, 0.5 * df2) - log(0.5 * df2)))
}

/// A noncentral t number.
///
/// Domain: `df > 0` and a finite `ncp`, else NaN; `df = inf` gives a normal number with mean `ncp`; `ncp = 0` is [`rt`], bit for bit.
/// Method: `(z + ncp)/sqrt(c/df)` with a normal `z` (block 0) and a chi-squared `c`; on the log scale, so that a result is infinite only if
///   the number is above the largest double.
/// Paper: johnson1995 (31.1); marsaglia2000, box1958.
/// Error: the numbers follow `pnt`; tests/it/noncentral.rs holds a Kolmogorov-Smirnov statistic.
#[kernel]
pub fn rnt(seed: u64, stream: u32, index: u64, df: f64, ncp: f64) -> f64 {
    if ncp == 0.0 {
        return rt(seed, stream, index, df);
    }
    if !(df > 0.0 && ncp.abs() < f64::INFINITY) {
        return f64::NAN;
    }
    let z = normal_at(seed, stream, index, 0) + ncp;
    if df == f64::INFINITY {
        return z;
    }
    // half of the smallest double would be 0
    let shape = if df > 1e-300 { 0.5 * df } else { 5e-301 };
    let first: u32 = FIRST_GAMMA;
    let size = exp(log(z.abs()) - 0.5 * (log_gamma_number(seed, stream, index, first, shape) - log(shape)));
    if z < 0.0 { -size } else { size }
}
