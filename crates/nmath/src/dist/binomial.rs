//! The binomial distribution.

use super::poisson::qpois;
use crate::special::binomial_kernel::{
    BinomialSetup, binomial_density, binomial_setup, deviance_of_trials, exp_of, near_binomial, near_binomial_density,
    small_binomial_exponent,
};
use crate::special::constants::{INV_SQRT_2PI, LN_SQRT_2PI};
use crate::special::conventions::{is_fractional, one_on, quantile_end, whole_count, zero_on};
use crate::special::discrete_quantile::{Location, binomial_search, step_tolerance};
use crate::special::double_double::{dd_add_short, dd_mul_d, dd_sub_short, two_sum};
use crate::special::gamma_function::lgamma1p_dd;
use crate::special::incomplete_beta::{binomial_tail, tail_result};
use crate::special::incomplete_gamma::{pgamma_beyond, tail_logs};
use crate::special::logarithm::{log as natural_log, log_dd};
use crate::special::poisson_mass::{log_scaled_exp, poisson_parts, scaled_exp};
use crate::special::powers_of_two::{TWO_64, TWO_M64};
pub(crate) mod random;

pub use random::rbinom;

use gristmill_kernel::kernel;

/// An ordinary distribution.
#[kernel]
const ORDINARY: f64 = 0.0;
/// No distribution: every result is NaN.
#[kernel]
const INVALID: f64 = 1.0;
/// All mass is at 0.
#[kernel]
const ALL_AT_0: f64 = 2.0;
/// All mass is at `n`.
#[kernel]
const ALL_AT_N: f64 = 3.0;
/// More than [`MANY`] trials.
#[kernel]
const MANY_TRIALS: f64 = 4.0;
/// A subnormal probability.
#[kernel]
const RARE: f64 = 5.0;

/// What the binomial functions need of their parameters.
#[kernel]
pub struct BinomSetup {
    /// [`ORDINARY`], [`INVALID`], [`ALL_AT_0`], [`ALL_AT_N`], [`MANY_TRIALS`] or [`RARE`].
    pub kind: f64,
    /// The parameters' part of the density.
    pub density: BinomialSetup,
}

/// From here on products of counts leave the range.
#[kernel]
const MANY: f64 = 1e280;
/// Up to this mean more than [`MANY`] trials are Poisson's distribution, to 1e-20. Beyond, and for counts beyond, the width is less
/// than 1e-64 of mean or count: the probabilities are 0, 1/2 and 1, and their logarithms the deviance, which grows in proportion to
/// the counts.
#[kernel]
const POISSON_TO: f64 = 1e130;

/// `(e, apart)`: minus the deviance of `k` of more than [`MANY`] trials, and the sign of `k - n p`.
#[kernel]
fn proportional(k: f64, d: BinomialSetup) -> (f64, f64) {
    let deviance = deviance_of_trials(k * TWO_M64, d.n * TWO_M64, d.p, d.q);
    let (high, low) = two_sum(k, -d.mean.0);
    let apart = high + (low - d.mean.1);
    (if apart == 0.0 { 0.0 } else { -(deviance.0 + deviance.1) * TWO_64 }, apart)
}

/// The density of more than [`MANY`] trials.
#[kernel]
fn density_of_many(k: f64, d: BinomialSetup, log: bool) -> f64 {
    let mean: (f64, f64) = d.mean;
    if k < POISSON_TO && mean.0 < POISSON_TO {
        if k == 0.0 {
            return if log { -mean.0 } else { exp_of((-mean.0, -mean.1)) };
        }
        if mean.0 < 1e-280 {
            let l = dd_add_short(log_dd((d.n, 0.0)), log_dd(d.p));
            let e = dd_sub_short(dd_mul_d(l, k), lgamma1p_dd(k));
            return if log { e.0 + e.1 } else { exp_of(e) };
        }
        let (e, el, c, cl) = poisson_parts(k, mean);
        return if log { log_scaled_exp((e, el), (c, cl)) } else { scaled_exp((e, el), (c, cl)) };
    }
    if k == 0.0 || k == d.n {
        let none = log_dd(d.q);
        let all = log_dd(d.p);
        return if !log {
            0.0
        } else if k == 0.0 {
            (none.0 + none.1) * d.n
        } else {
            (all.0 + all.1) * d.n
        };
    }
    let (e, apart) = proportional(k, d);
    if apart != 0.0 {
        return if log { e } else { 0.0 };
    }
    // 1/sqrt(2 pi k (n-k)/n)
    let root = k.sqrt() * ((d.n - k) / d.n).sqrt();
    if log { -(natural_log(root) + LN_SQRT_2PI.0) } else { INV_SQRT_2PI.0 / root }
}

