//! What the builder, kernels, deferred kernels, adapters and errors promise.

mod support;

use gristmill_ckernel::adapt::{self, ChainLayout};
use gristmill_ckernel::typed::{Branch, Leaf, Parent};
use gristmill_ckernel::{
    Builder, CKernelBuilder, CKernelPrefix, CKernelType, Deferred, DeferredCKernel, ErrorKind, FuncProto,
    INLINE_CAPACITY, Kernel, KernelError, KernelRequest, Metadata, Operand, OperandMut, PrototypedFunction, Slot,
    abi_version, builtin_type, error, scratch, type_id,
};
use proptest::prelude::*;
use std::ffi::c_void;
use std::mem::{MaybeUninit, size_of};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use support::{Dim, RawBuilder, Tracked, copy_i32, inert, nested_copy, place_at_offset_and_move};

use KernelRequest::{Single, Strided};

const PREFIX: isize = size_of::<CKernelPrefix>() as isize;
const INLINE: isize = INLINE_CAPACITY as isize;

/// The error of a result that has to be one.
fn err<T: std::fmt::Debug>(result: Result<T, KernelError>) -> KernelError {
    result.expect_err("this must be refused")
}

// ---- The raw builder ----

#[test]
fn a_fresh_builder_is_inline_zeroed_and_has_sixteen_words() {
    let builder = RawBuilder::new();
    assert!(builder.is_inline());
    assert_eq!(builder.capacity, INLINE);
    assert_eq!(builder.static_data, [0; 16]);
    assert_eq!(abi_version(), 1);
}

#[test]
fn the_builder_leaves_its_inline_memory_exactly_when_it_must() {
    let mut builder = RawBuilder::new();
    builder.ensure_capacity(INLINE - PREFIX).unwrap();
    assert!(builder.is_inline());
    builder.ensure_capacity_leaf(INLINE).unwrap();
    assert!(builder.is_inline());
    builder.ensure_capacity(INLINE).unwrap();
    assert!(!builder.is_inline() && builder.capacity >= INLINE + PREFIX);
    builder.reset();
    assert!(builder.is_inline() && builder.capacity == INLINE && builder.static_data == [0; 16]);
}

#[test]
fn the_builder_grows_by_half_keeps_its_bytes_and_zeroes_the_rest() {
    let mut builder = RawBuilder::new();
    // A kernel of words that own nothing: neither function nor destructor.
    let mut written = 16;
    for requested in [INLINE + 1, INLINE + 2, 200, 1000, 1001, 40_000] {
        let before = builder.capacity;
        builder.ensure_capacity_leaf(requested).unwrap();
        let bytes = builder.bytes();
        if requested > before {
            assert!(bytes.len() >= requested.max(before + before / 2) as usize, "{before} -> {}", bytes.len());
        } else {
            assert_eq!(bytes.len(), before as usize);
        }
        assert_eq!(bytes.len() % 8, 0);
        assert!(bytes[16..written].iter().all(|&byte| byte == 7), "bytes moved with the block");
        assert!(bytes[written..].iter().all(|&byte| byte == 0), "new bytes are zero");
        bytes[16..].fill(7);
        written = bytes.len();
    }
}

#[test]
fn impossible_sizes_destroy_the_kernel_and_say_so() {
    for (requested, with_child) in
        [(-1, false), (-1, true), (isize::MIN, true), (isize::MAX, false), (isize::MAX, true), (isize::MAX - 8, true)]
    {
        let tracked = Tracked::new();
        let mut builder = RawBuilder::new();
        builder.place_tracked(0, &tracked);
        let result =
            if with_child { builder.ensure_capacity(requested) } else { builder.ensure_capacity_leaf(requested) };
        let error = KernelError::from(result.unwrap_err());
        assert!(matches!(error.kind(), ErrorKind::InvalidArgument | ErrorKind::OutOfMemory), "{requested}: {error}");
        assert!(builder.data.is_null());
        assert_eq!(tracked.alive(), 0, "destroyed once, at once");
        // Until it is reset, the builder refuses; destructing it twice is harmless.
        assert_eq!(KernelError::from(builder.ensure_capacity_leaf(8).unwrap_err()).kind(), ErrorKind::OutOfMemory);
        builder.reset();
        builder.ensure_capacity_leaf(8).unwrap();
    }
}

#[test]
fn a_partly_built_kernel_is_destroyed_with_what_it_has() {
    // A parent whose destructor runs before its child exists: the child's zeroed prefix is there.
    let tracked = Tracked::new();
    let result = Kernel::build(FuncProto::Unary, Single, |builder, slot| {
        // SAFETY: never called.
        let parent = unsafe { builder.push::<Parent<Tracked>>(slot, support::nothing(), tracked.clone())? };
        assert_eq!(builder.get(parent)?.alive(), 1);
        Err(KernelError::new(ErrorKind::Foreign, "stop here"))
    });
    assert_eq!(err(result).message(), "stop here");
    assert_eq!(tracked.alive(), 0);
}

// ---- The typed builder ----

#[test]
fn kernels_that_fit_sixteen_words_are_inline() {
    // prefix + 3 fields + prefix = 56 bytes; two dimensions 96; three 136, which is more than 128.
    for (dims, bytes) in [(1, 56), (2, 96), (3, 136)] {
        let dims = vec![Dim { size: 2, dst_stride: 4, src_stride: 4 }; dims];
        let mut end = 0;
        let kernel = Kernel::build(FuncProto::Unary, Single, |builder, slot| {
            nested_copy(builder, slot, &dims, Single)?;
            end = builder.end();
            Ok(())
        })
        .unwrap();
        if size_of::<usize>() == 8 {
            assert_eq!(end, bytes);
            assert_eq!(kernel.is_inline(), bytes <= 128);
        }
    }
}

