//! The body of a kernel on lanes (gristmill_kernel::lanes): several elements at once, control flow under masks.
//!
//! The emitted code is structured like the IR. Each region that only some lanes run (an arm, the body of a loop) has a mask
//! of its own, a variable `m`. A jump takes its lanes out of the region's mask; where arms come together again, their
//! masks do too, so lanes that have left stay out. A variable that was declared in an outer region is assigned by a
//! blend under the current mask; one of the same region needs none, because lanes that are not in the region's mask
//! have left it for good.
//!
//! What is the same in all lanes by construction (literals, constants, the counter of a loop from a constant, and what is
//! computed from them) stays scalar.

use crate::alias;
use gristmill_kernel_lang::ir::{Arm, Block, Expr, Func, Kind, LocalId, LoopId, Op, Pat, Stmt, StructRef, UnaryOp};
use gristmill_kernel_lang::{Reference, Ty};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

/// The function has no form on lanes: it takes references, or steps into an element whose index varies.
struct Unsupported;

type Result<T> = std::result::Result<T, Unsupported>;

/// The function on lanes: its parameters are `a0..`, the lanes `l`, the mask `m0`.
pub(crate) struct LaneCode {
    /// The body; none if it must be done lane by lane.
    pub(crate) body: Option<TokenStream>,
    /// The operations of the body, a constant expression.
    pub(crate) cost: TokenStream,
}

pub(crate) fn lower(func: &Func) -> LaneCode {
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
    /// The region that declares it.
    region_of: Vec<usize>,
    region: usize,
    mask: Ident,
    count: usize,
    code: TokenStream,
    loops: HashMap<LoopId, LoopState>,
    returns: bool,
}

