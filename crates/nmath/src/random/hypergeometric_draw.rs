//! Hypergeometric numbers.

use gristmill_kernel::kernel;

use super::bits::{two_sided, unit};
use super::small_mean::{Ratios, binomial_log_mass, invert};
use crate::dist::hypergeometric::qhyper;
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At mean 10, the worst, fewer than half of them are: 256 times in a row has a
/// probability below 2^-256.
#[kernel]
const ATTEMPTS: u32 = 256;
/// 2 sqrt(2/e)
#[kernel]
const WIDTH: f64 = 1.715_527_769_921_413_6;
/// 3 - 2 sqrt(3/e)
#[kernel]
const WIDTH_MORE: f64 = 0.898_916_162_058_898_7;

/// The part of the log mass that depends on `k`: red balls among `n` drawn from `r` red and `b` black ones.
///
/// Method: the mass is `B(k; r, p) B(n - k; b, p)/B(n; r + b, p)` with binomial masses `B` and any `p`; with `p = n/(r + b)` all
///   three are taken near their modes, where they are exact.
/// Paper: loader2000.
#[kernel]
fn log_mass(k: f64, r: f64, b: f64, n: f64, p: f64, q: f64) -> f64 {
    binomial_log_mass(k, r, p, q) + binomial_log_mass(n - k, b, p, q)
}

/// An urn with `r <= b` red balls, of which `n`, at most half of all, are drawn.
#[kernel]
struct Urn {
    r: f64,
    b: f64,
    n: f64,
    p: f64,
    q: f64,
    mean: f64,
    /// The width of the hat at height 1.
    width: f64,
}

#[kernel]
fn urn_of(r: f64, b: f64, n: f64) -> Urn {
    let all = r + b;
    let p = n / all;
    let q = (all - n) / all;
    let mean = r * p;
    let variance = mean * (b / all) * ((all - n) / (all - 1.0));
    Urn { r, b, n, p, q, mean, width: WIDTH.mul_add((variance + 0.5).sqrt(), WIDTH_MORE) }
}

/// The log mass of `k` against that of the mode.
#[kernel]
fn relative_log_mass(k: f64, urn: Urn) -> f64 {
    let mode = ((urn.r + 1.0) * ((urn.n + 1.0) / (urn.r + urn.b + 2.0))).floor();
    log_mass(k, urn.r, urn.b, urn.n, urn.p, urn.q) - log_mass(mode, urn.r, urn.b, urn.n, urn.p, urn.q)
}

/// One proposal from the words of a block: a hypergeometric number, or -1 if it is refused.
#[kernel]
fn hypergeometric_proposal(first: u64, second: u64, urn: Urn) -> f64 {
    let u = unit(first);
    let k = (urn.mean + 0.5 + urn.width * (unit(second) - 0.5) / u).floor();
    let most = if urn.r < urn.n { urn.r } else { urn.n };
    if k < 0.0 || k > most {
        return -1.0;
    }
    if 2.0 * log(u) <= relative_log_mass(k, urn) { k } else { -1.0 }
}

/// How many red ones there are, for `n <= (r + b)/2` and `r <= b`: all whole.
#[kernel]
fn few_red(seed: u64, stream: u32, index: u64, r: f64, b: f64, n: f64) -> f64 {
    if r == 0.0 || n == 0.0 {
        return 0.0;
    }
    let urn = urn_of(r, b, n);
    if urn.mean < 10.0 {
        let zero = exp(log_mass(0.0, r, b, n, urn.p, urn.q) - binomial_log_mass(n, r + b, urn.p, urn.q));
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, 0);
        let (t, above): (f64, bool) = two_sided(w0, w1);
        return invert(zero, Ratios { a: r, da: 1.0, b: n, db: 1.0, c: b - n + 1.0, dc: 1.0 }, t, above);
    }
    let attempts: u32 = ATTEMPTS;
    hypergeometric_within(seed, stream, index, urn, attempts)
}

/// A hypergeometric number of mean 10 or more by at most `attempts` proposals, then by its quantile.
#[kernel]
fn hypergeometric_within(seed: u64, stream: u32, index: u64, urn: Urn, attempts: u32) -> f64 {
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, attempt);
        let k = hypergeometric_proposal(w0, w1, urn);
        if k >= 0.0 {
            return k;
        }
        attempt += 1;
    }
    let last: u32 = ATTEMPTS;
    let (w0, _): (u64, u64) = philox_block(seed, stream, index, last);
    qhyper(unit(w0), urn.r, urn.b, urn.n, true, false)
}