#[test]
fn every_wrong_use_of_slots_is_an_error() {
    let message = |f: &dyn for<'b> Fn(&mut Builder<'b>, Slot<'b>) -> Result<(), KernelError>| {
        err(Kernel::build(FuncProto::Unary, Single, f)).to_string()
    };
    let text = message(&|b, slot| {
        let node = inert::<Branch<Tracked, 2>>(b, slot)?;
        let _open = b.child(node, 0)?;
        b.child(node, 1).map(drop)
    });
    assert!(text.contains("is open; fill it before taking another"), "{text}");

    let text = message(&|b, slot| {
        let node = inert::<Branch<Tracked, 2>>(b, slot)?;
        let slot = b.child(node, 0)?;
        inert::<Leaf<Tracked>>(b, slot)?;
        b.child(node, 0).map(drop)
    });
    assert!(text.contains("child 0 of the node at offset 0 has its place already"), "{text}");

    let text = message(&|b, slot| {
        let node = inert::<Branch<Tracked, 2>>(b, slot)?;
        b.child(node, 2).map(drop)
    });
    assert_eq!(text, "child index is 2, but the node has 2 children");

    let text = message(&|b, slot| {
        let node = inert::<Branch<Tracked, 2>>(b, slot)?;
        let slot = b.child(node, 0)?;
        inert::<Parent<Tracked>>(b, slot)?;
        b.child(node, 1).map(drop)
    });
    assert!(text.contains("needs its child next, not the node at 0"), "{text}");

    let text = message(&|b, slot| {
        let node = inert::<Parent<Tracked>>(b, slot)?;
        let slot = b.child(node, 0)?;
        inert::<Leaf<Tracked>>(b, slot)?;
        b.child(node, 0).map(drop)
    });
    assert!(text.contains("the node at offset 0 has its child already"), "{text}");

    let text = message(&|b, slot| {
        let node = inert::<Branch<Tracked, 3>>(b, slot)?;
        let slot = b.child(node, 1)?;
        inert::<Leaf<Tracked>>(b, slot)?;
        Ok(())
    });
    assert_eq!(text, "the kernel is incomplete: 2 of its slots were not filled");

    let text = message(&|_, _| Ok(()));
    assert_eq!(text, "the kernel is incomplete: 1 of its slots were not filled");
}

#[test]
fn a_failure_that_was_ignored_still_prevents_a_kernel() {
    let text = err(Kernel::build(FuncProto::Unary, Single, |builder, slot| {
        // SAFETY: the factory places nothing.
        let _ = unsafe { builder.raw(slot, |_, offset| Ok(offset + 16)) };
        Ok(())
    }))
    .to_string();
    assert_eq!(text, "a part of the kernel could not be built");
}

#[test]
fn a_factory_must_say_where_it_ended() {
    for (end, expected) in [(8, "reports its end at 8"), (4096, "reports its end at 4096")] {
        let text = err(Kernel::build(FuncProto::Unary, Strided, |builder, slot| {
            // SAFETY: the prefix exists; the kernel is never called.
            unsafe {
                builder.raw(slot, |ckb, offset| {
                    (*(*ckb).data.add(offset).cast::<CKernelPrefix>()).set_unary_strided(copy_i32);
                    Ok(end)
                })
            }
        }))
        .to_string();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn data_stays_reachable_by_its_handle_while_the_block_moves() {
    let kernel = Kernel::build(FuncProto::Unary, Strided, |builder, mut slot| {
        let mut handles = Vec::new();
        // Far more than the inline memory: the block moves several times.
        for level in 0..40_usize {
            // SAFETY: the function of a parent that only passes on.
            let node = unsafe {
                builder.push::<Parent<usize>>(slot, PrototypedFunction::UnaryStrided(support::pass_on), level)?
            };
            handles.push(node);
            slot = builder.child(node, 0)?;
        }
        for (level, &handle) in handles.iter().enumerate() {
            assert_eq!(*builder.get(handle)?, level);
            *builder.get_mut(handle)? += 1;
        }
        // SAFETY: a leaf for int32.
        unsafe { builder.push::<Leaf<()>>(slot, PrototypedFunction::UnaryStrided(copy_i32), ())? };
        assert_eq!(handles.iter().map(|&h| builder.get(h).copied().unwrap()).sum::<usize>(), (1..=40).sum());
        Ok(())
    })
    .unwrap();
    assert!(!kernel.is_inline());
    let (src, mut dst) = ([1, -2, 3], [0; 3]);
    // SAFETY: three int32 each.
    unsafe { kernel.unary_strided(dst.as_mut_ptr().cast(), 4, src.as_ptr().cast(), 4, 3).unwrap() };
    assert_eq!(dst, src);
}

/// A byte and a pointer: seven bytes between them are padding, which belongs to no value, and the pointer must arrive as one.
#[test]
fn a_small_block_with_padding_and_pointers_survives_every_move() {
    let tracked = Tracked::new();
    let mut kernels = Vec::new();
    for round in 0..20_u8 {
        let data = (round, tracked.clone(), Some(Box::new(round)));
        let kernel = Kernel::build(FuncProto::Unary, Strided, |builder, slot| {
            // SAFETY: a leaf for int32.
            unsafe {
                builder.push::<Leaf<(u8, Tracked, Option<Box<u8>>)>>(
                    slot,
                    PrototypedFunction::UnaryStrided(copy_i32),
                    data,
                )?
            };
            Ok(())
        })
        .unwrap();
        assert!(kernel.is_inline());
        // The vector moves all of them when it grows.
        kernels.push(kernel);
    }
    kernels.reverse();
    assert_eq!(tracked.alive(), 20);
    for kernel in &kernels {
        let (src, mut dst) = ([1, -2, 3], [0; 3]);
        // SAFETY: three int32 each.
        unsafe { kernel.unary_strided(dst.as_mut_ptr().cast(), 4, src.as_ptr().cast(), 4, 3).unwrap() };
        assert_eq!(dst, src);
    }
    drop(kernels);
    assert_eq!(tracked.alive(), 0);
}

#[test]
fn what_a_kernel_owns_is_released_exactly_once() {
    // Success; then failure after each of the pushes in turn.
    for fail_after in (0..=4).rev() {
        let tracked = Tracked::new();
        let result = Kernel::build(FuncProto::Unary, Strided, |builder, slot| {
            let mut pushed = 0;
            let mut step = || {
                pushed += 1;
                if pushed > fail_after { Err(KernelError::new(ErrorKind::Foreign, "no more")) } else { Ok(()) }
            };
            let big = |tracked: &Tracked| (tracked.clone(), [0_u64; 10]);
            // SAFETY: the kernel is never called.
            unsafe {
                step()?;
                let root = builder.push::<Branch<(Tracked, [u64; 10]), 2>>(slot, support::nothing(), big(&tracked))?;
                let slot = builder.child(root, 1)?;
                step()?;
                let parent = builder.push::<Parent<(Tracked, [u64; 10])>>(slot, support::nothing(), big(&tracked))?;
                let slot = builder.child(parent, 0)?;
                step()?;
                builder.push::<Leaf<(Tracked, [u64; 10])>>(slot, support::nothing(), big(&tracked))?;
                let slot = builder.child(root, 0)?;
                step()?;
                builder.push::<Leaf<Tracked>>(slot, support::nothing(), tracked.clone())?;
            }
            assert_eq!(tracked.alive(), 4);
            Ok(())
        });
        match result {
            Ok(kernel) => {
                assert_eq!(fail_after, 4);
                assert_eq!(tracked.alive(), 4);
                let moved = Box::new(kernel);
                assert_eq!(tracked.alive(), 4, "moving drops nothing");
                drop(moved);
            }
            Err(error) => assert_eq!(error.message(), "no more"),
        }
        assert_eq!(tracked.alive(), 0);
        assert_eq!(tracked.dropped(), fail_after);
    }
}

#[test]
fn a_panic_while_building_releases_what_was_built() {
    let tracked = Tracked::new();
    let seen = tracked.clone_unseen();
    let result = std::panic::catch_unwind(move || {
        Kernel::build(FuncProto::Unary, Single, |builder, slot| {
            // SAFETY: never called.
            unsafe { builder.push::<Leaf<Tracked>>(slot, support::nothing(), tracked.clone())? };
            panic!("in the factory")
        })
    });
    assert!(result.is_err());
    assert_eq!(seen.alive(), 0);
}

#[test]
fn a_destructor_that_panics_ends_at_the_abi() {
    struct Bomb(Tracked);
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in a destructor; {} alive", self.0.alive());
        }
    }
    let tracked = Tracked::new();
    let bomb = || Bomb(tracked.clone());
    let kernel = Kernel::build(FuncProto::Unary, Single, |builder, slot| {
        // SAFETY: never called.
        unsafe {
            let parent = builder.push::<Parent<Bomb>>(slot, support::nothing(), bomb())?;
            let slot = builder.child(parent, 0)?;
            builder.push::<Leaf<Bomb>>(slot, support::nothing(), bomb()).map(drop)
        }
    });
    drop(kernel.unwrap());
    assert_eq!(tracked.alive(), 0, "the fields of a panicking value are dropped, and so are the other nodes");
}