/// The distribution function of more than [`MANY`] trials at `0 <= k < n`.
#[kernel]
fn probability_of_many(k: f64, d: BinomialSetup, lower: bool, log: bool) -> f64 {
    let mean: (f64, f64) = d.mean;
    if k < POISSON_TO && mean.0 < POISSON_TO {
        let mut l = (0.0, 0.0);
        if mean.0 < 1e-290 {
            l = dd_add_short(log_dd((d.n, 0.0)), log_dd(d.p));
        }
        return pgamma_beyond(k + 1.0, mean, l, !lower, log);
    }
    let (e, apart) = proportional(k, d);
    if apart == 0.0 {
        return if log { -std::f64::consts::LN_2 } else { 0.5 };
    }
    if (apart > 0.0) == lower {
        return one_on(log);
    }
    if !log {
        return 0.0;
    }
    let none = log_dd(d.q);
    if k > 0.0 { e } else { (none.0 + none.1) * d.n }
}

/// The part of the binomial functions that depends on the parameters only.
#[kernel]
pub fn binom_setup(n: f64, prob: f64) -> BinomSetup {
    let bad = n.is_nan() || prob.is_nan() || prob < 0.0 || prob > 1.0 || n < 0.0 || n == f64::INFINITY;
    let bad = bad || is_fractional(n);
    let n = n.round_ties_even();
    let kind = if bad {
        INVALID
    } else if n == 0.0 || prob == 0.0 {
        ALL_AT_0
    } else if prob == 1.0 {
        ALL_AT_N
    } else if n > MANY {
        MANY_TRIALS
    } else if prob < f64::MIN_POSITIVE {
        RARE
    } else {
        ORDINARY
    };
    let p = if kind == ORDINARY || kind == MANY_TRIALS || kind == RARE { prob } else { 0.5 };
    let trials = if bad { 1.0 } else { n };
    BinomSetup { kind, density: binomial_setup(trials, (p, 0.0), two_sum(1.0, -p)) }
}

/// Whether [`dbinom_main`] holds.
#[kernel(inline)]
fn dbinom_in_main(x: f64, s: BinomSetup, _log: bool) -> bool {
    let d: BinomialSetup = s.density;
    let small: bool = d.small;
    s.kind == ORDINARY && x >= 0.0 && x <= d.n && x == x.round_ties_even() && (small || near_binomial(x, d))
}

/// The density at an integer in the support of an ordinary distribution, from the table or near the mean.
#[kernel(inline)]
fn dbinom_main(x: f64, s: BinomSetup, log: bool) -> f64 {
    let d: BinomialSetup = s.density;
    if d.small {
        let e = small_binomial_exponent(x, d);
        return if log { e.0 + e.1 } else { exp_of(e) };
    }
    near_binomial_density(x, d, log)
}

/// The density elsewhere.
#[kernel]
fn dbinom_rest(x: f64, s: BinomSetup, log: bool) -> f64 {
    if x.is_nan() || s.kind == INVALID {
        return f64::NAN;
    }
    let d: BinomialSetup = s.density;
    let n = d.n;
    if is_fractional(x) || x < 0.0 || x > n + 0.5 {
        return zero_on(log);
    }
    let k = x.round_ties_even();
    if k > n {
        return zero_on(log);
    }
    if s.kind == MANY_TRIALS {
        return density_of_many(k, d, log);
    }
    if s.kind == ALL_AT_0 || s.kind == ALL_AT_N {
        let mass = if s.kind == ALL_AT_0 { 0.0 } else { n };
        return if k == mass { one_on(log) } else { zero_on(log) };
    }
    if s.kind == RARE && k == 0.0 {
        // log(1 - p) is -p
        return if log { -(n * d.p.0) } else { 1.0 };
    }
    binomial_density(k, d, log)
}

/// Density of the binomial distribution: `x` successes in `n` trials of probability `prob`.
///
/// R: `dbinom(x, size, prob, log = FALSE)`, binomial probability.
/// Domain: `n` a non-negative integer, `0 <= prob <= 1`, otherwise NaN; a fractional `x` or one outside 0..n gives 0
/// (log: `-inf`).
/// Method:
///   n <= 511    log n! - log x! - log (n-x)! + x log p + (n-x) log q from a table, all as pairs
///   otherwise   the saddle-point form with its exponent in double-double; near the mean (x/(n p) and (n-x)/(n q) within
///               [2/3, 3/2], both counts at least 16) with one division and one square root
/// Paper: loader2000.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn dbinom(x: f64, n: f64, prob: f64, log: bool) -> f64 {
    let s = binom_setup(n, prob);
    if dbinom_in_main(x, s, log) { dbinom_main(x, s, log) } else { dbinom_rest(x, s, log) }
}

