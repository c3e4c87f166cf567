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
    /// Rounds the integer to nearest, ties to even, in one step.
    fn from_magnitude(m: u128) -> Self;
    /// Flips the sign.
    fn neg(self) -> Self;
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
    #[inline(always)]
    fn from_magnitude(m: u128) -> f64 {
        m as f64
    }
    #[inline(always)]
    fn neg(self) -> f64 {
        -self
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
    #[inline(always)]
    fn from_magnitude(m: u128) -> f32 {
        m as f32
    }
    #[inline(always)]
    fn neg(self) -> f32 {
        -self
    }
}

impl Float for f16 {
    const DIGITS: u32 = 11;
    const OVERFLOW_AT: u128 = 65520; // half way between MAX = 65504 and 65536
    const MAY_OVERFLOW: bool = true;
    /// One rounding, where `f64` to `f32` to `f16` would be two: the first step rounds to odd, which keeps the
    /// information the second one needs, since 24 >= 11 + 2.
    #[inline]
    fn from_f64(x: f64) -> f16 {
        let near = x as f32;
        let back = f64::from(near);
        if back == x || x.is_nan() {
            return f16::from_f32(near);
        }
        let toward_zero = near.to_bits() - u32::from(back.abs() > x.abs());
        f16::from_f32(f32::from_bits(toward_zero | 1))
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self.to_f32())
    }
    #[inline(always)]
    fn from_magnitude(m: u128) -> f16 {
        // From 65520 on everything is infinite; below, the integer is exact in an f64.
        <f16 as Float>::from_f64(m.min(65536) as u32 as f64)
    }
    #[inline(always)]
    fn neg(self) -> f16 {
        -self
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
