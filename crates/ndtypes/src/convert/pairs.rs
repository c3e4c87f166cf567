//! The matrix: one generic body per pair of kinds, stamped out for the pairs of types.

use half::f16;
use num_complex::Complex;

#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::float::{Float, is_integer, low32, low64, low128, near64};
use super::{Byte, Convert, ErrorMode, Fault, Num};
use ErrorMode as M;

/// The facts about an integer type.
pub(super) trait Int: Num {
    const BITS: u32;
    const SIGNED: bool;
    /// Bits of the largest magnitude below 2^BITS: without the sign.
    const VALUE_BITS: u32 = Self::BITS - Self::SIGNED as u32;
    /// The least value, exact.
    const LEAST: f64 = if Self::SIGNED { -pow2(Self::VALUE_BITS) } else { 0.0 };
    /// The largest f64 that is not above the largest value: 2^63 does not fit an i64, 2^63 - 1024 does.
    const MOST: f64 = if Self::VALUE_BITS <= 53 {
        pow2(Self::VALUE_BITS) - 1.0
    } else {
        pow2(Self::VALUE_BITS) - pow2(Self::VALUE_BITS - 53)
    };
    fn magnitude(self) -> u128;
    fn negative(self) -> bool;
    /// Exact up to 32 bits.
    fn to_f64(self) -> f64;
    /// The value, or the nearest of -65536 and 65536.
    fn limit(self) -> i32;
    /// The low 32 bits.
    fn to_i32(self) -> i32;
    /// The bits below `BITS`, sign dropped.
    fn from_low32(bits: u32) -> Self;
    fn from_low64(bits: u64) -> Self;
    fn from_low128(bits: u128) -> Self;
}

const fn pow2(n: u32) -> f64 {
    f64::from_bits((n as u64 + 1023) << 52)
}

macro_rules! ints {
    ($($ty:ty, $signed:literal);* $(;)?) => {$(
        impl Int for $ty {
            const BITS: u32 = <$ty>::BITS;
            const SIGNED: bool = $signed;
            #[inline(always)]
            #[allow(unused_comparisons, reason = "one body for signed and unsigned types")]
            fn magnitude(self) -> u128 {
                if self < 0 { (self as i128).unsigned_abs() } else { self as u128 }
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "one body for signed and unsigned types")]
            fn negative(self) -> bool {
                self < 0
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "one body for signed and unsigned types")]
            fn limit(self) -> i32 {
                if self.magnitude() >= 65536 { if self < 0 { -65536 } else { 65536 } } else { self as i32 }
            }
            #[inline(always)]
            fn to_i32(self) -> i32 {
                self as i32
            }
            #[inline(always)]
            fn from_low32(bits: u32) -> $ty {
                bits as $ty
            }
            #[inline(always)]
            fn from_low64(bits: u64) -> $ty {
                bits as $ty
            }
            #[inline(always)]
            fn from_low128(bits: u128) -> $ty {
                bits as $ty
            }
        }
    )*};
}
ints! { i8, true; i16, true; i32, true; i64, true; i128, true; u8, false; u16, false; u32, false; u64, false; u128, false }

/// Calls `$callback!(S, D)` for every S of the first list and D of the second.
macro_rules! cross {
    ($callback:ident; [$($s:ty),*] $ds:tt) => { $( cross!(@row $callback; $s; $ds); )* };
    (@row $callback:ident; $s:ty; [$($d:ty),*]) => { $( $callback!($s, $d); )* };
}

/// Whether the loop over this pair gains from vectors: widths that a vector instruction converts.
const fn vectorises(s: u32, d: u32) -> bool {
    s <= 64 && d <= 64
}

