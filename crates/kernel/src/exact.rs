//! Operations that Rust leaves open or lets panic, with one meaning on every path.
//!
//! `#[kernel]` puts these into the native code in place of the operators and methods that were written; the prelude of
//! the emitted C defines the same. docs/kernel-language.md lists the meanings.

/// The integer types of the kernel language.
pub trait Int: Copy {
    /// Wraps.
    fn add(self, other: Self) -> Self;
    /// Wraps.
    fn sub(self, other: Self) -> Self;
    /// Wraps.
    fn mul(self, other: Self) -> Self;
    /// `x / 0 = 0`, `MIN / -1 = MIN`.
    fn div(self, other: Self) -> Self;
    /// `x % 0 = x`, `MIN % -1 = 0`.
    fn rem(self, other: Self) -> Self;
    /// Wraps.
    fn neg(self) -> Self;
    /// `abs(MIN) = MIN`.
    fn abs(self) -> Self;
    /// The count is taken modulo the width.
    fn shl(self, count: u32) -> Self;
    /// The count is taken modulo the width.
    fn shr(self, count: u32) -> Self;
    /// The low 32 bits: enough for a shift count.
    fn count(self) -> u32;
}

/// Values with a smaller and a larger one.
pub trait Ordered: Copy {
    /// The smaller one.
    fn min(self, other: Self) -> Self;
    /// The larger one.
    fn max(self, other: Self) -> Self;
}

macro_rules! ints {
    ($($t:ty, $abs:expr;)*) => {$(
        impl Int for $t {
            #[inline(always)]
            fn add(self, other: $t) -> $t { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: $t) -> $t { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: $t) -> $t { self.wrapping_mul(other) }
            #[inline(always)]
            fn div(self, other: $t) -> $t { if other == 0 { 0 } else { self.wrapping_div(other) } }
            #[inline(always)]
            fn rem(self, other: $t) -> $t { if other == 0 { self } else { self.wrapping_rem(other) } }
            #[inline(always)]
            fn neg(self) -> $t { self.wrapping_neg() }
            #[inline(always)]
            fn abs(self) -> $t { $abs(self) }
            #[inline(always)]
            fn shl(self, count: u32) -> $t { self.wrapping_shl(count) }
            #[inline(always)]
            fn shr(self, count: u32) -> $t { self.wrapping_shr(count) }
            #[inline(always)]
            fn count(self) -> u32 { self as u32 }
        }
        impl Ordered for $t {
            #[inline(always)]
            fn min(self, other: $t) -> $t { if other < self { other } else { self } }
            #[inline(always)]
            fn max(self, other: $t) -> $t { if other > self { other } else { self } }
        }
    )*};
}
ints! {
    i32, i32::wrapping_abs;
    i64, i64::wrapping_abs;
    u32, core::convert::identity;
    u64, core::convert::identity;
    usize, core::convert::identity;
}

/// f64 and f32.
pub trait Float: Copy {
    /// The unsigned integer of the same width.
    type Bits;
    /// The bits; every NaN is the positive quiet one without payload.
    fn to_bits(self) -> Self::Bits;
    /// The sign; a NaN counts as positive.
    fn is_sign_negative(self) -> bool;
    /// The magnitude of one with the sign of another; a NaN's sign counts as positive.
    fn copysign(self, sign: Self) -> Self;
}

macro_rules! floats {
    ($($t:ident $bits:ident $nan:literal;)*) => {$(
        impl Float for $t {
            type Bits = $bits;
            #[inline(always)]
            fn to_bits(self) -> $bits { if self.is_nan() { $nan } else { $t::to_bits(self) } }
            #[inline(always)]
            fn is_sign_negative(self) -> bool { Float::to_bits(self) >> ($bits::BITS - 1) == 1 }
            #[inline(always)]
            fn copysign(self, sign: $t) -> $t { $t::copysign(self, $t::from_bits(Float::to_bits(sign))) }
        }
        impl Ordered for $t {
            // Selections by one comparison each: what is chosen by several at once becomes a branch, and one that depends on the
            // numbers is guessed wrong half of the time. Equal numbers differ at most in the sign of zero: their bits decide,
            // whatever the compiler makes of the comparison before.
            #[inline(always)]
            fn min(self, other: $t) -> $t {
                let smaller = if other < self { other } else { self };
                let equal = $t::from_bits($t::to_bits(self) | $t::to_bits(other));
                let number = if other == self { equal } else { smaller };
                if self.is_nan() { other } else { number }
            }
            #[inline(always)]
            fn max(self, other: $t) -> $t {
                let larger = if other > self { other } else { self };
                let equal = $t::from_bits($t::to_bits(self) & $t::to_bits(other));
                let number = if other == self { equal } else { larger };
                if self.is_nan() { other } else { number }
            }
        }
    )*};
}
floats! {
    f64 u64 0x7ff8_0000_0000_0000;
    f32 u32 0x7fc0_0000;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*);)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T: Int>($($arg: T),*) -> T { functions!(@call $name $($arg)*) }
    )*};
    (@call $name:ident $a:ident $b:ident) => { Int::$name($a, $b) };
    (@call $name:ident $a:ident) => { Int::$name($a) };
}
functions! {
    /// `a + b`, wrapping.
    add(a, b);
    /// `a - b`, wrapping.
    sub(a, b);
    /// `a * b`, wrapping.
    mul(a, b);
    /// `a / b`; `a / 0 = 0`, `MIN / -1 = MIN`.
    div(a, b);
    /// `a % b`; `a % 0 = a`, `MIN % -1 = 0`.
    rem(a, b);
    /// `-a`, wrapping.
    neg(a);
    /// `|a|`, wrapping.
    abs(a);
}

