//! The binomial distribution.

use crate::special::binomial_kernel::{
    BinomialSetup, binomial_density, binomial_setup, exp_of, near_binomial, near_binomial_density,
    small_binomial_exponent,
};
use crate::special::conventions::{is_fractional, one_on, quantile_end, whole_count, zero_on};
use crate::special::discrete_quantile::{Location, binomial_search};
use crate::special::double_double::two_sum;
use crate::special::incomplete_beta::{binomial_tail, tail_result};
pub(crate) mod random;

pub use random::rbinom;

use gristmill_kernel::kernel;

/// What the binomial functions need of their parameters.
#[kernel]
pub struct BinomSetup {
    /// 0: an ordinary distribution; 1: NaN; 2, 3: all mass at 0, at n.
    pub kind: f64,
    /// The parameters' part of the density.
    pub density: BinomialSetup,
}

/// The part of the binomial functions that depends on the parameters only.
#[kernel]
pub fn binom_setup(n: f64, prob: f64) -> BinomSetup {
    let bad = n.is_nan() || prob.is_nan() || prob < 0.0 || prob > 1.0 || n < 0.0 || n == f64::INFINITY;
    let bad = bad || is_fractional(n);
    let n = n.round_ties_even();
    let kind = if bad {
        1.0
    } else if n == 0.0 || prob < f64::MIN_POSITIVE {
        2.0
    } else if prob == 1.0 {
        3.0
    } else {
        0.0
    };
    let p = if kind == 0.0 { prob } else { 0.5 };
    let trials = if bad {
        1.0
    } else if n > 1e280 {
        1e280 // no count is that large; beyond, products leave the range
    } else {
        n
    };
    BinomSetup { kind, density: binomial_setup(trials, (p, 0.0), two_sum(1.0, -p)) }
}

/// Whether [`dbinom_main`] holds.
#[kernel(inline)]
fn dbinom_in_main(x: f64, s: BinomSetup, _log: bool) -> bool {
    let d: BinomialSetup = s.density;
    let small: bool = d.small;
    s.kind == 0.0 && x >= 0.0 && x <= d.n && x == x.round_ties_even() && (small || near_binomial(x, d))
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
    if x.is_nan() || s.kind == 1.0 {
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
    if s.kind != 0.0 {
        let mass = if s.kind == 2.0 { 0.0 } else { n };
        return if k == mass { one_on(log) } else { zero_on(log) };
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
    if x.is_nan() || s.kind == 1.0 {
        return f64::NAN;
    }
    let d: BinomialSetup = s.density;
    let k = whole_count(x);
    if k < 0.0 {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if k >= d.n || s.kind == 2.0 {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    if s.kind == 3.0 {
        return if lower { zero_on(log) } else { one_on(log) };
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

/// [`qbinom`] after its setup.
#[kernel]
pub fn qbinom_eval(p: f64, s: BinomSetup, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || s.kind == 1.0 {
        return f64::NAN;
    }
    let d: BinomialSetup = s.density;
    if end == 0.0 {
        return 0.0;
    }
    if end == 1.0 || s.kind == 3.0 {
        return d.n;
    }
    if s.kind == 2.0 {
        return 0.0;
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
