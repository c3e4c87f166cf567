//! Assignment over dimensions: broadcasting, var rows, pointers, structs. The cases of the behaviour list by number.

use gristmill_ckernel::ErrorKind;
use gristmill_ndtypes::{Array, ArrayMut, ArrayRef, Error, ErrorMode, Shape, Value, assign};
use proptest::prelude::*;

use crate::{array, empty, kind, list, set, set_default, ty};

fn text(array: &Array) -> String {
    array.to_value().to_string()
}

/// Assigns and shows the result.
fn assigned(dst: &str, sizes: &[usize], src: &Array) -> Result<String, Error> {
    let mut to = Array::zeros(&ty(dst), sizes)?;
    set_default(&mut to, src)?;
    Ok(text(&to))
}

fn zeros(shape: &[usize]) -> Array {
    let dims = "strided * ".repeat(shape.len());
    Array::zeros(&ty(&format!("{dims}int32")), shape).unwrap()
}

#[test]
fn shapes_broadcast_to_the_destination_only() {
    // 1, 5, 6
    assert!(set_default(&mut zeros(&[5, 2, 3]), &zeros(&[2, 3])).is_ok());
    assert!(set_default(&mut zeros(&[5, 2, 3]), &zeros(&[2, 1])).is_ok());
    assert!(set_default(&mut zeros(&[3, 2]), &zeros(&[3, 1])).is_ok());
    for (dst, src, axis, sizes) in [
        (&[3, 2, 5][..], &[1, 3, 2, 5][..], None, (0, 0)),
        (&[4, 3], &[3, 1], Some(0), (3, 4)),
        (&[3, 1], &[3, 3], Some(1), (3, 1)),
        (&[2, 0], &[3], Some(1), (3, 0)),
    ] {
        let error = set_default(&mut zeros(dst), &zeros(src)).unwrap_err();
        let shape = |s: &[usize]| Shape(s.iter().copied().map(Some).collect());
        assert_eq!(
            error,
            Error::Broadcast {
                argument: "the source".into(),
                src: shape(src),
                dst: shape(dst),
                axis,
                src_size: sizes.0,
                dst_size: sizes.1
            }
        );
    }
    let error = set_default(&mut zeros(&[4, 3]), &zeros(&[3, 1])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the source of shape (3, 1) does not broadcast to the destination's shape (4, 3): on axis 0 of the \
         destination the source has size 3, but must have 1 or 4"
    );
}

#[test]
fn small_arrays_repeat_over_larger_ones() {
    // 7, 8, 9
    let mut dst = Array::zeros(&ty("2 * 3 * 4 * float32"), &[]).unwrap();
    set_default(&mut dst, &array("strided * int32", [3, 4, 5, 6])).unwrap();
    assert_eq!(dst.view().to_vec::<f32>().unwrap(), [3.0, 4.0, 5.0, 6.0].repeat(6));
    set_default(&mut dst, &array("3 * 1 * float64", [[1.5], [3.125], [7.5]])).unwrap();
    let rows: Vec<f32> = [1.5, 3.125, 7.5].iter().flat_map(|&x| [x; 4]).collect();
    assert_eq!(dst.view().to_vec::<f32>().unwrap(), rows.repeat(2));
    assert_eq!(assigned("strided * int32", &[3], &array("float64", 9.0)).unwrap(), "[9, 9, 9]");
    assert_eq!(assigned("strided * float32", &[3], &array("strided * int32", [1, 2, 3])).unwrap(), "[1.0, 2.0, 3.0]");
}

#[test]
fn a_scalar_takes_no_array() {
    // 10
    for src in ["strided * int32", "3 * int32", "var * int32"] {
        let error = set_default(&mut array("float64", 1.0), &array(src, [3, 5, 7])).unwrap_err();
        assert!(matches!(&error, Error::Broadcast { axis: None, .. }), "{error}");
    }
}

