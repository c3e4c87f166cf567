//! Expressions, and the jumps among them.

use super::operations::{binary, cast, method, shift, unary, wide_prefix};
use super::places::field;
use super::{Cost, Emit, Jumps, Result, Unsupported, Value, callee, struct_alias};
use crate::Ty;
use crate::ir::{Block, Expr, Kind, Op, StructRef, UnaryOp};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl Emit<'_> {
    /// Operands in order; one that is evaluated before statements of a later one is kept in a variable.
    pub(super) fn operands(&mut self, list: &[&Expr]) -> Result<Option<Vec<TokenStream>>> {
        let mut out = vec![];
        for (k, e) in list.iter().enumerate() {
            let value = self.expr(e)?;
            if matches!(value, Value::Never) {
                return Ok(None);
            }
            let tokens = self.lanes_or_unit(value, &e.ty);
            let later = list[k + 1..].iter().any(|e| {
                let j = Jumps::of(e);
                j.statements || j.any()
            });
            if later && !self.is_lasting(e) {
                let t = self.fresh("t");
                self.push(quote!(let #t = #tokens;));
                out.push(quote!(#t));
            } else {
                out.push(tokens);
            }
        }
        Ok(Some(out))
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Result<Value> {
        if self.is_uniform(e) {
            return Ok(Value::Uniform(self.uniform_tokens(e)));
        }
        macro_rules! operands {
            ($($e:expr),*) => {
                match self.operands(&[$($e),*])? {
                    Some(list) => list,
                    None => return Ok(Value::Never),
                }
            };
        }
        Ok(Value::Lanes(match &e.kind {
            Kind::Unit => return Ok(Value::Uniform(quote!(()))),
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) => unreachable!("uniform"),
            Kind::Const(_) if matches!(e.ty, Ty::Array(..)) => return Err(Unsupported), // a whole table
            Kind::Const(_) => {
                let value = self.constant(e).expect("it is one");
                quote!(gm_lanes::LaneType::splat(l, #value))
            }
            Kind::Local(id) => {
                let x = self.local(*id);
                if self.reference[*id] { quote!((*#x)) } else { quote!(#x) }
            }
            Kind::Unary(op, a) => {
                let v = operands!(a);
                unary(*op, &a.ty, &v[0])
            }
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => return self.short_circuit(*op, a, b),
            Kind::Binary(op, a, b) => {
                if matches!(op, Op::Shl | Op::Shr) && wide_prefix(&a.ty).is_some() && self.is_uniform(b) {
                    let v = operands!(a);
                    let count = self.uniform_tokens(b);
                    return Ok(Value::Lanes(shift(*op, &a.ty, &v[0], &count)));
                }
                let v = operands!(a, b);
                binary(*op, &a.ty, &b.ty, &v[0], &v[1])
            }
            Kind::Cast(a) => {
                let v = operands!(a);
                cast(&a.ty, &e.ty, &v[0])
            }
            Kind::Method(name, args) => {
                let first = &args[0];
                if let Some(op) = match *name {
                    "wrapping_shl" => Some(Op::Shl),
                    "wrapping_shr" => Some(Op::Shr),
                    _ => None,
                } && wide_prefix(&first.ty).is_some()
                    && self.is_uniform(&args[1])
                {
                    let v = operands!(first);
                    let count = self.uniform_tokens(&args[1]);
                    return Ok(Value::Lanes(shift(op, &first.ty, &v[0], &count)));
                }
                let list: Vec<&Expr> = args.iter().collect();
                let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
                let types: Vec<&Ty> = args.iter().map(|a| &a.ty).collect();
                method(name, &types, &e.ty, &v)
            }
            Kind::Call(i, args) => {
                let callee = callee(*i, self.references[*i].span);
                let list: Vec<&Expr> = args.iter().collect();
                let Some(mut v) = self.operands(&list)? else { return Ok(Value::Never) };
                for (k, arg) in args.iter().enumerate() {
                    // A bare literal has the type of the parameter, which only the callee knows.
                    if let Some(i) = bare_literal(arg) {
                        let (splat, magnitude) =
                            (format_ident!("lanes_arg{k}"), Literal::u128_unsuffixed(i.unsigned_abs()));
                        let minus = (i < 0).then(|| quote!(-));
                        v[k] = quote!(#callee::#splat(l, #minus #magnitude));
                    } else {
                        v[k] = self.argument(arg, v[k].clone())?;
                    }
                }
                let m = &self.mask;
                quote!(#callee::lanes_call(l, #m, #(#v),*))
            }
            Kind::Tuple(items) => {
                let list: Vec<&Expr> = items.iter().collect();
                let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
                quote!((#(#v),*))
            }
            Kind::Array(items) => {
                let list: Vec<&Expr> = items.iter().collect();
                let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
                quote!([#(#v),*])
            }
            Kind::Repeat(x, n) => {
                let v = operands!(x);
                let v = &v[0];
                quote!([#v; #n])
            }
            Kind::Struct(fields) => {
                let Ty::Struct(StructRef::Path(i)) = e.ty else { return Err(Unsupported) };
                let list: Vec<&Expr> = fields.iter().map(|(_, e)| e).collect();
                let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
                let names = fields.iter().map(|(n, _)| field(n));
                let name = struct_alias(i);
                quote!(#name::<GmL> { #(#names: #v),* })
            }
            Kind::Index(base, i) => return self.index(base, i),
            Kind::Field(base, _) | Kind::Member(base, _) if self.is_lasting(base) => self.place(e)?,
            Kind::Field(base, k) => {
                let v = operands!(base);
                let (v, k) = (&v[0], syn::Index::from(*k));
                quote!(#v.#k)
            }
            Kind::Member(base, name) => {
                let v = operands!(base);
                let (v, name) = (&v[0], field(name));
                quote!(#v.#name)
            }
            // Every local has a name of its own, so no scope is needed.
            Kind::Block(b) => return self.block(b),
            Kind::Labeled(id, b) => return self.labeled(*id, b, &e.ty),
            Kind::If(c, then, other) => return self.if_else(c, then, other.as_deref(), &e.ty),
            Kind::Match(s, arms) => return self.match_arms(s, arms, &e.ty),
            Kind::Loop(id, body) => return self.while_loop(*id, None, body),
            Kind::While(id, c, body) => return self.while_loop(*id, Some(c), body),
            Kind::For { id, var, lo, hi, inclusive, rev, body } => {
                return self.for_loop(*id, *var, lo, hi, *inclusive, *rev, body);
            }
            Kind::Assign(place, value) => {
                let v = operands!(value);
                self.assign(place, v[0].clone())?;
                return Ok(Value::Uniform(quote!(())));
            }
            Kind::AssignTuple(places, value) => {
                let v = operands!(value);
                let t = self.fresh("t");
                let v = &v[0];
                self.push(quote!(let #t = #v;));
                for (k, place) in places.iter().enumerate() {
                    if let Some(place) = place {
                        let k = syn::Index::from(k);
                        self.assign(place, quote!(#t.#k))?;
                    }
                }
                return Ok(Value::Uniform(quote!(())));
            }
            Kind::AssignOp(op, place, value) => {
                let shifted = matches!(op, Op::Shl | Op::Shr) && wide_prefix(&place.ty).is_some();
                if shifted && self.is_uniform(value) {
                    let count = self.uniform_tokens(value);
                    let old = operands!(place);
                    self.assign(place, shift(*op, &place.ty, &old[0], &count))?;
                    return Ok(Value::Uniform(quote!(())));
                }
                let v = operands!(value);
                let t = self.fresh("t");
                let v = &v[0];
                self.push(quote!(let #t = #v;));
                let old = operands!(place);
                let new = binary(*op, &place.ty, &value.ty, &old[0], &quote!(#t));
                self.assign(place, new)?;
                return Ok(Value::Uniform(quote!(())));
            }
            Kind::Return(value) => {
                let v = match value {
                    Some(v) => operands!(v)[0].clone(),
                    None => quote!(()),
                };
                let m = self.mask.clone();
                self.push(quote! {
                    result = gm_lanes::Blend::<GmL>::blend(l, #m, #v, result);
                    #m = l.mask_splat(false);
                });
                return Ok(Value::Never);
            }
            Kind::Break(id, value) => {
                let state = self.loops.get(id).cloned().ok_or(Unsupported)?;
                let m = self.mask.clone();
                if let Some(value) = value {
                    let v = operands!(value);
                    if let Some(place) = &state.value {
                        let v = &v[0];
                        self.push(quote!(#place = gm_lanes::Blend::<GmL>::blend(l, #m, #v, #place);));
                    }
                }
                let broken = &state.broken;
                self.push(quote!(#broken = l.mask_or(#broken, #m); #m = l.mask_splat(false);));
                return Ok(Value::Never);
            }
            Kind::Continue(id) => {
                let state = self.loops.get(id).cloned().ok_or(Unsupported)?;
                let (m, continued) = (&self.mask, &state.continued);
                self.code.extend(quote!(#continued = l.mask_or(#continued, #m); #m = l.mask_splat(false);));
                return Ok(Value::Never);
            }
            Kind::Len(_) | Kind::Deref(_) | Kind::RefMut(_) => return Err(Unsupported),
        }))
    }

    pub(super) fn short_circuit(&mut self, op: Op, a: &Expr, b: &Expr) -> Result<Value> {
        let jumps = Jumps::of(b);
        let mut cost = Cost::default();
        cost.expr(b);
        if !jumps.statements && !jumps.any() && cost.callees.is_empty() && cost.own < 100 {
            let Some(v) = self.operands(&[a, b])? else { return Ok(Value::Never) };
            let name = if op == Op::And { format_ident!("mask_and") } else { format_ident!("mask_or") };
            let (a, b) = (&v[0], &v[1]);
            return Ok(Value::Lanes(quote!(l.#name(#a, #b))));
        }
        let block = |e: Expr| Block { stmts: vec![], tail: Some(Box::new(e)), ty: Ty::Bool };
        let constant = Expr { kind: Kind::Bool(op == Op::Or), ty: Ty::Bool, span: b.span };
        let (then, other) = if op == Op::And { (b.clone(), constant) } else { (constant, b.clone()) };
        self.if_else(a, &block(then), Some(&other), &Ty::Bool)
    }
}

/// An integer literal, with its sign.
fn bare_literal(e: &Expr) -> Option<i128> {
    match &e.kind {
        Kind::Int(i) => Some(*i),
        Kind::Unary(UnaryOp::Neg, a) => bare_literal(a).map(|i| -i),
        _ => None,
    }
}