/// A hypergeometric number: how many red balls there are among `n` drawn without replacement from `r` red and `b` black.
///
/// Domain: `r`, `b`, `n` finite and not negative after rounding to whole numbers (as in R), `n <= r + b`, else NaN.
///   `r + b` should not exceed 2^53, so that sums of the three are exact.
/// Method: by symmetry `n <= (r + b)/2` and `r <= b`. Then
///   mean < 10   inversion: the masses are subtracted from a uniform number of 128 bits, the far upper tail is summed from
///               its own end
///   mean >= 10  ratio of uniforms with a rectangular hat; the mass in saddle-point form. The refusals are bounded,
///               then `qhyper` of a uniform number.
/// Paper: stadlober1990, loader2000.
/// Error: the numbers follow `phyper`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rhyper(seed: u64, stream: u32, index: u64, r: f64, b: f64, n: f64) -> f64 {
    if !(r.abs() < f64::INFINITY && b.abs() < f64::INFINITY && n.abs() < f64::INFINITY) {
        return f64::NAN;
    }
    let red = r.round_ties_even();
    let black = b.round_ties_even();
    let drawn = n.round_ties_even();
    let all = red + black;
    if red < 0.0 || black < 0.0 || drawn < 0.0 || drawn > all || all == f64::INFINITY {
        return f64::NAN;
    }
    // the ones left behind instead of the drawn, the black instead of the red
    let behind = drawn > all - drawn;
    let few = if behind { all - drawn } else { drawn };
    let swapped = red > black;
    let k = few_red(seed, stream, index, if swapped { black } else { red }, if swapped { red } else { black }, few);
    let k = if swapped { few - k } else { k };
    if behind { red - k } else { k }
}

#[cfg(test)]
mod tests {
    use super::super::agreement::assert_follows;
    use super::*;

    #[test]
    fn fewer_than_half_of_the_proposals_are_refused() {
        for (r, b, n) in
            [(20.0, 20.0, 20.0), (30.0, 60.0, 30.0), (500.0, 1e5, 4e3), (1e6, 1e6, 1e6), (1e12, 4e12, 1e11)]
        {
            let refused = |i: &u64| {
                let (w0, w1) = philox_block(3, 0, *i, 0);
                hypergeometric_proposal(w0, w1, urn_of(r, b, n)) < 0.0
            };
            let count = (0..5000).filter(refused).count();
            assert!(count < 2500, "{r} red, {b} black, {n} drawn: {count} of 5000");
        }
    }

    /// With a bound that is reached, numbers come from both ways, or from the fall-back alone: the distribution is the same.
    #[test]
    fn the_fall_back_follows_the_distribution() {
        for (r, b, n) in [(20.0, 30.0, 25.0), (400.0, 900.0, 600.0), (1e6, 1e6, 1e5)] {
            for attempts in [0, 1] {
                assert_follows(
                    &format!("{r} red, {b} black, {n} drawn, {attempts} attempts"),
                    |i| hypergeometric_within(11, 2, i, urn_of(r, b, n), attempts),
                    |p| qhyper(p, r, b, n, true, false),
                    |q| crate::phyper(q, r, b, n, true, false),
                );
            }
        }
    }

    #[test]
    fn the_hat_covers_the_mass() {
        // For each k the largest |x - mean - 1/2| sqrt(f(k)/f(mode)) with floor(x) = k must fit into the hat.
        for (r, b, n) in
            [(20.0, 20.0, 20.0), (20.0, 30.0, 25.0), (40.0, 40.0, 21.0), (100.0, 1000.0, 110.0), (1e3, 1e5, 5e4)]
        {
            let urn = urn_of(r, b, n);
            for k in 0..=(f64::min(r, n) as u32) {
                let k = f64::from(k);
                let reach = f64::max((k + 1.0 - urn.mean - 0.5).abs(), (k - urn.mean - 0.5).abs());
                let needed = reach * f64::exp(0.5 * relative_log_mass(k, urn));
                assert!(needed <= 0.5 * urn.width * (1.0 + 1e-12), "{r} red, {b} black, {n} drawn: k {k}");
            }
        }
    }
}
