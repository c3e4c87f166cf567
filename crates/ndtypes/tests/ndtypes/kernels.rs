//! Built kernels as blocks: other offsets, moved blocks, chunks, blocks of the checked loops, threads.

use std::mem::MaybeUninit;

use gristmill_ckernel::{
    CKernelBuilder, CKernelPrefix, Deferred, ErrorKind, KernelRequest, Metadata as RawMetadata, error,
};
use gristmill_ndtypes::{Array, ArrayMut, ArrayRef, Error, ErrorMode, Primitive, Type, assign, assignment};

use crate::{array, set, ty};

/// Assignments of every kind of node.
fn samples() -> Vec<(Array, Array)> {
    let record =
        |x: f64, y: Vec<i32>| gristmill_ndtypes::Value::Record(vec![("x".into(), x.into()), ("y".into(), y.into())]);
    let pairs = [
        ("int32", array("float64", 3.0)),
        ("2 * 3 * int16", array("3 * float64", [1.0, 2.0, 3.0])),
        ("2 * 2 * 2 * float64", array("2 * 1 * int8", [[1], [2]])),
        ("2 * var * float32", array("2 * var * int32", vec![vec![1, 2], vec![3]])),
        ("2 * 2 * float32", array("2 * pointer[var * int32]", vec![vec![1, 2], vec![3]])),
        (
            "2 * {y: var * float64, x: int32}",
            array("2 * {x: float64, y: var * int32}", vec![record(1.0, vec![2, 3]), record(4.0, vec![5])]),
        ),
        ("{a: 2 * int8, b: {c: uint16, d: byteswap[float32]}}", array("byteswap[float64]", 7.0)),
        ("3 * byteswap[int16]", array("3 * byteswap[float64]", [1.0, -2.0, 300.0])),
        ("5 * bytes[3]", array("bytes[3]", gristmill_ndtypes::Value::Bytes(vec![1, 2, 3]))),
    ];
    pairs.into_iter().map(|(dst, src)| (Array::zeros(&ty(dst), &[]).unwrap(), src)).collect()
}

/// Instantiates an assignment in a raw builder at `offset`, behind a dummy prefix, perhaps moves the block, runs it.
fn run_at(offset: usize, moved: bool, dst: &mut Array, src: &Array) {
    let deferred = assignment(dst.ty(), src.ty(), ErrorMode::Fractional).unwrap();
    let mut raw = deferred.into_raw();
    let metadata: [*const u8; 2] = [dst.metadata().words().as_ptr().cast(), src.metadata().words().as_ptr().cast()];
    let mut memory = MaybeUninit::<CKernelBuilder>::uninit();
    // SAFETY: the builder stays in this frame; the metadata outlives the kernel; the kernel is complete when it is called
    // by the prototype it was built for, on data of its types; it is destroyed once, at its last address.
    unsafe {
        CKernelBuilder::construct(memory.as_mut_ptr());
        let ckb = memory.as_mut_ptr();
        CKernelBuilder::ensure_capacity(ckb, offset as isize).unwrap();
        let end = raw.instantiate_func.unwrap()(raw.data_ptr, ckb, offset as isize, metadata.as_ptr(), 0);
        assert!(end > offset as isize, "{:?}", error::take());
        let mut block: Vec<u64> = vec![0; (*ckb).capacity as usize / 8];
        let start = if moved {
            std::ptr::copy_nonoverlapping((*ckb).data, block.as_mut_ptr().cast(), (*ckb).capacity as usize);
            (*ckb).data.write_bytes(0xff, (*ckb).capacity as usize);
            block.as_mut_ptr().cast::<u8>()
        } else {
            (*ckb).data
        };
        let kernel: *mut CKernelPrefix = start.add(offset).cast();
        (*kernel).unary_single()(dst.view_mut_ptr(), src.view_ptr(), kernel);
        assert_eq!(error::take(), None);
        CKernelPrefix::destroy(kernel);
        (*ckb).data.write_bytes(0, (*ckb).capacity as usize);
        CKernelBuilder::destruct(ckb);
        raw.free();
    }
}

