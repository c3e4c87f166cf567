//! R's operators as kernels, so that the CPU and a device compute them alike.
//!
//! Missing values are not kernels' business: a plan carries them as a second, logical value beside each value.

use gristmill_kernel::kernel;
use gristmill_nmath::{log, log2, log10};

/// `a + b`.
#[kernel(inline)]
pub fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// `a - b`.
#[kernel(inline)]
pub fn subtract(a: f64, b: f64) -> f64 {
    a - b
}

/// `a * b`.
#[kernel(inline)]
pub fn multiply(a: f64, b: f64) -> f64 {
    a * b
}

/// `a / b`.
#[kernel(inline)]
pub fn divide(a: f64, b: f64) -> f64 {
    a / b
}

/// `-a`.
#[kernel(inline)]
pub fn negate(a: f64) -> f64 {
    -a
}

/// R's `a %% b`: the remainder that has the sign of `b`.
///
/// Domain: every pair; NaN where `b` is 0, `a` is infinite or either is NaN. `a %% Inf` is `a`, or `Inf` if `a < 0`.
/// Method: the quotient is taken off 50 bits at a time. Each step subtracts `q * b * 2^s` with `q < 2^52`; the difference
/// is a multiple of the last bit of `b * 2^s` and smaller than it, so that one `fma` gives it exactly. At most 42 steps.
/// Error: the remainder is exact; adding `b` when the signs differ rounds once.
#[kernel]
pub fn modulo(a: f64, b: f64) -> f64 {
    let divisor = b.abs();
    if a.is_nan() || b.is_nan() || divisor == 0.0 || a.abs() == f64::INFINITY {
        return f64::NAN;
    }
    let mut rest: f64 = a.abs();
    if divisor < f64::INFINITY {
        while rest >= divisor {
            // Scaling by 2^50 is exact, and never overflows, because `scaled` stays below `rest`.
            let mut scaled: f64 = divisor;
            let mut quotient: f64 = (rest / scaled).trunc();
            while quotient > 1125899906842624.0 {
                scaled *= 1125899906842624.0;
                quotient = (rest / scaled).trunc();
            }
            rest = (-quotient).mul_add(scaled, rest);
            if rest < 0.0 {
                rest += scaled;
            }
        }
    }
    rest = rest.copysign(a);
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        rest += b;
    }
    rest
}

/// R's `a %/% b`: the floor of the quotient.
///
/// Method: `(a - a %% b) / b` is an integer up to rounding. Where the quotient is infinite or NaN, so is the result.
#[kernel]
pub fn floor_divide(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if b == 0.0 || quotient.abs() >= 9007199254740992.0 || quotient.is_nan() {
        return quotient;
    }
    if b.abs() == f64::INFINITY {
        return quotient.floor() - if a != 0.0 && (a < 0.0) != (b < 0.0) { 1.0 } else { 0.0 };
    }
    ((a - modulo(a, b)) / b).round_ties_even()
}

/// `log(x)` of the given base; bases 2 and 10 are exact for powers of them.
#[kernel]
pub fn log_base(x: f64, base: f64) -> f64 {
    if base == 2.0 {
        return log2(x);
    }
    if base == 10.0 {
        return log10(x);
    }
    log(x) / log(base)
}

/// `a == b`.
#[kernel(inline)]
pub fn equal(a: f64, b: f64) -> bool {
    a == b
}

/// `a != b`.
#[kernel(inline)]
pub fn not_equal(a: f64, b: f64) -> bool {
    a != b
}

/// `a < b`.
#[kernel(inline)]
pub fn less(a: f64, b: f64) -> bool {
    a < b
}

/// `a <= b`.
#[kernel(inline)]
pub fn less_equal(a: f64, b: f64) -> bool {
    a <= b
}

/// Whether one of two is NaN: R's comparisons are missing there.
#[kernel(inline)]
pub fn unordered(a: f64, b: f64) -> bool {
    a.is_nan() || b.is_nan()
}

/// `|a|`.
#[kernel(inline)]
pub fn absolute(a: f64) -> f64 {
    a.abs()
}

/// The largest integer not above `a`.
#[kernel(inline)]
pub fn round_down(a: f64) -> f64 {
    a.floor()
}

/// The smallest integer not below `a`.
#[kernel(inline)]
pub fn round_up(a: f64) -> f64 {
    a.ceil()
}

/// `a` without its fraction.
#[kernel(inline)]
pub fn round_to_zero(a: f64) -> f64 {
    a.trunc()
}

/// The smaller of two; NaN if one is.
#[kernel(inline)]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// The larger of two; NaN if one is.
#[kernel(inline)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// Whether `a` is NaN.
#[kernel(inline)]
pub fn not_a_number(a: f64) -> bool {
    a.is_nan()
}

/// Whether `a` is an ordinary number.
#[kernel(inline)]
pub fn finite(a: f64) -> bool {
    a.abs() < f64::INFINITY
}

/// Whether `a` is infinite.
#[kernel(inline)]
pub fn infinite(a: f64) -> bool {
    a.abs() == f64::INFINITY
}

/// 1 for true, 0 for false.
#[kernel(inline)]
pub fn to_number(a: bool) -> f64 {
    if a { 1.0 } else { 0.0 }
}

/// Whether `a` is not 0.
#[kernel(inline)]
pub fn to_logical(a: f64) -> bool {
    a != 0.0
}

/// `a & b`.
#[kernel(inline)]
pub fn both(a: bool, b: bool) -> bool {
    a & b
}

/// `a | b`.
#[kernel(inline)]
pub fn either(a: bool, b: bool) -> bool {
    a | b
}

/// `!a`.
#[kernel(inline)]
pub fn not(a: bool) -> bool {
    !a
}

/// Whether exactly one of two is true.
#[kernel(inline)]
pub fn exactly_one(a: bool, b: bool) -> bool {
    a != b
}

/// `yes` where the test is true, `no` where it is false.
#[kernel(inline)]
pub fn select_number(test: bool, yes: f64, no: f64) -> f64 {
    if test { yes } else { no }
}

/// `yes` where the test is true, `no` where it is false.
#[kernel(inline)]
pub fn select_logical(test: bool, yes: bool, no: bool) -> bool {
    if test { yes } else { no }
}

/// A row's number from 0 that comes as a number.
#[kernel(inline)]
pub fn row_index(number: f64) -> u64 {
    number as u64
}

/// The row's number from 1, as a number.
#[kernel(inline)]
pub fn row_number(index: u64) -> f64 {
    index as f64 + 1.0
}
