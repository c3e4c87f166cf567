//! Calls of the text's own functions, replaced by their bodies: one function is left, which lanes need.
//!
//! A body becomes a block that binds the arguments; if it returns early, a labelled block that is broken with the value. A `&mut`
//! parameter becomes the place itself, whose indices are evaluated once, before.

use super::layout::name_of;
use super::{Refused, Result};
use gristmill_kernel_lang::interp::Module;
use gristmill_kernel_lang::ir::*;

/// More expressions than this are not inlined: they would take too long to compile.
const MOST_NODES: usize = 20_000;

/// The function with everything that it calls.
pub(crate) fn inline(module: &Module, func: &Func) -> Result<Func> {
    let out = Func { locals: vec![], loops: vec![], references: vec![], ..func.clone() };
    let mut inliner = Inliner { module, out, nodes: 0 };
    let scope = inliner.scope(func, None);
    let body = inliner.block(&func.body, &scope)?;
    let params =
        func.params.iter().map(|p| FuncParam { id: scope.local(p.id), ty: inliner.ty(&p.ty, &scope) }).collect();
    let ret = inliner.ty(&func.ret, &scope);
    Ok(Func { params, ret, body, ..inliner.out })
}

struct Inliner<'m> {
    module: &'m Module,
    out: Func,
    nodes: usize,
}

/// What a variable of an inlined function became.
#[derive(Clone)]
enum Target {
    Local(LocalId),
    /// A `&mut` parameter: the place.
    Place(Box<Expr>),
}

/// One inlined call.
struct Scope<'f> {
    func: &'f Func,
    locals: Vec<Target>,
    first_loop: LoopId,
    references: Vec<usize>,
    /// The block that `return` leaves; `None` in the outermost function.
    end: Option<LoopId>,
}

impl Scope<'_> {
    fn local(&self, id: LocalId) -> LocalId {
        match &self.locals[id] {
            Target::Local(id) => *id,
            Target::Place(_) => 0,
        }
    }
}

