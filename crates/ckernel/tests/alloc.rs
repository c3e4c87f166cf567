//! Memory: kernels that fit the inline words allocate nothing, and every allocation may fail.
//!
//! A program of its own, because it replaces the global allocator. Counting and failing are per thread.

mod support;

use gristmill_ckernel::typed::{Branch, Leaf, Parent};
use gristmill_ckernel::{
    Deferred, ErrorKind, FuncProto, Kernel, KernelError, KernelRequest, Operand, OperandMut, builtin_type, error,
    scratch, type_id,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use support::{Dim, RawBuilder, Tracked, nested_copy, nothing};

use KernelRequest::{Single, Strided};

struct Faulty;

thread_local! {
    /// Allocations of this thread while it watches.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static FREED: Cell<usize> = const { Cell::new(0) };
    static WATCHING: Cell<bool> = const { Cell::new(false) };
    /// The allocation with this number fails, and only that one.
    static FAIL_AT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts an allocation; true if it has to fail.
fn fails() -> bool {
    WATCHING.get() && {
        let number = ALLOCATIONS.get();
        ALLOCATIONS.set(number + 1);
        number == FAIL_AT.get()
    }
}

// SAFETY: the system's allocator, which may fail at any time.
unsafe impl GlobalAlloc for Faulty {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        if fails() { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        if fails() { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if fails() {
            return std::ptr::null_mut();
        }
        if WATCHING.get() {
            FREED.set(FREED.get() + 1);
        }
        // Always to another place: whoever kept a pointer finds nonsense.
        // SAFETY: the caller's; both blocks have the smaller of the two sizes.
        unsafe {
            let moved = System.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(ptr, moved, size.min(layout.size()));
                ptr.write_bytes(0xA5, layout.size());
                System.dealloc(ptr, layout);
            }
            moved
        }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        if WATCHING.get() {
            FREED.set(FREED.get() + 1);
        }
        // SAFETY: the caller's.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Faulty = Faulty;

/// Runs `f`; returns its result, the number of allocations, and the number of blocks that it freed.
fn watch<R>(fail_at: usize, f: impl FnOnce() -> R) -> (R, usize, usize) {
    ALLOCATIONS.set(0);
    FREED.set(0);
    FAIL_AT.set(fail_at);
    WATCHING.set(true);
    let result = f();
    WATCHING.set(false);
    (result, ALLOCATIONS.get(), FREED.get())
}

/// Runs `scenario` with a failure at every allocation in turn, until it makes fewer allocations than that.
///
/// Every failure must be an `OutOfMemory` error; nothing may leak, nothing may be freed twice (valgrind and the counts
/// see that), and the next attempt must find nothing left behind. Returns the number of allocations that were failed.
fn fail_at_every_allocation(scenario: impl Fn() -> Result<(), KernelError>) -> usize {
    // The first run fills what stays: the thread's scratch arena.
    scenario().expect("the scenario itself is sound");
    for fail_at in 0.. {
        error::clear();
        let (result, allocations, freed) = watch(fail_at, || scenario().map_err(|error| error.kind()));
        assert!(!error::pending(), "an error that was returned is not pending as well");
        if allocations <= fail_at {
            assert_eq!(result, Ok(()));
            assert_eq!(allocations, freed);
            return fail_at;
        }
        assert_eq!(result, Err(ErrorKind::OutOfMemory), "allocation {fail_at}");
        assert_eq!(allocations - 1, freed, "allocation {fail_at} failed, all others are freed");
    }
    unreachable!()
}

/// Building and calling, watched; the deferred kernel is made before.
fn allocations_of(deferred: &Deferred, request: KernelRequest) -> usize {
    let src = vec![4_i64; 300];
    let mut dst = vec![0_i64; 300];
    let count = if request == Single { 1 } else { 300 };
    let sources = vec![Operand::slice(&src[..count]); deferred.types().len() - 1];
    let ((), allocations, _) = watch(usize::MAX, || {
        let kernel = deferred.instantiate(request).unwrap();
        kernel.run(OperandMut::slice(&mut dst[..count]), &sources).unwrap();
    });
    allocations
}

#[test]
fn the_allocator_counts() {
    assert_eq!(watch(usize::MAX, || drop(std::hint::black_box(Box::new(1)))).1, 1);
    assert!(watch(0, || Vec::<u8>::new().try_reserve_exact(10).is_err()).0);
}

#[test]
fn kernels_that_fit_inline_are_built_and_called_without_allocating() {
    let plus = Deferred::unary(|x: i64| x + 1);
    let shared = Arc::new(7_i64);
    let owner = Deferred::expr(move |x: i64, y: i64| x + y + *shared);
    // SAFETY: `into_raw` made it; the way through the C functions.
    let from_c = unsafe { Deferred::from_raw(plus.clone().into_raw()).unwrap() };
    let kernels = [
        plus.clone(),
        owner.clone(),
        from_c.clone(),
        plus.as_expr().unwrap(),
        plus.as_expr().unwrap().as_unary().unwrap(),
        plus.loop_over_single().unwrap(),
        owner.loop_over_single().unwrap(),
        Deferred::constant(5_i64, &[builtin_type(type_id::INT64)]),
        plus.chain(&plus).unwrap(),
        owner.chain(&from_c).unwrap(),
    ];
    // The arena's first block: once for each thread.
    scratch::with(4096, |_| ()).unwrap();
    for (n, deferred) in kernels.iter().enumerate() {
        assert!(deferred.instantiate(Strided).unwrap().is_inline(), "kernel {n}");
        for request in [Single, Strided] {
            assert_eq!(allocations_of(deferred, request), 0, "kernel {n}, {request:?}");
        }
    }
    // Two dimensions and a leaf fit; three do not, and need one block.
    for (dims, expected) in [(1, 0), (2, 0), (3, 1)] {
        let dims = [Dim { size: 2, dst_stride: 4, src_stride: 4 }; 3][..dims].to_vec();
        let (kernel, allocations, _) = watch(usize::MAX, || {
            Kernel::build(FuncProto::Unary, Single, |builder, slot| nested_copy(builder, slot, &dims, Single)).unwrap()
        });
        assert_eq!(allocations, expected);
        assert_eq!(kernel.is_inline(), expected == 0);
    }
}

#[test]
fn a_chain_allocates_scratch_once_per_thread() {
    let plus = Deferred::unary(|x: i64| x + 1);
    let kernel = plus.chain(&plus).unwrap().chain(&plus).unwrap().instantiate(Strided).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (src, mut dst) = (vec![1_i64; 1000], vec![0_i64; 1000]);
            for expected in [1, 0, 0] {
                let ((), allocations, _) = watch(usize::MAX, || {
                    kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&src)]).unwrap();
                });
                assert_eq!(allocations, expected);
            }
        });
    });
}

