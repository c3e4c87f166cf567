//! Rust syntax -> typed IR, with every refusal.

use crate::builtins::{self, ConstValue, T};
use crate::infer::Types;
use crate::ir::*;
use crate::{Reference, Use};
use proc_macro2::Span;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Lit, Result, UnOp};

fn err<R>(span: Span, message: impl std::fmt::Display) -> Result<R> {
    Err(Error::new(span, format!("#[kernel]: {message}")))
}

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
                if !elem.is_scalar() {
                    return err(s.elem.span(), "a slice holds numbers or bools");
                }
                Ok(Ty::Slice(Box::new(elem), r.mutability.is_some()))
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

fn array_len(len: &syn::Expr, known: &HashMap<String, usize>) -> Result<usize> {
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

fn add_reference(references: &mut Vec<Reference>, path: &syn::Path) -> usize {
    references.iter().position(|r| r.path == *path).unwrap_or_else(|| {
        let span = path.segments.last().expect("a path has a segment").ident.span();
        references.push(Reference { path: path.clone(), span, uses: vec![] });
        references.len() - 1
    })
}

struct Lower {
    scopes: Vec<HashMap<String, LocalId>>,
    locals: Vec<Local>,
    loops: Vec<LoopInfo>,
    loop_stack: Vec<LoopId>,
    references: Vec<Reference>,
    types: Types,
    ret: Ty,
    name: String,
    lengths: HashMap<String, usize>,
    /// Types by the address of the syntax node: the macro rewrites the native copy by them.
    by_node: HashMap<usize, Ty>,
}

/// The IR, and the type of every expression in the order in which `syn::visit` meets them.
pub(crate) struct Lowered {
    pub(crate) func: Func,
    pub(crate) node_types: Vec<Option<Ty>>,
}

fn context(name: &str, ret: Ty, references: Vec<Reference>) -> Lower {
    Lower {
        scopes: vec![HashMap::new()],
        locals: vec![],
        loops: vec![],
        loop_stack: vec![],
        references,
        types: Types::default(),
        ret,
        name: name.to_string(),
        lengths: HashMap::new(),
        by_node: HashMap::new(),
    }
}

/// The value of a constant item, as a function without parameters: for the interpreter.
pub(crate) fn lower_const(name: &str, ty: &syn::Type, value: &syn::Expr) -> Result<Func> {
    let mut references = vec![];
    let ret = parse_type(ty, &mut references, Place::Inside)?;
    let mut cx = context(name, ret.clone(), references);
    let e = cx.expr(value)?;
    cx.same(&e.ty, &ret, e.span)?;
    let body = Block { stmts: vec![], ty: e.ty.clone(), tail: Some(Box::new(e)) };
    Ok(cx.finish(vec![], ret, body))
}

pub(crate) fn lower(item: &syn::ItemFn, entry: bool) -> Result<Lowered> {
    let sig = &item.sig;
    if let Some(p) = sig.generics.params.first() {
        return err(p.span(), "a kernel cannot be generic: write one kernel per type");
    }
    if let Some(t) = &sig.asyncness {
        return err(t.span(), "a kernel cannot be async");
    }
    if let Some(t) = &sig.constness {
        return err(t.span(), "a kernel cannot be `const`: it chooses its instruction set at run time");
    }
    if let Some(t) = &sig.abi {
        return err(t.span(), "a kernel has Rust's own calling convention: remove `extern`");
    }
    if !matches!(sig.safety, syn::Safety::Default) {
        return err(sig.fn_token.span, "a kernel cannot be unsafe");
    }
    let mut references = vec![];
    let ret = match &sig.output {
        syn::ReturnType::Default => Ty::Unit,
        syn::ReturnType::Type(_, ty) => parse_type(ty, &mut references, Place::Inside)?,
    };
    if matches!(ret, Ty::Ref(_)) {
        return err(sig.output.span(), "a kernel returns values: numbers, tuples, arrays or a struct");
    }
    let mut cx = context(&sig.ident.to_string(), ret.clone(), references);
    let mut params = vec![];
    for input in &sig.inputs {
        let syn::FnArg::Typed(input) = input else {
            return err(input.span(), "a kernel is a free function: no `self`");
        };
        let syn::Pat::Ident(pat) = &*input.pat else {
            return err(input.pat.span(), "a parameter must be a plain name: take the tuple apart inside");
        };
        let place = if entry { Place::EntryParam } else { Place::Inside };
        let ty = parse_type(&input.ty, &mut cx.references, place)?;
        if entry && matches!(ty, Ty::Ref(_)) {
            return err(input.ty.span(), "an entry point writes through slices: `&mut [f64]`");
        }
        let id = cx.declare(&pat.ident, ty.clone())?;
        params.push(FuncParam { id, ty });
    }
    if entry {
        if params.first().is_none_or(|p| p.ty != Ty::Usize) {
            return err(
                sig.ident.span(),
                "the first parameter of an entry point is the index of the work-item: `i: usize`",
            );
        }
        if ret != Ty::Unit {
            return err(sig.output.span(), "an entry point returns nothing: it writes to a `&mut` slice");
        }
    }
    let body = cx.block(&item.block)?;
    cx.same(&body.ty, &ret, item.block.span())?;
    let node_types = cx.node_types(&item.block);
    Ok(Lowered { func: cx.finish(params, ret, body), node_types })
}

impl Lower {
    fn node_types(&self, block: &syn::Block) -> Vec<Option<Ty>> {
        struct Order<'a>(&'a Lower, Vec<Option<Ty>>);
        impl<'ast> syn::visit::Visit<'ast> for Order<'_> {
            fn visit_expr(&mut self, e: &'ast syn::Expr) {
                let ty = self.0.by_node.get(&(e as *const syn::Expr as usize));
                self.1.push(ty.map(|t| self.0.types.resolve(t)));
                syn::visit::visit_expr(self, e);
            }
        }
        let mut order = Order(self, vec![]);
        syn::visit::Visit::visit_block(&mut order, block);
        order.1
    }

    fn finish(mut self, params: Vec<FuncParam>, ret: Ty, mut body: Block) -> Func {
        let mut uses = vec![vec![]; self.references.len()];
        Resolve { types: &self.types, uses: &mut uses }.block(&mut body);
        for (r, uses) in self.references.iter_mut().zip(uses) {
            for u in uses {
                if !r.uses.contains(&u) {
                    r.uses.push(u);
                }
            }
        }
        for l in &mut self.locals {
            l.ty = self.types.resolve(&l.ty);
        }
        for l in &mut self.loops {
            l.ty = self.types.resolve(&l.ty);
        }
        Func { name: self.name, params, ret, locals: self.locals, loops: self.loops, body, references: self.references }
    }

    fn parse_type(&mut self, ty: &syn::Type) -> Result<Ty> {
        if let syn::Type::Array(a) = ty {
            let elem = self.parse_type(&a.elem)?;
            return Ok(Ty::Array(Box::new(elem), array_len(&a.len, &self.lengths)?));
        }
        parse_type(ty, &mut self.references, Place::Inside)
    }

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
        let (a, b) = (self.types.resolve(a).spell(), self.types.resolve(b).spell());
        err(
            span,
            format!("`{a}` meets `{b}` here; if a call or constant is involved, give its type: `let x: {a} = ...`"),
        )
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
                    diverges |= matches!(&s, Stmt::Let(_, Some(e), _) if e.ty == Ty::Never);
                    stmts.push(s);
                }
                syn::Stmt::Expr(e, None) if i + 1 == count => tail = Some(Box::new(self.expr(e)?)),
                syn::Stmt::Expr(e, _) => {
                    let e = self.expr(e)?;
                    diverges |= e.ty == Ty::Never;
                    stmts.push(Stmt::Expr(e));
                }
                syn::Stmt::Item(syn::Item::Const(c)) => {
                    let ty = self.parse_type(&c.ty)?;
                    let init = self.expr(&c.expr)?;
                    self.same(&init.ty, &ty, c.expr.span())?;
                    if let (Ty::Usize, Kind::Int(n)) = (&ty, &init.kind) {
                        self.lengths.insert(c.ident.to_string(), *n as usize);
                    }
                    let id = self.declare(&c.ident, ty)?;
                    stmts.push(Stmt::Let(Pat::Local(id), Some(init), c.ident.span()));
                }
                syn::Stmt::Item(item) => {
                    return err(
                        item.span(),
                        "only `const` items may stand inside a kernel: move this beside the function",
                    );
                }
                // Native only.
                syn::Stmt::Macro(m)
                    if ["debug_assert", "debug_assert_eq", "debug_assert_ne"]
                        .iter()
                        .any(|n| m.mac.path.is_ident(n)) => {}
                syn::Stmt::Macro(m) => {
                    return err(
                        m.mac.path.span(),
                        "macros are not part of the kernel language (only `debug_assert!`, which devices ignore)",
                    );
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
            syn::Pat::Type(t) => (&*t.pat, Some(self.parse_type(&t.ty)?)),
            other => (other, None),
        };
        let init = match &local.init {
            Some(init) if init.diverge.is_some() => {
                return err(local.let_token.span, "`let ... else` is not part of the kernel language: use `if`");
            }
            Some(init) => Some(self.expr(&init.expr)?),
            None => None,
        };
        let var = match &init {
            // Keeps the origin of a call's result, so that `s.field` works later.
            Some(e) if e.ty != Ty::Never => e.ty.clone(),
            _ => self.types.any_var(),
        };
        let ty = ty.unwrap_or(var);
        if let Some(init) = &init {
            self.no_slice(init)?;
            self.same(&init.ty, &ty, init.span)?;
        }
        Ok(Stmt::Let(self.pattern(pat, ty)?, init, local.let_token.span))
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

    /// A slice is a pointer and a length in C: only its parameter stands for both.
    fn no_slice(&self, e: &Expr) -> Result<()> {
        if matches!(self.types.shallow(&e.ty), Ty::Slice(..)) {
            return err(e.span, "a slice can only be indexed, or asked for its `len()`, by the parameter's name");
        }
        Ok(())
    }

    fn exprs<'a>(&mut self, list: impl IntoIterator<Item = &'a syn::Expr>) -> Result<Vec<Expr>> {
        let list: Vec<Expr> = list.into_iter().map(|e| self.expr(e)).collect::<Result<_>>()?;
        list.iter().try_for_each(|e| self.no_slice(e))?;
        Ok(list)
    }

    fn expr(&mut self, e: &syn::Expr) -> Result<Expr> {
        let span = e.span();
        let (kind, ty) = self.kind(e, span)?;
        self.by_node.insert(e as *const syn::Expr as usize, ty.clone());
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
                let to = self.parse_type(&c.ty)?;
                let from = self.types.shallow(&inner.ty);
                if self.types.is_open(&from) {
                    self.types.unify(&from, &Ty::F64); // a call or constant: checked against its signature later
                }
                if !(to.is_float() || to.is_int()) {
                    return err(c.ty.span(), format!("cannot cast to `{}`: compare with 0 instead", to.spell()));
                }
                (Kind::Cast(Box::new(inner)), to)
            }
            syn::Expr::Call(c) => self.call(c)?,
            syn::Expr::MethodCall(m) => self.method_call(m)?,
            syn::Expr::Tuple(t) if t.elems.is_empty() => (Kind::Unit, Ty::Unit),
            syn::Expr::Tuple(t) if t.elems.len() == 1 => {
                return err(t.span(), "a tuple has two or more parts here");
            }
            syn::Expr::Tuple(t) => {
                let items = self.exprs(&t.elems)?;
                let ty = Ty::Tuple(items.iter().map(|e| e.ty.clone()).collect());
                (Kind::Tuple(items), ty)
            }
            syn::Expr::Array(a) => {
                let items = self.exprs(&a.elems)?;
                if items.is_empty() {
                    return err(span, "an array has at least one element");
                }
                let elem = self.types.any_var();
                for item in &items {
                    self.same(&item.ty, &elem, item.span)?;
                }
                let ty = Ty::Array(Box::new(elem), items.len());
                (Kind::Array(items), ty)
            }
            syn::Expr::Repeat(r) => {
                let item = self.expr(&r.expr)?;
                let n = array_len(&r.len, &self.lengths)?;
                let ty = Ty::Array(Box::new(item.ty.clone()), n);
                (Kind::Repeat(Box::new(item), n), ty)
            }
            syn::Expr::Struct(s) => self.structure(s)?,
            syn::Expr::Index(i) => self.index(i)?,
            syn::Expr::Field(f) => self.field(f)?,
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let place = self.place(&r.expr)?;
                if let Kind::Index(base, _) = &place.kind
                    && matches!(self.types.shallow(&base.ty), Ty::Slice(..))
                {
                    return err(span, "no reference into a slice: copy the element, change it, store it");
                }
                let ty = Ty::Ref(Box::new(place.ty.clone()));
                (Kind::RefMut(Box::new(place)), ty)
            }
            syn::Expr::Reference(r) => {
                return err(r.and_token.span, "shared references are not part of the kernel language: pass the value");
            }
            syn::Expr::Block(b) => match &b.label {
                None => {
                    let block = self.block(&b.block)?;
                    let ty = block.ty.clone();
                    (Kind::Block(block), ty)
                }
                Some(_) => {
                    let ty = self.types.any_var();
                    let id = self.enter_loop(&b.label, ty.clone(), true);
                    let block = self.block(&b.block);
                    self.loop_stack.pop();
                    let block = block?;
                    self.same(&block.ty, &ty, span)?;
                    (Kind::Labeled(id, block), ty)
                }
            },
            syn::Expr::If(i) => self.if_(i, span)?,
            syn::Expr::Match(m) => self.match_(m)?,
            syn::Expr::Loop(l) => {
                let ty = self.types.any_var();
                let id = self.enter_loop(&l.label, ty, false);
                let body = self.block(&l.body);
                self.loop_stack.pop();
                let ty = if self.loops[id].broken { self.loops[id].ty.clone() } else { Ty::Never };
                (Kind::Loop(id, body?), ty)
            }
            syn::Expr::While(w) => {
                if let syn::Expr::Let(l) = &*w.cond {
                    return err(
                        l.let_token.span,
                        "`while let` is not part of the kernel language; use `while` with a condition \
                         (docs/kernel-language.md#loops)",
                    );
                }
                let cond = self.condition(&w.cond)?;
                let id = self.enter_loop(&w.label, Ty::Unit, false);
                let body = self.block(&w.body);
                self.loop_stack.pop();
                (Kind::While(id, Box::new(cond), body?), Ty::Unit)
            }
            syn::Expr::ForLoop(f) => self.for_(f)?,
            syn::Expr::Assign(a) => self.assign(a)?,
            syn::Expr::Return(r) => {
                let ret = self.ret.clone();
                let value = match &r.expr {
                    Some(e) => {
                        let e = self.expr(e)?;
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
                self.loops[id].far_break |= self.is_far(id);
                (Kind::Break(id, value.map(Box::new)), Ty::Never)
            }
            syn::Expr::Continue(c) => {
                let id = self.target(&c.label, span)?;
                self.loops[id].far_continue |= self.is_far(id);
                (Kind::Continue(id), Ty::Never)
            }
            syn::Expr::Closure(_) => {
                return err(span, "closures are not part of the kernel language: write a `#[kernel] fn`");
            }
            syn::Expr::Macro(_) => {
                return err(
                    span,
                    "macros are not part of the kernel language (only `debug_assert!`, which devices ignore)",
                );
            }
            syn::Expr::Unsafe(_) => return err(span, "`unsafe` is not allowed in a kernel"),
            syn::Expr::Async(_) | syn::Expr::Await(_) => return err(span, "a kernel cannot be async"),
            syn::Expr::Try(t) => {
                return err(
                    t.question_token.span,
                    "`?` is not part of the kernel language: return a status as a number",
                );
            }
            syn::Expr::Let(_) => {
                return err(
                    span,
                    "`if let` is not part of the kernel language: there are no enums; use `if` or `match`",
                );
            }
            syn::Expr::Range(_) => return err(span, "a range may only stand in `for i in a..b`"),
            _ => return err(span, "this expression is not part of the kernel language (docs/kernel-language.md)"),
        })
    }

    fn literal(&mut self, lit: &Lit) -> Result<(Kind, Ty)> {
        match lit {
            Lit::Float(f) => {
                let ty = match f.suffix() {
                    "" => self.types.float_var(),
                    "f64" => Ty::F64,
                    "f32" => Ty::F32,
                    s => return err(f.span(), format!("`{s}` is not a kernel type")),
                };
                Ok((Kind::Float(FloatLit { f64: f.base10_parse()?, f32: f.base10_parse()? }), ty))
            }
            Lit::Int(i) => {
                let ty = match i.suffix() {
                    "" => self.types.int_var(),
                    s => match builtins::prim(s) {
                        Some(ty) if ty.is_float() => {
                            let lit = FloatLit { f64: i.base10_parse()?, f32: i.base10_parse()? };
                            return Ok((Kind::Float(lit), ty));
                        }
                        Some(ty) => ty,
                        None => return err(i.span(), format!("`{s}` is not a kernel type: use i32, i64, u32 or u64")),
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
            None if builtins::is_builtin_path(path) => {
                return err(path.span(), "this constant is not part of the kernel language: write its value");
            }
            None => {}
        }
        if let Some(s) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return err(s.span(), "generic arguments are not part of the kernel language");
        }
        let index = add_reference(&mut self.references, path);
        let ty = self.types.any_var();
        Ok((Kind::Const(index), ty))
    }

    fn unary(&mut self, u: &syn::ExprUnary, span: Span) -> Result<(Kind, Ty)> {
        // `-5` is one literal: `-2147483648` must not become minus an i32 that does not exist.
        if let (UnOp::Neg(_), syn::Expr::Lit(l)) = (&u.op, &*u.expr) {
            match self.literal(&l.lit)? {
                (Kind::Int(v), ty) => return Ok((Kind::Int(-v), ty)),
                (Kind::Float(v), ty) => return Ok((Kind::Float(FloatLit { f64: -v.f64, f32: -v.f32 }), ty)),
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
            UnOp::Neg(_) => {
                self.types.make_scalar(&ty);
                Ok((Kind::Unary(UnaryOp::Neg, Box::new(inner)), ty))
            }
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
                if self.types.is_open(&right.ty) {
                    return err(right.span, "the type of this shift count is not known: `let k: u32 = ...`");
                }
            }
            _ => self.same(&left.ty, &right.ty, span)?,
        }
        self.types.make_scalar(&left.ty);
        let operand = self.types.shallow(&left.ty);
        if matches!(operand, Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(_)) {
            return err(b.op.span(), "operators work on numbers and bools: take the value apart");
        }
        if op == Op::Rem && (operand.is_float() || self.types.is_float_var(&operand) || self.types.is_open(&operand)) {
            return err(
                b.op.span(),
                "`%` on floats is not part of the kernel language: `x - (x / y).trunc() * y` rounds, so write what you need",
            );
        }
        let ty = match op {
            _ if assigns => Ty::Unit,
            Op::And | Op::Or | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => Ty::Bool,
            _ => left.ty.clone(),
        };
        let (left, right) = (Box::new(left), Box::new(right));
        Ok((if assigns { Kind::AssignOp(op, left, right) } else { Kind::Binary(op, left, right) }, ty))
    }

    fn structure(&mut self, s: &syn::ExprStruct) -> Result<(Kind, Ty)> {
        if let Some(rest) = &s.rest {
            return err(rest.span(), "`..base` is not part of the kernel language: name every field");
        }
        let ty = parse_type(
            &syn::Type::Path(syn::TypePath { attrs: vec![], qself: None, path: s.path.clone() }),
            &mut self.references,
            Place::Inside,
        )?;
        let mut fields = vec![];
        for f in &s.fields {
            let syn::Member::Named(name) = &f.member else {
                return err(f.member.span(), "a `#[kernel] struct` has named fields");
            };
            fields.push((name.to_string(), self.expr(&f.expr)?));
        }
        Ok((Kind::Struct(fields), ty))
    }

    fn index(&mut self, i: &syn::ExprIndex) -> Result<(Kind, Ty)> {
        let base = self.expr(&i.expr)?;
        let index = self.expr(&i.index)?;
        self.same(&index.ty, &Ty::Usize, index.span)?;
        if !is_path(&base) {
            return err(base.span, "only a variable, a field or a constant table can be indexed: bind the array first");
        }
        let elem = match self.types.shallow(&base.ty) {
            Ty::Array(elem, _) | Ty::Slice(elem, _) => *elem,
            Ty::Ref(target) => match self.types.shallow(&target) {
                Ty::Array(..) => return err(base.span, "write `(*x)[i]` to index what a `&mut` parameter points to"),
                _ => return err(base.span, "only arrays, slices and constant tables can be indexed"),
            },
            open if self.types.is_open(&open) && !matches!(base.kind, Kind::Local(_)) => {
                let elem = self.types.any_var();
                // Length 0 stands for "known to the definition".
                self.types.unify(&open, &Ty::Array(Box::new(elem.clone()), 0));
                elem
            }
            open if self.types.is_open(&open) => {
                return err(base.span, "the type of this array is not known here: `let a: [f64; 4] = ...`");
            }
            _ => return err(base.span, "only arrays, slices and constant tables can be indexed"),
        };
        if let (Kind::Int(v), Ty::Array(_, n)) = (&index.kind, self.types.shallow(&base.ty))
            && n > 0
            && *v >= n as i128
        {
            return err(index.span, format!("index {v} is outside an array of {n}"));
        }
        Ok((Kind::Index(Box::new(base), Box::new(index)), elem))
    }

    fn field(&mut self, f: &syn::ExprField) -> Result<(Kind, Ty)> {
        let base = self.expr(&f.base)?;
        let ty = self.types.shallow(&base.ty);
        match &f.member {
            syn::Member::Unnamed(index) => {
                let Ty::Tuple(items) = ty else {
                    return err(base.span, "the type of this tuple is not known: `let t: (f64, f64) = ...`");
                };
                let index = index.index as usize;
                let Some(ty) = items.get(index).cloned() else {
                    return err(f.member.span(), "no such field");
                };
                Ok((Kind::Field(Box::new(base), index), ty))
            }
            syn::Member::Named(name) => {
                let name = name.to_string();
                let (base, ty) = match ty {
                    // `p.x` through a `&mut` parameter.
                    Ty::Ref(target) => {
                        let span = base.span;
                        let ty = *target;
                        (Expr { kind: Kind::Deref(Box::new(base)), ty: ty.clone(), span }, self.types.shallow(&ty))
                    }
                    ty => (base, ty),
                };
                match (&ty, self.types.origin(&ty)) {
                    (Ty::Struct(_), _) => {}
                    (_, Some(callee)) => {
                        self.types.unify(&ty, &Ty::Struct(StructRef::ResultOf(callee)));
                    }
                    (open, None) if self.types.is_open(open) => {
                        return err(base.span, "the struct type of this value is not known here: `let s: TYPE = ...`");
                    }
                    (other, _) => {
                        return err(
                            f.member.span(),
                            format!("`{}` has no field `{name}`", self.types.resolve(other).spell()),
                        );
                    }
                }
                let var = self.types.any_var();
                Ok((Kind::Member(Box::new(base), name), var))
            }
        }
    }

    fn call(&mut self, c: &syn::ExprCall) -> Result<(Kind, Ty)> {
        let syn::Expr::Path(func) = &*c.func else {
            return err(c.func.span(), "only kernels can be called, by their path");
        };
        let path = &func.path;
        let args = self.exprs(&c.args)?;
        if builtins::is_builtin_path(path) {
            let ty = builtins::prim(&path.segments[0].ident.to_string()).expect("checked");
            let name = path.segments[1].ident.to_string();
            return match (&ty, name.as_str(), args.len()) {
                (Ty::F64 | Ty::F32, "from_bits", 1) => {
                    let bits = if ty == Ty::F64 { Ty::U64 } else { Ty::U32 };
                    self.same(&args[0].ty, &bits, args[0].span)?;
                    Ok((Kind::Method("from_bits", args), ty))
                }
                (_, "from", 1) => {
                    let arg = args.into_iter().next().expect("one");
                    if self.types.is_open(&arg.ty) {
                        return err(arg.span, "the type of this value is not known here: `let x: TYPE = ...`");
                    }
                    Ok((Kind::Cast(Box::new(arg)), ty))
                }
                _ => self.exact_method(&name, path.segments[1].ident.span(), ty, args),
            };
        }
        if path.is_ident(&self.name) && self.find(&self.name).is_none() {
            let span = path.segments[0].ident.span();
            return err(span, format!("`{}` calls itself: OpenCL has no recursion; write a loop", self.name));
        }
        if let Some(s) = path.segments.iter().find(|s| !s.arguments.is_none()) {
            return err(s.span(), "generic arguments are not part of the kernel language");
        }
        let index = add_reference(&mut self.references, path);
        let ty = self.types.result_var(index);
        Ok((Kind::Call(index, args), ty))
    }

    fn method_call(&mut self, m: &syn::ExprMethodCall) -> Result<(Kind, Ty)> {
        let receiver = self.expr(&m.receiver)?;
        let name = m.method.to_string();
        let mut ty = self.types.shallow(&receiver.ty);
        if let (Ty::Slice(..) | Ty::Array(..), "len") = (&ty, name.as_str()) {
            return Ok((Kind::Len(Box::new(receiver)), Ty::Usize));
        }
        if self.types.is_open(&ty) || self.types.is_float_var(&ty) {
            self.types.unify(&ty, &Ty::F64);
            ty = Ty::F64;
        }
        if self.types.is_int_var(&ty) {
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
            return match builtins::refused(&ty, name) {
                Some(way_out) => err(span, way_out),
                None => err(
                    span,
                    format!(
                        "`{}` has no method `{name}` in the kernel language (docs/kernel-language.md#methods)",
                        ty.spell()
                    ),
                ),
            };
        };
        if args.len() != takes.len() + 1 {
            return err(span, format!("`{name}` takes {} argument(s)", takes.len()));
        }
        let spell = |t: T| match t {
            T::S => ty.clone(),
            T::U32 => Ty::U32,
            T::Bits if ty == Ty::F32 => Ty::U32,
            T::Bits => Ty::U64,
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
        let known = self.types.resolve(&scrutinee.ty);
        if !(known.is_int() || known == Ty::Bool) {
            return err(
                scrutinee.span,
                format!("`match` works on integers and bools, not on `{}`: use `if`", known.spell()),
            );
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
            syn::Pat::Ident(p) if p.subpat.is_none() => {
                // A capital name is a constant in Rust's eyes: it would compare, not bind.
                if p.ident.to_string().starts_with(char::is_uppercase) {
                    return err(p.ident.span(), "a constant cannot be a pattern here: use a guard, `x if x == LIMIT`");
                }
                return Ok(Some(self.declare(&p.ident, ty.clone())?));
            }
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
            other => err(other.span(), "only integers and booleans can be matched: use `if`"),
        }
    }

    fn enter_loop(&mut self, label: &Option<syn::Label>, ty: Ty, block: bool) -> LoopId {
        let label = label.as_ref().map(|l| l.name.ident.to_string());
        self.loops.push(LoopInfo { ty, label, block, broken: false, far_break: false, far_continue: false });
        self.loop_stack.push(self.loops.len() - 1);
        self.loops.len() - 1
    }

    /// Does a jump to `id` from here leave an inner loop, or a block that C knows nothing of?
    fn is_far(&self, id: LoopId) -> bool {
        let innermost = self.loop_stack.iter().rev().find(|i| !self.loops[**i].block);
        self.loops[id].block || innermost != Some(&id)
    }

    fn target(&self, label: &Option<syn::Lifetime>, span: Span) -> Result<LoopId> {
        let wanted = label.as_ref().map(|l| l.ident.to_string());
        let fits = |id: &&LoopId| match &wanted {
            None => !self.loops[**id].block,
            some => self.loops[**id].label == *some,
        };
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
        if self.types.is_open(&lo.ty) {
            return err(lo.span, "the type of this range is not known here: `let n: i32 = ...` before the loop");
        }
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        self.scopes.push(HashMap::new());
        let var = match &*f.pat {
            syn::Pat::Wild(_) => None,
            syn::Pat::Ident(p) => Some(self.declare(&p.ident, lo.ty.clone())?),
            other => return err(other.span(), "a loop variable must be a name"),
        };
        let id = self.enter_loop(&f.label, Ty::Unit, false);
        let body = self.block(&f.body);
        self.loop_stack.pop();
        self.scopes.pop();
        Ok((Kind::For { id, var, lo: Box::new(lo), hi: Box::new(hi), inclusive, rev, body: body? }, Ty::Unit))
    }

    fn place(&mut self, e: &syn::Expr) -> Result<Expr> {
        let place = self.expr(e)?;
        fn writable(e: &Expr) -> bool {
            match &e.kind {
                Kind::Local(_) | Kind::Deref(_) => true,
                Kind::Index(base, _) | Kind::Field(base, _) | Kind::Member(base, _) => writable(base),
                _ => false,
            }
        }
        if !writable(&place) {
            return err(place.span, "this cannot be assigned to: a variable, an array element, a field or `*x` can");
        }
        Ok(place)
    }

    fn assign(&mut self, a: &syn::ExprAssign) -> Result<(Kind, Ty)> {
        if matches!(&*a.left, syn::Expr::Infer(_)) {
            let right = self.expr(&a.right)?;
            return Ok((Kind::AssignTuple(vec![], Box::new(right)), Ty::Unit));
        }
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
        let right = self.expr(&a.right)?;
        self.no_slice(&right)?;
        self.same(&left.ty, &right.ty, right.span)?;
        Ok((Kind::Assign(Box::new(left), Box::new(right)), Ty::Unit))
    }
}

/// A variable, constant, field, dereference or element of one: something that can be read twice.
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        Kind::Local(_) | Kind::Const(_) => true,
        Kind::Field(base, _) | Kind::Member(base, _) | Kind::Index(base, _) | Kind::Deref(base) => is_path(base),
        _ => false,
    }
}