/// `a << count`, the count modulo the width.
#[inline(always)]
pub fn shl<T: Int, C: Int>(a: T, count: C) -> T {
    a.shl(count.count())
}

/// `a >> count`, the count modulo the width.
#[inline(always)]
pub fn shr<T: Int, C: Int>(a: T, count: C) -> T {
    a.shr(count.count())
}

/// IEEE 754-2019 minimumNumber: a NaN loses, -0 is below +0.
#[inline(always)]
pub fn min<T: Ordered>(a: T, b: T) -> T {
    a.min(b)
}

/// IEEE 754-2019 maximumNumber: a NaN loses, -0 is below +0.
#[inline(always)]
pub fn max<T: Ordered>(a: T, b: T) -> T {
    a.max(b)
}

/// The bits; every NaN is the positive quiet one without payload.
#[inline(always)]
pub fn to_bits<T: Float>(x: T) -> T::Bits {
    Float::to_bits(x)
}

/// A NaN counts as positive.
#[inline(always)]
pub fn is_sign_negative<T: Float>(x: T) -> bool {
    Float::is_sign_negative(x)
}

/// A NaN counts as positive.
#[inline(always)]
pub fn is_sign_positive<T: Float>(x: T) -> bool {
    !Float::is_sign_negative(x)
}

/// The sign of a NaN counts as positive.
#[inline(always)]
pub fn copysign<T: Float>(x: T, sign: T) -> T {
    Float::copysign(x, sign)
}

/// An index into an array of `n`: a panic in debug builds if it is out of range, otherwise the last one.
#[inline(always)]
#[track_caller]
pub fn index(i: usize, n: usize) -> usize {
    debug_assert!(i < n, "index {i} is outside an array of {n}");
    if i < n { i } else { n - 1 }
}

/// The length of a constant table or of an array in a field.
#[inline(always)]
pub fn len<T, const N: usize>(_: &[T; N]) -> usize {
    N
}

/// An element of a slice; outside: a panic in debug builds, otherwise zero.
#[inline(always)]
#[track_caller]
pub fn load<T: Copy + Default>(slice: &[T], i: usize) -> T {
    debug_assert!(i < slice.len(), "index {i} is outside a slice of {}", slice.len());
    slice.get(i).copied().unwrap_or_default()
}

/// Stores an element of a slice; outside: a panic in debug builds, otherwise nothing.
#[inline(always)]
#[track_caller]
pub fn store<T>(slice: &mut [T], i: usize, value: T) {
    debug_assert!(i < slice.len(), "index {i} is outside a slice of {}", slice.len());
    if let Some(place) = slice.get_mut(i) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_operations_are_total() {
        assert_eq!((div(7, 0), rem(7, 0)), (0, 7));
        assert_eq!((div(i32::MIN, -1), rem(i32::MIN, -1)), (i32::MIN, 0));
        assert_eq!((div(i64::MIN, -1), rem(i64::MIN, -1)), (i64::MIN, 0));
        assert_eq!((add(i32::MAX, 1), mul(u64::MAX, 2)), (i32::MIN, u64::MAX - 1));
        assert_eq!((neg(i64::MIN), abs(i32::MIN), neg(1u32)), (i64::MIN, i32::MIN, u32::MAX));
        assert_eq!((shl(1u32, 33), shr(-8i64, 65u64), shl(1u64, -1i32)), (2, -4, 1 << 63));
    }

    #[test]
    fn zeros_are_ordered_and_nan_loses() {
        assert_eq!(min(0.0, -0.0_f64).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(min(-0.0, 0.0_f64).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(max(-0.0, 0.0_f32).to_bits(), 0);
        assert_eq!((min(f64::NAN, 1.0), max(1.0, f64::NAN)), (1.0, 1.0));
        assert!(min(f64::NAN, f64::NAN).is_nan());
    }

    #[test]
    fn the_bits_of_a_nan_are_fixed() {
        assert_eq!(to_bits(-f64::NAN), 0x7ff8_0000_0000_0000);
        assert_eq!(to_bits(f32::from_bits(0xffff_ffff)), 0x7fc0_0000);
        assert_eq!(copysign(1.0, -f64::NAN), 1.0);
        assert!(!is_sign_negative(-f64::NAN) && is_sign_positive(-f64::NAN));
    }
}
