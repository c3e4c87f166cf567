//! Rust syntax -> typed IR, with every refusal.

use crate::builtins::{self, ConstValue, T};
use crate::infer::Types;
use crate::ir::*;
use proc_macro2::Span;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Lit, Result, UnOp};

fn err<R>(span: Span, message: impl std::fmt::Display) -> Result<R> {
    Err(Error::new(span, format!("#[kernel]: {message}")))
}

pub fn parse_type(ty: &syn::Type) -> Result<Ty> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() && p.path.get_ident().is_some() => {
            let name = p.path.segments[0].ident.to_string();
            match (builtins::prim(&name), name.as_str()) {
                (Some(ty), _) => Ok(ty),
                (None, "f32") => err(ty.span(), "f32 is not supported yet: use f64"),
                (None, "i8" | "i16" | "u8" | "u16" | "isize" | "i128" | "u128" | "char") => {
                    err(ty.span(), format!("`{name}` is not a kernel type: use i32, i64, u32 or u64"))
                }
                _ => err(
                    ty.span(),
                    format!(
                        "`{name}` is not a kernel type: f64, i32, i64, u32, u64, usize, bool, \
                    tuples and fixed-size arrays of them"
                    ),
                ),
            }
        }
        syn::Type::Tuple(t) if t.elems.is_empty() => Ok(Ty::Unit),
        syn::Type::Tuple(t) => Ok(Ty::Tuple(t.elems.iter().map(parse_type).collect::<Result<_>>()?)),
        syn::Type::Array(a) => Ok(Ty::Array(Box::new(parse_type(&a.elem)?), array_len(&a.len)?)),
        syn::Type::Paren(p) => parse_type(&p.elem),
        syn::Type::Group(g) => parse_type(&g.elem),
        syn::Type::Reference(r) if r.mutability.is_some() => Ok(Ty::Ref(Box::new(parse_type(&r.elem)?))),
        syn::Type::Reference(r) => err(r.span(), "shared references are not kernel types: pass the value"),
        other => err(other.span(), "not a kernel type"),
    }
}

