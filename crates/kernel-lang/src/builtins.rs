//! What the language knows by name: constants of primitive types, exact methods, and the methods it must refuse.

use crate::ir::Ty;

pub fn prim(name: &str) -> Option<Ty> {
    Some(match name {
        "f64" => Ty::F64,
        "i32" => Ty::I32,
        "i64" => Ty::I64,
        "u32" => Ty::U32,
        "u64" => Ty::U64,
        "usize" => Ty::Usize,
        "bool" => Ty::Bool,
        _ => return None,
    })
}

/// Is `path(..)` a function of a primitive type (`f64::from_bits`) rather than a kernel?
pub fn is_builtin_path(path: &syn::Path) -> bool {
    path.segments.len() == 2 && prim(&path.segments[0].ident.to_string()).is_some()
}

pub enum ConstValue {
    Float(f64),
    Int(i128),
}

/// `f64::NAN`, `i32::MAX`, `std::f64::consts::PI`.
pub fn constant(path: &syn::Path) -> Option<(ConstValue, Ty)> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let n = names.len();
    if n >= 3 && names[n - 2] == "consts" && names[n - 3] == "f64" {
        use std::f64::consts as c;
        let value = match names[n - 1].as_str() {
            "PI" => c::PI,
            "TAU" => c::TAU,
            "E" => c::E,
            "LN_2" => c::LN_2,
            "LN_10" => c::LN_10,
            "LOG2_E" => c::LOG2_E,
            "LOG10_E" => c::LOG10_E,
            "SQRT_2" => c::SQRT_2,
            "FRAC_1_SQRT_2" => c::FRAC_1_SQRT_2,
            "FRAC_PI_2" => c::FRAC_PI_2,
            "FRAC_PI_4" => c::FRAC_PI_4,
            "FRAC_1_PI" => c::FRAC_1_PI,
            "FRAC_2_PI" => c::FRAC_2_PI,
            "FRAC_2_SQRT_PI" => c::FRAC_2_SQRT_PI,
            _ => return None,
        };
        return Some((ConstValue::Float(value), Ty::F64));
    }
    if n != 2 {
        return None;
    }
    let ty = prim(&names[0])?;
    let name = names[1].as_str();
    if ty == Ty::F64 {
        let value = match name {
            "NAN" => f64::NAN,
            "INFINITY" => f64::INFINITY,
            "NEG_INFINITY" => f64::NEG_INFINITY,
            "MAX" => f64::MAX,
            "MIN" => f64::MIN,
            "MIN_POSITIVE" => f64::MIN_POSITIVE,
            "EPSILON" => f64::EPSILON,
            _ => return None,
        };
        return Some((ConstValue::Float(value), Ty::F64));
    }
    let (min, max) = match ty {
        Ty::I32 => (i32::MIN as i128, i32::MAX as i128),
        Ty::I64 => (i64::MIN as i128, i64::MAX as i128),
        Ty::U32 => (0, u32::MAX as i128),
        Ty::U64 | Ty::Usize => (0, u64::MAX as i128),
        _ => return None,
    };
    match name {
        "MAX" => Some((ConstValue::Int(max), ty)),
        "MIN" => Some((ConstValue::Int(min), ty)),
        "BITS" => Some((ConstValue::Int(ty.bits() as i128), Ty::U32)),
        _ => None,
    }
}

/// What an exact method takes besides the receiver, and what it gives. `S` is the receiver's type.
#[derive(Clone, Copy, PartialEq)]
pub enum T {
    S,
    U32,
    U64,
    Bool,
}

pub fn method(ty: &Ty, name: &str) -> Option<(&'static str, &'static [T], T)> {
    const FLOAT: &[(&str, &[T], T)] = &[
        ("abs", &[], T::S),
        ("sqrt", &[], T::S),
        ("floor", &[], T::S),
        ("ceil", &[], T::S),
        ("trunc", &[], T::S),
        ("round_ties_even", &[], T::S),
        ("recip", &[], T::S),
        ("mul_add", &[T::S, T::S], T::S),
        ("copysign", &[T::S], T::S),
        ("min", &[T::S], T::S),
        ("max", &[T::S], T::S),
        ("to_bits", &[], T::U64),
        ("is_nan", &[], T::Bool),
        ("is_finite", &[], T::Bool),
        ("is_infinite", &[], T::Bool),
        ("is_sign_negative", &[], T::Bool),
    ];
    const INT: &[(&str, &[T], T)] = &[
        ("wrapping_add", &[T::S], T::S),
        ("wrapping_sub", &[T::S], T::S),
        ("wrapping_mul", &[T::S], T::S),
        ("wrapping_div", &[T::S], T::S),
        ("wrapping_rem", &[T::S], T::S),
        ("wrapping_neg", &[], T::S),
        ("wrapping_shl", &[T::U32], T::S),
        ("wrapping_shr", &[T::U32], T::S),
        ("rotate_left", &[T::U32], T::S),
        ("rotate_right", &[T::U32], T::S),
        ("count_ones", &[], T::U32),
        ("leading_zeros", &[], T::U32),
        ("trailing_zeros", &[], T::U32),
        ("min", &[T::S], T::S),
        ("max", &[T::S], T::S),
    ];
    const SIGNED: &[(&str, &[T], T)] = &[("wrapping_abs", &[], T::S)];
    let tables: &[&[(&'static str, &'static [T], T)]] = match ty {
        Ty::F64 => &[FLOAT],
        t if t.is_signed() => &[INT, SIGNED],
        t if t.is_int() => &[INT],
        _ => &[],
    };
    tables.iter().flat_map(|t| t.iter()).find(|m| m.0 == name).copied()
}

/// The way out for a method that exists on `f64` but is not exactly rounded, or not the same everywhere.
pub fn refused(name: &str) -> Option<String> {
    let kernel = match name {
        "exp" | "exp2" | "exp_m1" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh"
        | "tanh" | "cbrt" | "hypot" | "sin_cos" | "log10" | "log2" | "gamma" => match name {
            "exp_m1" => "expm1",
            other => other,
        },
        "ln" => "log",
        "ln_1p" => "log1p",
        "log" => "log(x) / log(base), or log2, log10",
        "powf" | "powi" => "pow",
        "rem_euclid" | "div_euclid" | "asinh" | "acosh" | "atanh" => "a kernel of your own",
        "round" => {
            return Some(
                "`round` (half away from zero) has no exact counterpart here: use `round_ties_even`, \
            or `(x.abs() + 0.5).floor().copysign(x)`"
                    .into(),
            );
        }
        _ => return None,
    };
    Some(format!(
        "`.{name}()` is not exactly rounded, so a device may give other bits: call the kernel `{kernel}` instead"
    ))
}