#[test]
fn var_destinations_follow_the_rules() {
    let uninitialised = || Array::zeros(&ty("var * int32"), &[]).unwrap();
    let run = |mut dst: Array, src: &Array| set_default(&mut dst, src).map(|()| text(&dst));
    let zeros = || array("var * int32", [0, 0, 0]);
    let three = array("var * int32", [3, 5, 7]);
    let nine = array("float64", 9.0);
    assert_eq!(run(uninitialised(), &nine).unwrap(), "[9]"); // 11
    assert_eq!(run(array("var * int32", [3, 5, 7]), &nine).unwrap(), "[9, 9, 9]"); // 12
    assert_eq!(run(uninitialised(), &three).unwrap(), "[3, 5, 7]"); // 13
    assert_eq!(run(zeros(), &three).unwrap(), "[3, 5, 7]"); // 14
    assert_eq!(run(zeros(), &array("var * int32", [9])).unwrap(), "[9, 9, 9]"); // 15
    assert_eq!(run(uninitialised(), &uninitialised()).unwrap(), "missing"); // 16
    assert_eq!(kind(&run(zeros(), &array("var * int32", [9, 2])).unwrap_err()), Some(ErrorKind::Broadcast)); // 17
    assert_eq!(kind(&run(zeros(), &uninitialised()).unwrap_err()), Some(ErrorKind::Uninitialized));
    for src in ["strided * float64", "3 * float64"] {
        let src = array(src, [3.0, 5.0, 7.0]);
        assert_eq!(run(uninitialised(), &src).unwrap(), "[3, 5, 7]"); // 18
        assert_eq!(run(zeros(), &src).unwrap(), "[3, 5, 7]"); // 19
        let four = array("var * int32", [0, 0, 0, 0]);
        assert_eq!(kind(&run(four, &src).unwrap_err()), Some(ErrorKind::Broadcast)); // 20
    }
    assert_eq!(run(uninitialised(), &array("var * int32", empty())).unwrap(), "[]");
}

#[test]
fn var_sources_follow_the_rules() {
    for dst in ["strided * int32", "3 * int32"] {
        let sizes: &[usize] = if dst.starts_with('s') { &[3] } else { &[] };
        let run = |src: &Array| assigned(dst, sizes, src);
        assert_eq!(run(&array("var * int32", [3, 5, 7])).unwrap(), "[3, 5, 7]"); // 21
        assert_eq!(run(&array("var * int32", [4])).unwrap(), "[4, 4, 4]");
        let error = run(&array("var * int32", [1, 2, 3, 4])).unwrap_err(); // 22
        assert_eq!(kind(&error), Some(ErrorKind::Broadcast));
        assert_eq!(
            error.to_string(),
            "element 0: the row of source 0 has size 4, but must have 1 or 3, as the destination"
        );
        let error = run(&Array::zeros(&ty("var * int32"), &[]).unwrap()).unwrap_err(); // 23
        assert_eq!(kind(&error), Some(ErrorKind::Uninitialized));
    }
    // 24
    let mut dst = array("strided * strided * int32", [[5, 6, 7], [8, 9, 10]]);
    set_default(&mut dst, &array("strided * var * int32", vec![vec![1, 2, 3], vec![4]])).unwrap();
    assert_eq!(text(&dst), "[[1, 2, 3], [4, 4, 4]]");
}

#[test]
fn a_row_that_fails_stays_uninitialised_and_earlier_rows_are_written() {
    let src = array("3 * var * float64", vec![vec![1.0, 2.0], vec![4.0, 5.5], vec![6.0]]);
    let mut dst = Array::zeros(&ty("3 * var * int16"), &[]).unwrap();
    let error = set_default(&mut dst, &src).unwrap_err();
    assert_eq!(text(&dst), "[[1, 2], missing, missing]");
    assert_eq!(
        error.to_string(),
        "element 1: in a row of 2, element 1: fractional part lost while assigning float64 value 5.5 to int16"
    );
}

#[test]
fn an_error_has_the_index_of_its_element_in_c_order() {
    let mut values: Vec<f64> = (0..24).map(f64::from).collect();
    values[17] = 0.5;
    values[20] = 0.5;
    let src = ArrayRef::from_shaped(&values, &[2, 3, 4]).unwrap();
    let mut dst = [0i32; 24];
    let error =
        assign(&mut ArrayMut::from_shaped(&mut dst, &[2, 3, 4]).unwrap(), &src, ErrorMode::Fractional).unwrap_err();
    assert_eq!(error.to_string(), "element 17: fractional part lost while assigning float64 value 0.5 to int32");
    assert_eq!(dst[..17], (0..17).collect::<Vec<i32>>());
    assert_eq!(dst[17..], [0; 7]);

    // A destination in Fortran order is walked in its own order; the error is still the first in C order.
    let mut bytes = [0u8; 96];
    let mut to =
        ArrayMut::from_bytes(&mut bytes, 0, &ty("strided * strided * strided * int32"), &[2, 3, 4], &[4, 8, 24])
            .unwrap();
    let error = assign(&mut to, &src, ErrorMode::Fractional).unwrap_err();
    assert_eq!(error.to_string(), "element 17: fractional part lost while assigning float64 value 0.5 to int32");
}

