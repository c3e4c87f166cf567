//! The text form of types.

use gristmill_ndtypes::{Error, Primitive, Type};
use proptest::prelude::*;

use crate::ty;

#[test]
fn types_print_as_they_are_read() {
    for text in [
        "3 * var * float64",
        "strided * 0 * complex[float32]",
        "pointer[3 * int128]",
        "{x: float64, y: var * {a: uint8, 'b c': bytes[6, align=2]}, 'it\\'s \\\\': bool}",
        "bytes[16]",
        "unaligned[uint16]",
        "byteswap[complex[float64]]",
        "var * var * pointer[var * float16]",
    ] {
        assert_eq!(ty(text).to_string(), text);
    }
    for scalar in Primitive::ALL {
        assert_eq!(ty(scalar.name()), Type::Primitive(scalar));
    }
}

#[test]
fn other_spellings_are_read_too() {
    for (text, canonical) in [
        ("3*var*f64", "3 * var * float64"),
        ("  strided\n * i8 ", "strided * int8"),
        ("pointer<u64>", "pointer[uint64]"),
        ("complex64", "complex[float32]"),
        ("complex128", "complex[float64]"),
        ("complex[ f64 ]", "complex[float64]"),
        ("{x: int8,}", "{x: int8}"),
        ("bytes[4, align=1]", "bytes[4]"),
    ] {
        assert_eq!(ty(text).to_string(), canonical);
    }
}

#[test]
fn what_is_no_type_is_refused_with_its_place() {
    for (text, expected) in [
        ("", "column 1: found the end of the text, but expected a type"),
        ("3 * ", "column 5: found the end of the text, but expected a type"),
        ("3 float64", "column 3: found `float64`, but expected `*`"),
        ("float65", "column 1: found `float65`, but expected a type"),
        ("float64 * 3", "column 9: found `*`, but expected the end"),
        ("-3 * int8", "column 1: found `-`, but expected a type"),
        ("3x * int8", "column 1: found `3x`, but expected a dimension size"),
        (
            "99999999999999999999 * int8",
            "column 1: found `99999999999999999999`, but expected a dimension size of at most",
        ),
        ("9300000000000000000 * int8", "column 1: found `9300000000000000000 * int8` (a dimension has size"),
        ("pointer[int8", "column 13: found the end of the text, but expected `]`"),
        ("pointer<int8]", "column 13: found `]`, but expected `>`"),
        ("complex[int8]", "column 9: found `int8`, but expected `float32` or `float64`"),
        ("byteswap[3 * int8]", "column 10: found `3 * int8`, but expected a scalar type"),
        ("bytes[0]", "column 1: found `bytes[0]` (the size of bytes is 0"),
        ("bytes[6, align=4]", "column 1: found `bytes[6, align=4]` (the size of bytes is 6"),
        ("bytes[6, align=3]", "column 1: found `bytes[6, align=3]` (the alignment of bytes is 3"),
        ("{}", "column 2: found `}`, but expected a field name"),
        ("{x int8}", "column 4: found `int8`, but expected `:`"),
        ("{x: int8 y: int8}", "column 10: found `y`, but expected `,` or `}`"),
        ("{x: int8, x: int8}", "column 1: found `{x: int8, x: int8}` (a struct has two fields called `x`)"),
        ("{'x: int8}", "column 2: found a quoted name without its end, but expected `'`"),
        ("{'': int8}", "column 1: found `{'': int8}` (field 0 of a struct has an empty name)"),
        ("ü", "column 1: found `ü`, but expected a type"),
    ] {
        let error = text.parse::<Type>().unwrap_err();
        assert!(matches!(error, Error::Parse { .. }));
        assert!(error.to_string().starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn types_nest_to_a_limit() {
    let deep = |n: usize| "1 * ".repeat(n) + "int8";
    assert!(deep(63).parse::<Type>().is_ok());
    for text in [deep(64), deep(100_000), "pointer[".repeat(100_000), "{a: ".repeat(100_000)] {
        assert!(text.parse::<Type>().unwrap_err().to_string().contains("64 levels"));
    }
    let mut built = Type::Primitive(Primitive::Int8);
    for _ in 0..63 {
        built = Type::var(built).unwrap();
    }
    assert!(Type::strided(built).is_err());
}

fn any_type() -> impl Strategy<Value = Type> {
    let scalar = (0..16usize).prop_map(|i| Primitive::ALL[i]);
    let leaf = prop_oneof![
        scalar.clone().prop_map(Type::Primitive),
        scalar.clone().prop_map(Type::Unaligned),
        scalar.prop_map(Type::Swapped),
        (1usize..9, 0u32..5).prop_map(|(n, log)| Type::bytes(n << log, 1 << log).unwrap()),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        prop_oneof![
            (0usize..1000, inner.clone()).prop_map(|(n, t)| Type::fixed(n, t).unwrap()),
            inner.clone().prop_map(|t| Type::strided(t).unwrap()),
            inner.clone().prop_map(|t| Type::var(t).unwrap()),
            inner.clone().prop_map(|t| Type::pointer(t).unwrap()),
            prop::collection::vec(("[a-z' \\\\:,}\u{e4}]{1,5}", inner), 1..4).prop_map(|fields| {
                let mut named: Vec<gristmill_ndtypes::Field> = Vec::new();
                for (i, (name, ty)) in fields.into_iter().enumerate() {
                    named.push(gristmill_ndtypes::Field { name: format!("{name}{i}"), ty });
                }
                Type::structure(named).unwrap()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn printing_and_reading_are_inverse(t in any_type()) {
        prop_assert_eq!(t.to_string().parse::<Type>().unwrap(), t);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[0-9a-z*\\[\\]{}<>:, '=\\\\ü-]{0,40}") {
        if let Ok(t) = text.parse::<Type>() {
            prop_assert_eq!(t.to_string().parse::<Type>().unwrap(), t);
        }
    }

    /// Types cross the C ABI and come back.
    #[test]
    fn types_survive_the_c_abi(t in any_type()) {
        let pointer = t.to_ckernel();
        prop_assert_eq!(Type::from_ckernel(pointer).unwrap(), t.clone());
        prop_assert_eq!(t.to_ckernel(), pointer);
    }
}
