//! Gamma numbers, and what is made of them: chi-squared, beta, Student's t, F.

use gristmill_kernel::kernel;

use super::bits::{
    accepted, exponential_at, exponential_of, normal_at, normal_pair, spare_bits, spare_halves, unif_rand, unit,
};
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
pub const GAMMA_BLOCKS: u32 = 2 * ATTEMPTS + 2;
/// The exponential number of a gamma number of shape below 1.
#[kernel]
pub const EXPONENTIAL: u32 = 2 * ATTEMPTS;
/// Two gamma numbers begin with two blocks in common; then come the blocks of each.
#[kernel]
const FIRST_OF_TWO: u32 = 2;
#[kernel]
const SECOND_OF_TWO: u32 = 2 + GAMMA_BLOCKS;
/// Two exponential numbers, for shapes below 1.
#[kernel]
const EXPONENTIALS_OF_TWO: u32 = 2 + 2 * GAMMA_BLOCKS;
/// 2^-20
#[kernel]
const TWO_M20: f64 = 1.0 / 1_048_576.0;
/// 2^-10
#[kernel]
const TWO_M10: f64 = 1.0 / 1024.0;
/// 2^-30, and 30 log(2)
#[kernel]
const TWO_M30: f64 = TWO_M10 * TWO_M20;
#[kernel]
const LN_2_30: f64 = 30.0 * std::f64::consts::LN_2;
/// 2^200
#[kernel]
const TWO_200: f64 = 1.606_938_044_258_990_3e60;
/// The smallest double, 2^-1074.
#[kernel]
const SMALLEST: f64 = 5e-324;
/// Marsaglia and Tsang's squeeze: beyond `1 - 0.0331 x^4` a proposal needs a logarithm.
#[kernel]
const SQUEEZE: f64 = 0.0331;

/// What proposals for a shape need. Below 1 it is that of `shape + 1`.
#[kernel]
pub struct Shape {
    shape: f64,
    a: f64,
    /// `a - 1/3`
    d: f64,
    /// `1/(3 sqrt(d))`
    c: f64,
    /// The squeeze left and right of the mode.
    left: f64,
    right: f64,
}

