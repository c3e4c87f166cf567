//! A kernel as a deferred ckernel: expr prototype, single and strided.
//!
//! The strided form runs the block loop over columns: an argument with stride 0 is read once and handed over as one value
//! for all, a contiguous one is used where it lies, any other is gathered into scratch memory block by block; so is
//! the destination. The numbers in SAFETY comments are the rules of `gristmill_ckernel::abi`.

use crate::function::{Column, ColumnMut, Function, HeldCode, Stopped};
use crate::native::Level;
use core::mem::MaybeUninit;
use core::slice;
use gristmill_ckernel::typed::Leaf;
use gristmill_ckernel::{
    CKernelPrefix, CKernelType, Deferred, ErrorKind, FuncProto, KernelError, PrototypedFunction, builtin_type, guard,
    scratch, type_id,
};
use gristmill_scalar::{Scalar, by_type};

/// Elements per block where something has to be gathered or scattered.
const BLOCK: usize = 512;

/// A function with its types looked up.
#[derive(Debug, Clone)]
struct Instance {
    function: Function,
    params: Box<[Scalar]>,
    result: Scalar,
    /// Made at run time: the code lives as long as the ckernel.
    _code: Option<HeldCode>,
}

fn stopped(function: &Function) -> impl Fn(Stopped) -> KernelError {
    let name = function.name();
    move |Stopped| {
        KernelError::new(ErrorKind::Foreign, format!("`{name}` was interrupted before its results were complete"))
    }
}

/// `n` elements in memory as a column.
/// # Safety
/// 1. At `at` are `n` valid, aligned elements of type `scalar`, which nobody writes during `'a`.
unsafe fn column<'a>(scalar: Scalar, at: *const u8, n: usize) -> Column<'a> {
    // SAFETY: (1).
    by_type!(scalar, T => Column::from(unsafe { slice::from_raw_parts(at.cast::<T>(), n) }))
}

/// `n` places in memory as a column.
/// # Safety
/// 1. At `at` are `n` valid, aligned elements of type `scalar`, which nobody else touches during `'a`.
unsafe fn column_mut<'a>(scalar: Scalar, at: *mut u8, n: usize) -> ColumnMut<'a> {
    // SAFETY: (1).
    by_type!(scalar, T => ColumnMut::from(unsafe { slice::from_raw_parts_mut(at.cast::<T>(), n) }))
}

/// Copies `n` elements with one stride to places with another.
/// # Safety
/// 1. For every `i < n`, `from + i*from_stride` and `to + i*to_stride` are valid, aligned places of type `scalar`.
unsafe fn copy(scalar: Scalar, from: *const u8, from_stride: isize, to: *mut u8, to_stride: isize, n: usize) {
    by_type!(scalar, T => {
        let (mut x, mut y) = (from.cast::<T>(), to.cast::<T>());
        for _ in 0..n {
            // SAFETY: (1).
            unsafe { y.write(x.read()) };
            // `wrapping`: the step after the last element may leave the block; that pointer is never read.
            x = x.wrapping_byte_offset(from_stride);
            y = y.wrapping_byte_offset(to_stride);
        }
    });
}

unsafe extern "C" fn single(dst: *mut u8, src: *const *const u8, self_: *mut CKernelPrefix) {
    guard(|_| {
        // SAFETY: rule 1: the factory below made the block.
        let k = unsafe { &Leaf::<Instance>::of(self_).data };
        let n = k.params.len();
        // SAFETY: rule 2.
        let src = unsafe { slice::from_raw_parts(src, n) };
        // SAFETY: rules 3 and 5. A source may be the destination itself (rule 4), so each is copied first.
        let mut values = [MaybeUninit::<u64>::uninit(); MOST_PARAMETERS];
        let mut columns = [Column::F64(&[]); MOST_PARAMETERS];
        for i in 0..n {
            let place = values[i].as_mut_ptr().cast::<u8>();
            // SAFETY: rule 3; a word holds any scalar.
            unsafe { copy(k.params[i], src[i], 0, place, 0, 1) };
        }
        for i in 0..n {
            // SAFETY: written just now.
            columns[i] = unsafe { column(k.params[i], values[i].as_ptr().cast(), 1) };
        }
        // SAFETY: rules 3 and 5; the sources were copied.
        let out = unsafe { column_mut(k.result, dst, 1) };
        k.function.single_unchecked(Level::best(), &columns[..n], &mut [out], 0).map_err(stopped(&k.function))
    });
}

