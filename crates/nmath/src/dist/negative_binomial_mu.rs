//! The negative binomial distribution by size and mean.

use super::negative_binomial::random::{Mixture, mixture_eval, mixture_of};
use crate::special::binomial_kernel::{dd_quotient, exp_of};
use crate::special::conventions::quantile_end;
use crate::special::discrete_quantile::{negative_binomial_quantile, step_tolerance};
use crate::special::double_double::{dd_add, dd_div, dd_sub, two_sum};
use crate::special::exponential::exp;
use crate::special::incomplete_gamma::{gamma_quantile, gamma_shape, tail_logs};
use crate::special::logarithm::{log_dd, log1p};
use crate::special::negative_binomial_kernel::{
    NegativeBinomial, density_in_main, density_main, density_rest, negative_binomial, negative_binomial_function,
};
use crate::special::powers_of_two::TWO_53;
use gristmill_kernel::kernel;

/// The part of the functions that depends on the parameters only: `p = size/(size+mu)` and `q = mu/(size+mu)` as pairs.
#[kernel]
pub fn nbinom_mu_setup(size: f64, mu: f64) -> NegativeBinomial {
    let bad = size.is_nan() || mu.is_nan() || size < 0.0 || mu < 0.0;
    let kind = if bad {
        1.0
    } else if size < f64::MIN_POSITIVE || mu == 0.0 {
        2.0
    } else if mu == f64::INFINITY {
        3.0
    } else if mu > 1e250 && size > 1e200 {
        5.0
    } else if mu > 1e250 && size < 1e-290 * mu {
        4.0
    } else {
        0.0
    };
    // above 1e200 the distribution is Poisson's to 1e-50, for every mean below 1e100
    let ordinary = kind == 0.0 || kind > 3.0;
    let size = if !ordinary {
        1.0
    } else if size > 1e200 && kind == 0.0 {
        1e200
    } else if size == f64::INFINITY {
        f64::MAX
    } else {
        size
    };
    let mean = if ordinary { mu } else { 1.0 };
    // shares of halves: their sum is within the range
    let total = two_sum(0.5 * size, 0.5 * mean);
    let p = dd_quotient((0.5 * size, 0.0), total);
    let q = dd_quotient((0.5 * mean, 0.0), total);
    negative_binomial(kind, size, p, q, mean)
}

/// Density of the negative binomial distribution with dispersion `size` and mean `mu`.
///
/// Domain: `size, mu >= 0`, otherwise NaN; a fractional or negative `x` gives 0. `size = 0` or `mu = 0` is all mass at 0;
/// infinite size (above 1e200) is Poisson's distribution; an infinite mean has its mass at infinity.
/// Method: that of [`crate::dnbinom`], with `size/(size+mu)` and `mu/(size+mu)` as pairs, so that neither large nor small
/// dispersion loses digits.
/// Paper: loader2000.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dnbinom_mu(x: f64, size: f64, mu: f64, log: bool) -> f64 {
    let s = nbinom_mu_setup(size, mu);
    if density_in_main(x, s, log) { density_main(x, s, log) } else { density_rest(x, s, log) }
}

/// [`pnbinom_mu`] after its setup.
#[kernel]
pub fn pnbinom_mu_eval(x: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    negative_binomial_function(x, s, lower, log)
}

/// Distribution function of the negative binomial distribution with dispersion `size` and mean `mu`.
///
/// Domain: `size, mu >= 0`, otherwise NaN; `x + 1e-7` is rounded down. `size = 0` or `mu = 0` is all mass at 0; infinite
/// size (above 1e200) is Poisson's distribution; an infinite mean has its mass at infinity.
/// Method: the incomplete beta ratio `I_p(size, k+1)`, `p = size/(size+mu)` as a pair; see [`crate::pbeta`]. For `p` below 1e-250 and
/// `x` above 1e200 the gamma distribution function of shape `size` at `k size/mu`, its limit.
/// Paper: didonato1992; DLMF 8.17.
/// Error: 99 % within 0.70 ulp, at most 0.80 ulp on the points of dev/oracle (0.65 and 1.10 on the sweep);
///   the tests hold it.
#[kernel(split)]
pub fn pnbinom_mu(x: f64, size: f64, mu: f64, lower: bool, log: bool) -> f64 {
    pnbinom_mu_eval(x, nbinom_mu_setup(size, mu), lower, log)
}

