//! Loops: they run until the last lane has left.

use super::operations::{binary, scalar_binary};
use super::{Emit, Jumps, LoopState, Result, Unsupported, Value, for_block};
use crate::ir::{Block, Expr, Kind, LocalId, LoopId, Op};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Emit<'_> {
    pub(super) fn enter_loop(&mut self, id: LoopId) -> LoopState {
        let ty = self.func.loops[id].ty.clone();
        let state = LoopState { broken: self.fresh("m"), continued: self.fresh("m"), value: self.value_place(&ty) };
        let broken = &state.broken;
        self.code.extend(quote!(let mut #broken = l.mask_splat(false);));
        self.loops.insert(id, state.clone());
        state
    }

    /// The body of a loop for the lanes in `live`, which it leaves with those that go on.
    pub(super) fn iteration(
        &mut self,
        state: &LoopState,
        live: &Ident,
        before: TokenStream,
        body: &Block,
    ) -> Result<TokenStream> {
        let mine = self.fresh("m");
        let (code, ()) = self.region(&mine, |emit| emit.block(body).map(drop))?;
        let continued = &state.continued;
        Ok(quote! {
            let mut #mine = #live;
            let mut #continued = l.mask_splat(false);
            #before
            #code
            #live = l.mask_or(#mine, #continued);
        })
    }

    pub(super) fn while_loop(&mut self, id: LoopId, c: Option<&Expr>, body: &Block) -> Result<Value> {
        let state = self.enter_loop(id);
        let (live, left) = (self.fresh("m"), self.fresh("m"));
        let m = self.mask.clone();
        let (test, ()) = self.region(&live, |emit| {
            if let Some(c) = c {
                if Jumps::of(c).any() {
                    return Err(Unsupported);
                }
                let Some(v) = emit.operands(&[c])? else { return Err(Unsupported) };
                let v = &v[0];
                let c = emit.fresh("c");
                let (left, live) = (&left, &live);
                emit.push(quote! {
                    let #c = #v;
                    #left = l.mask_or(#left, l.mask_without(#live, #c));
                    #live = l.mask_and(#live, #c);
                });
            }
            Ok(())
        })?;
        let once = self.iteration(&state, &live, quote!(), body)?;
        let broken = &state.broken;
        self.push(quote! {
            let mut #live = #m;
            let mut #left = l.mask_splat(false);
            loop {
                #test
                if !l.any(#live) { break; }
                #once
            }
            #m = l.mask_or(#left, #broken);
        });
        let ty = self.func.loops[id].ty.clone();
        Ok(Self::outcome(state.value, &ty))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a `for`")]
    pub(super) fn for_loop(
        &mut self,
        id: LoopId,
        var: Option<LocalId>,
        lo: &Expr,
        hi: &Expr,
        inclusive: bool,
        rev: bool,
        body: &Block,
    ) -> Result<Value> {
        let assigned = var.is_some_and(|v| self.assigned[v]);
        let x = match var {
            Some(v) => self.local(v),
            None => format_ident!("_x"),
        };
        let (uniform_lo, uniform_hi) = (self.is_uniform(lo), self.is_uniform(hi));
        let m = self.mask.clone();
        if uniform_lo && uniform_hi && !assigned {
            let (a, b) = (self.uniform_tokens(lo), self.uniform_tokens(hi));
            let range = match (inclusive, rev) {
                (false, false) => quote!(#a..#b),
                (true, false) => quote!(#a..=#b),
                (false, true) => quote!((#a..#b).rev()),
                (true, true) => quote!((#a..=#b).rev()),
            };
            if let Some(v) = var {
                self.uniform[v] = true;
            }
            let (mut own, mut returns) = (false, false);
            for_block(body, &mut |e| match e.kind {
                // An inner loop's own jumps stay inside it.
                Kind::Break(target, _) | Kind::Continue(target) => {
                    own |= target == id || self.loops.contains_key(&target)
                }
                Kind::Return(_) => returns = true,
                _ => {}
            });
            if !own {
                // All lanes run it to the end together: no new region.
                let state = LoopState { broken: self.fresh("m"), continued: self.fresh("m"), value: None };
                self.loops.insert(id, state);
                let (code, _) = self.piece(|emit| emit.block(body))?;
                self.loops.remove(&id);
                let stop = if returns { quote!(if !l.any(#m) { break; }) } else { quote!() };
                self.push(quote!(for #x in #range { #code #stop }));
                return Ok(Value::Uniform(quote!(())));
            }
            let state = self.enter_loop(id);
            let live = self.fresh("m");
            let once = self.iteration(&state, &live, quote!(), body)?;
            let broken = &state.broken;
            self.push(quote! {
                let mut #live = #m;
                for #x in #range {
                    #once
                    if !l.any(#live) { break; }
                }
                #m = l.mask_or(#live, #broken);
            });
            return Ok(Value::Uniform(quote!(())));
        }
        // The bounds first, then lane by lane in step.
        let Some(bounds) = self.operands(&[lo, hi])? else { return Ok(Value::Never) };
        let (a, b) = (&bounds[0], &bounds[1]);
        let (first, end, live, left, i) =
            (self.fresh("t"), self.fresh("t"), self.fresh("m"), self.fresh("m"), self.fresh("i"));
        self.push(quote!(let #first = #a; let #end = #b;));
        let scalar = uniform_lo && !rev && !assigned;
        let ty = &lo.ty;
        let one = Value::Uniform(quote!(1));
        let one = self.lanes(one, ty);
        let compare = |op: Op, a: &TokenStream, b: &TokenStream| binary(op, ty, ty, a, b);
        let (first_t, end_t) = (quote!(#first), quote!(#end));
        let now = if scalar { self.lanes(Value::Uniform(quote!(#i)), ty) } else { quote!(#i) };
        let (start, test, set, last, step);
        if rev {
            start = quote!(#end);
            test = compare(if inclusive { Op::Le } else { Op::Lt }, &first_t, &now);
            let less = binary(Op::Sub, ty, ty, &now, &one);
            set = if inclusive { quote!(let #x = #i;) } else { quote!(#i = #less; let #x = #i;) };
            last = inclusive.then(|| compare(Op::Eq, &now, &first_t));
            step = if inclusive { quote!(#i = #less;) } else { quote!() };
        } else {
            start = if scalar { self.uniform_tokens(lo) } else { quote!(#first) };
            test = compare(if inclusive { Op::Le } else { Op::Lt }, &now, &end_t);
            set = quote!(let #x = #i;);
            last = inclusive.then(|| compare(Op::Eq, &now, &end_t));
            step = if scalar {
                let next = scalar_binary(Op::Add, ty, &quote!(#i), &quote!(1));
                quote!(#i = #next;)
            } else {
                let next = binary(Op::Add, ty, ty, &now, &one);
                quote!(#i = #next;)
            };
        }
        if let Some(v) = var {
            self.uniform[v] = scalar;
        }
        let state = self.enter_loop(id);
        let set = if assigned { quote!(#set let mut #x = #x;) } else { set };
        // The variable belongs to the body's region.
        if let Some(v) = var {
            self.region_of[v] = self.count + 2;
        }
        let once = self.iteration(&state, &live, set, body)?;
        // A last round for the lanes at the end of an inclusive range: a step further might wrap.
        let finish = match last {
            Some(at_end) => quote! {
                let at_end = #at_end;
                #left = l.mask_or(#left, l.mask_and(#live, at_end));
                #live = l.mask_without(#live, at_end);
            },
            None => quote!(),
        };
        let broken = &state.broken;
        self.push(quote! {
            let mut #live = #m;
            let mut #left = l.mask_splat(false);
            let mut #i = #start;
            loop {
                let inside = #test;
                #left = l.mask_or(#left, l.mask_without(#live, inside));
                #live = l.mask_and(#live, inside);
                if !l.any(#live) { break; }
                #once
                #finish
                #step
            }
            #m = l.mask_or(#left, #broken);
        });
        Ok(Value::Uniform(quote!(())))
    }
}