unsafe extern "C" fn strided(
    dst: *mut u8,
    dst_stride: isize,
    src: *const *const u8,
    src_stride: *const isize,
    count: usize,
    self_: *mut CKernelPrefix,
) {
    if count == 0 {
        return;
    }
    guard(|at| {
        // SAFETY: rule 1: the factory below made the block.
        let k = unsafe { &Leaf::<Instance>::of(self_).data };
        let n = k.params.len();
        // SAFETY: rule 2.
        let (src, strides) = unsafe { (slice::from_raw_parts(src, n), slice::from_raw_parts(src_stride, n)) };
        let size = |s: Scalar| s.size() as isize;
        // An argument that is the destination itself (rule 4) is copied: a slice must not alias the results.
        let contiguous = |i: usize| strides[i] == size(k.params[i]) && !core::ptr::eq(src[i], dst);
        let direct = dst_stride == size(k.result);
        let gathers = (0..n).any(|i| strides[i] != 0 && !contiguous(i)) || !direct;
        // One value for all is copied: it might be the destination's.
        let mut values = [MaybeUninit::<u64>::uninit(); MOST_PARAMETERS];
        for i in (0..n).filter(|i| strides[*i] == 0) {
            // SAFETY: rule 3; a word holds any scalar.
            unsafe { copy(k.params[i], src[i], 0, values[i].as_mut_ptr().cast(), 0, 1) };
        }
        let level = Level::best();
        // `buffers` has a place of BLOCK words for each argument and the result; nothing is gathered if it is null.
        let mut run = |block: usize, buffers: *mut u8| -> Result<(), KernelError> {
            let buffer = |i: usize| buffers.wrapping_add(i * BLOCK * 8);
            let mut columns = [Column::F64(&[]); MOST_PARAMETERS];
            let mut start = 0;
            while start < count {
                *at = start;
                let len = block.min(count - start);
                for i in 0..n {
                    let from = src[i].wrapping_byte_offset(strides[i].wrapping_mul(start as isize));
                    // SAFETY: rule 3; values were written above, buffers have room for a block; rule 5, and rule 4 with
                    // the test in `contiguous`.
                    columns[i] = unsafe {
                        if strides[i] == 0 {
                            column(k.params[i], values[i].as_ptr().cast(), 1)
                        } else if contiguous(i) {
                            column(k.params[i], from, len)
                        } else {
                            copy(k.params[i], from, strides[i], buffer(i), size(k.params[i]), len);
                            column(k.params[i], buffer(i), len)
                        }
                    };
                }
                let to = dst.wrapping_byte_offset(dst_stride.wrapping_mul(start as isize));
                let place = if direct { to } else { buffer(n) };
                // SAFETY: rules 3 and 5; for the buffer: zeroed, so that the places hold valid values.
                unsafe {
                    if !direct {
                        place.write_bytes(0, len * k.result.size());
                    }
                    let out = column_mut(k.result, place, len);
                    k.function.block_unchecked(level, &columns[..n], &mut [out]).map_err(stopped(&k.function))?;
                    if !direct {
                        copy(k.result, place, size(k.result), to, dst_stride, len);
                    }
                }
                start += len;
            }
            Ok(())
        };
        if !gathers {
            return run(count, core::ptr::null_mut());
        }
        let done = scratch::with((n + 1) * BLOCK * 8, |memory| run(BLOCK, memory.as_mut_ptr().cast()));
        // The error is in the slot already when there was no memory.
        done.unwrap_or(Ok(()))
    });
}

/// As many parameters a kernel may have that is a ckernel or stands in an expression: what a call needs of each lies on the stack.
/// (All limits on parameters: docs/kernel-language.md.)
pub const MOST_PARAMETERS: usize = 16;

impl Function {
    /// The kernel as a deferred ckernel of the expr prototype: destination first, then one source for each parameter.
    ///
    /// # Errors
    /// When it has several results, for a ckernel has one destination, or more than [`MOST_PARAMETERS`] parameters.
    pub fn deferred(&self) -> Result<Deferred, KernelError> {
        let results = self.results();
        let [result] = results[..] else {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!("`{}` has {} results, but a ckernel has one destination", self.name(), results.len()),
            ));
        };
        let params: Box<[Scalar]> = self.params().map(|(_, ty)| ty).collect();
        if params.len() > MOST_PARAMETERS {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!(
                    "`{}` has {} parameters, but at most {MOST_PARAMETERS} are possible",
                    self.name(),
                    params.len()
                ),
            ));
        }
        let types: Vec<*const CKernelType> =
            core::iter::once(result).chain(params.iter().copied()).map(|s| builtin_type(type_id::of(s))).collect();
        let instance = Instance { function: *self, params, result, _code: None };
        // SAFETY: `single` and `strided` read and write exactly these types and keep their state on the stack and in the
        // thread's scratch memory.
        Ok(unsafe {
            Deferred::new(FuncProto::Expr, types, move |builder, slot, _, request| {
                let function = PrototypedFunction::expr(request, single, strided);
                // Only now is code made at run time compiled: somebody wants to call it.
                let instance = Instance { _code: instance.function.hold(), ..instance.clone() };
                builder.push::<Leaf<Instance>>(slot, function, instance).map(drop)
            })
        })
    }
}
