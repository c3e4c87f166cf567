//! Poisson numbers, and the negative binomial ones, which are Poisson numbers with a gamma mean.

use gristmill_kernel::kernel;

use super::bits::{two_sided, unit};
use super::gamma_draw::{GAMMA_BLOCKS, gamma_parts};
use super::small_mean::{Ratios, invert, poisson_log_mass};
use crate::dist::poisson::qpois;
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At mean 10, the worst, fewer than 27 of 100 are: 128 times in a row has a
/// probability below 2^-241.
#[kernel]
const ATTEMPTS: u32 = 128;

/// The hat of the rejection method.
#[kernel]
struct Hat {
    mean: f64,
    a: f64,
    b: f64,
    inverse_alpha: f64,
    /// Below this height every proposal of the centre is accepted.
    sure: f64,
}

/// The paper's constants, for `mean >= 10`.
#[kernel]
fn hat_of(mean: f64) -> Hat {
    let b = 0.931 + 2.53 * mean.sqrt();
    Hat {
        mean,
        a: 0.02483 * b - 0.059,
        b,
        inverse_alpha: 1.1239 + 1.1328 / (b - 3.4),
        sure: 0.9277 - 3.6224 / (b - 2.0),
    }
}

/// One proposal from the words of a block: a Poisson number, or -1 if it is refused.
#[kernel]
fn poisson_proposal(first: u64, second: u64, hat: Hat) -> f64 {
    let u = unit(first) - 0.5;
    let v = unit(second);
    let us = 0.5 - u.abs();
    let k = ((2.0 * hat.a / us + hat.b) * u + hat.mean + 0.43).floor();
    if us >= 0.07 && v <= hat.sure {
        return k;
    }
    if k < 0.0 || (us < 0.013 && v > us) {
        return -1.0;
    }
    let height = log(v * hat.inverse_alpha / (hat.a / (us * us) + hat.b));
    if height <= poisson_log_mass(k, hat.mean) { k } else { -1.0 }
}

/// A Poisson number, from blocks `first` on, for a finite mean.
#[kernel]
fn poisson_at(seed: u64, stream: u32, index: u64, first: u32, mean: f64) -> f64 {
    if mean < 10.0 {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, first);
        let (t, above): (f64, bool) = two_sided(w0, w1);
        return invert(exp(-mean), Ratios { a: mean, da: 0.0, b: 1.0, db: 0.0, c: 1.0, dc: 0.0 }, t, above);
    }
    let attempts: u32 = ATTEMPTS;
    poisson_within(seed, stream, index, first, mean, attempts)
}

/// A Poisson number of mean 10 or more by at most `attempts` proposals, then by its quantile.
#[kernel]
fn poisson_within(seed: u64, stream: u32, index: u64, first: u32, mean: f64, attempts: u32) -> f64 {
    let hat = hat_of(mean);
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, first + attempt);
        let k = poisson_proposal(w0, w1, hat);
        if k >= 0.0 {
            return k;
        }
        attempt += 1;
    }
    let (w0, _): (u64, u64) = philox_block(seed, stream, index, first + ATTEMPTS);
    qpois(unit(w0), mean, true, false)
}

/// A Poisson number.
///
/// Domain: `0 <= mu < inf`, else NaN; `mu = 0` gives 0. Results are whole; above 2^53 they are doubles next to the number.
/// Method: mu < 10   inversion: the masses are subtracted from a uniform number of 128 bits, the far upper tail is summed
///                   from its own end
///   mu >= 10  transformed rejection with squeeze (PTRS), the mass in saddle-point form, whose error does not grow with
///             `mu`; the refusals are bounded, then `qpois` of a uniform number. The border is that of the paper's proof.
/// Paper: hormann1993poisson, loader2000.
/// Error: the numbers follow `ppois`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rpois(seed: u64, stream: u32, index: u64, mu: f64) -> f64 {
    if !(mu >= 0.0 && mu < f64::INFINITY) {
        return f64::NAN;
    }
    poisson_at(seed, stream, index, 0, mu)
}

/// A Poisson number whose mean is a gamma number of that shape times `over/under`, on the log scale below shape 1.
#[kernel]
fn mixed_poisson(seed: u64, stream: u32, index: u64, shape: f64, over: f64, under: f64) -> f64 {
    let (g, e): (f64, f64) = gamma_parts(seed, stream, index, 0, shape);
    let mean = if shape < 1.0 { exp((log(over) - log(under)) + log(g) - e / shape) } else { g * (over / under) };
    if mean == f64::INFINITY {
        return f64::INFINITY;
    }
    let first: u32 = GAMMA_BLOCKS;
    poisson_at(seed, stream, index, first, mean)
}

/// A negative binomial number: how many failures before success number `size`, which need not be whole.
///
/// Domain: `size > 0` and `0 < prob <= 1`, else NaN; `prob = 1` gives 0; else `size = inf` gives `+inf`. NaN gives NaN.
/// Method: a Poisson number (from block 130 on) whose mean is a gamma number of shape `size` and scale `(1 - prob)/prob`.
/// Paper: greenwood1920, marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbinom`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rnbinom(seed: u64, stream: u32, index: u64, size: f64, prob: f64) -> f64 {
    if !(size > 0.0 && prob > 0.0 && prob <= 1.0) {
        return f64::NAN;
    }
    if prob == 1.0 {
        return 0.0;
    }
    if size == f64::INFINITY {
        return f64::INFINITY;
    }
    mixed_poisson(seed, stream, index, size, 1.0 - prob, prob)
}

/// A negative binomial number with mean `mu`.
///
/// Domain: `size > 0` and `0 <= mu < inf`, else NaN; `mu = 0` gives 0; `size = inf` gives a Poisson number. NaN gives NaN.
/// Method: as [`rnbinom`], with scale `mu/size`.
/// Paper: greenwood1920, marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbinom_mu`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rnbinom_mu(seed: u64, stream: u32, index: u64, size: f64, mu: f64) -> f64 {
    if !(size > 0.0 && mu >= 0.0 && mu < f64::INFINITY) {
        return f64::NAN;
    }
    if mu == 0.0 {
        return 0.0;
    }
    if size == f64::INFINITY {
        let first: u32 = GAMMA_BLOCKS;
        return poisson_at(seed, stream, index, first, mu);
    }
    mixed_poisson(seed, stream, index, size, mu, size)
}

#[cfg(test)]
mod tests {
    use super::super::agreement::assert_follows;
    use super::*;

    #[test]
    fn fewer_than_27_of_100_proposals_are_refused() {
        for mean in [10.0, 10.5, 12.0, 20.0, 100.0, 1e4, 1e12, 1e100] {
            let refused = |i: &u64| {
                let (w0, w1) = philox_block(3, 0, *i, 0);
                poisson_proposal(w0, w1, hat_of(mean)) < 0.0
            };
            let count = (0..20_000).filter(refused).count();
            assert!(count < 5400, "mean {mean}: {count} of 20000");
        }
    }

    /// With a bound that is reached, numbers come from both ways, or from the fall-back alone: the distribution is the same.
    #[test]
    fn the_fall_back_follows_the_distribution() {
        for mean in [10.0, 33.3, 5000.0] {
            for attempts in [0, 1] {
                assert_follows(
                    &format!("mean {mean}, {attempts} attempts"),
                    |i| poisson_within(11, 2, i, 0, mean, attempts),
                    |p| qpois(p, mean, true, false),
                    |q| crate::ppois(q, mean, true, false),
                );
            }
        }
    }
}
