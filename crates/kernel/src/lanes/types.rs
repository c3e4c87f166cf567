//! Which lane type stands for which type of the kernel language.

use super::{Blend, Lanes, MAX_LANES};

/// A type of the kernel language.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "used by this kernel",
    note = "put `#[kernel]` on the struct (docs/kernel-language.md)"
)]
pub trait LaneType: Copy {
    /// One value of it for each lane.
    type Of<L: Lanes>: Blend<L>;
    /// The same value in every lane.
    fn splat<L: Lanes>(lanes: L, x: Self) -> Self::Of<L>;
    /// The value of lane `i`.
    fn get<L: Lanes>(lanes: L, x: &Self::Of<L>, i: usize) -> Self;
    /// The lanes from their values, the first one first.
    fn collect<L: Lanes>(lanes: L, f: impl FnMut(usize) -> Self) -> Self::Of<L>;
    /// Zeros.
    fn zero() -> Self;
    /// `table[i]` for each lane, `i` clamped into the table, which is not empty.
    #[inline(always)]
    fn gather<L: Lanes>(lanes: L, table: &[Self], i: L::U64) -> Self::Of<L> {
        let i = lanes.u64_array(lanes.u64_min(i, lanes.u64_splat(table.len() as u64 - 1)));
        Self::collect(
            lanes,
            #[inline(always)]
            |k| table[i[k] as usize],
        )
    }
    /// The first lanes of `from`, which has at least as many values.
    #[inline(always)]
    fn load<L: Lanes>(lanes: L, from: &[Self]) -> Self::Of<L> {
        Self::collect(
            lanes,
            #[inline(always)]
            |i| from[i],
        )
    }
    /// To the first places of `to`, which has at least as many.
    #[inline(always)]
    fn store<L: Lanes>(lanes: L, x: &Self::Of<L>, to: &mut [Self]) {
        let to = &mut to[..L::N];
        let mut i = 0;
        while i < L::N {
            to[i] = Self::get(lanes, x, i);
            i += 1;
        }
    }
}

/// The lanes of a type of 32 bits, as an array.
#[derive(Debug, Clone, Copy)]
pub struct Small<T, const N: usize>(pub(super) [T; N]);

impl<L: Lanes, T: Copy + Default, const N: usize> Blend<L> for Small<T, N> {
    #[inline(always)]
    fn blend(lanes: L, mask: L::Mask, yes: Self, no: Self) -> Self {
        let bits = lanes.mask_bits(mask);
        let (mut out, mut i) = (no, 0);
        while i < N {
            if bits >> i & 1 == 1 {
                out.0[i] = yes.0[i];
            }
            i += 1;
        }
        out
    }
    #[inline(always)]
    fn zero(_: L) -> Self {
        Small([T::default(); N])
    }
}

impl<T: Copy + Default, const N: usize> Small<T, N> {
    #[inline(always)]
    pub(super) fn from_first(x: [T; MAX_LANES]) -> Self {
        let (mut out, mut i) = ([T::default(); N], 0);
        while i < N {
            out[i] = x[i];
            i += 1;
        }
        Small(out)
    }
    #[inline(always)]
    pub(super) fn padded(self) -> [T; MAX_LANES] {
        let (mut out, mut i) = ([T::default(); MAX_LANES], 0);
        while i < N {
            out[i] = self.0[i];
            i += 1;
        }
        out
    }
}

/// The values of the lanes, then zeros.
///
/// Loops, here and elsewhere in this module: what goes through a function of `core` that is not inlined is compiled
/// without the vector instructions. For the same reason every closure that is passed on is `#[inline(always)]`.
#[inline(always)]
pub fn values<L: Lanes, T: LaneType>(mut f: impl FnMut(usize) -> T) -> [T; MAX_LANES] {
    let (mut out, mut i) = ([T::zero(); MAX_LANES], 0);
    while i < L::N {
        out[i] = f(i);
        i += 1;
    }
    out
}