// ---- Calls ----

#[test]
fn kernels_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Kernel>();
    check::<Deferred>();
    check::<KernelError>();
}

#[test]
fn a_kernel_called_in_another_form_refuses() {
    let add = Deferred::expr(|x: i32, y: i32| x.wrapping_add(y));
    let kernel = add.instantiate(Strided).unwrap();
    let mut dst = 0_i32;
    // SAFETY: refused before anything is read.
    let errors = unsafe {
        [
            err(kernel.unary_single((&raw mut dst).cast(), std::ptr::null())),
            err(kernel.unary_strided((&raw mut dst).cast(), 0, std::ptr::null(), 0, 1)),
            err(kernel.expr_single((&raw mut dst).cast(), std::ptr::null())),
            err(kernel.predicate(std::ptr::null(), std::ptr::null())),
        ]
    };
    for (error, called) in errors.iter().zip(["unary single", "unary strided", "expr single", "binary predicate"]) {
        assert_eq!(error.kind(), ErrorKind::Type);
        assert_eq!(error.to_string(), format!("the kernel was built as expr strided, but called as {called}"));
    }
}

#[test]
fn bad_operands_are_refused_before_anything_is_written() {
    let add = Deferred::expr(|x: f64, y: f64| x + y);
    let strided = add.instantiate(Strided).unwrap();
    let single = add.instantiate(Single).unwrap();
    let x = [1.0, 2.0, 3.0];
    let mut dst = [9.0; 3];
    let fine = Operand::slice(&x);
    let cases: [(&Kernel, Vec<Operand>, &str); 5] = [
        (&strided, vec![fine], "1 sources were given, but the kernel takes 2"),
        (&strided, vec![fine; 3], "3 sources were given, but the kernel takes 2"),
        (&strided, vec![fine, Operand::slice(&[1_i32; 3])], "source 1 has type int32, but the kernel takes float64"),
        (&strided, vec![fine, Operand::slice(&x[..2])], "source 1 has 2 elements, but the destination has 3"),
        (&single, vec![fine; 2], "the destination has 3 elements, but a single kernel does one"),
    ];
    for (kernel, src, expected) in cases {
        assert_eq!(err(kernel.run(OperandMut::slice(&mut dst), &src)).to_string(), expected);
        assert_eq!(dst, [9.0; 3]);
    }
    let mut wrong = [9_u8; 3];
    assert_eq!(
        err(strided.run(OperandMut::slice(&mut wrong), &[fine; 2])).to_string(),
        "destination has type uint8, but the kernel takes float64"
    );
    let less = Deferred::predicate(|x: i32, y: i32| x < y).instantiate(Single).unwrap();
    assert_eq!(
        err(less.run(OperandMut::slice(&mut dst), &[fine; 2])).to_string(),
        "the kernel is a binary predicate; use `test`"
    );
    assert_eq!(err(less.test(&1_i32, &2_i64)).to_string(), "source 1 has type int64, but the kernel takes int32");
    assert!(less.test(&1, &2).unwrap() && !less.test(&2, &2).unwrap());
}

#[test]
fn strides_that_leave_the_slice_are_refused() {
    let data = [0_i64; 10];
    for (start, stride, count) in [
        (0, 1, 11),
        (1, 3, 4),
        (10, 1, 1),
        (9, 1, 2),
        (0, -1, 2),
        (5, -3, 3),
        (0, isize::MAX, 2),
        (3, isize::MIN, 2),
        (0, 1, usize::MAX),
        (0, 0, 0_usize.wrapping_sub(1)),
        (usize::MAX, 0, 1),
    ] {
        let result = Operand::strided(&data, start, stride, count);
        // A stride of 0 stays on one element, however often.
        if (start, stride) == (0, 0) {
            result.unwrap();
            continue;
        }
        let error = err(result);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert_eq!(
            error.to_string(),
            format!("{count} elements from {start} with stride {stride} leave the slice, which has 10 elements")
        );
        assert!(OperandMut::strided(&mut [0_i64; 10], start, stride, count).is_err());
    }
    for (start, stride, count) in [(0, 1, 10), (9, -1, 10), (1, 4, 3), (9, isize::MIN, 1), (77, 5, 0)] {
        Operand::strided(&data, start, stride, count).unwrap();
    }
}

