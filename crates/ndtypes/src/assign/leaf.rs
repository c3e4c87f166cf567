//! Leaf kernels: scalar to scalar, as function pointers without data.
//!
//! # What has been written when a leaf fails
//! A strided leaf writes in order. At the first value that breaks the rule of its mode it records the error with that
//! value's index `k` and returns: the elements before `k` hold their new values, element `k` and those after it are
//! untouched. This holds for every loop below, vector loops included: a block is checked before it is written.
//!
//! # Contract
//! That of `gristmill_ckernel::abi`, where rule 3 holds without alignment: leaves read and write unaligned places.

use gristmill_ckernel::error::{self, ErrorKind};
use gristmill_ckernel::{CKernelPrefix, UnarySingle, UnaryStrided};
use half::f16;
use num_complex::Complex;

use crate::convert::{Byte, Convert, ErrorMode, Fault, Num};
use crate::types::Primitive;

/// A leaf as function pointers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) single: UnarySingle,
    pub(crate) strided: UnaryStrided,
    /// Whether a call may record an error.
    pub(crate) fallible: bool,
}

/// Elements that are checked, then written, in one go: small enough to stay in the first-level cache.
const BLOCK: usize = 512;

#[cold]
#[inline(never)]
fn report<S: Num>(value: S, fault: Fault, index: usize, to: Primitive) {
    let kind = match fault {
        Fault::Overflow => ErrorKind::Overflow,
        Fault::Fractional => ErrorKind::Fractional,
        Fault::Inexact => ErrorKind::Inexact,
        Fault::Imaginary => ErrorKind::ImaginaryLoss,
    };
    let _ = error::record(
        kind,
        index,
        format_args!("{fault} while assigning {} value {} to {to}", S::SCALAR, value.show()),
    );
}

const fn mode_of(mode: u8) -> ErrorMode {
    ErrorMode::ALL[mode as usize]
}

unsafe extern "C" fn single<S: Convert<D>, D: Num, const M: u8>(dst: *mut u8, src: *const u8, _: *mut CKernelPrefix) {
    // SAFETY: rule 3.
    let x = unsafe { src.cast::<S>().read_unaligned() };
    if M != 0
        && let Some(fault) = x.fault(mode_of(M))
    {
        return report(x, fault, 0, D::SCALAR);
    }
    // SAFETY: rule 3.
    unsafe { dst.cast::<D>().write_unaligned(x.cast::<false>()) }
}

unsafe extern "C" fn strided<S: Convert<D>, D: Num, const M: u8>(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    // SAFETY: the caller's contract is that of the function called.
    unsafe {
        if src_stride == 0 {
            return constant::<S, D, M>(dst, dst_stride, src, count, self_);
        }
        let (s, d) = (size_of::<S>() as isize, size_of::<D>() as isize);
        let done = if const { SIDE_BY_SIDE } && (src_stride, dst_stride) == (s, d) {
            contiguous::<S, D, M, false>(dst.cast(), src.cast(), count)
        } else {
            general::<S, D, M, false>(dst, dst_stride, src, src_stride, count)
        };
        finish::<S, D, M>(src, src_stride, done, count);
    }
}

/// Whether the loops for the target's own instruction set have one for elements that lie side by side. On x86-64 the pairs that
/// gain from it have it with AVX2, which the machines have.
const SIDE_BY_SIDE: bool = cfg!(not(target_arch = "x86_64"));

/// The same with AVX2, for the pairs where it pays.
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn strided_avx2<S: Convert<D>, D: Num, const M: u8>(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    src_stride: isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    unsafe fn contiguous_avx2<S: Convert<D>, D: Num, const M: u8>(dst: *mut D, src: *const S, count: usize) -> usize {
        // Vectors that straddle cache lines cost up to a tenth of the time: begin at a multiple of their size.
        let head = match dst.addr() % 32 {
            odd if count > 64 && odd != 0 && odd.is_multiple_of(size_of::<D>()) => (32 - odd) / size_of::<D>(),
            _ => 0,
        };
        // SAFETY: the caller's contract is that of the functions called.
        unsafe {
            if head > 0 {
                let (s, d) = (size_of::<S>() as isize, size_of::<D>() as isize);
                let done = general::<S, D, M, true>(dst.cast(), d, src.cast(), s, head);
                if done < head {
                    return done;
                }
            }
            head + contiguous::<S, D, M, true>(dst.add(head), src.add(head), count - head)
        }
    }
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    unsafe fn general_avx2<S: Convert<D>, D: Num, const M: u8>(
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
    ) -> usize {
        // SAFETY: the caller's contract is that of the function called.
        unsafe { general::<S, D, M, true>(dst, dst_stride, src, src_stride, count) }
    }
    // SAFETY: the caller's contract is that of the functions called; `leaf` hands this function out only on a machine
    // with these features.
    unsafe {
        if src_stride == 0 {
            return constant::<S, D, M>(dst, dst_stride, src, count, self_);
        }
        let (s, d) = (size_of::<S>() as isize, size_of::<D>() as isize);
        let done = if (src_stride, dst_stride) == (s, d) {
            contiguous_avx2::<S, D, M>(dst.cast(), src.cast(), count)
        } else {
            general_avx2::<S, D, M>(dst, dst_stride, src, src_stride, count)
        };
        finish::<S, D, M>(src, src_stride, done, count);
    }
}