/// Addresses for the raw calls of these tests.
trait Address {
    fn view_mut_ptr(&mut self) -> *mut u8;
    fn view_ptr(&self) -> *const u8;
}

impl Address for Array {
    fn view_mut_ptr(&mut self) -> *mut u8 {
        self.view_mut().as_mut_ptr()
    }
    fn view_ptr(&self) -> *const u8 {
        self.view().as_ptr()
    }
}

#[test]
fn kernels_at_other_offsets_and_moved_blocks_do_the_same() {
    for (i, (mut dst, src)) in samples().into_iter().enumerate() {
        set(&mut dst, &src, ErrorMode::Fractional).unwrap();
        let expected = dst.to_value();
        for offset in [0, 16, 72, 4096] {
            for moved in [false, true] {
                let (mut dst, _) = samples().swap_remove(i);
                // `swap_remove` keeps place i for the list's own element i.
                run_at(offset, moved, &mut dst, &src);
                assert_eq!(dst.to_value(), expected, "{} at {offset}, moved: {moved}", src.ty());
            }
        }
    }
}

#[test]
fn a_strided_kernel_of_rows_does_what_single_calls_do() {
    let src = array("4 * 3 * float64", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.5, 9.0], [0.0, 0.0, 0.0]]);
    let mut dst = Array::zeros(&ty("4 * 3 * int32"), &[]).unwrap();
    let rows = assignment(&ty("3 * int32"), &ty("3 * float64"), ErrorMode::Fractional).unwrap();
    let words = [[3isize, 4], [3, 8]];
    let metadata: [*const u8; 2] = [words[0].as_ptr().cast(), words[1].as_ptr().cast()];
    // SAFETY: the metadata fits the types and outlives the kernel; rows are called with their strides.
    let error = unsafe {
        let kernel = rows.instantiate_with(RawMetadata::new(&metadata), KernelRequest::Strided).unwrap();
        assert!(kernel.is_inline());
        kernel.unary_strided(dst.view_mut_ptr(), 12, src.view_ptr(), 24, 4).unwrap_err()
    };
    assert_eq!((error.kind(), error.element()), (ErrorKind::Fractional, Some(7)));
    assert_eq!(dst.view().to_vec::<i32>().unwrap(), [1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0]);
}

#[test]
fn up_to_three_dimensions_fit_the_inline_buffer() {
    for ndim in 0..=3usize {
        let ty = |s: &str| ty(&format!("{}{s}", "strided * ".repeat(ndim)));
        let deferred = assignment(&ty("float64"), &ty("int32"), ErrorMode::Fractional).unwrap();
        // Gaps everywhere, so that nothing coalesces.
        let words: Vec<isize> = (0..ndim as u32).rev().flat_map(|i| [3, 100isize.pow(i) * 16]).collect();
        let metadata: [*const u8; 2] = [words.as_ptr().cast(); 2];
        // SAFETY: the metadata fits the types and outlives the kernel, which is not called.
        let kernel = unsafe { deferred.instantiate_with(RawMetadata::new(&metadata), KernelRequest::Single) }.unwrap();
        assert!(kernel.is_inline(), "{ndim} dimensions");
    }
}

fn swapped(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_bits().swap_bytes().to_ne_bytes()).collect()
}

