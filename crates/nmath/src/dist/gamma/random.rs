//! Gamma numbers, from which chi-squared, beta, Student's t and F numbers are made.

use gristmill_kernel::kernel;

use super::qgamma;
use crate::random::bits::{accepted, exponential_at, normal_pair, spare_bits, unit};
use crate::special::exponential::exp;
use crate::special::logarithm::{log, log1pmx};
use crate::special::philox::philox_block;
use crate::special::powers_of_two::TWO_M20;

/// How often a proposal may be refused. At shape 1, the worst, fewer than 6 of 100 are: 64 times in a row has a probability
/// below 2^-259.
#[kernel]
pub(crate) const ATTEMPTS: u32 = 64;

/// How many blocks a gamma number may use: two for each attempt, the exponential one, the one of the fall-back.
#[kernel]
pub(crate) const GAMMA_BLOCKS: u32 = 2 * ATTEMPTS + 2;

/// The exponential number of a gamma number of shape below 1.
#[kernel]
pub(crate) const EXPONENTIAL: u32 = 2 * ATTEMPTS;

/// Marsaglia and Tsang's squeeze: beyond `1 - 0.0331 x^4` a proposal needs a logarithm.
#[kernel]
const SQUEEZE: f64 = 0.0331;

/// What proposals for a shape need. Below 1 it is that of `shape + 1`.
#[kernel]
pub(crate) struct Shape {
    pub(crate) shape: f64,
    pub(crate) a: f64,
    /// `a - 1/3`
    pub(crate) d: f64,
    /// `1/(3 sqrt(d))`
    pub(crate) c: f64,
    /// The squeeze left and right of the mode.
    pub(crate) left: f64,
    pub(crate) right: f64,
}

/// For finite `shape > 0`.
#[kernel]
pub(crate) fn shape_of(shape: f64) -> Shape {
    let a = if shape < 1.0 { shape + 1.0 } else { shape };
    let d = a - 1.0 / 3.0;
    let right = (1.0 / 108.0) / d;
    Shape { shape, a, d, c: (1.0 / 3.0) / d.sqrt(), left: 2.0 * right, right }
}

/// The gamma number of a normal `x` if a uniform number that is at most `u` accepts it without a logarithm, else NaN.
///
/// Method: accepted is `log u < 3 d (log(1 + y) - y + y^2/2 - y^3/3)` with `y = c x`. For `y >= 0` the right side is at least
///   `-3 d y^4/4 = -x^4/(108 d)`, the next term of the alternating series; for `-1/2 <= y < 0` at least twice that, by the
///   geometric series; and `exp(-s) >= 1 - s`. Further out the constant of the paper. Unlike the paper's, which is for all shapes,
///   this squeeze closes as the shape grows.
/// Paper: marsaglia2000.
#[kernel(inline)]
pub(crate) fn gamma_quick(x: f64, u: f64, s: Shape) -> f64 {
    let y = s.c * x;
    let near = if y >= 0.0 { s.right } else { s.left };
    let squeeze = if y >= -0.5 { near } else { SQUEEZE };
    let square = x * x;
    let t = 1.0 + y;
    if u <= 1.0 - squeeze * (square * square) { s.d * (t * t * t) } else { f64::NAN }
}

/// The gamma number of a normal `x` if the uniform `u` accepts it, else NaN.
#[kernel]
pub(crate) fn gamma_decided(x: f64, u: f64, s: Shape) -> f64 {
    let y = s.c * x;
    let t = 1.0 + y;
    if t <= 0.0 {
        return f64::NAN;
    }
    // beyond 1e30 the right side of the test is above -1e-26, and log(u) never is
    let sure = s.d > 1e30;
    if sure || log(u) < 3.0 * s.d * (y * y).mul_add(0.5 - y * (1.0 / 3.0), log1pmx(y)) {
        return s.d * (t * t * t);
    }
    f64::NAN
}

