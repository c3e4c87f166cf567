//! `sqrt` and `cbrt`.

use super::scaling::power_of_two;
use gristmill_kernel::kernel;

/// 2^-1/3
#[kernel]
const INVERSE_CBRT_2: f64 = 0.7937005259840998;
/// 2^-2/3
#[kernel]
const INVERSE_CBRT_4: f64 = 0.6299605249474366;

polynomial! {
    /// `m^(-1/3)` for `m` in [1, 2], relative error 1.1e-6: the start of an iteration.
    fn inverse_cbrt_start =
        [0.010066718649569128, -0.10750263607045218, 0.49117031566066666]
        [-1.2521242275997846, 1.9538182209261572, -1.9720591905396232, 1.8766297241212762];
}

/// The square root, correctly rounded.
///
/// R: `sqrt(x)`, square root.
/// Domain: `x >= 0`; negative gives NaN, `-0` gives `-0`, `+inf` gives `+inf`.
/// Method: the operation that IEEE 754 requires to be rounded correctly.
/// Paper: IEEE 754-2019, 5.4.1.
/// Error: 99 % within 0.50 ulp, at most 0.50 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// The cube root.
///
/// R: `cbrt(x)`, cube root.
/// Domain: every `f64`; zeros, infinities and NaN give themselves. `cbrt(-x) = -cbrt(x)`.
/// Method: `|x| = a 2^(3 j)` with `a` in [1, 8); `a^(-1/3)` from a polynomial and one step of third order (error 1e-6 to
///   1e-16); the root `a r^2` is corrected by its exact residual. No branch, no division.
/// Paper: muller2016, ch. 5 (Newton's and Halley's iterations).
/// Error: 99 % within 0.50 ulp, at most 0.50 ulp on the points of dev/oracle; the tests hold it.
#[kernel(inline)]
pub fn cbrt(x: f64) -> f64 {
    let ax = x.abs();
    let tiny = ax < f64::MIN_POSITIVE;
    let normal = if tiny { ax * 18_014_398_509_481_984.0 } else { ax }; // 2^54, a third power
    let bits = normal.to_bits();
    let exponent = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    let j = ((exponent + 0.5) * (1.0 / 3.0)).floor(); // half a unit from any rounding
    let i = exponent - 3.0 * j;
    let a = if i == 0.0 {
        m
    } else if i == 1.0 {
        2.0 * m
    } else {
        4.0 * m
    };
    let factor = if i == 0.0 {
        1.0
    } else if i == 1.0 {
        INVERSE_CBRT_2
    } else {
        INVERSE_CBRT_4
    };
    let r = inverse_cbrt_start(m) * factor;
    let h = (-(a * r)).mul_add(r * r, 1.0);
    let r = (r * h).mul_add(h.mul_add(2.0 / 9.0, 1.0 / 3.0), r);
    let r2 = r * r;
    let y = a * r2;
    let square = y * y;
    let residual = square.mul_add(y, -a) + y.mul_add(y, -square) * y;
    let y = (-residual).mul_add(r2 * (1.0 / 3.0), y);
    let y = y * power_of_two(if tiny { j - 18.0 } else { j });
    let regular = ax > 0.0 && ax < f64::INFINITY;
    if regular { y.copysign(x) } else { x }
}