macro_rules! scalars {
    ($($t:ident $lanes:ident $from:ident $array:ident |$l:ident, $x:ident| $splat:expr;)*) => {$(
        impl LaneType for $t {
            type Of<L: Lanes> = L::$lanes;
            #[inline(always)]
            fn splat<L: Lanes>($l: L, $x: $t) -> L::$lanes { $splat }
            #[inline(always)]
            fn get<L: Lanes>(lanes: L, x: &L::$lanes, i: usize) -> $t { lanes.$array(*x)[i] as $t }
            #[inline(always)]
            fn collect<L: Lanes>(lanes: L, mut f: impl FnMut(usize) -> $t) -> L::$lanes {
                let (mut out, mut i) = ([0 as _; MAX_LANES], 0);
                while i < L::N {
                    out[i] = f(i) as _;
                    i += 1;
                }
                lanes.$from(out)
            }
            #[inline(always)]
            fn zero() -> $t { 0 as $t }
            scalars!(@more $t);
        }
    )*};
    (@more f64) => {
        #[inline(always)]
        fn gather<L: Lanes>(lanes: L, table: &[f64], i: L::U64) -> L::F64 { lanes.f64_gather(table, i) }
        #[inline(always)]
        fn load<L: Lanes>(lanes: L, from: &[f64]) -> L::F64 { lanes.f64_load(from) }
        #[inline(always)]
        fn store<L: Lanes>(lanes: L, x: &L::F64, to: &mut [f64]) { lanes.f64_store(*x, to); }
    };
    (@more $t:ident) => {};
}
scalars! {
    f64 F64 f64_from f64_array |l, x| l.f64_splat(x);
    f32 F32 f32_from f32_array |l, x| l.f32_from([x; MAX_LANES]);
    i64 I64 i64_from i64_array |l, x| l.i64_splat(x);
    u64 U64 u64_from u64_array |l, x| l.u64_splat(x);
    usize U64 u64_from u64_array |l, x| l.u64_splat(x as u64);
    i32 I32 i32_from i32_array |l, x| l.i32_from([x; MAX_LANES]);
    u32 U32 u32_from u32_array |l, x| l.u32_from([x; MAX_LANES]);
}

/// A scalar whose lanes can be compared.
pub trait SameBits: LaneType {
    /// Every lane of `x` has the bits of that of `y`.
    fn same_bits<L: Lanes>(lanes: L, x: &Self::Of<L>, y: &Self::Of<L>) -> bool;
}

impl SameBits for f64 {
    #[inline(always)]
    fn same_bits<L: Lanes>(lanes: L, x: &L::F64, y: &L::F64) -> bool {
        !lanes.any(lanes.u64_ne(lanes.f64_raw(*x), lanes.f64_raw(*y)))
    }
}

impl SameBits for bool {
    #[inline(always)]
    fn same_bits<L: Lanes>(lanes: L, x: &L::Mask, y: &L::Mask) -> bool {
        !lanes.any(lanes.mask_xor(*x, *y))
    }
}

impl SameBits for f32 {
    #[inline(always)]
    fn same_bits<L: Lanes>(lanes: L, x: &L::F32, y: &L::F32) -> bool {
        let (x, y, mut same, mut i) = (lanes.f32_array(*x), lanes.f32_array(*y), true, 0);
        while i < L::N {
            same &= x[i].to_bits() == y[i].to_bits();
            i += 1;
        }
        same
    }
}

macro_rules! integers {
    ($($t:ident $array:ident;)*) => {$(
        impl SameBits for $t {
            #[inline(always)]
            fn same_bits<L: Lanes>(lanes: L, x: &Self::Of<L>, y: &Self::Of<L>) -> bool {
                let (x, y, mut same, mut i) = (lanes.$array(*x), lanes.$array(*y), true, 0);
                while i < L::N {
                    same &= x[i] == y[i];
                    i += 1;
                }
                same
            }
        }
    )*};
}
integers! {
    i64 i64_array;
    u64 u64_array;
    usize u64_array;
    i32 i32_array;
    u32 u32_array;
}

