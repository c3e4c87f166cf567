//! What a conversion must give, computed slowly and exactly: a value is a sign, a 128-bit integer and a power of two.

use gristmill_ndtypes::{ErrorMode, Fault, Primitive};

/// A real number, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Exact {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `(-1)^negative * m * 2^e`.
    Finite {
        negative: bool,
        m: u128,
        e: i32,
    },
}

/// Digits, least exponent of a bit, and largest exponent of a value, of a float format of so many bytes.
fn format(size: usize) -> (u32, i32, i32) {
    match size {
        2 => (11, -24, 15),
        4 => (24, -149, 127),
        8 => (53, -1074, 1023),
        _ => unreachable!("no float format of {size} bytes"),
    }
}

pub(crate) fn is_float(s: Primitive) -> bool {
    matches!(s, Primitive::Float16 | Primitive::Float32 | Primitive::Float64)
}

fn is_signed(s: Primitive) -> bool {
    matches!(s, Primitive::Int8 | Primitive::Int16 | Primitive::Int32 | Primitive::Int64 | Primitive::Int128)
}

fn bits(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

fn decode_float(bytes: &[u8]) -> Exact {
    let (digits, least, _) = format(bytes.len());
    let raw = bits(bytes);
    let width = bytes.len() as u32 * 8;
    let negative = raw >> (width - 1) == 1;
    let fraction = raw & ((1 << (digits - 1)) - 1);
    let exponent = (raw >> (digits - 1)) & ((1 << (width - digits)) - 1);
    if exponent == (1 << (width - digits)) - 1 {
        return if fraction == 0 { Exact::Infinite { negative } } else { Exact::Nan };
    }
    if exponent == 0 {
        return Exact::Finite { negative, m: fraction, e: least };
    }
    Exact::Finite { negative, m: fraction | 1 << (digits - 1), e: least + exponent as i32 - 1 }
}

/// Real and imaginary part.
fn decode(s: Primitive, bytes: &[u8]) -> (Exact, Exact) {
    let zero = Exact::Finite { negative: false, m: 0, e: 0 };
    match s {
        Primitive::Bool => (Exact::Finite { negative: false, m: u128::from(bytes[0] != 0), e: 0 }, zero),
        _ if s.is_complex() => (decode_float(&bytes[..bytes.len() / 2]), decode_float(&bytes[bytes.len() / 2..])),
        _ if is_float(s) => (decode_float(bytes), zero),
        _ => {
            let raw = bits(bytes);
            let width = bytes.len() as u32 * 8;
            let negative = is_signed(s) && raw >> (width - 1) == 1;
            let m = if negative { ((!raw) & (u128::MAX >> (128 - width))) + 1 } else { raw };
            (Exact::Finite { negative, m, e: 0 }, zero)
        }
    }
}

/// The integer part's magnitude modulo 2^128, whether it is larger than that, whether there is a fraction.
fn integer_part(m: u128, e: i32) -> (u128, bool, bool) {
    if m == 0 {
        (0, false, false)
    } else if e >= 128 {
        (0, true, false)
    } else if e >= 0 {
        (m << e, m.leading_zeros() < e as u32, false)
    } else if e <= -128 {
        (0, false, true)
    } else {
        (m >> -e, false, m & ((1 << -e) - 1) != 0)
    }
}

fn to_integer(x: Exact, size: usize, signed: bool, mode: ErrorMode) -> Result<Vec<u8>, Fault> {
    let width = size as u32 * 8;
    let (negative, m, e) = match x {
        Exact::Finite { negative, m, e } => (negative, m, e),
        _ if mode == ErrorMode::None => return Ok(vec![0; size]),
        _ => return Err(Fault::Overflow),
    };
    let (integer, huge, fraction) = integer_part(m, e);
    let limit = match (signed, negative) {
        (true, true) => 1 << (width - 1),
        (true, false) => (1 << (width - 1)) - 1,
        (false, true) => 0,
        (false, false) => u128::MAX >> (128 - width),
    };
    if mode != ErrorMode::None {
        if huge || integer > limit || (integer == limit && fraction) {
            return Err(Fault::Overflow);
        }
        if fraction && mode >= ErrorMode::Fractional {
            return Err(Fault::Fractional);
        }
    }
    let low = if negative { integer.wrapping_neg() } else { integer };
    Ok(low.to_le_bytes()[..size].to_vec())
}

fn to_float(x: Exact, size: usize, mode: ErrorMode) -> Result<Vec<u8>, Fault> {
    let (digits, least, most) = format(size);
    let width = size as u32 * 8;
    let infinity = ((1u128 << (width - digits)) - 1) << (digits - 1);
    let pack = |negative: bool, magnitude: u128| {
        (magnitude | u128::from(negative) << (width - 1)).to_le_bytes()[..size].to_vec()
    };
    let (negative, m, e) = match x {
        Exact::Nan => return Ok(pack(false, infinity | 1 << (digits - 2))),
        Exact::Infinite { negative } => return Ok(pack(negative, infinity)),
        Exact::Finite { negative, m: 0, .. } => return Ok(pack(negative, 0)),
        Exact::Finite { negative, m, e } => (negative, m, e),
    };
    let length = 128 - m.leading_zeros();
    // The exponent of the last bit that the result has.
    let mut q = (e + length as i32 - digits as i32).max(least);
    let shift = q - e;
    let (mut kept, exact) = if shift <= 0 {
        (m << -shift, true)
    } else if shift > 128 {
        (0, false)
    } else {
        let (kept, rest) = if shift == 128 { (0, m) } else { (m >> shift, m & ((1 << shift) - 1)) };
        let half = 1u128 << (shift - 1);
        (kept + u128::from(rest > half || (rest == half && kept & 1 == 1)), rest == 0)
    };
    if kept == 1 << digits {
        kept >>= 1;
        q += 1;
    }
    let overflow = kept != 0 && (128 - kept.leading_zeros()) as i32 + q > most + 1;
    if overflow && mode != ErrorMode::None {
        return Err(Fault::Overflow);
    }
    if (!exact || overflow) && mode == ErrorMode::Inexact {
        return Err(Fault::Inexact);
    }
    if overflow {
        return Ok(pack(negative, infinity));
    }
    // With the hidden bit set, adding the exponent field minus one gives the bits; a subnormal's field is 0.
    let field = if kept >> (digits - 1) == 0 { 0 } else { (q - least) as u128 };
    Ok(pack(negative, kept + (field << (digits - 1))))
}

fn is_zero(x: Exact) -> bool {
    matches!(x, Exact::Finite { m: 0, .. })
}

/// The bytes that a conversion must write, or the rule that the value breaks. NaN bits are the quiet default.
pub(crate) fn convert(src: Primitive, bytes: &[u8], dst: Primitive, mode: ErrorMode) -> Result<Vec<u8>, Fault> {
    let (re, im) = decode(src, bytes);
    match dst {
        Primitive::Bool => Ok(vec![u8::from(!is_zero(re) || !is_zero(im))]),
        _ if dst.is_complex() => {
            let half = dst.size() / 2;
            let (re, im) = (to_float(re, half, mode), to_float(im, half, mode));
            if re == Err(Fault::Overflow) || im == Err(Fault::Overflow) {
                return Err(Fault::Overflow);
            }
            Ok([re?, im?].concat())
        }
        _ if mode != ErrorMode::None && !is_zero(im) => Err(Fault::Imaginary),
        _ if is_float(dst) => to_float(re, dst.size(), mode),
        _ => to_integer(re, dst.size(), is_signed(dst), mode),
    }
}

/// Whether two results are the same value: the same bits, or NaN in the same parts.
pub(crate) fn same(s: Primitive, a: &[u8], b: &[u8]) -> bool {
    let part = if s.is_complex() { s.size() / 2 } else { s.size() };
    a.chunks(part).zip(b.chunks(part)).all(|(a, b)| {
        a == b || ((is_float(s) || s.is_complex()) && decode_float(a) == Exact::Nan && decode_float(b) == Exact::Nan)
    })
}

/// Values where conversions turn: zeros, ones, powers of two and their neighbours, limits, infinities, NaN.
pub(crate) fn edges(s: Primitive) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    let size = if s.is_complex() { s.size() / 2 } else { s.size() };
    let width = size as u32 * 8;
    let mut parts: Vec<Vec<u8>> = Vec::new();
    if s == Primitive::Bool {
        return vec![vec![0], vec![1], vec![2], vec![255]];
    }
    if is_float(s) || s.is_complex() {
        let (digits, least, most) = format(size);
        let mut magnitudes = vec![0u128, 1, 2];
        for exponent in (least.max(-30)..=most.min(130)).chain([least, least + 1, most - 1, most, -24, -149, -126, -14])
        {
            for m in [1u128 << 20, (1 << 20) + 1, 3 << 19, (1 << 21) - 1] {
                if let Ok(bytes) =
                    to_float(Exact::Finite { negative: false, m, e: exponent - 20 }, size, ErrorMode::None)
                {
                    let raw = bits(&bytes);
                    magnitudes.extend([raw.saturating_sub(1), raw, raw + 1]);
                }
            }
        }
        // Integers and halves around powers of two, as far as they are exact.
        for k in 0..=127u32 {
            for (delta, e) in [(0i32, 0), (1, 0), (-1, 0), (1, -1), (-1, -1)] {
                let base = if e == 0 { 1u128 << k } else { (1u128 << k.min(126)) << 1 };
                let Some(m) = base.checked_add_signed(i128::from(delta)) else { continue };
                if let Ok(bytes) = to_float(Exact::Finite { negative: false, m, e }, size, ErrorMode::None) {
                    magnitudes.push(bits(&bytes));
                }
            }
        }
        for double in [
            1.0 / 3.0,
            0.1,
            10.25,
            65519.0,
            65519.99999999999,
            65520.0,
            3.4028235677973366e38,
            3.4028234663852886e38,
            1.5e250,
            1e21,
            33554433.0,
        ] {
            if let Ok(bytes) = to_float(decode_float(&f64::to_le_bytes(double)), size, ErrorMode::None) {
                magnitudes.push(bits(&bytes));
            }
        }
        let infinity = ((1u128 << (width - digits)) - 1) << (digits - 1);
        magnitudes.extend([infinity - 1, infinity, infinity | 1 << (digits - 2), infinity | 1]);
        for m in magnitudes {
            for sign in [0, 1u128 << (width - 1)] {
                parts.push((m | sign).to_le_bytes()[..size].to_vec());
            }
        }
    } else {
        for k in 0..=width {
            let power = if k == 128 { 0 } else { 1u128 << k };
            for delta in [-2i128, -1, 0, 1, 2] {
                for value in [power.wrapping_add_signed(delta), power.wrapping_add_signed(delta).wrapping_neg()] {
                    parts.push(value.to_le_bytes()[..size].to_vec());
                }
            }
        }
        for value in [
            33554433u128,
            36028797018963969,
            65519,
            65520,
            65504,
            58000,
            u128::MAX - (1 << 103),
            u128::MAX - (1 << 103) + 1,
        ] {
            parts.push(value.to_le_bytes()[..size].to_vec());
        }
    }
    parts.sort();
    parts.dedup();
    if s.is_complex() {
        let n = parts.len();
        let zero = vec![0; size];
        for (i, re) in parts.iter().enumerate() {
            all.push([re.as_slice(), &zero].concat());
            all.push([zero.as_slice(), re].concat());
            all.push([re.as_slice(), &parts[(i * 7 + 3) % n]].concat());
        }
        return all;
    }
    parts
}