proptest! {
    #[test]
    fn strided_calls_equal_a_naive_loop(
        count in 0_usize..40,
        (x_stride, y_stride, dst_stride) in (-3_isize..4, -3_isize..4, prop::sample::select(vec![-2_isize, -1, 1, 2, 3])),
        seed in any::<u64>(),
    ) {
        let start = |stride: isize| if stride < 0 { stride.unsigned_abs() * count.saturating_sub(1) } else { 0 };
        let x: Vec<u64> = (0..130).map(|i| seed.wrapping_mul(2 * i + 1)).collect();
        let y: Vec<u32> = (0..130).map(|i| (seed >> 7) as u32 ^ (i * 77)).collect();
        let mut dst = vec![i64::MIN; 130];
        let mut expected = dst.clone();
        let at = |stride: isize, i: usize| start(stride).wrapping_add_signed(stride * i as isize);
        for i in 0..count {
            expected[at(dst_stride, i)] = (x[at(x_stride, i)] ^ u64::from(y[at(y_stride, i)])) as i64;
        }
        let kernel = Deferred::expr(|x: u64, y: u32| (x ^ u64::from(y)) as i64).instantiate(Strided).unwrap();
        kernel.run(
            OperandMut::strided(&mut dst, start(dst_stride), dst_stride, count).unwrap(),
            &[
                Operand::strided(&x, start(x_stride), x_stride, count).unwrap(),
                Operand::strided(&y, start(y_stride), y_stride, count).unwrap(),
            ],
        ).unwrap();
        prop_assert_eq!(dst, expected);
    }

    #[test]
    fn nested_kernels_copy_what_a_naive_loop_copies(
        sizes in prop::collection::vec(0_usize..5, 1..5),
        gaps in prop::collection::vec((1_usize..3, 1_usize..3), 4),
        offset in (0_usize..40).prop_map(|words| words * 8),
    ) {
        // Row-major with gaps, in elements.
        let mut dims = Vec::new();
        let (mut dst_step, mut src_step) = (1, 1);
        for (&size, &(dst_gap, src_gap)) in sizes.iter().zip(&gaps).rev() {
            dst_step *= dst_gap;
            src_step *= src_gap;
            dims.insert(0, Dim { size, dst_stride: 4 * dst_step as isize, src_stride: 4 * src_step as isize });
            dst_step *= size.max(1);
            src_step *= size.max(1);
        }
        let src: Vec<i32> = (0..src_step as i32).collect();
        let mut expected = vec![-1; dst_step];
        let mut visit = |index: &[usize]| {
            let place = |stride: fn(&Dim) -> isize| {
                index.iter().zip(&dims).map(|(&i, dim)| i * stride(dim) as usize / 4).sum::<usize>()
            };
            expected[place(|dim| dim.dst_stride)] = src[place(|dim| dim.src_stride)];
        };
        support::for_each_index(&sizes, &mut visit);

        let mut dst = vec![-1; dst_step];
        let moved = place_at_offset_and_move(offset, |builder, slot| nested_copy(builder, slot, &dims, Single));
        // SAFETY: a unary single kernel over the dimensions of both vectors.
        unsafe { (*moved.ptr()).unary_single()(dst.as_mut_ptr().cast(), src.as_ptr().cast(), moved.ptr()) };
        prop_assert_eq!(dst, expected);
    }
}

// ---- Deferred kernels and C ----

/// A C-like expr kernel that sums any number of int64 sources; the number is its `data_ptr`.
fn sum_of(sources: usize) -> DeferredCKernel {
    #[repr(C)]
    struct Data(usize, Vec<*const CKernelType>);
    unsafe extern "C" fn single(dst: *mut u8, src: *const *const u8, self_: *mut CKernelPrefix) {
        // SAFETY: the call contract; the block is a `Leaf<usize>`.
        unsafe {
            let sources = Leaf::<usize>::of(self_).data;
            let sum = (0..sources).map(|k| (*src.add(k)).cast::<i64>().read()).sum();
            dst.cast::<i64>().write(sum);
        }
    }
    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        self_: *mut CKernelPrefix,
    ) {
        // SAFETY: as in `single`.
        unsafe {
            let sources = Leaf::<usize>::of(self_).data;
            for i in 0..count as isize {
                let at = |k| (*src.add(k)).offset(i * *src_stride.add(k)).cast::<i64>().read();
                dst.offset(i * dst_stride).cast::<i64>().write((0..sources).map(at).sum());
            }
        }
    }
    unsafe extern "C" fn instantiate(
        data: *mut c_void,
        ckb: *mut CKernelBuilder,
        offset: isize,
        metadata: *const *const u8,
        request: u32,
    ) -> isize {
        let end = offset + size_of::<Leaf<usize>>() as isize;
        // SAFETY: the contract of InstantiateFn.
        unsafe {
            let sources = *data.cast::<usize>();
            assert!((0..=sources).all(|k| (*metadata.add(k)).is_null()), "one null pointer for each type");
            if CKernelBuilder::ensure_capacity_leaf(ckb, end).is_err() {
                return -1;
            }
            let prefix = (*ckb).data.offset(offset).cast::<CKernelPrefix>();
            match KernelRequest::from_raw(request) {
                Some(Single) => (*prefix).set_expr_single(single),
                Some(Strided) => (*prefix).set_expr_strided(strided),
                None => return -1,
            }
            prefix.add(1).cast::<usize>().write(sources);
        }
        end
    }
    unsafe extern "C" fn free(data: *mut c_void) {
        // SAFETY: `Box::leak` below.
        drop(unsafe { Box::from_raw(data.cast::<Data>()) });
    }
    let data = Box::leak(Box::new(Data(sources, vec![builtin_type(type_id::INT64); sources + 1])));
    DeferredCKernel {
        ckernel_funcproto: 1,
        data_types_size: sources + 1,
        data_dynd_types: data.1.as_ptr(),
        data_ptr: (&raw mut *data).cast(),
        instantiate_func: Some(instantiate),
        free_func: Some(free),
    }
}

#[test]
fn a_deferred_kernel_survives_the_way_to_c_and_back() {
    let tracked = Tracked::new();
    let held = tracked.clone();
    let deferred = Deferred::expr(move |x: f32, y: i16| {
        assert!(held.alive() > 0);
        f64::from(x) * f64::from(y)
    });
    let raw = deferred.into_raw();
    assert_eq!((raw.ckernel_funcproto, raw.data_types_size), (1, 3));
    // SAFETY: `into_raw` made it.
    let back = unsafe { Deferred::from_raw(raw).unwrap() };
    assert_eq!(back.types(), [type_id::FLOAT64, type_id::FLOAT32, type_id::INT16].map(builtin_type));
    assert_eq!(back.proto(), FuncProto::Expr);
    let twice = back.clone();
    drop(back);
    let kernel = twice.instantiate(Strided).unwrap();
    drop(twice);
    assert_eq!(tracked.alive(), 2, "the closure in the deferred kernel, and its clone in the kernel");
    let mut dst = [0.0; 2];
    kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&[1.5_f32, 2.0]), Operand::repeat(&-3_i16)]).unwrap();
    assert_eq!(dst, [-4.5, -6.0]);
    drop(kernel);
    assert_eq!(tracked.alive(), 0);
}