// ---- integer to integer: wraps, or overflows. Up to 128 bits.
macro_rules! int_int {
    ($s:ty, $d:ty) => {
        impl Convert<$d> for $s {
            const CHECKS: [M; 4] = {
                let (s, d) = (<$s>::BITS, <$d>::BITS);
                let same_sign = <$s as Int>::SIGNED == <$d as Int>::SIGNED;
                if (same_sign && d >= s) || (!<$s as Int>::SIGNED && <$d as Int>::SIGNED && d > s) {
                    [M::None; 4]
                } else {
                    [M::None, M::Overflow, M::Overflow, M::Overflow]
                }
            };
            const VECTOR: bool = vectorises(<$s>::BITS, <$d>::BITS);
            #[inline(always)]
            fn cast<const W: bool>(self) -> $d {
                self as $d
            }
            #[inline(always)]
            fn bad<const W: bool>(self, _: M) -> bool {
                let d = self as $d;
                // Between types of the same sign the way back tells all.
                (d as $s != self) | (<$s as Int>::SIGNED != <$d as Int>::SIGNED && d.negative() != self.negative())
            }
            fn fault(self, mode: M) -> Option<Fault> {
                (mode != M::None && Convert::<$d>::bad::<false>(self, mode)).then_some(Fault::Overflow)
            }
        }
    };
}
cross!(int_int; [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128] [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128]);

// ---- integer to float: rounds; overflows only where the format is that short.
#[inline(always)]
fn int_overflows<S: Int, F: Float>(x: S) -> bool {
    F::MAY_OVERFLOW && x.magnitude() >= F::OVERFLOW_AT
}

#[inline(always)]
fn int_inexact<S: Int, F: Float>(x: S) -> bool {
    if S::BITS <= 32 {
        let exact = x.to_f64();
        F::from_f64(exact).to_f64() != exact
    } else if S::BITS == 64 {
        let m = x.magnitude() as u64;
        (m >> (m | 1 << 63).trailing_zeros() >> F::DIGITS != 0) | int_overflows::<S, F>(x)
    } else {
        let m = x.magnitude();
        (m >> (m | 1 << 127).trailing_zeros() >> F::DIGITS != 0) | int_overflows::<S, F>(x)
    }
}

const fn int_float_checks<S: Int, F: Float>() -> [M; 4] {
    let overflows = F::MAY_OVERFLOW && (S::VALUE_BITS == 128 || F::OVERFLOW_AT < 1 << S::VALUE_BITS);
    if overflows {
        [M::None, M::Overflow, M::Overflow, M::Inexact]
    } else if S::VALUE_BITS > F::DIGITS {
        [M::None, M::None, M::None, M::Inexact]
    } else {
        [M::None; 4]
    }
}

#[inline(always)]
fn int_float_bad<S: Int, F: Float>(x: S, mode: M) -> bool {
    if mode as u8 >= M::Inexact as u8 { int_inexact::<S, F>(x) } else { int_overflows::<S, F>(x) }
}

fn int_float_fault<S: Int, F: Float>(x: S, mode: M) -> Option<Fault> {
    match mode {
        M::None => None,
        _ if int_overflows::<S, F>(x) => Some(Fault::Overflow),
        M::Inexact if int_inexact::<S, F>(x) => Some(Fault::Inexact),
        _ => None,
    }
}

macro_rules! int_float {
    ($s:ty, $f:ty) => {
        impl Convert<$f> for $s {
            const CHECKS: [M; 4] = int_float_checks::<$s, $f>();
            // There is no vector instruction for u64 to f32, and emulating it does not pay.
            const VECTOR: bool =
                vectorises(<$s>::BITS, 8 * size_of::<$f>() as u32) && !(<$s>::BITS == 64 && size_of::<$f>() == 4);
            #[inline(always)]
            fn cast<const W: bool>(self) -> $f {
                self as $f
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                int_float_bad::<$s, $f>(self, mode)
            }
            fn fault(self, mode: M) -> Option<Fault> {
                int_float_fault::<$s, $f>(self, mode)
            }
        }
    };
}
cross!(int_float; [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128] [f32, f64]);

