//! The facts about float formats, and float to integer modulo a power of two.

use half::f16;

/// A float format. Everything here is exact.
pub(super) trait Float: Copy + 'static {
    /// Bits of the significand, the hidden one included.
    const DIGITS: u32;
    /// Integers of at least this magnitude round to infinity; `u128::MAX` with `MAY_OVERFLOW` false: none does.
    const OVERFLOW_AT: u128;
    /// Whether a `u128` can round to infinity.
    const MAY_OVERFLOW: bool;
    /// Rounds to nearest, ties to even.
    fn from_f64(x: f64) -> Self;
    /// Exact.
    fn to_f64(self) -> f64;
    /// The integer part if an i32 holds it; `i32::MIN` otherwise.
    #[inline(always)]
    fn near32(self) -> i32 {
        near32(self.to_f64())
    }
}

impl Float for f64 {
    const DIGITS: u32 = 53;
    const OVERFLOW_AT: u128 = u128::MAX;
    const MAY_OVERFLOW: bool = false;
    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Float for f32 {
    const DIGITS: u32 = 24;
    const OVERFLOW_AT: u128 = u128::MAX - (1 << 103) + 1; // 2^128 - 2^103: half way between MAX and 2^128
    const MAY_OVERFLOW: bool = true;
    #[inline(always)]
    fn from_f64(x: f64) -> f32 {
        x as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn near32(self) -> i32 {
        // SAFETY: as in `near64`.
        unsafe { std::arch::x86_64::_mm_cvttss_si32(std::arch::x86_64::_mm_set_ss(self)) }
    }
}

impl Float for f16 {
    const DIGITS: u32 = 11;
    const OVERFLOW_AT: u128 = 65520; // half way between MAX = 65504 and 65536
    const MAY_OVERFLOW: bool = true;
    /// One rounding, where `f64` to `f32` to `f16` would be two. No branches, so that loops become vectors.
    #[inline(always)]
    fn from_f64(x: f64) -> f16 {
        let magnitude = x.to_bits() & !(1 << 63);
        // Normal results: round the significand from 52 to 10 bits in the integer, which carries into the exponent.
        let odd = (magnitude >> 42) & 1;
        let normal = ((magnitude + ((1 << 41) - 1) + odd) >> 42).wrapping_sub((1023 - 15) << 10);
        // Subnormal results: beside 2^28 the unit of a double is 2^-24, that of the result, so that the sum rounds.
        let beside = f64::from_bits(magnitude) + 268435456.0;
        let subnormal = beside.to_bits().wrapping_sub(268435456.0f64.to_bits());
        let finite = if magnitude < (1023 - 14) << 52 { subnormal } else { normal };
        let bits = if magnitude >= 65520.0f64.to_bits() { 0x7c00 } else { finite };
        let bits = if x.is_nan() { 0x7e00 } else { bits };
        f16::from_bits(bits as u16 | ((x.to_bits() >> 48) as u16 & 0x8000))
    }
    /// Exponent and significand move to their places in an f32; a product with a power of two corrects the exponent,
    /// for subnormals as well.
    #[inline(always)]
    fn to_f64(self) -> f64 {
        let bits = u32::from(self.to_bits());
        let magnitude = (bits & 0x7fff) << 13;
        let finite = f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23);
        let special = f32::from_bits(magnitude | 0x7f80_0000);
        let value = if magnitude >= 0x7c00 << 13 { special } else { finite };
        f64::from(f32::from_bits(value.to_bits() | (bits & 0x8000) << 16))
    }
}

/// Whether `x` is an integer. Infinities may say yes, NaN says no.
#[inline(always)]
pub(super) fn is_integer<const W: bool>(x: f64) -> bool {
    if W {
        x.trunc() == x
    } else {
        // From 2^52 on every float is an integer; below, i64 holds the truncated value. NaN: both are false.
        (x as i64 as f64 == x) | (x.abs() >= 4503599627370496.0)
    }
}

/// The integer part modulo 2^32, as two's complement; NaN and infinities give 0.
#[inline(always)]
pub(super) fn low32<const W: bool>(x: f64) -> u32 {
    if W {
        const TWO_32: f64 = 4294967296.0;
        const TWO_52: f64 = 4503599627370496.0;
        let t = x.trunc();
        // Each step is exact: scaling by a power of two, floor, and a difference that fits in 53 bits.
        let r = t - (t * (1.0 / TWO_32)).floor() * TWO_32;
        let r = if r.is_nan() { 0.0 } else { r };
        // 0 <= r < 2^32, so the sum is exact and its low mantissa bits are r.
        (r + TWO_52).to_bits() as u32
    } else {
        let near = near32(x);
        if near != i32::MIN { near as u32 } else { low128_slow(x) as u32 }
    }
}

/// The integer part, if an i64 holds it; otherwise, and perhaps for `i64::MIN`, that value.
#[inline(always)]
pub(super) fn near64(x: f64) -> i64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE2 is part of x86-64. The instruction gives `i64::MIN` for NaN and for what lies outside.
    return unsafe { std::arch::x86_64::_mm_cvttsd_si64(std::arch::x86_64::_mm_set_sd(x)) };
    #[cfg(not(target_arch = "x86_64"))]
    if x.abs() < 9223372036854775808.0 { x as i64 } else { i64::MIN }
}

