//! Numbers of the F distribution, from two gamma numbers.

use gristmill_kernel::kernel;

use crate::dist::beta::random::{EXPONENTIALS_OF_TWO, FIRST_OF_TWO, Two, log_quotient, two_of, two_quick, two_within};
use crate::dist::gamma::random::{ATTEMPTS, Shape, gamma_from, shape_of};
use crate::random::bits::{accepted, exponential_at};
use crate::special::exponential::exp;
use crate::special::logarithm::log;

/// The smallest double, 2^-1074.
#[kernel]
const SMALLEST: f64 = 5e-324;

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
    let (x, y) = two_quick(seed, stream, index, c, d);
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
    let (x, y) = two_within(seed, stream, index, s, attempts);
    f_of(seed, stream, index, x, y, s)
}

/// A number of the F distribution.
///
/// R: `rf(df1, df2, ncp)`, F random number: `rf(df1, df2)`; given `ncp`:
///   `rnf(df1, df2, ncp)`.
/// Domain: `df1 > 0` and `df2 > 0`, else NaN; an infinite one makes its chi-squared number over its degrees of freedom 1.
/// Method: `(c1/df1)/(c2/df2)` with chi-squared numbers; below 2 degrees of freedom on the log scale, as [`rbeta`](crate::rbeta).
/// Paper: marsaglia2000, box1958.
/// Error: the numbers follow `pf`; tests/it/random.rs holds chi-square and Kolmogorov-Smirnov statistics.
#[kernel(split)]
pub fn rf(seed: u64, stream: u32, index: u64, df1: f64, df2: f64) -> f64 {
    let s = f_setup(df1, df2);
    let y = f_main(seed, stream, index, s);
    if accepted(y) { y } else { f_rest(seed, stream, index, s) }
}