#[test]
fn structs_are_assigned_by_name() {
    // 34
    let src = array(
        "{y: int32, z: float32, x: int8}",
        Value::Record(vec![("y".into(), 2.into()), ("z".into(), 3.0.into()), ("x".into(), 1.into())]),
    );
    assert_eq!(assigned("{x: float64, y: int64, z: uint8}", &[], &src).unwrap(), "{x: 1.0, y: 2, z: 3}");
    assert_eq!(
        assigned("2 * {x: float64, y: int64, z: uint8}", &[], &src).unwrap(),
        "[{x: 1.0, y: 2, z: 3}, {x: 1.0, y: 2, z: 3}]"
    );
    let error = assigned("{x: float64, y: int64, w: uint8}", &[], &src).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot assign `{y: int32, z: float32, x: int8}` to `{x: float64, y: int64, w: uint8}`: the source has no field `w`"
    );
    assert!(assigned("{x: float64, y: int64}", &[], &src).is_err());
    // A value goes to every field; a field may be an array.
    assert_eq!(assigned("{x: float64, y: 2 * int64}", &[], &array("int8", 7)).unwrap(), "{x: 7.0, y: [7, 7]}");
    // Identical structs, also with fields that lie elsewhere.
    let text = "{a: int8, b: bytes[3], c: complex[float64]}";
    let value = Value::Record(vec![
        ("a".into(), 1.into()),
        ("b".into(), Value::Bytes(vec![1, 2, 3])),
        ("c".into(), Value::Complex(num_complex::Complex::new(1.0, -2.0))),
    ]);
    assert_eq!(assigned(text, &[], &array(text, value)).unwrap(), "{a: 1, b: 0x010203, c: 1-2i}");
    // An error names its field.
    let bad = array("2 * {x: float64, y: var * float64}", {
        let record = |x: f64, y: Vec<f64>| Value::Record(vec![("x".into(), x.into()), ("y".into(), y.into())]);
        list([record(1.0, vec![1.0]), record(2.0, vec![3.0, 0.25])])
    });
    let error = assigned("2 * {y: var * int8, x: int8}", &[], &bad).unwrap_err();
    assert_eq!(
        error.to_string(),
        "element 1: in the field `y`, element 0: in a row of 2, element 1: fractional part lost while assigning float64 \
         value 0.25 to int8"
    );
}

#[test]
fn pointers_are_followed_on_both_sides() {
    let src = array("3 * pointer[int32]", [4, 5, 6]);
    assert_eq!(assigned("3 * float64", &[], &src).unwrap(), "[4.0, 5.0, 6.0]");
    assert_eq!(assigned("3 * pointer[int8]", &[], &src).unwrap(), "[4, 5, 6]");
    // A pointer to an array broadcasts as that array does.
    let row = array("pointer[3 * int32]", [1, 2, 3]);
    assert_eq!(assigned("2 * 3 * float64", &[], &row).unwrap(), "[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]");
    let rows = array("2 * pointer[var * int32]", vec![vec![1, 2, 3], vec![4]]);
    assert_eq!(assigned("2 * 3 * float64", &[], &rows).unwrap(), "[[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]");
    let error = assigned("2 * 4 * float64", &[], &rows).unwrap_err();
    assert_eq!(kind(&error), Some(ErrorKind::Broadcast));
    let error = assigned("3 * float64", &[], &Array::zeros(&ty("3 * pointer[int32]"), &[]).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "element 0: the pointer of source 0 is null");
}

#[test]
fn a_source_of_size_one_repeats_whatever_its_stride_says() {
    let data = [7i32, 1, 2, 3];
    let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_ne_bytes()).collect();
    let one = ArrayRef::from_bytes(&bytes, 0, &ty("strided * unaligned[int32]"), &[1], &[4]).unwrap();
    let mut dst = [0i64; 3];
    assign(&mut ArrayMut::from_slice(&mut dst).unwrap(), &one, ErrorMode::Fractional).unwrap();
    assert_eq!(dst, [7, 7, 7]);
}

#[test]
fn new_arrays_have_stride_zero_where_the_size_is_at_most_one() {
    let array = Array::zeros(&ty("strided * 1 * strided * 5 * float64"), &[3, 2]).unwrap();
    assert_eq!(array.metadata().words(), [3, 80, 1, 0, 2, 40, 5, 8]);
    let array = Array::zeros(&ty("var * 0 * {a: int8, b: 3 * float64}"), &[]).unwrap();
    let words = array.metadata().words();
    assert_eq!(words[1..], [0, 0, 0, 0, 0, 8, 3, 8]); // var: stride 0 (empty rows), offset; fixed; offsets; b's fixed
}

