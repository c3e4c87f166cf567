//! Gamma numbers, and what is made of them: chi-squared, beta, Student's t, F.

use gristmill_kernel::kernel;

use super::bits::{exponential_at, normal_at, unif_rand, unit};
use crate::dist::gamma_dist::qgamma;
use crate::special::exponential::exp;
use crate::special::logarithm::{log, log1pmx};
use crate::special::philox::philox_block;

/// How often a proposal may be refused. At shape 1, the worst, fewer than 6 of 100 are: 64 times in a row has a probability
/// below 2^-259.
#[kernel]
const ATTEMPTS: u32 = 64;
/// How many blocks a gamma number may use: two for each attempt, the exponential one, the one of the fall-back.
#[kernel]
pub(crate) const GAMMA_BLOCKS: u32 = 2 * ATTEMPTS + 2;
/// 2^200
#[kernel]
const TWO_200: f64 = 1.606_938_044_258_990_3e60;
/// The smallest double, 2^-1074.
#[kernel]
const SMALLEST: f64 = 5e-324;

/// One proposal from two blocks: a gamma number of shape `d + 1/3 >= 1` and scale 1, or -1 if it is refused.
#[kernel]
fn gamma_proposal(seed: u64, stream: u32, index: u64, block: u32, d: f64) -> f64 {
    let x = normal_at(seed, stream, index, block);
    let (word, _): (u64, u64) = philox_block(seed, stream, index, block + 1);
    let u = unit(word);
    let y = x / (3.0 * d.sqrt());
    let t = 1.0 + y;
    if t <= 0.0 {
        return -1.0;
    }
    let square = x * x;
    // beyond 1e30 the right side of the test is above -1e-26, and log(u) never is
    let quick = u < 1.0 - 0.0331 * square * square || d > 1e30;
    if quick || log(u) < 3.0 * d * (y * y).mul_add(0.5 - y * (1.0 / 3.0), log1pmx(y)) {
        return d * t * t * t;
    }
    -1.0
}

/// A gamma number of scale 1 as `(g, e)`: its value is `g exp(-e/shape)`. From `shape` 1 on `e = 0`; below it the number may
/// be smaller than any double, and the two parts are how it is kept. For finite `shape > 0`; blocks from `first` on.
///
/// Method: Marsaglia and Tsang's for `a >= 1`: `d v` with `d = a - 1/3`, `v = (1 + x/(3 sqrt(d)))^3` and a normal `x`,
///   accepted if `log u < x^2/2 + d (1 - v + log v)`. With `y = x/(3 sqrt(d))` the right side is
///   `3 d (log(1 + y) - y + y^2/2 - y^3/3)`, which does not cancel: shapes of 1e300 are as exact as shapes of 1.
///   Below 1, the number of `shape + 1` times `u^(1/shape)`. The refusals are bounded, then `qgamma` of a uniform number.
/// Paper: marsaglia2000.
#[kernel]
pub(crate) fn gamma_parts(seed: u64, stream: u32, index: u64, first: u32, shape: f64) -> (f64, f64) {
    let small = shape < 1.0;
    let a = if small { shape + 1.0 } else { shape };
    let attempts: u32 = ATTEMPTS;
    let e = if small { exponential_at(seed, stream, index, first + 2 * attempts) } else { 0.0 };
    (gamma_within(seed, stream, index, first, a, attempts), e)
}

/// A gamma number of shape `a >= 1` and scale 1 by at most `attempts` proposals, then by its quantile.
#[kernel]
fn gamma_within(seed: u64, stream: u32, index: u64, first: u32, a: f64, attempts: u32) -> f64 {
    let d = a - 1.0 / 3.0;
    let mut attempt: u32 = 0;
    while attempt < attempts {
        let g = gamma_proposal(seed, stream, index, first + 2 * attempt, d);
        if g >= 0.0 {
            return g;
        }
        attempt += 1;
    }
    let (word, _): (u64, u64) = philox_block(seed, stream, index, first + 2 * ATTEMPTS + 1);
    qgamma(unit(word), a, 1.0, true, false)
}

/// `e/a - f/b`, for positive `a` and `b` of any size: never `inf - inf`.
///
/// Below 1e-200 both quotients are so large that their difference decides between 0 and infinity; there only the ratio of
/// `a` and `b` counts, and a factor moves both away from the subnormal numbers.
#[kernel]
fn exponent_difference(e: f64, a: f64, f: f64, b: f64) -> f64 {
    if a < 1e-200 && b < 1e-200 {
        return e / (a * TWO_200) - f / (b * TWO_200);
    }
    e / a - f / b
}

/// A gamma number.
///
/// Domain: `shape >= 0` and `scale >= 0`, else NaN; 0 in either gives 0 (whatever the other, as in R), else an infinity in
///   either gives `+inf`. NaN gives NaN.
/// Method: see `gamma_parts`: Marsaglia and Tsang's, for `shape < 1` with `u^(1/shape)` on the log scale, so that a result
///   is 0 only if the number is below the smallest double.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pgamma`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rgamma(seed: u64, stream: u32, index: u64, shape: f64, scale: f64) -> f64 {
    if shape.is_nan() || scale.is_nan() {
        return shape + scale;
    }
    if shape == 0.0 || scale == 0.0 {
        return 0.0;
    }
    if shape < 0.0 || scale < 0.0 {
        return f64::NAN;
    }
    if shape == f64::INFINITY || scale == f64::INFINITY {
        return f64::INFINITY;
    }
    let (g, e): (f64, f64) = gamma_parts(seed, stream, index, 0, shape);
    let exponent = -e / shape;
    if exponent > -600.0 {
        return g * exp(exponent) * scale;
    }
    exp(exponent + (log(g) + log(scale)))
}

