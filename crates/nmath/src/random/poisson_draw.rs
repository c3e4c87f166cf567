//! Poisson numbers, and the negative binomial ones, which are Poisson numbers with a gamma mean.

use gristmill_kernel::kernel;

use super::bits::{accepted, exponential_at, normal_pair, spare_bits, two_sided, unit};
use super::gamma_draw::{EXPONENTIAL, GAMMA_BLOCKS, Shape, gamma_from, gamma_quick, shape_of};
use super::small_mean::{Ratios, at_least_one, count_below, count_term, invert};
use crate::dist::poisson::qpois;
use crate::special::exponential::exp;
use crate::special::logarithm::{log, log1p};
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
/// 2^-20
#[kernel]
const TWO_M20: f64 = 1.0 / 1_048_576.0;

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
    let (k, us, v): (f64, f64, f64) = proposed(first, second, s);
    if us >= 0.07 && v <= s.sure { k } else { f64::NAN }
}

/// One proposal from the words of a block: a Poisson number of mean 10 or more, or NaN if it is refused.
///
/// Method: `log(v/(alpha hat)) <= log mass`; the two logarithms, of the height and of the root in Stirling's formula, are one.
/// Paper: hormann1993poisson, loader2000.
#[kernel]
fn poisson_proposal(first: u64, second: u64, s: Hat) -> f64 {
    let (k, us, v): (f64, f64, f64) = proposed(first, second, s);
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
pub fn poisson_at(seed: u64, stream: u32, index: u64, first: u32, mean: f64) -> f64 {
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
fn poisson_first(first: u64, second: u64, zero: f64, hat: Hat) -> f64 {
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

/// [`rpois`] after its setup.
#[kernel(masked)]
fn poisson_eval(seed: u64, stream: u32, index: u64, s: Poisson) -> f64 {
    let y = poisson_main(seed, stream, index, s);
    if accepted(y) { y } else { poisson_rest(seed, stream, index, s) }
}

/// A Poisson number.
///
/// Domain: `0 <= mu < inf`, else NaN; `mu = 0` gives 0. Results are whole; above 2^53 they are doubles next to the number.
/// Method: mu < 32   inversion of a uniform number of 128 bits: by counting the first 56 values of the distribution function
///                   that are below it; beyond them the masses are subtracted one by one, and the far upper tail is summed
///                   from its own end
///   mu >= 32  transformed rejection with squeeze (PTRS), the mass in saddle-point form, whose error does not grow with
///             `mu`; the refusals are bounded, then `qpois` of a uniform number. The paper's proof is for `mu >= 10`.
/// Paper: hormann1993poisson, loader2000.
/// Error: the numbers follow `ppois`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rpois(seed: u64, stream: u32, index: u64, mu: f64) -> f64 {
    poisson_eval(seed, stream, index, poisson_setup(mu))
}

/// What negative binomial numbers need: the mass at 0 and the ratio of masses, or what the gamma number of the mean needs.
#[kernel]
struct Mixture {
    /// Neither inversion nor a mixture: see `edge`.
    odd: bool,
    edge: f64,
    /// A Poisson number of mean `edge`.
    limit: bool,
    invert: bool,
    zero: f64,
    size: f64,
    q: f64,
    shape: Shape,
    /// The scale of the gamma number is `over/under`.
    over: f64,
    under: f64,
}

#[kernel(inline)]
fn falling(size: f64, q: f64) -> Ratios {
    Ratios { a: size, da: -1.0, b: q, db: 0.0, c: 1.0, dc: 0.0 }
}

/// `zero` is the mass at 0, `q` what the ratio of neighbours tends to; `odd` parameters give always `edge`, or with `limit` a
/// Poisson number of that mean.
#[kernel]
fn mixture_of(
    size: f64,
    mean: f64,
    q: f64,
    zero: f64,
    over: f64,
    under: f64,
    odd: bool,
    edge: f64,
    limit: bool,
) -> Mixture {
    // two standard deviations above the mean still counted; with a larger q the search in the far tail is long
    let invert = mean + 2.0 * (mean / (1.0 - q)).sqrt() <= 48.0 && q <= 0.87;
    Mixture { odd, edge, limit, invert, zero, size, q, shape: shape_of(size), over, under }
}

#[kernel]
fn mixture_setup(size: f64, prob: f64) -> Mixture {
    let valid = size > 0.0 && prob > 0.0 && prob <= 1.0;
    let edge = if !valid { f64::NAN } else { if prob == 1.0 { 0.0 } else { f64::INFINITY } };
    let odd = !(valid && prob < 1.0 && size < f64::INFINITY);
    let q = 1.0 - prob;
    mixture_of(size, size * (q / prob), q, exp(size * log(prob)), q, prob, odd, edge, false)
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

/// The mean of the Poisson number, from a gamma number of shape 1 or above. Below shape 1 in two factors: see `scaled_gamma`.
#[kernel]
fn mixture_mean(seed: u64, stream: u32, index: u64, g: f64, size: f64, over: f64, under: f64) -> f64 {
    let mut root: f64 = 1.0;
    if size < 1.0 {
        let block: u32 = EXPONENTIAL;
        root = exp(-0.5 / size * exponential_at(seed, stream, index, block));
    }
    (root * g) * (root / under * over)
}

#[kernel]
fn mixture_main(seed: u64, stream: u32, index: u64, s: Mixture) -> f64 {
    if s.odd {
        return f64::NAN;
    }
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    if s.invert {
        return count_below(first, second, s.zero, s.size * s.q, s.q);
    }
    let (x, _): (f64, f64) = normal_pair(first, second);
    let d: Shape = s.shape;
    let g = gamma_quick(x, (spare_bits(second) + 1.0) * TWO_M20, d);
    let mean = mixture_mean(seed, stream, index, g, s.size, s.over, s.under);
    if !(mean < f64::INFINITY) {
        return f64::NAN;
    }
    let block: u32 = GAMMA_BLOCKS;
    let (w0, w1): (u64, u64) = philox_block(seed, stream, index, block);
    poisson_first(w0, w1, exp(-mean), hat_of(mean))
}

#[kernel]
fn mixture_rest(seed: u64, stream: u32, index: u64, s: Mixture) -> f64 {
    let first: u32 = GAMMA_BLOCKS;
    if s.odd {
        return if s.limit { poisson_at(seed, stream, index, first, s.edge) } else { s.edge };
    }
    if s.invert {
        let (w0, w1): (u64, u64) = philox_block(seed, stream, index, 0);
        let (t, above): (f64, bool) = two_sided(w0, w1);
        return invert(s.zero, falling(s.size, s.q), t, above);
    }
    let d: Shape = s.shape;
    let g = gamma_from(seed, stream, index, 0, d);
    let mean = mixture_mean(seed, stream, index, g, s.size, s.over, s.under);
    if mean == f64::INFINITY {
        return f64::INFINITY;
    }
    poisson_at(seed, stream, index, first, mean)
}

/// [`rnbinom`] and [`rnbinom_mu`] after their setups.
#[kernel(masked)]
fn mixture_eval(seed: u64, stream: u32, index: u64, s: Mixture) -> f64 {
    let y = mixture_main(seed, stream, index, s);
    if accepted(y) { y } else { mixture_rest(seed, stream, index, s) }
}

/// A negative binomial number: how many failures before success number `size`, which need not be whole.
///
/// Domain: `size > 0` and `0 < prob <= 1`, else NaN; `prob = 1` gives 0; else `size = inf` gives `+inf`. NaN gives NaN.
/// Method: where the mean and two standard deviations are at most 48 and `1 - prob <= 0.87`, inversion, as in [`rpois`]; else a
///   Poisson number (from block 130 on) whose mean is a gamma number of shape `size` and scale `(1 - prob)/prob`.
/// Paper: greenwood1920, marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbinom`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rnbinom(seed: u64, stream: u32, index: u64, size: f64, prob: f64) -> f64 {
    mixture_eval(seed, stream, index, mixture_setup(size, prob))
}

/// A negative binomial number with mean `mu`.
///
/// Domain: `size > 0` and `0 <= mu < inf`, else NaN; `mu = 0` gives 0; `size = inf` gives a Poisson number. NaN gives NaN.
/// Method: as [`rnbinom`], with scale `mu/size`.
/// Paper: greenwood1920, marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbinom_mu`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rnbinom_mu(seed: u64, stream: u32, index: u64, size: f64, mu: f64) -> f64 {
    mixture_eval(seed, stream, index, mixture_mu_setup(size, mu))
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