/// [`pbinom`] after its setup.
#[kernel]
pub fn pbinom_eval(x: f64, s: BinomSetup, lower: bool, log: bool) -> f64 {
    if x.is_nan() || s.kind == INVALID {
        return f64::NAN;
    }
    let d: BinomialSetup = s.density;
    let k = whole_count(x);
    if k < 0.0 {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if k >= d.n || s.kind == ALL_AT_0 {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    if s.kind == ALL_AT_N {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if s.kind == MANY_TRIALS {
        return probability_of_many(k, d, lower, log);
    }
    if s.kind == RARE {
        // the mean is below 1e-27: all of the upper tail is its first mass
        let above = binomial_density(k + 1.0, d, log && !lower);
        if !lower {
            return above;
        }
        return if log { -above } else { 1.0 - above };
    }
    tail_result(binomial_tail(k, d), lower, log)
}

/// Distribution function of the binomial distribution with `n` trials of probability `prob`.
///
/// R: `pbinom(q, size, prob, lower.tail = TRUE, log.p = FALSE)`, binomial distribution function.
/// Domain: `n` a non-negative integer, `0 <= prob <= 1`, otherwise NaN; `x + 1e-7` is rounded down.
/// Method: `F(k) = I_q(n-k, k+1)`, the incomplete beta ratio (see [`crate::pbeta`]), with `q = 1 - prob` as a pair; for
/// `n <= 510` its constant from the table of `log k!`.
/// Paper: didonato1992; DLMF 8.17.5.
/// Error: 99 % within 0.60 ulp, at most 0.70 ulp on the points of dev/oracle; the tests hold it.
#[kernel(split)]
pub fn pbinom(x: f64, n: f64, prob: f64, lower: bool, log: bool) -> f64 {
    pbinom_eval(x, binom_setup(n, prob), lower, log)
}

/// From this standard deviation on, doubles next to the mean are farther from it than any quantile.
#[kernel]
const FAR_SPREAD: f64 = 1e100;

/// [`qbinom`] of a subnormal probability of success. The mean is below 1e-27, and the upper tail is its first mass, which falls by more
/// than that from each count to the next: the count is doubled until it is reached, then the interval halved.
#[kernel]
fn quantile_of_rare(p: f64, d: BinomialSetup, lower: bool, log: bool) -> f64 {
    let (same, same_low, other, other_low) = tail_logs(p, log);
    let target = if lower { (other, other_low) } else { (same, same_low) };
    let tolerance = step_tolerance(same, target.0, !lower, true, log);
    let mut below: f64 = -1.0; // not reached there
    let mut reached = d.n; // reached there
    let mut k: f64 = 0.0;
    for _ in 0..2100 {
        if k >= reached {
            k = 0.5 * (below + reached);
        }
        k = k.floor();
        if reached - below <= 1.0 || k <= below || k >= reached {
            break;
        }
        if binomial_density(k + 1.0, d, true) <= target.0 + tolerance {
            reached = k;
            k = (0.5 * (below + reached)).floor();
        } else {
            below = k;
            // while the first end stands, twice as far
            k = if reached == d.n { 2.0 * k + 1.0 } else { 0.5 * (below + reached) };
        }
    }
    reached
}

/// [`qbinom`] after its setup.
#[kernel]
pub fn qbinom_eval(p: f64, s: BinomSetup, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.kind == INVALID {
        return f64::NAN;
    }
    let d: BinomialSetup = s.density;
    if end == 0.0 {
        return 0.0;
    }
    if end == 1.0 || s.kind == ALL_AT_N {
        return d.n;
    }
    if s.kind == ALL_AT_0 {
        return 0.0;
    }
    if s.kind == RARE {
        return quantile_of_rare(p, d, lower, log);
    }
    if s.kind == MANY_TRIALS {
        return if d.mean.0 < POISSON_TO { qpois(p, d.mean.0, lower, log) } else { d.mean.0 };
    }
    let sd = (d.n * d.p.0 * d.q.0).sqrt();
    if sd > FAR_SPREAD {
        return d.n * d.p.0;
    }
    let place = Location { first: 0.0, last: d.n, mean: d.n * d.p.0, sd, skew: (d.q.0 - d.p.0) / sd };
    binomial_search(p, lower, log, d, place)
}

/// Quantile of the binomial distribution: the smallest integer `x` with `F(x) >= p`, exactly.
///
/// R: `qbinom(p, size, prob, lower.tail = TRUE, log.p = FALSE)`, binomial quantile.
/// Domain: `0 <= p <= 1` (log: `p <= 0`), `n` a non-negative integer, `0 <= prob <= 1`, otherwise NaN; `p = 0` gives 0,
/// `p = 1` gives `n`.
/// Method: Newton's method on the logarithm of the smaller tail, then a walk by exact ratios; see
/// `special::discrete_quantile`.
/// Paper: cornish1938 (start values).
/// Error: none on the points of dev/oracle: the smallest integer whose distribution function reaches `p`.
#[kernel(split)]
pub fn qbinom(p: f64, n: f64, prob: f64, lower: bool, log: bool) -> f64 {
    qbinom_eval(p, binom_setup(n, prob), lower, log)
}
