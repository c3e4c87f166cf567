//! The body of a kernel on lanes (gristmill_kernel::__private::lanes): several elements at once, control flow under masks.
//!
//! The emitted code is structured like the IR. Each region that only some lanes run (an arm, the body of a loop) has a mask
//! of its own, a variable `m`. A jump takes its lanes out of the region's mask; where arms come together again, their
//! masks do too, so lanes that have left stay out. A variable that was declared in an outer region is assigned by a
//! blend under the current mask; one of the same region needs none, because lanes that are not in the region's mask
//! have left it for good.
//!
//! What is the same in all lanes by construction (literals, constants, the counter of a loop from a constant, and what is
//! computed from them) stays scalar.
//!
//! A struct is passed by reference: on lanes a setup with a table may be many pages, and a block loop passes it for every vector.

mod control_flow;
mod cost;
mod expressions;
mod loops;
mod operations;
mod places;
mod uniform;

use crate::ir::{Block, Expr, Func, Kind, LocalId, LoopId, Pat, Stmt, StructRef};
use crate::{Reference, Ty};
use cost::Cost;
pub use operations::lane_type;
use operations::{splat, zero};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

/// The function has no form on lanes: it takes references, or steps into an element whose index varies.
struct Unsupported;

type Result<T> = std::result::Result<T, Unsupported>;

/// The function on lanes: its parameters are `a0..`, the lanes `l`, the mask `m0`.
#[derive(Debug)]
pub struct LaneCode {
    /// The body; none if it must be done lane by lane.
    pub body: Option<TokenStream>,
    /// The operations of the body, a constant expression.
    pub cost: TokenStream,
}

/// Emits `func` on lanes.
pub fn emit_lanes(func: &Func) -> LaneCode {
    let mut cost = Cost::default();
    cost.block(&func.body);
    let cost = cost.tokens(&func.references);
    let mut emit = Emit::new(func);
    let body = emit.function().ok();
    LaneCode { body, cost }
}

/// A value in emitted code.
enum Value {
    /// One scalar for all lanes.
    Uniform(TokenStream),
    /// A lane value.
    Lanes(TokenStream),
    /// Of an expression that is left by a jump.
    Never,
}

/// Where `break` and `continue` put their lanes.
#[derive(Clone)]
struct LoopState {
    broken: Ident,
    continued: Ident,
    value: Option<Ident>,
}

/// What an expression may jump to, besides returning.
#[derive(Default)]
struct Jumps {
    returns: bool,
    breaks: Vec<LoopId>,
    continues: Vec<LoopId>,
    statements: bool,
}

impl Jumps {
    fn of(e: &Expr) -> Jumps {
        let mut j = Jumps::default();
        e.visit(&mut |e| match &e.kind {
            Kind::Return(_) => j.returns = true,
            Kind::Break(id, _) => j.breaks.push(*id),
            Kind::Continue(id) => j.continues.push(*id),
            Kind::Block(_)
            | Kind::Labeled(..)
            | Kind::If(..)
            | Kind::Match(..)
            | Kind::Loop(..)
            | Kind::While(..)
            | Kind::For { .. }
            | Kind::Assign(..)
            | Kind::AssignTuple(..)
            | Kind::AssignOp(..) => j.statements = true,
            _ => {}
        });
        j
    }

    fn any(&self) -> bool {
        self.returns || !self.breaks.is_empty() || !self.continues.is_empty()
    }
}

struct Emit<'a> {
    func: &'a Func,
    references: &'a [Reference],
    /// Assigned somewhere after its declaration.
    assigned: Vec<bool>,
    /// The same in all lanes, kept as a scalar.
    uniform: Vec<bool>,
    /// A struct or array that is never assigned, kept as a reference to where it came from.
    reference: Vec<bool>,
    /// The region that declares it.
    region_of: Vec<usize>,
    region: usize,
    mask: Ident,
    count: usize,
    code: TokenStream,
    loops: HashMap<LoopId, LoopState>,
    returns: bool,
}

impl<'a> Emit<'a> {
    fn new(func: &'a Func) -> Self {
        let n = func.locals.len();
        let mut emit = Emit {
            func,
            references: &func.references,
            assigned: func.assigned(),
            uniform: vec![false; n],
            reference: vec![false; n],
            region_of: vec![0; n],
            region: 0,
            mask: format_ident!("m0"),
            count: 0,
            code: TokenStream::new(),
            loops: HashMap::new(),
            returns: false,
        };
        func.visit(&mut |e| emit.returns |= matches!(e.kind, Kind::Return(_)));
        emit
    }

    fn fresh(&mut self, name: &str) -> Ident {
        self.count += 1;
        format_ident!("{name}{}", self.count)
    }

    fn local(&self, id: LocalId) -> Ident {
        format_ident!("x{id}")
    }

    fn push(&mut self, tokens: TokenStream) {
        self.code.extend(tokens);
    }

    /// Emits into a piece of its own.
    fn piece<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<(TokenStream, T)> {
        let before = std::mem::take(&mut self.code);
        let result = f(self);
        let piece = std::mem::replace(&mut self.code, before);
        Ok((piece, result?))
    }

