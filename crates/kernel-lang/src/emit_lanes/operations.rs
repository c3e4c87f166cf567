//! Single operations: on scalars, which are the same in all lanes, and on lanes.

use crate::Ty;
use crate::ir::{Op, UnaryOp};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

pub(super) fn float(x: f64) -> TokenStream {
    let bits = Literal::u64_suffixed(x.to_bits());
    quote!(f64::from_bits(#bits))
}

pub(super) fn integer(i: i128, ty: &Ty) -> TokenStream {
    let number = match *ty {
        Ty::I32 => Literal::i32_suffixed(i as i32),
        Ty::U32 => Literal::u32_suffixed(i as u32),
        Ty::I64 => Literal::i64_suffixed(i as i64),
        Ty::U64 => Literal::u64_suffixed(i as u64),
        _ => Literal::usize_suffixed(i as usize),
    };
    quote!((#number))
}

pub(super) fn scalar_name(ty: &Ty) -> Ident {
    Ident::new(&ty.spell(), Span::call_site())
}

/// The type on lanes, where it is made of scalars: spelled out, it needs no look for what a projection stands for.
pub fn lane_type(ty: &Ty) -> Option<TokenStream> {
    Some(match ty {
        &Ty::F64 => quote!(GmL::F64),
        &Ty::F32 => quote!(GmL::F32),
        &Ty::I64 => quote!(GmL::I64),
        &(Ty::U64 | Ty::Usize) => quote!(GmL::U64),
        &Ty::I32 => quote!(GmL::I32),
        &Ty::U32 => quote!(GmL::U32),
        &Ty::Bool => quote!(GmL::Mask),
        Ty::Tuple(items) => {
            let items = items.iter().map(lane_type).collect::<Option<Vec<_>>>()?;
            quote!((#(#items),*))
        }
        _ => return None,
    })
}

/// What makes a variable of a declaration: its type, as far as it is known here, and zeros.
pub(super) fn zero(ty: &Ty) -> TokenStream {
    let ty = lane_type(ty).map(|ty| quote!(: #ty));
    quote!(#ty = gm_lanes::Blend::<GmL>::zero(l))
}

/// A scalar in every lane.
pub(super) fn splat(ty: &Ty, x: &TokenStream) -> TokenStream {
    match *ty {
        Ty::F64 => quote!(l.f64_splat(#x)),
        Ty::I64 => quote!(l.i64_splat(#x)),
        Ty::U64 => quote!(l.u64_splat(#x)),
        Ty::Bool => quote!(l.mask_splat(#x)),
        _ => {
            let ty = scalar_name(ty);
            quote!(<#ty as gm_lanes::LaneType>::splat(l, #x))
        }
    }
}

/// `i64`, or `u64` for all unsigned ones of that width: the prefix of the operations in `Lanes`.
pub(super) fn wide_prefix(ty: &Ty) -> Option<&'static str> {
    match *ty {
        Ty::I64 => Some("i64"),
        Ty::U64 | Ty::Usize => Some("u64"),
        _ => None,
    }
}

pub(super) fn op_name(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::BitAnd => "and",
        Op::BitOr => "or",
        Op::BitXor => "xor",
        Op::Eq => "eq",
        Op::Ne => "ne",
        Op::Lt => "lt",
        Op::Le => "le",
        Op::Gt => "gt",
        Op::Ge => "ge",
        Op::Div | Op::Rem | Op::And | Op::Or | Op::Shl | Op::Shr => return None,
    })
}

/// An operator on scalars, with the meaning of the language.
pub(super) fn scalar_binary(op: Op, ty: &Ty, a: &TokenStream, b: &TokenStream) -> TokenStream {
    let exact = |name: &str| {
        let name = Ident::new(name, Span::call_site());
        quote!(::gristmill_kernel::__private::exact::#name(#a, #b))
    };
    match op {
        Op::Add if ty.is_int() => exact("add"),
        Op::Sub if ty.is_int() => exact("sub"),
        Op::Mul if ty.is_int() => exact("mul"),
        Op::Div if ty.is_int() => exact("div"),
        Op::Rem if ty.is_int() => exact("rem"),
        Op::Shl => exact("shl"),
        Op::Shr => exact("shr"),
        Op::Add => quote!((#a + #b)),
        Op::Sub => quote!((#a - #b)),
        Op::Mul => quote!((#a * #b)),
        Op::Div => quote!((#a / #b)),
        Op::Rem => quote!((#a % #b)),
        Op::And => quote!((#a && #b)),
        Op::Or => quote!((#a || #b)),
        Op::BitAnd => quote!((#a & #b)),
        Op::BitOr => quote!((#a | #b)),
        Op::BitXor => quote!((#a ^ #b)),
        Op::Eq => quote!((#a == #b)),
        Op::Ne => quote!((#a != #b)),
        Op::Lt => quote!((#a < #b)),
        Op::Le => quote!((#a <= #b)),
        Op::Gt => quote!((#a > #b)),
        Op::Ge => quote!((#a >= #b)),
    }
}

pub(super) fn scalar_unary(op: UnaryOp, ty: &Ty, a: &TokenStream) -> TokenStream {
    match op {
        UnaryOp::Neg if ty.is_int() => quote!(::gristmill_kernel::__private::exact::neg(#a)),
        UnaryOp::Neg => quote!((-#a)),
        UnaryOp::Not => quote!((!#a)),
    }
}

pub(super) fn scalar_method(name: &str, ty: &Ty, result: &Ty, args: &[TokenStream]) -> TokenStream {
    let exact = match name {
        "min" | "max" | "to_bits" | "is_sign_negative" | "is_sign_positive" | "copysign" => Some(name),
        "wrapping_div" => Some("div"),
        "wrapping_rem" => Some("rem"),
        "abs" | "wrapping_abs" if ty.is_int() => Some("abs"),
        _ => None,
    };
    let (first, rest) = (&args[0], &args[1..]);
    if let Some(name) = exact {
        let name = Ident::new(name, Span::call_site());
        return quote!(::gristmill_kernel::__private::exact::#name(#(#args),*));
    }
    let method = Ident::new(name, Span::call_site());
    if name == "from_bits" {
        let ty = scalar_name(result);
        return quote!(#ty::from_bits(#first));
    }
    quote!((#first).#method(#(#rest),*))
}

pub(super) fn native(prefix: &str, name: &str, args: &[&TokenStream]) -> TokenStream {
    let name = format_ident!("{prefix}_{name}");
    quote!(l.#name(#(#args),*))
}

pub(super) fn unary(op: UnaryOp, ty: &Ty, a: &TokenStream) -> TokenStream {
    let name = if op == UnaryOp::Neg { "neg" } else { "not" };
    match (ty, wide_prefix(ty)) {
        (&Ty::F64, _) => native("f64", name, &[a]),
        (&Ty::Bool, _) => native("mask", name, &[a]),
        (_, Some(prefix)) => native(prefix, name, &[a]),
        _ => {
            let (t, f) = (scalar_name(ty), scalar_unary(op, ty, &quote!(x)));
            quote!(gm_lanes::map1(l, #a, #[inline(always)] |x: #t| #f))
        }
    }
}

pub(super) fn binary(op: Op, ty: &Ty, right: &Ty, a: &TokenStream, b: &TokenStream) -> TokenStream {
    if let Some(name) = op_name(op) {
        let arithmetic = !matches!(op, Op::BitAnd | Op::BitOr | Op::BitXor);
        if *ty == Ty::F64 && arithmetic {
            return native("f64", name, &[a, b]);
        }
        if let Some(prefix) = wide_prefix(ty) {
            return native(prefix, name, &[a, b]);
        }
        if *ty == Ty::Bool {
            match op {
                Op::BitAnd | Op::BitOr | Op::BitXor => return native("mask", name, &[a, b]),
                Op::Ne => return native("mask", "xor", &[a, b]),
                Op::Eq => return quote!(l.mask_not(l.mask_xor(#a, #b))),
                _ => {}
            }
        }
    }
    if op == Op::Div && *ty == Ty::F64 {
        return native("f64", "div", &[a, b]);
    }
    let (t, u) = (scalar_name(ty), scalar_name(right));
    let f = scalar_binary(op, ty, &quote!(x), &quote!(y));
    quote!(gm_lanes::map2(l, #a, #b, #[inline(always)] |x: #t, y: #u| #f))
}

/// By a count that is the same in all lanes.
pub(super) fn shift(op: Op, ty: &Ty, a: &TokenStream, count: &TokenStream) -> TokenStream {
    let name = if op == Op::Shl { "shl" } else { "shr" };
    let prefix = wide_prefix(ty).expect("of 64 bits");
    native(prefix, name, &[a, &quote!(l.u64_splat(#count as u64 & 63))])
}

pub(super) fn cast(from: &Ty, to: &Ty, a: &TokenStream) -> TokenStream {
    let unsigned = |t: &Ty| matches!(*t, Ty::U64 | Ty::Usize);
    match (from, to) {
        (x, y) if x == y || (unsigned(x) && unsigned(y)) => a.clone(),
        (&Ty::F64, &Ty::I64) => quote!(l.f64_to_i64(#a)),
        (&Ty::F64, t) if unsigned(t) => quote!(l.f64_to_u64(#a)),
        (&Ty::F64, &Ty::I32) => quote!(l.f64_to_i32(#a)),
        (&Ty::I64, &Ty::F64) => quote!(l.i64_to_f64(#a)),
        (t, &Ty::F64) if unsigned(t) => quote!(l.u64_to_f64(#a)),
        (&Ty::I32, &Ty::F64) => quote!(l.i32_to_f64(#a)),
        (&Ty::I64, t) if unsigned(t) => quote!(l.i64_as_u64(#a)),
        (t, &Ty::I64) if unsigned(t) => quote!(l.u64_as_i64(#a)),
        (&Ty::U32, t) if unsigned(t) => quote!(l.u32_to_u64(#a)),
        (t, &Ty::U32) if unsigned(t) => quote!(l.u64_to_u32(#a)),
        _ => {
            let (t, u) = (scalar_name(from), scalar_name(to));
            quote!(gm_lanes::map1(l, #a, #[inline(always)] |x: #t| x as #u))
        }
    }
}

pub(super) fn method(name: &str, types: &[&Ty], result: &Ty, v: &[TokenStream]) -> TokenStream {
    let args: Vec<&TokenStream> = v.iter().collect();
    let ty = types[0];
    if *ty == Ty::F64 {
        // All of them: see builtins.rs of kernel-lang.
        return native("f64", name, &args);
    }
    if name == "from_bits" && *ty == Ty::U64 {
        return native("f64", "from_bits", &args);
    }
    if let Some(prefix) = wide_prefix(ty) {
        match name {
            "wrapping_add" | "wrapping_sub" | "wrapping_mul" | "wrapping_neg" => {
                return native(prefix, &name["wrapping_".len()..], &args);
            }
            "abs" | "wrapping_abs" => return native(prefix, "abs", &args),
            "min" | "max" => return native(prefix, name, &args),
            _ => {}
        }
    }
    let names = [quote!(x), quote!(y), quote!(z)];
    let f = scalar_method(name, ty, result, &names[..v.len()]);
    let params = types.iter().zip(&names).map(|(t, n)| {
        let t = scalar_name(t);
        quote!(#n: #t)
    });
    let map = format_ident!("map{}", v.len());
    quote!(gm_lanes::#map(l, #(#v,)* #[inline(always)] |#(#params),*| #f))
}

/// Is the value of a `match` inside an inclusive range?
pub(super) fn in_range(ty: &Ty, value: &Ident, range: (Option<i128>, Option<i128>)) -> TokenStream {
    if *ty == Ty::Bool {
        let holds = |b: i128| range.0.is_none_or(|lo| lo <= b) && range.1.is_none_or(|hi| b <= hi);
        return match (holds(0), holds(1)) {
            (true, true) => quote!(l.mask_splat(true)),
            (true, false) => quote!(l.mask_not(#value)),
            (false, true) => quote!(#value),
            (false, false) => quote!(l.mask_splat(false)),
        };
    }
    let literal = |i: i128| splat(ty, &integer(i, ty));
    let value = quote!(#value);
    match range {
        (None, None) => quote!(l.mask_splat(true)),
        (Some(lo), Some(hi)) if lo == hi => binary(Op::Eq, ty, ty, &value, &literal(lo)),
        (Some(lo), None) => binary(Op::Le, ty, ty, &literal(lo), &value),
        (None, Some(hi)) => binary(Op::Le, ty, ty, &value, &literal(hi)),
        (Some(lo), Some(hi)) => {
            let (a, b) = (binary(Op::Le, ty, ty, &literal(lo), &value), binary(Op::Le, ty, ty, &value, &literal(hi)));
            quote!(l.mask_and(#a, #b))
        }
    }
}