macro_rules! int_half {
    ($s:ty, $f:ty) => {
        impl Convert<f16> for $s {
            const CHECKS: [M; 4] = int_float_checks::<$s, f16>();
            const VECTOR: bool = <$s>::BITS <= 64;
            #[inline(always)]
            fn cast<const W: bool>(self) -> f16 {
                // From 65520 on everything is infinite; below, the integer is exact in an f64.
                <f16 as Float>::from_f64(if <$s>::BITS <= 32 { self as f64 } else { self.limit() as f64 })
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                int_float_bad::<$s, f16>(self, mode)
            }
            fn fault(self, mode: M) -> Option<Fault> {
                int_float_fault::<$s, f16>(self, mode)
            }
        }
    };
}
cross!(int_half; [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128] [f16]);

// ---- float to integer: the integer part modulo 2^bits, or range and fraction checked on the exact value.
#[inline(always)]
fn float_int_cast<const W: bool, D: Int>(x: f64) -> D {
    if D::BITS <= 32 {
        D::from_low32(low32::<W>(x))
    } else if D::BITS == 64 {
        D::from_low64(low64(x))
    } else {
        D::from_low128(low128(x))
    }
}

#[inline(always)]
fn float_int_bad<const W: bool, D: Int>(x: f64, mode: M) -> bool {
    let in_range = (x >= D::LEAST) & (x <= D::MOST); // false for NaN
    if mode as u8 >= M::Fractional as u8 { !(in_range & is_integer::<W>(x)) } else { !in_range }
}

fn float_int_fault<D: Int>(x: f64, mode: M) -> Option<Fault> {
    match mode {
        M::None => None,
        _ if float_int_bad::<false, D>(x, M::Overflow) => Some(Fault::Overflow),
        M::Fractional | M::Inexact if !is_integer::<false>(x) => Some(Fault::Fractional),
        _ => None,
    }
}

macro_rules! float_int {
    ($f:ty, $d:ty) => {
        impl Convert<$d> for $f {
            const CHECKS: [M; 4] = [M::None, M::Overflow, M::Fractional, M::Fractional];
            const VECTOR: bool = vectorises(8 * size_of::<$f>() as u32, <$d>::BITS);
            #[inline(always)]
            fn cast<const W: bool>(self) -> $d {
                float_int_cast::<W, $d>(Float::to_f64(self))
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                float_int_bad::<W, $d>(Float::to_f64(self), mode)
            }
            #[inline(always)]
            fn quick<const W: bool>(self, mode: M) -> ($d, bool) {
                let x = Float::to_f64(self);
                // Out of range, the truncating instruction gives MIN.
                let (d, outside) = if <$d>::BITS <= 32 {
                    let near = Float::near32(self);
                    (near as $d, near == i32::MIN)
                } else if <$d>::BITS == 64 {
                    let near = near64(x);
                    (near as $d, near == i64::MIN)
                } else {
                    return (float_int_cast::<false, $d>(x), mode as u8 != 0 && float_int_bad::<W, $d>(x, mode));
                };
                match mode {
                    M::None => (d, outside),
                    // What comes back unchanged was in range and an integer; up to 2^63 for all types.
                    M::Fractional if <$d>::BITS < 64 || <$d as Int>::SIGNED => {
                        (d, d as f64 != x || x > <$d as Int>::MOST)
                    }
                    _ => (d, outside | float_int_bad::<W, $d>(x, mode)),
                }
            }
            #[cfg(target_arch = "x86_64")]
            const BLOCK_MODES: [bool; 4] = {
                let has = size_of::<$f>() >= 4 && (<$d>::BITS < 32 || (<$d>::BITS == 32 && <$d as Int>::SIGNED));
                [has, false, has, false]
            };
            #[cfg(target_arch = "x86_64")]
            unsafe fn block(src: *const $f, dst: *mut $d, count: usize, mode: M) -> bool {
                // SAFETY: the caller's contract; by `BLOCK_MODES` `$f` is f32 or f64.
                unsafe {
                    match (size_of::<$f>(), mode) {
                        (8, M::None) => avx2::truncate::<f64, $d, false>(src.cast(), dst, count),
                        (8, M::Fractional) => avx2::truncate::<f64, $d, true>(src.cast(), dst, count),
                        (4, M::None) => avx2::truncate::<f32, $d, false>(src.cast(), dst, count),
                        (4, M::Fractional) => avx2::truncate::<f32, $d, true>(src.cast(), dst, count),
                        _ => false,
                    }
                }
            }
            fn fault(self, mode: M) -> Option<Fault> {
                float_int_fault::<$d>(Float::to_f64(self), mode)
            }
        }
    };
}
cross!(float_int; [f16, f32, f64] [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128]);

