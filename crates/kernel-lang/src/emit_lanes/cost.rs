//! What a piece of code costs: whether to branch around it, inline it, or have a loop for each setting of the flags.

use super::{callee, for_block};
use crate::ir::{Block, Expr, Kind, Op};
use crate::{Reference, Ty};
use gristmill_scalar::CHEAP;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How many operations a piece of code is, roughly: what runs it for nothing costs.
#[derive(Default)]
pub(super) struct Cost {
    pub(super) own: u32,
    pub(super) callees: Vec<usize>,
}

impl Cost {
    pub(super) fn block(&mut self, b: &Block) {
        for_block(b, &mut |e| self.one(e));
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        e.visit(&mut |e| self.one(e));
    }

    fn one(&mut self, e: &Expr) {
        let wide = |t: &Ty| !matches!(*t, Ty::F32 | Ty::I32 | Ty::U32);
        self.own = self.own.saturating_add(match &e.kind {
            Kind::Binary(Op::Div | Op::Rem, a, _) => {
                if a.ty == Ty::F64 {
                    8
                } else {
                    100
                }
            }
            Kind::Binary(_, a, _) | Kind::Unary(_, a) | Kind::Cast(a) => {
                if wide(&a.ty) {
                    1
                } else {
                    8
                }
            }
            Kind::Method("sqrt" | "recip", _) => 10,
            Kind::Method("min" | "max" | "copysign" | "signum", _) => 5,
            Kind::Method(_, args) => {
                if wide(&args[0].ty) {
                    1
                } else {
                    8
                }
            }
            Kind::Index(..) => 6,
            Kind::If(..) => 2,
            Kind::Match(_, arms) => 3 * arms.len() as u32,
            Kind::Loop(..) | Kind::While(..) | Kind::For { .. } => 100_000,
            Kind::Call(i, _) => {
                self.callees.push(*i);
                0
            }
            _ => 0,
        });
    }

    /// As a constant expression.
    pub(super) fn tokens(&self, references: &[Reference]) -> TokenStream {
        let mut sum = {
            let own = self.own;
            quote!(#own)
        };
        for i in &self.callees {
            let callee = callee(*i, references[*i].span);
            sum = quote!(#sum.saturating_add(<#callee as ::gristmill_kernel::KernelItem>::COST));
        }
        sum
    }

    /// `code`, which is what costs that, under its mask: always where it is cheaper than a branch, otherwise if some lane takes it.
    ///
    /// Only where kernels are called is the decision left to rustc, which knows what they cost: each such constant is a body
    /// of its own.
    pub(super) fn under(&self, mask: &Ident, code: &TokenStream, references: &[Reference]) -> TokenStream {
        if self.own > CHEAP {
            return quote!(if l.any(#mask) { #code });
        }
        if self.callees.is_empty() {
            return quote!({ #code });
        }
        let sum = self.tokens(references);
        quote!(if const { #sum <= gm_lanes::CHEAP } || l.any(#mask) { #code })
    }
}
