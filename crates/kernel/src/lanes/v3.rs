//! Four lanes: AVX2 and FMA (x86-64-v3).

use super::{Blend, LaneBody, Lanes, MAX_LANES, Small};
use crate::native::V3;
use core::arch::x86_64::*;

/// # Safety
/// 1. The machine has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
#[inline(never)]
unsafe fn compiled_for_v3<B: LaneBody<V3>>(lanes: V3, body: B) -> B::Out {
    body.run(lanes)
}

/// Intrinsics of AVX2 and FMA. SAFETY, here and below: a `V3` exists only where `V3::get` has seen both.
macro_rules! v3 {
    ($e:expr) => {
        // SAFETY: see the macro.
        unsafe { $e }
    };
}

// Masks and integers: a mask is a lane of ones or of zeros.
impl Blend<V3> for __m256i {
    #[inline(always)]
    fn blend(_: V3, m: __m256i, yes: __m256i, no: __m256i) -> __m256i {
        v3!(_mm256_blendv_epi8(no, yes, m))
    }
    #[inline(always)]
    fn zero(_: V3) -> __m256i {
        v3!(_mm256_setzero_si256())
    }
}
impl Blend<V3> for __m256d {
    #[inline(always)]
    fn blend(_: V3, m: __m256i, yes: __m256d, no: __m256d) -> __m256d {
        v3!(_mm256_blendv_pd(no, yes, _mm256_castsi256_pd(m)))
    }
    #[inline(always)]
    fn zero(_: V3) -> __m256d {
        v3!(_mm256_setzero_pd())
    }
    #[inline(always)]
    fn element(lanes: V3, _: __m256i, array: &[__m256d], i: __m256i) -> __m256d {
        // The values of all lanes in one table: that of lane k of element i stands at 4 i + k.
        let at = v3!(_mm256_add_epi64(_mm256_slli_epi64::<2>(i), _mm256_setr_epi64x(0, 1, 2, 3)));
        // SAFETY: an `__m256d` is four doubles, so the array is this many of them.
        let table = unsafe { core::slice::from_raw_parts(array.as_ptr().cast::<f64>(), 4 * array.len()) };
        lanes.f64_gather(table, at)
    }
}

macro_rules! ops {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $a: $t)*) -> $r { v3!($e) }
    )*};
}

/// 2^52 and 2^84 as doubles: their low bits are an integer.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_84: f64 = 19_342_813_113_834_066_795_298_816.0;

impl Lanes for V3 {
    const N: usize = 4;
    type Mask = __m256i;
    type F64 = __m256d;
    type I64 = __m256i;
    type U64 = __m256i;
    type F32 = Small<f32, 4>;
    type I32 = Small<i32, 4>;
    type U32 = Small<u32, 4>;