/// Every element of the destination, by index arithmetic.
fn naive(dst_shape: &[usize], src_shape: &[usize], src: &[i32]) -> Vec<f64> {
    let total: usize = dst_shape.iter().product();
    (0..total)
        .map(|flat| {
            let mut rest = flat;
            let mut index = vec![0; dst_shape.len()];
            for axis in (0..dst_shape.len()).rev() {
                index[axis] = rest % dst_shape[axis];
                rest /= dst_shape[axis];
            }
            let skip = dst_shape.len() - src_shape.len();
            let mut at = 0;
            for (axis, &n) in src_shape.iter().enumerate() {
                at = at * n + if n == 1 { 0 } else { index[skip + axis] };
            }
            f64::from(src[at])
        })
        .collect()
}

proptest! {
    /// Any shape, any broadcast, any memory order of the destination: the same as index arithmetic.
    #[test]
    fn broadcasting_equals_index_arithmetic(
        shape in prop::collection::vec(0usize..4, 0..5),
        drop in 0usize..5,
        ones in prop::collection::vec(any::<bool>(), 5),
        order in any::<u64>(),
        backwards in any::<u8>(),
    ) {
        let drop = drop.min(shape.len());
        let src_shape: Vec<usize> = shape[drop..].iter().zip(&ones).map(|(&n, &one)| if one { 1 } else { n }).collect();
        let src: Vec<i32> = (0..src_shape.iter().product::<usize>() as i32).collect();
        // A destination whose axes lie in memory in a random order, some of them backwards, with a gap at each.
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        let mut state = order;
        for i in (1..axes.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            axes.swap(i, (state >> 33) as usize % (i + 1));
        }
        let mut strides = vec![0isize; shape.len()];
        let (mut step, mut offset) = (8usize, 0usize);
        for &axis in &axes {
            let n = shape[axis].max(1);
            let back = backwards >> axis & 1 == 1;
            strides[axis] = if back { -(step as isize) } else { step as isize };
            if back {
                offset += step * (n - 1);
            }
            step *= if order & 1 == 1 { n } else { n + 1 };
        }
        let mut buffer = vec![0u8; step];
        let dst_ty = ty(&format!("{}unaligned[float64]", "strided * ".repeat(shape.len())));
        let mut dst = ArrayMut::from_bytes(&mut buffer, offset, &dst_ty, &shape, &strides).unwrap();
        assign(&mut dst, &ArrayRef::from_shaped(&src, &src_shape).unwrap(), ErrorMode::Inexact).unwrap();
        let mut plain = vec![-1.0f64; shape.iter().product()];
        assign(&mut ArrayMut::from_shaped(&mut plain, &shape).unwrap(), &dst.as_ref(), ErrorMode::Inexact).unwrap();
        prop_assert_eq!(plain, naive(&shape, &src_shape, &src));
    }

    /// Ragged rows survive a round trip through another type, and equal rows become a rectangle.
    #[test]
    fn ragged_rows_survive_a_round_trip(rows in prop::collection::vec(prop::collection::vec(-100i32..100, 0..6), 1..6)) {
        let value: Value = rows.clone().into();
        let n = rows.len();
        let src = array("strided * var * int32", value.clone());
        let mut floats = Array::zeros(&ty("strided * var * float64"), &[n]).unwrap();
        set(&mut floats, &src, ErrorMode::Inexact).unwrap();
        let mut back = Array::zeros(&ty("var * var * int32"), &[]).unwrap();
        set(&mut back, &floats, ErrorMode::Inexact).unwrap();
        prop_assert_eq!(back.to_value(), value);
        let width = rows[0].len();
        let mut rectangle = Array::zeros(&ty("strided * strided * int32"), &[n, width]).unwrap();
        let fits = rows.iter().all(|r| r.len() == width || r.len() == 1);
        prop_assert_eq!(set(&mut rectangle, &src, ErrorMode::Inexact).is_ok(), fits);
    }
}

/// No element is there to be reached, so a stride may be any number, and a row's address is never used.
#[test]
fn rows_without_elements_can_be_indexed_whatever_their_stride() {
    let none = ArrayRef::from_bytes(&[], 0, &ty("strided * strided * float64"), &[3, 0], &[isize::MAX - 7, 8]).unwrap();
    for row in 0..3 {
        assert!(none.index(row).unwrap().index(0).is_err());
    }
    assert!(none.index(3).is_err());
}