/// Records the error of element `done`, if the loop stopped before the end.
#[inline(always)]
unsafe fn finish<S: Convert<D>, D: Num, const M: u8>(src: *const u8, src_stride: isize, done: usize, count: usize) {
    if M != 0 && done < count {
        // SAFETY: rule 3, for `done < count`.
        let x = unsafe { src.offset(src_stride * done as isize).cast::<S>().read_unaligned() };
        let fault = x.fault(mode_of(M)).unwrap_or(Fault::Inexact);
        report(x, fault, done, D::SCALAR);
    }
}

/// Converts elements that lie side by side; returns how many it wrote, which is all, or up to the first bad one.
#[inline(always)]
unsafe fn contiguous<S: Convert<D>, D: Num, const M: u8, const W: bool>(
    dst: *mut D,
    src: *const S,
    count: usize,
) -> usize {
    let quick = W && const { S::BLOCK_MODES[M as usize] };
    let mut start = 0;
    while start < count {
        let end = if M == 0 && !quick { count } else { count.min(start + BLOCK) };
        let mut stop = end;
        let direct = M == 0 && size_of::<S>() != size_of::<D>();
        // SAFETY: rule 3; `W` only on a machine with AVX2. The strides differ, so by rule 4 the elements are disjoint,
        // and whatever a failed attempt wrote is overwritten below.
        if quick && direct && unsafe { S::block(src.add(start), dst.add(start), end - start, mode_of(M)) } {
            start = end;
            continue;
        }
        if quick && !direct {
            // Aside first: nothing may be written before the block is known to be good, or over its own sources.
            let mut good = [std::mem::MaybeUninit::<D>::uninit(); BLOCK];
            let good: *mut D = good.as_mut_ptr().cast();
            // SAFETY: rule 3; `W` only on a machine with AVX2; `good` has BLOCK places, of which the first are written.
            unsafe {
                if S::block(src.add(start), good, end - start, mode_of(M)) {
                    std::ptr::copy_nonoverlapping(
                        good.cast::<u8>(),
                        dst.add(start).cast::<u8>(),
                        (end - start) * size_of::<D>(),
                    );
                    start = end;
                    continue;
                }
            }
        }
        if M != 0 {
            // Converted and checked in one pass, aside; written when all are good.
            let mut good = [std::mem::MaybeUninit::<D>::uninit(); BLOCK];
            let mut bad = false;
            for (i, place) in good[..end - start].iter_mut().enumerate() {
                // SAFETY: rule 3, for `start + i < count`.
                let x = unsafe { src.add(start + i).read_unaligned() };
                bad |= x.bad::<W>(mode_of(M));
                place.write(x.cast::<W>());
            }
            if !bad {
                // SAFETY: rule 3; the loop wrote as many places of `good`.
                unsafe {
                    let bytes = (end - start) * size_of::<D>();
                    std::ptr::copy_nonoverlapping(good.as_ptr().cast::<u8>(), dst.add(start).cast::<u8>(), bytes);
                }
                start = end;
                continue;
            }
            // SAFETY: rule 3.
            let first = (start..end).find(|&i| unsafe { src.add(i).read_unaligned() }.bad::<W>(mode_of(M)));
            stop = first.unwrap_or(end);
        }
        for i in start..stop {
            // SAFETY: rules 3 and 4: each source is read before a destination that may share its place is written.
            unsafe { dst.add(i).write_unaligned(src.add(i).read_unaligned().cast::<W>()) };
        }
        if M != 0 && stop < end {
            return stop;
        }
        start = end;
    }
    count
}

