//! Negative binomial numbers: Poisson numbers with a gamma mean.

use gristmill_kernel::kernel;

use crate::dist::gamma::random::{EXPONENTIAL, GAMMA_BLOCKS, Shape, gamma_from, gamma_quick, shape_of};
use crate::dist::poisson::random::{hat_of, poisson_at, poisson_first};
use crate::random::bits::{accepted, exponential_at, normal_pair, spare_bits, two_sided};
use crate::random::small_mean::{Ratios, count_below, invert};
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;
use crate::special::powers_of_two::TWO_M20;

/// What negative binomial numbers need: the mass at 0 and the ratio of masses, or what the gamma number of the mean needs.
#[kernel]
pub(crate) struct Mixture {
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
pub(crate) fn falling(size: f64, q: f64) -> Ratios {
    Ratios { a: size, da: -1.0, b: q, db: 0.0, c: 1.0, dc: 0.0 }
}

/// `zero` is the mass at 0, `q` what the ratio of neighbours tends to; `odd` parameters give always `edge`, or with `limit` a
/// Poisson number of that mean.
#[kernel]
pub(crate) fn mixture_of(
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
pub(crate) fn mixture_eval(seed: u64, stream: u32, index: u64, s: Mixture) -> f64 {
    let y = mixture_main(seed, stream, index, s);
    if accepted(y) { y } else { mixture_rest(seed, stream, index, s) }
}

/// A negative binomial number: how many failures before success number `size`, which need not be whole.
///
/// R: `rnbinom(size, prob, mu)`, negative binomial random number: `rnbinom(size, prob)`; given `mu`:
///   `rnbinom_mu(size, mu)`.
/// Domain: `size > 0` and `0 < prob <= 1`, else NaN; `prob = 1` gives 0; else `size = inf` gives `+inf`. NaN gives NaN.
/// Method: where the mean and two standard deviations are at most 48 and `1 - prob <= 0.87`, inversion, as in [`rpois`](crate::rpois); else a
///   Poisson number (from block 130 on) whose mean is a gamma number of shape `size` and scale `(1 - prob)/prob`.
/// Paper: greenwood1920, marsaglia2000, hormann1993poisson.
/// Error: the numbers follow `pnbinom`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rnbinom(seed: u64, stream: u32, index: u64, size: f64, prob: f64) -> f64 {
    mixture_eval(seed, stream, index, mixture_setup(size, prob))
}