/// As [`near64`], for i32.
#[inline(always)]
pub(super) fn near32(x: f64) -> i32 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as in `near64`.
    return unsafe { std::arch::x86_64::_mm_cvttsd_si32(std::arch::x86_64::_mm_set_sd(x)) };
    #[cfg(not(target_arch = "x86_64"))]
    if x.abs() < 2147483648.0 { x as i32 } else { i32::MIN }
}

/// The integer part modulo 2^64, as two's complement; NaN and infinities give 0.
#[inline(always)]
pub(super) fn low64(x: f64) -> u64 {
    let near = near64(x);
    if near != i64::MIN { near as u64 } else { low128_slow(x) as u64 }
}

/// The integer part modulo 2^128, as two's complement; NaN and infinities give 0.
#[inline]
pub(super) fn low128(x: f64) -> u128 {
    let near = near64(x);
    if near != i64::MIN { near as i128 as u128 } else { low128_slow(x) }
}

#[cold]
fn low128_slow(x: f64) -> u128 {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    let significand = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = match exponent {
        972.. => 0, // NaN, infinity
        128.. => 0, // a multiple of 2^128
        0..128 => significand << exponent,
        -52..0 => significand >> -exponent,
        _ => 0,
    };
    if x.is_sign_negative() { magnitude.wrapping_neg() } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_float16_converts_as_in_the_half_crate_and_back() {
        for bits in 0..=u16::MAX {
            let (x, y) = (f16::from_bits(bits), Float::to_f64(f16::from_bits(bits)));
            assert!(
                x.to_f64() == y && x.to_f64().is_sign_negative() == y.is_sign_negative() || x.is_nan() && y.is_nan()
            );
            let back = <f16 as Float>::from_f64(y);
            assert!(back.to_bits() == bits || x.is_nan() && back.is_nan(), "{bits:04x}");
        }
    }

    #[test]
    fn both_ways_to_low32_and_is_integer_agree() {
        let mut x = 0.3_f64;
        for step in 0..400_000u32 {
            // Every exponent, both signs, mantissas that change.
            x = f64::from_bits(
                x.to_bits().wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407 + u64::from(step)),
            );
            assert_eq!(low32::<true>(x), low32::<false>(x), "{x:?}");
            if x.is_finite() {
                assert_eq!(is_integer::<true>(x), is_integer::<false>(x), "{x:?}");
            }
        }
        for x in [
            0.0,
            -0.0,
            0.5,
            -0.5,
            1.0,
            -1.0,
            4294967295.5,
            4294967296.0,
            -4294967296.5,
            2f64.powi(52),
            2f64.powi(53) + 2.0,
            2f64.powi(63),
            -(2f64.powi(63)),
            2f64.powi(64),
            2f64.powi(83),
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -f64::NAN,
        ] {
            assert_eq!(low32::<true>(x), low32::<false>(x), "{x:?}");
            assert_eq!(low64(x) as u32, low128(x) as u32);
        }
    }
}