fn peel_range(e: &syn::Expr) -> Result<(&syn::ExprRange, bool)> {
    match e {
        syn::Expr::Range(r) => Ok((r, false)),
        syn::Expr::Paren(p) => peel_range(&p.expr),
        syn::Expr::Group(p) => peel_range(&p.expr),
        syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
            peel_range(&m.receiver).map(|(r, rev)| (r, !rev))
        }
        other => err(other.span(), "a `for` loop runs over `a..b`, `a..=b` or `(a..b).rev()`"),
    }
}

/// Puts the final types into the IR and collects how things outside are used.
struct Resolve<'a> {
    types: &'a Types,
    uses: &'a mut Vec<Vec<Use>>,
}

impl Resolve<'_> {
    fn ty(&self, ty: &mut Ty) {
        *ty = self.types.resolve(ty);
    }

    fn pat(&mut self, p: &mut Pat) {
        if let Pat::Tuple(items, ty) = p {
            self.ty(ty);
            items.iter_mut().for_each(|p| self.pat(p));
        }
    }

    fn block(&mut self, b: &mut Block) {
        self.ty(&mut b.ty);
        for s in &mut b.stmts {
            match s {
                Stmt::Let(p, e, _) => {
                    self.pat(p);
                    if let Some(e) = e {
                        self.expr(e);
                    }
                }
                Stmt::Expr(e) => self.expr(e),
            }
        }
        if let Some(t) = &mut b.tail {
            self.expr(t);
        }
    }

    fn field_use(&mut self, structure: &Ty, name: &str, ty: &Ty) {
        match structure {
            Ty::Struct(StructRef::Path(i)) => {
                self.uses[*i].push(Use::Field { name: name.into(), ty: ty.clone(), of_result: false });
            }
            Ty::Struct(StructRef::ResultOf(i)) => {
                self.uses[*i].push(Use::Field { name: name.into(), ty: ty.clone(), of_result: true });
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let literals: Vec<bool> = match &e.kind {
            // A bare integer literal fits any integer parameter.
            Kind::Call(_, args) => args
                .iter()
                .map(|a| matches!(a.kind, Kind::Int(_)) && matches!(self.types.shallow(&a.ty), Ty::Var(_)))
                .collect(),
            _ => vec![],
        };
        self.ty(&mut e.ty);
        match &mut e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Unit | Kind::Local(_) => {}
            Kind::Continue(_) | Kind::Return(None) | Kind::Break(_, None) => {}
            Kind::Const(k) => self.uses[*k].push(Use::Const { ty: e.ty.clone() }),
            Kind::Unary(_, a)
            | Kind::Cast(a)
            | Kind::Repeat(a, _)
            | Kind::Len(a)
            | Kind::Field(a, _)
            | Kind::Deref(a)
            | Kind::RefMut(a)
            | Kind::Return(Some(a))
            | Kind::Break(_, Some(a)) => self.expr(a),
            Kind::Member(a, name) => {
                self.expr(a);
                let name = name.clone();
                let structure = a.ty.clone();
                self.field_use(&structure, &name, &e.ty);
            }
            Kind::Binary(_, a, b) | Kind::Index(a, b) | Kind::Assign(a, b) | Kind::AssignOp(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Kind::Call(k, list) => {
                list.iter_mut().for_each(|e| self.expr(e));
                let known = |(e, lit): (&Expr, bool)| if lit { None } else { Some(e.ty.clone()) };
                let args = list.iter().zip(literals).map(known).collect();
                self.uses[*k].push(Use::Call { args, ret: e.ty.clone() });
            }
            Kind::Method(_, list) | Kind::Tuple(list) | Kind::Array(list) => {
                list.iter_mut().for_each(|e| self.expr(e));
            }
            Kind::Struct(fields) => {
                for (name, value) in fields.iter_mut() {
                    self.expr(value);
                    let (name, ty) = (name.clone(), value.ty.clone());
                    self.field_use(&e.ty, &name, &ty);
                }
            }
            Kind::Block(b) | Kind::Labeled(_, b) | Kind::Loop(_, b) => self.block(b),
            Kind::If(c, then, other) => {
                self.expr(c);
                self.block(then);
                if let Some(o) = other {
                    self.expr(o);
                }
            }
            Kind::Match(s, arms) => {
                self.expr(s);
                for a in arms {
                    if let Some(g) = &mut a.guard {
                        self.expr(g);
                    }
                    self.expr(&mut a.body);
                }
            }
            Kind::While(_, c, b) => {
                self.expr(c);
                self.block(b);
            }
            Kind::For { lo, hi, body, .. } => {
                self.expr(lo);
                self.expr(hi);
                self.block(body);
            }
            Kind::AssignTuple(places, v) => {
                places.iter_mut().flatten().for_each(|e| self.expr(e));
                self.expr(v);
            }
        }
    }
}