/// The original does not advance between chunks.
#[test]
fn chunks_of_a_buffered_kernel_meet() {
    for count in [1usize, 127, 128, 129, 255, 256, 257, 300, 1000] {
        let values: Vec<f64> = (0..count).map(|i| i as f64 - 100.0).collect();
        let bytes = swapped(&values);
        let src = ArrayRef::from_bytes(&bytes, 0, &ty("strided * byteswap[float64]"), &[count], &[8]).unwrap();
        let mut dst = vec![0i32; count];
        assign(&mut ArrayMut::from_slice(&mut dst).unwrap(), &src, ErrorMode::Inexact).unwrap();
        assert_eq!(dst, (0..count).map(|i| i as i32 - 100).collect::<Vec<_>>());
        // An error in any chunk has its index in the whole, and what lies before it is written.
        for bad in [0, 126, 127, 128, 129, count - 1] {
            if bad < count {
                let mut values = values.clone();
                values[bad] = 0.5;
                let bytes = swapped(&values);
                let src = ArrayRef::from_bytes(&bytes, 0, &ty("strided * byteswap[float64]"), &[count], &[8]).unwrap();
                let mut dst = vec![7777i32; count];
                let error = assign(&mut ArrayMut::from_slice(&mut dst).unwrap(), &src, ErrorMode::Inexact).unwrap_err();
                assert!(matches!(error, Error::Kernel(ref e) if e.element() == Some(bad)), "{error}");
                assert!(dst[..bad].iter().enumerate().all(|(i, &x)| x == i as i32 - 100));
                assert!(dst[bad..].iter().all(|&x| x == 7777));
            }
        }
    }
}

#[test]
fn a_chain_of_deferred_kernels_meets_at_its_chunks_too() {
    let chain =
        Deferred::unary(|x: i32| f64::from(x) / 2.0).chain(&Deferred::unary(|x: f64| x.floor() as i64)).unwrap();
    for count in [1usize, 127, 128, 129, 300] {
        let src: Vec<i32> = (0..count as i32).collect();
        let mut dst = vec![0i64; count];
        let from = ArrayRef::from_slice(&src).unwrap();
        gristmill_ndtypes::apply(&chain, &mut ArrayMut::from_slice(&mut dst).unwrap(), &[&from]).unwrap();
        assert_eq!(dst, (0..count as i64).map(|i| i / 2).collect::<Vec<_>>());
    }
}

#[test]
fn many_threads_share_one_buffered_kernel() {
    let deferred =
        assignment(&Type::Swapped(Primitive::Int32), &Type::Swapped(Primitive::Float64), ErrorMode::Inexact).unwrap();
    // SAFETY: these types have no metadata.
    let kernel = unsafe { deferred.instantiate_with(RawMetadata::NONE, KernelRequest::Strided) }.unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let kernel = &kernel;
            scope.spawn(move || {
                for round in 0..200 {
                    let values: Vec<f64> = (0..777).map(|i| f64::from(i * (thread + 1) + round)).collect();
                    let src = swapped(&values);
                    let mut dst = vec![0u8; 4 * values.len()];
                    // SAFETY: both buffers hold as many elements as are asked for.
                    unsafe { kernel.unary_strided(dst.as_mut_ptr(), 4, src.as_ptr(), 8, values.len()) }.unwrap();
                    for (x, bytes) in values.iter().zip(dst.chunks_exact(4)) {
                        assert_eq!(i32::from_ne_bytes([bytes[3], bytes[2], bytes[1], bytes[0]]), *x as i32);
                    }
                }
            });
        }
    });
}

