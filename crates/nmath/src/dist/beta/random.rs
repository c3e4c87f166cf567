//! Beta numbers, from two gamma numbers with their first blocks in common.

use gristmill_kernel::kernel;

use crate::dist::gamma::random::{ATTEMPTS, GAMMA_BLOCKS, Shape, gamma_decided, gamma_quick, gamma_within, shape_of};
use crate::random::bits::{accepted, exponential_of, normal_pair, spare_halves, unif_rand, unit};
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;
use crate::special::powers_of_two::{TWO_200, TWO_M10, TWO_M30};

/// Two gamma numbers begin with two blocks in common; then come the blocks of each.
#[kernel]
pub(crate) const FIRST_OF_TWO: u32 = 2;

#[kernel]
const SECOND_OF_TWO: u32 = 2 + GAMMA_BLOCKS;

/// Two exponential numbers, for shapes below 1.
#[kernel]
pub(crate) const EXPONENTIALS_OF_TWO: u32 = 2 + 2 * GAMMA_BLOCKS;

#[kernel]
const LN_2_30: f64 = 30.0 * std::f64::consts::LN_2;

/// What two gamma numbers and their ratio need.
#[kernel]
pub(crate) struct Two {
    /// The parameters as given.
    pub(crate) a: f64,
    pub(crate) b: f64,
    /// Their gamma numbers; where the parameters are not usual these are NaN, and so is what the main path gives.
    pub(crate) x: Shape,
    pub(crate) y: Shape,
    /// A shape is below 1.
    pub(crate) small: bool,
    /// With exponential `e` and `f`, `e more - f less` is the log of the second number's power of `u` over the first one's.
    pub(crate) more: f64,
    pub(crate) less: f64,
    /// One over the shapes, and the log of the second one over the first.
    pub(crate) inverse_x: f64,
    pub(crate) inverse_y: f64,
    pub(crate) log_ratio: f64,
}

/// Below 1e-200 both exponents are so large that their difference decides between 0 and infinity; there only the ratio of
/// the shapes counts, and a factor moves both away from the subnormal numbers: never `inf - inf`.
#[kernel]
pub(crate) fn two_of(a: f64, b: f64, x: f64, y: f64, usual: bool) -> Two {
    let tiny = x < 1e-200 && y < 1e-200;
    let unit = if tiny { 1.0 / TWO_200 } else { 1.0 };
    Two {
        a,
        b,
        x: shape_of(if usual { x } else { f64::NAN }),
        y: shape_of(if usual { y } else { f64::NAN }),
        small: x < 1.0 || y < 1.0,
        more: if x < 1.0 { unit / x } else { 0.0 },
        less: if y < 1.0 { unit / y } else { 0.0 },
        inverse_x: 1.0 / x,
        inverse_y: 1.0 / y,
        log_ratio: log(y) - log(x),
    }
}

/// `log(y/x)` of two gamma numbers, from those of shapes 1 and above that proposals give.
#[kernel]
pub(crate) fn log_quotient(seed: u64, stream: u32, index: u64, x: f64, y: f64, more: f64, less: f64) -> f64 {
    let block: u32 = EXPONENTIALS_OF_TWO;
    let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
    let difference = exponential_of(first) * more - exponential_of(second) * less;
    // 2^-30, because the quotient of the largest shape and a small number overflows
    difference + (log(TWO_M30 * y / x) + LN_2_30)
}

/// Two gamma numbers of shapes 1 and above by their first proposals, where these need no logarithm; else NaN.
#[kernel]
pub(crate) fn two_quick(seed: u64, stream: u32, index: u64, c: Shape, d: Shape) -> (f64, f64) {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    let (p, q): (f64, f64) = normal_pair(first, second);
    let (u, v): (f64, f64) = spare_halves(second);
    (gamma_quick(p, (u + 1.0) * TWO_M10, c), gamma_quick(q, (v + 1.0) * TWO_M10, d))
}

/// The same two numbers with every bit and every proposal they may need.
#[kernel]
pub(crate) fn two_within(seed: u64, stream: u32, index: u64, s: Two, attempts: u32) -> (f64, f64) {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    let (p, q): (f64, f64) = normal_pair(first, second);
    let (u, v): (f64, f64) = spare_halves(second);
    let (more, less): (u64, u64) = philox_block(seed, stream, index, 1);
    let (c, d): (Shape, Shape) = (s.x, s.y);
    let mut x = gamma_decided(p, (u + unit(more)) * TWO_M10, c);
    let mut y = gamma_decided(q, (v + unit(less)) * TWO_M10, d);
    if x.is_nan() {
        let block: u32 = FIRST_OF_TWO;
        x = gamma_within(seed, stream, index, block, c, attempts);
    }
    if y.is_nan() {
        let block: u32 = SECOND_OF_TWO;
        y = gamma_within(seed, stream, index, block, d, attempts);
    }
    (x, y)
}

