//! Lifting deferred kernels over dimensions. The cases of the behaviour list by number.

use gristmill_ckernel::{Deferred, ErrorKind, FuncProto, KernelError, builtin_type, type_id};
use gristmill_ndtypes::{Array, ArrayMut, ArrayRef, Error, Type, Value, apply, call, lift};
use proptest::prelude::*;

use crate::{array, empty, kind, list, ty};

fn add() -> Deferred {
    Deferred::expr(|x: i32, y: i32| x + y)
}
fn subtract() -> Deferred {
    Deferred::expr(|x: i32, y: i32| x - y)
}

/// Applies and shows the result.
fn applied(kernel: &Deferred, dst: &str, sizes: &[usize], src: &[&Array]) -> Result<String, Error> {
    let mut to = Array::zeros(&ty(dst), sizes)?;
    let views: Vec<ArrayRef<'_>> = src.iter().map(|a| a.view()).collect();
    apply(kernel, &mut to.view_mut(), &views.iter().collect::<Vec<_>>())?;
    Ok(to.to_value().to_string())
}

#[test]
fn operands_broadcast_against_each_other_into_the_destination() {
    let grid = |shape: &[usize]| {
        let n: usize = shape.iter().product();
        let mut a = Array::zeros(&ty(&format!("{}int32", "strided * ".repeat(shape.len()))), shape).unwrap();
        let values: Vec<i32> = (0..n as i32).collect();
        gristmill_ndtypes::assign(
            &mut a.view_mut(),
            &ArrayRef::from_shaped(&values, shape).unwrap(),
            Default::default(),
        )
        .unwrap();
        a
    };
    for (dst, a, b) in [
        (&[5, 2, 3][..], &[5, 2, 3][..], &[2, 3][..]), // 2
        (&[5, 2, 3], &[5, 2, 1], &[2, 3]),             // 2
        (&[3, 2], &[3, 1], &[1, 2]),                   // 3
    ] {
        let (x, y) = (grid(a), grid(b));
        let mut to = grid(dst);
        apply(&add(), &mut to.view_mut(), &[&x.view(), &y.view()]).unwrap();
        let at = |shape: &[usize], index: &[usize]| {
            let skip = index.len() - shape.len();
            shape.iter().zip(&index[skip..]).fold(0, |flat, (&n, &i)| flat * n + if n == 1 { 0 } else { i }) as i32
        };
        let values = to.view().to_vec::<i32>().unwrap();
        for (flat, value) in values.into_iter().enumerate() {
            let mut index = vec![0; dst.len()];
            let mut rest = flat;
            for axis in (0..dst.len()).rev() {
                index[axis] = rest % dst[axis];
                rest /= dst[axis];
            }
            assert_eq!(value, at(a, &index) + at(b, &index));
        }
    }
    // 25
    let a = array("3 * int32", [1, 2, 3]);
    let b = array("2 * 3 * int32", [[0, 1, 1], [2, 5, -10]]);
    let dst = "2 * 3 * int32";
    let multiply = Deferred::expr(|x: i32, y: i32| x * y);
    let divide = Deferred::expr(|x: i32, y: i32| x / y);
    assert_eq!(applied(&add(), dst, &[], &[&a, &b]).unwrap(), "[[1, 3, 4], [3, 7, -7]]");
    assert_eq!(applied(&subtract(), dst, &[], &[&a, &b]).unwrap(), "[[1, 1, 2], [-1, -3, 13]]");
    assert_eq!(applied(&multiply, dst, &[], &[&b, &a]).unwrap(), "[[0, 2, 3], [2, 10, -30]]");
    assert_eq!(applied(&divide, dst, &[], &[&b, &a]).unwrap(), "[[0, 0, 0], [2, 2, -3]]");
}

#[test]
fn a_source_in_any_memory_order_broadcasts() {
    // 4: (3, 2, 5) with strides (1, 3, 6) repeats over an axis of size 1 in front.
    let bytes: Vec<u8> = (0..30).collect();
    let src =
        ArrayRef::from_bytes(&bytes, 0, &ty("strided * strided * strided * uint8"), &[3, 2, 5], &[1, 3, 6]).unwrap();
    let mut dst = [0u8; 30];
    let copy = Deferred::unary(|x: u8| x);
    apply(&copy, &mut ArrayMut::from_shaped(&mut dst, &[1, 3, 2, 5]).unwrap(), &[&src]).unwrap();
    for (flat, &value) in dst.iter().enumerate() {
        let (i, j, k) = (flat / 10, flat / 5 % 2, flat % 5);
        assert_eq!(usize::from(value), i + 3 * j + 6 * k);
    }
}