    #[inline(always)]
    fn outline<B: LaneBody<V3>>(self, body: B) -> B::Out {
        v3!(compiled_for_v3(self, body))
    }
    #[inline(always)]
    fn mask_splat(self, b: bool) -> __m256i {
        v3!(_mm256_set1_epi64x(if b { -1 } else { 0 }))
    }
    #[inline(always)]
    fn mask_first(self, n: usize) -> __m256i {
        v3!(_mm256_cmpgt_epi64(_mm256_set1_epi64x(n as i64), _mm256_setr_epi64x(0, 1, 2, 3)))
    }
    #[inline(always)]
    fn mask_bits(self, a: __m256i) -> u32 {
        v3!(_mm256_movemask_pd(_mm256_castsi256_pd(a))) as u32
    }
    #[inline(always)]
    fn mask_from_bits(self, bits: u32) -> __m256i {
        let one = v3!(_mm256_setr_epi64x(1, 2, 4, 8));
        v3!(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits.into()), one), one))
    }
    #[inline(always)]
    fn f64_load(self, x: &[f64]) -> __m256d {
        let x: &[f64; 4] = x[..4].try_into().expect("four");
        v3!(_mm256_loadu_pd(x.as_ptr()))
    }
    #[inline(always)]
    fn f64_store(self, x: __m256d, to: &mut [f64]) {
        let to: &mut [f64; 4] = (&mut to[..4]).try_into().expect("four");
        v3!(_mm256_storeu_pd(to.as_mut_ptr(), x))
    }
    #[inline(always)]
    fn f64_gather(self, table: &[f64], i: __m256i) -> __m256d {
        assert!(!table.is_empty());
        let i = self.u64_min(i, self.u64_splat(table.len() as u64 - 1));
        // Four loads, not `vgatherqpd`, which takes many steps where it is not made of loads itself (Zen), or is slowed down against
        // leaks (Intel); and look-ups in several tables at the same place take the indices apart once.
        // SAFETY: the indices are inside the table.
        let at = |k: i64| unsafe { *table.get_unchecked(k as usize) };
        let k = v3!((
            _mm256_extract_epi64::<0>(i),
            _mm256_extract_epi64::<1>(i),
            _mm256_extract_epi64::<2>(i),
            _mm256_extract_epi64::<3>(i),
        ));
        v3!(_mm256_setr_pd(at(k.0), at(k.1), at(k.2), at(k.3)))
    }
    #[inline(always)]
    fn f64_from(self, x: [f64; MAX_LANES]) -> __m256d {
        v3!(_mm256_loadu_pd(x.as_ptr()))
    }
    #[inline(always)]
    fn f64_array(self, x: __m256d) -> [f64; MAX_LANES] {
        let x = v3!(core::mem::transmute::<__m256d, [f64; 4]>(x));
        [x[0], x[1], x[2], x[3], 0.0, 0.0, 0.0, 0.0]
    }
    #[inline(always)]
    fn i64_from(self, x: [i64; MAX_LANES]) -> __m256i {
        v3!(_mm256_loadu_si256(x.as_ptr().cast()))
    }
    #[inline(always)]
    fn i64_array(self, x: __m256i) -> [i64; MAX_LANES] {
        let x = v3!(core::mem::transmute::<__m256i, [i64; 4]>(x));
        [x[0], x[1], x[2], x[3], 0, 0, 0, 0]
    }
    ops! {
        mask_and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        mask_without(a: __m256i, b: __m256i) -> __m256i = _mm256_andnot_si256(b, a);
        mask_or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        mask_xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        f64_splat(x: f64) -> __m256d = _mm256_set1_pd(x);
        f64_add(a: __m256d, b: __m256d) -> __m256d = _mm256_add_pd(a, b);
        f64_sub(a: __m256d, b: __m256d) -> __m256d = _mm256_sub_pd(a, b);
        f64_mul(a: __m256d, b: __m256d) -> __m256d = _mm256_mul_pd(a, b);
        f64_div(a: __m256d, b: __m256d) -> __m256d = _mm256_div_pd(a, b);
        f64_mul_add(a: __m256d, b: __m256d, c: __m256d) -> __m256d = _mm256_fmadd_pd(a, b, c);
        f64_sqrt(a: __m256d) -> __m256d = _mm256_sqrt_pd(a);
        f64_floor(a: __m256d) -> __m256d = _mm256_round_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
        f64_ceil(a: __m256d) -> __m256d = _mm256_round_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(a);
        f64_trunc(a: __m256d) -> __m256d = _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a);
        f64_round_ties_even(a: __m256d) -> __m256d =
            _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        f64_eq(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_EQ_OQ>(a, b));
        f64_ne(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_NEQ_UQ>(a, b));
        f64_lt(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b));
        f64_le(a: __m256d, b: __m256d) -> __m256i = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LE_OQ>(a, b));
        f64_raw(a: __m256d) -> __m256i = _mm256_castpd_si256(a);
        f64_from_bits(a: __m256i) -> __m256d = _mm256_castsi256_pd(a);
        i64_splat(x: i64) -> __m256i = _mm256_set1_epi64x(x);
        u64_add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi64(a, b);
        u64_sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi64(a, b);
        u64_and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        u64_or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        u64_xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        u64_shl(a: __m256i, n: __m256i) -> __m256i = _mm256_sllv_epi64(a, n);
        u64_shr(a: __m256i, n: __m256i) -> __m256i = _mm256_srlv_epi64(a, n);
        u64_eq(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi64(a, b);
        i64_lt(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpgt_epi64(b, a);
        i32_to_f64(a: Small<i32, 4>) -> __m256d = _mm256_cvtepi32_pd(core::mem::transmute::<[i32; 4], __m128i>(a.0));
        u32_to_u64(a: Small<u32, 4>) -> __m256i =
            _mm256_cvtepu32_epi64(core::mem::transmute::<[u32; 4], __m128i>(a.0));
    }
    #[inline(always)]
    fn u64_mul(self, a: __m256i, b: __m256i) -> __m256i {
        // low*low + ((low*high + high*low) << 32)
        let (ah, bh) = v3!((_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b)));
        let cross = v3!(_mm256_add_epi64(_mm256_mul_epu32(a, bh), _mm256_mul_epu32(ah, b)));
        v3!(_mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(cross)))
    }
    #[inline(always)]
    fn i64_shr(self, a: __m256i, n: __m256i) -> __m256i {
        // The sign bit is moved to where it counts as minus itself.
        let sign = self.u64_shr(self.i64_splat(i64::MIN), n);
        self.u64_sub(self.u64_xor(self.u64_shr(a, n), sign), sign)
    }
    #[inline(always)]
    fn u64_lt(self, a: __m256i, b: __m256i) -> __m256i {
        let sign = self.i64_splat(i64::MIN);
        self.i64_lt(self.u64_xor(a, sign), self.u64_xor(b, sign))
    }
    #[inline(always)]
    fn i64_as_u64(self, x: __m256i) -> __m256i {
        x
    }
    #[inline(always)]
    fn u64_as_i64(self, x: __m256i) -> __m256i {
        x
    }
    #[inline(always)]
    fn f64_to_i64(self, a: __m256d) -> __m256i {
        let x = self.f64_array(a);
        self.i64_from([x[0] as i64, x[1] as i64, x[2] as i64, x[3] as i64, 0, 0, 0, 0])
    }
    #[inline(always)]
    fn f64_to_u64(self, a: __m256d) -> __m256i {
        let x = self.f64_array(a);
        self.u64_from([x[0] as u64, x[1] as u64, x[2] as u64, x[3] as u64, 0, 0, 0, 0])
    }
    #[inline(always)]
    fn i64_to_f64(self, a: __m256i) -> __m256d {
        // The high half with 2^31 added, as a multiple of 2^32 on top of 2^84; the low half on top of 2^52. Both and their
        // offsets' difference are exact, so only the last sum rounds.
        let high = v3!(_mm256_srli_epi64::<32>(_mm256_xor_si256(a, _mm256_set1_epi64x(i64::MIN))));
        let high = self.f64_from_bits(self.u64_or(high, self.f64_raw(self.f64_splat(TWO_84))));
        let low = v3!(_mm256_blend_epi32::<0b1010_1010>(a, _mm256_castpd_si256(_mm256_set1_pd(TWO_52))));
        let offset = self.f64_splat(TWO_84 + TWO_52 + 9_223_372_036_854_775_808.0);
        self.f64_add(self.f64_sub(high, offset), self.f64_from_bits(low))
    }
    #[inline(always)]
    fn u64_to_f64(self, a: __m256i) -> __m256d {
        let high = v3!(_mm256_srli_epi64::<32>(a));
        let high = self.f64_from_bits(self.u64_or(high, self.f64_raw(self.f64_splat(TWO_84))));
        let low = v3!(_mm256_blend_epi32::<0b1010_1010>(a, _mm256_castpd_si256(_mm256_set1_pd(TWO_52))));
        self.f64_add(self.f64_sub(high, self.f64_splat(TWO_84 + TWO_52)), self.f64_from_bits(low))
    }
    #[inline(always)]
    fn f64_to_i32(self, a: __m256d) -> Small<i32, 4> {
        let low = v3!(_mm256_max_pd(self.f64_splat(-2_147_483_648.0), a)); // NaN stays: the second operand
        let x = v3!(_mm256_min_pd(self.f64_splat(2_147_483_647.0), low));
        let x = Blend::blend(self, self.f64_is_nan(a), self.f64_splat(0.0), x);
        Small(v3!(core::mem::transmute::<__m128i, [i32; 4]>(_mm256_cvttpd_epi32(x))))
    }
    #[inline(always)]
    fn u64_to_u32(self, a: __m256i) -> Small<u32, 4> {
        let x = self.i64_array(a);
        Small([x[0] as u32, x[1] as u32, x[2] as u32, x[3] as u32])
    }
    #[inline(always)]
    fn f32_from(self, x: [f32; MAX_LANES]) -> Small<f32, 4> {
        Small::from_first(x)
    }
    #[inline(always)]
    fn f32_array(self, x: Small<f32, 4>) -> [f32; MAX_LANES] {
        x.padded()
    }
    #[inline(always)]
    fn i32_from(self, x: [i32; MAX_LANES]) -> Small<i32, 4> {
        Small::from_first(x)
    }
    #[inline(always)]
    fn i32_array(self, x: Small<i32, 4>) -> [i32; MAX_LANES] {
        x.padded()
    }
    #[inline(always)]
    fn u32_from(self, x: [u32; MAX_LANES]) -> Small<u32, 4> {
        Small::from_first(x)
    }
    #[inline(always)]
    fn u32_array(self, x: Small<u32, 4>) -> [u32; MAX_LANES] {
        x.padded()
    }
}