/// As [`contiguous`], for any strides: four at a time, and one at a time where a value needs a closer look.
#[inline(always)]
unsafe fn general<S: Convert<D>, D: Num, const M: u8, const W: bool>(
    mut dst: *mut u8,
    dst_stride: isize,
    mut src: *const u8,
    src_stride: isize,
    count: usize,
) -> usize {
    const GROUP: usize = 4;
    let mut done = 0;
    while done < count {
        while count - done >= GROUP {
            // SAFETY: rule 3, for the next four.
            let quick: [(D, bool); GROUP] = std::array::from_fn(|k| unsafe {
                src.offset(src_stride * k as isize).cast::<S>().read_unaligned().quick::<W>(mode_of(M))
            });
            if quick.iter().fold(false, |any, &(_, look)| any | look) {
                break;
            }
            for (k, &(y, _)) in quick.iter().enumerate() {
                // SAFETY: rules 3 and 4: all four were read before.
                unsafe { dst.offset(dst_stride * k as isize).cast::<D>().write_unaligned(y) };
            }
            // `wrapping`: the step after the last element may leave the block; that pointer is never used.
            src = src.wrapping_offset(src_stride * GROUP as isize);
            dst = dst.wrapping_offset(dst_stride * GROUP as isize);
            done += GROUP;
        }
        for _ in 0..GROUP.min(count - done) {
            // SAFETY: rule 3.
            let x = unsafe { src.cast::<S>().read_unaligned() };
            if M != 0 && x.bad::<W>(mode_of(M)) {
                return done;
            }
            // SAFETY: rule 3.
            unsafe { dst.cast::<D>().write_unaligned(x.cast::<false>()) };
            src = src.wrapping_offset(src_stride);
            dst = dst.wrapping_offset(dst_stride);
            done += 1;
        }
    }
    count
}

/// One source for all: converts it once and repeats the result.
unsafe fn constant<S: Convert<D>, D: Num, const M: u8>(
    dst: *mut u8,
    dst_stride: isize,
    src: *const u8,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    if count == 0 {
        return;
    }
    let mut value = [0u8; 16];
    // SAFETY: rule 3 for the source; the value is at most 16 bytes long.
    unsafe { single::<S, D, M>(value.as_mut_ptr(), src, self_) };
    if M != 0 && error::pending() {
        return;
    }
    // SAFETY: rule 3 for the destination.
    unsafe { (copy(size_of::<D>()).strided)(dst, dst_stride, value.as_ptr(), 0, count, self_) }
}

// ---- plain copies by size: the leaf of identical types.

unsafe extern "C" fn copy_single<T: Copy>(dst: *mut u8, src: *const u8, _: *mut CKernelPrefix) {
    // SAFETY: rules 3 and 4.
    unsafe { dst.cast::<T>().write_unaligned(src.cast::<T>().read_unaligned()) }
}

unsafe extern "C" fn copy_strided<T: Copy>(
    mut dst: *mut u8,
    dst_stride: isize,
    mut src: *const u8,
    src_stride: isize,
    count: usize,
    _: *mut CKernelPrefix,
) {
    let size = size_of::<T>() as isize;
    // SAFETY: rule 3 in every branch; rule 4 allows that source and destination are the same places, hence `copy`.
    unsafe {
        if (dst_stride, src_stride) == (size, size) {
            std::ptr::copy(src, dst, count * size_of::<T>());
        } else if src_stride == 0 && dst_stride == size && count > 0 {
            let value = src.cast::<T>().read_unaligned();
            let dst = dst.cast::<T>();
            for i in 0..count {
                dst.add(i).write_unaligned(value);
            }
        } else if dst_stride == size {
            let dst = dst.cast::<T>();
            for i in 0..count {
                dst.add(i).write_unaligned(src.cast::<T>().read_unaligned());
                src = src.wrapping_offset(src_stride);
            }
        } else {
            for _ in 0..count {
                dst.cast::<T>().write_unaligned(src.cast::<T>().read_unaligned());
                src = src.wrapping_offset(src_stride);
                dst = dst.wrapping_offset(dst_stride);
            }
        }
    }
}

/// The copy of elements of 1, 2, 4, 8 or 16 bytes.
pub(crate) fn copy(size: usize) -> Leaf {
    fn of<T: Copy>() -> Leaf {
        Leaf { single: copy_single::<T>, strided: copy_strided::<T>, fallible: false }
    }
    match size {
        1 => of::<u8>(),
        2 => of::<u16>(),
        4 => of::<u32>(),
        8 => of::<u64>(),
        _ => of::<u128>(),
    }
}