// ---- float to float: widening is exact; narrowing rounds, and overflows when a finite value becomes infinite.
const fn float_float_checks<S: Float, D: Float>() -> [M; 4] {
    if D::DIGITS >= S::DIGITS { [M::None; 4] } else { [M::None, M::Overflow, M::Overflow, M::Inexact] }
}

#[inline(always)]
fn float_overflows<D: Float>(x: f64) -> bool {
    (D::from_f64(x).to_f64().abs() == f64::INFINITY) & (x.abs() != f64::INFINITY)
}

#[inline(always)]
fn float_float_bad<S: Float, D: Float>(x: S, mode: M) -> bool {
    let x = x.to_f64();
    if mode as u8 >= M::Inexact as u8 { (D::from_f64(x).to_f64() != x) & !x.is_nan() } else { float_overflows::<D>(x) }
}

fn float_float_fault<S: Float, D: Float>(x: S, mode: M) -> Option<Fault> {
    match mode {
        M::None => None,
        _ if D::DIGITS >= S::DIGITS => None,
        _ if float_overflows::<D>(x.to_f64()) => Some(Fault::Overflow),
        M::Inexact if float_float_bad::<S, D>(x, mode) => Some(Fault::Inexact),
        _ => None,
    }
}

/// One rounding; through f64, which holds every value of the other formats.
macro_rules! float_float {
    ($s:ty, $d:ty) => {
        impl Convert<$d> for $s {
            const CHECKS: [M; 4] = float_float_checks::<$s, $d>();
            const VECTOR: bool = true;
            #[inline(always)]
            fn cast<const W: bool>(self) -> $d {
                <$d as Float>::from_f64(Float::to_f64(self))
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                float_float_bad::<$s, $d>(self, mode)
            }
            fn fault(self, mode: M) -> Option<Fault> {
                float_float_fault::<$s, $d>(self, mode)
            }
        }
    };
}
cross!(float_float; [f16, f32, f64] [f16, f32, f64]);

// ---- bool: anything to bool asks whether the value is not zero; bool to anything is 0 or 1. Never an error.
macro_rules! to_bool {
    ($s:ty, |$x:ident| $nonzero:expr) => {
        impl Convert<Byte> for $s {
            const CHECKS: [M; 4] = [M::None; 4];
            const VECTOR: bool = true;
            #[inline(always)]
            fn cast<const W: bool>(self) -> Byte {
                let $x = self;
                Byte(u8::from($nonzero))
            }
            #[inline(always)]
            fn bad<const W: bool>(self, _: M) -> bool {
                false
            }
            fn fault(self, _: M) -> Option<Fault> {
                None
            }
        }
    };
}
macro_rules! number_to_bool {
    ($s:ty, $d:ty) => {
        to_bool!($s, |x| x != <$s>::default());
    };
}
cross!(number_to_bool; [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f16, f32, f64] [Byte]);
to_bool!(Complex<f32>, |x| (x.re != 0.0) | (x.im != 0.0));
to_bool!(Complex<f64>, |x| (x.re != 0.0) | (x.im != 0.0));
to_bool!(Byte, |x| x.0 != 0);