#[test]
fn malformed_deferred_kernels_from_c_are_refused_and_freed() {
    let freed = Arc::new(AtomicUsize::new(0));
    unsafe extern "C" fn free(data: *mut c_void) {
        // SAFETY: `into_raw` below.
        unsafe { Arc::from_raw(data.cast::<AtomicUsize>()) }.fetch_add(1, Ordering::SeqCst);
    }
    unsafe extern "C" fn instantiate(
        _: *mut c_void,
        _: *mut CKernelBuilder,
        _: isize,
        _: *const *const u8,
        _: u32,
    ) -> isize {
        -1
    }
    static TYPES: [usize; 3] = [type_id::INT32; 3];
    let fine = || DeferredCKernel {
        ckernel_funcproto: 0,
        data_types_size: 2,
        data_dynd_types: TYPES.as_ptr().cast(),
        data_ptr: Arc::into_raw(freed.clone()).cast_mut().cast(),
        instantiate_func: Some(instantiate),
        free_func: Some(free),
    };
    let cases: [(DeferredCKernel, ErrorKind, &str); 6] = [
        (
            DeferredCKernel { instantiate_func: None, ..fine() },
            ErrorKind::Uninitialized,
            "the deferred kernel has no instantiate function",
        ),
        (
            DeferredCKernel { ckernel_funcproto: 3, ..fine() },
            ErrorKind::InvalidArgument,
            "ckernel_funcproto is 3, but must be 0 (unary), 1 (expr) or 2 (predicate)",
        ),
        (
            DeferredCKernel { data_dynd_types: std::ptr::null(), ..fine() },
            ErrorKind::InvalidArgument,
            "data_dynd_types is null, but data_types_size is 2",
        ),
        (
            DeferredCKernel { data_types_size: 3, ..fine() },
            ErrorKind::InvalidArgument,
            "data_types_size is 3, but must be 2 for this prototype",
        ),
        (
            DeferredCKernel { data_types_size: 0, ckernel_funcproto: 1, ..fine() },
            ErrorKind::InvalidArgument,
            "data_types_size is 0, but must be at least 1",
        ),
        (
            DeferredCKernel { data_types_size: usize::MAX, ckernel_funcproto: 1, ..fine() },
            ErrorKind::InvalidArgument,
            "data_types_size is 18446744073709551615, but must be at least 1",
        ),
    ];
    for (n, (raw, kind, text)) in cases.into_iter().enumerate() {
        // SAFETY: what is wrong is what has to be found.
        let error = err(unsafe { Deferred::from_raw(raw) });
        assert_eq!(error.kind(), kind);
        if size_of::<usize>() == 8 {
            assert_eq!(error.to_string(), text);
        }
        assert_eq!(freed.load(Ordering::SeqCst), n + 1);
    }
    // SAFETY: well formed; it fails without a word when asked for a kernel.
    let silent = unsafe { Deferred::from_raw(fine()).unwrap() };
    let error = err(silent.instantiate(Single));
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert_eq!(error.to_string(), "the instantiate function returned -1 without recording an error");
    // SAFETY: nothing to free.
    let error = err(unsafe { Deferred::from_raw(DeferredCKernel::EMPTY) });
    assert_eq!(error.kind(), ErrorKind::Uninitialized);
}

