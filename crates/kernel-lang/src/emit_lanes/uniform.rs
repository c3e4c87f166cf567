//! What is the same in all lanes by construction stays scalar.

use super::Emit;
use super::operations::{float, integer, scalar_binary, scalar_method, scalar_name, scalar_unary};
use crate::Ty;
use crate::ir::{Expr, Kind};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Emit<'_> {
    pub(super) fn is_uniform(&self, e: &Expr) -> bool {
        if !e.ty.is_scalar() {
            return false;
        }
        match &e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Const(_) => true,
            Kind::Local(id) => self.uniform[*id],
            Kind::Field(..) => self.constant(e).is_some(),
            Kind::Unary(_, a) | Kind::Cast(a) => self.is_uniform(a),
            Kind::Binary(_, a, b) => self.is_uniform(a) && self.is_uniform(b),
            Kind::Method(_, args) => args.iter().all(|a| self.is_uniform(a)),
            Kind::Index(base, i) => self.is_uniform(i) && self.table(base).is_some_and(|(_, rows)| rows.is_none()),
            _ => false,
        }
    }

    /// A constant, or a part of one.
    pub(super) fn constant(&self, e: &Expr) -> Option<TokenStream> {
        match &e.kind {
            Kind::Const(i) => {
                let path = &self.references[*i].path;
                Some(quote!(#path))
            }
            Kind::Field(base, k) => {
                let (base, k) = (self.constant(base)?, syn::Index::from(*k));
                Some(quote!(#base.#k))
            }
            _ => None,
        }
    }

    /// A constant table, or a row of one: tokens for it; with the index of a row that varies, the table and the index.
    pub(super) fn table<'e>(&self, base: &'e Expr) -> Option<(TokenStream, Option<&'e Expr>)> {
        match &base.kind {
            Kind::Const(_) => self.constant(base).map(|table| (table, None)),
            Kind::Index(outer, i) => match self.table(outer)? {
                (table, None) if self.is_uniform(i) => {
                    let i = self.uniform_tokens(i);
                    let at = quote!(gm_lanes::index(#i, ::gristmill_kernel::__private::exact::len(&#table)));
                    Some((quote!(#table[#at]), None))
                }
                (table, None) => Some((table, Some(i))),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn uniform_tokens(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            Kind::Float(x) if e.ty == Ty::F32 => {
                let bits = Literal::u32_suffixed(x.f32.to_bits());
                quote!(f32::from_bits(#bits))
            }
            Kind::Float(x) => float(x.f64),
            Kind::Int(i) => {
                let number = integer(*i, &e.ty);
                quote!(#number)
            }
            Kind::Bool(b) => quote!(#b),
            Kind::Const(_) | Kind::Field(..) => self.constant(e).expect("is_uniform has looked"),
            Kind::Local(id) => {
                let x = self.local(*id);
                quote!(#x)
            }
            Kind::Unary(op, a) => scalar_unary(*op, &a.ty, &self.uniform_tokens(a)),
            Kind::Cast(a) => {
                let (a, ty) = (self.uniform_tokens(a), scalar_name(&e.ty));
                quote!((#a as #ty))
            }
            Kind::Binary(op, a, b) => scalar_binary(*op, &a.ty, &self.uniform_tokens(a), &self.uniform_tokens(b)),
            Kind::Method(name, args) => {
                let tokens: Vec<TokenStream> = args.iter().map(|a| self.uniform_tokens(a)).collect();
                scalar_method(name, &args[0].ty, &e.ty, &tokens)
            }
            Kind::Index(base, i) => {
                let (table, _) = self.table(base).expect("is_uniform has looked");
                let i = self.uniform_tokens(i);
                quote!(#table[gm_lanes::index(#i, ::gristmill_kernel::__private::exact::len(&#table))])
            }
            _ => unreachable!("is_uniform has looked"),
        }
    }
}
