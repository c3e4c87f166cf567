//! Binomial numbers.

use gristmill_kernel::kernel;

use crate::dist::gamma::random::{GAMMA_BLOCKS, gamma_from, shape_of};
use crate::random::bits::{accepted, two_sided, unit};
use crate::random::small_mean::{Ratios, at_least_one, count_below, count_term, invert, mode_term};
use crate::special::exponential::exp;
use crate::special::logarithm::{log, log1p};
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At `n p = 10`, `p = 1/2`, the worst, fewer than 33 of 100 are: 128 times in a row
/// has a probability below 2^-204.
#[kernel]
const ATTEMPTS: u32 = 128;
/// Below this mean by inversion, which costs as many steps as the number is large.
#[kernel]
const INVERSION_END: f64 = 32.0;

/// Inversion from block `block`, for `n p < 32` and `p <= 1/2`.
#[kernel]
fn invert_binomial(seed: u64, stream: u32, index: u64, block: u32, n: f64, p: f64) -> f64 {
    let (w0, w1): (u64, u64) = philox_block(seed, stream, index, block);
    let (t, above): (f64, bool) = two_sided(w0, w1);
    invert(exp(n * log1p(-p)), ratios(n, p), t, above)
}

#[kernel(inline)]
fn ratios(n: f64, p: f64) -> Ratios {
    Ratios { a: n, da: 1.0, b: p / (1.0 - p), db: 0.0, c: 1.0, dc: 0.0 }
}

/// A binomial number without any refusal: the place of `p` among `n` uniform numbers, halved by their median, which is a
/// beta number, until inversion can do the rest. Takes `log2(n)` steps.
///
/// Method: with `B` the `i`-th smallest of `n` uniform numbers, `i = floor((n + 1)/2)`: if `B <= p`, `i` of them are below `p`
///   and the other `n - i` are uniform in `(B, 1)`; else `i - 1` are uniform in `(0, B)`.
/// Paper: relles1972.
#[kernel]
fn binomial_by_halves(seed: u64, stream: u32, index: u64, first: u32, n: f64, p: f64) -> f64 {
    let mut left = n;
    let mut chance = p;
    let mut found: f64 = 0.0;
    let mut block = first;
    let mut steps: u32 = 0;
    while left * (if chance < 0.5 { chance } else { 1.0 - chance }) >= 10.0 && steps < 1100 {
        let i = (0.5 * (left + 1.0)).floor();
        let x = gamma_from(seed, stream, index, block, shape_of(i));
        let y = gamma_from(seed, stream, index, block + GAMMA_BLOCKS, shape_of(left + 1.0 - i));
        block += 2 * GAMMA_BLOCKS;
        let middle = x / (x + y);
        if middle <= chance {
            found += i;
            left -= i;
            chance = (chance - middle) / (1.0 - middle);
        } else {
            left = i - 1.0;
            chance /= middle;
        }
        steps += 1;
    }
    if chance <= 0.5 {
        return found + invert_binomial(seed, stream, index, block, left, chance);
    }
    found + (left - invert_binomial(seed, stream, index, block, left, 1.0 - chance))
}

/// The hat of the rejection method.
#[kernel]
struct Hat {
    n: f64,
    p: f64,
    mean: f64,
    a: f64,
    b: f64,
    alpha: f64,
    /// Below this height every proposal of the centre is accepted.
    sure: f64,
}

