//! Primitive conversions: every pair, every mode.

use gristmill_ckernel::ErrorKind;
use gristmill_ndtypes::{ArrayMut, ArrayRef, Element, Error, ErrorMode, Fault, Primitive, Type, assign};
use num_complex::Complex;
use proptest::prelude::*;

use crate::oracle;

use ErrorMode::{Fractional, Inexact, None as Unchecked, Overflow};

fn fault_kind(fault: Fault) -> ErrorKind {
    match fault {
        Fault::Overflow => ErrorKind::Overflow,
        Fault::Fractional => ErrorKind::Fractional,
        Fault::Inexact => ErrorKind::Inexact,
        Fault::Imaginary => ErrorKind::ImaginaryLoss,
    }
}

/// Converts one scalar given by its bytes.
fn one(src: Primitive, bytes: &[u8], dst: Primitive, mode: ErrorMode) -> Result<Vec<u8>, ErrorKind> {
    let mut out = vec![0xa5; dst.size()];
    let from = ArrayRef::from_bytes(bytes, 0, &Type::Unaligned(src), &[], &[]).unwrap();
    let mut to = ArrayMut::from_bytes(&mut out, 0, &Type::Unaligned(dst), &[], &[]).unwrap();
    match assign(&mut to, &from, mode) {
        Ok(()) => Ok(out),
        Err(Error::Kernel(e)) => {
            assert!(out.iter().all(|&b| b == 0xa5), "a failed conversion wrote to its destination");
            Err(e.kind())
        }
        Err(e) => panic!("{e}"),
    }
}

fn check_pair(src: Primitive, bytes: &[u8], dst: Primitive, mode: ErrorMode) {
    let expected = oracle::convert(src, bytes, dst, mode);
    let given = one(src, bytes, dst, mode);
    let agree = match (&expected, &given) {
        (Ok(e), Ok(g)) => oracle::same(dst, e, g),
        (Err(fault), Err(kind)) => fault_kind(*fault) == *kind,
        _ => false,
    };
    assert!(agree, "{src} {bytes:02x?} -> {dst} under {mode}: expected {expected:02x?}, got {given:02x?}");
}

#[test]
fn every_pair_agrees_with_the_oracle_at_the_edges() {
    for src in Primitive::ALL {
        for bytes in oracle::edges(src) {
            for dst in Primitive::ALL {
                for mode in ErrorMode::ALL {
                    check_pair(src, &bytes, dst, mode);
                }
            }
        }
    }
}

fn scalar() -> impl Strategy<Value = Primitive> {
    (0..16usize).prop_map(|i| Primitive::ALL[i])
}

fn mode() -> impl Strategy<Value = ErrorMode> {
    (0..4usize).prop_map(|i| ErrorMode::ALL[i])
}

/// How elements lie in memory.
#[derive(Clone, Copy, Debug)]
enum Lie {
    Contiguous,
    Spread,
    Backwards,
    Repeated,
    Odd,
}

fn lie() -> impl Strategy<Value = Lie> {
    prop_oneof![
        Just(Lie::Contiguous),
        Just(Lie::Contiguous),
        Just(Lie::Spread),
        Just(Lie::Backwards),
        Just(Lie::Repeated),
        Just(Lie::Odd)
    ]
}

/// Offset of the first element, stride, and length of a buffer that holds `count` elements.
fn place(lie: Lie, size: usize, count: usize) -> (usize, isize, usize) {
    let s = size as isize;
    match lie {
        Lie::Contiguous => (0, s, size * count),
        Lie::Spread => (0, 3 * s, 3 * size * count),
        Lie::Backwards => (size * count.saturating_sub(1), -s, size * count),
        Lie::Repeated => (0, 0, size),
        Lie::Odd => (1, s + 1, 1 + (size + 1) * count),
    }
}

