//! Float to int32 with AVX2: the instruction itself says when a value does not fit, so a block is converted first and
//! judged by its results. It gives `i32::MIN` for NaN and for what lies outside; `i32::MIN` converted back equals no
//! other value than itself.

use std::arch::x86_64::*;

use super::pairs::Int;

macro_rules! truncate {
    ($name:ident, $float:ty, $lanes:literal, $load:ident, $to_int:ident, $to_float:ident, $equal:ident, $and:ident, $ones:expr,
     $mask:ident, $all:literal, $store:ident, $same_int:ident, $or_int:ident, $zero_int:ident, $set_int:ident, $movemask_int:ident) => {
        /// `out[i] = src[i]` without its fraction. True if every value is in range and, if `EXACT`, an integer;
        /// if false, `out` holds anything.
        ///
        /// # Safety
        /// 1. The machine has AVX2. 2. `src` and `out` are valid for `count` elements, at any address.
        #[target_feature(enable = "avx2")]
        unsafe fn $name<const EXACT: bool>(src: *const $float, out: *mut i32, count: usize) -> bool {
            let outside = $set_int(i32::MIN);
            let mut exact = $ones;
            let mut wrong = $zero_int();
            let whole = count - count % $lanes;
            let mut i = 0;
            while i < whole {
                // SAFETY: (2), for `$lanes` elements from i on.
                unsafe {
                    let x = $load(src.add(i));
                    let y = $to_int(x);
                    if EXACT {
                        exact = $and(exact, $equal::<_CMP_EQ_OQ>($to_float(y), x));
                    } else {
                        wrong = $or_int(wrong, $same_int(y, outside));
                    }
                    $store(out.add(i).cast(), y);
                }
                i += $lanes;
            }
            let mut fine = if EXACT { $mask(exact) == $all } else { $movemask_int(wrong) == 0 };
            for i in whole..count {
                // SAFETY: (2).
                let x = unsafe { src.add(i).read_unaligned() };
                let y = x as i32; // saturates: MIN and MAX stand for what lies outside as well
                fine &= if EXACT { f64::from(y) == f64::from(x) } else { y != i32::MIN && y != i32::MAX && x == x };
                // SAFETY: (2).
                unsafe { out.add(i).write_unaligned(y) };
            }
            fine
        }
    };
}

truncate!(
    f64_to_i32,
    f64,
    4,
    _mm256_loadu_pd,
    _mm256_cvttpd_epi32,
    _mm256_cvtepi32_pd,
    _mm256_cmp_pd,
    _mm256_and_pd,
    _mm256_castsi256_pd(_mm256_set1_epi64x(-1)),
    _mm256_movemask_pd,
    0b1111,
    _mm_storeu_si128,
    _mm_cmpeq_epi32,
    _mm_or_si128,
    _mm_setzero_si128,
    _mm_set1_epi32,
    _mm_movemask_epi8
);
truncate!(
    f32_to_i32,
    f32,
    8,
    _mm256_loadu_ps,
    _mm256_cvttps_epi32,
    _mm256_cvtepi32_ps,
    _mm256_cmp_ps,
    _mm256_and_ps,
    _mm256_castsi256_ps(_mm256_set1_epi64x(-1)),
    _mm256_movemask_ps,
    0b1111_1111,
    _mm256_storeu_si256,
    _mm256_cmpeq_epi32,
    _mm256_or_si256,
    _mm256_setzero_si256,
    _mm256_set1_epi32,
    _mm256_movemask_epi8
);

/// f32 and f64.
pub(super) trait Truncate: Copy {
    /// See the functions above, which these are.
    /// # Safety
    /// As there.
    unsafe fn to_i32<const EXACT: bool>(src: *const Self, out: *mut i32, count: usize) -> bool;
}

impl Truncate for f64 {
    #[inline(always)]
    unsafe fn to_i32<const EXACT: bool>(src: *const f64, out: *mut i32, count: usize) -> bool {
        // SAFETY: the caller's contract.
        unsafe { f64_to_i32::<EXACT>(src, out, count) }
    }
}

impl Truncate for f32 {
    #[inline(always)]
    unsafe fn to_i32<const EXACT: bool>(src: *const f32, out: *mut i32, count: usize) -> bool {
        // SAFETY: the caller's contract.
        unsafe { f32_to_i32::<EXACT>(src, out, count) }
    }
}

/// To int32 or anything shorter, which takes the low bits, and, if `EXACT`, must hold the value.
/// # Safety
/// 1. The machine has AVX2. 2. `src` and `dst` are valid for `count` elements, at any address, and do not overlap.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn truncate<F: Truncate, D: Int, const EXACT: bool>(
    src: *const F,
    dst: *mut D,
    count: usize,
) -> bool {
    if D::BITS == 32 {
        // SAFETY: (1), (2): `D` has the size of an i32.
        return unsafe { F::to_i32::<EXACT>(src, dst.cast(), count) };
    }
    const STEP: usize = 128;
    let mut whole = [0i32; STEP];
    let mut start = 0;
    while start < count {
        let step = STEP.min(count - start);
        // SAFETY: (1), (2); `whole` has room for `step`.
        if !unsafe { F::to_i32::<EXACT>(src.add(start), whole.as_mut_ptr(), step) } {
            return false;
        }
        let mut lost = false;
        for (k, &x) in whole[..step].iter().enumerate() {
            let y = D::from_low32(x as u32);
            lost |= EXACT && y.to_i32() != x;
            // SAFETY: (2).
            unsafe { dst.add(start + k).write_unaligned(y) };
        }
        if lost {
            return false;
        }
        start += step;
    }
    true
}