fn array_len(len: &syn::Expr) -> Result<usize> {
    match len {
        syn::Expr::Lit(syn::ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse(),
        other => err(other.span(), "the length of an array must be an integer literal here"),
    }
}

struct Lower {
    scopes: Vec<HashMap<String, LocalId>>,
    locals: Vec<Local>,
    loops: Vec<LoopInfo>,
    loop_stack: Vec<LoopId>,
    references: Vec<(syn::Path, Span)>,
    types: Types,
    ret: Ty,
    name: String,
}

pub fn lower(item: &syn::ItemFn) -> Result<Func> {
    let sig = &item.sig;
    if let Some(p) = sig.generics.params.first() {
        return err(p.span(), "a kernel cannot be generic: write one kernel per type");
    }
    if let Some(t) = &sig.asyncness {
        return err(t.span(), "a kernel cannot be async");
    }
    if let Some(t) = &sig.abi {
        return err(t.span(), "a kernel has Rust's own calling convention: remove `extern`");
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        return err(sig.fn_token.span, "a kernel cannot be unsafe");
    }
    let ret = match &sig.output {
        syn::ReturnType::Default => Ty::Unit,
        syn::ReturnType::Type(_, ty) => parse_type(ty)?,
    };
    if matches!(ret, Ty::Array(..) | Ty::Ref(_)) {
        return err(sig.output.span(), "a kernel returns scalars or a tuple of scalars");
    }
    let mut cx = Lower {
        scopes: vec![HashMap::new()],
        locals: vec![],
        loops: vec![],
        loop_stack: vec![],
        references: vec![],
        types: Types::default(),
        ret: ret.clone(),
        name: sig.ident.to_string(),
    };
    let mut params = vec![];
    for input in &sig.inputs {
        let syn::FnArg::Typed(input) = input else {
            return err(input.span(), "a kernel is a free function: no `self`");
        };
        let syn::Pat::Ident(pat) = &*input.pat else {
            return err(input.pat.span(), "a parameter must be a plain name");
        };
        let ty = parse_type(&input.ty)?;
        if matches!(ty, Ty::Tuple(_) | Ty::Array(..)) {
            return err(input.ty.span(), "a parameter must be a scalar or `&mut` of a scalar");
        }
        let id = cx.declare(&pat.ident, ty.clone())?;
        params.push((id, ty));
    }
    let body = cx.block(&item.block)?;
    cx.same(&body.ty, &ret, item.block.span())?;
    Ok(Func { params, ret, locals: cx.locals, loops: cx.loops, body, references: cx.references, types: cx.types })
}

impl Lower {
    fn declare(&mut self, ident: &syn::Ident, ty: Ty) -> Result<LocalId> {
        let name = ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_string();
        if !name.is_ascii() {
            return err(ident.span(), "names must be ASCII: OpenCL compilers know no other");
        }
        self.locals.push(Local { name: name.clone(), ty });
        let id = self.locals.len() - 1;
        self.scopes.last_mut().expect("a scope").insert(name, id);
        Ok(id)
    }

    fn find(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().find_map(|s| s.get(name.strip_prefix("r#").unwrap_or(name)).copied())
    }

    fn same(&mut self, a: &Ty, b: &Ty, span: Span) -> Result<()> {
        if self.types.unify(a, b) {
            return Ok(());
        }
        let (a, b) = (self.types.resolve(a).tag(), self.types.resolve(b).tag());
        err(
            span,
            format!("`{a}` meets `{b}` here; if a call or constant is involved, give its type: `let x: {a} = ...`"),
        )
    }

    fn reference(&mut self, path: &syn::Path) -> usize {
        let key = quote::ToTokens::to_token_stream(path).to_string();
        let known = |(p, _): &(syn::Path, Span)| quote::ToTokens::to_token_stream(p).to_string() == key;
        self.references.iter().position(known).unwrap_or_else(|| {
            self.references.push((path.clone(), path.span()));
            self.references.len() - 1
        })
    }

    fn block(&mut self, block: &syn::Block) -> Result<Block> {
        self.scopes.push(HashMap::new());
        let result = self.block_inner(block);
        self.scopes.pop();
        result
    }

    fn block_inner(&mut self, block: &syn::Block) -> Result<Block> {
        let (mut stmts, mut tail, mut diverges) = (vec![], None, false);
        let count = block.stmts.len();
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => {
                    let s = self.local(local)?;
                    diverges |= matches!(&s, Stmt::Let(_, Some(e)) if e.ty == Ty::Never);
                    stmts.push(s);
                }
                syn::Stmt::Expr(e, None) if i + 1 == count => tail = Some(Box::new(self.expr(e)?)),
                syn::Stmt::Expr(e, _) => {
                    let e = self.expr(e)?;
                    diverges |= e.ty == Ty::Never;
                    stmts.push(Stmt::Expr(e));
                }
                syn::Stmt::Item(syn::Item::Const(c)) => {
                    let ty = parse_type(&c.ty)?;
                    let init = self.expr(&c.expr)?;
                    self.same(&init.ty, &ty, c.expr.span())?;
                    let id = self.declare(&c.ident, ty)?;
                    stmts.push(Stmt::Let(Pat::Local(id), Some(init)));
                }
                syn::Stmt::Item(item) => return err(item.span(), "only `const` items are allowed inside a kernel"),
                syn::Stmt::Macro(m) if m.mac.path.is_ident("debug_assert") => {} // native only
                syn::Stmt::Macro(m) => {
                    return err(m.mac.path.span(), "macros are not part of the kernel language (only `debug_assert!`)");
                }
            }
        }
        let ty = match &tail {
            _ if diverges => Ty::Never,
            Some(e) => e.ty.clone(),
            None => Ty::Unit,
        };
        Ok(Block { stmts, tail, ty })
    }

    fn local(&mut self, local: &syn::Local) -> Result<Stmt> {
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(t) if matches!(&*t.ty, syn::Type::Infer(_)) => (&*t.pat, None),
            syn::Pat::Type(t) => (&*t.pat, Some(parse_type(&t.ty)?)),
            other => (other, None),
        };
        let init = match &local.init {
            Some(init) if init.diverge.is_some() => return err(local.span(), "`let ... else` is not supported"),
            Some(init) => Some(self.expr(&init.expr)?),
            None => None,
        };
        let var = self.types.any_var();
        let ty = ty.unwrap_or(var);
        if let Some(init) = &init {
            self.same(&init.ty, &ty, init.span)?;
        }
        Ok(Stmt::Let(self.pattern(pat, ty)?, init))
    }

    fn pattern(&mut self, pat: &syn::Pat, ty: Ty) -> Result<Pat> {
        match pat {
            syn::Pat::Wild(_) => Ok(Pat::Wild),
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                Ok(Pat::Local(self.declare(&p.ident, ty)?))
            }
            syn::Pat::Paren(p) => self.pattern(&p.pat, ty),
            syn::Pat::Tuple(t) => {
                let items: Vec<Ty> = t.elems.iter().map(|_| self.types.any_var()).collect();
                let whole = Ty::Tuple(items.clone());
                self.same(&ty, &whole, t.span())?;
                let pats = t.elems.iter().zip(items).map(|(p, ty)| self.pattern(p, ty)).collect::<Result<_>>()?;
                Ok(Pat::Tuple(pats, whole))
            }
            other => err(other.span(), "only names, `_` and tuples can be bound here"),
        }
    }

    fn exprs<'a>(&mut self, list: impl IntoIterator<Item = &'a syn::Expr>) -> Result<Vec<Expr>> {
        list.into_iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, e: &syn::Expr) -> Result<Expr> {
        let span = e.span();
        let (kind, ty) = self.kind(e, span)?;
        Ok(Expr { kind, ty, span })
    }

    fn kind(&mut self, e: &syn::Expr, span: Span) -> Result<(Kind, Ty)> {
        Ok(match e {
            syn::Expr::Paren(p) => {
                let e = self.expr(&p.expr)?;
                (e.kind, e.ty)
            }
            syn::Expr::Group(p) => {
                let e = self.expr(&p.expr)?;
                (e.kind, e.ty)
            }
            syn::Expr::Lit(l) => self.literal(&l.lit)?,
            syn::Expr::Path(p) if p.qself.is_none() => self.path(&p.path)?,
            syn::Expr::Unary(u) => self.unary(u, span)?,
            syn::Expr::Binary(b) => self.binary(b, span)?,
            syn::Expr::Cast(c) => {
                let inner = self.expr(&c.expr)?;
                let to = parse_type(&c.ty)?;
                let from = self.types.shallow(&inner.ty);
                if self.types.is_open(&from) {
                    self.types.unify(&from, &Ty::F64); // a call or constant: checked against its signature later
                }
                if !(to == Ty::F64 || to.is_int()) {
                    return err(c.ty.span(), format!("cannot cast to `{}`", to.tag()));
                }
                (Kind::Cast(Box::new(inner)), to)
            }
            syn::Expr::Call(c) => self.call(c, span)?,
            syn::Expr::MethodCall(m) => self.method_call(m)?,
            syn::Expr::Tuple(t) if t.elems.is_empty() => (Kind::Unit, Ty::Unit),
            syn::Expr::Tuple(t) => {
                let items = self.exprs(&t.elems)?;
                let ty = Ty::Tuple(items.iter().map(|e| e.ty.clone()).collect());
                (Kind::Tuple(items), ty)
            }
            syn::Expr::Array(a) => {
                let items = self.exprs(&a.elems)?;
                let elem = self.types.any_var();
                for item in &items {
                    self.same(&item.ty, &elem, item.span)?;
                }
                let ty = Ty::Array(Box::new(elem), items.len());
                (Kind::Array(items), ty)
            }
            syn::Expr::Repeat(r) => {
                let item = self.expr(&r.expr)?;
                let n = array_len(&r.len)?;
                let ty = Ty::Array(Box::new(item.ty.clone()), n);
                (Kind::Repeat(Box::new(item), n), ty)
            }
            syn::Expr::Index(i) => {
                let base = self.expr(&i.expr)?;
                let index = self.expr(&i.index)?;
                self.same(&index.ty, &Ty::Usize, index.span)?;
                let elem = match (&base.kind, self.types.shallow(&base.ty)) {
                    (_, Ty::Array(elem, _)) => *elem,
                    (Kind::Const(_), _) => {
                        let elem = self.types.any_var();
                        // Length 0 stands for "a table, length known to the constant".
                        self.types.unify(&base.ty, &Ty::Array(Box::new(elem.clone()), 0));
                        elem
                    }
                    _ => return err(base.span, "only arrays and constant tables can be indexed"),
                };
                (Kind::Index(Box::new(base), Box::new(index)), elem)
            }
            syn::Expr::Field(f) => {
                let base = self.expr(&f.base)?;
                let syn::Member::Unnamed(index) = &f.member else {
                    return err(f.member.span(), "only tuple fields (`.0`) exist here");
                };
                let Ty::Tuple(items) = self.types.shallow(&base.ty) else {
                    return err(base.span, "the type of this tuple is not known: `let t: (f64, f64) = ...`");
                };
                let index = index.index as usize;
                let Some(ty) = items.get(index).cloned() else {
                    return err(f.member.span(), "no such field");
                };
                (Kind::Field(Box::new(base), index), ty)
            }
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let place = self.place(&r.expr)?;
                let ty = Ty::Ref(Box::new(place.ty.clone()));
                (Kind::RefMut(Box::new(place)), ty)
            }
            syn::Expr::Reference(r) => {
                return err(r.and_token.span, "shared references are not supported: pass the value");
            }
            syn::Expr::Block(b) if b.label.is_none() => {
                let block = self.block(&b.block)?;
                let ty = block.ty.clone();
                (Kind::Block(block), ty)
            }
            syn::Expr::If(i) => self.if_(i, span)?,
            syn::Expr::Match(m) => self.match_(m)?,
            syn::Expr::Loop(l) => {
                let ty = self.types.any_var();
                let id = self.enter_loop(&l.label, ty);
                let body = self.block(&l.body);
                self.loop_stack.pop();
                let ty = if self.loops[id].broken { self.loops[id].ty.clone() } else { Ty::Never };
                (Kind::Loop(id, body?), ty)
            }
            syn::Expr::While(w) => {
                let cond = self.condition(&w.cond)?;
                let id = self.enter_loop(&w.label, Ty::Unit);
                let body = self.block(&w.body);
                self.loop_stack.pop();
                (Kind::While(id, Box::new(cond), body?), Ty::Unit)
            }
            syn::Expr::ForLoop(f) => self.for_(f)?,
            syn::Expr::Assign(a) => self.assign(a)?,
            syn::Expr::Return(r) => {
                let value = match &r.expr {
                    Some(e) => {
                        let e = self.expr(e)?;
                        let ret = self.ret.clone();
                        self.same(&e.ty, &ret, e.span)?;
                        Some(Box::new(e))
                    }
                    None => None,
                };
                (Kind::Return(value), Ty::Never)
            }
            syn::Expr::Break(b) => {
                let value = b.expr.as_ref().map(|e| self.expr(e)).transpose()?;
                let id = self.target(&b.label, span)?;
                let ty = self.loops[id].ty.clone();
                self.same(value.as_ref().map_or(&Ty::Unit, |v| &v.ty), &ty, span)?;
                self.loops[id].broken = true;
                self.loops[id].far_break |= self.loop_stack.last() != Some(&id);
                (Kind::Break(id, value.map(Box::new)), Ty::Never)
            }
            syn::Expr::Continue(c) => {
                let id = self.target(&c.label, span)?;
                self.loops[id].far_continue |= self.loop_stack.last() != Some(&id);
                (Kind::Continue(id), Ty::Never)
            }
            syn::Expr::Closure(_) => return err(span, "closures are not supported: write a `#[kernel] fn`"),
            syn::Expr::Macro(_) => return err(span, "macros are not part of the kernel language"),
            syn::Expr::Unsafe(_) => return err(span, "`unsafe` is not allowed in a kernel"),
            syn::Expr::Try(_) => return err(span, "`?` is not supported: return a status as a number"),
            syn::Expr::Let(_) => return err(span, "`if let` is not supported: there are no enums here"),
            syn::Expr::Range(_) => return err(span, "a range may only stand in `for i in a..b`"),
            _ => return err(span, "this expression is not part of the kernel language"),
        })
    }

    fn literal(&mut self, lit: &Lit) -> Result<(Kind, Ty)> {
        match lit {
            Lit::Float(f) if matches!(f.suffix(), "" | "f64") => Ok((Kind::Float(f.base10_parse()?), Ty::F64)),
            Lit::Float(f) => err(f.span(), format!("`{}` is not a kernel type", f.suffix())),
            Lit::Int(i) => {
                let ty = match i.suffix() {
                    "" => self.types.int_var(),
                    "f64" => return Ok((Kind::Float(i.base10_parse()?), Ty::F64)),
                    s => match builtins::prim(s) {
                        Some(ty) => ty,
                        None => return err(i.span(), format!("`{s}` is not a kernel type")),
                    },
                };
                Ok((Kind::Int(i.base10_parse::<i128>()?), ty))
            }
            Lit::Bool(b) => Ok((Kind::Bool(b.value), Ty::Bool)),
            other => err(other.span(), "only numbers and booleans are values here"),
        }
    }

    fn path(&mut self, path: &syn::Path) -> Result<(Kind, Ty)> {
        if let Some(id) = path.get_ident().and_then(|i| self.find(&i.to_string())) {
            return Ok((Kind::Local(id), self.locals[id].ty.clone()));
        }
        match builtins::constant(path) {
            Some((ConstValue::Float(v), ty)) => return Ok((Kind::Float(v), ty)),
            Some((ConstValue::Int(v), ty)) => return Ok((Kind::Int(v), ty)),
            None if builtins::is_builtin_path(path) => return err(path.span(), "this constant is not known here"),
            None => {}
        }
        if let Some(s) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return err(s.span(), "generic arguments are not supported");
        }
        let index = self.reference(path);
        let ty = self.types.any_var();
        Ok((Kind::Const(index), ty))
    }

    fn unary(&mut self, u: &syn::ExprUnary, span: Span) -> Result<(Kind, Ty)> {
        // `-5` is one literal: `-2147483648` must not become minus an i32 that does not exist.
        if let (UnOp::Neg(_), syn::Expr::Lit(l)) = (&u.op, &*u.expr) {
            match self.literal(&l.lit)? {
                (Kind::Int(v), ty) => return Ok((Kind::Int(-v), ty)),
                (Kind::Float(v), ty) => return Ok((Kind::Float(-v), ty)),
                _ => {}
            }
        }
        let inner = self.expr(&u.expr)?;
        let mut ty = self.types.shallow(&inner.ty);
        match u.op {
            UnOp::Deref(_) => match ty {
                Ty::Ref(target) => Ok((Kind::Deref(Box::new(inner)), *target)),
                _ => err(span, "only a `&mut` parameter can be dereferenced"),
            },
            UnOp::Not(_) => {
                if self.types.is_open(&ty) {
                    self.types.unify(&ty, &Ty::Bool);
                    ty = Ty::Bool;
                }
                Ok((Kind::Unary(UnaryOp::Not, Box::new(inner)), ty))
            }
            UnOp::Neg(_) => Ok((Kind::Unary(UnaryOp::Neg, Box::new(inner)), ty)),
            _ => err(span, "unknown operator"),
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary, span: Span) -> Result<(Kind, Ty)> {
        use BinOp::*;
        let (op, assigns) = match b.op {
            Add(_) => (Op::Add, false),
            Sub(_) => (Op::Sub, false),
            Mul(_) => (Op::Mul, false),
            Div(_) => (Op::Div, false),
            Rem(_) => (Op::Rem, false),
            And(_) => (Op::And, false),
            Or(_) => (Op::Or, false),
            BitXor(_) => (Op::BitXor, false),
            BitAnd(_) => (Op::BitAnd, false),
            BitOr(_) => (Op::BitOr, false),
            Shl(_) => (Op::Shl, false),
            Shr(_) => (Op::Shr, false),
            Eq(_) => (Op::Eq, false),
            Ne(_) => (Op::Ne, false),
            Lt(_) => (Op::Lt, false),
            Le(_) => (Op::Le, false),
            Gt(_) => (Op::Gt, false),
            Ge(_) => (Op::Ge, false),
            AddAssign(_) => (Op::Add, true),
            SubAssign(_) => (Op::Sub, true),
            MulAssign(_) => (Op::Mul, true),
            DivAssign(_) => (Op::Div, true),
            RemAssign(_) => (Op::Rem, true),
            BitXorAssign(_) => (Op::BitXor, true),
            BitAndAssign(_) => (Op::BitAnd, true),
            BitOrAssign(_) => (Op::BitOr, true),
            ShlAssign(_) => (Op::Shl, true),
            ShrAssign(_) => (Op::Shr, true),
            _ => return err(span, "unknown operator"),
        };
        let left = if assigns { self.place(&b.left)? } else { self.expr(&b.left)? };
        let right = self.expr(&b.right)?;
        match op {
            Op::And | Op::Or => {
                self.same(&left.ty, &Ty::Bool, left.span)?;
                self.same(&right.ty, &Ty::Bool, right.span)?;
            }
            Op::Shl | Op::Shr => {
                if !self.types.is_int_like(&right.ty) && !self.types.is_open(&right.ty) {
                    return err(right.span, "a shift needs an integer");
                }
            }
            _ => self.same(&left.ty, &right.ty, span)?,
        }
        let operand = self.types.shallow(&left.ty);
        if op == Op::Rem && (operand == Ty::F64 || self.types.is_open(&operand)) {
            return err(
                span,
                "`%` on f64 is not supported: `x - (x / y).trunc() * y` is not exact, so say what you need",
            );
        }
        if let (Op::Div | Op::Rem, Kind::Int(0)) = (op, &right.kind) {
            return err(right.span, "division by zero");
        }
        let ty = match op {
            _ if assigns => Ty::Unit,
            Op::And | Op::Or | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Ty::Bool,
            _ => left.ty.clone(),
        };
        let (left, right) = (Box::new(left), Box::new(right));
        Ok((if assigns { Kind::AssignOp(op, left, right) } else { Kind::Binary(op, left, right) }, ty))
    }

    fn call(&mut self, c: &syn::ExprCall, span: Span) -> Result<(Kind, Ty)> {
        let syn::Expr::Path(func) = &*c.func else {
            return err(c.func.span(), "only kernels can be called, by their path");
        };
        let path = &func.path;
        let args = self.exprs(&c.args)?;
        if builtins::is_builtin_path(path) {
            let ty = builtins::prim(&path.segments[0].ident.to_string()).expect("checked");
            let name = path.segments[1].ident.to_string();
            return match (&ty, name.as_str(), args.len()) {
                (Ty::F64, "from_bits", 1) => {
                    self.same(&args[0].ty, &Ty::U64, args[0].span)?;
                    Ok((Kind::Method("from_bits", args), Ty::F64))
                }
                (_, "from", 1) => {
                    let arg = args.into_iter().next().expect("one");
                    Ok((Kind::Cast(Box::new(arg)), ty))
                }
                _ => self.exact_method(&name, path.segments[1].span(), ty, args),
            };
        }
        if path.is_ident(&self.name) && self.find(&self.name).is_none() {
            return err(span, format!("`{}` calls itself: OpenCL has no recursion; write a loop", self.name));
        }
        if let Some(s) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return err(s.span(), "generic arguments are not supported");
        }
        let index = self.reference(path);
        let ty = self.types.any_var();
        Ok((Kind::Call(index, args), ty))
    }

    fn method_call(&mut self, m: &syn::ExprMethodCall) -> Result<(Kind, Ty)> {
        let receiver = self.expr(&m.receiver)?;
        let name = m.method.to_string();
        let mut ty = self.types.shallow(&receiver.ty);
        if self.types.is_open(&ty) {
            self.types.unify(&ty, &Ty::F64);
            ty = Ty::F64;
        }
        if matches!(ty, Ty::Var(_)) {
            return err(
                receiver.span,
                format!("the integer type is not known here: write a suffix (`1u64.{name}(..)`)"),
            );
        }
        let mut args = vec![receiver];
        args.extend(self.exprs(&m.args)?);
        self.exact_method(&name, m.method.span(), ty, args)
    }

    fn exact_method(&mut self, name: &str, span: Span, ty: Ty, args: Vec<Expr>) -> Result<(Kind, Ty)> {
        let Some((name, takes, gives)) = builtins::method(&ty, name) else {
            return match builtins::refused(name) {
                Some(way_out) if ty == Ty::F64 => err(span, way_out),
                _ => err(span, format!("`{}` has no method `{name}` in the kernel language", ty.tag())),
            };
        };
        if args.len() != takes.len() + 1 {
            return err(span, format!("`{name}` takes {} argument(s)", takes.len()));
        }
        let spell = |t: T| match t {
            T::S => ty.clone(),
            T::U32 => Ty::U32,
            T::U64 => Ty::U64,
            T::Bool => Ty::Bool,
        };
        self.same(&args[0].ty, &ty, args[0].span)?;
        for (arg, t) in args[1..].iter().zip(takes) {
            self.same(&arg.ty, &spell(*t), arg.span)?;
        }
        Ok((Kind::Method(name, args), spell(gives)))
    }

    fn condition(&mut self, e: &syn::Expr) -> Result<Expr> {
        let cond = self.expr(e)?;
        self.same(&cond.ty, &Ty::Bool, cond.span)?;
        Ok(cond)
    }

    fn if_(&mut self, i: &syn::ExprIf, span: Span) -> Result<(Kind, Ty)> {
        let cond = self.condition(&i.cond)?;
        let then = self.block(&i.then_branch)?;
        let other = i.else_branch.as_ref().map(|(_, e)| self.expr(e)).transpose()?;
        let ty = match &other {
            Some(other) => {
                self.same(&then.ty, &other.ty, span)?;
                if then.ty == Ty::Never { other.ty.clone() } else { then.ty.clone() }
            }
            None => Ty::Unit,
        };
        Ok((Kind::If(Box::new(cond), then, other.map(Box::new)), ty))
    }

    fn match_(&mut self, m: &syn::ExprMatch) -> Result<(Kind, Ty)> {
        let scrutinee = self.expr(&m.expr)?;
        let mut ty = Ty::Never;
        let mut arms = vec![];
        for arm in &m.arms {
            self.scopes.push(HashMap::new());
            let (pat, guard) = match &arm.pat {
                syn::Pat::Guard(g) => (&*g.pat, Some(&*g.guard)),
                other => (other, None),
            };
            let mut ranges = vec![];
            let bind = self.arm_pattern(pat, &scrutinee.ty, &mut ranges)?;
            let guard = guard.map(|g| self.condition(g)).transpose()?;
            let body = self.expr(&arm.body)?;
            self.same(&body.ty, &ty, body.span)?;
            if ty == Ty::Never {
                ty = body.ty.clone();
            }
            self.scopes.pop();
            arms.push(Arm { ranges, bind, guard, body });
        }
        Ok((Kind::Match(Box::new(scrutinee), arms), ty))
    }

    fn arm_pattern(
        &mut self,
        pat: &syn::Pat,
        ty: &Ty,
        ranges: &mut Vec<(Option<i128>, Option<i128>)>,
    ) -> Result<Option<LocalId>> {
        match pat {
            syn::Pat::Wild(_) => {}
            syn::Pat::Ident(p) if p.subpat.is_none() => return Ok(Some(self.declare(&p.ident, ty.clone())?)),
            syn::Pat::Paren(p) => return self.arm_pattern(&p.pat, ty, ranges),
            syn::Pat::Lit(l) => {
                let v = self.pattern_value(&l.lit, ty, l.span())?;
                ranges.push((Some(v), Some(v)));
            }
            syn::Pat::Range(r) => {
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let lo = r.start.as_ref().map(|e| self.pattern_bound(e, ty)).transpose()?;
                let hi = r.end.as_ref().map(|e| self.pattern_bound(e, ty)).transpose()?;
                ranges.push((lo, hi.map(|v| if inclusive { v } else { v - 1 })));
            }
            syn::Pat::Or(o) => {
                for case in &o.cases {
                    if matches!(case, syn::Pat::Wild(_) | syn::Pat::Ident(_)) {
                        return err(case.span(), "only literals and ranges in `a | b`");
                    }
                    self.arm_pattern(case, ty, ranges)?;
                }
            }
            other => {
                return err(
                    other.span(),
                    "only integer and boolean literals, ranges, `|`, `_` and a name can be matched",
                );
            }
        }
        Ok(None)
    }

    fn pattern_bound(&mut self, e: &syn::Expr, ty: &Ty) -> Result<i128> {
        let e = self.expr(e)?;
        self.same(&e.ty, ty, e.span)?;
        match e.kind {
            Kind::Int(v) => Ok(v),
            _ => err(e.span, "a bound of a range must be a literal"),
        }
    }

    fn pattern_value(&mut self, lit: &Lit, ty: &Ty, span: Span) -> Result<i128> {
        // syn keeps the sign of a negative pattern inside the literal's digits.
        match lit {
            Lit::Bool(b) => {
                self.same(ty, &Ty::Bool, span)?;
                Ok(b.value as i128)
            }
            Lit::Int(i) => {
                let var = match i.suffix() {
                    "" => self.types.int_var(),
                    s => builtins::prim(s).unwrap_or(Ty::I32),
                };
                self.same(ty, &var, span)?;
                i.base10_parse::<i128>()
            }
            other => err(other.span(), "only integers and booleans can be matched"),
        }
    }

    fn enter_loop(&mut self, label: &Option<syn::Label>, ty: Ty) -> LoopId {
        let label = label.as_ref().map(|l| l.name.ident.to_string());
        self.loops.push(LoopInfo { ty, label, broken: false, far_break: false, far_continue: false });
        self.loop_stack.push(self.loops.len() - 1);
        self.loops.len() - 1
    }

    fn target(&self, label: &Option<syn::Lifetime>, span: Span) -> Result<LoopId> {
        let wanted = label.as_ref().map(|l| l.ident.to_string());
        let fits = |id: &&LoopId| wanted.is_none() || self.loops[**id].label == wanted;
        match self.loop_stack.iter().rev().find(fits) {
            Some(id) => Ok(*id),
            None => err(span, "no such loop"),
        }
    }

    fn for_(&mut self, f: &syn::ExprForLoop) -> Result<(Kind, Ty)> {
        let (range, rev) = peel_range(&f.expr)?;
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return err(range.span(), "a range needs both ends");
        };
        let (lo, hi) = (self.expr(start)?, self.expr(end)?);
        self.same(&lo.ty, &hi.ty, range.span())?;
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        self.scopes.push(HashMap::new());
        let var = match &*f.pat {
            syn::Pat::Wild(_) => None,
            syn::Pat::Ident(p) => Some(self.declare(&p.ident, lo.ty.clone())?),
            other => return err(other.span(), "a loop variable must be a name"),
        };
        let id = self.enter_loop(&f.label, Ty::Unit);
        let body = self.block(&f.body);
        self.loop_stack.pop();
        self.scopes.pop();
        Ok((Kind::For { id, var, lo: Box::new(lo), hi: Box::new(hi), inclusive, rev, body: body? }, Ty::Unit))
    }

    fn place(&mut self, e: &syn::Expr) -> Result<Expr> {
        let place = self.expr(e)?;
        match &place.kind {
            Kind::Local(_) | Kind::Deref(_) => Ok(place),
            Kind::Index(base, _) | Kind::Field(base, _) if matches!(base.kind, Kind::Local(_)) => Ok(place),
            _ => err(place.span, "this cannot be assigned to: a variable, an array element, a tuple field or `*x` can"),
        }
    }

    fn assign(&mut self, a: &syn::ExprAssign) -> Result<(Kind, Ty)> {
        if let syn::Expr::Tuple(t) = &*a.left {
            let right = self.expr(&a.right)?;
            let mut places = vec![];
            let mut types = vec![];
            for e in &t.elems {
                if matches!(e, syn::Expr::Infer(_)) {
                    types.push(self.types.any_var());
                    places.push(None);
                } else {
                    let p = self.place(e)?;
                    types.push(p.ty.clone());
                    places.push(Some(p));
                }
            }
            self.same(&right.ty, &Ty::Tuple(types), right.span)?;
            return Ok((Kind::AssignTuple(places, Box::new(right)), Ty::Unit));
        }
        let left = self.place(&a.left)?;
        if matches!(self.types.shallow(&left.ty), Ty::Array(..)) {
            return err(left.span, "a whole array cannot be assigned: write a loop");
        }
        let right = self.expr(&a.right)?;
        self.same(&left.ty, &right.ty, right.span)?;
        Ok((Kind::Assign(Box::new(left), Box::new(right)), Ty::Unit))
    }
}

fn peel_range(e: &syn::Expr) -> Result<(&syn::ExprRange, bool)> {
    match e {
        syn::Expr::Range(r) => Ok((r, false)),
        syn::Expr::Paren(p) => peel_range(&p.expr),
        syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
            peel_range(&m.receiver).map(|(r, rev)| (r, !rev))
        }
        other => err(other.span(), "a `for` loop runs over `a..b`, `a..=b` or `(a..b).rev()`"),
    }
}