/// The paper's constants, for `n p >= 10` and `p <= 1/2`.
#[kernel]
fn hat_of(n: f64, p: f64) -> Hat {
    let mean = n * p;
    let spread = (mean * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = 0.0248 * b + (0.01 * p - 0.0873);
    Hat { n, p, mean, a, b, alpha: (2.83 + 5.1 / b) * spread, sure: 0.92 - 4.2 / b }
}

/// What the masses are made of.
#[kernel]
struct Masses {
    n: f64,
    mean: (f64, f64),
    /// `n (1 - p)`
    left_mean: f64,
    /// The mode's part of the test, and one over its counts.
    at_mode: f64,
    inverse_mode: f64,
    inverse_left: f64,
}

/// For `n p >= 10` and `p <= 1/2`.
#[kernel]
fn masses_of(n: f64, p: f64) -> Masses {
    let mean = n * p;
    let mean_low = n.mul_add(p, -mean);
    let left_mean = n * (1.0 - p);
    let mode = ((n + 1.0) * p).floor();
    let d = (mode - mean) - mean_low;
    let inverse_mode = 1.0 / mode;
    let inverse_left = 1.0 / (n - mode);
    let at_mode = mode_term(inverse_mode, d) + mode_term(inverse_left, -d);
    Masses { n, mean: (mean, mean_low), left_mean, at_mode, inverse_mode, inverse_left }
}

/// What `k` adds to minus the log of the mass, beside the roots.
#[kernel]
fn counts_term(k: f64, n: f64, mean: f64, mean_low: f64, left_mean: f64) -> f64 {
    // k - n p without the rounding of n p, which would count where n is large; the other difference is its negative
    let d = (k - mean) - mean_low;
    count_term(k, mean, d) + count_term(n - k, left_mean, -d)
}

/// A proposal from the words of a block as `(k, us, v)`: the number, how far from the ends of the hat it is, and a height.
#[kernel(inline)]
fn proposed(first: u64, second: u64, s: Hat) -> (f64, f64, f64) {
    let u = unit(first) - 0.5;
    let us = 0.5 - u.abs();
    (((2.0 * s.a / us + s.b) * u + s.mean + 0.5).floor(), us, unit(second))
}

/// A binomial number with `n p >= 10` by a proposal that is accepted without looking at the mass, or NaN.
///
/// Paper: hormann1993binomial.
#[kernel]
fn binomial_quick(first: u64, second: u64, s: Hat) -> f64 {
    let (k, us, v) = proposed(first, second, s);
    if us >= 0.07 && v <= s.sure { k } else { f64::NAN }
}

/// One proposal from the words of a block: a binomial number with `n p >= 10`, or NaN if it is refused.
///
/// Method: `log(v alpha/hat) <= log mass(k) - log mass(mode)`; the logarithms of the height and of the roots in Stirling's
///   formula are one.
/// Paper: hormann1993binomial, loader2000.
#[kernel]
fn binomial_proposal(first: u64, second: u64, s: Hat, m: Masses) -> f64 {
    let (k, us, v) = proposed(first, second, s);
    if us >= 0.07 && v <= s.sure {
        return k;
    }
    if k < 0.0 || k > s.n {
        return f64::NAN;
    }
    let height = v * s.alpha / (s.a / (us * us) + s.b);
    let roots = (at_least_one(k) * m.inverse_mode) * (at_least_one(m.n - k) * m.inverse_left);
    let terms = counts_term(k, m.n, m.mean.0, m.mean.1, m.left_mean) - m.at_mode;
    let sum = 0.5 * log(height * height * roots) + terms;
    if sum <= 0.0 { k } else { f64::NAN }
}

/// A binomial number with `n p >= 10` by at most `attempts` proposals, then by halves.
#[kernel]
fn binomial_within(seed: u64, stream: u32, index: u64, s: Hat, attempts: u32) -> f64 {
    let m: Masses = masses_of(s.n, s.p);
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, attempt);
        let k = binomial_proposal(w0, w1, s, m);
        if !k.is_nan() {
            return k;
        }
        attempt += 1;
    }
    let first: u32 = ATTEMPTS;
    binomial_by_halves(seed, stream, index, first, s.n, s.p)
}

/// What binomial numbers need, after the exchange of `p` and `1 - p`: the mass at 0 and the odds, and the hat.
#[kernel]
struct Binomial {
    usual: bool,
    /// The failures are drawn.
    flip: bool,
    zero: f64,
    odds: f64,
    hat: Hat,
}

#[kernel]
fn binomial_setup(n: f64, pp: f64) -> Binomial {
    let usual = n >= 0.0 && n < f64::INFINITY && pp >= 0.0 && pp <= 1.0 && n == n.floor();
    let flip = pp > 0.5;
    let p = if flip { 1.0 - pp } else { pp };
    let mut zero: f64 = 0.0;
    if n * p < INVERSION_END {
        zero = exp(n * log1p(-p));
    }
    Binomial { usual, flip, zero, odds: p / (1.0 - p), hat: hat_of(n, p) }
}

#[kernel]
fn binomial_main(seed: u64, stream: u32, index: u64, s: Binomial) -> f64 {
    let (w0, w1): (u64, u64) = philox_block(seed, stream, index, 0);
    let hat: Hat = s.hat;
    let k = if hat.mean < INVERSION_END {
        count_below(w0, w1, s.zero, hat.n * s.odds, -s.odds)
    } else {
        binomial_quick(w0, w1, hat)
    };
    let k = if s.flip { hat.n - k } else { k };
    if s.usual { k } else { f64::NAN }
}

#[kernel]
fn binomial_rest(seed: u64, stream: u32, index: u64, s: Binomial) -> f64 {
    if !s.usual {
        return f64::NAN;
    }
    let hat: Hat = s.hat;
    let attempts: u32 = ATTEMPTS;
    let k = if hat.mean < INVERSION_END {
        invert_binomial(seed, stream, index, 0, hat.n, hat.p)
    } else {
        binomial_within(seed, stream, index, hat, attempts)
    };
    if s.flip { hat.n - k } else { k }
}

