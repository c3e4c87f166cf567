//! Compiled loops against the tree of kernels: the same bytes everywhere, the same errors, over random layouts and strides.

use gristmill_ckernel::{Kernel, KernelError, KernelRequest, Metadata as RawMetadata};
use gristmill_ndtypes::types::Field;
use gristmill_ndtypes::{
    ArrayMut, ArrayRef, Error, ErrorMode, Metadata, Parallel, Primitive, Type, assign, assignment,
    create_jit_assignment, par_assign,
};
use proptest::prelude::*;

use crate::oracle::edges;
use crate::ty;

/// Without native code there is nothing to compare.
fn has_native_code() -> bool {
    std::env::var_os("GRISTMILL_NO_JIT").is_none()
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }
    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A type for elements: structs in structs, short dimensions, scalars of every kind.
fn random_type(rng: &mut Rng, depth: u64) -> Type {
    match rng.below(10) {
        0..=4 if depth > 0 => {
            let fields = (0..1 + rng.below(4))
                .map(|k| Field { name: format!("f{k}"), ty: random_type(rng, depth - 1) })
                .collect();
            Type::structure(fields).unwrap()
        }
        5 if depth > 0 => Type::fixed(rng.below(4) as usize, random_type(rng, depth - 1)).unwrap(),
        6 if depth > 0 => {
            let align = rng.pick(&[1, 2, 4]);
            Type::bytes(align * (1 + rng.below(if depth == 1 { 9 } else { 60 }) as usize), align).unwrap()
        }
        _ => random_scalar(rng, None),
    }
}

fn random_scalar(rng: &mut Rng, not_wide: Option<Primitive>) -> Type {
    let mut scalar = rng.pick(&Primitive::ALL);
    // Conversions of 128 bits are the tree's: most of the time something else.
    while matches!(scalar, Primitive::Int128 | Primitive::UInt128) && not_wide != Some(scalar) && rng.below(8) > 0 {
        scalar = rng.pick(&Primitive::ALL);
    }
    match rng.below(4) {
        0 => Type::Unaligned(scalar),
        1 => Type::Swapped(scalar),
        _ => Type::Primitive(scalar),
    }
}

/// A type that can be assigned to `dst`: other scalars, fields in another order, dimensions that repeat.
fn random_source(rng: &mut Rng, dst: &Type) -> Type {
    if rng.below(12) == 0 {
        return dst.clone();
    }
    match dst {
        Type::Struct(s) => {
            let holds_bytes = format!("{dst}").contains("bytes");
            if rng.below(12) == 0 && !holds_bytes {
                return random_scalar(rng, None);
            }
            let mut fields: Vec<Field> =
                s.fields().iter().map(|f| Field { name: f.name.clone(), ty: random_source(rng, &f.ty) }).collect();
            let by = rng.below(fields.len() as u64) as usize;
            fields.rotate_left(by);
            Type::structure(fields).unwrap()
        }
        Type::Fixed(size, element) => {
            let inner = random_source(rng, element);
            match rng.below(4) {
                // Axes are matched from the last on: where an inner one is left out, the outer ones are too.
                _ if dimensions(&inner) < dimensions(element) => inner,
                0 => inner,
                1 => Type::fixed(1, inner).unwrap(),
                _ => Type::fixed(*size, inner).unwrap(),
            }
        }
        Type::Bytes(_) => dst.clone(),
        Type::Primitive(s) | Type::Unaligned(s) | Type::Swapped(s) => {
            let keep = rng.below(4) == 0;
            match random_scalar(rng, Some(*s)) {
                Type::Swapped(_) if keep => Type::Swapped(*s),
                Type::Unaligned(_) if keep => Type::Unaligned(*s),
                other => other,
            }
        }
        other => other.clone(),
    }
}

fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Fixed(_, element) => 1 + dimensions(element),
        _ => 0,
    }
}