/// One proposal: a gamma number of scale 1, or NaN if it is refused. The first 20 bits of the uniform number are left over from
/// the normal one; where they do not decide, block `block + 1` has the others.
#[kernel]
fn gamma_proposal(seed: u64, stream: u32, index: u64, block: u32, s: Shape) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
    let (x, _): (f64, f64) = normal_pair(first, second);
    let bits = spare_bits(second);
    let g = gamma_quick(x, (bits + 1.0) * TWO_M20, s);
    if !g.is_nan() {
        return g;
    }
    let (more, _): (u64, u64) = philox_block(seed, stream, index, block + 1);
    gamma_decided(x, (bits + unit(more)) * TWO_M20, s)
}

/// A gamma number of shape `a >= 1` and scale 1 by at most `attempts` proposals, then by its quantile; blocks from `first` on.
///
/// Method: Marsaglia and Tsang's: `d v` with `d = a - 1/3`, `v = (1 + x/(3 sqrt(d)))^3` and a normal `x`,
///   accepted if `log u < x^2/2 + d (1 - v + log v)`. With `y = x/(3 sqrt(d))` the right side is
///   `3 d (log(1 + y) - y + y^2/2 - y^3/3)`, which does not cancel: shapes of 1e300 are as exact as shapes of 1.
/// Paper: marsaglia2000.
#[kernel]
pub(crate) fn gamma_within(seed: u64, stream: u32, index: u64, first: u32, s: Shape, attempts: u32) -> f64 {
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let g = gamma_proposal(seed, stream, index, first + 2 * attempt, s);
        if !g.is_nan() {
            return g;
        }
        attempt += 1;
    }
    let last: u32 = 2 * ATTEMPTS + 1;
    let (word, _): (u64, u64) = philox_block(seed, stream, index, first + last);
    qgamma(unit(word), s.a, 1.0, true, false)
}

/// [`gamma_within`] for as many proposals as there are.
#[kernel]
pub(crate) fn gamma_from(seed: u64, stream: u32, index: u64, first: u32, s: Shape) -> f64 {
    let attempts: u32 = ATTEMPTS;
    gamma_within(seed, stream, index, first, s, attempts)
}

/// What a gamma number needs.
#[kernel]
pub(crate) struct Gamma {
    shape: Shape,
    scale: f64,
    /// `scale`, or NaN where the parameters are not usual: then so is what the main path gives.
    factor: f64,
    small: bool,
    /// `-1/(2 shape)` below shape 1
    half: f64,
}

#[kernel]
pub(crate) fn gamma_setup(shape: f64, scale: f64) -> Gamma {
    let usual = shape > 0.0 && shape < f64::INFINITY && scale > 0.0 && scale < f64::INFINITY;
    Gamma {
        shape: shape_of(shape),
        scale,
        factor: if usual { scale } else { f64::NAN },
        small: shape < 1.0,
        half: -0.5 / shape,
    }
}

/// `g` times the scale, below shape 1 also times `u^(1/shape)`: in two factors, so that the result is 0 only if it is below the
/// smallest double.
#[kernel]
fn scaled_gamma(seed: u64, stream: u32, index: u64, g: f64, small: bool, half: f64, factor: f64) -> f64 {
    if small {
        let block: u32 = EXPONENTIAL;
        let root = exp(half * exponential_at(seed, stream, index, block));
        return (root * g) * (root * factor);
    }
    g * factor
}

#[kernel]
fn gamma_main(seed: u64, stream: u32, index: u64, s: Gamma) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    let (x, _) = normal_pair(first, second);
    let d: Shape = s.shape;
    let g = gamma_quick(x, (spare_bits(second) + 1.0) * TWO_M20, d);
    let small: bool = s.small;
    scaled_gamma(seed, stream, index, g, small, s.half, s.factor)
}

#[kernel]
fn gamma_rest(seed: u64, stream: u32, index: u64, s: Gamma) -> f64 {
    let d: Shape = s.shape;
    let shape = d.shape;
    if shape.is_nan() || s.scale.is_nan() {
        return shape + s.scale;
    }
    if shape == 0.0 || s.scale == 0.0 {
        return 0.0;
    }
    if shape < 0.0 || s.scale < 0.0 {
        return f64::NAN;
    }
    if shape == f64::INFINITY || s.scale == f64::INFINITY {
        return f64::INFINITY;
    }
    let small: bool = s.small;
    scaled_gamma(seed, stream, index, gamma_from(seed, stream, index, 0, d), small, s.half, s.factor)
}

