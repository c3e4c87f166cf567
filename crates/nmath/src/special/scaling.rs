//! Powers of two by bit operations, with the rounding of results that become subnormal done once.

use gristmill_kernel::kernel;

/// 1.5 * 2^52: a small number added to it is rounded to an integer, which stands in the low bits in two's complement.
/// (AVX2 has no conversion from double to 64-bit integer.)
#[kernel]
pub const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The same, with the bias of the exponent added.
#[kernel]
const SHIFT_BIASED: f64 = SHIFT + 1023.0;

/// `2^k` for an integral `k` in [-1022, 1023] held in a double.
#[kernel(inline)]
pub fn power_of_two(k: f64) -> f64 {
    f64::from_bits((k + SHIFT_BIASED).to_bits() << 52)
}

/// `y 2^k` for an integral `k`, `|k| <= 2044`; rounded once where the result is subnormal, if `1/2 <= |y| <= 2`.
///
/// The power is applied as two factors of half the exponent each; the first product is exact.
#[kernel(inline)]
pub fn scale_by_power(y: f64, k: f64) -> f64 {
    let both = (k + SHIFT).to_bits().wrapping_add(2046); // the low 12 bits: the sum of the two biased exponents
    let first = both >> 1;
    let second = both.wrapping_sub(first);
    y * f64::from_bits(first << 52) * f64::from_bits(second << 52)
}