/// A chi-squared number.
///
/// Domain: `0 <= df < inf`, else NaN; `df = 0` gives 0.
/// Method: [`rgamma`] with shape `df/2` and scale 2.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pchisq`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rchisq(seed: u64, stream: u32, index: u64, df: f64) -> f64 {
    if !(df >= 0.0 && df < f64::INFINITY) {
        return f64::NAN;
    }
    rgamma(seed, stream, index, 0.5 * df, 2.0)
}

/// A beta number.
///
/// Domain: `a >= 0` and `b >= 0`, else NaN. `a = b = 0` gives 0 or 1 with equal probability, `a = b = inf` 1/2; else
///   `a = 0` or `b = inf` gives 0, `b = 0` or `a = inf` gives 1. NaN gives NaN.
/// Method: `x/(x + y)` with gamma numbers `x` and `y`; below shape 1 their ratio is taken on the log scale, where it
///   neither underflows nor overflows, whatever the shapes.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pbeta`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rbeta(seed: u64, stream: u32, index: u64, a: f64, b: f64) -> f64 {
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
    let (x, e): (f64, f64) = gamma_parts(seed, stream, index, 0, a);
    let second: u32 = GAMMA_BLOCKS;
    let (y, f): (f64, f64) = gamma_parts(seed, stream, index, second, b);
    if a >= 1.0 && b >= 1.0 {
        let half = 0.5 * x;
        return half / (half + 0.5 * y);
    }
    let ratio = exp(exponent_difference(e, a, f, b) + (log(y) - log(x)));
    1.0 / (1.0 + ratio)
}

/// A number of Student's t distribution.
///
/// Domain: `df > 0`, else NaN; `df = inf` gives a normal number.
/// Method: `z/sqrt(c/df)` with a normal `z` (block 0) and a chi-squared `c`, which below `df = 2` stays on the log scale: a
///   result is infinite only if the number is above the largest double.
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pt`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rt(seed: u64, stream: u32, index: u64, df: f64) -> f64 {
    if !(df > 0.0) {
        return f64::NAN;
    }
    let z = normal_at(seed, stream, index, 0);
    if df == f64::INFINITY {
        return z;
    }
    let shape = if df > SMALLEST { 0.5 * df } else { SMALLEST };
    let (g, e): (f64, f64) = gamma_parts(seed, stream, index, 1, shape);
    if shape >= 1.0 {
        return z * (shape / g).sqrt();
    }
    let size = exp(0.5 * (e / shape + (log(shape) - log(g))) + log(z.abs()));
    if z < 0.0 { -size } else { size }
}

/// A number of the F distribution.
///
/// Domain: `df1 > 0` and `df2 > 0`, else NaN; an infinite one makes its chi-squared number over its degrees of freedom 1.
/// Method: `(c1/df1)/(c2/df2)` with chi-squared numbers; below 2 degrees of freedom on the log scale, as [`rbeta`].
/// Paper: marsaglia2000.
/// Error: the numbers follow `pf`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel]
pub fn rf(seed: u64, stream: u32, index: u64, df1: f64, df2: f64) -> f64 {
    if !(df1 > 0.0 && df2 > 0.0) {
        return f64::NAN;
    }
    // half of the smallest double would be 0
    let a = if df1 > SMALLEST { 0.5 * df1 } else { SMALLEST };
    let b = if df2 > SMALLEST { 0.5 * df2 } else { SMALLEST };
    let mut x: f64 = 1.0;
    let mut e: f64 = 0.0;
    let mut y: f64 = 1.0;
    let mut f: f64 = 0.0;
    if df1 < f64::INFINITY {
        let (g, h): (f64, f64) = gamma_parts(seed, stream, index, 0, a);
        x = g / (if a < 1.0 { 1.0 } else { a });
        e = h;
    }
    if df2 < f64::INFINITY {
        let second: u32 = GAMMA_BLOCKS;
        let (g, h): (f64, f64) = gamma_parts(seed, stream, index, second, b);
        y = g / (if b < 1.0 { 1.0 } else { b });
        f = h;
    }
    if a >= 1.0 && b >= 1.0 {
        return x / y;
    }
    let scale = log(if b < 1.0 { b } else { 1.0 }) - log(if a < 1.0 { a } else { 1.0 });
    let (p, q) = (if a < f64::INFINITY { a } else { 1.0 }, if b < f64::INFINITY { b } else { 1.0 });
    exp(exponent_difference(f, q, e, p) + (scale + (log(x) - log(y))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_than_6_of_100_proposals_are_refused() {
        for shape in [1.0, 1.2, 1.5, 2.0, 5.0, 100.0, 1e6, 1e15, 1e300] {
            let refused = |i: &u64| gamma_proposal(3, 0, *i, 0, shape - 1.0 / 3.0) < 0.0;
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
                let draw = |i| gamma_within(11, 2, i, 0, shape, attempts);
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
