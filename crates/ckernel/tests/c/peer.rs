//! Rust code that trades kernels with the C program of the tests. Its prototypes are repeated in program.c.

use gristmill_ckernel::{
    CKernelBuilder, Deferred, DeferredCKernel, ErrorKind, FuncProto, Kernel, KernelError, KernelRequest, Operand,
    OperandMut,
};
use std::ffi::c_int;
use std::sync::atomic::{AtomicIsize, Ordering};

/// Closures that hold a `Counted` alive right now.
static ALIVE: AtomicIsize = AtomicIsize::new(0);

/// A resource, so that the C program can see whether everything was released exactly once.
struct Counted;

impl Counted {
    fn new() -> Self {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// How many resources are held by deferred kernels and kernels.
#[unsafe(no_mangle)]
pub extern "C" fn peer_alive() -> isize {
    ALIVE.load(Ordering::SeqCst)
}

/// `x*x + y*y`, double.
/// # Safety
/// 1. `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_sum_of_squares(out: *mut DeferredCKernel) {
    let resource = Counted::new();
    let deferred = Deferred::expr(move |x: f64, y: f64| {
        let _held = &resource;
        x * x + y * y
    });
    // SAFETY: (1).
    unsafe { out.write(deferred.into_raw()) }
}

/// The square root of a double; a negative one is an error, NaN makes the Rust code panic.
/// # Safety
/// 1. `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_square_root(out: *mut DeferredCKernel) {
    let deferred = Deferred::unary(|x: f64| {
        assert!(!x.is_nan(), "no root of nothing");
        if x < 0.0 {
            return Err(KernelError::new(ErrorKind::Overflow, format!("x is {x}, but must be >= 0")));
        }
        Ok(x.sqrt())
    });
    // SAFETY: (1).
    unsafe { out.write(deferred.into_raw()) }
}

fn report(result: Result<(), KernelError>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => {
            let _ = error.record();
            -1
        }
    }
}

/// Takes a deferred kernel int32 -> int32 from C, and runs it on two threads at once through the safe layer.
/// # Safety
/// 1. The caller owns `ckd`; it may be used by several threads. 2. `dst` and `src` have `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_run(
    ckd: *mut DeferredCKernel,
    dst: *mut i32,
    src: *const i32,
    count: usize,
    request: u32,
) -> c_int {
    // SAFETY: (1), (2).
    let (deferred, dst, src) = unsafe {
        (
            Deferred::from_raw(ckd.replace(DeferredCKernel::EMPTY)),
            std::slice::from_raw_parts_mut(dst, count),
            std::slice::from_raw_parts(src, count),
        )
    };
    report(deferred.and_then(|deferred| {
        let request = KernelRequest::from_raw(request)
            .ok_or_else(|| KernelError::new(ErrorKind::InvalidArgument, format!("request is {request}")))?;
        let kernel = deferred.instantiate(request)?;
        let (low, high) = dst.split_at_mut(count / 2);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| kernel.run(OperandMut::slice(low), &[Operand::slice(&src[..count / 2])]));
            let mine = kernel.run(OperandMut::slice(high), &[Operand::slice(&src[count / 2..])]);
            other.join().unwrap_or_else(|_| Err(KernelError::new(ErrorKind::Panic, "thread panicked"))).and(mine)
        })
    }))
}

/// Takes a finished expr strided kernel int32 -> int32 out of the caller's builder, moves it, and runs it.
/// # Safety
/// 1. `builder` is constructed and holds such a kernel or nothing. 2. `dst` and `src` have `count` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn peer_run_built(
    builder: *mut CKernelBuilder,
    dst: *mut i32,
    src: *const i32,
    count: usize,
) -> c_int {
    // SAFETY: (1).
    let kernel = unsafe { Kernel::from_builder(builder, FuncProto::Expr, KernelRequest::Strided) };
    report(kernel.and_then(|kernel| {
        let moved = Box::new(kernel);
        // SAFETY: (2).
        unsafe { moved.expr_strided(dst.cast(), 4, &src.cast(), &4, count) }
    }))
}
