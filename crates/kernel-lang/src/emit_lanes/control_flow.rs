//! Arms and labelled blocks: each a region with a mask of its own.

use super::operations::{in_range, zero};
use super::{Cost, Emit, Jumps, Result, Unsupported, Value, for_block};
use crate::Ty;
use crate::ir::{Arm, Block, Expr, Kind, LoopId};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// A variable for the value of a construct; none if it has no value.
    pub(super) fn value_place(&mut self, ty: &Ty) -> Option<Ident> {
        if matches!(ty, Ty::Unit | Ty::Never) {
            return None;
        }
        let v = self.fresh("v");
        let zero = zero(ty);
        self.push(quote!(let mut #v #zero;));
        Some(v)
    }

    pub(super) fn outcome(place: Option<Ident>, ty: &Ty) -> Value {
        match place {
            Some(v) => Value::Lanes(quote!(#v)),
            None if *ty == Ty::Never => Value::Never,
            None => Value::Uniform(quote!(())),
        }
    }

    pub(super) fn if_else(&mut self, c: &Expr, then: &Block, other: Option<&Expr>, ty: &Ty) -> Result<Value> {
        if self.is_uniform(c) {
            // All lanes take the same arm: no new region.
            let place = self.value_place(ty);
            let c = self.uniform_tokens(c);
            let store = |emit: &mut Self, value: Value, ty: &Ty| {
                if let (Some(place), false) = (&place, matches!(value, Value::Never)) {
                    let v = emit.lanes(value, ty);
                    emit.push(quote!(#place = #v;));
                }
            };
            let (yes, ()) = self.piece(|emit| {
                let v = emit.block(then)?;
                store(emit, v, &then.ty);
                Ok(())
            })?;
            let (no, ()) = self.piece(|emit| {
                if let Some(o) = other {
                    let v = emit.expr(o)?;
                    store(emit, v, &o.ty);
                }
                Ok(())
            })?;
            self.push(quote!(if #c { #yes } else { #no }));
            return Ok(Self::outcome(place, ty));
        }
        let Some(c_value) = self.operands(&[c])? else { return Ok(Value::Never) };
        let c_value = &c_value[0];
        let place = self.value_place(ty);
        let (test, yes, no) = (self.fresh("c"), self.fresh("m"), self.fresh("m"));
        let m = self.mask.clone();
        self.push(quote! {
            let #test = #c_value;
            let mut #yes = l.mask_and(#m, #test);
            let mut #no = l.mask_without(#m, #test);
        });
        let mut jumps = false;
        let mut cost = Cost::default();
        cost.block(then);
        for_block(then, &mut |e| jumps |= is_jump(e));
        let (code, ()) = self.region(&yes, |emit| {
            let value = emit.block(then)?;
            if let (Some(place), false) = (&place, matches!(value, Value::Never)) {
                let v = emit.lanes(value, &then.ty);
                emit.push(quote!(#place = #v;));
            }
            Ok(())
        })?;
        self.push(cost.under(&yes, &code, self.references));
        if let Some(o) = other {
            let mut cost = Cost::default();
            cost.expr(o);
            o.visit(&mut |e| jumps |= is_jump(e));
            let (code, ()) = self.region(&no, |emit| {
                let value = emit.expr(o)?;
                if let (Some(place), false) = (&place, matches!(value, Value::Never)) {
                    let v = emit.lanes(value, &o.ty);
                    let no = &no;
                    // Lanes that took the other arm have their value.
                    emit.push(quote!(#place = gm_lanes::Blend::<GmL>::blend(l, #no, #v, #place);));
                }
                Ok(())
            })?;
            self.push(cost.under(&no, &code, self.references));
        }
        if jumps {
            self.push(quote!(#m = l.mask_or(#yes, #no);));
        }
        Ok(Self::outcome(place, ty))
    }

    pub(super) fn match_arms(&mut self, s: &Expr, arms: &[Arm], ty: &Ty) -> Result<Value> {
        let Some(v) = self.operands(&[s])? else { return Ok(Value::Never) };
        let v = &v[0];
        let place = self.value_place(ty);
        let (value, left, after) = (self.fresh("s"), self.fresh("m"), self.fresh("m"));
        let m = self.mask.clone();
        self.push(quote! {
            let #value = #v;
            let mut #left = #m;
            let mut #after = l.mask_splat(false);
        });
        let last = arms.len() - 1;
        for (k, arm) in arms.iter().enumerate() {
            let mine = self.fresh("m");
            let test = if k == last && arm.guard.is_none() {
                None
            } else {
                let tests: Vec<TokenStream> = arm.ranges.iter().map(|r| in_range(&s.ty, &value, *r)).collect();
                Some(tests.into_iter().reduce(|a, b| quote!(l.mask_or(#a, #b))).unwrap_or(quote!(l.mask_splat(true))))
            };
            match test {
                Some(test) => self.push(quote!(let mut #mine = l.mask_and(#left, #test);)),
                None => self.push(quote!(let mut #mine = #left;)),
            }
            if let Some(id) = arm.bind {
                let x = self.local(id);
                self.region_of[id] = usize::MAX;
                let mutable = self.mutable(id);
                self.push(quote!(let #mutable #x = #value;));
            }
            if let Some(g) = &arm.guard {
                let j = Jumps::of(g);
                if j.any() {
                    return Err(Unsupported);
                }
                let before = std::mem::replace(&mut self.mask, mine.clone());
                let guard = self.operands(&[g]);
                self.mask = before;
                let Some(guard) = guard? else { return Err(Unsupported) };
                let guard = &guard[0];
                self.push(quote!(#mine = l.mask_and(#mine, #guard);));
            }
            self.push(quote!(#left = l.mask_without(#left, #mine);));
            let mut cost = Cost::default();
            cost.expr(&arm.body);
            let (code, ()) = self.region(&mine, |emit| {
                let v = emit.expr(&arm.body)?;
                if let (Some(place), false) = (&place, matches!(v, Value::Never)) {
                    let v = emit.lanes(v, &arm.body.ty);
                    let mine = &mine;
                    emit.push(quote!(#place = gm_lanes::Blend::<GmL>::blend(l, #mine, #v, #place);));
                }
                Ok(())
            })?;
            let code = cost.under(&mine, &code, self.references);
            self.push(quote!(#code #after = l.mask_or(#after, #mine);));
        }
        self.push(quote!(#m = l.mask_or(#after, #left);));
        Ok(Self::outcome(place, ty))
    }

    pub(super) fn labeled(&mut self, id: LoopId, b: &Block, ty: &Ty) -> Result<Value> {
        let state = self.enter_loop(id);
        let mine = self.fresh("m");
        let m = self.mask.clone();
        self.push(quote!(let mut #mine = #m;));
        let (code, ()) = self.region(&mine, |emit| {
            let v = emit.block(b)?;
            if let (Some(place), false) = (&state.value, matches!(v, Value::Never)) {
                let v = emit.lanes(v, &b.ty);
                let mine = &mine;
                emit.push(quote!(#place = gm_lanes::Blend::<GmL>::blend(l, #mine, #v, #place);));
            }
            Ok(())
        })?;
        let broken = &state.broken;
        self.push(quote!({ #code } #m = l.mask_or(#mine, #broken);));
        Ok(Self::outcome(state.value, ty))
    }
}

fn is_jump(e: &Expr) -> bool {
    matches!(e.kind, Kind::Return(_) | Kind::Break(..) | Kind::Continue(_))
}
