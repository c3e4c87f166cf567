//! Draws that are one formula in a uniform, exponential or normal number: no loop, no branch, so that blocks vectorise.

use gristmill_kernel::kernel;

use super::bits::{exponential_at, normal_at, two_sided, unif_rand};
use crate::special::exponential::exp;
use crate::special::logarithm::{log, log1p};
use crate::special::philox::philox_block;
use crate::special::trigonometric::tanpi;

/// A uniform number in [a, b].
///
/// Domain: finite `a <= b`, else NaN; `a = b` gives `a`. The ends appear only where `b - a` is so small against them that
///   rounding reaches them. `b - a` may overflow.
/// Method: `a + (b - a) u`, rounded once after the difference.
/// Paper: salmon2011.
/// Error: the numbers follow `punif`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn runif(seed: u64, stream: u32, index: u64, a: f64, b: f64) -> f64 {
    let u = unif_rand(seed, stream, index);
    let width = b - a;
    let y = if width < f64::INFINITY { u.mul_add(width, a) } else { u.mul_add(b, (1.0 - u) * a) };
    if a <= b && a > f64::NEG_INFINITY && b < f64::INFINITY { y } else { f64::NAN }
}

/// A normal number.
///
/// Domain: `0 <= sigma < inf` and `mu` not NaN, else NaN; `sigma = 0` or an infinite `mu` gives `mu`.
/// Method: `mu + sigma z` with the `z` of [`norm_rand`](crate::norm_rand).
/// Paper: box1958.
/// Error: the numbers follow `pnorm`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rnorm(seed: u64, stream: u32, index: u64, mu: f64, sigma: f64) -> f64 {
    let y = sigma.mul_add(normal_at(seed, stream, index, 0), mu);
    if sigma >= 0.0 && sigma < f64::INFINITY && !mu.is_nan() { y } else { f64::NAN }
}

/// A lognormal number.
///
/// Domain: that of [`rnorm`]; `meanlog = -inf` gives 0, `+inf` gives `+inf`.
/// Method: `exp` of [`rnorm`].
/// Paper: box1958.
/// Error: the numbers follow `plnorm`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rlnorm(seed: u64, stream: u32, index: u64, meanlog: f64, sdlog: f64) -> f64 {
    exp(rnorm(seed, stream, index, meanlog, sdlog))
}

/// An exponential number.
///
/// Domain: `0 <= scale < inf`, else NaN; `scale = 0` gives 0.
/// Method: `scale` times [`exp_rand`](crate::exp_rand).
/// Paper: salmon2011.
/// Error: the numbers follow `pexp`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rexp(seed: u64, stream: u32, index: u64, scale: f64) -> f64 {
    let y = scale * exponential_at(seed, stream, index, 0);
    if scale >= 0.0 && scale < f64::INFINITY { y } else { f64::NAN }
}

/// A Weibull number.
///
/// Domain: `0 < shape < inf` and `0 <= scale < inf`, else NaN; `scale = 0` gives 0, whatever the shape (but NaN), as in R.
/// Method: `scale e^(1/shape)` with the `e` of [`exp_rand`](crate::exp_rand); the power as `exp(log(e)/shape)`, which has no
///   branch.
/// Paper: salmon2011.
/// Error: the numbers follow `pweibull`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rweibull(seed: u64, stream: u32, index: u64, shape: f64, scale: f64) -> f64 {
    let y = scale * exp(log(exponential_at(seed, stream, index, 0)) / shape);
    let fine = shape > 0.0 && shape < f64::INFINITY && scale > 0.0 && scale < f64::INFINITY;
    let edge = if scale == 0.0 && !shape.is_nan() { 0.0 } else { f64::NAN };
    if fine { y } else { edge }
}

/// A logistic number.
///
/// Domain: finite `scale` and `location` not NaN, else NaN; `scale = 0` or an infinite `location` gives `location`. A
///   negative scale mirrors, as in R.
/// Method: `location + scale log(u/(1 - u))` with 128 bits in `u`, so that both tails have all their digits.
/// Paper: salmon2011.
/// Error: the numbers follow `plogis`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rlogis(seed: u64, stream: u32, index: u64, location: f64, scale: f64) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    let (t, above): (f64, bool) = two_sided(first, second);
    let l = log(t / (1.0 - t));
    let y = scale.mul_add(if above { -l } else { l }, location);
    if scale.abs() < f64::INFINITY && !location.is_nan() { y } else { f64::NAN }
}

/// A Cauchy number.
///
/// Domain: `0 <= scale < inf` and `location` not NaN, else NaN; `scale = 0` or an infinite `location` gives `location`.
/// Method: `location + scale w` where `|w|` is `tan(pi t)` or its inverse, `t` uniform in (0, 1/4): the tails have all
///   their digits.
/// Paper: salmon2011.
/// Error: the numbers follow `pcauchy`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rcauchy(seed: u64, stream: u32, index: u64, location: f64, scale: f64) -> f64 {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    // two bits for the sign and the half, the rest for the angle; `two_sided` is not above, for its first bit is 0
    let (t, _): (f64, bool) = two_sided(first >> 2, second);
    let w = tanpi(t);
    let size = if first & 1 == 1 { 1.0 / w } else { w };
    let y = scale.mul_add(if first & 2 == 2 { -size } else { size }, location);
    if scale >= 0.0 && scale < f64::INFINITY && !location.is_nan() { y } else { f64::NAN }
}

/// A geometric number: how many failures before the first success.
///
/// Domain: `0 < p <= 1`, else NaN; `p = 1` gives 0.
/// Method: `floor(e / -log(1 - p))` with the `e` of [`exp_rand`](crate::exp_rand): small results are exact for the
///   smallest `p`, because `e` has all its digits there.
/// Paper: salmon2011.
/// Error: the numbers follow `pgeom`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(inline)]
pub fn rgeom(seed: u64, stream: u32, index: u64, p: f64) -> f64 {
    let rate = -log1p(if p > 0.0 && p <= 1.0 { -p } else { -0.5 });
    let y = (exponential_at(seed, stream, index, 0) / rate).floor();
    if p > 0.0 && p <= 1.0 { y } else { f64::NAN }
}
