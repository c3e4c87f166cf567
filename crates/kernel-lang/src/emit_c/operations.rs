//! Single operations: what C leaves undefined, made total.

use super::pure::atom;
use crate::ir::*;
use gristmill_scalar::{hex_f32, hex_f64};

pub(super) fn float(v: FloatLit, ty: &Ty) -> String {
    if *ty == Ty::F32 { hex_f32(v.f32) } else { hex_f64(v.f64) }
}

/// An integer as a C constant of type `ty`.
pub(crate) fn int(v: i128, ty: &Ty) -> String {
    match *ty {
        Ty::I32 if v == i32::MIN as i128 => "(-2147483647 - 1)".into(),
        Ty::I64 if v == i64::MIN as i128 => "(-9223372036854775807L - 1L)".into(),
        Ty::U32 => format!("{v}u"),
        Ty::U64 | Ty::Usize => format!("{v}UL"),
        Ty::I64 if v < 0 => format!("({v}L)"),
        Ty::I64 => format!("{v}L"),
        _ if v < 0 => format!("({v})"),
        _ => format!("{v}"),
    }
}

pub(super) fn unsigned_of(ty: &Ty) -> &'static str {
    if ty.bits() == 32 { "uint" } else { "ulong" }
}

/// `v` as the unsigned type of the same width.
pub(super) fn unwrap(ty: &Ty, v: &str) -> String {
    if ty.is_signed() { format!("as_{}({v})", unsigned_of(ty)) } else { atom(v) }
}

/// An unsigned expression as `ty`.
pub(super) fn wrap(ty: &Ty, v: &str) -> String {
    if ty.is_signed() { format!("as_{}({v})", c_type(ty)) } else { v.to_string() }
}

pub(super) fn binary(op: Op, ty: &Ty, a: &str, b: &str) -> String {
    let symbol = match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Rem => "%",
        Op::And => "&&",
        Op::Or => "||",
        Op::BitAnd => "&",
        Op::BitOr => "|",
        Op::BitXor => "^",
        Op::Shl => "<<",
        Op::Shr => ">>",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Gt => ">",
        Op::Ge => ">=",
    };
    match op {
        Op::Add | Op::Sub | Op::Mul if ty.is_int() => {
            wrap(ty, &format!("{} {symbol} {}", unwrap(ty, a), unwrap(ty, b)))
        }
        Op::Div if ty.is_int() => format!("gm_div_{}({a}, {b})", ty.tag()),
        Op::Rem if ty.is_int() => format!("gm_rem_{}({a}, {b})", ty.tag()),
        Op::Div if *ty == Ty::F32 => format!("gm_div_f32({a}, {b})"),
        Op::Shl | Op::Shr => {
            let mask = match b.trim_end_matches(['u', 'U', 'L']).parse::<u32>() {
                Ok(n) if n < ty.bits() => n.to_string(),
                _ => format!("((uint)({b}) & {}u)", ty.bits() - 1),
            };
            if op == Op::Shl {
                wrap(ty, &format!("{} << {mask}", unwrap(ty, a)))
            } else {
                format!("{} >> {mask}", atom(a))
            }
        }
        _ => format!("{} {symbol} {}", atom(a), atom(b)),
    }
}

pub(super) fn cast(from: &Ty, to: &Ty, v: &str) -> String {
    match (from, to) {
        (a, b) if a == b => v.to_string(),
        (&Ty::F32, &Ty::F64) => format!("(double)({v})"),
        (_, &Ty::F64) => format!("(double)({v})"),
        (_, &Ty::F32) => format!("convert_float_rte({v})"),
        (&Ty::F64, to) => format!("gm_f64_{}({v})", to.tag()),
        (&Ty::F32, to) => format!("gm_f64_{}((double)({v}))", to.tag()),
        (from, &Ty::I32) if from.is_int() => format!("as_int((uint)({v}))"),
        (&(Ty::U64 | Ty::Usize), &Ty::I64) => format!("as_long({v})"),
        (_, to) => format!("({})({v})", c_type(to)),
    }
}

pub(super) fn method(name: &str, ty: &Ty, v: &[String]) -> String {
    let x = &v[0];
    let y = v.get(1).map_or("", String::as_str);
    if ty.is_float() {
        let tag = ty.tag();
        return match name {
            "abs" => format!("fabs({x})"),
            "sqrt" if *ty == Ty::F64 => format!("sqrt({x})"),
            "recip" => binary(Op::Div, ty, &float(FloatLit { f64: 1.0, f32: 1.0 }, ty), x),
            "mul_add" => format!("fma({x}, {y}, {})", v[2]),
            "round_ties_even" => format!("gm_rint_{tag}({x})"),
            "is_nan" => format!("(isnan({x}) != 0)"),
            "is_finite" => format!("(isfinite({x}) != 0)"),
            "is_infinite" => format!("(isinf({x}) != 0)"),
            "is_sign_negative" => format!("(int)(gm_bits_{tag}({x}) >> {})", ty.bits() - 1),
            "is_sign_positive" => format!("(int)(gm_bits_{tag}({x}) >> {}) == 0", ty.bits() - 1),
            "to_bits" => format!("gm_bits_{tag}({x})"),
            "sqrt" | "floor" | "ceil" | "trunc" | "fract" | "signum" | "copysign" | "min" | "max" => {
                format!("gm_{name}_{tag}({})", v.join(", "))
            }
            _ => unreachable!("the table of methods says otherwise: {name}"),
        };
    }
    let bits = ty.bits();
    match name {
        "from_bits" if *ty == Ty::U32 => format!("as_float({x})"),
        "from_bits" => format!("as_double({x})"),
        "wrapping_add" => binary(Op::Add, ty, x, y),
        "wrapping_sub" => binary(Op::Sub, ty, x, y),
        "wrapping_mul" => binary(Op::Mul, ty, x, y),
        "wrapping_div" => binary(Op::Div, ty, x, y),
        "wrapping_rem" => binary(Op::Rem, ty, x, y),
        "wrapping_shl" => binary(Op::Shl, ty, x, y),
        "wrapping_shr" => binary(Op::Shr, ty, x, y),
        "wrapping_neg" => wrap(ty, &format!("0 - {}", unwrap(ty, x))),
        "wrapping_abs" | "abs" => format!("gm_abs_{}({x})", ty.tag()),
        "rotate_left" => {
            wrap(ty, &format!("rotate({}, ({})({} & {}u))", unwrap(ty, x), unsigned_of(ty), atom(y), bits - 1))
        }
        "rotate_right" => {
            wrap(ty, &format!("rotate({}, ({})((0u - {}) & {}u))", unwrap(ty, x), unsigned_of(ty), atom(y), bits - 1))
        }
        "count_ones" => format!("(uint)popcount({x})"),
        "leading_zeros" => format!("(uint)clz({})", unwrap(ty, x)),
        "trailing_zeros" => format!("gm_ctz_u{bits}({})", unwrap(ty, x)),
        "min" | "max" => format!("{name}({x}, {y})"),
        _ => unreachable!("the table of methods says otherwise: {name}"),
    }
}