    /// A region with this mask: gives its code.
    fn region<T>(&mut self, mask: &Ident, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<(TokenStream, T)> {
        self.count += 1;
        let before = (self.region, std::mem::replace(&mut self.mask, mask.clone()));
        self.region = self.count;
        let result = self.piece(f);
        (self.region, self.mask) = before;
        result
    }

    fn function(&mut self) -> Result<TokenStream> {
        for (k, p) in self.func.params.iter().enumerate() {
            if matches!(p.ty, Ty::Ref(_) | Ty::Slice(..)) {
                return Err(Unsupported);
            }
            let (x, a) = (self.local(p.id), format_ident!("a{k}"));
            let by_reference = matches!(p.ty, Ty::Struct(StructRef::Path(_)));
            if by_reference && self.assigned[p.id] {
                self.push(quote!(let mut #x = *#a;));
                continue;
            }
            self.reference[p.id] = by_reference;
            let mutable = self.mutable(p.id);
            self.push(quote!(let #mutable #x = #a;));
        }
        let returns = self.returns;
        if returns {
            let zero = zero(&self.func.ret);
            self.push(quote!(let mut result #zero;));
        }
        let value = self.block(&self.func.body)?;
        let code = std::mem::take(&mut self.code);
        let m = &self.mask;
        let end = match (value, returns) {
            (Value::Never, _) => quote!(result),
            (value, false) => self.lanes(value, &self.func.ret),
            (value, true) => {
                let value = self.lanes(value, &self.func.ret);
                quote! {
                    let end = #value;
                    gm_lanes::Blend::<GmL>::blend(l, #m, end, result)
                }
            }
        };
        Ok(quote!(#code #end))
    }

    fn mutable(&self, id: LocalId) -> TokenStream {
        if self.assigned[id] { quote!(mut) } else { quote!() }
    }

    /// As a lane value.
    fn lanes(&self, value: Value, ty: &Ty) -> TokenStream {
        match value {
            Value::Lanes(v) => v,
            Value::Uniform(v) => splat(ty, &v),
            Value::Never => quote!(gm_lanes::Blend::<GmL>::zero(l)),
        }
    }

    fn block(&mut self, b: &Block) -> Result<Value> {
        for s in &b.stmts {
            match s {
                Stmt::Let(pat, None, _) => {
                    let Pat::Local(id) = pat else { return Err(Unsupported) };
                    self.region_of[*id] = self.region;
                    let (x, zero) = (self.local(*id), zero(&self.func.locals[*id].ty));
                    self.push(quote!(let mut #x #zero;));
                }
                Stmt::Let(Pat::Local(id), Some(e), _) if !self.assigned[*id] && self.is_lasting(e) => {
                    let (x, place) = (self.local(*id), self.reference_to(e)?);
                    self.reference[*id] = true;
                    self.push(quote!(let #x = #place;));
                }
                Stmt::Let(pat, Some(e), _) => {
                    let jumps = Jumps::of(e);
                    let value = self.expr(e)?;
                    if matches!(value, Value::Never) {
                        return Ok(Value::Never);
                    }
                    self.bind(pat, value, &e.ty);
                    self.leave_if_empty(&jumps);
                }
                Stmt::Expr(e) => {
                    let jumps = Jumps::of(e);
                    match self.expr(e)? {
                        Value::Never => return Ok(Value::Never),
                        Value::Lanes(v) | Value::Uniform(v) => {
                            if matches!(e.kind, Kind::Call(..)) {
                                self.push(quote!(let _ = #v;));
                            }
                        }
                    }
                    self.leave_if_empty(&jumps);
                }
            }
        }
        match &b.tail {
            Some(t) => self.expr(t),
            None => Ok(Value::Uniform(quote!(()))),
        }
    }

    /// Once the last lane has returned, nothing is left to do. Inside a region, its loop or arm sees to that.
    fn leave_if_empty(&mut self, jumps: &Jumps) {
        if jumps.returns && self.region == 0 {
            let m = &self.mask;
            self.code.extend(quote!(if !l.any(#m) { return result; }));
        }
    }

    fn bind(&mut self, pat: &Pat, value: Value, ty: &Ty) {
        match pat {
            Pat::Wild => {
                let v = self.lanes_or_unit(value, ty);
                self.push(quote!(let _ = #v;));
            }
            Pat::Local(id) => {
                self.region_of[*id] = self.region;
                let (x, mutable) = (self.local(*id), self.mutable(*id));
                match value {
                    Value::Uniform(v) if !self.assigned[*id] && ty.is_scalar() => {
                        self.uniform[*id] = true;
                        self.push(quote!(let #x = #v;));
                    }
                    value => {
                        let v = self.lanes_or_unit(value, ty);
                        self.push(quote!(let #mutable #x = #v;));
                    }
                }
            }
            Pat::Tuple(pats, _) => {
                let whole = self.fresh("t");
                let v = self.lanes_or_unit(value, ty);
                self.push(quote!(let #whole = #v;));
                let types: Vec<Ty> = match ty {
                    Ty::Tuple(items) => items.clone(),
                    _ => vec![Ty::Unit; pats.len()],
                };
                for (k, p) in pats.iter().enumerate() {
                    let k = syn::Index::from(k);
                    let i = k.index as usize;
                    self.bind(p, Value::Lanes(quote!(#whole.#k)), &types[i]);
                }
            }
        }
    }

    fn lanes_or_unit(&self, value: Value, ty: &Ty) -> TokenStream {
        match value {
            Value::Uniform(v) if *ty == Ty::Unit => v,
            value => self.lanes(value, ty),
        }
    }
}

fn for_block(b: &Block, f: &mut dyn FnMut(&Expr)) {
    for s in &b.stmts {
        match s {
            Stmt::Let(_, Some(e), _) | Stmt::Expr(e) => e.visit(f),
            Stmt::Let(_, None, _) => {}
        }
    }
    if let Some(t) = &b.tail {
        t.visit(f);
    }
}

/// The name under which emitted code knows the kernel, constant or struct `references[index]`.
pub fn callee(index: usize, span: Span) -> Ident {
    Ident::new(&format!("gm_callee_{index}"), span)
}

/// The alias for the lane type of the struct `references[index]`.
pub fn struct_alias(index: usize) -> Ident {
    format_ident!("GmLaneStruct{index}")
}