#[test]
fn bad_arguments_from_c_are_refused_with_a_reason() {
    let mut raw = Deferred::unary(|x: f64| -x).into_raw();
    let instantiate = raw.instantiate_func.unwrap();
    let metadata = [std::ptr::null(); 2];
    for (offset, request, expected) in [
        (0, 2, "kernel request is 2, but must be 0 (single) or 1 (strided)"),
        (0, u32::MAX, "kernel request is 4294967295, but must be 0 (single) or 1 (strided)"),
        (-8, 0, "ckb_offset is -8, but must be a multiple of 8 from 0 to 112, with room for a prefix"),
        (4, 0, "ckb_offset is 4, but must be a multiple of 8 from 0 to 112, with room for a prefix"),
        (120, 0, "ckb_offset is 120, but must be a multiple of 8 from 0 to 112, with room for a prefix"),
    ] {
        let mut builder = RawBuilder::new();
        error::clear();
        // SAFETY: the arguments that break the contract are those that have to be found.
        let end = unsafe { instantiate(raw.data_ptr, builder.as_mut_ptr(), offset, metadata.as_ptr(), request) };
        assert_eq!(end, -1);
        let error = error::take().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        if size_of::<usize>() == 8 {
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!(builder.static_data, [0; 16], "nothing was placed");
    }
    // SAFETY: `into_raw` made it.
    unsafe { raw.free() };
    assert!(raw.instantiate_func.is_none());
}

#[test]
fn extended_types_need_metadata() {
    let extended = Box::new(0_u128);
    let types = [(&raw const *extended).cast(), builtin_type(type_id::INT8)];
    // SAFETY: never instantiated.
    let deferred =
        unsafe { Deferred::new(FuncProto::Unary, types, |_, _, _, _| panic!("must not be asked without metadata")) };
    assert_eq!(
        err(deferred.instantiate(Single)).to_string(),
        "type 0 is not builtin, so the kernel needs metadata; use `instantiate_with`"
    );
    let to_i8 = Deferred::unary(|x: i8| x);
    assert_eq!(
        err(deferred.chain(&to_i8)).to_string(),
        "the first kernel's destination is an extended type, but the second kernel's source is int8"
    );
    assert_eq!(err(deferred.chain(&deferred)).kind(), ErrorKind::Type);
}

#[test]
fn metadata_reaches_the_kernels_of_a_chain() {
    // A deferred kernel that remembers the metadata it saw.
    fn spy(types: [usize; 3], seen: &'static [AtomicUsize; 3]) -> Deferred {
        // SAFETY: the kernel adds two int32, or copies one: all types here are int32.
        unsafe {
            Deferred::new(FuncProto::Expr, types.map(builtin_type), move |builder, slot, metadata, request| {
                for (k, place) in seen.iter().enumerate() {
                    place.store(metadata.get(k).addr(), Ordering::SeqCst);
                }
                adapt::constant(builder, slot, FuncProto::Expr, request, &[1, 0, 0, 0])
            })
        }
    }
    static SEEN: [AtomicUsize; 3] = [const { AtomicUsize::new(9) }; 3];
    let chain = spy([type_id::INT32; 3], &SEEN).chain(&Deferred::unary(|x: i32| x + 1)).unwrap();
    let marks = [1_u8, 2, 3];
    let pointers = [&raw const marks[0], &raw const marks[1], &raw const marks[2]];
    // SAFETY: one pointer for each type; nobody reads through them.
    let kernel = unsafe { chain.instantiate_with(Metadata::new(&pointers), Strided).unwrap() };
    let seen: Vec<_> = SEEN.iter().map(|place| place.load(Ordering::SeqCst)).collect();
    assert_eq!(seen, [0, pointers[1].addr(), pointers[2].addr()], "the buffer between the kernels has no metadata");
    let mut dst = [0; 2];
    kernel.run(OperandMut::slice(&mut dst), &[Operand::repeat(&5), Operand::repeat(&6)]).unwrap();
    assert_eq!(dst, [2, 2]);
}

// ---- Adapters and chains ----

/// Name, number of sources, kernel, and what it computes when its sources are x, y, x, y, ...
type Specimen = (&'static str, usize, Deferred, fn(i64, i64) -> i64);

/// Kernels from i64 sources to i64.
fn zoo() -> Vec<Specimen> {
    let plus = Deferred::unary(|x: i64| x + 3);
    let plus_expr = Deferred::expr(|x: i64| x + 3);
    let times = Deferred::unary(|x: i64| f64::from(x as i32) * 2.0);
    let back = Deferred::expr(|x: f64| x as i64 - 1);
    let add = Deferred::expr(|x: i64, y: i64| 2 * x + y);
    let i64_type = builtin_type(type_id::INT64);
    let chain = plus.chain(&times).unwrap().chain(&back).unwrap();
    let right = plus.chain(&times.chain(&back).unwrap()).unwrap();
    // SAFETY: `sum_of` keeps the contract.
    let c_sum = |n| unsafe { Deferred::from_raw(sum_of(n)).unwrap() };
    vec![
        ("unary", 1, plus.clone(), |x, _| x + 3),
        ("unary as expr", 1, plus.as_expr().unwrap(), |x, _| x + 3),
        ("expr as unary", 1, plus_expr.as_unary().unwrap(), |x, _| x + 3),
        ("there and back", 1, plus.as_expr().unwrap().as_unary().unwrap().as_expr().unwrap(), |x, _| x + 3),
        ("loop, unary", 1, plus.loop_over_single().unwrap(), |x, _| x + 3),
        ("loop, expr", 2, add.loop_over_single().unwrap(), |x, y| 2 * x + y),
        ("chain, left", 1, chain.clone(), |x, _| 2 * (x + 3) - 1),
        ("chain, right", 1, right, |x, _| 2 * (x + 3) - 1),
        ("chain, expr first", 2, add.chain(&plus).unwrap().chain(&chain).unwrap(), |x, y| 2 * (2 * x + y + 6) - 1),
        ("chain in a loop", 1, chain.loop_over_single().unwrap(), |x, _| 2 * (x + 3) - 1),
        ("constant", 2, Deferred::constant(-77_i64, &[i64_type; 2]), |_, _| -77),
        ("constant, no source", 0, Deferred::constant(5_i64, &[]), |_, _| 5),
        ("chain after a constant", 0, Deferred::constant(5_i64, &[]).chain(&plus).unwrap(), |_, _| 8),
        ("from C", 2, c_sum(2), |x, y| x + y),
        ("from C, many", 40, c_sum(40), |x, y| 20 * x + 20 * y),
        ("from C, many, loop", 40, c_sum(40).loop_over_single().unwrap(), |x, y| 20 * x + 20 * y),
        ("from C, many, chain", 40, c_sum(40).chain(&plus).unwrap(), |x, y| 20 * x + 20 * y + 3),
    ]
}

#[test]
fn adapted_kernels_compute_what_their_parts_compute() {
    let x: Vec<i64> = (0..300).map(|i| i * i - 70).collect();
    let y: Vec<i64> = (0..300).map(|i| 1000 - 3 * i).collect();
    for (name, sources, deferred, f) in zoo() {
        let single = deferred.instantiate(Single).unwrap();
        let strided = deferred.instantiate(Strided).unwrap();
        for count in [0, 1, 2, 127, 128, 129, 300] {
            // The second source runs backwards, every third destination is written.
            let operands: Vec<_> = (0..sources)
                .map(|k| match k % 2 {
                    0 => Operand::slice(&x[..count]),
                    _ => Operand::strided(&y, count.saturating_sub(1), -1, count).unwrap(),
                })
                .collect();
            let mut dst = vec![i64::MAX; 900];
            strided.run(OperandMut::strided(&mut dst, 0, 3, count).unwrap(), &operands).unwrap();
            for (i, &value) in dst.iter().enumerate() {
                let expected = if i % 3 == 0 && i / 3 < count { f(x[i / 3], y[count - 1 - i / 3]) } else { i64::MAX };
                assert_eq!(value, expected, "{name}, {count} elements, place {i}");
            }
            // A broadcast first source, and a destination of stride 0: the last element wins.
            if count > 0 && sources > 0 {
                let operands: Vec<_> = (0..sources)
                    .map(|k| if k % 2 == 0 { Operand::repeat(&x[9]) } else { Operand::slice(&y[..count]) })
                    .collect();
                strided.run(OperandMut::strided(&mut dst, 1, 0, count).unwrap(), &operands).unwrap();
                assert_eq!(dst[1], f(x[9], y[count - 1]), "{name}, {count} elements");
            }
        }
        let operands: Vec<_> = (0..sources).map(|k| Operand::repeat(if k % 2 == 0 { &x[7] } else { &y[7] })).collect();
        let mut dst = [0];
        single.run(OperandMut::slice(&mut dst), &operands).unwrap();
        assert_eq!(dst[0], f(x[7], y[7]), "{name}, single");
    }
}

#[test]
fn kernels_run_at_every_offset_and_after_a_memcpy() {
    let x: Vec<i64> = (0..200).collect();
    for (name, sources, deferred, f) in zoo() {
        for offset in [0, 8, 16, 96, 112, 120, 256, 1000] {
            let moved = place_at_offset_and_move(offset, |builder, slot| {
                // SAFETY: builtin types; called below as what it is.
                unsafe { builder.deferred(slot, &deferred, Metadata::NONE, Strided) }
            });
            let mut dst = vec![0_i64; 200];
            let (src, strides) = (vec![x.as_ptr().cast::<u8>(); sources], vec![8_isize; sources]);
            error::clear();
            // SAFETY: the prototype that the deferred kernel names; 200 int64 everywhere.
            unsafe {
                let (dst, kernel) = (dst.as_mut_ptr().cast(), moved.ptr());
                match deferred.proto() {
                    FuncProto::Unary => (*kernel).unary_strided()(dst, 8, src[0], 8, 200, kernel),
                    _ => (*kernel).expr_strided()(dst, 8, src.as_ptr(), strides.as_ptr(), 200, kernel),
                }
            }
            assert_eq!(error::take(), None);
            for (&x, &value) in x.iter().zip(&dst) {
                assert_eq!(value, f(x, x), "{name} at offset {offset}");
            }
        }
    }
}

#[test]
fn one_buffered_kernel_runs_on_two_threads_at_once() {
    // Both threads are inside the chain's second half at the same time: a buffer in the kernel would be shared.
    let meet = Arc::new(Barrier::new(2));
    let at = meet.clone();
    let first = Deferred::unary(|x: u32| u64::from(x) * 3);
    let second = Deferred::unary(move |x: u64| {
        if x.is_multiple_of(128 * 3) {
            at.wait();
        }
        x + 1
    });
    let kernel = first.chain(&second).unwrap().instantiate(Strided).unwrap();
    let rounds = if support::under_valgrind() { 3 } else { 200 };
    std::thread::scope(|scope| {
        for thread in 0..2_u32 {
            let kernel = &kernel;
            scope.spawn(move || {
                for round in 0..rounds {
                    let base = 128 * (1 + round + thread * 100_000);
                    let src: Vec<u32> = (base..base + 384).collect();
                    let mut dst = vec![0_u64; 384];
                    kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&src)]).unwrap();
                    for (&x, &y) in src.iter().zip(&dst) {
                        assert_eq!(y, u64::from(x) * 3 + 1);
                    }
                }
            });
        }
    });
}

