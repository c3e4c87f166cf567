//! One row of statements: what every element computes whatever its values, taken out of the expressions that it is part of.
//!
//! `a / (1.0 + exp(-b * t))` becomes `let c = exp(-b * t); a / (1.0 + c)`, and the blocks that inlining made are opened. So a block loop
//! sees the calls of compiled kernels that it may make for many elements at once, and what it need compute only once
//! ([`super::stages`]). Nothing leaves an arm of a branch, a loop or the right side of `&&`.

use gristmill_kernel_lang::ir::*;
use std::collections::HashSet;

/// The same function. All calls in it are of compiled kernels: others were inlined before.
pub(crate) fn flatten(func: Func) -> Func {
    let Func { locals, body, .. } = func;
    let mut flat = Flat { locals, stmts: vec![] };
    let ty = body.ty.clone();
    let mut tail = flat.block(body);
    // `return x;` at the end is the value.
    let returned = |e: &Expr| matches!(e.kind, Kind::Return(Some(_)));
    let last = flat.stmts.pop_if(|stmt| tail.is_none() && matches!(stmt, Stmt::Expr(e) if returned(e)));
    if let Some(Stmt::Expr(e)) = last {
        tail = Some(Box::new(e));
    }
    tail = match tail {
        Some(e) if returned(&e) => match e.kind {
            Kind::Return(Some(value)) => Some(Box::new(flat.head(*value))),
            _ => None,
        },
        other => other,
    };
    let body = Block { stmts: flat.stmts, tail, ty };
    Func { locals: flat.locals, body, ..func }
}

struct Flat {
    locals: Vec<Local>,
    stmts: Vec<Stmt>,
}

impl Flat {
    fn block(&mut self, block: Block) -> Option<Box<Expr>> {
        for stmt in block.stmts {
            let stmt = match stmt {
                Stmt::Let(pat, Some(value), span) => Stmt::Let(pat, Some(self.head(value)), span),
                Stmt::Expr(e) => Stmt::Expr(self.head(e)),
                other @ Stmt::Let(_, None, _) => other,
            };
            self.stmts.push(stmt);
        }
        block.tail.map(|tail| Box::new(self.head(*tail)))
    }

    /// An expression that is evaluated next, before anything else.
    fn head(&mut self, e: Expr) -> Expr {
        let Expr { kind, ty, span } = e;
        let kind = match kind {
            Kind::Block(block) => return self.block(block).map_or(Expr { kind: Kind::Unit, ty, span }, |tail| *tail),
            // The value comes before the place.
            Kind::Assign(place, value) => Kind::Assign(place, Box::new(self.head(*value))),
            Kind::AssignOp(op, place, value) => Kind::AssignOp(op, place, Box::new(self.head(*value))),
            Kind::AssignTuple(places, value) => Kind::AssignTuple(places, Box::new(self.head(*value))),
            kind => {
                let e = Expr { kind, ty, span };
                return if changes_others(&e) { e } else { self.pure(e) };
            }
        };
        Expr { kind, ty, span }
    }

    #[expect(clippy::boxed_local, reason = "trees are boxed")]
    fn boxed(&mut self, e: Box<Expr>) -> Box<Expr> {
        Box::new(self.pure(*e))
    }

    fn list(&mut self, list: Vec<Expr>) -> Vec<Expr> {
        list.into_iter().map(|e| self.pure(e)).collect()
    }

