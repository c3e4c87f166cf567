//! Lanes: a kernel for several elements at once, in the vector registers of one instruction set.
//!
//! `#[kernel]` emits every function a second time over lane types: what was an `f64` is an [`Lanes::F64`], a `bool` is a
//! mask, and control flow that may differ between the lanes runs under a mask. An arm of an `if` is executed when some
//! lane takes it (small arms always), a loop until the last lane has left it. Every operation is the one of the scalar
//! version on each lane, so the bits are the same by construction; docs/kernel-language.md describes the lowering.
//!
//! A value of a type that implements [`Lanes`] is the proof that the machine has the instructions, as for [`Isa`].

mod block;
mod types;
#[cfg(target_arch = "x86_64")]
mod v3;
mod v4;

pub use block::{At, Source, each, put, run};
pub use types::{LaneType, SameBits, Small, values};
pub use v4::V4;

use crate::native::{Isa, Level};

/// No instruction set has more lanes.
pub const MAX_LANES: usize = 8;

pub use gristmill_scalar::CHEAP;

/// A kernel of at most this many operations is inlined into its callers.
pub const INLINE: u32 = 96;

/// A kernel whose block loop does not take more operations for most elements has one for each setting of its flags, with
/// the body inlined.
pub const VARIANTS: u32 = 1000;

/// The same where the parameters of a setup vary, which costs a setup for each vector: only the cheapest loops notice the
/// flags beside that.
pub const VARYING_VARIANTS: u32 = 400;

/// An array of lanes that is longer is a table: its elements are gathered without a look whether all lanes want the same one.
pub const FILLED: usize = 256;

/// A setup of more operations is kept while the parameters of vector after vector are the same.
pub const KEPT: u32 = 200;

/// Work on lanes, to be compiled for one instruction set. `run` must be `#[inline(always)]`.
pub trait LaneBody<L: Lanes> {
    /// What it gives.
    type Out;
    /// Does it.
    fn run(self, lanes: L) -> Self::Out;
}

/// Work on the lanes of whichever instruction set there is. `run` must be `#[inline(always)]`.
pub trait AnyLanes: Sized {
    /// What it gives.
    type Out;
    /// Does it.
    fn run<L: Lanes>(self, lanes: L) -> Self::Out;
}

struct OnLanes<B>(B);

impl<L: Lanes, B: AnyLanes> LaneBody<L> for OnLanes<B> {
    type Out = B::Out;
    #[inline(always)]
    fn run(self, lanes: L) -> B::Out {
        self.0.run(lanes)
    }
}

impl Level {
    /// Runs `body` on the lanes of this level; gives it back if there are none.
    ///
    /// # Errors
    /// The baseline has no lanes.
    pub fn on_lanes<B: AnyLanes>(self, body: B) -> Result<B::Out, B> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::V4(isa) => Ok(isa.outline(OnLanes(body))),
            #[cfg(target_arch = "x86_64")]
            Level::V3(isa) => Ok(isa.outline(OnLanes(body))),
            _ => Err(body),
        }
    }
}

/// A lane value that can be put together from two under a mask.
pub trait Blend<L: Lanes>: Copy {
    /// `yes` where the mask is set, else `no`.
    fn blend(lanes: L, mask: L::Mask, yes: Self, no: Self) -> Self;
    /// Something to start from: a variable that no lane has set yet.
    fn zero(lanes: L) -> Self;
    /// `array[i]` for each lane in the mask; an index outside is clamped.
    #[inline(always)]
    fn element(lanes: L, mask: L::Mask, array: &[Self], i: L::U64) -> Self {
        element_by_element(lanes, mask, array, i)
    }
}

/// A value in the form in which a function on lanes takes it: `&V` if it is a struct, otherwise `V`. The parameter decides.
pub trait PassAs<'a, T> {
    /// As an argument.
    fn pass_as(&'a self) -> T;
}

impl<'a, V: Copy> PassAs<'a, V> for V {
    #[inline(always)]
    fn pass_as(&'a self) -> V {
        *self
    }
}