/// [`qnbinom_mu`] after its setup.
#[kernel]
pub fn qnbinom_mu_eval(p: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    if s.mean > MANY && s.kind != 1.0 && quantile_end(p, lower, log) == 2.0 {
        return quantile_of_many(p, s, lower, log);
    }
    negative_binomial_quantile(p, s, lower, log)
}

/// From this mean on the search would leave the range.
#[kernel]
const MANY: f64 = 1e250;

/// [`qnbinom_mu`] of a mean above [`MANY`], for a probability strictly between 0 and 1. Counts are then the mean times a gamma number of
/// shape `size` over `size`, so far as doubles tell them apart; below 2^53, where the probability is next to nothing or `size` is, the interval is halved.
#[kernel]
fn quantile_of_many(p: f64, s: NegativeBinomial, lower: bool, log: bool) -> f64 {
    let (same, same_low, other, other_low) = tail_logs(p, log);
    if s.kind == 5.0 {
        return s.mean; // the width is below 1e-100 of it
    }
    let log_lower = if lower { (same, same_low) } else { (other, other_low) };
    let log_upper = if lower { (other, other_low) } else { (same, same_low) };
    let share = dd_quotient((s.size, 0.0), (s.mean, 0.0)); // may underflow: only where all counts are beyond the range
    let (high, low, scale) = gamma_quantile(gamma_shape(s.size), log_lower, log_upper);
    let log_share = dd_sub(log_dd((s.mean, 0.0)), log_dd((s.size, 0.0)));
    let l = if scale == 1.0 { (high, low) } else { log_dd((high, low)) };
    let l = dd_add(l, log_share);
    if l.0 > 40.0 {
        if scale == 0.0 && share.0 > 1e-290 && l.0 < 709.0 {
            return dd_div((high, low), share).0.round_ties_even();
        }
        return exp_of(l).round_ties_even();
    }
    let small = same <= -std::f64::consts::LN_2;
    let follow_lower = small == lower;
    let target = if small { same } else { other };
    let tolerance = step_tolerance(same, target, small, !follow_lower, log);
    let mut below: f64 = -1.0; // not reached there
    let mut reached = TWO_53 * TWO_53; // reached there
    for _ in 0..120 {
        if reached - below <= 1.0 {
            break;
        }
        let k = (0.5 * (below + reached)).floor();
        let diff = negative_binomial_function(k, s, follow_lower, true) - target;
        if if follow_lower { diff >= -tolerance } else { diff <= tolerance } {
            reached = k;
        } else {
            below = k;
        }
    }
    reached
}

/// Quantile of the negative binomial distribution with dispersion `size` and mean `mu`: the smallest integer `x` with
/// `F(x) >= p`, exactly (beyond 2^53 the nearest representable numbers).
///
/// Domain: `0 <= p <= 1` (log: `p <= 0`), `size, mu >= 0`, otherwise NaN; `p = 1` gives `+inf`.
/// Method: Newton's method on the logarithm of the smaller tail, then a walk by exact ratios; see
/// `special::discrete_quantile`.
/// Paper: cornish1938 (start values).
/// Error: none on the points of dev/oracle: the smallest integer whose distribution function reaches `p`.
#[kernel(split)]
pub fn qnbinom_mu(p: f64, size: f64, mu: f64, lower: bool, log: bool) -> f64 {
    qnbinom_mu_eval(p, nbinom_mu_setup(size, mu), lower, log)
}

/// A negative binomial number with mean `mu`.
///
/// Domain: `size > 0` and `0 <= mu < inf`, else NaN; `mu = 0` gives 0; `size = inf` gives a Poisson number. NaN gives NaN.
/// Method: as [`rnbinom`](crate::rnbinom), with scale `mu/size`.
/// Paper: greenwood1920, marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbinom_mu`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rnbinom_mu(seed: u64, stream: u32, index: u64, size: f64, mu: f64) -> f64 {
    mixture_eval(seed, stream, index, mixture_mu_setup(size, mu))
}

#[kernel]
fn mixture_mu_setup(size: f64, mu: f64) -> Mixture {
    let valid = size > 0.0 && mu >= 0.0 && mu < f64::INFINITY;
    let limit = valid && mu > 0.0 && size == f64::INFINITY;
    let edge = if !valid { f64::NAN } else { mu };
    let odd = !(valid && mu > 0.0 && size < f64::INFINITY);
    let ratio = mu / size;
    mixture_of(size, mu, ratio / (1.0 + ratio), exp(-size * log1p(ratio)), mu, size, odd, edge, limit)
}