#[kernel]
fn beta_setup(a: f64, b: f64) -> Two {
    let usual = a > 0.0 && a < f64::INFINITY && b > 0.0 && b < f64::INFINITY;
    two_of(a, b, a, b, usual)
}

/// The beta number of two gamma numbers.
#[kernel]
fn beta_of(seed: u64, stream: u32, index: u64, x: f64, y: f64, s: Two) -> f64 {
    if s.small {
        return 1.0 / (1.0 + exp(log_quotient(seed, stream, index, x, y, s.more, s.less)));
    }
    let half = 0.5 * x;
    half / (half + 0.5 * y)
}

#[kernel]
fn beta_main(seed: u64, stream: u32, index: u64, s: Two) -> f64 {
    let (c, d): (Shape, Shape) = (s.x, s.y);
    let (x, y) = two_quick(seed, stream, index, c, d);
    beta_of(seed, stream, index, x, y, s)
}

#[kernel]
fn beta_rest(seed: u64, stream: u32, index: u64, s: Two) -> f64 {
    let (a, b) = (s.a, s.b);
    if a.is_nan() || b.is_nan() {
        return a + b;
    }
    if a < 0.0 || b < 0.0 {
        return f64::NAN;
    }
    if a == f64::INFINITY && b == f64::INFINITY {
        return 0.5;
    }
    if a == 0.0 && b == 0.0 {
        return if unif_rand(seed, stream, index) < 0.5 { 0.0 } else { 1.0 };
    }
    if a == f64::INFINITY || b == 0.0 {
        return 1.0;
    }
    if b == f64::INFINITY || a == 0.0 {
        return 0.0;
    }
    let attempts: u32 = ATTEMPTS;
    let (x, y) = two_within(seed, stream, index, s, attempts);
    beta_of(seed, stream, index, x, y, s)
}

/// A beta number.
///
/// R: `rbeta(shape1, shape2, ncp)`, beta random number: `rbeta(shape1, shape2)`; given `ncp`:
///   `rnbeta(shape1, shape2, ncp)`.
/// Domain: `a >= 0` and `b >= 0`, else NaN. `a = b = 0` gives 0 or 1 with equal probability, `a = b = inf` 1/2; else
///   `a = 0` or `b = inf` gives 0, `b = 0` or `a = inf` gives 1. NaN gives NaN.
/// Method: `x/(x + y)` with gamma numbers `x` and `y`, whose first proposals come from one block: its sine and its cosine; below
///   shape 1 their ratio is taken on the log scale, where it neither underflows nor overflows, whatever the shapes.
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pbeta`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rbeta(seed: u64, stream: u32, index: u64, a: f64, b: f64) -> f64 {
    let s = beta_setup(a, b);
    let y = beta_main(seed, stream, index, s);
    if accepted(y) { y } else { beta_rest(seed, stream, index, s) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers from common blocks: each follows its distribution, also when its first proposal is refused.
    #[test]
    fn two_gamma_numbers_follow_their_distributions() {
        for (a, b) in [(1.0, 1.0), (1.2, 40.0), (300.0, 1.5)] {
            for attempts in [0, 1, ATTEMPTS] {
                let n = 4000;
                let both: Vec<(f64, f64)> = (0..n).map(|i| two_within(13, 1, i, beta_setup(a, b), attempts)).collect();
                for (which, shape) in [(0, a), (1, b)] {
                    let value = |xy: &(f64, f64)| if which == 0 { xy.0 } else { xy.1 };
                    let mut p: Vec<f64> =
                        both.iter().map(|xy| crate::pgamma(value(xy), shape, 1.0, true, false)).collect();
                    p.sort_by(f64::total_cmp);
                    let rank =
                        |i: usize, p: f64| (p - i as f64 / n as f64).abs().max(((i + 1) as f64 / n as f64 - p).abs());
                    let distance = p.iter().enumerate().map(|(i, p)| rank(i, *p)).fold(0.0, f64::max);
                    // passed twice in a thousand times
                    assert!(distance < 1.86 / (n as f64).sqrt(), "shapes {a}, {b}, number {which}: {distance}");
                }
            }
        }
    }
}
