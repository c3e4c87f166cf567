//! Binomial numbers.

use gristmill_kernel::kernel;

use super::bits::{two_sided, unit};
use super::gamma_draw::{GAMMA_BLOCKS, gamma_parts};
use super::small_mean::{Ratios, binomial_log_mass, invert};
use crate::special::exponential::exp;
use crate::special::logarithm::{log, log1p};
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At `n p = 10`, `p = 1/2`, the worst, fewer than 33 of 100 are: 128 times in a row
/// has a probability below 2^-204.
#[kernel]
const ATTEMPTS: u32 = 128;

/// Inversion from block `block`, for `n p < 10` and `p <= 1/2`.
#[kernel]
fn invert_binomial(seed: u64, stream: u32, index: u64, block: u32, n: f64, p: f64) -> f64 {
    let (w0, w1): (u64, u64) = philox_block(seed, stream, index, block);
    let (t, above): (f64, bool) = two_sided(w0, w1);
    let odds = p / (1.0 - p);
    invert(exp(n * log1p(-p)), Ratios { a: n, da: 1.0, b: odds, db: 0.0, c: 1.0, dc: 0.0 }, t, above)
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
        let (x, _): (f64, f64) = gamma_parts(seed, stream, index, block, i);
        let (y, _): (f64, f64) = gamma_parts(seed, stream, index, block + GAMMA_BLOCKS, left + 1.0 - i);
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

/// One proposal from the words of a block: a binomial number, or -1 if it is refused.
#[kernel]
fn binomial_proposal(first: u64, second: u64, hat: Hat) -> f64 {
    let u = unit(first) - 0.5;
    let v = unit(second);
    let us = 0.5 - u.abs();
    let k = ((2.0 * hat.a / us + hat.b) * u + hat.mean + 0.5).floor();
    if us >= 0.07 && v <= hat.sure {
        return k;
    }
    if k < 0.0 || k > hat.n {
        return -1.0;
    }
    let height = log(v * hat.alpha / (hat.a / (us * us) + hat.b));
    let mode = ((hat.n + 1.0) * hat.p).floor();
    let q = 1.0 - hat.p;
    if height <= binomial_log_mass(k, hat.n, hat.p, q) - binomial_log_mass(mode, hat.n, hat.p, q) { k } else { -1.0 }
}

/// A binomial number for whole finite `n >= 0` and `0 <= p <= 1/2`.
#[kernel]
fn binomial_half(seed: u64, stream: u32, index: u64, n: f64, p: f64) -> f64 {
    if n * p < 10.0 {
        return invert_binomial(seed, stream, index, 0, n, p);
    }
    let hat = hat_of(n, p);
    let mut attempt: u32 = 0;
    while attempt < ATTEMPTS {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, attempt);
        let k = binomial_proposal(w0, w1, hat);
        if k >= 0.0 {
            return k;
        }
        attempt += 1;
    }
    binomial_by_halves(seed, stream, index, attempt, n, p)
}

/// A binomial number.
///
/// Domain: whole finite `n >= 0` and `0 <= pp <= 1`, else NaN. Results are whole; for `n` above 2^53 they are doubles next
///   to the number.
/// Method: for `pp > 1/2` the failures are drawn. With `p <= 1/2`:
///   n p < 10   inversion: the masses are subtracted from a uniform number of 128 bits, the far upper tail is summed from
///              its own end
///   n p >= 10  transformed rejection with squeeze (BTRS), the mass in saddle-point form, whose error does not grow with
///              `n`; the refusals are bounded, then the median of `n` uniform numbers halves the problem until it is
///              small, which is exact and needs `log2(n)` steps. The border is that of the paper's proof.
/// Paper: hormann1993binomial, loader2000, relles1972.
/// Error: the numbers follow `pbinom`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rbinom(seed: u64, stream: u32, index: u64, n: f64, pp: f64) -> f64 {
    if !(n >= 0.0 && n < f64::INFINITY && pp >= 0.0 && pp <= 1.0) || n != n.floor() {
        return f64::NAN;
    }
    if n == 0.0 || pp == 0.0 {
        return 0.0;
    }
    if pp <= 0.5 {
        binomial_half(seed, stream, index, n, pp)
    } else {
        n - binomial_half(seed, stream, index, n, 1.0 - pp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pbinom, pchisq, qbinom};

    #[test]
    fn fewer_than_33_of_100_proposals_are_refused() {
        for (n, p) in [(20.0, 0.5), (30.0, 0.35), (1000.0, 0.01), (1e5, 0.5), (1e12, 0.3), (1e300, 1e-100)] {
            let refused = |i: &u64| {
                let (w0, w1) = philox_block(3, 0, *i, 0);
                binomial_proposal(w0, w1, hat_of(n, p)) < 0.0
            };
            let count = (0..20_000).filter(refused).count();
            assert!(count < 6600, "n {n}, p {p}: {count} of 20000");
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