#[test]
fn building_survives_a_failure_at_every_allocation() {
    let tracked = Tracked::new();
    let failures = fail_at_every_allocation(|| {
        let before = tracked.dropped();
        let mut pushed = 0;
        let result = Kernel::build(FuncProto::Unary, Single, |builder, mut slot| {
            // A tree whose nodes all own something, large enough to move many times.
            for _ in 0..12 {
                // SAFETY: never called.
                unsafe {
                    let branch =
                        builder.push::<Branch<(Tracked, [u64; 9]), 2>>(slot, nothing(), (tracked.clone(), [0; 9]));
                    pushed += 1;
                    let branch = branch?;
                    let first = builder.child(branch, 0)?;
                    pushed += 1;
                    builder.push::<Leaf<(Tracked, [u64; 20])>>(first, nothing(), (tracked.clone(), [0; 20]))?;
                    let second = builder.child(branch, 1)?;
                    pushed += 1;
                    let parent = builder.push::<Parent<Tracked>>(second, nothing(), tracked.clone())?;
                    slot = builder.child(parent, 0)?;
                }
            }
            // SAFETY: never called.
            unsafe { builder.push::<Leaf<()>>(slot, nothing(), ()).map(drop) }
        });
        let kernel = result.map(drop);
        assert_eq!(tracked.alive(), 0);
        assert_eq!(tracked.dropped() - before, pushed, "each resource is released once, also the one that had no room");
        kernel
    });
    assert!(failures >= 8, "the block grew {failures} times");
}

#[test]
fn the_raw_builder_survives_a_failure_at_every_allocation() {
    let tracked = Tracked::new();
    let mut builder = RawBuilder::new();
    let builder = std::cell::RefCell::new(&mut builder);
    let failures = fail_at_every_allocation(|| {
        let mut builder = builder.borrow_mut();
        builder.reset();
        builder.place_tracked(0, &tracked);
        let result = [200, 400, 2000, 10_000].into_iter().try_for_each(|size| {
            let result = builder.ensure_capacity(size);
            assert_eq!((result.is_err(), tracked.alive()), (builder.data.is_null(), usize::from(result.is_ok())));
            result.map_err(KernelError::from)
        });
        builder.reset();
        assert_eq!(tracked.alive(), 0);
        assert!(builder.is_inline() && builder.static_data == [0; 16]);
        result
    });
    // One for each size; the messages of the errors are extra, and succeed here.
    assert_eq!(failures, 4);
}