impl<'a, V> PassAs<'a, &'a V> for V {
    #[inline(always)]
    fn pass_as(&'a self) -> &'a V {
        self
    }
}

/// An argument of a function on lanes, where only the function knows whether it takes a struct.
#[inline(always)]
pub fn pass<'a, V: PassAs<'a, T>, T>(value: &'a V) -> T {
    value.pass_as()
}

/// [`Blend::element`], one element after the other.
#[inline(always)]
fn element_by_element<L: Lanes, V: Blend<L>>(lanes: L, mask: L::Mask, array: &[V], i: L::U64) -> V {
    let mut left = mask;
    let mut value = V::zero(lanes);
    while lanes.any(left) {
        let first = lanes.mask_bits(left).trailing_zeros() as usize % MAX_LANES;
        let at = lanes.u64_array(i)[first];
        let here = lanes.u64_eq(i, lanes.u64_splat(at));
        value = V::blend(lanes, here, array[index(at as usize, array.len())], value);
        left = lanes.mask_without(left, here);
    }
    value
}

/// The operations of the kernel language on lanes. Those that are not here are done lane by lane ([`map1`], [`map2`]).
#[expect(missing_docs, reason = "named as the operations of the kernel language, with their meaning")]
pub trait Lanes: Isa + 'static {
    /// How many lanes there are.
    const N: usize;
    /// A bool for each lane.
    type Mask: Blend<Self>;
    type F64: Blend<Self>;
    type I64: Blend<Self>;
    /// Also `usize`.
    type U64: Blend<Self>;
    type F32: Blend<Self>;
    type I32: Blend<Self>;
    type U32: Blend<Self>;

    /// Runs `body` compiled for this instruction set, as a function of its own.
    fn outline<B: LaneBody<Self>>(self, body: B) -> B::Out;

    fn mask_splat(self, b: bool) -> Self::Mask;
    /// The first `n` lanes.
    fn mask_first(self, n: usize) -> Self::Mask;
    fn mask_and(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a & !b`
    fn mask_without(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn mask_or(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn mask_xor(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// One bit for each lane, the first one lowest.
    fn mask_bits(self, a: Self::Mask) -> u32;
    fn mask_from_bits(self, bits: u32) -> Self::Mask;
    #[inline(always)]
    fn mask_not(self, a: Self::Mask) -> Self::Mask {
        self.mask_without(self.mask_splat(true), a)
    }
    /// Some lane is set.
    #[inline(always)]
    fn any(self, a: Self::Mask) -> bool {
        self.mask_bits(a) != 0
    }

    fn f64_splat(self, x: f64) -> Self::F64;
    /// The first `N` of the array.
    fn f64_from(self, x: [f64; MAX_LANES]) -> Self::F64;
    /// The lanes, then zeros.
    fn f64_array(self, x: Self::F64) -> [f64; MAX_LANES];
    /// The first `N` of the slice; there must be as many.
    fn f64_load(self, x: &[f64]) -> Self::F64;
    /// To the first `N` of the slice; there must be as many.
    fn f64_store(self, x: Self::F64, to: &mut [f64]);
    /// `table[i]` for each lane, `i` clamped into the table, which is not empty.
    fn f64_gather(self, table: &[f64], i: Self::U64) -> Self::F64;
    fn f64_add(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn f64_sub(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn f64_mul(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn f64_div(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn f64_mul_add(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    fn f64_sqrt(self, a: Self::F64) -> Self::F64;
    fn f64_floor(self, a: Self::F64) -> Self::F64;
    fn f64_ceil(self, a: Self::F64) -> Self::F64;
    fn f64_trunc(self, a: Self::F64) -> Self::F64;
    fn f64_round_ties_even(self, a: Self::F64) -> Self::F64;
    fn f64_eq(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn f64_ne(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn f64_lt(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn f64_le(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    /// The bits as they are.
    fn f64_raw(self, a: Self::F64) -> Self::U64;
    fn f64_from_bits(self, a: Self::U64) -> Self::F64;
    fn f64_to_i64(self, a: Self::F64) -> Self::I64;
    fn f64_to_u64(self, a: Self::F64) -> Self::U64;
    fn i64_to_f64(self, a: Self::I64) -> Self::F64;
    fn u64_to_f64(self, a: Self::U64) -> Self::F64;

    fn i64_splat(self, x: i64) -> Self::I64;
    fn i64_from(self, x: [i64; MAX_LANES]) -> Self::I64;
    fn i64_array(self, x: Self::I64) -> [i64; MAX_LANES];
    fn i64_as_u64(self, x: Self::I64) -> Self::U64;
    fn u64_as_i64(self, x: Self::U64) -> Self::I64;
    fn u64_add(self, a: Self::U64, b: Self::U64) -> Self::U64;
    fn u64_sub(self, a: Self::U64, b: Self::U64) -> Self::U64;
    fn u64_mul(self, a: Self::U64, b: Self::U64) -> Self::U64;
    fn u64_and(self, a: Self::U64, b: Self::U64) -> Self::U64;
    fn u64_or(self, a: Self::U64, b: Self::U64) -> Self::U64;
    fn u64_xor(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// Counts below 64.
    fn u64_shl(self, a: Self::U64, count: Self::U64) -> Self::U64;
    /// Counts below 64.
    fn u64_shr(self, a: Self::U64, count: Self::U64) -> Self::U64;
    /// Counts below 64; the sign moves in.
    fn i64_shr(self, a: Self::I64, count: Self::U64) -> Self::I64;
    fn u64_eq(self, a: Self::U64, b: Self::U64) -> Self::Mask;
    fn u64_lt(self, a: Self::U64, b: Self::U64) -> Self::Mask;
    fn i64_lt(self, a: Self::I64, b: Self::I64) -> Self::Mask;

    fn f32_from(self, x: [f32; MAX_LANES]) -> Self::F32;
    fn f32_array(self, x: Self::F32) -> [f32; MAX_LANES];
    fn i32_from(self, x: [i32; MAX_LANES]) -> Self::I32;
    fn i32_array(self, x: Self::I32) -> [i32; MAX_LANES];
    fn u32_from(self, x: [u32; MAX_LANES]) -> Self::U32;
    fn u32_array(self, x: Self::U32) -> [u32; MAX_LANES];
    /// Saturating, NaN to 0.
    fn f64_to_i32(self, a: Self::F64) -> Self::I32;
    fn i32_to_f64(self, a: Self::I32) -> Self::F64;
    fn u32_to_u64(self, a: Self::U32) -> Self::U64;
    fn u64_to_u32(self, a: Self::U64) -> Self::U32;

    #[inline(always)]
    fn f64_gt(self, a: Self::F64, b: Self::F64) -> Self::Mask {
        self.f64_lt(b, a)
    }
    #[inline(always)]
    fn f64_ge(self, a: Self::F64, b: Self::F64) -> Self::Mask {
        self.f64_le(b, a)
    }
    #[inline(always)]
    fn f64_is_nan(self, a: Self::F64) -> Self::Mask {
        self.f64_ne(a, a)
    }
    #[inline(always)]
    fn f64_is_finite(self, a: Self::F64) -> Self::Mask {
        self.f64_lt(self.f64_abs(a), self.f64_splat(f64::INFINITY))
    }
    #[inline(always)]
    fn f64_is_infinite(self, a: Self::F64) -> Self::Mask {
        self.f64_eq(self.f64_abs(a), self.f64_splat(f64::INFINITY))
    }
    #[inline(always)]
    fn f64_abs(self, a: Self::F64) -> Self::F64 {
        self.f64_from_bits(self.u64_and(self.f64_raw(a), self.u64_splat(!SIGN)))
    }
    #[inline(always)]
    fn f64_neg(self, a: Self::F64) -> Self::F64 {
        self.f64_from_bits(self.u64_xor(self.f64_raw(a), self.u64_splat(SIGN)))
    }
    #[inline(always)]
    fn f64_recip(self, a: Self::F64) -> Self::F64 {
        self.f64_div(self.f64_splat(1.0), a)
    }
    #[inline(always)]
    fn f64_fract(self, a: Self::F64) -> Self::F64 {
        self.f64_sub(a, self.f64_trunc(a))
    }
    #[inline(always)]
    fn f64_signum(self, a: Self::F64) -> Self::F64 {
        Blend::blend(self, self.f64_is_nan(a), a, self.f64_copysign(self.f64_splat(1.0), a))
    }
    /// The bits; every NaN is the positive quiet one.
    #[inline(always)]
    fn f64_to_bits(self, a: Self::F64) -> Self::U64 {
        Blend::blend(self, self.f64_is_nan(a), self.u64_splat(QUIET_NAN), self.f64_raw(a))
    }
    #[inline(always)]
    fn f64_is_sign_negative(self, a: Self::F64) -> Self::Mask {
        let set = self.i64_lt(self.u64_as_i64(self.f64_raw(a)), self.i64_splat(0));
        self.mask_and(set, self.f64_eq(a, a))
    }
    #[inline(always)]
    fn f64_is_sign_positive(self, a: Self::F64) -> Self::Mask {
        self.mask_not(self.f64_is_sign_negative(a))
    }
    #[inline(always)]
    fn f64_copysign(self, a: Self::F64, sign: Self::F64) -> Self::F64 {
        let sign = self.u64_and(self.f64_to_bits(sign), self.u64_splat(SIGN));
        self.f64_from_bits(self.u64_or(self.f64_raw(self.f64_abs(a)), sign))
    }
    /// A NaN loses, -0 is below +0.
    #[inline(always)]
    fn f64_min(self, a: Self::F64, b: Self::F64) -> Self::F64 {
        let r = Blend::blend(self, self.f64_lt(a, b), a, b);
        let both = self.f64_from_bits(self.u64_or(self.f64_raw(a), self.f64_raw(b)));
        let r = Blend::blend(self, self.f64_eq(a, b), both, r);
        Blend::blend(self, self.f64_is_nan(b), a, r)
    }
    /// A NaN loses, -0 is below +0.
    #[inline(always)]
    fn f64_max(self, a: Self::F64, b: Self::F64) -> Self::F64 {
        let r = Blend::blend(self, self.f64_lt(b, a), a, b);
        let both = self.f64_from_bits(self.u64_and(self.f64_raw(a), self.f64_raw(b)));
        let r = Blend::blend(self, self.f64_eq(a, b), both, r);
        Blend::blend(self, self.f64_is_nan(b), a, r)
    }

    #[inline(always)]
    fn u64_splat(self, x: u64) -> Self::U64 {
        self.i64_as_u64(self.i64_splat(x as i64))
    }
    #[inline(always)]
    fn u64_from(self, x: [u64; MAX_LANES]) -> Self::U64 {
        let (mut out, mut i) = ([0; MAX_LANES], 0);
        while i < MAX_LANES {
            out[i] = x[i] as i64;
            i += 1;
        }
        self.i64_as_u64(self.i64_from(out))
    }
    #[inline(always)]
    fn u64_array(self, x: Self::U64) -> [u64; MAX_LANES] {
        let x = self.i64_array(self.u64_as_i64(x));
        let (mut out, mut i) = ([0; MAX_LANES], 0);
        while i < MAX_LANES {
            out[i] = x[i] as u64;
            i += 1;
        }
        out
    }
    #[inline(always)]
    fn u64_not(self, a: Self::U64) -> Self::U64 {
        self.u64_xor(a, self.u64_splat(u64::MAX))
    }
    #[inline(always)]
    fn u64_neg(self, a: Self::U64) -> Self::U64 {
        self.u64_sub(self.u64_splat(0), a)
    }
    #[inline(always)]
    fn u64_ne(self, a: Self::U64, b: Self::U64) -> Self::Mask {
        self.mask_not(self.u64_eq(a, b))
    }
    #[inline(always)]
    fn u64_gt(self, a: Self::U64, b: Self::U64) -> Self::Mask {
        self.u64_lt(b, a)
    }
    #[inline(always)]
    fn u64_le(self, a: Self::U64, b: Self::U64) -> Self::Mask {
        self.mask_not(self.u64_lt(b, a))
    }
    #[inline(always)]
    fn u64_ge(self, a: Self::U64, b: Self::U64) -> Self::Mask {
        self.mask_not(self.u64_lt(a, b))
    }
    #[inline(always)]
    fn u64_min(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        Blend::blend(self, self.u64_lt(b, a), b, a)
    }
    #[inline(always)]
    fn u64_max(self, a: Self::U64, b: Self::U64) -> Self::U64 {
        Blend::blend(self, self.u64_lt(a, b), b, a)
    }
    #[inline(always)]
    fn i64_add(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_add(self.i64_as_u64(a), self.i64_as_u64(b)))
    }
    #[inline(always)]
    fn i64_sub(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_sub(self.i64_as_u64(a), self.i64_as_u64(b)))
    }
    #[inline(always)]
    fn i64_mul(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_mul(self.i64_as_u64(a), self.i64_as_u64(b)))
    }
    #[inline(always)]
    fn i64_and(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_and(self.i64_as_u64(a), self.i64_as_u64(b)))
    }
    #[inline(always)]
    fn i64_or(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_or(self.i64_as_u64(a), self.i64_as_u64(b)))
    }
    #[inline(always)]
    fn i64_xor(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_xor(self.i64_as_u64(a), self.i64_as_u64(b)))
    }
    #[inline(always)]
    fn i64_not(self, a: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_not(self.i64_as_u64(a)))
    }
    #[inline(always)]
    fn i64_neg(self, a: Self::I64) -> Self::I64 {
        self.u64_as_i64(self.u64_neg(self.i64_as_u64(a)))
    }
    #[inline(always)]
    fn i64_abs(self, a: Self::I64) -> Self::I64 {
        Blend::blend(self, self.i64_lt(a, self.i64_splat(0)), self.i64_neg(a), a)
    }
    #[inline(always)]
    fn i64_shl(self, a: Self::I64, count: Self::U64) -> Self::I64 {
        self.u64_as_i64(self.u64_shl(self.i64_as_u64(a), count))
    }
    #[inline(always)]
    fn i64_eq(self, a: Self::I64, b: Self::I64) -> Self::Mask {
        self.u64_eq(self.i64_as_u64(a), self.i64_as_u64(b))
    }
    #[inline(always)]
    fn i64_ne(self, a: Self::I64, b: Self::I64) -> Self::Mask {
        self.mask_not(self.i64_eq(a, b))
    }
    #[inline(always)]
    fn i64_gt(self, a: Self::I64, b: Self::I64) -> Self::Mask {
        self.i64_lt(b, a)
    }
    #[inline(always)]
    fn i64_le(self, a: Self::I64, b: Self::I64) -> Self::Mask {
        self.mask_not(self.i64_lt(b, a))
    }
    #[inline(always)]
    fn i64_ge(self, a: Self::I64, b: Self::I64) -> Self::Mask {
        self.mask_not(self.i64_lt(a, b))
    }
    #[inline(always)]
    fn i64_min(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        Blend::blend(self, self.i64_lt(b, a), b, a)
    }
    #[inline(always)]
    fn i64_max(self, a: Self::I64, b: Self::I64) -> Self::I64 {
        Blend::blend(self, self.i64_lt(a, b), b, a)
    }
}

const SIGN: u64 = 1 << 63;
const QUIET_NAN: u64 = 0x7ff8_0000_0000_0000;

/// `f` on each lane.
#[inline(always)]
pub fn map1<L: Lanes, T: LaneType, R: LaneType>(lanes: L, a: T::Of<L>, f: impl Fn(T) -> R) -> R::Of<L> {
    R::collect(
        lanes,
        #[inline(always)]
        |i| f(T::get(lanes, &a, i)),
    )
}

/// `f` on each lane.
#[inline(always)]
pub fn map2<L: Lanes, T: LaneType, U: LaneType, R: LaneType>(
    lanes: L,
    a: T::Of<L>,
    b: U::Of<L>,
    f: impl Fn(T, U) -> R,
) -> R::Of<L> {
    R::collect(
        lanes,
        #[inline(always)]
        |i| f(T::get(lanes, &a, i), U::get(lanes, &b, i)),
    )
}

/// `f` on each lane.
#[inline(always)]
pub fn map3<L: Lanes, T: LaneType, U: LaneType, V: LaneType, R: LaneType>(
    lanes: L,
    a: T::Of<L>,
    b: U::Of<L>,
    c: V::Of<L>,
    f: impl Fn(T, U, V) -> R,
) -> R::Of<L> {
    R::collect(
        lanes,
        #[inline(always)]
        |i| f(T::get(lanes, &a, i), U::get(lanes, &b, i), V::get(lanes, &c, i)),
    )
}

/// `table[i]` for each lane; an index outside is clamped.
#[inline(always)]
pub fn look_up<L: Lanes, T: LaneType, const K: usize>(lanes: L, table: &[T; K], i: L::U64) -> T::Of<L> {
    T::gather(lanes, table, i)
}

/// `table[i][j]` for each lane; indices outside are clamped.
#[inline(always)]
pub fn look_up_2<L: Lanes, T: LaneType, const K: usize, const M: usize>(
    lanes: L,
    table: &[[T; K]; M],
    i: L::U64,
    j: L::U64,
) -> T::Of<L> {
    let row = lanes.u64_min(i, lanes.u64_splat(M as u64 - 1));
    let column = lanes.u64_min(j, lanes.u64_splat(K as u64 - 1));
    T::gather(lanes, table.as_flattened(), lanes.u64_add(lanes.u64_mul(row, lanes.u64_splat(K as u64)), column))
}

/// `array[i]` for each lane of an array of lanes, of those in the mask; an index outside is clamped.
#[inline(always)]
pub fn element<L: Lanes, V: Blend<L>, const K: usize>(lanes: L, mask: L::Mask, array: &[V; K], i: L::U64) -> V {
    // Of what a loop fills, mostly all lanes are at the same element; a long array is a table, and they are not.
    if K <= FILLED {
        let first = lanes.mask_bits(mask).trailing_zeros() as usize % MAX_LANES;
        let at = lanes.u64_array(i)[first];
        if !lanes.any(lanes.mask_without(mask, lanes.u64_eq(i, lanes.u64_splat(at)))) {
            return array[index(at as usize, K)];
        }
    }
    V::element(lanes, mask, array, i)
}

/// `array[i] = value` for each lane in the mask; an index outside is clamped.
#[inline(always)]
pub fn set_element<L: Lanes, V: Blend<L>, const K: usize>(
    lanes: L,
    mask: L::Mask,
    array: &mut [V; K],
    i: L::U64,
    value: V,
) {
    let i = lanes.u64_min(i, lanes.u64_splat(K as u64 - 1));
    let mut left = mask;
    while lanes.any(left) {
        let first = lanes.mask_bits(left).trailing_zeros() as usize % MAX_LANES;
        let at = lanes.u64_array(i)[first];
        let here = lanes.mask_and(left, lanes.u64_eq(i, lanes.u64_splat(at)));
        let place = &mut array[index(at as usize, K)];
        *place = V::blend(lanes, here, value, *place);
        left = lanes.mask_without(left, here);
    }
}

/// An index into an array of `n` that is the same for all lanes: the last one if it is outside.
#[inline(always)]
pub fn index(i: usize, n: usize) -> usize {
    if i < n { i } else { n - 1 }
}