/// The copy that reverses the bytes of every word; `T` is the word, `N` how many make an element.
pub(crate) fn swap(scalar: Primitive) -> Leaf {
    trait Word: Copy {
        fn swapped(self) -> Self;
    }
    macro_rules! word {
        ($($t:ty),*) => {$(impl Word for $t {
            #[inline(always)]
            fn swapped(self) -> $t {
                self.swap_bytes()
            }
        })*};
    }
    word!(u8, u16, u32, u64, u128);

    unsafe extern "C" fn swap_single<T: Word, const N: usize>(dst: *mut u8, src: *const u8, _: *mut CKernelPrefix) {
        // SAFETY: rules 3 and 4: read, then written.
        unsafe { dst.cast::<[T; N]>().write_unaligned(src.cast::<[T; N]>().read_unaligned().map(T::swapped)) }
    }
    unsafe extern "C" fn swap_strided<T: Word, const N: usize>(
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        let size = size_of::<[T; N]>() as isize;
        if (dst_stride, src_stride) == (size, size) {
            for i in 0..count as isize {
                // SAFETY: rule 3.
                unsafe { swap_single::<T, N>(dst.offset(i * size), src.offset(i * size), self_) }
            }
        } else {
            let (mut dst, mut src) = (dst, src);
            for _ in 0..count {
                // SAFETY: rule 3.
                unsafe { swap_single::<T, N>(dst, src, self_) };
                src = src.wrapping_offset(src_stride);
                dst = dst.wrapping_offset(dst_stride);
            }
        }
    }
    fn of<T: Word, const N: usize>() -> Leaf {
        Leaf { single: swap_single::<T, N>, strided: swap_strided::<T, N>, fallible: false }
    }
    match (scalar.word(), scalar.is_complex()) {
        (1, _) => of::<u8, 1>(),
        (2, _) => of::<u16, 1>(),
        (4, false) => of::<u32, 1>(),
        (4, true) => of::<u32, 2>(),
        (8, false) => of::<u64, 1>(),
        (8, true) => of::<u64, 2>(),
        _ => of::<u128, 1>(),
    }
}

// ---- the table.

fn entry<S: Convert<D>, D: Num>(mode: ErrorMode) -> Leaf {
    fn checked<S: Convert<D>, D: Num, const M: u8>() -> Leaf {
        #[cfg(target_arch = "x86_64")]
        if const { S::VECTOR } && has_avx2() {
            return Leaf { single: single::<S, D, M>, strided: strided_avx2::<S, D, M>, fallible: M != 0 };
        }
        Leaf { single: single::<S, D, M>, strided: strided::<S, D, M>, fallible: M != 0 }
    }
    // A mode that no `CHECKS` entry names is never asked for, and its loops are not even generated.
    let canonical = S::CHECKS[mode as usize];
    if const { uses::<S, D>(ErrorMode::Overflow) } && canonical == ErrorMode::Overflow {
        checked::<S, D, { ErrorMode::Overflow as u8 }>()
    } else if const { uses::<S, D>(ErrorMode::Fractional) } && canonical == ErrorMode::Fractional {
        checked::<S, D, { ErrorMode::Fractional as u8 }>()
    } else if const { uses::<S, D>(ErrorMode::Inexact) } && canonical == ErrorMode::Inexact {
        checked::<S, D, { ErrorMode::Inexact as u8 }>()
    } else {
        checked::<S, D, { ErrorMode::None as u8 }>()
    }
}

const fn uses<S: Convert<D>, D: Num>(mode: ErrorMode) -> bool {
    let mut i = 0;
    while i < 4 {
        if S::CHECKS[i] as u8 == mode as u8 {
            return true;
        }
        i += 1;
    }
    false
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// Evaluates `$body` with `$t` as the type of a scalar.
macro_rules! with_type {
    ($scalar:expr, $t:ident => $body:expr) => {
        match $scalar {
            Primitive::Bool => {
                type $t = Byte;
                $body
            }
            Primitive::Int8 => {
                type $t = i8;
                $body
            }
            Primitive::Int16 => {
                type $t = i16;
                $body
            }
            Primitive::Int32 => {
                type $t = i32;
                $body
            }
            Primitive::Int64 => {
                type $t = i64;
                $body
            }
            Primitive::Int128 => {
                type $t = i128;
                $body
            }
            Primitive::UInt8 => {
                type $t = u8;
                $body
            }
            Primitive::UInt16 => {
                type $t = u16;
                $body
            }
            Primitive::UInt32 => {
                type $t = u32;
                $body
            }
            Primitive::UInt64 => {
                type $t = u64;
                $body
            }
            Primitive::UInt128 => {
                type $t = u128;
                $body
            }
            Primitive::Float16 => {
                type $t = f16;
                $body
            }
            Primitive::Float32 => {
                type $t = f32;
                $body
            }
            Primitive::Float64 => {
                type $t = f64;
                $body
            }
            Primitive::Complex32 => {
                type $t = Complex<f32>;
                $body
            }
            Primitive::Complex64 => {
                type $t = Complex<f64>;
                $body
            }
        }
    };
}

/// The leaf that converts `src` to `dst` under `mode`; lossless pairs get the unchecked loop, identical types a copy.
pub(crate) fn convert(dst: Primitive, src: Primitive, mode: ErrorMode) -> Leaf {
    // Bool to bool is a conversion: it makes 0 or 1 of any byte.
    if dst == src && dst != Primitive::Bool {
        return copy(dst.size());
    }
    with_type!(src, S => with_type!(dst, D => entry::<S, D>(mode)))
}
