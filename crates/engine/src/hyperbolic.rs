//! The inverse hyperbolic functions.

use gristmill_kernel::kernel;
use gristmill_nmath::{log, log1p};

/// Added to `log(x)` for `log(2 x)` where `2 x` would overflow.
#[kernel]
const LN_2: f64 = 0.693147180559945309417232121458; // log(2)

/// The inverse of `sinh`.
///
/// Domain: every `f64`; infinities give themselves, NaN gives NaN; odd.
/// Method: of `a = |x|`, so that no step cancels:
///   a <= 2^-28          x                                     the next term, x^3/6, is under half an ulp
///   2^-28 < a <= 2      log1p(a + a^2 / (1 + sqrt(1 + a^2)))
///   2 < a <= 2^28       log(2a + 1 / (a + sqrt(1 + a^2)))
///   2^28 < a            log(a) + log(2)                       a^2 may overflow, and 1/(4a^2) is under half an ulp
/// Error: 2 ulp in the engine's tests, against 40 digits.
#[kernel]
pub fn asinh(x: f64) -> f64 {
    let a = x.abs();
    if a <= 3.725290298461914e-9 || a.is_nan() {
        return x;
    }
    let result = if a <= 2.0 {
        let square = a * a;
        log1p(a + square / (1.0 + (1.0 + square).sqrt()))
    } else if a <= 268435456.0 {
        log(2.0 * a + 1.0 / (a + (1.0 + a * a).sqrt()))
    } else {
        log(a) + LN_2
    };
    result.copysign(x)
}

/// The inverse of `cosh`, the one that is not negative.
///
/// Domain: from 1 on; NaN below.
/// Method: with `t = x - 1`, which is exact up to 2:
///   1 <= x <= 2        log1p(t + sqrt(2t + t^2))
///   2 < x <= 2^28      log(2x - 1 / (x + sqrt(x^2 - 1)))
///   2^28 < x           log(x) + log(2)
/// Error: 2 ulp in the engine's tests, against 40 digits.
#[kernel]
pub fn acosh(x: f64) -> f64 {
    if x.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if x <= 2.0 {
        let t = x - 1.0;
        return log1p(t + (2.0 * t + t * t).sqrt());
    }
    if x <= 268435456.0 {
        return log(2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt()));
    }
    log(x) + LN_2
}

/// The inverse of `tanh`.
///
/// Domain: from -1 to 1, which give infinities; NaN beyond; odd.
/// Method: `log1p(2a / (1 - a)) / 2` of `a = |x|`; below 1/2 the quotient is taken apart, because `1 - a` rounds there:
/// `2a / (1 - a) = 2a + 2a^2 / (1 - a)`.
/// Error: 2 ulp in the engine's tests, against 40 digits.
#[kernel]
pub fn atanh(x: f64) -> f64 {
    let a = x.abs();
    if a.is_nan() || a > 1.0 {
        return f64::NAN;
    }
    if a <= 3.725290298461914e-9 {
        return x;
    }
    let twice = a + a;
    let quotient = if a < 0.5 { twice + twice * a / (1.0 - a) } else { twice / (1.0 - a) };
    (0.5 * log1p(quotient)).copysign(x)
}