macro_rules! from_bool {
    ($s:ty, $d:ty) => {
        impl Convert<$d> for Byte {
            const CHECKS: [M; 4] = [M::None; 4];
            const VECTOR: bool = true;
            #[inline(always)]
            fn cast<const W: bool>(self) -> $d {
                Convert::<$d>::cast::<W>(u8::from(self.0 != 0))
            }
            #[inline(always)]
            fn bad<const W: bool>(self, _: M) -> bool {
                false
            }
            fn fault(self, _: M) -> Option<Fault> {
                None
            }
        }
    };
}
cross!(from_bool; [Byte] [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f16, f32, f64, Complex<f32>, Complex<f64>]);

// ---- complex: part by part.
const fn or_overflow(part: [M; 4]) -> [M; 4] {
    let mut checks = [M::None, M::Overflow, M::Overflow, M::Overflow];
    let mut i = 1;
    while i < 4 {
        if part[i] as u8 > M::Overflow as u8 {
            checks[i] = part[i];
        }
        i += 1;
    }
    checks
}

macro_rules! real_complex {
    ($s:ty, $f:ty) => {
        impl Convert<Complex<$f>> for $s {
            const CHECKS: [M; 4] = <$s as Convert<$f>>::CHECKS;
            const VECTOR: bool = <$s as Convert<$f>>::VECTOR;
            #[inline(always)]
            fn cast<const W: bool>(self) -> Complex<$f> {
                Complex::new(Convert::<$f>::cast::<W>(self), 0.0)
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                Convert::<$f>::bad::<W>(self, mode)
            }
            fn fault(self, mode: M) -> Option<Fault> {
                Convert::<$f>::fault(self, mode)
            }
        }
    };
}
cross!(real_complex; [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f16, f32, f64] [f32, f64]);

macro_rules! complex_real {
    ($f:ty, $d:ty) => {
        impl Convert<$d> for Complex<$f> {
            const CHECKS: [M; 4] = or_overflow(<$f as Convert<$d>>::CHECKS);
            const VECTOR: bool = <$f as Convert<$d>>::VECTOR;
            #[inline(always)]
            fn cast<const W: bool>(self) -> $d {
                Convert::<$d>::cast::<W>(self.re)
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                let part = <$f as Convert<$d>>::CHECKS[mode as usize];
                // NaN is not zero: a lost imaginary NaN is a loss.
                (self.im != 0.0) | (part != M::None && Convert::<$d>::bad::<W>(self.re, part))
            }
            #[inline(always)]
            fn quick<const W: bool>(self, mode: M) -> ($d, bool) {
                let part = <$f as Convert<$d>>::CHECKS[mode as usize];
                let (d, look) = Convert::<$d>::quick::<W>(self.re, part);
                (d, look | (mode as u8 != 0 && self.im != 0.0))
            }
            fn fault(self, mode: M) -> Option<Fault> {
                match mode {
                    M::None => None,
                    _ if self.im != 0.0 => Some(Fault::Imaginary),
                    _ => Convert::<$d>::fault(self.re, mode),
                }
            }
        }
    };
}
cross!(complex_real; [f32, f64] [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f16, f32, f64]);

macro_rules! complex_complex {
    ($s:ty, $d:ty) => {
        impl Convert<Complex<$d>> for Complex<$s> {
            const CHECKS: [M; 4] = <$s as Convert<$d>>::CHECKS;
            const VECTOR: bool = true;
            #[inline(always)]
            fn cast<const W: bool>(self) -> Complex<$d> {
                Complex::new(Convert::<$d>::cast::<W>(self.re), Convert::<$d>::cast::<W>(self.im))
            }
            #[inline(always)]
            fn bad<const W: bool>(self, mode: M) -> bool {
                Convert::<$d>::bad::<W>(self.re, mode) | Convert::<$d>::bad::<W>(self.im, mode)
            }
            fn fault(self, mode: M) -> Option<Fault> {
                let (re, im) = (Convert::<$d>::fault(self.re, mode), Convert::<$d>::fault(self.im, mode));
                if im == Some(Fault::Overflow) { im } else { re.or(im) }
            }
        }
    };
}
cross!(complex_complex; [f32, f64] [f32, f64]);
