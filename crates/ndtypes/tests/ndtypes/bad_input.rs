//! Wrong use is an error that names the argument, what was given and what was expected; nothing is written.

use gristmill_ckernel::{Deferred, DeferredCKernel, KernelRequest, Metadata as RawMetadata};
use gristmill_ndtypes::{
    Array, ArrayMut, ArrayRef, Error, ErrorMode, Metadata, Primitive, Type, Value, apply, assign, assignment, call,
    lift,
};

use crate::{array, ty};

fn message<T: std::fmt::Debug>(outcome: Result<T, Error>) -> String {
    outcome.unwrap_err().to_string()
}

#[test]
fn views_stay_inside_their_buffer() {
    let bytes = [0u8; 24];
    let view = |offset: usize, shape: &[usize], strides: &[isize]| {
        let ty = (0..shape.len()).fold(Type::Unaligned(Primitive::Int32), |t, _| Type::strided(t).unwrap());
        ArrayRef::from_bytes(&bytes, offset, &ty, shape, strides).map(|v| v.to_vec::<i32>().is_err())
    };
    assert!(view(0, &[6], &[4]).is_ok());
    assert!(view(20, &[6], &[-4]).is_ok());
    assert!(view(0, &[2, 3], &[12, 4]).is_ok());
    assert!(view(1_000_000, &[0], &[4]).is_ok()); // no element: no place
    assert!(view(0, &[1], &[1 << 40]).is_ok()); // a stride that is never taken
    assert_eq!(
        message(view(0, &[7], &[4])),
        "a view of shape (7) with strides [4] at offset 0 covers the bytes 0..28, but the buffer has the bytes 0..24"
    );
    assert_eq!(
        message(view(16, &[6], &[-4])),
        "a view of shape (6) with strides [-4] at offset 16 covers the bytes -4..20, but the buffer has the bytes 0..24"
    );
    for (offset, shape, strides) in [
        (21, vec![1], vec![4]),
        (24, vec![1], vec![4]),
        (usize::MAX, vec![1], vec![4]),
        (0, vec![2], vec![isize::MAX]),
        (0, vec![2], vec![isize::MIN]),
        (0, vec![isize::MAX as usize], vec![isize::MAX]),
        (0, vec![3, isize::MAX as usize], vec![isize::MAX, 1]),
        (0, vec![2, 2], vec![isize::MAX, isize::MAX]),
    ] {
        assert!(
            matches!(view(offset, &shape, &strides), Err(Error::OutOfBounds { .. })),
            "{offset} {shape:?} {strides:?}"
        );
    }
    assert!(view(0, &[usize::MAX], &[0]).is_err());
}

#[test]
fn views_are_aligned_unless_their_type_says_otherwise() {
    let words = [0u64; 4];
    // SAFETY: the bytes of an array of words.
    let bytes = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), 32) };
    let strided = |s: &str, offset, stride| ArrayRef::from_bytes(bytes, offset, &ty(s), &[2], &[stride]);
    assert!(strided("strided * float64", 8, 16).is_ok());
    assert!(
        message(strided("strided * float64", 4, 16))
            .ends_with("but must be a multiple of 8 for elements of `float64` (or use `unaligned[...]`)")
    );
    assert_eq!(
        message(strided("strided * float64", 0, 12)),
        "the stride of axis 0 is 12, but must be a multiple of 8 for elements of `float64` (or use `unaligned[...]`)"
    );
    assert!(strided("strided * unaligned[float64]", 3, 9).is_ok());
    assert!(strided("strided * byteswap[float64]", 3, 9).is_ok());
    assert!(strided("strided * {a: int8, b: float64}", 1, 16).is_err());
}