/// For finite `shape > 0`.
#[kernel]
pub fn shape_of(shape: f64) -> Shape {
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
fn gamma_decided(x: f64, u: f64, s: Shape) -> f64 {
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
pub fn gamma_from(seed: u64, stream: u32, index: u64, first: u32, s: Shape) -> f64 {
    let attempts: u32 = ATTEMPTS;
    gamma_within(seed, stream, index, first, s, attempts)
}

/// What a gamma number needs.
#[kernel]
struct Gamma {
    shape: Shape,
    scale: f64,
    /// `scale`, or NaN where the parameters are not usual: then so is what the main path gives.
    factor: f64,
    small: bool,
    /// `-1/(2 shape)` below shape 1
    half: f64,
}

#[kernel]
fn gamma_setup(shape: f64, scale: f64) -> Gamma {
    let usual = shape > 0.0 && shape < f64::INFINITY && scale > 0.0 && scale < f64::INFINITY;
    Gamma {
        shape: shape_of(shape),
        scale,
        factor: if usual { scale } else { f64::NAN },
        small: shape < 1.0,
        half: -0.5 / shape,
    }
}

#[kernel]
fn chisq_setup(df: f64) -> Gamma {
    if df >= 0.0 && df < f64::INFINITY {
        return gamma_setup(0.5 * df, 2.0);
    }
    gamma_setup(f64::NAN, 2.0)
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
    let (x, _): (f64, f64) = normal_pair(first, second);
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
fn gamma_eval(seed: u64, stream: u32, index: u64, s: Gamma) -> f64 {
    let y = gamma_main(seed, stream, index, s);
    if accepted(y) { y } else { gamma_rest(seed, stream, index, s) }
}

/// A gamma number.
///
/// Domain: `shape >= 0` and `scale >= 0`, else NaN; 0 in either gives 0 (whatever the other, as in R), else an infinity in
///   either gives `+inf`. NaN gives NaN.
/// Method: Marsaglia and Tsang's, with a squeeze that closes as the shape grows: of 100 proposals 94 at shape 1, 98 at shape 3
///   need no logarithm, and no second block. The refusals are bounded, then `qgamma` of a uniform number. For `shape < 1` the
///   number of `shape + 1` times `u^(1/shape)` on the log scale, so that a result is 0 only if the number is below the smallest
///   double.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pgamma`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rgamma(seed: u64, stream: u32, index: u64, shape: f64, scale: f64) -> f64 {
    gamma_eval(seed, stream, index, gamma_setup(shape, scale))
}

/// A chi-squared number.
///
/// Domain: `0 <= df < inf`, else NaN; `df = 0` gives 0.
/// Method: [`rgamma`] with shape `df/2` and scale 2.
/// Paper: marsaglia2000.
/// Error: the numbers follow `pchisq`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rchisq(seed: u64, stream: u32, index: u64, df: f64) -> f64 {
    gamma_eval(seed, stream, index, chisq_setup(df))
}

/// What two gamma numbers and their ratio need.
#[kernel]
struct Two {
    /// The parameters as given.
    a: f64,
    b: f64,
    /// Their gamma numbers; where the parameters are not usual these are NaN, and so is what the main path gives.
    x: Shape,
    y: Shape,
    /// A shape is below 1.
    small: bool,
    /// With exponential `e` and `f`, `e more - f less` is the log of the second number's power of `u` over the first one's.
    more: f64,
    less: f64,
    /// One over the shapes, and the log of the second one over the first.
    inverse_x: f64,
    inverse_y: f64,
    log_ratio: f64,
}

/// Below 1e-200 both exponents are so large that their difference decides between 0 and infinity; there only the ratio of
/// the shapes counts, and a factor moves both away from the subnormal numbers: never `inf - inf`.
#[kernel]
fn two_of(a: f64, b: f64, x: f64, y: f64, usual: bool) -> Two {
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
fn log_quotient(seed: u64, stream: u32, index: u64, x: f64, y: f64, more: f64, less: f64) -> f64 {
    let block: u32 = EXPONENTIALS_OF_TWO;
    let (first, second): (u64, u64) = philox_block(seed, stream, index, block);
    let difference = exponential_of(first) * more - exponential_of(second) * less;
    // 2^-30, because the quotient of the largest shape and a small number overflows
    difference + (log(TWO_M30 * y / x) + LN_2_30)
}

/// Two gamma numbers of shapes 1 and above by their first proposals, where these need no logarithm; else NaN.
#[kernel]
fn two_quick(seed: u64, stream: u32, index: u64, c: Shape, d: Shape) -> (f64, f64) {
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 0);
    let (p, q): (f64, f64) = normal_pair(first, second);
    let (u, v): (f64, f64) = spare_halves(second);
    (gamma_quick(p, (u + 1.0) * TWO_M10, c), gamma_quick(q, (v + 1.0) * TWO_M10, d))
}

/// The same two numbers with every bit and every proposal they may need.
#[kernel]
fn two_within(seed: u64, stream: u32, index: u64, s: Two, attempts: u32) -> (f64, f64) {
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
    let (x, y): (f64, f64) = two_quick(seed, stream, index, c, d);
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
    let (x, y): (f64, f64) = two_within(seed, stream, index, s, attempts);
    beta_of(seed, stream, index, x, y, s)
}

/// [`rbeta`] after its setup.
#[kernel(masked)]
fn beta_eval(seed: u64, stream: u32, index: u64, s: Two) -> f64 {
    let y = beta_main(seed, stream, index, s);
    if accepted(y) { y } else { beta_rest(seed, stream, index, s) }
}

/// A beta number.
///
/// Domain: `a >= 0` and `b >= 0`, else NaN. `a = b = 0` gives 0 or 1 with equal probability, `a = b = inf` 1/2; else
///   `a = 0` or `b = inf` gives 0, `b = 0` or `a = inf` gives 1. NaN gives NaN.
/// Method: `x/(x + y)` with gamma numbers `x` and `y`, whose first proposals come from one block: its sine and its cosine; below
///   shape 1 their ratio is taken on the log scale, where it neither underflows nor overflows, whatever the shapes.
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pbeta`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rbeta(seed: u64, stream: u32, index: u64, a: f64, b: f64) -> f64 {
    beta_eval(seed, stream, index, beta_setup(a, b))
}

/// What a number of Student's t distribution needs.
#[kernel]
struct Student {
    df: f64,
    shape: Shape,
    small: bool,
}

#[kernel]
fn student_setup(df: f64) -> Student {
    let usual = df > 0.0 && df < f64::INFINITY;
    // half of the smallest double would be 0
    let shape = if df > SMALLEST { 0.5 * df } else { SMALLEST };
    Student { df, shape: shape_of(if usual { shape } else { f64::NAN }), small: shape < 1.0 }
}

/// The number of a normal `z` and of a gamma number.
#[kernel]
fn student_of(seed: u64, stream: u32, index: u64, z: f64, g: f64, s: Student) -> f64 {
    let d: Shape = s.shape;
    let shape = d.shape;
    if s.small {
        let block: u32 = 1 + EXPONENTIAL;
        let e = exponential_at(seed, stream, index, block);
        let size = exp(0.5 * (e / shape + (log(shape) - log(g))) + log(z.abs()));
        return if z < 0.0 { -size } else { size };
    }
    z * (shape / g).sqrt()
}

#[kernel]
fn student_main(seed: u64, stream: u32, index: u64, s: Student) -> f64 {
    let z = normal_at(seed, stream, index, 0);
    let (first, second): (u64, u64) = philox_block(seed, stream, index, 1);
    let (x, _): (f64, f64) = normal_pair(first, second);
    let d: Shape = s.shape;
    let g = gamma_quick(x, (spare_bits(second) + 1.0) * TWO_M20, d);
    student_of(seed, stream, index, z, g, s)
}

#[kernel]
fn student_rest(seed: u64, stream: u32, index: u64, s: Student) -> f64 {
    if !(s.df > 0.0) {
        return f64::NAN;
    }
    let z = normal_at(seed, stream, index, 0);
    if s.df == f64::INFINITY {
        return z;
    }
    let d: Shape = s.shape;
    student_of(seed, stream, index, z, gamma_from(seed, stream, index, 1, d), s)
}

/// [`rt`] after its setup.
#[kernel(masked)]
fn student_eval(seed: u64, stream: u32, index: u64, s: Student) -> f64 {
    let y = student_main(seed, stream, index, s);
    if accepted(y) { y } else { student_rest(seed, stream, index, s) }
}

/// A number of Student's t distribution.
///
/// Domain: `df > 0`, else NaN; `df = inf` gives a normal number.
/// Method: `z/sqrt(c/df)` with a normal `z` (block 0) and a chi-squared `c`, which below `df = 2` stays on the log scale: a
///   result is infinite only if the number is above the largest double.
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pt`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rt(seed: u64, stream: u32, index: u64, df: f64) -> f64 {
    student_eval(seed, stream, index, student_setup(df))
}

#[kernel]
fn f_setup(df1: f64, df2: f64) -> Two {
    let usual = df1 > 0.0 && df1 < f64::INFINITY && df2 > 0.0 && df2 < f64::INFINITY;
    // half of the smallest double would be 0
    let a = if df1 > SMALLEST { 0.5 * df1 } else { SMALLEST };
    let b = if df2 > SMALLEST { 0.5 * df2 } else { SMALLEST };
    two_of(df1, df2, a, b, usual)
}

/// The number of two gamma numbers.
#[kernel]
fn f_of(seed: u64, stream: u32, index: u64, x: f64, y: f64, s: Two) -> f64 {
    if s.small {
        return exp(s.log_ratio - log_quotient(seed, stream, index, x, y, s.more, s.less));
    }
    (x * s.inverse_x) / (y * s.inverse_y)
}

#[kernel]
fn f_main(seed: u64, stream: u32, index: u64, s: Two) -> f64 {
    let (c, d): (Shape, Shape) = (s.x, s.y);
    let (x, y): (f64, f64) = two_quick(seed, stream, index, c, d);
    f_of(seed, stream, index, x, y, s)
}

#[kernel]
fn f_rest(seed: u64, stream: u32, index: u64, s: Two) -> f64 {
    let (df1, df2) = (s.a, s.b);
    if !(df1 > 0.0 && df2 > 0.0) {
        return f64::NAN;
    }
    if df1 == f64::INFINITY && df2 == f64::INFINITY {
        return 1.0;
    }
    if df1 == f64::INFINITY || df2 == f64::INFINITY {
        let above = df2 == f64::INFINITY;
        let df = if above { df1 } else { df2 };
        let shape = if df > SMALLEST { 0.5 * df } else { SMALLEST };
        let block: u32 = FIRST_OF_TWO;
        let last: u32 = EXPONENTIALS_OF_TWO;
        let g = gamma_from(seed, stream, index, block, shape_of(shape));
        let e = if shape < 1.0 { exponential_at(seed, stream, index, last) / shape } else { 0.0 };
        let l = (log(g) - log(shape)) - e;
        return exp(if above { l } else { -l });
    }
    let attempts: u32 = ATTEMPTS;
    let (x, y): (f64, f64) = two_within(seed, stream, index, s, attempts);
    f_of(seed, stream, index, x, y, s)
}

/// [`rf`] after its setup.
#[kernel(masked)]
fn f_eval(seed: u64, stream: u32, index: u64, s: Two) -> f64 {
    let y = f_main(seed, stream, index, s);
    if accepted(y) { y } else { f_rest(seed, stream, index, s) }
}

/// A number of the F distribution.
///
/// Domain: `df1 > 0` and `df2 > 0`, else NaN; an infinite one makes its chi-squared number over its degrees of freedom 1.
/// Method: `(c1/df1)/(c2/df2)` with chi-squared numbers; below 2 degrees of freedom on the log scale, as [`rbeta`].
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pf`; tests/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rf(seed: u64, stream: u32, index: u64, df1: f64, df2: f64) -> f64 {
    f_eval(seed, stream, index, f_setup(df1, df2))
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