#[test]
fn var_operands_are_sized_when_they_run() {
    let ragged = array("2 * var * int32", vec![vec![1, 2, 3], vec![4]]);
    let full = array("2 * 3 * int32", [[5, 6, 7], [8, 9, 10]]);
    let dst = "strided * strided * int32";
    assert_eq!(applied(&add(), dst, &[2, 3], &[&ragged, &full]).unwrap(), "[[6, 8, 10], [12, 13, 14]]"); // 26
    assert_eq!(applied(&subtract(), dst, &[2, 3], &[&full, &ragged]).unwrap(), "[[4, 4, 4], [4, 5, 6]]");
    let other = array("2 * var * int32", vec![vec![5], vec![6, 7]]);
    let dst = "strided * var * int32";
    assert_eq!(applied(&add(), dst, &[2], &[&ragged, &other]).unwrap(), "[[6, 7, 8], [10, 11]]"); // 27
    let column = array("2 * 1 * int32", [[5], [6]]);
    assert_eq!(applied(&add(), dst, &[2], &[&ragged, &column]).unwrap(), "[[6, 7, 8], [10]]"); // 28
    assert_eq!(applied(&subtract(), dst, &[2], &[&column, &ragged]).unwrap(), "[[4, 3, 2], [2]]");
    // 30
    let three = array("3 * var * int32", vec![vec![1, 2, 3], vec![4], vec![-1, 10, 2]]);
    let row = array("strided * int32", [2, 4, 10]);
    assert_eq!(applied(&add(), dst, &[3], &[&three, &row]).unwrap(), "[[3, 6, 13], [6, 8, 14], [1, 14, 12]]");
    // 31
    let ldexp = Deferred::expr(|x: f64, e: i32| x * f64::powi(2.0, e));
    let x =
        array("strided * var * float64", vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0], vec![6.0], vec![7.0, 9.0, 10.0]]);
    let e = array("strided * 1 * int32", [[-1], [10], [100], [-12]]);
    let mut to = Array::zeros(&ty("var * var * float64"), &[]).unwrap();
    apply(&ldexp, &mut to.view_mut(), &[&x.view(), &e.view()]).unwrap();
    let expected: Value = vec![
        vec![0.5, 1.0, 1.5],
        vec![4096.0, 5120.0],
        vec![6.0 * f64::powi(2.0, 100)],
        vec![0.001708984375, 0.002197265625, 0.00244140625],
    ]
    .into();
    assert_eq!(to.to_value(), expected);
}

#[test]
fn unary_kernels_lift_over_every_kind_of_dimension() {
    // 29 and 32, with numbers in place of strings and dates; an empty row stays empty.
    let double = Deferred::unary(|x: i32| f64::from(x) * 2.0);
    let five = [1, 2, 3, 4, 5];
    let out = "[2.0, 4.0, 6.0, 8.0, 10.0]";
    assert_eq!(applied(&double, "5 * float64", &[], &[&array("5 * int32", five)]).unwrap(), out);
    assert_eq!(applied(&double, "strided * float64", &[5], &[&array("strided * int32", five)]).unwrap(), out);
    assert_eq!(applied(&double, "var * float64", &[], &[&array("strided * int32", five)]).unwrap(), out);
    assert_eq!(applied(&double, "var * float64", &[], &[&array("var * int32", five)]).unwrap(), out);
    let rows = list([five.into(), [6].into(), empty(), [7, 8, 9].into()]);
    assert_eq!(
        applied(&double, "strided * var * float64", &[4], &[&array("4 * var * int32", rows)]).unwrap(),
        format!("[{out}, [12.0], [], [14.0, 16.0, 18.0]]")
    );
}