/// Every scalar of an element: where, which, in the other byte order or not.
fn scalars(ty: &Type, words: &[isize], at: isize, out: &mut Vec<(isize, Primitive, bool)>) {
    match ty {
        Type::Primitive(s) | Type::Unaligned(s) => out.push((at, *s, false)),
        Type::Swapped(s) => out.push((at, *s, true)),
        Type::Fixed(..) | Type::Strided(_) => {
            let inner = ty.inner().unwrap();
            (0..words[0]).for_each(|i| scalars(inner, &words[2..], at + i * words[1], out));
        }
        Type::Struct(s) => {
            let mut rest = &words[s.fields().len()..];
            for (f, offset) in s.fields().iter().zip(words) {
                scalars(&f.ty, rest, at + offset, out);
                rest = &rest[gristmill_ndtypes::metadata_words(&f.ty)..];
            }
        }
        _ => {}
    }
}

/// Bytes of one element.
fn size_of_element(ty: &Type) -> usize {
    Metadata::contiguous(&Type::fixed(2, ty.clone()).unwrap(), &[]).unwrap().words()[1] as usize
}

/// A small number that nearly every scalar holds, or one where conversions turn.
fn value(rng: &mut Rng, scalar: Primitive, wild: u64) -> Vec<u8> {
    if rng.below(1000) < wild {
        let all = edges(scalar);
        return all[rng.below(all.len() as u64) as usize].clone();
    }
    let number = rng.below(100) as i64;
    let mut bytes = [0u8; 16];
    let convert = assignment(&scalar.into(), &Primitive::Int64.into(), ErrorMode::None).unwrap();
    let kernel = convert.instantiate(KernelRequest::Single).unwrap();
    // SAFETY: 16 bytes hold every scalar; the source is an i64.
    unsafe { kernel.unary_single(bytes.as_mut_ptr(), (&raw const number).cast()) }.unwrap();
    bytes[..scalar.size()].to_vec()
}

struct Run {
    bytes: Vec<u8>,
    outcome: Result<(), KernelError>,
}

/// What dimensions of one element are around.
fn without_ones(ty: &Type) -> &Type {
    match ty {
        Type::Fixed(1, element) => without_ones(element),
        other => other,
    }
}

