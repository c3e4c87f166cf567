//! Numbers of Student's t distribution, from a normal and a gamma number.

use gristmill_kernel::kernel;

use crate::dist::gamma::random::{EXPONENTIAL, Shape, gamma_from, gamma_quick, shape_of};
use crate::random::bits::{accepted, exponential_at, normal_at, normal_pair, spare_bits};
use crate::special::exponential::exp;
use crate::special::logarithm::log;
use crate::special::philox::philox_block;
use crate::special::powers_of_two::TWO_M20;

/// The smallest double, 2^-1074.
#[kernel]
const SMALLEST: f64 = 5e-324;

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

/// A number of Student's t distribution.
///
/// R: `rt(df, ncp)`, Student t random number: `rt(df)`; given `ncp`: `rnt(df, ncp)`.
/// Domain: `df > 0`, else NaN; `df = inf` gives a normal number.
/// Method: `z/sqrt(c/df)` with a normal `z` (block 0) and a chi-squared `c`, which below `df = 2` stays on the log scale: a
///   result is infinite only if the number is above the largest double.
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pt`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rt(seed: u64, stream: u32, index: u64, df: f64) -> f64 {
    let s = student_setup(df);
    let y = student_main(seed, stream, index, s);
    if accepted(y) { y } else { student_rest(seed, stream, index, s) }
}