#[test]
fn a_chain_gives_its_first_kernel_zeros_if_asked() {
    // The first kernel adds to what it finds: right only if the buffer holds zeros for every chunk.
    unsafe extern "C" fn add_to(
        dst: *mut u8,
        dst_stride: isize,
        src: *const u8,
        src_stride: isize,
        count: usize,
        _: *mut CKernelPrefix,
    ) {
        for i in 0..count as isize {
            // SAFETY: the call contract, for int32.
            unsafe {
                let (dst, src) = (dst.offset(i * dst_stride).cast::<i32>(), src.offset(i * src_stride).cast::<i32>());
                *dst += *src;
            }
        }
    }
    let kernel = Kernel::build(FuncProto::Unary, Strided, |builder, slot| {
        let layout = ChainLayout { proto: FuncProto::Unary, sources: 1, element_size: 4, zeroed: true };
        // SAFETY: both kernels are unary strided, for int32.
        unsafe {
            adapt::chain(
                builder,
                slot,
                layout,
                Strided,
                |builder, slot| builder.push::<Leaf<()>>(slot, PrototypedFunction::UnaryStrided(add_to), ()).map(drop),
                |builder, slot| {
                    builder.push::<Leaf<()>>(slot, PrototypedFunction::UnaryStrided(copy_i32), ()).map(drop)
                },
            )
        }
    })
    .unwrap();
    let src: Vec<i32> = (0..300).collect();
    let mut dst = vec![-1; 300];
    for _ in 0..2 {
        // SAFETY: 300 int32 each.
        unsafe { kernel.unary_strided(dst.as_mut_ptr().cast(), 4, src.as_ptr().cast(), 4, 300).unwrap() };
        assert_eq!(dst, src);
    }
}

#[test]
fn constants_of_every_size_fill_exactly_their_bytes() {
    for size in [0, 1, 3, 8, 15, 16, 17, 24, 100] {
        let value: Vec<u8> = (1..=size as u8).collect();
        let moved = place_at_offset_and_move(24, |builder, slot| {
            // SAFETY: the destination is bytes.
            unsafe { adapt::constant(builder, slot, FuncProto::Unary, Strided, &value) }
        });
        let mut dst = vec![255_u8; 3 * (size + 1)];
        // SAFETY: three elements of `size` bytes, one byte apart.
        unsafe {
            (*moved.ptr()).unary_strided()(dst.as_mut_ptr(), size as isize + 1, std::ptr::null(), 0, 3, moved.ptr());
        }
        for element in dst.chunks(size + 1) {
            assert_eq!(element[..size], value);
            assert_eq!(element[size], 255);
        }
    }
}

#[test]
fn adapters_refuse_prototypes_that_do_not_fit() {
    let unary = Deferred::unary(|x: i32| x);
    let two = Deferred::expr(|x: i32, y: i32| x + y);
    let less = Deferred::predicate(|x: i32, y: i32| x < y);
    let real = Deferred::unary(|x: f64| x);
    for (result, text) in [
        (two.as_expr(), "the kernel is Expr with 3 types, but must be unary"),
        (less.as_expr(), "the kernel is Predicate with 2 types, but must be unary"),
        (two.as_unary(), "the kernel is Expr with 3 types, but must be an expr kernel with one source"),
        (unary.as_unary(), "the kernel is Unary with 2 types, but must be an expr kernel with one source"),
        (less.loop_over_single(), "the kernel is Predicate with 2 types, but must be unary or expr"),
        (less.chain(&unary), "the first kernel is Predicate with 2 types, but must be unary or expr"),
        (
            unary.chain(&two),
            "the second kernel is Expr with 3 types, but must be unary, or an expr kernel with one source",
        ),
        (unary.chain(&real), "the first kernel's destination is int32, but the second kernel's source is float64"),
    ] {
        let error = err(result);
        assert_eq!(error.kind(), ErrorKind::Type);
        assert_eq!(error.to_string(), text);
    }
    let huge = ChainLayout { proto: FuncProto::Unary, sources: 1, element_size: usize::MAX / 2, zeroed: false };
    let error = err(Kernel::build(FuncProto::Unary, Single, |builder, slot| {
        // SAFETY: refused.
        unsafe { adapt::chain(builder, slot, huge, Single, |_, _| Ok(()), |_, _| Ok(())) }
    }));
    assert!(error.to_string().starts_with("the buffer's element size is"), "{error}");
}

// ---- Errors ----

/// Fails for negative numbers.
fn checked() -> Deferred {
    Deferred::unary(
        |x: i64| {
            if x < 0 { Err(KernelError::new(ErrorKind::Overflow, format!("{x} is negative"))) } else { Ok(x) }
        },
    )
}