fn float(x: f64) -> TokenStream {
    let bits = Literal::u64_suffixed(x.to_bits());
    quote!(f64::from_bits(#bits))
}

fn integer(i: i128, ty: &Ty) -> TokenStream {
    let number = match ty {
        Ty::I32 => Literal::i32_suffixed(i as i32),
        Ty::U32 => Literal::u32_suffixed(i as u32),
        Ty::I64 => Literal::i64_suffixed(i as i64),
        Ty::U64 => Literal::u64_suffixed(i as u64),
        _ => Literal::usize_suffixed(i as usize),
    };
    quote!((#number))
}

fn scalar_name(ty: &Ty) -> Ident {
    Ident::new(&ty.spell(), Span::call_site())
}

/// `i64`, or `u64` for all unsigned ones of that width: the prefix of the operations in `Lanes`.
fn wide_prefix(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::I64 => Some("i64"),
        Ty::U64 | Ty::Usize => Some("u64"),
        _ => None,
    }
}

fn op_name(op: Op) -> Option<&'static str> {
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
fn scalar_binary(op: Op, ty: &Ty, a: &TokenStream, b: &TokenStream) -> TokenStream {
    let exact = |name: &str| {
        let name = Ident::new(name, Span::call_site());
        quote!(::gristmill_kernel::exact::#name(#a, #b))
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

fn scalar_unary(op: UnaryOp, ty: &Ty, a: &TokenStream) -> TokenStream {
    match op {
        UnaryOp::Neg if ty.is_int() => quote!(::gristmill_kernel::exact::neg(#a)),
        UnaryOp::Neg => quote!((-#a)),
        UnaryOp::Not => quote!((!#a)),
    }
}

fn scalar_method(name: &str, ty: &Ty, result: &Ty, args: &[TokenStream]) -> TokenStream {
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
        return quote!(::gristmill_kernel::exact::#name(#(#args),*));
    }
    let method = Ident::new(name, Span::call_site());
    if name == "from_bits" {
        let ty = scalar_name(result);
        return quote!(#ty::from_bits(#first));
    }
    quote!((#first).#method(#(#rest),*))
}

impl<'a> Emit<'a> {
    fn new(func: &'a Func) -> Self {
        let n = func.locals.len();
        let mut emit = Emit {
            func,
            references: &func.references,
            assigned: vec![false; n],
            uniform: vec![false; n],
            region_of: vec![0; n],
            region: 0,
            mask: format_ident!("m0"),
            count: 0,
            code: TokenStream::new(),
            loops: HashMap::new(),
            returns: false,
        };
        func.visit(&mut |e| match &e.kind {
            Kind::Return(_) => emit.returns = true,
            Kind::Assign(place, _) | Kind::AssignOp(_, place, _) | Kind::RefMut(place) => {
                root(place).into_iter().for_each(|id| emit.assigned[id] = true);
            }
            Kind::AssignTuple(places, _) => {
                places.iter().flatten().filter_map(root).for_each(|id| emit.assigned[id] = true);
            }
            _ => {}
        });
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
            let mutable = self.mutable(p.id);
            self.push(quote!(let #mutable #x = #a;));
        }
        let returns = self.returns;
        if returns {
            self.push(quote!(let mut result = ::gristmill_kernel::lanes::Blend::<GmL>::zero(l);));
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
                    ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #m, end, result)
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
            Value::Uniform(v) => {
                let ty = scalar_name(ty);
                quote!(<#ty as ::gristmill_kernel::lanes::LaneType>::splat(l, #v))
            }
            Value::Never => quote!(::gristmill_kernel::lanes::Blend::<GmL>::zero(l)),
        }
    }

    fn block(&mut self, b: &Block) -> Result<Value> {
        for s in &b.stmts {
            match s {
                Stmt::Let(pat, None, _) => {
                    let Pat::Local(id) = pat else { return Err(Unsupported) };
                    self.region_of[*id] = self.region;
                    let x = self.local(*id);
                    self.push(quote!(let mut #x = ::gristmill_kernel::lanes::Blend::<GmL>::zero(l);));
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

    // ---- uniform expressions -------------------------------------------------------------------------------------------

    fn is_uniform(&self, e: &Expr) -> bool {
        if !e.ty.is_scalar() {
            return false;
        }
        match &e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Const(_) => true,
            Kind::Local(id) => self.uniform[*id],
            Kind::Unary(_, a) | Kind::Cast(a) => self.is_uniform(a),
            Kind::Binary(_, a, b) => self.is_uniform(a) && self.is_uniform(b),
            Kind::Method(_, args) => args.iter().all(|a| self.is_uniform(a)),
            Kind::Index(base, i) => self.is_uniform(i) && self.table(base).is_some_and(|(_, rows)| rows.is_none()),
            _ => false,
        }
    }

    /// A constant table, or a row of one: tokens for it; with the index of a row that varies, the table and the index.
    fn table<'e>(&self, base: &'e Expr) -> Option<(TokenStream, Option<&'e Expr>)> {
        match &base.kind {
            Kind::Const(i) => {
                let path = &self.references[*i].path;
                Some((quote!(#path), None))
            }
            Kind::Index(outer, i) => match self.table(outer)? {
                (table, None) if self.is_uniform(i) => {
                    let i = self.uniform_tokens(i);
                    let at = quote!(::gristmill_kernel::lanes::index(#i, ::gristmill_kernel::exact::len(&#table)));
                    Some((quote!(#table[#at]), None))
                }
                (table, None) => Some((table, Some(i))),
                _ => None,
            },
            _ => None,
        }
    }

    fn uniform_tokens(&self, e: &Expr) -> TokenStream {
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
            Kind::Const(i) => {
                let path = &self.references[*i].path;
                quote!(#path)
            }
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
                quote!(#table[::gristmill_kernel::lanes::index(#i, ::gristmill_kernel::exact::len(&#table))])
            }
            _ => unreachable!("is_uniform has looked"),
        }
    }

    // ---- expressions ---------------------------------------------------------------------------------------------------

    /// Operands in order; one that is evaluated before statements of a later one is kept in a variable.
    fn operands(&mut self, list: &[&Expr]) -> Result<Option<Vec<TokenStream>>> {
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
            if later {
                let t = self.fresh("t");
                self.push(quote!(let #t = #tokens;));
                out.push(quote!(#t));
            } else {
                out.push(tokens);
            }
        }
        Ok(Some(out))
    }

    fn expr(&mut self, e: &Expr) -> Result<Value> {
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
            Kind::Const(_) => return Err(Unsupported), // a whole table
            Kind::Local(id) => {
                let x = self.local(*id);
                quote!(#x)
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
                let callee = alias(*i, self.references[*i].span);
                let list: Vec<&Expr> = args.iter().collect();
                let Some(mut v) = self.operands(&list)? else { return Ok(Value::Never) };
                for (k, arg) in args.iter().enumerate() {
                    // A bare literal has the type of the parameter, which only the callee knows.
                    if let Some(i) = bare_literal(arg) {
                        let (splat, magnitude) =
                            (format_ident!("lanes_arg{k}"), Literal::u128_unsuffixed(i.unsigned_abs()));
                        let minus = (i < 0).then(|| quote!(-));
                        v[k] = quote!(#callee::#splat(l, #minus #magnitude));
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
                    result = ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #m, #v, result);
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
                        self.push(quote!(#place = ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #m, #v, #place);));
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

    fn short_circuit(&mut self, op: Op, a: &Expr, b: &Expr) -> Result<Value> {
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

    fn index(&mut self, base: &Expr, i: &Expr) -> Result<Value> {
        if let Some((table, row)) = self.table(base) {
            let list: Vec<&Expr> = row.into_iter().chain([i]).collect();
            let Some(v) = self.operands(&list)? else { return Ok(Value::Never) };
            return Ok(Value::Lanes(match &v[..] {
                [i] => quote!(::gristmill_kernel::lanes::look_up(l, &#table, #i)),
                [i, j] => quote!(::gristmill_kernel::lanes::look_up_2(l, &#table, #i, #j)),
                _ => unreachable!("one or two indices"),
            }));
        }
        if self.is_uniform(i) {
            let Some(v) = self.operands(&[base])? else { return Ok(Value::Never) };
            let (v, at) = (&v[0], self.uniform_tokens(i));
            return Ok(Value::Lanes(quote! {
                #v[::gristmill_kernel::lanes::index(#at, ::gristmill_kernel::exact::len(&#v))]
            }));
        }
        let Some(v) = self.operands(&[base, i])? else { return Ok(Value::Never) };
        let (array, i, m) = (&v[0], &v[1], &self.mask);
        Ok(Value::Lanes(quote!(::gristmill_kernel::lanes::element(l, #m, &#array, #i))))
    }

    /// The tokens of a place, without an index that varies.
    fn place(&mut self, e: &Expr) -> Result<TokenStream> {
        Ok(match &e.kind {
            Kind::Local(id) => {
                let x = self.local(*id);
                quote!(#x)
            }
            Kind::Field(base, k) => {
                let (base, k) = (self.place(base)?, syn::Index::from(*k));
                quote!(#base.#k)
            }
            Kind::Member(base, name) => {
                let (base, name) = (self.place(base)?, field(name));
                quote!(#base.#name)
            }
            Kind::Index(base, i) if self.is_uniform(i) => {
                let (base, i) = (self.place(base)?, self.uniform_tokens(i));
                quote!(#base[::gristmill_kernel::lanes::index(#i, ::gristmill_kernel::exact::len(&#base))])
            }
            _ => return Err(Unsupported),
        })
    }

    fn assign(&mut self, place: &Expr, value: TokenStream) -> Result<()> {
        let id = root(place).ok_or(Unsupported)?;
        if let Kind::Index(base, i) = &place.kind
            && !self.is_uniform(i)
        {
            let t = self.fresh("t");
            self.push(quote!(let #t = #value;));
            let base = self.place(base)?;
            let Some(i) = self.operands(&[i])? else { return Err(Unsupported) };
            let (i, m) = (&i[0], self.mask.clone());
            self.push(quote!(let at = #i; ::gristmill_kernel::lanes::set_element(l, #m, &mut #base, at, #t);));
            return Ok(());
        }
        let place = self.place(place)?;
        if self.region_of[id] == self.region {
            self.push(quote!(#place = #value;));
        } else {
            let m = self.mask.clone();
            self.push(quote!(#place = ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #m, #value, #place);));
        }
        Ok(())
    }

    // ---- control flow --------------------------------------------------------------------------------------------------

    /// A variable for the value of a construct; none if it has no value.
    fn value_place(&mut self, ty: &Ty) -> Option<Ident> {
        if matches!(ty, Ty::Unit | Ty::Never) {
            return None;
        }
        let v = self.fresh("v");
        self.push(quote!(let mut #v = ::gristmill_kernel::lanes::Blend::<GmL>::zero(l);));
        Some(v)
    }

    fn outcome(place: Option<Ident>, ty: &Ty) -> Value {
        match place {
            Some(v) => Value::Lanes(quote!(#v)),
            None if *ty == Ty::Never => Value::Never,
            None => Value::Uniform(quote!(())),
        }
    }

    fn if_else(&mut self, c: &Expr, then: &Block, other: Option<&Expr>, ty: &Ty) -> Result<Value> {
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
        let cheap = cost.cheap(self.references);
        self.push(quote!(if #cheap || l.any(#yes) { #code }));
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
                    emit.push(quote!(#place = ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #no, #v, #place);));
                }
                Ok(())
            })?;
            let cheap = cost.cheap(self.references);
            self.push(quote!(if #cheap || l.any(#no) { #code }));
        }
        if jumps {
            self.push(quote!(#m = l.mask_or(#yes, #no);));
        }
        Ok(Self::outcome(place, ty))
    }

    fn match_arms(&mut self, s: &Expr, arms: &[Arm], ty: &Ty) -> Result<Value> {
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
                    emit.push(quote!(#place = ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #mine, #v, #place);));
                }
                Ok(())
            })?;
            let cheap = cost.cheap(self.references);
            self.push(quote! {
                if #cheap || l.any(#mine) { #code }
                #after = l.mask_or(#after, #mine);
            });
        }
        self.push(quote!(#m = l.mask_or(#after, #left);));
        Ok(Self::outcome(place, ty))
    }

    fn enter_loop(&mut self, id: LoopId) -> LoopState {
        let ty = self.func.loops[id].ty.clone();
        let state = LoopState { broken: self.fresh("m"), continued: self.fresh("m"), value: self.value_place(&ty) };
        let broken = &state.broken;
        self.code.extend(quote!(let mut #broken = l.mask_splat(false);));
        self.loops.insert(id, state.clone());
        state
    }

    fn labeled(&mut self, id: LoopId, b: &Block, ty: &Ty) -> Result<Value> {
        let state = self.enter_loop(id);
        let mine = self.fresh("m");
        let m = self.mask.clone();
        self.push(quote!(let mut #mine = #m;));
        let (code, ()) = self.region(&mine, |emit| {
            let v = emit.block(b)?;
            if let (Some(place), false) = (&state.value, matches!(v, Value::Never)) {
                let v = emit.lanes(v, &b.ty);
                let mine = &mine;
                emit.push(quote!(#place = ::gristmill_kernel::lanes::Blend::<GmL>::blend(l, #mine, #v, #place);));
            }
            Ok(())
        })?;
        let broken = &state.broken;
        self.push(quote!({ #code } #m = l.mask_or(#mine, #broken);));
        Ok(Self::outcome(state.value, ty))
    }

    /// The body of a loop for the lanes in `live`, which it leaves with those that go on.
    fn iteration(&mut self, state: &LoopState, live: &Ident, before: TokenStream, body: &Block) -> Result<TokenStream> {
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

    fn while_loop(&mut self, id: LoopId, c: Option<&Expr>, body: &Block) -> Result<Value> {
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
    fn for_loop(
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

/// The variable that a place is part of.
fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        Kind::Local(id) => Some(*id),
        Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) => root(base),
        _ => None,
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

fn is_jump(e: &Expr) -> bool {
    matches!(e.kind, Kind::Return(_) | Kind::Break(..) | Kind::Continue(_))
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

/// The alias for the lane type of the struct `references[index]`.
pub(crate) fn struct_alias(index: usize) -> Ident {
    format_ident!("GmLaneStruct{index}")
}

fn field(name: &str) -> Ident {
    syn::parse_str::<Ident>(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}

fn native(prefix: &str, name: &str, args: &[&TokenStream]) -> TokenStream {
    let name = format_ident!("{prefix}_{name}");
    quote!(l.#name(#(#args),*))
}

fn unary(op: UnaryOp, ty: &Ty, a: &TokenStream) -> TokenStream {
    let name = if op == UnaryOp::Neg { "neg" } else { "not" };
    match (ty, wide_prefix(ty)) {
        (Ty::F64, _) => native("f64", name, &[a]),
        (Ty::Bool, _) => native("mask", name, &[a]),
        (_, Some(prefix)) => native(prefix, name, &[a]),
        _ => {
            let (t, f) = (scalar_name(ty), scalar_unary(op, ty, &quote!(x)));
            quote!(::gristmill_kernel::lanes::map1(l, #a, #[inline(always)] |x: #t| #f))
        }
    }
}

fn binary(op: Op, ty: &Ty, right: &Ty, a: &TokenStream, b: &TokenStream) -> TokenStream {
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
    quote!(::gristmill_kernel::lanes::map2(l, #a, #b, #[inline(always)] |x: #t, y: #u| #f))
}

/// By a count that is the same in all lanes.
fn shift(op: Op, ty: &Ty, a: &TokenStream, count: &TokenStream) -> TokenStream {
    let name = if op == Op::Shl { "shl" } else { "shr" };
    let prefix = wide_prefix(ty).expect("of 64 bits");
    native(prefix, name, &[a, &quote!(l.u64_splat(#count as u64 & 63))])
}

fn cast(from: &Ty, to: &Ty, a: &TokenStream) -> TokenStream {
    let unsigned = |t: &Ty| matches!(t, Ty::U64 | Ty::Usize);
    match (from, to) {
        (x, y) if x == y || (unsigned(x) && unsigned(y)) => a.clone(),
        (Ty::F64, Ty::I64) => quote!(l.f64_to_i64(#a)),
        (Ty::F64, t) if unsigned(t) => quote!(l.f64_to_u64(#a)),
        (Ty::F64, Ty::I32) => quote!(l.f64_to_i32(#a)),
        (Ty::I64, Ty::F64) => quote!(l.i64_to_f64(#a)),
        (t, Ty::F64) if unsigned(t) => quote!(l.u64_to_f64(#a)),
        (Ty::I32, Ty::F64) => quote!(l.i32_to_f64(#a)),
        (Ty::I64, t) if unsigned(t) => quote!(l.i64_as_u64(#a)),
        (t, Ty::I64) if unsigned(t) => quote!(l.u64_as_i64(#a)),
        (Ty::U32, t) if unsigned(t) => quote!(l.u32_to_u64(#a)),
        (t, Ty::U32) if unsigned(t) => quote!(l.u64_to_u32(#a)),
        _ => {
            let (t, u) = (scalar_name(from), scalar_name(to));
            quote!(::gristmill_kernel::lanes::map1(l, #a, #[inline(always)] |x: #t| x as #u))
        }
    }
}

fn method(name: &str, types: &[&Ty], result: &Ty, v: &[TokenStream]) -> TokenStream {
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
    quote!(::gristmill_kernel::lanes::#map(l, #(#v,)* #[inline(always)] |#(#params),*| #f))
}

/// Is the value of a `match` inside an inclusive range?
fn in_range(ty: &Ty, value: &Ident, range: (Option<i128>, Option<i128>)) -> TokenStream {
    if *ty == Ty::Bool {
        let holds = |b: i128| range.0.is_none_or(|lo| lo <= b) && range.1.is_none_or(|hi| b <= hi);
        return match (holds(0), holds(1)) {
            (true, true) => quote!(l.mask_splat(true)),
            (true, false) => quote!(l.mask_not(#value)),
            (false, true) => quote!(#value),
            (false, false) => quote!(l.mask_splat(false)),
        };
    }
    let t = scalar_name(ty);
    let literal = |i: i128| {
        let number = integer(i, ty);
        quote!(<#t as ::gristmill_kernel::lanes::LaneType>::splat(l, #number))
    };
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

/// How many operations a piece of code is, roughly: what runs it for nothing costs.
#[derive(Default)]
struct Cost {
    own: u32,
    callees: Vec<usize>,
}

impl Cost {
    fn block(&mut self, b: &Block) {
        for_block(b, &mut |e| self.one(e));
    }

    fn expr(&mut self, e: &Expr) {
        e.visit(&mut |e| self.one(e));
    }

    fn one(&mut self, e: &Expr) {
        let wide = |t: &Ty| !matches!(t, Ty::F32 | Ty::I32 | Ty::U32);
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
    fn tokens(&self, references: &[Reference]) -> TokenStream {
        let mut sum = {
            let own = self.own;
            quote!(#own)
        };
        for i in &self.callees {
            let callee = alias(*i, references[*i].span);
            sum = quote!(#sum.saturating_add(<#callee as ::gristmill_kernel::Kernel>::COST));
        }
        sum
    }

    /// Cheaper than a branch, as a constant expression.
    fn cheap(&self, references: &[Reference]) -> TokenStream {
        if self.own >= 100_000 {
            return quote!(false);
        }
        let sum = self.tokens(references);
        quote!(const { #sum <= ::gristmill_kernel::lanes::CHEAP })
    }
}