#[test]
fn destinations_do_not_overlap_themselves() {
    let mut bytes = [0u8; 64];
    let mut view = |shape: &[usize], strides: &[isize]| {
        let ty = (0..shape.len()).fold(Type::Unaligned(Primitive::Int32), |t, _| Type::strided(t).unwrap());
        ArrayMut::from_bytes(&mut bytes, 20, &ty, shape, strides).map(|_| ())
    };
    assert!(view(&[2, 3], &[12, 4]).is_ok());
    assert!(view(&[2, 3], &[4, 8]).is_ok());
    assert!(view(&[3], &[-4]).is_ok());
    assert!(view(&[1, 3], &[0, 4]).is_ok());
    assert!(view(&[0, 3], &[0, 0]).is_ok());
    assert_eq!(
        message(view(&[3], &[0])),
        "the stride of axis 0 of a destination is 0, but must be at least 4 bytes away from zero, so that no two elements overlap"
    );
    assert!(view(&[3], &[3]).is_err());
    assert!(view(&[2, 3], &[8, 4]).is_err());
}

#[test]
fn views_of_plain_bytes_hold_no_addresses_and_only_valid_bools() {
    let bytes = [0u8; 64];
    for text in ["var * int8", "pointer[int8]", "{a: int8, b: var * int8}"] {
        let ty = ty(text);
        let error = message(ArrayRef::from_bytes(&bytes, 0, &ty, &[], &[]));
        assert!(error.contains("a type without var dimensions and pointers"), "{error}");
    }
    let flags = [0u8, 1, 2, 1];
    let view =
        |text: &str, n: usize| ArrayRef::from_bytes(&flags, 0, &ty(text), &[n], &[1]).map(|v| v.to_value().to_string());
    assert_eq!(view("strided * bool", 2).unwrap(), "[false, true]");
    assert!(message(view("strided * bool", 3)).starts_with("the bool at byte 2 is 2, but must be 0 or 1"));
    assert_eq!(view("strided * unaligned[bool]", 4).unwrap(), "[false, true, true, true]");
    let record = ty("strided * {a: uint8, b: bool}");
    assert!(ArrayRef::from_bytes(&flags, 0, &record, &[2], &[2]).is_ok());
    assert!(ArrayRef::from_bytes(&flags, 1, &record, &[1], &[2]).is_err());
}

#[test]
fn shapes_fit_their_data_and_types() {
    let six = [0i32; 6];
    assert!(ArrayRef::from_shaped(&six, &[2, 3]).is_ok());
    assert_eq!(
        message(ArrayRef::from_shaped(&six, &[2, 2])),
        "the shape is (2, 2), but must be a shape of 6 elements, as many as the slice has"
    );
    assert!(ArrayRef::from_shaped(&six, &[usize::MAX, usize::MAX]).is_err());
    let bytes = [0u8; 24];
    let fixed =
        |shape: &[usize], strides: &[isize]| ArrayRef::from_bytes(&bytes, 0, &ty("2 * 3 * uint8"), shape, strides);
    assert!(fixed(&[2, 3], &[3, 1]).is_ok());
    assert_eq!(
        message(fixed(&[2, 4], &[4, 1])),
        "the size of axis 1 is 4, but must be 3, as in the type `2 * 3 * uint8`"
    );
    assert_eq!(message(fixed(&[2, 3], &[3])), "the number of strides is 1, but must be 2, the number of sizes");
    assert_eq!(
        message(fixed(&[2, 3, 1], &[3, 1, 1])),
        "the number of sizes is 3, but must be 2: the rank of `2 * 3 * uint8`"
    );
    assert_eq!(
        message(Metadata::contiguous(&ty("strided * 3 * strided * int8"), &[4])),
        "the number of sizes is 1, but must be 2: one for each `strided` dimension of `strided * 3 * strided * int8`"
    );
    for text in [
        "9223372036854775807 * int16",
        "4611686018427387904 * 4 * int8",
        "1000000000000 * 1000000000000 * {a: int8, b: float64}",
    ] {
        assert!(message(Array::zeros(&ty(text), &[])).contains("too large"), "{text}");
    }
    assert!(Array::zeros(&ty("strided * int8"), &[isize::MAX as usize - 100]).is_err()); // no such memory
    assert!(Array::zeros(&ty("strided * int8"), &[usize::MAX]).is_err());
}

