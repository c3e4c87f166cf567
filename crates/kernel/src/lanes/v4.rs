//! Eight lanes: AVX-512 (x86-64-v4).

use super::{Blend, LaneBody, Lanes, MAX_LANES, Small};
use crate::native::{Body, Isa, V3, sealed};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// AVX-512 F, DQ, BW and VL beside AVX2 and FMA, seen on this machine.
#[derive(Debug, Clone, Copy)]
pub struct V4(V3, PhantomData<()>);

impl sealed::Sealed for V4 {}

#[cfg(target_arch = "x86_64")]
impl V4 {
    /// The proof, if this machine has them.
    pub fn get() -> Option<V4> {
        let all = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512vl");
        V3::get().filter(|_| all).map(|v3| V4(v3, PhantomData))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl V4 {
    /// No other architecture has it.
    pub fn get() -> Option<V4> {
        None
    }
}

// Scalar code gains nothing from AVX-512: it is that of AVX2.
impl Isa for V4 {
    #[inline(always)]
    fn enter<B: Body>(self, body: B) -> B::Out {
        self.0.enter(body)
    }
    #[inline(always)]
    fn v3(self) -> Option<V3> {
        Some(self.0)
    }
}

/// A bit for each lane.
#[derive(Debug, Clone, Copy)]
pub struct Mask8(u8);

#[cfg(target_arch = "x86_64")]
mod lanes {
    use super::*;

    /// # Safety
    /// 1. The machine has these features.
    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
    #[inline(never)]
    unsafe fn compiled_for_v4<B: LaneBody<V4>>(lanes: V4, body: B) -> B::Out {
        body.run(lanes)
    }

    /// Intrinsics of AVX-512. SAFETY, here and below: a `V4` exists only where `V4::get` has seen its features.
    macro_rules! v4 {
        ($e:expr) => {
            // SAFETY: see the macro.
            unsafe { $e }
        };
    }

    impl Blend<V4> for Mask8 {
        #[inline(always)]
        fn blend(_: V4, m: Mask8, yes: Mask8, no: Mask8) -> Mask8 {
            Mask8((m.0 & yes.0) | (!m.0 & no.0))
        }
        #[inline(always)]
        fn zero(_: V4) -> Mask8 {
            Mask8(0)
        }
    }
    impl Blend<V4> for __m512d {
        #[inline(always)]
        fn blend(_: V4, m: Mask8, yes: __m512d, no: __m512d) -> __m512d {
            v4!(_mm512_mask_blend_pd(m.0, no, yes))
        }
        #[inline(always)]
        fn zero(_: V4) -> __m512d {
            v4!(_mm512_setzero_pd())
        }
        #[inline(always)]
        fn element(_: V4, _: Mask8, array: &[__m512d], i: __m512i) -> __m512d {
            assert!(!array.is_empty());
            let i = v4!(_mm512_min_epu64(i, _mm512_set1_epi64(array.len() as i64 - 1)));
            // The values of all lanes in one table: that of lane k of element i stands at 8 i + k. The index is inside the
            // array, and an `__m512d` is eight doubles, so that place is too.
            let at = v4!(_mm512_add_epi64(_mm512_slli_epi64::<3>(i), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)));
            v4!(_mm512_i64gather_pd::<8>(at, array.as_ptr().cast()))
        }
    }
    impl Blend<V4> for __m512i {
        #[inline(always)]
        fn blend(_: V4, m: Mask8, yes: __m512i, no: __m512i) -> __m512i {
            v4!(_mm512_mask_blend_epi64(m.0, no, yes))
        }
        #[inline(always)]
        fn zero(_: V4) -> __m512i {
            v4!(_mm512_setzero_si512())
        }
    }

    macro_rules! ops {
        ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
            #[inline(always)]
            fn $name(self $(, $a: $t)*) -> $r { v4!($e) }
        )*};
    }

    impl Lanes for V4 {
        const N: usize = 8;
        type Mask = Mask8;
        type F64 = __m512d;
        type I64 = __m512i;
        type U64 = __m512i;
        type F32 = Small<f32, 8>;
        type I32 = Small<i32, 8>;
        type U32 = Small<u32, 8>;

        #[inline(always)]
        fn outline<B: LaneBody<V4>>(self, body: B) -> B::Out {
            v4!(compiled_for_v4(self, body))
        }
        #[inline(always)]
        fn mask_splat(self, b: bool) -> Mask8 {
            Mask8(if b { 0xff } else { 0 })
        }
        #[inline(always)]
        fn mask_first(self, n: usize) -> Mask8 {
            Mask8(if n >= 8 { 0xff } else { (1 << n) - 1 })
        }
        #[inline(always)]
        fn mask_and(self, a: Mask8, b: Mask8) -> Mask8 {
            Mask8(a.0 & b.0)
        }
        #[inline(always)]
        fn mask_without(self, a: Mask8, b: Mask8) -> Mask8 {
            Mask8(a.0 & !b.0)
        }
        #[inline(always)]
        fn mask_or(self, a: Mask8, b: Mask8) -> Mask8 {
            Mask8(a.0 | b.0)
        }
        #[inline(always)]
        fn mask_xor(self, a: Mask8, b: Mask8) -> Mask8 {
            Mask8(a.0 ^ b.0)
        }
        #[inline(always)]
        fn mask_bits(self, a: Mask8) -> u32 {
            a.0.into()
        }
        #[inline(always)]
        fn mask_from_bits(self, bits: u32) -> Mask8 {
            Mask8(bits as u8)
        }

        #[inline(always)]
        fn f64_load(self, x: &[f64]) -> __m512d {
            let x: &[f64; 8] = x[..8].try_into().expect("eight");
            v4!(_mm512_loadu_pd(x.as_ptr()))
        }
        #[inline(always)]
        fn f64_store(self, x: __m512d, to: &mut [f64]) {
            let to: &mut [f64; 8] = (&mut to[..8]).try_into().expect("eight");
            v4!(_mm512_storeu_pd(to.as_mut_ptr(), x))
        }
        #[inline(always)]
        fn f64_gather(self, table: &[f64], i: __m512i) -> __m512d {
            assert!(!table.is_empty());
            let i = v4!(_mm512_min_epu64(i, _mm512_set1_epi64(table.len() as i64 - 1)));
            // A table that fits two registers: one permutation instead of eight loads.
            if table.len() == 16 {
                return v4!(_mm512_permutex2var_pd(self.f64_load(&table[..8]), i, self.f64_load(&table[8..])));
            }
            // The indices are inside the table.
            v4!(_mm512_i64gather_pd::<8>(i, table.as_ptr().cast()))
        }
        #[inline(always)]
        fn f64_from(self, x: [f64; MAX_LANES]) -> __m512d {
            v4!(_mm512_loadu_pd(x.as_ptr()))
        }
        #[inline(always)]
        fn f64_array(self, x: __m512d) -> [f64; MAX_LANES] {
            v4!(core::mem::transmute::<__m512d, [f64; 8]>(x))
        }
        #[inline(always)]
        fn i64_from(self, x: [i64; MAX_LANES]) -> __m512i {
            v4!(_mm512_loadu_epi64(x.as_ptr()))
        }
        #[inline(always)]
        fn i64_array(self, x: __m512i) -> [i64; MAX_LANES] {
            v4!(core::mem::transmute::<__m512i, [i64; 8]>(x))
        }
        ops! {
            f64_splat(x: f64) -> __m512d = _mm512_set1_pd(x);
            f64_add(a: __m512d, b: __m512d) -> __m512d = _mm512_add_pd(a, b);
            f64_sub(a: __m512d, b: __m512d) -> __m512d = _mm512_sub_pd(a, b);
            f64_mul(a: __m512d, b: __m512d) -> __m512d = _mm512_mul_pd(a, b);
            f64_div(a: __m512d, b: __m512d) -> __m512d = _mm512_div_pd(a, b);
            f64_mul_add(a: __m512d, b: __m512d, c: __m512d) -> __m512d = _mm512_fmadd_pd(a, b, c);
            f64_sqrt(a: __m512d) -> __m512d = _mm512_sqrt_pd(a);
            // The scale is 2^0; the low bits are the rounding, bit 3 keeps exceptions quiet.
            f64_floor(a: __m512d) -> __m512d = _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
            f64_ceil(a: __m512d) -> __m512d = _mm512_roundscale_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a);
            f64_trunc(a: __m512d) -> __m512d = _mm512_roundscale_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a);
            f64_round_ties_even(a: __m512d) -> __m512d =
                _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
            f64_eq(a: __m512d, b: __m512d) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(a, b));
            f64_ne(a: __m512d, b: __m512d) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(a, b));
            f64_lt(a: __m512d, b: __m512d) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b));
            f64_le(a: __m512d, b: __m512d) -> Mask8 = Mask8(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b));
            f64_raw(a: __m512d) -> __m512i = _mm512_castpd_si512(a);
            f64_from_bits(a: __m512i) -> __m512d = _mm512_castsi512_pd(a);
            i64_to_f64(a: __m512i) -> __m512d = _mm512_cvtepi64_pd(a);
            u64_to_f64(a: __m512i) -> __m512d = _mm512_cvtepu64_pd(a);
            i64_splat(x: i64) -> __m512i = _mm512_set1_epi64(x);
            u64_add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
            u64_sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi64(a, b);
            u64_mul(a: __m512i, b: __m512i) -> __m512i = _mm512_mullo_epi64(a, b);
            u64_and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
            u64_or(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
            u64_xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
            u64_shl(a: __m512i, n: __m512i) -> __m512i = _mm512_sllv_epi64(a, n);
            u64_shr(a: __m512i, n: __m512i) -> __m512i = _mm512_srlv_epi64(a, n);
            i64_shr(a: __m512i, n: __m512i) -> __m512i = _mm512_srav_epi64(a, n);
            u64_eq(a: __m512i, b: __m512i) -> Mask8 = Mask8(_mm512_cmpeq_epi64_mask(a, b));
            u64_lt(a: __m512i, b: __m512i) -> Mask8 = Mask8(_mm512_cmplt_epu64_mask(a, b));
            i64_lt(a: __m512i, b: __m512i) -> Mask8 = Mask8(_mm512_cmplt_epi64_mask(a, b));
            i32_to_f64(a: Small<i32, 8>) -> __m512d =
                _mm512_cvtepi32_pd(core::mem::transmute::<[i32; 8], __m256i>(a.0));
            u32_to_u64(a: Small<u32, 8>) -> __m512i =
                _mm512_cvtepu32_epi64(core::mem::transmute::<[u32; 8], __m256i>(a.0));
            u64_to_u32(a: __m512i) -> Small<u32, 8> =
                Small(core::mem::transmute::<__m256i, [u32; 8]>(_mm512_cvtepi64_epi32(a)));
        }
        #[inline(always)]
        fn i64_as_u64(self, x: __m512i) -> __m512i {
            x
        }
        #[inline(always)]
        fn u64_as_i64(self, x: __m512i) -> __m512i {
            x
        }
        #[inline(always)]
        fn f64_to_i64(self, a: __m512d) -> __m512i {
            // The instruction gives MIN for everything outside.
            let x = v4!(_mm512_cvttpd_epi64(a));
            let high = self.f64_le(self.f64_splat(9_223_372_036_854_775_808.0), a);
            let x = Blend::blend(self, high, self.i64_splat(i64::MAX), x);
            Blend::blend(self, self.f64_is_nan(a), self.i64_splat(0), x)
        }
        #[inline(always)]
        fn f64_to_u64(self, a: __m512d) -> __m512i {
            // The instruction gives MAX for everything outside.
            let x = v4!(_mm512_cvttpd_epu64(a));
            Blend::blend(self, self.f64_lt(self.f64_splat(-1.0), a), x, self.i64_splat(0))
        }
        #[inline(always)]
        fn f64_to_i32(self, a: __m512d) -> Small<i32, 8> {
            let low = v4!(_mm512_max_pd(self.f64_splat(-2_147_483_648.0), a)); // NaN stays: the second operand
            let x = v4!(_mm512_min_pd(self.f64_splat(2_147_483_647.0), low));
            let x = Blend::blend(self, self.f64_is_nan(a), self.f64_splat(0.0), x);
            Small(v4!(core::mem::transmute::<__m256i, [i32; 8]>(_mm512_cvttpd_epi32(x))))
        }
        #[inline(always)]
        fn f32_from(self, x: [f32; MAX_LANES]) -> Small<f32, 8> {
            Small(x)
        }
        #[inline(always)]
        fn f32_array(self, x: Small<f32, 8>) -> [f32; MAX_LANES] {
            x.0
        }
        #[inline(always)]
        fn i32_from(self, x: [i32; MAX_LANES]) -> Small<i32, 8> {
            Small(x)
        }
        #[inline(always)]
        fn i32_array(self, x: Small<i32, 8>) -> [i32; MAX_LANES] {
            x.0
        }
        #[inline(always)]
        fn u32_from(self, x: [u32; MAX_LANES]) -> Small<u32, 8> {
            Small(x)
        }
        #[inline(always)]
        fn u32_array(self, x: Small<u32, 8>) -> [u32; MAX_LANES] {
            x.0
        }
    }
}
