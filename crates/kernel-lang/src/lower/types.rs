//! Types as written, and the things outside that they and the body name.

use super::err;
use crate::ir::*;
use crate::{Reference, builtins};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{Lit, Result};

/// Where a type stands: slices are for entry points only.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Inside,
    EntryParam,
}

pub(crate) fn parse_type(ty: &syn::Type, references: &mut Vec<Reference>, place: Place) -> Result<Ty> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() => {
            let last = p.path.segments.last().expect("a path has a segment");
            let name = last.ident.to_string();
            if let (Some(ty), 1) = (builtins::prim(&name), p.path.segments.len()) {
                return Ok(ty);
            }
            match name.as_str() {
                "i8" | "i16" | "u8" | "u16" | "isize" | "i128" | "u128" | "char" | "f16" | "f128" => {
                    return err(
                        last.ident.span(),
                        format!("`{name}` is not a kernel type: use f64, f32, i32, i64, u32 or u64"),
                    );
                }
                "String" | "Vec" | "Box" | "Option" | "Result" | "str" | "Self" => {
                    return err(
                        last.ident.span(),
                        format!(
                            "`{name}` is not a kernel type: there are numbers, bool, tuples, fixed-size arrays and \
                             `#[kernel] struct`s"
                        ),
                    );
                }
                _ => {}
            }
            if let Some(s) = p.path.segments.iter().find(|s| !s.arguments.is_none()) {
                return err(s.span(), "generic types are not part of the kernel language: write one struct per type");
            }
            Ok(Ty::Struct(StructRef::Path(add_reference(references, &p.path))))
        }
        syn::Type::Tuple(t) if t.elems.is_empty() => Ok(Ty::Unit),
        syn::Type::Tuple(t) if t.elems.len() == 1 => err(t.span(), "a tuple has two or more parts here"),
        syn::Type::Tuple(t) => {
            Ok(Ty::Tuple(t.elems.iter().map(|t| parse_type(t, references, Place::Inside)).collect::<Result<_>>()?))
        }
        syn::Type::Array(a) => {
            let elem = parse_type(&a.elem, references, Place::Inside)?;
            Ok(Ty::Array(Box::new(elem), array_len(&a.len, &HashMap::new())?))
        }
        syn::Type::Paren(p) => parse_type(&p.elem, references, place),
        syn::Type::Group(g) => parse_type(&g.elem, references, place),
        syn::Type::Reference(r) => match &*r.elem {
            syn::Type::Slice(s) if place == Place::EntryParam => {
                let elem = parse_type(&s.elem, references, Place::Inside)?;
                match elem {
                    Ty::Scalar(scalar) => Ok(Ty::Slice(scalar, r.mutability.is_some())),
                    _ => err(s.elem.span(), "a slice holds numbers or bools"),
                }
            }
            syn::Type::Slice(_) => err(
                r.and_token.span,
                "slices are for entry points: `#[kernel(entry)] fn f(i: usize, x: &[f64], y: &mut [f64])`; elsewhere pass \
                 elements or a fixed-size array",
            ),
            other if r.mutability.is_some() => Ok(Ty::Ref(Box::new(parse_type(other, references, Place::Inside)?))),
            _ => err(r.and_token.span, "shared references are not part of the kernel language: pass the value"),
        },
        other => err(
            other.span(),
            "not a kernel type: there are numbers, bool, tuples, fixed-size arrays and `#[kernel] struct`s",
        ),
    }
}

pub(super) fn array_len(len: &syn::Expr, known: &HashMap<String, usize>) -> Result<usize> {
    match len {
        syn::Expr::Lit(syn::ExprLit { lit: Lit::Int(n), .. }) => match n.base10_parse::<usize>()? {
            0 => err(n.span(), "an array has at least one element"),
            n => Ok(n),
        },
        syn::Expr::Group(g) => array_len(&g.expr, known),
        syn::Expr::Paren(g) => array_len(&g.expr, known),
        syn::Expr::Path(p) if p.path.get_ident().is_some_and(|i| known.contains_key(&i.to_string())) => {
            Ok(known[&p.path.get_ident().expect("tested").to_string()])
        }
        other => err(
            other.span(),
            "the length of an array must be an integer literal here (or a `const N: usize = 8;` inside the function)",
        ),
    }
}

pub(super) fn add_reference(references: &mut Vec<Reference>, path: &syn::Path) -> usize {
    references.iter().position(|r| r.path == *path).unwrap_or_else(|| {
        let span = path.segments.last().expect("a path has a segment").ident.span();
        references.push(Reference { path: path.clone(), span, uses: vec![] });
        references.len() - 1
    })
}