/// A binomial number.
///
/// R: `rbinom(size, prob)`, binomial random number.
/// Domain: whole finite `n >= 0` and `0 <= pp <= 1`, else NaN. Results are whole; for `n` above 2^53 they are doubles next
///   to the number.
/// Method: for `pp > 1/2` the failures are drawn. With `p <= 1/2`:
///   n p < 32   inversion of a uniform number of 128 bits: by counting the first 56 values of the distribution function that
///              are below it; beyond them the masses are subtracted one by one, and the far upper tail is summed from its
///              own end
///   n p >= 32  transformed rejection with squeeze (BTRS), the mass in saddle-point form, whose error does not grow with
///              `n`; the refusals are bounded, then the median of `n` uniform numbers halves the problem until it is
///              small, which is exact and needs `log2(n)` steps. The paper's proof is for `n p >= 10`.
/// Paper: hormann1993binomial, loader2000, relles1972.
/// Error: the numbers follow `pbinom`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rbinom(seed: u64, stream: u32, index: u64, n: f64, pp: f64) -> f64 {
    let s = binomial_setup(n, pp);
    let y = binomial_main(seed, stream, index, s);
    if accepted(y) { y } else { binomial_rest(seed, stream, index, s) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::agreement::assert_follows;
    use crate::{dbinom, pbinom, pchisq, qbinom};

    #[test]
    fn log_masses_are_those_of_the_density() {
        for (n, p) in [(20.0, 0.5), (1e4, 0.01), (1e12, 0.3), (1e17, 0.499)] {
            let s = masses_of(n, p);
            let mode = f64::floor((n + 1.0) * p);
            for z in [-30.0, -3.0, -0.2, 0.0, 1.0, 4.5, 30.0] {
                let k = f64::clamp(f64::floor(n * p + z * f64::sqrt(n * p * (1.0 - p))), 0.0, n);
                let roots = (at_least_one(k) * s.inverse_mode) * (at_least_one(n - k) * s.inverse_left);
                let terms = counts_term(k, n, s.mean.0, s.mean.1, s.left_mean) - s.at_mode;
                let truth = dbinom(k, n, p, true) - dbinom(mode, n, p, true);
                let error = (-(0.5 * log(roots) + terms) - truth).abs();
                assert!(error < 1e-11 * (1.0 + truth.abs()), "mass of {k}, n {n}, p {p}: error {error}");
            }
        }
    }

    #[test]
    fn fewer_than_33_of_100_proposals_are_refused() {
        for (n, p) in [(20.0, 0.5), (30.0, 0.35), (1000.0, 0.01), (1e5, 0.5), (1e12, 0.3), (1e300, 1e-100)] {
            let refused = |i: &u64| {
                let (w0, w1) = philox_block(3, 0, *i, 0);
                binomial_proposal(w0, w1, hat_of(n, p), masses_of(n, p)).is_nan()
            };
            let count = (0..20_000).filter(refused).count();
            assert!(count < 6600, "n {n}, p {p}: {count} of 20000");
        }
    }

    /// With a bound that is reached, numbers come from both ways: the distribution is the same.
    #[test]
    fn the_fall_back_follows_the_distribution() {
        for (n, p) in [(20.0, 0.5), (300.0, 0.1), (1e6, 0.3)] {
            for attempts in [0, 1] {
                assert_follows(
                    &format!("n {n}, p {p}, {attempts} attempts"),
                    |i| binomial_within(11, 2, i, hat_of(n, p), attempts),
                    |q| qbinom(q, n, p, true, false),
                    |k| pbinom(k, n, p, true, false),
                );
            }
        }
    }

    #[test]
    fn halving_draws_from_the_binomial_distribution() {
        const CELLS: usize = 20;
        for (n, p) in [(40.0, 0.4), (300.0, 0.9), (1e5, 0.02), (1e12, 0.6)] {
            let borders: Vec<f64> = (1..CELLS).map(|j| qbinom(j as f64 / CELLS as f64, n, p, true, false)).collect();
            let mut counts = [0.0; CELLS];
            let draws = 3000;
            for i in 0..draws {
                let k = binomial_by_halves(1, 0, i, 0, n, p);
                assert!(k >= 0.0 && k <= n && k == k.floor());
                counts[borders.iter().filter(|b| **b < k).count()] += 1.0;
            }
            let below = |j: usize| if j == CELLS { 1.0 } else { pbinom(borders[j - 1], n, p, true, false) };
            let mut chi2 = 0.0;
            for (j, count) in counts.iter().enumerate() {
                let expected = (below(j + 1) - if j == 0 { 0.0 } else { below(j) }) * draws as f64;
                if expected > 0.0 {
                    chi2 += (count - expected) * (count - expected) / expected;
                }
            }
            let tail = pchisq(chi2, CELLS as f64 - 1.0, false, false);
            assert!(tail > 1e-6, "n {n}, p {p}: chi-squared {chi2}, tail {tail}");
        }
    }
}
