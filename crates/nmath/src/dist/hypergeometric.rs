//! The hypergeometric distribution: white balls among those drawn from an urn without replacement.

use crate::special::binomial_kernel::scaled_result;
use crate::special::conventions::{is_fractional, one_on, quantile_end, whole_count, zero_on};
use crate::special::discrete_quantile::{Location, hyper_search};
use crate::special::hypergeometric_sum::{
    HyperSetup, hyper_density, hyper_is_near, hyper_parameters, hyper_tail, near_density, small_density,
};
use crate::special::incomplete_beta::tail_result;
pub(crate) mod random;

pub use random::rhyper;

use gristmill_kernel::kernel;

/// What the hypergeometric functions need of their parameters.
#[kernel]
pub struct HypergeometricSetup {
    /// Whether the parameters are valid.
    pub valid: bool,
    /// Whether there is only one outcome.
    pub certain: bool,
    /// The parameters; where the distribution is not valid or certain, those of another.
    pub urn: HyperSetup,
    /// The smallest possible number of white balls drawn.
    pub first: f64,
    /// The largest possible number.
    pub last: f64,
}

/// The part of the functions that depends on the parameters only.
#[kernel]
pub fn hyper_setup(r: f64, b: f64, n: f64) -> HypergeometricSetup {
    let white = r.round_ties_even();
    let black = b.round_ties_even();
    let drawn = n.round_ties_even();
    let whole = !(is_fractional(r) || is_fractional(b) || is_fractional(n));
    let valid =
        whole && white >= 0.0 && black >= 0.0 && drawn >= 0.0 && drawn <= white + black && white + black < 1e300;
    let first = if drawn - black > 0.0 { drawn - black } else { 0.0 };
    let last = if white < drawn { white } else { drawn };
    let certain = first == last;
    let use_it = valid && !certain;
    let urn = hyper_parameters(
        if use_it { white } else { 1.0 },
        if use_it { black } else { 1.0 },
        if use_it { drawn } else { 1.0 },
    );
    HypergeometricSetup { valid, certain, urn, first, last }
}

/// Whether [`dhyper_main`] holds: an integer in the support, a small urn or near the mean.
#[kernel(inline)]
fn dhyper_in_main(x: f64, s: HypergeometricSetup, _log: bool) -> bool {
    let urn: HyperSetup = s.urn;
    let small: bool = urn.small;
    let ordinary = s.valid && !s.certain && x >= s.first && x <= s.last && x == x.round_ties_even();
    ordinary && (small || hyper_is_near(x, urn))
}

/// The density there.
#[kernel(inline)]
fn dhyper_main(x: f64, s: HypergeometricSetup, log: bool) -> f64 {
    let urn: HyperSetup = s.urn;
    if urn.small {
        return small_density(x, urn, log);
    }
    near_density(x, urn, log)
}

/// The density elsewhere.
#[kernel]
fn dhyper_rest(x: f64, s: HypergeometricSetup, log: bool) -> f64 {
    if x.is_nan() || !s.valid {
        return f64::NAN;
    }
    if is_fractional(x) {
        return zero_on(log);
    }
    let k = x.round_ties_even();
    if k < s.first || k > s.last {
        return zero_on(log);
    }
    if s.certain {
        return one_on(log);
    }
    let urn: HyperSetup = s.urn;
    let d = hyper_density(k, urn);
    if log && urn.small {
        return d.e.0 + d.e.1;
    }
    scaled_result(d, log)
}

/// Density of the hypergeometric distribution: `x` white balls among `n` drawn from `r` white and `b` black ones.
///
/// R: `dhyper(x, m, n, k, log = FALSE)`, hypergeometric probability.
/// Domain: `r, b, n` non-negative integers, `n <= r + b`, otherwise NaN; a fractional `x` or one outside the support
/// gives 0 (log: `-inf`).
/// Method: up to 511 balls the table of `log k!`, as pairs; otherwise three binomial kernels with `p = n/(r+b)` in one exponent
/// in double-double, where the third deviance is 0; near the mean with one division and one square root.
/// Paper: loader2000.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle (0.52 and 0.77 on the sweep);
///   the tests hold it.
#[kernel(split)]
pub fn dhyper(x: f64, r: f64, b: f64, n: f64, log: bool) -> f64 {
    let s = hyper_setup(r, b, n);
    if dhyper_in_main(x, s, log) { dhyper_main(x, s, log) } else { dhyper_rest(x, s, log) }
}