impl Inliner<'_> {
    fn scope<'f>(&mut self, func: &'f Func, end: Option<LoopId>) -> Scope<'f> {
        let references = func
            .references
            .iter()
            .map(|r| {
                let known = self.out.references.iter().position(|known| known.path == r.path);
                known.unwrap_or_else(|| {
                    self.out.references.push(r.clone());
                    self.out.references.len() - 1
                })
            })
            .collect();
        let mut scope = Scope { func, locals: vec![], first_loop: self.out.loops.len(), references, end };
        for l in &func.locals {
            let ty = self.ty(&l.ty, &scope);
            self.out.locals.push(Local { name: l.name.clone(), ty });
            scope.locals.push(Target::Local(self.out.locals.len() - 1));
        }
        for l in &func.loops {
            let ty = self.ty(&l.ty, &scope);
            self.out.loops.push(LoopInfo { ty, ..l.clone() });
        }
        scope
    }

    fn ty(&self, ty: &Ty, scope: &Scope<'_>) -> Ty {
        match ty {
            Ty::Struct(StructRef::Path(k)) => Ty::Struct(StructRef::Path(scope.references[*k])),
            Ty::Struct(StructRef::ResultOf(k)) => Ty::Struct(StructRef::ResultOf(scope.references[*k])),
            Ty::Tuple(items) => Ty::Tuple(items.iter().map(|t| self.ty(t, scope)).collect()),
            Ty::Array(elem, n) => Ty::Array(Box::new(self.ty(elem, scope)), *n),
            Ty::Ref(inner) => Ty::Ref(Box::new(self.ty(inner, scope))),
            other => other.clone(),
        }
    }

    fn block(&mut self, b: &Block, scope: &Scope<'_>) -> Result<Block> {
        let mut stmts = vec![];
        for s in &b.stmts {
            stmts.push(match s {
                Stmt::Let(pat, value, span) => {
                    let value = value.as_ref().map(|v| self.expr(v, scope)).transpose()?;
                    Stmt::Let(self.pat(pat, scope), value, *span)
                }
                Stmt::Expr(e) => Stmt::Expr(self.expr(e, scope)?),
            });
        }
        let tail = b.tail.as_ref().map(|t| self.boxed(t, scope)).transpose()?;
        Ok(Block { stmts, tail, ty: self.ty(&b.ty, scope) })
    }

    fn pat(&self, pat: &Pat, scope: &Scope<'_>) -> Pat {
        match pat {
            Pat::Wild => Pat::Wild,
            Pat::Local(id) => Pat::Local(scope.local(*id)),
            Pat::Tuple(items, ty) => Pat::Tuple(items.iter().map(|p| self.pat(p, scope)).collect(), self.ty(ty, scope)),
        }
    }

    fn boxed(&mut self, e: &Expr, scope: &Scope<'_>) -> Result<Box<Expr>> {
        self.expr(e, scope).map(Box::new)
    }

    fn list(&mut self, list: &[Expr], scope: &Scope<'_>) -> Result<Vec<Expr>> {
        list.iter().map(|e| self.expr(e, scope)).collect()
    }

    fn expr(&mut self, e: &Expr, scope: &Scope<'_>) -> Result<Expr> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(Refused(format!("with all that it calls it has more than {MOST_NODES} operations")));
        }
        let kind = match &e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Bool(_) | Kind::Unit => e.kind.clone(),
            Kind::Local(id) => match &scope.locals[*id] {
                Target::Local(id) => Kind::Local(*id),
                Target::Place(place) => Kind::RefMut(place.clone()),
            },
            Kind::Deref(inner) => match &inner.kind {
                Kind::Local(id) => match &scope.locals[*id] {
                    Target::Place(place) => return Ok((**place).clone()),
                    Target::Local(_) => Kind::Deref(self.boxed(inner, scope)?),
                },
                _ => Kind::Deref(self.boxed(inner, scope)?),
            },
            Kind::Const(k) => Kind::Const(scope.references[*k]),
            Kind::Unary(op, a) => Kind::Unary(*op, self.boxed(a, scope)?),
            Kind::Binary(op, a, b) => Kind::Binary(*op, self.boxed(a, scope)?, self.boxed(b, scope)?),
            Kind::Cast(a) => Kind::Cast(self.boxed(a, scope)?),
            Kind::Call(k, args) => match self.module.function(&name_of(&scope.func.references, *k)) {
                Some(callee) => return self.call(callee, args, e, scope),
                None => Kind::Call(scope.references[*k], self.list(args, scope)?),
            },
            Kind::Method(name, args) => Kind::Method(name, self.list(args, scope)?),
            Kind::Tuple(items) => Kind::Tuple(self.list(items, scope)?),
            Kind::Array(items) => Kind::Array(self.list(items, scope)?),
            Kind::Repeat(item, n) => Kind::Repeat(self.boxed(item, scope)?, *n),
            Kind::Struct(fields) => {
                let mut out = vec![];
                for (name, value) in fields {
                    out.push((name.clone(), self.expr(value, scope)?));
                }
                Kind::Struct(out)
            }
            Kind::Index(a, b) => Kind::Index(self.boxed(a, scope)?, self.boxed(b, scope)?),
            Kind::Len(a) => Kind::Len(self.boxed(a, scope)?),
            Kind::Field(a, i) => Kind::Field(self.boxed(a, scope)?, *i),
            Kind::Member(a, name) => Kind::Member(self.boxed(a, scope)?, name.clone()),
            Kind::RefMut(a) => Kind::RefMut(self.boxed(a, scope)?),
            Kind::Block(b) => Kind::Block(self.block(b, scope)?),
            Kind::Labeled(id, b) => Kind::Labeled(scope.first_loop + id, self.block(b, scope)?),
            Kind::If(c, then, other) => Kind::If(
                self.boxed(c, scope)?,
                self.block(then, scope)?,
                other.as_ref().map(|o| self.boxed(o, scope)).transpose()?,
            ),
            Kind::Match(s, arms) => {
                let s = self.boxed(s, scope)?;
                let mut out = vec![];
                for arm in arms {
                    out.push(Arm {
                        ranges: arm.ranges.clone(),
                        bind: arm.bind.map(|id| scope.local(id)),
                        guard: arm.guard.as_ref().map(|g| self.expr(g, scope)).transpose()?,
                        body: self.expr(&arm.body, scope)?,
                    });
                }
                Kind::Match(s, out)
            }
            Kind::Loop(id, b) => Kind::Loop(scope.first_loop + id, self.block(b, scope)?),
            Kind::While(id, c, b) => Kind::While(scope.first_loop + id, self.boxed(c, scope)?, self.block(b, scope)?),
            Kind::For { id, var, lo, hi, inclusive, rev, body } => Kind::For {
                id: scope.first_loop + id,
                var: var.map(|id| scope.local(id)),
                lo: self.boxed(lo, scope)?,
                hi: self.boxed(hi, scope)?,
                inclusive: *inclusive,
                rev: *rev,
                body: self.block(body, scope)?,
            },
            Kind::Assign(p, v) => Kind::Assign(self.boxed(p, scope)?, self.boxed(v, scope)?),
            Kind::AssignTuple(places, v) => {
                let places = places.iter().map(|p| p.as_ref().map(|p| self.expr(p, scope)).transpose());
                let places = places.collect::<Result<Vec<_>>>()?;
                Kind::AssignTuple(places, self.boxed(v, scope)?)
            }
            Kind::AssignOp(op, p, v) => Kind::AssignOp(*op, self.boxed(p, scope)?, self.boxed(v, scope)?),
            Kind::Return(v) => {
                let v = v.as_ref().map(|v| self.boxed(v, scope)).transpose()?;
                match scope.end {
                    Some(end) => Kind::Break(end, v),
                    None => Kind::Return(v),
                }
            }
            Kind::Break(id, v) => {
                Kind::Break(scope.first_loop + id, v.as_ref().map(|v| self.boxed(v, scope)).transpose()?)
            }
            Kind::Continue(id) => Kind::Continue(scope.first_loop + id),
        };
        Ok(Expr { kind, ty: self.ty(&e.ty, scope), span: e.span })
    }

    fn call(&mut self, callee: &Func, args: &[Expr], e: &Expr, scope: &Scope<'_>) -> Result<Expr> {
        let ret = self.ty(&e.ty, scope);
        let mut returns = false;
        callee.visit(&mut |e| returns |= matches!(e.kind, Kind::Return(_)));
        let mut stmts = vec![];
        let mut values = vec![];
        for arg in args {
            let value = self.expr(arg, scope)?;
            values.push(match value.kind {
                Kind::RefMut(place) => Target::Place(Box::new(self.freeze(*place, &mut stmts))),
                _ => {
                    let ty = value.ty.clone();
                    self.out.locals.push(Local { name: "argument".into(), ty });
                    let id = self.out.locals.len() - 1;
                    let span = value.span;
                    stmts.push(Stmt::Let(Pat::Local(id), Some(value), span));
                    Target::Local(id)
                }
            });
        }
        let end = returns.then(|| {
            self.out.loops.push(LoopInfo {
                ty: ret.clone(),
                label: None,
                block: true,
                broken: true,
                far_break: true,
                far_continue: false,
            });
            self.out.loops.len() - 1
        });
        let mut inner = self.scope(callee, end);
        for (p, value) in callee.params.iter().zip(values) {
            inner.locals[p.id] = value;
        }
        let body = self.block(&callee.body, &inner)?;
        let kind = match end {
            Some(end) => Kind::Labeled(end, body),
            None => Kind::Block(body),
        };
        let tail = Expr { kind, ty: ret.clone(), span: e.span };
        let block = Block { stmts, tail: Some(Box::new(tail)), ty: ret.clone() };
        Ok(Expr { kind: Kind::Block(block), ty: ret, span: e.span })
    }

    /// A place whose indices are evaluated now.
    fn freeze(&mut self, place: Expr, stmts: &mut Vec<Stmt>) -> Expr {
        let kind = match place.kind {
            Kind::Field(a, i) => Kind::Field(Box::new(self.freeze(*a, stmts)), i),
            Kind::Member(a, name) => Kind::Member(Box::new(self.freeze(*a, stmts)), name),
            Kind::Index(a, index) => {
                let base = self.freeze(*a, stmts);
                let index = match index.kind {
                    Kind::Int(_) => *index,
                    _ => {
                        self.out.locals.push(Local { name: "index".into(), ty: Ty::Usize });
                        let id = self.out.locals.len() - 1;
                        let span = index.span;
                        stmts.push(Stmt::Let(Pat::Local(id), Some(*index), span));
                        Expr { kind: Kind::Local(id), ty: Ty::Usize, span }
                    }
                };
                Kind::Index(Box::new(base), Box::new(index))
            }
            other => other,
        };
        Expr { kind, ..place }
    }
}