#[test]
fn elements_are_reached_by_valid_indices_fields_and_types() {
    let a = array("2 * {x: float64, y: var * int8}", {
        let record = |x: f64| Value::Record(vec![("x".into(), x.into()), ("y".into(), Value::from([1, 2]))]);
        vec![record(1.0), record(2.0)]
    });
    let view = a.view();
    assert_eq!(view.index(1).unwrap().field("x").unwrap().get::<f64>().unwrap(), 2.0);
    assert_eq!(message(view.index(2)), "the index is 2, but must be below 2, the size of the dimension");
    assert!(message(view.index(0).unwrap().field("z")).starts_with("the field is `z`, but must be a field of"));
    assert_eq!(
        message(view.index(0).unwrap().field("x").unwrap().get::<f32>()),
        "the array has the type `float64`, but the kernel takes `float32`"
    );
    assert!(view.index(0).unwrap().index(0).is_err());
    assert!(view.field("x").is_err());
    let missing = Array::zeros(&ty("var * int8"), &[]).unwrap();
    assert_eq!(
        message(missing.view().index(0)),
        "the row of a var dimension is not initialised, but must be initialised"
    );
    assert!(
        message(Array::from_value(&ty("2 * int8"), [1, 2, 3]))
            .starts_with("a value is [1, 2, 3], but must be of the form")
    );
    assert!(Array::from_value(&ty("strided * strided * int8"), vec![vec![1], vec![2, 3]]).is_err());
    assert!(Array::from_value(&ty("int8"), 128).is_err());
    assert!(Array::from_value(&ty("int8"), 0.5).is_err());
}

#[test]
fn kernels_take_their_own_number_of_sources_and_types_and_write_nothing_else() {
    let add = Deferred::expr(|x: i32, y: i32| x + y);
    let mut dst = array("3 * int32", [7, 7, 7]);
    let a = array("3 * int32", [1, 2, 3]);
    let f = array("3 * float64", [1.0, 2.0, 3.0]);
    let wide = array("2 * 3 * int32", [[1, 2, 3], [4, 5, 6]]);
    let short = array("2 * int32", [1, 2]);
    let mut run = |src: &[&Array]| {
        let views: Vec<ArrayRef<'_>> = src.iter().map(|a| a.view()).collect();
        message(apply(&add, &mut dst.view_mut(), &views.iter().collect::<Vec<_>>()))
    };
    assert_eq!(run(&[&a]), "1 sources were given, but the kernel takes 2");
    assert_eq!(run(&[&a, &a, &a]), "3 sources were given, but the kernel takes 2");
    assert_eq!(run(&[&a, &f]), "source 1 has the type `3 * float64`, but the kernel takes `int32`");
    assert_eq!(
        run(&[&wide, &a]),
        "source 0 of shape (2, 3) does not broadcast to the destination's shape (3): a source must not have more \
         dimensions than the destination"
    );
    assert_eq!(
        run(&[&a, &short]),
        "source 1 of shape (2) does not broadcast to the destination's shape (3): on axis 0 of the destination the \
         source has size 2, but must have 1 or 3"
    );
    assert_eq!(dst.to_value().to_string(), "[7, 7, 7]");
    let mut float = array("3 * float64", [7.0, 7.0, 7.0]);
    assert_eq!(
        message(apply(&add, &mut float.view_mut(), &[&a.view(), &a.view()])),
        "the destination has the type `3 * float64`, but the kernel takes `int32`"
    );
    assert!(call(&add, &mut array("3 * int32", [0, 0, 0]).view_mut(), &[&a.view(), &a.view()]).is_err());

    let less = Deferred::predicate(|x: i32, y: i32| x < y);
    assert_eq!(
        message(lift(&less, &[ty("int32"), ty("int32")])),
        "the kernel to lift is a binary predicate, but must be a unary or an expr kernel"
    );
    assert_eq!(message(lift(&add, &[ty("int32")])), "0 sources were given, but the kernel takes 2");
    assert!(lift(&add, &[]).is_err());
    assert!(message(lift(&add, &[ty("int32"), ty("3 * int32"), ty("int32")])).contains("at most 0"));
    // SAFETY: an empty deferred kernel is refused and has nothing to free.
    assert!(unsafe { Deferred::from_raw(DeferredCKernel::EMPTY) }.is_err());
}