#[test]
fn an_error_names_its_element_through_every_adapter() {
    let id = Deferred::unary(|x: i64| x);
    let kernels = [
        checked(),
        checked().as_expr().unwrap(),
        checked().loop_over_single().unwrap(),
        checked().as_expr().unwrap().loop_over_single().unwrap(),
        checked().chain(&id).unwrap(),
        id.chain(&checked()).unwrap(),
        id.chain(&checked().chain(&id).unwrap()).unwrap(),
        id.as_expr().unwrap().chain(&checked().as_expr().unwrap()).unwrap(),
        id.chain(&checked().loop_over_single().unwrap()).unwrap(),
    ];
    for (n, deferred) in kernels.iter().enumerate() {
        let kernel = deferred.instantiate(Strided).unwrap();
        for bad in [0_usize, 1, 127, 128, 129, 255, 256, 299] {
            let mut src: Vec<i64> = (0..300).collect();
            // Two bad elements: the first one counts.
            src[bad] = -5;
            src[299] = -6;
            let mut dst = vec![-1; 300];
            let error = err(kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&src)]));
            let value = if bad == 299 { -6 } else { -5 };
            assert_eq!(error.to_string(), format!("element {bad}: {value} is negative"), "kernel {n}");
            assert_eq!((error.kind(), error.element()), (ErrorKind::Overflow, Some(bad)));
            let chunk = bad / 128 * 128;
            assert!(dst[..chunk].iter().enumerate().all(|(i, &y)| y == i as i64), "whole chunks before it are done");
            assert!(dst[bad..].iter().all(|&y| y == -1), "nothing from the bad element on");
            // The kernel is as good as new.
            src.iter_mut().for_each(|x| *x = x.abs());
            kernel.run(OperandMut::slice(&mut dst), &[Operand::slice(&src)]).unwrap();
            assert_eq!(dst, src);
        }
        let single = deferred.instantiate(Single).unwrap();
        let error = err(single.run(OperandMut::slice(&mut [0_i64]), &[Operand::repeat(&-5_i64)]));
        assert_eq!(error.message(), "-5 is negative");
    }
}

#[test]
fn a_panic_becomes_an_error_with_its_element() {
    let kernel = Deferred::expr(|x: u8, y: u8| x / y).instantiate(Strided).unwrap();
    let mut dst = [0_u8; 4];
    let error =
        err(kernel.run(OperandMut::slice(&mut dst), &[Operand::repeat(&9_u8), Operand::slice(&[1_u8, 3, 0, 1])]));
    assert_eq!((error.kind(), error.element()), (ErrorKind::Panic, Some(2)));
    assert_eq!(error.to_string(), "element 2: the kernel's code panicked: attempt to divide by zero");
    assert_eq!(dst, [9, 3, 0, 0]);

    let less = Deferred::predicate(|x: i32, y: i32| -> bool { panic!("{x} or {y}") }).instantiate(Single).unwrap();
    assert_eq!(err(less.test(&1, &2)).message(), "the kernel's code panicked: 1 or 2");
}

#[test]
fn a_panic_in_instantiate_ends_at_the_abi() {
    // SAFETY: it never places a kernel.
    let deferred = unsafe {
        let types = [builtin_type(type_id::BOOL); 2];
        Deferred::new(FuncProto::Unary, types, |_, _, _, _| panic!("no kernel today"))
    };
    let mut raw = deferred.into_raw();
    let mut builder = RawBuilder::new();
    error::clear();
    let instantiate = raw.instantiate_func.unwrap();
    // SAFETY: the contract of InstantiateFn.
    let end = unsafe { instantiate(raw.data_ptr, builder.as_mut_ptr(), 0, [std::ptr::null(); 2].as_ptr(), 0) };
    assert_eq!(end, -1);
    assert_eq!(error::take().unwrap().message(), "the kernel's code panicked: no kernel today");
    // SAFETY: `into_raw` made it.
    unsafe { raw.free() };
}

#[test]
fn the_first_error_stays_and_long_messages_end_between_characters() {
    error::clear();
    assert!(!error::pending() && error::take().is_none());
    let _ = error::record(ErrorKind::Index, 5, format_args!("{}{}", "é".repeat(200), "never seen"));
    let _ = error::record(ErrorKind::Type, 6, format_args!("later"));
    assert!(error::pending());
    assert_eq!(error::pending_element(), Some(5));
    assert!(error::pending_from(10));
    error::set_pending_element(error::pending_element().unwrap() + 1);
    let error = error::take().unwrap();
    assert_eq!((error.kind(), error.element()), (ErrorKind::Index, Some(16)));
    assert_eq!(error.message(), "é".repeat(error::MESSAGE_CAPACITY / 2));
    assert!(!error::pending() && !error::pending_from(3));
    let none = KernelError::new(ErrorKind::Foreign, "of nobody");
    let _ = none.record();
    assert!(error::pending_from(10));
    assert_eq!(error::take(), Some(none));
}

#[test]
fn an_error_belongs_to_its_thread() {
    error::clear();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _ = error::record(ErrorKind::Foreign, error::NO_ELEMENT, format_args!("elsewhere"));
            assert!(error::pending());
        });
    });
    assert!(!error::pending());
}

#[test]
fn a_kernel_that_failed_may_call_another_before_it_returns() {
    let inner = Arc::new(checked().instantiate(Strided).unwrap());
    let outer = Deferred::unary(move |x: i64| {
        let _ = error::record(ErrorKind::Inexact, 7, format_args!("mine"));
        let mut dst = [0_i64];
        inner.run(OperandMut::slice(&mut dst), &[Operand::repeat(&x)]).unwrap();
        assert_eq!(inner.run(OperandMut::slice(&mut dst), &[Operand::repeat(&-1_i64)]).unwrap_err().element(), Some(0));
        dst[0]
    });
    let error =
        err(outer.instantiate(Single).unwrap().run(OperandMut::slice(&mut [0_i64]), &[Operand::repeat(&4_i64)]));
    assert_eq!((error.kind(), error.element(), error.message()), (ErrorKind::Inexact, Some(7), "mine"));
    assert!(!error::pending());
}

// ---- Scratch memory ----

#[test]
fn scratch_frames_nest_and_do_not_overlap() {
    fn descend(depth: u8, size: usize) {
        scratch::with(size, |memory| {
            assert_eq!((memory.len(), memory.as_ptr().addr() % 64), (size, 0));
            memory.fill(MaybeUninit::new(depth));
            if depth > 0 {
                descend(depth - 1, (size * 7 / 2) % 300_000);
                descend(depth - 1, size / 3);
            }
            // SAFETY: all of it was written above.
            assert!(memory.iter().all(|byte| unsafe { byte.assume_init() } == depth), "frames do not share memory");
        })
        .unwrap();
    }
    for size in [0, 1, 64, 1000, 20_000, 3_000_000] {
        descend(6, size);
    }
    // A panic inside ends its frames.
    let result = std::panic::catch_unwind(|| scratch::with(100, |_| scratch::with(100, |_| panic!("inside"))));
    assert!(result.is_err());
    descend(3, 1000);
    let error = KernelError::from(scratch::with(isize::MAX as usize - 64, |_| ()).unwrap_err());
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    let error = KernelError::from(scratch::with(usize::MAX, |_| ()).unwrap_err());
    assert!(error.to_string().starts_with("could not get 18446744073709551615 bytes") || size_of::<usize>() < 8);
}

// ---- The same again, under valgrind ----

#[test]
fn valgrind_finds_nothing_in_these_tests() {
    support::run_under_valgrind("valgrind_finds_nothing");
}