#[test]
fn the_oracle_agrees_with_rust_where_rust_is_exact() {
    for bytes in edges(Primitive::Float64) {
        let x = f64::from_le_bytes(bytes.clone().try_into().unwrap_or_default());
        let single = convert(Primitive::Float64, &bytes, Primitive::Float32, ErrorMode::None);
        assert!(same(Primitive::Float32, &single.unwrap_or_default(), &(x as f32).to_le_bytes()), "{x:?}");
        let back = convert(Primitive::Float64, &bytes, Primitive::Float64, ErrorMode::Inexact);
        assert!(same(Primitive::Float64, &back.unwrap_or_default(), &bytes), "{x:?}");
        if x.abs() < 9e18 {
            let integer = convert(Primitive::Float64, &bytes, Primitive::Int64, ErrorMode::None);
            assert_eq!(integer, Ok((x as i64).to_le_bytes().to_vec()), "{x:?}");
        }
    }
    for bytes in edges(Primitive::Int128) {
        let x = i128::from_le_bytes(bytes.clone().try_into().unwrap_or_default());
        let float = convert(Primitive::Int128, &bytes, Primitive::Float64, ErrorMode::None);
        assert_eq!(float, Ok((x as f64).to_le_bytes().to_vec()), "{x}");
        let short = convert(Primitive::Int128, &bytes, Primitive::Int16, ErrorMode::Overflow).ok();
        assert_eq!(short, i16::try_from(x).ok().map(|x| x.to_le_bytes().to_vec()), "{x}");
    }
}