/// One layout with `count` elements, by the tree and by the compiled loop.
fn compare(seed: u64, wild: u64) -> Result<bool, TestCaseError> {
    let mut rng = Rng(seed | 1);
    let dst = random_type(&mut rng, 3);
    let src = random_source(&mut rng, &dst);
    let mode = rng.pick(&ErrorMode::ALL);
    let (to, from) = (Metadata::contiguous(&dst, &[]).unwrap(), Metadata::contiguous(&src, &[]).unwrap());
    let made = create_jit_assignment((&dst, &to), (&src, &from), mode, KernelRequest::Strided);
    let compiled = match made {
        Ok(kernel) => kernel,
        Err(Error::NotCompiled { .. }) => return Ok(false),
        Err(e) => panic!("seed {seed}: {src} -> {dst}: {e}"),
    };
    let pointers: [*const u8; 2] = [to.words().as_ptr().cast(), from.words().as_ptr().cast()];
    // SAFETY: the metadata is that of the types, and outlives the kernel.
    let tree = unsafe {
        assignment(&dst, &src, mode).unwrap().instantiate_with(RawMetadata::new(&pointers), KernelRequest::Strided)
    };
    let tree = tree.unwrap();
    let count = rng.pick(&[0usize, 1, 2, 3, 7, 40, 150]);
    let (dst_size, src_size) = (size_of_element(&dst), size_of_element(&src));
    // Strides: side by side, with gaps, at odd addresses, backwards, and a source that repeats.
    let stride = |rng: &mut Rng, size: usize| (size + rng.pick(&[0, 0, 1, 3, 8, 16])) as isize * rng.pick(&[1, 1, -1]);
    let dst_stride = stride(&mut rng, dst_size);
    let src_stride = if rng.below(6) == 0 { 0 } else { stride(&mut rng, src_size) };
    let length = |stride: isize, size: usize| stride.unsigned_abs() * count.saturating_sub(1) + size;
    let first = |stride: isize| if stride < 0 { stride.unsigned_abs() * count.saturating_sub(1) } else { 0 };
    let mut source: Vec<u8> = (0..length(src_stride, src_size)).map(|_| rng.next() as u8).collect();
    let mut places = vec![];
    scalars(&src, from.words(), 0, &mut places);
    for i in 0..count {
        for &(at, scalar, swapped) in &places {
            let mut bytes = value(&mut rng, scalar, wild);
            if swapped {
                bytes.chunks_mut(scalar.word()).for_each(<[u8]>::reverse);
            }
            let start = (first(src_stride) as isize + i as isize * src_stride + at) as usize;
            source[start..start + bytes.len()].copy_from_slice(&bytes);
        }
    }
    let before: Vec<u8> = (0..length(dst_stride, dst_size)).map(|_| rng.next() as u8).collect();
    let run = |kernel: &Kernel| {
        let mut bytes = before.clone();
        // SAFETY: both buffers hold `count` elements at these strides; kernels take any address.
        let outcome = unsafe {
            kernel.unary_strided(
                bytes.as_mut_ptr().add(first(dst_stride)),
                dst_stride,
                source.as_ptr().add(first(src_stride)),
                src_stride,
                count,
            )
        };
        Run { bytes, outcome }
    };
    let (wanted, found) = (run(&tree), run(&compiled));
    prop_assert_eq!(&found.outcome, &wanted.outcome, "seed {}: {} -> {} under {}", seed, src, dst, mode);
    // Into swapped scalars of another type the tree writes whole chunks, or nothing of them; a dimension of one element is none to it.
    let in_chunks = matches!((without_ones(&dst), without_ones(&src)), (Type::Swapped(d), Type::Primitive(s) | Type::Unaligned(s) | Type::Swapped(s)) if d != s);
    if wanted.outcome.is_ok() || !in_chunks {
        prop_assert!(found.bytes == wanted.bytes, "seed {}: {} -> {} under {}: other bytes", seed, src, dst, mode);
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_compiled_loop_writes_and_reports_what_the_tree_does(seed in any::<u64>(), wild in prop::sample::select(vec![0u64, 2, 30, 600])) {
        if has_native_code() {
            compare(seed, wild)?;
        }
    }
}

#[test]
fn a_dimension_of_one_swapped_scalar_is_written_in_chunks_too() {
    // Its second element is refused: the tree has written nothing by then, the loop the first.
    if has_native_code() {
        assert!(compare(8_195_253_715_999_722_262, 600).expect("they agree but for the chunk"));
    }
}

#[test]
fn every_pair_of_scalars_is_converted_as_the_tree_does_at_its_edges() {
    for src in Primitive::ALL {
        let all = edges(src);
        for dst in Primitive::ALL {
            for mode in ErrorMode::ALL {
                // A struct around the source: the tree's leaves, not its vector loops.
                let to = ty(&format!("{{a: {dst}}}"));
                let from = ty(&format!("{{a: byteswap[{src}]}}"));
                let metadata = (Metadata::contiguous(&to, &[]).unwrap(), Metadata::contiguous(&from, &[]).unwrap());
                let made = create_jit_assignment((&to, &metadata.0), (&from, &metadata.1), mode, KernelRequest::Single);
                let Ok(compiled) = made else {
                    let wide = |s: Primitive| matches!(s, Primitive::Int128 | Primitive::UInt128);
                    assert!(!has_native_code() || (src != dst && (wide(src) || wide(dst))), "{src} -> {dst}");
                    continue;
                };
                let pointers: [*const u8; 2] = [metadata.0.words().as_ptr().cast(), metadata.1.words().as_ptr().cast()];
                let deferred = assignment(&to, &from, mode).unwrap();
                // SAFETY: the metadata is that of the types, and outlives the kernel.
                let tree = unsafe { deferred.instantiate_with(RawMetadata::new(&pointers), KernelRequest::Single) };
                let tree = tree.unwrap();
                for value in &all {
                    let mut swapped = value.clone();
                    swapped.chunks_mut(src.word()).for_each(<[u8]>::reverse);
                    let run = |kernel: &Kernel| {
                        let mut bytes = [0xa5u8; 16];
                        // SAFETY: 16 bytes hold every scalar.
                        let outcome = unsafe { kernel.unary_single(bytes.as_mut_ptr(), swapped.as_ptr()) };
                        (bytes, outcome)
                    };
                    let (wanted, found) = (run(&tree), run(&compiled));
                    assert_eq!(found, wanted, "{src} -> {dst} under {mode}: {value:?}");
                }
            }
        }
    }
}

/// Records {u8, f64 at an odd address} in the other byte order.
fn records(count: usize) -> Vec<u8> {
    (0..count).flat_map(|i| std::iter::once(i as u8).chain((i as f64).to_bits().swap_bytes().to_le_bytes())).collect()
}

const RECORD: &str = "{n: uint8, x: byteswap[float64]}";

#[test]
fn large_assignments_give_what_small_ones_do() {
    let count = 60_000;
    let (dst_ty, src_ty) = (ty("{x: int32, n: float32}"), ty(RECORD));
    let src = records(count);
    let whole = |threads: bool| {
        let mut dst = vec![0u64; count];
        // SAFETY: bytes of numbers.
        let bytes = unsafe { std::slice::from_raw_parts_mut(dst.as_mut_ptr().cast::<u8>(), 8 * count) };
        let mut to = ArrayMut::from_bytes(bytes, 0, &Type::strided(dst_ty.clone()).unwrap(), &[count], &[8]).unwrap();
        let from = ArrayRef::from_bytes(&src, 0, &Type::strided(src_ty.clone()).unwrap(), &[count], &[9]).unwrap();
        match threads {
            true => par_assign(&mut to, &from, ErrorMode::Fractional, Parallel { threshold: 1, grain: 100 }).unwrap(),
            false => assign(&mut to, &from, ErrorMode::Fractional).unwrap(),
        }
        dst
    };
    for threads in [false, true] {
        for (i, pair) in whole(threads).iter().enumerate() {
            let [x, n] = [*pair as u32 as i32, (*pair >> 32) as i32];
            assert_eq!((x, f32::from_bits(n as u32)), (i as i32, f32::from(i as u8)), "element {i}");
        }
    }
}

#[test]
fn an_error_in_a_large_assignment_has_its_element_and_its_field() {
    let count = 60_000;
    let mut src = records(count);
    src[9 * 54_321 + 1..9 * 54_322].copy_from_slice(&0.5f64.to_bits().swap_bytes().to_le_bytes());
    let mut dst = vec![-1i64; count];
    // SAFETY: bytes of numbers.
    let bytes = unsafe { std::slice::from_raw_parts_mut(dst.as_mut_ptr().cast::<u8>(), 8 * count) };
    let dst_ty = ty("strided * {x: int32, n: int32}");
    let mut to = ArrayMut::from_bytes(bytes, 0, &dst_ty, &[count], &[8]).unwrap();
    let from = ArrayRef::from_bytes(&src, 0, &ty(&format!("strided * {RECORD}")), &[count], &[9]).unwrap();
    let error = assign(&mut to, &from, ErrorMode::Fractional).unwrap_err();
    assert_eq!(
        error.to_string(),
        "element 54321: in the field `x`, element 0: fractional part lost while assigning float64 value 0.5 to int32"
    );
    assert!(dst[54_320] != -1 && dst[54_321] == -1 && dst[54_322] == -1, "exactly what lies before it is written");
}

#[test]
fn values_that_only_the_tree_converts_are_converted_among_the_others() {
    if !has_native_code() {
        return;
    }
    let (dst, src) = (ty("{n: uint32, x: float64}"), ty("{x: float32, n: float64}"));
    let metadata = (Metadata::contiguous(&dst, &[]).unwrap(), Metadata::contiguous(&src, &[]).unwrap());
    let made = create_jit_assignment((&dst, &metadata.0), (&src, &metadata.1), ErrorMode::None, KernelRequest::Strided);
    let kernel = made.unwrap();
    // 2^64 + 2^20: its low 32 bits are 2^20, and no i64 holds it. Runs of them of every length.
    let values: Vec<f64> =
        (0..500).map(|i| if i % 37 < i / 20 { 18446744073710600192.0 } else { f64::from(i) }).collect();
    let source: Vec<[u64; 2]> =
        values.iter().enumerate().map(|(i, v)| [u64::from((i as f32).to_bits()), v.to_bits()]).collect();
    let mut found = vec![[0u64; 2]; values.len()];
    // SAFETY: both are elements of 16 bytes.
    unsafe { kernel.unary_strided(found.as_mut_ptr().cast(), 16, source.as_ptr().cast(), 16, values.len()) }.unwrap();
    for (i, (v, got)) in values.iter().zip(&found).enumerate() {
        let wanted = if *v > 1e9 { 1 << 20 } else { i as u32 };
        assert_eq!((got[0] as u32, f64::from_bits(got[1])), (wanted, i as f64), "element {i}");
    }
}

#[test]
fn in_place_the_order_of_fields_is_the_trees() {
    if !has_native_code() {
        return;
    }
    // Written over its own source, field after field.
    let (dst, src) = (ty("{a: int32, b: int32}"), ty("{b: byteswap[int32], a: byteswap[int32]}"));
    let metadata = (Metadata::contiguous(&dst, &[]).unwrap(), Metadata::contiguous(&src, &[]).unwrap());
    let made = create_jit_assignment((&dst, &metadata.0), (&src, &metadata.1), ErrorMode::None, KernelRequest::Strided);
    let mut memory = [[1i32.swap_bytes(), 2i32.swap_bytes()]; 3];
    let start: *mut u8 = memory.as_mut_ptr().cast();
    // SAFETY: three elements of 8 bytes, in place, as rule 4 allows.
    unsafe { made.unwrap().unary_strided(start, 8, start, 8, 3) }.unwrap();
    assert_eq!(memory, [[2, 2i32.swap_bytes()]; 3], "`a` from the second place; then `b` from the first, just written");
}

#[test]
fn what_is_not_compiled_says_why_and_what_cannot_be_assigned_is_the_trees_error() {
    let try_it = |dst: &str, src: &str| {
        let (dst, src) = (ty(dst), ty(src));
        let metadata = (Metadata::contiguous(&dst, &[]).unwrap(), Metadata::contiguous(&src, &[]).unwrap());
        let made =
            create_jit_assignment((&dst, &metadata.0), (&src, &metadata.1), ErrorMode::None, KernelRequest::Strided);
        made.err().map_or(String::new(), |e| e.to_string())
    };
    if has_native_code() {
        let refused = "no loop is compiled for this assignment: ";
        assert_eq!(try_it("{a: var * int8}", "{a: int8}"), format!("{refused}elements hold addresses"));
        assert_eq!(
            try_it("{a: int128}", "{a: float64}"),
            format!("{refused}`float64` is converted to `int128`, which is not compiled")
        );
        assert_eq!(
            try_it("{a: 17 * int8}", "{a: 17 * int16}"),
            format!("{refused}an element has a dimension of 17 inside, which the tree's loops serve better")
        );
        assert_eq!(try_it("{a: int8, b: 1000 * int8}", "{b: 1000 * int8, a: int16}"), "");
    }
    assert_eq!(
        try_it("{a: int8}", "{b: int8}"),
        "cannot assign `{b: int8}` to `{a: int8}`: the source has no field `a`"
    );
    assert_eq!(
        try_it("{a: 3 * int8}", "{a: 2 * int8}"),
        "the source for the field `a` of shape (2) does not broadcast to the destination's shape (3): on axis 0 of the \
         destination the source has size 2, but must have 1 or 3"
    );
    assert_eq!(
        try_it("int8", "{a: int8}"),
        "cannot assign `{a: int8}` to `int8`: a struct is no scalar; assign one of its fields"
    );
}

#[test]
fn an_error_in_elements_with_dimensions_counts_what_is_inside_them() {
    if !has_native_code() {
        return;
    }
    let (dst, src) = (ty("2 * {a: uint8}"), ty("2 * {a: float64}"));
    let metadata = (Metadata::contiguous(&dst, &[]).unwrap(), Metadata::contiguous(&src, &[]).unwrap());
    let made =
        create_jit_assignment((&dst, &metadata.0), (&src, &metadata.1), ErrorMode::Overflow, KernelRequest::Strided);
    let (mut found, values) = ([9u8; 4], [1.0f64, 2.0, 3.0, -4.0]);
    // SAFETY: two elements of two numbers each.
    let outcome = unsafe { made.unwrap().unary_strided(found.as_mut_ptr(), 2, values.as_ptr().cast(), 16, 2) };
    assert_eq!(outcome.unwrap_err().element(), Some(3));
    assert_eq!(found, [1, 2, 3, 9], "what lies before it is written, also of its own element");
}

#[test]
fn metadata_of_another_type_is_refused() {
    let (dst, src) = (ty("{a: int8}"), ty("int8"));
    let metadata = Metadata::contiguous(&src, &[]).unwrap();
    let error = create_jit_assignment((&dst, &metadata), (&src, &metadata), ErrorMode::None, KernelRequest::Single);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the metadata of the destination is 0 words, but must be 1, as its type `{a: int8}` has"
    );
}