/// [`phyper`] after its setup.
#[kernel]
pub fn phyper_eval(x: f64, s: HypergeometricSetup, lower: bool, log: bool) -> f64 {
    if x.is_nan() || !s.valid {
        return f64::NAN;
    }
    let k = whole_count(x);
    if k < s.first {
        return if lower { zero_on(log) } else { one_on(log) };
    }
    if k >= s.last {
        return if lower { one_on(log) } else { zero_on(log) };
    }
    let urn: HyperSetup = s.urn;
    tail_result(hyper_tail(k, urn), lower, log)
}

/// Distribution function of the hypergeometric distribution: `n` drawn from `r` white and `b` black balls.
///
/// R: `phyper(q, m, n, k, lower.tail = TRUE, log.p = FALSE)`, hypergeometric distribution function.
/// Domain: `r, b, n` non-negative integers, `n <= r + b`, otherwise NaN; `x + 1e-7` is rounded down.
/// Method: the density times the sum of the ratios of its neighbours, towards the nearer end of the support: positive
/// terms, products kept as pairs. If more than 3000 terms matter, that sum as an integral by Gauss' rule with Gregory's
/// correction, so the cost stays bounded for populations of any size.
/// Paper: loader2000 (density); DLMF 2.10.1, 3.5.
/// Error: 99 % within 0.51 ulp, at most 0.55 ulp on the points of dev/oracle (0.52 and 0.90 on the sweep);
///   the tests hold it.
#[kernel(split)]
pub fn phyper(x: f64, r: f64, b: f64, n: f64, lower: bool, log: bool) -> f64 {
    phyper_eval(x, hyper_setup(r, b, n), lower, log)
}

/// [`qhyper`] after its setup.
#[kernel]
pub fn qhyper_eval(p: f64, s: HypergeometricSetup, lower: bool, log: bool) -> f64 {
    let end = quantile_end(p, lower, log);
    if end < 0.0 || !s.valid {
        return f64::NAN;
    }
    if end == 0.0 || s.certain {
        return s.first;
    }
    if end == 1.0 {
        return s.last;
    }
    let urn: HyperSetup = s.urn;
    let total = urn.white + urn.black;
    let share = urn.white / total;
    let left = (total - urn.drawn) / total;
    let variance = urn.drawn * share * (urn.black / total) * left;
    let sd = variance.sqrt();
    let skew = (urn.black - urn.white) / total * ((total - 2.0 * urn.drawn) / total) / sd;
    let place = Location { first: s.first, last: s.last, mean: urn.drawn * share, sd, skew };
    hyper_search(p, lower, log, urn, place)
}

/// Quantile of the hypergeometric distribution: the smallest integer `x` with `F(x) >= p`, exactly.
///
/// R: `qhyper(p, m, n, k, lower.tail = TRUE, log.p = FALSE)`, hypergeometric quantile.
/// Domain: `0 <= p <= 1` (log: `p <= 0`), `r, b, n` non-negative integers, `n <= r + b`, otherwise NaN; `p = 0` and `p = 1`
/// give the ends of the support.
/// Method: Newton's method on the logarithm of the smaller tail, then a walk by exact ratios; see
/// `special::discrete_quantile`.
/// Paper: cornish1938 (start values).
/// Error: none on the points of dev/oracle: the smallest integer whose distribution function reaches `p`.
#[kernel(split)]
pub fn qhyper(p: f64, r: f64, b: f64, n: f64, lower: bool, log: bool) -> f64 {
    qhyper_eval(p, hyper_setup(r, b, n), lower, log)
}