    /// An expression of which nothing changes what another part of the statement reads: its parts may come first.
    fn pure(&mut self, e: Expr) -> Expr {
        let Expr { kind, ty, span } = e;
        let kind = match kind {
            Kind::Block(block) => return self.block(block).map_or(Expr { kind: Kind::Unit, ty, span }, |tail| *tail),
            Kind::Call(k, args) => {
                let args = self.list(args);
                let value = Expr { kind: Kind::Call(k, args), ty: ty.clone(), span };
                self.locals.push(Local { name: "called".into(), ty: ty.clone() });
                let id = self.locals.len() - 1;
                self.stmts.push(Stmt::Let(Pat::Local(id), Some(value), span));
                Kind::Local(id)
            }
            Kind::Unary(op, a) => Kind::Unary(op, self.boxed(a)),
            Kind::Binary(op @ (Op::And | Op::Or), a, b) => Kind::Binary(op, self.boxed(a), b),
            Kind::Binary(op, a, b) => Kind::Binary(op, self.boxed(a), self.boxed(b)),
            Kind::Cast(a) => Kind::Cast(self.boxed(a)),
            Kind::Method(name, args) => Kind::Method(name, self.list(args)),
            Kind::Tuple(items) => Kind::Tuple(self.list(items)),
            Kind::Array(items) => Kind::Array(self.list(items)),
            Kind::Repeat(item, n) => Kind::Repeat(self.boxed(item), n),
            Kind::Struct(fields) => {
                Kind::Struct(fields.into_iter().map(|(name, value)| (name, self.pure(value))).collect())
            }
            Kind::Index(a, i) => Kind::Index(self.boxed(a), self.boxed(i)),
            Kind::Field(a, i) => Kind::Field(self.boxed(a), i),
            Kind::Member(a, name) => Kind::Member(self.boxed(a), name),
            Kind::If(test, then, other) => Kind::If(self.boxed(test), then, other),
            Kind::Match(scrutinee, arms) => Kind::Match(self.boxed(scrutinee), arms),
            other => other,
        };
        Expr { kind, ty, span }
    }
}

/// The variable that a place is part of.
pub(crate) fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        Kind::Local(id) => Some(*id),
        Kind::Field(a, _) | Kind::Member(a, _) | Kind::Index(a, _) | Kind::Deref(a) => root(a),
        _ => None,
    }
}

/// Calls `f` on every variable that the expression assigns to; gives whether it may assign through a reference.
pub(crate) fn assigned(e: &Expr, f: &mut dyn FnMut(LocalId)) -> bool {
    let mut unknown = false;
    e.visit(&mut |e| {
        let mut place = |p: &Expr| match root(p) {
            Some(id) => f(id),
            None => unknown = true,
        };
        match &e.kind {
            Kind::Assign(p, _) | Kind::AssignOp(_, p, _) | Kind::RefMut(p) => place(p),
            Kind::AssignTuple(places, _) => places.iter().flatten().for_each(place),
            _ => {}
        }
    });
    unknown
}

fn bound_by(pat: &Pat, out: &mut HashSet<LocalId>) {
    match pat {
        Pat::Wild => {}
        Pat::Local(id) => {
            out.insert(*id);
        }
        Pat::Tuple(items, _) => items.iter().for_each(|p| bound_by(p, out)),
    }
}

/// Whether evaluating it changes a variable from outside, or may leave it by a jump.
fn changes_others(e: &Expr) -> bool {
    let mut bound = HashSet::new();
    let mut frames = HashSet::new();
    e.visit(&mut |e| {
        let block = match &e.kind {
            Kind::Block(b) | Kind::If(_, b, _) => Some(b),
            Kind::Labeled(id, b) | Kind::Loop(id, b) | Kind::While(id, _, b) => {
                frames.insert(*id);
                Some(b)
            }
            Kind::For { id, var, body, .. } => {
                frames.insert(*id);
                bound.extend(*var);
                Some(body)
            }
            Kind::Match(_, arms) => {
                bound.extend(arms.iter().filter_map(|arm| arm.bind));
                None
            }
            _ => None,
        };
        for stmt in block.iter().flat_map(|b| &b.stmts) {
            if let Stmt::Let(pat, ..) = stmt {
                bound_by(pat, &mut bound);
            }
        }
    });
    let mut others = false;
    let through_reference = assigned(e, &mut |id| others |= !bound.contains(&id));
    others |= through_reference;
    e.visit(&mut |e| match &e.kind {
        Kind::Return(_) => others = true,
        Kind::Break(id, _) | Kind::Continue(id) => others |= !frames.contains(id),
        _ => {}
    });
    others
}

/// The variables of a pattern.
pub(crate) fn variables(pat: &Pat) -> HashSet<LocalId> {
    let mut out = HashSet::new();
    bound_by(pat, &mut out);
    out
}
