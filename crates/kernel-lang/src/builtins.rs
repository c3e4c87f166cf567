//! What the language knows by name: constants of primitive types, exact methods, and the methods it must refuse.

use crate::ir::{FloatLit, Ty};
use gristmill_scalar::Scalar;

/// The primitive type of this name.
pub(crate) fn prim(name: &str) -> Option<Ty> {
    Scalar::parse(name).map(Ty::Scalar)
}

/// Is `path(..)` a function of a primitive type (`f64::from_bits`) rather than a kernel?
pub fn is_builtin_path(path: &syn::Path) -> bool {
    path.segments.len() == 2 && prim(&path.segments[0].ident.to_string()).is_some()
}

pub(crate) enum ConstValue {
    Float(FloatLit),
    Int(i128),
}

/// `f64::NAN`, `i32::MAX`, `std::f64::consts::PI`.
pub(crate) fn constant(path: &syn::Path) -> Option<(ConstValue, Ty)> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let n = names.len();
    let float = |f64: f64, f32: f32| ConstValue::Float(FloatLit { f64, f32 });
    if n >= 3 && names[n - 2] == "consts" && matches!(names[n - 3].as_str(), "f64" | "f32") {
        let ty = prim(&names[n - 3])?;
        macro_rules! consts {
            ($($name:ident)*) => { match names[n - 1].as_str() {
                $(stringify!($name) => float(std::f64::consts::$name, std::f32::consts::$name),)*
                _ => return None,
            } };
        }
        let value = consts!(PI TAU E LN_2 LN_10 LOG2_E LOG10_E LOG2_10 LOG10_2 SQRT_2 FRAC_1_SQRT_2 FRAC_PI_2 FRAC_PI_3
            FRAC_PI_4 FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI);
        return Some((value, ty));
    }
    if n != 2 {
        return None;
    }
    let ty = prim(&names[0])?;
    let name = names[1].as_str();
    if ty.is_float() {
        macro_rules! consts {
            ($($name:ident)*) => { match name {
                $(stringify!($name) => float(f64::$name, f32::$name),)*
                _ => return None,
            } };
        }
        return Some((consts!(NAN INFINITY NEG_INFINITY MAX MIN MIN_POSITIVE EPSILON), ty));
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
pub(crate) enum T {
    S,
    U32,
    Bits,
    Bool,
}

type Entry = (&'static str, &'static [T], T);

const FLOAT: &[Entry] = &[
    ("abs", &[], T::S),
    ("sqrt", &[], T::S),
    ("floor", &[], T::S),
    ("ceil", &[], T::S),
    ("trunc", &[], T::S),
    ("fract", &[], T::S),
    ("round_ties_even", &[], T::S),
    ("recip", &[], T::S),
    ("signum", &[], T::S),
    ("mul_add", &[T::S, T::S], T::S),
    ("copysign", &[T::S], T::S),
    ("min", &[T::S], T::S),
    ("max", &[T::S], T::S),
    ("to_bits", &[], T::Bits),
    ("is_nan", &[], T::Bool),
    ("is_finite", &[], T::Bool),
    ("is_infinite", &[], T::Bool),
    ("is_sign_negative", &[], T::Bool),
    ("is_sign_positive", &[], T::Bool),
];
const INT: &[Entry] = &[
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
const SIGNED: &[Entry] = &[("wrapping_abs", &[], T::S), ("abs", &[], T::S)];

pub(crate) fn method(ty: &Ty, name: &str) -> Option<Entry> {
    let tables: &[&[Entry]] = match ty {
        t if t.is_float() => &[FLOAT],
        t if t.is_signed() => &[INT, SIGNED],
        t if t.is_int() => &[INT],
        _ => &[],
    };
    tables.iter().flat_map(|t| t.iter()).find(|m| m.0 == name).copied()
}

/// The way out for a method that exists in Rust but is not exactly rounded, or not the same everywhere.
pub(crate) fn refused(ty: &Ty, name: &str) -> Option<String> {
    if ty.is_float() {
        let kernel = match name {
            "exp" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "cbrt"
            | "log10" | "log2" => format!("nmath::{name}"),
            "exp_m1" => "nmath::expm1".into(),
            "ln" => "nmath::log".into(),
            "ln_1p" => "nmath::log1p".into(),
            "powf" | "powi" => "nmath::pow".into(),
            "exp2" => "nmath::pow(2.0, x)".into(),
            "gamma" => "nmath::gammafn".into(),
            "ln_gamma" => "nmath::lgammafn".into(),
            "log" => "nmath::log(x) / nmath::log(base)".into(),
            "sin_cos" => "nmath::sin` and `nmath::cos".into(),
            "hypot" | "asinh" | "acosh" | "atanh" | "rem_euclid" | "div_euclid" | "to_degrees" | "to_radians" => {
                return Some(format!(
                    "`.{name}()` is not exactly rounded, so a device may give other bits: write it as a `#[kernel]` \
                     of your own"
                ));
            }
            "round" => {
                return Some(
                    "`.round()` (half away from zero) is not part of the kernel language: use `.round_ties_even()`, or \
                     `(x.abs() + 0.5).floor().copysign(x)`"
                        .into(),
                );
            }
            "clamp" => {
                return Some("`.clamp()` may panic: use `.max(lo).min(hi)`".into());
            }
            _ => return None,
        };
        return Some(format!(
            "`.{name}()` is not exactly rounded, so a device may give other bits: call the kernel `{kernel}` instead"
        ));
    }
    if ty.is_int() {
        for prefix in ["checked_", "saturating_", "overflowing_"] {
            if let Some(op) = name.strip_prefix(prefix) {
                return Some(format!("`.{name}()` is not part of the kernel language: use `wrapping_{op}` and test"));
            }
        }
        if name == "pow" {
            return Some("`.pow()` on integers is not part of the kernel language: multiply in a loop".into());
        }
    }
    None
}