/// The original leaves the destination's stride 0, so that only the first element is written.
#[test]
fn an_initialised_var_destination_is_written_in_full() {
    let mut dst = array("var * int32", [0, 0, 0, 0]);
    let a = array("var * int32", [1, 2, 3, 4]);
    let b = array("strided * int32", [10, 20, 30, 40]);
    apply(&add(), &mut dst.view_mut(), &[&a.view(), &b.view()]).unwrap();
    assert_eq!(dst.to_value().to_string(), "[11, 22, 33, 44]");
    apply(&add(), &mut dst.view_mut(), &[&array("var * int32", [5]).view(), &array("int32", 1).view()]).unwrap();
    assert_eq!(dst.to_value().to_string(), "[6, 6, 6, 6]");
    let error = apply(&add(), &mut dst.view_mut(), &[&a.view(), &array("var * int32", [1, 2]).view()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "element 0: the row of source 1 has size 2, but must have 1 or 4, as the destination"
    );
}

/// The size of a new row: ones stretch, zero is a size like any other.
#[test]
fn rows_of_size_zero_broadcast_only_with_ones() {
    let var = |n: usize| array("var * int32", if n == 0 { empty() } else { vec![7; n].into() });
    for (a, b, expected) in
        [(0, 1, Some(0)), (1, 0, Some(0)), (0, 0, Some(0)), (0, 3, None), (3, 0, None), (1, 3, Some(3)), (2, 3, None)]
    {
        let outcome = applied(&add(), "var * int32", &[], &[&var(a), &var(b)]);
        match expected {
            Some(n) => assert_eq!(outcome.unwrap(), Value::from(vec![14; n]).to_string(), "{a} with {b}"),
            None => assert_eq!(kind(&outcome.unwrap_err()), Some(ErrorKind::Broadcast), "{a} with {b}"),
        }
    }
    let missing = Array::zeros(&ty("var * int32"), &[]).unwrap();
    assert_eq!(applied(&add(), "var * int32", &[], &[&missing, &missing]).unwrap(), "missing");
    let error = applied(&add(), "var * int32", &[], &[&missing, &var(1)]).unwrap_err();
    assert_eq!(kind(&error), Some(ErrorKind::Uninitialized));
}

/// An expr kernel over types that are arrays, from a function of its operands' addresses.
///
/// Safety: the function reads and writes elements of these types, contiguous.
unsafe fn array_kernel(types: &[&str], f: unsafe fn(*mut u8, &[*const u8])) -> Deferred {
    use gristmill_ckernel::typed::Leaf;
    use gristmill_ckernel::{CKernelPrefix, PrototypedFunction};
    type Body = (unsafe fn(*mut u8, &[*const u8]), usize);
    unsafe extern "C" fn single(dst: *mut u8, src: *const *const u8, kernel: *mut CKernelPrefix) {
        // SAFETY: the ABI's rules; the node is a `Leaf<Body>`.
        unsafe {
            let (f, count) = Leaf::<Body>::of(kernel).data;
            f(dst, std::slice::from_raw_parts(src, count));
        }
    }
    unsafe extern "C" fn strided(
        dst: *mut u8,
        dst_stride: isize,
        src: *const *const u8,
        src_stride: *const isize,
        count: usize,
        kernel: *mut CKernelPrefix,
    ) {
        // SAFETY: as in `single`.
        unsafe {
            let (f, sources) = Leaf::<Body>::of(kernel).data;
            for i in 0..count as isize {
                let at: Vec<*const u8> =
                    (0..sources).map(|k| (*src.add(k)).wrapping_offset(*src_stride.add(k) * i)).collect();
                f(dst.wrapping_offset(dst_stride * i), &at);
            }
        }
    }
    let count = types.len() - 1;
    let pointers: Vec<_> = types.iter().map(|t| ty(t).to_ckernel()).collect();
    // SAFETY: the caller's promise.
    unsafe {
        Deferred::new(FuncProto::Expr, pointers, move |builder, slot, _, request| {
            builder.push::<Leaf<Body>>(slot, PrototypedFunction::expr(request, single, strided), (f, count)).map(drop)
        })
    }
}

#[test]
fn dimensions_that_belong_to_the_kernel_are_not_lifted_over() {
    // 33
    let twice_difference = Deferred::expr(|x: i32, y: i32| 2 * (x - y));
    let x = array("2 * 3 * int32", [[0, 1, 2], [5, 6, 7]]);
    let y = array("3 * int32", [5, 2, 4]);
    assert_eq!(applied(&twice_difference, "2 * 3 * int32", &[], &[&x, &y]).unwrap(), "[[-10, -2, -4], [0, 8, 6]]");
    unsafe fn sum3(dst: *mut u8, src: &[*const u8]) {
        // SAFETY: three contiguous doubles to one.
        unsafe { dst.cast::<f64>().write(src[0].cast::<[f64; 3]>().read().iter().sum()) }
    }
    unsafe fn pair(dst: *mut u8, src: &[*const u8]) {
        // SAFETY: two doubles to two contiguous ones.
        unsafe { dst.cast::<[f64; 2]>().write([src[0].cast::<f64>().read(), src[1].cast::<f64>().read()]) }
    }
    unsafe fn matrix(dst: *mut u8, src: &[*const u8]) {
        // SAFETY: one double to four contiguous ones.
        unsafe {
            let x = src[0].cast::<f64>().read();
            dst.cast::<[f64; 4]>().write([x, -x, 2.0 * x, 1.0]);
        }
    }
    // SAFETY: the functions fit the types, which are contiguous in new arrays.
    let (sum3, pair, matrix) = unsafe {
        (
            array_kernel(&["float64", "3 * float64"], sum3),
            array_kernel(&["2 * float64", "float64", "float64"], pair),
            array_kernel(&["2 * 2 * float64", "float64"], matrix),
        )
    };
    let rows = array("2 * 3 * float64", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(applied(&sum3, "2 * float64", &[], &[&rows]).unwrap(), "[6.0, 15.0]");
    assert_eq!(applied(&sum3, "2 * 2 * float64", &[], &[&rows]).unwrap(), "[[6.0, 15.0], [6.0, 15.0]]");
    let ragged = array("var * 3 * float64", [[1.0, 2.0, 3.0]]);
    assert_eq!(applied(&sum3, "var * float64", &[], &[&ragged]).unwrap(), "[6.0]");
    let (a, b) = (array("3 * float64", [1.0, 2.0, 3.0]), array("float64", 9.0));
    assert_eq!(applied(&pair, "3 * 2 * float64", &[], &[&a, &b]).unwrap(), "[[1.0, 9.0], [2.0, 9.0], [3.0, 9.0]]");
    assert_eq!(
        applied(&matrix, "2 * 2 * 2 * float64", &[], &[&array("2 * float64", [3.0, 5.0])]).unwrap(),
        "[[[3.0, -3.0], [6.0, 1.0]], [[5.0, -5.0], [10.0, 1.0]]]"
    );
    // Another inner size is another type.
    let error = applied(&sum3, "2 * float64", &[], &[&array("2 * 2 * float64", [[1.0, 2.0], [3.0, 4.0]])]).unwrap_err();
    assert_eq!(error.to_string(), "source 0 has the type `2 * 2 * float64`, but the kernel takes `3 * float64`");
}

#[test]
fn the_number_of_sources_has_no_limit_of_its_own() {
    unsafe fn sum(dst: *mut u8, src: &[*const u8]) {
        // SAFETY: doubles to a double.
        unsafe { dst.cast::<f64>().write(src.iter().map(|p| p.cast::<f64>().read()).sum()) }
    }
    let types = ["float64"; 13];
    // SAFETY: the function fits the types.
    let kernel = unsafe { array_kernel(&types, sum) };
    let row = array("var * float64", [1.0, 2.0]);
    let column = array("2 * 1 * float64", [[10.0], [20.0]]);
    let src: Vec<&Array> = (0..12).map(|i| if i == 5 { &column } else { &row }).collect();
    assert_eq!(applied(&kernel, "2 * 2 * float64", &[], &src).unwrap(), "[[21.0, 32.0], [31.0, 42.0]]");
    assert_eq!(applied(&kernel, "2 * var * float64", &[], &src).unwrap(), "[[21.0, 32.0], [31.0, 42.0]]");
}

#[test]
fn a_lifted_kernel_is_a_deferred_kernel_again() {
    let types = [ty("3 * int32"), ty("strided * int32"), ty("int32")];
    let rows = lift(&add(), &types).unwrap();
    assert_eq!(rows.types().iter().map(|&t| Type::from_ckernel(t).unwrap()).collect::<Vec<_>>(), types);
    let mut dst = Array::zeros(&ty("3 * int32"), &[]).unwrap();
    let (a, b) = (array("strided * int32", [1, 2, 3]), array("int32", 10));
    call(&rows, &mut dst.view_mut(), &[&a.view(), &b.view()]).unwrap();
    assert_eq!(dst.to_value().to_string(), "[11, 12, 13]");
    // A fixed dimension may stand for a strided one, not the other way round.
    call(&rows, &mut dst.view_mut(), &[&array("3 * int32", [4, 5, 6]).view(), &b.view()]).unwrap();
    assert_eq!(dst.to_value().to_string(), "[14, 15, 16]");
    let error = call(&rows, &mut array("strided * int32", [0, 0, 0]).view_mut(), &[&a.view(), &b.view()]).unwrap_err();
    assert_eq!(error.to_string(), "the destination has the type `strided * int32`, but the kernel takes `3 * int32`");
    // And can be lifted once more.
    let table = applied(&rows, "2 * 3 * int32", &[], &[&a, &array("2 * int32", [10, 20])]).unwrap();
    assert_eq!(table, "[[11, 12, 13], [21, 22, 23]]");
}

#[test]
fn an_error_of_the_kernel_has_its_place() {
    let root = Deferred::unary(|x: f64| {
        if x < 0.0 { Err(KernelError::new(ErrorKind::Foreign, format!("no root of {x}"))) } else { Ok(x.sqrt()) }
    });
    let x = array("2 * 3 * float64", [[1.0, 4.0, 9.0], [16.0, -25.0, -36.0]]);
    let error = applied(&root, "2 * 3 * float64", &[], &[&x]).unwrap_err();
    assert_eq!(error.to_string(), "element 4: no root of -25");
    // In Fortran order -25 comes after -36; in C order, which counts, before it.
    let mut bytes = [0u8; 48];
    let mut dst =
        ArrayMut::from_bytes(&mut bytes, 0, &ty("strided * strided * unaligned[float64]"), &[2, 3], &[8, 16]).unwrap();
    let swapped = array("2 * 3 * float64", [[1.0, 4.0, -9.0], [-16.0, 25.0, 36.0]]);
    let mut aligned = Array::zeros(&ty("3 * 2 * float64"), &[]).unwrap();
    let _ = apply(&root, &mut aligned.view_mut(), &[&x.view().index(0).unwrap().index(0).unwrap()]);
    assert!(apply(&root, &mut dst, &[&swapped.view()]).is_err()); // unaligned is another type
    let mut doubles = [0f64; 6];
    // SAFETY: the bytes of an array of doubles.
    let bytes = unsafe { std::slice::from_raw_parts_mut(doubles.as_mut_ptr().cast::<u8>(), 48) };
    let mut dst = ArrayMut::from_bytes(bytes, 0, &ty("strided * strided * float64"), &[2, 3], &[8, 16]).unwrap();
    let error = apply(&root, &mut dst, &[&swapped.view()]).unwrap_err();
    assert_eq!(error.to_string(), "element 2: no root of -9");
}

#[test]
fn c_kernels_with_builtin_type_ids_lift() {
    assert_eq!(Type::from_ckernel(builtin_type(type_id::INT32)).unwrap(), ty("int32"));
    for id in [type_id::FLOAT128, type_id::VOID, 0, 63] {
        assert!(Type::from_ckernel(builtin_type(id)).is_err());
    }
    assert!(Type::from_ckernel(std::ptr::without_provenance(0x1230)).is_err());
}

proptest! {
    /// Lifting over random shapes and memory orders equals a loop over indices.
    #[test]
    fn lifting_equals_a_loop_over_indices(
        shape in prop::collection::vec(1usize..4, 0..4),
        ones in prop::collection::vec(any::<[bool; 2]>(), 4),
        drops in (0usize..4, 0usize..4),
        reversed in any::<bool>(),
    ) {
        let n = shape.len();
        let operand = |drop: usize, which: usize| -> (Vec<usize>, Vec<i32>) {
            let drop = drop.min(n);
            let s: Vec<usize> = (drop..n).map(|a| if ones[a][which] { 1 } else { shape[a] }).collect();
            let values = (0..s.iter().product::<usize>() as i32).map(|i| i * 7 + which as i32).collect();
            (s, values)
        };
        let ((sa, a), (sb, b)) = (operand(drops.0, 0), operand(drops.1, 1));
        let total: usize = shape.iter().product();
        let mut out = vec![0i32; total];
        let mut strides = vec![0isize; n];
        let mut step = 4isize;
        for k in 0..n {
            let axis = if reversed { k } else { n - 1 - k };
            strides[axis] = step;
            step *= shape[axis] as isize;
        }
        {
            // SAFETY: the bytes of an array of ints.
            let bytes = unsafe { std::slice::from_raw_parts_mut(out.as_mut_ptr().cast::<u8>(), 4 * total) };
            let mut dst = ArrayMut::from_bytes(bytes, 0, &ty(&format!("{}int32", "strided * ".repeat(n))), &shape, &strides).unwrap();
            let (va, vb) = (ArrayRef::from_shaped(&a, &sa).unwrap(), ArrayRef::from_shaped(&b, &sb).unwrap());
            apply(&subtract(), &mut dst, &[&va, &vb]).unwrap();
        }
        for flat in 0..total {
            let mut index = vec![0; n];
            let mut rest = flat;
            for axis in (0..n).rev() {
                index[axis] = rest % shape[axis];
                rest /= shape[axis];
            }
            let at = |s: &[usize]| s.iter().zip(&index[n - s.len()..]).fold(0, |f, (&m, &i)| f * m + if m == 1 { 0 } else { i });
            let place: isize = index.iter().zip(&strides).map(|(&i, &s)| i as isize * s).sum::<isize>() / 4;
            prop_assert_eq!(out[place as usize], a[at(&sa)] - b[at(&sb)]);
        }
    }
}
