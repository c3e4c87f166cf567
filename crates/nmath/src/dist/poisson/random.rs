//! Poisson numbers, and the negative binomial ones, which are Poisson numbers with a gamma mean.

use gristmill_kernel::kernel;

use super::qpois;
use crate::random::bits::{accepted, two_sided, unit};
use crate::random::small_mean::{Ratios, at_least_one, count_below, count_term, invert};
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At mean 10, the worst, fewer than 27 of 100 are: 128 times in a row has a
/// probability below 2^-241.
#[kernel]
const ATTEMPTS: u32 = 128;

/// Below this mean by inversion, which costs as many steps as the number is large.
#[kernel]
const INVERSION_END: f64 = 32.0;

/// 2 pi
#[kernel]
const TWO_PI: f64 = std::f64::consts::TAU;

/// The hat of the rejection method.
#[kernel]
pub(crate) struct Hat {
    mean: f64,
    a: f64,
    b: f64,
    inverse_alpha: f64,
    /// Below this height every proposal of the centre is accepted.
    sure: f64,
}

/// The paper's constants, for `mean >= 10`.
#[kernel]
pub(crate) fn hat_of(mean: f64) -> Hat {
    let b = 0.931 + 2.53 * mean.sqrt();
    Hat {
        mean,
        a: 0.02483 * b - 0.059,
        b,
        inverse_alpha: 1.1239 + 1.1328 / (b - 3.4),
        sure: 0.9277 - 3.6224 / (b - 2.0),
    }
}

#[kernel(inline)]
fn ratios(mean: f64) -> Ratios {
    Ratios { a: mean, da: 0.0, b: 1.0, db: 0.0, c: 1.0, dc: 0.0 }
}

/// A proposal from the words of a block as `(k, us, v)`: the number, how far from the ends of the hat it is, and a height.
#[kernel(inline)]
fn proposed(first: u64, second: u64, s: Hat) -> (f64, f64, f64) {
    let u = unit(first) - 0.5;
    let us = 0.5 - u.abs();
    (((2.0 * s.a / us + s.b) * u + s.mean + 0.43).floor(), us, unit(second))
}

/// A Poisson number of mean 10 or more by a proposal that is accepted without looking at the mass, or NaN.
///
/// Paper: hormann1993poisson.
#[kernel]
fn poisson_quick(first: u64, second: u64, s: Hat) -> f64 {
    let (k, us, v) = proposed(first, second, s);
    if us >= 0.07 && v <= s.sure { k } else { f64::NAN }
}

/// One proposal from the words of a block: a Poisson number of mean 10 or more, or NaN if it is refused.
///
/// Method: `log(v/(alpha hat)) <= log mass`; the two logarithms, of the height and of the root in Stirling's formula, are one.
/// Paper: hormann1993poisson, loader2000.
#[kernel]
fn poisson_proposal(first: u64, second: u64, s: Hat) -> f64 {
    let (k, us, v) = proposed(first, second, s);
    if us >= 0.07 && v <= s.sure {
        return k;
    }
    if k < 0.0 || (us < 0.013 && v > us) {
        return f64::NAN;
    }
    let height = v * s.inverse_alpha / (s.a / (us * us) + s.b);
    let sum = 0.5 * log(height * (height * at_least_one(k)) * TWO_PI) + count_term(k, s.mean, k - s.mean);
    if sum <= 0.0 { k } else { f64::NAN }
}

/// A Poisson number of mean 10 or more by at most `attempts` proposals, then by its quantile; blocks from `first` on.
#[kernel]
fn poisson_within(seed: u64, stream: u32, index: u64, first: u32, s: Hat, attempts: u32) -> f64 {
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, first + attempt);
        let k = poisson_proposal(w0, w1, s);
        if !k.is_nan() {
            return k;
        }
        attempt += 1;
    }
    let (w0, _): (u64, u64) = philox_block(seed, stream, index, first + ATTEMPTS);
    qpois(unit(w0), s.mean, true, false)
}