/// The checked loops look at a block before they write it, and begin at aligned places: neither shows.
#[test]
fn blocks_of_the_checked_loops_meet_at_every_alignment() {
    fn check<
        S: Copy + gristmill_ndtypes::Element,
        D: Copy + PartialEq + std::fmt::Debug + gristmill_ndtypes::Element,
    >(
        make: impl Fn(usize) -> S,
        bad: S,
        want: impl Fn(usize) -> D,
        old: D,
        modes: &[ErrorMode],
    ) {
        for count in [63usize, 64, 65, 511, 512, 513, 600, 1023, 1024, 1025, 1100] {
            for skip in 0..9 {
                let mut src: Vec<S> = (0..count + skip).map(&make).collect();
                let mut dst = vec![old; count + skip];
                for &mode in modes {
                    for at in
                        [None, Some(0), Some(1), Some(count / 2), Some(511), Some(512), Some(513), Some(count - 1)]
                    {
                        let Some(at) = at.or(Some(count)).filter(|&at| at <= count) else { continue };
                        let kept = src.clone();
                        if at < count {
                            src[skip + at] = bad;
                        }
                        dst.fill(old);
                        let from = ArrayRef::from_slice(&src[skip..]).unwrap();
                        let outcome = assign(&mut ArrayMut::from_slice(&mut dst[skip..]).unwrap(), &from, mode);
                        match outcome {
                            Ok(()) => assert_eq!(at, count),
                            Err(Error::Kernel(e)) => assert_eq!(e.element(), Some(at)),
                            Err(e) => panic!("{e}"),
                        }
                        assert!(dst[skip..skip + at].iter().enumerate().all(|(i, y)| *y == want(i + skip)));
                        assert!(dst[skip + at..].iter().all(|y| *y == old) && dst[..skip].iter().all(|y| *y == old));
                        src = kept;
                    }
                }
            }
        }
    }
    let checked = &ErrorMode::ALL[1..];
    check::<f64, i32>(|i| i as f64 - 300.0, f64::NAN, |i| i as i32 - 300, 7777, checked);
    check::<f64, i32>(|i| i as f64 - 300.0, 2147483648.0, |i| i as i32 - 300, 7777, checked);
    check::<f64, i32>(|i| i as f64 - 300.0, 0.5, |i| i as i32 - 300, 7777, &checked[1..]);
    check::<f32, i32>(|i| i as f32 - 300.0, -2147483904.0, |i| i as i32 - 300, 7777, checked);
    check::<f64, u8>(|i| (i % 256) as f64, 256.0, |i| (i % 256) as u8, 77, checked);
    check::<i64, i16>(|i| i as i64 - 300, 40000, |i| i as i16 - 300, 7777, checked);
    check::<f64, f32>(|i| i as f64 - 300.0, 1e300, |i| i as f32 - 300.0, 7777.0, checked);
}

/// Without checks, a block with values that the vector instruction cannot do still follows the rule.
#[test]
fn unchecked_vector_loops_wrap_out_of_range_values_like_single_ones() {
    let odd =
        [2147483648.0, -2147483648.0, 1e20, -3e9, f64::NAN, f64::INFINITY, 4294967295.9, -0.5, 2f64.powi(40) + 3.0];
    for place in [0usize, 5, 100, 511, 512, 640] {
        let mut src: Vec<f64> = (0..641).map(f64::from).collect();
        for (k, &x) in odd.iter().enumerate() {
            if let Some(slot) = src.get_mut(place + k) {
                *slot = x;
            }
        }
        let mut dst = vec![0i32; 641];
        assign(&mut ArrayMut::from_slice(&mut dst).unwrap(), &ArrayRef::from_slice(&src).unwrap(), ErrorMode::None)
            .unwrap();
        for (x, y) in src.iter().zip(&dst) {
            let mut one = 0i32;
            assign(&mut ArrayMut::from_scalar(&mut one), &ArrayRef::from_scalar(x), ErrorMode::None).unwrap();
            assert_eq!(*y, one, "{x}");
        }
    }
}

/// Rule 4 of the ABI: source and destination may be the same places, also when a block needs a closer look.
#[test]
fn a_conversion_in_place_reads_before_it_writes() {
    for (mode, odd) in [(ErrorMode::None, 3e9f32), (ErrorMode::None, 5.0), (ErrorMode::Fractional, 5.0)] {
        let kernel =
            assignment(&Type::Primitive(Primitive::Int32), &Type::Primitive(Primitive::Float32), mode).unwrap();
        let kernel = kernel.instantiate(KernelRequest::Strided).unwrap();
        let mut values: Vec<f32> = (0..1500).map(|i| i as f32).collect();
        values[700] = odd;
        let expected: Vec<i32> = values.iter().map(|&x| x as i64 as i32).collect();
        let place = values.as_mut_ptr().cast::<u8>();
        // SAFETY: 1500 elements of 4 bytes, the same places on both sides.
        unsafe { kernel.unary_strided(place, 4, place, 4, 1500) }.unwrap();
        assert_eq!(values.iter().map(|x| x.to_bits() as i32).collect::<Vec<_>>(), expected);
    }
}