#[test]
fn calling_survives_a_failure_at_every_allocation() {
    // Frames that are larger than the arena keeps: each call allocates, and gives back what it got.
    #[derive(Clone, Copy)]
    #[repr(C)]
    struct Huge([u64; 2048]);
    let layout = gristmill_ckernel::adapt::ChainLayout {
        proto: FuncProto::Unary,
        sources: 1,
        element_size: size_of::<Huge>(),
        zeroed: false,
    };
    unsafe extern "C" fn spread(
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
        _: *mut gristmill_ckernel::CKernelPrefix,
    ) {
        for i in 0..count as isize {
            // SAFETY: the call contract: `Huge` from `u64`.
            unsafe { (*dst.offset(i * dst_stride).cast::<Huge>()).0[2047] = *src.offset(i * src_stride).cast::<u64>() }
        }
    }
    unsafe extern "C" fn gather(
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
        _: *mut gristmill_ckernel::CKernelPrefix,
    ) {
        for i in 0..count as isize {
            // SAFETY: the call contract: `u64` from `Huge`.
            unsafe { *dst.offset(i * dst_stride).cast::<u64>() = (*src.offset(i * src_stride).cast::<Huge>()).0[2047] }
        }
    }
    use gristmill_ckernel::PrototypedFunction::UnaryStrided;
    let kernel = Kernel::build(FuncProto::Unary, Strided, |builder, slot| {
        // SAFETY: the types fit, and the element size is that of `Huge`.
        unsafe {
            gristmill_ckernel::adapt::chain(
                builder,
                slot,
                layout,
                Strided,
                |builder, slot| builder.push::<Leaf<()>>(slot, UnaryStrided(spread), ()).map(drop),
                |builder, slot| builder.push::<Leaf<()>>(slot, UnaryStrided(gather), ()).map(drop),
            )
        }
    })
    .unwrap();
    let src: Vec<u64> = (0..300).collect();
    let dst = std::cell::RefCell::new(vec![u64::MAX; 300]);
    let failures = fail_at_every_allocation(|| {
        let mut dst = dst.borrow_mut();
        dst.fill(u64::MAX);
        // SAFETY: 300 u64 each.
        let result = unsafe { kernel.unary_strided(dst.as_mut_ptr().cast(), 8, src.as_ptr().cast(), 8, 300) };
        match &result {
            Ok(()) => assert_eq!(*dst, src),
            Err(_) => assert!(dst.iter().all(|&x| x == u64::MAX), "nothing is written without a buffer"),
        }
        result
    });
    assert_eq!(failures, 1);
}

#[test]
fn a_call_with_many_sources_survives_a_failure_at_every_allocation() {
    let types = vec![builtin_type(type_id::INT64); 41];
    // SAFETY: a constant ignores its sources.
    let deferred = unsafe {
        Deferred::new(FuncProto::Expr, types, |builder, slot, _, request| {
            gristmill_ckernel::adapt::constant(builder, slot, FuncProto::Expr, request, &9_i64.to_ne_bytes())
        })
    };
    // SAFETY: `into_raw` made it. C gets an array of 41 null pointers.
    let deferred = unsafe { Deferred::from_raw(deferred.into_raw()).unwrap() };
    let value = 5_i64;
    let sources = vec![Operand::repeat(&value); 40];
    let failures = fail_at_every_allocation(|| {
        let mut dst = [0_i64; 2];
        let result = deferred.instantiate(Strided).and_then(|kernel| kernel.run(OperandMut::slice(&mut dst), &sources));
        assert_eq!(dst, [if result.is_ok() { 9 } else { 0 }; 2]);
        result
    });
    assert_eq!(failures, 3, "the metadata pointers, the source pointers, the strides");
}

#[test]
fn an_error_without_memory_for_its_message_is_still_an_error() {
    let _ = error::record(ErrorKind::Fractional, 3, format_args!("a message that needs memory"));
    let (error, ..) = watch(0, || error::take().unwrap());
    assert_eq!((error.kind(), error.element()), (ErrorKind::Fractional, Some(3)));
    assert_eq!(error.message(), "memory ran out, also for the message of this error");
}

#[test]
fn valgrind_finds_nothing_in_the_memory_tests() {
    support::run_under_valgrind("valgrind_finds_nothing");
}
