//! The functions of the C interface that make deferred kernels out of deferred kernels.
//!
//! Each takes over the deferred kernels it is given, also when it fails, and leaves the caller's structures empty; so
//! each is freed exactly once. `out` may be the structure of an argument. They return 0, or -1 with the reason in the
//! calling thread's error slot and `*out` empty.

use crate::abi::{DeferredCKernel, FuncProto};
use crate::adapt;
use crate::deferred::Deferred;
use crate::error::NO_ELEMENT;
use crate::error::{ErrorKind, KernelError};
use crate::function::record_panic;
use core::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Takes the caller's deferred kernel; the caller's structure is empty afterwards.
/// # Safety
/// 1. `ckd` is null, or a deferred kernel that the caller owns and that keeps the contract of `Deferred::from_raw`.
unsafe fn take(ckd: *mut DeferredCKernel, name: &str) -> Result<Deferred, KernelError> {
    if ckd.is_null() {
        return Err(KernelError::new(ErrorKind::InvalidArgument, format!("{name} is null")));
    }
    // SAFETY: (1).
    unsafe { Deferred::from_raw(ckd.replace(DeferredCKernel::EMPTY)) }
}

/// Writes the result to `out`, or records the error.
/// # Safety
/// 1. `out` is writable, and holds nothing that has to be freed once `f` ran.
unsafe fn finish(out: *mut DeferredCKernel, f: impl FnOnce() -> Result<Deferred, KernelError>) -> c_int {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(deferred)) => {
            // SAFETY: (1).
            unsafe { out.write(deferred.into_raw()) };
            return 0;
        }
        Ok(Err(error)) => {
            let _ = error.record();
        }
        Err(payload) => record_panic(payload, NO_ELEMENT),
    }
    // SAFETY: (1).
    unsafe { out.write(DeferredCKernel::EMPTY) };
    -1
}

/// Frees what a deferred kernel owns, and leaves it empty; NULL and empty ones are ignored.
///
/// # Safety
/// 1. `ckd` is NULL, or a deferred kernel that the caller owns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deferred_ckernel_free(ckd: *mut DeferredCKernel) {
    if !ckd.is_null() {
        // SAFETY: (1).
        unsafe { (*ckd).free() }
    }
}

/// Makes an expr kernel with one source out of a unary kernel.
///
/// # Safety
/// 1. `ckd` is a deferred kernel that the caller owns and may be used by several threads; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deferred_ckernel_as_expr(out: *mut DeferredCKernel, ckd: *mut DeferredCKernel) -> c_int {
    // SAFETY: (1).
    unsafe { finish(out, || take(ckd, "ckd")?.as_expr()) }
}

/// Makes a unary kernel out of an expr kernel with one source.
///
/// # Safety
/// 1. `ckd` is a deferred kernel that the caller owns and may be used by several threads; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deferred_ckernel_as_unary(out: *mut DeferredCKernel, ckd: *mut DeferredCKernel) -> c_int {
    // SAFETY: (1).
    unsafe { finish(out, || take(ckd, "ckd")?.as_unary()) }
}

/// Makes a kernel with both forms out of one that only has the single form: its strided form is a loop.
///
/// # Safety
/// 1. `ckd` is a deferred kernel that the caller owns and may be used by several threads; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deferred_ckernel_loop_over_single(
    out: *mut DeferredCKernel,
    ckd: *mut DeferredCKernel,
) -> c_int {
    // SAFETY: (1).
    unsafe { finish(out, || take(ckd, "ckd")?.loop_over_single()) }
}

/// Makes one kernel out of two: the second is unary, or expr with one source, and reads what the first writes, through
/// a buffer of 128 elements of a builtin type from the calling thread's scratch memory.
///
/// # Safety
/// 1. `first` and `second` are different deferred kernels that the caller owns and that may be used by several threads;
///    `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deferred_ckernel_chain(
    out: *mut DeferredCKernel,
    first: *mut DeferredCKernel,
    second: *mut DeferredCKernel,
) -> c_int {
    // SAFETY: (1). Both are taken before either is looked at.
    unsafe {
        finish(out, || {
            let (first, second) = (take(first, "first"), take(second, "second"));
            first?.chain(&second?)
        })
    }
}

/// Makes an expr kernel that writes the same element, of a builtin type, everywhere. It has `sources` sources, all of
/// that same type, which it ignores.
///
/// # Safety
/// 1. `value` points to an element of the builtin type `type_id`; `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deferred_ckernel_constant(
    out: *mut DeferredCKernel,
    type_id: usize,
    value: *const c_void,
    sources: usize,
) -> c_int {
    let build = || {
        let size = crate::type_id::size(type_id).filter(|&size| size > 0);
        let (Some(size), false) = (size, value.is_null()) else {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!("type_id is {type_id} and value is {value:p}, but a builtin type and an element are needed"),
            ));
        };
        if sources > 1 << 16 {
            return Err(KernelError::new(
                ErrorKind::InvalidArgument,
                format!("sources is {sources}, but must be at most {}", 1 << 16),
            ));
        }
        // SAFETY: (1).
        let bytes: Box<[u8]> = unsafe { core::slice::from_raw_parts(value.cast::<u8>(), size) }.into();
        let types = vec![crate::builtin_type(type_id); sources + 1];
        // SAFETY: the destination's elements are of the type whose bytes these are.
        Ok(unsafe {
            Deferred::new(FuncProto::Expr, types, move |builder, slot, _, request| {
                adapt::constant(builder, slot, FuncProto::Expr, request, &bytes)
            })
        })
    };
    // SAFETY: (1).
    unsafe { finish(out, build) }
}