/// A source element: an edge, or random bytes.
fn element(src: Primitive, pick: u64, random: [u8; 16]) -> Vec<u8> {
    thread_local! {
        static EDGES: Vec<Vec<Vec<u8>>> = Primitive::ALL.map(oracle::edges).to_vec();
    }
    EDGES.with(|edges| {
        let list = &edges[src as usize];
        match pick % 4 {
            // Mostly small integers, so that whole arrays convert.
            0 | 1 => oracle::convert(Primitive::UInt8, &[(pick >> 8) as u8 & 127], src, Unchecked).unwrap(),
            2 => list[(pick >> 8) as usize % list.len()].clone(),
            _ => random[..src.size()].to_vec(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// The strided loops, in vectors or not, do what the oracle does element by element, stop at the first error with
    /// its index, have written what lies before it, and nothing else.
    #[test]
    fn strided_conversion_equals_the_oracle_and_writes_exactly_up_to_the_first_error(
        (src, dst, mode) in (scalar(), scalar(), mode()),
        (from, to) in (lie(), lie()),
        seeds in prop::collection::vec((any::<u64>(), any::<[u8; 16]>()), 0..70),
        gentle in any::<bool>(),
    ) {
        let to = if matches!(to, Lie::Repeated) { Lie::Spread } else { to };
        let count = seeds.len();
        let (src_offset, src_stride, src_len) = place(from, src.size(), count);
        let (dst_offset, dst_stride, dst_len) = place(to, dst.size(), count);
        let mut input = vec![0u8; src_len.max(src.size())];
        let at = |offset: usize, stride: isize, i: usize| (offset as isize + stride * i as isize) as usize;
        for (i, (pick, random)) in seeds.iter().enumerate() {
            // A gentle array has one bad candidate at most, at its end.
            let pick = if gentle && i + 1 < count { pick & !3 } else { *pick };
            let start = at(src_offset, src_stride, i);
            input[start..start + src.size()].copy_from_slice(&element(src, pick, *random));
        }
        let mut output = vec![0xa5u8; dst_len];
        let before = output.clone();
        let strided = |s: Primitive| Type::strided(Type::Unaligned(s)).unwrap();
        let from = ArrayRef::from_bytes(&input, src_offset.min(input.len()), &strided(src), &[count], &[src_stride]).unwrap();
        let mut to = ArrayMut::from_bytes(&mut output, dst_offset.min(dst_len), &strided(dst), &[count], &[dst_stride]).unwrap();
        let outcome = assign(&mut to, &from, mode);

        let mut expected = before;
        let mut failure = None;
        for i in 0..count {
            let start = at(src_offset, src_stride, i);
            match oracle::convert(src, &input[start..start + src.size()], dst, mode) {
                Ok(bytes) => {
                    let start = at(dst_offset, dst_stride, i);
                    // NaN payloads are not compared: take ours.
                    let ours = &output[start..start + dst.size()];
                    let bytes = if oracle::same(dst, &bytes, ours) { ours.to_vec() } else { bytes };
                    expected[start..start + dst.size()].copy_from_slice(&bytes);
                }
                Err(fault) => {
                    failure = Some((i, fault));
                    break;
                }
            }
        }
        match (&outcome, failure) {
            (Ok(()), None) => {}
            (Err(Error::Kernel(e)), Some((i, fault))) => {
                prop_assert_eq!(e.kind(), fault_kind(fault));
                prop_assert_eq!(e.element(), Some(i));
            }
            _ => prop_assert!(false, "outcome {:?}, expected {:?}", outcome, failure),
        }
        prop_assert_eq!(output, expected, "{} -> {} under {}", src, dst, mode);
    }

    #[test]
    fn random_bits_agree_with_the_oracle(src in scalar(), dst in scalar(), mode in mode(), bytes in any::<[u8; 16]>()) {
        check_pair(src, &bytes[..src.size()], dst, mode);
    }

    /// Bytes in the other order are read and written as the same numbers, under every mode.
    #[test]
    fn byte_swapped_operands_give_the_same_numbers(
        (src, dst, mode) in (scalar(), scalar(), mode()),
        (swap_src, swap_dst) in (any::<bool>(), any::<bool>()),
        count in prop_oneof![Just(1usize), Just(127), Just(128), Just(129), Just(300)],
        seed in any::<u64>(),
    ) {
        let reverse = |s: Primitive, bytes: &mut [u8], yes: bool| if yes { bytes.chunks_mut(s.word()).for_each(<[u8]>::reverse) };
        let mut native = Vec::new();
        for i in 0..count as u64 {
            native.extend(element(src, (seed ^ i.wrapping_mul(0x9e3779b97f4a7c15)) & !3, [0; 16]));
        }
        let mut input = native.clone();
        reverse(src, &mut input, swap_src);
        let form = |s: Primitive, swapped: bool| Type::strided(if swapped { Type::Swapped(s) } else { Type::Unaligned(s) }).unwrap();
        let mut output = vec![0u8; dst.size() * count];
        let from = ArrayRef::from_bytes(&input, 0, &form(src, swap_src), &[count], &[src.size() as isize]).unwrap();
        let mut to = ArrayMut::from_bytes(&mut output, 0, &form(dst, swap_dst), &[count], &[dst.size() as isize]).unwrap();
        assign(&mut to, &from, mode).unwrap();
        reverse(dst, &mut output, swap_dst);
        for (i, ours) in output.chunks(dst.size()).enumerate() {
            let expected = oracle::convert(src, &native[i * src.size()..(i + 1) * src.size()], dst, mode).unwrap();
            prop_assert!(oracle::same(dst, ours, &expected), "element {i}: {ours:02x?}, expected {expected:02x?}");
        }
    }
}

/// Converts one value.
fn to<S: Element, D: Element + Default>(x: S, mode: ErrorMode) -> Result<D, ErrorKind> {
    let mut out = D::default();
    let outcome = assign(&mut ArrayMut::from_scalar(&mut out), &ArrayRef::from_scalar(&x), mode);
    match outcome {
        Ok(()) => Ok(out),
        Err(Error::Kernel(e)) => Err(e.kind()),
        Err(e) => panic!("{e}"),
    }
}

/// `x => TYPE, TYPE: modes => outcome`: the cases of the behaviour list, each under each mode.
macro_rules! cases {
    ($($x:expr => [$($d:ty),*] under $modes:expr => $expected:expr;)*) => {$( $(
        for mode in $modes {
            let expected: Result<f64, ErrorKind> = $expected;
            let given = to::<_, $d>($x, mode).map(|y| to::<$d, f64>(y, ErrorMode::None).unwrap());
            assert_eq!(given, expected, "{:?} -> {} under {mode}", $x, stringify!($d));
        }
    )* )*};
}

const ALL: [ErrorMode; 4] = ErrorMode::ALL;
const CHECKED: [ErrorMode; 3] = [Overflow, Fractional, Inexact];
const O: Result<f64, ErrorKind> = Err(ErrorKind::Overflow);
const F: Result<f64, ErrorKind> = Err(ErrorKind::Fractional);
const I: Result<f64, ErrorKind> = Err(ErrorKind::Inexact);
const IM: Result<f64, ErrorKind> = Err(ErrorKind::ImaginaryLoss);

#[test]
fn bools_and_integers_convert_by_the_case_list() {
    cases! {
        true => [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64, Complex<f32>, Complex<f64>] under ALL => Ok(1.0);
        false => [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64, Complex<f32>, Complex<f64>] under ALL => Ok(0.0);
        127i8 => [u8] under [Fractional] => Ok(127.0);
        -1i8 => [u8] under CHECKED => O;
        -33i8 => [bool] under ALL => Ok(1.0);
        -1i8 => [bool] under ALL => Ok(1.0);
        2i8 => [bool] under ALL => Ok(1.0);
        0i8 => [bool] under ALL => Ok(0.0);
        -128i32 => [i8] under ALL => Ok(-128.0);
        127i32 => [i8] under ALL => Ok(127.0);
        -129i32 => [i8] under CHECKED => O;
        128i32 => [i8] under CHECKED => O;
        -1i32 => [u16] under CHECKED => O;
        -1i32 => [u16] under [Unchecked] => Ok(65535.0);
        33554433i32 => [f32] under [Unchecked, Overflow, Fractional] => Ok(33554432.0);
        33554433i32 => [f32] under [Inexact] => I;
        33554433i32 => [f64] under ALL => Ok(33554433.0);
        36028797018963969i64 => [f64] under [Unchecked, Overflow, Fractional] => Ok(36028797018963968.0);
        36028797018963969i64 => [f64] under [Inexact] => I;
        58000u16 => [f32] under ALL => Ok(58000.0);
        1234i64 => [f32] under ALL => Ok(1234.0);
    }
}

#[test]
fn floats_convert_by_the_case_list() {
    let third = 1.0f64 / 3.0;
    cases! {
        5.0f64 => [i8] under ALL => Ok(5.0);
        -100.0f32 => [i8] under ALL => Ok(-100.0);
        1.25f64 => [i8] under [Fractional, Inexact] => F;
        1.25f64 => [i8] under [Unchecked, Overflow] => Ok(1.0);
        128.0f64 => [i8] under CHECKED => O;
        -129.0f64 => [i8] under CHECKED => O;
        1e30f64 => [i8, i16, i32, i64, u8, u16, u32, u64] under CHECKED => O;
        -10.25f64 => [i8, i16, i32, i64, i128] under [Unchecked, Overflow] => Ok(-10.0);
        -10.25f64 => [u8] under [Unchecked] => Ok(246.0);
        -10.25f64 => [u16] under [Unchecked] => Ok(65526.0);
        -10.25f64 => [u32] under [Unchecked] => Ok(4294967286.0);
        -10.25f64 => [i8, i16, i32, i64, i128] under [Fractional, Inexact] => F;
        -10.25f64 => [u8, u16, u32, u64, u128] under CHECKED => O;
        -10.25f64 => [bool] under ALL => Ok(1.0);
        1.5f64 => [bool] under ALL => Ok(1.0);
        65535.0f32 => [u16] under ALL => Ok(65535.0);
        1e10f32 => [u64] under ALL => Ok(1e10);
        2e10f64 => [u64] under ALL => Ok(2e10);
        13835058055282163712.0f32 => [u64] under ALL => Ok(13835058055282163712.0);
        16140901064495857664.0f64 => [u64] under ALL => Ok(16140901064495857664.0);
        third => [f32] under [Unchecked, Overflow, Fractional] => Ok(f64::from(third as f32));
        third => [f32] under [Inexact] => I;
        f64::from(third as f32) => [f32] under ALL => Ok(f64::from(third as f32));
        -1.5e250f64 => [f32] under CHECKED => O;
        -1.5e250f64 => [f32] under [Unchecked] => Ok(f64::NEG_INFINITY);
    }
}

#[test]
fn complex_numbers_convert_by_the_case_list() {
    let c = |re: f64, im: f64| Complex::new(re, im);
    let s = |re: f32, im: f32| Complex::new(re, im);
    let third = 1.0f64 / 3.0;
    cases! {
        c(-10.25, 1.5) => [i8, i16, i32, i64] under [Unchecked] => Ok(-10.0);
        c(-10.25, 1.5) => [f32, f64, Complex<f32>] under [Unchecked] => Ok(-10.25);
        c(-10.25, 0.125) => [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64] under CHECKED => IM;
        s(-10.25, 0.125) => [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64] under CHECKED => IM;
        c(-10.25, 0.125) => [bool] under ALL => Ok(1.0);
        c(0.0, 0.125) => [bool] under ALL => Ok(1.0);
        s(2.0, 0.0) => [i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64] under ALL => Ok(2.0);
        s(-1.0, 0.0) => [i8, i16, i32, i64, i128] under ALL => Ok(-1.0);
        s(-1.0, 0.0) => [u8, u16, u32, u64, u128] under CHECKED => O;
        s(-10.25, 0.0) => [i8, i16, i32, i64] under [Fractional, Inexact] => F;
        s(-10.25, 0.0) => [f32, f64] under ALL => Ok(-10.25);
        s(1e21, 0.0) => [i8, i16, i32, i64, u8, u16, u32, u64] under CHECKED => O;
        s(1e21, 0.0) => [f32, f64] under ALL => Ok(f64::from(1e21f32));
        c(third, 0.0) => [f32, Complex<f32>] under [Inexact] => I;
        c(third, 0.0) => [f32, Complex<f32>] under [Fractional] => Ok(f64::from(third as f32));
        c(-1.5e250, 0.0) => [f32, Complex<f32>] under CHECKED => O;
        c(-1.5e250, 0.0) => [f32, Complex<f32>] under [Unchecked] => Ok(f64::NEG_INFINITY);
        c(third, -1.0 / 7.0) => [Complex<f32>] under [Inexact] => I;
    }
    assert_eq!(to::<_, Complex<f32>>(c(-10.25, 0.125), Fractional), Ok(s(-10.25, 0.125)));
    assert_eq!(to::<_, Complex<f64>>(s(-10.25, 0.125), Inexact), Ok(c(-10.25, 0.125)));
    assert_eq!(to::<_, Complex<f32>>(c(third, -1.0 / 7.0), Fractional), Ok(s(third as f32, (-1.0f64 / 7.0) as f32)));
}

/// What the original gets wrong, done right.
#[test]
fn the_known_traps_are_closed() {
    let two_63 = 9223372036854775808.0f64;
    cases! {
        // NaN to an integer raises in every checked mode.
        f64::NAN => [i8, i64, u8, u64, i128, u128] under CHECKED => O;
        f32::NAN => [i8, i64, u8, u64, i128, u128] under CHECKED => O;
        f64::NAN => [i8, i64, u8, u64] under [Unchecked] => Ok(0.0);
        // 2^63 does not fit i64, although i64::MAX as f64 is 2^63; likewise 2^64, 2^127, 2^128.
        two_63 => [i64] under CHECKED => O;
        2.0 * two_63 => [u64] under CHECKED => O;
        -two_63 => [i64] under CHECKED => Ok(-9223372036854775808.0);
        2f64.powi(127) => [i128] under CHECKED => O;
        2f64.powi(128) => [u128] under CHECKED => O;
        9223371487098961920.0f32 => [i64] under ALL => Ok(9223371487098961920.0);
        // The round trip through a saturating cast would call these exact.
        i64::MAX => [f64, f32] under [Inexact] => I;
        u64::MAX => [f64, f32] under [Inexact] => I;
        i128::MAX => [f64, f32] under [Inexact] => I;
        i64::MIN => [f64, f32] under [Inexact] => Ok(-two_63);
        // NaN and infinities are exact in every float type.
        f64::INFINITY => [f32, Complex<f32>, Complex<f64>] under ALL => Ok(f64::INFINITY);
        // Just above f32::MAX, but rounding down to it: the result is finite, so this is no overflow.
        3.4028235e38f64 => [f32] under [Overflow, Fractional] => Ok(f64::from(f32::MAX));
        3.4028235e38f64 => [f32] under [Inexact] => I;
        3.4028235677973366e38f64 => [f32] under CHECKED => O;
        // Out of range without checks: the integer part modulo 2^bits, also beyond 2^63.
        2f64.powi(70) + 2f64.powi(20) => [i32, u32] under [Unchecked] => Ok(1048576.0);
        2.0f64 * two_63 + 4096.0 => [i64, u64] under [Unchecked] => Ok(4096.0);
        f64::INFINITY => [i32, u64] under [Unchecked] => Ok(0.0);
        // u128::MAX is nearer to 2^128 than to f32::MAX.
        u128::MAX => [f32] under CHECKED => O;
        u128::MAX - (1 << 103) => [f32] under [Overflow, Fractional] => Ok(f64::from(f32::MAX));
    }
    for mode in ALL {
        assert!(to::<f64, f32>(f64::NAN, mode).unwrap().is_nan());
        assert!(to::<Complex<f64>, Complex<f32>>(Complex::new(f64::INFINITY, f64::NAN), mode).unwrap().im.is_nan());
    }
}

#[test]
fn float16_reports_every_rounding_and_rounds_once() {
    use half::f16;
    assert_eq!(to::<f64, f16>(65519.999, Fractional), Ok(f16::MAX));
    assert_eq!(to::<f64, f16>(65520.0, Fractional), Err(ErrorKind::Overflow));
    assert_eq!(to::<i32, f16>(65520, Overflow), Err(ErrorKind::Overflow));
    assert_eq!(to::<u16, f16>(65519, Overflow), Ok(f16::MAX));
    // In the normal range too.
    assert_eq!(to::<f64, f16>(1.0 / 3.0, Inexact), Err(ErrorKind::Inexact));
    assert_eq!(to::<i32, f16>(2049, Inexact), Err(ErrorKind::Inexact));
    // Through f32 this would round to 1.0 (a tie), then stay: the double rounding trap.
    let x = 1.0 + f64::powi(2.0, -11) + f64::powi(2.0, -40);
    assert_eq!(to::<f64, f16>(x, Unchecked), Ok(f16::from_bits(0x3c01)));
    assert_eq!(to::<f16, f64>(f16::from_bits(1), Inexact), Ok(f64::powi(2.0, -24)));
}

/// The strided table of the original reads int128 where it should read uint128.
#[test]
fn a_strided_uint128_source_is_unsigned() {
    let src = [u128::MAX, 1 << 127, 5];
    let mut dst = [0f64; 3];
    assign(&mut ArrayMut::from_slice(&mut dst).unwrap(), &ArrayRef::from_slice(&src).unwrap(), Fractional).unwrap();
    assert_eq!(dst, [2f64.powi(128), 2f64.powi(127), 5.0]);
}

#[test]
fn an_array_of_floats_becomes_integers_by_the_case_list() {
    let mut src = [3.5f32, 1.0, 0.0, 1000.0];
    let mut ints = [7i32; 4];
    let mut bytes = [7i8; 4];
    let run = |src: &[f32], dst: &mut [i32], mode| {
        assign(&mut ArrayMut::from_slice(dst).unwrap(), &ArrayRef::from_slice(src).unwrap(), mode)
    };
    let error = run(&src, &mut ints, Fractional).unwrap_err();
    assert_eq!(error.to_string(), "element 0: fractional part lost while assigning float32 value 3.5 to int32");
    run(&src, &mut ints, Overflow).unwrap();
    assert_eq!(ints, [3, 1, 0, 1000]);
    let mut small = |src: &[f32]| {
        assign(&mut ArrayMut::from_slice(&mut bytes).unwrap(), &ArrayRef::from_slice(src).unwrap(), Overflow)
    };
    assert_eq!(
        small(&src).unwrap_err().to_string(),
        "element 3: overflow while assigning float32 value 1000.0 to int8"
    );
    src[3] = -120.0;
    small(&src).unwrap();
    assert_eq!(bytes, [3, 1, 0, -120]);
}