/// [`rgamma`] after its setup.
#[kernel(masked)]
pub(crate) fn gamma_eval(seed: u64, stream: u32, index: u64, s: Gamma) -> f64 {
    let y = gamma_main(seed, stream, index, s);
    if accepted(y) { y } else { gamma_rest(seed, stream, index, s) }
}

/// A gamma number.
///
/// R: `rgamma(shape, rate = 1, scale = 1/rate)`, gamma random number: `rgamma(shape, scale)`.
/// Domain: `shape >= 0` and `scale >= 0`, else NaN; 0 in either gives 0 (whatever the other, as in R), else an infinity in
///   either gives `+inf`. NaN gives NaN.
/// Method: Marsaglia and Tsang's, with a squeeze that closes as the shape grows: of 100 proposals 94 at shape 1, 98 at shape 3
///   need no logarithm, and no second block. The refusals are bounded, then `qgamma` of a uniform number. For `shape < 1` the
///   number of `shape + 1` times `u^(1/shape)` on the log scale, so that a result is 0 only if the number is below the smallest
///   double.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pgamma`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rgamma(seed: u64, stream: u32, index: u64, shape: f64, scale: f64) -> f64 {
    gamma_eval(seed, stream, index, gamma_setup(shape, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_squeeze_accepts_the_test_accepts() {
        for shape in [1.0, 1.1, 1.5, 2.0, 3.0, 10.0, 1e3, 1e6, 1e9] {
            let s = shape_of(shape);
            for i in -3000..=3000 {
                let x = f64::from(i) * 2e-3;
                let y = s.c * x;
                let squeeze = if y >= -0.5 { if y >= 0.0 { s.right } else { s.left } } else { SQUEEZE };
                let highest = 1.0 - squeeze * x.powi(4);
                if highest > 0.0 {
                    // both sides near 1 for large shapes: compared as logarithms
                    let side = 3.0 * s.d * (y * y).mul_add(0.5 - y / 3.0, log1pmx(y));
                    assert!(f64::ln_1p(-squeeze * x.powi(4)) <= side + 1e-12, "shape {shape}, x {x}");
                    assert!(!gamma_quick(x, highest, s).is_nan());
                }
                assert!(gamma_quick(x, highest.max(0.0) + 1e-12, s).is_nan());
            }
        }
    }

    #[test]
    fn fewer_than_6_of_100_proposals_are_refused() {
        for shape in [1.0, 1.2, 1.5, 2.0, 5.0, 100.0, 1e6, 1e15, 1e300] {
            let refused = |i: &u64| gamma_proposal(3, 0, *i, 0, shape_of(shape)).is_nan();
            let count = (0..20_000).filter(refused).count();
            assert!(count < 1200, "shape {shape}: {count} of 20000");
        }
    }

    /// With a bound that is reached, numbers come from both ways, or from the fall-back alone: the distribution is the same.
    #[test]
    fn the_fall_back_follows_the_distribution() {
        for shape in [1.0, 1.3, 7.5, 400.0] {
            for attempts in [0, 1] {
                let n = 2000;
                let draw = |i| gamma_within(11, 2, i, 0, shape_of(shape), attempts);
                let mut p: Vec<f64> = (0..n).map(|i| crate::pgamma(draw(i), shape, 1.0, true, false)).collect();
                p.sort_by(f64::total_cmp);
                // the largest distance from the uniform distribution; 1.95/sqrt(n) is passed once in a thousand times
                let rank =
                    |i: usize, p: f64| (p - i as f64 / n as f64).abs().max(((i + 1) as f64 / n as f64 - p).abs());
                let distance = p.iter().enumerate().map(|(i, p)| rank(i, *p)).fold(0.0, f64::max);
                assert!(distance < 1.95 / (n as f64).sqrt(), "shape {shape}, {attempts} attempts: {distance}");
            }
        }
    }
}
