//! Powers of two by bit operations, with the rounding of results that become subnormal done once.

/// 1.5 * 2^52: adding it to a small integral double leaves that integer in the low bits. (AVX2 has no conversion
/// from double to 64-bit integer.)
const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The same, with the exponent's bias added.
const SHIFT_BIASED: f64 = SHIFT + 1023.0;

/// `2^k` for an integral `k` in [-1022, 1023] held in a double.
#[inline(always)]
pub fn power_of_two(k: f64) -> f64 {
    f64::from_bits((k + SHIFT_BIASED).to_bits() << 52)
}

/// `y 2^k` for an integral `k`, `|k| <= 2044`, with one rounding where the result is subnormal, if `1/2 <= |y| <= 2`.
///
/// The power is applied as two factors of half the exponent; the first product is exact.
#[inline(always)]
pub fn scale_by_power(y: f64, k: f64) -> f64 {
    let half = (k * 0.5).floor();
    y * power_of_two(half) * power_of_two(k - half)
}