#[test]
fn assignments_that_cannot_be_are_refused_before_anything_is_written() {
    for (dst, src, reason) in [
        ("int32", "{x: int32}", "a struct is no scalar; assign one of its fields"),
        ("bytes[4]", "bytes[3]", "the sizes differ"),
        ("bytes[4]", "int32", "there is no conversion between bytes and numbers"),
        ("int32", "bytes[4]", "there is no conversion between bytes and numbers"),
        ("{x: int8, y: int8}", "{x: int8}", "the source has 1 fields, the destination 2"),
        ("{x: int8, y: bytes[2]}", "int8", "there is no conversion between bytes and numbers"),
    ] {
        for dims in ["", "3 * ", "var * "] {
            let mut to = Array::zeros(&ty(&format!("{dims}{dst}")), &[]).unwrap();
            let before = to.to_value();
            let from = Array::zeros(&ty(src), &[]).unwrap();
            let error = message(assign(&mut to.view_mut(), &from.view(), ErrorMode::None));
            assert!(error.contains(reason), "{dims}{dst} <- {src}: {error}");
            assert_eq!(to.to_value(), before);
        }
    }
    assert!(assignment(&ty("int8"), &ty("2 * int8"), ErrorMode::None).is_err());
}

#[test]
fn metadata_from_c_is_checked_as_far_as_it_can_be() {
    let deferred = assignment(&ty("strided * int8"), &ty("strided * int8"), ErrorMode::None).unwrap();
    let instantiate = |dst: &[isize], src: &[isize]| {
        let metadata: [*const u8; 2] = [dst.as_ptr().cast(), src.as_ptr().cast()];
        // SAFETY: two words each; the kernel is not called.
        unsafe { deferred.instantiate_with(RawMetadata::new(&metadata), KernelRequest::Single) }
            .map(drop)
            .map_err(|e| e.to_string())
    };
    assert_eq!(instantiate(&[3, 1], &[3, 1]), Ok(()));
    assert_eq!(
        instantiate(&[-3, 1], &[3, 1]),
        Err("the size of a dimension of the destination is -3, but must be at least 0".into())
    );
    assert_eq!(
        instantiate(&[3, 1], &[-1, 1]),
        Err("the size of a dimension of a source is -1, but must be at least 0".into())
    );
    assert!(
        instantiate(&[3, 1], &[2, 1]).unwrap_err().contains("(2) does not broadcast to the destination's shape (3)")
    );
    // SAFETY: metadata is missing, which is an error.
    let none = unsafe { deferred.instantiate_with(RawMetadata::NONE, KernelRequest::Single) };
    assert_eq!(
        none.unwrap_err().to_string(),
        "the destination has no metadata, but its type `strided * int8` needs it"
    );
    let null: [*const u8; 2] = [std::ptr::null(); 2];
    let mut raw = deferred.clone().into_raw();
    let mut memory = std::mem::MaybeUninit::uninit();
    // SAFETY: the builder is constructed and destructed here; an unknown request is an error.
    unsafe {
        gristmill_ckernel::CKernelBuilder::construct(memory.as_mut_ptr());
        let end = raw.instantiate_func.unwrap()(raw.data_ptr, memory.as_mut_ptr(), 0, null.as_ptr(), 2);
        assert!(end < 0);
        gristmill_ckernel::CKernelBuilder::destruct(memory.as_mut_ptr());
        raw.free();
    }
    assert!(gristmill_ckernel::error::take().unwrap().to_string().contains("kernel request is 2"));
}