impl LaneType for bool {
    type Of<L: Lanes> = L::Mask;
    #[inline(always)]
    fn splat<L: Lanes>(lanes: L, x: bool) -> L::Mask {
        lanes.mask_splat(x)
    }
    #[inline(always)]
    fn get<L: Lanes>(lanes: L, x: &L::Mask, i: usize) -> bool {
        lanes.mask_bits(*x) >> i & 1 == 1
    }
    #[inline(always)]
    fn collect<L: Lanes>(lanes: L, mut f: impl FnMut(usize) -> bool) -> L::Mask {
        let (mut bits, mut i) = (0, 0);
        while i < L::N {
            bits |= u32::from(f(i)) << i;
            i += 1;
        }
        lanes.mask_from_bits(bits)
    }
    #[inline(always)]
    fn zero() -> bool {
        false
    }
    #[inline(always)]
    fn load<L: Lanes>(lanes: L, from: &[bool]) -> L::Mask {
        let (from, mut bytes) = (&from[..L::N], [0_u8; MAX_LANES]);
        // SAFETY: a bool is a byte, there are `N` of them, and `bytes` has places for as many.
        unsafe { core::ptr::copy_nonoverlapping(from.as_ptr().cast(), bytes.as_mut_ptr(), L::N) };
        // The product has the bytes, which are 0 or 1, side by side in its highest byte; no two meet in one bit.
        lanes.mask_from_bits((u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32)
    }
    #[inline(always)]
    fn store<L: Lanes>(lanes: L, x: &L::Mask, to: &mut [bool]) {
        // Byte i of the product with its bit i alone, which is then moved to its lowest place.
        let spread = u64::from(lanes.mask_bits(*x)).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let bytes = ((spread + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes();
        let to = &mut to[..L::N];
        // SAFETY: there are places for `N` bytes, and each byte is 0 or 1, as a bool's is.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to.as_mut_ptr().cast(), L::N) };
    }
}

impl<L: Lanes> Blend<L> for () {
    #[inline(always)]
    fn blend(_: L, _: L::Mask, (): (), (): ()) {}
    #[inline(always)]
    fn zero(_: L) {}
}

impl LaneType for () {
    type Of<L: Lanes> = ();
    #[inline(always)]
    fn splat<L: Lanes>(_: L, (): ()) {}
    #[inline(always)]
    fn get<L: Lanes>(_: L, (): &(), _: usize) {}
    #[inline(always)]
    fn collect<L: Lanes>(_: L, mut f: impl FnMut(usize)) {
        let mut i = 0;
        while i < L::N {
            f(i);
            i += 1;
        }
    }
    #[inline(always)]
    fn zero() {}
}

impl<L: Lanes, V: Blend<L>, const K: usize> Blend<L> for [V; K] {
    #[inline(always)]
    fn blend(lanes: L, mask: L::Mask, yes: Self, no: Self) -> Self {
        let (mut out, mut k) = (no, 0);
        while k < K {
            out[k] = V::blend(lanes, mask, yes[k], no[k]);
            k += 1;
        }
        out
    }
    #[inline(always)]
    fn zero(lanes: L) -> Self {
        [V::zero(lanes); K]
    }
}

impl<T: LaneType, const K: usize> LaneType for [T; K] {
    type Of<L: Lanes> = [T::Of<L>; K];
    #[inline(always)]
    fn splat<L: Lanes>(lanes: L, x: [T; K]) -> [T::Of<L>; K] {
        let (mut out, mut k) = ([Blend::zero(lanes); K], 0);
        while k < K {
            out[k] = T::splat(lanes, x[k]);
            k += 1;
        }
        out
    }
    #[inline(always)]
    fn get<L: Lanes>(lanes: L, x: &[T::Of<L>; K], i: usize) -> [T; K] {
        let (mut out, mut k) = ([T::zero(); K], 0);
        while k < K {
            out[k] = T::get(lanes, &x[k], i);
            k += 1;
        }
        out
    }
    #[inline(always)]
    fn collect<L: Lanes>(lanes: L, f: impl FnMut(usize) -> [T; K]) -> [T::Of<L>; K] {
        let all = values::<L, Self>(f);
        let (mut out, mut k) = ([Blend::zero(lanes); K], 0);
        while k < K {
            out[k] = T::collect(
                lanes,
                #[inline(always)]
                |i| all[i][k],
            );
            k += 1;
        }
        out
    }
    #[inline(always)]
    fn zero() -> [T; K] {
        [T::zero(); K]
    }
}

macro_rules! tuples {
    ($(($($t:ident $k:tt),*);)*) => {$(
        impl<L: Lanes, $($t: Blend<L>),*> Blend<L> for ($($t,)*) {
            #[inline(always)]
            fn blend(lanes: L, mask: L::Mask, yes: Self, no: Self) -> Self {
                ($($t::blend(lanes, mask, yes.$k, no.$k),)*)
            }
            #[inline(always)]
            fn zero(lanes: L) -> Self { ($($t::zero(lanes),)*) }
        }
        impl<$($t: LaneType),*> LaneType for ($($t,)*) {
            type Of<L: Lanes> = ($($t::Of<L>,)*);
            #[inline(always)]
            fn splat<L: Lanes>(lanes: L, x: Self) -> Self::Of<L> { ($($t::splat(lanes, x.$k),)*) }
            #[inline(always)]
            fn get<L: Lanes>(lanes: L, x: &Self::Of<L>, i: usize) -> Self { ($($t::get(lanes, &x.$k, i),)*) }
            #[inline(always)]
            fn collect<L: Lanes>(lanes: L, f: impl FnMut(usize) -> Self) -> Self::Of<L> {
                let all = values::<L, Self>(f);
                ($($t::collect(lanes, #[inline(always)] |i| all[i].$k),)*)
            }
            #[inline(always)]
            fn zero() -> Self { ($($t::zero(),)*) }
        }
    )*};
}
tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, M 11);
}