/// A Poisson number, from blocks `first` on, for a finite mean.
#[kernel]
pub(crate) fn poisson_at(seed: u64, stream: u32, index: u64, first: u32, mean: f64) -> f64 {
    if mean < INVERSION_END {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, first);
        let (t, above): (f64, bool) = two_sided(w0, w1);
        return invert(exp(-mean), ratios(mean), t, above);
    }
    let attempts: u32 = ATTEMPTS;
    poisson_within(seed, stream, index, first, hat_of(mean), attempts)
}

/// What Poisson numbers need: the mass at 0, and the hat.
#[kernel]
struct Poisson {
    usual: bool,
    zero: f64,
    hat: Hat,
}

#[kernel]
fn poisson_setup(mu: f64) -> Poisson {
    let usual = mu >= 0.0 && mu < f64::INFINITY;
    // one of the two is needed; where parameters are columns, the other one would cost
    if mu < INVERSION_END {
        return Poisson { usual, zero: exp(-mu), hat: Hat { mean: mu, a: 0.0, b: 0.0, inverse_alpha: 0.0, sure: 0.0 } };
    }
    Poisson { usual, zero: 0.0, hat: hat_of(mu) }
}

/// A Poisson number from the words of its first block, or NaN if it needs more.
#[kernel]
pub(crate) fn poisson_first(first: u64, second: u64, zero: f64, hat: Hat) -> f64 {
    if hat.mean < INVERSION_END {
        return count_below(first, second, zero, hat.mean, 0.0);
    }
    poisson_quick(first, second, hat)
}

#[kernel]
fn poisson_main(seed: u64, stream: u32, index: u64, s: Poisson) -> f64 {
    let (w0, w1): (u64, u64) = philox_block(seed, stream, index, 0);
    let hat: Hat = s.hat;
    let k = poisson_first(w0, w1, s.zero, hat);
    if s.usual { k } else { f64::NAN }
}

#[kernel]
fn poisson_rest(seed: u64, stream: u32, index: u64, s: Poisson) -> f64 {
    if !s.usual {
        return f64::NAN;
    }
    let hat: Hat = s.hat;
    poisson_at(seed, stream, index, 0, hat.mean)
}

/// A Poisson number.
///
/// R: `rpois(lambda)`, Poisson random number.
/// Domain: `0 <= mu < inf`, else NaN; `mu = 0` gives 0. Results are whole; above 2^53 they are doubles next to the number.
/// Method: mu < 32   inversion of a uniform number of 128 bits: by counting the first 56 values of the distribution function
///                   that are below it; beyond them the masses are subtracted one by one, and the far upper tail is summed
///                   from its own end
///   mu >= 32  transformed rejection with squeeze (PTRS), the mass in saddle-point form, whose error does not grow with
///             `mu`; the refusals are bounded, then `qpois` of a uniform number. The paper's proof is for `mu >= 10`.
/// Paper: hormann1993poisson, loader2000.
/// Error: the numbers follow `ppois`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rpois(seed: u64, stream: u32, index: u64, mu: f64) -> f64 {
    let s = poisson_setup(mu);
    let y = poisson_main(seed, stream, index, s);
    if accepted(y) { y } else { poisson_rest(seed, stream, index, s) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::agreement::assert_follows;

    #[test]
    fn fewer_than_27_of_100_proposals_are_refused() {
        for mean in [10.0, 10.5, 12.0, 20.0, 100.0, 1e4, 1e12, 1e100] {
            let refused = |i: &u64| {
                let (w0, w1) = philox_block(3, 0, *i, 0);
                poisson_proposal(w0, w1, hat_of(mean)).is_nan()
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
                    |i| poisson_within(11, 2, i, 0, hat_of(mean), attempts),
                    |p| qpois(p, mean, true, false),
                    |q| crate::ppois(q, mean, true, false),
                );
            }
        }
    }
}
